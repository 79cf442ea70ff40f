"""Who can be handed a vault, as what, and what does each then see and do?"""

from pathlib import Path

import pytest

from muniment.domain.principal import ActorRole
from muniment.errors import BadInput, MunimentError, NotFound, Refusal
from muniment.service.vault import Vault
from tests.builders import World, acts, stored, texts

TEXT = "The ferry leaves at dawn"
PLACES = ("acme", "acme/eng", "acme/eng/platform", "acme/law", "home")


@pytest.fixture
def filled(vault: Vault) -> Vault:
    """Return a vault with the same words in every place."""
    for place in PLACES:
        stored(vault.remember(f"The ferry leaves from {place}", space=place))
    return vault


def seen(vault: Vault) -> set[str]:
    return {hit.space for hit in vault.recall("ferry", k=50).hits}


def test_the_owner_sees_every_place(filled: Vault) -> None:
    assert seen(filled) == set(PLACES)


@pytest.mark.parametrize(
    ("space", "reads", "places"),
    [
        ("acme/eng", (), {"acme", "acme/eng"}),
        ("acme/eng/platform", (), {"acme", "acme/eng", "acme/eng/platform"}),
        ("acme/law", (), {"acme", "acme/law"}),
        ("home", (), {"home"}),
        ("home", ("acme/eng",), {"home", "acme/eng", "acme/eng/platform"}),
        ("home", ("acme",), set(PLACES)),
        ("elsewhere", (), set()),
        ("acme/en", (), {"acme"}),
    ],
)
def test_another_reads_home_what_lies_above_and_what_was_granted(
    filled: Vault, space: str, reads: tuple[str, ...], places: set[str]
) -> None:
    """A place whose name merely begins alike is another place (I7)."""
    narrow = filled.acting_as(actor="coder", space=space, reads=reads)
    assert seen(narrow) == places
    assert {row.path for row in narrow.spaces()} == places


def test_another_writes_home_and_what_was_granted_and_nowhere_else(filled: Vault) -> None:
    narrow = filled.acting_as(actor="coder", space="acme/eng", reads=["acme"], writes=["acme/law"])
    assert not narrow.remember("One").refused
    assert not narrow.remember("Two", space="acme/law").refused
    for place in ("acme", "acme/eng/platform", "home"):
        assert narrow.remember("Three", space=place).reason == "not-granted"


@pytest.mark.parametrize("role", ["agent", "member", "auditor", "admin"])
def test_each_role_is_what_it_is_called(vault: Vault, role: str) -> None:
    held = vault.acting_as(actor="eve", role=role)
    assert held.principal.role is ActorRole(role)
    assert held.principal.actor == "eve"


def test_an_auditor_reads_and_changes_nothing(filled: Vault) -> None:
    auditor = filled.acting_as(actor="eve", role="auditor", space="home", reads=["acme"])
    assert seen(auditor) == set(PLACES)
    before = filled.status().counts["version"]
    assert auditor.remember("One").refused
    (memory, *_) = filled.memories()
    assert auditor.retire(memory.memory, reason="x").refused
    with pytest.raises(Refusal):
        auditor.ingest("A map", source="an atlas")
    assert filled.status().counts["version"] == before


def test_an_agent_hands_a_vault_to_nobody(vault: Vault) -> None:
    for role in ("agent", "member", "auditor"):
        with pytest.raises(BadInput):
            vault.acting_as(actor="eve", role=role).acting_as(actor="mallory", role="owner")
    assert vault.acting_as(actor="eve", role="admin").acting_as(actor="coder").principal.actor == "coder"


def test_an_admin_makes_no_owner(vault: Vault) -> None:
    with pytest.raises(BadInput, match="owner"):
        vault.acting_as(actor="eve", role="admin").acting_as(actor="mallory", role="owner")
    assert vault.acting_as(actor="second", role="owner").principal.role is ActorRole.OWNER


