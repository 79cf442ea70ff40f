"""Can one record be proved to who has no vault, and nothing else be passed off for it, on every store?"""

import base64
import importlib.util
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from muniment.domain import checkpoint
from muniment.errors import BadInput, NotFound
from muniment.service.vault import Vault
from tests.builders import stored
from tests.conftest import ROOT

VERIFIER = ROOT / "docs" / "verify_record.py"


def _verified() -> Callable[..., Mapping[str, str]]:
    spec = importlib.util.spec_from_file_location("verify_record", VERIFIER)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    found: Callable[..., Mapping[str, str]] = module.verified
    return found


verified = _verified()


def filled(vault: Vault, count: int = 5) -> None:
    for number in range(count):
        stored(vault.remember(f"The heron of nest {number} is grey"))


def test_every_record_is_proved_by_the_script_of_the_docs(vault: Vault) -> None:
    filled(vault)
    records = vault.log(limit=100, newest_first=False)
    assert len(records) >= 5
    for record in records:
        said = verified(vault.prove(record.position))
        assert said["record"] == str(record.position)
        assert f'"act":"{record.act}"' in said["head"]
        assert said["size"] == str(len(records))


@pytest.mark.parametrize("count", [0, 1, 2, 6, 7, 12])
def test_a_log_of_any_length_has_its_proofs(vault: Vault, count: int) -> None:
    filled(vault, count)
    size = len(vault.log(limit=100))
    assert [int(verified(vault.prove(at))["record"]) for at in range(size)] == list(range(size))


def test_a_proof_names_the_key_that_signed_and_another_is_refused(vault: Vault) -> None:
    filled(vault)
    proof, key = vault.prove(2), vault.ground.outside.keyring.public_key
    own = base64.b64encode(key).decode()
    assert verified(proof, own)["key"] == own
    with pytest.raises(ValueError):
        verified(proof, base64.b64encode(bytes(32)).decode())


def _lines(proof: str, word: str) -> list[str]:
    return [line for line in proof.splitlines() if line.startswith(word + " ")]


@pytest.mark.parametrize("word", ["record", "head", "entries", "path", "key"])
def test_no_word_of_a_proof_can_be_altered(vault: Vault, word: str) -> None:
    filled(vault)
    proof, other = vault.prove(3), vault.prove(4)
    for old, new in zip(_lines(proof, word), _lines(other, word), strict=False):
        if old != new:
            with pytest.raises(ValueError):
                verified(proof.replace(old, new))
    (head,) = _lines(proof, "head")
    with pytest.raises(ValueError):
        verified(proof.replace(head, head.replace("remember", "retract")))


def test_a_proof_that_is_cut_or_of_another_log_is_refused(vault: Vault) -> None:
    filled(vault)
    proof = vault.prove(3)
    for cut in (
        proof.replace(_lines(proof, "path")[0] + "\n", ""),
        proof.replace("/record/v1", "/record/v2"),
    ):
        with pytest.raises(ValueError):
            verified(cut)
    shown, _, note = proof.partition("\n\n")
    size = checkpoint.body_of(note).splitlines()[1]
    with pytest.raises(ValueError):
        verified(shown + "\n\n" + note.replace(f"\n{size}\n", f"\n{int(size) + 1}\n"))


def test_a_proof_holds_no_value_also_after_an_erasure(vault: Vault) -> None:
    id = stored(vault.remember("The locker code is QZ7-HERON-4417")).id
    filled(vault)
    vault.erase(vault.plan_erasure(id=id))
    for at in range(len(vault.log(limit=100))):
        proof = vault.prove(at)
        assert "4417" not in proof and "HERON" not in proof
        assert verified(proof)


@pytest.mark.parametrize("record", [-1, True, "1", 10_000])
def test_what_is_no_record_of_the_log_has_no_proof(vault: Vault, record: int) -> None:
    filled(vault)
    with pytest.raises(NotFound if record == 10_000 else BadInput):
        vault.prove(record)


def test_an_agent_gets_no_proof_as_it_reads_no_log(vault: Vault) -> None:
    filled(vault)
    with pytest.raises(BadInput):
        vault.acting_as(actor="coder", role="agent").prove(0)


def test_the_script_says_what_it_saw(vault: Vault, tmp_path: Path) -> None:
    filled(vault)
    path = tmp_path / "record.proof"
    path.write_text(vault.prove(1), "utf-8")
    done = subprocess.run([sys.executable, VERIFIER, path], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("holds: record 1 of ")
