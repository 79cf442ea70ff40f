"""Can a value that a person rejected come back, in disguise, by another path or with time?"""

import random
from datetime import timedelta
from pathlib import Path

import pytest

from muniment.service.vault import Vault
from tests.attacks.disguises import disguised, exact
from tests.builders import VAULTS, FakeClock, World, file_vault, stored, texts

VALUE = "The gate code is maple leaf"
ASK = "what is the gate code"


def _rejected_text(vault: Vault) -> str:
    id = stored(vault.remember(VALUE)).id
    stored(vault.reject(id, reason="never true"))
    return id


def _rejected_value(vault: Vault) -> str:
    id = stored(vault.remember("The port is 8090", about="api", attribute="port", value="8090")).id
    stored(vault.reject(id, reason="never true"))
    return id


DISGUISES = {
    "exact": VALUE,
    "case": "THE GATE CODE IS Maple Leaf",
    "spaces": "  The   gate code\tis maple  leaf ",
    "newline": "The gate code\nis maple leaf",
    "zero width": "The gate co\u200bde is maple leaf",
    "soft hyphen": "The gate co\u00adde is ma\u00adple leaf",
    "full width": "Ｔｈｅ gate code is ｍａｐｌｅ leaf",
    "look-alike": "The g\u0430te code is maple le\u0430f",
    "greek look-alike": "Τhe gate code is maple leaf",
    "letters in boxes": "The gate code is \U0001f17c\U0001f170\U0001f17f\U0001f17b\U0001f174 leaf",
    "letters of flags": "The gate code is \U0001f1f2\U0001f1e6\U0001f1f5\U0001f1f1\U0001f1ea leaf",
    "math letters": "The gate code is 𝗺𝗮𝗽𝗹𝗲 leaf",
}


@pytest.mark.parametrize("disguise", sorted(DISGUISES))
@pytest.mark.parametrize("who", ["agent", "owner"])
def test_a_rejected_text_is_refused_in_disguise(vault: Vault, disguise: str, who: str) -> None:
    _rejected_text(vault)
    hand = vault if who == "owner" else vault.acting_as(actor="coder")
    receipt = hand.remember(DISGUISES[disguise])
    assert receipt.refused, receipt
    assert receipt.reason in ("rejected-value", "characters")
    assert texts(vault, ASK) == []
    assert stored(hand.remember("The gate is painted green")).verdict == "stored"


@pytest.mark.parametrize("text", ["The gate code, is maple leaf!", '"The gate code is maple leaf."'])
def test_punctuation_does_not_carry_a_rejected_text_back(vault: Vault, text: str) -> None:
    _rejected_text(vault)
    assert vault.remember(text).reason == "rejected-value"


@pytest.mark.parametrize("text", ["Maple, leaf!", "mapleleaf"])
def test_a_short_rejected_text_with_other_punctuation_waits_for_a_person(vault: Vault, text: str) -> None:
    """Fewer than four words are only looked up whole, where punctuation belongs to the plain form."""
    stored(vault.reject(stored(vault.remember("Maple leaf")).id))
    waiting = vault.acting_as(actor="coder").remember(text)
    assert (waiting.verdict, waiting.reason) == ("staged", "look-alike-of-rejected")
    assert [proposal.id for proposal in vault.pending()] == [waiting.id]
    assert texts(vault, "maple leaf mapleleaf") == []
    assert vault.remember(text).verdict == "stored"


VALUES = (
    "The gate code is maple leaf",
    "Her landlord is called Quintus Zimmer",
    "alice prefers the blue key",
)
DISGUISES_OF_A_VALUE, CAUGHT_MIN = 400, 0.8


@pytest.mark.parametrize("value", VALUES)
def test_random_disguises_of_a_rejected_value_are_caught(
    value: str, clock: FakeClock, tmp_path: Path
) -> None:
    """A seeded disguise of a third of the letters; what only changes the writing is always caught."""
    vault = VAULTS["sqlite"](tmp_path, clock=clock)
    stored(vault.reject(stored(vault.remember(value)).id))
    agent, chance = vault.acting_as(actor="coder"), random.Random(20_260)
    passed = []
    for _ in range(DISGUISES_OF_A_VALUE):
        text = disguised(value, chance)
        if agent.remember(text).landed:
            passed.append(text)
    assert len(passed) <= (1 - CAUGHT_MIN) * DISGUISES_OF_A_VALUE, passed[:20]
    for _ in range(DISGUISES_OF_A_VALUE):
        text = exact(value, chance)
        receipt = agent.remember(text)
        assert (receipt.verdict, receipt.reason) == ("refused", "rejected-value"), repr(text)


