"""Which parts of erased texts stand in files?  Every byte is looked at, however many texts there are."""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

WINDOW_BYTES = 8
"""Shortest part of an erased text that may not be left."""

_EVERY = 2
RUN_BYTES = (_EVERY + 1) * WINDOW_BYTES - 1
"""Shortest run of bytes that is sure to be seen when every other piece of eight bytes is compared."""

# Every window of eight bytes holds one of the blocks of five that begin at each fourth byte.
_BLOCK_BYTES, _BLOCK_STEP = 5, 4
_BLOCKS_MAX = 80
"""From how many blocks on comparing all parts of a file is faster than looking for each block."""

_HITS_MAX = 64
"""From how many places of a block on its windows are looked for instead."""

_READ_BYTES = 1 << 22

Blocks = dict[bytes, set[bytes]]
"""Blocks to look for, in small letters, each with the windows that hold it."""


def windows_in(paths: Sequence[Path], texts: Sequence[bytes], *, rows: Sequence[bytes] = ()) -> set[bytes]:
    """Return the windows of eight bytes of `texts` that stand anywhere in the files, and some of `rows`.

    Of `texts` every window is found; of `rows` at least one in every run of `RUN_BYTES`.
    """
    exact = {window for text in texts for window in _windows(text)}
    wanted = {window for text in rows for window in _windows(text)}
    blocks = blocks_of(sorted(texts, key=len))
    found: set[bytes] = set()
    for part in (part for path in paths for part in _parts(path)):
        if blocks is None:
            found |= _compared(part, _numbers(exact), range(WINDOW_BYTES), every=1)
        elif blocks:
            folded = part.lower()
            for block, windows in blocks.items():
                found |= _around(part, folded, block=block, windows=windows - found)
        found |= _compared(part, _numbers(wanted - found), range(1), every=_EVERY)
    return found


def _windows(text: bytes) -> Iterator[bytes]:
    return (text[at : at + WINDOW_BYTES] for at in range(len(text) - WINDOW_BYTES + 1))


def blocks_of(texts: Sequence[bytes]) -> Blocks | None:
    """Return blocks such that each window holds one of them; None for more than it is worth.

    A window takes a block that was already chosen, so texts that hold the same value share its
    blocks, and so do a text and its words in the index, which are in small letters.
    """
    blocks: Blocks = {}
    for text in texts:
        for at, window in enumerate(_windows(text)):
            folded = window.lower()
            parts = [folded[start : start + _BLOCK_BYTES] for start in range(_BLOCK_STEP)]
            held = next((part for part in parts if part in blocks), parts[-1] if at else parts[0])
            blocks.setdefault(held, set()).add(window)
            if len(blocks) > _BLOCKS_MAX:
                return None
    return blocks


def _around(part: bytes, folded: bytes, *, block: bytes, windows: set[bytes]) -> set[bytes]:
    """Return which of a block's windows a part of a file holds; `folded` is it in small letters."""
    found: set[bytes] = set()
    here = folded.find(block) if windows else -1
    for _ in range(_HITS_MAX):
        if here < 0:
            return found
        around = part[max(0, here - _BLOCK_STEP + 1) : here + WINDOW_BYTES]
        found |= {window for window in windows if window in around}
        if len(found) == len(windows):
            return found
        here = folded.find(block, here + 1)
    return {window for window in windows if window in part}


def _numbers(windows: set[bytes]) -> set[int]:
    return {int.from_bytes(window, sys.byteorder) for window in windows}


def _compared(part: bytes, numbers: set[int], phases: range, *, every: int) -> set[bytes]:
    """Return which windows stand at pieces of eight bytes of a part, counted from each of the phases."""
    found: set[int] = set()
    for phase in phases if numbers else ():
        length = max(0, len(part) - phase) // WINDOW_BYTES * WINDOW_BYTES
        pieces = memoryview(part)[phase : phase + length].cast("Q")
        found |= numbers.intersection(pieces[::every])
    return {number.to_bytes(WINDOW_BYTES, sys.byteorder) for number in found}


def _parts(path: Path) -> Iterator[bytes]:
    """Yield a file in parts that overlap, so that nothing lies between two."""
    try:
        file = path.open("rb")
    except FileNotFoundError:
        return
    with file:
        before = b""
        while read := file.read(_READ_BYTES):
            yield before + read
            before = (before + read)[-WINDOW_BYTES:]
