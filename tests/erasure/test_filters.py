"""What does a filter, a source or a person name?  Row by row, and never one that lacks the field."""

from datetime import UTC, datetime, timedelta

import pytest

from muniment.domain.erasure import FILTER_FIELDS, Asked, Means
from muniment.domain.evidence import Evidence
from muniment.domain.ledger import RowCode
from muniment.domain.memory import Version
from muniment.errors import BadInput, CallersMistake
from muniment.service.erase_plan import asked_for
from muniment.service.erase_survey import Matching, walked
from muniment.service.vault import Vault
from tests.builders import stored

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


def asked(**filters: str) -> Asked:
    """Return what a filter asks for."""
    return asked_for({}, filters=filters, add=(), leave=(), now=NOW)


@pytest.fixture
def memory(vault: Vault) -> Version:
    """Return a memory with every field that a filter knows."""
    session = vault.session("talk", agent="coder")
    stored(session.remember("It is", about="door", attribute="colour", value="grey", tags=["one", "two"]))
    (row,) = vault.memories(states=["believed", "candidate"])
    return row


@pytest.fixture
def turn(vault: Vault) -> Evidence:
    """Return a turn with every field that a filter knows."""
    vault.session("talk", agent="coder").append("user", "I say so.", speaker="Ria", at=NOW)
    with vault.ground.store.snapshot() as snapshot:
        (sealed,) = walked(snapshot, RowCode.EVIDENCE)
    assert isinstance(sealed.row, Evidence)
    return sealed.row


def passes(vault: Vault, row: Version | Evidence, **filters: str) -> bool:
    with vault.ground.store.snapshot() as snapshot:
        matching = Matching(vault.ground, snapshot, asked=asked(**filters))
        return matching.memory(row) if isinstance(row, Version) else matching.evidence(row)


@pytest.mark.parametrize(
    ("name", "right", "wrong"),
    [
        ("kind", "fact", "task"),
        ("tag", "one", "three"),
        ("tag", "TWO", "on"),
        ("about", "Door", "doors"),
        ("attribute", "colour", "size"),
        ("space", "home", "hom"),
        ("session", "talk", "talks"),
        ("after", "2020-01-01", "2090-01-01"),
        ("before", "2090-01-01", "2020-01-01"),
    ],
)
def test_a_memory_passes_what_it_has(
    vault: Vault, memory: Version, name: str, right: str, wrong: str
) -> None:
    assert passes(vault, memory, **{name: right})
    assert not passes(vault, memory, **{name: wrong})
    assert not passes(vault, memory, **{name: right, "speaker": "Ria"})


@pytest.mark.parametrize(
    ("name", "right", "wrong"),
    [
        ("kind", "turn", "document"),
        ("speaker", "ria", "rita"),
        ("role", "user", "assistant"),
        ("space", "home", "ho"),
        ("session", "talk", "tal"),
        ("after", "2020-01-01", "2090-01-01"),
        ("before", "2090-01-01", "2020-01-01"),
    ],
)
def test_a_turn_passes_what_it_has(vault: Vault, turn: Evidence, name: str, right: str, wrong: str) -> None:
    assert passes(vault, turn, **{name: right})
    assert not passes(vault, turn, **{name: wrong})
    assert not passes(vault, turn, **{name: right, "tag": "one"})


@pytest.mark.parametrize("name", ["speaker", "source", "role"])
def test_what_a_memory_lacks_it_does_not_pass(vault: Vault, memory: Version, name: str) -> None:
    assert not passes(vault, memory, **{name: "anything"})


@pytest.mark.parametrize("name", ["tag", "trust", "about", "attribute"])
def test_what_a_turn_lacks_it_does_not_pass(vault: Vault, turn: Evidence, name: str) -> None:
    assert not passes(vault, turn, **{name: "anything"})


def test_all_conditions_together_are_the_narrowest(vault: Vault, memory: Version) -> None:
    every = {"kind": "fact", "tag": "one", "about": "door", "space": "home", "session": "talk"}
    assert passes(vault, memory, **every)
    for name in every:
        assert not passes(vault, memory, **{**every, name: "something else"})


@pytest.mark.parametrize("name", FILTER_FIELDS)
def test_a_condition_without_a_value_is_refused(name: str) -> None:
    for value in ("", " ", "\t"):
        with pytest.raises(CallersMistake):
            asked(**{name: value})


@pytest.mark.parametrize("name", ["", "*", "kinds", "id", "text", "KIND", "space ", "tenant", "class"])
def test_a_field_that_is_not_known_is_refused_and_never_left_out(name: str) -> None:
    with pytest.raises(BadInput):
        asked(**{name: "x"})
    with pytest.raises(BadInput):
        asked(**{name: "x", "kind": "fact"})


@pytest.mark.parametrize("value", ["*", "ho*", "home/*", "hom?", "home/..", "/home", "home//x"])
def test_a_path_that_could_mean_several_spaces_is_refused(value: str) -> None:
    with pytest.raises(BadInput):
        asked(space=value)


