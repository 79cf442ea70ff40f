"""Pairs of statements in the words of every day, each set written by somebody who had not seen the rules.

The rules were mended by all three sets, by each after it had been measured once.
"""

from pathlib import Path

Pair = tuple[str, str]

_DATA = Path(__file__).parent.parent / "data"


def _pairs(name: str, *, contradict: bool) -> list[Pair]:
    """Return the pairs of a file, newer first, that contradict each other or do not."""
    lines = (_DATA / f"{name}.tsv").read_text(encoding="utf-8").splitlines()
    rows = [line.split("\t") for line in lines]
    return [(new, old) for label, new, old in rows if (label == "1") is contradict]


CONTRADICTING, AGREEING = _pairs("everyday", contradict=True), _pairs("everyday", contradict=False)
CONTRADICTING_LATER = _pairs("everyday_later", contradict=True)
AGREEING_LATER = _pairs("everyday_later", contradict=False)
CONTRADICTING_LAST = _pairs("everyday_last", contradict=True)
AGREEING_LAST = _pairs("everyday_last", contradict=False)
