"""Which vault does a behaviour test stand on?  Each store's, one after the other.

The `conftest.py` of a directory takes these fixtures in by name.
"""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from muniment.service.vault import Vault
from tests.builders import VAULTS, CountingIds, FakeClock, World, close_quietly


@pytest.fixture
def clock() -> FakeClock:
    """Return the clock that the vault runs on."""
    return FakeClock()


@pytest.fixture(params=sorted(VAULTS))
def world(request: pytest.FixtureRequest, tmp_path: Path, clock: FakeClock) -> Iterator[World]:
    """Return an empty vault with its clock and ids, on every store in turn."""
    ids = CountingIds()
    vault = VAULTS[request.param](tmp_path, clock=clock, ids=ids)
    held = World(vault, clock, ids, tmp_path, request.param)
    yield held
    close_quietly(held.vault)


@pytest.fixture
def vault(world: World) -> Vault:
    """Return an empty vault in the owner's hands."""
    return world.vault


@pytest.fixture(params=sorted(VAULTS))
def make_vault(
    request: pytest.FixtureRequest, tmp_path: Path, clock: FakeClock
) -> Iterator[Callable[..., Vault]]:
    """Return a function that makes the one vault of a test with an embedder of the test's own."""
    made: list[Vault] = []

    def one(**fields: object) -> Vault:
        made.append(VAULTS[request.param](tmp_path, clock=clock, **fields))
        return made[-1]

    yield one
    for each in made:
        close_quietly(each)
