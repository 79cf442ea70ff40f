"""What does one conversation hold in its hand?  Turns in, memories in, answers out, one label."""

from dataclasses import dataclass
from datetime import datetime
from typing import Unpack

from muniment import limits
from muniment.domain.changes import Page
from muniment.domain.evidence import Arrival, Role, TurnState
from muniment.domain.intent import Take
from muniment.domain.label import PUBLIC, Label
from muniment.domain.principal import Principal
from muniment.domain.session import Conversation
from muniment.errors import BadInput
from muniment.gate.characters import kept
from muniment.recall.question import Answer
from muniment.service.arguments import (
    RecallFields,
    When,
    class_of,
    moment_of,
    page_limit,
    position_of,
    question_of,
    text_of,
)
from muniment.service.conversations import TakeReport, new_session
from muniment.service.draft import Draft
from muniment.service.extraction import take_in
from muniment.service.ground import Ground
from muniment.service.hand_blocks import Blocks
from muniment.service.hand_writing import Writing
from muniment.service.recall_log import RecallLog
from muniment.service.witnessing import Witnessing


@dataclass(frozen=True, slots=True)
class Turn:
    """Hold one item of a session as it is read back."""

    id: str
    role: str
    speaker: str
    text: str
    at: datetime
    label: Label
    sequence: int


class Session(Writing, Blocks):
    """Act in one conversation of one agent; safe to hold in several processes at once.

    It acts as an agent, never as a person (I15), and everything it writes carries the
    label of what it has read (I10); once that is untrusted, it changes nothing believed.
    """

    def __init__(
        self, ground: Ground, principal: Principal, name: str, *, recalls: RecallLog, witnessing: Witnessing
    ) -> None:
        if not isinstance(name, str) or not name.strip() or len(name) > limits.name_characters_max:
            raise BadInput(f"The session's name has 1 to {limits.name_characters_max} characters.")
        super().__init__(ground, principal, recalls=recalls, witnessing=witnessing)
        self.name = kept(name)[0]

    def _found(self) -> Conversation | None:
        with self._ground.store.snapshot() as snapshot:
            space = self._ground.space(snapshot, self._principal.home)
            return None if space is None else snapshot.session(space.n, self.name)

    @property
    def label(self) -> Label:
        """Return the strictest label of all that the session has read, from its log."""
        found = self._found()
        return PUBLIC if found is None else found.label

    def append(
        self,
        role: str,
        text: str,
        *,
        at: When = None,
        data_class: str = "private",
        untrusted: bool | None = None,
        speaker: str = "",
    ) -> TakeReport:
        """Keep one turn as it happened.

        `role` is user, assistant, tool_call, tool_result or system.  Tool results are
        untrusted, whatever is passed: callers can only tighten.  `at` is an aware moment, or
        a text that names one; without it the turn is of now.
        """
        if role not in Role.__members__.values():
            raise BadInput("The role is not user, assistant, tool_call, tool_result or system.")
        if not isinstance(text, str):
            raise BadInput("The text is not a text.")
        now = self._now()
        arrival = Arrival(
            session=self.name,
            origin="",
            role=Role(role),
            speaker=text_of("speaker", speaker) or (self._principal.actor if role == "assistant" else role),
            text=text,
            occurred_at=moment_of("at", at, now=now) or now,
            untrusted=untrusted,
            data_class=class_of(data_class).name.lower(),
            state=TurnState.LIVE,
        )
        report = take_in(self._ground, Take(self._principal, self._principal.home, (arrival,)))
        if arrival.role is Role.USER:
            self._refused_edits = 0
        self._witnessing.after(report.record)
        return report

    def recall(self, text: str, **fields: Unpack[RecallFields]) -> Answer:
        """Answer a question; what was served is on record before the answer leaves."""
        question = question_of(self._asker(), text, fields)
        return self._served(question, durable=True)

    def turns(self, *, after: int = 0, limit: int = 100) -> tuple[Turn, ...]:
        """Return the session's items in order, after a sequence number; those the caller may read (I7)."""
        page = Page(position_of(after), page_limit(limit))
        found = self._found()
        if found is None:
            return ()
        with self._ground.store.snapshot() as snapshot:
            class_max = self._principal.class_max
            rows = [one for one in snapshot.turns(found.n, page) if one.row.label.data_class <= class_max]
        return tuple(
            Turn(
                one.row.id,
                one.row.role.value,
                one.row.speaker,
                one.row.text,
                one.row.occurred_at or one.row.recorded,
                one.row.label,
                one.row.sequence,
            )
            for one in rows
        )

    def _session_number(self) -> int:
        """Return the session's number, making the session when it is new."""
        found = self._found()
        if found is not None:
            return found.n
        if not self._ground.outside.writable:
            return 0
        with self._ground.store.transaction() as transaction:
            draft = Draft.begun(self._ground, transaction)
            actor = draft.actor(self._principal)
            space = draft.space(self._principal.home)
            again = transaction.session(space.n, self.name)
            if again is not None:
                return again.n
            made = new_session(draft, self.name, agent=self._principal.actor, space=space.n)
            draft.commit("session", actor=actor, space=space.n, outcome="stored", session=made.n)
            return made.n
