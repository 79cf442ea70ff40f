"""Is the edge of a word where a script without spaces begins?"""

import re

import pytest

from muniment.domain.scripts import BESIDE_ANY_WORD, goes_on


@pytest.mark.parametrize("char", ["我", "の", "ア", "한", "ก", "ກ", "မ", "ក", "བ", "\U00020000"])
def test_a_letter_of_a_script_without_spaces_is_the_edge_of_a_word(char: str) -> None:
    assert not goes_on(char)
    assert re.fullmatch(f"[{BESIDE_ANY_WORD}]", char)


@pytest.mark.parametrize("char", ["a", "Z", "7", "\u00e9", "\u0436", "\u05d0", "\u0639", "\u0905"])
def test_a_letter_of_another_script_goes_on_with_the_word(char: str) -> None:
    assert goes_on(char)
    assert not re.fullmatch(f"[{BESIDE_ANY_WORD}]", char)


@pytest.mark.parametrize("char", ["", " ", "_", "-", "。", "\u200b"])
def test_what_is_no_letter_and_no_digit_ends_a_word(char: str) -> None:
    assert not goes_on(char)
