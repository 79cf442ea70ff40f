"""What becomes of a block's entries?  Pure: operations on a list, all or nothing.

Each operation sees the ones before it; what is judged is where they end.  An entry that no
operation names comes out byte for byte as it went in.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from types import MappingProxyType

from muniment.domain.block import BOUNDS, Block, Found, characters, found, preview, sameness


class Action(StrEnum):
    """Name what is asked for.

    `batch` stands for a list of operations, `undo` takes an edit back, and `file` takes in what the
    owner changed in the block's file.
    """

    ADD = "add"
    REPLACE = "replace"
    REMOVE = "remove"
    NOTE = "note"
    CONSOLIDATE = "consolidate"
    BATCH = "batch"
    UNDO = "undo"
    FILE = "file"


@dataclass(frozen=True, slots=True)
class Operation:
    """Hold one operation: add `text`, replace the entry that `old` names by it, or remove that entry.

    A `pinned` one names its entry by the whole of it: what grew since is not meant.
    """

    action: Action
    text: str = ""
    old: str = ""
    pinned: bool = False


@dataclass(frozen=True, slots=True)
class Line:
    """Hold one line of a consolidation: an entry and exactly one fate, or a new text alone.

    A `pinned` one names its entry by the whole of it.
    """

    old: str = ""
    text: str = ""
    keep: bool = False
    move: bool = False
    drop: bool = False
    pinned: bool = False


class FaultKind(StrEnum):
    """Name why operations cannot be carried out."""

    NO_MATCH = "no-match"
    SEVERAL = "several"
    DUPLICATE = "duplicate"
    UNCHANGED = "unchanged"
    UNACCOUNTED = "unaccounted"
    NOT_LATEST = "not-latest"
    EMPTIES = "empties"
    OVER_LIMIT = "over-limit"


@dataclass(frozen=True, slots=True)
class Fault:
    """Hold why nothing is carried out: the kind, a sentence, and the number of the operation from 1.

    `number` is 0 where no single operation is at fault.  `entries` are those that the
    sentence counts, previewed; no entry's text stands in the sentence itself.
    """

    kind: FaultKind
    sentence: str
    number: int = 0
    entries: tuple[str, ...] = ()

    @property
    def detail(self) -> str:
        """Return the sentence, with the operation named where there is one."""
        return f"Operation {self.number}: {self.sentence}" if self.number else self.sentence


@dataclass(frozen=True, slots=True)
class Applied:
    """Hold a block before and after, and which texts came, went or left for the notes."""

    before: tuple[str, ...]
    after: tuple[str, ...]
    added: tuple[str, ...] = ()
    replaced: tuple[str, ...] = ()
    moved: tuple[str, ...] = ()
    dropped: tuple[str, ...] = ()

    @property
    def taken_out(self) -> tuple[str, ...]:
        """Return every text that does not stand in the block any more."""
        return (*self.replaced, *self.moved, *self.dropped)


def applied(
    block: Block, entries: Sequence[str], operations: Sequence[Operation], *, is_batch: bool = False
) -> Applied | Fault:
    """Return where operations lead, or the first fault; in a batch it names the operation.

    The bound is judged on the final state.  A batch may not empty a block; one removal may.
    """
    state = Applied(tuple(entries), tuple(entries))
    for number, operation in enumerate(operations, start=1):
        step = _STEPS[operation.action](state, operation)
        if isinstance(step, Fault):
            return replace(step, number=number) if is_batch else step
        state = step
    if is_batch and state.before and not state.after:
        return Fault(FaultKind.EMPTIES, "These operations would leave nothing in the block.")
    return _within(block, state)


def _within(block: Block, state: Applied) -> Applied | Fault:
    size, bound = characters(state.after), BOUNDS[block]
    if size <= bound:
        return state
    return Fault(
        FaultKind.OVER_LIMIT,
        f"{block.value} would be {size:,} of {bound:,} characters; use consolidate to move entries to notes.",
    )


def _add(state: Applied, operation: Operation) -> Applied | Fault:
    same = _same(state.after, operation.text)
    if same:
        return _duplicate(same)
    return replace(state, after=(*state.after, operation.text), added=(*state.added, operation.text))


def _replace(state: Applied, operation: Operation) -> Applied | Fault:
    match = found(state.after, operation.old, whole=operation.pinned)
    if len(match.places) != 1:
        return unmatched(state.after, operation.old, match)
    place = match.place
    whole = state.after[place]
    if whole == operation.text:
        return Fault(FaultKind.UNCHANGED, "The entry says so already.")
    others = (*state.after[:place], *state.after[place + 1 :])
    same = _same(others, operation.text)
    if same:
        return _duplicate(same)
    after = (*state.after[:place], operation.text, *state.after[place + 1 :])
    return replace(
        state,
        after=after,
        added=(*state.added, operation.text),
        replaced=(*state.replaced, whole),
    )


def _remove(state: Applied, operation: Operation) -> Applied | Fault:
    match = found(state.after, operation.old, whole=operation.pinned)
    if len(match.places) != 1:
        return unmatched(state.after, operation.old, match)
    place = match.place
    after = (*state.after[:place], *state.after[place + 1 :])
    return replace(state, after=after, dropped=(*state.dropped, state.after[place]))


_STEPS: Mapping[Action, Callable[[Applied, Operation], Applied | Fault]] = MappingProxyType(
    {Action.ADD: _add, Action.REPLACE: _replace, Action.REMOVE: _remove}
)
OPERATIONS = tuple(_STEPS)
"""What a batch may hold."""


def unmatched(entries: Sequence[str], named: str, match: Found) -> Fault:
    """Return why a text names no single entry: none holds it, or several do, each previewed."""
    if not match.places:
        return Fault(FaultKind.NO_MATCH, f"No entry is or holds {preview(named)!r}.")
    shown = tuple(preview(entries[place]) for place in match.places)
    return Fault(FaultKind.SEVERAL, f"{len(shown)} entries hold {preview(named)!r}.", entries=shown)


def _same(entries: Sequence[str], text: str) -> str:
    """Return the entry that says the same as a text, empty when none does."""
    key = sameness(text)
    return next((entry for entry in entries if sameness(entry) == key), "")


def _duplicate(entry: str) -> Fault:
    return Fault(FaultKind.DUPLICATE, "The entry is shown.", entries=(preview(entry),))


def consolidated(block: Block, entries: Sequence[str], lines: Sequence[Line]) -> Applied | Fault:
    """Return where a consolidation leads: every present entry is named by exactly one line.

    The entries end in the order of the lines.  What is moved or dropped leaves for the notes.
    """
    state = Applied(tuple(entries), ())
    named: set[int] = set()
    for number, line in enumerate(lines, start=1):
        step = _taken(state, line, named)
        if isinstance(step, Fault):
            return replace(step, number=number)
        state = step
    missing = tuple(preview(entry) for place, entry in enumerate(entries) if place not in named)
    if missing:
        count = f"{len(missing)} of {len(entries)}"
        return Fault(FaultKind.UNACCOUNTED, f"{count} entries are not accounted for.", entries=missing)
    if state.before and not state.after:
        return Fault(FaultKind.EMPTIES, "This consolidation would leave nothing in the block.")
    if state.before == state.after:
        return Fault(FaultKind.UNCHANGED, "Every entry is kept as it stands.")
    return _within(block, state)


def _taken(state: Applied, line: Line, named: set[int]) -> Applied | Fault:
    """Return the state after one line, and note in `named` which entry it was about."""
    if not line.old:
        return _add(state, Operation(Action.ADD, line.text))
    match = found(state.before, line.old, whole=line.pinned)
    if len(match.places) != 1:
        return unmatched(state.before, line.old, match)
    place = match.place
    if place in named:
        again = (preview(state.before[place]),)
        return Fault(FaultKind.UNACCOUNTED, "An earlier line names the same entry.", entries=again)
    named.add(place)
    entry = state.before[place]
    if line.move:
        return replace(state, moved=(*state.moved, entry))
    if line.drop:
        return replace(state, dropped=(*state.dropped, entry))
    said = entry if line.keep else line.text
    same = _same(state.after, said)
    if same:
        return _duplicate(same)
    after = (*state.after, said)
    # A rewriting that writes what is there keeps it.
    if said == entry:
        return replace(state, after=after)
    return replace(state, after=after, added=(*state.added, said), replaced=(*state.replaced, entry))


def restored(block: Block, entries: Sequence[str], before: Sequence[str]) -> Applied | Fault:
    """Return a block with the entries that an edit found, as an undo puts them back.

    A Fault when they are the present ones: an erasure took what the edit had changed.
    """
    if tuple(entries) == tuple(before):
        return Fault(FaultKind.UNCHANGED, "What it changed is gone; the block holds what it found.")
    gone = tuple(entry for entry in entries if entry not in before)
    back = tuple(entry for entry in before if entry not in entries)
    return _within(block, Applied(tuple(entries), tuple(before), added=back, replaced=gone))


def pinned_operations(entries: Sequence[str], operations: Sequence[Operation]) -> tuple[Operation, ...]:
    """Return operations that name by its whole text each entry that they found among `entries`.

    Who approves them later sees what goes, and nothing else goes.  They have been `applied` here.
    """
    state, pins = Applied(tuple(entries), tuple(entries)), list[Operation]()
    for operation in operations:
        match = found(state.after, operation.old, whole=operation.pinned)
        whole = state.after[match.place] if operation.old else ""
        pins.append(replace(operation, old=whole, pinned=bool(whole)))
        step = _STEPS[operation.action](state, operation)
        if isinstance(step, Fault):
            raise ValueError("only operations that can be carried out are pinned")
        state = step
    return tuple(pins)


def pinned_lines(entries: Sequence[str], lines: Sequence[Line]) -> tuple[Line, ...]:
    """Return lines of a consolidation that name by its whole text each entry of `entries`."""
    wholes = (
        entries[found(entries, line.old, whole=line.pinned).place] if line.old else "" for line in lines
    )
    return tuple(
        replace(line, old=whole, pinned=bool(whole)) for line, whole in zip(lines, wholes, strict=True)
    )
