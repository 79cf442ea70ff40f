"""What does a writer learn whose commit was done, when the connection was lost before the answer came?"""

from collections.abc import Callable, Iterator

import pytest

from muniment import limits, wiring
from muniment.adapters.analyser import Analyser
from muniment.adapters.keys import MemoryKeyring
from muniment.adapters.system import SystemClock
from muniment.errors import Disconnected, Unconfirmed
from muniment.service.vault import Vault
from muniment.store.postgres import bulk, opened, unanswered
from muniment.store.postgres.beside_session import BesideSession
from tests import postgres
from tests.builders import VAULT_ID, stored
from tests.crash.between import Between, Loses

MANY = bulk.ROWS_MIN


@pytest.fixture
def between() -> Iterator[Between]:
    carrier = Between(postgres.shared_database().directory)
    yield carrier
    carrier.close()


@pytest.fixture
def vault(between: Between) -> Iterator[Vault]:
    """Return a vault that is reached over the carrier, and has met its space, actor and session."""
    database, tenant = postgres.shared_database(), postgres.new_tenant()
    head = wiring.first_head(VAULT_ID, MemoryKeyring(), now=SystemClock().now(), analyser=Analyser().version)
    opened.create(database.application, head, tenant=tenant).close()
    address = f"postgresql://muniment_tester@127.0.0.1:{between.port}/{database.name}?sslmode=disable"
    made = wiring.reference_vault(store=opened.open_existing(address, tenant=tenant))
    stored(made.remember("the first note"))
    made.session("talk", agent="ada").append("user", "the first turn")
    stored(made.remember("the second note"))
    yield made
    made.close()


def kept(vault: Vault) -> dict[str, int]:
    """Return how many rows of each kind there are, jobs apart."""
    with vault.ground.store.snapshot() as snapshot:
        return {name: count for name, count in snapshot.counts().items() if name != "job"}


def grown(before: dict[str, int], after: dict[str, int]) -> dict[str, int]:
    return {name: after[name] - before[name] for name in after if after[name] != before[name]}


def note(vault: Vault, mark: str) -> str:
    return vault.remember(f"the tide of {mark} is low").verdict


def claim(vault: Vault, mark: str) -> str:
    return vault.remember(f"{mark} listens on 80", about=mark, attribute="port", value="80").verdict


def batch(vault: Vault, mark: str) -> str:
    """Take in a document of so many parts that they go through COPY."""
    parts = "\n\n".join(f"Part {n} of {mark}. " + f"The quay number {n} is wet. " * 60 for n in range(MANY))
    report = vault.ingest(parts, source=f"{mark}.md")
    assert report.added + report.skipped > MANY
    return "stored" if report.added else "skipped"


def revision(vault: Vault, mark: str) -> str:
    """Revise one of two notes by the version that was seen of it."""
    (id,) = [row.memory for row in vault.memories(limit=10) if row.text.startswith(f"the {mark} note")]
    receipt = vault.revise(id, f"the {mark} note, mended", expected_version=1)
    return receipt.reason if receipt.refused else receipt.verdict


def turn(vault: Vault, mark: str) -> str:
    report = vault.session("talk", agent="ada").append("user", f"the turn of {mark}")
    return "stored" if report.added else "skipped"


AGAIN = {note: "merged", claim: "merged", batch: "skipped", revision: "stale-view"}
"""What each answers when it comes again."""

Deed = Callable[[Vault, str], str]


@pytest.mark.parametrize("loses", [Loses.ANSWER, Loses.REST])
@pytest.mark.parametrize("deed", [*AGAIN, turn])
def test_a_write_whose_answer_was_lost_is_answered_for_like_any_other(
    vault: Vault, between: Between, deed: Deed, loses: Loses
) -> None:
    before = kept(vault)
    assert deed(vault, "first") == "stored"
    undisturbed = kept(vault)
    between.lose(loses)
    assert deed(vault, "second") == "stored"
    assert between.lost == 1
    assert grown(undisturbed, kept(vault)) == grown(before, undisturbed) != {}
    assert vault.verify().ok


@pytest.mark.parametrize("deed", AGAIN)
def test_a_write_of_which_nobody_can_say_what_became_is_named_and_repeating_it_adds_nothing(
    vault: Vault, between: Between, monkeypatch: pytest.MonkeyPatch, deed: Deed
) -> None:
    monkeypatch.setattr(limits, "database_answer_seconds_max", 0.3)
    before = kept(vault)
    assert deed(vault, "first") == "stored"
    undisturbed = kept(vault)
    between.lose(Loses.ANSWER, cut=True)
    with pytest.raises(Unconfirmed):
        deed(vault, "second")
    with pytest.raises(Disconnected):
        vault.memories()
    between.mend()
    assert deed(vault, "second") == AGAIN[deed]
    more = grown(undisturbed, kept(vault))
    assert more.pop("record") == grown(before, undisturbed)["record"] + (deed is not batch)
    once = grown(before, undisturbed)
    del once["record"]
    assert more == once
    assert vault.verify().ok


@pytest.mark.parametrize("deed", [*AGAIN, turn])
def test_a_write_whose_connection_was_lost_before_it_was_committed_is_undone_and_said_so(
    vault: Vault, monkeypatch: pytest.MonkeyPatch, deed: Deed
) -> None:
    assert deed(vault, "first") == "stored"
    before = kept(vault)
    ended: list[int] = []

    def ending(session: BesideSession) -> None:
        ended.append(session._connection.info.backend_pid)
        postgres.run(postgres.shared_database().superuser, f"SELECT pg_terminate_backend({ended[-1]}, 5000)")

    for name in ("commit", "commit_hardened"):
        method = getattr(BesideSession, name)

        def lost(session: BesideSession, method: Callable[[BesideSession], None] = method) -> None:
            if not ended:
                ending(session)
            method(session)

        monkeypatch.setattr(BesideSession, name, lost)
    with pytest.raises(Disconnected) as raised:
        deed(vault, "second")
    assert type(raised.value) is Disconnected
    assert kept(vault) == before
    assert deed(vault, "second") == "stored"
    assert len(ended) == 1


def test_a_server_that_needs_a_while_is_asked_until_it_answers(
    vault: Vault, between: Between, monkeypatch: pytest.MonkeyPatch
) -> None:
    tries: list[int] = []

    def waited(_: float) -> None:
        tries.append(1)
        if len(tries) == 3:
            between.mend()

    monkeypatch.setattr(unanswered.time, "sleep", waited)
    between.lose(Loses.ANSWER, cut=True)
    assert note(vault, "late") == "stored"
    assert len(tries) == 3


def test_what_left_no_record_is_never_taken_for_done(vault: Vault, between: Between) -> None:
    with vault.ground.store.transaction() as transaction:
        assert transaction.take_job(2**62, 2**62) is not None
    between.lose(Loses.ANSWER)
    with pytest.raises(Unconfirmed), vault.ground.store.transaction() as transaction:
        transaction.take_job(2**62 + 1, 2**62)
    assert note(vault, "next") == "stored"
