"""Does a plan show what would go, what stays and what is kept out, and never more than was meant?"""

import pytest

from muniment.domain.erasure import LOSSES, Loss, Plan, TermSort
from muniment.domain.evidence import MARK
from muniment.domain.memory import Kind
from muniment.errors import BadInput, CallersMistake, NotFound
from muniment.service.vault import Vault
from tests.builders import World, stored
from tests.erasure.planting import CODE, TWIN, planted


def going(plan: Plan) -> set[str]:
    return {one.name for one in plan.going}


def test_a_plan_changes_nothing(vault: Vault) -> None:
    things = planted(vault)
    before = vault.status()
    plan = vault.plan_erasure(id=things.memory)
    assert not plan.empty
    assert vault.status() == before


def test_a_plan_counts_what_goes_from_every_store(vault: Vault) -> None:
    things = planted(vault)
    counts = vault.plan_erasure(id=things.memory).counts
    assert counts["version"] == 4 and counts["link"] == 1 and counts["recall_log"] == 1
    assert counts["evidence"] >= 3
    assert counts["index"] == counts["version"] + counts["evidence"]
    assert counts["put back"] == counts["evidence"] + 1


def test_a_plan_says_how_many_rows_hold_each_term(vault: Vault) -> None:
    things = planted(vault)
    terms = {term.text: term for term in vault.plan_erasure(id=things.memory).terms}
    assert terms[CODE].sort is TermSort.IDENTIFIER
    assert terms[CODE].hits >= 7
    assert terms[f"Ria's locker code is {CODE}"].hits == 1
    assert terms[f"My locker code is {CODE}."].sort is TermSort.SENTENCE
    assert TWIN not in terms


def test_a_keyed_value_is_kept_out_for_its_slot(vault: Vault) -> None:
    id = stored(vault.remember("Tea is at four", about="tea", attribute="time", value="four")).id
    values = [term for term in vault.plan_erasure(id=id).terms if term.sort is TermSort.VALUE]
    assert [(one.text, one.about, one.attribute) for one in values] == [("four", "tea", "time")]


def test_the_same_value_of_the_same_slot_goes_in_every_space(vault: Vault) -> None:
    here = stored(vault.remember("Tea is at four", about="tea", attribute="time", value="four")).id
    there = stored(vault.remember("Four it is", about="Tea", attribute="Time", value="Four", space="acme")).id
    other = stored(vault.remember("Dinner is at four", about="dinner", attribute="time", value="four")).id
    assert going(vault.plan_erasure(id=here)) == {here, there}
    assert other not in going(vault.plan_erasure(id=here))


def test_a_term_can_be_left_alone_or_added(vault: Vault) -> None:
    things = planted(vault)
    left = vault.plan_erasure(id=things.memory, leave=[CODE])
    assert CODE not in {term.text for term in left.terms}
    assert things.tagged not in going(left)
    more = vault.plan_erasure(id=things.memory, add=[TWIN])
    assert things.twin in going(more)
    assert TWIN in {term.text for term in more.terms}


def test_a_short_text_of_a_memory_is_not_looked_for_inside_others(vault: Vault) -> None:
    id = stored(vault.remember("tea")).id
    other = stored(vault.remember("The tea is at four")).id
    assert going(vault.plan_erasure(id=id)) == {id}
    assert going(vault.plan_erasure(text="tea")) == {id, other}


@pytest.mark.parametrize(
    ("gone", "spared"),
    [
        ("alice@acme.io", "alice.smith@acme.io"),
        ("555-010-9999", "555-010-99990"),
        ("QZ7-HERON-4417", "QZ7-HERON-44170"),
        ("the red door", "the red doors"),
    ],
)
def test_a_neighbour_is_spared(vault: Vault, gone: str, spared: str) -> None:
    one = stored(vault.remember(f"It is {gone} of course")).id
    two = stored(vault.remember(f"It is {spared} of course")).id
    plan = vault.plan_erasure(text=gone)
    assert going(plan) == {one}
    vault.erase(plan)
    assert vault.read(two).text == f"It is {spared} of course"
    assert [hit.id for hit in vault.recall("of course").hits] == [two]


