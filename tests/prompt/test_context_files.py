"""How much of a project's files goes into a prompt, and what stands where something was left out?"""

import pytest

from muniment import limits
from muniment.domain.evidence import Span
from muniment.prompt.context_files import (
    FAMILIES,
    ContextFile,
    Reach,
    cut,
    once,
    parts_of,
    room,
    without,
)
from muniment.prompt.parts import Tier

LEAST, MOST = limits.context_least_characters, limits.context_characters_max


@pytest.mark.parametrize(
    ("window", "expected"),
    [(0, LEAST), (1_000, LEAST), (100_000, 24_000), (200_000, 48_000), (10**7, MOST), (2_083_334, MOST)],
)
def test_the_room_is_a_share_of_the_window_within_bounds(window: int, expected: int) -> None:
    assert room(window) == expected


def test_a_text_that_fits_is_left_alone_and_a_longer_one_keeps_head_and_tail() -> None:
    assert cut("x" * 100, 100, path="a.md") == "x" * 100
    long = "h" * 500 + "m" * 501 + "t" * 500
    shown = cut(long, 1_000, path="a.md")
    head, mark, tail = shown.split("\n")
    assert head == long[:700]
    assert tail == long[-200:]
    assert mark == "[... 601 of 1,501 characters of a.md are left out here ...]"


def test_what_a_cut_keeps_and_leaves_out_adds_up() -> None:
    for size in range(1_001, 1_020):
        shown = cut("x" * size, 1_000, path="a.md")
        left = int(shown.split("[... ")[1].split(" ")[0])
        assert shown.count("x") == size - left


@pytest.mark.parametrize(
    ("spans", "expected"),
    [
        ([], "abcdef"),
        ([(Span(0, 6), "secret")], "[BLOCKED: secret]"),
        ([(Span(4, 5), "b"), (Span(0, 2), "a")], "[BLOCKED: a]cd[BLOCKED: b]f"),
    ],
)
def test_a_span_is_replaced_and_the_rest_is_left(spans: list[tuple[Span, str]], expected: str) -> None:
    assert without("abcdef", spans) == expected


def test_the_same_text_in_two_places_stands_once() -> None:
    files = (ContextFile("AGENTS.md", "be kind\n"), ContextFile("a/AGENTS.md", "be kind"))
    other = ContextFile("a/b/AGENTS.md", "be quick")
    assert once((*files, other)) == (files[0], other)
    assert once((ContextFile("AGENTS.md", " \n"), other)) == (other,)


def test_files_stand_in_their_order_each_under_its_path() -> None:
    parts = parts_of((ContextFile("AGENTS.md", "outer"), ContextFile("a/AGENTS.md", "inner")), most=100)
    assert [part.text for part in parts] == ["# From AGENTS.md\nouter", "# From a/AGENTS.md\ninner"]
    assert {(part.tier, part.name) for part in parts} == {(Tier.CONTEXT, "project")}
    assert [part.source for part in parts] == ["AGENTS.md", "a/AGENTS.md"]


def test_what_a_short_file_leaves_is_the_next_ones() -> None:
    outer, inner = ContextFile("AGENTS.md", "o" * 900), ContextFile("a/AGENTS.md", "i" * 100)
    assert [part.text.count("o" * 900) for part in parts_of((outer, inner), most=1_000)] == [1, 0]
    cut_one = parts_of((outer, inner), most=900)[0].text
    assert "are left out here" in cut_one
    assert parts_of((), most=10) == ()


def test_the_families_are_looked_for_in_one_order() -> None:
    assert [family.reach for family in FAMILIES] == [Reach.NEAREST, Reach.CHAIN, Reach.HERE, Reach.HERE]
    assert FAMILIES[1].names == ("AGENTS.override.md", "AGENTS.md")
