"""What do writers of one tenant cost each other, and what does a durable write cost, on PostgreSQL?

Eight processes write at once, into one tenant or each into its own.  The other side is the same
program with nothing in the ledger's place: nobody holds the log's end, no record is written and
no head is moved.  Both sides check, index, and wait for the disk alike.
"""

import multiprocessing
import statistics
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from itertools import islice
from multiprocessing.connection import Connection
from pathlib import Path

from bench import report
from bench.measure import Figure, Pair, Plan, median, say, taken
from bench.postgres import Server, held, serving
from bench.raw_server import RawServer
from bench.texts import SEED, Texts
from muniment import wiring
from muniment.adapters.analyser import Analyser
from muniment.adapters.embedders import AbsentEmbedder, StaticEmbedder
from muniment.adapters.keys import MemoryKeyring
from muniment.adapters.system import SystemClock
from muniment.adapters.witness import MemoryWitness
from muniment.domain.changes import Changes, Claims
from muniment.service.vault import Vault
from muniment.store.codec import Columns, Value
from muniment.store.postgres import near, opened
from muniment.store.postgres.beside_session import BesideSession, Entry
from muniment.store.postgres.parallel import BesideTransaction
from muniment.store.postgres.statements import spelled

WRITERS = 8
ROUNDS = 4
# What must be kept of the rate without a ledger (at least), as shares that may be lost (at most).
KEPT_ONE, KEPT_ONE_WITH_VECTORS, KEPT_EIGHT = 0.45, 0.55, 0.85
WRITE_BOUND = 2.0
DATABASE = "team"
_IN_ITS_PLACE = {name: text for name, (text, _) in spelled(Path(__file__).parent / "team.sql").items()}


class NoLedger(BesideTransaction):
    """Write the same rows with no log; numbers are this process's own, since no head counts them."""

    number = 0

    def free_number(self, least: int) -> int:
        """Return the next number."""
        NoLedger.number = max(least, NoLedger.number + 1)
        return NoLedger.number

    def _record(self, changes: Changes) -> None:
        """Write no record, and leave the head."""


class NoLedgerSession(BesideSession):
    """Say to the server what stands in the ledger's place: an answer from nowhere, and no record."""

    def enter(self, claims: Claims, *, keys: Sequence[int], numbers: int) -> Entry:
        """Begin as the product does, and keep the head that was read."""
        self._entered = super().enter(claims, keys=keys, numbers=numbers)
        return self._entered

    def last_head(self, door: int) -> Columns:
        """Hold nothing, and return the head that was there; the round trip is the same."""
        self._connection.execute("SELECT 1").fetchall()
        return self._entered.head

    def lay_memory(self, values: Mapping[str, Value]) -> Columns:
        """Store the same rows, and hold nothing."""
        self._connection.execute(_IN_ITS_PLACE["lay_memory"], values, binary=True).fetchall()
        return self._entered.head

    def seal_memory(self, values: Mapping[str, Value]) -> None:
        """Store the same version and the same counts, no record and no head."""
        self._connection.execute(_IN_ITS_PLACE["seal_memory"], values, binary=True)


class NoWitness(MemoryWitness):
    """See nothing: one in memory reads its note again at each write, which one in a file does not."""

    def __init__(self) -> None:
        pass

    def newest(self) -> tuple[int, bytes] | None:
        """Return that nothing was signed."""
        return None

    def add(self, size: int, root: bytes, at: datetime) -> str:
        """Sign nothing."""
        return ""


class NoLedgerStore(opened.PostgresStore):
    """Keep a tenant's rows without a log."""

    beside = NoLedger

    def _session(self) -> BesideSession:
        return NoLedgerSession(self._address, tenant=self._tenant)


