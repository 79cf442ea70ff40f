"""Does `verify` walk everything, find nothing where nothing was done, and say what it walked?

What it finds after each edit behind the gate stands in `tests/attacks/test_tampering.py`.
"""

from dataclasses import replace

import pytest

from muniment import limits
from muniment.domain.changes import Page, Sealed
from muniment.domain.checkpoint import parsed
from muniment.domain.evidence import Evidence
from muniment.domain.label import DataClass, Label
from muniment.domain.ledger import Record, RowCode, Seal
from muniment.errors import MissingKey, Tampered
from muniment.service.findings import Findings, Kind
from muniment.service.log_walk import Entries
from muniment.service.paging import walked_pages
from muniment.service.seals import committed, holds, named
from muniment.service.vault import Vault
from tests.builders import FakeClock, World, stored
from tests.carrying import lived_in


def test_an_empty_vault_verifies(vault: Vault) -> None:
    report = vault.verify()
    assert (report.ok, report.records, report.rows, report.total) == (True, 0, 0, 0)


def test_a_vault_that_was_lived_in_verifies(vault: Vault, clock: FakeClock) -> None:
    lived_in(vault, clock)
    report = vault.verify()
    assert (report.ok, report.findings) == (True, ())
    assert report.records == vault.status().records
    assert report.root == vault.status().root


def test_every_row_is_walked(vault: Vault, clock: FakeClock) -> None:
    lived_in(vault, clock)
    counts = vault.status().counts
    tables = (
        "version",
        "evidence",
        "link",
        "tombstone",
        "session",
        "recall_log",
        "credential",
        "matter",
        "space",
        "actor",
        "stub",
        "certificate",
    )
    report = vault.verify()
    assert report.rows == sum(counts[table] for table in tables)
    assert all(counts[table] for table in tables), "every kind of row is there to be walked"


def test_the_newest_witness_is_in_the_report(vault: Vault) -> None:
    stored(vault.remember("The lamp is blue"))
    note = parsed(vault.checkpoint())
    stored(vault.remember("The lamp is old"))
    report = vault.verify()
    assert report.newest_witness == (note.size, note.root.hex())
    assert report.records > note.size


def test_a_vault_verifies_after_a_restart(world: World) -> None:
    lived_in(world.vault, world.clock)
    assert world.restarted().verify().ok


