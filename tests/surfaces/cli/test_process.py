"""How does the process behave?  Light imports, quiet pipes, clean interrupts, no traceback."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from muniment.surfaces.cli.main import COMMANDS, answered
from muniment.surfaces.cli.screen import cells, safe, shortened, wrapped
from tests.surfaces.cli.conftest import Home, Run, command, environment

HEAVY = ("apsw", "cryptography", "regex", "mcp", "rich", "numpy", "pydantic", "Stemmer", "sqlite3")

LATE = (
    "muniment.adapters.chunks",
    "muniment.adapters.claim_patterns",
    "muniment.adapters.clauses",
    "muniment.adapters.extractor",
    "muniment.adapters.importers",
    "muniment.domain.credential",
    "muniment.domain.exchange",
    "muniment.domain.intent",
    "muniment.gate.conflict",
    "muniment.gate.verdict",
    "muniment.service.conversations",
    "muniment.service.credentials",
    "muniment.service.curate",
    "muniment.service.explore",
    "muniment.service.export_rows",
    "muniment.service.import_vault",
    "muniment.service.remember",
    "muniment.service.restore",
    "muniment.service.revise",
    "muniment.service.share",
    "muniment.service.upkeep",
    "muniment.service.verify",
    "muniment.store.memory",
    "muniment.store.postgres",
)
"""Beginnings of the names of modules that a recall never uses."""

_LISTING = """\
import json, sys
from muniment.surfaces.cli.main import main
try:
    main(json.loads(sys.argv[1]))
finally:
    print(json.dumps(sorted(sys.modules)), file=sys.stderr)
