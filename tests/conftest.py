"""What does every test stand on: a home of its own, no network, a seed that is shown.

Nothing here fakes a part of the product.  A test that needs a vault opens one through
the public door.
"""

import os
import random
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

ROOT = Path(__file__).resolve().parent.parent
SHARED_DATA = ROOT.parent / "shared" / "data"
SEED_NAME = "MUNIMENT_TEST_SEED"

# A failing example prints the blob that repeats it.  No deadline: two shared cores are
# slow at odd moments, and a test of time says its own bound.
settings.register_profile(
    "house", deadline=None, print_blob=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("house")


def _refuse_far_connections(event: str, arguments: tuple[object, ...]) -> None:
    if event != "socket.connect":
        return
    address = arguments[1]
    if isinstance(address, tuple) and str(address[0]) not in {"127.0.0.1", "::1", "localhost"}:
        raise RuntimeError(f"a test tried to reach {address[0]}; tests use no network")


def pytest_configure(config: pytest.Config) -> None:
    """Choose the seed once, so that every worker inherits it, and shut the network."""
    os.environ.setdefault(SEED_NAME, str(random.SystemRandom().randrange(2**32)))
    sys.addaudithook(_refuse_far_connections)


def pytest_report_header(config: pytest.Config) -> str:
    return f"seed: {os.environ[SEED_NAME]} (repeat with {SEED_NAME}={os.environ[SEED_NAME]})"


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give the test a home directory of its own and hide the person's settings from it."""
    for name in [name for name in os.environ if name.startswith("MUNIMENT_") and name != SEED_NAME]:
        monkeypatch.delenv(name)
    place = tmp_path / "muniment-home"
    monkeypatch.setenv("MUNIMENT_HOME", str(place))
    return place


@pytest.fixture
def rng(request: pytest.FixtureRequest) -> random.Random:
    """Return a generator whose seed is printed with a failing test."""
    seed = f"{os.environ[SEED_NAME]}:{request.node.nodeid}"
    print(f"random seed of this test: {seed}")
    return random.Random(seed)


@pytest.fixture
def shared_data() -> Callable[[str], Path]:
    """Return a function that finds an outside data set, or skips the test by name."""

    def find(name: str) -> Path:
        place = SHARED_DATA / name
        if not place.exists():
            pytest.skip(f"shared data absent: {name}")
        return place

    return find
