"""How does a verdict become rows?  Every row sealed to one ledger record, all at once (I5, I6)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TYPE_CHECKING

from muniment import limits
from muniment.domain import rows as canonical
from muniment.domain.changes import (
    Changes,
    Gone,
    IndexEntry,
    Job,
    NewEvidence,
    NewTombstone,
    NewVersion,
    Sealed,
    SessionState,
    TurnsMoved,
)
from muniment.domain.erased_rows import CertificateRow, StubRow, certificate_bytes, stub_bytes
from muniment.domain.evidence import Evidence
from muniment.domain.ids import packed
from muniment.domain.ledger import (
    SALT_BYTES,
    Record,
    RowCode,
    Seal,
    TenantHead,
    commitment,
    entry_bytes,
    grown,
    head_bytes,
    leaf_hash,
    record_head,
)
from muniment.domain.link import Link
from muniment.domain.matter import Matter, matter_bytes
from muniment.domain.memory import Version
from muniment.domain.principal import ActorRole, Principal
from muniment.domain.rows import ActorRow, CredentialRow, RecallRow, SpaceRow
from muniment.domain.session import Conversation
from muniment.domain.space import HOME
from muniment.domain.timeline import from_micros, to_micros
from muniment.domain.tombstone import Tombstone, sum_of
from muniment.errors import BadInput, OtherAnalyser
from muniment.later import Later
from muniment.ports import Transaction
from muniment.service.ground import Ground, mac_of, memory_mac

if TYPE_CHECKING:
    from muniment.domain.block import Block
    from muniment.domain.block_file import Hindrance
    from muniment.gate import conflict
    from muniment.service import erased_names, rebase, seals, watch
else:
    conflict = Later("muniment.gate.conflict")
    rebase = Later("muniment.service.rebase")
    seals = Later("muniment.service.seals")
    erased_names = Later("muniment.service.erased_names")
    watch = Later("muniment.service.watch")


_OF_THE_VAULT = frozenset({ActorRole.OWNER, ActorRole.SYSTEM})
"""Roles whose names are words of ours: no erasure keeps the owner out."""


def numbered_id(n: int) -> bytes:
    """Return the 16 bytes that stand for a row number in a record's entry."""
    return n.to_bytes(16, "big")


