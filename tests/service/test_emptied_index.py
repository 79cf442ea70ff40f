"""Is an index that lost its rows told from one of rows without the word?  On both databases."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import apsw
import pytest

from muniment import limits
from muniment.errors import DamagedIndex
from muniment.service import steady
from muniment.service.steady import UNINDEXED
from muniment.service.vault import Vault
from tests import postgres
from tests.builders import VAULTS, FakeClock, close_quietly, stored

TEXT, TURN = "The otter sleeps on the weir", "The beaver builds at the mill"


def of_the_file(place: Path) -> None:
    """Take every word out of the index of a file, as a lost page or somebody with SQL does."""
    connection = apsw.Connection(str(place / "vault.db"))
    connection.execute("INSERT INTO live (live) VALUES ('delete-all')")
    connection.close()


def of_the_tenant(place: Path) -> None:
    """Take a tenant's rows out of the index of a server."""
    of_it = f"SELECT tenant FROM muniment.tenant_head WHERE name = 'vault of {place}'"
    gone = postgres.run(
        postgres.shared_database().superuser,
        f"DELETE FROM muniment.live WHERE tenant = ({of_it}) RETURNING n",
    )
    assert gone, "there was something to lose"


EMPTIED: Mapping[str, Callable[[Path], None]] = {"sqlite": of_the_file, "postgres": of_the_tenant}


@dataclass(frozen=True)
class Held:
    vault: Vault
    empty: Callable[[], None]


@pytest.fixture(params=sorted(EMPTIED))
def held(request: pytest.FixtureRequest, tmp_path: Path, clock: FakeClock) -> Iterator[Held]:
    """Return a vault with a memory and a turn, by words alone, and what empties its index."""
    vault = VAULTS[request.param](tmp_path, clock=clock)
    stored(vault.remember(TEXT))
    vault.session("s-1", agent="ada").append("user", TURN)
    yield Held(vault, lambda: EMPTIED[request.param](tmp_path))
    close_quietly(vault)


@pytest.mark.parametrize(("asked", "text"), [("otter", TEXT), ("where does the beaver build", TURN)])
def test_fault_a_recall_over_an_emptied_index_says_that_nothing_covers_this(
    held: Held, asked: str, text: str
) -> None:
    before = held.vault.recall(asked)
    assert ([hit.text for hit in before.hits], before.outcome) == ([text], "found")
    held.empty()
    answer = held.vault.recall(asked)
    assert [hit.text for hit in answer.hits] == [text]
    assert (answer.outcome, answer.reason) == ("degraded", UNINDEXED)
    held.vault.reindex()
    assert held.vault.recall(asked).outcome == "found"


def test_fault_a_search_over_an_emptied_index_finds_no_turn_without_a_word(held: Held) -> None:
    assert held.vault.search("beaver").sessions
    held.empty()
    with pytest.raises(DamagedIndex, match="lost rows") as refused:
        held.vault.search("beaver")
    assert refused.value.code == "damaged-index" and "reindex" in refused.value.advice
    assert held.vault.search("").sessions, "what asks no index goes on"
    held.vault.reindex()
    assert held.vault.search("beaver").sessions


def test_a_word_that_nothing_holds_is_no_damage(held: Held) -> None:
    answer = held.vault.recall("zeppelin")
    assert (answer.hits, answer.outcome) == ((), "nothing")
    assert held.vault.search("zeppelin").sessions == ()


def test_what_was_written_since_hides_no_loss_of_what_was_written_before(held: Held) -> None:
    held.empty()
    stored(held.vault.remember("The heron nests in the reeds"))
    assert held.vault.recall("heron").outcome == "found"
    answer = held.vault.recall("otter")
    assert ([hit.text for hit in answer.hits], answer.outcome) == ([TEXT], "degraded")


def test_so_many_of_the_newest_rows_are_asked_for_and_no_more(
    held: Held, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is older is for `doctor` and `reindex`: a question that finds nothing may not cost a walk."""
    monkeypatch.setattr(limits, "index_probe_rows_max", 2)
    held.empty()
    stored(held.vault.remember("The heron nests in the reeds"))
    assert held.vault.recall("otter", kinds=("fact",)).outcome == "degraded"
    stored(held.vault.remember("The stork nests on the roof"))
    assert held.vault.recall("otter", kinds=("fact",)).outcome == "nothing"


def test_a_word_that_is_known_asks_nothing_more(held: Held, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(steady, "_knows", lambda *given, **more: pytest.fail("the index was doubted"))
    assert held.vault.recall("otter").hits and held.vault.search("beaver").sessions


def test_of_a_past_moment_and_of_what_is_out_of_use_no_loss_is_made_up(held: Held, clock: FakeClock) -> None:
    """Those rows lie on the shelf of the past, of which there are no counts to compare with."""
    moment = clock.advance(hours=1)
    clock.advance(hours=1)
    vault = held.vault
    for row in vault.memories():
        stored(vault.retire(row.memory, reason="winter"))
    assert vault.recall("zeppelin").outcome == "nothing"
    assert vault.recall("zeppelin", as_of=moment, known_at=moment).outcome == "nothing"
    assert vault.recall("zeppelin", include=("retired",)).outcome == "nothing"
    assert vault.recall("otter", include=("retired",)).hits
