"""Is an identifier that an erasure takes also what is kept out afterwards, and the other way round?

Two places look for identifiers: one in what is there, one in what comes in.  Where only the first
finds one, it comes back with the next copy; where only the second does, the copy that is there stays.
"""

import pytest

from muniment.domain.evidence import Span
from muniment.domain.identifiers import identifier_form, identifiers_in
from muniment.domain.mention import Search, identifiers, is_part, wanted

MAIL, NAME_AND_HOST, CODE, LETTERS = "alice@acme.io", "alice.brown@acme.io", "QZ7-HERON-4417", "AB12CD34"
PHONE, NUMBER, ACCOUNT, CARD = (
    "+41 79 555 12 34",
    "8675309",
    "CH93 0076 2011 6238 5295 7",
    "4111 1111 1111 1111",
)
EVERY = (MAIL, NAME_AND_HOST, CODE, LETTERS, PHONE, NUMBER, ACCOUNT, CARD)
DIGITS = (PHONE, NUMBER, CARD)


def goes(text: str, identifier: str) -> bool:
    """Return whether an erasure takes the identifier out of a text."""
    return Search([wanted(identifier, identifier=True)]).any_in(text)


def kept_out(text: str, identifier: str) -> bool:
    form = identifier_form(identifier)
    assert form
    return any(one.form == form for one in identifiers_in(text, in_pieces=True))


QUOTED = (
    "'{}'",
    '"{}"',
    "“{}”",
    "‘{}’",
    "«{}»",
    "「{}」",
    "`{}`",
    "*{}*",
    "**{}**",
    "_{}_",
    "__{}__",
    "~~{}~~",
)
LISTED = ("{},Smith", "Smith,{}", "1,{},2", "{};Smith", "Smith\t{}", "a|{}|b", "|{}|", "[{}]", "<{}>", "({})")
BESIDE = (
    "{}.",
    "{}…",
    "{}!",
    "{}: x",
    "•{}",
    "·{}·",
    "🙂{}🙂",
    "{}—x",
    "x—{}",
    "={}",
    "id={}&y=1",
    "x {} y",
    "邮箱{}的",
)


@pytest.mark.parametrize("identifier", EVERY)
@pytest.mark.parametrize("context", [*QUOTED, *LISTED, *BESIDE])
def test_fault_an_identifier_in_quotes_or_in_a_row_of_a_table_stays_or_comes_back(
    identifier: str, context: str
) -> None:
    text = context.format(identifier)
    assert goes(text, identifier) and kept_out(text, identifier)


@pytest.mark.parametrize(
    "context",
    ["/u/{}", "/u/{}/edit", "1/{}", "{}/2", "#{}", "no.{}", "No. {}", "tel.{}", "{}.pdf", "{},5", "7,{}"],
)
def test_fault_a_number_in_a_path_behind_a_sign_or_in_a_file_name_stays_or_comes_back(context: str) -> None:
    text = context.format(NUMBER)
    assert goes(text, NUMBER) and kept_out(text, NUMBER)


@pytest.mark.parametrize("context", ["${}", "€{}", "£ {}", "¥{}", "\u20bd{}", "{}%", "{}€"])
def test_fault_a_number_written_like_an_amount_or_a_share_goes_and_comes_back(context: str) -> None:
    text = f"pay {context.format(NUMBER)} today"
    assert goes(text, NUMBER) and kept_out(text, NUMBER)


@pytest.mark.parametrize("text", ["pay $8675309", "pay €8675309", "8675309% more"])
def test_an_amount_or_a_share_by_itself_names_nobody(text: str) -> None:
    assert identifiers(text) == ()


@pytest.mark.parametrize("sign", ["¥", "\u20bd", "\u20a9", "\u20bf"])
@pytest.mark.parametrize("identifier", [MAIL, CODE, LETTERS, ACCOUNT])
def test_fault_a_sign_of_a_currency_is_read_as_a_letter_of_what_stands_behind_it(
    sign: str, identifier: str
) -> None:
    """Some are drawn like letters, so that a disguised text is looked for with them as such, too."""
    assert kept_out(f"see {sign}{identifier} there", identifier)
    assert goes(f"see {sign}{identifier} there", identifier)
    assert not kept_out(f"see x{sign}x{identifier} there", identifier)


