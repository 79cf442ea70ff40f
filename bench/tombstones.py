"""What does it cost that nothing rejected comes back, and how often is an innocent text held up?"""

import json
import random
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from bench.measure import ROOT, Figure, Pair, Plan, in_blocks, opened, say
from bench.raw import Maker, Raw
from bench.texts import SEED, Texts
from muniment.domain.canonical import NORMALISER, plain
from muniment.domain.memory import Claim
from muniment.domain.tombstone import Tombstone, TombstoneKind
from muniment.gate.phrases import phrases_in
from muniment.service.burying import rejection_keys
from muniment.service.draft import Draft
from muniment.service.vault import Vault

TOMBSTONES = 10_000
WRITE_BOUND, SHARE_BOUND = 3.5, 0.20
REFUSED_BOUND, STAGED_BOUND = 0.002, 0.02
ORDINARY = 1_000
_A_TRANSACTION = 1_000
_WORDS_MIN = 4
PAIRS = ROOT / "tests" / "data" / "near_pairs.txt"
NEAR_MISSES = ROOT / "tests" / "data" / "near_misses.txt"


def guarded(plan: Plan) -> list[Figure]:
    """Measure one durable write in a space of 10,000 tombstones, whole and the tombstones' share of it."""
    say("single writes among tombstones")
    before, rounds = plan.sized(2_000, quick=100), plan.sized(10, quick=3)
    per_round = plan.sized(150, quick=40)
    texts = Texts()
    guarded, bare = (
        opened(plan.where / "guarded.db", embedder=True),
        opened(plan.where / "bare.db", embedder=True),
    )
    raw = Raw(plan.where / "guarded-raw.db")
    maker = Maker(guarded.ground.outside.analyser, guarded.ground.outside.embedder)
    for text in texts.texts(before):
        guarded.remember(text)
        bare.remember(text)
        raw.write(maker.item(1, text))
    # Drawn from other texts: tombstones of the measured ones would hit at once and fake speed.
    reject(guarded, Texts(SEED + 1).texts(plan.sized(TOMBSTONES, quick=1_000)))
    whole, blocks, part = Pair(), Pair(), Pair()
    for _ in range(rounds):
        for measured in (whole.alternate, blocks.round):
            ours = [partial(guarded.remember, text) for text in texts.texts(per_round)]
            measured(ours, [partial(raw.write, maker.item(1, text)) for text in texts.texts(per_round)])
        part.alternate(
            [partial(guarded.remember, text) for text in texts.texts(per_round)],
            [partial(bare.remember, text) for text in texts.texts(per_round)],
        )
    for held in (guarded, bare):
        held.close()
    raw.close()
    compared = part.figure("a write among tombstones to one without", 1 / (1 - SHARE_BOUND))
    share = 1 - 1 / compared.value if compared.value else 0.0
    return [
        whole.figure("one durable write among 10,000 tombstones", WRITE_BOUND, note=in_blocks(blocks)),
        Figure(
            "share of a write that tombstones take", round(max(0.0, share) * 100, 1), SHARE_BOUND * 100, "%"
        ),
    ]


def reject(vault: Vault, values: Iterable[str], *, space: str = "home") -> int:
    """Bury free texts as rejected in a space, many in one transaction; return how many."""
    count, batch = 0, list[str]()
    for value in values:
        batch.append(value)
        if len(batch) == _A_TRANSACTION:
            count += _buried(vault, batch, space)
            batch = []
    return count + (_buried(vault, batch, space) if batch else 0)


def _buried(vault: Vault, values: Sequence[str], space: str) -> int:
    ground = vault.ground
    with ground.store.transaction() as transaction:
        draft = Draft.begun(ground, transaction)
        where = draft.space(space)
        for value in values:
            keys, found_by = rejection_keys(ground, Claim(value))
            draft.generation += 1
            row = Tombstone(
                id=ground.outside.ids.new("t"),
                memory=ground.outside.ids.new("m"),
                space=where.n,
                kind=TombstoneKind.REJECTED,
                keys=keys,
                slot=b"",
                key_id=ground.outside.keyring.key_id,
                normaliser=NORMALISER,
                generation=draft.generation,
                actor=1,
                recorded=draft.recorded,
            )
            draft.add_tombstone(row, found_by)
        draft.commit("bench", outcome="stored")
    return len(values)


@dataclass(frozen=True, slots=True)
class Held:
    """Count how many texts of how many were refused and staged."""

    texts: int
    refused: int
    staged: int

    def figures(self, name: str) -> list[Figure]:
        """Return the two shares against their bounds."""
        parts = {"texts": float(self.texts), "refused": float(self.refused), "staged": float(self.staged)}
        shares = ((self.refused, REFUSED_BOUND, "refused"), (self.staged, STAGED_BOUND, "staged"))
        return [
            Figure(f"{name}: {word}", round(count * 100 / max(1, self.texts), 2), bound * 100, "%", parts)
            for count, bound, word in shares
        ]


