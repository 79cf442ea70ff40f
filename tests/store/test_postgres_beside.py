"""Does what a writer beside others sends in one go say the same as the statements one by one?"""

from itertools import count
from pathlib import Path

import pytest

from muniment.domain.changes import Claims
from muniment.service.vault import Vault
from muniment.store.postgres import beside_session, parallel
from muniment.store.postgres.connection import ORDERS
from muniment.store.queries import named_queries, parameters
from tests import postgres
from tests.builders import CountingIds, FakeClock, FlakyEmbedder, postgres_vault, stored

IN_ONE_GO = {
    name: set(parameters(text))
    for name, text in named_queries(Path(beside_session.__file__).parent / "beside.sql").items()
}
TABLES = ("version", "memory", "live", "past", "vector", "statistic", "record", "link", "tenant_head")
_PLACES = count()


def written(place: Path) -> Vault:
    """Return a vault in which memories were born, restated, succeeded and doubted, with vectors."""
    vault = postgres_vault(
        place / str(next(_PLACES)), clock=FakeClock(), ids=CountingIds(), embedder=FlakyEmbedder()
    )
    for n in range(3):
        stored(vault.remember(f"note {n}", tags=["tide"]))
    stored(vault.remember("note 1"))
    for port in (1, 2, 2, 3):
        stored(vault.remember(f"The port is {port}", about="api", attribute="port", value=str(port)))
    stored(vault.remember("perhaps the quay is wet", kind="hypothesis", valid_from="2025-12-01"))
    stored(vault.remember("the quay is dry", evidence=vault.session("s").append("user", "dry").evidence))
    return vault


def rows(vault: Vault) -> dict[str, list[tuple[object, ...]]]:
    """Return every row of the tenant without the tenant, as the database shows it."""
    tenant = vault.ground.store._tenant
    found = {}
    for table in TABLES:
        asked = f"SELECT to_jsonb(one) - 'tenant' - 'name' - 'stored' FROM muniment.{table} AS one"
        listed = postgres.run(postgres.shared_database().superuser, f"{asked} WHERE tenant = {tenant}")
        found[table] = sorted(listed, key=str)
    return found


def without_hashes(found: dict[str, list[tuple[object, ...]]]) -> dict[str, object]:
    """Return rows as they are comparable: a term's hash is its tenant's own, so terms are counted."""
    shelves = {name: [len(row["terms"]) for (row,) in found[name]] for name in ("live", "past")}
    return {**found, **shelves}


def test_a_memory_sent_in_one_go_leaves_the_same_rows_as_statement_by_statement(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    in_one_go = written(tmp_path)
    monkeypatch.setattr(parallel, "_is_born", lambda new: False)
    one_by_one = written(tmp_path)
    left, right = without_hashes(rows(in_one_go)), without_hashes(rows(one_by_one))
    for table in TABLES:
        assert left[table], f"nothing is compared of {table}"
        assert left[table] == right[table], table
    for vault in (in_one_go, one_by_one):
        assert vault.verify().ok
        vault.close()


@pytest.mark.parametrize(
    ("together", "names"),
    [
        ("lay_memory", ("add_memory",)),
        ("seal_memory", ("add_version", "move_head")),
    ],
)
def test_no_value_of_a_statement_is_left_out_where_several_are_one(
    together: str, names: tuple[str, ...]
) -> None:
    for name in names:
        assert set(ORDERS[name]) <= IN_ONE_GO[together], name
    assert IN_ONE_GO[together] > set().union(*(ORDERS[name] for name in names)), "it takes more than these"


def test_what_is_claimed_is_locked_in_one_order_by_everybody() -> None:
    claims = [Claims(1, bytes([n]) * 12, bytes([n % 3]) * 12) for n in range(30)]
    for one in claims:
        keys = parallel.keys_of(7, one)
        assert keys == sorted(set(keys))
        assert len(keys) == 2
    assert len(parallel.keys_of(7, Claims(1, b"a value"))) == 1


def test_a_lock_stands_for_one_thing_of_one_tenant() -> None:
    things = [(7, 1, "value", b"x"), (8, 1, "value", b"x"), (7, 2, "value", b"x"), (7, 1, "slot", b"x")]
    things += [(7, 1, "value", b"y"), (7, "head"), (8, "head"), (7, "number")]
    keys = [parallel.lock_key(*thing) for thing in things]
    assert len(set(keys)) == len(things)
    assert all(-(2**63) <= key < 2**63 for key in keys)
    assert keys == [parallel.lock_key(*thing) for thing in things], "every process works out the same"
