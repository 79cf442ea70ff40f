"""Is a text read as its escapes say it, and is every part of it found again where it stands?"""

import json

import pytest

from muniment.domain.escapes import READINGS_MAX, SIGNS, as_shown, unescaped
from muniment.domain.evidence import Span
from tests.growth import assert_linear

SAID = ["Zo\u00eb", "a\nb", 'say "so"', "tab\there", "back\\slash", "smile \U0001f600 on", "\u65e5\u672c"]


@pytest.mark.parametrize("said", SAID)
def test_what_json_spells_is_read_as_it_was_said(said: str) -> None:
    read = unescaped(f"before {json.dumps(said)} behind")
    assert read is not None
    assert read.text == f'before "{said}" behind'


@pytest.mark.parametrize("said", SAID)
def test_a_part_of_it_stands_where_its_spelling_stands(said: str) -> None:
    spelled = json.dumps(said)
    text = f"before {spelled} behind {spelled}"
    read = unescaped(text)
    assert read is not None
    for start in (read.text.index(said), read.text.rindex(said)):
        place = read.span(Span(start, start + len(said)))
        assert text[place.start : place.end] == spelled[1:-1]
    whole = read.span(Span(0, len(read.text)))
    assert whole == Span(0, len(text))


def test_a_text_without_an_escape_is_none() -> None:
    assert unescaped("plain") is None
    assert unescaped(r"C:\Windows \d \u12 \x4 AT&T &nosuch; &#x110000; 50% 5%g0 & %") is None
    assert unescaped("") is None


def test_half_of_a_pair_is_a_letter_of_its_own() -> None:
    read = unescaped(r"x\ud83dy")
    assert read is not None and read.text == "x\ud83dy"


SPELLED = {
    "program": (r"\x61lice", r"\u{61}lice", r"\u0061lice", r"\U00000061lice"),
    "page": ("&#97;lice", "&#x61;lice", "&#X61lice", "&#97lice", "&#0097;lice"),
    "program in octal digits": (r"\141lice", r"\141\154\151\143\145"),
    "style sheet": (r"\61lice", r"\61 lice", r"\000061 lice", r"\61\6c ice"),
    "address of a browser": ("%u0061lice", "%u0061%6cice"),
    "address": ("%61lice", "%61%6c%69%63%65", "%61%6C%69ce"),
    "one within another": (
        "&amp;#97;lice",
        "%2561lice",
        r"\u00261#x61;lice".replace("261", "26"),
        "&#37;61lice",
    ),
}


@pytest.mark.parametrize("spelled", [one for many in SPELLED.values() for one in many])
def test_an_escape_of_any_kind_is_read_and_its_place_is_known(spelled: str) -> None:
    text = f"Ask {spelled} again"
    read = unescaped(text)
    assert read is not None and read.text == "Ask alice again"
    place = read.span(Span(4, 9))
    assert text[place.start : place.end] == spelled


@pytest.mark.parametrize(
    ("spelled", "said"),
    [
        ("Zo&euml;&commat;acme&period;io", "Zo\u00eb@acme.io"),
        ("Zo%C3%AB%40acme.io", "Zo\u00eb@acme.io"),
        ("%F0%9F%98%80!", "\U0001f600!"),
        ("&NotEqualTilde;x", "\u2242\u0338x"),
        ("%ff%61", "\udcffa"),
    ],
)
def test_names_and_bytes_are_read(spelled: str, said: str) -> None:
    read = unescaped(spelled)
    assert read is not None and read.text == said
    assert len(read.places) == len(said) + 1 and read.places[-1] == len(spelled)


def test_readings_end() -> None:
    within = "a"
    for _ in range(READINGS_MAX):
        within = within.replace("a", "%61", 1) if within == "a" else within.replace("%", "%25", 1)
    assert unescaped(within).text == "a"
    assert unescaped(within.replace("%", "%25", 1)).text == "%61"


@pytest.mark.parametrize(
    "piece", ["%61", "&#97;", "\\u0061", "&", "%2525", "&amp;", "<", "<a ", "<!--", "<b", "\\6", "%u00"]
)
def test_the_work_grows_with_the_length_and_no_faster(piece: str) -> None:
    assert_linear(unescaped, piece)


