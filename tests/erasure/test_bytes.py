"""Is no byte of what was erased left in any file of the vault, and is it said when one may be?"""

from collections.abc import Callable, Iterator
from pathlib import Path

import apsw
import pytest

import muniment
from muniment.domain.certificate import Status
from muniment.domain.compaction import Sought
from muniment.domain.ids import packed
from muniment.service.vault import Vault
from muniment.store.sqlite.compact import compacted
from muniment.store.sqlite.search import windows_in
from tests.builders import FakeClock, clocked_vault, stored
from tests.erasure.planting import CODE, FILLER, TWIN, planted


def files_of(path: Path) -> Iterator[Path]:
    """Yield every file of a vault."""
    for one in path.parent.rglob("*"):
        if one.is_file():
            yield one


def left_of(value: str, path: Path) -> set[bytes]:
    """Return the parts of eight bytes of a value that any file of the vault holds, in either case."""
    texts = [spelled.encode() for spelled in (value, value.lower(), value.upper())]
    return windows_in(tuple(files_of(path)), texts)


def _turn(vault: Vault) -> str:
    return vault.session("talk", agent="ada").append("user", f"It is {CODE}, and tea.").evidence[0]


def _keyed(vault: Vault) -> str:
    return stored(vault.remember("The code", about="locker", attribute="code", value=CODE)).id


def _tag(vault: Vault) -> str:
    return stored(vault.remember("A tagged note", tags=[CODE])).id


def _reason(vault: Vault) -> str:
    id = stored(vault.remember("It was so")).id
    return stored(vault.revise(id, "It is so", reason=f"because of {CODE}")).id


def _rejected(vault: Vault) -> str:
    id = stored(vault.remember("Wrong as can be")).id
    return stored(vault.reject(id, reason=f"it names {CODE}")).id


def _linked(vault: Vault) -> str:
    one = stored(vault.remember(f"One end says {CODE}")).id
    vault.link(one, stored(vault.remember("The other end")).id, type="refers_to")
    return one


def _question(vault: Vault) -> str:
    stored(vault.remember("An answer to find"))
    vault.recall(f"find {CODE}")
    vault.settle()
    return CODE


def _chunk(vault: Vault) -> str:
    return vault.ingest(f"{FILLER}Here is {CODE}. {FILLER}", source="handbook").evidence[1]


def _source(vault: Vault) -> str:
    return vault.ingest("A short page.", source=f"file {CODE}.txt").evidence[0]


def _history(vault: Vault) -> str:
    id = stored(vault.remember(f"First {CODE}")).id
    stored(vault.succeed(id, "Then something else"))
    return id


def _space(vault: Vault) -> str:
    return stored(vault.remember("A note in a space of its own", space=f"acme/{CODE}/team")).id


def _key(vault: Vault) -> str:
    return vault.make_key(actor=f"bot {CODE}", space=f"acme/{CODE}", reads=[f"{CODE}/all"], writes=[CODE])[1]


def _actor(vault: Vault) -> str:
    return stored(vault.acting_as(actor=f"bot {CODE}").remember("A note of a bot")).id


def _session(vault: Vault) -> str:
    return vault.session(f"about {CODE}", agent=f"bot {CODE}").append("user", "Tea is at four.").evidence[0]


PLACES: dict[str, Callable[[Vault], str]] = {
    "turn": _turn,
    "keyed": _keyed,
    "tag": _tag,
    "reason": _reason,
    "tombstone's reason": _rejected,
    "link": _linked,
    "question": _question,
    "chunk": _chunk,
    "source": _source,
    "history": _history,
    "space": _space,
    "key": _key,
    "actor": _actor,
    "session": _session,
}
"""Every place that holds text, and how the value gets there."""


@pytest.mark.parametrize("place", sorted(PLACES))
def test_no_byte_is_left_wherever_the_value_stood(tmp_path: Path, clock: FakeClock, place: str) -> None:
    path = tmp_path / "vault.db"
    with clocked_vault(path, clock) as vault:
        kept = stored(vault.remember(f"A neighbour says {TWIN}")).id
        PLACES[place](vault)
        vault.settle()
        assert left_of(CODE, path), "the value was in a file before"
        certificate = vault.erase(vault.plan_erasure(text=CODE))
        assert certificate.status is Status.STORAGE_COMPLETE
        assert "files searched" in certificate.steps
        assert left_of(CODE, path) == set()
        assert left_of(TWIN, path) and vault.read(kept).text
        assert vault.verify().ok
    assert left_of(CODE, path) == set()


def test_no_byte_is_left_when_everything_held_it(tmp_path: Path) -> None:
    path = tmp_path / "vault.db"
    with muniment.open(path) as vault:
        things = planted(vault)
        for place in PLACES.values():
            place(vault)
        for n in range(200):
            stored(vault.remember(f"Neighbour {n} has a locker code of its own: AB{n}-{n * 7919}"))
        certificate = vault.erase(vault.plan_erasure(id=things.memory))
        assert certificate.status is Status.STORAGE_COMPLETE
        assert left_of(CODE, path) == set()
        assert vault.read(things.twin).text
        assert len(vault.recall("neighbour locker code", k=200).hits) > 50
    assert left_of(CODE, path) == set()


