"""Do the steps run in the order of their reasons, so that a request gets one reason everywhere?"""

import itertools
from dataclasses import replace

import pytest

from muniment.domain.evidence import Arrival, Role
from muniment.domain.intent import Administer, Decide, Review, Take
from muniment.domain.matter import Decision
from muniment.domain.memory import Claim
from muniment.domain.tombstone import TombstoneHit, TombstoneKind
from muniment.domain.trust import Act, Standing, Trust
from muniment.gate.judge import STEPS, judge
from muniment.gate.verdict import BadCharacter, Outcome, PhraseFound, Reason, SecretFound
from tests.gate.builders import AGENT, OWNER, act, change, connect, keyed, known, lift, remember, version

ORDER = list(Reason)
HIT = TombstoneHit("t_1", TombstoneKind.REJECTED, False)
PHRASE = PhraseFound("override", "text", 0)
SECRET = SecretFound("password", "text", 9)
BAD = BadCharacter("text", 0x202E, 0, "direction override")

# What breaks each rule for a new statement: changes to the intent, changes to what is known.
BROKEN = {
    Reason.NOT_GRANTED: ({"space": "acme"}, {}),
    Reason.BAD_SHAPE: ({"claim": Claim("x", about="she")}, {}),
    Reason.NO_SUCH_SPACE: ({}, {"space": None}),
    Reason.CHARACTERS: ({}, {"bad_character": BAD}),
    Reason.REJECTED_VALUE: ({}, {"tombstones": (HIT,)}),
    Reason.NO_MATCH: ({}, {"sources_missing": True}),
    Reason.ALREADY_KNOWN: ({}, {"same": (version(keyed()),)}),
}


@pytest.mark.parametrize(("first", "second"), list(itertools.combinations(BROKEN, 2)))
def test_a_statement_that_breaks_two_rules_gets_the_earlier_reason(first: Reason, second: Reason) -> None:
    assert ORDER.index(first) < ORDER.index(second)
    for reasons in ((first,), (second,), (first, second)):
        given = {"claim": keyed()}
        seen: dict[str, object] = {}
        for reason in reversed(reasons):
            given |= BROKEN[reason][0]
            seen |= BROKEN[reason][1]
        verdict = judge(remember(principal=AGENT, **given), known(**seen))
        assert verdict.reason is reasons[0]


# The same for a change of what is there.
BROKEN_CHANGE = {
    Reason.NOT_GRANTED: ({}, {"space": None}),
    Reason.EMPTY: ({"claim": Claim("")}, {}),
    Reason.CHARACTERS: ({}, {"bad_character": BAD}),
    Reason.REJECTED_VALUE: ({}, {"tombstones": (HIT,)}),
    Reason.STALE_VIEW: ({"expected_version": 9}, {}),
    Reason.NO_MATCH: ({}, {"sources_missing": True}),
    Reason.FORBIDDEN_MOVE: ({}, {"standing": Standing()}),
}


@pytest.mark.parametrize(("first", "second"), list(itertools.combinations(list(BROKEN_CHANGE)[1:], 2)))
def test_a_change_that_breaks_two_rules_gets_the_earlier_reason(first: Reason, second: Reason) -> None:
    assert ORDER.index(first) < ORDER.index(second)
    for reasons in ((first,), (second,), (first, second)):
        given: dict[str, object] = {}
        seen = {"target": version(), "standing": Standing(author=True, rank_not_lower=True)}
        for reason in reversed(reasons):
            given |= BROKEN_CHANGE[reason][0]
            seen |= BROKEN_CHANGE[reason][1]
        assert judge(change(principal=AGENT, **given), known(**seen)).reason is reasons[0]


def test_reasons_are_told_apart_by_code_and_each_says_what_to_do() -> None:
    codes = [reason.code for reason in Reason]
    assert len(set(codes)) == len(codes)
    assert all(reason.sentence.endswith(".") and reason.advice.endswith(".") for reason in Reason)


def test_a_request_that_no_step_stops_is_stored() -> None:
    ready = known(target=version(), standing=Standing(person=True, rank_not_lower=True))
    for intent in (
        remember(),
        remember(keyed()),
        change(),
        change("succeed"),
        act(Act.RETRACT),
        connect(),
        Take(AGENT, "home", (Arrival("s", "o", Role.USER, "u", "hello"),)),
        Administer(OWNER, "reindex"),
    ):
        assert judge(intent, ready).outcome is Outcome.STORED
    rejected = known(target=version(trust=Trust.REJECTED), standing=Standing(person=True))
    assert judge(lift(), rejected).outcome is Outcome.STORED


def test_the_gate_is_a_function_of_its_two_values() -> None:
    at = known(same=(version(),), slot=(version(keyed("Bern")),))
    for intent in (remember(), remember(keyed()), remember(" "), change()):
        assert judge(intent, at) == judge(intent, at)


def test_each_step_can_stop_something() -> None:
    """A step that passes everything would hold nothing."""
    tried = [
        (remember(principal=AGENT, space="acme"), known()),
        (remember(" "), known()),
        (remember(), known(space=None)),
        (remember(), known(bad_character=BAD)),
        (remember(principal=AGENT), known(phrases=(PHRASE,))),
        (remember(), known(secrets=(SECRET,))),
        (remember(), known(tombstones=(HIT,))),
        (change(expected_version=9), known(target=version())),
        (change(), known()),
        (Review(OWNER, "p_x", approves=False), known()),
        (Decide(OWNER, "c_x", Decision.KEEP_OLD), known()),
        (remember(), known(same=(version(),))),
        (remember(keyed()), known(slot=(version(keyed("Bern")),))),
    ]
    for step in STEPS:
        assert any(step(intent, at) is not None for intent, at in tried), step.__name__


def test_what_waits_for_a_person_gives_way_to_every_refusal_and_to_nothing_else() -> None:
    """Nobody is asked about a change that could not be made; a merge or a dispute would land it unasked."""
    staged = known(phrases=(PHRASE,))
    assert judge(remember(principal=AGENT), staged).outcome is Outcome.STAGED
    assert judge(remember(principal=AGENT), replace(staged, same=(version(),))).outcome is Outcome.STAGED
    both = replace(staged, secrets=(SECRET,))
    assert judge(remember(principal=AGENT), both).reason is Reason.SECRET
    assert judge(change(principal=AGENT), staged).reason is Reason.NO_MATCH
    theirs = replace(staged, target=version())
    assert judge(change(principal=AGENT), theirs).refused
    assert judge(remember(principal=OWNER), staged).outcome is Outcome.STORED
