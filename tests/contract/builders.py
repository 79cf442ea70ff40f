"""What does a valid change look like?  Rows as the service would hand them over, in one line each.

Seals, digests and MACs are made up; clock and ids count, so that a history is the same on every store.
"""

import hashlib
import itertools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from muniment.domain.changes import (
    Changes,
    IndexEntry,
    Job,
    NewEvidence,
    NewTombstone,
    NewVersion,
    Sealed,
    SessionState,
)
from muniment.domain.evidence import Evidence, EvidenceKind, Role
from muniment.domain.ids import packed, spelled
from muniment.domain.label import PRIVATE, Label
from muniment.domain.ledger import (
    COMMITMENT_BYTES,
    SALT_BYTES,
    Entry,
    Record,
    RowCode,
    Seal,
    TenantHead,
    grown,
    leaf_hash,
    record_head,
)
from muniment.domain.link import Link, LinkType
from muniment.domain.matter import Matter, MatterKind, MatterState
from muniment.domain.memory import Claim, Digests, Kind, Version
from muniment.domain.rows import ActorRow, CredentialRow, RecallRow, SpaceRow
from muniment.domain.session import Conversation
from muniment.domain.timeline import Interval, to_micros
from muniment.domain.tombstone import NUMBERED, Anchor, Keys, Tombstone, TombstoneKind, sum_of
from muniment.domain.trust import Rank, Trust
from muniment.ports import Store
from muniment.recall.eligibility import Eligibility, Sort
from muniment.store.indexed_text import indexed_text
from tests.contract.erasing import Erasing

START = datetime(2026, 1, 5, 9, tzinfo=UTC)
LATER = START + timedelta(days=365)
MODEL = "counting/1"
FIRST_HEAD = TenantHead(
    vault="v-1", size=0, frontier=b"", recorded=0, next_n=1, generation=0, epoch=1, analyser="words/1"
)


def words(text: str) -> tuple[str, ...]:
    """Return the terms of a text: lower-case words, as far as these tests need an analyser."""
    return tuple(text.lower().split())


def digest(text: str) -> bytes:
    """Return 12 bytes that stand for a keyed digest."""
    return hashlib.sha256(text.encode()).digest()[:12]


def vector(*lanes: int) -> bytes:
    """Return an int8 vector of 16 lanes, the rest zero."""
    return bytes(lane & 0xFF for lane in lanes) + bytes(16 - len(lanes))


def asked(*spaces: int, **fields: object) -> Eligibility:
    """Return an eligibility for these spaces (or space 1), asking about a year after the start."""
    return replace(Eligibility(spaces=spaces or (1,), as_of=to_micros(LATER)), **fields)


def anchor_of(value: str) -> Anchor:
    """Return an anchor that stands for a value: its pair between 0 and 255, of numbers for `other`."""
    pair = digest(value)[0] | (value == "other") * NUMBERED
    return Anchor(pair, 1, 4, 7, digest(f"disguised {value}"), digest(f"plain {value}"))


