"""Is it cheap to know that nothing has to be erased again, and does nothing slip past that look?"""

from collections.abc import Iterator

import pytest

import muniment
from muniment.domain.changes import Job, Page
from muniment.domain.journal import id_of
from muniment.domain.ledger import RowCode
from muniment.errors import Busy
from muniment.ports import Snapshot
from muniment.service import erase_again, erase_known, erase_storage
from muniment.service.certifying import certificates_in, newest_first
from muniment.service.vault import Vault
from muniment.store.sqlite.connection import SqliteSession
from tests.builders import World, stored
from tests.erasure.planting import CODE, TWIN

ERASURES = 12


class Counting:
    """Read a snapshot, and count the certificates that are read."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self.read = 0

    def __getattr__(self, name: str) -> object:
        return getattr(self._snapshot, name)

    def sealed_rows(self, code: RowCode, page: Page) -> list[tuple[int, object]]:
        found = list(self._snapshot.sealed_rows(code, page))
        self.read += len(found) if code is RowCode.CERTIFICATE else 0
        return found


@pytest.fixture
def erased(vault: Vault, monkeypatch: pytest.MonkeyPatch) -> Vault:
    """Return a vault with some erasures, each far from the next by its first look back."""
    monkeypatch.setattr(erase_known, "_FIRST_LOOK", 12)
    monkeypatch.setattr("muniment.limits.walk_rows_max", 2)
    for number in range(ERASURES):
        stored(vault.remember(f"The code {number} is {CODE}-{number}"))
        vault.erase(vault.plan_erasure(text=f"{CODE}-{number}"))
    return vault


def test_when_nothing_is_behind_only_the_newest_certificates_are_read(erased: Vault) -> None:
    with erased.ground.store.snapshot() as snapshot:
        counting = Counting(snapshot)
        assert erase_known.unknown_in(erased.ground, counting) == ()
        assert 0 < counting.read <= 6
        assert len(certificates_in(snapshot)) == 2 * ERASURES


def test_a_certificate_far_back_is_found(erased: Vault) -> None:
    for number in range(60):
        stored(erased.remember(f"Another note of {number}"))
    with erased.ground.store.snapshot() as snapshot:
        assert erase_known.unknown_in(erased.ground, snapshot) == ()


@pytest.mark.parametrize("behind", range(1, 4))
def test_the_last_lines_that_are_not_known_are_named_in_order(
    erased: Vault, monkeypatch: pytest.MonkeyPatch, behind: int
) -> None:
    lines = erased.ground.outside.journal.lines()
    gone = {id_of(line) for line in lines[-behind:]}
    everything = certificates_in

    def older(*given: object, **more: object) -> list[object]:
        return [row for row in everything(*given, **more) if row.erasure not in gone]

    monkeypatch.setattr(erase_known, "certificates_in", older)
    with erased.ground.store.snapshot() as snapshot:
        assert erase_known.unknown_in(erased.ground, snapshot) == lines[-behind:]


def test_a_range_of_certificates_is_the_part_of_all_that_lies_in_it(erased: Vault) -> None:
    with erased.ground.store.snapshot() as snapshot:
        every = certificates_in(snapshot)
        assert [row.n for row in every] == sorted(row.n for row in every)
        for low, high in ((0, 9), (3, 9), (5, 6), (9, 24)):
            after, until = (0 if low == 0 else every[low - 1].n), every[high - 1].n
            assert certificates_in(snapshot, after=after, until=until) == every[low:high]
        one = every[4].erasure
        assert {row.erasure for row in certificates_in(snapshot, one)} == {one}


def test_the_newest_notes_are_read_first_and_no_further_back_than_asked(
    erased: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("muniment.service.certifying._FIRST_STRETCH", 4)
    with erased.ground.store.snapshot() as snapshot:
        every = certificates_in(snapshot)
        assert list(newest_first(snapshot)) == every[::-1]
        for before in (1, every[0].n, every[7].n, every[7].n + 1, every[-1].n + 50):
            assert list(newest_first(snapshot, before=before)) == [r for r in every[::-1] if r.n < before]
        counting = Counting(snapshot)
        assert next(iter(newest_first(counting))) == every[-1]
        assert 0 < counting.read < len(every) / 2
    assert erased.certificates(limit=3) == tuple(every[:-4:-1])
    assert erased.certificates(after=every[3].n, limit=2) == (every[2], every[1])
    assert erased.certificates(limit=0) == ()
    assert {erased.certificate(row.erasure) for row in every} == {
        [row.note for row in every if row.erasure == one][-1] for one in {row.erasure for row in every}
    }


def test_finishing_an_erasure_reads_its_own_certificates_and_no_other(
    erased: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    stored(erased.remember(f"The code is {CODE}"))
    read = []

    def counted(*given: object, **more: object) -> list[object]:
        found = certificates_in(*given, **more)
        read.extend(found)
        return found

    monkeypatch.setattr(erase_storage, "certificates_in", counted)
    certificate = erased.erase(erased.plan_erasure(text=CODE))
    assert certificate.status == "storage-complete"
    assert {row.erasure for row in read} == {certificate.id}
    with erased.ground.store.snapshot() as snapshot:
        first = certificates_in(snapshot, certificate.id)[0]
    del read[:]
    erase_storage.work(erased.ground, Job(first.n + 1, erase_storage.STORAGE, first.n, 0))
    assert [row.n for row in read if row.n < first.n] == []


def test_no_line_is_added_behind_one_that_a_crash_left_undone(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another process waits for the lock while the first one dies with its line written."""
    vault = world.vault
    first, second = (stored(vault.remember(f"It is {value}")).id for value in (CODE, TWIN))
    for line in _line_of(vault, first):
        vault.ground.outside.journal.add(line)
    plan = vault.plan_erasure(id=second)
    with monkeypatch.context() as patched:
        patched.setattr(erase_again, "catch_up", lambda ground: ())
        with pytest.raises(Busy):
            vault.erase(plan)
    assert vault.read(second).text
    vault.erase(vault.plan_erasure(id=second))
    assert vault.recall("it is", k=9).hits == ()
    assert len({row.erasure for row in vault.certificates()}) == 2 and vault.verify().ok


