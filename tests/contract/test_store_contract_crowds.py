"""Does a crowd of better matches that may not be seen hide the one row that may?  On every store (I7).

A thousand rows of one forbidden sort hold the asked words more often, are nearer and newer
than the one that is allowed.  Where a store cut first and asked afterwards, nothing would be left.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace

import pytest

from muniment.domain.evidence import EvidenceKind, TurnState
from muniment.domain.label import DataClass, Label
from muniment.domain.memory import Kind
from muniment.domain.timeline import Interval, to_micros
from muniment.domain.trust import Trust
from muniment.ports import Store
from muniment.recall.eligibility import Eligibility, Sort
from tests.contract.builders import LATER, MODEL, START, Scribe, asked, vector
from tests.contract.erasing import HOUR

CROWD = 1_000
NEAR, FARTHER = vector(90, 10, 3), vector(90, 40, 30)
TERMS = ("heron", "weir")
WANTED = "a heron was seen by the weir and nobody else came along that day"
BETTER = "heron weir heron weir"

MEMORIES: Mapping[str, Mapping[str, object]] = {
    "another space": {"space": 2},
    "a class above the reader's": {"label": Label(DataClass.SECRET)},
    "an interval to come": {"valid": Interval(LATER + HOUR)},
    "an interval that ended": {"valid": Interval(START, START + HOUR)},
    "expired": {"expires_at": START + HOUR},
    "another trust": {"trust": Trust.CANDIDATE},
    "rejected": {"trust": Trust.REJECTED},
    "another kind": {"kind": Kind.TASK},
    "recorded later": {},
}
EVIDENCE: Mapping[str, Mapping[str, object]] = {
    "another space": {"space": 2},
    "a class above the reader's": {"label": Label(DataClass.SECRET)},
    "taken back": {"state": TurnState.REWOUND},
    "another kind": {"kind": EvidenceKind.NOTE},
    "happened later": {"occurred_at": LATER + HOUR},
    "recorded later": {},
}


def narrow(sort: Sort, known_at: int) -> Eligibility:
    """Return what the reader may see: everything that the crowds are not."""
    kinds = (Kind.FACT.value,) if sort is Sort.MEMORY else (EvidenceKind.TURN.value,)
    return asked(
        1,
        class_max=DataClass.PRIVATE,
        trusts=(Trust.BELIEVED,),
        known_at=known_at,
        kinds=kinds,
        evidence_after=False,
    )


def counted(store: Store, eligibility: Eligibility, terms: tuple[str, ...]) -> Eligibility:
    """Return the eligibility with what is counted of the asked spaces, as a question brings it along."""
    with store.snapshot() as snapshot:
        found = {sort: snapshot.statistics(eligibility.spaces, sort, terms) for sort in Sort}
    return replace(
        eligibility,
        live_rows=tuple((sort, one.items) for sort, one in found.items()),
        live_matches={sort: one.rows_with for sort, one in found.items()},
    )


def planted(scribe: Scribe, sort: Sort, fields: Mapping[str, object]) -> tuple[int, int]:
    """Write the one row that may be seen, then the crowd; return its number and when it was the newest."""
    write = Scribe.remember if sort is Sort.MEMORY else Scribe.turn
    wanted = write(scribe, WANTED, vector=FARTHER)
    with scribe.writing() as rows:
        one_more: Callable[..., object] = rows.remember if sort is Sort.MEMORY else rows.turn
        for number in range(CROWD):
            one_more(f"{BETTER} {number}", vector=NEAR, **fields)
    return wanted.n, to_micros(wanted.recorded)


def proposed(store: Store, eligibility: Eligibility, sort: Sort) -> dict[str, list[int]]:
    """Return what each lane proposes when it is asked for few rows."""
    with store.snapshot() as snapshot:
        view = snapshot.view(counted(store, eligibility, TERMS), model=MODEL)
        found = {
            "lexical": view.lexical(TERMS, sort, rows_max=8),
            "nearest": view.nearest(NEAR, sort, rows_max=8),
            "recent": view.recent(sort, rows_max=8),
        }
    return {lane: [one.n for one in rows] for lane, rows in found.items()}


CASES = [(Sort.MEMORY, name) for name in MEMORIES] + [(Sort.EVIDENCE, name) for name in EVIDENCE]


@pytest.mark.parametrize(
    ("sort", "name"), CASES, ids=[f"{sort.name.lower()}: {name}" for sort, name in CASES]
)
def test_a_thousand_better_matches_that_may_not_be_seen_hide_none_that_may(
    scribe: Scribe, sort: Sort, name: str
) -> None:
    fields = (MEMORIES if sort is Sort.MEMORY else EVIDENCE)[name]
    wanted, moment = planted(scribe, sort, fields)
    until = moment if name == "recorded later" else to_micros(LATER)
    found = proposed(scribe.store, narrow(sort, until), sort)
    assert found == {"lexical": [wanted], "nearest": [wanted], "recent": [wanted]}


@pytest.mark.parametrize("sort", list(Sort))
def test_the_crowd_is_really_the_better_match(scribe: Scribe, sort: Sort) -> None:
    wanted, _ = planted(scribe, sort, {})
    found = proposed(scribe.store, narrow(sort, to_micros(LATER)), sort)
    assert {lane: len(rows) for lane, rows in found.items()} == {"lexical": 8, "nearest": 8, "recent": 8}
    assert all(wanted not in rows for rows in found.values())


def test_of_a_past_moment_a_crowd_of_what_is_rejected_today_hides_nothing(scribe: Scribe) -> None:
    wanted = scribe.remember(WANTED, vector=FARTHER)
    with scribe.writing() as rows:
        crowd = [rows.remember(f"{BETTER} {number}", vector=NEAR) for number in range(CROWD)]
    moment = to_micros(crowd[-1].recorded)
    eligible = asked(1, then=True, known_at=moment)
    with scribe.store.snapshot() as snapshot:
        before = snapshot.view(eligible, model=MODEL).lexical(TERMS, Sort.MEMORY, rows_max=8)
    assert wanted.n not in {one.n for one in before}
    with scribe.writing() as rows:
        for old in crowd:
            rows.follow(old, trust=Trust.REJECTED)
    with scribe.store.snapshot() as snapshot:
        view = snapshot.view(eligible, model=MODEL)
        assert [one.n for one in view.lexical(TERMS, Sort.MEMORY, rows_max=8)] == [wanted.n]


@pytest.mark.parametrize("sort", list(Sort))
@pytest.mark.parametrize("allowed", [False, True])
def test_rare_words_in_what_may_not_be_seen_do_not_keep_a_common_one_from_being_looked_for(
    scribe: Scribe, sort: Sort, allowed: bool
) -> None:
    """A lane may look for the rarest words alone only while they fill it with rows that may be seen."""
    write = Scribe.remember if sort is Sort.MEMORY else Scribe.turn
    wanted = write(scribe, "common ground", vector=FARTHER).n
    label = Label(DataClass.PRIVATE if allowed else DataClass.SECRET)
    with scribe.writing() as rows:
        one_more: Callable[..., object] = rows.remember if sort is Sort.MEMORY else rows.turn
        for number in range(200):
            one_more(f"heron common {number}", label=label)
            one_more(f"weir common {number}", label=label)
    terms = ("heron", "weir", "common")
    eligible = counted(scribe.store, narrow(sort, to_micros(LATER)), terms)
    with scribe.store.snapshot() as snapshot:
        found = snapshot.view(eligible, model=MODEL).lexical(terms, sort, rows_max=8)
    if allowed:
        assert len(found) == 8
    else:
        assert [one.n for one in found] == [wanted]
