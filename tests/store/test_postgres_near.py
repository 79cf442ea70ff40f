"""Is a large space looked through by an index of neighbours, and never past what may be seen?"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean

import pytest

import muniment
from bench.texts import Texts
from muniment import limits
from muniment.domain.evidence import Arrival, Role, TurnState
from muniment.domain.intent import Take
from muniment.domain.label import DataClass, Label
from muniment.domain.memory import Kind
from muniment.domain.timeline import to_micros
from muniment.domain.trust import Trust
from muniment.ports import Page, Store
from muniment.recall.eligibility import Eligibility, Sort
from muniment.recall.ranking import Candidate
from muniment.service.conversations import take
from muniment.store.postgres import near, opened
from muniment.store.postgres.connection import PostgresSession
from muniment.store.sql_view import SqlView
from tests import postgres
from tests.builders import stored
from tests.contract.builders import FIRST_HEAD, MODEL, Scribe, asked

SEED = 20_260
CLUSTERS, ROWS = 60, 1_500
SHARE_FOUND_MIN = 0.95
"""Which share of the exactly nearest 32 the index has to propose among clustered rows."""

LARGE = 100
SCANS = """SELECT coalesce(sum(idx_scan), 0) FROM pg_stat_user_indexes WHERE indexrelname = 'vector_near'"""


def lanes(chance: random.Random, around: Sequence[int] = (), *, spread: float = 12.0) -> bytes:
    """Return a vector of the package's width, near to another if one is given."""
    centre = around or [0] * near.LANES
    drawn = (round(at + chance.gauss(0, spread if around else 40.0)) for at in centre)
    return bytes(max(-128, min(127, lane)) & 0xFF for lane in drawn)


def signed(vector: bytes) -> list[int]:
    return list(memoryview(vector).cast("b"))


@dataclass(frozen=True)
class Place:
    """Hold a database of its own with a large tenant and a smaller one, and what questions are near to."""

    database: postgres.Database
    store: Store
    other: Store
    centres: tuple[bytes, ...]


@pytest.fixture(scope="module")
def place() -> Iterator[Place]:
    """Plant clusters of rows in two spaces of two tenants: the same vectors in each of the four."""
    chance = random.Random(SEED)
    database = postgres.migrated_database()
    stores = [opened.create(database.application, FIRST_HEAD, tenant=name) for name in ("local", "other")]
    centres = [lanes(chance) for _ in range(CLUSTERS)]
    vectors = [lanes(chance, signed(centres[number % CLUSTERS])) for number in range(ROWS)]
    for store in stores:
        scribe = Scribe(store)
        for space in (1, 2):
            with scribe.writing() as rows:
                for number in range(ROWS):
                    rows.turn(f"row {number}", vector=vectors[number], space=space)
        with scribe.writing() as rows:
            for number in range(LARGE + 1):
                rows.remember(f"memory {number}", vector=vectors[number], kind=Kind.FACT)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(limits, "exact_vector_rows_max", LARGE)
        opened.migrate_database(database.owner)
    yield Place(database, stores[0], stores[1], tuple(centres))
    for store in stores:
        store.close()


