"""How do rows become candidates?  Many for each question, so decoded together."""

from collections.abc import Sequence

from muniment.domain.trust import Rank
from muniment.recall.eligibility import Sort
from muniment.recall.ranking import COSINE_DIGITS, Candidate
from muniment.store.codec import ROLES, TRUSTS, Columns, term_text
from muniment.store.written import decoded

CANDIDATE_COLUMNS = 11
"""How many columns a candidate's row has before a cosine."""

_VOICES = tuple(role.value for role in ROLES)
_RANK_WEIGHT = {int(rank): rank.weight for rank in Rank}


@decoded
def candidates_of(rows: Sequence[Columns], sort: Sort) -> list[Candidate]:
    """Return the candidates of some rows; a twelfth column is a cosine, rounded for all stores alike."""
    if rows and len(rows[0]) > CANDIDATE_COLUMNS:
        return [_candidate(row, sort, round(float(row[-1] or 0.0), COSINE_DIGITS)) for row in rows]
    return [_candidate(row, sort) for row in rows]


def _candidate(row: Columns, sort: Sort, cosine: float | None = None) -> Candidate:
    n, space, terms, recorded, when, rank, trust, untrusted, role, speaker, session = row[:CANDIDATE_COLUMNS]
    # Named here, since there are many of them and a row's other columns are only compared.
    if type(speaker) is not str or type(session) is not int:
        raise TypeError("no speaker or no session")
    text = term_text(terms)
    length = text.count(" ") + 1 if text else 0
    spaced = f" {text.replace(' ', '  ')} "
    is_said = sort is Sort.EVIDENCE
    # By place, in the order of its fields: a hundred are made for every question.
    return Candidate(
        n, sort, space, spaced, length, recorded, when, 0 if is_said else _RANK_WEIGHT[rank],
        None if trust is None else TRUSTS[trust], bool(untrusted), _VOICES[role] if is_said else "",
        speaker, session, cosine,
    )  # fmt: skip
