"""Is an index that lost its rows told from one of rows without the word?  On both databases."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import apsw
import pytest

from muniment import limits
from muniment.domain.changes import Page
from muniment.domain.ledger import RowCode
from muniment.domain.memory import Kind
from muniment.errors import DamagedIndex
from muniment.ports import Snapshot
from muniment.recall.question import Question
from muniment.service import steady
from muniment.service.ask import ask
from muniment.service.ground import Ground
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


def newer(held: Held, count: int) -> None:
    """Write so many rows of either sort, of words that none of the older ones has."""
    for number in range(count):
        stored(held.vault.remember(f"The heron nests in reeds{number}"))
        held.vault.session("s-2").append("user", f"The stork nests on roof{number}")


@pytest.mark.parametrize("asked", ["otter", "zeppelin", "zeppelin heron"])
def test_fault_an_index_emptied_behind_many_newer_rows_is_met_by_no_recall(
    held: Held, monkeypatch: pytest.MonkeyPatch, asked: str
) -> None:
    """The newest rows are known, so older ones are looked at here and there, whatever was asked."""
    monkeypatch.setattr(limits, "index_probe_rows_max", 2)
    held.empty()
    newer(held, 3)
    answer = held.vault.recall(asked)
    assert (answer.outcome, answer.reason) == ("degraded", UNINDEXED)
    assert (asked == "otter") == (TEXT in [hit.text for hit in answer.hits])
    check = next(one for one in held.vault.doctor() if one.name == "index")
    assert not check.well and "reindex" in check.sentence
    held.vault.reindex()
    assert held.vault.recall("otter").outcome == "found"
    assert next(one for one in held.vault.doctor() if one.name == "index").well


def test_fault_a_search_over_an_index_emptied_behind_newer_rows_finds_no_turn_without_a_word(
    held: Held, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "index_probe_rows_max", 2)
    held.empty()
    newer(held, 3)
    with pytest.raises(DamagedIndex, match="lost rows"):
        held.vault.search("beaver")


def test_of_an_index_that_is_whole_older_rows_are_all_known(held: Held) -> None:
    """Superseded, refuted and taken back ones too, and what tools did: none of them is to be found there."""
    newer(held, 20)
    vault = held.vault
    old = stored(vault.remember("The ferry sails on Sundays"))
    stored(vault.revise(old.id, "The ferry sails on Mondays"))
    stored(vault.retire(stored(vault.remember("The quay is closed")).id, reason="over"))
    session = vault.session("s-3")
    session.append("tool_result", "gibberish from a tool")
    session.append("user", "withdrawn words")
    session.rewind(turns=1)
    session.append("user", "first words")
    session.append("user", "further words")
    session.compact(summary="a summary of words")
    vault.ingest("A page of a book. " * 400, source="book")
    vault.settle()
    with vault.ground.store.snapshot() as snapshot:
        assert not steady.has_lost_older(vault.ground, snapshot)
    assert vault.recall("zeppelin").outcome == "nothing"


def test_so_many_older_rows_are_looked_at_and_no_more(held: Held, monkeypatch: pytest.MonkeyPatch) -> None:
    newer(held, 12)
    monkeypatch.setattr(limits, "index_older_rows_max", 8)
    with held.vault.ground.store.snapshot() as snapshot:
        pages: list[Page] = []
        heads, rows = type(snapshot).heads, type(snapshot).sealed_rows

        def counted_heads(self: object, page: Page) -> object:
            pages.append(page)
            return heads(snapshot, page)

        def counted_rows(self: object, code: RowCode, page: Page) -> object:
            pages.append(page)
            return rows(snapshot, code, page)

        monkeypatch.setattr(type(snapshot), "heads", counted_heads)
        monkeypatch.setattr(type(snapshot), "sealed_rows", counted_rows)
        assert not steady.has_lost_older(held.vault.ground, snapshot)
    assert sum(page.limit for page in pages) == 2 * 8
    assert len({page.after for page in pages}) == 4


def test_older_rows_are_looked_at_once_in_a_process_while_some_words_are_known(
    held: Held, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks: list[Ground] = []

    def looked(ground: Ground, snapshot: Snapshot) -> bool:
        looks.append(ground)
        return False

    monkeypatch.setattr(steady, "has_lost_older", looked)
    held.vault.recall("otter")
    assert looks == []
    for _ in range(3):
        held.vault.recall("an otter on a zeppelin")
    assert len(looks) == 1
    held.vault.recall("zeppelin")
    assert len(looks) == 2, "where nothing is known it is doubted for that"


def asked_quietly(vault: Vault, text: str, **fields: object) -> str:
    """Ask without a word in any log, which would be a commit; return the outcome."""
    return ask(vault.ground, Question(text, vault._holder, **fields)).outcome


@pytest.fixture
def looks(monkeypatch: pytest.MonkeyPatch) -> list[Ground]:
    """Return a list that grows with each look at older rows."""
    seen: list[Ground] = []
    look = steady.has_lost_older
    monkeypatch.setattr(
        steady, "has_lost_older", lambda ground, snapshot: (seen.append(ground), look(ground, snapshot))[1]
    )
    return seen


def test_nothing_is_doubted_twice_while_nobody_commits(held: Held, looks: list[Ground]) -> None:
    """A server does not say who committed between, so there it is doubted each time."""
    with held.vault.ground.store.snapshot() as snapshot:
        is_seen = snapshot.moment() is not None
    for _ in range(3):
        assert asked_quietly(held.vault, "zeppelin") == "nothing"
    assert len(looks) == (1 if is_seen else 3)
    assert asked_quietly(held.vault, "dirigible") == "nothing"
    assert len(looks) == (1 if is_seen else 4)
    stored(held.vault.remember("The heron nests in the reeds"))
    before = len(looks)
    assert asked_quietly(held.vault, "zeppelin") == "nothing"
    assert len(looks) == before + 1


def test_what_was_found_whole_is_doubted_of_other_rows(held: Held, looks: list[Ground]) -> None:
    """Of another space, other kinds and another moment the newest rows are others."""
    stored(held.vault.remember("The heron nests in the reeds", space="acme"))
    for fields in ({}, {"space": "acme"}, {"kinds": (Kind.FACT,)}, {"tags": ("birds",)}):
        assert asked_quietly(held.vault, "zeppelin", **fields) == "nothing"
    assert len(looks) == 4


def test_fault_what_is_lost_after_a_doubt_is_met_by_the_next(held: Held) -> None:
    """Whoever empties the index commits it, also from without."""
    for _ in range(2):
        assert asked_quietly(held.vault, "zeppelin") == "nothing"
    held.empty()
    assert asked_quietly(held.vault, "zeppelin") == "degraded"
    assert asked_quietly(held.vault, "zeppelin") == "degraded"
    held.vault.reindex()
    assert asked_quietly(held.vault, "zeppelin") == "nothing"


def test_fault_a_newest_row_is_lost_behind_words_that_others_have(
    held: Held, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its first words are those of many; the longest tells of it, and takes less time to count."""
    monkeypatch.setattr(limits, "index_older_rows_max", 0)
    stored(held.vault.remember("The otter sleeps on the weir by the embankment"))
    held.empty()
    stored(held.vault.remember("The otter sleeps on a weir"))
    held.vault.session("s-2").append("user", TURN)
    assert asked_quietly(held.vault, "zeppelin") == "degraded"


def test_a_word_that_is_known_asks_nothing_more(held: Held, monkeypatch: pytest.MonkeyPatch) -> None:
    for look in ("_knows", "has_lost_older"):
        monkeypatch.setattr(steady, look, lambda *given, **more: pytest.fail("the index was doubted"))
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
