"""Which commands look after a vault?  It is made, counted, checked, proven, signed and indexed anew."""

import os
from importlib import resources
from typing import TYPE_CHECKING

import click

from muniment.adapters import files
from muniment.domain.block import parsed
from muniment.domain.check import counted
from muniment.domain.rights import RIGHTS, digest_of
from muniment.errors import BrokenData, Unreadable
from muniment.service.verify import Report
from muniment.settings import shown_address
from muniment.surfaces.cli.call import Call, refuse_absent, verb
from muniment.surfaces.cli.reading import day
from muniment.surfaces.cli.screen import command, document, pairs, tell
from muniment.surfaces.plain import plain
from muniment.surfaces.problems import TABLE

if TYPE_CHECKING:
    from muniment.domain.model_use import Use
    from muniment.service.vault import Vault

DAMAGED = TABLE[BrokenData].exit_code
"""Exit code when a check is not well or something does not hold."""

OWNER_KEY = "owner.key"
"""Name of the owner's key file in the key directory."""

PROGRAM = "muniment"
"""Who the journal names for what is built in, so that it is taken for nobody's own words."""

STARTER = "starter-soul"
"""What the journal says of the edit that gives a vault its first soul."""

FINDINGS_SHOWN_MAX = 50


@verb("init")
@click.option("--show-key", is_flag=True, help="Print the owner key once; else it is only written to a file.")
@click.pass_obj
def init(call: Call, show_key: bool) -> None:
    """Make a vault, its keys beside it, and a key that acts as the owner without a terminal."""
    if _is_there(call):
        _already(call)
        return
    vault = call.opened(make=True)
    begun(vault)
    key, public_id = vault.make_key(actor="owner", role="owner", space=vault.principal.home)
    shown, directory = shown_address(call.address), call.key_directory()
    place = directory / OWNER_KEY
    with files.translated("The owner key's file"):
        files.write_new(place, f"{key}\n".encode("ascii"))
    if call.json:
        secret = {"key": key} if show_key else {}
        document({"made": True, "vault": shown, "key_file": str(place), "key_id": public_id, **secret})
        return
    tell(f"Made a vault at {shown}")
    tell("It begins with a soul for your agent, which is yours to change: `muniment memory show soul`.")
    tell(f"Its keys lie in {directory}: keep them private, and a copy of them elsewhere.")
    if show_key:
        tell(f"The owner key, shown this once: {key}")
    tell("At a terminal you are the owner.  A script acts as the owner with:")
    command(f"muniment --key @{place} status")


def begun(vault: "Vault") -> None:
    """Give a vault that never had a soul the one to start with; the owner's own is never written over.

    It is of nobody's writing, and the journal says so: its actor is the program.
    """
    if vault.edits(block="soul", limit=1):
        return
    text = resources.files("muniment").joinpath("data/soul.md").read_text("utf-8")
    adds = [{"action": "add", "text": entry} for entry in parsed(text)]
    program = vault.acting_as(actor=PROGRAM, role="owner", space=vault.principal.home)
    program.memory(block="soul", operations=adds, call=STARTER)


def _is_there(call: Call) -> bool:
    """Return whether there is a vault at a path, or keys of one on a server."""
    address = call.address
    if "://" in address:
        return call.key_directory().exists()
    try:
        refuse_absent(address)
    except Unreadable as error:
        if error.advice == Unreadable.advice:
            raise
        return False
    return bool(address.strip())


def _already(call: Call) -> None:
    shown = shown_address(call.address)
    call.opened()
    place = call.key_directory() / OWNER_KEY
    has_key = os.path.exists(place)
    if call.json:
        document({"made": False, "vault": shown, "key_file": str(place) if has_key else None})
        return
    tell(f"There is a vault at {shown} already; nothing was changed.")
    if has_key:
        tell("A script acts as its owner with:")
        command(f"muniment --key @{place} status")
    else:
        tell("It has no owner key file; make a key with `muniment keys create --role owner` at a terminal.")


