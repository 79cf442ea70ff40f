"""Which of the ranked candidates go into the answer?  Whole items, within k and the budget."""

from collections.abc import Sequence
from dataclasses import dataclass

from muniment.recall.ranking import COMPANY_FLOOR, STRENGTH_FLOOR, Scored

CHARACTERS_A_TOKEN = 4
"""How many characters count as one token of a budget."""

UNTRUSTED_SHARE = (2, 5)
"""At most two in five hits are untrusted, rounded up (SECURITY section 9)."""


@dataclass(frozen=True, slots=True)
class Packed:
    """Hold what was taken and how many were left out, by why."""

    taken: tuple[Scored, ...]
    too_weak: int = 0
    over_k: int = 0
    untrusted_left_out: int = 0


def tokens_of(text: str) -> int:
    """Return the estimated tokens of a text, rounded up."""
    return -(-len(text) // CHARACTERS_A_TOKEN)


def packed(ranked: Sequence[Scored], *, k: int, floor: float = STRENGTH_FLOOR) -> Packed:
    """Take the best candidates: at most `k`, none when all are below `floor`, few untrusted ones.

    One hit above the floor is an answer, and weaker ones may stand beside it.

    Texts are not looked at here; `within_budget` drops whole items once they are read.
    """
    answered = any(one.strength >= floor for one in ranked)
    company = min(floor, COMPANY_FLOOR)
    strong = [one for one in ranked if answered and one.strength >= company]
    share = -(-k * UNTRUSTED_SHARE[0] // UNTRUSTED_SHARE[1])
    taken: list[Scored] = []
    untrusted = left_out = 0
    clean_exists = sum(1 for one in strong if not one.candidate.untrusted)
    for one in strong:
        if len(taken) == k:
            break
        if one.candidate.untrusted:
            if clean_exists and untrusted >= share:
                left_out += 1
                continue
            untrusted += 1
        taken.append(one)
    return Packed(
        taken=tuple(taken),
        too_weak=len(ranked) - len(strong),
        over_k=len(strong) - len(taken) - left_out,
        untrusted_left_out=left_out,
    )


def within_budget(texts: Sequence[str], budget_tokens: int | None) -> list[int]:
    """Return which texts fit the budget, in order; an item that does not fit is left out whole."""
    if budget_tokens is None:
        return list(range(len(texts)))
    kept, used = [], 0
    for position, text in enumerate(texts):
        cost = tokens_of(text)
        if used + cost <= budget_tokens:
            kept.append(position)
            used += cost
    return kept
