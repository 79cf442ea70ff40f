"""What does a vault do on a disk that is full?  Runs as a process of its own, and prints JSON.

`python small_disk.py VAULT quota BYTES` puts a layer of the file system under SQLite that
lets the files of the vault's directory, the reserve among them, hold so many bytes in all.
`python small_disk.py VAULT limit BYTES` uses the system's own limit on the size of a file,
which is met by one file and not by all together.
`python small_disk.py VAULT erasing 0` fills the disk to the last byte and erases: once with the
reserve, and once without.
"""

import errno
import json
import os
import resource
import signal
import sys
from collections.abc import Callable
from pathlib import Path

import apsw

import muniment
from muniment.adapters import files
from muniment.domain.compaction import Sought
from muniment.errors import FullDisk, MunimentError
from muniment.service.vault import Vault

REFUSALS_IN_A_ROW = 5
CODES = ("QZ7-HERON-4417", "KK8-LYNX-0035")


class SmallDisk(apsw.VFS):
    """Refuse what does not fit into a number of bytes, as a full disk does."""

    def __init__(self, place: Path, room: int) -> None:
        super().__init__("small", "unix", makedefault=True)
        self.place, self.room = place, room
        self._allocate, self._append = os.posix_fallocate, files.append
        os.posix_fallocate, files.append = self.allocate, self.append

    def append(self, path: Path, content: bytes, *, after: int) -> None:
        """Add to a file in the key directory, which lies on this disk as well."""
        if self.used() + len(content) > self.room:
            raise OSError(errno.ENOSPC, "the small disk is full")
        self._append(path, content, after=after)

    def allocate(self, descriptor: int, offset: int, size: int) -> None:
        """Allocate for a file that lies on this disk as well, the reserve."""
        if self.used() + size - os.fstat(descriptor).st_size > self.room:
            raise OSError(errno.ENOSPC, "the small disk is full")
        self._allocate(descriptor, offset, size)

    def used(self) -> int:
        kept = [*self.place.iterdir(), *self.place.glob("*.keys/*")]
        return sum(one.stat().st_size for one in kept if one.is_file() and not one.name.endswith("-shm"))

    def xOpen(self, name: str | apsw.URIFilename | None, flags: list[int]) -> "SmallFile":
        return SmallFile(self, name, flags)


class SmallFile(apsw.VFSFile):
    """One file of the small disk."""

    def __init__(self, disk: SmallDisk, name: str | apsw.URIFilename | None, flags: list[int]) -> None:
        super().__init__("unix", name, flags)
        self.disk = disk

    def xWrite(self, content: bytes, offset: int) -> None:
        growth = offset + len(content) - self.xFileSize()
        if growth > 0 and self.disk.used() + growth > self.disk.room:
            raise apsw.FullError("the small disk is full")
        super().xWrite(content, offset)


def filled(vault: Vault) -> list[str]:
    """Write until nothing more goes in, and return what was acknowledged.

    The first full disk empties the write-ahead log, which may make room for many writes
    more, so one refusal is not the end.
    """
    made: list[str] = []
    refused = 0
    for n in range(100_000):
        try:
            made.append(vault.remember(f"note {n} of the otter: " + f"word{n} " * 60).id)
            refused = 0
        except FullDisk:
            refused += 1
            if refused == REFUSALS_IN_A_ROW:
                return made
    raise AssertionError("the disk never filled up")


def code_of(deed: Callable[[], object]) -> str:
    """Return how a deed ended: the code of its error, or nothing."""
    try:
        deed()
    except MunimentError as error:
        return error.code
    return ""


def erased(path: Path) -> dict[str, object]:
    """Erase on a disk without a byte to spare: with the reserve, without it, and with room again."""
    disk, reserve = SmallDisk(path.parent, 1 << 40), path.with_name(f"{path.name}.reserve")
    journal = path.with_name(f"{path.name}.keys") / "erasures"
    with muniment.open(path) as vault:
        for code in CODES:
            vault.remember(f"The code is {code}")
            vault.session("talk", agent="ada").append("user", f"It is {code}, and tea.")
        for n in range(200):
            vault.remember(f"note {n} of the otter: " + f"word{n} " * 60)
        said: dict[str, object] = {"reserve_before": reserve.exists()}
        disk.room = disk.used()
        said["with_reserve"] = _erased(vault, CODES[0])
        said["lines"] = len(journal.read_text().splitlines())
        reserve.unlink(missing_ok=True)
        vault.ground.store.compact(Sought(), wait_ms=100)
        disk.room = disk.used()
        said["without_reserve"] = _erased(vault, CODES[1])
        said["lines_then"] = len(journal.read_text().splitlines())
        said["still_there"] = len(vault.recall(CODES[1], k=9).hits)
        said["verified"] = vault.verify().ok
        disk.room = 1 << 40
        said["with_room"] = _erased(vault, CODES[1])
        said["verified_then"] = vault.verify().ok
    held = [one for one in path.parent.rglob("*") if one.is_file()]
    said["left"] = [one.name for one in held for code in CODES if code.encode() in one.read_bytes()]
    return said


def _erased(vault: Vault, code: str) -> str:
    """Return the status of an erasure's certificate, or the code of the error that it ended with."""
    try:
        return vault.erase(vault.plan_erasure(text=code)).status.value
    except MunimentError as error:
        return error.code


def main(path: str, kind: str, room: str) -> None:
    """Fill the disk, try what has to work then, and what has to be refused."""
    vault_path = Path(path)
    if kind == "erasing":
        print(json.dumps(erased(vault_path)))
        return
    disk = SmallDisk(vault_path.parent, 1 << 40) if kind == "quota" else None
    with muniment.open(path) as vault:
        vault.remember("the first note")
        if disk is not None:
            disk.room = int(room)
        else:
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (int(room), int(room)))
        made = filled(vault)
        reserve = vault_path.with_name(f"{vault_path.name}.reserve")
        said: dict[str, object] = {"made": len(made), "reserve_after_full": reserve.exists()}
        said["readable"] = all(vault.read(id).text for id in made)
        said["recalled"] = len(vault.recall("otter", k=5).hits)
        said["export"] = code_of(lambda: vault.export(vault_path.parent.parent / "saved.export"))
        said["checks"] = {check.name: check.well for check in vault.doctor()}
        said["retired"] = [code_of(lambda id=id: vault.retire(id, strict=True)) for id in made[:10]]
        said["rejected"] = [code_of(lambda id=id: vault.reject(id, strict=True)) for id in made[10:15]]
        said["still_refused"] = code_of(lambda: vault.remember("one more, once there is no room"))
        said["withdrawn"] = len(vault.memories(states=["retired"])) + len(vault.memories(states=["rejected"]))
        if disk is not None:
            disk.room = 1 << 40
            said["with_room"] = code_of(lambda: vault.remember("one more, with room again"))
            said["reserve_again"] = reserve.exists()
        said["verified"] = vault.verify().ok
    print(json.dumps(said))


if __name__ == "__main__":
    main(*sys.argv[1:])
