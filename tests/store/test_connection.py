"""What does a SQLite file meet: settings that keep promises, errors in our words, text that is data?"""

import errno
import stat
import threading
from collections.abc import Iterator
from pathlib import Path

import apsw
import pytest

from muniment import limits
from muniment.domain.ledger import ROW_NUMBER_BITS
from muniment.errors import (
    BadInput,
    BrokenData,
    Busy,
    DamagedFile,
    DamagedIndex,
    FullDisk,
    MunimentError,
    NotAVault,
    NotFound,
    ReadOnly,
    Unreadable,
)
from muniment.store.sql_store import SqlStore
from muniment.store.sqlite import opened
from muniment.store.sqlite.connection import (
    SqliteSession,
    glued,
    listed,
    matching,
    translated,
    translating,
)
from tests.contract.builders import FIRST_HEAD, Scribe


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "vault.db"


@pytest.fixture
def store(path: Path) -> Iterator[SqlStore]:
    made = opened.create(path, FIRST_HEAD)
    yield made
    made.close()


@pytest.fixture
def session(store: SqlStore, path: Path) -> Iterator[SqliteSession]:
    made = SqliteSession(str(path))
    yield made
    made.close()


@pytest.mark.parametrize(
    ("number", "own"), [(errno.ENOSPC, FullDisk), (errno.EFBIG, FullDisk), (errno.EIO, BrokenData)]
)
def test_a_file_that_may_not_grow_is_told_from_one_that_cannot_be_read(
    number: int, own: type[MunimentError]
) -> None:
    assert type(translated(apsw.IOError("disk I/O error"), system_error=number)) is own


@pytest.mark.parametrize(
    ("error", "own"),
    [
        (apsw.CorruptError('fts5: corruption found reading blob 10 from table "live"'), DamagedIndex),
        (apsw.CorruptError("database disk image is malformed"), DamagedFile),
        (apsw.SQLError("invalid fts5 file format (found 0, expected 4 or 5)"), DamagedFile),
        (apsw.SQLError("vtable constructor failed: live"), DamagedFile),
        (apsw.SQLError("no such table"), BrokenData),
    ],
)
def test_an_index_that_can_be_made_anew_is_told_from_a_damaged_file(
    error: apsw.Error, own: type[MunimentError]
) -> None:
    assert type(translated(error)) is own


@pytest.mark.parametrize(
    ("foreign", "own"),
    [
        (apsw.BusyError, Busy),
        (apsw.LockedError, Busy),
        (apsw.FullError, FullDisk),
        (apsw.ReadOnlyError, ReadOnly),
        (apsw.CantOpenError, Unreadable),
        (apsw.PermissionsError, Unreadable),
        (apsw.AuthError, Unreadable),
        (apsw.NotADBError, NotAVault),
        (apsw.CorruptError, DamagedFile),
        (apsw.IOError, BrokenData),
        (apsw.ConstraintError, BrokenData),
        (apsw.SQLError, BrokenData),
    ],
)
def test_a_foreign_error_is_said_in_our_words(foreign: type[apsw.Error], own: type[MunimentError]) -> None:
    error = translated(foreign("near 'secret text': syntax error"))
    assert type(error) is own
    assert "secret text" not in error.sentence, "a message of the database may hold a value"
    with pytest.raises(own) as caught, translating():
        raise foreign("oops")
    assert isinstance(caught.value.__cause__, foreign)


def test_an_error_of_another_kind_is_not_touched() -> None:
    with pytest.raises(KeyError), translating():
        raise KeyError("a fault of our own")


@pytest.mark.parametrize(
    ("pragma", "value"),
    [("secure_delete", 1), ("synchronous", 2), ("temp_store", 2), ("journal_mode", "wal")],
)
def test_every_connection_is_set_so_that_a_write_is_durable_and_a_deletion_final(
    session: SqliteSession, pragma: str, value: object
) -> None:
    assert session.pragma(pragma) == value


def test_the_busy_wait_is_the_bound(session: SqliteSession) -> None:
    assert session.pragma("busy_timeout") == limits.busy_wait_ms_max


