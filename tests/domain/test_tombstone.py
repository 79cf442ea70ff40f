"""Does a rejection leave digests and no clear text, and does lifting end it without deleting it? (I4)"""

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from muniment.domain.canonical import NORMALISER
from muniment.domain.rows import tombstone_bytes
from muniment.domain.tombstone import Form, Keys, Tombstone, TombstoneHit, TombstoneKind
from muniment.service.vault import Vault
from tests.builders import START, CountingIds, FakeClock, reference_vault, stored
from tests.domain.samples import AT

VALUE = "The Zanzibar account is overdrawn"


@pytest.fixture
def vault(tmp_path: Path) -> Iterator[Vault]:
    made = reference_vault(tmp_path, clock=FakeClock(), ids=CountingIds())
    yield made
    made.close()


def rejected(vault: Vault, text: str = VALUE, **slot: object) -> str:
    memory = stored(vault.remember(text, **slot)).id
    stored(vault.reject(memory, reason="it is not so"))
    return memory


def standing(vault: Vault, memory: str) -> list[Tombstone]:
    with vault.ground.store.snapshot() as snapshot:
        return snapshot.tombstones_of(memory)


def generation(vault: Vault) -> int:
    with vault.ground.store.snapshot() as snapshot:
        return snapshot.head().generation


def test_every_digest_is_there_the_plain_one_first() -> None:
    keys = Keys(b"p", b"f", b"s")
    assert keys.all == (b"p", b"f", b"s")
    assert len(keys.all) == len(Form)


def test_a_rejection_makes_one_tombstone_that_names_its_memory(vault: Vault) -> None:
    memory = rejected(vault)
    (tombstone,) = standing(vault, memory)
    assert (tombstone.memory, tombstone.kind) == (memory, TombstoneKind.REJECTED)
    with vault.ground.store.snapshot() as snapshot:
        (current,) = snapshot.currents((memory,))
    assert tombstone.recorded == current.version.recorded > START
    assert (tombstone.reason, tombstone.lifted, tombstone.lifts) == ("it is not so", False, "")
    assert tombstone.normaliser == NORMALISER


@pytest.mark.parametrize(
    "slot", [{}, {"about": "account", "attribute": "state", "value": "overdrawn"}], ids=["free", "keyed"]
)
def test_no_word_of_the_value_stands_in_a_tombstone(vault: Vault, slot: dict[str, object]) -> None:
    (tombstone,) = standing(vault, rejected(vault, **slot))
    kept = repr(tombstone).casefold().encode() + tombstone_bytes(tombstone).lower()
    for word in ("zanzibar", "account", "overdrawn", b"zanzibar".hex(), b"overdrawn".hex()):
        assert word.encode() not in kept
    assert b"it is not so" in kept


def test_the_digests_are_keyed_and_cut(vault: Vault) -> None:
    (tombstone,) = standing(vault, rejected(vault))
    assert {len(digest) for digest in tombstone.keys.all} == {12}
    assert tombstone.key_id == vault.ground.outside.keyring.key_id


def test_free_text_has_no_slot_and_a_keyed_claim_has_one(vault: Vault) -> None:
    (free,) = standing(vault, rejected(vault))
    (keyed,) = standing(vault, rejected(vault, "It opens at six", about="quay", attribute="h", value="six"))
    assert free.slot == b""
    assert len(keyed.slot) == 12


def test_the_same_slot_in_another_case_has_the_same_digest(vault: Vault) -> None:
    one = rejected(vault, "It opens at six", about="Quay", attribute="hours", value="six")
    other = rejected(vault, "It opens at ten", about="quay", attribute="HOURS", value="ten")
    (first,), (second,) = standing(vault, one), standing(vault, other)
    assert first.slot == second.slot
    assert first.keys.plain != second.keys.plain


def test_the_generation_counts_every_act_on_tombstones_and_no_other(vault: Vault) -> None:
    assert generation(vault) == 0
    memory = rejected(vault)
    assert generation(vault) == 1
    vault.remember("Something else")
    vault.remember(VALUE)
    assert generation(vault) == 1
    stored(vault.lift(memory))
    assert generation(vault) == 2


def test_the_generations_of_tombstones_grow(vault: Vault) -> None:
    found = [standing(vault, rejected(vault, f"Value number {number}"))[0] for number in range(4)]
    assert all(one.generation < other.generation for one, other in pairwise(found))


def test_lifting_ends_a_tombstone_and_keeps_its_row(vault: Vault) -> None:
    memory = rejected(vault)
    (tombstone,) = standing(vault, memory)
    stored(vault.lift(memory, reason="it was so after all"))
    assert standing(vault, memory) == []
    with vault.ground.store.snapshot() as snapshot:
        assert snapshot.tombstone(tombstone.id) is None
        assert snapshot.counts()["tombstone"] == 2
    assert not vault.remember(VALUE).refused


def test_a_value_may_be_rejected_again_after_it_was_lifted(vault: Vault) -> None:
    memory = rejected(vault)
    stored(vault.lift(memory))
    stored(vault.reject(memory))
    assert len(standing(vault, memory)) == 1
    assert vault.remember(VALUE).reason == "rejected-value"


@pytest.mark.parametrize(
    ("text", "refused"),
    [
        (VALUE, True),
        (VALUE.upper(), True),
        (f"  {VALUE}\n", True),
        ("The Z\u0430nzibar account is overdrawn", True),
        ("The Zanzibar account is in order", False),
        ("The Zanzibar account", False),
    ],
)
def test_each_form_of_a_value_meets_its_digest(vault: Vault, text: str, refused: bool) -> None:
    rejected(vault)
    assert vault.remember(text).refused is refused


def test_a_tombstone_that_was_just_made_is_not_lifted() -> None:
    made = Tombstone("t_1", "m_1", 1, TombstoneKind.ERASED, Keys(b"", b"", b""), b"", 1, "n1", 1, 1, AT)
    assert (made.reason, made.lifted, made.lifts) == ("", False, "")


def test_a_hit_says_whether_only_a_disguise_was_met() -> None:
    assert TombstoneHit("t", TombstoneKind.REJECTED, True) != TombstoneHit("t", TombstoneKind.REJECTED, False)


@pytest.mark.parametrize("words", [TombstoneKind, Form], ids=lambda words: words.__name__)
def test_a_stored_word_is_the_name_in_small_letters(words: type) -> None:
    assert [one.value for one in words] == [one.name.lower() for one in words]
