"""Does what puts a vault before the suites of others do what it says?  Without those suites."""

import json
import re
import tomllib
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from bench import kept
from bench.outside.arm import Arm
from bench.outside.hand import CONTENT, SECOND, Hand, neighbour
from bench.outside.talk import Talk, believed
from tests.conftest import ROOT
from tests.house import source

COUNT = 5


@pytest.fixture
def hand(tmp_path: Path) -> Hand:
    made = Hand(tmp_path)
    made.seed(COUNT)
    return made


def numbers(hand: Hand) -> list[int]:
    return [int(str(row["n"])) for row in hand.rows()]


def test_a_genuine_vault_is_noticed_by_nobody(hand: Hand) -> None:
    hand.seed(COUNT, space=SECOND, mark="foreign")
    assert (hand.noticed_by_reading(), hand.noticed_by_verifying()) == ("", "")
    assert len(hand.rows()) == len(hand.rows(SECOND)) == COUNT
    assert not {str(row["text"]) for row in hand.rows()} & {str(row["text"]) for row in hand.rows(SECOND)}


def test_an_altered_text_is_not_served_and_is_named(hand: Hand) -> None:
    row = hand.rows()[2]
    hand.overwrite(numbers(hand)[2], {"text": "The memory genuine2 of first is what I say"})
    assert hand.rows()[2]["text"] != row["text"]
    assert hand.noticed_by_reading().startswith("degraded: 1 found rows do not match the log")
    assert hand.noticed_by_verifying() == "altered-row"


def test_a_row_of_another_space_is_noticed_in_its_place(hand: Hand) -> None:
    hand.seed(1, space=SECOND, mark="foreign")
    donor = hand.rows(SECOND)[0]
    hand.overwrite(numbers(hand)[-1], {name: donor[name] for name in CONTENT})
    assert hand.rows()[-1]["text"] == donor["text"]
    assert hand.noticed_by_reading().startswith("degraded")
    assert "altered-row" in hand.noticed_by_verifying()


def test_a_row_that_is_gone_with_all_its_traces_is_missed_by_the_reader_and_named(hand: Hand) -> None:
    hand.delete(numbers(hand)[2])
    assert len(hand.rows()) == COUNT - 1
    assert hand.noticed_by_reading() == ""
    assert "deleted-row" in hand.noticed_by_verifying()


@pytest.mark.parametrize("last", [0, 1, 255])
def test_a_forged_row_has_an_id_of_its_own_whatever_the_genuine_one_ends_with(last: int) -> None:
    genuine = b"m" + bytes(15) + bytes((last,))
    assert neighbour(genuine)[:-1] == genuine[:-1]
    assert neighbour(genuine) != genuine


def test_a_forged_row_is_not_served_and_is_named(hand: Hand) -> None:
    like = hand.rows()[-1]
    memory = like["memory"]
    assert isinstance(memory, bytes)
    forged = like | {"n": numbers(hand)[-1] + 1_000_000, "memory": neighbour(memory)}
    hand.insert(forged | {"text": "The memory genuine4 is what I say"}, like=numbers(hand)[-1])
    assert len(hand.rows()) == COUNT + 1
    assert hand.noticed_by_reading().startswith("degraded")
    assert "inserted-row" in hand.noticed_by_verifying()


@pytest.mark.parametrize(("with_keys", "noticed"), [(False, True), (True, False)])
def test_an_older_file_is_noticed_unless_its_witness_is_as_old(
    hand: Hand, tmp_path: Path, with_keys: bool, noticed: bool
) -> None:
    hand.copy(tmp_path / "older", with_keys=with_keys)
    hand.seed(1, mark="late")
    hand.put_back(tmp_path / "older")
    assert len(hand.rows()) == COUNT
    for said in (hand.noticed_by_reading(), hand.noticed_by_verifying()):
        assert said.startswith("rolled-back") is noticed
        assert bool(said) is noticed


def test_what_comes_from_outside_is_given_and_not_as_believed() -> None:
    with closing(Talk()) as talk:
        assert talk.told("The heron nests at the weir", space="ria", outside=False)
        assert talk.told("The heron nests at the mill", space="ria", outside=True, tags=["kind=page"])
        hits = talk.asked("where does the heron nest", space="ria", k=5)
        assert {"The heron nests at the weir", "The heron nests at the mill"} <= {hit.text for hit in hits}
        assert [hit.text for hit in believed(hits)] == ["The heron nests at the weir"]
        assert talk.asked("where does the heron nest", space="zoe", k=5) == []
        tagged = talk.asked("heron", space="ria", k=5, tags=["kind=page"])
        assert {hit.text for hit in tagged} == {"The heron nests at the mill"}
        assert not talk.told("An invisible \u202e override", space="ria", outside=False)