def test_a_rejected_phrase_of_everybody_matches_whole_only(vault: Vault) -> None:
    """Else one rejected courtesy would refuse many ordinary lines."""
    stored(vault.reject(stored(vault.remember("It means a lot to me")).id))
    assert vault.remember("it means a LOT to me").reason == "rejected-value"
    assert stored(vault.remember("It means a lot to me that you came")).verdict == "stored"


def test_a_paraphrase_is_stored(vault: Vault) -> None:
    _rejected_text(vault)
    assert stored(vault.remember("To open the gate, say maple leaf")).verdict == "stored"


@pytest.mark.parametrize(
    "fields",
    [
        {"about": "api", "attribute": "port", "value": "8090"},
        {"about": "API", "attribute": " Port ", "value": "8090 "},
        {"about": "api", "attribute": "port", "value": "８０９０"},
        {"about": "\u0430pi", "attribute": "port", "value": "8090"},
        {"about": "api", "attribute": "port", "value": "80\u200b90"},
    ],
)
def test_a_rejected_value_is_refused_for_its_slot(vault: Vault, fields: dict[str, str]) -> None:
    _rejected_value(vault)
    receipt = vault.acting_as(actor="coder").remember("It listens on a port I know", **fields)
    assert receipt.refused, receipt
    assert receipt.rests_on.startswith("t_")


def test_a_rejected_value_may_stand_in_another_slot_and_another_space(vault: Vault) -> None:
    _rejected_value(vault)
    other_slot = vault.remember("The proxy port is 8090", about="proxy", attribute="port", value="8090")
    assert other_slot.verdict == "stored"
    other_space = vault.remember(
        "The port is 8090", about="api", attribute="port", value="8090", space="acme"
    )
    assert other_space.verdict == "stored"
    assert texts(vault, "port 8090", space="home") == ["The proxy port is 8090"]


def test_the_text_of_a_rejected_claim_does_not_come_back_as_a_free_statement(vault: Vault) -> None:
    _rejected_value(vault)
    assert vault.remember("The port is 8090").reason == "rejected-value"
    assert vault.remember("the PORT is 8090").refused
    assert vault.remember("The port is 8091").verdict == "stored"


@pytest.mark.parametrize("act", ["revise", "succeed"])
def test_a_rejected_value_does_not_come_back_as_a_change(vault: Vault, act: str) -> None:
    _rejected_value(vault)
    other = stored(vault.remember("The port is 8091", about="api", attribute="port", value="8091")).id
    receipt = getattr(vault, act)(other, "The port is 8090", value="8090")
    assert receipt.reason == "rejected-value"
    assert getattr(vault, act)(other, "It is on a port", value="8090").refused
    assert vault.read(other).value == "8091"
    assert stored(getattr(vault, act)(other, "The port is 8092", value="8092"))


def test_a_rejection_outlives_a_restart_a_reindex_and_the_jobs(world: World) -> None:
    _rejected_text(world.vault)
    stored(world.vault.remember("The gate is painted green"))
    vault = world.restarted()
    assert vault.remember(VALUE).reason == "rejected-value"
    vault.reindex()
    vault.settle()
    world.clock.advance(days=4000)
    assert vault.remember(VALUE.upper()).reason == "rejected-value"
    assert texts(vault, "gate") == ["The gate is painted green"]


def test_a_rejection_outlives_the_expiry_of_what_was_rejected(vault: Vault, clock: FakeClock) -> None:
    id = vault.remember(VALUE, expires_at=clock.now() + timedelta(days=1)).id
    stored(vault.reject(id))
    clock.advance(days=30)
    vault.settle()
    assert vault.remember(VALUE).reason == "rejected-value"


def test_reject_supersede_restate_corroborate_leaves_the_rejection_intact(vault: Vault) -> None:
    _rejected_value(vault)
    agent = vault.acting_as(actor="coder")
    stored(vault.remember("The port is 9000", about="api", attribute="port", value="9000"))
    for _ in range(3):
        assert agent.remember("The port is 8090", about="api", attribute="port", value="8090").refused
    heard = agent.session("s-1", agent="coder").append("user", "The port is 8090, I am sure.")
    refused = agent.remember(
        "The port is 8090", about="api", attribute="port", value="8090", evidence=list(heard.evidence)
    )
    assert refused.reason == "rejected-value"
    memories = [hit for hit in vault.recall("port", k=20).hits if hit.source == "memory"]
    assert [hit.text for hit in memories] == ["The port is 9000"]