def held_up(vault: Vault, texts: Sequence[str], *, space: str = "home") -> Held:
    """Offer texts as an agent and count what does not land; nothing else is in the way."""
    agent = vault.acting_as(actor="bench", space=space)
    verdicts = [agent.remember(text).verdict for text in texts]
    return Held(len(texts), verdicts.count("refused"), verdicts.count("staged"))


def near_pairs(path: Path = PAIRS) -> list[tuple[str, str]]:
    """Return pairs of a rejected text and one that is almost it."""
    lines = path.read_text(encoding="utf-8").splitlines()
    rows = [line.split("|") for line in lines if line]
    return [(row[0], other) for row in rows for other in row[1:]]


def innocent(plan: Plan, data: Path) -> list[Figure]:
    """Measure false refusals: tombstones of some conversations, sentences of others, and near misses."""
    conversations = _conversations(data)
    if not conversations:
        say("no LoCoMo there: false refusals are not measured")
        return []
    say("innocent texts among tombstones")
    chance = random.Random(SEED)
    others, drawn = conversations[0], [one for many in conversations[1:] for one in many]
    values = chance.sample(drawn, min(len(drawn), plan.sized(TOMBSTONES, quick=500)))
    vault = opened(plan.where / "innocent.db", embedder=False)
    buried = {plain(value) for value in values}
    buried_count = reject(vault, values)
    pairs = near_pairs()
    reject(vault, dict.fromkeys(first for first, _ in pairs))
    ordinary = [one for one in dict.fromkeys(others) if plain(one) not in buried and not phrases_in(one)]
    asked = chance.sample(ordinary, min(len(ordinary), plan.sized(ORDINARY, quick=100)))
    found = held_up(vault, asked)
    near = held_up(vault, [other for _, other in pairs])
    vault.close()
    say(f"{buried_count} tombstones")
    both = Held(found.texts + near.texts, found.refused + near.refused, found.staged + near.staged)
    return [
        *both.figures("innocent texts among tombstones of LoCoMo"),
        *found.figures("ordinary sentences of them"),
        *near.figures("near misses of them, a twentieth drawn alike"),
    ]


def phrases(data: Path) -> list[Figure]:
    """Measure the known phrases: hits on ordinary turns and near misses, and recall on hostile strings."""
    turns = [one for many in _turns(data) for one in many]
    near = NEAR_MISSES.read_text(encoding="utf-8").splitlines()
    hostile = _hostile(data)
    figures = [
        Figure(
            "known phrases in near misses",
            round(_share(near), 4),
            0.03,
            "of all",
            {"texts": float(len(near))},
        )
    ]
    if turns:
        parts = {"texts": float(len(turns))}
        figures.append(
            Figure("known phrases in LoCoMo turns", round(_share(turns) * 100, 3), 0.0, "%", parts)
        )
    for name, texts in (
        ("hostile strings passed", hostile),
        ("hostile strings passed, obfuscated ones apart", _hostile(data, obfuscated=False)),
    ):
        if texts:
            parts = {"texts": float(len(texts))}
            figures.append(
                Figure(name, round(100 - _share(texts) * 100, 1), 40.0, "%", parts, note="a tripwire")
            )
    return figures


def _share(texts: Sequence[str]) -> float:
    return sum(bool(phrases_in(text)) for text in texts) / max(1, len(texts))


def _turns(data: Path) -> list[list[str]]:
    path = data / "locomo" / "locomo_dev.json"
    if not path.exists():
        return []
    return [
        [turn["text"] for part in sample["conversation"].values() if isinstance(part, list) for turn in part]
        for sample in json.loads(path.read_text(encoding="utf-8"))
    ]


def _conversations(data: Path) -> list[list[str]]:
    return [list(_sentences(turns)) for turns in _turns(data)]


def _sentences(turns: Iterable[str]) -> Iterator[str]:
    for turn in turns:
        for sentence in re.split(r"(?<=[.!?])\s+", turn):
            if len(sentence.split()) >= _WORDS_MIN:
                yield sentence


def _hostile(data: Path, *, obfuscated: bool = True) -> list[str]:
    path = data / "injection" / "bastioncorpus.jsonl"
    if not path.exists():
        return []
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line]
    return [
        row["text"]
        for row in rows
        if row["label"] == "malicious" and (obfuscated or row["category"] != "obfuscation")
    ]
