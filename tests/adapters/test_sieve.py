"""Does a sieve hold back every text with a sign, and let the others pass?"""

import random
from collections.abc import Iterator

import pytest

from muniment.adapters import sieve as module
from muniment.adapters.sieve import Sieve

SIGNS = ("ab", "abc", "x y", "-k-", "<|")


@pytest.fixture
def sieve() -> Sieve:
    """Return a sieve of a few signs that overlap."""
    return Sieve(lambda: SIGNS)


@pytest.mark.parametrize(
    "text", ["ab", "zzab", "ZAB!", "x Y", "say x_y now", "x_y", "1-K-2", "<|im", "xabcx"]
)
def test_a_text_with_a_sign_is_held_back(sieve: Sieve, text: str) -> None:
    assert sieve(text)


@pytest.mark.parametrize("text", ["", "a", "b a", "x  y", "xy", "-k", "k-", "<", "a_b", "|<", "x\ty"])
def test_a_text_without_a_sign_passes(sieve: Sieve, text: str) -> None:
    assert not sieve(text)


def test_a_text_beyond_ascii_is_always_held_back(sieve: Sieve) -> None:
    assert sieve("пример")
    assert sieve("caf\u00e9")
    assert sieve("\ud800")


def test_a_very_long_text_is_held_back_for_its_length(sieve: Sieve) -> None:
    assert not sieve("z" * module.SIFTED_CHARACTERS_MAX)
    assert sieve("z" * (module.SIFTED_CHARACTERS_MAX + 1))


def test_what_is_held_back_is_what_holds_a_sign(sieve: Sieve) -> None:
    chance = random.Random(5)
    held = 0
    for _ in range(2_000):
        text = "".join(chance.choices("abcxyk- _<|", k=chance.randint(0, 9)))
        expected = any(sign in text or sign in text.replace("_", " ") for sign in SIGNS)
        assert sieve(text) is expected, text
        held += expected
    assert 100 < held < 1_900


def test_the_signs_are_asked_for_once_and_only_when_a_text_comes() -> None:
    asked = 0

    def signs() -> Iterator[str]:
        nonlocal asked
        asked += 1
        yield "ab"

    sieve = Sieve(signs)
    assert asked == 0
    assert sieve("ab") and not sieve("zz") and sieve("cab")
    assert asked == 1
