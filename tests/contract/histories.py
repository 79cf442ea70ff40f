"""Do two stores answer alike after the same history?  Random changes from a seed, then every read.

Reads whose order the port leaves open are compared as sets, cosines to five digits.
"""

import copy
import itertools
import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

import pytest

from muniment.domain.changes import Job, Page
from muniment.domain.evidence import Evidence, EvidenceKind, Role, TurnState
from muniment.domain.label import DataClass, Label
from muniment.domain.ledger import RowCode, Seal
from muniment.domain.matter import Matter, MatterKind, MatterState
from muniment.domain.memory import Claim, Kind, Version
from muniment.domain.session import Conversation
from muniment.domain.timeline import Interval, to_micros
from muniment.domain.tombstone import Tombstone, TombstoneKind
from muniment.domain.trust import LIVE, Rank, Trust
from muniment.ports import Snapshot, Store, Transaction
from muniment.recall.eligibility import FOREVER, Eligibility, Sort
from tests.contract.builders import FIRST_HEAD, MODEL, START, Draft, digest, words
from tests.contract.erasing import HOUR, erase

ALL = Page(after=-1, limit=100_000)
VOCABULARY = ("port", "key", "monday", "naïve", "東京", "a/b.py", "snake_case", "x@y.org", "🦊", "1.2.3")
SPACES = (1, 2, 3)
TAGS = ("ops", "two words", "ä,\"'")

Act = Callable[[Transaction], object]


class UndoneError(Exception):
    """Leave a transaction as an error does."""


@dataclass
class Known:
    """Hold what a history has made so far, by what it is looked up with."""

    newest: dict[str, Version] = field(default_factory=dict)
    ns: dict[str, list[int]] = field(default_factory=dict)
    links: list[str] = field(default_factory=list)
    evidence: list[Evidence] = field(default_factory=list)
    sessions: list[Conversation] = field(default_factory=list)
    standing: list[Tombstone] = field(default_factory=list)
    digests: set[bytes] = field(default_factory=set)
    credentials: set[str] = field(default_factory=set)
    matters: list[Matter] = field(default_factory=list)
    held: list[Job] = field(default_factory=list)
    names: set[str] = field(default_factory=set)


