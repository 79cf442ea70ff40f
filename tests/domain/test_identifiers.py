"""Is an identifier taken as far as it reaches, in every common disguise, and nothing else for one?"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.domain.identifiers import identifier_form, identifiers_in
from tests.growth import assert_linear


def forms(text: str, *, in_pieces: bool = False) -> list[str]:
    return [one.form for one in identifiers_in(text, in_pieces=in_pieces)]


@pytest.mark.parametrize(
    "text",
    [
        "alice@acme.io",
        "Alice@ACME.io",
        "alice (at) acme dot io",
        "alice [at] acme [dot] io",
        "alice at acme dot io",
        "alice @ acme.io",
        "\u0430lice@acme.io",
        "ali\u200bce@acme.io",
        "ａｌｉｃｅ＠ａｃｍｅ．ｉｏ",
        "<alice@acme.io>",
        "mail alice@acme.io.",
    ],
)
def test_a_mail_address_has_one_form_in_every_disguise(text: str) -> None:
    assert forms(text) == ["@alice@acme.io"]


@pytest.mark.parametrize(
    "text", ["alice.smith@acme.io", "malice@acme.io", "alice@acme.io.example", "alice+a@acme.io", "a@b"]
)
def test_another_address_has_another_form(text: str) -> None:
    assert forms(text) != ["@alice@acme.io"]


@pytest.mark.parametrize(
    "text", ["alice@acme.io", "13800138001", "+49 170 / 12 34 567", "DE89 3704 0044 0532 0130 00", "X7Q-221"]
)
@pytest.mark.parametrize("beside", ["邮箱", "カギ", "전화", "โทร"])
def test_an_identifier_glued_to_a_script_without_spaces_is_the_same(text: str, beside: str) -> None:
    """Else whoever is erased by a number stays in every Chinese sentence that says it."""
    alone = forms(text)
    for glued in (f"{beside}{text}", f"{text}{beside}", f"{beside}{text}{beside}"):
        assert forms(glued) == alone, glued
        (one,) = identifiers_in(glued)
        assert glued[one.span.start : one.span.end] == text
    assert text[0] == "+" or forms(f"是,{text}") == alone


@pytest.mark.parametrize(
    ("before", "behind"),
    [
        ("«", "»"), ("“", "”"), ("‘", "’"), ("„", "“"), ("‹", "›"), ("「", "」"), ("—", "—"), ("… ", "…"),
        ("•", ""), ("→", "←"), ("，", "。"), ("", "،"), ("", "।"), ("✉", "☎"), ("🙂", "🙂"), ("'", "'"),
        ("_", "_"), ("-", "-"), ("§", "¶"),
    ],
)  # fmt: skip
def test_a_quote_a_dash_or_another_mark_beside_an_address_is_no_part_of_it(before: str, behind: str) -> None:
    text = f"to {before}alice@acme.io{behind} now"
    assert [one.form for one in identifiers_in(text)] == ["@alice@acme.io"]
    (found,) = identifiers_in(text)
    assert text[found.span.start : found.span.end] == "alice@acme.io"


@pytest.mark.parametrize(
    ("text", "forms"),
    [
        ("_918227715_", ["#918227715"]),
        ("_call 918227715_", ["#918227715"]),
        ("__+47 918 22 771__", ["#4791822771"]),
        ("_QZ7-HERON-4417_", ["%qz7heron4417"]),
        ("id_918227715", ["%id918227715"]),
        ("48213_000", []),
    ],
)
def test_a_number_in_a_pages_emphasis_is_the_number(text: str, forms: list[str]) -> None:
    assert [one.form for one in identifiers_in(text)] == forms


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("_alice@acme.io", "@_alice@acme.io"),
        ("o’brien@acme.io", "@o'brien@acme.io"),
        ("‘o’brien@acme.io’", "@o'brien@acme.io"),
        ("a-lice@acme-x.io", "@a-lice@acme-x.io"),
        ("jürgen@bücher.de»", "@jürgen@bücher.de"),
        ("राधा@उदाहरण.भारत।", "@राधा@उदाहरण.भारत"),
    ],
)
def test_a_sign_inside_an_address_stays(text: str, form: str) -> None:
    assert [one.form for one in identifiers_in(text)] == [form]


def test_an_address_wholly_in_a_script_without_spaces_is_one() -> None:
    assert forms("用户@例子.公司") == ["@用户@例子.公司"]
    assert forms("山田@例え.jp へ") == ["@山田@例え.jp"]
    assert forms("j\u00f6rg@b\u00fccher.de") == ["@j\u00f6rg@b\u00fccher.de"]


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("+49 170 / 12 34 567", "#491701234567"),
        ("0049 170 1234567", "#491701234567"),
        ("(555) 123-4567", "#5551234567"),
        ("555.123.4567", "#5551234567"),
        ("４８２１３", "#48213"),
        ("INV-2024-001", "%inv2024001"),
        ("inv_2024_001", "%inv2024001"),
        ("X7Q-221", "%x7q221"),
        ("550e8400-e29b-41d4-a716-446655440000", "%550e8400e29b41d4a716446655440000"),
        ("DE89 3704 0044 0532 0130 00", "%de89370400440532013000"),
        ("DE89370400440532013000", "%de89370400440532013000"),
    ],
)
def test_a_number_or_code_loses_its_separators(text: str, form: str) -> None:
    assert forms(f"it is {text} there") == [form]
    assert identifier_form(f" {text} ") == form


@pytest.mark.parametrize(
    "text",
    [
        "10000",
        "1,234,567 people",
        "12.5%",
        "3.14159265",
        "in 1999-2003",
        "2023-05-08",
        "12/05/2023",
        "mid-1990s",
        "1000km",
        "the 3rd of 4",
        "python3.11",
        "v1.2.3",
        "1 000 000",
        "look at it",
        "ordinary words",
        "",
    ],
)
def test_amounts_dates_and_small_numbers_are_no_identifiers(text: str) -> None:
    assert forms(text, in_pieces=True) == []
    assert identifier_form(text) == ""


@pytest.mark.parametrize("text", ["$12345", "12345%"])
def test_an_amount_is_an_identifier_only_where_it_is_known_already(text: str) -> None:
    assert forms(text) == [] and forms(text, in_pieces=True) == ["#12345"]
    assert identifier_form(text) == ""


def test_a_count_beside_a_number_can_be_cut_off_and_a_part_of_it_cannot() -> None:
    assert "#5551234567" in forms("call 555 123 4567 8 times", in_pieces=True)
    assert forms("call 555 123 4567 8 times") == ["#55512345678"]
    assert "#1234567" not in forms("call 555 123 4567", in_pieces=True)
    assert "#1701234567" not in forms("call +49 170 1234567", in_pieces=True)


def test_a_text_that_holds_more_than_an_identifier_is_none() -> None:
    assert identifier_form("alice@acme.io") == "@alice@acme.io"
    assert identifier_form("alice@acme.io is mine") == ""


def test_places_are_those_of_the_text_as_given() -> None:
    text = "🙂 ali\u200bce(at)acme.io"
    (found,) = identifiers_in(text)
    assert text[found.span.start : found.span.end] == "ali\u200bce(at)acme.io"


@given(st.text(max_size=60))
def test_no_text_is_refused_and_places_lie_inside(text: str) -> None:
    for one in identifiers_in(text, in_pieces=True):
        assert 0 <= one.span.start < one.span.end <= len(text)


@pytest.mark.parametrize(
    "piece",
    [
        "a at b ",
        "1 2 3 4 ",
        "a.b.",
        "a-1-",
        "555 123 4567 ",
        "(at)",
        "a dot b at ",
        "1.",
        "@",
        "a@b.c",
        "a@b.co 48213 ",
    ],
)
def test_the_work_grows_with_the_length_and_no_faster(piece: str) -> None:
    assert_linear(lambda text: identifiers_in(text, in_pieces=True), piece)
