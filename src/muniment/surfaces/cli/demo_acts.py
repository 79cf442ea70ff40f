"""Which acts do both demos show?  Evidence of an answer, a rejection in disguise, proof and tampering."""

import shutil
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from muniment.adapters.keys import keys_beside
from muniment.domain.timeline import shown
from muniment.recall.question import Answer, Hit
from muniment.surfaces.cli.care import show_report
from muniment.surfaces.cli.demo import Stage
from muniment.surfaces.cli.reading import day, marked, strength_word
from muniment.surfaces.cli.screen import say, shortened, tell

if TYPE_CHECKING:
    from muniment.service.vault import Vault

LOOK_ALIKES = MappingProxyType(
    {ord(a): b for a, b in zip("aeopcx", "\u0430\u0435\u043e\u0440\u0441\u0445", strict=True)}
)
"""Latin letters and the Cyrillic ones that are drawn alike."""

TAMPER = "UPDATE version SET text = ? WHERE text = ?"
"""What an intruder with the file at hand would do."""

_QUOTE_CHARACTERS_MAX = 150


def show_hit(vault: "Vault", hit: Hit) -> None:
    """Print a hit with who said it, when, and in which words."""
    grade = f"{strength_word(hit.strength)} {hit.strength:.2f}"
    if hit.source == "memory" and hit.valid is not None and hit.trust is not None:
        until = f" until {day(hit.valid.end)}" if hit.valid.end else ""
        tell(f"{hit.text}  [{hit.trust.value}, {grade}, since {shown(hit.valid.start)}{until}]", indent="   ")
        for step in vault.why(hit.id)[1:2]:
            said = shortened(step.text, characters_max=_QUOTE_CHARACTERS_MAX)
            tell(f'{step.speaker}, {day(step.occurred_at)}, in {step.session}: "{said}"', indent="     ")
        return
    said = shortened(hit.text, characters_max=_QUOTE_CHARACTERS_MAX)
    tell(f'"{said}"  [{hit.source}, {grade}]', indent="   ")
    who = ", ".join(part for part in (hit.speaker, day(hit.occurred_at), hit.session) if part)
    tell(who, indent="     ")


def show_question(vault: "Vault", question: str, answer: Answer) -> None:
    """Print a question with its best hit, or that nothing covers it."""
    tell(f"? {question}", indent="  ", first="")
    if answer.hits:
        show_hit(vault, answer.hits[0])
    else:
        tell(answer.reason, indent="   ")
    if answer.withheld:
        tell("withheld: " + ", ".join(f"{count} {why}" for why, count in answer.withheld), indent="     ")


def show_span(vault: "Vault", id: str) -> None:
    """Print a statement and the words it rests on, marked."""
    steps = vault.why(id)
    tell(steps[0].text, indent="  ")
    for step in steps[1:]:
        who = ", ".join(part for part in (step.speaker, day(step.occurred_at), step.session) if part)
        tell(f"rests on {step.source} {step.id}", indent="    ")
        tell(who, indent="    ")
        tell(marked(step.text, step.span), indent="      ")


def disguises(text: str) -> Mapping[str, str]:
    """Return a text in three disguises that look the same, or nearly so, to a reader."""
    alike = text.translate(LOOK_ALIKES)
    middle = max(1, len(text) // 2)
    return {
        "in capitals": text.upper() if text.upper() != text else text.lower() + " !",
        "with an invisible character": text[:middle] + "\u200b" + text[middle:],
        "with look-alike letters": alike if alike != text else f"<<{text}>> ...",
    }


def show_disguises(stage: Stage, claim: str, **slot: str) -> None:
    """Let an agent say a rejected value again, in disguise, and print what the gate answers."""
    agent = stage.vault.acting_as(actor="assistant", role="agent", space=stage.vault.principal.home)
    outcomes: dict[str, str] = {}
    for how, text in {"word for word": claim, **disguises(claim)}.items():
        receipt = agent.remember(text, about=slot.get("about", ""), attribute=slot.get("attribute", ""))
        outcomes[how] = f"{receipt.verdict}: {receipt.reason}"
        tell(f"{how}:", indent="  ")
        tell(shortened(text, characters_max=120), indent="     ")
        tell(f"{receipt.verdict}, {receipt.reason}: {receipt.sentence}", indent="     ")
    stage.note("restated", outcomes)


def copied(path: Path) -> Path:
    """Return a copy of a vault with its keys, as a thief of both would have it."""
    place = path.with_name("copy-" + path.name)
    with closing(sqlite3.connect(path)) as source, closing(sqlite3.connect(place)) as copy:
        source.backup(copy)
    shutil.copytree(keys_beside(path), keys_beside(place))
    return place


def show_proof(stage: Stage) -> None:
    """Verify the demo's vault."""
    stage.vault.settle()
    report = stage.vault.verify()
    show_report(report)
    stage.note("verified", {"ok": report.ok, "records": report.records, "rows": report.rows})


def show_tampering(stage: Stage, text: str, forged: str, *, question: str) -> None:
    """Change one remembered text in a copy's file and print what verification and recall say."""
    from muniment.wiring import open_vault

    place = copied(stage.path)
    with closing(sqlite3.connect(place)) as intruder:
        changed = intruder.execute(TAMPER, (forged, text)).rowcount
        intruder.commit()
    say("  UPDATE version SET text = '...'")
    tell(f"was: {shortened(text, characters_max=100)}", indent="    ")
    tell(f"is:  {shortened(forged, characters_max=100)}", indent="    ")
    tell(f"{changed} row changed in the copy's file.  Its `muniment verify` says:", indent="  ")
    with open_vault(place) as copy:
        report = copy.verify()
        show_report(report)
        answer = copy.recall(question)
    served = [hit.text for hit in answer.hits]
    tell(f'Asked "{question}", the copy serves the forged text: {"yes" if forged in served else "no"}.')
    for note in answer.notes:
        tell(note, indent="  ")
    stage.note(
        "tampered",
        {
            "ok": report.ok,
            "findings": [finding.kind for finding in report.findings],
            "served": forged in served,
        },
    )