def opened_vault(server: Server, tenant: str, *, embedder: bool, ledger: bool = True) -> Vault:
    """Open a tenant as one of its writers."""
    found = opened.open_existing(server.address(DATABASE, "bench_user"), tenant=tenant)
    found.close()
    store = (opened.PostgresStore if ledger else NoLedgerStore)(
        server.address(DATABASE, "bench_user"), found._tenant
    )
    vault = wiring.reference_vault(embedder=StaticEmbedder() if embedder else AbsentEmbedder(), store=store)
    vault.ground.outside = replace(vault.ground.outside, witness=NoWitness())
    return vault


def made(server: Server, tenant: str, *, embedder: bool, items: int, texts: Texts) -> None:
    """Make a tenant with some memories; its first writers have met the space and the actor."""
    keyring = MemoryKeyring()
    head = wiring.first_head(
        "00" * 16, keyring, now=SystemClock().now(), analyser=Analyser().version, tenant=1
    )
    opened.create(server.address(DATABASE, "bench_user"), head, tenant=tenant).close()
    vault = opened_vault(server, tenant, embedder=embedder)
    for text in texts.texts(items):
        vault.remember(text)
    vault.close()


def single(plan: Plan, server: Server, *, embedder: bool) -> Figure:
    """Measure one durable write of a lone writer against the raw transaction."""
    before, rounds, per_round = plan.sized(1_000, quick=50), plan.sized(10, quick=3), plan.sized(50, quick=20)
    texts = Texts()
    made(server, "raw", embedder=embedder, items=before + 2 * rounds * per_round, texts=texts)
    ((number,),) = server.run(DATABASE, "SELECT tenant FROM muniment.tenant_head WHERE name = 'raw'")
    vault = held(server, DATABASE, plan.where, embedder="static" if embedder else "off")
    for text in texts.texts(before):
        vault.remember(text)
    raw = RawServer(server, DATABASE, int(str(number)))
    rows = raw.rows(vectors=embedder)
    for one in islice(rows, before):
        raw.write(one)
    pair, at_once = Pair(), []
    for _ in range(rounds):
        ours = [partial(vault.remember, text) for text in texts.texts(per_round)]
        pair.round(ours, [partial(raw.write, one) for one in islice(rows, per_round)])
        at_once += [taken(partial(raw.write_at_once, one)) for one in islice(rows, per_round)]
    vault.close()
    raw.close()
    name = f"one durable write on PostgreSQL{', live HNSW' if embedder else ''}"
    least = median(at_once)
    note = f"{median(pair.ours) / least:.2f} to the same rows in a single round trip ({least * 1e6:,.0f} us)"
    return pair.figure(name, WRITE_BOUND, note=note)


@dataclass(frozen=True, slots=True)
class Job:
    """Hold what one writer is to know: where, who it is of how many, and with which embedder."""

    server: Server
    number: int
    embedder: bool


def tenant_of(case: str, number: int, *, ledger: bool) -> str:
    """Return the tenant that a writer writes to: the common one, or its own."""
    side = "ledger" if ledger else "none"
    return f"{case} {side}" if case == "one" else f"{case} {side} {number}"


def write(job: Job, orders: Connection) -> None:
    """Write for so many seconds whenever it is told to, and say how many were written."""
    NoLedger.number = (1 << 40) + ((job.number + 1) << 32)
    texts = Texts(1_000 + job.number)
    vaults = {}
    for case in ("one", "eight"):
        for ledger in (True, False):
            vault = opened_vault(
                job.server, tenant_of(case, job.number, ledger=ledger), embedder=job.embedder, ledger=ledger
            )
            # The first write of a process meets space and actor; it comes alone.
            vault.remember(texts.text())
            vaults[case, ledger] = vault
    orders.send(0)
    while (order := orders.recv()) is not None:
        case, ledger, until = order
        vault, count = vaults[case, ledger], 0
        while time.time() < until:
            vault.remember(texts.text())
            count += 1
        orders.send(count)
    for vault in vaults.values():
        vault.close()


