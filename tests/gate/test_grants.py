"""Does the first step hold who may do what, where, before anything else is looked at?"""

from dataclasses import replace

import pytest

from muniment.domain.evidence import Arrival, Role
from muniment.domain.intent import Administer, Take
from muniment.domain.label import Label
from muniment.domain.principal import ActorRole, Principal
from muniment.domain.trust import Act
from muniment.gate.grants import DEEDS_OF, PERSONS_ACTS, refuse_without_grant
from muniment.gate.verdict import Reason
from tests.gate.builders import AGENT, HOME, OWNER, act, change, connect, known, lift, remember, version

ELSEWHERE = replace(HOME, n=2, path="acme")
AUDITOR = Principal("local", "aud", ActorRole.AUDITOR)
TAINTED = Label(untrusted=True)


def _reason(intent: object, **fields: object) -> Reason | None:
    verdict = refuse_without_grant(intent, known(**fields))
    return None if verdict is None else verdict.reason


@pytest.mark.parametrize("principal", [OWNER, AGENT])
def test_a_write_to_ones_own_space_passes(principal: Principal) -> None:
    assert _reason(remember(principal=principal)) is None
    assert _reason(change(principal=principal), target=version()) is None


def test_an_agent_does_not_write_elsewhere_and_an_owner_does() -> None:
    assert _reason(remember(principal=AGENT, space="acme")) is Reason.NOT_GRANTED
    assert _reason(remember(principal=OWNER, space="acme")) is None
    granted = replace(AGENT, write_spaces=("acme",))
    assert _reason(remember(principal=granted, space="acme")) is None
    assert _reason(remember(principal=granted, space="acme/eng")) is Reason.NOT_GRANTED


@pytest.mark.parametrize("make", [change, connect, lambda **given: act(Act.RETRACT, **given)])
def test_a_change_is_judged_by_the_space_of_its_target(make: object) -> None:
    intent = make(principal=AGENT)
    assert _reason(intent, target=version(), space=ELSEWHERE) is Reason.NOT_GRANTED
    assert _reason(intent, target=version(), space=HOME) is None
    assert _reason(intent, target=None, space=None) is None, "what is not there is for a later step"


def test_lifting_needs_a_person_who_may_write_there() -> None:
    member = Principal("local", "ria", ActorRole.MEMBER, home="acme/eng")
    assert _reason(lift(principal=member), target=version(), space=ELSEWHERE) is Reason.NOT_GRANTED
    assert _reason(lift(principal=AGENT), target=version()) is Reason.PERSON_ONLY
    assert _reason(lift(principal=OWNER), target=version(), space=ELSEWHERE) is None


def test_the_acts_that_only_a_person_may_do_are_those_of_the_table() -> None:
    assert {Act.REJECT, Act.LIFT} == PERSONS_ACTS
    assert _reason(act(Act.REJECT, principal=AGENT), target=version()) is Reason.PERSON_ONLY
    assert _reason(act(Act.REJECT, principal=OWNER), target=version()) is None
    assert _reason(act(Act.RETRACT, principal=AGENT), target=version()) is None


@pytest.mark.parametrize(
    "intent",
    [
        remember(principal=AUDITOR),
        change(principal=AUDITOR),
        connect(principal=AUDITOR),
        act(Act.SUPPORT, principal=AUDITOR),
        Take(AUDITOR, "home", (Arrival("s", "o", Role.USER, "u", "hello"),)),
    ],
)
def test_an_auditor_writes_nothing(intent: object) -> None:
    assert _reason(intent, target=version()) is Reason.NOT_GRANTED


@pytest.mark.parametrize("make", [change, connect, lambda **given: act(Act.SUPPORT, **given)])
def test_a_session_that_read_untrusted_content_changes_nothing(make: object) -> None:
    assert _reason(make(principal=AGENT, read=TAINTED), target=version()) is Reason.UNTRUSTED_SESSION
    assert _reason(make(principal=AGENT, read=Label()), target=version()) is None
    assert _reason(make(principal=OWNER, read=TAINTED), target=version()) is None


def test_an_untrusted_session_may_still_state_something_new() -> None:
    assert _reason(remember(principal=AGENT, label=TAINTED)) is None


@pytest.mark.parametrize("deed", sorted(DEEDS_OF))
@pytest.mark.parametrize("role", list(ActorRole))
def test_a_deed_is_done_by_its_roles_alone(deed: str, role: ActorRole) -> None:
    intent = Administer(Principal("local", "x", role), deed)
    expected = None if role in DEEDS_OF[deed] else Reason.PERSON_ONLY
    assert _reason(intent) is expected


def test_no_deed_of_administration_is_an_agents_but_to_ask_for_an_erasure() -> None:
    assert [deed for deed, roles in DEEDS_OF.items() if ActorRole.AGENT in roles] == ["ask_erasure"]
    assert _reason(Administer(OWNER, "crown_me")) is Reason.PERSON_ONLY
