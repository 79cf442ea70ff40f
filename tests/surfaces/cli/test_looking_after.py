"""Can a vault be made, checked, proven, carried away and filled again from the command line?"""

import json
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from muniment.surfaces.cli.main import COMMANDS
from tests.conftest import ROOT
from tests.surfaces.cli.conftest import Home, Run

Remembered = Callable[..., str]


def test_init_makes_a_vault_and_a_private_owner_key(quick: Run, tmp_path: Path) -> None:
    vault = tmp_path / "deep" / "v.db"
    done = quick("--vault", str(vault), "init")
    assert done.code == 0
    key = vault.with_name("v.db.keys") / "owner.key"
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    assert stat.S_IMODE(key.parent.stat().st_mode) == 0o700
    assert stat.S_IMODE(vault.stat().st_mode) == 0o600
    secret = key.read_text(encoding="ascii").strip()
    assert secret.startswith("mun_")
    assert secret not in done.out + done.errors
    assert f"--key @{key}" in done.out


def test_init_shows_the_key_only_when_asked(quick: Run, tmp_path: Path) -> None:
    made = quick("--vault", str(tmp_path / "v.db"), "init", "--show-key", "--json").document
    secret = (tmp_path / "v.db.keys" / "owner.key").read_text(encoding="ascii").strip()
    assert made["key"] == secret
    other = quick("--vault", str(tmp_path / "w.db"), "init", "--json").document
    assert "key" not in other


def test_a_second_init_changes_nothing_and_says_so(quick: Run, place: Home) -> None:
    before = {path.name: path.read_bytes() for path in place.vault.parent.rglob("*.key")}
    records = quick(*place.owner, "--json", "status").document["records"]
    done = quick(*place.agent, "init")
    assert done.code == 0
    assert "nothing was changed" in done.out
    assert {path.name: path.read_bytes() for path in place.vault.parent.rglob("*.key")} == before
    assert quick(*place.owner, "--json", "status").document["records"] == records
    assert quick(*place.agent, "--json", "init").document["made"] is False


@pytest.mark.parametrize(
    "arguments",
    [
        ["recall", "x"],
        ["remember", "x"],
        ["status"],
        ["doctor"],
        ["verify"],
        ["log"],
        ["sessions"],
        ["reindex"],
    ],
)
def test_no_command_but_init_makes_a_vault_by_the_way(
    quick: Run, tmp_path: Path, arguments: list[str]
) -> None:
    done = quick("--vault", str(tmp_path / "none.db"), *arguments)
    assert (done.code, done.code_shown) == (2, "unreadable-path")
    assert "muniment init" in done.errors
    assert list(tmp_path.glob("none*")) == []


