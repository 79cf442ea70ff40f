"""What is believed after a contradiction?  Five shapes, six questions, minutes and months apart."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from muniment.conformance.adapter import Cannot, Memory, Slot
from muniment.conformance.asking import items, tried, unqualified
from muniment.conformance.verdict import Outcome


@dataclass(frozen=True, slots=True)
class Statement:
    """Hold what somebody says, its key for a memory that has keys, and since when it holds."""

    text: str
    slot: Slot
    since: str = ""


@dataclass(frozen=True, slots=True)
class Shape:
    """Hold one way to contradict: what was said first, what follows, and what must be true then.

    `after` is None for a retraction.  `stays` must still be answered; `then` is asked about
    `moment`, when the first statement held.
    """

    before: Statement
    after: Statement | None
    ask: str
    stale: str
    fresh: str
    beside: Statement | None = None
    stays: str = ""
    moment: str = ""


def _me(text: str, attribute: str, value: str, *, since: str = "") -> Statement:
    return Statement(text, Slot("user", attribute, value), since)


SHAPES: Mapping[str, Shape] = MappingProxyType(
    {
        "replacement": Shape(
            _me("I live in Berlin", "home", "Berlin"),
            _me("I moved to Lisbon", "home", "Lisbon"),
            "where do I live",
            stale="Berlin",
            fresh="Lisbon",
        ),
        "polarity": Shape(
            _me("I love liver", "taste for liver", "love"),
            _me("I can't stand liver", "taste for liver", "can't stand"),
            "do I like liver",
            stale="love liver",
            fresh="can't stand liver",
        ),
        "retraction": Shape(
            _me("I own a houseboat", "boat", "houseboat"),
            None,
            "do I own a houseboat",
            stale="own a houseboat",
            fresh="",
        ),
        "partial": Shape(
            _me("I am an engineer at Acme", "position", "engineer"),
            _me("I was promoted to manager", "position", "manager"),
            "am I an engineer or a manager, and where do I work",
            stale="engineer",
            fresh="manager",
            beside=_me("I work at Acme", "employer", "Acme"),
            stays="work at Acme",
        ),
        "bounded": Shape(
            _me("I have been a vegetarian for ten years", "diet", "vegetarian", since="2014-01-01"),
            _me("I stopped being a vegetarian in 2024", "diet", "no vegetarian", since="2024-01-01"),
            "am I a vegetarian",
            stale="been a vegetarian for",
            fresh="stopped being a vegetarian",
            moment="2022-06-01",
        ),
    }
)

MISSPOKEN = "I misspoke"
NEIGHBOUR = "My bicycle is painted teal"


class Column(StrEnum):
    """Name the six questions of the matrix."""

    CURRENT = "A"
    UNQUALIFIED = "B"
    SETTLED = "C"
    RETURNED = "C'"
    HISTORY = "D"
    DERIVED = "E"


COLUMNS: Mapping[Column, str] = MappingProxyType(
    {
        Column.CURRENT: "the current answer is given",
        Column.UNQUALIFIED: "no stale value stands in the prompt without a mark",
        Column.SETTLED: "both are so after every job",
        Column.RETURNED: "and after the first material came again by another path",
        Column.HISTORY: "history still says what was held before",
        Column.DERIVED: "what is derived agrees",
    }
)


class Way(StrEnum):
    """Name how the memory learns of the second statement."""

    SAID = "said"
    KEYED = "keyed"
    TOLD = "told"


GAPS: Mapping[str, float] = MappingProxyType({"minutes": 10 / 1440, "months": 100.0})


ROWS: tuple[tuple[str, Way, str], ...] = tuple(
    (shape, way, gap)
    for shape, one in SHAPES.items()
    for way in Way
    for gap in GAPS
    # A retraction says no new value, so there is nothing that could be keyed.
    if one.after is not None or way is not Way.KEYED
)


@dataclass(frozen=True, slots=True)
class Row:
    """Hold one row of the matrix: what happened to one shape, told one way, one gap apart."""

    shape: str
    way: Way
    gap: str
    cells: Mapping[Column, Outcome]
    twin: Outcome


def _write(memory: Memory, one: Statement, *, keyed: bool) -> None:
    memory.write(one.text, slot=one.slot if keyed else None, since=one.since if keyed else "")


def _first(memory: Memory, shape: Shape, way: Way) -> None:
    memory.write(NEIGHBOUR)
    for one in (shape.before, shape.beside):
        if one is not None:
            _write(memory, one, keyed=way is not Way.SAID)
    memory.settle()


def _second(memory: Memory, shape: Shape, way: Way) -> None:
    if shape.after is None:
        if way is not Way.TOLD:
            memory.write(f"{MISSPOKEN}: it is not true that {shape.before.text}")
        else:
            memory.retract(shape.before.text)
    elif way is Way.TOLD:
        after = shape.after
        memory.correct(shape.before.text, after.text, slot=after.slot, since=after.since)
    else:
        _write(memory, shape.after, keyed=way is Way.KEYED)
    memory.settle()


def _current(memory: Memory, shape: Shape) -> bool:
    """Return whether the current value is answered, what stays stays, and the past moment is known."""
    found = items(memory, shape.ask)
    told = not shape.fresh or unqualified(found, shape.fresh)
    stays = not shape.stays or unqualified(found, shape.stays)
    if not shape.moment:
        return told and stays
    then = memory.read_prompt(memory.prompt_as_of(shape.ask, shape.moment))
    # About the past a mark such as an end is right, so any memory that says it will do.
    return told and stays and any(shape.stale in item.text for item in then if not item.quoted)


def _unmarked(memory: Memory, shape: Shape) -> bool:
    rest = tuple(item for item in items(memory, shape.ask) if MISSPOKEN not in item.text)
    return not unqualified(rest, shape.stale)


def _settled(memory: Memory, shape: Shape) -> bool:
    memory.run_background_jobs()
    memory.settle()
    return _current(memory, shape) and _unmarked(memory, shape)


def _returned(memory: Memory, shape: Shape) -> bool:
    memory.feed(f"{shape.before.text}.", name="day one")
    memory.run_background_jobs()
    memory.settle()
    return _current(memory, shape) and _unmarked(memory, shape)


def _history(memory: Memory, shape: Shape) -> bool:
    """Return whether what holds now leads back to what was held before."""
    newest = shape.before if shape.after is None else shape.after
    return any(shape.stale.casefold() in text.casefold() for text in memory.history(newest.text))


def _derived(memory: Memory, shape: Shape) -> bool:
    return not any(shape.stale.casefold() in text.casefold() for text in memory.derived())


_QUESTIONS: tuple[tuple[Column, Callable[[Memory, Shape], bool]], ...] = (
    (Column.CURRENT, _current),
    (Column.UNQUALIFIED, _unmarked),
    (Column.SETTLED, _settled),
    (Column.HISTORY, _history),
    (Column.RETURNED, _returned),
    (Column.DERIVED, _derived),
)
"""The questions in the order in which they are put: what comes again comes after history was asked."""


def _cell(question: Callable[[Memory, Shape], bool], memory: Memory, shape: Shape) -> Outcome:
    answers: list[bool] = []
    how = tried(lambda: answers.append(question(memory, shape)))
    return Outcome.CANNOT if how.lacking else _outcome(answers == [True])


def row(memory: Memory, shape: str, way: Way, *, gap: str) -> Row:
    """Return what happened to one shape in a new memory; with a false twin no cell counts."""
    one = SHAPES[shape]
    how = tried(lambda: _told(memory, one, way, gap=gap))
    if not how.well:
        all_alike = Outcome.CANNOT if how.lacking else Outcome.FAILS
        return Row(shape, way, gap, dict.fromkeys(Column, all_alike), all_alike)
    cells = {column: _cell(question, memory, one) for column, question in _QUESTIONS}
    twin = _cell(_neighbour, memory, one)
    return Row(shape, way, gap, {column: cells[column] for column in Column}, twin)


def _told(memory: Memory, shape: Shape, way: Way, *, gap: str) -> None:
    _first(memory, shape, way)
    _apart(memory, gap)
    _second(memory, shape, way)


def _neighbour(memory: Memory, shape: Shape) -> bool:
    return unqualified(items(memory, "which colour has my bicycle"), NEIGHBOUR)


def _outcome(holds: bool) -> Outcome:
    return Outcome.HOLDS if holds else Outcome.FAILS


def _apart(memory: Memory, gap: str) -> None:
    try:
        memory.advance(GAPS[gap])
    except Cannot:
        if gap != "minutes":
            raise


def matrix(make: Callable[[], Memory]) -> Iterator[Row]:
    """Yield the rows of the matrix, each from a memory of its own."""
    for shape, way, gap in ROWS:
        with closing(make()) as memory:
            yield row(memory, shape, way, gap=gap)


def survives_reindex(memory: Memory) -> Iterator[tuple[str, bool, bool]]:
    """Yield, for each shape that is told, its name, whether it holds after a rebuild, and its twin.

    All five live in one memory; what each says does not concern the others.
    """
    for shape in SHAPES.values():
        _first(memory, shape, Way.TOLD)
        memory.advance(GAPS["months"])
        _second(memory, shape, Way.TOLD)
    memory.rebuild()
    memory.settle()
    for name, shape in SHAPES.items():
        holds = _unmarked(memory, shape) and _history(memory, shape) and _derived(memory, shape)
        yield name, holds, _current(memory, shape)
