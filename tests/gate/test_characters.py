"""Does the check keep what scripts need, and nothing that hides, reorders or splits a text?"""

import gzip
import sys
import unicodedata
from collections.abc import Callable
from pathlib import Path
from types import FrameType

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from muniment.domain import unicode_tables
from muniment.domain.canonical import code_points
from muniment.gate import characters
from muniment.gate.characters import ROWS, STRIPPED_MAX, checked, kept
from tests.growth import assert_linear

ROOT = Path(__file__).resolve().parents[2]
EMOJI_TEST = ROOT.parent / "shared/data/unicode/emoji-test-17.0.txt.gz"

INVISIBLE = sorted(code_points(unicode_tables.INVISIBLE))
SUSPICIOUS = st.sampled_from(
    "".join(map(chr, INVISIBLE[:60])) + "\x00\x85\r\n\t\u2028\ufffe\ud800\ufffc\u2800"
)
ORDINARY = st.sampled_from("ab 1 éم ا ก क\u094d☺👩🏽\U0001f3f4ᠠ葛가⠓\ufe0f")
MIXED_TEXT = st.one_of(st.text(max_size=30), st.text(st.one_of(SUSPICIOUS, ORDINARY), max_size=30))

# Sixty emoji sequences: plain, toned, joined, keycaps, flags and the three tagged flags.
EMOJI = (
    "😀 ☺️ ☺ ❤️ ❤ ❤️‍🔥 ❤‍🔥 😶‍🌫️ 😮‍💨 🙂‍↔️ 👋 👋🏻 👋🏿 🤝🏽 🫱🏻‍🫲🏿 👁️‍🗨️ 👁‍🗨 🧔🏽‍♂️ 👱🏼‍♀️ 🙅‍♂️ 🤦🏾‍♀️ 👨‍⚕️ 👩🏻‍⚕️ "
    "🧑‍🎓 👩🏽‍🌾 🧑🏿‍🚀 👮🏼‍♂️ 🕵️‍♀️ 🕵🏽‍♂️ 👰🏽‍♀️ 🧑‍🎄 🧜🏻‍♀️ 🧟‍♂️ 🚶‍➡️ 🚶🏽‍♀️‍➡️ 🏌️‍♂️ ⛹🏾‍♀️ 🏋️‍♀️ 🧑‍🤝‍🧑 👩🏻‍🤝‍👨🏿 💏 "
    "👩‍❤️‍💋‍👨 👩🏻‍❤️‍👨🏽 👪 👨‍👩‍👧‍👦 🧑‍🧑‍🧒 🐕‍🦺 🐈‍⬛ 🐻‍❄️ 🐦‍🔥 🍋‍🟩 ⛓️‍💥 #️⃣ *️⃣ 1️⃣ 0⃣ 🏳️‍🌈 🏳️‍⚧️ 🏴‍☠️ "
    "🇩🇪 🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f "
    "🏴\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f "
    "🏴\U000e0067\U000e0062\U000e0077\U000e006c\U000e0073\U000e007f"
)
EMOJI_SAMPLE = EMOJI.split()

# For each rule: what passes unchanged, and what is refused at which offset.
PASSES = [
    ("control", "tab\tand\nnewline"),
    ("surrogate", "\U00010000 beside them"),
    ("noncharacter", "\ufdcf \ufdf0 \U0001fffd"),
    ("annotation", "\ufffd beside them"),
    ("zwj", "👩\u200d🚀"),
    ("zwj", "👩🏽\u200d🚀"),
    ("zwj", "❤\ufe0f\u200d🔥"),
    ("zwj", "ශ්\u200dරී ලංකා"),
    ("zwj", "क्\u200d"),
    ("zwnj", "می\u200cخواهم"),
    ("zwnj", "کتاب\u200cها"),
    ("zwnj", "بَ\u200cَب"),
    ("zwnj", "क्\u200cष"),
    ("variation", "☺\ufe0f ☺\ufe0e"),
    ("variation", "1\ufe0f\u20e3"),
    ("variation", "葛\U000e0100飾"),
    ("variation", "葛\ufe00"),
    ("variation", "ᠠ\u180bᠨ\u180eᠠ"),
    ("tag", EMOJI_SAMPLE[-1]),
    ("direction-mark", "שלום\u200e abc\u200f"),
    ("direction-mark", "\u061cمرحبا"),
    ("bidi", "a\u202fb"),
    ("soft", "ภาษา\u200bไทย"),
    ("soft", "ភាសា\u200bខ្មែរ"),
    ("filler", "\u115f\u1161"),
    ("filler", "ᄀ\u1160\u11a8"),
    ("filler", "\u115f\u1160\u11a8"),
    ("filler", "ㄱ\u3164ㅏ"),
    ("filler", "⠓⠑\u2800⠇"),
    ("filler", "⠓\u2800\u2800⠇"),
    ("ignorable", "a\u0301"),
]

