"""What does the service need from the outside world?  Protocols; wiring picks the classes."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Protocol

from muniment.domain.changes import Changes, Claims, Current, Extracted, HeadSeal, Job, Page, Row, Sealed
from muniment.domain.evidence import Evidence, Span
from muniment.domain.label import Label
from muniment.domain.ledger import Record, RowCode, Seal, TenantHead
from muniment.domain.link import Link
from muniment.domain.matter import Matter
from muniment.domain.memory import FindsMemories, Version
from muniment.domain.rows import ActorRow, CredentialRow, RecallRow, SpaceRow
from muniment.domain.session import Conversation
from muniment.domain.tombstone import FindsTombstones
from muniment.recall.eligibility import Eligibility, Sort
from muniment.recall.ranking import Candidate, Statistics
from muniment.recall.turns import FindsTurns

if TYPE_CHECKING:
    from muniment.domain import changes, offer, vault_keys


class Clock(Protocol):
    """Tell the time; handed in, so that tests decide it."""

    def now(self) -> datetime:
        """Return the present moment, aware, UTC."""


class Ids(Protocol):
    """Make ids and salts; handed in, so that tests can repeat them."""

    def new(self, prefix: str) -> str:
        """Return a new id: the typed prefix, an underscore and 26 characters."""

    def salt(self, size: int) -> bytes:
        """Return `size` random bytes."""


class Analyser(Protocol):
    """Turn text into terms, the same for every store."""

    @property
    def version(self) -> str:
        """Return the stamp of its rules; an index of another version is not written to."""

    def indexed(self, text: str) -> str:
        """Return the terms of a text in order, with repeats, and a space between them."""

    def terms(self, text: str) -> tuple[str, ...]:
        """Return the same terms one by one."""

    def question(self, text: str) -> tuple[str, ...]:
        """Return the distinct terms that a question looks for."""


class Embedder(Protocol):
    """Turn text into an int8 vector; its absence is visible and harmless (I14)."""

    @property
    def model(self) -> str:
        """Return the stamp put on every vector; empty when there is no embedder."""

    @property
    def dimension(self) -> int:
        """Return the number of bytes of a vector."""

    def embed(self, text: str) -> bytes:
        """Return `dimension` signed bytes, or none when the text has nothing to embed."""


class Keyring(Protocol):
    """Hold the vault's keys, which lie outside the database."""

    @property
    def vault_key(self) -> bytes:
        """Return the key of row commitments, heads and value digests."""

    @property
    def tombstone_key(self) -> bytes:
        """Return the key that new tombstones are made with."""

    @property
    def key_id(self) -> int:
        """Return the number of the present tombstone key, from 1."""

    @property
    def old_tombstone_keys(self) -> tuple[tuple[int, bytes], ...]:
        """Return earlier tombstone keys by number; they stay for matching."""

    def sign(self, note: bytes) -> bytes:
        """Return the Ed25519 signature of `note`."""

    @property
    def public_key(self) -> bytes:
        """Return the 32 bytes that verify signatures."""

    @property
    def old_public_keys(self) -> tuple[bytes, ...]:
        """Return the public keys of earlier signing keys; their signatures still count."""

    def catch_up(self) -> None:
        """Take in the keys that another process made since these were read; none that is held goes."""


class View(FindsTurns, Protocol):
    """Propose candidates within an eligibility; all that a driver ever sees (read-only)."""

    def lexical(self, terms: Sequence[str], sort: Sort, *, rows_max: int) -> list[Candidate]:
        """Return eligible rows holding any of `terms`, best first by the engine's own rank."""

    def nearest(self, vector: bytes, sort: Sort, *, rows_max: int) -> list[Candidate]:
        """Return eligible rows nearest to `vector` by cosine."""

    def recent(self, sort: Sort, *, rows_max: int) -> list[Candidate]:
        """Return the newest eligible rows."""

    def linked(self, ids: Sequence[str], *, rows_max: int) -> list[Candidate]:
        """Return eligible memories one link away from the given memories."""


class Driver(Protocol):
    """Propose candidates for a question from a scoped view."""

    def candidates(self, view: View, terms: Sequence[str], vector: bytes) -> list[Candidate]:
        """Return candidates, each once; order does not matter, the scorer ranks."""


