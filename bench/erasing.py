"""What does it cost to erase one value out of 100,000 memories, and is every byte of it gone?

The value stands in every place that holds text: a turn, a memory, a keyed claim, a block, a
memory with links, a tag, a reason, a proposal, a question that was asked, a part of a document,
and a copy that came in by an export.  A second value stands beside it everywhere and stays.
"""

import random
import shutil
import statistics
import string
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

import apsw

from bench import report
from bench.measure import Figure, Plan, opened, say, taken
from bench.reading import remember_many
from bench.texts import SEED, Texts
from bench.writing import BATCH_ITEMS
from muniment.domain.certificate import Status
from muniment.service.receipt import Receipt
from muniment.service.vault import Vault

MEMORIES, ROUNDS, FRESH = 100_000, 3, 200
BOUND = 6.0
WINDOW = 8
"""How many bytes in a row of a value may not be left anywhere."""

_FILLER = "Plain words follow here, one after the other. " * 60
_ENCODINGS = ("utf-8", "utf-16-le", "utf-16-be")
_READ_BYTES = 1 << 22


def value_of(chance: random.Random) -> str:
    """Return a value that nobody could guess, and that is not written like a key of any service."""
    letters = string.ascii_uppercase + string.digits
    return "-".join("".join(chance.choices(letters, k=6)) for _ in range(4))


def landed(receipt: Receipt) -> str:
    """Return the id that a write gave; raises AssertionError for one that was refused."""
    assert not receipt.refused, f"{receipt.reason}: {receipt.sentence}"
    return receipt.id


def _turn(vault: Vault, value: str) -> None:
    vault.session("talk", agent="ada").append("user", f"It is {value}, and tea is at four.")


def _linked(vault: Vault, value: str) -> None:
    one = landed(vault.remember(f"One end says {value}"))
    vault.link(one, landed(vault.remember(f"The other end of {value[:3]}")), type="refers_to")


def _reason(vault: Vault, value: str) -> None:
    id = landed(vault.remember(f"The lamp of {value[:3]} is blue"))
    landed(vault.revise(id, f"The lamp of {value[:3]} is green", reason=f"{value} said so"))


def _block(vault: Vault, value: str) -> None:
    assert not vault.memory(action="add", block="user", text=f"Uses {value}").refused


def _proposal(vault: Vault, value: str) -> None:
    vault.set_dial("review", "agent")
    assert vault.acting_as(actor="coder").remember(f"A coder proposes {value}").verdict == "staged"
    vault.set_dial("review", "off")


def _copy(vault: Vault, value: str, *, place: Path) -> None:
    """Bring a copy in that went out of another vault, which is no more."""
    with opened(place / f"side-{value}.db", embedder=False) as side:
        landed(side.remember(f"The other vault knew {value}"))
        side.export(place / f"side-{value}.jsonl")
    vault.import_(place / f"side-{value}.jsonl")
    for one in place.glob(f"side-{value}*"):
        shutil.rmtree(one) if one.is_dir() else one.unlink()


PLACES: Sequence[Callable[[Vault, str], object]] = (
    _turn,
    lambda vault, value: landed(vault.remember(f"The code is {value}")),
    lambda vault, value: landed(vault.remember("The locker", about=value[:3], attribute="code", value=value)),
    lambda vault, value: landed(vault.remember(f"A tagged note of {value[:3]}", tags=[value])),
    _linked,
    _reason,
    _block,
    _proposal,
    lambda vault, value: vault.recall(f"who has {value}?"),
    lambda vault, value: vault.ingest(f"{_FILLER}Here is {value}. {_FILLER}", source=f"book {value[:3]}"),
)
"""How a value gets into each place that holds text."""


def planted(vault: Vault, value: str, *, place: Path) -> None:
    """Put a value into every place, and bring a copy of it in that went out of another vault."""
    for put in PLACES:
        put(vault, value)
    _copy(vault, value, place=place)


def left_of(value: str, place: Path) -> dict[str, int]:
    """Return in which files of a directory parts of a value stand, and how many parts of it.

    Looked for are all its windows of eight bytes, as it is and in other cases, in UTF-8 and UTF-16.
    The store's own search is not asked: what it overlooks has to be seen here.
    """
    cases = (value, value.lower(), value.upper())
    spelled = {text.encode(encoding) for text in cases for encoding in _ENCODINGS}
    found: dict[str, int] = {}
    for path in (one for one in place.rglob("*") if one.is_file()):
        held = {window for part in _parts(path) for text in spelled for window in _held(part, text)}
        if held:
            found[path.name] = len(held)
    return found


def _held(part: bytes, text: bytes) -> Iterator[bytes]:
    """Yield the windows of a text that a part of a file holds.

    Each of them holds one of the blocks of five bytes that begin at each fourth: those are
    looked for first, since hardly a file has any.
    """
    if any(text[at : at + 5] in part for at in range(0, len(text) - 4, 4)):
        windows = (text[at : at + WINDOW] for at in range(len(text) - WINDOW + 1))
        yield from (window for window in windows if window in part)


