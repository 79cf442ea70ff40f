"""Which vault do writers beside each other share?  One on a database server, held more than once."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from muniment.service.vault import Vault
from tests.builders import FakeClock, postgres_vault, stored


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def vault(tmp_path: Path, clock: FakeClock) -> Iterator[Vault]:
    made = postgres_vault(tmp_path, clock=clock)
    # What was met once is known from then on: who acts, and where.
    stored(made.remember("the first note"))
    stored(made.remember("the second note"))
    yield made
    made.close()
