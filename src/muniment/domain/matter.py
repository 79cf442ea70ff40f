"""What waits for a person, or was decided?  Cases, proposals, dials, edits, sessions, row by row.

A matter is a sequence of rows under one id: the first opens it, each later one moves its
state.  The newest row says where it stands; none is ever changed (I2).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from muniment.domain.label import Label
from muniment.domain.ledger import RowCode, canonical_row
from muniment.domain.members import Fields, moment, number, raw, text
from muniment.domain.timeline import to_micros


class MatterKind(StrEnum):
    """Name what is decided: two statements that disagree, a write that waits, a dial, a block's text.

    `session` is what happened to a session beside its turns, `baseline` the frozen text of an epoch,
    `erasure` an erasure that was asked for, and `use` how much a language model was used.
    """

    DISPUTE = "dispute"
    FINDING = "finding"
    PROPOSAL = "proposal"
    DIAL = "dial"
    SOUL = "block-soul"
    MEMORY = "block-memory"
    USER = "block-user"
    SESSION = "session"
    BASELINE = "baseline"
    ERASURE = "erasure"
    USE = "use"


CASES = (MatterKind.DISPUTE, MatterKind.FINDING)
"""Kinds that are cases: a person, or the space's dial, decides between two sides."""


EDITS = (MatterKind.SOUL, MatterKind.MEMORY, MatterKind.USER)
"""Kinds that are lines of the blocks' journal."""


class MatterState(StrEnum):
    """Name where a matter stands; `moot` says that what it was about is gone."""

    OPEN = "open"
    DECIDED = "decided"
    DECLINED = "declined"
    MOOT = "moot"


class Decision(StrEnum):
    """Name how a case is decided."""

    UPHOLD_NEW = "uphold-new"
    KEEP_OLD = "keep-old"
    EDIT = "edit"
    BOTH_VALID = "both-valid"
    MERGE = "merge"


class Why(StrEnum):
    """Name what opened a case."""

    LOWER_RANK = "conflict-lower-rank"
    OTHER_AUTHOR = "conflict-other-author"
    INSIDE = "conflict-inside"
    MAY_NOT_SUPERSEDE = "may-not-supersede"
    CONTRADICTS = "contradicts-link"
    REFUTED = "refuted-belief"
    DOUBTED = "doubted"
    FREE_TEXT = "free-text"
    SOURCE_CHANGED = "source-changed"
    HOLDS_REJECTED = "holds-rejected"


DOUBTS = frozenset({Why.REFUTED, Why.DOUBTED, Why.SOURCE_CHANGED, Why.HOLDS_REJECTED})
"""Cases about one statement: what stands against it says nothing that could take its place."""


@dataclass(frozen=True, slots=True)
class Opening:
    """Hold which case an act opens: why, and its sides; the one that is empty is what the act lands."""

    why: Why
    old: str
    new: str = ""
    kind: MatterKind = MatterKind.DISPUTE


@dataclass(frozen=True, slots=True)
class Matter:
    """Hold one row of a matter.

    `new` and `old` are the ids of its sides, empty for none, and `new_version` and
    `old_version` what they said when the row was made.  `why` is a code: the reason of a
    case or of staging, the name of a dial; `decision` the code of what was decided.  `body`
    holds a proposal's exact bytes as text, `digest` its SHA-256, both only in the first row.
    """

    n: int
    id: str
    kind: MatterKind
    space: int
    state: MatterState
    why: str
    label: Label
    actor: int
    recorded: datetime
    new: str = ""
    new_version: int = 0
    old: str = ""
    old_version: int = 0
    decision: str = ""
    body: str = ""
    digest: bytes = b""
    reason: str = ""

    @property
    def sides(self) -> tuple[str, ...]:
        """Return the ids of the sides, the newer first."""
        return tuple(side for side in (self.new, self.old) if side)

    @property
    def version(self) -> int:
        """Return the stamp of what both sides said: it grows whenever either changes."""
        return self.new_version + self.old_version


def matter_bytes(row: Matter) -> bytes:
    """Return the canonical bytes of a row of a matter: every column."""
    return canonical_row(
        RowCode.MATTER,
        (
            row.n, row.id, row.kind, row.space, row.state, row.why,
            int(row.label.data_class), row.label.untrusted, row.actor, row.recorded,
            row.new, row.new_version, row.old, row.old_version,
            row.decision, row.body, row.digest, row.reason,
        ),
    )  # fmt: skip


def matter_columns(row: Matter, label: Mapping[str, object]) -> dict[str, object]:
    """Return the members of a row outside the store; `label` are those of its label."""
    return {
        "n": row.n,
        "id": row.id,
        "kind": row.kind.value,
        "space": row.space,
        "state": row.state.value,
        "why": row.why,
        **label,
        "actor": row.actor,
        "recorded": to_micros(row.recorded),
        "new": row.new,
        "new_version": row.new_version,
        "old": row.old,
        "old_version": row.old_version,
        "decision": row.decision,
        "body": row.body,
        "digest": row.digest.hex(),
        "reason": row.reason,
    }


def matter_of(f: Fields, label: Label) -> Matter:
    """Return the row that the members spell; raises KeyError, TypeError or ValueError."""
    return Matter(
        n=number(f, "n"),
        id=text(f, "id"),
        kind=MatterKind(text(f, "kind")),
        space=number(f, "space"),
        state=MatterState(text(f, "state")),
        why=text(f, "why"),
        label=label,
        actor=number(f, "actor"),
        recorded=moment(f, "recorded"),
        new=text(f, "new"),
        new_version=number(f, "new_version"),
        old=text(f, "old"),
        old_version=number(f, "old_version"),
        decision=text(f, "decision"),
        body=text(f, "body"),
        digest=raw(f, "digest"),
        reason=text(f, "reason"),
    )
