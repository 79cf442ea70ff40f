"""How does a vault leave its place, and how does another take it over?  Files and keys.

Taking over gives this vault's key directory the id, vault key and tombstone keys of the
vault that an export came from.  The signing key stays this vault's own; the other's public
key stays beside it, since the witness's first note is signed with it.

The new keys lie ready before the rows are committed, and take the old ones' place after it.
A process that dies between leaves that to whoever opens the vault next: the head says whose
it is, and which log it goes on from.
"""

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path
from typing import BinaryIO

from muniment.adapters import files, signing
from muniment.adapters.journal import FileJournal
from muniment.adapters.keys import FileKeyring, blocks_beside, vault_id_of
from muniment.adapters.witness import FileWitness
from muniment.domain import checkpoint
from muniment.domain.ledger import TenantHead, root_of
from muniment.domain.vault_keys import VaultKeys
from muniment.errors import BadInput, Busy, MissingKey

_WHAT = "The export"
_KEYS = "The key directory"
_RESTORING = "restoring"
"""A file beside keys that lie ready, held by whoever is at that restore."""

_DATABASE = b"SQLite format 3\0"
"""How every file of a database begins."""


def _is_database(path: Path) -> bool:
    if not path.is_file():
        return False
    with open(path, "rb") as file:
        return file.read(len(_DATABASE)) == _DATABASE


