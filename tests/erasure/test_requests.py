"""Does an erasure that an agent asks for wait for a person, and go as it was shown to the person?"""

from collections.abc import Callable

import pytest

from muniment.domain.erasure import Asked, Means
from muniment.domain.erasure_request import asks_for, read, spelled
from muniment.domain.label import Label
from muniment.domain.matter import Matter, MatterKind
from muniment.domain.proposal import digest_of
from muniment.errors import BadInput, NotFound, Refusal, StalePlan
from muniment.service.vault import Vault
from tests.builders import World, acts, stored
from tests.erasure.planting import CODE, TWIN


@pytest.fixture
def agent(vault: Vault) -> Vault:
    return vault.acting_as(actor="coder")


def bodies(vault: Vault) -> list[str]:
    """Return what is kept of every request."""
    with vault.ground.store.snapshot() as snapshot:
        ids = [one.id for one in vault.erasure_requests(state="all")]
        return [row.body for row in snapshot.matters(ids)]


def said(vault: Vault) -> str:
    return str(vault.memories(states=["believed", "retired"])) + str(bodies(vault)) + str(vault.recalls())


def test_asking_takes_nothing_away_and_a_person_sees_what_would_go(vault: Vault, agent: Vault) -> None:
    id = stored(vault.remember(f"The code is {CODE}")).id
    request, seen = agent.ask_erasure(text=CODE)
    assert request.startswith("q_") and seen.counts["version"] == 1
    assert vault.read(id).text.endswith(CODE)
    (waiting,) = vault.erasure_requests()
    assert (waiting.id, waiting.state, waiting.asker) == (request, "open", "coder")
    assert (waiting.asked.means, waiting.asked.value, waiting.untrusted) == (Means.TEXT, CODE, False)
    plan = vault.requested_erasure(request)
    assert id in plan.memories and plan.request == request
    assert acts(vault)[-1] == "ask-erasure"
    assert vault.verify().ok


def test_a_request_that_is_carried_out_goes_with_what_it_names(world: World) -> None:
    vault = world.vault
    stored(vault.remember(f"The code is {CODE}"))
    kept = stored(vault.remember(f"The spare is {TWIN}")).id
    request, _ = vault.acting_as(actor="coder").ask_erasure(text=CODE)
    assert CODE in said(vault)
    vault = world.restarted()
    certificate = vault.erase(vault.requested_erasure(request))
    assert CODE not in said(vault) and vault.read(kept).text.endswith(TWIN)
    assert vault.erasure_requests(state="all") == ()
    (deed,) = [row for row in vault.log() if row.act == "erase"]
    assert deed.fields["request"] == request and deed.fields["erasure"] == certificate.id
    with pytest.raises(NotFound):
        vault.requested_erasure(request)
    assert vault.verify().ok


def test_a_request_by_a_name_goes_though_no_text_of_it_is_looked_for(vault: Vault, agent: Vault) -> None:
    stored(vault.acting_as(actor="Ria Moser").remember("Written by herself"))
    request, _ = agent.ask_erasure(person="Ria Moser")
    assert "Ria Moser" in str(bodies(vault))
    vault.erase(vault.requested_erasure(request))
    assert vault.erasure_requests(state="all") == () and vault.verify().ok


@pytest.mark.parametrize("by", ["request", "own plan"])
def test_a_declined_request_that_is_asked_again_leaves_nothing_either(
    vault: Vault, agent: Vault, by: str
) -> None:
    stored(vault.remember(f"The code is {CODE}"))
    first, _ = agent.ask_erasure(text=CODE)
    done = vault.decline_erasure(first, reason="not now")
    assert (done.state, done.decided_by, done.reason) == ("declined", "owner", "not now")
    assert vault.erasure_requests() == () and len(vault.erasure_requests(state="declined")) == 1
    with pytest.raises(NotFound):
        vault.requested_erasure(first)
    second, _ = agent.ask_erasure(text=CODE)
    assert second != first
    vault.erase(vault.requested_erasure(second) if by == "request" else vault.plan_erasure(text=CODE))
    assert vault.erasure_requests(state="all") == () and CODE not in said(vault)
    assert vault.verify().ok


def test_a_request_is_refused_once_something_else_would_go(vault: Vault, agent: Vault) -> None:
    stored(vault.remember(f"The code is {CODE}"))
    request, _ = agent.ask_erasure(text=CODE)
    stored(vault.remember(f"The spare is {TWIN}"))
    assert vault.requested_erasure(request).memories, "what is not touched changes nothing"
    stored(vault.remember(f"They changed it from {CODE} today"))
    with pytest.raises(StalePlan):
        vault.requested_erasure(request)
    assert CODE in said(vault)
    plan = vault.plan_erasure(text=CODE)
    vault.erase(plan)
    assert vault.erasure_requests(state="all") == () and CODE not in said(vault)


def test_a_plan_is_refused_once_its_request_was_declined(vault: Vault, agent: Vault) -> None:
    stored(vault.remember(f"The code is {CODE}"))
    request, _ = agent.ask_erasure(text=CODE)
    plan = vault.requested_erasure(request)
    vault.decline_erasure(request, reason="no")
    with pytest.raises(StalePlan):
        vault.erase(plan)
    assert CODE in said(vault)


def test_what_is_asked_for_twice_is_one_request(vault: Vault, agent: Vault) -> None:
    stored(vault.remember(f"The code is {CODE}"))
    first, _ = agent.ask_erasure(text=CODE)
    assert agent.ask_erasure(text=f" {CODE.lower()} ")[0] == first
    assert vault.acting_as(actor="other").ask_erasure(text=CODE)[0] == first
    assert agent.ask_erasure(text=TWIN)[0] != first
    assert len(vault.erasure_requests()) == 2


