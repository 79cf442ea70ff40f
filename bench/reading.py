"""What does a recall cost among 100,000 items?  Against the hand-written read of the same items."""

from dataclasses import dataclass
from functools import partial
from itertools import islice

from bench.measure import Figure, Pair, Plan, opened, say
from bench.raw import Maker, Raw
from bench.texts import Texts
from bench.writing import BATCH_ITEMS, taking
from muniment.domain.intent import Remember
from muniment.domain.label import PRIVATE
from muniment.domain.memory import Claim, Kind
from muniment.gate.judge import judge
from muniment.gate.verdict import Known
from muniment.service import remember as remembering
from muniment.service.conversations import take
from muniment.service.draft import Draft
from muniment.service.prepare import prepared
from muniment.service.vault import Vault

RECALL_BOUND = 3.0
HITS = 10


@dataclass(frozen=True, slots=True)
class Group:
    """Hold one kind of space: how many there are, how large, and whether half of it is turns."""

    name: str
    spaces: int
    items: int
    mixed: bool


FULL = (
    Group("memories, a space of 1,000", 20, 1_000, mixed=False),
    Group("memories and turns, a space of 1,000", 20, 1_000, mixed=True),
    Group("memories, a space of 10,000", 3, 10_000, mixed=False),
    Group("memories and turns, a space of 10,000", 3, 10_000, mixed=True),
)
QUICK = (
    Group("memories, a space of 1,000", 2, 1_000, mixed=False),
    Group("memories and turns, a space of 4,000", 1, 4_000, mixed=True),
)


def remember_many(vault: Vault, texts: list[str], *, space: str) -> None:
    """Remember texts in one transaction, each judged by the gate: only to build a large vault.

    Values are known to differ, so nothing of the same value is looked up.
    """
    ground, principal = vault.ground, vault.principal
    ready = [prepared(ground, Claim(text), ()) for text in texts]
    with ground.store.transaction() as transaction:
        draft = Draft.begun(ground, transaction)
        actor, row = draft.actor(principal), draft.space(space)
        known = Known(actor=actor, recorded=draft.recorded, space=row)
        for one in ready:
            intent = Remember(principal, one.claim, Kind.FACT, space, label=PRIVATE)
            verdict = judge(intent, known)
            assert verdict.birth is not None, verdict.reason.code
            version = remembering._first_version(draft, intent, one, known=known, birth=verdict.birth)
            draft.add_version(version, one.index, replaces=None)
        draft.commit("remember", actor=actor, space=row.n, outcome="stored")


def _fill(vault: Vault, raw: Raw, maker: Maker, *, group: Group, texts: Texts) -> dict[str, list[str]]:
    """Fill the spaces of a group on both sides; return their texts by space."""
    filled: dict[str, list[str]] = {}
    for number in range(group.spaces):
        space = f"g{group.items}-{int(group.mixed)}-{number}"
        filled[space] = texts.texts(group.items)
        rest = iter(filled[space])
        batch = 0
        while part := list(islice(rest, min(BATCH_ITEMS, group.items // 2))):
            if group.mixed and batch % 2:
                take(vault.ground, taking(vault, part, number=batch, space=space))
            else:
                remember_many(vault, part, space=space)
            raw.write_batch([maker.item(_space_number(space), text) for text in part])
            batch += 1
    return filled


def _space_number(space: str) -> int:
    """Return a small number for a space's name."""
    items, mixed, number = space[1:].split("-")
    return int(items) * 10 + int(mixed) * 1_000 + int(number)


def recalled(plan: Plan) -> list[Figure]:
    """Measure recalls with an embedder in small and large spaces of one large vault."""
    groups = QUICK if plan.quick else FULL
    total = sum(group.spaces * group.items for group in groups)
    texts = Texts()
    vault, raw = opened(plan.where / "recall.db", embedder=True), Raw(plan.where / "recall-raw.db")
    maker = Maker(vault.ground.outside.analyser, vault.ground.outside.embedder)
    filled: list[dict[str, list[str]]] = []
    for group in groups:
        say(f"building {group.spaces} x {group.name}")
        filled.append(_fill(vault, raw, maker, group=group, texts=texts))
    figures = []
    for group, spaces in zip(groups, filled, strict=True):
        say(f"recalls: {group.name}")
        figures.append(_asked(vault, raw, maker, plan=plan, spaces=spaces, name=f"recall p50: {group.name}"))
    vault.close()
    raw.close()
    size = (plan.where / "recall.db").stat().st_size
    say(f"the vault of {total:,} items has {size / total:.0f} bytes an item")
    return figures


def _asked(
    vault: Vault, raw: Raw, maker: Maker, *, plan: Plan, spaces: dict[str, list[str]], name: str
) -> Figure:
    rounds, per_round = plan.sized(10, quick=2), plan.sized(30, quick=15)
    texts, pair, found = Texts(7), Pair(), [0, 0]
    names = list(spaces)
    for turn in range(rounds + 1):
        space = names[turn % len(names)]
        asked = [(texts.question(text), text) for text in texts.chosen(spaces[space], per_round)]
        ours = [partial(vault.recall, question, k=HITS, space=space) for question, _ in asked]
        theirs = [maker.question(_space_number(space), question) for question, _ in asked]
        # The first round of each side warms it up and is not counted.
        (pair if turn else Pair()).round(ours, [partial(raw.read, one, k=HITS) for one in theirs])
        # What waits for the recall log is written now, so that it does not fall into the other side's time.
        vault.settle()
        found[0] += sum(
            text in {h.text for h in vault.recall(q, k=HITS, space=space).hits} for q, text in asked[:5]
        )
        found[1] += sum(
            text in raw.read(one, k=HITS) for one, (_, text) in zip(theirs[:5], asked[:5], strict=True)
        )
        vault.settle()
    note = (
        f"the text asked about is in the first {HITS}: ours {found[0]}, raw {found[1]} of {5 * (rounds + 1)}"
    )
    return pair.figure(name, RECALL_BOUND, note=note)
