"""Is every predicate inside every lane?  Each has a row that meets it and a twin that does not (I7).

All rows hold the same term, the same vector and a link to one anchor, so each lane could
propose each of them.
"""

from collections.abc import Mapping
from datetime import timedelta

import pytest

from muniment.domain.evidence import Evidence, EvidenceKind, TurnState
from muniment.domain.label import DataClass, Label
from muniment.domain.memory import Kind, Version
from muniment.domain.timeline import Interval, to_micros
from muniment.domain.trust import LIVE, Trust
from muniment.recall.eligibility import Eligibility, Sort
from tests.contract.builders import START, Scribe, asked, lanes, vector
from tests.contract.erasing import HOUR

NEAR = vector(7, 7)
NOW = START + 10 * HOUR
JUST_BEFORE = NOW - timedelta(microseconds=1)
EVERYTHING = {"any_interval": True, "show_expired": True, "trusts": tuple(Trust)}


def memories(scribe: Scribe, **twins: Mapping[str, object]) -> dict[str, Version]:
    """Write memories that every lane could propose, by name."""
    made = {}
    for name, fields in twins.items():
        with scribe.writing() as rows:
            given = {"valid": Interval(START), **fields}
            made[name] = rows.remember(f"common {name}", vector=NEAR, **given)
            rows.link(made[name].memory, ANCHOR)
    return made


ANCHOR = "m_" + "0" * 24 + "g0"


def found(
    scribe: Scribe,
    made: Mapping[str, Version | Evidence],
    eligibility: Eligibility,
    *,
    sort: Sort = Sort.MEMORY,
) -> set[str]:
    """Return the names of the rows found, after a check that every lane finds the same."""
    names = {row.n: name for name, row in made.items()}
    beside = ANCHOR if sort is Sort.MEMORY else ""
    by_lane = {
        lane: {names[n] for n in ns}
        for lane, ns in lanes(scribe.store, eligibility, sort=sort, near=NEAR, beside=beside).items()
    }
    assert len({frozenset(one) for one in by_lane.values()}) == 1, by_lane
    return by_lane["lexical"]


def at(moment: object = NOW, *spaces: int, **fields: object) -> Eligibility:
    return asked(*spaces, as_of=to_micros(moment), **fields)


def test_only_rows_of_the_named_spaces_are_candidates(scribe: Scribe) -> None:
    made = memories(scribe, one={"space": 1}, two={"space": 2}, twelve={"space": 12})
    assert found(scribe, made, at(NOW, 1)) == {"one"}
    assert found(scribe, made, at(NOW, 2)) == {"two"}
    assert found(scribe, made, at(NOW, 1, 12)) == {"one", "twelve"}
    assert found(scribe, made, at(NOW, 3)) == set()


def test_no_space_means_no_candidate(scribe: Scribe) -> None:
    made = memories(scribe, one={})
    assert found(scribe, made, Eligibility(spaces=(), as_of=to_micros(NOW))) == set()
    assert found(scribe, made, Eligibility(spaces=(1,), as_of=to_micros(NOW))) == {"one"}


def test_a_class_above_the_readers_is_no_candidate(scribe: Scribe) -> None:
    made = memories(scribe, **{one.name: {"label": Label(one)} for one in DataClass})
    assert found(scribe, made, at(class_max=DataClass.PUBLIC)) == {"PUBLIC"}
    assert found(scribe, made, at(class_max=DataClass.PRIVATE)) == {"PUBLIC", "PRIVATE"}
    assert found(scribe, made, at(class_max=DataClass.SECRET)) == {"PUBLIC", "PRIVATE", "SECRET"}


def test_an_interval_begins_inclusive_and_ends_exclusive(scribe: Scribe) -> None:
    made = memories(
        scribe,
        open={"valid": Interval(START)},
        begins_now={"valid": Interval(NOW)},
        begins_later={"valid": Interval(NOW + timedelta(microseconds=1))},
        ends_now={"valid": Interval(START, NOW)},
        ends_later={"valid": Interval(START, NOW + timedelta(microseconds=1))},
        empty={"valid": Interval(NOW, NOW)},
    )
    assert found(scribe, made, at(NOW)) == {"open", "begins_now", "ends_later"}
    assert found(scribe, made, at(JUST_BEFORE)) == {"open", "ends_now", "ends_later"}
    assert found(scribe, made, at(NOW, any_interval=True)) == set(made)


def test_an_interval_is_judged_the_same_way_in_the_past(scribe: Scribe) -> None:
    made = memories(
        scribe,
        open={"valid": Interval(START)},
        begins_later={"valid": Interval(NOW + timedelta(microseconds=1))},
        ends_now={"valid": Interval(START, NOW)},
    )
    assert found(scribe, made, at(NOW, then=True)) == {"open"}
    assert found(scribe, made, at(JUST_BEFORE, then=True)) == {"open", "ends_now"}
    assert found(scribe, made, at(NOW, then=True, any_interval=True)) == set(made)