def test_a_retired_twin_of_a_rejected_value_cannot_be_revived(vault: Vault) -> None:
    twin = stored(vault.remember(VALUE)).id
    stored(vault.retire(twin))
    again = stored(vault.remember(VALUE)).id
    assert again != twin
    stored(vault.reject(again))
    assert vault.revive(twin).refused
    assert vault.judge(twin, "support").refused
    assert texts(vault, ASK) == []
    assert stored(vault.lift(again)).also == (twin,)
    assert texts(vault, ASK) == [VALUE, VALUE]


def test_an_earlier_twin_of_a_rejected_value_is_not_reopened(vault: Vault, clock: FakeClock) -> None:
    def lives(city: str) -> str:
        clock.advance(days=1)
        receipt = vault.remember(f"She lives in {city}", about="she", attribute="city", value=city)
        return stored(receipt).id

    lives("Berlin")
    second = lives("Lisbon")
    third = lives("Berlin")
    stored(vault.reject(third, reason="she never lived there"))
    assert texts(vault, "where does she live") == ["She lives in Lisbon"]
    stored(vault.retract(second))
    assert texts(vault, "where does she live") == []


def test_every_live_twin_goes_with_the_rejected_value(vault: Vault) -> None:
    first = stored(vault.remember(VALUE, valid_from="2025-01-01", valid_until="2025-02-01")).id
    second = stored(vault.remember(VALUE, valid_from="2025-03-01")).id
    stored(vault.reject(second))
    assert texts(vault, ASK) == []
    assert texts(vault, ASK, as_of="2025-01-15") == []
    stored(vault.lift(first))
    assert texts(vault, ASK) == [VALUE]
    assert texts(vault, ASK, as_of="2025-01-15") == [VALUE]


@pytest.mark.parametrize("part", ["text", "value"])
def test_a_keyed_memory_of_the_rejected_text_goes_with_it(vault: Vault, part: str) -> None:
    """No digest joins the two, so that an earlier keyed memory would have stayed live."""
    said = {"text": VALUE, "value": "maple leaf"} if part == "text" else {"text": "A note", "value": VALUE}
    keyed = stored(vault.remember(said["text"], about="gate", attribute="code", value=said["value"])).id
    other = stored(vault.remember("The gate is green", about="gate", attribute="colour", value="green")).id
    id = stored(vault.remember(VALUE.upper())).id
    assert keyed in stored(vault.reject(id)).also
    assert vault.read(other).trust == "believed"
    assert vault.read(keyed, include_rejected=True).trust == "rejected"
    assert all(VALUE not in text for text in texts(vault, ASK))


HIDING = {
    "a tag": {"tags": [VALUE]},
    "a tag in disguise": {"tags": [f"{VALUE.upper()}!"]},
    "what it is about": {"about": VALUE, "attribute": "note", "value": "1"},
    "an attribute": {"about": "gate", "attribute": "the gate code is m\u0430ple leaf", "value": "1"},
    "another slot's value": {"about": "gate", "attribute": "note", "value": VALUE},
    "a keyed memory's text": {"text": VALUE, "about": "gate", "attribute": "code", "value": "maple"},
    "a longer text": {"text": f"Remember: {VALUE}, they say"},
    "a longer tag": {"tags": [f"note: {VALUE}"]},
}


@pytest.mark.parametrize("where", sorted(HIDING))
def test_a_rejected_text_is_refused_wherever_it_hides(vault: Vault, where: str) -> None:
    fields = {"text": "An ordinary line", **HIDING[where]}
    assert stored(vault.remember(**fields, space="acme"))
    _rejected_text(vault)
    for hand in (vault, vault.acting_as(actor="coder")):
        receipt = hand.remember(**fields)
        assert receipt.reason == "rejected-value", receipt
    innocent = {"tags": ["gate"], "about": "gate", "attribute": "note", "value": "maple leaf"}
    assert stored(vault.remember("An ordinary line", **innocent))


