"""Is the branch that reaches the last line kept, with everything that belongs to it?"""

from collections.abc import Iterable
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from muniment import limits
from muniment.adapters.importers.branches import Branches, branches
from muniment.adapters.importers.lines import Line


def turn(uuid: str, parent: str | None = None, *, by: str = "user", **more: object) -> dict[str, object]:
    head = {"type": by, "uuid": uuid, "parentUuid": parent, "sessionId": "s"}
    return {**head, "message": {"content": "words"}, **more}


def part(uuid: str, parent: str, message: str) -> dict[str, object]:
    """Return one of the several lines of one answer."""
    return turn(uuid, parent, by="assistant", message={"id": message, "content": []})


def result(uuid: str, parent: str, *blocks: object) -> dict[str, object]:
    return turn(uuid, parent, message={"content": list(blocks or ({"type": "tool_result"},))})


def summary(text: object, leaf: object) -> dict[str, object]:
    return {"type": "summary", "summary": text, "leafUuid": leaf}


def tree(*values: dict[str, object]) -> Branches:
    return branches(Line(number, value) for number, value in enumerate(values, 1))


def left(*values: dict[str, object]) -> list[str]:
    """Return the names of the lines on branches that were left."""
    found = tree(*values)
    return [str(value["uuid"]) for value in values if found.left(value)]


def test_a_talk_without_a_fork_is_kept_whole() -> None:
    assert left(turn("a"), turn("b", "a", by="assistant"), turn("c", "b")) == []


def test_the_branch_of_the_last_line_is_kept_and_the_others_are_left() -> None:
    start, one, two, three = turn("a"), turn("b", "a"), turn("c", "a"), turn("d", "a")
    assert left(start, one, two, three) == ["b", "c"]
    assert left(start, three, two, one) == ["d", "c"]


def test_a_whole_branch_is_left_down_to_its_last_line() -> None:
    away = [turn("b", "a"), turn("c", "b", by="assistant"), turn("d", "c")]
    assert left(turn("a"), *away, turn("z", "a")) == ["b", "c", "d"]


def test_a_fork_within_a_branch_that_was_left_does_not_bring_it_back() -> None:
    assert left(turn("a"), turn("b", "a"), turn("c", "b"), turn("d", "b"), turn("z", "a")) == ["b", "c", "d"]


def test_going_back_to_an_older_branch_keeps_that_one() -> None:
    first, second, again = turn("b", "a"), turn("c", "a"), turn("d", "b")
    assert left(turn("a"), first, second, again) == ["c"]


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_the_last_line_decides_not_the_order_of_those_before_it(order: tuple[int, ...]) -> None:
    before = [turn("b", "a"), turn("c", "a"), turn("d", "a")]
    shuffled = [before[at] for at in order]
    kept = str(shuffled[-1]["uuid"])
    assert left(turn("a"), *shuffled) == [str(value["uuid"]) for value in shuffled if value["uuid"] != kept]


@pytest.mark.parametrize(
    "quiet",
    [
        {"type": "system", "uuid": "q", "parentUuid": "a"},
        {"type": "attachment", "uuid": "q", "parentUuid": "a"},
        turn("q", "a", isMeta=True),
        {"type": "progress", "uuid": "q", "parentUuid": "a"},
    ],
)
def test_a_line_in_which_nobody_speaks_never_decides(quiet: dict[str, object]) -> None:
    assert left(turn("a"), turn("b", "a"), quiet) == ["q"]
    assert left(turn("a"), turn("b", "a"), turn("q", "a")) == ["b"]


def test_a_line_in_which_nobody_speaks_may_stand_between_two_that_do() -> None:
    quiet = {"type": "system", "uuid": "q", "parentUuid": "a"}
    assert left(turn("a"), turn("x", "a"), quiet, turn("b", "q")) == ["x"]


def test_results_of_calls_made_at_once_belong_to_their_call() -> None:
    call, one, two = turn("b", "a", by="assistant"), result("r1", "b"), result("r2", "b")
    assert left(turn("a"), call, one, two, turn("c", "r2")) == []
    assert left(turn("a"), call, one, two, turn("c", "r1")) == []


