"""Is a prompt put together in one order, and does it come back to the byte?"""

import random

import pytest

from muniment.prompt import parts as prompt
from muniment.prompt.parts import Part, Tier

SOUL = Part(Tier.STABLE, "soul", "2026-01-05-0001", "I am careful.")
SYSTEM = Part(Tier.CONTEXT, "system", "caller", "You build ships.")
MEMORY = Part(Tier.VOLATILE, "memory", "2026-01-05-0002", "# Learned\nTea is at four")
DATE = Part(Tier.VOLATILE, "date", "clock", "Today is Monday.")
CHARACTERS = 'ab \n\t\u00a7\u2028\u0e01\u6771\U0001f375\u202e\u0301"\\<>{}'


def test_the_tiers_stand_from_what_changes_least_to_what_changes_most() -> None:
    for seed in range(20):
        given = [SOUL, SYSTEM, MEMORY, DATE]
        random.Random(seed).shuffle(given)
        tiers = [part.tier for part in prompt.assembled(given)]
        assert tiers == [Tier.STABLE, Tier.CONTEXT, Tier.VOLATILE, Tier.VOLATILE], seed


def test_within_a_tier_parts_stand_as_they_were_given() -> None:
    assert prompt.assembled([MEMORY, DATE, SOUL]) == (SOUL, MEMORY, DATE)
    assert prompt.assembled([DATE, MEMORY, SOUL]) == (SOUL, DATE, MEMORY)


@pytest.mark.parametrize("text", ["", "  ", "\n\n"])
def test_a_part_without_a_text_is_left_out(text: str) -> None:
    empty = Part(Tier.STABLE, "platform", "", text)
    assert prompt.assembled([empty, SOUL]) == (SOUL,)


def test_parts_are_joined_by_one_empty_line() -> None:
    assert prompt.text_of((SOUL, DATE)) == "I am careful.\n\nToday is Monday."
    assert prompt.text_of(()) == ""


def test_parts_of_any_script_come_back_as_they_were_packed() -> None:
    for seed in range(200):
        draw = random.Random(seed)
        made = tuple(
            Part(draw.choice(list(Tier)), f"p{n}", draw.choice(["", "a/b.md"]), _text(draw)) for n in range(4)
        )
        assert prompt.unpacked(prompt.packed(made)) == made, seed


def _text(draw: random.Random) -> str:
    return "".join(draw.choices(CHARACTERS, k=draw.randrange(40)))


def test_a_separator_inside_a_text_parts_nothing() -> None:
    sly = Part(Tier.CONTEXT, "system", "caller", "one\x1dstable\x1fsoul\x1f\x1ftwo")
    (back,) = prompt.unpacked(prompt.packed([sly]))
    assert back.tier is Tier.CONTEXT
    assert back.text == "one\ufffdstable\ufffdsoul\ufffd\ufffdtwo"


@pytest.mark.parametrize("body", ["stable\x1fsoul", "warm\x1fsoul\x1f\x1fx", "a\x1fb\x1fc\x1fd\x1fe"])
def test_what_was_never_packed_is_not_taken_apart(body: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        prompt.unpacked(body)
    assert prompt.unpacked("") == ()


@pytest.mark.parametrize(
    ("text", "tokens"), [("", 0), ("a", 1), ("abcd", 1), ("abcde", 2), ("\u6771" * 8, 2)]
)
def test_four_characters_count_as_a_token_and_a_rest_as_one_more(text: str, tokens: int) -> None:
    assert prompt.rough_tokens(text) == tokens
