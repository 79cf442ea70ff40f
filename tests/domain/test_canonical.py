"""Do the canonical forms see through disguises, and only through disguises?"""

import gzip
import re
import subprocess
import sys
import unicodedata
from pathlib import Path

import pytest
import regex
from hypothesis import example, given
from hypothesis import strategies as st

from muniment.domain import unicode_tables
from muniment.domain.canonical import (
    NORMALISER,
    code_points,
    has_non_ascii_letters,
    keeps_article,
    look_alike,
    name_key,
    plain,
    slot_key,
)

ROOT = Path(__file__).resolve().parents[2]
UNICODE_FILES = ROOT.parent / "shared/data/unicode"

ANY_TEXT = st.text(max_size=40)
ASCII_TEXT = st.text(st.characters(max_codepoint=127), max_size=40)
NUMBERS = st.text("0123456789lo.,-v m|I", max_size=12)


def look_the_same(one: str, other: str) -> bool:
    return any(a == b for a, b in zip(look_alike(one), look_alike(other), strict=True))


@pytest.mark.parametrize(
    ("text", "disguise"),
    [
        ("the key is blue", "THE Key is BLUE"),
        ("the key is blue", "  the\tkey \n is  blue "),
        ("the key is blue", "the key is blue"),
        ("the key is blue", "ｔｈｅ　ｋｅｙ　ｉｓ　ｂｌｕｅ"),
        ("the key is blue", "𝐭𝐡𝐞 𝓀𝑒𝓎 𝕚𝕤 𝖇𝖑𝖚𝖊"),
        ("the key is blue", "the k\u200bey i\u2060s b\u00adlue\ufeff"),
        ("the key is blue", "the key\U000e0041 is blue"),
        ("bệnh", unicodedata.normalize("NFD", "bệnh")),
        ("straße", "STRASSE"),
        ("ﬁne", "fine"),
        ("ΣΊΣΥΦΟΣ", "σίσυφος"),
    ],
)
def test_spelling_case_spacing_and_invisibles_do_not_make_another_text(text: str, disguise: str) -> None:
    assert plain(text) == plain(disguise)
    assert look_alike(text)[0] == look_alike(disguise)[0]


@pytest.mark.parametrize(
    ("text", "other"),
    [("modem", "modern"), ("10", "lo"), ("alice", "al-ice"), ("paypal", "pаypаl"), ("cafe", "café")],
)
def test_the_plain_form_keeps_texts_apart_that_read_differently(text: str, other: str) -> None:
    assert plain(text) != plain(other)


@pytest.mark.parametrize(
    ("text", "disguise"),
    [
        ("modem", "modern"),
        ("10", "lo"),
        ("paypal", "pаypаl"),
        ("PAYPAL", "РАУРАL"),
        ("alice likes tea", "a-l-i-c-e, likes... tea!"),
        ("alice likes tea", "alicelikestea"),
        ("alice likes tea", "a l i c e likes tea"),
        ("alice likes tea", "«alice» likes—tea"),
        ("hello", "he||o"),
        ("Invoice", "lnvoice"),
        ("version 1.5", "version l.5"),
        ("costs -5", "costs −５"),
    ],
)
def test_look_alikes_punctuation_and_spacing_do_not_hide_a_text(text: str, disguise: str) -> None:
    assert look_the_same(text, disguise)


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("1.5", "15"),
        ("1,5", "15"),
        ("v1.0", "v10"),
        ("1.0", "10"),
        ("-5", "5"),
        ("at -5 degrees", "at 5 degrees"),
        ("１．５", "15"),
        ("alice", "alicia"),
        ("paypal", "paypel"),
        ("🍕", "🍔"),
        ("€", "¥"),
        ("!!", "??"),
        ("דוד", "דויד"),
        ("カノ", "カ"),
        ("٢٠", "٢"),
    ],
)
def test_another_number_symbol_or_letter_is_another_text(text: str, other: str) -> None:
    assert not look_the_same(text, other)


def test_a_separator_or_sign_outside_a_number_is_only_punctuation() -> None:
    assert look_the_same("done. 5 left - 3 gone", "done 5 left 3 gone")
    assert look_the_same("pages 3-7", "pages 37")
    assert look_the_same("1,5", "1.5")


def test_a_text_of_only_punctuation_keeps_it_and_an_empty_text_stays_empty() -> None:
    assert look_alike("!?") == ("!?", "!?")
    assert look_alike("") == ("", "")
    assert plain("\u200b \n") == ""


def confusable_pairs() -> list[tuple[str, str]]:
    path = UNICODE_FILES / "confusables-17.0.0.txt.gz"
    if not path.exists():
        pytest.skip("the Unicode data files are not here")
    lines = gzip.decompress(path.read_bytes()).decode("utf-8-sig").splitlines()
    rows = [line.split("#")[0].split(";") for line in lines if ";" in line.split("#")[0]]
    return [(spelled(source), spelled(target)) for source, target, _ in rows]


def spelled(code_points: str) -> str:
    return "".join(chr(int(code_point, 16)) for code_point in code_points.split())


def is_exempt(source: str, target: str) -> bool:
    """The pairs left out on purpose: each has its reason in canonical.py or the generator."""
    drawn_like_punctuation = not regex.search(r"[\p{L}\p{M}\p{N}]", target) and regex.match(
        r"[\p{L}\p{M}\p{N}--\p{Lm}]", source, regex.V1
    )
    is_punctuation_drawn_like_a_letter = unicodedata.category(source)[0] == "P" and not target.isascii()
    is_two_letters_by_canonical_equivalence = len(unicodedata.normalize("NFC", source)) > 1
    is_another_letter_by_canonical_equivalence = source == "\u1f7d"
    is_vietnamese_horn = source in "ơƠ"
    return bool(
        drawn_like_punctuation
        or is_punctuation_drawn_like_a_letter
        or is_two_letters_by_canonical_equivalence
        or is_another_letter_by_canonical_equivalence
        or is_vietnamese_horn
    )


