"""How fast is Muniment beside Hermes Agent?  Fifty thousand messages, both sides in turns, in one run."""

import statistics
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby, islice
from pathlib import Path

import apsw

from bench import report
from bench.hermes.messages import COMMON, EXCHANGE, FIRST, HAN_WORD, MARKED, RARE, SECOND, Message, messages
from bench.hermes.side import VERSION, Side, environment, size_of
from bench.measure import Figure, Pair, Plan, Taken, median, opened, say, taken
from bench.raw import Maker, Raw
from bench.texts import SEED
from muniment.recall.eligibility import Sort
from muniment.service.search_result import Search
from muniment.service.session import Session
from muniment.service.vault import Vault
from muniment.store.sqlite.connection import matching
from muniment.store.sqlite.opened import RESERVE

MESSAGES, BLOCK, MEMORY_ROUNDS = 50_000, 1_020, 8
SEARCH_ROUNDS, ASKED = 9, 5
"""How many rounds of a search there are, and how often each side is asked in one."""

ENTRIES = 12
"""How many entries of memory are added, replaced and edited in batches in a round."""

APPEND_LEAST, MEMORY_LEAST, SIZE_LEAST = 3.0, 1.0, 1.0
"""How many times as fast an append and an edit have to be at least, and how many times as small the file."""


@dataclass(frozen=True, slots=True)
class Asked:
    """Hold a search that both sides do, and how many times as fast ours has to be at least."""

    name: str
    query: str
    least: float
    sort: str = ""


SEARCHES = (
    Asked("a rare word", RARE, 1.0),
    Asked("two terms", f"{FIRST} {SECOND}", 5.0),
    Asked("a very common word", COMMON, 4.0),
    Asked("a very common word, newest first", COMMON, 50.0, sort="newest"),
    Asked("two characters without spaces", HAN_WORD, 5.0),
)


@dataclass(slots=True)
class Faster:
    """Gather what both sides took, round by round, for one figure."""

    pair: Pair
    name: str
    least: float

    def add(self, ours: Sequence[Taken], theirs: Sequence[Taken]) -> None:
        """Add a round that was measured elsewhere."""
        self.pair.ours += ours
        self.pair.raw += theirs
        self.pair.ratios.append(median(theirs) / median(ours))

    def figure(self, *, note: str = "") -> Figure:
        """Return how many times as fast ours is, by the medians over all rounds."""
        found = self.pair.figure(self.name, self.least, note=note)
        value = median(self.pair.raw) / median(self.pair.ours)
        return Figure(self.name, round(value, 2), self.least, "x", found.parts, note, at_least=True)


def faster(name: str, least: float) -> Faster:
    """Return an empty figure."""
    return Faster(Pair(), name, least)


def _mean(each: Sequence[Taken], *, times: float = 1.0) -> Taken:
    """Return what so many acts of a block took on average, upkeep that comes now and then included."""
    return Taken(
        times * statistics.fmean(one.seconds for one in each),
        times * statistics.fmean(one.worked for one in each),
    )


def blocks(count: int) -> Iterator[list[Message]]:
    """Yield the messages in blocks."""
    stream = messages(count)
    while block := list(islice(stream, BLOCK)):
        yield block


def appended(vault: Vault, side: Side, count: int, *, sync: float, floor: Raw) -> list[Figure]:
    """Append every message to both sides, a block each in turns.

    In every second block ours takes an exchange at a time, in one durable transaction; the other
    side has a transaction for each message, as its agent has when a turn ends.  The messages that ours
    takes one by one are also written by hand, each with its words in a transaction of its own: the
    floor for whatever keeps one message durably and finds it.
    """
    exchange = faster(f"append an exchange of {EXCHANGE} messages", APPEND_LEAST)
    single, medians, least = faster("append one message", APPEND_LEAST), Pair(), list[Taken]()
    maker = Maker(vault.ground.outside.analyser, vault.ground.outside.embedder)
    sessions: dict[str, Session] = {}
    for number, block in enumerate(blocks(count)):
        for name in dict.fromkeys(one.session for one in block):
            if name not in sessions:
                sessions[name] = vault.session(name, agent="ada")
                side.ask("begin", session=name)
        theirs, _ = side.timed("append", [one.fields for one in block])
        groups = [block[at : at + EXCHANGE] for at in range(0, len(block), EXCHANGE)]
        if number % 2:
            acts: list[Callable[[], object]] = [partial(_exchanged, sessions, group) for group in groups]
            found = exchange
        else:
            acts = [partial(sessions[one.session].append, one.role, one.text) for one in block]
            found = single
        ours = [taken(act) for act in acts]
        if found is single:
            items = [maker.item(1, one.text) for one in block]
            least += [taken(partial(floor.write, one)) for one in items]
        medians.raw += theirs
        medians.ours += ours if found is single else []
        found.add([_mean(ours)], [_mean(theirs, times=len(block) / len(ours))])
    return [_appends(exchange, ""), _appends(single, _alone(medians, least, sync))]


