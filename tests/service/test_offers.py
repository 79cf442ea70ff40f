"""Does what a file states join through the gate: once, at rank import, with its links?"""

import json
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from muniment.domain.link import LinkType
from muniment.domain.trust import Rank, Trust
from muniment.service.intake import IntakeReport
from muniment.service.vault import Vault
from tests.builders import START, FakeClock, World, stored, texts

ADA = {
    "type": "entity",
    "name": "Ada",
    "entityType": "person",
    "observations": ["likes tea", "is left-handed"],
}
ACME = {"type": "entity", "name": "Acme", "entityType": "company", "observations": ["makes anvils"]}
WORKS = {"type": "relation", "from": "ada", "to": "ACME", "relationType": "works_at"}


@pytest.fixture
def graph(tmp_path: Path) -> Path:
    return lined(tmp_path / "memory.jsonl", ADA, ACME, WORKS)


def lined(path: Path, *values: object) -> Path:
    path.write_text("".join(f"{json.dumps(value)}\n" for value in values), encoding="utf-8")
    return path


def table(path: Path, *rows: str) -> Path:
    path.write_text("".join(f"{row}\n" for row in rows), encoding="utf-8")
    return path


def counts(report: IntakeReport) -> tuple[int, int, int, int, dict[str, int]]:
    offers = report.offers
    return offers.stored, offers.merged, offers.disputed, offers.links, dict(offers.refused)


def links(vault: Vault, text: str) -> list[tuple[str, str]]:
    """Return the types and targets' texts of the links of the memory with this very text."""
    (source,) = [row.memory for row in vault.memories() if row.text == text]
    known = {row.memory: row.text for row in vault.memories()}
    with vault.ground.store.snapshot() as snapshot:
        found = [one.row for one in snapshot.links_of((source,))]
    return sorted((link.type.value, known[link.target]) for link in found if link.source == source)


def all_texts(vault: Vault) -> list[str]:
    return sorted(row.text for row in vault.memories())


def test_a_graph_comes_whole_and_a_second_time_adds_nothing(vault: Vault, graph: Path) -> None:
    first = vault.take_file(graph)
    assert counts(first) == (6, 0, 0, 5, {})
    assert (first.added, first.skipped, first.bad) == (0, 0, 0)
    held, records = vault.status().counts, vault.status().records
    assert counts(vault.take_file(graph)) == (0, 6, 0, 0, {})
    assert (vault.status().counts, vault.status().records) == (held, records)
    assert vault.verify().ok


def test_what_a_graph_says_is_found_and_names_whom_it_is_about(vault: Vault, graph: Path) -> None:
    vault.take_file(graph)
    hits = vault.recall("who likes tea").hits
    assert hits[0].text == "Ada: likes tea"
    assert (hits[0].rank, hits[0].trust) == (Rank.IMPORT, Trust.BELIEVED)
    assert "Ada: likes tea" in texts(vault, "tea", tags=["person"])
    assert texts(vault, "tea", tags=["company"]) == []


def test_observations_hang_from_their_entity_and_relations_between_both(vault: Vault, graph: Path) -> None:
    vault.take_file(graph)
    assert links(vault, "Ada: likes tea") == [(LinkType.PART_OF.value, "Ada (person)")]
    assert links(vault, "ada works_at ACME") == [
        (LinkType.PART_OF.value, "Ada (person)"),
        (LinkType.REFERS_TO.value, "Acme (company)"),
    ]
    assert links(vault, "Acme (company)") == []


def test_a_relation_to_what_the_file_does_not_describe_keeps_its_words(vault: Vault, tmp_path: Path) -> None:
    report = vault.take_file(lined(tmp_path / "m.jsonl", ADA, {**WORKS, "to": "Initech"}))
    assert counts(report) == (4, 0, 0, 3, {})
    assert links(vault, "ada works_at Initech") == [(LinkType.PART_OF.value, "Ada (person)")]


def test_field_08_case_variants_of_an_entity_are_one_and_keep_the_first_spelling(
    vault: Vault, tmp_path: Path
) -> None:
    again = {**ADA, "name": "ADA", "observations": ["LIKES tea", "sings"]}
    report = vault.take_file(lined(tmp_path / "m.jsonl", ADA, again))
    assert counts(report) == (4, 2, 0, 3, {})
    assert all_texts(vault) == ["ADA: sings", "Ada (person)", "Ada: is left-handed", "Ada: likes tea"]
    assert links(vault, "ADA: sings") == [(LinkType.PART_OF.value, "Ada (person)")]


