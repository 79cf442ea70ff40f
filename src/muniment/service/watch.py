"""Does a part of this say what was rejected or erased?  The one place where that is looked up (I4).

Every text of an intent is a part: its text, about, attribute, value, tags, reason.  A part is looked
up whole, by the digests of its look-alike forms, and for longer values inside it, by anchors.  Both
look wide and are decided at the hit, where the plain form tells the value from what looks like it.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from unicodedata import normalize

from muniment import limits
from muniment.domain import mention
from muniment.domain.anchors import Positions, Stretches, has_pair_among, hashed_pairs_of, pairs_of
from muniment.domain.canonical import has_non_ascii_letters, plain, without_accents
from muniment.domain.escapes import as_shown
from muniment.domain.evidence import MARK, Span
from muniment.domain.identifiers import identifiers_in
from muniment.domain.ledger import keyed_digest
from muniment.domain.memory import Claim
from muniment.domain.near_words import with_other_words
from muniment.domain.quick import quick
from muniment.domain.tokens import (
    CHARACTERS_WITHIN_MIN,
    plain_run,
    runs_of_other_numbers,
    spans_of,
    tokens_of,
)
from muniment.domain.tombstone import Anchor, Marks, TombstoneHit, TombstoneKind, is_anchor
from muniment.ports import Snapshot
from muniment.service.burying import (
    FREE,
    IDENTIFIER,
    IN_SLOT,
    OF_KEYED,
    PIECES,
    TOKEN,
    VALUE,
    Use,
    all_tombstone_keys,
    disguise_slots,
    disguised_digests,
    keys_of,
    plain_digest,
    single_digests,
    within_digest,
)
from muniment.service.ground import Ground


@quick
@dataclass(frozen=True, slots=True)
class Part:
    """Hold one text of an intent: its name, and as what it is looked up whole and within.

    `erased_only` says that only an erased value counts there, and `accented` that the text had
    accents, without which it is read here: what it meets so may be another word.
    """

    name: str
    text: str
    whole: tuple[Use, ...]
    within: tuple[Use, ...]
    erased_only: bool = False
    accented: bool = False


_FREE = (Use(FREE),)
_ANYWHERE = (*_FREE, Use(OF_KEYED))
_IN_PIECES = Use(PIECES)


def parts_of(claim: Claim, tags: Sequence[str] = (), *, reason: str = "") -> tuple[Part, ...]:
    """Return every text of an intent as a part.

    A rejected keyed value counts in its slot and as a free statement; another slot may hold it.
    """
    parts: list[Part] = []
    if claim.keyed:
        slots = disguise_slots(claim)
        of_text = (*_FREE, *(Use(IN_SLOT, slot) for slot in slots))
        of_value = (*_FREE, *(Use(VALUE, slot) for slot in slots))
        parts += (Part("text", claim.text, of_text, of_text), Part("value", claim.said, of_value, of_value))
        parts += (Part("about", claim.about, _FREE, _FREE), Part("attribute", claim.attribute, _FREE, _FREE))
    else:
        parts.append(Part("text", claim.text, _ANYWHERE, _ANYWHERE))
    parts += (Part("tag", tag, _FREE, _ANYWHERE) for tag in tags)
    if reason:
        parts.append(Part("reason", reason, _FREE, _FREE, erased_only=True))
    alone = parts[0].text
    if len(parts) == 1 and alone and alone.isascii() and as_shown(alone) is None:
        return tuple(parts)
    return tuple(read for part in parts for read in _readings(part) if read.text)


def _readings(part: Part) -> Iterator[Part]:
    """Yield a part as it stands, where escapes spell some of it, as they say it, and without accents."""
    yield part
    read = as_shown(part.text)
    if read is not None:
        yield replace(part, text=read.text)
    if not part.text.isascii():
        bare = without_accents(part.text)
        if bare != normalize("NFC", part.text):
            yield replace(part, text=bare, accented=True)


def met(ground: Ground, snapshot: Snapshot, parts: Sequence[Part], *, space: int) -> tuple[TombstoneHit, ...]:
    """Return the standing tombstones that these parts meet in a space, the plain hits first."""
    keys = tuple(key for _, key in all_tombstone_keys(ground))
    marks = _marks(ground, snapshot)
    hits: list[TombstoneHit] = []
    for accented in {part.accented for part in parts}:
        read = [part for part in parts if part.accented is accented]
        for look in (_met_whole, _met_within):
            found = look(snapshot, read, keys, space=space, marks=marks)
            hits += (
                replace(hit, look_alike_only=True, disguised=False) if accented else hit for hit in found
            )
    hits.sort(key=lambda hit: hit.look_alike_only)
    return tuple(hits)


def _marks(ground: Ground, snapshot: Snapshot) -> Marks | None:
    """Return the marks of all that is buried as this snapshot has it, None where they are not at hand.

    They are read once a generation has been looked at a few times, as it was committed: a state
    that others may still take back has the same number, and may hold something else.
    """
    generation = snapshot.head().generation
    marks = ground.marks
    if marks is not None and marks.generation == generation:
        return marks if marks.digests or marks.pairs or marks.hashed_pairs else None
    looked_at, times = ground.looks
    times = times + 1 if looked_at == generation else 1
    ground.looks = (generation, times)
    if times != LOOKS_WITHOUT_MARKS:
        return None
    with ground.store.snapshot() as committed:
        ground.marks = committed.marks(limits.tombstone_marks_rows_max)
    return None


LOOKS_WITHOUT_MARKS = 8
"""Looks at one generation of tombstones until its marks are read: a burst of rejections reads none."""


def erased_spans(ground: Ground, snapshot: Snapshot, text: str) -> tuple[Span, ...]:
    """Return where a text that is to become evidence holds an erased value, in order, apart.

    Offsets count code points of `text`.  What only looks like an erased value in plain ASCII
    (modern and modem) is left.  What escapes spell is read, and found where it stands in `text`.
    """
    if not text.strip() or not snapshot.erased_anywhere():
        return ()
    found = _erased_spans(ground, snapshot, text)
    read = as_shown(text)
    if read is not None:
        found += map(read.span, _erased_spans(ground, snapshot, read.text))
    return _merged(found)


def _erased_spans(ground: Ground, snapshot: Snapshot, text: str) -> list[Span]:
    found: list[Span] = []
    part, marks = (
        Part("evidence", text, (Use(FREE),), (Use(FREE),), erased_only=True),
        _marks(ground, snapshot),
    )
    for _, key in all_tombstone_keys(ground):
        hits = _met_whole(snapshot, (_bare(part),), (key,), space=0, marks=marks)
        if any(not _is_innocent(hit) for hit in hits):
            return [Span(0, len(text))]
        found += _spans_of_single(snapshot, text, key)
        if marks is not None and not _has_mark(text, (key,), marks):
            continue
        looked = _Looked(part, key, marks=marks)
        for id, start, end, exact in looked.found(snapshot.anchors_for(0, list(looked.pairs))):
            standing = snapshot.tombstone(id)
            window = looked.window(start, end)
            if standing is not None and (exact or has_non_ascii_letters(text[window.start : window.end])):
                found.append(window)
    return found


def without_erased(ground: Ground, snapshot: Snapshot, text: str) -> str:
    """Return a text that is to be kept without what was erased in this tenant; no verdict, only a mark."""
    return mention.without(text, erased_spans(ground, snapshot, text), mark=MARK)


def _bare(part: Part) -> Part:
    return replace(part, name="")


def _met_whole(
    snapshot: Snapshot,
    parts: Sequence[Part],
    keys: Sequence[bytes],
    *,
    space: int,
    marks: Marks | None = None,
) -> Iterator[TombstoneHit]:
    """Yield what parts meet as a whole, or by an identifier in them."""
    wide: list[bytes] = []
    for part in parts:
        for key in keys:
            wide += disguised_digests(key, part.whole, part.text)
            wide += single_digests(key, part.text) if part.name else ()
    if marks is not None and not marks.may_hold(wide):
        return
    if not snapshot.any_buried(space, wide):
        return
    for part in parts:
        yield from _met_part(snapshot, part, keys, space=space)


def _met_part(snapshot: Snapshot, part: Part, keys: Sequence[bytes], *, space: int) -> Iterator[TombstoneHit]:
    whole = [keys_of(key, use, part.text) for key in keys for use in part.whole]
    single = [digest for key in keys for digest in single_digests(key, part.text)] if part.name else []
    seen: set[str] = set()
    steps = (
        ([one.plain for one in whole], False, False),
        (single, False, True),
        ([digest for one in whole for digest in (one.folded, one.skeleton)], True, False),
    )
    for digests, only, within in steps:
        for one in snapshot.tombstones_for(space, digests) if digests else ():
            if one.id in seen or (part.erased_only and one.kind is not TombstoneKind.ERASED):
                continue
            seen.add(one.id)
            if only and _says_another_word(snapshot, part, keys, tombstone=one.id):
                continue
            yield TombstoneHit(
                one.id, one.kind, only, part.name, within=within, disguised=has_non_ascii_letters(part.text)
            )


def _says_another_word(snapshot: Snapshot, part: Part, keys: Sequence[bytes], *, tombstone: str) -> bool:
    """Return whether a part would be the buried value letter by letter if a word of it were another word."""
    buried = snapshot.tombstone_digests([tombstone]).get(tombstone, ())
    runs = {Anchor.unpacked(one).plain for one in buried if is_anchor(one)}
    others = list(with_other_words(plain(part.text)))
    other_runs = list(with_other_words(plain_run(part.text, spans_of(part.text)))) if others and runs else []
    return any(
        any(keys_of(key, use, other).plain in buried for other in others)
        or any(plain_digest(key, use, run) in runs for run in other_runs)
        for key in keys
        for use in part.whole
    )


def _has_mark(text: str, keys: Sequence[bytes], marks: Marks) -> bool:
    """Return whether a pair of neighbouring tokens, in either form, has the mark of one that is buried."""
    tokens = tokens_of(text)
    for form in (tokens.first,) if tokens.second is tokens.first else (tokens.first, tokens.second):
        for key in keys:
            if has_pair_among(key, form, marks.pairs):
                return True
            if marks.hashed_pairs and hashed_pairs_of(key, form, among=marks.hashed_pairs):
                return True
    return False


def _positions(key: bytes, form: list[str], marks: Marks | None) -> Positions:
    """Return where the pairs of tokens stand that may be buried, whenever that was done."""
    if marks is None:
        return pairs_of(key, form) | hashed_pairs_of(key, form)
    found = pairs_of(key, form, among=marks.pairs)
    return found | hashed_pairs_of(key, form, among=marks.hashed_pairs) if marks.hashed_pairs else found


def _met_within(
    snapshot: Snapshot, parts: Sequence[Part], keys: Sequence[bytes], *, space: int, marks: Marks | None
) -> Iterator[TombstoneHit]:
    """Yield what parts hold somewhere inside."""
    if marks is not None and not any(_has_mark(part.text, keys, marks) for part in parts if part.within):
        return
    looked = [_Looked(part, key, marks=marks) for part in parts if part.within for key in keys]
    pairs = {pair for one in looked for pair in one.pairs}
    anchors = snapshot.anchors_for(space, list(pairs)) if pairs else []
    seen: set[tuple[str, str]] = set()
    for one in looked if anchors else ():
        for id, start, end, exact in one.found(anchors):
            standing = snapshot.tombstone(id)
            if standing is None or (one.part.erased_only and standing.kind is not TombstoneKind.ERASED):
                continue
            if (id, one.part.name) in seen and not exact:
                continue
            seen.add((id, one.part.name))
            span = one.window(start, end)
            shown = has_non_ascii_letters(one.part.text[span.start : span.end])
            yield TombstoneHit(id, standing.kind, not exact, one.part.name, within=True, disguised=shown)


class _Looked:
    """Look for anchored values in one part under one key, in both forms of its tokens where they differ."""

    def __init__(self, part: Part, key: bytes, *, marks: Marks | None = None) -> None:
        self.part, self._key = part, key
        tokens = tokens_of(part.text)
        forms = [tokens.first] if tokens.first == tokens.second else [tokens.first, tokens.second]
        self._forms = [(Stretches(key, form), _positions(key, form, marks)) for form in forms]
        self._spans: list[tuple[int, int]] = []

    @property
    def pairs(self) -> set[int]:
        """Return the digests of all pairs."""
        return {pair for _, positions in self._forms for pair in positions}

    def found(self, anchors: Iterable[tuple[str, Anchor]]) -> Iterator[tuple[str, int, int, bool]]:
        """Yield tombstone, first and end token, and whether it is the value letter by letter."""
        for id, anchor in anchors:
            for stretches, positions in self._forms:
                for start, end, exact in self._of_anchor(anchor, stretches, positions):
                    yield id, start, end, exact

    def _of_anchor(
        self, anchor: Anchor, stretches: Stretches, positions: Positions
    ) -> Iterator[tuple[int, int, bool]]:
        done = 0
        for start, end in stretches.fitting(anchor, positions.get(anchor.pair, [])):
            # Stretches that overlap one already found would make a text of repeats cost its square.
            if start < done:
                continue
            for use in (*self.part.within, _IN_PIECES):
                if within_digest(self._key, use, stretches.tokens[start:end]) == anchor.disguised:
                    done = end
                    if use is _IN_PIECES:
                        yield from self._of_identifier(anchor, start, end)
                        break
                    spans = self.spans()[start:end]
                    run = plain_run(self.part.text, spans)
                    exact = self._says(anchor, use, run) or self._says_bare(anchor, use, spans)
                    if exact or not self._says_otherwise(anchor, use, run=run, spans=spans):
                        yield start, end, exact
                    break

    def _of_identifier(self, anchor: Anchor, start: int, end: int) -> Iterator[tuple[int, int, bool]]:
        """Yield a stretch that says an identifier, whatever parts it; nothing where a longer one goes on."""
        span, text = self.window(start, end), self.part.text
        target = mention.wanted(text[span.start : span.end], identifier=True)
        if not mention.is_part(text, span, target):
            yield start, end, self._says(anchor, _IN_PIECES, target.joined)

    def _says_otherwise(self, anchor: Anchor, use: Use, *, run: str, spans: list[tuple[int, int]]) -> bool:
        """Return whether what is buried is another number or has another word: -5 for 5 hides nothing."""
        others = chain(runs_of_other_numbers(self.part.text, spans), with_other_words(run))
        return any(self._says(anchor, use, other) for other in others)

    def _says_bare(self, anchor: Anchor, use: Use, spans: list[tuple[int, int]]) -> bool:
        """Return whether what was erased would stand in evidence: there no sign beside a word hides it."""
        return self.part.erased_only and self._says(anchor, use, plain_run(self.part.text, spans, bare=True))

    def _says(self, anchor: Anchor, use: Use, run: str) -> bool:
        return plain_digest(self._key, use, run) == anchor.plain

    def spans(self) -> list[tuple[int, int]]:
        """Return where the tokens stand, worked out at the first hit."""
        if not self._spans:
            self._spans = spans_of(self.part.text)
        return self._spans

    def window(self, start: int, end: int) -> Span:
        """Return where a stretch of tokens stands in the text."""
        return Span(self.spans()[start][0], self.spans()[end - 1][1])


def _spans_of_single(snapshot: Snapshot, text: str, key: bytes) -> Iterator[Span]:
    """Yield where erased identifiers and long tokens stand."""
    places: dict[bytes, list[Span]] = {}
    for one in identifiers_in(text, in_pieces=True):
        places.setdefault(keyed_digest(key, IDENTIFIER, one.form), []).append(one.span)
    for token, (start, end) in zip(tokens_of(text).first, spans_of(text), strict=True):
        if len(token) >= CHARACTERS_WITHIN_MIN:
            places.setdefault(keyed_digest(key, TOKEN, token), []).append(Span(start, end))
    standing = snapshot.tombstones_for(0, list(places)) if places else []
    kept = snapshot.tombstone_digests([one.id for one in standing])
    for digest in {digest for one in standing for digest in kept.get(one.id, ())} & places.keys():
        yield from places[digest]


def _is_innocent(hit: TombstoneHit) -> bool:
    return hit.look_alike_only and not hit.disguised


def _merged(spans: Iterable[Span]) -> tuple[Span, ...]:
    merged: list[Span] = []
    for span in sorted(spans, key=lambda one: (one.start, one.end)):
        if merged and span.start <= merged[-1].end:
            merged[-1] = Span(merged[-1].start, max(merged[-1].end, span.end))
        else:
            merged.append(span)
    return tuple(merged)