def test_a_new_file_is_for_its_owner_alone(store: SqlStore, path: Path) -> None:
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_link_is_not_followed_to_a_file_that_is_not_ours(tmp_path: Path) -> None:
    target = tmp_path / "elsewhere"
    (tmp_path / "vault.db").symlink_to(target)
    with pytest.raises(Unreadable):
        opened.create(tmp_path / "vault.db", FIRST_HEAD)
    assert not target.exists()


def test_a_directory_that_is_not_there_is_said_to_be(tmp_path: Path) -> None:
    with pytest.raises(Unreadable, match="No such file"):
        opened.create(tmp_path / "nowhere" / "vault.db", FIRST_HEAD)


def test_a_vault_that_is_not_there_is_not_made_by_opening(tmp_path: Path) -> None:
    with pytest.raises(Unreadable, match="no vault"):
        opened.open_existing(tmp_path / "vault.db")
    assert list(tmp_path.iterdir()) == []


def test_a_tenant_is_made_once(store: SqlStore, path: Path) -> None:
    with pytest.raises(BadInput, match="there already"):
        opened.create(path, FIRST_HEAD)
    opened.create(path, FIRST_HEAD, tenant="other").close()
    opened.open_existing(path, tenant="other").close()


def test_a_tenant_that_is_not_there_is_not_found(store: SqlStore, path: Path) -> None:
    with pytest.raises(NotFound, match="no tenant other"):
        opened.open_existing(path, tenant="other")
    assert opened.holds_tenants(path)


def test_row_numbers_of_two_tenants_never_meet() -> None:
    first, second = opened.first_row_number(1), opened.first_row_number(2)
    assert second - first == 2**ROW_NUMBER_BITS


def test_a_reading_session_cannot_write(store: SqlStore, path: Path) -> None:
    reading = SqliteSession(str(path), read_only=True)
    with pytest.raises(ReadOnly):
        reading.script("DELETE FROM version")
    reading.close()


def test_a_reading_session_leaves_no_file_beside_a_settled_vault(store: SqlStore, path: Path) -> None:
    store.close()
    before = sorted(each.name for each in path.parent.iterdir())
    reading = SqliteSession(str(path), read_only=True)
    assert reading.pragma("user_version") == 1
    assert sorted(each.name for each in path.parent.iterdir()) == before == ["vault.db", "vault.db.reserve"]
    reading.close()


@pytest.mark.parametrize(
    "name", ["a b.db", "a?b.db", "a#b.db", "a%20b.db", "größe 東京.db", "a&immutable=0.db"]
)
def test_a_reading_session_reads_the_file_of_exactly_that_name(tmp_path: Path, name: str) -> None:
    opened.create(tmp_path / name, FIRST_HEAD).close()
    opened.open_existing(tmp_path / name).close()
    assert {each.name for each in tmp_path.iterdir()} == {name, f"{name}.reserve"}


def test_a_relative_path_is_read_from_where_the_process_stands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    opened.create(Path("vault.db"), FIRST_HEAD).close()
    store = opened.open_existing(Path("vault.db"))
    with store.snapshot() as snapshot:
        assert snapshot.head() == FIRST_HEAD
    store.close()
    assert (tmp_path / "vault.db").is_file()


def test_a_statement_that_does_not_exist_is_a_fault_of_our_own(session: SqliteSession) -> None:
    with pytest.raises(KeyError):
        session.run("no_such_statement")


def test_a_value_that_is_missing_is_refused_and_not_taken_for_null(session: SqliteSession) -> None:
    with pytest.raises((BrokenData, KeyError)):
        session.run("tenant_number")


def test_rolling_back_without_a_transaction_does_nothing(session: SqliteSession) -> None:
    session.roll_back()
    session.begin(writing=False)
    session.roll_back()
    session.roll_back()
    assert session.pragma("user_version") is not None


def test_a_transaction_in_a_transaction_is_refused(session: SqliteSession) -> None:
    session.begin(writing=True)
    with pytest.raises(BrokenData):
        session.begin(writing=True)
    session.roll_back()
    with pytest.raises(BrokenData):
        session.commit()


def test_a_second_writer_is_told_that_the_vault_is_busy(session: SqliteSession, path: Path) -> None:
    session.begin(writing=True)
    other = SqliteSession(str(path))
    other.script("PRAGMA busy_timeout = 1")
    with pytest.raises(Busy):
        other.begin(writing=True)
    session.roll_back()
    other.begin(writing=True)
    other.roll_back()
    other.close()