REFUSED = [
    ("control", "a\x00", 1),
    ("control", "\x1b[0m", 0),
    ("control", "a\x7f", 1),
    ("control", "a\x85b", 1),
    ("control", "a\rb", 1),
    ("surrogate", "ab\ud800", 2),
    ("surrogate", "\udfffa", 0),
    ("noncharacter", "a\ufffe", 1),
    ("noncharacter", "\ufdd0", 0),
    ("noncharacter", "\U0010ffff", 0),
    ("annotation", "a\ufffc", 1),
    ("annotation", "a\ufff9b", 1),
    ("annotation", "𓀀\U00013430𓀀", 1),
    ("zwj", "a\u200db", 1),
    ("zwj", "👩\u200d", 1),
    ("zwj", "\u200d🚀", 0),
    ("zwj", "👩\u200da", 1),
    ("zwj", "👩\u200d\u200d🚀", 1),
    ("zwj", "1\u200d2", 1),
    ("zwj", "🏽\u200d🚀", 1),
    ("zwj", "🇩\u200d🇪", 1),
    ("zwnj", "a\u200cb", 1),
    ("zwnj", "می\u200c", 2),
    ("zwnj", "\u200cمی", 0),
    ("zwnj", "ا\u200cب", 1),
    ("variation", "a\ufe0f", 1),
    ("variation", "\ufe0f", 0),
    ("variation", "☺\ufe0f\ufe0f", 2),
    ("variation", "a\U000e0100", 1),
    ("variation", "葛\U000e0100\U000e0101", 2),
    ("variation", "a\u180b", 1),
    ("tag", "a\U000e0041", 1),
    ("tag", "🏴\U000e0075\U000e0073\U000e007f", 1),
    ("tag", "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067", 1),
    ("tag", "👍" + EMOJI_SAMPLE[-1][1:], 1),
    ("bidi", "abc\u202edcba", 3),
    ("bidi", "a\u2066b", 1),
    ("byte-order-mark", "a\ufeff", 1),
    ("filler", "a\u115f", 1),
    ("filler", "\u115f\u1160", 0),
    ("filler", "a\u3164b", 1),
    ("filler", "\uffa0", 0),
    ("filler", "a\u2800b", 1),
    ("filler", "\u2800\u2800", 0),
    ("ignorable", "a\u034f", 1),
    ("ignorable", "a\u2061", 1),
    ("ignorable", "a\U000e0001", 1),
    ("ignorable", "a\U000e0fff", 1),
    ("ignorable", "a\u17b4", 1),
    ("ignorable", "a\ufe03", 1),
]

STRIPPED = [
    ("co\u00adoperate", "cooperate", 1),
    ("\ufeffstart", "start", 1),
    ("a\u2060b", "ab", 1),
    ("a\u200bb", "ab", 1),
    ("abc\u200e\u200f", "abc", 2),
    ("\u061c", "", 1),
    ("\u200fonly the mark is right-to-left", "only the mark is right-to-left", 1),
    ("1\u200e\u200f", "1", 2),
]

NEWLINES = [("a\r\nb", "a\nb"), ("a\u2028b", "a\nb"), ("a\u2029b", "a\nb"), ("é\r\n\r\n", "é\n\n")]


@pytest.mark.parametrize(("rule", "text"), PASSES)
def test_a_character_passes_where_it_is_needed(rule: str, text: str) -> None:
    assert checked(text).refused is None
    assert checked(text).text == text
    assert checked(text).stripped == 0


@pytest.mark.parametrize(("rule", "text", "offset"), REFUSED)
def test_a_character_is_refused_elsewhere_with_its_place(rule: str, text: str, offset: int) -> None:
    result = checked(text)
    assert result.refused is not None
    assert (result.refused.rule, result.refused.offset) == (rule, offset)
    assert result.refused.code_point == ord(text[offset])
    assert (result.text, result.stripped) == (text, 0)