class Snapshot(FindsMemories, FindsTombstones, Protocol):
    """Read one consistent state of a tenant."""

    def head(self) -> TenantHead:
        """Return the tenant's sealed head."""

    def moment(self) -> object:
        """Return what is equal in two snapshots only if nobody committed between; None where none can say."""

    def spaces(self) -> tuple[SpaceRow, ...]:
        """Return every space of the tenant."""

    def actors(self) -> tuple[ActorRow, ...]:
        """Return every actor of the tenant."""

    def currents(self, memories: Sequence[str]) -> list[Current]:
        """Return the newest version of each memory that is there."""

    def head_seals(self, memories: Sequence[str]) -> list[HeadSeal]:
        """Return the sealed heads of the memories that are there, without their versions."""

    def withheld_in(self, spaces: Sequence[int]) -> bool:
        """Return whether these spaces hold a memory that is not live."""

    def sources_of(self, memories: Sequence[str]) -> list[tuple[str, str]]:
        """Return what each memory is derived from: pairs of memory and source, oldest first."""

    def newest_space(self) -> int:
        """Return the number of the newest space, 0 when there is none."""

    def history(self, memory: str) -> list[Sealed[Version]]:
        """Return every version of a memory, oldest first."""

    def evidence(self, ids: Sequence[str]) -> list[Sealed[Evidence]]:
        """Return the evidence items with these ids."""

    def evidence_at(self, ns: Sequence[int]) -> list[Sealed[Evidence]]:
        """Return the evidence items with these row numbers."""

    def known_origins(self, origins: Sequence[bytes]) -> dict[bytes, str]:
        """Return which of these origins were taken before, and as which id; an erased one has none."""

    def turns(self, session: int, page: Page) -> list[Sealed[Evidence]]:
        """Return a session's items in order, after sequence `page.after`."""

    def links_of(self, ids: Sequence[str]) -> list[Sealed[Link]]:
        """Return every link that begins or ends at one of these ids."""

    def session(self, space: int, name: str) -> Conversation | None:
        """Return a session by its name within a space, as far as it has come."""

    def sessions(self, spaces: Sequence[int], page: Page) -> list[Conversation]:
        """Return sessions of these spaces, by number."""

    def sessions_at(self, ns: Sequence[int]) -> list[Conversation]:
        """Return the sessions with these numbers."""

    def labels_read(self, session: int) -> list[Label]:
        """Return the labels of a session's turns and of the answers it was served, each once."""

    def credential(self, public_id: str) -> list[Sealed[CredentialRow]]:
        """Return the rows of one credential with their seals, oldest first."""

    def credentials(self) -> list[CredentialRow]:
        """Return all credential rows, oldest first."""

    def matters(self, ids: Sequence[str]) -> list[Matter]:
        """Return every row of these matters, oldest first."""

    def matters_about(self, ids: Sequence[str]) -> list[Matter]:
        """Return the newest rows of open matters with one of these ids as a side."""

    def matters_in(
        self, spaces: Sequence[int], kinds: Sequence[str], states: Sequence[str], *, page: Page
    ) -> list[Matter]:
        """Return the newest rows of matters of these spaces, kinds and states, by row number."""

    def recalls(self, page: Page) -> list[RecallRow]:
        """Return recall log rows."""

    def records(self, page: Page) -> list[Record]:
        """Return ledger records, by position; `page.after` is the last position seen."""

    def entries_of(self, seals: Sequence[Seal]) -> list[bytes]:
        """Return the packed row entry of each seal, empty where there is none."""

    def sealed_rows(self, code: RowCode, page: Page) -> list[tuple[int, Sealed[Row]]]:
        """Return committed rows of one kind with their paging keys: row numbers, where they have any."""

    def heads(self, page: Page) -> list[tuple[int, Current]]:
        """Return memory heads with their paging keys, for `verify`."""

    def odd_heads(self, rows_max: int) -> list[str]:
        """Return memories whose head is missing, not the newest version's, or differs from it."""

    def statistics(self, spaces: Sequence[int], sort: Sort, terms: Sequence[str]) -> Statistics:
        """Return item and term counts of these spaces for one sort."""

    def view(self, eligibility: Eligibility, *, model: str) -> View:
        """Return a read-only scoped view."""

    def cosines(self, ns: Sequence[int], vector: bytes, *, model: str) -> Mapping[int, float]:
        """Return the cosine of `vector` with each row that has a vector of `model`."""

    def jobs(self) -> list[Job]:
        """Return all jobs that are not done, by due time."""

    def counts(self) -> Mapping[str, int]:
        """Return how many rows each table holds."""


