"""Does what only looks like a rejected text land where it is innocent, and wait where it is not?"""

from pathlib import Path

import pytest

from muniment.service.vault import Vault
from tests.builders import VAULTS, FakeClock, stored

PAIRS = Path(__file__).resolve().parents[1] / "data" / "near_pairs.txt"
DRAWN_ALIKE = {"l0", "lll"}
"""The near misses that look like what was rejected, letter by letter, and are no words of their own."""

STAGED_OF_NEAR_MISSES_MAX = 0.02


def test_near_misses_of_rejected_texts_land(clock: FakeClock, tmp_path: Path) -> None:
    """200 pairs; exactly those that are drawn alike wait for a person, and none is refused."""
    vault = VAULTS["sqlite"](tmp_path, clock=clock)
    rows = [line.split("|") for line in PAIRS.read_text("utf-8").splitlines() if line]
    assert sum(len(row) - 1 for row in rows) == 200
    for row in rows:
        stored(vault.reject(stored(vault.remember(row[0])).id))
    agent = vault.acting_as(actor="coder")
    verdicts = {other: agent.remember(other).verdict for row in rows for other in row[1:]}
    assert [text for text, verdict in verdicts.items() if verdict == "refused"] == []
    assert {text for text, verdict in verdicts.items() if verdict == "staged"} == DRAWN_ALIKE
    assert len(DRAWN_ALIKE) <= STAGED_OF_NEAR_MISSES_MAX * 200


@pytest.mark.parametrize(
    ("value", "other", "disguises"),
    [
        ("modern", "modem", ("m0dern", "rnodern")),
        (
            "The gamer left 100 tickets there",
            "The garner left 100 tickets there",
            ("The garner 1eft 100 tickets there",),
        ),
        (
            "The gamer left 100 tickets there",
            "the GARNER left loo tickets, there",
            ("The gamer left 1OO tickets there",),
        ),
        ("A furnace stands in the barn", "A furnace stands in the bam", ("A fumace stands in the barn",)),
    ],
)
def test_a_word_that_is_drawn_like_a_rejected_one_is_another_word(
    vault: Vault, value: str, other: str, disguises: tuple[str, ...]
) -> None:
    """What is spelled as no word is, or beside it in disguise, still waits for a person."""
    stored(vault.reject(stored(vault.remember(value)).id))
    agent = vault.acting_as(actor="coder")
    for disguise in disguises:
        assert agent.remember(disguise).verdict == "staged", disguise
    assert agent.remember(other.replace("a", "\u0430").replace("e", "\u0435")).reason == "rejected-value"
    assert agent.remember(value).reason == "rejected-value"
    assert stored(agent.remember(other)).verdict == "stored"


def test_a_number_of_the_other_sign_is_another_number(vault: Vault) -> None:
    """A sign is no disguise; a number in disguise beside it still is one."""
    stored(vault.reject(stored(vault.remember("It is -5 degrees outside today")).id))
    agent = vault.acting_as(actor="coder")
    assert agent.remember("It is 5 degrees outside today").verdict == "stored"
    assert agent.remember("They say it is -5 degrees outside today").reason == "rejected-value"
    assert agent.remember("It is -5 degrees 0utside today, they say").verdict == "staged"
    assert agent.remember("It is -5 degrees \u043eutside today, they say").verdict == "refused"
    stored(vault.reject(stored(vault.remember("The lift stops at 7 floors below")).id))
    assert agent.remember("The lift stops at -7 floors below").verdict == "stored"


SIGNED = (
    ("My favourite language is C", "My favourite language is C++"),
    ("My favourite language is C++", "My favourite language is C#"),
    ("The check is retries < 5 in the config", "The check is retries > 5 in the config"),
    ("Set the flag when a == b in builds", "Set the flag when a != b in builds"),
    ("The discount for members is 5%", "The discount for members is 5"),
    ("The rule is !debug in production mode", "The rule is debug in production mode"),
)


@pytest.mark.parametrize(("value", "other"), SIGNED)
def test_fault_a_statement_with_another_sign_is_refused_as_the_rejected_one(
    vault: Vault, value: str, other: str
) -> None:
    """Else whoever rejects that it is C can never say that it is C++, and no person either."""
    stored(vault.reject(stored(vault.remember(value)).id))
    agent = vault.acting_as(actor="coder")
    assert agent.remember(other).verdict == "staged"
    assert agent.remember(f"We know: {value}; so be it").reason == "rejected-value"
    assert agent.remember(f"{value.upper()}!").refused
    assert stored(vault.remember(other)).verdict == "stored"
    assert vault.remember(value).reason == "rejected-value"


def test_no_sign_beside_a_word_carries_what_was_erased_into_evidence(vault: Vault) -> None:
    stored(vault.remember("The gate code is maple leaf"))
    vault.erase(vault.plan_erasure(text="The gate code is maple leaf"))
    session = vault.session("talk", agent="coder")
    for said in (
        "The gate+ code is maple leaf",
        "The gate code % is maple# leaf",
        "The gate < code = is maple leaf",
    ):
        turn = session.append("user", f"So: {said}!").evidence[0]
        assert vault.read(turn).text == "So: [erased]!", said
    kept = session.append("user", "So: the gate code is oak leaf!").evidence[0]
    assert vault.read(kept).text == "So: the gate code is oak leaf!"
