"""Does whoever holds an empty vault go on in it after another process has restored an export there?"""

from collections.abc import Callable
from pathlib import Path

import pytest

import muniment
from muniment.adapters.carrier import FileCarrier
from muniment.errors import Tampered
from muniment.service.vault import Vault
from tests import postgres
from tests.builders import stored, texts

TEA, WRONG = "Tea is served at four", "The staging password is on the whiteboard"


@pytest.fixture(params=["with a tombstone", "without"])
def export(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """Return the export of a vault; its generation is that of an empty one where nothing was rejected."""
    path = tmp_path / "export.jsonl"
    with muniment.open(tmp_path / "first.db") as vault:
        stored(vault.remember(TEA))
        if request.param == "with a tombstone":
            stored(vault.reject(stored(vault.remember(WRONG)).id, reason="leaked"))
        vault.export(path)
    return path


@pytest.fixture
def address(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    if request.param == "file":
        return str(tmp_path / "vault.db")
    monkeypatch.setenv("MUNIMENT_KEYS", str(tmp_path / "keys"))
    return postgres.migrated_database().application


ACTS: dict[str, Callable[[Vault], object]] = {
    "recall": lambda vault: texts(vault, "tea"),
    "remember": lambda vault: stored(vault.remember("Milk is in the cellar")),
    "verify": lambda vault: vault.verify().ok,
    "checkpoint": lambda vault: vault.checkpoint(),
}


HELD = [*(("file", act) for act in ACTS), ("server", "recall"), ("server", "verify")]


@pytest.mark.parametrize(("address", "act"), HELD, indirect=["address"])
@pytest.mark.parametrize("has_looked", [True, False])
def test_fault_who_held_the_empty_vault_misses_its_keys_after_a_restore(
    address: str, export: Path, act: str, has_looked: bool
) -> None:
    with muniment.open(address) as other, muniment.open(address) as one:
        if has_looked:
            assert texts(other, "tea") == []
        one.restore(export)
        assert ACTS[act](other)
        assert texts(other, "tea") == [TEA]
        if one.recall(WRONG, include=("rejected",)).hits:
            assert other.remember(WRONG).reason == "rejected-value"
        stored(other.remember("The heron nests at the weir"))
        assert texts(one, "heron") == ["The heron nests at the weir"]
        assert one.verify().ok and other.verify().ok


def test_keys_that_the_restore_has_not_put_in_force_yet_are(
    tmp_path: Path, export: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The rows are committed before the keys are moved; whoever looks in between moves them."""
    with muniment.open(tmp_path / "vault.db") as other, muniment.open(tmp_path / "vault.db") as one:
        assert texts(other, "tea") == []
        made = FileCarrier.adoption

        def adoption(*given: object, **more: object) -> Callable[[], object]:
            taken_over = made(*given, **more)  # type: ignore[arg-type]  # passed on as it came

            def late() -> object:
                assert texts(other, "tea") == [TEA]
                return taken_over()

            return late

        monkeypatch.setattr(FileCarrier, "adoption", adoption)
        one.restore(export)
        assert texts(one, "tea") == [TEA]
        assert one.verify().ok and other.verify().ok


def test_another_vault_that_no_restore_put_there_is_not_taken_for_this_one(tmp_path: Path) -> None:
    """The rows of another vault under these keys are refused, and the holder stays at its own."""
    with muniment.open(tmp_path / "vault.db") as vault, muniment.open(tmp_path / "foreign.db") as foreign:
        stored(vault.remember(TEA))
        stored(foreign.remember("Tea is served with the keys"))
        with foreign.ground.store.snapshot() as snapshot, pytest.raises(Tampered):
            vault.ground.checked_head(snapshot)
        assert texts(vault, "tea") == [TEA]
        assert vault.verify().ok