class Draft(Erasing):
    """Gather the rows of one transaction."""

    def __init__(self, head: TenantHead, recorded: datetime, ids: Iterator[int]) -> None:
        self.head, self.recorded = head, recorded
        self._ids, self._next_n = ids, head.next_n
        self._entries: list[Entry] = []
        self.rows: dict[str, list[object]] = {}

    def n(self) -> int:
        """Return the next row number."""
        self._next_n += 1
        return self._next_n - 1

    def id(self, prefix: str) -> str:
        """Return a new id."""
        return f"{prefix}_{spelled((1 << 100) + next(self._ids))}"

    def seal(self, code: RowCode, id: str = "") -> Seal:
        """Return the seal of one more row of this record."""
        name = packed(id)[1:] if id else len(self._entries).to_bytes(16, "big")
        mark = f"{self.head.size}/{len(self._entries)}"
        commitment = hashlib.sha256(mark.encode()).digest()[:COMMITMENT_BYTES]
        self._entries.append(Entry(code, name, commitment))
        return Seal(digest(mark)[:SALT_BYTES], self.head.size, len(self._entries) - 1)

    def remember(
        self,
        text: str,
        *,
        terms: tuple[str, ...] | None = None,
        vector: bytes = b"",
        **fields: object,
    ) -> Version:
        """Add the first version of a memory; `fields` are a version's own."""
        version = Version(
            memory=self.id("m"),
            number=1,
            n=self.n(),
            space=1,
            kind=Kind.FACT,
            claim=Claim(text),
            valid=Interval(self.recorded),
            recorded=self.recorded,
            trust=Trust.BELIEVED,
            before=Trust.BELIEVED,
            rank=Rank.CONVERSATION,
            label=PRIVATE,
            author=1,
            actor=1,
            act="remember",
            digests=Digests(b""),
        )
        return self._add_version(replace(version, **fields), terms=terms, vector=vector)

    def follow(
        self,
        old: Version,
        text: str = "",
        *,
        terms: tuple[str, ...] | None = None,
        vector: bytes = b"",
        **fields: object,
    ) -> Version:
        """Add the next version of a memory: another text, another trust, another interval."""
        claim = replace(old.claim, text=text or old.text)
        version = replace(
            old,
            number=old.number + 1,
            n=self.n(),
            claim=claim,
            recorded=self.recorded,
            before=old.trust,
            act="revise",
            digests=Digests(b""),
        )
        return self._add_version(replace(version, **fields), terms=terms, vector=vector, replaces=old)

    def _add_version(
        self,
        version: Version,
        *,
        terms: tuple[str, ...] | None,
        vector: bytes,
        replaces: Version | None = None,
    ) -> Version:
        claim = version.claim
        if not version.digests.value:
            slot = digest(f"{claim.about}={claim.attribute}") if claim.keyed else b""
            version = replace(version, digests=Digests(digest(claim.said), slot))
        entry = IndexEntry(" ".join(words(indexed_text(version)) if terms is None else terms), vector)
        seal = self.seal(RowCode.VERSION, version.memory)
        mac = digest(f"head {version.memory} {version.number}")
        self._add("versions", NewVersion(version, seal, mac, entry, replaces))
        return version

    def turn(
        self,
        text: str,
        *,
        terms: tuple[str, ...] | None = None,
        vector: bytes = b"",
        **fields: object,
    ) -> Evidence:
        """Add one evidence item; `fields` are its own."""
        item = Evidence(
            id=self.id("e"),
            n=self.n(),
            space=1,
            kind=EvidenceKind.TURN,
            text=text,
            recorded=self.recorded,
            label=PRIVATE,
            author=1,
            role=Role.USER,
        )
        item = replace(item, **fields)
        entry = IndexEntry(" ".join(words(text) if terms is None else terms), vector)
        self._add("evidence", NewEvidence(item, self.seal(RowCode.EVIDENCE, item.id), entry))
        return item

    def link(self, source: str, target: str, **fields: object) -> Link:
        """Add one link from an id to an id."""
        link = Link(
            id=self.id("l"),
            source=source,
            target=target,
            type=LinkType.REFERS_TO,
            weight=0.5,
            recorded=self.recorded,
            space=1,
            actor=1,
        )
        link = replace(link, **fields)
        self._add("links", Sealed(link, self.seal(RowCode.LINK, link.id)))
        return link

    def tombstone(self, memory: str, value: str, **fields: object) -> Tombstone:
        """Add a tombstone of a value, found by three digests of it and by an anchor."""
        keys = Keys(digest(value), digest(f"folded {value}"), digest(f"skeleton {value}"))
        tombstone = Tombstone(
            id=self.id("t"),
            memory=memory,
            space=1,
            kind=TombstoneKind.REJECTED,
            keys=keys,
            slot=b"",
            key_id=1,
            normaliser="n1",
            generation=self.head.generation + 1,
            actor=1,
            recorded=self.recorded,
        )
        found_by = (*keys.all, anchor_of(value).packed())
        tombstone = replace(tombstone, found_by=sum_of(found_by), **fields)
        seal = self.seal(RowCode.TOMBSTONE, tombstone.id)
        self._add("tombstones", NewTombstone(tombstone, seal, found_by))
        return tombstone

    def lift(self, tombstone: Tombstone) -> Tombstone:
        """Add the row that ends a tombstone; it carries the same keys."""
        lifting = replace(tombstone, id=self.id("t"), recorded=self.recorded, lifted=True, lifts=tombstone.id)
        seal = self.seal(RowCode.TOMBSTONE, lifting.id)
        self._add("tombstones", NewTombstone(lifting, seal, lifting.keys.all))
        return lifting

    def session(self, name: str, **fields: object) -> Conversation:
        """Add one session."""
        session = Conversation(
            id=self.id("s"),
            n=self.n(),
            name=name,
            space=1,
            agent="coder",
            started=self.recorded,
            label=Label(),
        )
        session = replace(session, **fields)
        self._add("sessions", Sealed(session, self.seal(RowCode.SESSION, session.id)))
        return session

    def come(self, session: Conversation, *, turns: int, label: Label = PRIVATE) -> None:
        """Say how far a session has come."""
        self._add("session_states", SessionState(session.n, turns, label))

    def space(self, path: str) -> SpaceRow:
        """Add one space."""
        row = SpaceRow(self.n(), path, "auto", 2, self.recorded)
        self._add("spaces", Sealed(row, self.seal(RowCode.SPACE)))
        return row

    def actor(self, name: str, role: str = "agent") -> ActorRow:
        """Add one actor."""
        row = ActorRow(self.n(), name, role, self.recorded)
        self._add("actors", Sealed(row, self.seal(RowCode.ACTOR)))
        return row

    def credential(self, public_id: str, **fields: object) -> CredentialRow:
        """Add one credential row."""
        row = CredentialRow(
            n=self.n(),
            public_id=public_id,
            digest=digest(public_id),
            actor="coder",
            role="agent",
            home="home",
            rights="[]",
            made=self.recorded,
        )
        row = replace(row, **fields)
        self._add("credentials", Sealed(row, self.seal(RowCode.CREDENTIAL)))
        return row

    def matter(self, kind: MatterKind = MatterKind.DISPUTE, **fields: object) -> Matter:
        """Add the first row of a matter, or a later one when its id is given."""
        first = (self.n(), self.id("c"), kind, 1, MatterState.OPEN, "doubted", PRIVATE, 1, self.recorded)
        row = replace(Matter(*first), **fields)
        self._add("matters", Sealed(row, self.seal(RowCode.MATTER)))
        return row

    def recall(self, query: str, *hits: str, session: int = 0, label: Label = PRIVATE) -> RecallRow:
        """Add one recall log row."""
        row = RecallRow(self.n(), self.recorded, session, 1, query, "found", label, hits)
        self._add("recalls", Sealed(row, self.seal(RowCode.RECALL)))
        return row

    def job(self, kind: str, *, due: int, target: int = 0) -> Job:
        """Add one job."""
        job = Job(self.n(), kind, target, due)
        self._add("jobs", job)
        return job

    def _add(self, table: str, row: object) -> None:
        self.rows.setdefault(table, []).append(row)

    def changes(self) -> Changes:
        """Return the whole transaction with its record and the tenant's next head."""
        head_bytes = record_head(act="test", rows=len(self._entries))
        rows = b"".join(entry.packed() for entry in self._entries)
        record = Record(self.head.size, self.recorded, head_bytes, rows)
        head = replace(
            self.head,
            size=self.head.size + 1,
            frontier=grown(self.head.frontier, self.head.size, leaf_hash(head_bytes, rows)),
            recorded=to_micros(self.recorded),
            next_n=self._next_n,
            generation=self.head.generation + len(self.rows.get("tombstones", ())),
            mac=digest(f"tenant {self.head.size + 1}"),
        )
        tables = {table: tuple(added) for table, added in self.rows.items()}
        return replace(Changes(head, record, model=MODEL), **tables)


