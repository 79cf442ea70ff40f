"""How does a behaviour test get a vault, a clock that it moves by hand, and ids that count?

Vaults are put together by the product's own wiring, over each store that there is; only
the clock, the ids and, where a test needs it, the embedder are the test's own.
"""

import hashlib
import itertools
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import MappingProxyType

import muniment
from muniment import wiring
from muniment.adapters.analyser import Analyser
from muniment.adapters.embedders import AbsentEmbedder
from muniment.adapters.keys import FileKeyring, MemoryKeyring, keys_beside
from muniment.adapters.witness import FileWitness, MemoryWitness
from muniment.domain.checkpoint import origin_of
from muniment.domain.ids import spelled
from muniment.domain.principal import local_owner
from muniment.domain.timeline import to_micros
from muniment.errors import MunimentError
from muniment.ports import Embedder
from muniment.service.ground import Ground
from muniment.service.receipt import Receipt
from muniment.service.vault import Vault
from muniment.store.postgres import opened as postgres_opened
from muniment.store.sqlite import opened
from tests import postgres

START = datetime(2026, 1, 5, 9, tzinfo=UTC)
VAULT_ID = "00" * 16


class FakeClock:
    """Tell a time that only the test moves."""

    def __init__(self, start: datetime = START) -> None:
        self._now = start

    def now(self) -> datetime:
        return self._now

    def advance(self, **step: float) -> datetime:
        self._now += timedelta(**step)
        return self._now

    def step_back(self, **step: float) -> datetime:
        self._now -= timedelta(**step)
        return self._now

    def set(self, moment: datetime) -> datetime:
        self._now = moment
        return moment


class CountingIds:
    """Make ids and salts that are the same in every run with the same seed."""

    def __init__(self, seed: int = 1) -> None:
        self._seed = seed
        self._ids = itertools.count(seed << 80)
        self._salts = itertools.count()

    def new(self, prefix: str) -> str:
        return f"{prefix}_{spelled(next(self._ids))}"

    def salt(self, size: int) -> bytes:
        return hashlib.sha256(f"{self._seed}/{next(self._salts)}".encode()).digest()[:size]


class FlakyEmbedder:
    """Embed as told: by a table of 4 lanes a first letter, by an error, or by nothing at all."""

    dimension = 4

    def __init__(self, model: str = "letters/1") -> None:
        self.model = model
        self.mode = "well"

    def embed(self, text: str) -> bytes:
        if self.mode == "raises":
            raise RuntimeError("the model is away")
        if self.mode == "empty" or not text.strip():
            return b""
        lanes = hashlib.sha256(text.strip()[:1].casefold().encode()).digest()[: self.dimension]
        return bytes(lane & 0x7F or 1 for lane in lanes)

    def embed_many(self, texts: list[str]) -> list[bytes]:
        return [self.embed(text) for text in texts]


def reference_vault(
    place: Path,
    *,
    clock: FakeClock,
    ids: CountingIds | None = None,
    embedder: Embedder | None = None,
) -> Vault:
    """Return a vault over the reference store; `place` is not used."""
    return wiring.reference_vault(clock=clock, ids=ids or CountingIds(), embedder=embedder)


def sqlite_vault(
    place: Path,
    *,
    clock: FakeClock,
    ids: CountingIds | None = None,
    embedder: Embedder | None = None,
) -> Vault:
    """Make a vault's file in the directory `place`, with keys in memory."""
    keyring = MemoryKeyring()
    head = wiring.first_head(VAULT_ID, keyring, now=clock.now(), analyser=Analyser().version)
    store = opened.create(place / "vault.db", head, tenant=wiring.TENANT)
    outside = wiring.outside_of(
        keyring,
        embedder=embedder or AbsentEmbedder(),
        witness=MemoryWitness(keyring, origin_of(VAULT_ID, head.epoch)),
        clock=clock,
        ids=ids or CountingIds(),
    )
    return wiring.held(Ground(store, outside, wiring.TENANT), local_owner(wiring.TENANT))


