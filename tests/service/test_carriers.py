"""Is a space read for a rejection before the lock, through a sieve, and is nothing lost by either?"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace

import pytest

from muniment import limits
from muniment.domain.carrying import EVERY
from muniment.domain.intent import Judge
from muniment.domain.trust import Act
from muniment.ports import Snapshot, Transaction
from muniment.service import carriers, curate
from muniment.service.draft import Draft
from muniment.service.ground import Ground
from muniment.service.vault import Vault
from tests.builders import stored

VALUE = "The gate code is maple leaf"
TWIN = "the gate code: is MAPLE leaf!"
LONGER = f"Remember that {VALUE.lower()}, and the key is under the oak"


def said(vault: Vault, text: str, **fields: object) -> str:
    return stored(vault.remember(text, **fields)).id


def trust_of(vault: Vault, id: str) -> str:
    return vault.read(id, include_rejected=True).trust


@pytest.fixture
def between(vault: Vault, monkeypatch: pytest.MonkeyPatch) -> list[Callable[[], object]]:
    """Return a list of what happens between the reading and the lock."""
    happening: list[Callable[[], object]] = []
    read_before = carriers.read_before

    def read(ground: Ground, intent: Judge) -> carriers.Reading | None:
        found = read_before(ground, intent)
        while happening:
            happening.pop(0)()
        return found

    monkeypatch.setattr(carriers, "read_before", read)
    return happening


@pytest.fixture
def sifted(vault: Vault, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a list that names where rows were sifted: before the lock, or under it."""
    places: list[str] = []
    sift = carriers._sifted

    def noted(snapshot: Snapshot, space: int, words: object) -> object:
        places.append("under" if hasattr(snapshot, "apply") else "before")
        return sift(snapshot, space, words)

    monkeypatch.setattr(carriers, "_sifted", noted)
    return places


def test_fault_nobody_can_write_while_a_space_is_read_for_a_rejection(
    vault: Vault, sifted: list[str]
) -> None:
    """In a space of a hundred thousand memories every other writer waited for seconds."""
    target, twin, longer = said(vault, VALUE), said(vault, TWIN), said(vault, LONGER)
    assert set(stored(vault.reject(target)).also) >= {twin, longer}
    assert sifted == ["before"]
    assert (trust_of(vault, twin), trust_of(vault, longer)) == ("rejected", "disputed")


def test_without_a_reading_before_it_the_space_is_read_under_the_lock(
    vault: Vault, sifted: list[str]
) -> None:
    target, twin = said(vault, VALUE), said(vault, TWIN)
    asked = Judge(vault._holder, target, Act.REJECT)
    with vault._ground.store.transaction() as transaction:
        stored(curate.move_in(Draft.begun(vault._ground, transaction), asked))
    assert sifted == ["under"] and trust_of(vault, twin) == "rejected"


def test_what_came_since_the_reading_is_met(
    vault: Vault, between: list[Callable[[], object]], sifted: list[str]
) -> None:
    target, came = said(vault, VALUE), list[str]()
    between += [lambda: came.append(said(vault, TWIN)), lambda: came.append(said(vault, LONGER))]
    also = stored(vault.reject(target)).also
    assert set(also) >= set(came) and len(came) == 2 and sifted == ["before"]
    assert [trust_of(vault, id) for id in came] == ["rejected", "disputed"]


def test_what_says_something_else_since_the_reading_is_spared(
    vault: Vault, between: list[Callable[[], object]]
) -> None:
    target, twin, longer, other = (
        said(vault, text) for text in (VALUE, TWIN, LONGER, "The key is under the oak")
    )
    between += [
        lambda: stored(vault.revise(twin, "The gate code is oak leaf", reason="so")),
        lambda: stored(vault.retire(longer)),
        lambda: stored(vault.revise(other, f"They say that {VALUE}", reason="so")),
    ]
    also = stored(vault.reject(target)).also
    assert trust_of(vault, twin) == "believed" and trust_of(vault, longer) == "retired"
    assert trust_of(vault, other) == "disputed" and other in also and twin not in also


def test_a_target_that_says_something_else_by_now_is_read_for_again(
    vault: Vault, between: list[Callable[[], object]], sifted: list[str]
) -> None:
    target, twin, oak = said(vault, VALUE), said(vault, TWIN), said(vault, "the gate code is: oak")
    between.append(lambda: stored(vault.revise(target, "The gate code is oak", reason="so")))
    stored(vault.reject(target))
    assert sifted == ["before", "under"]
    assert (trust_of(vault, twin), trust_of(vault, oak)) == ("believed", "rejected")


def test_a_log_with_a_gap_is_not_relied_on(
    vault: Vault, monkeypatch: pytest.MonkeyPatch, sifted: list[str]
) -> None:
    target, twin = said(vault, VALUE), said(vault, TWIN)
    read_before = carriers.read_before

    def later(ground: Ground, intent: Judge) -> carriers.Reading | None:
        found = read_before(ground, intent)
        return None if found is None else replace_records(found, 1_000_000)

    monkeypatch.setattr(carriers, "read_before", later)
    stored(vault.reject(target))
    assert sifted == ["before", "under"] and trust_of(vault, twin) == "rejected"