@dataclass(slots=True)
class Draft:
    """Gather the rows of one transaction and seal them.

    `recorded` is this change's moment: never before the last one, even when the clock
    stepped back (I8).  Where others write beside it, both it and the place in the log stand
    only when the log's end is held: then the rows are sealed once more.  `hindered` says which
    blocks' files stand in the way of an edit.
    """

    ground: Ground
    transaction: Transaction
    head: TenantHead
    recorded: datetime
    next_n: int
    entries: list[bytes] = field(default_factory=list)
    versions: list[NewVersion] = field(default_factory=list)
    evidence: list[NewEvidence] = field(default_factory=list)
    links: list[Sealed[Link]] = field(default_factory=list)
    tombstones: list[NewTombstone] = field(default_factory=list)
    sessions: list[Sealed[Conversation]] = field(default_factory=list)
    session_states: list[SessionState] = field(default_factory=list)
    turns_moved: list[TurnsMoved] = field(default_factory=list)
    spaces: list[Sealed[SpaceRow]] = field(default_factory=list)
    actors: list[Sealed[ActorRow]] = field(default_factory=list)
    credentials: list[Sealed[CredentialRow]] = field(default_factory=list)
    recalls: list[Sealed[RecallRow]] = field(default_factory=list)
    matters: list[Sealed[Matter]] = field(default_factory=list)
    stubs: list[Sealed[StubRow]] = field(default_factory=list)
    certificates: list[Sealed[CertificateRow]] = field(default_factory=list)
    gone: list[Gone] = field(default_factory=list)
    jobs: list[Job] = field(default_factory=list)
    generation: int = 0
    approved_by: int = 0
    proposal: str = ""
    hindered: "Mapping[Block, Hindrance]" = field(default_factory=dict)

    @classmethod
    def begun(cls, ground: Ground, transaction: Transaction) -> "Draft":
        """Return an empty draft on the checked head."""
        ground.refuse_unwritable()
        head = ground.checked_head(transaction)
        if head.analyser != ground.outside.analyser.version:
            raise OtherAnalyser("Another release built the index of this vault.")
        ground.learn_dials(transaction, head.generation)
        now = to_micros(ground.outside.clock.now())
        return cls(
            ground=ground,
            transaction=transaction,
            head=head,
            recorded=from_micros(max(now, head.recorded + 1)),
            next_n=head.next_n,
            generation=head.generation,
        )

    def number(self) -> int:
        """Return the next row number."""
        n = self.transaction.free_number(self.next_n)
        self.next_n = n + 1
        return n

    def seal(self, code: RowCode, id: bytes, row: bytes) -> Seal:
        """Commit to a row and return what is stored beside it."""
        salt = self.ground.outside.ids.salt(SALT_BYTES)
        self.entries.append(entry_bytes(code, id, commitment(self.ground.vault_key, salt, row)))
        return Seal(salt, self.head.size, len(self.entries) - 1)

    def space(self, path: str) -> SpaceRow:
        """Return the space of a path, making it when it is new."""
        found = self.ground.space(self.transaction, path)
        if found is not None:
            return found
        for made in self.spaces:
            if made.row.path == path:
                return made.row
        if path != HOME:
            self.refuse_erased("path of the space", path)
        row = SpaceRow(self.number(), path, conflict.AUTO, 2, self.recorded)
        seal = self.seal(RowCode.SPACE, numbered_id(row.n), canonical.space_bytes(row))
        self.spaces.append(Sealed(row, seal))
        return row

    def actor(self, principal: Principal) -> int:
        """Return the number of who acts, giving one to a new actor."""
        name, role = principal.actor, principal.role
        found = self.ground.actor(self.transaction, name, role)
        if found is None and principal.role not in _OF_THE_VAULT and self.is_erased(name):
            # Whoever goes on under a name that was erased is the same actor.
            found = self.ground.actor(self.transaction, erased_names.erased_name(self.ground, name), role)
        if found is not None:
            return found.n
        for made in self.actors:
            if made.row.name == principal.actor and made.row.role == principal.role.value:
                return made.row.n
        if not principal.actor.strip() or len(principal.actor) > limits.name_characters_max:
            raise BadInput("The actor's name is empty or too long.")
        if principal.role not in _OF_THE_VAULT:
            self.refuse_erased("actor's name", principal.actor)
        row = ActorRow(self.number(), principal.actor, principal.role.value, self.recorded)
        seal = self.seal(RowCode.ACTOR, numbered_id(row.n), canonical.actor_bytes(row))
        self.actors.append(Sealed(row, seal))
        return row.n

    def is_erased(self, name: str) -> bool:
        """Return whether a name holds what was erased in this tenant."""
        return self.generation > 0 and bool(watch.erased_spans(self.ground, self.transaction, name))

    def refuse_erased(self, what: str, name: str) -> None:
        """Raise BadInput for a new name that holds what was erased."""
        if self.is_erased(name):
            raise BadInput(f"The {what} may not be kept here.", advice="Take another name.")

    def add_version(self, version: Version, index: IndexEntry, *, replaces: Version | None) -> None:
        """Append a version and move its memory's sealed head."""
        seal = self.seal(RowCode.VERSION, packed(version.memory)[1:], canonical.version_bytes(version))
        mac = memory_mac(self.ground.vault_key, version)
        self.versions.append(NewVersion(version, seal, mac, index, replaces))

    def add_evidence(self, item: Evidence, index: IndexEntry) -> None:
        """Append an evidence item."""
        seal = self.seal(RowCode.EVIDENCE, packed(item.id)[1:], canonical.evidence_bytes(item))
        self.evidence.append(NewEvidence(item, seal, index))

    def add_link(self, link: Link) -> None:
        """Append a link."""
        self.links.append(
            Sealed(link, self.seal(RowCode.LINK, packed(link.id)[1:], canonical.link_bytes(link)))
        )

    def add_tombstone(self, tombstone: Tombstone, digests: Sequence[bytes]) -> None:
        """Append a tombstone with the digests and packed anchors it is found by, or the lifting of one."""
        if not tombstone.lifted:
            tombstone = replace(tombstone, found_by=sum_of(digests))
        seal = self.seal(RowCode.TOMBSTONE, packed(tombstone.id)[1:], canonical.tombstone_bytes(tombstone))
        self.tombstones.append(NewTombstone(tombstone, seal, tuple(digests)))

    def add_session(self, session: Conversation) -> None:
        """Append a session."""
        seal = self.seal(RowCode.SESSION, packed(session.id)[1:], canonical.session_bytes(session))
        self.sessions.append(Sealed(session, seal))

    def add_recall(self, row: RecallRow) -> None:
        """Append a recall log row."""
        seal = self.seal(RowCode.RECALL, numbered_id(row.n), canonical.recall_bytes(row))
        self.recalls.append(Sealed(row, seal))

    def add_credential(self, row: CredentialRow) -> None:
        """Append a credential row."""
        seal = self.seal(RowCode.CREDENTIAL, numbered_id(row.n), canonical.credential_bytes(row))
        self.credentials.append(Sealed(row, seal))

    def add_matter(self, row: Matter) -> None:
        """Append a row of a case, a proposal or a dial."""
        seal = self.seal(RowCode.MATTER, numbered_id(row.n), matter_bytes(row))
        self.matters.append(Sealed(row, seal))

    def approve(self, row: Matter, approver: int) -> None:
        """Settle a proposal with whatever this draft lands; its record names both."""
        self.add_matter(row)
        self.approved_by, self.proposal = approver, row.id

    def add_stub(self, row: StubRow) -> None:
        """Append the stub of a row that goes."""
        seal = self.seal(RowCode.STUB, numbered_id(row.n), stub_bytes(row))
        self.stubs.append(Sealed(row, seal))

    def add_certificate(self, row: CertificateRow) -> None:
        """Append a signed note on an erasure."""
        seal = self.seal(RowCode.CERTIFICATE, numbered_id(row.n), certificate_bytes(row))
        self.certificates.append(Sealed(row, seal))

    def want_vector(self, n: int) -> None:
        """Ask for the vector of a row later, when the embedder failed now (I14)."""
        self.jobs.append(Job(self.number(), "embed", n, to_micros(self.recorded)))

    def commit(self, act: str, **fields: str | int | bool | None) -> int:
        """Write one ledger record over all rows and apply everything; return its position.

        `fields` are ids, labels, counts and codes: never a remembered value, a reason, a
        query, a name, a tag or a path (I6).
        """
        model = self.ground.outside.embedder.model
        left = self.transaction.last_head(self.versions, model=model)
        if left is not None and left != self.head:
            self._follow(left)
        if self.proposal:
            fields |= {"proposal": self.proposal, "approver": self.approved_by}
        head = record_head(act=act, at=to_micros(self.recorded), rows=len(self.entries), **fields)
        entries = b"".join(self.entries)
        record = Record(self.head.size, self.recorded, head, entries)
        moved = self._moved(leaf_hash(head, entries))
        self.transaction.apply(
            Changes(
                head=moved,
                record=record,
                versions=tuple(self.versions),
                evidence=tuple(self.evidence),
                links=tuple(self.links),
                tombstones=tuple(self.tombstones),
                sessions=tuple(self.sessions),
                session_states=tuple(self.session_states),
                turns_moved=tuple(self.turns_moved),
                spaces=tuple(self.spaces),
                actors=tuple(self.actors),
                credentials=tuple(self.credentials),
                recalls=tuple(self.recalls),
                matters=tuple(self.matters),
                stubs=tuple(self.stubs),
                certificates=tuple(self.certificates),
                gone=tuple(self.gone),
                jobs=tuple(self.jobs),
                model=model,
            )
        )
        return record.position

    def _follow(self, head: TenantHead) -> None:
        """Move behind the head that others left since this draft was begun.

        Only what may be written beside others is moved: what claims nothing has nobody beside it.
        """
        assert not (self.spaces or self.actors or self.sessions or self.evidence or self.tombstones)
        self.ground.refuse_altered(head)
        judged, self.head = self.recorded, head
        self.recorded = from_micros(max(to_micros(judged), head.recorded + 1))
        moment = rebase.Moment(judged, self.recorded)
        self.versions = [
            replace(new, version=row, seal=self._sealed_again(new.seal, row, is_same=row is new.version))
            for new in self.versions
            for row in (moment.version(new.version),)
        ]
        self.links = [
            Sealed(row, self._sealed_again(one.seal, row, is_same=row == one.row))
            for one in self.links
            for row in (moment.link(one.row),)
        ]
        self.matters = [
            Sealed(row, self._sealed_again(one.seal, row, is_same=row == one.row))
            for one in self.matters
            for row in (moment.matter(one.row),)
        ]

    def _sealed_again(self, seal: Seal, row: Version | Link | Matter, *, is_same: bool) -> Seal:
        """Return the seal of a row at the log's end; `is_same` when the row did not change."""
        if not is_same:
            code, id, made = seals.committed(row)
            self.entries[seal.index] = entry_bytes(
                code, id, commitment(self.ground.vault_key, seal.salt, made)
            )
        return Seal(seal.salt, self.head.size, seal.index)

    def _moved(self, leaf: bytes) -> TenantHead:
        """Return the sealed head after one more record with this leaf."""
        old = self.head
        named = (
            old.vault,
            old.size + 1,
            grown(old.frontier, old.size, leaf),
            to_micros(self.recorded),
            max(old.next_n, self.next_n),
            self.generation,
            old.epoch,
            old.analyser,
        )
        moved = TenantHead(*named, mac=mac_of(self.ground.vault_key, head_bytes(named)))
        self.ground.sealed_head = moved
        return moved
