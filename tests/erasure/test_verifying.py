"""Does `verify` tell what was erased from what somebody deleted, put back or forged?

Every edit is made with plain statements, by someone who can write the file and has no key.
"""

import shutil
from collections.abc import Callable
from pathlib import Path

import apsw
import pytest

import muniment
from muniment.domain.ids import packed
from muniment.errors import BadInput, Tampered
from muniment.service import export_reading
from tests.builders import stored
from tests.carrying import edited, lines
from tests.erasure.planting import CODE, TWIN


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """Return a vault of which something was erased, with an older copy of its file beside it."""
    path = tmp_path / "vault.db"
    with muniment.open(path) as vault:
        session = vault.session("talk", agent="coder")
        turn = session.append("user", f"It is {CODE}. The spare is {TWIN}.").evidence[0]
        gone = stored(vault.remember(f"The code is {CODE}", evidence=[turn])).id
        kept = stored(vault.remember(f"The spare is {TWIN}", evidence=[turn])).id
        vault.link(kept, gone, type="refers_to")
        path.with_name("ids").write_text(f"{gone} {kept} {turn}", "utf-8")
    shutil.copyfile(path, tmp_path / "older.db")
    with muniment.open(path) as vault:
        vault.erase(vault.plan_erasure(id=gone))
    return path


def ids(place: Path) -> tuple[str, str, str]:
    gone, kept, turn = place.with_name("ids").read_text("utf-8").split()
    return gone, kept, turn


def edit(place: Path, *statements: str, values: tuple[object, ...] = ()) -> None:
    """Run an attacker's statements, the older copy attached as `older`."""
    database = apsw.Connection(str(place))
    database.execute("ATTACH ? AS older", (str(place.with_name("older.db")),))
    for statement in statements:
        database.execute(statement, values)
        assert database.changes() > 0, statement
    database.close()


def kinds(place: Path) -> set[str]:
    with muniment.open(place) as vault:
        return {finding.kind.value for finding in vault.verify().findings}


def test_an_erased_vault_verifies(place: Path) -> None:
    assert kinds(place) == set()


def _put_back(place: Path) -> None:
    gone, _, _ = ids(place)
    edit(
        place,
        "INSERT INTO version SELECT * FROM older.version WHERE memory = ?",
        "INSERT INTO memory SELECT * FROM older.memory WHERE memory = ?",
        values=(packed(gone),),
    )


def _old_turn_put_back(place: Path) -> None:
    _, _, turn = ids(place)
    edit(place, "DELETE FROM evidence WHERE id = ?", values=(packed(turn),))
    edit(place, "INSERT INTO evidence SELECT * FROM older.evidence WHERE id = ?", values=(packed(turn),))


def _link_put_back(place: Path) -> None:
    gone, _, _ = ids(place)
    edit(place, "INSERT INTO link SELECT * FROM older.link WHERE source = ?", values=(packed(gone),))


def _kept_deleted(place: Path) -> None:
    _, kept, _ = ids(place)
    statements = ("DELETE FROM version WHERE memory = ?", "DELETE FROM memory WHERE memory = ?")
    edit(place, *statements, values=(packed(kept),))


def _stub_deleted(place: Path) -> None:
    edit(place, "DELETE FROM stub WHERE n = (SELECT min(n) FROM stub)")


def _stub_aimed_elsewhere(place: Path) -> None:
    """Let a true stub account for a row that the attacker deletes."""
    _, kept, _ = ids(place)
    (row,) = _rows(place, "SELECT record, idx FROM version WHERE memory = ?", packed(kept))
    edit(
        place,
        "UPDATE stub SET made_by = ?, place = ? WHERE n = (SELECT min(n) FROM stub)",
        values=row,
    )
    _kept_deleted(place)


def _stub_forged(place: Path) -> None:
    """Add a stub of one's own for a row that the attacker deletes."""
    _, kept, _ = ids(place)
    (row,) = _rows(place, "SELECT record, idx FROM version WHERE memory = ?", packed(kept))
    edit(
        place,
        "INSERT INTO stub SELECT tenant, n + 1000, code, ?, ?, ?, erasure, space, origin, salt, record, idx"
        " FROM stub WHERE n = (SELECT min(n) FROM stub)",
        values=(packed(kept)[1:], *row),
    )
    _kept_deleted(place)


