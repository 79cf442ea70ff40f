"""What does every use case stand on?  A store, the outside world, and the names met so far."""

from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, TypeVar

from muniment import limits
from muniment.domain.changes import HeadSeal, Page
from muniment.domain.label import Label
from muniment.domain.ledger import TenantHead, keyed, keyed_digest, same_bytes
from muniment.domain.memory import Version
from muniment.domain.rows import ActorRow, SpaceRow
from muniment.domain.tombstone import Marks
from muniment.errors import MissingKey, MunimentError, RolledBack, Tampered
from muniment.later import Later
from muniment.ports import Keyring, Outside, Snapshot, Store

if TYPE_CHECKING:
    from muniment.domain.matter import Matter
    from muniment.gate.contradiction import Contradicts
    from muniment.service import matters_held
    from muniment.service.block_places import BlockFiles
else:
    matters_held = Later("muniment.service.matters_held")

K = TypeVar("K", bound=Keyring)

MAC_BYTES = 12
"""Length of a head's MAC: HMAC-SHA-256 cut to 96 bits."""


def head_mac(key: bytes, head: TenantHead) -> bytes:
    """Return the MAC of a tenant's head (I6)."""
    return mac_of(key, head.sealed_bytes())


def mac_of(key: bytes, sealed: bytes) -> bytes:
    """Return the MAC over the bytes that a head's MAC covers."""
    return keyed(key, sealed)[:MAC_BYTES]


def memory_mac(key: bytes, named: Version | HeadSeal) -> bytes:
    """Return the MAC of a memory's head: its latest version and trust (I6)."""
    sealed = f"memory\n{named.memory}\n{named.number}\n{named.n}\n{named.trust}"
    return keyed(key, sealed.encode("ascii"))[:MAC_BYTES]


def with_newest(keyring: K, snapshot: Snapshot) -> K:
    """Return keys that have the one of the newest tombstone, which would keep nothing out without it.

    Raises MissingKey for a copy of the keys from before a rotation.
    """
    needed = snapshot.newest_tombstone_key()
    if needed > keyring.key_id:
        raise MissingKey(
            f"The tombstone key number {needed} is missing; the newest here is {keyring.key_id}."
        )
    return keyring


