"""Does a vault leave whole, as one file that anyone can check?"""

import hashlib
import re
import stat
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from muniment.domain.checkpoint import note as note_text
from muniment.domain.checkpoint import parsed, signature_line
from muniment.domain.principal import ActorRole, Principal
from muniment.errors import MissingKey, Refusal, Unreadable
from muniment.service import share
from muniment.service.share import export
from muniment.service.vault import Vault
from tests.builders import acts, stored
from tests.carrying import Places, exported, home, ids, lines, places

__all__ = ["exported", "home", "ids", "places"]

ROOT = Path(__file__).resolve().parents[2]


def test_an_export_holds_every_kind_of_row(exported: Path) -> None:
    kinds = {str(one.get("row")) for one in lines(exported)[1:]}
    assert kinds == {
        "record", "space", "actor", "credential", "session", "version", "evidence",
        "link", "tombstone", "recall", "matter",
        "stub", "certificate",
    }  # fmt: skip


def test_the_first_line_says_whose_log_it_is(home: Vault, exported: Path) -> None:
    first = lines(exported)[0]
    with home.ground.store.snapshot() as snapshot:
        vault = snapshot.head().vault
    assert (first["muniment"], first["version"], first["vault"]) == ("export", 1, vault)
    assert first["size"] == len([one for one in lines(exported)[1:] if one["row"] == "record"])


def test_each_record_is_followed_by_its_rows_in_order(exported: Path) -> None:
    record, place = -1, 0
    for one in lines(exported)[1:]:
        if one["row"] == "record":
            assert one["position"] == record + 1
            record, place = record + 1, 0
        else:
            assert one["seal"][1:] == [record, place]
            place += 1


def test_the_same_rows_are_the_same_bytes(home: Vault, places: Places, ids: dict[str, str]) -> None:
    home.ground.outside = replace(home.ground.outside, writable=False, why_read_only="a test")
    first, second = home.export(places.path("a")), home.export(places.path("b"))
    assert places.path("a").read_bytes() == places.path("b").read_bytes()
    assert first.sha256 == second.sha256
    assert (first.record, second.record) == (-1, -1)


def test_an_export_goes_on_record_after_its_file_was_written(home: Vault, places: Places) -> None:
    stored(home.remember("Tea is at four"))
    report = home.export(places.path("a"))
    assert home.log(limit=1)[0].position == report.record == report.records
    assert acts(home)[-1] == "export"
    assert not any('"export"' in str(one.get("head")) for one in lines(places.path("a")))
    home.export(places.path("b"))
    assert any('"export"' in str(one.get("head")) for one in lines(places.path("b")))


def test_every_file_of_an_export_is_its_owners_alone(exported: Path) -> None:
    for path in (exported, share.checkpoint_beside(exported), share.keys_beside(exported)):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [path.name for path in exported.parent.iterdir() if path.name.endswith(".part")] == []


def test_keys_are_left_out_when_asked(home: Vault, places: Places) -> None:
    assert home.export(places.path("a"), keys=False).keys is None
    assert not share.keys_beside(places.path("a")).exists()
    with_keys = home.export(places.path("b")).keys
    assert with_keys is not None and with_keys.exists()


def test_no_key_of_the_vault_is_in_the_export(home: Vault, exported: Path, ids: dict[str, str]) -> None:
    whole = exported.read_text(encoding="ascii")
    assert home.ground.vault_key.hex() not in whole
    assert ids["key"].split("_")[3] not in whole
    assert home.ground.vault_key.hex() in share.keys_beside(exported).read_text(encoding="ascii")


def test_the_checkpoint_names_file_log_and_key(home: Vault, exported: Path) -> None:
    note = share.checkpoint_beside(exported).read_text(encoding="utf-8")
    digest = hashlib.sha256(exported.read_bytes()).hexdigest()
    assert f"export sha256:{digest}\n" in note
    assert parsed(note).root.hex() == lines(exported)[0]["root"]


def _verifier(place: Path) -> Path:
    guide = (ROOT / "docs" / "export.md").read_text(encoding="utf-8")
    code = re.search(r"```python\n(.*?)```", guide, re.DOTALL)
    assert code is not None
    program = place / "check.py"
    program.write_text(code[1], encoding="utf-8")
    return program


def test_the_program_of_the_guide_checks_an_export(exported: Path, tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, _verifier(tmp_path), exported], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(f"whole: {lines(exported)[0]['size']} records")


def test_the_program_of_the_guide_finds_one_changed_byte(exported: Path, tmp_path: Path) -> None:
    exported.write_bytes(exported.read_bytes().replace(b"five", b"nine", 1))
    done = subprocess.run([sys.executable, _verifier(tmp_path), exported], capture_output=True, text=True)
    assert done.returncode != 0 and "another file" in done.stderr


def _last_line_less(whole: bytes) -> bytes:
    return whole[: whole.rstrip(b"\n").rindex(b"\n") + 1]