def reopened_vault(
    place: Path, *, clock: FakeClock, ids: CountingIds, embedder: Embedder | None = None
) -> Vault:
    """Open the file that `sqlite_vault` made in `place` again; `ids` go on where they were."""
    keyring = MemoryKeyring()
    store = opened.open_existing(place / "vault.db", tenant=wiring.TENANT)
    outside = wiring.outside_of(
        keyring,
        embedder=embedder or AbsentEmbedder(),
        witness=MemoryWitness(keyring, origin_of(VAULT_ID, 1)),
        clock=clock,
        ids=ids,
    )
    return wiring.held(Ground(store, outside, wiring.TENANT), local_owner(wiring.TENANT))


def _tenant_in(place: Path) -> str:
    """Return the name of a tenant that no other test has: all share one database."""
    return f"vault of {place}"


def postgres_vault(
    place: Path,
    *,
    clock: FakeClock,
    ids: CountingIds | None = None,
    embedder: Embedder | None = None,
) -> Vault:
    """Make a tenant of its own in the shared test database, with keys in memory."""
    head = wiring.first_head(VAULT_ID, MemoryKeyring(), now=clock.now(), analyser=Analyser().version)
    address = postgres.shared_database().application
    store = postgres_opened.create(address, head, tenant=_tenant_in(place))
    return wiring.reference_vault(clock=clock, ids=ids or CountingIds(), embedder=embedder, store=store)


def reopened_postgres_vault(place: Path, *, clock: FakeClock, ids: CountingIds) -> Vault:
    """Open the tenant that `postgres_vault` made for `place` again, over connections of its own."""
    address = postgres.shared_database().application
    store = postgres_opened.open_existing(address, tenant=_tenant_in(place))
    return wiring.reference_vault(clock=clock, ids=ids, store=store)


def clocked_vault(path: Path, clock: FakeClock) -> Vault:
    """Make a vault at `path` with real key files beside it, so that other surfaces can open it."""
    directory = keys_beside(path)
    keyring = FileKeyring.create(directory, VAULT_ID)
    head = wiring.first_head(VAULT_ID, keyring, now=clock.now(), analyser=Analyser().version)
    store = opened.create(path, head, tenant=wiring.TENANT)
    outside = wiring.outside_of(
        keyring,
        embedder=AbsentEmbedder(),
        witness=FileWitness(directory, keyring, origin_of(VAULT_ID, head.epoch)),
        clock=clock,
        ids=CountingIds(),
    )
    return wiring.held(Ground(store, outside, wiring.TENANT), local_owner(wiring.TENANT))


@dataclass
class World:
    """Hold a vault with the clock and the ids that it runs on."""

    vault: Vault
    clock: FakeClock
    ids: CountingIds
    place: Path
    store: str

    def restarted(self) -> Vault:
        """Return the vault as a new process finds it; the reference store keeps its rows only here."""
        if self.store == "sqlite":
            close_quietly(self.vault)
            self.vault = reopened_vault(self.place, clock=self.clock, ids=self.ids)
        elif self.store == "postgres":
            close_quietly(self.vault)
            self.vault = reopened_postgres_vault(self.place, clock=self.clock, ids=self.ids)
        else:
            store = self.vault.ground.store
            self.vault = wiring.reference_vault(clock=self.clock, ids=self.ids, store=store)
        return self.vault


Make = Callable[..., Vault]

VAULTS: MappingProxyType[str, Make] = MappingProxyType(
    {"postgres": postgres_vault, "reference": reference_vault, "sqlite": sqlite_vault}
)
"""Every store that a behaviour is tested on; a further store is one more row."""


def texts(vault: Vault, question: str, **fields: object) -> list[str]:
    """Return the texts of a recall's hits, best first."""
    return [hit.text for hit in vault.recall(question, **fields).hits]


def stored(receipt: Receipt) -> Receipt:
    """Return the receipt, having made sure that it is not a refusal."""
    assert not receipt.refused, f"{receipt.reason}: {receipt.sentence} {receipt.detail}"
    return receipt


def acts(vault: Vault) -> list[str]:
    """Return the acts of the log, oldest first, without recalls."""
    return [row.act for row in vault.log(newest_first=False, limit=1000) if row.act != "recall"]


def close_quietly(vault: Vault) -> None:
    """Close a vault whose store may be closed already."""
    with suppress(MunimentError):
        vault.close()


def micros(moment: datetime) -> int:
    """Return microseconds since 1970."""
    return to_micros(moment)


def file_vault(path: Path) -> Vault:
    """Open a vault as a caller does, by its path."""
    return muniment.open(path)
