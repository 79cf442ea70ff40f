"""Does a recall find what answers the question?  Evidence recall on LoCoMo and BEAM, with floors.

Each conversation is asked alone.  The score of a question is the share of its gold turns
among the first k; questions are averaged, not conversations.
"""

import argparse
import json
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path

import apsw

from bench import report
from bench.conversations import Asked, Conversation, beam, locomo
from bench.measure import ROOT, opened, say, workplace
from muniment.adapters.analyser_tables import STOP_WORDS

CUT = 10
BATCH = 1_000

Finder = Callable[[str], list[str]]
"""Return the names of the turns found for a question, best first, at most `CUT`."""


@dataclass(frozen=True, slots=True)
class Score:
    """Hold what one system reached on one set; shares lie in 0..1."""

    system: str
    data: str
    questions: int
    at_5: float
    at_10: float
    mrr: float
    audited_at_10: float | None
    p50_ms: float


def share_found(found: Sequence[str], gold: frozenset[str], k: int) -> float:
    """Return the share of the gold turns that stand among the first `k`."""
    return len(gold & set(found[:k])) / len(gold)


def reciprocal_rank(found: Sequence[str], gold: frozenset[str]) -> float:
    """Return one over the place of the first gold turn, nothing when there is none."""
    return next((1.0 / place for place, name in enumerate(found, start=1) if name in gold), 0.0)


@contextmanager
def ours(conversation: Conversation, where: Path, *, embedder: bool) -> Iterator[Finder]:
    """Yield the product's own recall over a vault that took in the conversation's file."""
    path = where / f"{conversation.name}-{embedder}.db"
    with opened(path, embedder=embedder) as vault:
        taken = vault.take_file(conversation.file, format=conversation.format)
        assert taken.added == len(conversation.turns), (taken.added, len(conversation.turns))
        names = {}
        for session in taken.sessions:
            own = [turn for turn in conversation.turns if turn.session == session]
            for kept in vault.session(session).turns(limit=BATCH):
                names[kept.id] = own[kept.sequence - 1].name
        yield lambda text: [names[hit.id] for hit in vault.recall(text, k=CUT, sources=("turn",)).hits]


@contextmanager
def floor(conversation: Conversation, tokenizer: str, *, stop_words: bool) -> Iterator[Finder]:
    """Yield plain FTS5 over the same texts: any of the question's words, by bm25."""
    connection = apsw.Connection(":memory:")
    connection.execute(f"CREATE VIRTUAL TABLE turn USING fts5 (text, tokenize = '{tokenizer}')")
    connection.executemany(
        "INSERT INTO turn (rowid, text) VALUES (?, ?)",
        [(place, turn.text) for place, turn in enumerate(conversation.turns, start=1)],
    )

    def found(text: str) -> list[str]:
        words = "".join(char if char.isalnum() else " " for char in text.lower()).split()
        kept = [word for word in words if stop_words or word not in STOP_WORDS] or words
        match = " OR ".join(f'"{word}"' for word in kept)
        asked = "SELECT rowid FROM turn WHERE turn MATCH ? ORDER BY rank LIMIT ?"
        return [conversation.turns[row[0] - 1].name for row in connection.execute(asked, (match, CUT))]

    yield found
    connection.close()


System = Callable[[Conversation, Path], AbstractContextManager[Finder]]

SYSTEMS: Mapping[str, System] = {
    "Muniment with an embedder": lambda one, where: ours(one, where, embedder=True),
    "Muniment without an embedder": lambda one, where: ours(one, where, embedder=False),
    "FTS5 porter OR, stop words dropped": lambda one, _: floor(one, "porter unicode61", stop_words=False),
    "FTS5 unicode61 OR, stop words kept": lambda one, _: floor(one, "unicode61", stop_words=True),
}