def _half(whole: bytes) -> bytes:
    return whole[: len(whole) // 2]


def _a_record_less(whole: bytes) -> bytes:
    rows = whole.splitlines(keepends=True)
    last = max(at for at, line in enumerate(rows) if b'"row":"record"' in line)
    return b"".join(rows[:last] + rows[last + 1 :])


def _an_entry_changed(whole: bytes) -> bytes:
    at = whole.rindex(b'"entries":"') + len(b'"entries":"')
    return whole[:at] + (b"0" if whole[at : at + 1] != b"0" else b"1") + whole[at + 1 :]


def _resealed(exported: Path) -> None:
    """Let the checkpoint name the file as it is now; whoever does that cannot sign it."""
    note = share.checkpoint_beside(exported)
    digest = hashlib.sha256(exported.read_bytes()).hexdigest()
    text = note.read_text(encoding="utf-8")
    note.write_text(re.sub(r"sha256:[0-9a-f]{64}", f"sha256:{digest}", text), encoding="utf-8")


CHANGED = [_last_line_less, _half, _a_record_less, _an_entry_changed, lambda whole: whole + b"\n"]


@pytest.mark.parametrize("change", CHANGED)
@pytest.mark.parametrize("resealed", [False, True])
def test_the_program_of_the_guide_takes_no_export_that_was_cut_or_changed(
    exported: Path, tmp_path: Path, change: Callable[[bytes], bytes], resealed: bool
) -> None:
    exported.write_bytes(change(exported.read_bytes()))
    if resealed:
        _resealed(exported)
    done = subprocess.run([sys.executable, _verifier(tmp_path), exported], capture_output=True, text=True)
    assert done.returncode != 0 and "whole" not in done.stdout
    assert ("InvalidSignature" if resealed else "another file") in done.stderr


def test_the_program_of_the_guide_checks_the_log_itself(exported: Path, tmp_path: Path, home: Vault) -> None:
    """A digest that is signed for another log proves nothing: the root has to be the log's."""
    note = share.checkpoint_beside(exported)
    exported.write_bytes(_a_record_less(exported.read_bytes()))
    _resealed(exported)
    body = note.read_text(encoding="utf-8").split("\n\n")[0] + "\n"
    keyring = home.ground.outside.keyring
    line = signature_line(body.split("\n")[0], keyring.public_key, keyring.sign(body.encode()))
    note.write_text(note_text(body, (line,)), encoding="utf-8")
    done = subprocess.run([sys.executable, _verifier(tmp_path), exported], capture_output=True, text=True)
    assert done.returncode != 0 and "another log" in done.stderr


def test_the_program_of_the_guide_checks_an_export_after_an_erasure(
    home: Vault, places: Places, tmp_path: Path
) -> None:
    """Content goes, the log stays: stubs and certificates are rows like others."""
    id = stored(home.remember("The tide table is in the blue drawer of the boathouse")).id
    home.erase(home.plan_erasure(id=id))
    path = places.path("after")
    report = home.export(path)
    done = subprocess.run([sys.executable, _verifier(tmp_path), path], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(f"whole: {report.records} records")
    whole = path.read_bytes()
    assert b"boathouse" not in whole and b'"row":"stub"' in whole and b'"row":"certificate"' in whole


def test_a_vault_is_used_while_it_is_exported(
    home: Vault, places: Places, ids: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(share, "PROGRESS_EVERY", 5)
    seen: list[int] = []

    def write_meanwhile(count: int) -> None:
        seen.append(count)
        stored(home.remember(f"A thing that was written meanwhile, number {count}"))

    with home.ground.store.snapshot() as snapshot:
        size = snapshot.head().size
    report = home.export(places.path("a"), progress=write_meanwhile)
    assert seen == sorted(set(seen)) and len(seen) > 3
    assert report.records == size
    assert b"written meanwhile" not in places.path("a").read_bytes()
    places.vault("other").restore(places.path("a"))


def test_an_export_that_cannot_be_written_leaves_nothing(home: Vault, places: Places) -> None:
    with pytest.raises(Unreadable):
        home.export(places.place / "nowhere" / "a.jsonl")
    before = places.path("a")
    before.write_text("precious", encoding="ascii")
    with pytest.raises(MissingKey):
        outside = replace(home.ground.outside, verifiable=False, why_read_only="The keys are gone.")
        home.ground.outside = outside
        home.export(before)
    assert before.read_text(encoding="ascii") == "precious"


@pytest.mark.parametrize("role", [ActorRole.AGENT, ActorRole.MEMBER])
def test_who_may_not_export_gets_no_file_and_is_on_record(
    home: Vault, places: Places, role: ActorRole
) -> None:
    stranger = Principal(home.principal.tenant, "stranger", role)
    with pytest.raises(Refusal):
        export(home.ground, stranger, places.path("a"))
    assert not places.path("a").exists()
    row = home.log(limit=1)[0]
    assert (row.act, row.fields["outcome"]) == ("export", "refused")


@pytest.mark.parametrize("role", [ActorRole.ADMIN, ActorRole.AUDITOR])
def test_an_admin_and_an_auditor_may_export(home: Vault, places: Places, role: ActorRole) -> None:
    export(home.ground, Principal(home.principal.tenant, "someone", role), places.path("a"), keys=False)
    assert lines(places.path("a"))[0]["muniment"] == "export"
