"""Do the marks at hand spare the look-ups, and never hide what somebody buried a moment ago?"""

from collections.abc import Iterator
from pathlib import Path

import pytest

import muniment
from muniment import limits
from muniment.service.vault import Vault
from muniment.service.watch import LOOKS_WITHOUT_MARKS
from muniment.store.sqlite.connection import SqliteSession
from tests.builders import stored

VALUE, LATER = "Caroline keeps her savings in Lisbon", "The harbour gate code is on the whiteboard"


def _refused(vault: Vault, text: str) -> bool:
    return vault.acting_as(actor="coder").remember(text).refused


def _warmed(vault: Vault) -> None:
    """Look so often that the marks are at hand."""
    for number in range(LOOKS_WITHOUT_MARKS + 1):
        stored(vault.remember(f"Note {number} is kept"))
    assert vault.ground.marks is not None
    assert vault.ground.marks.pairs


@pytest.fixture
def pair(tmp_path: Path) -> Iterator[tuple[Vault, Vault]]:
    with muniment.open(tmp_path / "vault.db") as one, muniment.open(tmp_path / "vault.db") as other:
        yield one, other


def _asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    names: list[str] = []
    run = SqliteSession.run

    def told(self: SqliteSession, name: str, /, **values: object) -> object:
        names.append(name)
        return run(self, name, **values)  # type: ignore[arg-type]  # handed on as it came

    monkeypatch.setattr(SqliteSession, "run", told)
    return names


def test_an_innocent_write_looks_nothing_up_once_the_marks_are_at_hand(
    pair: tuple[Vault, Vault], monkeypatch: pytest.MonkeyPatch
) -> None:
    vault, _ = pair
    vault.reject(stored(vault.remember(VALUE)).id, reason="wrong")
    names = _asked(monkeypatch)
    stored(vault.remember("Milk is in the cellar"))
    assert {"any_buried", "anchors_for"} <= set(names), "before, every write does"
    _warmed(vault)
    names.clear()
    stored(vault.remember("Bread is at the baker's and tea is at four"))
    assert not {"any_buried", "anchors_for", "digest_marks"} & set(names)


@pytest.mark.parametrize("text", [VALUE, VALUE.upper(), f"As she said: {VALUE}, since May."])
def test_what_is_buried_is_refused_with_the_marks_at_hand(vault: Vault, text: str) -> None:
    vault.reject(stored(vault.remember(VALUE)).id, reason="wrong")
    assert _refused(vault, text)
    _warmed(vault)
    assert _refused(vault, text)
    assert not _refused(vault, "Caroline keeps her cat in Lisbon")


def test_what_another_buries_counts_at_once(pair: tuple[Vault, Vault]) -> None:
    one, other = pair
    one.reject(stored(one.remember(VALUE)).id, reason="wrong")
    _warmed(one)
    other.reject(stored(other.remember(LATER)).id, reason="leaked")
    assert _refused(one, LATER)
    _warmed(one)
    assert _refused(one, LATER)
    assert _refused(one, VALUE)


def test_what_is_lifted_is_welcome_with_the_marks_at_hand(vault: Vault) -> None:
    id = stored(vault.remember(VALUE)).id
    vault.reject(id, reason="wrong")
    _warmed(vault)
    assert not vault.lift(id, reason="it was right").refused
    assert not _refused(vault, VALUE)
    _warmed(vault)
    assert not _refused(vault, f"{VALUE} still")


def test_too_many_tombstones_are_looked_up_each_time(vault: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "tombstone_marks_rows_max", 2)
    for value in (VALUE, LATER):
        vault.reject(stored(vault.remember(value)).id, reason="wrong")
    for number in range(2 * LOOKS_WITHOUT_MARKS):
        stored(vault.remember(f"Note {number} is kept"))
    assert vault.ground.marks is None
    assert _refused(vault, VALUE)
    assert not _refused(vault, "Milk is in the cellar")