@pytest.mark.parametrize(
    ("address", "code", "named"),
    [
        ("postgresql://somebody:secret@127.0.0.1:9/v", 6, "server-lost"),
        ("postgresql://somebody:secret@[::1/v", 2, "bad-store"),
        ("postgresql://somebody:secret%zz@/v", 2, "bad-store"),
        ("postgresql://somebody@127.0.0.1:9/v?password=secret", 6, "server-lost"),
        ("host=nowhere dbname=v password=secret", 2, "unreadable-path"),
        ("ftp://nowhere.invalid/v", 2, "bad-store"),
        ("", 2, "bad-input"),
        (".", 2, "bad-store"),
        ("no/such/directory/v.db", 2, "unreadable-path"),
        ("\x00", 2, "bad-input"),
    ],
)
def test_a_wrong_address_is_named_and_its_password_is_not(
    quick: Run, address: str, code: int, named: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = quick("--vault", address, "status")
    assert (done.code, done.code_shown) == (code, named), done.errors
    assert "secret" not in done.errors + done.out


def test_a_servers_address_in_words_makes_no_file(
    quick: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = quick("--vault", "dbname=v password=secret", "init")
    assert (done.code, done.code_shown) == (2, "bad-store")
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_is_no_vault_is_left_alone(quick: Run, tmp_path: Path) -> None:
    path = tmp_path / "letter.txt"
    path.write_text("Dear Sir or Madam, " * 100, encoding="utf-8")
    for arguments in (["status"], ["init"], ["remember", "x"]):
        done = quick("--vault", str(path), *arguments)
        assert (done.code, done.code_shown) == (5, "not-a-vault"), arguments
    assert path.read_text(encoding="utf-8").startswith("Dear Sir")


def test_a_setting_that_is_wrong_is_named(quick: Run, place: Home) -> None:
    for env in ({"MUNIMENT_SPACE": "../up"}, {"MUNIMENT_TIMEZONE": "Mars/Base"}, {"MUNIMENT_KEY": "mun_x"}):
        done = quick(*place.agent, "status", env=env)
        assert (done.code, done.code_shown) == (2, "bad-input")
        assert next(iter(env)) in done.errors


def test_status_counts_what_is_held(quick: Run, place: Home, remembered: Remembered) -> None:
    before = quick(*place.owner, "--json", "status").document
    remembered("One thing")
    after = quick(*place.owner, "--json", "status").document
    assert after["counts"]["memory"] == before["counts"]["memory"] + 1
    assert after["records"] > before["records"]
    lines = quick(*place.owner, "status").out.splitlines()
    assert any(line.split() == ["memory", "1"] for line in lines)


def test_status_tells_what_of_a_model_was_used(quick: Run, place: Home) -> None:
    assert not [line for line in quick(*place.owner, "status").out.splitlines() if "model" in line]
    env = {"MUNIMENT_MODEL_URL": "http://127.0.0.1:9/v1", "MUNIMENT_MODEL": "small"}
    assert quick(*place.owner, "doctor", env=env).code == 5, "nobody answers there"
    used = quick(*place.owner, "--json", "status").document["model_use"]
    assert used == {"probe": {"calls": 1, "answered": 0, "counted": 0, "tokens_in": 0, "tokens_out": 0}}
    (line,) = (line for line in quick(*place.owner, "status").out.splitlines() if "model" in line)
    assert line.split(maxsplit=2)[2] == "1 call, 0 answered; 0 tokens in, 0 out, told of 0 of them"
    asked = [
        row for row in quick(*place.owner, "--json", "log").document["records"] if row["act"] == "ask_model"
    ]
    assert len(asked) == 1


def test_doctor_is_well_and_says_when_it_is_not(quick: Run, place: Home, remembered: Remembered) -> None:
    remembered("One thing")
    done = quick(*place.owner, "doctor")
    assert done.code == 0
    assert "NOT WELL" not in done.out
    (place.vault.with_name("v.db.keys") / "tombstone-0001.key").unlink()
    ill = quick(*place.agent, "doctor")
    assert ill.code == 5
    assert "NOT WELL" in ill.out
    shaped = quick(*place.agent, "doctor", "--json").document
    assert shaped["well"] is False
    refused = quick(*place.agent, "remember", "Another thing")
    assert (refused.code, refused.code_shown) == (5, "missing-key")


def test_verify_proves_and_finds_what_was_altered(quick: Run, place: Home, remembered: Remembered) -> None:
    id = remembered("The dose is 5 mg")
    well = quick(*place.agent, "verify")
    assert (well.code, well.out[:9]) == (0, "All holds")
    with closing(sqlite3.connect(place.vault)) as intruder:
        changed = intruder.execute("UPDATE version SET text = 'The dose is 50 mg'").rowcount
        intruder.commit()
    assert changed == 1
    ill = quick(*place.agent, "verify")
    assert ill.code == 5
    assert f"altered-row  {id}" in ill.out
    assert "50 mg" not in ill.out
    shaped = quick(*place.agent, "--json", "verify")
    assert shaped.code == 5
    assert shaped.document["ok"] is False
    assert "50 mg" not in quick(*place.agent, "recall", "dose").out
    read = quick(*place.agent, "read", id)
    assert (read.code, read.code_shown) == (5, "tampered")


def test_a_checkpoint_is_a_signed_note(quick: Run, place: Home) -> None:
    note = quick(*place.owner, "checkpoint")
    assert note.code == 0
    assert note.out.startswith("muniment/")
    assert "\u2014 muniment/" in note.out
    refused = quick(*place.agent, "checkpoint", "--new-epoch", "rolled-back")
    assert refused.code == 1


def test_one_record_is_proved_to_who_has_no_vault(
    quick: Run, place: Home, remembered: Remembered, tmp_path: Path
) -> None:
    remembered("The heron nests by the weir")
    printed = quick(*place.owner, "log", "--prove", "1")
    assert printed.code == 0
    proof = tmp_path / "record.proof"
    proof.write_text(printed.out, "utf-8")
    script = [sys.executable, ROOT / "docs" / "verify_record.py", proof]
    assert subprocess.run(script, capture_output=True, text=True, check=True).stdout.startswith(
        "holds: record 1"
    )
    proof.write_text(printed.out.replace('"rows":', '"rows": '), "utf-8")
    assert subprocess.run(script, capture_output=True, check=False).returncode != 0
    assert quick(*place.owner, "--json", "log", "--prove", "1").document["proof"].startswith("muniment/")
    assert quick(*place.owner, "log", "--prove", "999").code == 3
    assert quick(*place.agent, "log", "--prove", "1").code == 2


def test_a_rolled_back_vault_is_refused_until_a_person_accepts_it(
    quick: Run, at_terminal: Run, place: Home, remembered: Remembered
) -> None:
    remembered("Before")
    old = place.vault.read_bytes()
    remembered("After")
    place.vault.write_bytes(old)
    done = quick(*place.agent, "recall", "Before")
    assert (done.code, done.code_shown) == (5, "rolled-back")
    accepting = ("checkpoint", "--new-epoch", "older")
    # An older log may not know that a key was revoked, so no key opens it, and the answer says so.
    keyed = quick(*place.owner, *accepting)
    assert (keyed.code, keyed.code_shown) == (5, "rolled-back")
    assert "at a terminal and without a key" in keyed.errors
    assert at_terminal("--vault", str(place.vault), *accepting).code == 0
    assert "Before" in quick(*place.owner, "recall", "Before").out
    assert "After" not in quick(*place.owner, "recall", "After").out


def test_without_the_vaults_own_keys_the_answer_says_who_can_still_read(
    quick: Run, at_terminal: Run, place: Home, remembered: Remembered
) -> None:
    remembered("The quay opens at six")
    signing = place.vault.with_name("v.db.keys") / "signing.key"
    signing.rename(signing.with_name("elsewhere"))
    done = quick(*place.owner, "recall", "quay")
    assert done.code_shown == "bad-key" and "Put the key directory back" in done.errors
    assert "six" in at_terminal("--vault", str(place.vault), "recall", "quay").out
    signing.with_name("elsewhere").rename(signing)
    assert "six" in quick(*place.owner, "recall", "quay").out


def test_the_index_is_rebuilt(quick: Run, place: Home, remembered: Remembered) -> None:
    remembered("The lighthouse blinks twice")
    done = quick(*place.owner, "reindex")
    assert (done.code, done.out) == (0, "Indexed 1 rows.\n")
    assert "blinks twice" in quick(*place.owner, "recall", "lighthouse").out


def test_what_was_taken_in_twice_is_there_once(quick: Run, place: Home, tmp_path: Path) -> None:
    path = tmp_path / "talk.jsonl"
    turn = {"session": "s", "id": "1", "role": "user", "speaker": "Ada", "text": "The mill is red \ud800"}
    lines = [json.dumps(turn), "not json at all", "", json.dumps({**turn, "id": "2", "text": "And tall"})]
    path.write_text("\n".join(lines), encoding="utf-8")
    first = quick(*place.owner, "import", str(path))
    assert first.code == 0
    assert "added      2" in first.out
    assert "bad lines  1" in first.out
    assert "  line 2: " in first.out
    again = quick(*place.owner, "--json", "import", str(path)).document
    assert (again["added"], again["skipped"], again["bad"]) == (0, 2, 1)
    assert again["bad_lines"][0]["line"] == 2


@pytest.mark.parametrize("name", ["absent.jsonl", "", "letter.txt", "empty", "a\x00b"])
def test_what_cannot_be_taken_in_is_named(quick: Run, place: Home, tmp_path: Path, name: str) -> None:
    (tmp_path / "letter.txt").write_text("Dear Sir", encoding="utf-8")
    (tmp_path / "empty").mkdir()
    done = quick(*place.owner, "import", str(tmp_path / name) if name else "")
    assert done.code == 2
    assert done.code_shown in ("unreadable-path", "bad-input")
    assert done.out == ""


def test_an_unknown_format_is_named(quick: Run, place: Home, tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text("{}", encoding="utf-8")
    done = quick(*place.owner, "import", str(path), "--format", "papyrus")
    assert (done.code, done.code_shown) == (2, "bad-input")


def test_a_shared_conversation_is_taken_in(
    quick: Run, place: Home, shared_data: Callable[[str], Path]
) -> None:
    done = quick(*place.owner, "--json", "import", str(shared_data("transcripts/claude_code")))
    assert done.code == 0
    assert int(str(done.document["added"])) > 0


def test_progress_is_for_a_person_only(at_terminal: Run, run: Run, place: Home, tmp_path: Path) -> None:
    path = tmp_path / "talk.jsonl"
    turns = [{"session": "s", "id": str(n), "role": "user", "text": f"Turn number {n}"} for n in range(3)]
    path.write_text("\n".join(json.dumps(turn) for turn in turns), encoding="utf-8")
    piped = run(*place.owner, "import", str(path))
    assert (piped.code, piped.errors) == (0, "")
    seen = at_terminal(*place.agent, "import", str(path))
    assert "3 items, " in seen.out
    assert " a second" in seen.out


def test_an_export_fills_an_empty_vault_and_is_equal_the_next_time(
    quick: Run, place: Home, remembered: Remembered, tmp_path: Path
) -> None:
    id = remembered("The mill is red", "--from", "2026-01-01")
    out, again, other = tmp_path / "out", tmp_path / "again", tmp_path / "other.db"
    assert quick(*place.owner, "export", str(out)).code == 0
    unasked = quick("--vault", str(other), "restore", str(out))
    assert (unasked.code, unasked.code_shown) == (2, "bad-input")
    assert "--yes" in unasked.errors
    done = quick("--vault", str(other), "restore", str(out), "--yes")
    assert done.code == 0, done.errors
    restored = ("--vault", str(other), "--key", place.key)
    assert quick(*restored, "--json", "read", id).document["valid"] == {"from": "2026-01-01", "until": None}
    assert quick(*restored, "verify").code == 0
    assert quick(*restored, "export", str(again)).code == 0
    assert again.read_bytes()[:4_000] == out.read_bytes()[:4_000]


def test_a_restore_takes_nothing_elses_place(
    quick: Run, place: Home, remembered: Remembered, tmp_path: Path
) -> None:
    remembered("The mill is red")
    out = tmp_path / "out"
    assert quick(*place.owner, "export", str(out)).code == 0
    for caller, code in ((place.owner, 2), (place.agent, 1)):
        done = quick(*caller, "restore", str(out), "--yes")
        assert (done.code, done.out) == (code, "")
    assert "red" in quick(*place.owner, "recall", "mill").out


def test_fault_a_restore_into_a_vault_that_init_made_is_a_dead_end(
    quick: Run, place: Home, tmp_path: Path
) -> None:
    """Its journal holds the program's own edit already; one sentence says how to do without it."""
    out, other, fresh = tmp_path / "out.jsonl", tmp_path / "made.db", tmp_path / "fresh.db"
    assert quick(*place.owner, "export", str(out)).code == 0
    assert quick("--vault", str(other), "init").code == 0
    done = quick("--vault", str(other), "--key", f"@{other}.keys/owner.key", "restore", str(out), "--yes")
    assert (done.code, done.code_shown) == (2, "bad-input")
    assert "a path where nothing lies" in done.errors and "without `init`" in done.errors
    assert quick("--vault", str(fresh), "restore", str(out), "--yes").code == 0
    assert quick("--vault", str(fresh), "verify").code == 0


def test_a_restore_at_a_terminal_counts_and_asks(
    at_terminal: Run, quick: Run, place: Home, tmp_path: Path
) -> None:
    out, other = tmp_path / "out", tmp_path / "other.db"
    assert quick(*place.owner, "export", str(out)).code == 0
    kept = at_terminal("--vault", str(other), "restore", str(out), typed="n\n")
    assert kept.code == 1
    assert "1 vault is about to be filled" in kept.out
    assert at_terminal("--vault", str(other), "restore", str(out), typed="y\n").code == 0
    assert quick("--vault", str(other), "--key", place.key, "--json", "status").document["epoch"] == 2


def test_an_export_is_taken_in_through_the_gate(
    quick: Run, place: Home, remembered: Remembered, tmp_path: Path
) -> None:
    remembered("The mill is red")
    path, other = tmp_path / "out.muniment", tmp_path / "other.db"
    assert quick(*place.owner, "export", str(path)).code == 0
    assert quick("--vault", str(other), "init").code == 0
    owner = ("--vault", str(other), "--key", f"@{other}.keys/owner.key")
    assert quick(*owner, "import", str(path)).code == 0
    found = quick(*owner, "--json", "recall", "mill").document["hits"]
    assert [hit["text"] for hit in found] == ["The mill is red"]
    assert found[0]["rank"] == "import"
    assert quick(*owner, "import", str(path)).code == 0
    assert len(quick(*owner, "--json", "recall", "mill").document["hits"]) == 1
    assert quick(*owner, "verify").code == 0


def test_an_agent_takes_nothing_away(quick: Run, place: Home, tmp_path: Path) -> None:
    done = quick(*place.agent, "export", str(tmp_path / "out"))
    assert (done.code, done.out) == (1, "")
    assert not (tmp_path / "out").exists()


def test_the_server_is_refused_an_unknown_toolset(quick: Run, place: Home) -> None:
    done = quick(*place.agent, "serve", "--tools", "hammer")
    assert (done.code, done.code_shown) == (2, "bad-input")


def test_every_command_explains_itself(quick: Run) -> None:
    for name in COMMANDS:
        done = quick(name, "--help")
        assert done.code == 0
        assert f"muniment {name}" in done.out
        assert "--json" in done.out


def test_the_group_without_a_command_shows_the_list(quick: Run) -> None:
    done = quick()
    assert done.code == 2
    assert "remember" in done.out + done.errors
    unknown = quick("rember", "x")
    assert (unknown.code, unknown.code_shown) == (2, "bad-call")