def test_progress_is_told_until_all_rows_are_walked(
    vault: Vault, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    lived_in(vault, clock)
    monkeypatch.setattr(limits, "walk_rows_max", 3)
    seen: list[int] = []
    report = vault.verify(progress=seen.append)
    assert seen == sorted(seen) and len(seen) > 5
    assert seen[-1] == report.rows


@pytest.mark.parametrize("rows", [1, 2, 7, 500])
def test_the_size_of_a_page_changes_nothing(
    vault: Vault, clock: FakeClock, rows: int, *, monkeypatch: pytest.MonkeyPatch
) -> None:
    lived_in(vault, clock)
    whole = vault.verify()
    monkeypatch.setattr(limits, "walk_rows_max", rows)
    assert vault.verify() == whole


def test_a_row_that_a_session_reads_never_loosens_its_label(vault: Vault) -> None:
    session = vault.session("s-1", agent="coder")
    session.append(role="user", text="a secret thing", data_class="secret")
    session.append(role="user", text="an open thing", data_class="public")
    assert session.label == Label(DataClass.SECRET)
    assert vault.verify().ok


def test_without_keys_nothing_can_be_verified(vault: Vault) -> None:
    assert vault.verify().ok
    vault.ground.outside = replace(vault.ground.outside, verifiable=False, why_read_only="The keys are gone.")
    with pytest.raises(MissingKey):
        vault.verify()


def test_a_witness_of_another_log_is_found(vault: Vault) -> None:
    stored(vault.remember("The lamp is blue"))
    with vault.ground.store.snapshot() as snapshot:
        size = snapshot.head().size
    vault.ground.outside.witness.add(size, b"\x07" * 32, vault.ground.outside.clock.now())
    report = vault.verify()
    assert [one.kind for one in report.findings] == [Kind.WITNESS_MISMATCH]


def test_findings_are_listed_up_to_a_bound_and_all_counted() -> None:
    findings = Findings()
    for number in range(limits.findings_max + 5):
        findings.add(Kind.ALTERED_ROW, f"m_{number}", sentence="x")
    assert (len(findings.listed), findings.total) == (limits.findings_max, limits.findings_max + 5)
    assert findings.listed[-1].id == f"m_{limits.findings_max - 1}"


# The bits


def _record(position: int, rows: int, clock: FakeClock) -> Record:
    return Record(position, clock.now(), b"{}", bytes(33 * rows))


def test_an_entry_is_marked_once(clock: FakeClock) -> None:
    entries = Entries()
    for position, rows in enumerate((3, 0, 9, 1)):
        entries.add(_record(position, rows, clock))
    places = [(0, 0), (0, 1), (0, 2), *((2, index) for index in range(9)), (3, 0)]
    assert all(entries.mark(record, index) for record, index in places)
    assert not any(entries.mark(record, index) for record, index in places)


@pytest.mark.parametrize("place", [(0, 3), (0, -1), (1, 0), (-1, 0), (4, 0), (2, 9), (3, 1), (1 << 62, 0)])
def test_what_no_record_has_is_not_marked(clock: FakeClock, place: tuple[int, int]) -> None:
    entries = Entries()
    for position, rows in enumerate((3, 0, 9, 1)):
        entries.add(_record(position, rows, clock))
    assert not entries.mark(*place)
    assert entries.mark(0, 2)


def test_records_behind_a_gap_are_marked_at_their_own_place(clock: FakeClock) -> None:
    entries = Entries()
    entries.add(_record(0, 2, clock))
    entries.add(_record(10_000_000, 2, clock))
    assert entries.mark(10_000_000, 1) and not entries.mark(1, 0)
    assert entries.mark(0, 1)


# Pages over what cannot be read


def _table(bad: set[int], last: int):
    def fetch(page: Page) -> list[tuple[int, int]]:
        rows = [n for n in range(page.after + 1, last + 1)][: page.limit]
        if bad & set(rows):
            raise Tampered("A row holds what was never written.")
        return [(n, n) for n in rows]

    return fetch


@pytest.mark.parametrize(
    ("bad", "stretches"),
    [(set(), 0), ({1}, 1), ({4}, 1), ({4, 5, 6}, 1), ({2, 9}, 2), ({20}, 1), ({1, 20}, 2)],
)
@pytest.mark.parametrize("rows", [1, 3, 500])
def test_everything_around_what_cannot_be_read_is_walked(
    bad: set[int], stretches: int, rows: int, *, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "walk_rows_max", rows)
    said: list[str] = []
    last = 40 if 20 in bad else 20
    pages = walked_pages(_table(bad, last), first=0, unreadable=lambda: said.append("x"))
    walked = [n for page in pages for n in page]
    assert walked == [n for n in range(1, last + 1) if n not in bad]
    assert len(said) == stretches


def test_a_walk_gives_up_after_a_bound() -> None:
    def fetch(page: Page) -> list[tuple[int, int]]:
        raise Tampered("never")

    said: list[str] = []
    assert list(walked_pages(fetch, first=0, unreadable=lambda: said.append("x"))) == []
    assert said == ["x"]


# Seals


def test_every_kind_of_row_holds_and_is_named(vault: Vault, clock: FakeClock) -> None:
    lived_in(vault, clock)
    seen = set()
    with vault.ground.store.snapshot() as snapshot:
        for code in RowCode:
            for _, sealed in snapshot.sealed_rows(code, Page(0, 100)):
                (entry,) = snapshot.entries_of((sealed.seal,))
                assert holds(vault.ground.vault_key, sealed.row, sealed.seal, entry=entry)
                found, id, _ = committed(sealed.row)
                assert found is code
                numbered = f"{code.name.lower()}/{getattr(sealed.row, 'n', 0)}"
                # Several rows make up one matter, so each goes by its number.
                own = {RowCode.VERSION: "memory", RowCode.MATTER: ""}.get(code, "id")
                assert named(code, id) == getattr(sealed.row, own, numbered)
                seen.add(code)
    assert seen == set(RowCode)


def test_a_row_under_another_key_salt_or_entry_does_not_hold(vault: Vault) -> None:
    vault.session("s-1", agent="coder").append(role="user", text="The lamp is blue")
    key = vault.ground.vault_key
    with vault.ground.store.snapshot() as snapshot:
        ((_, sealed),) = snapshot.sealed_rows(RowCode.EVIDENCE, Page(0, 1))
        (entry,) = snapshot.entries_of((sealed.seal,))
    row = sealed.row
    assert isinstance(row, Evidence) and isinstance(sealed, Sealed)
    other_salt = Seal(bytes(12), sealed.seal.record, sealed.seal.index)
    assert holds(key, row, sealed.seal, entry=entry)
    assert not holds(bytes(32), row, sealed.seal, entry=entry)
    assert not holds(key, row, other_salt, entry=entry)
    assert not holds(key, row, sealed.seal, entry=b"")
    assert not holds(key, replace(row, text="The lamp is red"), sealed.seal, entry=entry)
    assert not holds(key, replace(row, sequence=row.sequence + 1), sealed.seal, entry=entry)