def replace_records(reading: carriers.Reading, records: int) -> carriers.Reading:
    return reading._replace(records=records)


def test_many_records_are_walked_page_by_page(
    vault: Vault, between: list[Callable[[], object]], monkeypatch: pytest.MonkeyPatch, sifted: list[str]
) -> None:
    monkeypatch.setattr(limits, "page_rows_max", 2)
    target, came = said(vault, VALUE), list[str]()
    for n in range(5):
        between.append(lambda n=n: came.append(said(vault, f"{n} says that {VALUE}")))
    assert set(stored(vault.reject(target)).also) >= set(came) and len(came) == 5
    assert sifted == ["before"]


def test_fault_an_agent_that_may_not_reject_makes_the_whole_space_be_read(
    vault: Vault, sifted: list[str]
) -> None:
    agent = vault.acting_as(actor="coder")
    mine = said(agent, VALUE)
    assert agent.reject(mine, reason="wrong").refused and sifted == []
    stored(vault.retract(mine))
    assert sifted == []
    assert vault.reject("m_" + "0" * 26).refused and sifted == []
    stored(vault.reject(mine))
    assert sifted == ["before"]


@pytest.mark.parametrize(
    ("rejected", "left"),
    [
        ("Use the modern one there", "Use the m\u043edem one there"),
        ("Use the m\u043edern one there", "Use the modem one there"),
        ("The code is I0 or ten", "Th\u0435 code is lO or ten"),
    ],
)
def test_fault_two_letters_drawn_like_one_go_on_saying_what_was_rejected(
    vault: Vault, rejected: str, left: str
) -> None:
    """Said anew it is refused; what was there before was passed over for the longest word that it lacks."""
    first, second = said(vault, rejected), said(vault, left)
    stored(vault.reject(first))
    assert trust_of(vault, second) == "rejected"
    assert vault.remember(left).refused


MIXED = (
    [
        "The gate code is maple leaf",
        "the GATE code: is maple; leaf",
        "Th\u0435 gate code is maple leaf",
        "maple leaf",
    ]
    + [
        "We know: the gate code is maple leaf",
        "gate code maple leaf",
        "The gate code is oak",
        "\u00fcber the gate",
    ]
    + [
        "Die Stra\u00dfe ist heute glatt",
        "die strasse ist heute glatt!",
        "Heute: die Strasse ist heute glatt",
    ]
    + [
        "\u95e8\u7801\u662f\u67ab\u53f6",
        "\u95e8\u7801\uff0c\u662f\u67ab\u53f6",
        "Ihr Caff\u00e8",
        "It is 1.5",
        "|",
        "!?",
    ]
)


@contextmanager
def reading(vault: Vault) -> Iterator[Transaction]:
    with vault._ground.store.transaction() as transaction:
        yield transaction


def test_the_sieve_loses_nothing_that_a_full_reading_finds(
    vault: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The full reading is the reference, for every text of a space in turn."""
    ids = [said(vault, text) for text in MIXED]
    ids += [
        said(vault, f"Set {n}", about="gate", attribute=f"note {n}", value=text)
        for n, text in enumerate(MIXED[:9])
    ]
    ids += [said(vault, f"Line {n}", tags=[text]) for n, text in enumerate(MIXED[:9])]
    with reading(vault) as transaction:
        targets = [current.version for current in transaction.currents(ids)]
        through = [carriers._read(transaction, target) for target in targets]
        monkeypatch.setattr(carriers, "telling_words", lambda text: EVERY)
        assert through == [carriers._read(transaction, target) for target in targets]
    assert sum(len(found.same) for found in through) > 9 and sum(len(found.holding) for found in through) > 9


def test_what_holds_a_text_is_told_from_what_says_it(vault: Vault) -> None:
    target, twin, longer = said(vault, VALUE), said(vault, TWIN), said(vault, LONGER)
    said(vault, VALUE, space="elsewhere")
    with reading(vault) as transaction:
        version = transaction.currents((target,))[0].version
        found = carriers._read(transaction, version)
        assert [one.memory for one in found.same] == [twin]
        assert [one.memory for one in found.holding] == [twin, longer]
        assert carriers._read(transaction, replace(version, claim=replace(version.claim, text="?!"))) == (
            (),
            (),
        )


@pytest.mark.parametrize("letter", ["x", "\u0436", "\u5b57"])
def test_fault_a_statement_with_a_very_long_word_cannot_be_rejected(vault: Vault, letter: str) -> None:
    """The database took the whole word for what to look for, and bounds that."""
    long = letter * 60_000
    id, twin, other = (
        said(vault, f"{long} heron"),
        said(vault, f"{long} heron!"),
        said(vault, f"{long} otter"),
    )
    stored(vault.reject(id))
    assert [trust_of(vault, one) for one in (id, twin, other)] == ["rejected", "rejected", "believed"]
    assert vault.remember(f"{long} heron").reason == "rejected-value" and vault.verify().ok
