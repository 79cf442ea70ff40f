"""What was said before, and where?  Search in conversations: discover, scroll, read and browse."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from muniment import limits
from muniment.domain import session_log
from muniment.domain.block import preview
from muniment.domain.changes import Page, Sealed
from muniment.domain.evidence import Evidence, Role, TurnState
from muniment.domain.label import PRIVATE, Label, strictest
from muniment.domain.principal import Principal
from muniment.domain.session import Conversation
from muniment.domain.session_log import Event, Happening
from muniment.errors import NotFound
from muniment.ports import Snapshot
from muniment.recall.envelope import rendered
from muniment.recall.question import Answer, AnswerOutcome, Hit, Question
from muniment.recall.turns import SPOKEN, Order, TurnFound, TurnsAsked, Wording, wording
from muniment.service.ask import FOUND, NO_WORDS, NOTHING, eligible
from muniment.service.erased_names import session_named
from muniment.service.ground import Ground
from muniment.service.hits import evidence_hit, row_holds
from muniment.service.search_result import Search, SessionFound
from muniment.service.session_reading import events_in, events_of
from muniment.service.steady import SureView

READ_WHOLE_TURNS, READ_FIRST, READ_LAST = 30, 20, 10
"""A session of up to so many turns is read whole; of a longer one so many first and last ones."""

MORE_ANCHORS = 5
"""How many further places in a line of sessions are named beside the best one."""

_BEGINNING = 5
"""Among how many turns of a session the first words of a person are looked for."""

_FURTHER = 4
"""How many times as far a search looks where no turn of a page holds the phrase."""

_TURNS_A_LINE = 32
"""How many turns a first look takes for each line of sessions that is asked for."""

_GENERATIONS = 16
"""How far back a line of sessions is followed."""

_WORKED = tuple(role for role in Role if role not in SPOKEN)
"""Roles whose turns are what tools and hosts did; they stand below what was said."""

CUT = "Turns longer than {most} characters are cut; read the session, or the turn by its id."
BROKEN = "degraded: {count} turns do not match the log and are not shown; run verify"
MORE_PHRASES = "Only the first {most} turns with the words were compared with the phrase."
NOT_YET = "The session has begun and holds no turn yet."


@dataclass(frozen=True, slots=True)
class Sought:
    """Hold what is searched; `current` names the session that asks, whose live turns are left out."""

    query: str = ""
    limit: int = 3
    order: Order = Order.BEST
    session: str = ""
    around: int = 0
    window: int = 5
    role: Role | None = None
    space: str = ""
    current: str = ""


def search(ground: Ground, principal: Principal, sought: Sought) -> tuple[Search, int]:
    """Return what was found, in the mode that the parts given make, and the number of the session that asks.

    The number is 0 where none asks, or one before its first turn.  Raises NotFound for a session
    that is not there for the principal (I7).
    """
    with ground.reading() as snapshot:
        look = _Look(ground, snapshot, principal, sought=sought)
        return look.found(), look.current


class _Look:
    """Look through the conversations that one principal may see, in one snapshot."""

    def __init__(self, ground: Ground, snapshot: Snapshot, principal: Principal, *, sought: Sought) -> None:
        self._ground, self._snapshot, self._principal, self._sought = ground, snapshot, principal, sought
        question = Question(sought.query, principal, space=sought.space)
        self._eligibility, self._notes = eligible(ground, snapshot, question)
        self._view = SureView(ground, snapshot, self._eligibility)
        self.current = self._number(sought.current) if sought.current else 0
        self._events: dict[int, tuple[Event, ...]] = {}
        self._sessions: dict[int, Conversation] = {}
        self._first: dict[int, str] = {}
        self._hits: list[Hit] = []
        self._labels: list[Label] = []
        self._is_cut = False
        self._broken = 0

    def found(self) -> Search:
        """Discover by a query, scroll a session with `around`, read one alone, browse with nothing."""
        if self._sought.query.strip():
            return self.discovered()
        if not self._sought.session:
            return self.browsed()
        session = self.named(self._sought.session)
        return self.scrolled(session) if self._sought.around else self.whole(session)

    def _number(self, name: str) -> int:
        """Return the number of the session that asks, 0 before its first turn."""
        space = self._ground.space(self._snapshot, self._principal.home)
        found = None if space is None else session_named(self._ground, self._snapshot, space.n, name=name)
        return 0 if found is None else found.n

    def named(self, name: str) -> Conversation:
        """Return a session by its name, the nearest to home first."""
        for space in self._eligibility.spaces:
            found = session_named(self._ground, self._snapshot, space, name=name)
            if found is not None:
                return found
        raise NotFound(
            "There is no such session for you.", advice="Browse the sessions, or search for a word."
        )

    def discovered(self) -> Search:
        """Find the lines of sessions in which the words were said, the best turn of each with its window."""
        words = wording(self._sought.query, self._ground.outside.analyser.question)
        if not words.terms:
            return self._result("discover", (), NO_WORDS)
        only = (self.named(self._sought.session).n,) if self._sought.session else ()
        for tried, every, note in words.tries():
            if lines := self._lines(tried, every=every, only=only):
                self._notes += [note] if note else []
                break
        found = [self._shown(turns) for turns in lines]
        return self._result("discover", _apart(found), FOUND if found else NOTHING)

    def _lines(self, words: Wording, *, every: bool, only: tuple[int, ...]) -> list[list[TurnFound]]:
        """Return the turns found, a list for each line of sessions, what was said before what tools did."""
        lines: dict[str, list[TurnFound]] = {}
        role = self._sought.role
        asked = TurnsAsked(
            words.terms,
            every,
            self._sought.order,
            tuple(Role) if role is None else (role,),
            only,
            live_of=self.current,
            rows_max=limits.turns_found_max,
        )
        if role is not None:
            self._fill(lines, asked, words)
        elif not self._all_at_once(lines, asked, words):
            for roles in (SPOKEN, _WORKED):
                self._fill(lines, replace(asked, roles=roles), words)
                if len(lines) >= self._sought.limit:
                    break
        return list(lines.values())[: self._sought.limit]

    def _all_at_once(self, lines: dict[str, list[TurnFound]], asked: TurnsAsked, words: Wording) -> bool:
        """Look for turns of every role at once, what was said first; return whether that was enough.

        Mostly it is: a page that is not full holds every match, and in a full one what was said
        mostly fills the answer.  Else nothing is kept of it.
        """
        first = replace(asked, rows_max=min(asked.rows_max, _TURNS_A_LINE * self._sought.limit))
        page = self._view.turns(first)
        fitting = self._fitting(page, words)
        self._lined(lines, [one for one in fitting if one.role in SPOKEN])
        if len(lines) >= self._sought.limit:
            return True
        if len(page) < first.rows_max:
            self._lined(lines, [one for one in fitting if one.role not in SPOKEN])
            return True
        lines.clear()
        return False

    def _fill(self, lines: dict[str, list[TurnFound]], asked: TurnsAsked, words: Wording) -> None:
        """Look until there are enough lines: each further look leaves out the sessions that were met."""
        met: set[int] = set()
        # Each look meets a session that was not met before, or else looks further.
        while asked.rows_max <= limits.phrase_turns_max:
            page = self._view.turns(replace(asked, without=tuple(sorted(met))))
            fitting = self._fitting(page, words)
            self._lined(lines, fitting)
            met |= {one.session for one in fitting}
            if len(lines) >= self._sought.limit or len(page) < asked.rows_max:
                return
            if not fitting:
                asked = replace(asked, rows_max=asked.rows_max * _FURTHER)
        self._notes.append(MORE_PHRASES.format(most=asked.rows_max // _FURTHER))

    def _lined(self, lines: dict[str, list[TurnFound]], turns: Sequence[TurnFound]) -> None:
        """Put turns into their lines; once there are enough, only those of sessions that were met."""
        step = self._sought.limit + MORE_ANCHORS
        for start in range(0, len(turns), step):
            few = turns[start : start + step]
            if len(lines) < self._sought.limit:
                self._learn({one.session for one in few})
            for one in few:
                if one.session in self._events:
                    lines.setdefault(self._line(one.session), []).append(one)

    def _fitting(self, page: Sequence[TurnFound], words: Wording) -> list[TurnFound]:
        if not words.phrases:
            return list(page)
        texts = {one.row.n: one.row.text for one in self._snapshot.evidence_at([one.n for one in page])}
        return [one for one in page if words.fits(texts.get(one.n, ""))]

    def _learn(self, sessions: set[int]) -> None:
        """Read the logs of sessions that were not met before, all at once."""
        new = self._snapshot.sessions_at(sorted(sessions - self._events.keys()))
        logs = {session_log.log_id(one.id): one for one in new}
        self._events |= {one.n: () for one in new}
        self._sessions |= {one.n: one for one in new}
        rows = self._snapshot.matters(tuple(logs))
        for row, event in zip(rows, events_in(self._ground, self._snapshot, rows), strict=True):
            n = logs[row.id].n
            self._events[n] = (*self._events[n], event)

    def _line(self, session: int) -> str:
        """Return the id of the first session of the line that a session stands in."""
        if session not in self._first:
            first = self._sessions[session].id
            before = session_log.comes_from(self._events[session], Happening.FOLLOWS)
            for _ in range(_GENERATIONS):
                if not before:
                    break
                first = before
                before = session_log.comes_from(
                    events_of(self._ground, self._snapshot, before), Happening.FOLLOWS
                )
            self._first[session] = first
        return self._first[session]

    def _shown(self, turns: Sequence[TurnFound]) -> SessionFound:
        """Return a line of sessions by its best turn, with a window of turns around it."""
        best = turns[0]
        session = self._sessions[best.session]
        window = self._around(session, best.sequence, self._sought.window)
        more = [one.sequence for one in turns[1:] if one.session == best.session][:MORE_ANCHORS]
        return self._session(session, window, anchor=best.sequence, more=tuple(sorted(more)))

    def scrolled(self, session: Conversation) -> Search:
        """Show a window of a session around a place, and how many places there are on either side."""
        return self._one("scroll", session, self._around(session, self._sought.around, self._sought.window))

    def whole(self, session: Conversation) -> Search:
        """Show a session whole, or its first and last turns with a pointer to what lies between."""
        turns = self._seen(session, Page(0, READ_WHOLE_TURNS + 1))
        if len(turns) > READ_WHOLE_TURNS:
            last = self._seen(session, Page(0, READ_LAST, newest_first=True))[::-1]
            first = turns[:READ_FIRST]
            turns = [*first, *(one for one in last if one.row.sequence > first[-1].row.sequence)]
            between = first[-1].row.sequence + 1
            self._notes.append(
                f"The first {READ_FIRST} and the last {READ_LAST} turns; go on with around={between}."
            )
        return self._one("read", session, turns)

    def _one(self, mode: str, session: Conversation, turns: Sequence[Sealed[Evidence]]) -> Search:
        self._learn({session.n})
        if not session.turns:
            return self._result(mode, (), NOT_YET)
        found = self._session(session, turns, whole=True)
        return self._result(mode, (found,), FOUND if found.turns else NOTHING)

    def browsed(self) -> Search:
        """List the sessions in which something was said last, resumed ones by their newest turn."""
        met: list[int] = []
        asked = TurnsAsked(rows_max=limits.turns_found_max)
        while len(met) < self._sought.limit:
            page = self._view.turns(replace(asked, without=tuple(sorted(met))))
            met += [one for one in dict.fromkeys(turn.session for turn in page) if one not in met]
            if not page:
                break
        self._learn(set(met))
        found = []
        for n in met[: self._sought.limit]:
            session = self._sessions[n]
            last = self._seen(session, Page(0, 1, newest_first=True))
            found.append(self._session(session, last))
        return self._result("browse", _apart(found), FOUND if found else NOTHING)

    def _around(self, session: Conversation, place: int, window: int) -> list[Sealed[Evidence]]:
        """Return the turns that may be seen around a place, at most `window` on either side of it."""
        first = max(place - window, 1)
        page = list(self._snapshot.turns(session.n, Page(first - 1, place - first + window + 1)))
        # Mostly all of them are there and may be seen, and need no look to either side.
        there = [one.row.sequence for one in page if self._may_see(one)]
        if there == list(range(first, first + len(page))) and place in there:
            return page
        before = self._seen(session, Page(max(place, 1), window, newest_first=True)) if window else []
        return [*before[::-1], *self._seen(session, Page(max(place - 1, 0), window + 1))]

    def _may_see(self, turn: Sealed[Evidence]) -> bool:
        return (
            turn.row.state is not TurnState.REWOUND and turn.row.label.data_class <= self._principal.class_max
        )

    def _seen(self, session: Conversation, page: Page) -> list[Sealed[Evidence]]:
        """Return a page of a session's turns that may be seen: none that was taken back, none too secret."""
        found: list[Sealed[Evidence]] = []
        while len(found) < page.limit and (more := self._snapshot.turns(session.n, page)):
            page = replace(page, after=more[-1].row.sequence)
            found += filter(self._may_see, more)
            if page.newest_first and page.after <= 1:
                break
        return found[: page.limit]

    def _session(
        self,
        session: Conversation,
        turns: Sequence[Sealed[Evidence]],
        *,
        anchor: int = 0,
        more: tuple[int, ...] = (),
        whole: bool = False,
    ) -> SessionFound:
        held = self._held(turns)
        self._broken += len(turns) - len(held)
        hits = [
            evidence_hit(self._ground, self._snapshot, row, session=session.name)
            for row in (held if whole else map(self._cut, held))
        ]
        self._hits += hits
        return SessionFound(
            session=session.name,
            space=self._ground.path_of(self._snapshot, session.space),
            title=session.title or self._first_words(session, held),
            agent=session.agent,
            started=session.started,
            total=session.turns,
            child=bool(session_log.comes_from(self._events[session.n], Happening.CHILD)),
            anchor=anchor,
            more=more,
            before=held[0].sequence - 1 if held else 0,
            after=session.turns - held[-1].sequence if held else session.turns,
            turns=tuple(hits),
            places=tuple(row.sequence for row in held),
            states=tuple(row.state.value for row in held),
        )

    def _held(self, turns: Sequence[Sealed[Evidence]]) -> list[Evidence]:
        """Return the turns that match the log."""
        entries = self._snapshot.entries_of([one.seal for one in turns])
        pairs = zip(turns, entries, strict=True)
        return [one.row for one, entry in pairs if row_holds(self._ground, one, entry)]

    def _first_words(self, session: Conversation, held: Sequence[Evidence]) -> str:
        """Return how a session began: the beginning of the first thing a person said in it.

        It is shown like a turn, so it matches the log and its label counts.  Where the first turn
        stands among those shown it was `held` already.
        """
        if held and held[0].sequence == 1 and held[0].role is Role.USER:
            return preview(held[0].text)
        for one in self._beginning(session):
            for row in self._held([one]) if one.row.role is Role.USER else ():
                self._labels.append(row.label)
                return preview(row.text)
        return ""

    def _beginning(self, session: Conversation) -> Iterator[Sealed[Evidence]]:
        """Yield the first turns of a session; mostly the first one is enough."""
        first = self._seen(session, Page(0, 1))
        yield from first
        if first:
            yield from self._seen(session, Page(first[0].row.sequence, _BEGINNING - 1))

    def _cut(self, row: Evidence) -> Evidence:
        most = limits.turn_shown_characters_max
        if len(row.text) <= most:
            return row
        self._is_cut = True
        return replace(row, text=row.text[:most])

    def _result(self, mode: str, found: Sequence[SessionFound], reason: str) -> Search:
        notes = list(dict.fromkeys(self._notes))
        notes += [CUT.format(most=limits.turn_shown_characters_max)] if self._is_cut else []
        notes += [BROKEN.format(count=self._broken)] if self._broken else []
        hits = tuple(self._hits)
        outcome = AnswerOutcome.FOUND if hits else AnswerOutcome.NOTHING
        answer = Answer(
            question=self._sought.query[: limits.query_characters_max],
            hits=hits,
            label=strictest((*self._labels, *(hit.label for hit in hits)), least=PRIVATE),
            outcome=AnswerOutcome.DEGRADED if self._broken else outcome,
            reason=reason,
            notes=tuple(notes),
            total=len(hits),
            envelope=lambda: rendered(hits, lambda: self._ground.outside.ids.salt(16).hex(), empty=reason),
        )
        return Search(mode, tuple(found), answer)


def _apart(found: Sequence[SessionFound]) -> tuple[SessionFound, ...]:
    """Return runs of child agents behind all others."""
    return tuple(sorted(found, key=lambda one: one.child))