def test_a_surface_that_a_model_drives_never_acts_as_a_person(vault: Vault) -> None:
    """Whoever started it, and whatever the key (I15)."""
    for held in (
        vault,
        vault.acting_as(actor="ada", role="member"),
        vault.acting_as(actor="eve", role="admin"),
    ):
        agent = held.as_agent(actor="claude", home="home")
        assert agent.principal.role is ActorRole.AGENT
        assert not agent.principal.is_person


def test_an_auditor_stays_one_in_an_agents_hands(vault: Vault) -> None:
    auditor = vault.acting_as(actor="eve", role="auditor")
    assert auditor.as_agent(actor="claude").principal.role is ActorRole.AUDITOR


def test_an_agent_in_the_owners_place_does_not_see_everything(filled: Vault) -> None:
    agent = filled.as_agent(actor="claude", home="acme/eng")
    assert seen(agent) == {"acme", "acme/eng"}
    assert agent.principal.actor == "claude"


def test_what_another_does_is_on_record_under_its_name(vault: Vault) -> None:
    held = stored(vault.acting_as(actor="coder", space="acme/eng").remember(TEXT))
    assert vault.read(held.id).author == "coder"
    assert vault.read(held.id).space == "acme/eng"


def test_two_hands_of_one_vault_see_each_others_writes_at_once(vault: Vault) -> None:
    one, other = vault.acting_as(actor="one"), vault.acting_as(actor="other")
    held = stored(one.remember(TEXT))
    assert other.read(held.id).text == TEXT
    assert texts(other, "ferry") == [TEXT]


def test_a_document_is_kept_whole_and_found_in_parts(vault: Vault) -> None:
    paragraphs = [f"Paragraph {n} says that pier {n} is closed in winter. " * 12 for n in range(12)]
    report = vault.ingest("\n\n".join(paragraphs), source="handbook")
    assert report.added > 2, "the whole and its chunks"
    hit = vault.recall("is pier 7 closed?", k=1).hits[0]
    assert hit.source == "chunk"
    assert "pier 7" in hit.text
    whole = vault.read(report.evidence[0])
    assert whole.text == "\n\n".join(paragraphs)


def test_a_short_document_is_found_whole(vault: Vault) -> None:
    report = vault.ingest("Pier 7 is closed in winter.", source="notice")
    assert report.added == 1
    assert [hit.source for hit in vault.recall("pier 7").hits][0] == "document"


def test_the_same_document_is_taken_once_a_source(vault: Vault) -> None:
    assert vault.ingest("Pier 7 is closed.", source="notice").added == 1
    again = vault.ingest("Pier 7 is closed.", source="notice")
    assert (again.added, again.skipped) == (0, 1)
    assert vault.ingest("Pier 7 is closed.", source="another notice").added == 1
    assert vault.ingest("Pier 7 is open.", source="notice").added == 1


def test_an_untrusted_document_is_marked(vault: Vault) -> None:
    vault.ingest("Pier 7 is closed in winter.", source="a web page", untrusted=True)
    (hit, *_) = vault.recall("pier 7").hits
    assert hit.label.untrusted
    assert hit.tag == "memory-tainted"


def test_what_was_found_in_another_place_by_id_is_not_found(filled: Vault) -> None:
    hidden = next(memory for memory in filled.memories() if "law" in memory.text).memory
    with pytest.raises(NotFound):
        filled.acting_as(actor="coder", space="acme/eng").read(hidden)


def test_closing_twice_does_nothing_more(world: World) -> None:
    world.vault.remember(TEXT)
    witness = world.vault.ground.outside.witness
    world.vault.close()
    signed = list(witness.notes())
    assert signed
    world.vault.close()
    assert list(witness.notes()) == signed


def test_settling_an_idle_vault_records_nothing(vault: Vault) -> None:
    stored(vault.remember(TEXT))
    before = acts(vault)
    assert vault.settle().done == 0
    assert acts(vault) == before


@pytest.mark.parametrize("path", [5, b"\x00", None])
def test_a_file_to_take_in_has_a_path(vault: Vault, path: object, tmp_path: Path) -> None:
    with pytest.raises(MunimentError):
        vault.take_file(path)
    assert acts(vault) == []
