"""How does a behaviour test carry a vault?  With real key files, whatever store the rows lie in."""

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from muniment import wiring
from muniment.adapters.analyser import Analyser
from muniment.adapters.carrier import FileCarrier
from muniment.adapters.embedders import AbsentEmbedder
from muniment.adapters.keys import FileKeyring, keys_beside
from muniment.adapters.witness import FileWitness
from muniment.domain.checkpoint import origin_of
from muniment.ports import Embedder
from muniment.service.ground import Ground
from muniment.service.vault import Vault
from muniment.store.memory import MemoryStore
from muniment.store.postgres import opened as postgres_opened
from muniment.store.sqlite import opened
from tests import postgres
from tests.builders import CountingIds, FakeClock, stored

STORES = ("postgres", "reference", "sqlite")
"""Which stores a carried vault can lie in."""


class Places:
    """Make vaults in one directory, each with its own name, id and keys."""

    def __init__(self, place: Path, store: str, clock: FakeClock) -> None:
        self.place, self.store, self.clock = place, store, clock
        self._made: list[Vault] = []

    def vault(self, name: str, *, embedder: Embedder | None = None) -> Vault:
        """Return a new, empty vault."""
        seed = len(self._made) + 1
        directory, id = keys_beside(self.place / f"{name}.db"), f"{seed:032x}"
        keyring = FileKeyring.create(directory, id)
        head = wiring.first_head(id, keyring, now=self.clock.now(), analyser=Analyser().version)
        if self.store == "sqlite":
            store = opened.create(self.place / f"{name}.db", head, tenant=wiring.TENANT)
        elif self.store == "postgres":
            address = postgres.shared_database().application
            store = postgres_opened.create(address, head, tenant=f"{name} in {self.place}")
        else:
            store = MemoryStore(head)
        outside = wiring.outside_of(
            keyring,
            embedder=embedder or AbsentEmbedder(),
            witness=FileWitness(directory, keyring, origin_of(id, 1)),
            clock=self.clock,
            ids=CountingIds(seed),
        )
        outside = replace(outside, carrier=FileCarrier(directory))
        vault = wiring.held(Ground(store, outside, wiring.TENANT), wiring.local_owner(wiring.TENANT))
        self._made.append(vault)
        return vault

    def path(self, name: str) -> Path:
        """Return the path of an export in the directory."""
        return self.place / f"{name}.jsonl"

    def close(self) -> None:
        """Close every vault."""
        for vault in self._made:
            vault.close()


def lived_in(vault: Vault, clock: FakeClock) -> dict[str, str]:
    """Live in a vault: every kind of row is made; return ids by what they are."""
    ids: dict[str, str] = {}
    key = vault.remember("The key rotates on Mondays", about="key", attribute="rotation", value="Monday")
    ids["monday"] = stored(key).id
    clock.advance(days=1)
    ids["friday"] = stored(vault.succeed(ids["monday"], "The key rotates on Fridays", value="Friday")).id
    ids["tea"] = stored(vault.remember("Tea is served at four", tags=["kitchen"], kind="preference")).id
    stored(vault.revise(ids["tea"], "Tea is served at five", reason="the bell moved"))
    ids["code"] = stored(vault.remember("The door code is 4711")).id
    stored(vault.reject(ids["code"], reason="never write that down"))
    ids["attic"] = stored(vault.remember("The attic is locked")).id
    stored(vault.retire(ids["attic"]))
    session = vault.session("s-1", agent="coder")
    session.append(role="user", text="I heard that the harbour opens at dawn", at=clock.now())
    session.append(role="tool_result", text="The harbour page says: gates open at six")
    clock.advance(hours=1)
    (ids["turn"],) = [hit.id for hit in vault.recall("harbour dawn").hits if hit.source == "turn"]
    ids["harbour"] = stored(vault.remember("The harbour opens early", evidence=[ids["turn"]])).id
    stored(vault.link(ids["harbour"], ids["tea"], type="refers_to", weight=0.25))
    ids["case"] = stored(vault.link(ids["harbour"], ids["tea"], type="contradicts")).case
    ids["key"], ids["public"] = vault.make_key(actor="robot")
    vault.ingest(_long_document(), source="guide.md")
    vault.settle()
    _erased(vault)
    return ids


def _erased(vault: Vault) -> None:
    """Plant what is erased again: a turn that loses a part, states with a reason, a memory."""
    session = vault.session("s-2", agent="coder")
    (turn,) = session.append(role="user", text="The gull is GX-4417-Q. The tern is free.").evidence
    stored(vault.remember("Gull number GX-4417-Q", evidence=[turn]))
    tern = stored(vault.remember("The tern is shy", evidence=[turn])).id
    stored(vault.revise(tern, "The tern is bold", reason="GX-4417-Q scared it"))
    stored(vault.revise(tern, "The tern is free"))
    vault.erase(vault.plan_erasure(text="GX-4417-Q"))


def _long_document() -> str:
    paragraphs = (f"Chapter {n}. The pump of hall {n} hums." + " It hums all day." * 20 for n in range(12))
    return "\n\n".join(paragraphs)


def lines(path: Path) -> list[dict[str, object]]:
    """Return the lines of an export."""
    return [json.loads(line) for line in path.read_bytes().splitlines()]


def edited(path: Path, change: Callable[[list[dict[str, object]]], object]) -> None:
    """Change the lines of an export and write them in their one spelling."""
    found = lines(path)
    change(found)
    spelled = [json.dumps(one, sort_keys=True, separators=(",", ":")) for one in found]
    path.write_text("\n".join(spelled) + "\n", encoding="ascii")


@pytest.fixture(params=STORES)
def places(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Places]:
    """Return where a test makes its vaults, on each store in turn."""
    made = Places(tmp_path, request.param, FakeClock())
    yield made
    made.close()


@pytest.fixture
def home(places: Places) -> Vault:
    """Return a vault; with `ids` it was lived in."""
    return places.vault("home")


@pytest.fixture
def ids(home: Vault, places: Places) -> dict[str, str]:
    """Return the ids of what `home` holds."""
    return lived_in(home, places.clock)


@pytest.fixture
def exported(home: Vault, places: Places, ids: dict[str, str]) -> Path:
    """Return the path of an export of `home`, which was lived in."""
    home.export(places.path("home"))
    return places.path("home")
