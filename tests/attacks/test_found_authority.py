"""Can somebody get further than the credential says, or keep what a revocation took away?"""

from pathlib import Path
from typing import Any

import pytest

import muniment
from muniment.domain.label import DataClass
from muniment.domain.principal import ActorRole
from muniment.errors import BadCredential, BadInput, Refusal
from muniment.service.credentials import Rights, make_key
from muniment.service.vault import Vault
from tests.builders import stored, texts

VERBS = {
    "remember": lambda held: held.remember("Still here"),
    "recall": lambda held: held.recall("what is there"),
    "revise": lambda held: held.revise("m_0123456789abcdefghijklmno0", "Still here"),
    "ingest": lambda held: held.ingest("Still here", source="a page"),
    "session": lambda held: held.session("talk"),
    "sessions": lambda held: held.sessions(),
    "memories": lambda held: held.memories(),
    "spaces": lambda held: held.spaces(),
    "hand on": lambda held: held.as_agent(actor="x").recall("what is there"),
}


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return tmp_path / "vault.db"


@pytest.mark.parametrize("verb", sorted(VERBS))
def test_a_key_that_is_revoked_while_its_holder_works_opens_nothing_more(place: Path, verb: str) -> None:
    with muniment.open(place) as owner:
        key, public_id = owner.make_key(actor="robot", space="home")
        with muniment.open(place, key=key) as held:
            if verb != "revise":
                VERBS[verb](held)
            assert stored(held.remember("I am in"))
            owner.revoke_key(public_id)
            with pytest.raises(BadCredential):
                VERBS[verb](held)


def test_a_session_ends_with_the_key_it_was_begun_with(place: Path) -> None:
    with muniment.open(place) as owner:
        key, public_id = owner.make_key(actor="robot", space="home")
        with muniment.open(place, key=key) as held:
            session = held.session("talk")
            session.append("user", "hello")
            owner.revoke_key(public_id)
            for act in (
                lambda: session.append("user", "hello again"),
                lambda: session.remember("Still here"),
                lambda: session.recall("what is there"),
                lambda: session.turns(),
            ):
                with pytest.raises(BadCredential):
                    act()


def test_an_admin_does_not_hand_the_vault_on_as_its_owner(vault: Vault) -> None:
    admin = vault.acting_as(actor="ada", role="admin")
    with pytest.raises(BadInput):
        admin.acting_as(actor="ada", role="owner")
    assert admin.acting_as(actor="ada", role="member").principal.role is ActorRole.MEMBER
    assert vault.acting_as(actor="ona", role="owner").principal.role is ActorRole.OWNER


def test_what_a_key_may_not_see_whoever_it_hands_the_vault_to_may_not_see_either(place: Path) -> None:
    with muniment.open(place) as owner:
        stored(owner.remember("The secret word is halibut", data_class="secret"))
        rights = Rights(class_max=DataClass.PRIVATE)
        key, public_id = make_key(
            owner.ground, owner.principal, actor="ada", role=ActorRole.ADMIN, rights=rights
        )
        with muniment.open(place, key=key) as admin:
            handed = admin.acting_as(actor="bo", role="member")
            assert texts(handed, "what is the secret word") == []
            owner.revoke_key(public_id)
            with pytest.raises(BadCredential):
                handed.recall("what is the secret word")
        assert texts(owner, "what is the secret word") == ["The secret word is halibut"]


@pytest.mark.parametrize("role", ["admin", "auditor"])
def test_whoever_is_not_the_owner_exports_without_the_keys(place: Path, tmp_path: Path, role: str) -> None:
    """With the vault key and the tombstone key in hand he could seal rows as the vault does."""
    with muniment.open(place) as owner:
        other = owner.acting_as(actor="eve", role=role)
        with pytest.raises(Refusal):
            other.export(tmp_path / "out.jsonl")
        assert list(tmp_path.glob("out*")) == []
        assert owner.log(limit=1)[0].fields["outcome"] == "refused"
        assert other.export(tmp_path / "out.jsonl", keys=False).keys is None
        assert not (tmp_path / "out.jsonl.keys").exists()
        kept = owner.export(tmp_path / "own.jsonl").keys
        assert kept is not None and kept.exists()


def test_an_export_that_an_agent_takes_in_weighs_no_more_than_its_own_word(
    place: Path, tmp_path: Path
) -> None:
    """Whoever can write a file could else write himself a rank."""
    with muniment.open(tmp_path / "other.db") as other:
        other.remember("The port is 5", about="svc", attribute="port", value="5", valid_from="2026-01-01")
        other.export(tmp_path / "other.jsonl")
    with muniment.open(place) as owner:
        first = owner.acting_as(actor="first")
        said = stored(
            first.remember("The port is 4", about="svc", attribute="port", value="4", valid_from="2025-01-01")
        )
        second = owner.acting_as(actor="second")
        assert second.import_(tmp_path / "other.jsonl").disputed == 1
        assert texts(owner, "what is the port") == ["The port is 4"]
        assert owner.read(said.id).state == "current"
        assert owner.import_(tmp_path / "other.jsonl").merged == 1


@pytest.mark.parametrize("name", ["", " ", "x\0y", "x\ud800", "x\u202ey", 5, None, "x" * 201])
def test_an_actor_has_a_name_that_can_be_seen(vault: Vault, name: Any) -> None:
    with pytest.raises(BadInput):
        vault.acting_as(actor=name)
    with pytest.raises(BadInput):
        vault.make_key(actor=name)
    if name:
        with pytest.raises(BadInput):
            vault.session("talk", agent=name)
    assert vault.acting_as(actor="Zoë 🦦").principal.actor == "Zoë 🦦"


def _low(place: Path, owner: Vault) -> Vault:
    """Return the vault in the hands of an agent that reads private things at most."""
    rights = Rights(class_max=DataClass.PRIVATE)
    key, _ = make_key(owner.ground, owner.principal, actor="low", role=ActorRole.AGENT, rights=rights)
    return muniment.open(place, key=key)


def test_the_turns_of_a_session_are_read_up_to_the_class_of_the_key(place: Path) -> None:
    with muniment.open(place) as owner:
        session = owner.session("talk", agent="coder")
        session.append("user", "good morning")
        session.append("user", "the secret word is halibut", data_class="secret")
        with _low(place, owner) as low:
            assert [turn.text for turn in low.session("talk").turns()] == ["good morning"]
        assert len(session.turns()) == 2


def test_a_secret_is_not_confirmed_to_whoever_guesses_it(place: Path) -> None:
    with muniment.open(place) as owner:
        secret = stored(owner.remember("The secret word is halibut", data_class="secret"))
        open_one = stored(owner.remember("The sky is blue"))
        with _low(place, owner) as low:
            guess = low.remember("The secret word is halibut")
            assert (guess.reason, guess.rests_on) == ("clean", "")
            assert guess.id != secret.id
            assert low.remember("The sky is blue").id == open_one.id


def test_a_secret_rival_of_a_slot_is_not_named_to_a_lower_key(place: Path) -> None:
    with muniment.open(place) as owner:
        words = {"about": "safe", "attribute": "code"}
        secret = stored(owner.remember("The code is 4711", value="4711", data_class="secret", **words))
        seen = stored(owner.remember("The gate is 7", about="gate", attribute="number", value="7"))
        with _low(place, owner) as low:
            guess = low.remember("The code is 1234", value="1234", **words)
            assert guess.verdict == "disputed"
            assert secret.id not in (guess.rests_on, *guess.also)
            open_rival = low.remember("The gate is 8", about="gate", attribute="number", value="8")
            assert open_rival.rests_on == seen.id