def test_a_reader_is_not_held_up_by_a_writer(store: SqlStore) -> None:
    scribe = Scribe(store)
    scribe.remember("before")
    with store.transaction(), store.snapshot() as snapshot:
        assert snapshot.counts()["version"] == 1


def test_a_snapshot_does_not_move_while_others_write(store: SqlStore) -> None:
    scribe = Scribe(store)
    scribe.remember("before")
    with store.snapshot() as snapshot:
        size = snapshot.head().size
        scribe.remember("meanwhile")
        assert snapshot.head().size == size
    with store.snapshot() as snapshot:
        assert snapshot.head().size == size + 1


def test_a_transaction_that_raises_leaves_nothing(store: SqlStore) -> None:
    scribe = Scribe(store)
    draft = scribe.draft()
    draft.remember("never")
    with pytest.raises(ZeroDivisionError), store.transaction() as transaction:
        transaction.apply(draft.changes())
        raise ZeroDivisionError
    with store.snapshot() as snapshot:
        assert snapshot.counts()["version"] == 0
    scribe.remember("and the next writer is not held up")


class Counted(SqliteSession):
    """Count how many sessions are open."""

    now = 0

    def __init__(self, path: str) -> None:
        super().__init__(path)
        type(self).now += 1

    def close(self) -> None:
        super().close()
        type(self).now -= 1


def test_readers_come_from_a_bounded_pool(store: SqlStore, path: Path) -> None:
    """More may read at once; only so many connections are kept."""
    counted = SqlStore(lambda: Counted(str(path)), tenant=1, glued=glued, matching=matching)
    readers = limits.readers_max + 3
    all_reading = threading.Barrier(readers + 1)

    def read() -> None:
        with counted.snapshot() as snapshot:
            all_reading.wait(timeout=30)
            snapshot.head()

    threads = [threading.Thread(target=read) for _ in range(readers)]
    for each in threads:
        each.start()
    all_reading.wait(timeout=30)
    assert Counted.now == readers
    for each in threads:
        each.join(timeout=30)
    assert Counted.now == limits.readers_max
    counted.close()
    assert Counted.now == 0


def test_a_closed_store_says_so_and_can_be_closed_twice(store: SqlStore) -> None:
    store.close()
    store.close()
    with pytest.raises(BrokenData, match="closed"), store.snapshot():
        pass
    with pytest.raises(BrokenData, match="closed"), store.transaction():
        pass


def test_a_snapshot_that_outlives_its_store_is_closed_with_it(store: SqlStore) -> None:
    with store.snapshot() as snapshot:
        store.close()
        assert snapshot.head().size == 0
    with pytest.raises(BrokenData):
        store.snapshot().__enter__()


def test_glued_text_carries_space_and_sort_before_every_term() -> None:
    assert glued(7, "m", "one two") == "0.7m~one 0.7m~two"
    assert glued((3 << ROW_NUMBER_BITS) + 7, "e", "one") == "3.7e~one"


def test_a_question_is_every_term_in_every_space_as_quoted_text() -> None:
    assert matching([1, 2], "m", ["a", "b"]) == '"0.1m~a" OR "0.1m~b" OR "0.2m~a" OR "0.2m~b"'
    assert matching([], "m", ["a"]) == ""
    assert matching([1], "m", []) == ""


@pytest.mark.parametrize("term", ['"', "a b", "a'b", "a*", "(a)", "a\x00b", "a;b", "a\\b"])
def test_a_term_that_the_tokenizer_would_split_asks_for_nothing(term: str) -> None:
    assert matching([1], "m", [term]) == ""
    assert matching([1], "m", [term, "kept"]) == '"0.1m~kept"'


@pytest.mark.parametrize(
    "term", ["c++", "a/b.py", "x@y.org", "1:2", "$5", "50%", "a&b", "größe", "東京", "🦊"]
)
def test_a_term_that_the_tokenizer_keeps_is_asked_for(term: str) -> None:
    assert matching([1], "m", [term]) == f'"0.1m~{term}"'


def test_lists_reach_statements_as_json() -> None:
    assert listed([1, 2]) == "[1,2]"
    assert listed(["a"]) == '["a"]'
    assert listed([]) == "[]"
