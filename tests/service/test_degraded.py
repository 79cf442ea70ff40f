"""Is a failing embedder visible, and never at the cost of a write? (I14)"""

from collections.abc import Callable

import pytest

from muniment.service.vault import Vault
from tests.builders import FakeClock, FlakyEmbedder, stored

MakeVault = Callable[..., Vault]
TEXT, OTHER = "The ferry leaves at dawn", "The ferry leaves at noon"


@pytest.fixture
def embedder() -> FlakyEmbedder:
    return FlakyEmbedder()


@pytest.fixture
def vault(make_vault: MakeVault, embedder: FlakyEmbedder) -> Vault:
    return make_vault(embedder=embedder)


def owed(vault: Vault) -> list[int]:
    """Return the rows whose vector is still to be made."""
    with vault.ground.store.snapshot() as snapshot:
        return [job.target for job in snapshot.jobs() if job.kind == "embed"]


def retired(vault: Vault) -> str:
    id = stored(vault.remember(TEXT)).id
    stored(vault.retire(id, reason="winter"))
    return id


def superseded(vault: Vault) -> str:
    """Return a successor whose end brings back what it took the place of."""
    first = stored(vault.remember(TEXT))
    return stored(vault.succeed(first.id, text=OTHER)).id


def guessed(vault: Vault) -> str:
    return stored(vault.remember("Perhaps it rains", kind="hypothesis")).id


def remembered(vault: Vault) -> str:
    return stored(vault.remember(TEXT)).id


ACTS: dict[str, tuple[Callable[[Vault], str], Callable[[Vault, str], object]]] = {
    "remember": (lambda vault: "", lambda vault, id: vault.remember(TEXT)),
    "revise": (remembered, lambda vault, id: vault.revise(id, text=OTHER, reason="x")),
    "succeed": (remembered, lambda vault, id: vault.succeed(id, text=OTHER)),
    "revive": (retired, lambda vault, id: vault.revive(id, reason="spring")),
    "retire": (remembered, lambda vault, id: vault.retire(id, reason="x")),
    "reject": (remembered, lambda vault, id: vault.reject(id, reason="x")),
    "retract a successor": (superseded, lambda vault, id: vault.retract(id, reason="x")),
    "reject a successor": (superseded, lambda vault, id: vault.reject(id, reason="x")),
    "dispute": (remembered, lambda vault, id: vault.judge(id, "dispute", reason="x")),
    "inconclusive": (guessed, lambda vault, id: vault.judge(id, "inconclusive", reason="x")),
}


@pytest.mark.parametrize("name", ACTS)
def test_an_act_lands_though_the_embedder_fails(vault: Vault, embedder: FlakyEmbedder, name: str) -> None:
    prepare, act = ACTS[name]
    id = prepare(vault)
    embedder.mode = "raises"
    receipt = act(vault, id)
    assert receipt.verdict != "refused", receipt  # type: ignore[attr-defined]  # a receipt
    assert vault.verify().findings == ()


@pytest.mark.parametrize("name", ACTS)
def test_a_vector_that_an_act_could_not_get_is_made_when_the_embedder_is_back(
    vault: Vault, embedder: FlakyEmbedder, name: str
) -> None:
    prepare, act = ACTS[name]
    id = prepare(vault)
    embedder.mode = "raises"
    act(vault, id)
    embedder.mode = "well"
    vault.run_jobs()
    assert owed(vault) == []
    live = [memory.n for memory in vault.memories()]
    with vault.ground.store.snapshot() as snapshot:
        assert set(snapshot.cosines(live, embedder.embed("T"), model=embedder.model)) == set(live)


def test_a_turn_and_a_document_land_though_the_embedder_fails(vault: Vault, embedder: FlakyEmbedder) -> None:
    embedder.mode = "raises"
    vault.session("s-1").append("user", "When does the ferry leave?")
    assert vault.ingest("The harbour is deep.", source="a map").added == 1
    assert len(owed(vault)) == 2
    assert vault.recall("harbour").hits


def test_a_question_is_answered_by_words_and_says_so(vault: Vault, embedder: FlakyEmbedder) -> None:
    stored(vault.remember(TEXT))
    assert vault.recall("ferry").outcome.value == "found"
    embedder.mode = "raises"
    answer = vault.recall("ferry")
    assert answer.hits
    assert answer.outcome.value == "degraded"
    assert any("embedder" in note for note in answer.notes)


def test_the_index_is_rebuilt_though_the_embedder_fails(vault: Vault, embedder: FlakyEmbedder) -> None:
    stored(vault.remember(TEXT))
    embedder.mode = "raises"
    assert vault.reindex() == 1
    assert vault.recall("ferry").hits


def test_vectors_that_a_rebuild_could_not_make_are_made_by_the_next(
    vault: Vault, embedder: FlakyEmbedder
) -> None:
    embedder.mode = "raises"
    stored(vault.remember(TEXT))
    vault.reindex()
    embedder.mode = "well"
    vault.reindex()
    (memory,) = vault.memories()
    with vault.ground.store.snapshot() as snapshot:
        assert snapshot.cosines((memory.n,), embedder.embed(TEXT), model=embedder.model)


class Short(FlakyEmbedder):
    """Give one byte less than promised while it is away."""

    def embed(self, text: str) -> bytes:
        return b"\x01" * (self.dimension - 1) if self.mode == "raises" else super().embed(text)


def test_a_vector_of_another_length_is_not_kept_and_is_owed(make_vault: MakeVault) -> None:
    embedder = Short()
    vault = make_vault(embedder=embedder)
    embedder.mode = "raises"
    stored(vault.remember(TEXT))
    assert len(owed(vault)) == 1
    answer = vault.recall("ferry")
    assert answer.hits and answer.outcome.value == "degraded"
    embedder.mode = "well"
    assert vault.run_jobs().done == 1
    assert vault.recall("ferry").outcome.value == "found"


def test_an_embedder_of_another_model_finds_only_what_it_made(
    make_vault: MakeVault, clock: FakeClock
) -> None:
    embedder = FlakyEmbedder("letters/1")
    vault = make_vault(embedder=embedder)
    stored(vault.remember(TEXT))
    embedder.model = "letters/2"
    with vault.ground.store.snapshot() as snapshot:
        (memory,) = vault.memories()
        assert dict(snapshot.cosines((memory.n,), embedder.embed(TEXT), model="letters/2")) == {}
    assert vault.recall("ferry").hits, "words are found whatever the model"
    vault.reindex()
    with vault.ground.store.snapshot() as snapshot:
        assert snapshot.cosines((memory.n,), embedder.embed(TEXT), model="letters/2")
