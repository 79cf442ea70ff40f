"""Which vault do the tests of damage stand on?  A settled one, of which each has its own copy."""

import shutil
from pathlib import Path

import pytest

import muniment
from tests.builders import stored
from tests.crash.hurting import MEMORIES, TURNS


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a settled vault with rows of every kind, for copies of which each test damages one."""
    path = tmp_path_factory.mktemp("whole") / "vault.db"
    with muniment.open(path) as vault:
        session = vault.session("talk", agent="ada")
        ids = [
            stored(vault.remember(f"the otter number {n} sleeps on rock {n * 7}")).id for n in range(MEMORIES)
        ]
        for n in range(TURNS):
            session.append("user", f"turn {n} about the beaver")
        for n in range(0, MEMORIES, 10):
            stored(vault.revise(ids[n], f"the otter number {n} woke up"))
        vault.link(ids[1], ids[2], type="contradicts")
        stored(vault.reject(ids[5]))
        vault.make_key(actor="bo", role="agent", space="home")
    return path


@pytest.fixture
def path(whole: Path, tmp_path: Path) -> Path:
    """Return a copy of the vault, with its keys, for the test to damage."""
    shutil.copytree(whole.parent, tmp_path / "hurt")
    return tmp_path / "hurt" / "vault.db"
