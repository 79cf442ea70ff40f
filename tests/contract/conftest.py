"""Which stores must do what the contract says?  Every test of this directory runs on each."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from muniment.domain.ledger import TenantHead
from muniment.ports import Store
from muniment.store.memory import MemoryStore
from muniment.store.postgres import opened as postgres_opened
from muniment.store.sqlite import opened
from tests import postgres
from tests.contract.builders import FIRST_HEAD, Scribe

Make = Callable[[Path, TenantHead, str], Store]


def _sqlite(place: Path, head: TenantHead, tenant: str) -> Store:
    return opened.create(place / "vault.db", head, tenant=tenant)


def _of_this_test(place: Path, tenant: str) -> str:
    """Return the name of a tenant that no other test has: all share one database."""
    return f"{tenant} of {place}"


def _postgres(place: Path, head: TenantHead, tenant: str) -> Store:
    address = postgres.shared_database().application
    return postgres_opened.create(address, head, tenant=_of_this_test(place, tenant))


STORES: dict[str, Make] = {
    "memory": lambda place, head, tenant: MemoryStore(head),
    "postgres": _postgres,
    "sqlite": _sqlite,
}


@pytest.fixture(params=sorted(STORES))
def make(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Callable[..., Store]]:
    """Return a function that makes a store for a tenant; all are closed after the test.

    Tenants of one test share a place where the store can share one.
    """
    made: list[Store] = []

    def one(head: TenantHead = FIRST_HEAD, tenant: str = "local") -> Store:
        made.append(STORES[request.param](tmp_path, head, tenant))
        return made[-1]

    yield one
    for store in made:
        store.close()


@pytest.fixture
def reopened(store: Store, tmp_path: Path) -> Iterator[Callable[[], Store]]:
    """Return a function that closes the store and opens it again; one without a file stays open."""
    again: list[Store] = []

    def one() -> Store:
        if isinstance(store, MemoryStore):
            return store
        store.close()
        if (tmp_path / "vault.db").exists():
            again.append(opened.open_existing(tmp_path / "vault.db"))
        else:
            address = postgres.shared_database().application
            again.append(postgres_opened.open_existing(address, tenant=_of_this_test(tmp_path, "local")))
        return again[-1]

    yield one
    for each in again:
        each.close()


@pytest.fixture
def store(make: Callable[..., Store]) -> Store:
    """Return an empty store."""
    return make()


@pytest.fixture
def scribe(store: Store) -> Scribe:
    """Return who writes to the store."""
    return Scribe(store)
