"""Does lifting a rejection find what went with it by the log, whatever the size of the space?"""

import pytest

from muniment.domain.changes import Page
from muniment.domain.ledger import Record
from muniment.errors import Tampered
from muniment.service.draft import Draft
from muniment.service.lifting import _record_at
from muniment.service.vault import Vault
from tests.builders import World, stored

VALUE = "The gate code is maple leaf"
TWIN = "the gate code: is MAPLE leaf!"


def said(vault: Vault, text: str, **fields: object) -> str:
    return stored(vault.remember(text, **fields)).id


@pytest.mark.parametrize("later", [0, 1, 5])
@pytest.mark.parametrize("earlier", [0, 1, 6])
def test_what_went_in_the_same_act_comes_back_with_it(vault: Vault, earlier: int, later: int) -> None:
    for n in range(earlier):
        stored(vault.reject(said(vault, f"Earlier number {n} is here"), reason="wrong"))
    target, twin = said(vault, VALUE), said(vault, TWIN)
    stored(vault.reject(target))
    for n in range(later):
        stored(vault.reject(said(vault, f"Later number {n} is here"), reason="wrong"))
    assert stored(vault.lift(target)).also == (twin,)
    assert vault.read(twin).trust == vault.read(target).trust == "candidate"
    assert len(vault.memories(states=["rejected"])) == earlier + later
    assert vault.verify().ok


def test_a_twin_that_was_lifted_and_rejected_anew_belongs_to_the_newer_act(vault: Vault) -> None:
    target, twin = said(vault, VALUE), said(vault, TWIN)
    stored(vault.reject(target))
    stored(vault.lift(target))
    stored(vault.reject(twin))
    assert set(stored(vault.lift(target)).also) == {twin}
    assert vault.remember(VALUE).landed and vault.verify().ok


def test_fault_a_space_is_walked_under_the_lock_when_a_rejection_is_lifted(
    vault: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = said(vault, VALUE)
    stored(vault.reject(target))
    with vault._ground.store.snapshot() as snapshot:
        kinds = [kind for kind in type(snapshot).__mro__ if "memories" in vars(kind)]
    assert kinds
    for kind in kinds:
        monkeypatch.delattr(kind, "memories")
    stored(vault.lift(target))
    monkeypatch.undo()
    assert vault.read(target).trust == "candidate"


def test_every_record_is_found_by_its_moment_and_none_beside_it(world: World) -> None:
    for n in range(7):
        said(world.vault, f"Note {n} is here")
    ground = world.vault._ground
    with ground.store.transaction() as transaction:
        draft = Draft.begun(ground, transaction)
        records = transaction.records(Page(-1, 1_000))
        assert len(records) == draft.head.size > 6
        assert [_record_at(draft, record.recorded) for record in records] == records
        assert _record_at(draft, records[0].recorded.replace(year=1990)) is None
        assert _record_at(draft, records[-1].recorded.replace(year=2990)) is None
        assert _record_at(draft, draft.recorded) is None


def test_a_log_with_a_gap_is_not_relied_on(vault: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    target = said(vault, VALUE)
    stored(vault.reject(target))
    with vault._ground.store.transaction() as transaction:
        draft = Draft.begun(vault._ground, transaction)
        whole = transaction.records

        def without_the_last(page: Page) -> list[Record]:
            return [record for record in whole(page) if record.position != draft.head.size - 1]

        monkeypatch.setattr(transaction, "records", without_the_last)
        with pytest.raises(Tampered, match="missing"):
            _record_at(draft, draft.recorded)