@pytest.mark.parametrize(("text", "expected", "count"), STRIPPED)
def test_a_harmless_invisible_is_stripped_and_counted(text: str, expected: str, count: int) -> None:
    result = checked(text)
    assert (result.text, result.stripped, result.refused) == (expected, count, None)


@pytest.mark.parametrize(("text", "expected"), NEWLINES)
def test_every_line_end_becomes_a_newline(text: str, expected: str) -> None:
    assert checked(text).text == checked(text, strict=True).text == expected
    assert checked(text).stripped == 0


def test_every_rule_has_a_case_that_passes_and_one_that_does_not() -> None:
    rules = {row.rule for row in ROWS}
    touched = {rule for rule, *_ in REFUSED} | {"newline", "direction-mark", "soft"}
    assert touched == rules
    assert rules - {rule for rule, _ in PASSES} == {"newline", "byte-order-mark"}


def test_eight_stripped_are_reported_and_a_ninth_is_refused() -> None:
    text = "a\u00ad"
    assert checked(text * STRIPPED_MAX).stripped == STRIPPED_MAX
    refused = checked(text * (STRIPPED_MAX + 1)).refused
    assert refused is not None
    assert refused.rule == "too-many-invisible"
    assert refused.offset == 2 * STRIPPED_MAX + 1
    assert refused.cleaned == "a" * (STRIPPED_MAX + 1)


def test_a_worse_character_behind_too_many_is_the_one_named() -> None:
    refused = checked("a\u00ad" * 20 + "\x00").refused
    assert refused is not None
    assert (refused.rule, refused.cleaned) == ("control", None)


def test_a_text_with_direction_controls_is_refused_and_offered_without_them() -> None:
    refused = checked("user\u202e\u2066 admin\u2069\u202c").refused
    assert refused is not None
    assert refused.cleaned == "user admin"


def test_nothing_is_offered_when_something_else_forbids_the_text() -> None:
    refused = checked("user\u202e\x00").refused
    assert refused is not None
    assert refused.cleaned is None


def test_offsets_count_in_the_text_as_given() -> None:
    refused = checked("\ufeffé\r\nab\x00").refused
    assert refused is not None
    assert refused.offset == 6


