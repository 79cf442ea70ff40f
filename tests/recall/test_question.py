"""Is a question only a question, and does its answer say what it holds, what it left out and why? (I11)"""

from collections.abc import Callable, Iterator
from dataclasses import FrozenInstanceError, fields, replace
from datetime import timedelta
from pathlib import Path

import pytest

from muniment import limits
from muniment.domain.evidence import Role
from muniment.domain.label import DataClass, Label
from muniment.domain.memory import Kind
from muniment.domain.principal import local_owner
from muniment.domain.trust import Rank, Trust
from muniment.errors import BadInput, BadTime
from muniment.recall.question import Answer, AnswerOutcome, Hit, Question
from muniment.service.vault import Vault
from tests.builders import START, CountingIds, FakeClock, reference_vault, stored
from tests.recall.builders import NOW, hit


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def vault(tmp_path: Path, clock: FakeClock) -> Iterator[Vault]:
    made = reference_vault(tmp_path, clock=clock, ids=CountingIds())
    yield made
    made.close()


def texts(answer: Answer) -> set[str]:
    return {one.text for one in answer.hits}


def test_a_question_asks_for_little_unless_it_says_more() -> None:
    plain = Question("when?", local_owner())
    assert (plain.k, plain.budget_tokens, plain.as_of, plain.known_at) == (5, None, None, None)
    assert (plain.include, plain.space, plain.kinds, plain.tags, plain.sources) == ((), "", (), (), ())


@pytest.mark.parametrize("kind", [Question, Hit, Answer], ids=lambda kind: kind.__name__)
def test_what_is_asked_and_answered_cannot_be_changed(kind: type) -> None:
    made = {
        Question: Question("when?", local_owner()),
        Hit: hit("x"),
        Answer: Answer("q", (), Label(), AnswerOutcome.NOTHING, "Nothing covers this."),
    }[kind]
    for each in fields(made):
        with pytest.raises(FrozenInstanceError):
            setattr(made, each.name, None)


def test_an_answer_shows_its_envelope_only_when_it_is_rendered() -> None:
    made = Answer("q", (), Label(), AnswerOutcome.NOTHING, "r", envelope=lambda: "<<mem the quay>>")
    assert made.render() == "<<mem the quay>>"
    assert "the quay" not in repr(made)
    assert Answer("q", (), Label(), AnswerOutcome.NOTHING, "r").render() == ""


def test_a_hit_that_says_nothing_of_itself_is_worth_nothing() -> None:
    bare = Hit("m", 1, "x", "turn", "memory", Label(), NOW, 0.0, "home")
    assert (bare.trust, bare.rank, bare.role) == (None, Rank.UNTRUSTED, Role.NONE)
    assert (bare.valid, bare.occurred_at, bare.evidence, bare.expired) == (None, None, (), False)


@pytest.mark.parametrize("k", [1, 2, 3, 4])
def test_k_bounds_the_hits_and_the_total_is_told(vault: Vault, k: int) -> None:
    for number in range(3):
        stored(vault.remember(f"The quay is wet, report {number}"))
    answer = vault.recall("quay wet", k=k)
    assert len(answer.hits) == min(k, 3)
    assert answer.total == 3


def test_where_no_hits_were_asked_for_nothing_is_said_to_be_uncovered(vault: Vault) -> None:
    stored(vault.remember("The quay is wet"))
    answer = vault.recall("quay", k=0)
    assert (answer.hits, answer.reason) == ((), "No hits were asked for.")
    assert "Nothing covers this." not in answer.render()


def test_what_was_found_and_did_not_fit_is_not_said_to_be_uncovered(vault: Vault) -> None:
    stored(vault.remember("The quay is wet"))
    answer = vault.recall("quay", budget_tokens=1)
    assert (answer.hits, answer.total) == ((), 1)
    assert answer.reason == "Nothing of what was found fits the token budget."
    assert answer.reason in answer.render()
    assert vault.recall("heron", budget_tokens=1).reason == "Nothing covers this."


@pytest.mark.parametrize("over", [-1, 0, 1])
def test_a_question_of_too_many_terms_says_that_some_were_left_out(vault: Vault, over: int) -> None:
    stored(vault.remember("The quay is wet"))
    terms = [f"{first}{second}zz" for first in "bcdfghjkl" for second in "bcdfghjkl"]
    question = " ".join(terms[: limits.question_terms_max + over])
    asked = len(vault.ground.outside.analyser.question(question))
    assert (asked > limits.question_terms_max) is (over > 0)
    notes = vault.recall(question).notes
    assert notes == (("Only the 64 rarest terms of the question were looked up.",) if over > 0 else ())


@pytest.mark.parametrize(
    ("budget", "kept"), [(None, 2), (1_000, 2), (16, 2), (15, 1), (8, 1), (7, 0), (0, 0)]
)
def test_a_budget_counts_four_characters_a_token_and_keeps_whole_items(
    vault: Vault, budget: int | None, kept: int
) -> None:
    for word in ("dry", "wet"):
        stored(vault.remember(f"The old stone quay is now so {word}"))
    (text, _) = texts(vault.recall("quay", k=5))
    assert len(text) == 32
    answer = vault.recall("quay", budget_tokens=budget)
    assert len(answer.hits) == kept
    assert dict(answer.withheld).get("over budget", 0) == 2 - kept


SAID = {
    "candidate": lambda vault, text: vault.remember(text, kind="hypothesis"),
    "believed": lambda vault, text: vault.remember(text),
    "disputed": lambda vault, text: vault.judge(vault.remember(text).id, "dispute"),
    "refuted": lambda vault, text: vault.judge(vault.remember(text, kind="hypothesis").id, "refute"),
    "retired": lambda vault, text: vault.retire(vault.remember(text).id),
    "rejected": lambda vault, text: vault.reject(vault.remember(text).id),
    "superseded": lambda vault, text: vault.succeed(vault.remember(text).id, "Another thing altogether"),
}