@verb("status")
@click.pass_obj
def status(call: Call) -> None:
    """Say what the vault holds, by count, and how its log stands."""
    vault = call.hand()
    found = vault.status()
    principal = vault.principal
    acting = {"actor": principal.actor, "role": principal.role.value, "space": principal.home}
    if call.json:
        shaped = plain(found)
        document({**shaped, "acting_as": acting} if isinstance(shaped, dict) else shaped)
        return
    records = counted(found.records, "record")
    waiting = (
        counted(found.cases, "case"),
        counted(found.pending, "proposal"),
        counted(found.erasures, "erasure"),
    )
    pairs(
        [
            ("vault", found.vault),
            ("you", f"{principal.actor}, {principal.role.value}, at home in {principal.home}"),
            ("log", f"{records}, {found.witnessed} seen by the witness, epoch {found.epoch}"),
            ("root", found.root),
            ("last record", day(found.recorded) if found.records else "none"),
            ("writable", "yes" if found.writable else "no"),
            ("waiting", ", ".join(waiting)),
            ("erased", _bytes(found.unfinished)),
            ("block files", found.files),
            ("judge", found.judge),
            *((f"model, {purpose.value}", _used(use)) for purpose, use in found.model_use.items()),
            ("embedder", found.embedder),
            ("analyser", found.analyser),
            *((name, str(count)) for name, count in found.counts.items()),
        ]
    )


def _used(use: "Use") -> str:
    tokens = f"{use.tokens_in:,} tokens in, {use.tokens_out:,} out"
    told = "" if use.counted == use.calls else f", told of {use.counted} of them"
    return f"{counted(use.calls, 'call')}, {use.answered} answered; {tokens}{told}"


def _bytes(unfinished: int) -> str:
    if not unfinished:
        return "no bytes are left to a job"
    erasures = counted(unfinished, "erasure")
    return f"the bytes of {erasures} are still in the storage: logical, until a job is done"


@verb("doctor")
@click.pass_obj
def doctor(call: Call) -> int:
    """Check the vault's health; exit 5 when something is not well."""
    checks = call.look().doctor()
    well = all(check.well for check in checks)
    if call.json:
        document({"well": well, "checks": plain(checks)})
    else:
        pairs([(check.name, f"{'well' if check.well else 'NOT WELL'}: {check.sentence}") for check in checks])
    return 0 if well else DAMAGED


def show_report(report: Report) -> None:
    """Print what a verification found."""
    walked = counted(report.records, "record"), counted(report.rows, "row")
    if report.ok:
        tell(f"All holds: {walked[0]}, {walked[1]}.")
    else:
        tell(f"{counted(report.total, 'finding')} in {walked[0]} and {walked[1]}:")
    for finding in report.findings[:FINDINGS_SHOWN_MAX]:
        where = f"record {finding.record}" if finding.record >= 0 else ""
        names = "  ".join(part for part in (finding.kind.value, finding.id, where) if part)
        tell(names, indent="    ", first="  ")
        tell(finding.sentence, indent="    ")
    if report.total > FINDINGS_SHOWN_MAX:
        tell(f"  and {report.total - FINDINGS_SHOWN_MAX} more; `--json` lists up to a thousand.")
    if report.root:
        tell(f"root {report.root}", indent="  ", first="")
    if report.newest_witness:
        tell(f"The outside witness has seen {counted(report.newest_witness[0], 'record')}.")
    if report.rights:
        known = "of this release" if report.rights == digest_of(RIGHTS) else "of another release"
        tell(f"The daemon's built-in rights on record are those {known}: {report.rights[:16]}.")


@verb("verify")
@click.pass_obj
def verify(call: Call) -> int:
    """Prove the ledger and every row; exit 5 when something does not hold."""
    report = call.look().verify()
    if call.json:
        document(plain(report))
    else:
        show_report(report)
    return 0 if report.ok else DAMAGED


@verb("checkpoint")
@click.option("--new-epoch", default="", metavar="WHY", help="Accept an older log: one word says why.")
@click.pass_obj
def checkpoint(call: Call, new_epoch: str) -> None:
    """Sign the head of the log for the outside witness and print the note."""
    note = call.hand().checkpoint(new_epoch=new_epoch)
    if call.json:
        document({"note": note})
    else:
        tell(note)


@verb("reindex")
@click.pass_obj
def reindex(call: Call) -> None:
    """Rebuild both shelves of the index from the rows."""
    count = call.hand().reindex()
    if call.json:
        document({"rows": count})
    else:
        tell(f"Indexed {count} rows.")