@dataclass(slots=True)
class Ground:
    """Hold the store, the outside world and a cache of names.

    The cache holds only committed rows, which never change, so that it needs no lock:
    a miss reads the store again.  `judge` is asked about free statements where the rules say
    nothing, None when there is no model.  `block_files` gives the files of the blocks, None where a
    vault has no place for them.  `vault` is the id that was seen last.  `marks` are those of
    a generation's tombstones and `looks` says how often which generation was looked at without them.
    `sessions_held` are the labels, as strict as they were last, of those sessions whose label was worked
    out again from what they have read.  `index_is_sound` says that the text index knew older rows when
    this process last doubted it, and `index_known_at` at which moment, and for which eligibility, it knew
    the newest ones, too.
    """

    store: Store
    outside: Outside
    tenant: str
    spaces: dict[str, SpaceRow] = field(default_factory=dict)
    space_paths: dict[int, str] = field(default_factory=dict)
    actors: dict[tuple[str, str], ActorRow] = field(default_factory=dict)
    actor_names: dict[int, str] = field(default_factory=dict)
    dials: dict[int, str] = field(default_factory=dict)
    reviews: dict[int, str] = field(default_factory=dict)
    blocks_off: set[tuple[int, str]] = field(default_factory=set)
    dials_at: int = 0
    free_text: set[int] = field(default_factory=set)
    judge: "Contradicts | None" = None
    checked_witness: tuple[int, bytes] = (-1, b"")
    sealed_head: TenantHead | None = None
    block_files: "Callable[[], BlockFiles] | None" = None
    generation: int = -1
    vault: str = ""
    marks: Marks | None = None
    looks: tuple[int, int] = (-1, 0)
    sessions_held: dict[int, Label] = field(default_factory=dict)
    index_is_sound: bool = False
    index_known_at: object = None

    @property
    def vault_key(self) -> bytes:
        """Return the key of row commitments and heads."""
        return self.outside.keyring.vault_key

    def refuse_unwritable(self) -> None:
        """Raise MissingKey or RolledBack when the vault may only be read."""
        if self.outside.writable:
            return
        raise MissingKey(self.outside.why_read_only)

    def space(self, snapshot: Snapshot, path: str) -> SpaceRow | None:
        """Return the space of a path, or None when there is none."""
        if path not in self.spaces:
            self.learn_spaces(snapshot)
        return self.spaces.get(path)

    def all_spaces(self, snapshot: Snapshot) -> Collection[SpaceRow]:
        """Return every space; they are only read when one was added, since none ever goes."""
        if snapshot.newest_space() != max(self.space_paths, default=0):
            self.learn_spaces(snapshot)
        return self.spaces.values()

    def learn_spaces(self, snapshot: Snapshot) -> None:
        """Read all spaces into the cache."""
        for row in snapshot.spaces():
            self.spaces[row.path] = self.dialled(row)
            self.space_paths[row.n] = row.path

    def dialled(self, row: SpaceRow) -> SpaceRow:
        """Return a space as its dial stands now; the row says how it was made."""
        dial = self.dials.get(row.n, row.dial)
        return row if dial == row.dial else replace(row, dial=dial)

    def learn_dials(self, snapshot: Snapshot, generation: int) -> None:
        """Read how every space's dials stand, as of a generation of the tenant's head.

        Whoever moves a dial moves the generation, so every process learns of it at its next write.
        """
        if generation == self.dials_at:
            return
        spaces = [row.n for row in snapshot.spaces()]
        after = 0
        while rows := snapshot.matters_in(
            spaces, ("dial",), ("decided",), page=Page(after, limits.page_rows_max)
        ):
            matters_held.refuse_altered(self, snapshot, rows)
            for row in rows:
                self._dial(row)
            after = rows[-1].n
        self.dials_at = generation
        self.learn_spaces(snapshot)

    def _dial(self, row: "Matter") -> None:
        if row.why in ("conflict", "review"):
            (self.dials if row.why == "conflict" else self.reviews)[row.space] = row.decision
        elif row.decision == "off":
            self.blocks_off.add((row.space, row.why))
        else:
            self.blocks_off.discard((row.space, row.why))

    def actor(self, snapshot: Snapshot, name: str, role: str) -> ActorRow | None:
        """Return the actor of a name and role, or None when there is none."""
        if (name, role) not in self.actors:
            self.learn_actors(snapshot)
        return self.actors.get((name, role))

    def learn_actors(self, snapshot: Snapshot) -> None:
        """Read all actors into the cache."""
        for row in snapshot.actors():
            self.actors[(row.name, row.role)] = row
            self.actor_names[row.n] = row.name

    def path_of(self, snapshot: Snapshot, space: int) -> str:
        """Return the path of a space's number."""
        if space not in self.space_paths:
            self.learn_spaces(snapshot)
        return self.space_paths.get(space, "")

    def name_of(self, snapshot: Snapshot, actor: int) -> str:
        """Return the name of an actor's number."""
        if actor not in self.actor_names:
            self.learn_actors(snapshot)
        return self.actor_names.get(actor, "")

    def digest(self, purpose: bytes, text: str) -> bytes:
        """Return the keyed digest of `text` for one purpose."""
        return keyed_digest(self.vault_key, purpose, text)

    def vector_of(self, text: str) -> tuple[bytes, bool]:
        """Return the vector of a text, and whether the embedder failed or gave one of another length.

        A failing embedder never costs a write or an answer: the vector follows by a job (I14).
        """
        embedder = self.outside.embedder
        try:
            vector = embedder.embed(text)
        except (MunimentError, OSError, ValueError, RuntimeError):
            return b"", True
        if vector and len(vector) != embedder.dimension:
            return b"", True
        return vector, False

    def refuse_altered(self, head: TenantHead) -> None:
        """Raise Tampered when a head does not match its seal (I6)."""
        if not same_bytes(head.mac, head_mac(self.vault_key, head)):
            raise Tampered("The head of the log does not match its seal.")

    def forget_names(self) -> None:
        """Forget every name met so far: what goes or is renamed by an erasure is never served from here."""
        for known in (self.spaces, self.space_paths, self.actors, self.actor_names):
            known.clear()
        self.dials_at = -1
        self.checked_witness = (-1, b"")

    def _forget_since(self, snapshot: Snapshot, head: TenantHead) -> None:
        """Forget the names, of which another process may have erased one, and learn keys it may have made.

        What was rejected or erased under a new key is met by nobody who has only the old ones (I4).
        """
        self.follow(head)
        if self.outside.verifiable:
            self.outside.keyring.catch_up()
            # Read only, because that key is missing, all else is checked as ever.
            if self.outside.writable:
                with_newest(self.outside.keyring, snapshot)
        self.forget_names()
        self.generation = head.generation

    def follow(self, head: TenantHead) -> None:
        """Take the keys of another vault that a restore has put in this one's place, where they lie here.

        Should somebody else have put it there, it does not match its seal under the keys that are held.
        """
        carrier = self.outside.carrier
        if self.vault and head.vault != self.vault and self.outside.verifiable and carrier is not None:
            try:
                keyring, witness = carrier.in_force(head)
            except MissingKey:
                return
            self.outside = replace(self.outside, keyring=keyring, witness=witness)
        self.vault = head.vault

    @contextmanager
    def reading(self) -> Iterator[Snapshot]:
        """Open a snapshot for what is shown, whose head holds (I6).

        Raises Tampered or RolledBack: an older copy of the database may hold what was erased since.
        """
        with self.store.snapshot() as snapshot:
            self.checked_head(snapshot)
            yield snapshot

    def checked_head(self, snapshot: Snapshot) -> TenantHead:
        """Return the tenant's head, or raise when it is altered or older than the witness (I6)."""
        head = snapshot.head()
        if head.generation != self.generation or head.vault != self.vault:
            self._forget_since(snapshot, head)
        if not self.outside.verifiable:
            return head
        # A head that this process sealed or checked needs no second look, MAC and all.
        if head is not self.sealed_head and head != self.sealed_head:
            self.refuse_altered(head)
            self.sealed_head = head
        witness = self.outside.witness.newest()
        if witness is not None and witness != self.checked_witness:
            self._check_witness(head, witness)
        return head

    def _size_now(self) -> int:
        """Return how many records the log holds now.

        A view that was opened before others wrote and signed is older than the witness, and not rolled back.
        """
        with self.store.snapshot() as snapshot:
            head = snapshot.head()
        self.refuse_altered(head)
        return head.size

    def _check_witness(self, head: TenantHead, witness: tuple[int, bytes]) -> None:
        size, root = witness
        if head.size < size and self._size_now() < size:
            raise RolledBack(f"The log holds {head.size} records; a witness has seen {size}.")
        if head.size == size:
            if head.root != root:
                raise Tampered("The log differs from what a witness has seen.")
            self.checked_witness = witness
