"""What does a durable write cost, one at a time and in batches, in time and in bytes?"""

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

from bench.measure import Figure, Pair, Plan, in_blocks, opened, say
from bench.raw import Maker, Raw
from bench.texts import Texts
from muniment.domain.evidence import Arrival, Role
from muniment.domain.intent import Take
from muniment.service.conversations import take
from muniment.service.vault import Vault
from muniment.store.sqlite.opened import RESERVE

WRITE_BOUND = {True: 3.0, False: 2.0}
BATCH_BOUND = {True: 8.5, False: 5.0}
BYTES_BOUND = {True: 1_900.0, False: 1_500.0}
BATCH_ITEMS = 1_000
_WITH = {True: "with an embedder", False: "without an embedder"}


def single(plan: Plan, *, embedder: bool) -> list[Figure]:
    """Measure one durable write against the raw transaction, and the bytes it leaves."""
    say(f"single writes {_WITH[embedder]}")
    before, rounds = plan.sized(2_000, quick=200), plan.sized(10, quick=3)
    per_round = plan.sized(200, quick=60)
    texts = Texts()
    path = plan.where / f"single-{embedder}.db"
    vault, raw = opened(path, embedder=embedder), Raw(plan.where / f"single-raw-{embedder}.db")
    maker = Maker(vault.ground.outside.analyser, vault.ground.outside.embedder)
    for text in texts.texts(before):
        vault.remember(text)
        raw.write(maker.item(1, text))
    pair, blocks, lag = Pair(), Pair(), 0
    for _ in range(rounds):
        for measured in (pair.alternate, blocks.round):
            fresh = texts.texts(per_round)
            # Another text for each side, so that neither finds the other's words in a cache.
            items = [maker.item(1, text) for text in texts.texts(per_round)]
            measured(
                [partial(vault.remember, text) for text in fresh], [partial(raw.write, one) for one in items]
            )
        lag += not _found_at_once(vault, path, fresh[-1], embedder=embedder)
    vault.close()
    raw.close()
    items_kept = before + 2 * rounds * per_round
    return [
        pair.figure(f"one durable write {_WITH[embedder]}", WRITE_BOUND[embedder], note=in_blocks(blocks)),
        _bytes(path, items_kept, embedder=embedder),
        Figure(
            f"writes not found at once {_WITH[embedder]}",
            float(lag),
            0.0,
            "of " + str(rounds),
            note="lag is zero",
        ),
    ]


def _found_at_once(vault: Vault, path: Path, text: str, *, embedder: bool) -> bool:
    """Return whether the last written text is found here and by a second, newly opened holder."""
    with opened(path, embedder=embedder) as other:
        return all(text in {hit.text for hit in one.recall(text, k=5).hits} for one in (vault, other))


def _bytes(path: Path, items: int, *, embedder: bool) -> Figure:
    """Return the bytes an item costs: the whole file, its log truncated, by what it holds.

    The reserve has one size whatever the vault holds, so it is no part of an item.
    """
    files = (file for file in path.parent.glob(path.name + "*") if file.is_file())
    size = sum(file.stat().st_size for file in files if not file.name.endswith(RESERVE))
    parts = {"database_bytes": float(size), "items": float(items)}
    return Figure(
        f"bytes of a 200-character memory {_WITH[embedder]}",
        round(size / items),
        BYTES_BOUND[embedder],
        "bytes",
        parts,
    )


def batched(plan: Plan, *, embedder: bool) -> list[Figure]:
    """Measure batches of 1,000 turns in one transaction against the raw batch."""
    say(f"batches {_WITH[embedder]}")
    rounds = plan.sized(8, quick=2)
    texts = Texts()
    vault = opened(plan.where / f"batch-{embedder}.db", embedder=embedder)
    raw = Raw(plan.where / f"batch-raw-{embedder}.db")
    maker = Maker(vault.ground.outside.analyser, vault.ground.outside.embedder)
    # The first batch of each side warms it up and is not counted.
    counted = Pair()
    for number in range(rounds + 1):
        intent = taking(vault, texts.texts(BATCH_ITEMS), number=number)
        items = [maker.item(1, text) for text in texts.texts(BATCH_ITEMS)]
        (counted if number else Pair()).round(
            [partial(take, vault.ground, intent)], [partial(raw.write_batch, items)]
        )
    vault.close()
    raw.close()
    return [
        counted.figure(
            f"a batch of 1,000 {_WITH[embedder]}", BATCH_BOUND[embedder], note="turns of one session"
        )
    ]


def taking(vault: Vault, texts: Sequence[str], *, number: int, space: str = "home") -> Take:
    """Return the intent to take texts as the turns of one session."""
    return Take(vault.principal, space, tuple(arrivals(texts, session=f"bench-{number}")), source="bench")


def arrivals(texts: Sequence[str], *, session: str) -> Iterator[Arrival]:
    """Yield texts as the turns of two speakers."""
    for place, text in enumerate(texts):
        role = Role.ASSISTANT if place % 2 else Role.USER
        yield Arrival(session=session, origin=str(place), role=role, speaker=role.value, text=text)
