"""Are relations typed, weighted within bounds, and dated? (I2)"""

from collections.abc import Iterator
from pathlib import Path

import pytest

from muniment.domain.link import Link, LinkType
from muniment.errors import BadInput
from muniment.service.vault import Vault
from tests.builders import START, CountingIds, FakeClock, reference_vault, stored
from tests.domain.samples import ROWS, RowCode


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def vault(tmp_path: Path, clock: FakeClock) -> Iterator[Vault]:
    made = reference_vault(tmp_path, clock=clock, ids=CountingIds())
    yield made
    made.close()


@pytest.fixture
def two(vault: Vault) -> tuple[str, str]:
    return stored(vault.remember("The quay is flooded")).id, stored(vault.remember("The ferry is late")).id


def links_of(vault: Vault, memory: str) -> list[Link]:
    with vault.ground.store.snapshot() as snapshot:
        return [one.row for one in snapshot.links_of((memory,))]


@pytest.mark.parametrize("weight", [0.0, 0.5, 1.0, 1, 5e-324])
def test_a_weight_within_its_bounds_is_kept(vault: Vault, two: tuple[str, str], weight: float) -> None:
    stored(vault.link(*two, type="causes", weight=weight))
    assert [link.weight for link in links_of(vault, two[0])] == [weight]


@pytest.mark.parametrize("weight", [-0.001, 1.001, float("nan"), float("inf"), -float("inf"), -1, 2])
def test_a_weight_beyond_its_bounds_is_refused(vault: Vault, two: tuple[str, str], weight: float) -> None:
    assert vault.link(*two, type="causes", weight=weight).reason == "bad-shape"
    assert links_of(vault, two[0]) == []


@pytest.mark.parametrize("weight", [True, "1", None, b"1", 1j])
def test_a_weight_that_is_no_number_is_the_callers_mistake(
    vault: Vault, two: tuple[str, str], weight: object
) -> None:
    with pytest.raises(BadInput, match="weight"):
        vault.link(*two, type="causes", weight=weight)


@pytest.mark.parametrize("type", [one for one in LinkType if one is not LinkType.SUPERSEDES])
def test_every_relation_is_kept_as_it_was_given(vault: Vault, two: tuple[str, str], type: LinkType) -> None:
    stored(vault.link(*two, type=type.value, weight=0.3))
    (link,) = links_of(vault, two[0])
    assert (link.source, link.target, link.type, link.span) == (*two, type, None)
    assert links_of(vault, two[1]) == [link]


def test_nobody_says_by_a_link_that_one_takes_the_others_place(vault: Vault, two: tuple[str, str]) -> None:
    receipt = vault.link(*two, type="supersedes")
    assert (receipt.verdict, receipt.reason) == ("refused", "bad-shape")
    successor = stored(vault.succeed(two[0], "The quay is dry"))
    assert {link.type for link in links_of(vault, successor.id)} == {LinkType.SUPERSEDES}


@pytest.mark.parametrize("type", ["", "Causes", "CAUSES", "likes", "causes "])
def test_a_relation_without_a_meaning_is_refused_with_those_that_have_one(
    vault: Vault, two: tuple[str, str], type: str
) -> None:
    with pytest.raises(BadInput) as caught:
        vault.link(*two, type=type)
    assert all(one.value in caught.value.sentence for one in LinkType)


def test_nothing_is_linked_to_itself(vault: Vault, two: tuple[str, str]) -> None:
    assert vault.link(two[0], two[0], type="causes").reason == "bad-shape"
    assert links_of(vault, two[0]) == []


def test_a_link_is_dated_by_our_clock(vault: Vault, two: tuple[str, str], clock: FakeClock) -> None:
    later = clock.advance(days=3)
    stored(vault.link(*two, type="causes"))
    (link,) = links_of(vault, two[0])
    assert link.recorded == later > START


def test_a_memory_made_from_evidence_points_at_it(vault: Vault) -> None:
    (evidence,) = vault.session("talk").append("user", "The quay is flooded").evidence
    memory = stored(vault.remember("There is a flood", evidence=[evidence])).id
    (link,) = links_of(vault, memory)
    assert (link.source, link.target, link.type) == (memory, evidence, LinkType.DERIVED_FROM)
    assert link.weight == 1.0


def test_a_link_rests_on_no_span_unless_one_is_named() -> None:
    whole = ROWS[RowCode.LINK]
    assert isinstance(whole, Link) and whole.span is not None
    assert Link("l", "a", "b", LinkType.CAUSES, 1.0, START, 1, 1).span is None


def test_a_relation_is_called_by_its_name_in_small_letters() -> None:
    assert [one.value for one in LinkType] == [one.name.lower() for one in LinkType]
