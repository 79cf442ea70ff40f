"""Does the tour of the guide work as it stands, command by command?"""

import os
import re
import stat
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.conftest import ROOT

TOUR = ROOT / "docs" / "guide" / "tour.md"
_BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_ID = re.compile(r"\b[a-z]_[0-9a-v]{26}\b")
_ANY = "\u2026"


@dataclass(frozen=True, slots=True)
class Step:
    """One command of the page and the lines that it is said to answer with, in order."""

    command: str
    lines: tuple[str, ...]


def steps(text: str) -> list[Step]:
    """Return the commands of a page: `$ ` begins one, `> ` goes on, anything else is its answer."""
    found: list[Step] = []
    for line in "".join(_BLOCK.findall(text)).splitlines():
        if line.startswith("$ "):
            found.append(Step(line[2:], ()))
        elif line.startswith("> "):
            found[-1] = Step(f"{found[-1].command}\n{line[2:]}", ())
        else:
            found[-1] = Step(found[-1].command, (*found[-1].lines, line))
    return found


class Reader:
    """Follow a page as a person does, who puts the ids of the screen in place of the page's."""

    def __init__(self) -> None:
        self.ids: dict[str, str] = {}

    def typed(self, command: str) -> str:
        """Return the command with the ids that were shown."""
        return _ID.sub(lambda found: self.ids[found[0]], command)

    def missing(self, step: Step, answer: str) -> list[str]:
        """Return the lines of the page that the answer lacks, or has in another order."""
        shown, lacking = answer.splitlines(), []
        for line in step.lines:
            at = next((n for n, one in enumerate(shown) if self._fits(line, one)), None)
            if at is None:
                lacking.append(line)
            else:
                shown = shown[at + 1 :]
        return lacking

    def _fits(self, line: str, shown: str) -> bool:
        """Say whether a line is as on the page; an id of the page is the same one everywhere."""
        pattern = re.escape(" ".join(line.split())).replace(re.escape(_ANY), ".*")
        seen: set[str] = set()

        def as_shown(found: re.Match[str]) -> str:
            name = found[0]
            if name in self.ids:
                return self.ids[name]
            again = name in seen
            seen.add(name)
            return f"(?P={name})" if again else f"(?P<{name}>{_ID.pattern})"

        pattern = _ID.sub(as_shown, pattern)
        match = re.fullmatch(pattern, " ".join(shown.split()))
        if match is None:
            return False
        self.ids.update(match.groupdict())
        return True


class Shell:
    """Run commands one after the other in one directory; what a command sets, the next one finds."""

    def __init__(self, place: Path) -> None:
        self._place = place / "tour"
        self._place.mkdir()
        self._state = place / "state.sh"
        self._state.write_text("", encoding="utf-8")
        programs = place / "programs"
        programs.mkdir()
        program = programs / "muniment"
        program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m muniment "$@"\n', encoding="utf-8")
        program.chmod(program.stat().st_mode | stat.S_IXUSR)
        self._environ = {
            **os.environ,
            "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
            "PYTHONPATH": str(ROOT / "src"),
            "PYTHONIOENCODING": "utf-8",
        }

    def run(self, command: str) -> tuple[int, str]:
        """Return the exit code and both streams of a command."""
        script = f'. "{self._state}"\nset -a\n{command}\ncode=$?\nexport -p > "{self._state}"\nexit $code\n'
        done = subprocess.run(
            ["sh", "-c", script],
            cwd=self._place,
            env=self._environ,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=120,
            check=False,
        )
        return done.returncode, done.stdout.decode("utf-8")


def test_every_command_of_the_tour_answers_as_the_page_says(tmp_path: Path) -> None:
    shell, reader = Shell(tmp_path), Reader()
    for step in steps(TOUR.read_text(encoding="utf-8")):
        code, answer = shell.run(reader.typed(step.command))
        assert code == 0, f"{step.command}\n{answer}"
        assert "Traceback" not in answer
        lacking = reader.missing(step, answer)
        assert not lacking, f"{step.command}\nlacks:\n" + "\n".join(lacking) + f"\nand says:\n{answer}"


def test_the_tour_shows_the_acts_that_it_is_there_to_show() -> None:
    commands = " ".join(step.command for step in steps(TOUR.read_text(encoding="utf-8")))
    shown = set(re.findall(r"\bmuniment (?:-\S+ \S+ )*([a-z]+)", commands))
    assert shown >= {"init", "remember", "recall", "revise", "succeed", "history", "import", "why"}
    assert shown >= {"reject", "cases", "erase"}
    assert shown >= {"verify", "doctor", "log", "export", "restore", "keys", "serve"}
    assert "--as-of" in commands
    assert "--known-at" in commands


_FIRST, _SECOND = "m_06h2j74p61o07f8obfrpem87f4", "m_06h2j74qjprt130gfen79m15i0"
_PAGE = f"""
```console
$ one
stored  {_FIRST}  version 1
also {_SECOND}
$ two {_FIRST} \\
> three
since {_ANY}, believed
```
"""


def test_a_page_is_read_command_by_command() -> None:
    one, two = steps(_PAGE)
    assert one == Step("one", (f"stored  {_FIRST}  version 1", f"also {_SECOND}"))
    assert two == Step(f"two {_FIRST} \\\nthree", (f"since {_ANY}, believed",))


@pytest.mark.parametrize(
    ("answer", "lacking"),
    [
        (f"stored {_SECOND} version 1\nmore\nalso {_FIRST}", 0),
        (f"stored {_SECOND} version 2\nalso {_FIRST}", 1),
        (f"also {_FIRST}\nstored {_SECOND} version 1", 1),
        (f"stored {_SECOND} version 1", 1),
        ("", 2),
    ],
)
def test_a_line_that_is_not_answered_is_noticed(answer: str, lacking: int) -> None:
    assert len(Reader().missing(steps(_PAGE)[0], answer)) == lacking


def test_an_id_of_the_page_means_the_same_one_everywhere() -> None:
    reader = Reader()
    first, second = steps(_PAGE)
    assert not reader.missing(first, f"stored {_SECOND} version 1\nalso {_FIRST}")
    assert reader.typed(second.command) == f"two {_SECOND} \\\nthree"
    assert reader.missing(Step("again", (f"also {_FIRST}",)), f"also {_FIRST}")
    assert not reader.missing(Step("again", (f"also {_FIRST}",)), f"also {_SECOND}")
    assert not reader.missing(second, "since 2026-03-01, believed")


def test_what_one_command_sets_the_next_one_finds(tmp_path: Path) -> None:
    shell = Shell(tmp_path)
    assert shell.run("THEN=$(echo now)") == (0, "")
    assert shell.run('echo "$THEN"; echo aside >&2; exit 3') == (3, "now\naside\n")
    assert shell.run("false")[0] == 1