def _line_of(vault: Vault, id: str) -> Iterator[str]:
    """Yield the line of an erasure that never landed."""
    journal = vault.ground.outside.journal
    kept: list[str] = []
    add, journal.add = journal.add, kept.append
    try:
        with pytest.raises(_Died):
            _erased_until_the_end(vault, id)
    finally:
        journal.add = add
    yield from kept


class _Died(Exception):
    """Stand for the death of a process."""


def _erased_until_the_end(vault: Vault, id: str) -> None:
    journal = vault.ground.outside.journal
    add = journal.add

    def dying(line: str) -> None:
        add(line)
        raise _Died

    journal.add = dying
    vault.erase(vault.plan_erasure(id=id))


def test_an_opening_after_many_erasures_is_that_of_few(
    tmp_path: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = f"{tmp_path}/vault.db"
    asked: list[str] = []
    run = SqliteSession.run

    def counted(self: SqliteSession, name: str, /, **values: object) -> object:
        asked.append(name)
        return run(self, name, **values)

    def statements() -> int:
        asked.clear()
        muniment.open(path).close()
        assert "sealed_certificates" in asked
        return len(asked)

    monkeypatch.setattr(erase_known, "_FIRST_LOOK", 12)
    monkeypatch.setattr("muniment.limits.walk_rows_max", 1)
    with muniment.open(path) as vault:
        stored(vault.remember(f"It is {CODE}"))
        vault.erase(vault.plan_erasure(text=CODE))
    monkeypatch.setattr(SqliteSession, "run", counted)
    few = statements()
    with muniment.open(path) as vault:
        for number in range(8):
            stored(vault.remember(f"It is {TWIN}-{number}"))
            vault.erase(vault.plan_erasure(text=f"{TWIN}-{number}"))
    # All of the others would be sixteen pages more.
    assert statements() <= few + 6
