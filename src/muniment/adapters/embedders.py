"""Which vector stands for a text, with no model, network or numpy at hand?

A static table holds one row of signed bytes for every word piece (docs/decisions/0012); the vector of a text
is the sum of its pieces' rows, brought to length one and rounded to signed bytes.  A text without any
weighted piece has no vector: that is `b""`, never zeros, which would be equally near to everything.
"""

from __future__ import annotations

import math
import mmap
import operator
import struct
import sys
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, islice
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

cached_rows_max: Final = 32_768
"""Words and pieces whose row is kept ready for summing, about one kilobyte each: more than a vocabulary of
20,000 words with its pieces, as one that is a little larger than the bound would be made anew and anew."""

table_digest: Final = "5ec3d6e87b9eb3bf84970ed1b1d4b5c1af32e595c1e6ace0afe89ee91794fefc"
"""SHA-256 of the vocabulary file followed by the table file; a test holds it, the model's name carries it."""

_DIRECTORY: Final = Path(__file__).parent.parent / "data" / "embedder"

# Rows are summed as one big integer with a lane of 16 bits a component.  Each byte is stored in its lane with
# 128 added, so that no lane ever borrows from its neighbour; 257 rows fit before one runs over.
_LANE_BYTES: Final = 2
_SUM_BYTES: Final = vector_components * _LANE_BYTES
_ROWS_A_SUM_MAX: Final = 257
_BIAS: Final = 128
_TO_BIASED: Final = bytes((code + _BIAS) % 256 for code in range(256))
# Above the lanes a sum counts its rows, and above those its pieces: one without a row is a piece too.  A lane
# that runs over only adds to what is above it, so a sum of too many pieces always shows.
_COUNT_BITS: Final = 32
_COUNT: Final = (1 << _COUNT_BITS) - 1
_ROWS_AT: Final = 8 * _SUM_BYTES
_PIECES_AT: Final = _ROWS_AT + _COUNT_BITS
_LANES: Final = (1 << _ROWS_AT) - 1
_ALL_LANES: Final = struct.Struct(f"={vector_components}H").unpack
_WIDE_LANES: Final = struct.Struct(f"={vector_components}Q").unpack
_ONE_ROW: Final = 1 << _ROWS_AT
_ONE_PIECE: Final = 1 << _PIECES_AT
# To scale all components with one multiplication a lane of 64 bits is needed: 32 for the whole part, 32 for
# the fraction.  So every fourth lane is taken, and the four parts are scaled in turn.
_FRACTION_BITS: Final = 32
_LIFT_BITS: Final = _FRACTION_BITS + 8
_WIDE_BYTES: Final = 8
_PARTS: Final = _WIDE_BYTES // _LANE_BYTES
_FOURTH_LANES: Final = int.from_bytes(b"\xff\xff\0\0\0\0\0\0" * (vector_components // _PARTS), "little")
_WIDE_ONES: Final = int.from_bytes(b"\1\0\0\0\0\0\0\0" * (vector_components // _PARTS), "little")
_LONGEST_COMPONENT: Final = 127


@dataclass(frozen=True, slots=True)
class _Table:
    """Hold the opened table: rows by number, numbers by piece, the longest piece in characters."""

    rows: mmap.mmap
    numbers: dict[str, int]
    longest: int

    def pieces(self, word: str) -> list[str]:
        """Return the pieces of a folded word."""
        return (
            [word]
            if word in self.numbers
            else wordpiece.word_pieces(word, self.numbers, longest=self.longest)
        )

    def row(self, piece: str) -> int:
        """Return the row of a piece in lanes, with one piece counted, and one row unless it has none."""
        if piece == wordpiece.UNKNOWN:
            return _ONE_PIECE
        start = self.numbers[piece] * vector_components
        lanes = bytearray(_SUM_BYTES)
        lanes[::_LANE_BYTES] = self.rows[start : start + vector_components].translate(_TO_BIASED)
        return int.from_bytes(lanes, "little") | _ONE_ROW | _ONE_PIECE


class _Rows(dict[str, int]):
    """What each word met so far adds to the sum; one not met yet is looked up when it is asked for.

    A word with a digit in it is mostly somebody's number and does not come again.  A full
    cache is emptied: a row costs two microseconds to make again, and no lock or order is needed.
    """

    def __init__(self, table: _Table) -> None:
        super().__init__()
        self.table = table

    def __missing__(self, word: str) -> int:
        table = self.table
        if word in table.numbers:
            found = table.row(word)
        else:
            found = sum(self.get(piece) or self._kept(piece) for piece in table.pieces(word))
            if not word.isalpha():
                return found
        return self._keep(word, found)

    def _kept(self, piece: str) -> int:
        return self._keep(piece, self.table.row(piece))

    def _keep(self, word: str, row: int) -> int:
        if len(self) >= cached_rows_max:
            self.clear()
        self[word] = row
        return row


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
        self._rows: _Rows | None = None
        self._opening = Lock()

    def embed(self, text: str) -> bytes:
        """Return `dimension` signed bytes of length 127 (rounded), or `b""` when nothing has a row.

        Only the beginning of a text is read: `embedded_characters_max`, `embedded_pieces_max`.
        Raises `BrokenData` when the table is missing or has the wrong size.
        """
        rows = self._rows or self._opened()
        words = wordpiece.words(text[:embedded_characters_max])
        total = sum(map(rows.__getitem__, words))
        if total >> _PIECES_AT > _ROWS_A_SUM_MAX:
            parts, summed = _beginning(words, rows)
            return _unit(parts, _WIDE_LANES(b"".join([_bytes_of(part) for part in parts])), summed)
        return _unit(_widened(total), _ALL_LANES(_bytes_of(total & _LANES)), total >> _ROWS_AT & _COUNT)

    def embed_many(self, texts: Sequence[str]) -> list[bytes]:
        """Return the vector of each text, in order, as `embed` does."""
        return [self.embed(text) for text in texts]

    def pieces(self, text: str) -> int:
        """Return into how many word pieces a text falls, all of it: what a model of its kind would count."""
        table = (self._rows or self._opened()).table
        return sum(len(table.pieces(word)) for word in wordpiece.words(text))

    def _opened(self) -> _Rows:
        """Open the table once, whoever comes first."""
        with self._opening:
            if self._rows is None:
                self._rows = _Rows(_read(self._directory))
            return self._rows


def _bytes_of(lanes: int) -> bytes:
    return lanes.to_bytes(_SUM_BYTES, sys.byteorder)


def _widened(total: int) -> list[int]:
    """Return the lanes of a sum with room to scale them: every fourth, from the first to the fourth."""
    return [total >> (8 * _LANE_BYTES * part) & _FOURTH_LANES for part in range(_PARTS)]


def _beginning(words: Sequence[str], rows: _Rows) -> tuple[list[int], int]:
    """Return the widened sum over the first `embedded_pieces_max` pieces, and how many rows are in it."""
    pieces = iter(list(islice(chain.from_iterable(map(rows.table.pieces, words)), embedded_pieces_max)))
    parts, summed = [0] * _PARTS, 0
    while some := list(islice(pieces, _ROWS_A_SUM_MAX)):
        total = sum(map(rows.__getitem__, some))
        parts = list(map(operator.add, parts, _widened(total)))
        summed += total >> _ROWS_AT & _COUNT
    return parts, summed


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


def _unit(parts: Sequence[int], components: tuple[int, ...], summed: int) -> bytes:
    """Return the sum of `summed` biased rows at length 127, each component rounded to a signed byte.

    `components` are what all lanes of `parts` hold; in what order does not matter to their length.
    """
    if not summed:
        return b""
    bias = summed * _BIAS
    length = math.dist(components, (bias,) * vector_components)
    if not length:
        return b""
    scale = round((_LONGEST_COMPONENT << _FRACTION_BITS) / length)
    # Each lane becomes (sum - bias) * scale plus one half; the lift, a multiple of 2**40, keeps it from going
    # below zero and leaves the byte above the fraction as it is: the signed component.
    lift = ((bias * scale >> _LIFT_BITS) + 1) << _LIFT_BITS
    offset = _WIDE_ONES * (lift - bias * scale + (1 << (_FRACTION_BITS - 1)))
    vector = bytearray(vector_components)
    for first, part in enumerate(parts):
        scaled = (part * scale + offset).to_bytes(_SUM_BYTES, "little")
        vector[first::_PARTS] = scaled[_FRACTION_BITS // 8 :: _WIDE_BYTES]
    return bytes(vector)
