"""Is what may be a candidate decided by scope, trust, time and class, and said in the answer?"""

from datetime import timedelta

import pytest

from muniment.domain.trust import Trust
from muniment.errors import BadInput
from muniment.recall.eligibility import Eligibility, Shelf
from muniment.service.vault import Vault
from tests.builders import FakeClock, stored, texts

ASK = "the blue lamp"
ABSENT = ["retired", "refuted", "disputed", "superseded"]


def test_only_a_question_about_then_looks_at_the_past_shelf() -> None:
    assert Eligibility((1,), 0).shelves == (Shelf.LIVE,)
    assert Eligibility((1,), 0, then=True).shelves == (Shelf.LIVE, Shelf.PAST)
    assert Eligibility((1,), 0, then=True, withheld_only=True).shelves == (Shelf.PAST,)


def _in_state(vault: Vault, state: str, clock: FakeClock) -> str:
    kind = "hypothesis" if state == "refuted" else "fact"
    id = stored(vault.remember("The blue lamp is lit", kind=kind)).id
    clock.advance(minutes=1)
    if state == "superseded":
        stored(vault.succeed(id, "The green lamp is lit"))
    else:
        act = {"retired": "retire", "refuted": "refute", "disputed": "dispute"}[state]
        stored(vault.judge(id, act))
    return id


@pytest.mark.parametrize("state", ABSENT)
def test_what_is_withheld_is_counted_and_shown_when_it_is_asked_for(
    vault: Vault, clock: FakeClock, state: str
) -> None:
    stored(vault.remember("The blue lamp was made in Graz"))
    id = _in_state(vault, state, clock)
    answer = vault.recall("is the blue lamp lit")
    assert id not in [hit.id for hit in answer.hits]
    assert dict(answer.withheld)[state] == 1
    shown = vault.recall("is the blue lamp lit", include=[state])
    assert [hit.trust for hit in shown.hits if hit.id == id] == [state]
    other = "disputed" if state != "disputed" else "retired"
    assert id not in [hit.id for hit in vault.recall("is the blue lamp lit", include=[other]).hits]


def test_a_filter_by_kind_tag_or_source_narrows_and_never_widens(vault: Vault) -> None:
    stored(vault.remember("The blue lamp is a gift", kind="preference", tags=["home"]))
    stored(vault.remember("The blue lamp is old", kind="fact", tags=["home", "old"]))
    vault.session("s-1").append("user", "I like the blue lamp.")
    assert len(texts(vault, ASK)) == 3
    assert texts(vault, ASK, kinds=["preference"]) == ["The blue lamp is a gift"]
    assert texts(vault, ASK, tags=["old"]) == ["The blue lamp is old"]
    assert texts(vault, ASK, sources=["turn"]) == ["I like the blue lamp."]
    assert texts(vault, ASK, tags=["nowhere"]) == []
    assert texts(vault, ASK, kinds=["task"]) == []


@pytest.mark.parametrize(
    "fields",
    [
        {"kinds": ["rumour"]},
        {"tags": [5, None]},
        {"sources": ["web"]},
        {"include": ["everything"]},
        {"k": -1},
        {"k": 201},
        {"k": "5"},
        {"budget_tokens": -1},
        {"space": "*"},
    ],
)
def test_a_filter_that_names_nothing_known_is_refused_and_never_dropped(
    vault: Vault, fields: dict[str, object]
) -> None:
    stored(vault.remember("The blue lamp is a gift"))
    with pytest.raises(BadInput):
        vault.recall(ASK, **fields)
    assert texts(vault, ASK) == ["The blue lamp is a gift"]


def test_an_interval_is_from_inclusive_until_exclusive(vault: Vault) -> None:
    stored(vault.remember("The blue lamp is lit", valid_from="2026-01-01", valid_until="2026-01-03"))
    found = {day: texts(vault, ASK, as_of=day) for day in ("2025-12-31", "2026-01-01", "2026-01-03")}
    assert found == {"2025-12-31": [], "2026-01-01": ["The blue lamp is lit"], "2026-01-03": []}
    assert texts(vault, ASK, as_of="2026-01-02T23:59:59.999999Z") == ["The blue lamp is lit"]


def test_what_was_not_known_then_is_not_shown_then(vault: Vault, clock: FakeClock) -> None:
    stored(vault.remember("The blue lamp is lit", valid_from="2026-01-01"))
    known = clock.now()
    clock.advance(days=2)
    stored(vault.remember("The blue lamp was bought", valid_from="2026-01-01"))
    assert texts(vault, ASK, known_at=known) == ["The blue lamp is lit"]
    assert len(texts(vault, ASK, as_of="2026-01-02")) == 2
    assert texts(vault, ASK, known_at=known - timedelta(microseconds=1)) == []


def test_what_is_said_after_the_asked_moment_is_not_evidence_for_it(vault: Vault, clock: FakeClock) -> None:
    session = vault.session("s-1")
    session.append("user", "The blue lamp glows.", at=clock.now())
    then = clock.now()
    clock.advance(days=5)
    session.append("user", "The blue lamp is broken.", at=clock.now())
    assert texts(vault, ASK, as_of=then) == ["The blue lamp glows."]
    assert len(texts(vault, ASK)) == 2


def test_an_answer_says_why_it_holds_nothing(vault: Vault) -> None:
    empty = vault.recall("   ")
    assert (empty.outcome, empty.reason) == ("nothing", "The question holds nothing to look for.")
    nothing = vault.recall("zeppelins")
    assert (nothing.outcome, nothing.reason) == ("nothing", "Nothing covers this.")
    stored(vault.remember("The blue lamp is lit"))
    found = vault.recall(ASK)
    assert (found.outcome, found.reason, found.total) == ("found", "Found.", 1)
    over = vault.recall(ASK, budget_tokens=1)
    assert (over.hits, dict(over.withheld)) == ((), {"over budget": 1})
    elsewhere = vault.recall(ASK, space="nowhere")
    assert "There is no such space for you." in elsewhere.notes
    assert Trust.BELIEVED in [hit.trust for hit in found.hits]


def test_a_question_over_its_bound_is_cut_and_says_so(vault: Vault) -> None:
    stored(vault.remember("The blue lamp is lit"))
    answer = vault.recall("the blue lamp " + "and so on " * 400)
    assert any("first 2000 characters" in note for note in answer.notes)
    assert len(answer.question) == 2000