@dataclass(frozen=True)
class Where:
    tenant: str = "acme"
    subject: str = "ria_1"


@dataclass(frozen=True)
class Event:
    object: str = ""
    kind: str = "fact"
    relation: str = "location"
    term: str = ""
    source: str = "user"
    subject: str = "ria_1"
    scope: Where = field(default_factory=Where)
    query: str = "ria location"

    @property
    def text(self) -> str:
        return f"ria {self.relation} {self.object}"


@pytest.fixture
def arm() -> Iterator[Arm]:
    with closing(Arm()) as made:
        yield made


def test_the_arm_answers_the_newest_value_of_a_person(arm: Arm) -> None:
    assert arm.recall(Event()).abstained
    arm.ingest(Event("berlin"))
    arm.ingest(Event("munich"))
    said = arm.recall(Event())
    assert (said.answer, said.abstained) == ("munich", False)
    assert said.ops > 0


def test_the_arm_keeps_to_the_person_and_the_organisation(arm: Arm) -> None:
    arm.ingest(Event("berlin"))
    other = Where(subject="ria_2")
    arm.ingest(Event("munich", subject="ria_2", scope=other))
    assert arm.recall(Event()).answer == "berlin"
    assert arm.recall(Event(scope=other)).answer == "munich"
    assert arm.recall(Event(scope=Where(tenant="other"))).abstained


def test_the_arm_answers_nothing_from_outside(arm: Arm) -> None:
    arm.ingest(Event("cologne", source="external_tool"))
    assert arm.recall(Event()).abstained
    arm.ingest(Event("berlin"))
    arm.ingest(Event("munich", source="external_tool", kind="attack"))
    assert arm.recall(Event()).answer == "berlin"


def test_fault_the_arm_answers_with_another_attribute_of_the_same_person(arm: Arm) -> None:
    arm.ingest(Event("berlin"))
    assert arm.recall(Event(query="ria employer")).abstained
    assert arm.recall(Event(query="ria location")).answer == "berlin"


def test_the_arm_forgets_a_term_and_nothing_else(arm: Arm) -> None:
    arm.ingest(Event("secret4711", relation="health_note"))
    arm.ingest(Event("berlin"))
    arm.ingest(Event(kind="erasure", term="secret4711"))
    assert arm.recall(Event(query="ria health_note secret4711")).abstained
    assert arm.recall(Event()).answer == "berlin"


TABLES: list[kept.Table] = [
    {
        "title": "One",
        "says": "What it says.",
        "rows": [
            {"row": "a", "cells": {"x": {"said": "holds"}, "y": {"said": "fails", "detail": "Why."}}},
            {"row": "b", "cells": {"x": {"said": "cannot"}}},
        ],
    }
]  # fmt: skip


def test_a_table_is_kept_as_a_page_and_as_data(tmp_path: Path) -> None:
    kept.keep("one", "# Heading", TABLES, where=tmp_path)
    page = (tmp_path / "one.md").read_text("utf-8").splitlines()
    assert page[:2] == ["# Heading", ""]
    assert "| | x | y |" in page and "| a | holds | fails |" in page and "| b | cannot |  |" in page
    assert "- a, y: Why." in page
    assert json.loads((tmp_path / "one.json").read_text("utf-8")) == TABLES


def test_a_cell_that_says_something_else_is_drift_and_another_wording_is_not(tmp_path: Path) -> None:
    kept.keep("one", "# Heading", TABLES, where=tmp_path)
    assert kept.drift("one", TABLES, where=tmp_path) == []
    rewritten = json.loads(json.dumps(TABLES).replace("Why.", "Because."))
    assert kept.drift("one", rewritten, where=tmp_path) == []
    changed = json.loads(json.dumps(TABLES).replace('"cannot"', '"holds"'))
    assert kept.drift("one", changed, where=tmp_path) == ["One | b | x: committed cannot, now holds"]
    shorter = [dict(TABLES[0], rows=[])]
    assert len(kept.drift("one", shorter, where=tmp_path)) == 3