def _parts(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        before = b""
        while read := file.read(_READ_BYTES):
            yield before + read
            before = read[-WINDOW:]


_SAID = """
SELECT 'version', count(*) FROM version WHERE instr(
    text || '|' || coalesce(value, '') || '|' || coalesce(tags, '') || '|' || coalesce(reason, ''), :v
)
UNION ALL SELECT 'evidence', count(*) FROM evidence WHERE instr(text, :v)
UNION ALL SELECT 'matter', count(*) FROM matter WHERE instr(body, :v)
UNION ALL SELECT 'recall', count(*) FROM recall_log WHERE instr(query, :v)
"""


def said(path: Path, value: str) -> dict[str, int]:
    """Return how many rows of each kind say a value, in the file itself."""
    reader = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    try:
        return {str(kind): int(count) for kind, count in reader.execute(_SAID, {"v": value})}
    finally:
        reader.close()


def merged(path: Path) -> None:
    """Do the least that a careful person would: merge the index, and empty the write-ahead log."""
    writer = apsw.Connection(str(path))
    try:
        writer.execute("PRAGMA synchronous = FULL")
        for shelf in ("live", "past"):
            writer.execute(f"INSERT INTO {shelf} ({shelf}) VALUES ('optimize')")
        writer.wal_checkpoint("main", apsw.SQLITE_CHECKPOINT_TRUNCATE)
    finally:
        writer.close()


@dataclass(slots=True)
class Erased:
    """Gather what the rounds took in seconds, and in how many of them something was not as it has to be."""

    plans: list[float] = field(default_factory=list)
    deeds: list[float] = field(default_factory=list)
    merges: list[float] = field(default_factory=list)
    left: int = 0
    lost: int = 0
    incomplete: int = 0

    def figures(self) -> list[Figure]:
        """Return the figures with their bounds."""
        ratios = [deed / merge for deed, merge in zip(self.deeds, self.merges, strict=True)]
        plan, deed, merge = (statistics.median(one) for one in (self.plans, self.deeds, self.merges))
        parts = {
            "ours_ms": round(deed * 1e3, 1),
            "bare_ms": round(merge * 1e3, 1),
            "plan_ms": round(plan * 1e3, 1),
            "lowest_round": round(min(ratios), 2),
            "highest_round": round(max(ratios), 2),
        }
        rounds = f"of {len(self.deeds)}"
        note = f"rounds {min(ratios):.2f}-{max(ratios):.2f}; the plan before it {plan * 1e3:,.0f} ms"
        return [
            Figure(
                "an erasure, its search of the files included",
                round(deed / merge, 2),
                BOUND,
                "x",
                parts,
                note,
            ),
            Figure("erasures that left a part of the value in a file", float(self.left), 0.0, rounds),
            Figure("erasures that took something of a neighbour", float(self.lost), 0.0, rounds),
            Figure("certificates that are not storage-complete", float(self.incomplete), 0.0, rounds),
        ]


def erased(plan: Plan) -> list[Figure]:
    """Erase one value after the other out of a large vault; no other program may hold it."""
    place = plan.where / "erasing"
    place.mkdir()
    texts, chance, found = Texts(), random.Random(SEED), Erased()
    with opened(place / "vault.db", embedder=True) as vault:
        filled(vault, texts, plan.sized(MEMORIES, quick=2_000))
        for _ in range(plan.sized(ROUNDS, quick=1)):
            value, twin = value_of(chance), value_of(chance)
            planted(vault, value, place=place)
            planted(vault, twin, place=place)
            for text in texts.texts(FRESH):
                landed(vault.remember(text))
            vault.settle()
            _round(vault, found, path=place / "vault.db", values=(value, twin))
    return found.figures()


def filled(vault: Vault, texts: Texts, count: int) -> None:
    """Fill a vault with memories, a batch a transaction."""
    say(f"building a vault of {count:,} memories")
    stream = texts.stream(count)
    while part := list(islice(stream, BATCH_ITEMS)):
        remember_many(vault, part, space="home")


def _round(vault: Vault, found: Erased, *, path: Path, values: tuple[str, str]) -> None:
    value, twin = values
    place, copy = path.parent, path.parent.with_name("merged.db")
    assert left_of(value, place), "the value was in a file before"
    before = said(path, twin)
    for ending in ("", "-wal"):
        shutil.copyfile(f"{path}{ending}", f"{copy}{ending}")
    found.merges.append(taken(lambda: merged(copy)).seconds)
    plans, notes = [], []
    found.plans.append(taken(lambda: plans.append(vault.plan_erasure(text=value))).seconds)
    found.deeds.append(taken(lambda: notes.append(vault.erase(plans[0]))).seconds)
    say(f"erased: {found.plans[-1]:.2f} s + {found.deeds[-1]:.2f} s, merged: {found.merges[-1]:.2f} s")
    found.incomplete += notes[0].status is not Status.STORAGE_COMPLETE
    found.left += bool(left_of(value, place))
    found.lost += said(path, twin) != before or sum(said(path, value).values()) > 0


def run(plan: Plan, *, sync: float) -> list[Figure]:
    """Measure, show, and keep the results in a file of their own."""
    figures = erased(plan)
    print(report.table(report.rows(figures, report.earlier(report.RESULTS / "erasing.json"))))
    if not plan.quick:
        settings = report.machine(sync) | {"seed": str(SEED), "memories": f"{MEMORIES:,}, with vectors"}
        report.keep(figures, settings, name="erasing")
    return figures