@dataclass(slots=True)
class _Sums:
    at_5: list[float]
    at_10: list[float]
    ranks: list[float]
    audited: list[float]
    seconds: list[float]

    def add(self, find: Finder, asked: Asked) -> None:
        start = time.perf_counter()
        found = find(asked.text)
        self.seconds.append(time.perf_counter() - start)
        assert len(found) <= CUT and len(set(found)) == len(found), "the cutoff does not hold"
        self.at_5.append(share_found(found, asked.gold, 5))
        self.at_10.append(share_found(found, asked.gold, 10))
        self.ranks.append(reciprocal_rank(found, asked.gold))
        self.audited.append(share_found(found, asked.audited, 10))


def measured(system: str, data: str, *, conversations: Sequence[Conversation], where: Path) -> Score:
    """Return what one system reaches on one set."""
    say(f"{data}: {system}")
    sums = _Sums([], [], [], [], [])
    for conversation in conversations:
        with SYSTEMS[system](conversation, where) as find:
            for asked in conversation.questions:
                sums.add(find, asked)
    corrected = any(one.audited != one.gold for each in conversations for one in each.questions)
    return Score(
        system=system,
        data=data,
        questions=len(sums.at_10),
        at_5=round(statistics.fmean(sums.at_5), 4),
        at_10=round(statistics.fmean(sums.at_10), 4),
        mrr=round(statistics.fmean(sums.ranks), 4),
        audited_at_10=round(statistics.fmean(sums.audited), 4) if corrected else None,
        p50_ms=round(statistics.median(sums.seconds) * 1e3, 2),
    )


def run(data: Path, *, quick: bool) -> list[Score]:
    """Measure every system on every set that is there; print a table and, unless quick, keep it."""
    with workplace() as where:
        sets = {"LoCoMo": locomo(data / "locomo", where), "BEAM": beam(data / "beam", where)}
        scores = [
            measured(system, name, conversations=conversations[:1] if quick else conversations, where=where)
            for name, conversations in sets.items()
            if conversations
            for system in SYSTEMS
        ]
    if not scores:
        say("neither LoCoMo nor BEAM is there: retrieval was not measured (say --data)")
        return []
    print(report.table(_rows(scores), head=_HEAD))
    if not quick:
        _keep(scores)
    return scores


_HEAD = ("set", "system", "questions", "R@5", "R@10", "MRR@10", "R@10, labels corrected", "p50")


def _rows(scores: Sequence[Score]) -> list[tuple[str, ...]]:
    return [
        (
            one.data,
            one.system,
            str(one.questions),
            f"{one.at_5:.3f}",
            f"{one.at_10:.3f}",
            f"{one.mrr:.3f}",
            "-" if one.audited_at_10 is None else f"{one.audited_at_10:.3f}",
            f"{one.p50_ms:.1f} ms",
        )
        for one in scores
    ]


def _keep(scores: Sequence[Score]) -> None:
    page = "# Evidence recall\n\n`make bench` wrote this page; docs/bench.md says how to read it.\n\n"
    page += report.markdown(_rows(scores), head=_HEAD)
    page += "\n\n- LoCoMo: turns as units, categories 1 to 4, each conversation alone"
    page += "\n- BEAM: messages as units, every question that has evidence, each conversation alone"
    page += f"\n- k = {CUT}, sources = turn, no random choice anywhere, so no seed\n"
    report.RESULTS.mkdir(exist_ok=True)
    (report.RESULTS / "retrieval.md").write_text(page, encoding="utf-8")
    kept = [{key: getattr(one, key) for key in Score.__slots__} for one in scores]
    (report.RESULTS / "retrieval.json").write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")


def main() -> None:
    """Measure retrieval alone."""
    parser = argparse.ArgumentParser(prog="python -m bench.retrieval", description=__doc__)
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--quick", action="store_true", help="one conversation a set; nothing is kept")
    asked = parser.parse_args(sys.argv[1:])
    run(asked.data, quick=asked.quick)


if __name__ == "__main__":
    main()
