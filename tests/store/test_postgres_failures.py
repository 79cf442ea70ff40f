"""What is left when a connection, a process or an upgrade ends in the midst of its work on a server?"""

import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

import muniment
from muniment.errors import Disconnected, MunimentError, OtherAnalyser
from muniment.ports import Page, Store
from muniment.recall.eligibility import Sort
from muniment.service.ground import head_mac
from muniment.service.rebuild import reindex
from muniment.service.vault import Vault
from muniment.store.migrations import newest
from muniment.store.postgres import bulk, opened
from muniment.store.postgres.connection import PostgresSession
from tests import postgres
from tests.builders import stored
from tests.conftest import ROOT
from tests.contract.builders import FIRST_HEAD, Scribe, lexical, vector, words

END_ONE = "SELECT pg_terminate_backend({pid}, 5000)"
MANY = bulk.ROWS_MIN


@pytest.fixture
def tenant() -> str:
    return postgres.new_tenant()


@pytest.fixture
def store(tenant: str) -> Iterator[Store]:
    made = opened.create(postgres.shared_database().application, FIRST_HEAD, tenant=tenant)
    yield made
    made.close()


def end(session: PostgresSession) -> None:
    """End the connection of a session from outside, as an administrator or a lost network does."""
    pid = session._connection.info.backend_pid
    postgres.run(postgres.shared_database().superuser, END_ONE.format(pid=pid))


class Cut:
    """End the connection that writes before its so many-th step; count the steps of one that ends well."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.at, self.steps, self._ended = -1, 0, False
        for name in ("run", "put_many", "commit"):
            patch.setattr(PostgresSession, name, self._before(getattr(PostgresSession, name)))

    def _before(self, method: Callable[..., object]) -> Callable[..., object]:
        def stepped(session: PostgresSession, /, *given: object, **values: object) -> object:
            if session._begun and self.at >= 0 and not self._ended and self.steps == self.at:
                self._ended = True
                end(session)
            self.steps += 1
            return method(session, *given, **values)

        return stepped

    def begin(self, at: int) -> None:
        self.at, self.steps, self._ended = at, 0, False


def written(store: Store, draft: object) -> None:
    with store.transaction() as transaction:
        transaction.apply(draft.changes())


def full(scribe: Scribe, mark: str) -> object:
    """Return a change that takes every way: a memory, its successor's shelf, and many turns at once."""
    draft = scribe.draft()
    draft.remember(f"common {mark}", vector=vector(1, 2))
    for number in range(MANY):
        draft.turn(f"common turn {mark} {number}", vector=vector(3, 4))
    return draft


