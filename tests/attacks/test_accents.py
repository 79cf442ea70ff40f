"""Do accents carry a rejected text back in, and does a text with accents of its own pass?"""

import unicodedata

import pytest

from muniment.domain.canonical import without_accents
from muniment.service import watch
from muniment.service.vault import Vault
from tests.builders import stored, texts

VALUE = "The gate code is maple leaf"


def marked(text: str, mark: str) -> str:
    return "".join(char + mark if char.isalpha() else char for char in text)


def reject(vault: Vault, text: str) -> None:
    stored(vault.reject(stored(vault.remember(text)).id, reason="never true"))


ACCENTED = {
    "acute": marked(VALUE, "\u0301"),
    "composed": unicodedata.normalize("NFC", marked(VALUE, "\u0301")),
    "below": marked(VALUE, "\u0323"),
    "two": marked(VALUE, "\u0308\u0301"),
    "one letter": VALUE.replace("maple", "máple"),
    "in another case": "THE GATE CÖDE IS MAPLE LEAF",
    "within": "Listen: the gâte code is maple leaf, they say",
}


@pytest.mark.parametrize("accented", ACCENTED.values(), ids=ACCENTED)
def test_fault_accents_on_a_rejected_text_carry_it_back(vault: Vault, accented: str) -> None:
    """They waited for nobody: a letter with a mark is drawn like no other letter."""
    reject(vault, VALUE)
    agent = vault.acting_as(actor="coder")
    waiting = agent.remember(accented)
    assert (waiting.verdict, waiting.reason) == ("staged", "look-alike-of-rejected")
    assert texts(vault, "what is the gate code") == []
    assert stored(agent.remember("The gâte is painted green")).verdict == "stored"
    assert vault.remember(accented).verdict == "stored", "a person's own words pass"


@pytest.mark.parametrize(
    ("rejected", "said"),
    [
        ("Trabajó en el puerto de Acme", "Trabajo en el puerto de Acme"),
        ("Il a mangé du thé noir", "Il a mange du the noir"),
        ("résumé", "resume"),
        ("año", "ano"),
        ("The gate code is maple leaf", "The gáte code is maple tree"),
        ("Ria drinks oat milk", "Ria drinks öl"),
        ("\u0915\u0940", "\u0915"),
        ("\u0430", "\u0430\u0301b"),
    ],
)
def test_a_text_that_says_something_else_with_or_without_accents_is_stored(
    vault: Vault, rejected: str, said: str
) -> None:
    reject(vault, rejected)
    assert vault.acting_as(actor="coder").remember(said).verdict == "stored"


def test_an_erased_address_with_an_accent_waits_and_another_address_does_not(vault: Vault) -> None:
    vault.erase(vault.plan_erasure(id=stored(vault.remember("alice@acme.io")).id))
    agent = vault.acting_as(actor="coder")
    assert agent.remember("Write to álice@acme.io today").reason == "look-alike-of-rejected"
    assert agent.remember("Write to élise@acme.io today").verdict == "stored"


def test_a_text_in_plain_ascii_is_read_once(vault: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []
    monkeypatch.setattr(watch, "without_accents", lambda text: (read.append(text), without_accents(text))[1])
    reject(vault, VALUE)
    agent = vault.acting_as(actor="coder")
    assert agent.remember("The quay is dry").verdict == "stored" and not read
    assert agent.remember("The quay — is wet").verdict == "stored" and read == ["The quay — is wet"]


@pytest.mark.parametrize(
    ("text", "bare"),
    [
        ("", ""),
        ("apple", "apple"),
        ("ápple Ñandú", "apple Nandu"),
        ("a\u0301\u0323b", "ab"),
        ("Ångström — “Übung”", "Angstrom — “Ubung”"),
        ("\u0645\u064e", "\u0645\u064e"),
        ("й", "й"),
        ("ø", "ø"),
        ("が", "が"),
    ],
)
def test_only_marks_of_plain_latin_letters_are_left_out(text: str, bare: str) -> None:
    assert without_accents(text) == bare == without_accents(bare)
