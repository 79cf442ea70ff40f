"""Does the ledger say which built-in rights a daemon had, once for every change of them?"""

from dataclasses import replace
from types import MappingProxyType

import pytest

from muniment import limits
from muniment.domain.principal import ActorRole, Principal
from muniment.domain.rights import RIGHTS, Peer, digest_of
from muniment.service import granting
from muniment.service.granting import DEED, DENIED, record_denied, record_rights, recorded
from muniment.service.vault import Vault
from tests.builders import World, stored

OTHER = MappingProxyType({Peer.LOOP: ("recall",)})


def acts(vault: Vault) -> list[str]:
    return [row.act for row in vault.log(limit=100)]


def test_the_digest_is_on_record_and_the_log_shows_it(vault: Vault) -> None:
    found = record_rights(vault.ground)
    assert found is not None
    (row,) = [row for row in vault.log(limit=10) if row.act == DEED]
    assert (row.position, row.fields["digest"]) == (found.position, digest_of(RIGHTS))
    assert row.fields["rights"] == sum(len(calls) for calls in RIGHTS.values())


def test_verify_says_which_rights_are_on_record_and_none_before(vault: Vault) -> None:
    assert vault.verify().rights == ""
    record_rights(vault.ground)
    report = vault.verify()
    assert report.ok
    assert report.rights == digest_of(RIGHTS)


def test_the_same_rights_are_recorded_once_also_after_a_restart(world: World) -> None:
    first = record_rights(world.vault.ground)
    stored(world.vault.remember("The kettle is blue"))
    assert record_rights(world.vault.ground) == first
    again = world.restarted()
    assert record_rights(again.ground) == first
    assert acts(again).count(DEED) == 1


def test_other_rights_are_recorded_anew(vault: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    record_rights(vault.ground)
    monkeypatch.setattr(granting, "RIGHTS", OTHER)
    record_rights(vault.ground)
    assert [row.fields["digest"] for row in vault.log(limit=10) if row.act == DEED] == [
        digest_of(OTHER),
        digest_of(RIGHTS),
    ]
    assert vault.verify().rights == digest_of(OTHER)


def test_the_digest_is_looked_for_page_by_page(vault: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    first = record_rights(vault.ground)
    for number in range(7):
        stored(vault.remember(f"Kettle {number} is blue"))
    monkeypatch.setattr(limits, "page_rows_max", 3)
    assert record_rights(vault.ground) == first


def test_beyond_the_bound_it_is_recorded_once_more(vault: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    """`rights_records_max` bounds the look, so that a start stays quick on a long log."""
    record_rights(vault.ground)
    for number in range(5):
        stored(vault.remember(f"Kettle {number} is blue"))
    newest = vault.log(limit=1)[0].position
    within = newest - vault.log(limit=100)[-1].position + 1
    monkeypatch.setattr(limits, "rights_records_max", within)
    record_rights(vault.ground)
    assert acts(vault).count(DEED) == 1
    monkeypatch.setattr(limits, "rights_records_max", 3)
    record_rights(vault.ground)
    assert acts(vault).count(DEED) == 2


def test_an_empty_log_has_none(vault: Vault) -> None:
    with vault.ground.store.snapshot() as snapshot:
        assert recorded(snapshot) is None


def test_a_refused_attempt_is_no_digest(vault: Vault) -> None:
    """A record of the same act that was refused says nothing about rights."""
    with vault.ground.store.transaction() as transaction:
        draft = granting.Draft.begun(vault.ground, transaction)
        draft.commit(DEED, outcome="refused", digest="0" * 64)
    with vault.ground.store.snapshot() as snapshot:
        assert recorded(snapshot) is None


def test_a_vault_that_takes_no_writes_keeps_what_it_has(vault: Vault) -> None:
    ground = vault.ground
    ground.outside = replace(ground.outside, writable=False, why_read_only="The file cannot be written.")
    assert record_rights(ground) is None
    assert acts(vault) == []


def test_a_call_that_was_denied_is_on_record_with_who_tried_it(vault: Vault) -> None:
    agent = Principal("local", "coder", ActorRole.AGENT)
    position = record_denied(vault.ground, agent, peer=Peer.LOOP, call="erase")
    row = vault.log(limit=1)[0]
    assert (row.position, row.act, row.fields["call"]) == (position, DENIED, "erase")
    assert (row.fields["socket"], row.fields["outcome"]) == ("loop", "refused")


@pytest.mark.parametrize(("peer", "call"), [(Peer.LOOP, "recall"), (Peer.LOOP, "the blue kettle")])
def test_only_a_call_of_the_table_can_be_denied_on_record(vault: Vault, peer: Peer, call: str) -> None:
    with pytest.raises(AssertionError):
        record_denied(vault.ground, vault.principal, peer=peer, call=call)
    assert acts(vault) == []
