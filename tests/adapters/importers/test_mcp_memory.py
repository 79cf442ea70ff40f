"""Does a knowledge graph of the reference MCP memory server come whole, in every form it is met in?"""

import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from muniment import limits
from muniment.adapters.importers import arrivals, detected, mcp_memory
from muniment.domain.evidence import BadLine
from muniment.domain.link import LinkType
from muniment.domain.memory import Claim, Kind
from muniment.domain.offer import Offer, Tie
from muniment.errors import BadInput, Unreadable

ADA = {
    "type": "entity",
    "name": "Ada",
    "entityType": "person",
    "observations": ["likes tea", "is left-handed"],
}
ACME = {"type": "entity", "name": "Acme", "entityType": "company", "observations": []}
WORKS = {"type": "relation", "from": "Ada", "to": "Acme", "relationType": "works_at"}


def written(path: Path, *values: object) -> Path:
    """Write one JSON value a line; a text is written as it is."""
    path.write_text("".join(f"{_line(value)}\n" for value in values), encoding="utf-8")
    return path


def _line(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def offers(path: Path) -> list[Offer]:
    """Return what a file states, having made sure that nothing was set aside."""
    items = list(mcp_memory.read(path))
    assert [item for item in items if isinstance(item, BadLine)] == []
    return [item for item in items if isinstance(item, Offer)]


def bad(path: Path) -> list[tuple[int, str]]:
    return [(item.line, item.why) for item in mcp_memory.read(path) if isinstance(item, BadLine)]


def said(path: Path) -> list[str]:
    return [offer.claim.text for offer in offers(path)]


def test_an_entity_its_observations_and_a_relation_become_statements_that_name_it(tmp_path: Path) -> None:
    assert said(written(tmp_path / "m.jsonl", ADA, ACME, WORKS)) == [
        "Ada (person)",
        "Ada: likes tea",
        "Ada: is left-handed",
        "Acme (company)",
        "Ada works_at Acme",
    ]


def test_an_entity_is_named_by_its_slot_so_that_a_further_type_is_no_second_one(tmp_path: Path) -> None:
    (entity, *_) = offers(written(tmp_path / "m.jsonl", ADA))
    assert entity.claim == Claim("Ada (person)", "Ada", "entity", "Ada")
    assert (entity.kind, entity.tags, entity.key) == (Kind.ENTITY, ("person",), "ada")
    assert entity.otherwise is not None
    assert entity.otherwise.claim == Claim(
        "Ada is of the type person", "Ada", "entity type", "person", many=True
    )
    assert entity.otherwise.ties == (Tie(LinkType.PART_OF, "ada"),)


def test_an_entity_without_a_type_states_none(tmp_path: Path) -> None:
    (entity, observation) = offers(
        written(tmp_path / "m.jsonl", {"type": "entity", "name": "Ada", "observations": ["sings"]})
    )
    assert (entity.claim.text, entity.tags, entity.otherwise) == ("Ada", (), None)
    assert (observation.claim.text, observation.tags) == ("Ada: sings", ())


def test_an_observation_is_part_of_its_entity_and_tagged_with_its_type(tmp_path: Path) -> None:
    observation = offers(written(tmp_path / "m.jsonl", ADA))[1]
    assert observation == Offer(
        1, Claim("Ada: likes tea"), tags=("person",), ties=(Tie(LinkType.PART_OF, "ada"),)
    )


def test_a_relation_is_a_keyed_statement_between_both_ends(tmp_path: Path) -> None:
    relation = offers(written(tmp_path / "m.jsonl", ADA, ACME, WORKS))[-1]
    assert relation.claim == Claim("Ada works_at Acme", "Ada", "works_at", "Acme", many=True)
    assert relation.ties == (Tie(LinkType.PART_OF, "ada"), Tie(LinkType.REFERS_TO, "acme"))


def test_relations_come_last_wherever_they_stand(tmp_path: Path) -> None:
    path = written(tmp_path / "m.jsonl", WORKS, ADA, ACME)
    assert said(path)[-1] == "Ada works_at Acme"
    assert [offer.line for offer in offers(path)] == [2, 2, 2, 3, 1]


def test_case_variants_of_a_name_have_one_key_and_keep_their_spelling(tmp_path: Path) -> None:
    first, second = offers(
        written(
            tmp_path / "m.jsonl",
            {"type": "entity", "name": "Ada", "observations": []},
            {"type": "entity", "name": "ADA", "observations": []},
        )
    )
    assert first.key == second.key
    assert (first.claim.text, second.claim.text) == ("Ada", "ADA")


@pytest.mark.parametrize(
    "entity",
    [
        {"type": "entity", "name": "Ada", "entity_type": "person", "observations": ["likes tea"]},
        {"name": "Ada", "entityType": "person", "observations": ["likes tea"]},
        {"type": "entity", "data": {"name": "Ada", "entityType": "person", "observations": ["likes tea"]}},
        {"type": "entity", "item": {"name": "Ada", "entityType": "person", "observations": ["likes tea"]}},
        {"entity": {"name": "Ada", "entityType": "person", "observations": ["likes tea"]}},
        {"type": "entity", "name": "Ada", "entityType": "person", "observations": [{"content": "likes tea"}]},
        {"type": "entity", "name": "Ada", "entityType": "person", "observations": [{"text": "likes tea"}]},
    ],
)
def test_an_entity_is_read_in_each_spelling(tmp_path: Path, entity: dict[str, object]) -> None:
    path = written(tmp_path / "m.jsonl", entity)
    assert said(path) == ["Ada (person)", "Ada: likes tea"]
    assert detected(path) == "mcp-memory"


@pytest.mark.parametrize(
    "relation",
    [
        WORKS,
        {"from": "Ada", "to": "Acme", "relationType": "works_at"},
        {"type": "relation", "from": "Ada", "to": "Acme", "relation_type": "works_at"},
        {"type": "relation", "from_entity": "Ada", "to_entity": "Acme", "relationType": "works_at"},
        {"type": "relation", "source": "Ada", "target": "Acme", "relationType": "works_at"},
        {"type": "relation", "data": {"from": "Ada", "to": "Acme", "relationType": "works_at"}},
        {"relation": {"from": "Ada", "to": "Acme", "relationType": "works_at"}},
    ],
)
def test_a_relation_is_read_in_each_spelling(tmp_path: Path, relation: dict[str, object]) -> None:
    path = written(tmp_path / "m.jsonl", relation)
    assert said(path) == ["Ada works_at Acme"]
    assert detected(path) == "mcp-memory"


def test_observations_that_stand_alone_belong_to_the_entity_they_name(tmp_path: Path) -> None:
    path = written(
        tmp_path / "m.jsonl", ADA, {"type": "observation", "entityName": "Ada", "contents": ["sings"]}
    )
    assert said(path)[-2:] == ["Ada", "Ada: sings"]


def test_a_mark_of_the_server_states_nothing_and_is_no_bad_line(tmp_path: Path) -> None:
    path = written(tmp_path / "m.jsonl", {"type": "_aim", "source": "a server"}, ACME)
    assert said(path) == ["Acme (company)"]
    assert detected(path) == "mcp-memory"


def test_when_an_entity_was_made_is_when_all_of_it_was_asserted(tmp_path: Path) -> None:
    made = {**ADA, "createdAt": "2025-03-01T10:00:00.000Z", "version": 1}
    path = written(tmp_path / "m.jsonl", made, {**WORKS, "createdAt": "2025-03-02T10:00:00Z"})
    found = [offer.times.asserted_at for offer in offers(path)]
    assert found == [datetime(2025, 3, 1, 10, tzinfo=UTC)] * 3 + [datetime(2025, 3, 2, 10, tzinfo=UTC)]
    assert all(offer.times.valid_from is None for offer in offers(path))


@pytest.mark.parametrize("indent", [None, 2])
def test_a_graph_that_is_one_object_is_read_whole(tmp_path: Path, indent: int | None) -> None:
    path = tmp_path / "graph.json"
    graph = {"entities": [ADA, ACME], "relations": [{**WORKS, "type": "anything"}]}
    path.write_text(json.dumps(graph, indent=indent), encoding="utf-8-sig")
    assert detected(path) == "mcp-memory"
    assert said(path)[-1] == "Ada works_at Acme"
    assert [offer.line for offer in offers(path)] == [1, 1, 1, 2, 3]


def test_parts_of_one_object_that_cannot_be_read_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "graph.json"
    path.write_text(json.dumps({"entities": [ADA, 7], "relations": ["x", {"from": "Ada"}]}), encoding="utf-8")
    assert bad(path) == [
        (2, "the entity is not an object"),
        (3, "the relation is not an object"),
        (4, "relationType is missing or empty"),
    ]
    assert sum(isinstance(item, Offer) for item in mcp_memory.read(path)) == 3


@pytest.mark.parametrize("text", ['{"entities": [', '{"entities": ' + "[" * 100_000])
def test_an_object_that_is_broken_is_the_callers_mistake(tmp_path: Path, text: str) -> None:
    path = tmp_path / "graph.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BadInput, match="not a JSON document"):
        list(mcp_memory.read(path))


def test_an_object_over_its_bound_is_refused_and_one_within_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "graph.json"
    path.write_text(json.dumps({"entities": [ADA]}), encoding="utf-8")
    monkeypatch.setattr(mcp_memory, "GRAPH_BYTES_MAX", path.stat().st_size)
    assert len(offers(path)) == 3
    monkeypatch.setattr(mcp_memory, "GRAPH_BYTES_MAX", path.stat().st_size - 1)
    with pytest.raises(BadInput, match="more than"):
        list(mcp_memory.read(path))


LONG = "n" * (limits.name_characters_max + 1)


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("not json", "the line is not JSON"),
        ("[1]", "the line is JSON but not an object"),
        ({"type": "codegraph", "name": "X"}, "the line is neither an entity nor a relation"),
        ({"name": "Ada"}, "the line is neither an entity nor a relation"),
        ({"type": 5, "name": "Ada", "observations": []}, "the line is neither an entity nor a relation"),
        ({**ADA, "name": " "}, "name is missing or empty"),
        ({**ADA, "name": 7}, "name is missing or empty"),
        ({**ADA, "name": LONG}, "name is longer than a name may be"),
        ({**ADA, "entityType": LONG}, "entityType is longer than a name may be"),
        ({**ADA, "observations": "likes tea"}, "observations is not a list"),
        ({**ADA, "createdAt": "yesterday"}, "createdAt is not an RFC 3339 time with a zone"),
        ({**WORKS, "to": None}, "to is missing or empty"),
        ({**WORKS, "from": ""}, "from is missing or empty"),
        ({**WORKS, "relationType": LONG}, "relationType is longer than a name may be"),
    ],
)
def test_a_line_that_cannot_be_read_is_set_aside_and_the_rest_goes_on(
    tmp_path: Path, line: object, why: str
) -> None:
    path = written(tmp_path / "m.jsonl", ACME, line, ADA)
    assert bad(path) == [(2, why)]
    assert sum(isinstance(item, Offer) for item in mcp_memory.read(path)) == 4


