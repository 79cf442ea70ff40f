"""Does a Claude Code session arrive with what was said, by whom, and on which branch?"""

import json
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from muniment.adapters.importers import arrivals
from muniment.domain.evidence import Arrival, BadLine, Role, TurnState

FORK = Path(__file__).parents[2] / "data" / "claude_code_fork.jsonl"


def line(
    uuid: str, parent: str | None, content: object, *, by: str = "user", **more: object
) -> dict[str, object]:
    head = {"type": by, "uuid": uuid, "parentUuid": parent, "sessionId": "s"}
    return head | {"timestamp": "2026-01-01T00:00:00Z", "message": {"role": by, "content": content}} | more


def read(tmp_path: Path, *values: object) -> list[Arrival | BadLine]:
    path = tmp_path / "session.jsonl"
    path.write_text("".join(json.dumps(value) + "\n" for value in values))
    return list(arrivals(path, format="claude-code"))


def turns(items: list[Arrival | BadLine]) -> dict[str, Arrival]:
    return {item.origin: item for item in items if isinstance(item, Arrival)}


@pytest.fixture
def fork() -> dict[str, Arrival]:
    items = list(arrivals(FORK))
    assert not [item for item in items if isinstance(item, BadLine)]
    return turns(items)


def test_everything_said_arrives_in_order_and_nothing_else(fork: dict[str, Arrival]) -> None:
    assert list(fork) == [
        *("u1:0", "a1:1", "a2:0", "a3:0", "r1:0", "r2:0", "sc1:0", "sc2:0"),
        *("a4:0", "u2:0", "x1:0", "u3:0", "a5:0", "u4:0", "a6:0"),
    ]


def test_only_the_branch_that_was_left_is_rewound(fork: dict[str, Arrival]) -> None:
    assert [origin for origin, item in fork.items() if item.state is TurnState.REWOUND] == ["u2:0", "x1:0"]


def test_results_of_tools_called_at_once_are_no_abandoned_branch(fork: dict[str, Arrival]) -> None:
    """`r1` is a leaf beside the chain that went on, as parallel calls are written."""
    assert fork["r1:0"].state is TurnState.LIVE


def test_a_result_under_an_abandoned_call_is_rewound(tmp_path: Path) -> None:
    call = [{"type": "tool_use", "id": "c", "name": "Bash", "input": {}}]
    result = [{"type": "tool_result", "tool_use_id": "c", "content": "out"}]
    items = read(
        tmp_path,
        line("u1", None, "start"),
        line("u2", "u1", "first try"),
        line("a2", "u2", call, by="assistant"),
        line("r2", "a2", result),
        line("u3", "u1", "second try"),
    )
    states = {origin: item.state.value for origin, item in turns(items).items()}
    assert states == {"u1:0": "live", "u2:0": "rewound", "a2:0": "rewound", "r2:0": "rewound", "u3:0": "live"}


def test_one_answer_on_several_lines_stays_whole_when_the_talk_goes_on_beside_it(tmp_path: Path) -> None:
    def part(uuid: str, parent: str, text: str) -> dict[str, object]:
        message = {"id": "m", "content": [{"type": "text", "text": text}]}
        return line(uuid, parent, "", by="assistant") | {"message": message}

    items = read(
        tmp_path,
        line("u1", None, "q"),
        part("a1", "u1", "one"),
        part("a2", "a1", "two"),
        line("u2", "a1", "on"),
    )
    assert {item.state for item in turns(items).values()} == {TurnState.LIVE}


def test_what_was_said_before_a_compaction_stays_live(fork: dict[str, Arrival]) -> None:
    assert fork["u1:0"].state is TurnState.LIVE
    assert fork["u4:0"].state is TurnState.LIVE


def test_a_compaction_follows_the_branch_it_names_not_the_last_one_written(tmp_path: Path) -> None:
    boundary = {
        "type": "system",
        "uuid": "c",
        "parentUuid": None,
        "logicalParentUuid": "u2",
        "sessionId": "s",
    }
    tree = [line("u1", None, "start"), line("u2", "u1", "kept"), line("u3", "u1", "left")]
    items = turns(read(tmp_path, *tree, boundary, line("u4", "c", "on")))
    assert [item.state.value for item in items.values()] == ["live", "live", "rewound", "live"]
    assert items["u4:0"].parent == "u2:0"


