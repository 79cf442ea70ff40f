"""Does the harness measure PostgreSQL against the same rows and a read that finds?"""

import re
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from bench import measure, postgres, raw_postgres, report
from muniment.adapters.analyser import Analyser
from muniment.adapters.embedders import StaticEmbedder
from tests import postgres as testing


@pytest.fixture(scope="module")
def maker() -> raw_postgres.PostgresMaker:
    return raw_postgres.PostgresMaker(Analyser(), StaticEmbedder())


@pytest.fixture
def reference() -> Iterator[raw_postgres.RawPostgres]:
    held = raw_postgres.RawPostgres(testing.empty_database().owner)
    yield held
    held.close()


def test_a_quick_look_measures_intake_and_recall_and_keeps_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(report, "RESULTS", tmp_path / "results")
    monkeypatch.setattr(postgres, "SPACES", 6)
    monkeypatch.setattr(postgres, "BATCH_ITEMS", 200)
    with measure.workplace() as where:
        figures = postgres.run(measure.Plan(where, quick=True), sync=100.0)
    assert [(one.bound, one.unit) for one in figures] == [(8.0, "x"), (5.0, "x")]
    assert all(one.value is not None and one.value > 0 for one in figures)
    # A tie of two texts may fall either way; a side that finds nothing would win by it.
    found = re.search(r"ours (\d+), raw (\d+) of 15", figures[1].note)
    assert found and min(int(found[1]), int(found[2])) >= 12
    assert "an intake of 2,000 turns" in capsys.readouterr().out
    assert not report.RESULTS.exists()


def test_the_reference_finds_a_text_in_its_space_and_not_in_another(
    maker: raw_postgres.PostgresMaker, reference: raw_postgres.RawPostgres
) -> None:
    reference.write([maker.item(1, "The heron waits by the weir.")])
    reference.write([maker.item(2, "The heron flew away."), maker.item(2, "It's a \\ day's end.")])
    reference.settle()
    assert reference.read(maker.question(1, "where is the heron?"), k=10) == ["The heron waits by the weir."]
    assert reference.read(maker.question(2, "where is the heron?"), k=1) == ["The heron flew away."]
    assert reference.read(maker.question(3, "where is the heron?"), k=10) == []


def test_the_reference_holds_a_hash_and_a_vector_of_every_text(
    maker: raw_postgres.PostgresMaker, reference: raw_postgres.RawPostgres
) -> None:
    reference.write([maker.item(1, "one heron")])
    run = reference._connection.execute
    assert run("SELECT length(hash) FROM item").fetchall() == [(32,)]
    assert run("SELECT vector_dims(lanes) FROM meaning").fetchall() == [(256,)]
    assert run("SELECT length(terms) FROM words").fetchall() == [(len(Analyser().terms("one heron")),)]


def test_terms_with_marks_of_the_query_language_are_data(maker: raw_postgres.PostgresMaker) -> None:
    assert raw_postgres.quoted("1~a'b\\c") == "'1~a''b\\\\c'"
    address = testing.empty_database().owner
    with psycopg.connect(address) as connection:
        found = connection.execute("SELECT CAST(%s AS tsquery)::text", [raw_postgres.quoted("1~a'b | !c")])
        assert found.fetchall() == [("'1~a''b | !c'",)]


def test_the_same_rows_are_copied_and_not_fewer() -> None:
    source, target = testing.migrated_database(), testing.migrated_database()
    add = "INSERT INTO muniment.live (tenant, n, terms) SELECT 1, n, ARRAY[n] FROM generate_series(1, 5) AS n"
    testing.run(source.superuser, add)
    same = raw_postgres.SameRows(source.superuser, target.superuser)
    same.copy(same.fetched())
    found = testing.run(target.superuser, "SELECT n, terms FROM muniment.live ORDER BY n")
    assert found == [(n, [n]) for n in range(1, 6)]
    assert same.count() == 0
    same.close()


def test_the_server_of_a_measurement_makes_every_commit_durable() -> None:
    with measure.workplace() as where, postgres.serving(where) as server:
        settings = server.settings()
    assert settings["postgres fsync"] == settings["postgres synchronous_commit"] == "on"
    assert settings["postgres full_page_writes"] == "on"
