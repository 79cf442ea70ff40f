"""Do the fixed sentences of a prompt say the same every time, and take only what fits?"""

from datetime import date

import pytest

from muniment.domain.block import Block
from muniment.prompt.standing import (
    GUIDANCE,
    PLATFORMS,
    block_section,
    date_line,
    hint_of,
    hints_of,
)


def test_the_date_line_names_the_day_and_no_time_of_day() -> None:
    assert date_line(date(2026, 1, 5)) == "Today is Monday, 5 January 2026."
    assert date_line(date(2028, 2, 29)) == "Today is Tuesday, 29 February 2028."


def test_every_day_has_a_line_of_its_own() -> None:
    lines = {date_line(date.fromordinal(740_000 + day)) for day in range(730)}
    assert len(lines) == 730


def test_a_replacing_hint_beats_an_added_one_and_both_beat_ours() -> None:
    ours = PLATFORMS["cli"]
    both, _ = hints_of({"cli": {"append": "Be terse.", "replace": "A printer."}})
    added, _ = hints_of({"cli": {"append": "Be terse."}})
    none, _ = hints_of(None)
    assert hint_of("cli", none) == ours
    assert hint_of("cli", added) == f"{ours}\nBe terse."
    assert hint_of("cli", both) == "A printer."


def test_an_unknown_platform_has_no_hint_but_the_callers() -> None:
    added, _ = hints_of({"fridge": {"append": "You are on a fridge."}})
    assert hint_of("fridge", added) == "You are on a fridge."
    assert hint_of("oven", added) == ""
    assert hint_of("", added) == ""


@pytest.mark.parametrize(
    "wrong",
    [
        {"cli": "a text"},
        {"cli": {"prepend": "x"}},
        {"cli": {"append": 5}},
        {"cli": {}},
        {"cli": {"append": "x", "more": "y"}},
        {7: {"append": "x"}},
        {"cli": None},
    ],
)
def test_a_malformed_hint_is_left_out_and_named_and_the_others_count(wrong: dict[object, object]) -> None:
    hints, said = hints_of({**wrong, "web": {"replace": "A wall."}})
    assert len(said) == 1
    assert hint_of("cli", hints) == PLATFORMS["cli"]
    assert hint_of("web", hints) == "A wall."


@pytest.mark.parametrize("wrong", [[], "cli", 5])
def test_hints_that_are_no_mapping_are_left_out_and_named(wrong: object) -> None:
    hints, said = hints_of(wrong)
    assert len(said) == 1
    assert hint_of("cli", hints) == PLATFORMS["cli"]


def test_a_block_stands_under_its_heading_and_the_soul_speaks_for_itself() -> None:
    assert block_section(Block.MEMORY, ("a", "b")) == "# What you have learned\na\n\u00a7\nb"
    assert block_section(Block.SOUL, ("I am careful.",)) == "I am careful."
    assert block_section(Block.USER, ()) == ""


def test_the_guidance_names_the_tools_it_speaks_of() -> None:
    for tool in ("`memory`", "`recall`", "`session_search`"):
        assert tool in GUIDANCE