class Scribe:
    """Write to a store, one second after the other."""

    def __init__(self, store: Store) -> None:
        self.store, self.moment = store, START
        self._ids = itertools.count(1)

    def draft(self) -> Draft:
        """Return an empty transaction that begins where the store is now."""
        self.moment += timedelta(seconds=1)
        with self.store.snapshot() as snapshot:
            return Draft(snapshot.head(), self.moment, self._ids)

    @contextmanager
    def writing(self) -> Iterator[Draft]:
        """Gather rows and apply them together at the end."""
        draft = self.draft()
        yield draft
        with self.store.transaction() as transaction:
            transaction.apply(draft.changes())

    def remember(self, text: str, **fields: object) -> Version:
        """Write one memory on its own."""
        with self.writing() as rows:
            return rows.remember(text, **fields)

    def follow(self, old: Version, text: str = "", **fields: object) -> Version:
        """Write one memory's next version on its own."""
        with self.writing() as rows:
            return rows.follow(old, text, **fields)

    def turn(self, text: str, **fields: object) -> Evidence:
        """Write one evidence item on its own."""
        with self.writing() as rows:
            return rows.turn(text, **fields)


def lanes(
    store: Store,
    eligibility: Eligibility,
    *,
    sort: Sort = Sort.MEMORY,
    term: str = "common",
    near: bytes = b"",
    beside: str = "",
) -> dict[str, list[int]]:
    """Return the row numbers that each lane proposes: lexical and recent, nearest and linked if asked."""
    with store.snapshot() as snapshot:
        view = snapshot.view(eligibility, model=MODEL)
        found: dict[str, Callable[[], list[object]]] = {
            "lexical": lambda: view.lexical((term,), sort, rows_max=1000),
            "recent": lambda: view.recent(sort, rows_max=1000),
        }
        if near:
            found["nearest"] = lambda: view.nearest(near, sort, rows_max=1000)
        if beside:
            found["linked"] = lambda: view.linked((beside,), rows_max=1000)
        return {lane: [one.n for one in propose()] for lane, propose in found.items()}


def lexical(store: Store, term: str, *spaces: int, sort: Sort = Sort.MEMORY, **fields: object) -> set[int]:
    """Return the row numbers that hold a term."""
    return set(lanes(store, asked(*spaces, **fields), sort=sort, term=term)["lexical"])