@pytest.mark.parametrize(
    ("marked", "said", "stands"),
    [
        ("Ask <b>al</b>ice again", "Ask alice again", "al</b>ice"),
        ("Ask al<!-- no -->ice again", "Ask alice again", "al<!-- no -->ice"),
        ("Ask a<SPAN class='x'>l</SPAN>ice again", "Ask alice again", "a<SPAN class='x'>l</SPAN>ice"),
        ("Ask al<wbr/>&#105;ce again", "Ask alice again", "al<wbr/>&#105;ce"),
    ],
)
def test_a_tag_between_letters_shows_nothing(marked: str, said: str, stands: str) -> None:
    read = unescaped(marked)
    assert read is not None and read.text == said
    place = read.span(Span(4, 9))
    assert marked[place.start : place.end] == stands


@pytest.mark.parametrize("tag", ["<br>", "<br/>", "<p class='x'>", "</p>", "<TD>", "<h2 id=a>", "<li\n>"])
def test_a_tag_that_ends_a_line_parts_words(tag: str) -> None:
    read = unescaped(f"maple{tag}leaf")
    assert read is not None and read.text == "maple\nleaf"


@pytest.mark.parametrize("text", ["a < b and c > d", "<http://x.y>", "<3 you", "1<2>0", "x <- y -> z", "a<b"])
def test_what_only_looks_like_a_tag_is_none(text: str) -> None:
    assert unescaped(text) is None


def test_each_sign_alone_sends_a_text_to_be_read() -> None:
    spelled = {"\\": r"\x61", "&": "&#97;", "%": "%61", "<": "<b>", "|": "|", "-\n": "-\na", "=\n": "=\n"}
    assert spelled.keys() == set(SIGNS)
    for one in spelled.values():
        assert unescaped(f"c{one}t") is not None
    assert unescaped("cat") is None


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (r"alice\_brown@acme.io", "alice_brown@acme.io"),
        (r"QZ7\-HERON\-4417", "QZ7-HERON-4417"),
        (r"1\. Not \*so\* \#1", "1. Not *so* #1"),
        ("|Ria|QZ7|", " Ria QZ7 "),
        ("The gate code is ma-\nple", "The gate code is maple"),
        ("The gate code is ma-\n    ple", "The gate code is maple"),
        ("The gate code is ma=\nple", "The gate code is maple"),
    ],
)
def test_signs_of_markdown_columns_and_parted_words_are_read(text: str, said: str) -> None:
    read = unescaped(text)
    assert read is not None and read.text == said
    for at in range(len(said)):
        assert 0 <= read.places[at] < read.places[at + 1] <= len(text)


@pytest.mark.parametrize("text", ["5-\n6", "- a\n- b", "a - b", "a = b", "x--y", "a-\n- b", r"C:\Windows"])
def test_a_dash_that_parts_no_word_is_read_as_it_stands(text: str) -> None:
    assert unescaped(text) is None


@pytest.mark.parametrize("piece", ["|", "a-\n ", "=\n", r"\_", "-\n" + " " * 60])
def test_reading_them_grows_with_the_length_and_no_faster(piece: str) -> None:
    assert_linear(unescaped, piece)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("the gate c**od**e", "the gate code"),
        ("the *ga*te", "the *gate"),
        ("qu`ay", "quay"),
        ("m~~il~~l &#97;nd", "mill and"),
        ("**bold** word", None),
        ("2*3 and `run` it, a * b, x_y", None),
        ("plain", None),
    ],
)
def test_emphasis_within_a_word_shows_nothing(text: str, said: str | None) -> None:
    read = as_shown(text)
    assert (None if read is None else read.text) == said
    if read is not None:
        assert len(read.places) == len(read.text) + 1
        assert read.span(Span(0, len(read.text))) == Span(0, len(text))
        last = read.text.split()[-1]
        span = read.span(Span(len(read.text) - len(last), len(read.text)))
        assert text[span.start : span.end].replace("*", "") != ""


@pytest.mark.parametrize("piece", ["a*b", "a**", "`a", "&#97;*", "~~a"])
def test_showing_grows_with_the_length_and_no_faster(piece: str) -> None:
    assert_linear(as_shown, piece)