@pytest.fixture
def large(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take a space for large that holds more than a hundred rows."""
    monkeypatch.setattr(limits, "exact_vector_rows_max", LARGE)


@pytest.fixture
def walks(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the names of the questions that went by the index, in order."""
    seen: list[str] = []
    walked = PostgresSession._walked

    def noted(self: PostgresSession, name: str, values: dict[str, object]) -> object:
        seen.append(name)
        return walked(self, name, values)

    monkeypatch.setattr(PostgresSession, "_walked", noted)
    return seen


def of(*spaces: int, rows: int = ROWS, **fields: object) -> Eligibility:
    """Return an eligibility that knows how many rows the spaces hold."""
    return asked(*spaces, live_rows=((Sort.EVIDENCE, rows), (Sort.MEMORY, rows)), **fields)


def nearest(
    store: Store, vector: bytes, eligibility: Eligibility, *, sort: Sort = Sort.EVIDENCE, k: int = 32
) -> list[Candidate]:
    with store.snapshot() as snapshot:
        return snapshot.view(eligibility, model=MODEL).nearest(vector, sort, rows_max=k)


def asking(place: Place, count: int = 40) -> list[bytes]:
    chance = random.Random(SEED + 1)
    return [lanes(chance, signed(chance.choice(place.centres))) for _ in range(count)]


def test_the_index_proposes_nearly_all_that_is_nearest(
    place: Place, walks: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    questions = asking(place)
    exact = [[one.n for one in nearest(place.store, each, of(1))] for each in questions]
    assert walks == []
    monkeypatch.setattr(limits, "exact_vector_rows_max", LARGE)
    found = [[one.n for one in nearest(place.store, each, of(1))] for each in questions]
    assert walks == ["nearest_evidence"] * len(questions)
    shares = [len({*some} & {*best}) / len(best) for some, best in zip(found, exact, strict=True)]
    assert mean(shares) >= SHARE_FOUND_MIN, f"seed {SEED}: {mean(shares):.3f}"
    assert {len(some) for some in found} == {32}


def test_the_server_takes_the_index_for_a_large_space_and_not_for_a_small_one(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    def scans_of(count: int) -> int:
        """Return how many scans some questions cost; a server counts them when a connection ends."""
        before = postgres.run(place.database.superuser, SCANS)[0][0]
        store = opened.open_existing(place.database.application, tenant="local")
        for each in asking(place, count):
            nearest(store, each, of(1, 2))
        store.close()
        for _ in range(25):
            after = postgres.run(place.database.superuser, "SELECT pg_sleep(0.02)", SCANS)[0][0]
            if after != before:
                break
        return int(after - before)

    assert scans_of(5) == 0
    monkeypatch.setattr(limits, "exact_vector_rows_max", LARGE)
    assert scans_of(5) == 5


def test_rows_of_another_tenant_and_space_are_as_near_and_never_proposed(place: Place, large: None) -> None:
    numbers = {1: set(range(1, ROWS + 1)), 2: set(range(ROWS + 1, 2 * ROWS + 1))}
    with place.store.snapshot() as snapshot:
        assert [one.row.space for one in snapshot.evidence_at([1, ROWS + 1])] == [1, 2]
    for each in asking(place, 20):
        for space in (1, 2):
            for store in (place.store, place.other):
                found = nearest(store, each, of(space))
                assert len(found) == 32
                assert {one.space for one in found} == {space}
                assert {one.n for one in found} <= numbers[space]
        assert {one.space for one in nearest(place.store, each, of(1, 2))} == {1, 2}


def test_how_near_a_row_is_comes_from_its_stored_vector(place: Place, large: None, walks: list[str]) -> None:
    for each in asking(place, 5):
        found = nearest(place.store, each, of(1))
        with place.store.snapshot() as snapshot:
            stored = snapshot.cosines([one.n for one in found], each, model=MODEL)
        assert {one.n: one.cosine for one in found} == stored
        assert found == sorted(found, key=lambda one: (-(one.cosine or 0), -one.n))
    assert len(walks) == 5


def test_a_walk_looks_at_no_more_entries_than_bounded() -> None:
    assert near.SETTINGS["entries_max"] == str(limits.neighbour_rows_looked_at_max)
    assert 2 * limits.hits_max <= near.BREADTH


@pytest.mark.parametrize("rows", [LARGE, LARGE + 1])
def test_a_space_is_large_from_one_row_more_than_bounded(
    place: Place, large: None, walks: list[str], rows: int
) -> None:
    nearest(place.store, asking(place, 1)[0], of(1, rows=rows))
    assert bool(walks) == (rows > limits.exact_vector_rows_max)


def test_where_nobody_counted_the_rows_all_are_compared(place: Place, large: None, walks: list[str]) -> None:
    assert len(nearest(place.store, asking(place, 1)[0], asked(1))) == 32
    assert walks == []


def test_a_vector_of_another_width_is_compared_exactly(place: Place, large: None, walks: list[str]) -> None:
    assert not near.is_large({"among": ROWS, "looked_at": 64, "vector": bytes(near.LANES - 1)})
    assert near.is_large({"among": ROWS, "looked_at": 64, "vector": bytes(near.LANES)})
    assert not near.is_large({"among": ROWS, "looked_at": -1, "vector": bytes(near.LANES)})


def test_memories_of_now_and_of_then_are_walked_to_as_well(
    place: Place, large: None, walks: list[str]
) -> None:
    question = asking(place, 1)[0]
    now = nearest(place.store, question, of(1), sort=Sort.MEMORY)
    then = nearest(place.store, question, of(1, then=True), sort=Sort.MEMORY)
    assert walks == ["nearest_memories", "nearest_memories_then"]
    assert len(now) == 32
    assert [one.n for one in now] == [one.n for one in then]


def test_other_statements_of_the_same_reading_are_planned_as_always(place: Place, large: None) -> None:
    with place.store.snapshot() as snapshot:
        view = snapshot.view(of(1), model=MODEL)
        assert isinstance(view, SqlView)
        assert view.nearest(asking(place, 1)[0], Sort.EVIDENCE, rows_max=32)
        session = view._session
        assert isinstance(session, PostgresSession)
        assert session.answer("SHOW enable_sort") == [("on",)]
        assert session.answer("SHOW hnsw.iterative_scan") == [("relaxed_order",)]
    with place.store.snapshot() as snapshot:
        view = snapshot.view(of(1), model=MODEL)
        assert isinstance(view, SqlView)
        view.recent(Sort.EVIDENCE, rows_max=1)
        assert isinstance(view._session, PostgresSession)
        assert view._session.answer("SHOW hnsw.iterative_scan") == [("off",)]


INELIGIBLE = {
    "another space": {"space": 2},
    "a stricter class": {"label": Label(DataClass.SECRET)},
    "taken back": {"state": TurnState.REWOUND},
}


@pytest.fixture(scope="module")
def crowded() -> Iterator[tuple[Store, bytes]]:
    """Return a store in which a thousand rows of each forbidden sort are nearer than the few allowed."""
    chance = random.Random(SEED + 2)
    question = lanes(chance)
    database = postgres.migrated_database()
    store = opened.create(database.application, FIRST_HEAD, tenant="local")
    scribe = Scribe(store)
    for fields in INELIGIBLE.values():
        with scribe.writing() as rows:
            for number in range(1_000):
                rows.turn(f"near {number}", vector=lanes(chance, signed(question), spread=3.0), **fields)
    with scribe.writing() as rows:
        for number in range(1_000):
            vector = lanes(chance, signed(question), spread=3.0)
            rows.remember(f"rejected {number}", vector=vector, trust=Trust.CANDIDATE)
    with scribe.writing() as rows:
        for number in range(40):
            vector = lanes(chance, signed(question), spread=30.0)
            rows.turn(f"allowed {number}", vector=vector)
            rows.remember(f"allowed memory {number}", vector=vector)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(limits, "exact_vector_rows_max", LARGE)
        opened.migrate_database(database.owner)
    yield store, question
    store.close()


def test_a_thousand_nearer_rows_that_may_not_be_seen_hide_none_that_may(
    crowded: tuple[Store, bytes], large: None, walks: list[str]
) -> None:
    store, question = crowded
    found = nearest(store, question, of(1, class_max=DataClass.PRIVATE))
    assert walks == ["nearest_evidence"]
    with store.snapshot() as snapshot:
        texts = {sealed.row.text for sealed in snapshot.evidence_at([one.n for one in found])}
    assert len(found) == 32
    assert all(text.startswith("allowed") for text in texts)


def test_a_thousand_nearer_memories_of_another_trust_hide_none(
    crowded: tuple[Store, bytes], large: None, walks: list[str]
) -> None:
    store, question = crowded
    found = nearest(store, question, of(1, trusts=(Trust.BELIEVED,)), sort=Sort.MEMORY)
    assert walks == ["nearest_memories"]
    with store.snapshot() as snapshot:
        texts = {sealed.row.text for sealed in snapshot.versions_at([one.n for one in found])}
    assert len(found) == 32
    assert all(text.startswith("allowed") for text in texts)


def test_a_walk_that_ends_too_soon_is_followed_by_an_exact_answer(
    crowded: tuple[Store, bytes], large: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, question = crowded
    counted: list[int] = []
    walked = PostgresSession._walked

    def counting(self: PostgresSession, name: str, values: dict[str, object]) -> list[tuple[object, ...]]:
        rows = walked(self, name, values)
        counted.append(len(rows))
        return rows

    monkeypatch.setattr(PostgresSession, "_walked", counting)
    monkeypatch.setattr(near, "SETTINGS", {"breadth": "1", "entries_max": "1"})
    eligible = of(1, class_max=DataClass.PRIVATE)
    found = nearest(store, question, eligible)
    assert len(counted) == 1
    assert counted[0] < len(found) == 32
    monkeypatch.setattr(limits, "exact_vector_rows_max", 10**9)
    assert found == nearest(store, question, eligible)


def test_rows_of_later_are_not_walked_to(crowded: tuple[Store, bytes], large: None) -> None:
    store, question = crowded
    with store.snapshot() as snapshot:
        first = snapshot.records(Page(after=-1, limit=1))[0]
    before = to_micros(first.recorded)
    assert nearest(store, question, of(1, known_at=before, class_max=DataClass.PRIVATE)) == []
    assert len(nearest(store, question, of(1, class_max=DataClass.PRIVATE))) == 32


def is_built(database: postgres.Database) -> bool:
    return bool(postgres.run(database.superuser, near.STATEMENTS["is_built"].decode())[0][0])


def test_a_small_vault_has_no_index_of_neighbours_and_a_large_one_gets_it_by_migrating(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = postgres.migrated_database()
    store = opened.create(database.application, FIRST_HEAD, tenant="local")
    scribe = Scribe(store)
    with scribe.writing() as rows:
        for number in range(LARGE):
            rows.turn(f"row {number}", vector=lanes(random.Random(number)))
    monkeypatch.setattr(limits, "exact_vector_rows_max", LARGE)
    opened.migrate_database(database.owner)
    assert not is_built(database)
    assert [check.well for check in store.examine()] == [True]
    assert len(nearest(store, asking(place, 1)[0], of(1))) == 32
    scribe.turn("one more", vector=lanes(random.Random(SEED)))
    (check,) = store.examine()
    assert not check.well
    assert f"{LARGE + 1} vectors" in check.sentence
    assert "muniment migrate" in check.sentence
    opened.migrate_database(database.owner)
    assert is_built(database)
    assert [check.well for check in store.examine()] == [True]
    # A connection that found none looks again.
    assert nearest(store, lanes(random.Random(SEED)), of(1))[0].n == LARGE + 1
    store.close()


def test_a_build_that_was_interrupted_answers_nothing_and_is_made_anew(
    large: None, walks: list[str], place: Place
) -> None:
    database = postgres.migrated_database()
    store = opened.create(database.application, FIRST_HEAD, tenant="local")
    with Scribe(store).writing() as rows:
        for number in range(LARGE + 1):
            rows.turn(f"row {number}", vector=lanes(random.Random(number)))
    opened.migrate_database(database.owner)
    postgres.run(
        database.superuser,
        "UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'muniment.vector_near'::regclass",
    )
    assert len(nearest(store, asking(place, 1)[0], of(1))) == 32
    assert walks == []
    opened.migrate_database(database.owner)
    assert is_built(database)
    assert len(nearest(store, asking(place, 1)[0], of(1))) == 32
    assert walks == ["nearest_evidence"]
    store.close()


def test_a_recall_of_a_vault_that_has_grown_walks_and_answers_as_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, walks: list[str]
) -> None:
    database = postgres.migrated_database()
    monkeypatch.setenv("MUNIMENT_KEYS", str(tmp_path / "keys"))
    monkeypatch.setattr(limits, "exact_vector_rows_max", LARGE)
    asked_for = "when does the heron come to the weir?"
    with muniment.open(database.application) as vault:
        assert vault.ground.outside.embedder.dimension == near.LANES
        stored(vault.remember("The heron comes to the weir at dawn"))
        turns = tuple(
            Arrival(session="talk", origin=f"{number}", role=Role.USER, speaker="ada", text=text)
            for number, text in enumerate(Texts().texts(3 * LARGE))
        )
        assert take(vault.ground, Take(vault.principal, "home", turns)).added == 3 * LARGE
        before = vault.recall(asked_for, k=3)
        assert walks == []
        opened.migrate_database(database.owner)
        after = vault.recall(asked_for, k=3)
    assert walks == ["nearest_evidence"]
    assert before.hits[0].text == "The heron comes to the weir at dawn"
    assert [(hit.id, hit.strength) for hit in after.hits] == [(hit.id, hit.strength) for hit in before.hits]