@pytest.mark.parametrize("observation", ["", "  ", 7, None, {"note": "x"}, ["likes tea"]])
def test_an_observation_that_is_no_text_costs_only_itself(tmp_path: Path, observation: object) -> None:
    path = written(tmp_path / "m.jsonl", {**ADA, "observations": ["likes tea", observation, "sings"]})
    assert bad(path) == [(1, "an observation is empty or not a text")]
    found = [item.claim.text for item in mcp_memory.read(path) if isinstance(item, Offer)]
    assert found == ["Ada (person)", "Ada: likes tea", "Ada: sings"]


def test_names_at_the_bound_are_taken(tmp_path: Path) -> None:
    long = LONG[1:]
    assert said(written(tmp_path / "m.jsonl", {**ACME, "name": long})) == [f"{long} (company)"]


def test_text_is_kept_with_its_line_breaks_marks_and_script(tmp_path: Path) -> None:
    text = 'two\nlines, "quoted", # and: Übergröße \U0001f9ea'
    path = written(tmp_path / "m.jsonl", {**ADA, "observations": [text]})
    assert said(path)[1] == f"Ada: {text}"


def test_byte_order_mark_blank_lines_and_carriage_returns_do_no_harm(tmp_path: Path) -> None:
    path = tmp_path / "m.jsonl"
    path.write_bytes(b"\xef\xbb\xbf" + _line(ACME).encode() + b"\r\n\r\n" + _line(WORKS).encode())
    assert said(path) == ["Acme (company)", "Ada works_at Acme"]


