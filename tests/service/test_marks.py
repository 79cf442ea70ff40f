"""Do the marks at hand spare the look-ups, and never hide what somebody buried a moment ago?"""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

import muniment
from muniment import limits
from muniment.domain.anchors import anchor_of, hashed_pairs_of
from muniment.domain.tombstone import Anchor
from muniment.service import burying
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


def _as_earlier(key: bytes, tokens: list[str], *, disguised: bytes, plain: bytes) -> Anchor:
    """Make an anchor as the first schema's tombstones have it, its pair hashed as a whole."""
    made = anchor_of(key, tokens, disguised=disguised, plain=plain)
    (pair,) = hashed_pairs_of(key, tokens[made.offset : made.offset + 2])
    return replace(made, pair=pair)


@pytest.mark.parametrize("warm", [False, True])
def test_a_tombstone_whose_pair_was_hashed_keeps_its_value_out(
    vault: Vault, monkeypatch: pytest.MonkeyPatch, *, warm: bool
) -> None:
    with monkeypatch.context() as before:
        before.setattr(burying, "anchor_of", _as_earlier)
        vault.reject(stored(vault.remember(VALUE)).id, reason="wrong")
    vault.reject(stored(vault.remember(LATER)).id, reason="leaked")
    if warm:
        _warmed(vault)
        assert vault.ground.marks is not None
        assert vault.ground.marks.pairs and vault.ground.marks.hashed_pairs
    for value in (VALUE, LATER):
        assert _refused(vault, f"As they said: {value}, since May.")
        assert _refused(vault, f"As they said: {value.upper()}, since May.")
    assert not _refused(vault, "Caroline keeps her cat in Lisbon, since May.")
    assert all(check.well for check in vault.doctor())
    assert vault.verify().ok


@pytest.mark.parametrize("warm", [False, True])
@pytest.mark.parametrize("earlier", [False, True])
def test_what_was_erased_is_marked_in_what_is_told_again(
    vault: Vault, monkeypatch: pytest.MonkeyPatch, *, earlier: bool, warm: bool
) -> None:
    with monkeypatch.context() as before:
        if earlier:
            before.setattr(burying, "anchor_of", _as_earlier)
        stored(vault.remember(VALUE))
        vault.erase(vault.plan_erasure(text=VALUE))
    if warm:
        for number in range(LOOKS_WITHOUT_MARKS + 1):
            vault.session("before").append("user", f"Note {number} is kept")
        assert vault.ground.marks is not None
    session = vault.session("again")
    session.append("user", f"As they said: {VALUE}, since May.")
    session.append("user", "Caroline keeps her cat in Lisbon, since May.")
    told = [turn.text for turn in session.turns()]
    assert VALUE not in told[0] and told[0].startswith("As they said: ") and told[0].endswith(", since May.")
    assert told[1] == "Caroline keeps her cat in Lisbon, since May."
