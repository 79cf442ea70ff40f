"""Does a search look where it has to, and no further, and when is it on record?"""

from pathlib import Path

import apsw
import pytest

from muniment.service.vault import Vault
from tests.builders import FakeClock, sqlite_vault
from tests.service.test_searching import names, talk


def on_disk(place: Path) -> list[str]:
    reader = apsw.Connection(str(place / "vault.db"), flags=apsw.SQLITE_OPEN_READONLY)
    try:
        return [str(query) for (query,) in reader.execute("SELECT query FROM recall_log ORDER BY n")]
    finally:
        reader.close()


def test_a_search_of_a_session_is_on_record_before_it_leaves_and_a_bare_one_within_a_second(
    tmp_path: Path, clock: FakeClock
) -> None:
    vault = sqlite_vault(tmp_path, clock=clock)
    talk(vault, "s-1", "a heron")
    vault.search("a heron", durable=True)
    assert on_disk(tmp_path) == ["a heron"]
    vault.session("s-2").search("one heron")
    assert on_disk(tmp_path) == ["a heron", "one heron"]
    assert vault.search("heron").answer.logged
    # Whatever waits is written when the vault is closed, if not before.
    vault.close()
    assert on_disk(tmp_path) == ["a heron", "one heron", "heron"]


@pytest.mark.parametrize("place", range(1, 13))
@pytest.mark.parametrize("window", [0, 1, 3, 20])
def test_a_window_is_the_turns_on_either_side_whatever_was_taken_back(
    vault: Vault, place: int, window: int
) -> None:
    """One page holds it where every turn may be seen; else the look goes on to either side."""
    whole, holed = talk(vault, "whole", *map(str, range(10))), vault.session("holed")
    for number in range(10):
        holed.append("user", f"said {number}")
        if number in (3, 6):
            holed.rewind()
    for session in (whole, holed):
        left = [turn.sequence for turn in session.turns()]
        before = [at for at in left if at < place][-window:] if window else []
        after = [at for at in left if at >= place][: window + 1]
        found = vault.search(session=session.name, around=place, window=window).sessions
        assert [at for one in found for at in one.places] == [*before, *after]


def test_a_first_look_that_is_too_small_is_followed_by_one_at_each_role(vault: Vault) -> None:
    """Tool calls are more than a first look holds, and rank above the one thing that was said."""
    session = vault.session("tools")
    for number in range(120):
        session.append("tool_call", "heron heron heron")
        if number == 60:
            talk(vault, "said", "the heron stands among the reeds of the long dark water by the old mill")
    assert names(vault.search("heron", limit=1)) == ["said"]
    assert names(vault.search("heron", limit=2)) == ["said", "tools"]


def test_a_search_of_a_session_reads_one_state_and_writes_one_transaction(
    vault: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The session that asks is met by the search itself; only before its first turn it is made beside."""
    talk(vault, "s-1", "a heron")
    session, store, opened = vault.session("s-2"), vault.ground.store, list[str]()

    def counting(kind: str) -> None:
        real = getattr(store, kind)
        monkeypatch.setattr(store, kind, lambda *claims: (opened.append(kind), real(*claims))[1])

    counting("snapshot")
    counting("transaction")
    session.search("heron")
    assert opened == ["snapshot", "snapshot", "transaction", "transaction"], "the session is new"
    opened.clear()
    assert session.search("heron").answer.logged
    assert opened == ["snapshot", "transaction"]
    (asks,) = {row.session for row in vault.recalls()}
    assert asks == session._session_number() != 0, "both are on record as the session's"