@pytest.mark.parametrize("act", ["revise", "succeed"])
def test_a_rejected_text_does_not_come_back_in_a_longer_change(vault: Vault, act: str) -> None:
    _rejected_text(vault)
    other = stored(vault.remember("The gate is green")).id
    assert getattr(vault, act)(other, f"The gate is green and {VALUE}").reason == "rejected-value"
    assert stored(getattr(vault, act)(other, "The gate is red"))


def test_the_text_of_a_rejected_claim_is_refused_in_a_longer_free_text_but_not_in_another_slot(
    vault: Vault,
) -> None:
    _rejected_value(vault)
    assert vault.remember("We think the port is 8090 today").reason == "rejected-value"
    other = vault.remember("On the proxy the port is 8090", about="proxy", attribute="port", value="8090")
    assert other.verdict == "stored"
    same = vault.remember("Surely the port is 8090 there", about="api", attribute="port", value="x8090")
    assert same.refused


@pytest.mark.parametrize("where", ["session", "extracted claim"])
def test_a_rejected_text_is_refused_on_every_path_even_inside_a_longer_one(world: World, where: str) -> None:
    """No side door: each path crosses the same look-up, so a longer text is refused on each."""
    longer = f"They say {VALUE}, you know"
    _rejected_text(world.vault)
    if where == "session":
        assert world.vault.session("s-1", agent="coder").remember(longer).reason == "rejected-value"
    else:
        taken = world.vault.session("s-2", agent="coder").append("user", f"My note is {VALUE}.")
        assert taken.evidence
        world.vault.settle()
    memories = [hit.text for hit in world.vault.recall(ASK, k=20).hits if hit.source == "memory"]
    assert [text for text in memories if VALUE.lower() in text.lower()] == []


def test_an_import_brings_no_rejected_text_in_any_part(tmp_path: Path) -> None:
    with file_vault(tmp_path / "other.db") as other:
        stored(other.remember(f"They say {VALUE}, you know"))
        stored(other.remember("An ordinary line", tags=[VALUE]))
        stored(other.remember("The gate is wide"))
        other.export(tmp_path / "other.jsonl")
    with file_vault(tmp_path / "vault.db") as vault:
        _rejected_text(vault)
        report = vault.import_(tmp_path / "other.jsonl")
        assert (dict(report.refused), report.stored) == ({"rejected-value": 2}, 1)
        assert texts(vault, "gate") == ["The gate is wide"]


def test_a_rejected_value_is_withheld_at_every_moment(vault: Vault, clock: FakeClock) -> None:
    before = clock.now()
    stored(vault.remember("The gate is painted green"))
    id = stored(vault.remember(VALUE)).id
    known = clock.advance(days=1)
    stored(vault.reject(id))
    for moment in ({"as_of": before}, {"known_at": known}, {"as_of": before, "known_at": known}):
        assert VALUE not in texts(vault, ASK, **moment)
    assert "The gate is painted green" in texts(vault, "gate", known_at=known)
    assert dict(vault.recall(ASK).withheld) == {}
    shown = vault.recall(ASK, include=["rejected"])
    assert [hit.text for hit in shown.hits if hit.trust == "rejected"] == [VALUE]
    agent = vault.acting_as(actor="coder")
    assert VALUE not in texts(agent, ASK, include=["rejected"])


def test_a_refusal_does_not_tell_whether_a_value_was_rejected_or_erased(vault: Vault) -> None:
    """An erasure counts in every space: to tell of it would tell of what another space held."""
    _rejected_text(vault)
    stored(vault.remember("Quintus keeps the spare lantern upstairs", space="acme"))
    vault.erase(vault.plan_erasure(text="Quintus keeps the spare lantern upstairs"))
    agent = vault.acting_as(actor="coder")
    told = [
        (one.verdict, one.reason, one.sentence, one.next, one.detail, one.id)
        for one in (agent.remember(VALUE), agent.remember("Quintus keeps the spare lantern upstairs"))
    ]
    assert told[0] == told[1] and told[0][:2] == ("refused", "rejected-value")
    assert "person" not in told[0][2]
    assert stored(agent.remember("Quintus keeps the spare kettle upstairs"))


def test_lifting_lets_the_value_be_said_again_and_only_once(vault: Vault) -> None:
    id = _rejected_text(vault)
    assert stored(vault.lift(id, reason="it was right")).id == id
    assert vault.read(id).trust == "candidate"
    assert vault.lift(id).refused
    assert vault.remember(VALUE).verdict == "merged"
