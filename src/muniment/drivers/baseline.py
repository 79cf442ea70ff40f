"""Which rows are proposed by words, by meaning and by links?  The driver that always ships."""

from collections.abc import Sequence

from muniment import limits
from muniment.ports import View
from muniment.recall.eligibility import Sort
from muniment.recall.ranking import Candidate

LANES = (Sort.MEMORY, Sort.EVIDENCE)
"""The sorts asked, each with a lane by words and a lane by meaning."""


class BaselineDriver:
    """Propose candidates from the lexical and the vector lane of both sorts."""

    def candidates(self, view: View, terms: Sequence[str], vector: bytes) -> list[Candidate]:
        """Return candidates, each once; one found by meaning keeps its cosine."""
        found: dict[int, Candidate] = {}
        for sort in LANES:
            rows_max = limits.candidates_per_lane_max
            for candidate in view.nearest(vector, sort, rows_max=rows_max) if vector else ():
                found[candidate.n] = candidate
            for candidate in view.lexical(terms, sort, rows_max=rows_max) if terms else ():
                found.setdefault(candidate.n, candidate)
        return list(found.values())[: limits.candidates_max]