def _exchanged(sessions: Mapping[str, Session], group: Sequence[Message]) -> None:
    sessions[group[0].session].append_all([{"role": one.role, "text": one.text} for one in group])


def _appends(found: Faster, note: str) -> Figure:
    return found.figure(note=f"an act is the mean of {BLOCK:,} messages, each side's upkeep included{note}")


def _alone(medians: Pair, least: Sequence[Taken], sync: float) -> str:
    """Return what the medians of single acts are, and what of them is waiting for the disk."""
    ours, theirs, floor = (median(side) * 1e6 for side in (medians.ours, medians.raw, least))
    return (
        f"; medians of single acts {ours:,.0f} us to {theirs:,.0f} us, one durable page {sync:,.0f} us; "
        f"written by hand, text and words alone, {floor:,.0f} us, which is {theirs / floor:.2f} x"
    )


def searched(vault: Vault, side: Side, asked: Asked, *, rounds: int, floor: float = 0.0) -> Figure:
    """Measure one search, both sides in turns, and beside it the same from within a session.

    A session's search is on record, durably, before it leaves; the other side keeps none.
    """
    found, within = faster(f"search: {asked.name}", asked.least), Pair()
    session = vault.session("asking", agent="ada")
    fields = {"sort": asked.sort} if asked.sort else {}
    mine: list[Search] = []
    acts = [
        lambda: mine.append(vault.search(asked.query, **fields)),
        partial(session.search, asked.query, **fields),
    ]
    said: object = None
    for number in range(rounds + 1):
        theirs, said = side.timed("search", [{"query": asked.query, **fields}] * ASKED)
        ours, recorded = ([taken(act) for _ in range(ASKED)] for act in acts)
        # The first round warms both sides up.
        if number:
            found.add(ours, theirs)
            within.ours += recorded
    note = f"sessions found: ours {len(mine[-1].sessions)}, theirs {_count(said)}"
    on_record, other = median(within.ours), median(found.pair.raw)
    note += (
        f"; by a session, on record before it leaves, {on_record * 1e6:,.0f} us, {other / on_record:.2f} x"
    )
    if floor:
        share = floor / median(found.pair.ours)
        note += f"; the engine's own ranking of all matches is {floor * 1e6:,.0f} us, {share:.0%} of ours"
    return found.figure(note=note)


def _count(said: object) -> int:
    assert isinstance(said, dict)
    return int(said.get("count", 0))


def ranked(vault: Vault, path: Path, word: str, *, times: int) -> float:
    """Return the seconds that the engine alone takes to rank all turns with a word: the floor of a search."""
    with vault.ground.store.snapshot() as snapshot:
        (space,) = (one.n for one in snapshot.spaces() if one.path == "home")
    match = matching((space,), Sort.EVIDENCE, vault.ground.outside.analyser.question(word))
    reader = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    best = "SELECT rowid FROM live WHERE live MATCH ? ORDER BY rank LIMIT 12"
    try:
        return median([taken(lambda: reader.execute(best, (match,)).fetchall()) for _ in range(times)])
    finally:
        reader.close()


def marked(session: Session, side: Side) -> Figure:
    """Ask both sides for what stands beside a mark, and count what ours does not find."""
    theirs = {kind: _count(side.ask("search", query=query)) for kind, (_, query) in MARKED.items()}
    ours = {kind: len(session.search(query).sessions) for kind, (_, query) in MARKED.items()}
    said = ", ".join(f"{kind} {ours[kind]} to {theirs[kind]}" for kind in MARKED)
    lost = float(sum(not found for found in ours.values()))
    return Figure(
        "searches with marks that find nothing", lost, 0.0, f"of {len(MARKED)}", note=f"found: {said}"
    )


def edits() -> Mapping[str, list[dict[str, object]]]:
    """Return the edits of one round: what is added, replaced, and edited in batches of two."""
    entries = [f"The gate of dock {number} is checked on day {number}" for number in range(ENTRIES)]
    changed = [entry.replace("checked", "oiled") for entry in entries]
    return {
        "add": [{"action": "add", "new": entry} for entry in entries],
        "replace": [
            {"action": "replace", "old": old, "new": new} for old, new in zip(entries, changed, strict=True)
        ],
        "batch": [
            {"operations": [{"action": "remove", "old": new}, {"action": "add", "new": old}]}
            for old, new in zip(entries, changed, strict=True)
        ],
        "remove": [{"action": "remove", "old": entry} for entry in entries],
    }