class History:
    """Make one random step after the other; the same seed makes the same steps."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.head, self.moment = FIRST_HEAD, START
        self.known = Known()
        self._ids = itertools.count(1)

    def step(self) -> tuple[Act, bool]:
        """Return the next act and whether it is undone afterwards."""
        undone = self.random.random() < 0.1
        before = (self.head, copy.deepcopy(self.known))
        kinds = (self._changes, self._take_job, self._finish_job, self._set_vector, self._rebuild)
        act = self.random.choices(kinds, weights=(80, 7, 4, 7, 2))[0]()
        if undone:
            self.head, self.known = before
        return act, undone

    def _changes(self) -> Act:
        self.moment += timedelta(microseconds=self.random.choice((1, 1000, 60_000_000)))
        draft = Draft(self.head, self.moment, self._ids)
        rows = (self._remember, self._follow, self._turn, self._link, self._tombstone, self._session)
        erase(self.random, self.known, draft)
        for _ in range(self.random.randint(1, 4)):
            self.random.choices((*rows, self._small), weights=(6, 6, 6, 3, 2, 2, 3))[0](draft)
        changes = replace(draft.changes(), model=self.random.choice((MODEL, MODEL, "other/2")))
        self.head = changes.head
        return lambda transaction: transaction.apply(changes)

    def _text(self) -> str:
        return " ".join(self.random.choices(VOCABULARY, k=self.random.randint(1, 60)))

    def _vector(self) -> bytes:
        return self.random.choice((b"", bytes(self.random.randrange(1, 256) for _ in range(16))))

    def _label(self) -> Label:
        return Label(DataClass(self.random.randrange(3)), self.random.random() < 0.2)

    def _moment(self) -> datetime:
        return START + self.random.randint(-5, 5) * HOUR

    def _interval(self) -> Interval:
        start = self._moment()
        return Interval(start, self.random.choice((None, start, start + 3 * HOUR)))

    def _remember(self, draft: Draft) -> None:
        claim = self.random.choice(
            (Claim(self._text()), Claim(self._text(), "host", "port", self.random.choice(VOCABULARY)))
        )
        version = draft.remember(
            "",
            claim=claim,
            vector=self._vector(),
            space=self.random.choice(SPACES),
            kind=self.random.choice(tuple(Kind)),
            valid=self._interval(),
            trust=self.random.choice((Trust.BELIEVED, Trust.CANDIDATE, Trust.DISPUTED)),
            rank=self.random.choice(tuple(Rank)),
            label=self._label(),
            expires_at=self.random.choice((None, self._moment())),
            asserted_at=self.random.choice((None, self._moment())),
            tags=tuple(self.random.sample(TAGS, self.random.randrange(3))),
        )
        self._keep(version)

    def _keep(self, version: Version) -> None:
        self.known.newest[version.memory] = version
        self.known.ns.setdefault(version.memory, []).append(version.n)
        self.known.digests |= {version.digests.value, version.digests.slot} - {b""}

    def _follow(self, draft: Draft) -> None:
        if not self.known.newest:
            return
        old = self.random.choice(list(self.known.newest.values()))
        version = draft.follow(
            old,
            self.random.choice(("", self._text())),
            vector=self._vector(),
            trust=self.random.choice((*Trust, Trust.BELIEVED, Trust.BELIEVED)),
            valid=self.random.choice((old.valid, self._interval())),
            label=old.label.joined(self._label()),
            reason=self.random.choice(("", "we were wrong")),
        )
        self._keep(version)

    def _turn(self, draft: Draft) -> None:
        session, text = self.random.choice([None, *self.known.sessions]), self._text()
        origin = self.random.choice((b"", digest(f"origin {draft.head.size} {len(self.known.evidence)}")))
        item = draft.turn(
            text,
            terms=self.random.choice((None, None, None, ())),
            vector=self._vector(),
            space=session.space if session else self.random.choice(SPACES),
            session=session.n if session else 0,
            sequence=len(self.known.evidence) + 1,
            kind=self.random.choice(tuple(EvidenceKind)),
            role=self.random.choice(tuple(Role)),
            speaker=self.random.choice(("", "Ada", "Ødegård")),
            label=self._label(),
            origin=origin,
            occurred_at=self.random.choice((None, self._moment())),
            state=self.random.choice((*TurnState, TurnState.LIVE)),
        )
        self.known.evidence.append(item)

    def _link(self, draft: Draft) -> None:
        ends = [*self.known.newest, *(item.id for item in self.known.evidence)]
        if len(ends) > 1:
            self.known.links.append(draft.link(*self.random.sample(ends, 2), weight=self.random.random()).id)

    def _tombstone(self, draft: Draft) -> None:
        if self.known.standing and self.random.random() < 0.4:
            draft.lift(self.known.standing.pop(self.random.randrange(len(self.known.standing))))
        elif self.known.newest:
            value = self.random.choice(VOCABULARY)
            tombstone = draft.tombstone(
                self.random.choice(list(self.known.newest)),
                value,
                space=self.random.choice(SPACES),
                kind=self.random.choice(tuple(TombstoneKind)),
            )
            self.known.standing.append(tombstone)
            self.known.digests |= set(tombstone.keys.all)

    def _session(self, draft: Draft) -> None:
        if self.known.sessions and self.random.random() < 0.6:
            session = self.random.choice(self.known.sessions)
            draft.come(session, turns=self.random.randrange(9), label=self._label())
            return
        name = f"chat {draft.head.size}.{len(self.known.sessions)}"
        self.known.sessions.append(draft.session(name, space=self.random.choice(SPACES), label=self._label()))

    def _small(self, draft: Draft) -> None:
        name = f"n{draft.head.size}-{len(self.known.names)}"
        self.known.names.add(name)
        chosen = self.random.randrange(7)
        if chosen == 0:
            draft.space(f"acme/{name}")
        elif chosen == 1:
            draft.actor(name)
        elif chosen == 2:
            key = self.random.choice((name, *sorted(self.known.credentials)))
            self.known.credentials.add(key)
            draft.credential(key, revoked=self.random.random() < 0.5)
        elif chosen == 4:
            self._matter(draft)
        elif chosen == 3:
            n = self.random.choice([0, *(one.n for one in self.known.sessions)])
            draft.recall(self._text(), *self.random.sample(VOCABULARY, 2), session=n, label=self._label())
        else:
            draft.job("embed", due=self.random.randrange(100), target=self.random.randrange(100))

    def _matter(self, draft: Draft) -> None:
        memories = list(self.known.newest)
        if self.known.matters and self.random.random() < 0.5:
            opened = self.random.choice(self.known.matters)
            state = self.random.choice(tuple(MatterState))
            row = {"id": opened.id, "kind": opened.kind, "space": opened.space, "state": state}
            draft.matter(new=opened.new, old=opened.old, decision="merge", **row)
        elif len(memories) > 1:
            new, old = self.random.sample(memories, 2)
            kind = self.random.choice(tuple(MatterKind))
            space = self.random.choice(SPACES)
            self.known.matters.append(draft.matter(kind, space=space, new=new, old=old, label=self._label()))

    def _take_job(self) -> Act:
        now = self.random.randrange(120)
        until = now + self.random.randrange(1, 60)

        def take(transaction: Transaction) -> object:
            return transaction.take_job(now, until)

        return take

    def _finish_job(self) -> Act:
        place, lease_off = self.random.randrange(4), self.random.choice((0, 0, 1))
        error, due = self.random.choice(("", "no model", "no model")), self.random.randrange(100)

        def finish(transaction: Transaction) -> object:
            jobs = transaction.jobs()
            if place >= len(jobs):
                return None
            job = replace(jobs[place], lease=jobs[place].lease + lease_off)
            return transaction.finish_job(job, error=error, due=due)

        return finish

    def _set_vector(self) -> Act:
        rows = [*self.known.newest.values(), *self.known.evidence]
        if not rows:
            return lambda transaction: None
        n, made = self.random.choice(rows).n, bytes(self.random.randrange(1, 256) for _ in range(16))
        model = self.random.choice((MODEL, "other/2"))
        return lambda transaction: transaction.set_vector(n, made, model=model)

    def _rebuild(self) -> Act:
        return lambda transaction: transaction.rebuild(words)

    def eligibility(self) -> Eligibility:
        """Return a random eligibility."""
        moments = [to_micros(self._moment()), to_micros(self.moment)]
        known = [FOREVER, *(to_micros(row.recorded) for row in self.known.newest.values())]
        trusts = tuple(self.random.sample(tuple(Trust), self.random.randint(1, 7)))
        then = self.random.random() < 0.5
        return Eligibility(
            spaces=tuple(self.random.sample(SPACES, self.random.randint(1, 3))),
            as_of=self.random.choice(moments),
            known_at=self.random.choice(known),
            class_max=DataClass(self.random.randrange(3)),
            trusts=trusts,
            then=then,
            # A hint where to look, which may not change what is found.
            withheld_only=then and not LIVE & set(trusts),
            any_interval=self.random.random() < 0.5,
            show_rejected=self.random.random() < 0.3,
            show_expired=self.random.random() < 0.5,
            kinds=self.random.choice(((), (), ("fact", "turn", "skill"), ("nothing known",))),
            tags=self.random.choice(((), (), TAGS[:2], ("nothing known",))),
            evidence_after=self.random.random() < 0.5,
        )


def done(store: Store, act: Act, *, undone: bool = False) -> object:
    """Run one act in a transaction of its own and return what it returned."""
    try:
        with store.transaction() as transaction:
            result = act(transaction)
            if undone:
                raise UndoneError
    except UndoneError:
        return None
    return result


def unordered(rows: Iterable[object]) -> list[str]:
    """Return rows in one order, where the port leaves it open."""
    return sorted(map(repr, rows))


def reads(snapshot: Snapshot, known: Known) -> dict[str, object]:
    """Return what every read without an eligibility answers, by name."""
    memories, ns = list(known.newest), list(range(1, 400))
    ids, trusts = [item.id for item in known.evidence], [trust.value for trust in Trust]
    digests = sorted(known.digests)
    answers: dict[str, object] = {
        "head": snapshot.head(),
        "spaces": unordered(snapshot.spaces()),
        "actors": unordered(snapshot.actors()),
        "currents": unordered(snapshot.currents([*memories, "m_" + "0" * 26])),
        "versions_at": unordered(snapshot.versions_at(ns)),
        "history": [snapshot.history(memory) for memory in memories],
        "evidence": unordered(snapshot.evidence(ids)),
        "evidence_at": unordered(snapshot.evidence_at(ns)),
        "origins": snapshot.known_origins([item.origin for item in known.evidence if item.origin]),
        "links": unordered(snapshot.links_of([*memories, *ids])),
        "tombstones_of": [unordered(snapshot.tombstones_of(memory)) for memory in memories],
        "erased": snapshot.erased_anywhere(),
        "tombstone digests": snapshot.tombstone_digests([one.id for one in known.standing]),
        "odd heads": snapshot.odd_heads(100),
        "credentials": snapshot.credentials(),
        "credential": [snapshot.credential(one) for one in sorted(known.credentials)],
        "matters": snapshot.matters([one.id for one in known.matters]),
        "matters about": [snapshot.matters_about([memory]) for memory in memories],
        "matters in": snapshot.matters_in(SPACES, tuple(MatterKind), tuple(MatterState), page=ALL),
        "memories": snapshot.memories(SPACES, trusts, ALL),
        "recalls": snapshot.recalls(ALL),
        "records": snapshot.records(ALL),
        "heads": unordered(current for _, current in snapshot.heads(ALL)),
        "sessions": snapshot.sessions(SPACES, ALL),
        "sessions_at": unordered(snapshot.sessions_at(ns)),
        "labels read": [unordered(snapshot.labels_read(session.n)) for session in known.sessions],
        "turns": [snapshot.turns(session.n, ALL) for session in known.sessions],
        "jobs": snapshot.jobs(),
        "entries": snapshot.entries_of([Seal(b"", at, index) for at in range(-1, 70) for index in (0, 1, 9)]),
        "sealed": [unordered(row for _, row in snapshot.sealed_rows(code, ALL)) for code in RowCode],
    }
    for space in SPACES:
        answers[f"same {space}"] = [unordered(snapshot.same_value(space, one)) for one in digests]
        answers[f"slot {space}"] = [unordered(snapshot.slot(space, one)) for one in digests]
        answers[f"tombstones {space}"] = unordered(snapshot.tombstones_for(space, digests))
        answers[f"anchors {space}"] = unordered(snapshot.anchors_for(space, range(256)))
        answers[f"buried {space}"] = [snapshot.any_buried(space, [one]) for one in digests]
        answers |= statistics(snapshot, (space,))
    return answers | statistics(snapshot, SPACES)


def statistics(snapshot: Snapshot, spaces: Sequence[int]) -> dict[str, object]:
    """Return the statistics of both sorts; terms without a row may be left out."""
    answers: dict[str, object] = {}
    for sort in Sort:
        counted = snapshot.statistics(spaces, sort, VOCABULARY)
        met = {term: rows for term, rows in counted.rows_with.items() if rows}
        answers[f"statistics {sort.value} {spaces}"] = (counted.items, counted.words, met)
    return answers


def candidates(snapshot: Snapshot, eligibility: Eligibility, known: Known) -> Mapping[str, object]:
    """Return what every lane proposes within an eligibility, by name."""
    view = snapshot.view(eligibility, model=MODEL)
    near = bytes((1, 255, 3, 4) * 4)
    answers: dict[str, object] = {
        "linked": view.linked(list(known.newest)[:5], rows_max=1000),
        "cosines": dict(snapshot.cosines(range(1, 400), near, model=MODEL)),
    }
    for sort in Sort:
        nearest = view.nearest(near, sort, rows_max=1000)
        answers |= {
            f"lexical {sort.value}": unordered(view.lexical(VOCABULARY[:4], sort, rows_max=1000)),
            f"nearest {sort.value}": unordered(one._replace(cosine=None) for one in nearest),
            f"cosines {sort.value}": {one.n: one.cosine for one in nearest},
            f"order {sort.value}": nearest == sorted(nearest, key=lambda one: -(one.cosine or 0.0)),
            f"recent {sort.value}": view.recent(sort, rows_max=7),
        }
    return answers


def compare(one: Store, other: Store, *, seed: int, steps: int, every: int = 5) -> None:
    """Run one random history on two stores and compare every read after each `every` steps."""
    history = History(seed)
    for step in range(1, steps + 1):
        act, undone = history.step()
        where = f"seed {seed}, step {step}"
        answers = [done(store, act, undone=undone) for store in (one, other)]
        assert answers[0] == answers[1], where
        if step % every == 0 or step == steps:
            eligibilities = [history.eligibility() for _ in range(4)]
            with one.snapshot() as first, other.snapshot() as second:
                alike(reads(first, history.known), reads(second, history.known), where)
                for eligibility in eligibilities:
                    alike(
                        candidates(first, eligibility, history.known),
                        candidates(second, eligibility, history.known),
                        f"{where}, {eligibility}",
                    )


def alike(first: Mapping[str, object], second: Mapping[str, object], where: str) -> None:
    """Fail at the first read that two stores answer differently."""
    for name, answer in first.items():
        expected = pytest.approx(answer, abs=1e-4) if name.startswith("cosines") else answer
        assert second[name] == expected, f"{where}: {name}"
