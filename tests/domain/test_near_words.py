"""Are the listed words drawn alike, different to a reader, and tried in bounds?"""

import pytest

from muniment.domain.canonical import look_alike, plain
from muniment.domain.near_words import BESIDE, WORDS_CHANGED_MAX, with_other_words


@pytest.mark.parametrize("word", sorted(BESIDE))
def test_a_listed_word_is_drawn_like_the_one_beside_it(word: str) -> None:
    """Else the row could never count; `Ill` is drawn like 111 with its capital alone."""
    other = BESIDE[word]
    assert BESIDE[other] == word != other
    assert plain(word) == word
    forms = {form for one in (word, word.capitalize()) for form in look_alike(one)}
    assert forms & {form for one in (other, other.capitalize()) for form in look_alike(one)}


def test_a_word_of_its_own_is_written_in_letters_alone_or_in_digits_alone() -> None:
    """What mixes them (l0, m0dem) is no word."""
    assert all(word.isalpha() or word.isdigit() for word in BESIDE)
    assert not {"l0", "fumace", "rnodem", "lll", "al", "l", "1"} & set(BESIDE)


def test_a_text_is_tried_with_each_of_its_words_changed_alone_and_together() -> None:
    assert list(with_other_words("the modem is down")) == ["the modern is down"]
    assert set(with_other_words("10 barns")) == {"10 bams", "lo barns", "lo bams"}
    assert list(with_other_words("the m0dem is down, modem_")) == ["the m0dem is down, modern_"]


def test_a_text_without_a_listed_word_is_not_tried() -> None:
    assert list(with_other_words("a furnace, barnyard or modernity")) == []


def test_a_text_of_more_listed_words_than_the_bound_is_not_tried() -> None:
    assert len(list(with_other_words("barn " * WORDS_CHANGED_MAX))) == 2**WORDS_CHANGED_MAX - 1
    assert list(with_other_words("barn " * (WORDS_CHANGED_MAX + 1))) == []