def test_every_confusable_pair_meets_in_a_key_but_for_the_documented_ones() -> None:
    pairs = confusable_pairs()
    apart = [(source, target) for source, target in pairs if not look_the_same(source, target)]
    assert len(pairs) > 6000
    assert [pair for pair in apart if not is_exempt(*pair)] == []
    assert 0 < len(apart) <= 100


def test_every_key_of_a_confusable_is_settled() -> None:
    for source, _ in confusable_pairs():
        for key in look_alike(source):
            assert look_alike(key)[0] == key
            assert plain(key) == key


def test_folding_alone_misses_pairs_that_the_two_keys_catch() -> None:
    pairs = confusable_pairs()
    by_the_first = sum(look_alike(source)[0] == look_alike(target)[0] for source, target in pairs)
    by_either = sum(look_the_same(source, target) for source, target in pairs)
    assert by_the_first < by_either


@given(ANY_TEXT)
def test_the_plain_form_of_a_plain_form_is_itself(text: str) -> None:
    assert plain(plain(text)) == plain(text)


@given(st.one_of(ANY_TEXT, ASCII_TEXT, NUMBERS))
def test_a_key_of_a_key_is_itself(text: str) -> None:
    first, second = look_alike(text)
    if any(char.isalnum() for char in first):
        assert look_alike(first)[0] == first
        assert look_alike(second)[1] == second


@given(ANY_TEXT)
def test_texts_with_one_plain_form_share_the_first_key(text: str) -> None:
    assert look_alike(plain(text))[0] == look_alike(text)[0]
    assert plain(unicodedata.normalize("NFD", text)) == plain(unicodedata.normalize("NFC", text))


@given(st.one_of(ASCII_TEXT, NUMBERS))
@example("0.|")
def test_the_short_way_for_ascii_equals_the_long_way(text: str) -> None:
    # An invisible character outside ASCII sends the same text the long way.
    assert plain(text + "\u2060") == plain(text)
    assert look_alike(text + "\u2060") == look_alike(text)


@given(st.text(st.characters(categories=["Cs", "Co", "Cn", "Cc", "Mn"]), max_size=20))
def test_no_text_is_refused(text: str) -> None:
    assert isinstance(plain(text), str)
    assert len(look_alike(text)) == 2


def test_only_letters_outside_ascii_count_as_such() -> None:
    assert has_non_ascii_letters("pаypal")
    assert has_non_ascii_letters("日本")
    assert not has_non_ascii_letters("paypal")
    assert not has_non_ascii_letters("paypal – 5 € 🎉")


def test_a_name_has_one_key_in_every_case() -> None:
    assert name_key("Ada") == name_key(" ADA ") == name_key("ａｄａ")
    assert name_key("Ada") != name_key("Adah")
    assert name_key("a-b") != name_key("a_b")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("the API", "API"),
        (" The  api ", "ＡＰＩ"),
        ("THE Deploy Key", "deploy key"),
        ("the who's who", "who's who"),
    ],
)
def test_a_name_in_a_slot_is_the_same_with_the_article(one: str, other: str) -> None:
    assert slot_key(one) == slot_key(other)
    assert slot_key(slot_key(one)) == slot_key(one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The Who", "WHO"),
        ("The The", "The"),
        ("An Nguyen", "Nguyen"),
        ("A Coruña", "Coruña"),
        ("theAPI", "API"),
        ("Thea", "a"),
        ("of the API", "of API"),
        ("the", ""),
    ],
)
def test_a_name_that_is_another_without_it_keeps_its_article(one: str, other: str) -> None:
    assert slot_key(one) != slot_key(other)
    assert keeps_article(one) is (one in ("The Who", "The The"))


def test_the_table_of_invisibles_is_the_property() -> None:
    table = code_points(unicode_tables.INVISIBLE)
    property_members = regex.compile(r"\p{Default_Ignorable_Code_Point}")
    assert table == {c for c in range(0x110000) if property_members.match(chr(c))}
    assert len(unicode_tables.INVISIBLE.split()) == 17


def test_the_normaliser_names_every_table_it_rests_on() -> None:
    assert re.fullmatch(rf"n\d+/{re.escape(unicodedata.unidata_version)}/17", NORMALISER)


def test_the_generated_tables_are_what_the_generator_writes(tmp_path: Path) -> None:
    if not UNICODE_FILES.exists():
        pytest.skip("the Unicode data files are not here")
    scripts = tmp_path / "scripts"
    scripts.mkdir()
    target = tmp_path / "src/muniment/domain/unicode_tables.py"
    target.parent.mkdir(parents=True)
    script = scripts / "generate_unicode_tables.py"
    script.write_bytes((ROOT / "scripts/generate_unicode_tables.py").read_bytes())
    subprocess.run([sys.executable, str(script), str(UNICODE_FILES)], check=True)
    assert target.read_bytes() == (ROOT / "src/muniment/domain/unicode_tables.py").read_bytes()


def test_the_tables_carry_their_licence_notice() -> None:
    notice = (ROOT / "NOTICE.unicode").read_text("utf-8")
    assert "Unicode, Inc." in notice
    assert "NOTICE.unicode" in (unicode_tables.__doc__ or "")
