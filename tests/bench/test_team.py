"""Do the two sides of the bench of writers differ in the ledger alone, and is the raw side the same rows?"""

import pytest

from bench import measure, team
from bench.postgres import Server, serving
from bench.raw_server import RawServer
from bench.texts import Texts

ITEMS = 4


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Server:
    with serving(tmp_path_factory.mktemp("team")) as running:
        running.migrated(team.DATABASE)
        yield running


def counted(server: Server, tenant: str) -> dict[str, int]:
    """Return how many rows each table holds of a tenant, and the size of its log."""
    number = f"(SELECT tenant FROM muniment.tenant_head WHERE name = '{tenant}')"
    found = {}
    for table in ("version", "memory", "live", "vector", "record"):
        ((rows,),) = server.run(
            team.DATABASE, f"SELECT count(*) FROM muniment.{table} WHERE tenant = {number}"
        )
        found[table] = rows
    ((found["size"],),) = server.run(
        team.DATABASE, f"SELECT size FROM muniment.tenant_head WHERE name = '{tenant}'"
    )
    return found


@pytest.mark.parametrize("embedder", [False, True])
def test_the_side_without_a_ledger_writes_all_but_the_record(server: Server, embedder: bool) -> None:
    tenant = f"sides {embedder}"
    team.made(server, tenant, embedder=embedder, items=ITEMS, texts=Texts(1))
    before = counted(server, tenant)
    assert before == {
        "version": ITEMS, "memory": ITEMS, "live": ITEMS, "vector": ITEMS * embedder,
        "record": ITEMS, "size": ITEMS,
    }  # fmt: skip
    vault = team.opened_vault(server, tenant, embedder=embedder, ledger=False)
    # The first write meets space and actor, and comes alone with its record.
    verdicts = [vault.remember(text).verdict for text in Texts(2).texts(ITEMS)]
    vault.close()
    after = counted(server, tenant)
    assert verdicts == ["stored"] * ITEMS
    assert {name: after[name] - before[name] for name in ("version", "memory", "live")} == dict.fromkeys(
        ("version", "memory", "live"), ITEMS
    )
    assert after["vector"] == 2 * ITEMS * embedder
    assert after["record"] - before["record"] == after["size"] - before["size"] == 1


def test_the_raw_side_writes_the_rows_that_the_product_wrote(server: Server) -> None:
    team.made(server, "raw rows", embedder=True, items=ITEMS, texts=Texts(3))
    ((number,),) = server.run(
        team.DATABASE, "SELECT tenant FROM muniment.tenant_head WHERE name = 'raw rows'"
    )
    raw = RawServer(server, team.DATABASE, int(number))
    for rows in raw.rows(vectors=True):
        raw.write(rows)
    raw.close()
    for table in ("version", "memory", "live", "vector", "record"):
        same = (
            f"SELECT count(*) FROM (TABLE raw.{table} INTERSECT SELECT * FROM muniment.{table}) AS both_sides"
        )
        assert server.run(team.DATABASE, same) == [(ITEMS,)], table
    assert server.run(team.DATABASE, "SELECT items FROM raw.statistic") == [(ITEMS,)]


@pytest.mark.parametrize(
    ("value", "verdict"), [(0.5, "ok"), (0.45, "ok"), (0.44, "UNDER"), (None, "not measured")]
)
def test_a_figure_of_what_is_kept_is_held_from_below(value: float | None, verdict: str) -> None:
    assert measure.Figure("kept", value, 0.45, "kept", at_least=True).verdict == verdict


def test_every_writer_has_a_tenant_of_its_own_or_all_share_one() -> None:
    assert len({team.tenant_of("eight", n, ledger=True) for n in range(team.WRITERS)}) == team.WRITERS
    assert len({team.tenant_of("one", n, ledger=True) for n in range(team.WRITERS)}) == 1
    assert team.tenant_of("one", 0, ledger=True) != team.tenant_of("one", 0, ledger=False)