def test_what_has_expired_is_withheld_from_its_moment_on(scribe: Scribe) -> None:
    made = memories(scribe, never={}, now={"expires_at": NOW}, later={"expires_at": NOW + HOUR})
    assert found(scribe, made, at(NOW)) == {"never", "later"}
    assert found(scribe, made, at(JUST_BEFORE)) == {"never", "now", "later"}
    assert found(scribe, made, at(NOW, show_expired=True)) == {"never", "now", "later"}
    assert found(scribe, made, at(NOW, then=True)) == {"never", "later"}


@pytest.mark.parametrize("trust", sorted(LIVE))
def test_only_the_asked_states_are_candidates(scribe: Scribe, trust: Trust) -> None:
    made = memories(scribe, **{one.value: {"trust": one} for one in sorted(LIVE)})
    assert found(scribe, made, at(trusts=(trust,))) == {trust.value}
    assert found(scribe, made, at()) == {one.value for one in LIVE}


def test_no_asked_state_means_no_memory(scribe: Scribe) -> None:
    made = memories(scribe, one={})
    assert found(scribe, made, at(trusts=())) == set()
    assert found(scribe, made, at(trusts=(Trust.BELIEVED,))) == {"one"}


def test_kinds_narrow_and_an_unknown_kind_matches_nothing(scribe: Scribe) -> None:
    made = memories(scribe, **{kind.value: {"kind": kind} for kind in Kind})
    assert found(scribe, made, at(kinds=("fact",))) == {"fact"}
    assert found(scribe, made, at(kinds=("skill", "board"))) == {"skill", "board"}
    assert found(scribe, made, at(kinds=("fact", "nothing known"))) == {"fact"}
    assert found(scribe, made, at(kinds=("nothing known",))) == set()
    assert found(scribe, made, at(kinds=("turn",))) == set()
    assert found(scribe, made, at()) == set(made)


def test_any_asked_tag_is_enough_and_a_tag_is_matched_whole(scribe: Scribe) -> None:
    made = memories(
        scribe,
        none={},
        ops={"tags": ("ops",)},
        both={"tags": ("ops", "on call")},
        longer={"tags": ("ops-team",)},
        quoted={"tags": ('a"b', "100%", "a_b")},
        accented={"tags": ("naïve",)},
    )
    assert found(scribe, made, at(tags=("ops",))) == {"ops", "both"}
    assert found(scribe, made, at(tags=("on call", "ops-team"))) == {"both", "longer"}
    assert found(scribe, made, at(tags=('a"b',))) == {"quoted"}
    assert found(scribe, made, at(tags=("naïve",))) == {"accented"}
    assert found(scribe, made, at(tags=("%", "100", "axb", "op", "OPS", "nothing known"))) == set()
    assert found(scribe, made, at()) == set(made)


def test_what_was_recorded_later_than_known_is_no_candidate(scribe: Scribe) -> None:
    made = memories(scribe, first={}, second={})
    moment = to_micros(made["second"].recorded)
    assert found(scribe, made, at(known_at=moment)) == {"first", "second"}
    assert found(scribe, made, at(known_at=moment - 1)) == {"first"}
    assert found(scribe, made, at(known_at=moment - 1, then=True)) == {"first"}
    assert found(scribe, made, at(known_at=0)) == set()


def test_a_memory_revised_after_known_at_is_no_candidate_of_the_present(scribe: Scribe) -> None:
    first = scribe.remember("common", valid=Interval(START))
    second = scribe.follow(first)
    known = to_micros(first.recorded)
    assert lanes(scribe.store, at(known_at=known))["recent"] == []
    assert lanes(scribe.store, at(known_at=known, then=True))["recent"] == [first.n]
    assert lanes(scribe.store, at())["recent"] == [second.n]


def test_each_version_is_judged_by_its_own_fields_in_the_past(scribe: Scribe) -> None:
    first = scribe.remember("common", valid=Interval(START), kind=Kind.FACT, tags=("old",))
    second = scribe.follow(first, kind=Kind.DECISION, tags=("new",))
    past = {"then": True, "known_at": to_micros(first.recorded)}
    assert lanes(scribe.store, at(**past, kinds=("fact",), tags=("old",)))["lexical"] == [first.n]
    assert lanes(scribe.store, at(**past, kinds=("decision",)))["lexical"] == []
    assert lanes(scribe.store, at(then=True, tags=("new",)))["lexical"] == [second.n]
    assert lanes(scribe.store, at(then=True, tags=("old",)))["lexical"] == []


