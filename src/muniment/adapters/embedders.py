"""Which vector stands for a text, with no model, network or numpy at hand?

A static table holds one row of signed bytes for every word piece (docs/decisions/0012); the vector of a text
is the sum of its pieces' rows, brought to length one and rounded to signed bytes.  A text without any
weighted piece has no vector: that is `b""`, never zeros, which would be equally near to everything.
"""

from __future__ import annotations

import math
import mmap
import operator
import sys
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Final

from muniment.adapters import wordpiece
from muniment.errors import BrokenData

vector_components: Final = 256
"""Components of one vector, and bytes of one row of the table."""

embedded_characters_max: Final = 8_192
"""Characters at the beginning of a text that are read; later ones do not move its vector."""

embedded_pieces_max: Final = 512
"""Pieces at the beginning of a text that are summed; later ones do not move its vector."""

cached_rows_max: Final = 16_384
"""Rows kept ready for summing, about one kilobyte each."""

cached_cuts_max: Final = 16_384
"""Words of several pieces whose cut is remembered."""

table_digest: Final = "5ec3d6e87b9eb3bf84970ed1b1d4b5c1af32e595c1e6ace0afe89ee91794fefc"
"""SHA-256 of the vocabulary file followed by the table file; a test holds it, the model's name carries it."""

_DIRECTORY: Final = Path(__file__).parent.parent / "data" / "embedder"

