"""How often is a free statement that contradicts an older one noticed, and how often wrongly?

The labelled pairs are those of the tests: one stream was written along with the rules, one after
them.  Each pair is judged by the rules alone, and told to a vault, where the older statement must
also be found among its neighbours before it can be compared.
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import muniment
from bench import kept
from bench.measure import workplace
from muniment.gate.contradiction import Kind, contradicts
from muniment.service.vault import Vault
from tests.gate import contradictions, everyday, held_out, second_round

NAME = "corrections"
HEADING = """# Corrections of free statements

Made by `python -m bench --only corrections`.
Precision: of the pairs that were taken for a contradiction, how many are one.
Recall: of the pairs that are a contradiction, how many were taken for one.
The pairs are short and in English; on other material expect less to be found."""

Pair = tuple[str, str]
STREAMS: Mapping[str, tuple[Sequence[Pair], Sequence[Pair]]] = {
    "written along with the rules": (contradictions.CONTRADICTING, contradictions.AGREEING),
    "written after the rules": (held_out.CONTRADICTING, held_out.AGREEING),
    "of different things in nearly the same words": ((), held_out.ALIKE),
    "of different things, written after the rules were mended by those": ((), held_out.ALIKE_LATER),
    "the rules were mended by in a second round": (second_round.CONTRADICTING, second_round.AGREEING),
    "written after that round, three of which it was then mended by": (
        second_round.CONTRADICTING_LATER,
        second_round.AGREEING_LATER,
    ),
    "written last, three of which it was then mended by": (
        second_round.CONTRADICTING_LAST,
        second_round.AGREEING_LAST,
    ),
    "in the words of every day, which the rules were mended by": (
        everyday.CONTRADICTING,
        everyday.AGREEING,
    ),
    "in the words of every day, written after that, and mended by later": (
        everyday.CONTRADICTING_LATER,
        everyday.AGREEING_LATER,
    ),
    "in the words of every day, written last, and mended by later": (
        everyday.CONTRADICTING_LAST,
        everyday.AGREEING_LAST,
    ),
}
BESIDE = "The lighthouse keeper counts gannets"
"""Stands in each space first: what a space begins with is compared with nothing."""


def by_the_rules(pairs: Sequence[Pair]) -> list[bool]:
    """Return for each pair, newer first, whether the rules are sure of a contradiction."""
    seen = [contradicts(new, old) for new, old in pairs]
    return [found is not None and found.kind is not Kind.UNSURE for found in seen]


def in_a_vault(pairs: Sequence[Pair]) -> list[bool]:
    """Return for each pair whether its older statement stopped being believed when the newer one came."""
    with workplace() as where, muniment.open(where / "corrections.db") as vault:
        for number, (_, old) in enumerate(pairs):
            vault.remember(BESIDE, space=f"pair/{number}")
            vault.remember(old, space=f"pair/{number}")
        vault.settle()
        for number, (new, _) in enumerate(pairs):
            vault.remember(new, space=f"pair/{number}")
        while vault.settle().left:
            pass
        return [_gave_way(vault, old, space=f"pair/{number}") for number, (_, old) in enumerate(pairs)]


def _gave_way(vault: Vault, old: str, *, space: str) -> bool:
    return old not in {row.text for row in vault.memories(space=space, states=["believed"])}


def row(name: str, judge: Callable[[Sequence[Pair]], list[bool]], stream: str) -> dict[str, object]:
    """Return precision and recall of one judge over one stream, with the pairs that it got wrong."""
    contradicting, agreeing = STREAMS[stream]
    found, made_up = judge(contradicting), judge(agreeing)
    right, wrong = sum(found), sum(made_up)
    missed = [pair[0] for pair, seen in zip(contradicting, found, strict=True) if not seen]
    invented = [pair[0] for pair, seen in zip(agreeing, made_up, strict=True) if seen]
    cells = {
        "pairs": {"said": str(len(found) + len(made_up)), "detail": ""},
        "made up": {"said": f"{wrong} of {len(made_up)}", "detail": "; ".join(invented)},
        "precision": {"said": f"{right / (right + wrong):.3f}" if right else "", "detail": ""},
        "recall": {"said": f"{right / len(found):.3f}" if found else "", "detail": "; ".join(missed)},
    }
    return {"row": f"{name}, pairs {stream}", "cells": cells}


def tables() -> list[kept.Table]:
    """Return the one table, measured now."""
    judges = {"rules alone": by_the_rules, "a vault": in_a_vault}
    rows = [row(name, judge, stream) for name, judge in judges.items() for stream in STREAMS]
    says = "Below the table stand the newer statements of what was made up, and of what was missed."
    return [{"title": "Free statements", "says": says, "rows": rows}]


def run(*, quick: bool, where: Path = kept.RESULTS) -> None:
    """Measure and show; keep what was found unless it is a quick look."""
    made = tables()
    print("\n".join(kept.lines_of(made[0])))
    if not quick:
        kept.keep(NAME, HEADING, made, where=where)