def test_a_connection_lost_before_any_step_of_a_write_leaves_nothing_of_it(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    scribe = Scribe(store)
    scribe.remember("common before")
    # The first write of a store also meets the model; those after it take the same steps.
    written(store, full(scribe, "first"))
    cut, draft = Cut(monkeypatch), full(scribe, "whole")
    cut.begin(-1)
    written(store, draft)
    steps = cut.steps
    with store.snapshot() as snapshot:
        size, counts = snapshot.head().size, snapshot.counts()
    assert steps > 8
    for at in range(steps):
        draft = full(scribe, f"lost {at}")
        cut.begin(at)
        with pytest.raises(Disconnected):
            written(store, draft)
        cut.begin(-1)
        with store.snapshot() as snapshot:
            assert (snapshot.head().size, snapshot.counts()) == (size, counts), f"lost before step {at}"
    assert len(lexical(store, "common")) == 3
    scribe.remember("common after")
    assert len(lexical(store, "common")) == 4


def test_a_lost_connection_is_told_to_the_caller_and_to_no_log(
    store: Store, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """What the driver logs would stand between the lines of a command's answer."""
    scribe, cut = Scribe(store), Cut(monkeypatch)
    scribe.remember("common before")
    cut.begin(2)
    with pytest.raises(Disconnected):
        written(store, full(scribe, "lost"))
    cut.begin(0)
    with pytest.raises(Disconnected):
        lexical(store, "common")
    cut.begin(-1)
    assert caplog.records == []


def test_a_connection_lost_while_reading_is_said_and_the_next_reading_is_whole(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    scribe = Scribe(store)
    scribe.remember("common before")
    cut = Cut(monkeypatch)
    assert len(lexical(store, "common")) == 1
    steps = cut.steps
    for at in range(steps):
        cut.begin(at)
        with pytest.raises(Disconnected):
            lexical(store, "common")
        cut.begin(-1)
        assert len(lexical(store, "common")) == 1


def test_a_rebuild_that_lost_its_connection_leaves_the_old_index(store: Store) -> None:
    scribe = Scribe(store)
    written(store, full(scribe, "old"))
    for moment in ("common old", f"common turn old {MANY - 1}"):

        def ending(text: str, *, at: str = moment) -> tuple[str, ...]:
            if text == at:
                end(transaction._session)
            return ("changed",)

        with pytest.raises(Disconnected), store.transaction() as transaction:
            transaction.rebuild(ending)
        assert len(lexical(store, "common", sort=Sort.EVIDENCE)) == MANY
    with store.transaction() as transaction:
        assert transaction.rebuild(words) == MANY + 1
    assert len(lexical(store, "common", sort=Sort.EVIDENCE)) == MANY


KILLED = {
    "write": """
for number in range(100_000):
    print(vault.remember(f"note {number} of the otter").id, flush=True)
""",
    "batch": """
from muniment.domain.evidence import Arrival, Role
from muniment.domain.intent import Take
from muniment.service.conversations import take
for number in range(100_000):
    turns = [
        Arrival(session=f"s{number}", origin=f"{n}", role=Role.USER, speaker="ada", text=f"otter {n}")
        for n in range(200)
    ]
    taken = take(vault.ground, Take(vault.principal, "home", tuple(turns), source="here"))
    print(taken.evidence[-1], flush=True)
""",
    "reindex": """
print(vault.remember("a note of the otter").id, flush=True)
while True:
    print(vault.reindex() and "", flush=True)
""",
}


@pytest.mark.parametrize("kind", sorted(KILLED))
def test_a_killed_process_leaves_all_that_it_acknowledged_and_no_lock(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = postgres.migrated_database()
    monkeypatch.setenv("MUNIMENT_KEYS", str(tmp_path / "keys"))
    monkeypatch.setenv("MUNIMENT_EMBEDDER", "off")
    muniment.open(database.application).close()
    program = f"import muniment, sys\nvault = muniment.open(sys.argv[1])\n{KILLED[kind]}"
    for acknowledged in (1, 3):
        child = subprocess.Popen(
            [sys.executable, "-c", program, database.application],
            env=os.environ | {"PYTHONPATH": str(ROOT / "src")},
            stdout=subprocess.PIPE,
            text=True,
        )
        assert child.stdout is not None
        said = [child.stdout.readline().strip() for _ in range(acknowledged)]
        child.kill()
        said += child.stdout.read().split("\n")[:-1]
        child.wait()
        with muniment.open(database.application) as vault:
            for id in filter(None, said):
                assert vault.read(id).id == id
            report = vault.verify()
            assert report.ok, report.findings
            assert vault.recall("otter").hits
            stored(vault.remember(f"after {kind} {acknowledged}"))


def test_readers_during_a_reindex_find_all_that_there_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = postgres.migrated_database()
    monkeypatch.setenv("MUNIMENT_KEYS", str(tmp_path / "keys"))
    with muniment.open(database.application) as vault:
        for number in range(40):
            stored(vault.remember(f"the otter number {number} sleeps"))
        done, counts = threading.Event(), list[int]()

        def look() -> None:
            while not done.is_set():
                counts.append(len(vault.recall("otter sleeps", k=100).hits))

        readers = [threading.Thread(target=look) for _ in range(2)]
        for reader in readers:
            reader.start()
        # On a busy machine a reader may not come to its turn during the first few.
        for done_before in range(100):
            vault.reindex()
            if done_before >= 2 and len(counts) > 4:
                break
        done.set()
        for reader in readers:
            reader.join()
        assert len(counts) > 4
        assert set(counts) == {len(vault.recall("otter sleeps", k=100).hits)}


def _stamp(vault: Vault, analyser: str) -> None:
    """Make the head name another analyser, as a process of another release does by `reindex`."""
    with vault.ground.store.transaction() as transaction:
        moved = replace(transaction.head(), analyser=analyser)
        transaction.set_analyser(replace(moved, mac=head_mac(vault.ground.vault_key, moved)))


def test_a_process_of_another_analyser_is_refused_while_reading_goes_on_until_a_reindex(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = postgres.migrated_database()
    monkeypatch.setenv("MUNIMENT_KEYS", str(tmp_path / "keys"))
    with muniment.open(database.application) as mine, muniment.open(database.application) as other:
        stored(mine.remember("the otter sleeps"))
        _stamp(other, "another/9")
        for vault in (mine, other):
            with pytest.raises(OtherAnalyser):
                vault.remember("the otter wakes")
            assert [hit.text for hit in vault.recall("otter").hits] == ["the otter sleeps"]
        assert not all(check.well for check in mine.doctor())
        assert reindex(mine.ground, mine.principal) == 1
        stored(other.remember("the otter wakes"))
        assert len(mine.recall("otter").hits) == 2


SECOND = """
ALTER TABLE session ADD COLUMN mood TEXT NOT NULL DEFAULT 'calm';
CREATE TABLE mood (tenant BIGINT NOT NULL, name TEXT NOT NULL, PRIMARY KEY (tenant, name));
INSERT INTO mood (tenant, name) SELECT DISTINCT tenant, mood FROM session;
"""
COLUMNS = """SELECT count(*) FROM information_schema.columns WHERE table_schema = 'muniment'
             AND (table_name = 'mood' OR column_name = 'mood')"""


@pytest.fixture
def old(tmp_path: Path) -> postgres.Database:
    """Return a database of the first schema with a row in it."""
    database = postgres.migrated_database()
    made = opened.create(database.application, FIRST_HEAD)
    Scribe(made).remember("common before")
    made.close()
    return database


def steps(place: Path, *more: str) -> Path:
    """Return a directory of migrations: the first as it is shipped, then these."""
    place.mkdir(exist_ok=True)
    first = next(opened.MIGRATIONS.glob("0001_*.sql"))
    (place / first.name).write_text(first.read_text(encoding="utf-8"), encoding="utf-8")
    for number, step in enumerate(more, start=2):
        (place / f"{number:04}_step.sql").write_text(step, encoding="utf-8")
    return place


def schema_of(database: postgres.Database) -> tuple[object, object]:
    """Return a database's number and how much of the second step is there."""
    run = postgres.run
    ((number,),) = run(database.superuser, "SELECT number FROM muniment.schema_version")
    ((columns,),) = run(database.superuser, COLUMNS)
    return number, columns


def test_an_upgrade_that_fails_midway_leaves_the_old_schema_and_is_completed_by_the_next(
    old: postgres.Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken, whole = steps(tmp_path / "broken", f"{SECOND} SELECT nothing;"), steps(tmp_path / "whole", SECOND)
    monkeypatch.setattr(opened, "MIGRATIONS", broken)
    with pytest.raises(MunimentError):
        opened.migrate_database(old.owner)
    assert schema_of(old) == (1, 0)
    monkeypatch.setattr(opened, "MIGRATIONS", whole)
    assert opened.migrate_database(old.owner) == 2
    assert schema_of(old) == (2, 3)


@pytest.mark.parametrize("after", ["the step", "its stamp"])
def test_an_upgrade_whose_connection_is_lost_leaves_the_old_schema_and_is_completed_by_the_next(
    old: postgres.Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, after: str
) -> None:
    monkeypatch.setattr(opened, "MIGRATIONS", steps(tmp_path / "steps", SECOND))
    script = PostgresSession.script
    with monkeypatch.context() as patch:

        def lost(session: PostgresSession, text: str) -> None:
            script(session, text)
            if (text == SECOND) == (after == "the step"):
                end(session)

        patch.setattr(PostgresSession, "script", lost)
        with pytest.raises(Disconnected):
            opened.migrate_database(old.owner)
    assert schema_of(old) == (1, 0)
    assert opened.migrate_database(old.owner) == 2
    assert schema_of(old) == (2, 3)


def test_two_upgrades_at_once_take_turns(
    old: postgres.Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opened, "MIGRATIONS", steps(tmp_path / "steps", SECOND))
    with ThreadPoolExecutor(2) as pool:
        assert list(pool.map(opened.migrate_database, [old.owner] * 2)) == [2, 2]
    assert schema_of(old) == (2, 3)


def test_a_reader_of_before_reads_on_while_a_step_is_taken_and_after_it(
    old: postgres.Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = opened.open_existing(old.application)
    assert newest(opened.MIGRATIONS) == 1
    monkeypatch.setattr(opened, "MIGRATIONS", steps(tmp_path / "steps", SECOND))
    script = PostgresSession.script
    found: list[set[int]] = []

    def reading(session: PostgresSession, text: str) -> None:
        script(session, text)
        found.append(lexical(store, "common"))

    monkeypatch.setattr(PostgresSession, "script", reading)
    with store.snapshot() as snapshot:
        head = snapshot.head()
        assert opened.migrate_database(old.owner) == 2
        assert snapshot.head() == head
        assert snapshot.records(Page(after=-1))
    assert found == [{1}, {1}]
    assert lexical(store, "common") == {1}
    store.close()
