"""Does an import bring in what rests on nothing but what was rejected or erased here?"""

from collections.abc import Iterator
from pathlib import Path

import pytest

import muniment
from muniment.service.vault import Vault
from tests.builders import stored

MILL, PAINTER, LAST, OTTER = (
    "The mill by the river is red",
    "So the painter came by",
    "So he was paid for it",
    "Otters swim in the bay",
)


@pytest.fixture
def export(tmp_path: Path) -> Path:
    """Return an export in which a chain of three rests on one statement, which was revised last."""
    with muniment.open(tmp_path / "other.db") as other:
        mill, otter = stored(other.remember("The mill is redd")).id, stored(other.remember(OTTER)).id
        painter = stored(other.remember(PAINTER, evidence=[mill])).id
        stored(other.remember(LAST, evidence=[painter]))
        stored(other.remember("The painter saw otters", evidence=[painter, otter]))
        stored(other.revise(mill, MILL))
        other.export(tmp_path / "other.jsonl")
    return tmp_path / "other.jsonl"


@pytest.fixture
def here(tmp_path: Path) -> Iterator[Vault]:
    with muniment.open(tmp_path / "vault.db") as vault:
        yield vault


def said(vault: Vault) -> set[str]:
    return {row.text for row in vault.memories()}


@pytest.mark.parametrize("how", ["reject", "erase"])
def test_fault_what_rests_on_a_rejected_or_erased_statement_alone_is_imported_as_believed(
    here: Vault, export: Path, how: str
) -> None:
    """The source was refused, and what was derived from it came without it, as if it rested on nothing."""
    id = stored(here.remember(MILL)).id
    stored(here.reject(id)) if how == "reject" else here.erase(here.plan_erasure(id=id))
    report = here.import_(export)
    assert dict(report.refused) == {"rejected-value": 3}
    assert said(here) == {OTTER, "The painter saw otters"}
    again = here.import_(export)
    assert (again.stored, dict(again.refused)) == (0, {"rejected-value": 3}) and here.verify().ok


def test_with_its_source_it_comes_and_names_it(here: Vault, export: Path) -> None:
    """The twin of presence, and after a lift it comes with the next import."""
    id = stored(here.remember(MILL)).id
    stored(here.reject(id))
    here.import_(export)
    stored(here.lift(id))
    report = here.import_(export)
    assert not report.refused and said(here) >= {MILL, PAINTER, LAST, OTTER}
    painter = next(row.memory for row in here.memories() if row.text == PAINTER)
    assert [step.text for step in here.why(painter)] == [PAINTER, MILL]
    assert here.verify().ok


def test_a_circle_comes_as_it_stands(here: Vault, tmp_path: Path) -> None:
    with muniment.open(tmp_path / "round.db") as other:
        one = stored(other.remember("One rests on two")).id
        two = stored(other.remember("Two rests on one", evidence=[one])).id
        stored(other.link(one, two, type="derived_from"))
        stored(other.remember("Three rests on both", evidence=[one, two]))
        other.export(tmp_path / "round.jsonl")
    report = here.import_(tmp_path / "round.jsonl")
    assert (report.stored, report.refused) == (3, ()) and len(said(here)) == 3