class Transaction(Snapshot, Protocol):
    """Read and change one tenant under its lock; commits when left without an error."""

    def free_number(self, least: int) -> int:
        """Return the first row number from `least` on that nobody beside it takes; it is taken now."""

    def last_head(self, versions: "Sequence[changes.NewVersion]", *, model: str) -> TenantHead | None:
        """Store what is free of the log's end; hold that, and return the head if it can have moved."""

    def apply(self, changes: Changes) -> None:
        """Append all rows, index them, and move the heads, together (I5)."""

    def take_job(self, now: int, lease_until: int) -> Job | None:
        """Take the next due job under a new lease number."""

    def finish_job(self, job: Job, *, error: str = "", due: int = 0) -> bool:
        """End a job, or put it back with its error; False when another worker overtook."""

    def set_vector(self, n: int, vector: bytes, *, model: str) -> None:
        """Store the vector of a live row; one of another model for it is removed."""

    def unembedded(self, model: str, page: Page) -> list[tuple[int, str]]:
        """Return live rows without a vector of `model`: number and text."""

    def set_analyser(self, head: TenantHead) -> None:
        """Store a head that names another analyser, after a rebuild."""

    def rebuild(self, terms: Callable[[str], tuple[str, ...]]) -> int:
        """Rebuild both indexes from the rows; return how many rows were indexed."""


class Store(Protocol):
    """Keep one tenant's rows."""

    def transaction(self, claims: Claims | None = None) -> AbstractContextManager[Transaction]:
        """Open the tenant for writing, beside who claims something else; waits a while, then raises Busy."""

    def snapshot(self) -> AbstractContextManager[Snapshot]:
        """Open one consistent state for reading."""

    def harden(self) -> None:
        """Return when everything that can be read by now is durable."""

    def close(self) -> None:
        """Let go of everything."""


class Witness(Protocol):
    """Keep signed checkpoints outside the database."""

    def newest(self) -> tuple[int, bytes] | None:
        """Return size and root of the newest checkpoint, or None when there is none."""

    def add(self, size: int, root: bytes, at: datetime) -> str:
        """Sign and keep a checkpoint; return its signed note."""

    def new_epoch(self, old_note: str, size: int, root: bytes, *, why: str, at: datetime) -> str:
        """Sign and keep a checkpoint that begins a new epoch and cites the old one."""

    def notes(self) -> Iterator[str]:
        """Return every kept note, oldest first."""


class Journal(Protocol):
    """Keep the erasures outside the database, a line each."""

    def lines(self) -> tuple[str, ...]:
        """Return every line, oldest first."""

    def add(self, line: str) -> None:
        """Add the line of one erasure; it is durable when the call returns."""


class Extractor(Protocol):
    """Find claims in evidence by rules alone."""

    def __call__(
        self, text: str, *, speaker: str, role: str, occurred_at: datetime | None
    ) -> tuple[Extracted, ...]:
        """Return the claims of a text, with their spans."""


class Sieve(Protocol):
    """Let texts pass that surely hold nothing the gate looks for."""

    def __call__(self, text: str) -> bool:
        """Return whether a text has to be looked at: False is sure, True is not."""


class Chunker(Protocol):
    """Cut a document into parts that can be found."""

    def __call__(self, text: str) -> tuple[Span, ...]:
        """Return spans that cover the text exactly, in order."""


class Reader(Protocol):
    """Read a foreign file or directory of files as a stream."""

    def __call__(self, path: Path, *, format: str) -> "Iterator[offer.Item]":
        """Return the items of a file; an empty format is found out by looking."""


class Carrier(Protocol):
    """Carry a vault out and in: whole files, others' signatures, keys taken over."""

    def refuse_taken(self, path: Path) -> None:
        """Raise BadInput where a written file would take the place of what is no export."""

    def writing(self, path: Path) -> AbstractContextManager[BinaryIO]:
        """Yield a private file that takes the place of `path` when the block ends well."""

    def reading(self, path: Path) -> AbstractContextManager[BinaryIO]:
        """Yield the file at `path`; raises Unreadable when there is none."""

    def is_signed(self, public_key: bytes, signature: bytes, message: bytes) -> bool:
        """Return whether `signature` is the Ed25519 signature of `message` by `public_key`."""

    def adoption(
        self, keys: "vault_keys.VaultKeys", *, public_key: bytes, note: str, at: datetime
    ) -> "Callable[[], tuple[Keyring, Witness]]":
        """Lay a vault's keys ready, with the epoch after `note`; return what is called after the commit."""

    def in_force(self, head: TenantHead) -> "tuple[Keyring, Witness]":
        """Return keys and witness of the vault that a head is of; raises MissingKey for another's."""


@dataclass(frozen=True, slots=True)
class Outside:
    """Hold everything from outside that a vault works with."""

    clock: Clock
    ids: Ids
    analyser: Analyser
    embedder: Embedder
    keyring: Keyring
    witness: Witness
    journal: Journal
    drivers: tuple[Driver, ...]
    extractor: Extractor
    sieve: Sieve
    chunker: Chunker
    reader: Reader
    writable: bool = True
    verifiable: bool = True
    why_read_only: str = ""
    carrier: Carrier | None = None
