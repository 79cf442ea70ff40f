"""What does a writer leave behind that is killed in the midst of it?  Prints JSON.

`python killed.py DIRECTORY KIND KILLS SEED`: a child writes to a vault and acknowledges
each write through a pipe after the call returned; it is killed at a random moment, and the
vault is opened again.  Children are forked from this process, which has no threads, so that
a kill costs a few milliseconds and not the start of a program.
"""

import json
import os
import random
import signal
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path

import muniment
from muniment import limits
from muniment.service.vault import Vault

KILLS_A_VAULT = 20
DELAY_SECONDS_MAX = {"write": 0.02, "batch": 0.02, "reindex": 0.02, "birth": 0.08}
"""Longest time from the first acknowledgement to the kill; a birth acknowledges that it begins."""

BATCH_ITEMS = 10
ITEMS = 200
SEEDED = 60

Ack = Callable[[str], None]


@dataclass
class Found:
    """What was seen over all kills; `faults` is what must not be."""

    kills: int = 0
    acknowledged: int = 0
    unfinished: int = 0
    faults: list[str] = field(default_factory=list)


def write(path: Path, ack: Ack) -> None:
    """Write notes, turns, changes and keyed claims, one after the other."""
    with muniment.open(path) as vault:
        session = vault.session("talk", agent="ada")
        for n in range(100_000):
            note = vault.remember(f"note {os.getpid()} {n} of the otter").id
            ack(note)
            ack(vault.revise(note, f"note {os.getpid()} {n} of the beaver").id)
            ack(session.append("user", f"turn {os.getpid()} {n}").evidence[0])
            ack(vault.remember(f"The gate is {n}", about="gate", attribute="number", value=str(n)).id)


def batch(path: Path, ack: Ack) -> None:
    """Take in a file in batches, acknowledging how many items were taken so far."""
    limits.batch_items_max = BATCH_ITEMS
    with muniment.open(path) as vault:
        vault.take_file(source_of(path), progress=lambda count: ack(f"{count}"))
    ack("done")
    time.sleep(60)


def reindex(path: Path, ack: Ack) -> None:
    """Rebuild the index again and again."""
    with muniment.open(path) as vault:
        while True:
            ack(f"{vault.reindex()}")


def birth(path: Path, ack: Ack) -> None:
    """Make a vault: its keys, its schema by every migration, its first head."""
    ack("begun")
    with muniment.open(path) as vault:
        ack(vault.remember("the first note of the otter").id)
    time.sleep(60)


def source_of(path: Path) -> Path:
    return path.with_name(f"{path.name}.jsonl")


def prepared(path: Path, kind: str) -> None:
    """Make the vault that children of a kind work on."""
    if kind == "batch":
        lines = [
            json.dumps({"session": "s", "role": "user", "text": f"turn {n} of the otter"})
            for n in range(ITEMS)
        ]
        source_of(path).write_text("\n".join(lines), encoding="utf-8")
    if kind != "birth":
        with muniment.open(path) as vault:
            for n in range(SEEDED if kind == "reindex" else 1):
                vault.remember(f"seeded note {n} of the otter")


def killed(deed: Callable[[Path, Ack], None], path: Path, delay: float) -> list[str]:
    """Run a deed in a child, kill it `delay` after its first acknowledgement; return what it acknowledged."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        try:
            deed(path, lambda what: void(os.write(writer, f"{what}\n".encode())))
        finally:
            os._exit(3)
    os.close(writer)
    first = os.read(reader, 1)
    time.sleep(delay)
    os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    heard = first + b"".join(iter(lambda: os.read(reader, 65536), b""))
    os.close(reader)
    if not os.WIFSIGNALED(status):
        raise AssertionError(f"the child ended by itself after {heard!r}")
    return heard.decode().splitlines()


def void(_: object) -> None:
    """Take a value and return none."""


def faults_of(vault: Vault, kind: str, heard: list[str]) -> Iterator[str]:
    """Yield what is wrong with a vault after a kill."""
    if kind in {"write", "birth"}:
        for id in heard:
            if id != "begun" and not vault.read(id).text:
                yield f"{id} was acknowledged and is not there"
    counts = vault.status().counts
    if kind == "batch":
        taken = counts["evidence"]
        last = max((int(each) for each in heard if each.isdigit()), default=0)
        if taken < last or taken % BATCH_ITEMS:
            yield f"{taken} items are there, {last} were acknowledged"
    if kind in {"write", "reindex"} and not vault.recall("otter", k=5).hits:
        yield "the index does not answer"


def whole(vault: Vault) -> Iterator[str]:
    report = vault.verify()
    yield from (f"{one.kind} {one.sentence}" for one in report.findings)
    yield from (f"{check.name}: {check.sentence}" for check in vault.doctor() if not check.well)


def main(directory: str, kind: str, kills: str, seed: str) -> None:
    """Kill as often as asked and print what was found."""
    rng, found, path = random.Random(seed), Found(), Path(directory)
    deed = {"write": write, "batch": batch, "reindex": reindex, "birth": birth}[kind]
    for number in range(int(kills)):
        if number % KILLS_A_VAULT == 0 or kind == "birth":
            path = Path(directory) / f"{kind}-{number}.db"
            prepared(path, kind)
        heard = killed(deed, path, rng.uniform(0, DELAY_SECONDS_MAX[kind]))
        found.kills += 1
        found.acknowledged += len(heard)
        found.unfinished += Path(f"{path}-wal").exists() or not path.exists()
        with muniment.open(path) as vault:
            found.faults += faults_of(vault, kind, heard)
            # Writing goes on, and makes what a birth that was cut off did not come to.
            vault.remember(f"note after kill {number} of the otter")
            if number % 5 == 4 or kind == "birth":
                found.faults += whole(vault)
    with muniment.open(path) as vault:
        if kind == "batch":
            vault.take_file(source_of(path))
            if vault.status().counts["evidence"] != ITEMS:
                found.faults.append("the file was not taken in whole, or twice")
        found.faults += whole(vault)
    print(json.dumps(asdict(found)))


if __name__ == "__main__":
    main(*sys.argv[1:])