@pytest.mark.parametrize("files", [1, 2])
def test_another_type_of_an_entity_is_stated_beside_and_makes_no_second_entity(
    vault: Vault, tmp_path: Path, files: int
) -> None:
    painter = {"type": "entity", "name": "Ada", "entityType": "painter", "observations": []}
    if files == 1:
        vault.take_file(lined(tmp_path / "m.jsonl", ADA, painter))
    else:
        vault.take_file(lined(tmp_path / "m.jsonl", ADA))
        vault.take_file(lined(tmp_path / "n.jsonl", painter))
    kinds = [row.text for row in vault.memories() if vault.read(row.memory).kind == "entity"]
    assert kinds == ["Ada (person)"]
    assert links(vault, "Ada is of the type painter") == [(LinkType.PART_OF.value, "Ada (person)")]
    assert "Ada is of the type person" not in all_texts(vault)
    before = vault.status().records
    assert vault.take_file(lined(tmp_path / "n.jsonl", painter)).offers.stored == 0
    assert vault.status().records == before


def test_two_entities_may_have_the_same_observation(vault: Vault, tmp_path: Path) -> None:
    bob = {**ADA, "name": "Bob", "observations": ["likes tea"]}
    vault.take_file(lined(tmp_path / "m.jsonl", ADA, bob))
    assert {"Ada: likes tea", "Bob: likes tea"} <= set(all_texts(vault))


def test_a_graph_that_grew_adds_what_is_new(vault: Vault, tmp_path: Path) -> None:
    vault.take_file(lined(tmp_path / "m.jsonl", ADA))
    grown = {**ADA, "observations": ["likes tea", "is left-handed", "sings"]}
    assert counts(vault.take_file(lined(tmp_path / "m.jsonl", grown))) == (1, 3, 0, 1, {})


def test_links_that_an_interruption_left_out_are_made_the_next_time(vault: Vault, tmp_path: Path) -> None:
    vault.take_file(lined(tmp_path / "m.jsonl", ADA, ACME))
    stored(vault.remember("ada works_at ACME", about="ada", attribute="works_at", value="ACME", many=True))
    report = vault.take_file(lined(tmp_path / "m.jsonl", ADA, ACME, WORKS))
    assert counts(report) == (0, 6, 0, 2, {})
    assert len(links(vault, "ada works_at ACME")) == 2


def test_when_an_entity_was_made_is_kept_as_asserted(vault: Vault, tmp_path: Path, clock: FakeClock) -> None:
    made = {**ADA, "createdAt": "2025-03-01T10:00:00Z"}
    vault.take_file(lined(tmp_path / "m.jsonl", made))
    (hit,) = vault.recall("likes tea", k=1).hits
    read = vault.read(hit.id)
    assert read.asserted_at is not None and read.asserted_at < read.recorded
    assert read.asserted_at.isoformat() == "2025-03-01T10:00:00+00:00"
    assert read.valid.start == read.recorded


@pytest.mark.parametrize("act", ["retract", "retire"])
def test_what_was_taken_back_here_does_not_come_back_with_the_file(
    vault: Vault, graph: Path, clock: FakeClock, act: str
) -> None:
    vault.take_file(graph)
    (hit,) = vault.recall("likes tea", k=1).hits
    clock.advance(days=1)
    stored(getattr(vault, act)(hit.id, reason="no longer"))
    clock.advance(days=1)
    assert counts(vault.take_file(graph)) == (0, 6, 0, 0, {})
    assert "Ada: likes tea" not in texts(vault, "likes tea")
    stored(vault.remember("Ada: likes tea"))
    assert "Ada: likes tea" in texts(vault, "likes tea")


def test_what_a_person_rejected_is_refused_and_counted_by_its_reason(vault: Vault, graph: Path) -> None:
    vault.take_file(graph)
    (hit,) = vault.recall("likes tea", k=1).hits
    stored(vault.reject(hit.id, reason="wrong"))
    report = vault.take_file(graph)
    assert counts(report) == (0, 5, 0, 0, {"rejected-value": 1})
    (refusal,) = report.offers.refusals
    assert refusal.line == 1
    assert refusal.why.startswith("rejected-value: ")
    assert "tea" not in refusal.why


