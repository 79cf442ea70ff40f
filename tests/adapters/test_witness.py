"""Does the witness remember what the log was, and does nobody else's word count?"""

import os
import stat
import threading
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from muniment.adapters.keys import FileKeyring, MemoryKeyring
from muniment.adapters.signing import is_signed
from muniment.adapters.witness import FileWitness, MemoryWitness
from muniment.domain import checkpoint
from muniment.domain.checkpoint import origin_of
from muniment.errors import BadInput, MunimentError, Tampered

AT = datetime(2026, 3, 1, 9, 30, tzinfo=UTC)
ORIGIN = origin_of("v_one", 1)
RING = MemoryKeyring()


def root(number: int) -> bytes:
    return number.to_bytes(32, "big")


@pytest.fixture(params=["file", "memory"])
def witness(request: pytest.FixtureRequest, tmp_path: Path) -> FileWitness | MemoryWitness:
    return FileWitness(tmp_path, RING, ORIGIN) if request.param == "file" else MemoryWitness(RING, ORIGIN)


@pytest.fixture
def filed(tmp_path: Path) -> FileWitness:
    return FileWitness(tmp_path, RING, ORIGIN)


def test_a_witness_begins_with_nothing(witness: FileWitness | MemoryWitness) -> None:
    assert witness.newest() is None
    assert list(witness.notes()) == []


def test_a_kept_checkpoint_is_the_newest_and_signed(witness: FileWitness | MemoryWitness) -> None:
    witness.add(1, root(1), AT)
    note = witness.add(5, root(5), AT)
    assert witness.newest() == (5, root(5))
    assert len(list(witness.notes())) == 2
    found = checkpoint.verified(note, [RING.public_key], check=is_signed)
    assert (found.origin, found.size, found.root, found.at) == (ORIGIN, 5, root(5), AT)


def test_a_step_back_is_signed_but_not_kept(witness: FileWitness | MemoryWitness) -> None:
    """Two processes may sign out of order; the newest must stay the newest."""
    witness.add(5, root(5), AT)
    note = witness.add(3, root(3), AT)
    assert checkpoint.verified(note, [RING.public_key], check=is_signed).size == 3
    assert witness.newest() == (5, root(5))
    assert len(list(witness.notes())) == 1


def test_the_same_head_is_kept_once(witness: FileWitness | MemoryWitness) -> None:
    witness.add(5, root(5), AT)
    witness.add(5, root(5), AT + timedelta(hours=1))
    assert len(list(witness.notes())) == 1


def test_another_root_at_the_same_size_is_tampering(witness: FileWitness | MemoryWitness) -> None:
    witness.add(5, root(5), AT)
    with pytest.raises(Tampered, match="another root"):
        witness.add(5, root(6), AT)


def test_a_new_epoch_cites_the_head_it_leaves(witness: FileWitness | MemoryWitness) -> None:
    old = witness.add(9, root(9), AT)
    note = witness.new_epoch(old, 4, root(4), why="rolled-back", at=AT)
    found = checkpoint.verified(note, [RING.public_key], check=is_signed)
    assert (found.epoch, found.size, found.why) == (2, 4, "rolled-back")
    assert found.follows is not None
    assert (found.follows.origin, found.follows.size, found.follows.root) == (ORIGIN, 9, root(9))
    assert witness.newest() == (4, root(4))


def test_after_a_new_epoch_checkpoints_belong_to_it(witness: FileWitness | MemoryWitness) -> None:
    witness.new_epoch(witness.add(9, root(9), AT), 4, root(4), why="rolled-back", at=AT)
    witness.add(5, root(5), AT)
    newest = witness.newest_checkpoint()
    assert newest is not None
    assert (newest.epoch, newest.size) == (2, 5)


def test_a_new_epoch_takes_no_free_text(witness: FileWitness | MemoryWitness) -> None:
    """A note is never erased, so a name written into it would stay for ever."""
    with pytest.raises(BadInput):
        witness.new_epoch(witness.add(1, root(1), AT), 1, root(1), why="Ada asked for it", at=AT)


def test_a_new_epoch_does_not_follow_a_stranger(witness: FileWitness | MemoryWitness) -> None:
    strange = MemoryWitness(MemoryKeyring(b"stranger"), ORIGIN).add(1, root(1), AT)
    with pytest.raises(Tampered):
        witness.new_epoch(strange, 1, root(1), why="restored", at=AT)
    other_vault = MemoryWitness(RING, origin_of("v_two", 1)).add(1, root(1), AT)
    with pytest.raises(Tampered, match="another vault"):
        witness.new_epoch(other_vault, 1, root(1), why="restored", at=AT)


def test_the_file_is_private_and_outlives_its_process(filed: FileWitness, tmp_path: Path) -> None:
    filed.add(2, root(2), AT)
    assert stat.S_IMODE((tmp_path / "witness").stat().st_mode) == 0o600
    assert FileWitness(tmp_path, RING, ORIGIN).newest() == (2, root(2))


