"""Is a damaged file found and named, and is every readable row of it saved?"""

import json
import random
from collections.abc import Callable
from pathlib import Path

import apsw
import pytest
from click.testing import CliRunner

import muniment
from muniment import looking
from muniment.domain.changes import Page
from muniment.domain.ledger import RowCode
from muniment.errors import BadStore, DamagedFile, MunimentError, NotAVault
from muniment.service.findings import Kind
from muniment.service.vault import Vault
from muniment.store.sqlite.connection import PAGE_BYTES
from muniment.store.sqlite.salvage import Salvaged
from muniment.surfaces.cli.main import main
from tests.builders import stored
from tests.crash.hurting import MEMORIES, is_found, salvaged


def _rows(vault: Vault) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    with vault.ground.store.snapshot() as snapshot:
        for code in RowCode:
            rows = [sealed.row for _, sealed in snapshot.sealed_rows(code, Page(0, 1000))]
            found[code.name] = {str(row) for row in rows}
    return found


def test_salvaging_a_whole_vault_loses_nothing_and_verifies(path: Path) -> None:
    with muniment.open(path) as vault:
        hits = len(vault.recall("otter", k=50).hits)
    with muniment.open(path) as vault:
        rows = _rows(vault)
    found, out = salvaged(path)
    assert found.whole and found.indexed
    with muniment.open(out) as copy:
        assert _rows(copy) == rows
        assert copy.verify().ok
        assert len(copy.recall("otter", k=50).hits) == hits
        stored(copy.remember("writing goes on"))
        assert all(check.well for check in copy.doctor())


@pytest.mark.parametrize("span", [(0, 16), (16, 100), (18, 20), (0, 100), (0, PAGE_BYTES)])
def test_a_damaged_header_is_named_and_every_row_is_saved(path: Path, span: tuple[int, int]) -> None:
    content = bytearray(path.read_bytes())
    content[slice(*span)] = b"\xa5" * (span[1] - span[0])
    path.write_bytes(content)
    with pytest.raises(DamagedFile) as refused:
        muniment.open(path)
    assert refused.value.code == "damaged-file"
    assert "salvage" in refused.value.advice
    found, out = salvaged(path)
    assert found.whole
    with muniment.open(out) as copy:
        assert copy.verify().ok


def test_a_file_that_never_was_a_vault_is_not_called_a_damaged_one(tmp_path: Path) -> None:
    other = tmp_path / "letter.txt"
    other.write_bytes(b"Dear Ada, the otter sleeps. " * 40)
    with pytest.raises(NotAVault):
        muniment.open(other)


@pytest.mark.parametrize("share", [0.25, 0.6, 0.95])
def test_a_file_that_was_cut_off_is_named_and_its_beginning_is_saved(path: Path, share: float) -> None:
    size = int(path.stat().st_size * share) // PAGE_BYTES * PAGE_BYTES
    with path.open("r+b") as file:
        file.truncate(size)
    with pytest.raises(DamagedFile, match="shorter"):
        muniment.open(path)
    try:
        found, out = salvaged(path)
    except DamagedFile as error:
        assert share < 0.5 and "export" in error.advice
        return
    assert sum(found.kept.values()) > 0
    _verify_names_what_is_missing(found, out)


def _verify_names_what_is_missing(found: Salvaged, out: Path) -> None:
    try:
        with muniment.open(out) as copy:
            report = copy.verify()
    except MunimentError as error:
        assert error.code in {"rolled-back", "tampered"}
        return
    lost = found.records_lost or any(found.lost.values())
    assert not report.ok if lost else True


def _pages(path: Path) -> dict[int, str]:
    """Return what lies on each page of a file: the name of a table or index."""
    connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    found = {page: name for page, name in connection.execute("SELECT pageno, name FROM dbstat")}
    connection.close()
    return found


def _readable(path: Path) -> dict[str, set[int]]:
    """Return the rows that SQLite itself finds one by one in a damaged file, by table."""
    connection = apsw.Connection(
        f"file:{path}?immutable=1", flags=apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
    )
    found: dict[str, set[int]] = {}
    for table, key in (("version", "n"), ("evidence", "n"), ("record", "place")):
        numbers = set()
        for n in range(1 << 40, (1 << 40) + 600):
            try:
                if connection.execute(f"SELECT * FROM {table} WHERE {key} = ?", (n,)).fetchall():
                    numbers.add(n)
            except apsw.Error:
                pass
        found[table] = numbers
    connection.close()
    return found


def _kept(out: Path) -> dict[str, set[int]]:
    connection = apsw.Connection(str(out))
    found = {
        table: {n for (n,) in connection.execute(f"SELECT {key} FROM {table}")}
        for table, key in (("version", "n"), ("evidence", "n"), ("record", "place"))
    }
    connection.close()
    return found


TABLES = ("version", "evidence", "record", "memory", "version_of", "evidence_id", "link", "live_data")