def test_a_rejection_before_the_first_import_holds_and_the_rest_comes(vault: Vault, graph: Path) -> None:
    id = stored(vault.remember("ADA:  likes TEA")).id
    stored(vault.reject(id, reason="wrong"))
    assert counts(vault.take_file(graph))[0::4] == (5, {"rejected-value": 1})
    assert texts(vault, "likes tea") == []


def test_a_character_that_may_not_be_stored_costs_only_its_statement(vault: Vault, tmp_path: Path) -> None:
    odd = {**ADA, "observations": ["likes \u0007 tea", "sings", "has \ud800"]}
    report = vault.take_file(lined(tmp_path / "m.jsonl", odd))
    assert counts(report) == (2, 0, 0, 1, {"characters": 2})
    assert all_texts(vault) == ["Ada (person)", "Ada: sings"]


def test_an_agent_imports_into_its_own_space_only(vault: Vault, graph: Path) -> None:
    agent = vault.acting_as(actor="coder", space="team/a")
    assert agent.take_file(graph).offers.stored == 6
    refused = agent.take_file(graph, space="team/b")
    assert counts(refused) == (0, 0, 0, 0, {"not-granted": 6})
    assert {row.text for row in vault.memories()} >= {"Ada: likes tea"}
    assert texts(vault, "likes tea", space="team/b") == []


def test_a_manual_memory_that_says_the_same_keeps_its_rank(vault: Vault, graph: Path) -> None:
    id = stored(vault.remember("Ada: likes tea")).id
    assert counts(vault.take_file(graph)) == (5, 1, 0, 5, {})
    assert vault.read(id).rank == "manual"
    assert links(vault, "Ada: likes tea") == [(LinkType.PART_OF.value, "Ada (person)")]


def test_a_table_comes_whole_and_a_second_time_adds_nothing(vault: Vault, tmp_path: Path) -> None:
    path = table(
        tmp_path / "t.csv",
        "id,text,kind,tags,about,attribute,value,date",
        "1,We chose oak,decision,wood,,,,2025-11-01",
        "2,Ada sits at A3,,desk,Ada,desk,A3,2025-12-01",
        '3,"Two\nlines",,,,,,',
        "broken",
    )
    first = vault.take_file(path)
    assert counts(first) == (3, 0, 0, 0, {})
    assert [(line.line, line.why) for line in first.bad_lines] == [(6, "the row has 1 fields, the header 8")]
    assert vault.recall("oak").hits[0].valid.start.isoformat() == "2025-11-01T00:00:00+00:00"
    assert texts(vault, "desk", tags=["desk"]) == ["Ada sits at A3"]
    records = vault.status().records
    again = vault.take_file(path)
    assert counts(again) == (0, 3, 0, 0, {})
    assert again.bad == 1
    assert vault.status().records == records


def test_dated_rows_of_a_slot_become_its_history(vault: Vault, tmp_path: Path) -> None:
    path = table(
        tmp_path / "t.csv",
        "text,about,attribute,value,date",
        "Ada sits at A3,Ada,desk,A3,2025-01-01",
        "Ada sits at B1,Ada,desk,B1,2025-06-01",
    )
    assert counts(vault.take_file(path)) == (2, 0, 0, 0, {})
    assert texts(vault, "where does Ada sit") == ["Ada sits at B1"]
    assert texts(vault, "where does Ada sit", as_of="2025-03-01") == ["Ada sits at A3"]
    assert counts(vault.take_file(path)) == (0, 2, 0, 0, {})
    assert texts(vault, "where does Ada sit") == ["Ada sits at B1"]


def test_a_value_may_come_back_within_a_file_and_not_with_the_file(
    vault: Vault, tmp_path: Path, clock: FakeClock
) -> None:
    rows = [f"Ada sits at {desk},Ada,desk,{desk}" for desk in ("A3", "B1", "A3")]
    path = table(tmp_path / "t.csv", "text,about,attribute,value", *rows)
    assert vault.take_file(path).offers.stored == 3
    assert texts(vault, "where does Ada sit") == ["Ada sits at A3"]
    clock.advance(days=1)
    assert vault.take_file(path).offers.stored == 0
    assert texts(vault, "where does Ada sit") == ["Ada sits at A3"]


