"""Is a text read as its escapes say it, and is every part of it found again where it stands?"""

import json

import pytest

from muniment.domain.escapes import unescaped
from muniment.domain.evidence import Span

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
    assert unescaped(r"C:\Windows \d \u12 \x41") is None
    assert unescaped("") is None


def test_half_of_a_pair_is_a_letter_of_its_own() -> None:
    read = unescaped(r"x\ud83dy")
    assert read is not None and read.text == "x\ud83dy"