"""


def _loaded(*arguments: str) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-c", _LISTING, json.dumps(arguments)],
        capture_output=True,
        env=environment(),
        timeout=60,
        check=False,
    )
    return set(json.loads(done.stderr.splitlines()[-1]))


def _tops(modules: set[str]) -> set[str]:
    return {name.split(".")[0] for name in modules}


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], ["bogus"], []])
def test_help_loads_nothing_heavy(arguments: list[str]) -> None:
    loaded = _loaded(*arguments)
    assert "muniment.surfaces.cli.main" in loaded
    assert not _tops(loaded) & set(HEAVY)
    own = {name for name in loaded if name.startswith("muniment")}
    assert own <= {
        "muniment",
        "muniment.errors",
        "muniment.surfaces",
        "muniment.surfaces.problems",
        "muniment.surfaces.cli",
        "muniment.surfaces.cli.call",
        "muniment.surfaces.cli.main",
        "muniment.surfaces.cli.screen",
    }


def test_a_recall_loads_only_what_it_needs(place: Home) -> None:
    loaded = _loaded("--vault", str(place.vault), "recall", "anything")
    assert "apsw" in loaded, "the list of modules is not being read"
    assert not _tops(loaded) & {
        "mcp",
        "rich",
        "numpy",
        "pydantic",
        "regex",
        "sqlite3",
        "httpx",
        "asyncio",
        "zoneinfo",
    }
    others = {name.rpartition(".")[2] for name in loaded if name.startswith("muniment.surfaces.")}
    assert not others & {"demo", "serve", "moving", "care", "mcp", "keys"}
    assert not {name for name in loaded if name.startswith(LATE)}


@pytest.mark.parametrize(
    ("arguments", "needed"),
    [
        (["why", "m_0"], "muniment.service.explore"),
        (["verify"], "muniment.service.verify"),
        (["import", __file__], "muniment.adapters.importers.detect"),
        (["keys", "list"], "muniment.service.credentials"),
        (["remember", "The sea is calm"], "muniment.service.remember"),
    ],
)
def test_a_verb_loads_what_it_alone_needs(arguments: list[str], needed: str, place: Home) -> None:
    assert needed.startswith(LATE)
    assert needed in _loaded(*place.owner, *arguments)


def test_a_command_of_the_table_is_loaded_alone() -> None:
    loaded = _loaded("remember", "--help")
    assert "muniment.surfaces.cli.writing" in loaded
    assert not _tops(loaded) & {"apsw", "cryptography", "mcp", "rich", "numpy", "pydantic"}
    assert len(COMMANDS) >= 31


def test_a_public_name_is_loaded_at_its_first_use() -> None:
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            "import sys, muniment\n"
            "assert 'muniment.wiring' not in sys.modules\n"
            "assert issubclass(muniment.MunimentError, Exception)\n"
            "assert 'muniment.wiring' not in sys.modules\n"
            "assert muniment.open.__name__ == 'open_vault' and muniment.reference_vault\n"
            "assert set(muniment.__all__) <= set(dir(muniment))\n"
            "assert not hasattr(muniment, 'nonsense')\n",
        ],
        env=environment(),
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()


def test_a_reader_that_goes_away_is_not_an_error(run: Run, place: Home) -> None:
    assert run(*place.owner, "log").code == 0
    process = subprocess.Popen(
        command([*place.owner, "log"]), stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment()
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    errors = process.stderr.read()
    assert process.wait(60) == 141
    assert errors == b""


def test_an_interrupt_ends_cleanly(place: Home) -> None:
    process = subprocess.Popen(
        command([*place.owner, "remember", "-"]),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
    )
    time.sleep(1.5)
    process.send_signal(signal.SIGINT)
    out, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert (out, errors.strip()) == (b"", b"")


def test_closed_streams_are_answered_without_a_traceback(place: Home) -> None:
    line = f'"$0" -m muniment --vault "{place.vault}" remember - <&-; echo "code $?"'
    done = subprocess.run(
        ["sh", "-c", line, sys.executable], capture_output=True, env=environment(), check=False
    )
    assert b"Traceback" not in done.stderr
    assert done.stdout.strip() == b"code 2"


def test_what_nobody_foresaw_is_answered_without_its_text(capsys: pytest.CaptureFixture[str]) -> None:
    def deed() -> object:
        raise ZeroDivisionError("the secret is 4711")

    assert answered(deed, as_json=False) == 70
    shown = capsys.readouterr()
    assert shown.err.startswith("unexpected: ")
    assert "ZeroDivisionError" in shown.err
    assert "4711" not in shown.err + shown.out
    assert answered(deed, as_json=True) == 70
    assert json.loads(capsys.readouterr().out)["error"]["code"] == "unexpected"
    assert answered(lambda: 3, as_json=False) == 3
    assert answered(lambda: None, as_json=False) == 0


def test_a_path_that_is_no_text_can_still_be_a_file(run: Run, place: Home, tmp_path: Path) -> None:
    name = b"talk-\xff.jsonl"
    turn = {"session": "s", "id": "1", "role": "user", "text": "The mill is red"}
    with open(os.path.join(os.fsencode(tmp_path), name), "w", encoding="utf-8") as file:
        file.write(json.dumps(turn) + "\n")
    done = run(*place.owner, "--json", "import", name)
    assert done.code in (0, 2)
    assert (done.code == 0) or "unreadable-path" in done.out or "bad-input" in done.out


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain", "plain"),
        ("a\x1b[31mb", "a\\x1b[31mb"),
        ("a\tb\r\n", "a\\tb\\r\\n"),
        ("a\u202eb\u2028c", "a\\u202eb\\u2028c"),
        ("\U000e0041", "\\U000e0041"),
        ("\ud800", "\\ud800"),
        ("Zo\u00eb \U0001f469\u200d\U0001f52c", "Zo\u00eb \U0001f469\u200d\U0001f52c"),
    ],
)
def test_what_could_act_on_a_screen_is_spelled_out(text: str, shown: str) -> None:
    assert safe(text) == shown


def test_a_line_break_stays_one_only_where_lines_are_wanted() -> None:
    assert safe("a\nb", lines=True) == "a\nb"
    assert safe("a\nb") == "a\\nb"


def test_lines_are_wrapped_by_the_columns_they_take() -> None:
    wide = "\u4e8b\u52d9\u6240" * 20
    for line in wrapped(wide, width=30, indent="  "):
        assert cells(line) <= 30
    assert "".join(part.strip() for part in wrapped(wide, width=30, indent="  ")) == wide
    assert wrapped("one two three", width=8) == ["one two", "three"]
    assert wrapped("", width=8, first="> ") == ["> "]
    assert wrapped("a\n  b", width=8) == ["a", "  b"]
    assert cells("e\u0301") == 1


def test_a_text_is_shortened_and_says_so() -> None:
    assert shortened("a  b\nc", characters_max=10) == "a b c"
    assert shortened("abcdefghijk", characters_max=10) == "abcdefg..."
    assert len(shortened("x" * 100, characters_max=10)) == 10


def test_a_command_that_init_shows_can_be_copied_whole(at_terminal: Run, tmp_path: Path) -> None:
    """A break within it would run half of the command, and then a word of its own."""
    vault = tmp_path / ("deep" * 20) / "v.db"
    vault.parent.mkdir()
    shown = f"  muniment --key @{vault}.keys/owner.key status"
    for told in ("Made a vault", "A script acts as its owner"):
        done = at_terminal("--vault", str(vault), "init")
        assert done.code == 0 and told in done.out
        assert shown in done.out.split("\n")


def test_a_person_who_starts_what_speaks_mcp_is_told_so(at_terminal: Run, run: Run, place: Home) -> None:
    told = "Speaking MCP here; mostly an agent's host starts this."
    assert told in at_terminal(*place.agent, "serve", typed="\x04").out
    assert told not in run(*place.agent, "serve").errors
