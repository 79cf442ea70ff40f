"""Do the values that are bound by place stand where each dialect's statement expects them?"""

from collections.abc import Mapping

import pytest

from muniment.domain.changes import Job
from muniment.domain.ledger import Record, Seal
from muniment.store import row_values
from muniment.store.codec import TRUST_NUMBER
from muniment.store.postgres.connection import ORDERS
from muniment.store.queries import parameters
from muniment.store.row_values import Values
from muniment.store.sqlite.connection import QUERIES
from tests.contract.builders import FIRST_HEAD
from tests.store.named import named
from tests.store.test_codec import MOMENT, evidence, version

SEAL = Seal(b"salt", 4, 2)
VERSION, ITEM = version(), evidence()
RECORD = Record(9, MOMENT, b"head", b"rows")
GIVEN: Mapping[str, Values] = {
    "add_version": row_values.version_values(1, VERSION, SEAL, terms=b"t"),
    "add_memory": row_values.memory_values(1, VERSION, b"mac"),
    "move_memory": row_values.moved_memory_values(1, VERSION, b"mac"),
    "add_evidence": row_values.evidence_values(1, ITEM, SEAL, terms=b"t"),
    "add_record": row_values.record_values(1, RECORD),
    "move_head": row_values.head_values(1, FIRST_HEAD),
    "move_head_counting": row_values.counting_head_values(1, FIRST_HEAD, (7, "m", 1, 20)),
    "add_job": row_values.job_values(1, Job(5, "embed", 9, 4)),
}
PLACED = (*GIVEN, "add_vector", "add_statistic")
SHELVED = ("index_live", "index_past")


@pytest.mark.parametrize("name", PLACED)
def test_both_dialects_take_the_values_of_a_statement_in_one_order(name: str) -> None:
    assert parameters(QUERIES[name]) == ORDERS[name]


@pytest.mark.parametrize("name", SHELVED)
def test_a_shelf_that_names_the_tenant_names_it_first(name: str) -> None:
    assert ("tenant", *parameters(QUERIES[name])) == ORDERS[name]


@pytest.mark.parametrize("name", GIVEN)
def test_a_statement_is_given_as_many_values_as_it_has_names(name: str) -> None:
    assert len(GIVEN[name]) == len(parameters(QUERIES[name]))


def test_a_memory_s_head_says_the_same_when_it_is_made_and_when_it_is_moved() -> None:
    made, moved = (named(name, GIVEN[name]) for name in ("add_memory", "move_memory"))
    assert made == moved
    assert made["n"] == VERSION.n
    assert made["trust"] == TRUST_NUMBER[VERSION.trust]
    assert made["mac"] == b"mac"


def test_a_record_and_a_head_stand_by_their_names() -> None:
    record = named("add_record", GIVEN["add_record"])
    assert (record["tenant"], record["position"], record["head"], record["entries"]) == (
        1,
        9,
        b"head",
        b"rows",
    )
    head = named("move_head", GIVEN["move_head"])
    assert head.pop("tenant") == 1
    assert head == {name: getattr(FIRST_HEAD, name) for name in head}


def test_a_head_that_counts_says_the_same_and_what_is_counted() -> None:
    head, counting = (named(name, GIVEN[name]) for name in ("move_head", "move_head_counting"))
    assert counting == head | {"space": 7, "sort": "m", "items": 1, "words": 20}


def test_a_job_stands_by_its_names() -> None:
    expected = {"tenant": 1, "n": 5, "kind": "embed", "target": 9, "due": 4}
    assert named("add_job", GIVEN["add_job"]) == expected | {"attempts": 0, "lease": 0, "error": ""}


def test_a_name_that_stands_twice_has_one_place() -> None:
    assert parameters("SELECT :a, :b::text, :a") == ("a", "b")