def test_a_past_version_obeys_scope_and_class(scribe: Scribe) -> None:
    first = scribe.remember("common", valid=Interval(START), label=Label(DataClass.SECRET), space=2)
    second = scribe.follow(first)
    past = {"then": True, "known_at": to_micros(first.recorded)}
    assert lanes(scribe.store, at(NOW, 2, **past))["recent"] == [first.n]
    assert lanes(scribe.store, at(NOW, 1, **past))["recent"] == []
    assert lanes(scribe.store, at(NOW, 2, **past, class_max=DataClass.PRIVATE))["recent"] == []
    assert lanes(scribe.store, at(NOW, 2, then=True))["recent"] == [second.n]


def evidence(scribe: Scribe, **twins: Mapping[str, object]) -> dict[str, Evidence]:
    """Write evidence that every lane could propose, by name."""
    return {name: scribe.turn(f"common {name}", vector=NEAR, **fields) for name, fields in twins.items()}


def test_evidence_obeys_scope_class_and_state(scribe: Scribe) -> None:
    made = evidence(
        scribe,
        plain={},
        elsewhere={"space": 2},
        secret={"label": Label(DataClass.SECRET)},
        archived={"state": TurnState.ARCHIVED},
        rewound={"state": TurnState.REWOUND},
        untrusted={"label": Label(DataClass.PRIVATE, untrusted=True)},
    )
    sort = Sort.EVIDENCE
    assert found(scribe, made, at(), sort=sort) == {"plain", "secret", "archived", "untrusted"}
    assert found(scribe, made, at(NOW, 2), sort=sort) == {"elsewhere"}
    private = at(class_max=DataClass.PRIVATE)
    assert found(scribe, made, private, sort=sort) == {"plain", "archived", "untrusted"}
    assert found(scribe, made, Eligibility(spaces=(), as_of=to_micros(NOW)), sort=sort) == set()


@pytest.mark.parametrize("then", [False, True])
def test_evidence_obeys_both_times(scribe: Scribe, then: bool) -> None:
    made = evidence(
        scribe,
        earlier={"occurred_at": START},
        now={"occurred_at": NOW},
        later={"occurred_at": NOW + HOUR},
        undated={},
    )
    sort, known = Sort.EVIDENCE, to_micros(made["later"].recorded)
    assert found(scribe, made, at(then=then), sort=sort) == set(made)
    assert found(scribe, made, at(then=then, evidence_after=False), sort=sort) == {
        "earlier",
        "now",
        "undated",
    }
    before = at(JUST_BEFORE, then=then, evidence_after=False)
    assert found(scribe, made, before, sort=sort) == {"earlier", "undated"}
    recorded = made["undated"].recorded - timedelta(microseconds=1)
    unheard = at(recorded, then=then, evidence_after=False)
    assert found(scribe, made, unheard, sort=sort) == {"earlier"}
    assert found(scribe, made, at(then=then, known_at=known), sort=sort) == {"earlier", "now", "later"}
    assert found(scribe, made, at(then=then, known_at=known - 1), sort=sort) == {"earlier", "now"}


def test_evidence_answers_to_its_own_kind_and_never_to_a_tag(scribe: Scribe) -> None:
    made = evidence(scribe, **{kind.value: {"kind": kind} for kind in EvidenceKind})
    sort = Sort.EVIDENCE
    assert found(scribe, made, at(kinds=("turn",)), sort=sort) == {"turn"}
    assert found(scribe, made, at(kinds=("note", "chunk", "fact")), sort=sort) == {"note", "chunk"}
    assert found(scribe, made, at(kinds=("fact",)), sort=sort) == set()
    assert found(scribe, made, at(tags=("turn",)), sort=sort) == set()
    assert found(scribe, made, at(), sort=sort) == set(made)


def test_the_trust_filters_of_memories_leave_evidence_alone(scribe: Scribe) -> None:
    made = evidence(scribe, one={})
    assert found(scribe, made, at(trusts=(Trust.RETIRED,)), sort=Sort.EVIDENCE) == {"one"}
    assert found(scribe, made, at(trusts=()), sort=Sort.EVIDENCE) == {"one"}


def test_predicates_stand_before_the_limit(scribe: Scribe) -> None:
    """A filter after the limit would leave nothing of one space among fifty of another."""
    wanted = memories(scribe, wanted={"space": 2})["wanted"]
    with scribe.writing() as rows:
        for _ in range(50):
            other = rows.remember("common common", vector=NEAR, space=1, valid=Interval(START))
            rows.link(other.memory, ANCHOR)
    with scribe.store.snapshot() as snapshot:
        view = snapshot.view(at(NOW, 2), model="counting/1")
        proposed = {
            "lexical": view.lexical(("common",), Sort.MEMORY, rows_max=1),
            "nearest": view.nearest(NEAR, Sort.MEMORY, rows_max=1),
            "recent": view.recent(Sort.MEMORY, rows_max=1),
            "linked": view.linked((ANCHOR,), rows_max=1),
        }
    assert {lane: [one.n for one in rows] for lane, rows in proposed.items()} == dict.fromkeys(
        proposed, [wanted.n]
    )
