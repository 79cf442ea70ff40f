"""By which pair of its tokens is a value found inside a longer text, and is it really there?

Hashing every stretch of a text would cost more than the write.  So a value is found by its longest
adjacent pair of tokens; a keyed sum over the stretch that the pair names then leaves one candidate
in 16 million, and only for that one is the whole digest made.
"""

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache, lru_cache
from itertools import accumulate, chain, pairwise
from struct import Struct
from typing import NamedTuple

from muniment import limits
from muniment.domain.tombstone import NUMBERED, PAIR_BITS, Anchor

_BYTES = PAIR_BITS // 8
_MODULUS = 1 << PAIR_BITS
_JOINT = "\x1f"
Positions = dict[int, list[int]]
"""Where each pair of a text stands, by the pair's digest."""


def pairs_of(key: bytes, tokens: list[str], *, among: frozenset[int] | None = None) -> Positions:
    """Return the keyed 24-bit digest of every adjacent pair of tokens, and where it stands.

    With `among`, only those of these pairs are given.
    """
    found: Positions = {}
    for position, pair in enumerate(chain.from_iterable(_pairs(key, tokens))):
        if among is None or pair in among:
            found.setdefault(pair, []).append(position)
    return found


def has_pair_among(key: bytes, tokens: list[str], among: frozenset[int]) -> bool:
    """Return whether the digest of an adjacent pair of tokens, as `pairs_of` makes it, is among these.

    Nearly no text has one, so nothing is kept of those that are not.
    """
    return not all(map(among.isdisjoint, _pairs(key, tokens)))


def _pairs(key: bytes, tokens: list[str]) -> Iterator[tuple[int, ...]]:
    """Yield the digests of all adjacent pairs in order, up to `_PAIRS_AT_ONCE_MAX` at a time.

    The numbers of neighbouring tokens stand in two long integers, one in each lane of 64 bits, and
    each step is done for all pairs at once: the steps one by one take four times as long.
    """
    numbers = list(map(_numbers(key).__getitem__, tokens))
    for start in range(0, len(tokens) - 1, _PAIRS_AT_ONCE_MAX):
        some = numbers[start : start + _PAIRS_AT_ONCE_MAX + 1]
        lanes = _lanes(len(some) - 1)
        every = int.from_bytes(b"".join(some), "little")
        mixed = every & lanes.number ^ (every >> _LANE_BITS) * _TURN & lanes.number
        pairs = mixed * _MIX >> _MIDDLE & lanes.pair | lanes.numbered
        yield lanes.unpack(pairs.to_bytes(lanes.size, "little"))


class _Lanes(NamedTuple):
    """Hold masks for so many lanes of 64 bits side by side, and what takes these apart again."""

    number: int
    pair: int
    numbered: int
    size: int
    unpack: Callable[[bytes], tuple[int, ...]]


@cache
def _lanes(count: int) -> _Lanes:
    one_each = sum(1 << (_LANE_BITS * lane) for lane in range(count))
    shape = Struct(f"<{count}Q")
    return _Lanes(one_each * _NUMBER, one_each * _PAIR, one_each * NUMBERED, shape.size, shape.unpack)


def hashed_pairs_of(key: bytes, tokens: list[str], *, among: frozenset[int] | None = None) -> Positions:
    """Return what `pairs_of` does with the digests that tombstones of the first schema were made with."""
    found: Positions = {}
    begin = _begun(key, b"pair").copy
    spelled = [token.encode("utf-8", "surrogatepass") for token in tokens]
    for position, pair_of_tokens in enumerate(map(b"\x1f".join, pairwise(spelled))):
        state = begin()
        state.update(pair_of_tokens)
        pair = int.from_bytes(state.digest(), "big")
        if among is None or pair in among:
            found.setdefault(pair, []).append(position)
    return found


class _Numbers(dict[str, bytes]):
    """Number tokens under a key, 30 bits each in a lane's bytes; those of words are kept, as most come again.

    A number costs as much as a pair's whole digest would, and a text has as many pairs as tokens:
    what is kept makes a pair a few sums.
    """

    def __init__(self, key: bytes) -> None:
        super().__init__()
        self._begun = hashlib.blake2b(key=key[:64], digest_size=4, person=b"number")

    def __missing__(self, token: str) -> bytes:
        state = self._begun.copy()
        state.update(token.encode("utf-8", "surrogatepass"))
        number = (int.from_bytes(state.digest(), "big") & _NUMBER).to_bytes(_LANE_BITS // 8, "little")
        if token.isalpha() and len(token) <= _KEPT_CHARACTERS_MAX:
            if len(self) >= limits.vocabulary_cache_words_max:
                self.clear()
            self[token] = number
        return number


@lru_cache(maxsize=8)
def _numbers(key: bytes) -> _Numbers:
    return _Numbers(key)


_KEPT_CHARACTERS_MAX = 32
_NUMBER, _PAIR = (1 << 30) - 1, NUMBERED - 1
# Odd factors: the second number is turned, so that the order of two tokens counts, and the bits from
# the middle of the product depend on all below them, so that no sum of pairs tells which tokens they share.
_TURN, _MIX, _MIDDLE = 0x2545F491, 0x2C1B3C6D, 18
_LANE_BITS = 64  # The product of two numbers of 30 bits never leaves its lane.
_PAIRS_AT_ONCE_MAX = 128


def joined(tokens: list[str]) -> str:
    """Return tokens as one text, of which a digest is made."""
    return _JOINT.join(tokens)


def anchor_of(key: bytes, tokens: list[str], *, disguised: bytes, plain: bytes) -> Anchor:
    """Return the anchor of a value of at least two tokens, with the digests that decide a hit."""
    lengths = [len(one) + len(other) for one, other in zip(tokens, tokens[1:], strict=False)]
    offset = lengths.index(max(lengths))
    (pair,) = pairs_of(key, tokens[offset : offset + 2])
    return Anchor(pair, offset, len(tokens), Stretches(key, tokens).total(0, len(tokens)), disguised, plain)


@dataclass(slots=True)
class Stretches:
    """Sum any stretch of a text's tokens in constant time; nothing is worked out before the first sum."""

    key: bytes
    tokens: list[str]
    _sums: list[int] = field(default_factory=list)
    _weighted: list[int] = field(default_factory=list)

    def total(self, start: int, end: int) -> int:
        """Return the keyed 24-bit sum of the tokens from `start` to before `end`, each by its place."""
        if not self._sums:
            self._work_out()
        plain = self._sums[end] - self._sums[start]
        weighted = self._weighted[end] - self._weighted[start]
        return (weighted - (start - 1) * plain) % _MODULUS

    def fitting(self, anchor: Anchor, positions: list[int]) -> Iterator[tuple[int, int]]:
        """Yield the stretches around these places of the anchor's pair whose sum is the anchor's."""
        for position in positions:
            start = position - anchor.offset
            end = start + anchor.length
            if start >= 0 and end <= len(self.tokens) and self.total(start, end) == anchor.total:
                yield start, end

    def _work_out(self) -> None:
        begun = _begun(self.key, b"token")
        numbers: list[int] = []
        for token in self.tokens:
            state = begun.copy()
            state.update(token.encode("utf-8", "surrogatepass"))
            numbers.append(int.from_bytes(state.digest(), "big"))
        self._sums = list(accumulate(numbers, initial=0))
        self._weighted = list(accumulate((at * one for at, one in enumerate(numbers)), initial=0))


@lru_cache(maxsize=32)
def _begun(key: bytes, use: bytes) -> "hashlib.blake2b":
    return hashlib.blake2b(key=key[:64], digest_size=_BYTES, person=use)
