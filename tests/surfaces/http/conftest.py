"""Which fixtures do the tests of the sockets share?"""

from collections.abc import Iterator
from pathlib import Path

import pytest

from muniment.service.vault import Vault
from tests.builders import FakeClock, reference_vault
from tests.surfaces.http.served import At, served, short_directory
from tests.vault_fixtures import clock, make_vault, vault, world

__all__ = ["clock", "make_vault", "vault", "world"]


@pytest.fixture
def at(vault: Vault) -> Iterator[At]:
    """Return a daemon on every store in turn."""
    with served(vault) as found:
        yield found


@pytest.fixture(scope="module")
def plainly(tmp_path_factory: pytest.TempPathFactory) -> Iterator[At]:
    """Return one daemon for all tests of a file that look at requests and not at what is stored."""
    made = reference_vault(tmp_path_factory.mktemp("unused"), clock=FakeClock())
    with served(made) as found:
        yield found


@pytest.fixture
def place() -> Iterator[Path]:
    """Return a directory with a short path."""
    with short_directory() as found:
        yield found
