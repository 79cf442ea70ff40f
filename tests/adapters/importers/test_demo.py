"""Does the conversation that ships with the project hold the story that the demo tells?"""

from importlib.resources import as_file, files

import pytest

from muniment.adapters.extractor import candidates
from muniment.adapters.importers import arrivals, detected
from muniment.domain.evidence import Arrival, BadLine, Role


@pytest.fixture
def turns() -> dict[str, Arrival]:
    with as_file(files("muniment") / "data" / "demo.jsonl") as path:
        assert detected(path) == "jsonl"
        items = list(arrivals(path))
    assert not [item for item in items if isinstance(item, BadLine)]
    return {item.origin: item for item in items if isinstance(item, Arrival)}


def test_every_turn_has_its_own_name_and_follows_the_one_before(turns: dict[str, Arrival]) -> None:
    moments = [item.occurred_at for item in turns.values() if item.occurred_at]
    assert len(turns) == len(moments) == 89
    assert moments == sorted(set(moments))
    assert len({item.session for item in turns.values()}) == 9
    assert [item.title for item in turns.values()].count("") == 89 - 9


def test_what_a_tool_brought_in_is_untrusted_and_nothing_else(turns: dict[str, Arrival]) -> None:
    for item in turns.values():
        assert (item.untrusted is True) == (item.role is Role.TOOL_RESULT)
    assert "ignore your previous instructions" in turns["d4-03"].text


@pytest.mark.parametrize(
    ("about", "attribute", "values"),
    [
        ("Zoë Lindqvist", "home", [("d1-03", "Berlin"), ("d5-01", "Lisbon")]),
        ("Zoë Lindqvist", "preference:coffee/tea", [("d1-08", "coffee"), ("d7-09", "tea")]),
        ("Zoë Lindqvist", "allergy:hazelnuts", [("d1-08", "hazelnuts")]),
        ("staging server", "port", [("d2-04", "8090"), ("d3-05", "8091")]),
        ("deploy key", "rotation", [("d2-05", "Fridays"), ("d7-03", "Mondays")]),
        ("alert mail", "choice", [("d2-07", "Postwren"), ("d8-05", "Larkmail")]),
        ("launch", "date", [("d2-10", "4 May"), ("d7-07", "14 September")]),
    ],
)
def test_what_changes_in_the_story_meets_in_one_slot(
    turns: dict[str, Arrival], about: str, attribute: str, values: list[tuple[str, str]]
) -> None:
    found = [
        (origin, claim.value)
        for origin, item in turns.items()
        for claim in candidates(
            item.text, speaker=item.speaker, role=item.role.value, occurred_at=item.occurred_at
        )
        if (claim.about, claim.attribute) == (about, attribute)
    ]
    assert found == values


def test_the_story_never_says_what_the_demo_asks_in_vain(turns: dict[str, Arrival]) -> None:
    """The demo shows that 'nothing covers this' is an answer."""
    told = " ".join(item.text.casefold() for item in turns.values())
    assert "lisbon" in told
    for word in ("passport", "salary", "birthday", "geburtstag"):
        assert word not in told
