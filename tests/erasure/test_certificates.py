"""Does a certificate prove itself to someone who has only the note, and who may see it here?"""

import base64
import hashlib
import runpy
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import muniment
from muniment.adapters.signing import is_signed
from muniment.domain.certificate import Certificate, Status, parsed, verified
from muniment.domain.principal import ActorRole
from muniment.errors import BadInput, NotFound
from muniment.service.vault import Vault
from tests.builders import World, stored
from tests.conftest import ROOT
from tests.erasure.planting import CODE, TWIN

VERIFIER = ROOT / "docs" / "verify_erasure.py"


def erased(vault: Vault, text: str = CODE) -> Certificate:
    stored(vault.remember(f"The code is {text}"))
    return vault.erase(vault.plan_erasure(text=text))


def test_a_certificate_is_signed_by_the_vault_over_its_log(world: World) -> None:
    certificate = erased(world.vault)
    keyring = world.vault.ground.outside.keyring
    found = verified(certificate.note, (keyring.public_key,), check=is_signed)
    assert found == certificate
    assert base64.b64decode(found.key) == keyring.public_key
    rows = world.vault.log(newest_first=False, limit=1000)
    (deed,) = [row for row in rows if row.act == "erase"]
    assert found.size == deed.position + 1
    assert {store.name for store in found.stores} >= {"version"}
    assert all(store.found == store.deleted == store.absent for store in found.stores)


def test_a_certificate_holds_no_value_and_no_digest_of_one_without_a_key(world: World) -> None:
    certificate = erased(world.vault)
    said = certificate.note.lower()
    for text in (CODE, CODE.lower(), f"The code is {CODE}"):
        assert text.lower() not in said
        for name in ("md5", "sha1", "sha256", "blake2b"):
            digest = hashlib.new(name, text.encode())
            assert digest.hexdigest()[:16] not in said
            assert base64.b64encode(digest.digest()).decode()[:16].lower() not in said


def test_each_erasure_has_its_own_notes_the_newest_first(world: World) -> None:
    one, two = erased(world.vault), erased(world.vault, TWIN)
    rows = world.vault.certificates()
    assert [row.erasure for row in rows] == [two.id, two.id, one.id, one.id]
    assert {row.status for row in rows} == {"logical", "storage-complete"}
    assert world.vault.certificate(one.id) == one.note
    assert parsed(world.vault.certificate(two.id)).status is Status.STORAGE_COMPLETE
    assert [row.n for row in world.vault.certificates(limit=1)] == [rows[0].n]
    assert [row.n for row in world.vault.certificates(after=rows[1].n)] == [row.n for row in rows[2:]]


def test_a_certificate_outlives_a_restart(world: World) -> None:
    certificate = erased(world.vault)
    assert world.restarted().certificate(certificate.id) == certificate.note


def test_an_auditor_reads_certificates_and_an_agent_does_not(world: World) -> None:
    certificate = erased(world.vault)
    auditor = world.vault.acting_as(actor="eve", role=ActorRole.AUDITOR.value)
    assert auditor.certificate(certificate.id) == certificate.note
    agent = world.vault.acting_as(actor="coder")
    for look in (agent.certificates, lambda: agent.certificate(certificate.id)):
        with pytest.raises(BadInput):
            look()


@pytest.mark.parametrize("id", ["", "x_" + "0" * 26, "nothing", "m_" + "0" * 26])
def test_a_certificate_that_is_not_there_is_not_found(world: World, id: str) -> None:
    erased(world.vault)
    with pytest.raises(NotFound):
        world.vault.certificate(id)


def test_a_certificate_of_a_pending_erasure_does_not_read_as_complete(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("muniment.limits.erasure_wait_ms_max", 50)
    with muniment.open(tmp_path / "vault.db") as vault, muniment.open(tmp_path / "vault.db") as other:
        id = stored(vault.remember(f"The code is {CODE}")).id
        with other.ground.store.snapshot() as snapshot:
            assert snapshot.currents((id,))
            certificate = vault.erase(vault.plan_erasure(id=id))
            assert certificate.status is Status.LOGICAL
            assert "storage pending\n" in certificate.note
            assert "storage-complete" not in certificate.note
            assert "storage-complete" not in vault.certificate(certificate.id)
        assert _settled(vault) == Status.STORAGE_COMPLETE.value


def _settled(vault: Vault) -> str:
    vault.settle()
    return vault.certificates()[0].status


CHANGES: dict[str, Callable[[str], str]] = {
    "a count": lambda note: note.replace("deleted 1", "deleted 9"),
    "the status": lambda note: note.replace("status storage-complete", "status logical"),
    "the id": lambda note: note.replace("id x_", "id x_0", 1),
    "a line less": lambda note: note.replace("basis request\n", ""),
    "a line more": lambda note: note.replace("basis request\n", "basis request\nbasis request\n"),
    "cut in the middle": lambda note: note[: len(note) // 2],
    "no signature": lambda note: note.partition("\n\n")[0] + "\n\n",
    "another name": lambda note: note.replace("\u2014 muniment/", "\u2014 other/"),
    "another form": lambda note: note.replace("/erasure/v1", "/erasure/v2"),
    "the signature": lambda note: note[:-12] + "AAAA" + note[-8:],
}


def test_the_verifier_of_the_guide_says_that_a_true_one_holds(world: World, tmp_path: Path) -> None:
    certificate = erased(world.vault)
    check = runpy.run_path(str(VERIFIER))["verified"]
    said = check(certificate.note)
    assert said["id"] == [certificate.id] and said["status"] == ["storage-complete"]
    assert check(certificate.note, certificate.key)["key"] == [certificate.key]
    file = tmp_path / "certificate"
    file.write_text(certificate.note, "utf-8")
    done = subprocess.run(
        [sys.executable, str(VERIFIER), str(file), certificate.key],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0 and certificate.id in done.stdout, done.stderr


@pytest.mark.parametrize("name", sorted(CHANGES))
def test_the_verifier_of_the_guide_refuses_a_changed_one(vault: Vault, name: str) -> None:
    note = erased(vault).note
    changed = CHANGES[name](note)
    assert changed != note
    check = runpy.run_path(str(VERIFIER))["verified"]
    with pytest.raises((ValueError, KeyError)):
        check(changed)


def test_the_verifier_of_the_guide_refuses_another_key(vault: Vault) -> None:
    check = runpy.run_path(str(VERIFIER))["verified"]
    with pytest.raises(ValueError, match="key"):
        check(erased(vault).note, base64.b64encode(b"k" * 32).decode())