class FileCarrier:
    """Carry the vault whose keys lie in `directory`."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory

    def refuse_taken(self, path: Path) -> None:
        """Raise BadInput where an export would take the place of something that is none.

        A device, a directory, a database, and whatever belongs to the vault itself: an
        export that was called like its vault would be the last thing left of it.
        """
        with files.translated(_WHAT):
            if self._is_the_vaults(path) or not files.is_replaceable(path) or _is_database(path):
                raise BadInput(
                    "There is something at the path that an export may not replace.",
                    advice="Name a new file, outside the vault's own ones.",
                )

    def _is_the_vaults(self, path: Path) -> bool:
        real, keys = path.resolve(), self._directory.resolve()
        vault = keys.name.removesuffix(".keys")
        blocks = blocks_beside(keys)
        beside = {vault + ending for ending in ("", "-wal", "-shm", "-journal", ".lock", ".reserve")}
        inside = real.is_relative_to(keys) or real.is_relative_to(blocks)
        return inside or (real.parent == keys.parent and real.name in beside)

    @contextmanager
    def writing(self, path: Path) -> Iterator[BinaryIO]:
        """Yield a private file that takes the place of `path` when the block ends well.

        Raises Unreadable, ReadOnly or FullDisk; then `path` is as it was.
        """
        with files.translated(_WHAT), files.whole(path) as file:
            yield file

    @contextmanager
    def reading(self, path: Path) -> Iterator[BinaryIO]:
        """Yield the file at `path`; raises Unreadable when there is none."""
        with files.translated(f"{_WHAT}'s file {path.name}"), open(path, "rb") as file:
            yield file

    def is_signed(self, public_key: bytes, signature: bytes, message: bytes) -> bool:
        """Return whether `signature` is the Ed25519 signature of `message` by `public_key`."""
        return signing.is_signed(public_key, signature, message)

    def adoption(
        self, keys: VaultKeys, *, public_key: bytes, note: str, at: datetime
    ) -> Callable[[], tuple[FileKeyring, FileWitness]]:
        """Lay a vault's keys ready, with the epoch that follows `note`; return what puts them in force.

        Call it once the rows are committed.  What is laid ready takes the place of what an
        earlier restore left so, and nothing else changes.  Raises Tampered when `public_key` did
        not sign `note`.
        """
        followed = checkpoint.verified(note, (public_key,), check=signing.is_signed)
        ready = _ready(self._directory)
        draft = self._directory.with_name(f".{self._directory.name}.{os.urandom(4).hex()}.part")
        with files.translated(_KEYS):
            try:
                self._fill(draft, keys, public_key)
                keyring = FileKeyring.load(draft, keys.vault)
                witness = FileWitness(draft, keyring, followed.origin)
                witness.new_epoch(note, followed.size, followed.root, why="restored", at=at)
                alive = files.held(draft / _RESTORING)
                _removed(ready)
                os.rename(draft, ready)
                files.sync_directory(ready.parent)
            finally:
                _removed(draft)

        def taken_over() -> tuple[FileKeyring, FileWitness]:
            with files.translated(_KEYS), alive:
                _put_in_force(self._directory)
            keyring = FileKeyring.load(self._directory, keys.vault)
            return keyring, FileWitness(self._directory, keyring, followed.origin)

        return taken_over

    def in_force(self, head: TenantHead) -> tuple[FileKeyring, FileWitness]:
        """Return the keys and the witness of the vault that a head is of, as they lie here by now.

        Where another process has committed a restore and not come to its keys yet, they are put in
        force.  Raises MissingKey when the keys are another vault's.
        """
        finish_adoption(self._directory, lambda: head, clears=False)
        keyring = FileKeyring.load(self._directory, head.vault)
        return keyring, FileWitness(self._directory, keyring, checkpoint.origin_of(head.vault, head.epoch))

    def _fill(self, draft: Path, keys: VaultKeys, public_key: bytes) -> None:
        seed = files.read_private(self._directory / "signing.key", bytes_max=signing.SEED_BYTES)
        files.make_private_directory(draft)
        files.write_new(draft / "signing.key", seed)
        files.write_new(draft / "signing-0001.pub", public_key)
        files.write_new(draft / "vault.key", keys.vault_key)
        for number, key in keys.tombstone_keys:
            files.write_new(draft / f"tombstone-{number:04}.key", key)
        files.write_new(draft / "vault.id", f"{keys.vault}\n".encode("ascii"))
        if vault_id_of(self._directory) == keys.vault:
            # The same vault comes back from an export: what it erased since is not forgotten.
            for line in FileJournal(self._directory).lines():
                FileJournal(draft).add(line)


def finish_adoption(
    directory: Path, head_now: Callable[[], TenantHead], *, clears: bool = True
) -> TenantHead:
    """Put keys in force that a restore laid ready and did not come to, if the head is what it left.

    Keys of a restore that was undone belong to no head.  They go with `clears`, once nobody is at
    that restore any more and the vault is still empty; with a log they stay, as the file may be an
    older copy whose newer one needs them.  Returns the head.
    """
    head, ready = head_now(), _ready(directory)
    if not ready.is_dir():
        return head
    with files.translated(_KEYS):
        if _follows(ready, head):
            _put_in_force(directory)
        elif clears and not head.size:
            head = _cleared(directory, head_now)
    return head


def _follows(ready: Path, head: TenantHead) -> bool:
    """Return whether the keys that lie ready are of this head's vault and epoch, with this very log."""
    origin = checkpoint.origin_of(head.vault, head.epoch)
    try:
        newest = FileWitness(ready, FileKeyring.load(ready, head.vault), origin).newest_checkpoint()
    except MissingKey:
        # They are another vault's.
        return False
    left = checkpoint.Head(origin, head.size, root_of(head.frontier))
    return newest is not None and checkpoint.Head(newest.origin, newest.size, newest.root) == left


def _cleared(directory: Path, head_now: Callable[[], TenantHead]) -> TenantHead:
    """Take away the keys of a restore that nobody is at; return the head as it is then."""
    ready = _ready(directory)
    with suppress(Busy, FileNotFoundError), files.held(ready / _RESTORING):
        # Whoever held them may have committed since the first look.
        head = head_now()
        if _follows(ready, head):
            _put_in_force(directory)
        elif not head.size:
            _removed(ready)
    return head_now()


def _ready(directory: Path) -> Path:
    return directory.with_name(f".{directory.name}.next")


def _put_in_force(directory: Path) -> None:
    """Move the old directory aside, the one that lies ready in, and the old one away.

    Nothing is done where nothing lies ready: another process opened the vault and was faster.
    """
    ready, old = _ready(directory), directory.with_name(f".{directory.name}.old")
    if not ready.is_dir():
        return
    if directory.exists():
        _removed(old)
        os.rename(directory, old)
    os.rename(ready, directory)
    (directory / _RESTORING).unlink(missing_ok=True)
    files.sync_directory(directory.parent)
    _removed(old)


def _removed(directory: Path) -> None:
    with suppress(FileNotFoundError):
        shutil.rmtree(directory)