@pytest.mark.parametrize(
    "blocks",
    [
        ({"type": "text"},),
        ({"type": "tool_result"}, {"type": "text"}),
        ("tool_result",),
    ],
)
def test_only_a_line_of_nothing_but_results_belongs_to_its_call(blocks: tuple[object, ...]) -> None:
    assert left(turn("a"), result("r", "a", *blocks), turn("c", "a")) == ["r"]
    assert left(turn("a"), result("r", "a"), turn("c", "a")) == []


def test_an_empty_list_of_results_is_none() -> None:
    empty = turn("r", "a", message={"content": []})
    assert left(turn("a"), empty, turn("c", "a")) == ["r"]


def test_a_result_on_a_branch_that_was_left_is_left_with_it() -> None:
    assert left(turn("a"), turn("b", "a"), result("r", "b"), turn("c", "a")) == ["b", "r"]


def test_the_lines_of_one_answer_belong_together() -> None:
    one, two, three = part("b", "a", "m-1"), part("c", "b", "m-1"), part("d", "b", "m-1")
    assert left(turn("a"), one, two, three, turn("e", "b")) == []
    other = part("d", "b", "m-2")
    assert left(turn("a"), one, two, other, turn("e", "b")) == ["d"]


def test_answers_without_an_id_do_not_belong_together() -> None:
    one, two = part("b", "a", ""), part("c", "a", "")
    assert left(turn("a"), one, two) == ["b"]


def test_a_users_line_is_no_part_of_an_answer() -> None:
    sneaky = turn("x", "a", message={"id": "m-1", "content": "words"})
    assert left(turn("a"), sneaky, part("b", "a", "m-1")) == ["x"]


def test_a_compaction_goes_on_from_its_logical_parent() -> None:
    boundary = {"type": "system", "uuid": "q", "parentUuid": None, "logicalParentUuid": "b"}
    assert left(turn("a"), turn("b", "a"), turn("c", "a"), boundary, turn("d", "q")) == ["c"]
    plain = {**boundary, "logicalParentUuid": None}
    assert left(turn("a"), turn("b", "a"), turn("c", "a"), plain, turn("d", "q")) == ["b"]


def test_the_real_parent_counts_before_the_logical_one() -> None:
    both = turn("d", "c", logicalParentUuid="b")
    assert left(turn("a"), turn("b", "a"), turn("c", "a"), both) == ["b"]


def test_a_subagents_lines_have_a_tree_of_their_own() -> None:
    aside = [turn("x", "a", isSidechain=True), turn("y", "x", isSidechain=True)]
    assert left(turn("a"), turn("b", "a"), *aside) == []
    assert left(turn("a"), turn("b", "a"), *aside, turn("z", "x", isSidechain=True)) == ["y"]


@pytest.mark.parametrize("mark", [False, None, "true", 1])
def test_only_a_true_mark_makes_a_subagent(mark: object) -> None:
    assert left(turn("a"), turn("b", "a"), turn("x", "a", isSidechain=mark)) == ["b"]


def test_two_trees_of_one_file_keep_an_end_each() -> None:
    assert left(turn("a"), turn("p"), turn("b", "a"), turn("q", "p"), turn("c", "a"), turn("r", "p")) == [
        "b",
        "q",
    ]


def test_lines_under_a_line_that_never_comes_are_one_tree() -> None:
    assert left(turn("b", "gone"), turn("c", "gone")) == ["b"]
    assert left(turn("b", "gone"), turn("c", "gone too")) == []


def test_a_line_may_stand_before_its_parent() -> None:
    assert left(turn("c", "b"), turn("b", "a"), turn("a")) == ["c", "b"]
    assert left(turn("b", "a"), turn("a", None), turn("c", "b")) == []


def test_a_line_that_was_named_before_it_came_is_still_the_last_one() -> None:
    assert left(turn("a"), turn("b", "d"), turn("c", "a"), turn("d", "a")) == ["b", "c"]