def test_the_same_words_for_two_stretches_are_two_statements(vault: Vault, tmp_path: Path) -> None:
    path = table(
        tmp_path / "t.csv",
        "text,valid_from,valid_until",
        "Ada lives in Graz,2020-01-01,2021-01-01",
        "Ada lives in Graz,2023-01-01,2024-01-01",
    )
    assert counts(vault.take_file(path)) == (2, 0, 0, 0, {})
    assert counts(vault.take_file(path)) == (0, 2, 0, 0, {})


def test_a_person_is_not_overruled_by_a_table(vault: Vault, tmp_path: Path, clock: FakeClock) -> None:
    stored(vault.remember("Ada sits at C9", about="Ada", attribute="desk", value="C9"))
    clock.advance(days=1)
    path = table(tmp_path / "t.csv", "text,about,attribute,value", "Ada sits at A3,Ada,desk,A3")
    assert counts(vault.take_file(path)) == (0, 0, 1, 0, {})
    assert texts(vault, "where does Ada sit") == ["Ada sits at C9"]
    assert counts(vault.take_file(path)) == (0, 1, 0, 0, {})


def test_an_untrusted_row_is_a_candidate_and_a_trusted_one_is_believed(vault: Vault, tmp_path: Path) -> None:
    path = table(tmp_path / "t.csv", "text,untrusted", "Owls hoot,true", "Herons nest,false")
    vault.take_file(path)
    trust = {row.text: vault.read(row.memory).trust for row in vault.memories()}
    assert trust == {"Owls hoot": Trust.CANDIDATE, "Herons nest": Trust.BELIEVED}
    (owls,) = [row.memory for row in vault.memories() if row.text == "Owls hoot"]
    stored(vault.retract(owls))
    assert vault.take_file(path).offers.stored == 0
    assert vault.read(owls).trust is Trust.RETIRED


def test_an_interval_that_ends_before_it_begins_is_refused_with_its_line(
    vault: Vault, tmp_path: Path
) -> None:
    path = table(tmp_path / "t.csv", "text,valid_from,valid_until", "a,2025-01-02,2025-01-01", "b,,")
    report = vault.take_file(path)
    assert counts(report) == (1, 0, 0, 0, {"bad-shape": 1})
    assert [refusal.line for refusal in report.offers.refusals] == [2]


def test_notices_of_a_file_reach_the_report(vault: Vault, tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes("text,space\nZoë,far/away\n".encode("cp1252"))
    report = vault.take_file(path)
    assert len(report.notices) == 2
    assert [row.text for row in vault.memories()] == ["Zoë"]
    assert vault.take_file(table(path, "text,place", "Owls,here")).notices == []


def test_progress_counts_what_was_read(vault: Vault, graph: Path) -> None:
    seen: list[int] = []
    vault.take_file(graph, progress=seen.append)
    assert seen == [6]


def test_a_directory_may_hold_both_conversations_and_graphs(vault: Vault, graph: Path) -> None:
    turn = {"session": "s", "role": "user", "text": "The mill is red"}
    lined(graph.parent / "talk.jsonl", turn)
    report = vault.take_file(graph.parent)
    assert (report.added, report.offers.stored) == (1, 6)


def test_what_came_is_there_after_a_restart(world: World, graph: Path) -> None:
    world.vault.take_file(graph)
    again = world.restarted()
    assert counts(again.take_file(graph)) == (0, 6, 0, 0, {})
    assert again.verify().ok


def test_a_real_graph_joins_once(vault: Vault, shared_data: Callable[[str], Path], clock: FakeClock) -> None:
    path = shared_data("transcripts/mcp_memory/oshliaer_memory.jsonl")
    first = vault.take_file(path)
    assert (first.bad, dict(first.offers.refused), first.offers.disputed) == (0, {}, 0)
    assert first.offers.stored == vault.status().counts["memory"] > 60
    clock.set(START + timedelta(days=30))
    again = vault.take_file(path)
    assert (again.offers.stored, again.offers.links) == (0, 0)
    assert again.offers.merged == first.offers.stored + first.offers.merged
    entities = [row.text.lower() for row in vault.memories() if vault.read(row.memory).kind == "entity"]
    assert len(entities) == len(set(entities)) == 7