@pytest.mark.parametrize(
    "line", [{"type": "entity"}, {"type": "relation", "from": "a"}, {"type": "relation", "from": 1, "to": 2}]
)
def test_half_an_entity_or_relation_is_no_sign_of_a_graph(tmp_path: Path, line: dict[str, object]) -> None:
    with pytest.raises(BadInput):
        detected(written(tmp_path / "m.jsonl", line))


def test_a_path_that_is_not_there_is_unreadable(tmp_path: Path) -> None:
    with pytest.raises(Unreadable):
        list(mcp_memory.read(tmp_path / "absent.jsonl"))


def test_a_real_graph_comes_whole(shared_data: Callable[[str], Path]) -> None:
    path = shared_data("transcripts/mcp_memory/oshliaer_memory.jsonl")
    lines = [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]
    observations = [
        f"{line['name']}: {text}"
        for line in lines
        if line["type"] == "entity"
        for text in line["observations"]
    ]
    items = list(arrivals(path))
    assert all(isinstance(item, Offer) for item in items)
    found = {item.claim.text for item in items if isinstance(item, Offer)}
    assert len(observations) > 40
    assert set(observations) <= found
    for line in lines:
        if line["type"] == "relation":
            assert f"{line['from']} {line['relationType']} {line['to']}" in found
        else:
            assert f"{line['name']} ({line['entityType']})" in found