def test_a_line_that_comes_twice_counts_where_it_first_stood() -> None:
    assert left(turn("a"), turn("b", "a"), turn("c", "a"), turn("b", "a")) == ["b", "b"]


def test_a_line_without_a_name_shares_its_parents_fate() -> None:
    found = tree(turn("a"), turn("b", "a"), turn("c", "a"))
    assert found.left({"parentUuid": "b"})
    assert not found.left({"parentUuid": "c"})


@pytest.mark.parametrize("value", [{}, {"uuid": "new"}, {"uuid": 5}, {"uuid": None, "parentUuid": []}])
def test_a_line_that_was_not_there_before_is_live(value: dict[str, object]) -> None:
    assert not tree(turn("a"), turn("b", "a"), turn("c", "a")).left(value)


def test_a_ring_of_parents_ends() -> None:
    assert left(turn("a", "c"), turn("b", "a"), turn("c", "b")) == []
    assert left(turn("a", "a")) == []
    assert left(turn("a", "c"), turn("b", "a"), turn("c", "b"), turn("x", "b"), turn("d", "c")) == ["x"]


def test_nothing_has_no_branches() -> None:
    assert left() == []
    assert tree().title("s") == ""


def test_a_summary_is_the_title_of_the_session_its_line_is_in() -> None:
    lines = [turn("a"), turn("b", sessionId="t"), summary("About tides", "a"), summary("About ships", "b")]
    found = tree(*lines)
    assert [found.title(session) for session in ("s", "t", "u", "")] == ["About tides", "About ships", "", ""]
    early = tree(summary("About tides", "a"), *lines[:2])
    assert early.title("s") == "About tides"


def test_the_newest_summary_of_a_session_is_its_title() -> None:
    assert tree(turn("a"), turn("b", "a"), summary("old", "a"), summary("new", "b")).title("s") == "new"


@pytest.mark.parametrize(
    ("values", "title"),
    [
        ([turn("a"), summary("Elsewhere", "gone")], "Elsewhere"),
        ([turn("a"), summary("Elsewhere", "gone"), summary("More", "gone")], ""),
        ([turn("a"), turn("b", sessionId="t"), summary("Elsewhere", "gone")], ""),
        ([turn("a"), summary("", "a")], ""),
        ([turn("a"), summary(None, "a")], ""),
        ([turn("a"), summary(["x"], "a")], ""),
    ],
)
def test_a_summary_of_another_file_is_taken_only_when_there_is_no_doubt(
    values: Iterable[dict[str, object]], title: str
) -> None:
    assert tree(*values).title("s") == title


@pytest.mark.parametrize("over", [-1, 0, 1, 50])
def test_a_title_fits_its_bound_and_shows_where_it_was_cut(over: int) -> None:
    most = limits.name_characters_max
    title = tree(turn("a"), summary("x" * (most + over), "a")).title("s")
    assert len(title) == min(most, most + over)
    assert title.endswith("\u2026") is (over > 0)


PARENTS = st.lists(st.integers(-1, 9), min_size=1, max_size=10)


@settings(max_examples=60)
@given(PARENTS)
def test_the_last_line_and_all_above_it_are_always_kept(parents: list[int]) -> None:
    values = [turn(str(at), None if up < 0 else str(up)) for at, up in enumerate(parents)]
    gone = set(left(*values))
    at, seen = len(parents) - 1, set[int]()
    while 0 <= at < len(parents) and at not in seen:
        assert str(at) not in gone
        seen.add(at)
        at = parents[at]


@settings(max_examples=40)
@given(PARENTS)
def test_what_hangs_from_a_line_that_was_left_was_left_too(parents: list[int]) -> None:
    values = [turn(str(at), None if up < 0 else str(up)) for at, up in enumerate(parents)]
    gone = set(left(*values))
    for at, up in enumerate(parents):
        if str(up) in gone and up < len(parents):
            assert str(at) in gone