def test_a_subagent_never_decides_which_branch_was_kept(tmp_path: Path) -> None:
    tree = [line("u1", None, "start"), line("a1", "u1", "answer", by="assistant")]
    aside = line("x1", "u1", "look", isSidechain=True)
    branch = aside | {"isSidechain": False}
    states = [
        [item.state.value for item in turns(read(tmp_path, *tree, last)).values()] for last in (aside, branch)
    ]
    assert states == [["live", "live", "live"], ["live", "rewound", "live"]]


def test_a_subagent_has_a_session_of_its_own(fork: dict[str, Arrival]) -> None:
    aside = [origin for origin, item in fork.items() if item.session == "s-main/sidechain"]
    assert aside == ["sc1:0", "sc2:0"]
    assert {item.session for item in fork.values()} == {"s-main", "s-main/sidechain"}


def test_calls_and_results_name_their_tool_and_results_are_untrusted(fork: dict[str, Arrival]) -> None:
    call, result = fork["a2:0"], fork["r1:0"]
    assert (call.role, call.speaker, call.untrusted) == (Role.TOOL_CALL, "Bash", None)
    assert call.text == 'Bash {"command": "pytest -q tests/test_tides.py"}'
    assert (result.role, result.speaker, result.untrusted) == (Role.TOOL_RESULT, "Bash", True)
    assert fork["r2:0"].text == "def high_water(day): ...\n[image image/png]"


def test_a_parent_is_the_nearest_turn_that_was_kept(fork: dict[str, Arrival]) -> None:
    assert fork["u1:0"].parent == ""
    assert fork["a2:0"].parent == "a1:1"
    assert fork["u4:0"].parent == "a5:0"


def test_thinking_is_left_out_and_numbers_keep_its_place(fork: dict[str, Arrival]) -> None:
    assert "a1:0" not in fork
    assert "better run" not in str(fork)


def test_a_summary_names_the_session_it_can_be_traced_to(tmp_path: Path, fork: dict[str, Arrival]) -> None:
    assert fork["u1:0"].title == "Repairing the importer of the tide tables"
    foreign = [{"type": "summary", "summary": name, "leafUuid": name} for name in ("one", "two")]
    items = read(tmp_path, *foreign, line("u1", None, "hello"))
    assert turns(items)["u1:0"].title == ""


def test_a_long_summary_is_cut_where_it_can_be_seen(tmp_path: Path) -> None:
    items = read(
        tmp_path, {"type": "summary", "summary": "x" * 999, "leafUuid": "u1"}, line("u1", None, "hi")
    )
    assert turns(items)["u1:0"].title == "x" * 199 + "…"


@pytest.mark.parametrize("mark", ["isMeta", "isCompactSummary", "isApiErrorMessage"])
def test_a_line_the_harness_wrote_is_no_turn(tmp_path: Path, mark: str) -> None:
    assert read(tmp_path, line("u1", None, "words", **{mark: True})) == []
    assert len(read(tmp_path, line("u1", None, "words", **{mark: False}))) == 1


@pytest.mark.parametrize(
    ("text", "role"),
    [
        ("<local-command-stdout>done</local-command-stdout>", Role.TOOL_RESULT),
        ("[Request interrupted by user]", Role.SYSTEM),
        ("Print <bash-stdout> in bold", Role.USER),
    ],
)
def test_words_the_harness_put_in_the_users_mouth_are_not_the_users(
    tmp_path: Path, text: str, role: Role
) -> None:
    (item,) = turns(read(tmp_path, line("u1", None, text))).values()
    assert item.role is role
    assert item.untrusted is (True if role is Role.TOOL_RESULT else None)


def test_an_assistant_may_write_what_the_harness_writes(tmp_path: Path) -> None:
    (item,) = turns(read(tmp_path, line("a1", None, "<bash-stdout>x", by="assistant"))).values()
    assert item.role is Role.ASSISTANT