OURS = {"action": "action", "old": "old", "new": "text"}
THEIRS = {"action": "action", "old": "old_text", "new": "content"}
"""What the parts of an edit are called on either side."""


def named(edit: Mapping[str, object], names: Mapping[str, str]) -> dict[str, object]:
    """Return an edit with the names of one side."""
    made: dict[str, object] = {names[part]: value for part, value in edit.items() if part in names}
    operations = edit.get("operations")
    if isinstance(operations, list):
        made["operations"] = [named(one, names) for one in operations]
    return made


def edited(session: Session, side: Side, *, rounds: int) -> list[Figure]:
    """Measure the edits of memory, both sides in turns."""
    found = {kind: faster(f"memory {kind}", MEMORY_LEAST) for kind in ("add", "replace", "batch")}
    for _ in range(rounds):
        for kind, round in edits().items():
            theirs, last = side.timed("memory", [{"target": "memory", **named(one, THEIRS)} for one in round])
            assert isinstance(last, dict) and last["success"], last
            receipts: list[bool] = []
            acts = [partial(_landed, session, receipts, named(one, OURS)) for one in round]
            ours = [taken(act) for act in acts]
            assert all(receipts) and len(receipts) == len(round)
            if kind in found:
                found[kind].add(ours, theirs)
    return [one.figure() for one in found.values()]


def _landed(session: Session, receipts: list[bool], fields: Mapping[str, object]) -> None:
    memory: Callable[..., object] = session.memory
    receipt = memory(block="memory", **fields)
    receipts.append(not receipt.refused)


def measured(plan: Plan, side: Side, *, sync: float) -> list[Figure]:
    """Fill both sides, then search and edit."""
    count, path = plan.sized(MESSAGES, quick=2_000), plan.where / "hermes" / "vault.db"
    path.parent.mkdir(exist_ok=True)
    say(f"hermes-agent: {count:,} messages each")
    with opened(path, embedder=False) as vault:
        by_hand = Raw(plan.where / "hermes" / "by-hand.db")
        figures = appended(vault, side, count, sync=sync, floor=by_hand)
        by_hand.close()
        rounds = plan.sized(SEARCH_ROUNDS, quick=3)
        floor = ranked(vault, path, COMMON, times=rounds)
        say("hermes-agent: searches and edits")
        for asked in SEARCHES:
            is_ranked = asked.query == COMMON and not asked.sort
            figures.append(searched(vault, side, asked, rounds=rounds, floor=floor if is_ranked else 0.0))
        session = vault.session("asking", agent="ada")
        figures.append(marked(session, side))
        return figures + edited(session, side, rounds=plan.sized(MEMORY_ROUNDS, quick=2))


def with_vectors(plan: Plan) -> Path:
    """Fill a vault that has the embedder of the package, as one has that nobody set up; return its file."""
    path = plan.where / "hermes-vectors" / "vault.db"
    path.parent.mkdir()
    say("hermes-agent: the same messages with vectors")
    with opened(path, embedder=True) as vault:
        for block in blocks(plan.sized(MESSAGES, quick=2_000)):
            for name, group in groupby(block, key=lambda one: one.session):
                _exchanged({name: vault.session(name, agent="ada")}, list(group))
    return path


def smaller(ours: Path, theirs: Path, *, name: str = "a smaller database") -> Figure:
    """Compare the files of both databases, after they were closed."""
    mine, other = size_of(ours, but=RESERVE), size_of(theirs)
    parts = {"ours_bytes": float(mine), "theirs_bytes": float(other)}
    note = f"{mine / 1e6:,.1f} MB to {other / 1e6:,.1f} MB"
    return Figure(name, round(other / mine, 2), SIZE_LEAST, "x", parts, note, at_least=True)


def run(plan: Plan, *, sync: float) -> list[Figure]:
    """Measure, show, and keep the results in a file of their own."""
    home = plan.where / "hermes-home"
    with Side(environment(), home) as side:
        settings = side.ask("settings")
        figures = measured(plan, side, sync=sync)
    other = home / "state.db"
    figures.append(smaller(plan.where / "hermes" / "vault.db", other))
    figures.append(smaller(with_vectors(plan), other, name="a smaller database, with vectors"))
    print(report.table(report.rows(figures, report.earlier(report.RESULTS / "hermes.json"))))
    assert isinstance(settings, dict)
    if not plan.quick:
        theirs = {f"theirs: {name}": str(value) for name, value in settings.items()}
        report.keep(
            figures,
            report.machine(sync) | theirs | {"hermes-agent": VERSION, "seed": str(SEED)},
            name="hermes",
        )
    return figures