@pytest.mark.parametrize("how", ["zeros", "noise"])
@pytest.mark.parametrize("name", TABLES)
def test_a_damaged_page_is_found_and_no_readable_row_is_lost(
    path: Path, name: str, how: str, rng: random.Random
) -> None:
    page = rng.choice([number for number, holds in _pages(path).items() if holds == name])
    content = bytearray(path.read_bytes())
    span = slice((page - 1) * PAGE_BYTES, page * PAGE_BYTES)
    content[span] = bytes(PAGE_BYTES) if how == "zeros" else rng.randbytes(PAGE_BYTES)
    path.write_bytes(content)
    print(f"page {page} of {name}")
    assert is_found(path)
    readable = _readable(path)
    found, out = salvaged(path)
    kept = _kept(out)
    for table in readable:
        assert readable[table] <= kept[table], table
    if name not in {"version", "evidence", "record"}:
        assert not found.records_lost and not found.lost["version"] and not found.lost["evidence"]
    _verify_names_what_is_missing(found, out)


def test_two_damaged_pages_do_not_take_what_lies_between_them(path: Path) -> None:
    pages = sorted(number for number, holds in _pages(path).items() if holds == "version")
    assert len(pages) > 8
    content = bytearray(path.read_bytes())
    for page in (pages[2], pages[-3]):
        content[(page - 1) * PAGE_BYTES : page * PAGE_BYTES] = bytes(PAGE_BYTES)
    path.write_bytes(content)
    readable = _readable(path)
    found, out = salvaged(path)
    assert 0 < found.lost["version"] < MEMORIES / 2
    assert readable["version"] <= _kept(out)["version"]
    with muniment.open(out) as copy:
        report = copy.verify()
        assert {one.kind for one in report.findings} & {Kind.DELETED_ROW}
        assert len(copy.recall("otter", k=100).hits) > 40


def test_a_lost_head_is_made_anew_only_from_a_whole_history(path: Path) -> None:
    """Else an older version, which was taken back, could stand up as the newest (I4)."""
    connection = apsw.Connection(str(path))
    ((memory, n),) = connection.execute(
        "SELECT memory, max(n) FROM version GROUP BY memory HAVING count(*) = 2 LIMIT 1"
    ).fetchall()
    connection.execute("DELETE FROM memory")
    connection.execute("DELETE FROM version WHERE n = ?", (n,))
    connection.close()
    found, out = salvaged(path)
    assert found.heads_made == MEMORIES - 1
    assert found.lost["version"] == 1
    connection = apsw.Connection(str(out))
    assert not connection.execute("SELECT 1 FROM memory WHERE memory = ?", (memory,)).fetchall()
    connection.close()
    with muniment.open(out) as copy:
        assert len(copy.recall("otter", k=50).hits) > 40


def _existing(path: Path, out: Path) -> None:
    out.write_text("something else", encoding="utf-8")


def _existing_keys(path: Path, out: Path) -> None:
    out.with_name(f"{out.name}.keys").mkdir()


@pytest.mark.parametrize("prepare", [_existing, _existing_keys])
def test_salvage_writes_over_nothing(
    path: Path, tmp_path: Path, prepare: Callable[[Path, Path], None]
) -> None:
    out = tmp_path / "copy.db"
    prepare(path, out)
    before = sorted(each.name for each in tmp_path.iterdir())
    with pytest.raises(BadStore):
        looking.salvage_vault(str(path), str(out))
    assert sorted(each.name for each in tmp_path.iterdir()) == before


def test_what_is_no_vault_at_all_is_not_salvaged_and_leaves_nothing(tmp_path: Path) -> None:
    junk = tmp_path / "junk.db"
    junk.write_bytes(random.Random(1).randbytes(20 * PAGE_BYTES))
    with pytest.raises(DamagedFile, match="Nothing"):
        looking.salvage_vault(str(junk), str(tmp_path / "copy.db"))
    assert [each.name for each in tmp_path.iterdir() if each.name != "muniment-home"] == ["junk.db"]


def test_the_command_says_what_was_kept_and_lost(path: Path, tmp_path: Path) -> None:
    page = next(
        number for number, holds in sorted(_pages(path).items()) if holds == "version" and number > 20
    )
    content = bytearray(path.read_bytes())
    content[(page - 1) * PAGE_BYTES : page * PAGE_BYTES] = bytes(PAGE_BYTES)
    path.write_bytes(content)
    out = tmp_path / "copy.db"
    done = CliRunner().invoke(main, ["--vault", str(path), "salvage", str(out), "--json"])
    assert done.exit_code == 5, done.output
    said = json.loads(done.output)
    assert said["lost"]["version"] > 0 and not said["whole"]
    again = CliRunner().invoke(main, ["--vault", str(out), "salvage", str(tmp_path / "second.db")])
    assert "version:" in again.output and "verify" in again.output