def _certificate_deleted(place: Path) -> None:
    edit(place, "DELETE FROM certificate WHERE status = 'logical'")


def _certificate_altered(place: Path) -> None:
    edit(place, "UPDATE certificate SET note = replace(note, 'logical', 'storage-complete')")


def _tombstone_deleted(place: Path) -> None:
    edit(place, "DELETE FROM tombstone_digest", "DELETE FROM tombstone")


def _turn_altered(place: Path) -> None:
    edit(place, f"UPDATE evidence SET text = replace(text, '[erased]', '{CODE}')")


def _rows(place: Path, statement: str, *values: object) -> list[tuple[object, ...]]:
    database = apsw.Connection(str(place))
    found = database.execute(statement, values).fetchall()
    database.close()
    return found


EDITS: dict[str, tuple[Callable[[Path], None], str]] = {
    "an erased memory put back": (_put_back, "erased-row-back"),
    "the old words of a turn put back": (_old_turn_put_back, "erased-row-back"),
    "an erased link put back": (_link_put_back, "erased-row-back"),
    "another memory deleted": (_kept_deleted, "deleted-row"),
    "a stub deleted": (_stub_deleted, "deleted-row"),
    "a stub aimed elsewhere": (_stub_aimed_elsewhere, "altered-row"),
    "a stub forged": (_stub_forged, "inserted-row"),
    "a certificate deleted": (_certificate_deleted, "deleted-row"),
    "a certificate altered": (_certificate_altered, "altered-row"),
    "tombstones deleted": (_tombstone_deleted, "deleted-row"),
    "a turn altered": (_turn_altered, "altered-row"),
}


@pytest.mark.parametrize("name", sorted(EDITS))
def test_what_was_done_behind_an_erasure_is_named(place: Path, name: str) -> None:
    attack, kind = EDITS[name]
    attack(place)
    found = kinds(place)
    assert kind in found
    if name.startswith(("a stub aimed", "a stub forged")):
        assert "deleted-row" in found, "the row that the stub was to cover is still missed"


def test_a_finding_holds_nothing_of_what_was_erased(place: Path) -> None:
    _put_back(place)
    with muniment.open(place) as vault:
        said = str(vault.verify())
    assert "HERON" not in said


def test_an_export_after_an_erasure_is_whole_and_restores(place: Path, tmp_path: Path) -> None:
    export = tmp_path / "after.jsonl"
    with muniment.open(place) as vault:
        vault.export(export)
    assert CODE not in export.read_text("utf-8") and TWIN in export.read_text("utf-8")
    with muniment.open(tmp_path / "again.db") as other:
        other.restore(export)
        assert other.verify().ok
        other.export(tmp_path / "second.jsonl")
        assert {row["row"] for row in lines(export)[1:]} >= {"stub", "certificate"}
        assert [row.status for row in other.certificates()] == ["storage-complete", "logical"]
    assert export.read_bytes() == (tmp_path / "second.jsonl").read_bytes()


def _without(name: str) -> Callable[[list[dict[str, object]]], None]:
    def change(rows: list[dict[str, object]]) -> None:
        rows[:] = [row for row in rows if row.get("row") != name]

    return change


@pytest.mark.parametrize("name", ["stub", "certificate", "version", "evidence"])
def test_an_export_that_lacks_a_row_is_refused(place: Path, tmp_path: Path, name: str) -> None:
    export = tmp_path / "cut.jsonl"
    with muniment.open(place) as vault:
        vault.export(export)
    edited(export, _without(name))
    with muniment.open(tmp_path / "again.db") as other, pytest.raises((Tampered, BadInput)):
        other.restore(export)


def test_the_log_of_an_export_accounts_for_every_row(place: Path, tmp_path: Path) -> None:
    """The walk behind the signature: a missing row is found by itself, not only by the file's digest."""
    export = tmp_path / "cut.jsonl"
    with muniment.open(place) as vault:
        vault.export(export)
        key = vault.ground.vault_key

    def walked() -> None:
        with export.open("rb") as file:
            header = export_reading.header_in(file)
            export_reading._check_log(file, header, key)

    walked()
    edited(export, _without("link"))
    with pytest.raises(Tampered):
        walked()