@pytest.mark.parametrize("field", ["space", "session"])
def test_fault_a_filter_takes_along_what_is_called_the_same_in_another_case(vault: Vault, field: str) -> None:
    """Acme and acme are two spaces, and Talk and talk two sessions: by one of them both went."""
    said = {}
    for name in ("Acme", "acme"):
        place = {"space": name} if field == "space" else {}
        session = vault.session(name if field == "session" else f"talk in {name}", agent="coder", **place)
        said[name] = session.append("user", f"I speak in {name}.").evidence[0]
    plan = vault.plan_erasure(filters={field: " acme "})
    assert [one.name for one in plan.going] == [said["acme"]]
    assert vault.plan_erasure(filters={field: "ACME"}).empty
    vault.erase(plan)
    assert vault.read(said["Acme"]).text == "I speak in Acme."


def test_a_space_of_a_filter_is_named_as_anywhere(vault: Vault) -> None:
    kept = stored(vault.remember("The pump room is dry", space=r"d:\work\v3"))
    plan = vault.plan_erasure(filters={"space": "D:/work/v3"})
    assert [one.name for one in plan.going] == [kept.id]
    assert vault.plan_erasure(filters={"space": r"d:\work\v3"}).digest == plan.digest
    assert vault.plan_erasure(filters={"space": "D:/work"}).empty


@pytest.mark.parametrize("value", ["%", "hom_", "'; DROP TABLE version; --", "home,acme", "Home"])
def test_a_value_is_no_pattern(vault: Vault, memory: Version, value: str) -> None:
    assert not passes(vault, memory, space=value)
    assert vault.plan_erasure(filters={"space": value}).empty


def test_a_moment_of_a_filter_is_exact(vault: Vault, memory: Version) -> None:
    moment = memory.recorded
    assert passes(vault, memory, after=(moment - timedelta(microseconds=1)).isoformat())
    assert not passes(vault, memory, after=moment.isoformat())
    assert not passes(vault, memory, before=moment.isoformat())
    assert passes(vault, memory, before=(moment + timedelta(microseconds=1)).isoformat())


@pytest.mark.parametrize(
    ("means", "value"),
    [(Means.ID, "m_1"), (Means.TEXT, " tea "), (Means.SOURCE, "page"), (Means.PERSON, "Ria")],
)
def test_one_means_is_taken_as_it_was_given(means: Means, value: str) -> None:
    found = asked_for({means: value}, filters=None, add=("a",), leave=("b",), now=NOW)
    assert (found.means, found.value, found.filters) == (means, value.strip(), ())
    assert (found.add, found.leave) == (("a",), ("b",))


def test_conditions_are_in_one_order_however_they_were_given() -> None:
    assert asked(tag="one", kind="fact") == asked(kind="fact", tag="one")
    assert asked(tag="one").filters == (("tag", "one"),)


@pytest.mark.parametrize("text", ["x" * 100_001, ""])
def test_a_text_that_is_too_long_or_empty_is_refused(text: str) -> None:
    with pytest.raises(BadInput):
        asked_for({Means.TEXT: text}, filters=None, add=(), leave=(), now=NOW)


def test_a_source_names_its_own_items_and_no_memory(vault: Vault, memory: Version) -> None:
    vault.ingest("A page of its own.", source="Page One")
    with vault.ground.store.snapshot() as snapshot:
        matching = Matching(vault.ground, snapshot, asked=Asked(Means.SOURCE, "page one"))
        other = Matching(vault.ground, snapshot, asked=Asked(Means.SOURCE, "page"))
        rows = [sealed.row for sealed in walked(snapshot, RowCode.EVIDENCE)]
        assert [matching.evidence(row) for row in rows if isinstance(row, Evidence)] == [True]
        assert not any(other.evidence(row) for row in rows if isinstance(row, Evidence))
        assert not matching.memory(memory)


@pytest.mark.parametrize("by", [{"source": "notes.md"}, {"filters": {"source": "notes.md"}}])
def test_fault_a_source_goes_with_one_that_is_called_the_same_in_another_case(
    vault: Vault, by: dict[str, str | dict[str, str]]
) -> None:
    """Two files of one directory may be called so; where there is one, its name is taken in any case."""
    (small,) = vault.ingest("The quay is dry.", source="notes.md").evidence
    (large,) = vault.ingest("The weir is wet.", source="Notes.md").evidence
    plan = vault.plan_erasure(**by)
    assert [one.name for one in plan.going] == [small]
    assert [(one.name, "another case" in one.why) for one in plan.stays] == [(large, True)]
    vault.erase(plan)
    assert vault.read(large).text == "The weir is wet."
    assert [one.name for one in vault.plan_erasure(**by).going] == [large]


def test_fault_a_plan_by_a_space_does_not_say_that_changes_and_blocks_of_it_stay(vault: Vault) -> None:
    kept = stored(vault.remember("The quay is dry", space="acme"))
    stored(vault.remember("The weir is wet", space="beta"))
    assert vault.plan_erasure(filters={"space": "acme"}).stays == ()
    vault.set_dial("review", "agent", space="acme")
    assert vault.acting_as(actor="coder", space="acme").remember("The lock is shut").verdict == "staged"
    vault.memory(block="memory", action="add", text="Tea at four", space="acme")
    plan = vault.plan_erasure(filters={"space": "acme"})
    assert [one.name for one in plan.going] == [kept.id]
    ((rows, why),) = [(one.name, one.why) for one in plan.stays]
    assert rows == "2 rows" and "no memory" in why
    for narrower in ({"space": "beta"}, {"space": "acme", "kind": "fact"}, {"kind": "fact"}):
        assert vault.plan_erasure(filters=narrower).stays == ()