def test_a_person_is_erased_as_speaker_as_subject_and_as_actor(world: World) -> None:
    vault = world.vault
    session = vault.session("talk", agent="coder")
    turn = session.append("user", "I moved to Graz.", speaker="Ria Moser").evidence[0]
    other = session.append("user", "I stay in Linz.", speaker="Ben").evidence[0]
    about = stored(vault.remember("Lives there", about="ria moser", attribute="home", value="Graz")).id
    stored(vault.acting_as(actor="Ria Moser", space="acme").remember("Written by herself"))
    mine = stored(vault.remember("Somebody moved", evidence=[turn])).id
    plan = vault.plan_erasure(person="Ria Moser")
    assert {turn, about, mine} <= going(plan)
    assert other not in going(plan)
    vault.erase(plan)
    assert vault.read(other).text == "I stay in Linz."
    assert vault.recall("moved Graz written").hits == ()
    with vault.ground.store.snapshot() as snapshot:
        assert not any("Moser" in row.name for row in snapshot.actors())
    assert vault.verify().ok


def test_a_session_goes_whole_and_its_neighbour_stays(world: World) -> None:
    vault = world.vault
    one, two = (vault.session(name, agent="coder") for name in ("one", "two"))
    first = one.append("user", "The harbour opens at dawn.").evidence[0]
    second = two.append("user", "The harbour closes at dusk.").evidence[0]
    one.recall("harbour")
    id = next(row.id for row in vault.sessions() if row.name == "one")
    vault.erase(vault.plan_erasure(id=id))
    assert [row.name for row in vault.sessions()] == ["two"]
    with pytest.raises(NotFound):
        vault.read(first)
    assert vault.read(second).text
    assert vault.verify().ok
    assert vault.session("one", agent="coder").append("user", "A new beginning.").added == 1


def test_a_document_and_its_chunks_lose_the_same_part(world: World) -> None:
    vault = world.vault
    filler = "Plain words follow here. " * 120
    report = vault.ingest(f"{filler}The vault code is {CODE}. {filler}", source="handbook")
    plan = vault.plan_erasure(text=CODE)
    touched = {one.name for one in plan.going}
    assert report.evidence[0] in touched and len(touched) >= 2
    vault.erase(plan)
    texts = [vault.read(id).text for id in report.evidence]
    assert all("HERON" not in text for text in texts)
    assert sum(MARK in text for text in texts) == len(touched)
    assert vault.verify().ok


def test_a_chunk_by_its_id_takes_its_part_of_the_document(world: World) -> None:
    vault = world.vault
    pages = "\n\n".join(f"Chapter {n}. The pump of hall {n} hums all day long." * 12 for n in range(9))
    report = vault.ingest(pages, source="handbook")
    document, chunk = report.evidence[0], report.evidence[2]
    part = vault.read(chunk).text
    vault.erase(vault.plan_erasure(id=chunk))
    assert part not in vault.read(document).text
    with pytest.raises(NotFound):
        vault.read(chunk)
    assert vault.read(report.evidence[1]).text
    assert vault.verify().ok


def test_a_document_takes_all_its_chunks_and_no_other(world: World) -> None:
    vault = world.vault
    pages = "\n\n".join(f"Chapter {n}. The pump of hall {n} hums all day long." * 12 for n in range(9))
    report, other = vault.ingest(pages, source="one"), vault.ingest(f"{pages} End.", source="two")
    plan = vault.plan_erasure(id=report.evidence[0])
    assert going(plan) == set(report.evidence)
    vault.erase(plan)
    assert all(vault.read(id).text for id in other.evidence)


@pytest.mark.parametrize(
    "filters",
    [
        {},
        {"colour": "red"},
        {"kind": ""},
        {"kind": "fact", "colour": "red"},
        {"before": "when it rains"},
    ],
)
def test_a_filter_that_would_widen_is_refused(vault: Vault, filters: dict[str, str]) -> None:
    stored(vault.remember("The quay is dry"))
    with pytest.raises(CallersMistake):
        vault.plan_erasure(filters=filters)


@pytest.mark.parametrize(
    ("filters", "left"),
    [
        ({"tag": "blue"}, {"red", "plain", "turn"}),
        ({"tag": "blue", "space": "acme"}, {"blue", "red", "plain", "turn"}),
        ({"tag": "blue", "space": "home"}, {"red", "plain", "turn"}),
        ({"kind": "fact", "speaker": "Ben"}, {"blue", "red", "plain", "turn"}),
        ({"speaker": "Ben"}, {"blue", "red", "plain"}),
        ({"kind": "preference"}, {"blue", "plain", "turn"}),
        ({"session": "talk"}, {"blue", "red", "plain"}),
        ({"about": "Door", "attribute": "colour"}, {"blue", "red", "turn"}),
        ({"after": "2030-01-01"}, {"blue", "red", "plain", "turn"}),
        ({"before": "2030-01-01", "tag": "blue"}, {"red", "plain", "turn"}),
        ({"trust": "believed", "tag": "red"}, {"blue", "plain", "turn"}),
        ({"role": "assistant"}, {"blue", "red", "plain", "turn"}),
    ],
)
def test_every_condition_of_a_filter_has_to_hold(
    vault: Vault, filters: dict[str, str], left: set[str]
) -> None:
    ids = {
        "blue": stored(vault.remember("The blue one", tags=["blue"])).id,
        "red": stored(vault.remember("The red one", tags=["red"], kind="preference")).id,
        "plain": stored(vault.remember("It is", about="door", attribute="colour", value="grey")).id,
        "turn": vault.session("talk", agent="coder").append("user", "I say so.", speaker="Ben").evidence[0],
    }
    plan = vault.plan_erasure(filters=filters)
    assert {name for name, id in ids.items() if id not in going(plan)} == left
    assert going(plan) <= set(ids.values())


