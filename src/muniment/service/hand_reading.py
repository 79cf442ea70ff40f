"""Which verbs only read?  Recall, one id, its history, its evidence, listings."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Unpack

from muniment.domain.check import Check
from muniment.domain.memory import Version
from muniment.domain.principal import EVERYWHERE, ActorRole
from muniment.domain.rows import RecallRow, SpaceRow
from muniment.domain.session import Conversation
from muniment.domain.space import checked_path
from muniment.domain.trust import LIVE, Trust
from muniment.errors import BadInput
from muniment.later import Later
from muniment.ports import Snapshot
from muniment.recall.question import Answer
from muniment.service.arguments import (
    RecallFields,
    When,
    moment_of,
    page_limit,
    page_of,
    position_of,
    question_of,
    text_of,
    texts_of,
)
from muniment.service.hand import Hand

if TYPE_CHECKING:
    from muniment.service import explore, upkeep
else:
    explore, upkeep = Later("muniment.service.explore"), Later("muniment.service.upkeep")


class ReadingHand(Hand):
    """Read what the principal may see."""

    def recall(self, text: str, **fields: Unpack[RecallFields]) -> Answer:
        """Answer a question with hits, their evidence and what was withheld."""
        question = question_of(self._asker(), text, fields)
        return self._served(question, durable=False)

    def recall_durably(self, text: str, **fields: Unpack[RecallFields]) -> Answer:
        """Answer a question that is on record before the answer leaves, as agents' questions are."""
        question = question_of(self._asker(), text, fields)
        return self._served(question, durable=True)

    def read(
        self, id: str, when: When = None, known_at: When = None, *, include_rejected: bool = False
    ) -> "explore.Reading":
        """Return what one id says, now or at a moment; raises NotFound for what is not there for you."""
        now = self._now()
        asked = explore.Asked(
            moment_of("when", when, now=now), moment_of("known_at", known_at, now=now), include_rejected
        )
        return explore.read(self._ground, self._principal, text_of("id", id), asked=asked)

    def history(self, id: str, *, include_rejected: bool = False) -> tuple["explore.Reading", ...]:
        """Return every version of a memory and of its predecessors and successors, oldest first."""
        return explore.history(
            self._ground, self._principal, text_of("id", id), include_rejected=include_rejected
        )

    def why(self, id: str) -> tuple["explore.WhyStep", ...]:
        """Return the chain from a statement down to the verbatim evidence."""
        return explore.why(self._ground, self._principal, text_of("id", id))

    def spaces(self) -> tuple[SpaceRow, ...]:
        """Return the spaces the caller may read, by path."""
        ground = self._ground
        with ground.reading() as snapshot:
            ground.learn_dials(snapshot, snapshot.head().generation)
            rows = [ground.dialled(row) for row in snapshot.spaces()]
        readable = [row for row in rows if self._principal.may_read(row.path)]
        return tuple(sorted(readable, key=lambda row: row.path))

    def _space_numbers(self, snapshot: Snapshot, space: str | None) -> list[int]:
        wanted = checked_path(space) if space else ""
        return [
            row.n
            for row in snapshot.spaces()
            if self._principal.may_read(row.path) and (not wanted or row.path == wanted)
        ]

    def sessions(
        self, *, space: str | None = None, after: int = 0, limit: int = 100
    ) -> tuple[Conversation, ...]:
        """Return the sessions of the caller's spaces, the newest first."""
        page = page_of(after, limit)
        with self._ground.reading() as snapshot:
            return tuple(snapshot.sessions(self._space_numbers(snapshot, space), page))

    def memories(
        self, *, space: str | None = None, states: Sequence[str] = (), after: int = 0, limit: int = 100
    ) -> tuple[Version, ...]:
        """Return newest versions, the newest first; live ones unless `states` names others."""
        states = texts_of("states", states)
        if any(state not in Trust.__members__.values() for state in states):
            raise BadInput(f"`states` names {', '.join(trust.value for trust in Trust)}.")
        if Trust.REJECTED.value in states and not self._principal.is_person:
            raise BadInput("Only a person lists what was rejected.")
        page = page_of(after, limit)
        trusts = tuple(states) or tuple(trust.value for trust in LIVE)
        with self._ground.reading() as snapshot:
            rows = snapshot.memories(self._space_numbers(snapshot, space), trusts, page)
        return tuple(row for row in rows if row.label.data_class <= self._principal.class_max)

    def recalls(self, *, after: int = 0, limit: int = 100) -> tuple[RecallRow, ...]:
        """Return the recall log, the newest first: who asked what, and what was served."""
        if self._principal.role not in EVERYWHERE and self._principal.role is not ActorRole.AUDITOR:
            raise BadInput("The recall log is for the owner, an admin or an auditor.")
        page = page_of(after, limit)
        self._recalls.flush()
        with self._ground.reading() as snapshot:
            return tuple(snapshot.recalls(page))

    def status(self) -> "upkeep.Status":
        """Return what the vault holds and how its log stands."""
        return upkeep.status(self._ground)

    def doctor(self) -> tuple["upkeep.Check", ...]:
        """Return every health check, and what this process could not put on record or sign."""
        return (*upkeep.doctor(self._ground), self._kept_check())

    def _kept_check(self) -> Check:
        unlogged, unsigned = self._recalls.failures, self._witnessing.failures
        if unlogged or unsigned:
            lost = f"{unlogged} batches of answers are not on record, {unsigned} checkpoints not signed."
            return Check("kept", False, lost)
        return Check("kept", True, "Every answer of this process is on record or waits for it.")

    def log(
        self, *, after: int = 0, limit: int = 50, newest_first: bool = True
    ) -> tuple["upkeep.LogRow", ...]:
        """Return ledger records; auditors and persons only, since counts tell of every space."""
        if self._principal.role is ActorRole.AGENT:
            raise BadInput("Agents do not read the log.")
        return upkeep.log(
            self._ground, after=position_of(after), limit=page_limit(limit), newest_first=newest_first
        )