@pytest.mark.parametrize(
    "value",
    [
        {"silly": "this"},
        {"type": ["user"]},
        {"type": "user", "message": {"content": "no session"}},
        line("u", None, "x") | {"message": "error"},
        line("u", None, None),
        line("u", None, ["a bare string"]),
        line("u", None, [{"type": "hologram"}]),
        line("u", None, [{"type": ["text"]}]),
        line("u", None, [{"type": "text", "text": 5}]),
        line("u" * 300, None, "long name"),
    ],
)
def test_a_line_that_cannot_be_understood_is_set_aside_and_the_next_is_read(
    tmp_path: Path, value: dict[str, object]
) -> None:
    items = read(tmp_path, value, line("after", None, "still here"))
    assert [type(item) for item in items] == [BadLine, Arrival]
    assert [item.line for item in items if isinstance(item, BadLine)] == [1]


def test_a_copied_line_is_passed_over_and_a_changed_one_set_aside(tmp_path: Path) -> None:
    items = read(
        tmp_path, line("u1", None, "same"), line("u1", None, "same", sessionId="s2"), line("u1", None, "not")
    )
    assert [item.text for item in turns(items).values()] == ["same"]
    assert [item.line for item in items if isinstance(item, BadLine)] == [3]


def test_a_line_without_a_uuid_shares_its_parents_fate(tmp_path: Path) -> None:
    nameless = {key: value for key, value in line("", "u2", "and then").items() if key != "uuid"}
    tree = [line("u1", None, "start"), line("u2", "u1", "one way"), nameless]
    kept = list(turns(read(tmp_path, *tree)).values())
    left = list(turns(read(tmp_path, *tree, line("u3", "u1", "another way"))).values())
    assert (kept[2].state, left[2].state) == (TurnState.LIVE, TurnState.REWOUND)
    assert kept[2].origin == left[2].origin


def test_lines_without_parents_are_all_live(tmp_path: Path) -> None:
    items = read(tmp_path, *(line(f"u{n}", None, f"turn {n}") for n in range(4)))
    assert [item.state for item in turns(items).values()] == [TurnState.LIVE] * 4


def test_branches_hanging_from_a_line_of_another_file_are_told_apart(tmp_path: Path) -> None:
    items = read(tmp_path, line("u1", "elsewhere", "first"), line("u2", "elsewhere", "again"))
    assert [item.state.value for item in turns(items).values()] == ["rewound", "live"]


def test_two_sessions_in_one_file_each_keep_their_end(tmp_path: Path) -> None:
    items = read(
        tmp_path,
        line("a", None, "in s"),
        line("b", None, "in t", sessionId="t"),
        line("c", "a", "more in s"),
    )
    assert [(item.session, item.state.value) for item in turns(items).values()] == [
        ("s", "live"),
        ("t", "live"),
        ("s", "live"),
    ]


@pytest.mark.parametrize(
    "parents",
    [
        [str((n + 1) % 20_000) for n in range(20_000)],
        [str(n + 1) if n < 19_999 else None for n in range(20_000)],
    ],
    ids=["a ring", "written backwards"],
)
def test_a_tree_that_is_none_is_read_in_linear_time(tmp_path: Path, parents: list[str | None]) -> None:
    began = time.monotonic()
    items = read(tmp_path, *(line(str(n), parent, "x") for n, parent in enumerate(parents)))
    assert len(items) == 20_000
    assert time.monotonic() - began < 20


@pytest.mark.parametrize(
    ("name", "kept", "set_aside"),
    [
        ("daaain_edge_cases", 11, 7),
        ("daaain_representative_messages", 11, 0),
        ("daaain_session_b", 3, 0),
        ("daaain_todowrite_examples", 11, 0),
        ("polylogue_main", 13, 1),
        ("simonw_sample_session", 8, 0),
    ],
)
def test_real_files_are_read_to_their_end(
    shared_data: Callable[[str], Path], name: str, kept: int, set_aside: int
) -> None:
    items = list(arrivals(shared_data(f"transcripts/claude_code/{name}.jsonl")))
    assert sum(isinstance(item, Arrival) for item in items) == kept
    assert sum(isinstance(item, BadLine) for item in items) == set_aside
