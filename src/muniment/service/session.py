"""What does one conversation hold in its hand?  Turns in, memories in, answers out, one label."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Required, TypedDict, Unpack

from muniment import limits
from muniment.domain.changes import Page
from muniment.domain.evidence import Arrival, Evidence, Role, TurnState
from muniment.domain.intent import Take
from muniment.domain.label import Label
from muniment.domain.principal import Principal
from muniment.domain.session import Conversation
from muniment.errors import BadInput
from muniment.gate.characters import kept
from muniment.later import Later
from muniment.recall.question import Answer
from muniment.service.arguments import (
    RecallFields,
    When,
    actor_of,
    class_of,
    moment_of,
    page_limit,
    position_of,
    question_of,
    text_of,
)
from muniment.service.conversations import TakeReport, new_session
from muniment.service.draft import Draft
from muniment.service.erased_names import session_named
from muniment.service.extraction import take_in
from muniment.service.ground import Ground
from muniment.service.hand_blocks import Blocks
from muniment.service.hand_searching import Searching
from muniment.service.hand_sitting import Sitting
from muniment.service.hand_writing import Writing
from muniment.service.recall_log import RecallLog
from muniment.service.witnessing import Witnessing

if TYPE_CHECKING:
    from muniment.service import moving_turns
else:
    moving_turns = Later("muniment.service.moving_turns")


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
    state: str = TurnState.LIVE.value


class TurnGiven(TypedDict, total=False):
    """Name the parts of a turn that is appended; all but the first two may be left out."""

    role: Required[str]
    text: Required[str]
    at: When
    data_class: str
    untrusted: bool | None
    speaker: str


_TURN_PARTS = set(TurnGiven.__annotations__)
_FURTHER_PARTS = ", ".join(f"`{name}`" for name in TurnGiven.__annotations__ if name not in ("role", "text"))


class Session(Writing, Blocks, Sitting, Searching):
    """Act in one conversation of one agent; safe to hold in several processes at once.

    It acts as an agent, never as a person (I15), and everything it writes carries the
    label of what it has read (I10); once that is untrusted, it changes nothing believed.
    """

    def __init__(
        self,
        ground: Ground,
        principal: Principal,
        name: str,
        *,
        recalls: RecallLog,
        witnessing: Witnessing,
        clean_tools: Collection[str] = (),
    ) -> None:
        if not isinstance(name, str) or not name.strip() or len(name) > limits.name_characters_max:
            raise BadInput(f"The session's name has 1 to {limits.name_characters_max} characters.")
        if kept(name)[0] != name:
            raise BadInput("The session's name holds a character that cannot be kept.")
        super().__init__(ground, principal, recalls=recalls, witnessing=witnessing)
        self.name = name
        self._clean_tools = frozenset(clean_tools)

    def _found(self) -> Conversation | None:
        with self._ground.store.snapshot() as snapshot:
            space = self._ground.space(snapshot, self._principal.home)
            return None if space is None else session_named(self._ground, snapshot, space.n, name=self.name)

    def _running(self) -> str:
        return self.name

    @property
    def label(self) -> Label:
        """Return the strictest label of all that the session has read: from its log, and without a record."""
        found = self._found()
        return self._unlogged if found is None else found.label.joined(self._unlogged)

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
        untrusted, whatever is passed, unless `speaker` is a tool that was registered as clean:
        callers can only tighten.  `at` is an aware moment, or a text that names one; without it
        the turn is of now.
        """
        given = TurnGiven(
            role=role, text=text, at=at, data_class=data_class, untrusted=untrusted, speaker=speaker
        )
        return self._taken((self._arrival(given, self._now()),))

    def append_all(self, turns: Sequence[TurnGiven]) -> TakeReport:
        """Keep several turns in their order, all or none, with one record.

        Each is a mapping of what `append` takes, and means the same: a whole exchange becomes
        durable at once, where `append` waits for the disk with every turn.  At most
        `limits.batch_items_max` turns.  Raises BadInput for none, for too many, and for a turn
        that lacks its role or its text or has a part that is not known.
        """
        if not isinstance(turns, Sequence) or not turns:
            raise BadInput("`turns` is a list of turns, one at least.")
        for given in turns:
            if not isinstance(given, Mapping) or not {"role", "text"} <= set(given) <= _TURN_PARTS:
                raise BadInput(f"A turn has `role` and `text`, and may have {_FURTHER_PARTS}.")
        now = self._now()
        return self._taken(tuple(self._arrival(given, now) for given in turns))

    def _arrival(self, given: TurnGiven, now: datetime) -> Arrival:
        role, text, speaker = given["role"], given["text"], given.get("speaker", "")
        if role not in Role.__members__.values():
            raise BadInput("The role is not user, assistant, tool_call, tool_result or system.")
        if not isinstance(text, str):
            raise BadInput("The text is not a text.")
        return Arrival(
            session=self.name,
            origin="",
            role=Role(role),
            speaker=text_of("speaker", speaker) or (self._principal.actor if role == "assistant" else role),
            text=text,
            occurred_at=moment_of("at", given.get("at"), now=now) or now,
            untrusted=given.get("untrusted"),
            data_class=class_of(given.get("data_class", "private")).name.lower(),
            state=TurnState.LIVE,
            clean=speaker in self._clean_tools,
        )

    def _taken(self, arrivals: tuple[Arrival, ...]) -> TakeReport:
        report = take_in(self._ground, Take(self._principal, self._principal.home, arrivals))
        if any(arrival.role is Role.USER for arrival in arrivals):
            self._refused_edits = 0
        self._witnessing.after(report.record)
        return report

    def recall(self, text: str, **fields: Unpack[RecallFields]) -> Answer:
        """Answer a question; what was served is on record before the answer leaves."""
        question = question_of(self._asker(), text, fields)
        return self._served(question, durable=True)

    def turns(self, *, after: int = 0, limit: int = 100, every: bool = False) -> tuple[Turn, ...]:
        """Return the session's live items in order, after a sequence number; those the caller may read (I7).

        `every` shows what was archived or taken back too, each with its state, for an audit.
        """
        page = Page(position_of(after), page_limit(limit))
        found = self._found()
        if found is None:
            return ()
        class_max, rows = self._principal.class_max, list[Evidence]()
        with self._ground.reading() as snapshot:
            # What is not shown does not count, so a page is filled from further on.
            while len(rows) < page.limit and (more := snapshot.turns(found.n, page)):
                page = replace(page, after=more[-1].row.sequence)
                rows += [
                    one.row
                    for one in more
                    if (every or one.row.state is TurnState.LIVE) and one.row.label.data_class <= class_max
                ]
        return tuple(_turn(row) for row in rows[: page.limit])

    def child(self, name: str, *, agent: str = "") -> "Session":
        """Return the session of a child agent: it reads, and writes no memory.

        It begins with the label of this one (I10).
        """
        principal = replace(self._principal, actor=actor_of(agent or self._principal.actor), reads_only=True)
        made = Session(
            self._ground,
            principal,
            name,
            recalls=self._recalls,
            witnessing=self._witnessing,
            clean_tools=self._clean_tools,
        )
        parent, born = self._session_number(), made._session_number()
        if parent and born:
            moving_turns.begotten(self._ground, principal, born, parent=self.name)
        return made

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
            again = session_named(self._ground, transaction, space.n, name=self.name)
            if again is not None:
                return again.n
            made = new_session(draft, self.name, agent=self._principal.actor, space=space.n)
            draft.commit("session", actor=actor, space=space.n, outcome="stored", session=made.n)
            return made.n


def _turn(row: Evidence) -> Turn:
    return Turn(
        row.id,
        row.role.value,
        row.speaker,
        row.text,
        row.occurred_at or row.recorded,
        row.label,
        row.sequence,
        row.state.value,
    )
