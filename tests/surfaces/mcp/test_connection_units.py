"""Is whoever calls over MCP an agent in one session, with what was served on its label? (I10, I14, I15)"""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from muniment import limits
from muniment.domain.label import PRIVATE, PUBLIC, DataClass, Label
from muniment.domain.principal import ActorRole
from muniment.errors import Busy
from muniment.recall.question import Answer, AnswerOutcome
from muniment.service.session import Session
from muniment.service.vault import Vault
from muniment.surfaces.mcp.connection import NOBODY, Connection, Held, actor_named
from tests.builders import CountingIds, FakeClock, reference_vault, stored

TAINTED = Label(DataClass.PRIVATE, True)
SECRET = Label(DataClass.SECRET)


@pytest.fixture
def vault(tmp_path: Path) -> Iterator[Vault]:
    made = reference_vault(tmp_path, clock=FakeClock(), ids=CountingIds())
    yield made
    made.close()


@pytest.fixture
def held(vault: Vault) -> Held:
    return Held(vault.as_agent(actor="coder"))


@pytest.fixture
def auditor(vault: Vault) -> Held:
    return Held(vault.acting_as(actor="eva", role="auditor"))


def answer(label: Label, *, logged: bool = True) -> Answer:
    return Answer("q", (), label, AnswerOutcome.NOTHING, "Nothing covers this.", logged=logged)


@pytest.mark.parametrize(
    ("client", "actor"),
    [
        ("claude-code", "claude-code"),
        ("Claude Desktop", "Claude Desktop"),
        ("  a \n b\t", "a b"),
        ("Zoë 東京", "Zoë 東京"),
        ("x" * limits.name_characters_max, "x" * limits.name_characters_max),
        ("x" * (limits.name_characters_max + 50), "x" * limits.name_characters_max),
        ("", NOBODY),
        ("  \n", NOBODY),
        ("a\x1bb", NOBODY),
        ("a\u202eb", NOBODY),
        ("\ud800", NOBODY),
        ("owner", NOBODY),
        ("Owner", NOBODY),
        (" OWNER ", NOBODY),
        ("admin", NOBODY),
        ("member", NOBODY),
        ("auditor", NOBODY),
        ("system", NOBODY),
        ("owners", "owners"),
        ("the owner", "the owner"),
    ],
)
def test_a_client_acts_under_its_own_name_unless_it_names_a_person(client: str, actor: str) -> None:
    assert actor_named(client) == actor


@pytest.mark.parametrize("role", [one for one in ActorRole if one is not ActorRole.AGENT])
def test_no_role_is_a_clients_name(role: ActorRole) -> None:
    assert actor_named(role.value) == NOBODY
    assert actor_named(role.value.title()) == NOBODY


def test_the_first_call_names_the_agent_and_later_names_change_nothing(vault: Vault) -> None:
    connection = Connection(vault, space="acme")
    first = connection.held("claude-code")
    assert connection.held("another") is first
    principal = first.vault.principal
    assert (principal.actor, principal.role, principal.home) == ("claude-code", ActorRole.AGENT, "acme")
    assert not principal.is_person


def test_a_name_in_the_settings_wins_over_the_clients(vault: Vault) -> None:
    assert Connection(vault, space="home", actor="night-shift").held("claude").vault.principal.actor == (
        "night-shift"
    )


def test_two_connections_are_two_sessions(vault: Vault) -> None:
    one, other = (Connection(vault, space="home").held("claude") for _ in range(2))
    assert one.session is not None and other.session is not None
    assert one.session.name != other.session.name
    assert one.session.name.startswith("mcp-")


def test_the_holder_of_a_key_keeps_its_name_and_loses_what_is_a_persons(vault: Vault) -> None:
    owned = vault.acting_as(actor="ada", role="admin", space="acme")
    held = Connection(owned, space="elsewhere").held("claude")
    assert not held.vault.principal.is_person


def test_an_agent_writes_through_its_session(held: Held) -> None:
    assert isinstance(held.writer, Session)
    assert held.writer is held.session


def test_an_auditor_has_no_session_and_reads(auditor: Held) -> None:
    assert auditor.session is None
    assert auditor.writer is auditor.vault
    assert auditor.label == PUBLIC
    assert auditor.writer.remember("x").refused


def test_a_session_that_has_read_nothing_is_public(held: Held) -> None:
    assert held.label == PUBLIC


@pytest.mark.parametrize("label", [PUBLIC, PRIVATE, SECRET, TAINTED])
def test_an_answer_on_record_is_handed_on_and_left_to_the_session(held: Held, label: Label) -> None:
    given = answer(label)
    assert held.asked(given) is given
    assert held.label == PUBLIC


@pytest.mark.parametrize("label", [PUBLIC, PRIVATE, SECRET, TAINTED])
def test_an_answer_that_is_not_on_record_is_remembered_here(held: Held, label: Label) -> None:
    held.asked(answer(label, logged=False))
    assert held.label == label


def test_what_is_remembered_only_gets_stricter(held: Held) -> None:
    for label in (SECRET, PUBLIC, TAINTED, PRIVATE):
        held.asked(answer(label, logged=False))
    assert held.label == Label(DataClass.SECRET, True)


def test_untrusted_words_off_the_record_end_all_writing(held: Held) -> None:
    """Degraded is never a permit: the session's label would not know what it has read."""
    held.asked(answer(SECRET, logged=False))
    assert held.writer is held.session
    held.asked(answer(TAINTED, logged=False))
    with pytest.raises(Busy, match="may not write") as caught:
        held.writer
    assert "nothing was stored" in caught.value.advice


def test_untrusted_words_that_the_session_knows_of_do_not(held: Held) -> None:
    assert held.session is not None
    held.session.append("tool_result", "a page of the web")
    held.asked(answer(TAINTED, logged=False))
    assert held.writer is held.session
    assert held.label.untrusted


def test_an_auditor_is_never_stopped_since_it_writes_nothing(auditor: Held) -> None:
    auditor.asked(answer(TAINTED, logged=False))
    assert auditor.label == TAINTED
    assert auditor.writer is auditor.vault


@pytest.mark.parametrize("who", ["held", "auditor"])
def test_what_was_read_in_another_way_is_put_on_record(
    request: pytest.FixtureRequest, vault: Vault, who: str
) -> None:
    hand: Held = request.getfixturevalue(who)
    before = len(vault.log(limit=1000))
    served = hand.served(answer(PRIVATE))
    vault.settle()
    assert served.logged
    assert len(vault.log(limit=1000)) > before


def test_what_was_served_is_read_by_the_session(vault: Vault, held: Held) -> None:
    stored(vault.remember("The quay is wet", data_class="secret"))
    assert held.session is not None
    found = held.session.recall("quay")
    held.asked(found)
    assert found.label.data_class is DataClass.SECRET
    assert held.label.data_class is DataClass.SECRET
    assert vault.read(stored(held.writer.remember("It rained")).id).label.data_class is DataClass.SECRET


@pytest.mark.parametrize("change", [{"logged": False}, {"logged": True}])
def test_an_answer_is_never_changed_on_its_way(held: Held, change: dict[str, bool]) -> None:
    given = replace(answer(PRIVATE), **change)
    assert held.asked(given) == given


def test_an_agent_reads_and_writes_its_own_space_alone(vault: Vault) -> None:
    acme, other = (Connection(vault, space=space).held("claude") for space in ("acme", "other"))
    stored(acme.writer.remember("The quay is wet"))
    assert [hit.text for hit in acme.vault.recall("quay").hits] == ["The quay is wet"]
    assert other.vault.recall("quay").hits == ()