@pytest.mark.parametrize(
    "means",
    [
        {},
        {"id": None},
        {"text": ""},
        {"text": "  "},
        {"id": "m_1", "text": "x"},
        {"text": "x", "filters": {"kind": "fact"}},
        {"colour": "red"},
        {"filter": "x"},
        {"id": "nothing like an id"},
        {"text": 5},
    ],
)
def test_a_plan_takes_exactly_one_way_to_say_it(vault: Vault, means: dict[str, object]) -> None:
    with pytest.raises(BadInput):
        vault.plan_erasure(**means)


@pytest.mark.parametrize("letter", ["m", "e", "s"])
def test_an_id_that_names_nothing_is_not_found(vault: Vault, letter: str) -> None:
    with pytest.raises(NotFound):
        vault.plan_erasure(id=f"{letter}_" + "0" * 26)


def test_an_id_of_another_space_is_not_found_by_an_agent(vault: Vault) -> None:
    id = stored(vault.remember("Elsewhere", space="other")).id
    turn = vault.session("talk", agent="coder", space="other").append("user", "Elsewhere.").evidence[0]
    agent = vault.acting_as(actor="coder", space="acme")
    for each in (id, turn):
        with pytest.raises(NotFound):
            agent.plan_erasure(id=each)
        assert vault.plan_erasure(id=each).going


def test_a_path_of_a_space_and_a_key_come_back_without_it_and_are_said_to(vault: Vault) -> None:
    stored(vault.remember(f"About {CODE}", space=f"acme/{CODE.lower()}"))
    vault.make_key(actor=CODE)
    plan = vault.plan_erasure(text=CODE)
    rows = {one.name.split("/")[0]: one.put_back for one in plan.going if "/" in one.name}
    assert rows == {"space": True, "credential": True} and plan.stays == ()
    vault.erase(plan)
    assert vault.verify().ok


def test_two_plans_of_the_same_state_are_bound_to_the_same_content(vault: Vault) -> None:
    things = planted(vault)
    one, two = (vault.plan_erasure(id=things.memory) for _ in range(2))
    other = vault.plan_erasure(id=things.memory, leave=[CODE])
    assert one.digest == two.digest != other.digest
    assert CODE not in one.digest


def test_more_rows_than_one_erasure_takes_are_refused(vault: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    for n in range(4):
        stored(vault.remember(f"Note {n} of {CODE}"))
    monkeypatch.setattr("muniment.limits.erasure_rows_max", 3)
    with pytest.raises(BadInput):
        vault.plan_erasure(text=CODE)
    monkeypatch.setattr("muniment.limits.erasure_rows_max", 4)
    assert len(vault.plan_erasure(text=CODE).going) == 4


def test_every_kind_says_what_becomes_of_it_when_a_source_goes() -> None:
    assert set(LOSSES) == set(Kind)
    assert set(LOSSES.values()) == set(Loss)


@pytest.mark.parametrize("kind", list(Kind))
def test_a_memory_of_each_kind_with_another_source_stays_or_is_disputed(vault: Vault, kind: Kind) -> None:
    one, two = (vault.ingest(f"Page {n} of the log.", source=f"page-{n}").evidence[0] for n in (1, 2))
    id = stored(vault.remember("Told by both pages", kind=kind.value, evidence=[one, two])).id
    before = vault.read(id).state
    vault.erase(vault.plan_erasure(id=one))
    is_disputed = LOSSES[kind] is Loss.DISPUTED and before == "current"
    assert vault.read(id).state == ("disputed" if is_disputed else before)
    vault.erase(vault.plan_erasure(id=two))
    with pytest.raises(NotFound):
        vault.read(id)