@pytest.mark.parametrize(
    ("text", "identifier"),
    [
        ("$86753090", NUMBER),
        ("$8675309.50", NUMBER),
        ("18675309%", NUMBER),
        ("no.alice@acme.io", MAIL),
        ("alice@acme.io.uk", MAIL),
        ("alice@acme.ios", MAIL),
        ("éalice@acme.io", MAIL),
        ("dr.alice.brown@acme.io", NAME_AND_HOST),
        ("alice.brown@acme.io.uk", NAME_AND_HOST),
        ("QZ7-HERON-4417-9", CODE),
        ("X-QZ7-HERON-4417", CODE),
        ("QZ7-HERON-44170", CODE),
        ("QZ7-HERON-4417_old", CODE),
        ("refAB12CD34", LETTERS),
        ("86753090", NUMBER),
        ("8675309.5", NUMBER),
        ("0.8675309", NUMBER),
        ("8675309-old", NUMBER),
        ("8675309_old", NUMBER),
        ("ref8675309", NUMBER),
        ("8675309kg", NUMBER),
        ("+41 79 555 12 345", PHONE),
        ("141 79 555 12 34", PHONE),
    ],
)
def test_a_longer_neighbour_neither_goes_nor_is_kept_out(text: str, identifier: str) -> None:
    assert not goes(text, identifier) and not kept_out(text, identifier)


@pytest.mark.parametrize(
    ("written", "identifier"),
    [
        ("\u0430lice@acme.io", MAIL),
        ("ａｌｉｃｅ＠ａｃｍｅ．ｉｏ", MAIL),
        ("\u1d00lice@acme.io", MAIL),
        ("Q\u0396\u0667-\u0397\u0395R\u039f\u039d-\u0664\u0664\u0661\u0667", CODE),
        ("٨٦٧٥٣٠٩", NUMBER),
        ("۸۶۷۵۳۰۹", NUMBER),
        ("८६७५३०९", NUMBER),
        ("+٤١ ٧٩ ٥٥٥ ١٢ ٣٤", PHONE),
        ("8 6 7 5 3 0 9", NUMBER),
        ("8-6-7-5-3-0-9", NUMBER),
        ("86 753 09", NUMBER),
    ],
)
def test_fault_an_identifier_in_other_digits_or_disguised_letters_stays_or_comes_back(
    written: str, identifier: str
) -> None:
    text = f"it is {written} there"
    assert kept_out(text, identifier)
    (spans,) = Search([wanted(identifier, identifier=True)]).places(text).values()
    assert [text[span.start : span.end] for span in spans] == [written]


def test_a_text_in_disguised_letters_goes_and_a_neighbour_stays() -> None:
    search = Search([wanted("the gate code is maple")])
    text = "We say: Th\u0435 g\u0430te c\u043ede is m\u0430ple!"
    ((span,),) = search.places(text).values()
    assert text[span.start : span.end] == text[8:-1]
    assert not search.places("Th\u0435 g\u0430te c\u043ede is m\u0430pled")
    assert not Search([wanted("modern")]).places("modem")


@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("mail 'alice@acme.io' bounced", (MAIL,)),
        ("mail “alice@acme.io”, please", (MAIL,)),
        ("Ria,8675309,x", (NUMBER,)),
        ("tel.8675309", (NUMBER,)),
        ("see /u/8675309/edit and #8675309", ()),
        ("3,14159265 and 3.14159265", ()),
        ("_alice@acme.io_", (MAIL,)),
    ],
)
def test_what_a_text_is_said_to_hold_is_less_than_what_is_looked_for(
    text: str, known: tuple[str, ...]
) -> None:
    """Numbers of a path or behind a number sign are no terms of their own: nobody else could say them."""
    assert identifiers(text) == known


@pytest.mark.parametrize(
    ("text", "start", "end", "longer"),
    [
        ("a.QZ7-1", 2, 7, False),
        ("a-QZ7-1", 2, 7, True),
        ("QZ7-1-", 0, 5, False),
        ("QZ7-1-b", 0, 5, True),
        ("-QZ7-1", 1, 6, False),
    ],
)
def test_a_part_has_a_joint_and_something_beyond_it(text: str, start: int, end: int, longer: bool) -> None:
    assert is_part(text, Span(start, end), wanted("QZ7-1", identifier=True)) is longer
    assert not is_part(text, Span(start, end), wanted("QZ7-1"))