def test_so_much_of_a_long_text_is_looked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[bytes] = []
    with muniment.open(tmp_path / "vault.db") as vault:
        stored(vault.remember(f"{CODE} " + "word " * 400))
        compact = vault.ground.store.compact
        monkeypatch.setattr(
            vault.ground.store,
            "compact",
            lambda sought, **given: asked.extend(sought.texts + sought.rows) or compact(sought, **given),
        )
        monkeypatch.setattr("muniment.limits.erasure_scan_bytes_max", 100)
        vault.erase(vault.plan_erasure(text=CODE))
    assert max(map(len, asked)) == 100
    assert CODE.encode() in b" ".join(asked)


def test_a_reader_of_an_older_state_leaves_the_bytes_to_a_job(
    tmp_path: Path, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "vault.db"
    monkeypatch.setattr("muniment.limits.erasure_wait_ms_max", 50)
    with clocked_vault(path, clock) as vault:
        id = stored(vault.remember(f"The code is {CODE}")).id
        reader = apsw.Connection(str(path))
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM version").fetchall()
        certificate = vault.erase(vault.plan_erasure(id=id))
        assert (certificate.status, certificate.storage) == (Status.LOGICAL, None)
        assert left_of(CODE, path), "the reader's state is still there"
        assert [job.kind for job in _jobs(vault)] == ["storage"]
        assert vault.recall("code").hits == ()
        report = vault.run_jobs()
        assert (report.done, report.put_back) == (0, 1)
        reader.execute("COMMIT")
        reader.close()
        clock.advance(minutes=5)
        assert vault.run_jobs().done == 1
        assert left_of(CODE, path) == set()
        later = vault.certificate(certificate.id)
        assert "status storage-complete" in later
        assert [row.status for row in vault.certificates()] == ["storage-complete", "logical"]
        assert _jobs(vault) == []
        assert vault.verify().ok


def _jobs(vault: Vault) -> list[object]:
    with vault.ground.store.snapshot() as snapshot:
        return list(snapshot.jobs())


def test_a_reader_during_an_erasure_sees_its_state_to_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("muniment.limits.erasure_wait_ms_max", 50)
    path = tmp_path / "vault.db"
    with muniment.open(path) as vault, muniment.open(path) as other:
        id = stored(vault.remember(f"The code is {CODE}")).id
        with other.ground.store.snapshot() as snapshot:
            (before,) = snapshot.currents((id,))
            vault.erase(vault.plan_erasure(id=id))
            assert snapshot.currents((id,)) == [before]
        with other.ground.store.snapshot() as snapshot:
            assert snapshot.currents((id,)) == []
        assert other.recall("code").hits == ()


def test_what_other_connections_hold_at_hand_is_not_served(tmp_path: Path) -> None:
    path = tmp_path / "vault.db"
    with muniment.open(path) as vault, muniment.open(path) as other:
        stored(vault.acting_as(actor="Ria Moser").remember("Written by herself"))
        keep = stored(vault.remember("Written by the owner")).id
        assert {row.author for row in map(other.read, [keep])} == {"owner"}
        with other.ground.store.snapshot() as snapshot:
            other.ground.learn_actors(snapshot)
        assert "Ria Moser" in other.ground.actor_names.values()
        vault.erase(vault.plan_erasure(person="Ria Moser"))
        other.recall("written")
        assert "Ria Moser" not in other.ground.actor_names.values()


def test_a_part_that_a_row_still_says_is_no_fault(tmp_path: Path) -> None:
    path = tmp_path / "vault.db"
    with muniment.open(path) as vault:
        gone = stored(vault.remember("The deploy key rotates on Mondays")).id
        stay = stored(vault.remember("The deploy key lies in the safe")).id
        certificate = vault.erase(vault.plan_erasure(id=gone))
        assert certificate.status is Status.STORAGE_COMPLETE
        assert "file written anew" not in certificate.steps
        assert vault.read(stay).text


def test_bytes_that_nothing_explains_make_the_file_be_written_anew(tmp_path: Path) -> None:
    path = tmp_path / "vault.db"
    with muniment.open(path) as vault:
        for n in range(40):
            stored(vault.remember(f"Note {n} of the otter " + "word " * 300))
    raw = apsw.Connection(str(path))
    raw.execute("PRAGMA secure_delete = OFF")
    raw.execute("CREATE TABLE scrap (tenant INTEGER, text TEXT)")
    raw.execute("INSERT INTO scrap VALUES (1, ?)", (f"{CODE} " * 3000,))
    raw.execute("DROP TABLE scrap")
    raw.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    raw.close()
    assert left_of(CODE, path)
    found = compacted(path, Sought((CODE.encode(),)), wait_ms=1000)
    assert found.done and "file written anew" in found.steps
    assert left_of(CODE, path) == set()
    with muniment.open(path) as vault:
        assert vault.verify().ok


def test_a_text_that_a_row_holds_and_should_not_is_not_called_gone(tmp_path: Path) -> None:
    """The twin: bytes between pages that stay are seen, so a clean answer means something."""
    path = tmp_path / "vault.db"
    with muniment.open(path) as vault:
        id = stored(vault.remember("A harmless note")).id
    with path.open("ab") as file:
        file.write(CODE.encode().ljust(4096, b"\x00"))
    assert left_of(CODE, path)
    found = compacted(path, Sought((CODE.encode(),)), wait_ms=1000)
    assert not found.done or left_of(CODE, path) == set()
    with muniment.open(path) as vault:
        assert vault.read(id).text
        assert packed(id)