def test_another_process_is_seen_at_once(filed: FileWitness, tmp_path: Path) -> None:
    other = FileWitness(tmp_path, RING, ORIGIN)
    filed.add(2, root(2), AT)
    assert other.newest() == (2, root(2))
    filed.add(3, root(3), AT)
    assert other.newest() == (3, root(3))


def test_an_unchanged_file_is_not_read_again(filed: FileWitness) -> None:
    filed.add(2, root(2), AT)
    assert filed.newest_checkpoint() is filed.newest_checkpoint()


@pytest.mark.parametrize("at", [20, 40, 60, 90, 130, 200, -5])
def test_an_altered_note_is_tampering(filed: FileWitness, tmp_path: Path, at: int) -> None:
    filed.add(200, root(2**250 - 1), AT)
    content = bytearray((tmp_path / "witness").read_bytes())
    content[at] = ord("1") if content[at] != ord("1") else ord("2")
    (tmp_path / "witness").write_bytes(bytes(content))
    with pytest.raises(Tampered):
        FileWitness(tmp_path, RING, ORIGIN).newest()


def test_a_note_of_another_key_or_vault_is_tampering(filed: FileWitness, tmp_path: Path) -> None:
    filed.add(2, root(2), AT)
    with pytest.raises(Tampered, match="signature"):
        FileWitness(tmp_path, MemoryKeyring(b"other"), ORIGIN).newest()
    with pytest.raises(Tampered, match="another vault"):
        FileWitness(tmp_path, RING, origin_of("v_two", 1)).newest()


def test_rubbish_behind_the_last_note_is_tampering(filed: FileWitness, tmp_path: Path) -> None:
    filed.add(2, root(2), AT)
    with (tmp_path / "witness").open("ab") as file:
        file.write(b"one\n\ntwo\n\nthree\n\n")
    with pytest.raises(Tampered, match="end in a checkpoint"):
        filed.newest()


def test_a_note_torn_by_a_crash_is_passed_over_and_replaced(filed: FileWitness, tmp_path: Path) -> None:
    path = tmp_path / "witness"
    filed.add(2, root(2), AT)
    whole = path.read_bytes()
    filed.add(3, root(3), AT)
    both = path.read_bytes()
    for cut in range(len(whole), len(both)):
        path.write_bytes(both[:cut])
        torn = FileWitness(tmp_path, RING, ORIGIN)
        assert torn.newest() == (2, root(2)), cut
    path.write_bytes(both[:-1])
    filed.add(4, root(4), AT)
    assert [checkpoint.parsed(note).size for note in filed.notes()] == [2, 4]


def test_a_torn_first_note_is_no_note(filed: FileWitness, tmp_path: Path) -> None:
    filed.add(2, root(2), AT)
    whole = (tmp_path / "witness").read_bytes()
    (tmp_path / "witness").write_bytes(whole[:-1])
    assert filed.newest() is None
    filed.add(3, root(3), AT)
    assert [checkpoint.parsed(note).size for note in filed.notes()] == [3]


def test_the_file_stays_bounded_and_keeps_what_matters(tmp_path: Path) -> None:
    short = FileWitness(tmp_path, RING, ORIGIN, notes_kept=10)
    old = short.add(1, root(1), AT)
    for size in range(2, 6):
        old = short.add(size, root(size), AT)
    short.new_epoch(old, 3, root(3), why="rolled-back", at=AT)
    longest = 0
    for size in range(4, 80):
        short.add(size, root(size), AT)
        longest = max(longest, len(list(short.notes())))
    found = [checkpoint.parsed(note) for note in short.notes()]
    assert longest <= 20
    assert (found[0].epoch, found[0].size) == (1, 1)
    assert [each.size for each in found if each.follows] == [3]
    assert [each.size for each in found[-10:]] == list(range(70, 80))
    assert short.newest() == (79, root(79))
    assert sorted(os.listdir(tmp_path))[-2:] == ["witness", "witness.lock"]


def test_threads_lose_no_checkpoint(tmp_path: Path) -> None:
    failures: list[MunimentError] = []

    def sign(step: int) -> None:
        own = FileWitness(tmp_path, RING, ORIGIN)
        try:
            for size in range(step, 60, 3):
                own.add(size, root(size), AT)
        except MunimentError as error:
            failures.append(error)

    threads = [threading.Thread(target=sign, args=(step,)) for step in (1, 2, 3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert failures == []
    witness = FileWitness(tmp_path, RING, ORIGIN)
    sizes = [checkpoint.verified(n, [RING.public_key], check=is_signed).size for n in witness.notes()]
    assert sizes == sorted(set(sizes))
    assert sizes[-1] == 59


def test_notes_of_an_earlier_signing_key_still_count(tmp_path: Path) -> None:
    directory = tmp_path / "vault.db.keys"
    ring = FileKeyring.create(directory, "v_one")
    FileWitness(directory, ring, ORIGIN).add(2, root(2), AT)
    ring.rotate_signing(AT)
    again = FileWitness(directory, FileKeyring.load(directory, "v_one"), ORIGIN)
    assert again.newest() == (2, root(2))
    again.add(3, root(3), AT)
    assert again.newest() == (3, root(3))