def test_there_is_a_way_into_every_state() -> None:
    assert set(SAID) == set(Trust)


@pytest.mark.parametrize("state", sorted(SAID))
def test_a_state_is_recalled_unasked_or_when_it_is_named(vault: Vault, state: str) -> None:
    say: Callable[[Vault, str], object] = SAID[state]
    stored(say(vault, "The quay is wet"))
    live = state in ("candidate", "believed")
    assert texts(vault.recall("quay")) == ({"The quay is wet"} if live else set())
    (shown,) = [one for one in vault.recall("quay", include=[state]).hits if one.text == "The quay is wet"]
    assert shown.trust is Trust(state)


@pytest.mark.parametrize("state", ["disputed", "refuted", "retired", "superseded"])
def test_what_is_withheld_is_counted_and_named(vault: Vault, state: str) -> None:
    stored(SAID[state](vault, "The quay is wet"))
    answer = vault.recall("quay")
    assert dict(answer.withheld) == {state: 1}
    assert answer.outcome is AnswerOutcome.NOTHING


@pytest.mark.parametrize("filter", [{"kinds": ["task"]}, {"tags": ["ops"]}, {"sources": ["turn"]}])
def test_a_filter_narrows_and_never_widens(vault: Vault, filter: dict[str, list[str]]) -> None:
    stored(vault.remember("The quay is wet"))
    stored(vault.remember("Dry the quay", kind="task"))
    stored(vault.remember("The quay is long", tags=["ops", "length"]))
    vault.session("talk").append("user", "Somebody spoke of the quay")
    everything, narrowed = texts(vault.recall("quay", k=9)), texts(vault.recall("quay", k=9, **filter))
    assert len(everything) == 4
    assert len(narrowed) == 1
    assert narrowed < everything


@pytest.mark.parametrize(
    "given",
    [
        {"k": -1},
        {"k": limits.hits_max + 1},
        {"k": "5"},
        {"budget_tokens": -1},
        {"budget_tokens": "many"},
        {"include": ["lost"]},
        {"kinds": ["song"]},
        {"sources": ["dream"]},
        {"tags": [5]},
        {"space": "a//b"},
        {"as_of": "soon"},
        {"known_at": "09:30"},
    ],
)
def test_a_question_that_means_nothing_is_refused_and_nothing_is_asked(
    vault: Vault, given: dict[str, object]
) -> None:
    with pytest.raises((BadInput, BadTime)):
        vault.recall("quay", **given)
    vault.settle()
    assert [row.act for row in vault.log(limit=100)] == []


@pytest.mark.parametrize("text", ["", " ", "?", '"', "a OR b NOT c*", "%_", "\x00", "\ud800", "🐟" * 50])
def test_any_text_is_only_a_question(vault: Vault, text: str) -> None:
    stored(vault.remember("The quay is wet"))
    answer = vault.recall(text)
    assert answer.outcome in set(AnswerOutcome)
    assert "The quay is wet" not in texts(answer)


def test_a_question_that_is_not_text_is_refused(vault: Vault) -> None:
    for text in (5, b"quay", ["quay"]):
        with pytest.raises(BadInput):
            vault.recall(text)


@pytest.mark.parametrize("past", ["as_of", "known_at"])
def test_a_moment_is_one_of_the_world_or_one_of_our_knowledge(
    vault: Vault, clock: FakeClock, past: str
) -> None:
    first = stored(vault.remember("The quay is wet", valid_from=START - timedelta(days=9)))
    clock.advance(days=2)
    stored(vault.revise(first.id, "The quay is dry"))
    found = texts(vault.recall("quay", **{past: START + timedelta(days=1)}))
    assert found == ({"The quay is dry"} if past == "as_of" else {"The quay is wet"})


def test_an_answer_is_at_least_as_strict_as_all_it_holds(vault: Vault) -> None:
    stored(vault.remember("The quay is wet", data_class="public"))
    assert vault.recall("quay").label.data_class is not DataClass.SECRET
    stored(vault.remember("The safe lies below the quay", data_class="secret"))
    answer = vault.recall("quay")
    assert answer.label.data_class is DataClass.SECRET
    assert all(one.label.data_class <= answer.label.data_class for one in answer.hits)


def test_every_hit_lies_between_no_strength_and_all_of_it(vault: Vault) -> None:
    for text in ("The quay is wet", "The quay", "quay quay quay", "A long talk of the harbour and its quay"):
        stored(vault.remember(text))
    found = vault.recall("quay", k=9).hits
    assert len(found) == 4
    assert all(0.0 <= one.strength <= 1.0 for one in found)
    assert [one.strength for one in found] == sorted((one.strength for one in found), reverse=True)


def test_the_same_question_has_the_same_answer(vault: Vault) -> None:
    for number in range(4):
        stored(vault.remember(f"The quay is wet, report {number}", kind=Kind.EPISODE.value))
    one, other = vault.recall("quay"), vault.recall("quay")
    assert [found.id for found in one.hits] == [found.id for found in other.hits]
    assert replace(one, hits=()) == replace(other, hits=())


def test_nothing_is_an_answer_with_a_reason(vault: Vault) -> None:
    answer = vault.recall("quay")
    assert (answer.outcome, answer.hits, answer.total) == (AnswerOutcome.NOTHING, (), 0)
    assert answer.reason == "Nothing covers this."
    stored(vault.remember("The quay is wet"))
    assert vault.recall("quay").outcome is AnswerOutcome.FOUND
