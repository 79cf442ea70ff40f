"""What does a person read about a hit, about the words it rests on, and about a change?"""

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from muniment.domain.evidence import Span
from muniment.domain.label import DataClass, Label
from muniment.domain.timeline import Interval
from muniment.domain.trust import Rank, Trust
from muniment.recall.question import Hit
from muniment.service.receipt import Receipt
from muniment.surfaces.cli import reading, writing
from muniment.surfaces.cli.call import Call
from tests.surfaces.cli.conftest import Home, Run

AT = datetime(2026, 3, 1, 9, 30, 15, 250_000, tzinfo=UTC)
ID = "m_" + "0" * 26
HIT = Hit(
    id=ID,
    version=1,
    text="The quay is dry",
    source="memory",
    tag="memory",
    label=Label(),
    recorded=AT,
    strength=0.5,
    space="home",
)


@pytest.mark.parametrize(
    ("change", "line"),
    [
        ({}, "memory, 2026-03-01T09:30:15Z, fair 0.50"),
        ({"speaker": "Ada", "source": "turn"}, "turn of Ada, 2026-03-01T09:30:15Z, fair 0.50"),
        ({"occurred_at": AT - timedelta(days=1)}, "memory, 2026-02-28T09:30:15Z, fair 0.50"),
        ({"valid": Interval(AT)}, "memory, since 2026-03-01T09:30:15Z, fair 0.50"),
        (
            {"valid": Interval(AT, AT + timedelta(days=1))},
            "memory, 2026-03-01T09:30:15Z until 2026-03-02T09:30:15Z, fair 0.50",
        ),
        (
            {"trust": Trust.DISPUTED, "rank": Rank.IMPORT},
            "memory, 2026-03-01T09:30:15Z, disputed, rank import, fair 0.50",
        ),
        ({"label": Label(untrusted=True)}, "memory, 2026-03-01T09:30:15Z, untrusted, fair 0.50"),
        ({"label": Label(DataClass.SECRET)}, "memory, 2026-03-01T09:30:15Z, secret, fair 0.50"),
        ({"expired": True}, "memory, 2026-03-01T09:30:15Z, expired, fair 0.50"),
        ({"strength": 1.0}, "memory, 2026-03-01T09:30:15Z, strong 1.00"),
        ({"strength": 0.0}, "memory, 2026-03-01T09:30:15Z, weak 0.00"),
    ],
)
def test_a_hit_says_who_when_how_far_and_how_surely(change: dict[str, object], line: str) -> None:
    assert reading.hit_lines(replace(HIT, **change)) == [line, ID]


@pytest.mark.parametrize(
    ("count", "line"),
    [(1, "evidence e0"), (5, "evidence e0 e1 e2 e3 e4"), (7, "evidence e0 e1 e2 e3 e4 and 2 more")],
)
def test_a_hit_names_some_evidence_and_counts_the_rest(count: int, line: str) -> None:
    found = replace(HIT, evidence=tuple(f"e{number}" for number in range(count)))
    assert reading.hit_lines(found)[-1] == line


def test_a_hit_that_is_its_own_evidence_does_not_name_itself() -> None:
    assert reading.hit_lines(replace(HIT, evidence=(ID,)))[-1] == ID


@pytest.mark.parametrize(
    ("text", "span", "shown"),
    [
        ("short", None, "short"),
        ("", None, ""),
        ("all of it", Span(4, 6), "all >>of<< it"),
        ("all of it", Span(0, 9), ">>all of it<<"),
        ("東京は雨", Span(0, 2), ">>東京<<は雨"),
        ("b" * 240 + "x", Span(240, 241), "b" * 240 + ">>x<<"),
        ("c" * 241 + "x", Span(241, 242), "[cut] " + "c" * 240 + ">>x<<"),
        ("x" + "d" * 241, Span(0, 1), ">>x<<" + "d" * 240 + " [cut]"),
    ],
    ids=lambda value: str(value)[:12],
)
def test_the_words_that_count_are_marked_and_a_cut_is_said(text: str, span: Span | None, shown: str) -> None:
    assert reading.marked(text, span) == shown


@pytest.mark.parametrize(
    ("moment", "text"),
    [(None, ""), (AT, "2026-03-01T09:30:15Z"), (datetime(2026, 3, 1, tzinfo=UTC), "2026-03-01")],
)
def test_a_person_reads_a_moment_to_the_second(moment: datetime | None, text: str) -> None:
    assert reading.day(moment) == text


STORED = Receipt("stored", "clean", "It was stored.", "Go on.", ID, 1, 7)


@pytest.mark.parametrize(
    ("receipt", "lines"),
    [
        (STORED, [f"stored  {ID}  version 1, record 7", "  clean: It was stored."]),
        (
            replace(STORED, verdict="merged"),
            [f"merged  {ID}  version 1, record 7", "  clean: It was stored.", "  Go on."],
        ),
        (
            replace(STORED, conflict="superseded", also=("m_a", "m_b")),
            [
                f"stored  {ID}  version 1, record 7",
                *("  clean: It was stored.", "  Go on.", "  also changed m_a", "  also changed m_b"),
            ],
        ),
    ],
)
def test_a_receipt_says_what_became_of_it_and_what_else_it_touched(
    capsys: pytest.CaptureFixture[str], receipt: Receipt, lines: list[str]
) -> None:
    assert writing.answered(Call(), receipt) == 0
    written = capsys.readouterr()
    assert (written.out.splitlines(), written.err) == (lines, "")


def test_a_refused_receipt_goes_where_errors_go(capsys: pytest.CaptureFixture[str]) -> None:
    refused = replace(STORED, verdict="refused", reason="too-long", detail="text: 5", rests_on="t_1")
    assert writing.answered(Call(), refused) == 1
    written = capsys.readouterr()
    assert written.out == ""
    first, second, third = written.err.splitlines()
    assert first == "too-long: It was stored. text: 5."
    assert second.endswith(" Go on.")
    assert third.strip() == "It rests on t_1."


def test_a_script_gets_a_refusal_as_the_receipt_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    assert writing.answered(Call(json=True), replace(STORED, verdict="refused")) == 1
    written = capsys.readouterr()
    assert json.loads(written.out)["verdict"] == "refused"
    assert written.err == ""


def test_a_list_without_a_row_says_so(quick: Run, place: Home) -> None:
    assert quick(*place.owner, "sessions").out == "No conversation is here yet.\n"
    assert quick(*place.owner, "certificates", "list").out == "Nothing was erased yet.\n"
    assert quick(*place.owner, "--json", "sessions").document == {"sessions": []}


def test_what_may_be_chosen_belongs_to_the_sentence(quick: Run, place: Home) -> None:
    done = quick(*place.owner, "memory", "add")
    assert done.code == 2 and "Choose from: soul, memory, user.\n" in done.errors


@pytest.mark.parametrize("group", ["memory", "prompt", "keys", "certificates", "cases", "pending"])
def test_no_line_of_a_commands_list_is_cut_in_mid_sentence(quick: Run, group: str) -> None:
    listed = quick(group, "--help", env={"COLUMNS": "80"}).out.split("Commands:")[1]
    assert listed.strip() and "..." not in listed
