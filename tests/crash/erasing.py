"""What does a process leave behind that is killed while it erases?  Prints JSON.

`python erasing.py DIRECTORY KILLS SEED`: each child erases one value of a vault, and dies at a
random moment; then the vault is opened again and looked at.
"""

import json
import os
import random
import signal
import sys
import time
from dataclasses import asdict, dataclass, field
from pathlib import Path

import muniment
from muniment.domain.changes import Page
from muniment.domain.evidence import Evidence
from muniment.domain.ledger import RowCode
from muniment.domain.memory import Version
from muniment.service.vault import Vault

DELAY_SECONDS_MAX = 0.06
KEPT = "KEPT-TWIN-0035-B"


@dataclass
class Found:
    """What was seen over all kills; `faults` is what must not be."""

    kills: int = 0
    not_begun: int = 0
    pending: int = 0
    complete: int = 0
    faults: list[str] = field(default_factory=list)


def code(number: int) -> str:
    """Return the value that a child erases."""
    return f"ZK{number:03}-PLOVER-{number * 7919:07}"


def planted(vault: Vault, number: int) -> None:
    session = vault.session(f"talk-{number}", agent="ada")
    turn = session.append("user", f"My code is {code(number)}. The spare is {KEPT}. Tea.").evidence[0]
    vault.remember(f"The code is {code(number)}", evidence=[turn], tags=[f"n{number}"])
    vault.remember(f"Note {number} of the spare {KEPT}", evidence=[turn])


def erasing(path: Path, number: int, writer: int) -> None:
    """Be the child: plan, say so, and erase."""
    with muniment.open(path) as vault:
        plan = vault.plan_erasure(text=code(number))
        os.write(writer, b"+")
        vault.erase(plan)
        os.write(writer, b"-")
        time.sleep(60)


def killed(path: Path, number: int, delay: float) -> None:
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        try:
            erasing(path, number, writer)
        finally:
            os._exit(3)
    os.close(writer)
    assert os.read(reader, 1) == b"+"
    time.sleep(delay)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    os.close(reader)


def said(vault: Vault) -> list[str]:
    """Return every text of a memory or of a turn."""
    with vault.ground.store.snapshot() as snapshot:
        codes = (RowCode.VERSION, RowCode.EVIDENCE)
        rows = [one.row for code in codes for _, one in snapshot.sealed_rows(code, Page(0, 10_000))]
    return [row.text for row in rows if isinstance(row, Version | Evidence)]


def looked_at(path: Path, number: int, found: Found) -> None:
    """Open the vault as the next process does: all of it went, or nothing did."""
    with muniment.open(path) as vault:
        texts = said(vault)
        has = [text for text in texts if code(number) in text]
        rows = vault.certificates(limit=1000)
        if has:
            found.not_begun += 1
            if len(has) < 2:
                found.faults.append(f"kill {number}: a part went")
        else:
            with vault.ground.store.snapshot() as snapshot:
                waits = any(job.kind == "storage" for job in snapshot.jobs())
            is_complete = rows[0].status == "storage-complete"
            found.complete += is_complete
            found.pending += not is_complete
            if not is_complete and not waits:
                found.faults.append(f"kill {number}: neither complete nor waiting")
        if not any(KEPT in text for text in texts):
            found.faults.append(f"kill {number}: the twin is gone")
        report = vault.verify()
        found.faults += [f"kill {number}: {one.kind} {one.sentence}" for one in report.findings]


def settled(path: Path, number: int, found: Found) -> None:
    """Go on where the child died: erase what is left, do the jobs, and look at every byte."""
    with muniment.open(path) as vault:
        plan = vault.plan_erasure(text=code(number))
        if not plan.empty:
            vault.erase(plan)
        vault.settle()
        if vault.certificates()[0].status != "storage-complete":
            found.faults.append(f"kill {number}: the job did not finish")
    for file in path.parent.glob(f"{path.name}*"):
        if file.is_file() and code(number).encode() in file.read_bytes():
            found.faults.append(f"kill {number}: bytes are left in {file.name}")


def main(directory: str, kills: str, seed: str) -> None:
    """Kill as often as asked and print what was found."""
    rng, found, path = random.Random(seed), Found(), Path(directory) / "vault.db"
    with muniment.open(path) as vault:
        for number in range(int(kills)):
            planted(vault, number)
    for number in range(int(kills)):
        killed(path, number, rng.uniform(0, DELAY_SECONDS_MAX))
        found.kills += 1
        looked_at(path, number, found)
        settled(path, number, found)
    print(json.dumps(asdict(found)))


if __name__ == "__main__":
    main(*sys.argv[1:])
