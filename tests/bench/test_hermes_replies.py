"""Do both sides mean what the page on their comparison says?  With what hermes-agent replied on record."""

import json
import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from bench.hermes import __main__ as replying
from bench.hermes.operations import NEW_SESSION, OPERATIONS, PROMPT, Operation
from bench.hermes.replies import THEIR_REASONS, Reply, Theirs, their_reason
from bench.hermes.side import VERSION
from bench.measure import ROOT

PAGE = (ROOT / "docs" / "comparison.md").read_text("utf-8")
ROWS = [line.strip("|").split("|") for line in PAGE.splitlines() if re.match(r"\| \d", line)]


@pytest.fixture(scope="module")
def ours(tmp_path_factory: pytest.TempPathFactory) -> list[Reply]:
    return replying.ours(tmp_path_factory.mktemp("ours"))


def test_there_are_sixty_operations_each_said_once() -> None:
    assert len(OPERATIONS) == 60
    looks = [operation for operation in OPERATIONS if operation.look]
    assert {operation.look for operation in looks} == {PROMPT, NEW_SESSION}
    actions = [operation.parts.get("action", "batch") for operation in OPERATIONS if not operation.look]
    assert {name: actions.count(name) for name in ("add", "replace", "remove", "batch")} == {
        "add": 28, "replace": 9, "remove": 9, "batch": 10,
    }  # fmt: skip


def test_every_difference_stands_on_the_page_once_with_its_reason(ours: list[Reply]) -> None:
    listed = [int(number) for row in ROWS for number in row[0].split(",")]
    assert sorted(listed) == replying.differing(ours, replying.recorded())
    assert len(set(listed)) == len(listed)
    assert all(len(row) == 4 and all(cell.strip() for cell in row) for row in ROWS)
    assert f"{len(OPERATIONS) - len(listed)} of {len(OPERATIONS)} mean the same." in PAGE
    assert f"`hermes-agent` {VERSION}" in PAGE


def row_of(number: int) -> list[str]:
    (found,) = (row for row in ROWS if number in map(int, row[0].split(",")))
    return found


@pytest.mark.parametrize(
    ("number", "mine", "other"),
    [
        (9, ("refused", "is there"), ("done", "")),
        (16, ("refused", "parts"), ("done", "")),
        (34, ("done", ""), ("refused", "several entries")),
        (51, ("refused", "leaves nothing"), ("done", "")),
        (55, ("done", ""), ("refused", "characters")),
        (56, ("refused", "secret"), ("done", "")),
    ],
)
def test_a_row_of_the_page_is_what_both_sides_did(
    ours: list[Reply], number: int, mine: tuple[str, str], other: tuple[str, str]
) -> None:
    found, theirs = ours[number - 1], replying.recorded()[number - 1]
    assert ((found.did, found.why), (theirs.did, theirs.why)) == (mine, other)
    assert row_of(number)


def test_the_last_word_of_a_turn_comes_with_the_third_refusal_and_there_with_the_fourth(
    ours: list[Reply],
) -> None:
    theirs = replying.recorded()
    assert ["stop" in reply.shows for reply in ours[56:]] == [False, False, True, True]
    assert ["stop" in reply.shows for reply in theirs[56:]] == [False, False, False, True]


def test_the_prompt_is_frozen_on_both_sides_and_new_in_the_next_session(ours: list[Reply]) -> None:
    for replies in (ours, replying.recorded()):
        before, running, following = (replies[at].added for at in (0, 5, 6))
        assert before == running == ()
        assert following == tuple(reply.added[0] for reply in replies[1:5])


def test_what_was_recorded_is_told_from_another_version(tmp_path: Path) -> None:
    assert len(replying.recorded()) == len(OPERATIONS)
    kept = tmp_path / "kept.json"
    replying.keep(replying.recorded(), kept)
    assert kept.read_bytes() == replying.KEPT.read_bytes()
    held = json.loads(kept.read_text("utf-8"))
    assert [one["says"] for one in held["replies"]] == [operation.says for operation in OPERATIONS]
    kept.write_text(json.dumps(held | {"hermes-agent": "0.18.0"}), "utf-8")
    with pytest.raises(ValueError, match=r"0\.18\.0"):
        replying.recorded(kept)


def test_every_meaning_of_a_sentence_was_met_or_is_a_mistake() -> None:
    met = {reply.why for reply in replying.recorded()}
    assert {meaning for _, meaning in THEIR_REASONS} == met - {""}
    with pytest.raises(ValueError, match="unknown reply"):
        their_reason("Something else went wrong.")


class Told:
    """Reply as is said beforehand, and keep the two entries of memory that change with an edit."""

    def __init__(self, said: Mapping[str, object]) -> None:
        self.said, self.asked = said, list[tuple[str, Mapping[str, object]]]()

    def ask(self, do: str, /, **fields: object) -> object:
        self.asked.append((do, fields))
        if do == "entries":
            edited = any(name == "memory" for name, _ in self.asked)
            return [["new" if edited else "old"], []][fields["target"] == "user"]
        return self.said if do == "memory" else "MEMORY\nThe build runs on Debian 12.\n§\nelse"


@pytest.mark.parametrize(
    ("said", "reply"),
    [
        (
            {"success": True, "message": "Entry added.", "usage": "1%"},
            Reply("done", "", ("new",), ("old",), ("usage",)),
        ),
        (
            {"success": False, "done": True, "error": "Memory consolidation failed 4 times this turn."},
            Reply("refused", "stop", ("new",), ("old",), ("stop",)),
        ),
        (
            {"success": False, "error": "Multiple entries matched 'a'.", "matches": ["a", "ab"]},
            Reply("refused", "several entries", ("new",), ("old",), ("previews",)),
        ),
    ],
)
def test_a_reply_of_the_other_side_is_read_by_its_meaning(said: Mapping[str, object], reply: Reply) -> None:
    told = Told(said)
    edit = Operation("an edit", {"action": "replace", "block": "memory", "old": "a", "text": "b"})
    assert Theirs(told).did(edit) == reply  # type: ignore[arg-type]  # it asks, and that is all that is used
    assert (
        "memory",
        {"action": "replace", "target": "memory", "old_text": "a", "content": "b"},
    ) in told.asked
    assert told.asked[0] == ("turn", {})


def test_a_look_says_which_of_the_texts_stand_in_the_prompt() -> None:
    told = Told({})
    found = Theirs(told).did(Operation("a look", {}, look=PROMPT))  # type: ignore[arg-type]  # as above
    assert found == Reply("done", added=("The build runs on Debian 12.",))
    Theirs(told).did(Operation("a look", {}, look=NEW_SESSION))  # type: ignore[arg-type]  # as above
    assert [name for name, _ in told.asked] == ["shown", "reloaded"]