# Rows are summed as one big integer with a lane of 32 bits a component.  Each byte is stored in its lane
# with 128 added, so that no lane ever borrows from its neighbour; 512 pieces reach 2**17.
_LANE_BYTES: Final = 4
_SUM_BYTES: Final = vector_components * _LANE_BYTES
_BIAS: Final = 128
_TO_BIASED: Final = bytes((code + _BIAS) % 256 for code in range(256))
# To scale all components with one multiplication a lane of 64 bits is needed: 32 for the whole part, 32 for
# the fraction.  Every other lane is blanked, and the two halves are scaled in turn.
_FRACTION_BITS: Final = 32
_LIFT_BITS: Final = _FRACTION_BITS + 8
_WIDE_BYTES: Final = 2 * _LANE_BYTES
_EVEN_LANES: Final = int.from_bytes(b"\xff\xff\xff\xff\0\0\0\0" * (vector_components // 2), "little")
_WIDE_ONES: Final = int.from_bytes(b"\1\0\0\0\0\0\0\0" * (vector_components // 2), "little")
_LONGEST_COMPONENT: Final = 127


@dataclass(frozen=True, slots=True)
class _Table:
    """Hold the opened table: rows by number, numbers by piece, the longest piece in characters."""

    rows: mmap.mmap
    numbers: dict[str, int]
    longest: int


class StaticEmbedder:
    """Give texts their vectors from the static table; safe to share between threads.

    Constructing reads nothing; the first text opens the table.  The same text has the same bytes on every
    machine.
    """

    model = f"minilm-static-{vector_components}/1-{table_digest[:8]}"
    dimension = vector_components

    def __init__(self, directory: Path = _DIRECTORY) -> None:
        """Remember where `table.i8` and `vocabulary.txt` lie."""
        self._directory = directory
        self._table: _Table | None = None
        self._opening = Lock()
        self._lanes: dict[str, int] = {}
        self._cuts: dict[str, list[str]] = {}

    def embed(self, text: str) -> bytes:
        """Return `dimension` signed bytes of length 127 (rounded), or `b""` when nothing has a row.

        Only the beginning of a text is read: `embedded_characters_max`, `embedded_pieces_max`.
        Raises `BrokenData` when the table is missing or has the wrong size.
        """
        table = self._table or self._opened()
        lanes = self._lanes
        numbers, cuts = table.numbers, self._cuts
        found: list[str] = []
        for word in wordpiece.words(text[:embedded_characters_max]):
            if word in numbers:
                found.append(word)
            else:
                found += cuts.get(word) or self._cut(word, table)
            if len(found) >= embedded_pieces_max:
                break
        rows = [
            lanes.get(piece) or self._expanded(piece, table)
            for piece in found[:embedded_pieces_max]
            if piece != wordpiece.UNKNOWN
        ]
        return _unit(sum(rows), len(rows))

    def embed_many(self, texts: Sequence[str]) -> list[bytes]:
        """Return the vector of each text, in order, as `embed` does."""
        return [self.embed(text) for text in texts]

    def _cut(self, word: str, table: _Table) -> list[str]:
        """Return the pieces of a word that is none itself, and remember them.

        A word with a digit in it is mostly somebody's number and does not come again.
        """
        cut = wordpiece.word_pieces(word, table.numbers, longest=table.longest)
        if word.isalpha():
            if len(self._cuts) >= cached_cuts_max:
                self._cuts.clear()
            self._cuts[word] = cut
        return cut

    def _expanded(self, piece: str, table: _Table) -> int:
        """Return the row of a piece in lanes, and keep it.

        A full cache is emptied: a row costs a microsecond to make again, and no lock or order is needed.
        """
        start = table.numbers[piece] * vector_components
        lanes = bytearray(_SUM_BYTES)
        lanes[::_LANE_BYTES] = table.rows[start : start + vector_components].translate(_TO_BIASED)
        row = int.from_bytes(lanes, "little")
        if len(self._lanes) >= cached_rows_max:
            self._lanes.clear()
        self._lanes[piece] = row
        return row

    def _opened(self) -> _Table:
        """Open the table once, whoever comes first."""
        with self._opening:
            if self._table is None:
                self._table = _read(self._directory)
            return self._table


class AbsentEmbedder:
    """Stand for an embedding that is switched off: no text has a vector, and nothing fails."""

    model = ""
    dimension = 0

    def embed(self, text: str) -> bytes:
        """Return `b""`: no vector."""
        return b""

    def embed_many(self, texts: Sequence[str]) -> list[bytes]:
        """Return `b""` for every text."""
        return [b""] * len(texts)


def cosine(a: bytes, b: bytes) -> float:
    """Return the cosine of two vectors of signed bytes, from -1 to 1, from exact integer sums.

    An absent vector is near to nothing: 0.0.  Raises `ValueError` when the dimensions differ.
    """
    if not a or not b:
        return 0.0
    if len(a) != len(b):
        raise ValueError(f"vectors of {len(a)} and {len(b)} components cannot be compared")
    left, right = array("b", a), array("b", b)
    lengths = sum(map(operator.mul, left, left)) * sum(map(operator.mul, right, right))
    if not lengths:
        return 0.0
    product: int = sum(map(operator.mul, left, right))
    return product / math.sqrt(lengths)


def _read(directory: Path) -> _Table:
    """Map the table and read the vocabulary; the operating system loads rows as they are used."""
    try:
        vocabulary = (directory / "vocabulary.txt").read_text(encoding="utf-8").split("\n")[:-1]
        with (directory / "table.i8").open("rb") as file:
            rows = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except (OSError, ValueError) as error:
        raise BrokenData(
            "the embedder's table cannot be read", advice="Install Muniment again, or switch embedding off."
        ) from error
    if len(rows) != len(vocabulary) * vector_components:
        rows.close()
        raise BrokenData(
            "the embedder's table does not fit its vocabulary",
            advice="Install Muniment again, or switch embedding off.",
        )
    return _Table(rows, {piece: number for number, piece in enumerate(vocabulary)}, max(map(len, vocabulary)))


def _unit(total: int, summed: int) -> bytes:
    """Return the sum of `summed` biased rows at length 127, each component rounded to a signed byte."""
    if not summed:
        return b""
    bias = summed * _BIAS
    # The order of the components does not matter to the length, so the machine's own byte order serves.
    sums = memoryview(total.to_bytes(_SUM_BYTES, sys.byteorder)).cast("I").tolist()
    length = math.dist(sums, [bias] * vector_components)
    if not length:
        return b""
    scale = round((_LONGEST_COMPONENT << _FRACTION_BITS) / length)
    # Each lane becomes (sum - bias) * scale plus one half; the lift, a multiple of 2**40, keeps it from going
    # below zero and leaves the byte above the fraction as it is: the signed component.
    lift = ((bias * scale >> _LIFT_BITS) + 1) << _LIFT_BITS
    offset = _WIDE_ONES * (lift - bias * scale + (1 << (_FRACTION_BITS - 1)))
    vector = bytearray(vector_components)
    for first in (0, 1):
        wide = (total >> (first * 8 * _LANE_BYTES) & _EVEN_LANES) * scale + offset
        vector[first::2] = wide.to_bytes(_SUM_BYTES, "little")[_FRACTION_BITS // 8 :: _WIDE_BYTES]
    return bytes(vector)
