"""Is the write-ahead log beside a vault whole, and what of it can be saved?

SQLite takes the log up to the first frame whose checksum fails and forgets the rest
without a word.  After a loss of power that is right: the last transaction was cut off, and
nobody had an answer for it.  When whole transactions follow the bad frame, acknowledged
writes would vanish, and that is damage.
"""

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_HEADER = struct.Struct(">8I")
_FRAME = struct.Struct(">6I")
_MAGIC = 0x377F0682
"""The log's mark; one more says that its checksums are taken over big-endian words."""

_PAGE_BYTES_MAX = 65_536
_WORD = 0xFFFFFFFF

Sums = tuple[int, int]


@dataclass(frozen=True, slots=True)
class LogSeen:
    """Hold a log's salts and which of its frames, from 1, end a transaction."""

    salts: Sums = (0, 0)
    ends: tuple[int, ...] = ()

    def lost(self, whole: int) -> int:
        """Return how many transactions end behind the last frame that SQLite takes for whole."""
        return sum(end > whole for end in self.ends)


@dataclass(frozen=True, slots=True)
class _Frame:
    page: int
    size_after: int
    salts: Sums
    sums: Sums
    content: bytes


def log_seen(path: Path) -> LogSeen:
    """Return what a log says of itself, by its frames' headers alone; an absent one says nothing."""
    try:
        with path.open("rb") as file:
            header = file.read(_HEADER.size)
            page_bytes = _page_bytes(header)
            salts: Sums | None = None
            ends, number = [], 0
            while len(head := file.read(_FRAME.size)) == _FRAME.size:
                number += 1
                _, size_after, *found, _, _ = _FRAME.unpack(head)
                # A header that is damaged may hold wrong salts; the first frame has them too.
                salts = salts or _salts(header, found)
                if tuple(found) == salts and size_after:
                    ends.append(number)
                file.seek(page_bytes, 1)
    except FileNotFoundError:
        return LogSeen()
    return LogSeen(salts or (0, 0), tuple(ends))


def _salts(header: bytes, found: list[int]) -> Sums:
    fields = _HEADER.unpack(header)
    if _summed(header[:24], (0, 0), big=bool(fields[0] & 1)) == fields[6:8]:
        return fields[4], fields[5]
    return found[0], found[1]


def _page_bytes(header: bytes) -> int:
    size = _HEADER.unpack(header)[2] if len(header) == _HEADER.size else 0
    is_size = 512 <= size <= _PAGE_BYTES_MAX and size & (size - 1) == 0
    return size if is_size else 4_096


def mended_log(log: bytes) -> bytes:
    """Return a log with every frame of `log` that is whole in itself, its checksums made anew.

    Each frame carries the checksum of all before it, so that one bad frame hides all that
    follow; but each can be checked against the sum that stands in the frame before.  A
    damaged frame is left out: its page is then as an earlier frame or the file has it.
    """
    if len(log) < _HEADER.size:
        return b""
    page_bytes = _page_bytes(log[: _HEADER.size])
    fields = list(_HEADER.unpack(log[: _HEADER.size]))
    big = bool(fields[0] & 1)
    frames = list(_frames(log, page_bytes))
    if not frames:
        return b""
    salts = _salts(log[: _HEADER.size], list(frames[0].salts))
    whole = [one for one in _whole(frames, log[: _HEADER.size], big=big) if one.salts == salts]
    fields[:6] = [_MAGIC | big, 3_007_000, page_bytes, fields[3], *salts]
    start = _HEADER.pack(*fields)[:24]
    sums = _summed(start, (0, 0), big=big)
    parts = [start + struct.pack(">2I", *sums)]
    for one in whole[: _last_end(whole)]:
        head = struct.pack(">2I", one.page, one.size_after)
        sums = _summed(one.content, _summed(head, sums, big=big), big=big)
        parts.append(head + struct.pack(">4I", *salts, *sums) + one.content)
    return b"".join(parts)


def _frames(log: bytes, page_bytes: int) -> Iterator[_Frame]:
    step = _FRAME.size + page_bytes
    for at in range(_HEADER.size, len(log) - step + 1, step):
        page, size_after, *rest = _FRAME.unpack_from(log, at)
        content = log[at + _FRAME.size : at + step]
        yield _Frame(page, size_after, (rest[0], rest[1]), (rest[2], rest[3]), content)


def _whole(frames: list[_Frame], header: bytes, *, big: bool) -> Iterator[_Frame]:
    """Yield frames whose checksum follows from the one that stands before them."""
    before: Sums = _HEADER.unpack(header)[6:8]
    for one in frames:
        head = struct.pack(">2I", one.page, one.size_after)
        if _summed(one.content, _summed(head, before, big=big), big=big) == one.sums and one.page:
            yield one
        before = one.sums


def _last_end(frames: list[_Frame]) -> int:
    """Return how many frames there are up to the last that ends a transaction."""
    return max((at + 1 for at, one in enumerate(frames) if one.size_after), default=0)


def _summed(content: bytes, sums: Sums, *, big: bool) -> Sums:
    """Return SQLite's checksum of some words, going on from earlier sums."""
    first, second = sums
    words = struct.unpack(f"{'>' if big else '<'}{len(content) // 4}I", content)
    for at in range(0, len(words), 2):
        first = (first + words[at] + second) & _WORD
        second = (second + words[at + 1] + first) & _WORD
    return first, second
