"""How does material come in and go out?  Conversations, exports, and a vault filled anew."""

import json
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import click

from muniment.domain.check import counted
from muniment.domain.evidence import BadLine
from muniment.domain.principal import ActorRole
from muniment.errors import Unreadable
from muniment.service.intake import IntakeReport
from muniment.surfaces.cli.call import PLACE, Call, confirmed, verb
from muniment.surfaces.cli.screen import document, pairs, person_looks, tell
from muniment.surfaces.cli.writing import REFUSED
from muniment.surfaces.plain import plain

OWN_FORMAT = "muniment"
"""Name of an export's format."""

_HEADER_BYTES_MAX = 4096
_BAD_LINES_SHOWN_MAX = 20
_ERASE_LINE = "\r\x1b[K"


class Progress:
    """Show a count and a rate on standard error while somebody looks; else nothing."""

    def __init__(self, what: str, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._what = what
        self._clock = clock
        self._began = clock()
        self._shows = person_looks(sys.stderr)

    def __call__(self, count: int) -> None:
        """Show how many there are so far."""
        if self._shows:
            rate = count / max(self._clock() - self._began, 0.001)
            sys.stderr.write(f"{_ERASE_LINE}{count:,} {self._what}, {rate:,.0f} a second")
            sys.stderr.flush()

    def done(self) -> None:
        """Clear the line."""
        if self._shows:
            sys.stderr.write(_ERASE_LINE)
            sys.stderr.flush()


def is_own_export(path: Path) -> bool:
    """Return whether a file begins as an export of Muniment does."""
    if path.is_dir():
        return False
    try:
        with path.open("rb") as file:
            head = file.readline(_HEADER_BYTES_MAX)
    except OSError as error:
        raise Unreadable(f"The path cannot be read: {error.strerror}.") from error
    try:
        found = json.loads(head)
    except (ValueError, RecursionError):
        return False
    return isinstance(found, dict) and found.get("muniment") == "export"


@verb("import")
@click.argument("path", type=PLACE)
@click.option(
    "--format", default="", help="jsonl, claude-code, locomo, mcp-memory, csv or muniment; else found out."
)
@click.pass_obj
def import_(call: Call, path: Path, format: str) -> None:
    """Take in conversations, memories of other tools, or an export; twice adds nothing."""
    vault = call.hand()
    progress = Progress("items")
    try:
        if format == OWN_FORMAT or (not format and is_own_export(path)):
            done: object = vault.import_(path, progress=progress)
        else:
            done = vault.take_file(path, format=format, space=call.destination(vault), progress=progress)
    finally:
        progress.done()
    if call.json:
        document(plain(done))
    elif isinstance(done, IntakeReport):
        show_intake(done)
    else:
        _show_counts(done)


def show_intake(report: IntakeReport) -> None:
    """Print what taking a file did, and each line that was set aside or refused."""
    offers = report.offers
    for notice in report.notices:
        tell(notice)
    pairs(
        [
            ("stored", _memories(offers.stored) if _holds_memories(report) else ""),
            ("merged", f"{offers.merged} that were known already" if offers.merged else ""),
            ("disputed", str(offers.disputed) if offers.disputed else ""),
            ("links", str(offers.links) if offers.links else ""),
            ("refused", ", ".join(f"{count} {reason}" for reason, count in sorted(offers.refused.items()))),
            *(_evidence(report) if report.added or report.skipped or not _holds_memories(report) else ()),
            ("bad lines", str(report.bad) if report.bad else ""),
        ]
    )
    _show_lines(report.bad_lines, report.bad)
    _show_lines(offers.refusals, sum(offers.refused.values()))


def _memories(count: int) -> str:
    return "1 memory" if count == 1 else f"{count} memories"


def _holds_memories(report: IntakeReport) -> bool:
    offers = report.offers
    return bool(offers.stored or offers.merged or offers.disputed or offers.refused)


def _evidence(report: IntakeReport) -> list[tuple[str, str]]:
    return [
        ("added", str(report.added)),
        ("skipped", f"{report.skipped} that were there already"),
        ("sessions", str(len(report.sessions))),
        ("claims", f"{report.extracted} found in them"),
        ("replaced", f"{report.replaced} characters that may not be stored" if report.replaced else ""),
    ]


def _show_lines(lines: Sequence[BadLine], count: int) -> None:
    for bad in lines[:_BAD_LINES_SHOWN_MAX]:
        tell(f"line {bad.line}: {bad.why}", indent="    ", first="  ")
    if count > _BAD_LINES_SHOWN_MAX:
        tell(f"  and {count - _BAD_LINES_SHOWN_MAX} more")


def _show_counts(done: object) -> None:
    shaped = plain(done)
    if isinstance(shaped, dict):
        pairs([(name.replace("_", " "), _counted(value)) for name, value in shaped.items()])


def _counted(value: object) -> str:
    return str(len(value)) if isinstance(value, list) else str(value)


@verb("export")
@click.argument("path", type=PLACE)
@click.pass_obj
def export(call: Call, path: Path) -> None:
    """Write everything to a file: rows, ledger and, beside it, the keys that prove them."""
    vault = call.hand()
    progress = Progress("lines")
    try:
        done = vault.export(path, keys=vault.principal.role is ActorRole.OWNER, progress=progress)
    finally:
        progress.done()
    if call.json:
        document({"path": str(path), "report": plain(done)})
        return
    tell(f"Exported to {path}")
    _show_counts(done)
    if done.keys is None:
        tell("The vault's keys are left out, since only its owner takes them; a restore needs them.")


@verb("restore")
@click.argument("path", type=PLACE)
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.pass_obj
def restore(call: Call, path: Path, yes: bool) -> int:
    """Fill an empty vault from an export, with its ids, times and ledger."""
    vault = call.hand_or_birth()
    if not yes:
        held = vault.status()
        preview = [
            f"1 vault is about to be filled from {path}:",
            f"  {held.vault} with {counted(held.records, 'record')} now; only an empty one is filled.",
        ]
        if not confirmed(preview, question="Restore it?", yes=False):
            return REFUSED
    progress = Progress("rows")
    try:
        done = vault.restore(path, progress=progress)
    finally:
        progress.done()
    if call.json:
        document({"path": str(path), "report": plain(done)})
        return 0
    tell(f"Restored from {path}")
    _show_counts(done)
    return 0
