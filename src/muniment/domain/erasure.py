"""What is erased with what, and what stays?  Plans in the clear, and the tables that decide."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from types import MappingProxyType

from muniment.domain.changes import Row, Sealed
from muniment.domain.evidence import Span
from muniment.domain.ledger import RowCode
from muniment.domain.memory import Kind


class TermSort(StrEnum):
    """Name how a term is kept out once it is erased."""

    TEXT = "text"
    VALUE = "value"
    IDENTIFIER = "identifier"
    SENTENCE = "sentence"


@dataclass(frozen=True, slots=True)
class Term:
    """Hold one text that may not come back, in the clear: a plan is shown and never stored.

    `about` and `attribute` name the slot of a keyed value.  `hits` counts the stored rows
    that hold it.
    """

    sort: TermSort
    text: str
    about: str = ""
    attribute: str = ""
    hits: int = 0


class Loss(StrEnum):
    """Name what becomes of a memory that loses one of several sources."""

    KEPT = "kept"
    DISPUTED = "disputed"


LOSSES: Mapping[Kind, Loss] = MappingProxyType(
    {
        Kind.FACT: Loss.KEPT,
        Kind.PREFERENCE: Loss.KEPT,
        Kind.EPISODE: Loss.KEPT,
        Kind.HYPOTHESIS: Loss.KEPT,
        Kind.EXPERIMENT: Loss.KEPT,
        Kind.TASK: Loss.KEPT,
        Kind.DECISION: Loss.KEPT,
        Kind.SUMMARY: Loss.DISPUTED,
        Kind.REFERENCE: Loss.DISPUTED,
        Kind.CONCEPT: Loss.DISPUTED,
        Kind.ENTITY: Loss.KEPT,
        Kind.DRAFT: Loss.DISPUTED,
        Kind.SKILL: Loss.DISPUTED,
        Kind.POLICY: Loss.DISPUTED,
        Kind.TRAIL: Loss.DISPUTED,
        Kind.BOARD: Loss.DISPUTED,
    }
)
"""What becomes of a memory, by its kind, when a source goes and another stays.

A statement stands on what is left.  What was put together from several sources may still say
in other words what went, so it is disputed until a person looks.  Without any source left
every kind goes.
"""


CONTAINED_FROM_WORDS, CONTAINED_FROM_CHARACTERS = 4, 20
"""From how many words, or characters, a term is looked for inside longer texts: a shorter one
would meet texts that say something else."""


STORES: Mapping[RowCode, str] = MappingProxyType(
    {
        RowCode.VERSION: "version",
        RowCode.EVIDENCE: "evidence",
        RowCode.LINK: "link",
        RowCode.TOMBSTONE: "tombstone",
        RowCode.SESSION: "session",
        RowCode.RECALL: "recall_log",
        RowCode.ACTOR: "actor",
        RowCode.MATTER: "matter",
        RowCode.SPACE: "space",
        RowCode.CREDENTIAL: "credential",
    }
)
"""What the store of each kind of row is called."""


class Means(StrEnum):
    """Name by what a person says what is to go; a plan takes exactly one."""

    ID = "id"
    TEXT = "text"
    SOURCE = "source"
    PERSON = "person"
    FILTER = "filter"


FILTER_FIELDS = (
    "kind", "tag", "trust", "about", "attribute", "space", "session",
    "speaker", "source", "role", "before", "after",
)  # fmt: skip
"""What a filter may name; every given field has to hold, and one that a row lacks does not hold."""


@dataclass(frozen=True, slots=True)
class Asked:
    """Hold what a plan was asked for, in the clear."""

    means: Means
    value: str
    filters: tuple[tuple[str, str], ...] = ()
    add: tuple[str, ...] = ()
    leave: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Going:
    """Hold one row that goes, its id (or its kind and number), and why.

    `spans` are the parts of an evidence item's text that go while the rest stays, or the
    new place of a link's span.  With `put_back` the row comes back without what was erased.
    """

    code: RowCode
    name: str
    why: str
    sealed: Sealed[Row] = field(repr=False)
    spans: tuple[Span, ...] = ()
    put_back: bool = False


@dataclass(frozen=True, slots=True)
class Staying:
    """Hold what stays although it was near, and why; never a remembered text."""

    name: str
    why: str


@dataclass(frozen=True, slots=True)
class Plan:
    """Hold what an erasure would do: every row, every term, and what it leaves.

    `digest` binds the plan to this exact content; `next_n` and `size` to the state of the
    log it was made from.  `disputes` are memories that lose a source, or rest on one that
    does, and are disputed.
    `request` is the id of the request that it carries out, empty for none.
    """

    asked: Asked
    going: tuple[Going, ...]
    terms: tuple[Term, ...]
    disputes: tuple[str, ...]
    stays: tuple[Staying, ...]
    spaces: tuple[int, ...]
    made: datetime
    size: int
    next_n: int
    digest: str = ""
    counts: Mapping[str, int] = field(default_factory=dict)
    request: str = ""

    @property
    def empty(self) -> bool:
        """Return whether nothing would go."""
        return not self.going

    @property
    def memories(self) -> tuple[str, ...]:
        """Return the memories that go whole or in part, each once."""
        return tuple(dict.fromkeys(one.name for one in self.going if one.name.startswith("m_")))