@pytest.mark.parametrize("code_point", INVISIBLE[:: max(1, len(INVISIBLE) // 300)])
def test_the_strict_profile_refuses_every_invisible_character(code_point: int) -> None:
    result = checked(f"é{chr(code_point)}", strict=True)
    assert result.refused is not None
    assert result.refused.code_point == code_point


@pytest.mark.parametrize(
    "text", ["👩\u200d🚀", "می\u200cخواهم", "☺\ufe0f", "co\u00adoperate", "\ufeffa", "שלום\u200f", "⠓\u2800⠇"]
)
def test_the_strict_profile_makes_no_exception_where_the_ordinary_one_does(text: str) -> None:
    assert checked(text).refused is None
    assert checked(text, strict=True).refused is not None


def test_the_strict_profile_lets_visible_text_of_any_script_pass() -> None:
    for text in ("plain", "Grüße", "हिन्दी", "日本語", "👍🏽", "a\nb\tc"):
        assert checked(text, strict=True).refused is None


@pytest.mark.parametrize("text", EMOJI_SAMPLE)
def test_a_sample_of_emoji_passes(text: str) -> None:
    assert checked(text).text == text
    assert checked(f"so {text}{text} it is").refused is None


def test_no_sequence_of_the_emoji_test_is_refused() -> None:
    if not EMOJI_TEST.exists():
        pytest.skip("the Unicode data files are not here")
    lines = gzip.decompress(EMOJI_TEST.read_bytes()).decode("utf-8").splitlines()
    rows = [line.split("#")[0].split(";")[0].split() for line in lines if ";" in line.split("#")[0]]
    texts = ["".join(chr(int(code_point, 16)) for code_point in row) for row in rows]
    assert len(texts) == 5225
    assert [text for text in texts if checked(text).text != text or checked(text).refused] == []


@pytest.mark.parametrize(
    "text",
    [
        "من می‌خواهم کتاب‌های تازه بخوانم و نمی‌دانم کجا می‌روند.",
        "این خانه‌ای است که می‌شناسیم",
        "मुझे हिन्दी पसंद है। क्‍या? शक्‌ति",
        "ශ්‍රී ලංකාව ක්‍රියා ප්‍රශ්නය",
        "葛󠄀城市 辻󠄀",
        "ᠮᠣᠩᠭᠣᠯ ᠪᠢᠴᠢᠭ᠌",
        "Tiếng Việt, Ελληνικά, עברית, العربية, ไทย, 한국어, 日本語",
    ],
)
def test_ordinary_writing_of_a_script_passes_unchanged(text: str) -> None:
    assert checked(text).refused is None
    assert checked(text).text == text


def test_the_joining_tables_are_the_property() -> None:
    for table, kinds in ((unicode_tables.JOINS_LEFT, "LD"), (unicode_tables.JOINS_RIGHT, "RD")):
        pattern = regex.compile("|".join(rf"\p{{Joining_Type={kind}}}" for kind in kinds))
        assert code_points(table) == {c for c in range(0x110000) if pattern.match(chr(c))}


@given(MIXED_TEXT)
def test_what_passed_passes_again_unchanged(text: str) -> None:
    result = checked(text)
    if result.refused is None:
        again = checked(result.text)
        assert (again.text, again.stripped, again.refused) == (result.text, 0, None)
    elif result.refused.cleaned is not None:
        assert checked(result.refused.cleaned).refused is None


@given(MIXED_TEXT)
def test_what_passes_strictly_holds_no_invisible_character(text: str) -> None:
    result = checked(text, strict=True)
    if result.refused is None:
        assert not {ord(char) for char in result.text} & set(INVISIBLE)
        assert checked(text).text == result.text


@given(MIXED_TEXT)
def test_what_passes_can_be_encoded_and_holds_no_control(text: str) -> None:
    result = checked(text)
    if result.refused is None:
        assert result.text.encode("utf-8") is not None
        assert not [c for c in result.text if unicodedata.category(c) == "Cc" and c not in "\n\t"]


def test_evidence_keeps_everything_but_what_cannot_be_kept() -> None:
    assert kept("a\x00b\ud800\ufffe\x85\x7f") == ("a\ufffdb\ufffd\ufffd\ufffd\ufffd", 5)
    assert kept("a\r\nb\rc\td\n") == ("a\nb\nc\td\n", 0)
    assert kept("plain") == ("plain", 0)
    assert kept("\u202ea\u200bb\ufeff\U000e0041") == ("\u202ea\u200bb\ufeff\U000e0041", 0)
    assert kept("") == ("", 0)


@given(MIXED_TEXT)
def test_evidence_is_never_refused_and_what_is_kept_is_kept_again(text: str) -> None:
    once, count = kept(text)
    assert kept(once) == (once, 0)
    assert count <= len(text)
    once.encode("utf-8")


@pytest.mark.parametrize(
    "piece", ["\u200e", "ب\u0301\u200cب", "\u2800", "👩\u200d", "\u00ad", "\u202e", "\r\n", "ก\u200b"]
)
def test_a_hostile_text_is_judged_with_work_that_grows_as_its_length(piece: str) -> None:
    """Counted in lines of code that run, which no busy machine changes; and what one line costs, at work."""
    short, long = (lines_run(lambda text=piece * times: checked(text)) for times in (200, 1_600))
    assert short > 10
    assert long < 8 * short + 100
    assert_linear(checked, piece)


def lines_run(work: Callable[[], object]) -> int:
    """Return how many lines of this product's code a call runs."""
    count = 0

    def traced(frame: FrameType, event: str, argument: object) -> Callable[..., object] | None:
        nonlocal count
        count += event == "line"
        return traced if "muniment" in frame.f_code.co_filename else None

    before = sys.gettrace()
    sys.settrace(traced)
    try:
        work()
    finally:
        sys.settrace(before)
    return count


def test_ordinary_text_is_not_judged_character_by_character(monkeypatch: pytest.MonkeyPatch) -> None:
    judged: list[str] = []
    real = characters._judged
    monkeypatch.setattr(
        characters,
        "_judged",
        lambda place, strict: (judged.append(place.text), real(place, strict=strict))[1],
    )
    for text in ("The quick brown fox jumps.\n" * 8, "Die Füchse springen über Zäune. " * 7):
        assert checked(text).refused is None
    assert not judged
    checked("The quick\u200b fox")
    assert judged, "what is suspicious is judged"