@pytest.mark.parametrize(
    "deed",
    [
        lambda hand, id: hand.erasure_requests(),
        lambda hand, id: hand.requested_erasure(id),
        lambda hand, id: hand.decline_erasure(id, reason="mine"),
    ],
)
def test_an_agent_neither_sees_nor_decides_what_was_asked_for(
    vault: Vault, agent: Vault, deed: Callable[[Vault, str], object]
) -> None:
    stored(vault.remember(f"The code is {CODE}"))
    request, _ = agent.ask_erasure(text=CODE)
    with pytest.raises((BadInput, Refusal)):
        deed(agent, request)
    assert len(vault.erasure_requests()) == 1
    with pytest.raises(Refusal):
        agent.erase(vault.requested_erasure(request))


def test_an_agent_learns_nothing_of_what_it_may_not_see(vault: Vault) -> None:
    hidden = stored(vault.remember(f"The code is {CODE}", space="acme/board")).id
    agent = vault.acting_as(actor="coder", space="acme/team")
    _, seen = agent.ask_erasure(text=CODE)
    assert seen.counts.get("version", 0) == 0 and hidden not in str(seen)
    with pytest.raises(NotFound):
        agent.ask_erasure(id=hidden)
    (request,) = vault.erasure_requests()
    assert hidden in vault.requested_erasure(request.id).memories


def test_so_many_requests_wait(vault: Vault, agent: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("muniment.limits.erasure_requests_max", 2)
    first, _ = agent.ask_erasure(text="one thing")
    agent.ask_erasure(text="another thing")
    with pytest.raises(BadInput):
        agent.ask_erasure(text="a third thing")
    vault.decline_erasure(first, reason="no")
    assert agent.ask_erasure(text="a third thing")[0]


def test_a_request_out_of_a_session_that_read_from_outside_says_so(vault: Vault, agent: Vault) -> None:
    agent.ask_erasure(text=CODE, label=Label(untrusted=True))
    assert vault.erasure_requests()[0].untrusted


@pytest.mark.parametrize(
    "value", ["Zo\u00eb K\u00e4\u00dfmann 4417", 'quoted "QZ7-4417" twice', "first line\nQZ7-HERON"]
)
def test_no_spelling_hides_a_value_in_what_waits(vault: Vault, agent: Vault, value: str) -> None:
    """A body spells letters by their numbers, and a line's end as a letter."""
    vault.set_dial("review", "agent")
    assert agent.remember(f"Note: {value}").verdict == "staged"
    assert agent.ask_erasure(text=value)
    assert len(vault.pending()) == 1
    stored(vault.remember("Something else"))
    vault.erase(vault.plan_erasure(text=value))
    assert vault.pending() == () and vault.erasure_requests(state="all") == ()
    assert vault.verify().ok


def test_the_bytes_of_a_request_are_those_of_its_digest(vault: Vault, agent: Vault) -> None:
    asked = Asked(Means.FILTER, "", (("tag", "a=b"), ("kind", "fact")), add=("x",), leave=("y",))
    body = spelled(asked, binding="00ff")
    stored(vault.remember("Anything"))
    agent.ask_erasure(text=CODE)
    with vault.ground.store.snapshot() as snapshot:
        (row,) = snapshot.matters([vault.erasure_requests()[0].id])
    fields = {name: getattr(row, name) for name in Matter.__slots__}
    mine = Matter(**{**fields, "body": body, "digest": digest_of(body)})
    assert read(mine) == (asked, "00ff") and asks_for(mine, asked)
    for changed in ({"body": body.replace("fact", "note")}, {"kind": MatterKind.PROPOSAL}):
        with pytest.raises(ValueError, match="asks for no erasure"):
            read(Matter(**{**fields, "body": body, "digest": digest_of(body), **changed}))
    for short in ("{}", '{"means":"all"}', "[]"):
        with pytest.raises(ValueError):
            read(Matter(**{**fields, "body": short, "digest": digest_of(short)}))


def test_what_was_asked_for_is_counted_where_a_person_looks(vault: Vault, agent: Vault) -> None:
    assert vault.status().erasures == 0
    assert "Nothing waits" in next(one for one in vault.doctor() if one.name == "waiting").sentence
    agent.ask_erasure(text=CODE)
    assert vault.status().erasures == 1
    assert "1 erasure wait" in next(one for one in vault.doctor() if one.name == "waiting").sentence


def test_what_was_erased_comes_back_by_no_request(vault: Vault, agent: Vault) -> None:
    stored(vault.remember(f"The code is {CODE}"))
    vault.erase(vault.plan_erasure(text=CODE))
    records = vault.status().records
    for text in (CODE, CODE.lower(), f"the code {CODE} of the door"):
        with pytest.raises(NotFound):
            agent.ask_erasure(text=text)
    assert vault.status().records == records
    stored(vault.remember(f"The spare is {TWIN}"))
    assert agent.ask_erasure(text=TWIN)[0] in {one.id for one in vault.erasure_requests()}


def test_the_reason_of_a_declined_request_keeps_nothing_erased_and_no_secret(
    vault: Vault, agent: Vault
) -> None:
    secret = "ghp_" + "a1B2" * 9
    stored(vault.remember(f"The code is {CODE}"))
    vault.erase(vault.plan_erasure(text=CODE))
    stored(vault.remember(f"The spare is {TWIN}"))
    request, _ = agent.ask_erasure(text=TWIN)
    done = vault.decline_erasure(request, reason=f"it is no {CODE} and no {secret}, so it stays")
    assert CODE not in done.reason and secret not in done.reason
    assert done.reason.startswith("it is no ") and done.reason.endswith(", so it stays")
    assert [one.reason for one in vault.erasure_requests(state="all")] == [done.reason]
    assert vault.verify().ok