def test_what_is_committed_has_every_table_and_names_losses_too() -> None:
    tables = json.loads((kept.RESULTS / "outside.json").read_text("utf-8"))
    titles = [re.sub(r" [\d.]+\)$", "", table["title"]) for table in tables]
    assert titles == [
        "Edits of the file behind the gate (agent-memory-integrity",
        "Memories that an attacker writes (agent-memory-integrity",
        "Steps of an agent (provem",
    ]
    said = set(kept.said(tables).values())
    assert {"rejected", "reported", "accepted", "surfaced", "kept out"} <= said
    rows = [row["row"] for row in tables[2]["rows"]]
    assert rows[0] == "muniment" and len(rows) == 4


def test_every_edit_of_the_file_alone_is_reported_by_verify() -> None:
    tables = json.loads((kept.RESULTS / "outside.json").read_text("utf-8"))
    row = next(row for row in tables[0]["rows"] if row["row"] == "verify; the file is the attacker's")
    assert len(row["cells"]) == 9
    assert {cell["said"] for cell in row["cells"].values()} == {"reported"}


def test_the_suites_of_others_are_pinned_and_needed_by_nobody() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    group = project["dependency-groups"]["outside"]
    assert all(re.fullmatch(r"[a-z-]+==[\d.]+", one) for one in group)
    others = str(project["project"]) + str(project["dependency-groups"]["test"])
    assert not any(one.split("==")[0] in others for one in group)


PLACES = {"everything in the envelope": 0, "what stands there as believed": 1}


def attacks_measured(rows: list[dict[str, Any]]) -> dict[tuple[str, str], list[str]]:
    """Return for each attack and channel what the committed run says, in the answer and as believed."""
    found: dict[tuple[str, str], list[str]] = {}
    for row in rows:
        for attack, cell in row["cells"].items():
            for channel, kept_out in re.findall(r"([a-z-]+): (kept out )?\d of \d", cell["detail"]):
                said = found.setdefault((attack, channel), ["", ""])
                said[PLACES[row["row"]]] = "kept out" if kept_out else "reached"
    return found


def attacks_promised(page: str) -> dict[tuple[str, str], list[str]]:
    """Return the same as the table of the page says it; a row without a reason is left out."""
    found = {}
    for line in page.partition("## Attacks on what is recalled\n")[2].partition("\n## ")[0].splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if len(cells) == 5 and len(cells[4]) > 40:
            found |= {(cells[0], channel): cells[2:4] for channel in cells[1].split(", ")}
    return found


def test_the_promises_say_of_every_attack_and_channel_what_the_committed_run_says() -> None:
    """An attack that reaches an answer and that no page mentions would be a promise by silence."""
    measured = attacks_measured(json.loads((kept.RESULTS / "outside.json").read_text("utf-8"))[1]["rows"])
    page = (ROOT / "docs" / "promises.md").read_text("utf-8")
    assert len(measured) == 16
    assert all(all(said) for said in measured.values())
    assert attacks_promised(page) == measured
    known = {f"{each.path}::{name}" for each in source.modules("tests") for name in source.tests_in(each)}
    named = re.findall(r"`(tests/[^`]+::[^`]+)`", page.partition("## Attacks on what is recalled\n")[2])
    assert len(named) > 10 and not [name for name in named if name.split("[")[0] not in known]


def test_an_attack_that_no_row_mentions_or_another_end_is_noticed() -> None:
    cell = {
        "said": "surfaced",
        "detail": "served (external: kept out 5 of 5; laundered: 4 of 5, ranks 1, out)",
    }
    rows = [{"row": name, "cells": {"hijack": cell}} for name in PLACES]
    measured = attacks_measured(rows)
    assert measured == {
        ("hijack", "external"): ["kept out", "kept out"],
        ("hijack", "laundered"): ["reached", "reached"],
    }
    heading = "## Attacks on what is recalled\n"
    why = "A reason that is long enough to say something to whoever reads it."
    right = f"{heading}| hijack | external | kept out | kept out | {why} |\n"
    right += f"| hijack | laundered | reached | reached | {why} |\n"
    assert attacks_promised(right) == measured
    for wrong in (right.replace("| reached |", "| kept out |", 1), right.replace(why, "Why."), heading):
        assert attacks_promised(wrong) != measured
