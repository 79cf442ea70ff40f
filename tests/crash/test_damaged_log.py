"""Is a damaged write-ahead log, or a damaged index, named and mended without the loss of a row?"""

import shutil
from dataclasses import replace
from pathlib import Path

import apsw
import pytest

import muniment
from muniment import limits
from muniment.errors import DamagedFile, DamagedIndex
from muniment.store.sqlite import examine
from muniment.store.sqlite.connection import PAGE_BYTES
from muniment.store.sqlite.log_file import log_seen, mended_log
from muniment.wiring import current_settings
from tests.builders import stored
from tests.crash.hurting import MEMORIES, digest, is_found, salvaged

LOG_HEADER, FRAME = 32, PAGE_BYTES + 24


@pytest.fixture
def logged(path: Path, tmp_path: Path) -> Path:
    """Return a vault with twenty writes that are only in its write-ahead log, as after a kill."""
    with muniment.open(path) as vault:
        for n in range(20):
            stored(vault.remember(f"logged note {n} of the marten"))
        shutil.copytree(path.parent, tmp_path / "logged")
    (tmp_path / "logged" / "vault.db-shm").unlink(missing_ok=True)
    return tmp_path / "logged" / "vault.db"


def _log_of(path: Path) -> Path:
    return path.with_name(f"{path.name}-wal")


def _flipped(path: Path, at: int) -> None:
    content = bytearray(path.read_bytes())
    content[at] ^= 0x10
    path.write_bytes(content)


@pytest.mark.parametrize("at", [0, 17, LOG_HEADER + 9, LOG_HEADER + 2_000, LOG_HEADER + 9 * FRAME + 1_000])
def test_a_damaged_log_is_named_and_every_acknowledged_write_is_saved(logged: Path, at: int) -> None:
    _flipped(_log_of(logged), at)
    with pytest.raises(DamagedFile, match="log") as refused:
        muniment.open(logged)
    assert "salvage" in refused.value.advice
    found, out = salvaged(logged)
    assert found.kept["version"] == MEMORIES + MEMORIES // 10 + 1 + 20
    assert found.whole
    with muniment.open(out) as copy:
        assert len(copy.recall("marten", k=50).hits) == 20
        assert copy.verify().ok


def test_a_whole_log_is_taken_in_without_a_word(logged: Path) -> None:
    with muniment.open(logged) as vault:
        assert len(vault.recall("marten", k=50).hits) == 20
        assert vault.verify().ok


def test_a_last_transaction_that_was_cut_off_is_no_damage(logged: Path) -> None:
    """Nobody had an answer for it: that is how a loss of power looks."""
    log = _log_of(logged)
    with log.open("r+b") as file:
        file.truncate(log_seen(log).ends[-1] * FRAME + LOG_HEADER - 100)
    with muniment.open(logged) as vault:
        assert len(vault.recall("marten", k=50).hits) >= 18
        assert vault.verify().ok


def test_a_refused_log_is_still_there_for_salvage_after_many_tries(logged: Path) -> None:
    _flipped(_log_of(logged), LOG_HEADER + 2_000)
    before = digest(_log_of(logged))
    for _ in range(3):
        with pytest.raises(DamagedFile):
            muniment.open(logged)
    assert digest(_log_of(logged)) == before


def test_a_mended_log_is_the_log_when_nothing_was_damaged(logged: Path) -> None:
    log = _log_of(logged).read_bytes()
    mended = mended_log(log)
    assert log.startswith(mended)
    assert len(mended) == LOG_HEADER + log_seen(_log_of(logged)).ends[-1] * FRAME
    assert mended_log(b"") == mended_log(log[:20]) == mended_log(log[:LOG_HEADER]) == b""


INDEX_DAMAGE = {
    "content": "UPDATE live_data SET block = randomblob(length(block)) WHERE id > 10",
    "structure": "UPDATE live_data SET block = zeroblob(20) WHERE id = 10",
    "directory": "DELETE FROM live_idx",
    "emptied": "DELETE FROM live_data WHERE id > 10",
}


@pytest.mark.parametrize("kind", INDEX_DAMAGE)
def test_a_damaged_index_is_named_and_mended_by_reindex_alone(path: Path, kind: str) -> None:
    with muniment.open(path) as vault:
        hits = [hit.text for hit in vault.recall("otter number 77").hits]
    connection = apsw.Connection(str(path))
    connection.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, 0)
    connection.execute(INDEX_DAMAGE[kind])
    connection.close()
    with muniment.open(path) as vault:
        said = [check.sentence for check in vault.doctor() if not check.well]
        assert any("damaged-index" in sentence and "reindex" in sentence for sentence in said), said
        id = vault.memories(limit=1)[0].memory
        assert vault.history(id), "reading by id goes on"
        vault.reindex()
        assert all(check.well for check in vault.doctor())
        assert [hit.text for hit in vault.recall("otter number 77").hits] == hits
        assert vault.verify().ok


def test_an_index_that_cannot_even_be_emptied_is_made_anew_by_salvage(path: Path) -> None:
    connection = apsw.Connection(str(path))
    connection.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, 0)
    connection.execute("DELETE FROM live_config")
    connection.close()
    assert is_found(path)
    found, out = salvaged(path)
    assert found.whole
    with muniment.open(out) as copy:
        assert copy.recall("otter").hits
        assert all(check.well for check in copy.doctor() if check.name != "reserve")


def _index_damaged(path: Path) -> None:
    connection = apsw.Connection(str(path))
    connection.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, 0)
    connection.execute(INDEX_DAMAGE["content"])
    connection.close()


def test_a_damaged_index_has_a_code_of_its_own_when_a_search_meets_it(path: Path) -> None:
    _index_damaged(path)
    with muniment.open(path) as vault, pytest.raises(DamagedIndex):
        vault.search("otter")


def test_a_recall_goes_on_without_the_index_and_says_so(path: Path) -> None:
    with muniment.open(path) as vault:
        asked = vault.recall("otter number 77")
    assert asked.outcome != "degraded"
    _index_damaged(path)
    with muniment.open(path) as vault:
        answer = vault.recall("otter number 77")
        assert answer.hits[0].text == asked.hits[0].text
        assert answer.outcome == "degraded"
        assert any("muniment reindex" in note for note in answer.notes), answer.notes
        assert not vault.recall("zeppelin").hits, "what holds no word of the question is no hit"
        vault.reindex()
        assert vault.recall("otter number 77").outcome != "degraded"


def test_without_the_index_so_many_of_the_newest_rows_are_looked_through(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "unindexed_rows_max", 3)
    _index_damaged(path)
    # By words alone: what is near in meaning is found without the index, however old.
    settings = replace(current_settings(), embedder="off")
    with muniment.open(path, settings=settings) as vault:
        stored(vault.remember("The zeppelin is in the shed"))
        assert vault.recall("zeppelin").hits
        for number in range(3):
            stored(vault.remember(f"Note {number} is kept"))
        assert not vault.recall("zeppelin").hits


def test_doctor_says_when_this_sqlite_finds_no_words(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with muniment.open(path) as vault:
        assert [check.well for check in vault.doctor() if check.name == "full text"] == [True]
        without = {"make_probe": "CREATE VIRTUAL TABLE probe USING fts0 (terms)"}
        monkeypatch.setattr(examine, "CARE", {**examine.CARE, **without})
        (found,) = [check for check in vault.doctor() if check.name == "full text"]
        assert not found.well