@contextmanager
def writers(server: Server, *, embedder: bool) -> Iterator[Sequence[Connection]]:
    """Yield the ends by which eight writing processes are told what to do."""
    context = multiprocessing.get_context("spawn")
    ends, workers = [], []
    for number in range(WRITERS):
        mine, theirs = context.Pipe()
        worker = context.Process(target=write, args=(Job(server, number, embedder), theirs), daemon=True)
        worker.start()
        ends.append(mine)
        workers.append(worker)
    for end in ends:
        end.recv()
    yield ends
    for end in ends:
        end.send(None)
    for worker in workers:
        worker.join(30)


def rate(ends: Sequence[Connection], case: str, *, ledger: bool, seconds: float) -> float:
    """Return how many writes a second all writers made together."""
    until = time.time() + seconds
    for end in ends:
        end.send((case, ledger, until))
    return sum(end.recv() for end in ends) / seconds


def kept(ends: Sequence[Connection], case: str, *, name: str, least: float, seconds: float) -> Figure:
    """Return which share of the rate without a ledger is kept: medians of four interleaved rounds."""
    rates: dict[bool, list[float]] = {True: [], False: []}
    for number in range(ROUNDS):
        for ledger in (True, False) if number % 2 else (False, True):
            rates[ledger].append(rate(ends, case, ledger=ledger, seconds=seconds))
    with_it, without = (statistics.median(rates[ledger]) for ledger in (True, False))
    shares = [one / other for one, other in zip(rates[True], rates[False], strict=True)]
    parts = {
        "ours_per_second": round(with_it, 1),
        "no_ledger_per_second": round(without, 1),
        "lowest_round": round(min(shares), 2),
        "highest_round": round(max(shares), 2),
    }
    note = f"{with_it:,.0f} a second to {without:,.0f}, rounds {min(shares):.2f}-{max(shares):.2f}"
    return Figure(name, round(with_it / without, 2), least, "kept", parts, note, at_least=True)


def run(plan: Plan, *, sync: float) -> list[Figure]:
    """Measure, without and with vectors in a live index; show, and keep unless it is a quick look."""
    figures: list[Figure] = []
    for embedder in (False, True):
        where = plan.where / f"team-{embedder}"
        where.mkdir()
        with serving(where) as server:
            server.migrated(DATABASE)
            figures += _measured(Plan(where, plan.quick), server, embedder=embedder)
            settings = report.machine(sync) | server.settings() | {"seed": str(SEED)}
    print(report.table(report.rows(figures, report.earlier(report.RESULTS / "team.json"))))
    if not plan.quick:
        report.keep(figures, settings, name="team")
    return figures


def _measured(plan: Plan, server: Server, *, embedder: bool) -> list[Figure]:
    """Measure a lone writer, and eight of one tenant and of eight."""
    say(f"team: {'vectors in a live HNSW index' if embedder else 'no vectors'}")
    if embedder:
        # It is there from the first row on, though the product builds it only for a large tenant.
        server.run(DATABASE, near.STATEMENTS["build"].decode())
    items, texts = plan.sized(1_000, quick=20), Texts()
    for ledger in (True, False):
        made(server, tenant_of("one", 0, ledger=ledger), embedder=embedder, items=items, texts=texts)
        for number in range(WRITERS):
            tenant = tenant_of("eight", number, ledger=ledger)
            made(server, tenant, embedder=embedder, items=items // WRITERS, texts=texts)
    suffix = ", live HNSW" if embedder else ""
    least = KEPT_ONE_WITH_VECTORS if embedder else KEPT_ONE
    figures = [single(plan, server, embedder=embedder)]
    say("team: eight writers")
    with writers(server, embedder=embedder) as ends:
        seconds = float(plan.sized(4, quick=1))
        for case, bound in (("one", least), ("eight", KEPT_EIGHT)):
            name = f"eight writers of {case} tenant{'s' * (case == 'eight')}{suffix}"
            figures.append(kept(ends, case, name=name, least=bound, seconds=seconds))
    return figures
