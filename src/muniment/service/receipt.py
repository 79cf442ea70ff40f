"""What does a caller get back for a change?  The verdict, and what to do next."""

from dataclasses import dataclass

from muniment.domain.quick import quick
from muniment.errors import Refusal
from muniment.gate.verdict import Outcome, Verdict


@quick
@dataclass(frozen=True, slots=True)
class Receipt:
    """Hold the gate's answer to one change.

    `verdict` is stored, merged, staged, noted, disputed or refused and `reason` its code;
    `id` and `version` name the memory that holds the statement now, `record` the ledger
    position.  `conflict` is `none`, `superseded`, `disputed` or `pending`; `also` lists the other
    memories that the change touched, and `case` names the case that it opened or decided;
    `proposal` the change that waits for a person, or that a person settled.
    """

    verdict: str
    reason: str
    sentence: str
    next: str
    id: str = ""
    version: int = 0
    record: int = -1
    conflict: str = "none"
    detail: str = ""
    rests_on: str = ""
    also: tuple[str, ...] = ()
    case: str = ""
    proposal: str = ""

    @property
    def refused(self) -> bool:
        """Return whether nothing was stored."""
        return self.verdict == Outcome.REFUSED.value

    @property
    def landed(self) -> bool:
        """Return whether a memory holds the statement now: neither refused nor left to a person."""
        return self.verdict not in (Outcome.REFUSED.value, Outcome.STAGED.value)

    def checked(self, *, strict: bool) -> "Receipt":
        """Return the receipt, or raise Refusal for a refused one when `strict`."""
        if strict and self.refused:
            raise Refusal(f"{self.sentence} {self.detail}".strip(), advice=self.next)
        return self


PENDING = "pending"
"""What a receipt says of a conflict that is still looked for in the background."""

_CONFLICTS = {"superseded-older": "superseded"}


def receipt_of(
    verdict: Verdict, *, id: str = "", version: int = 0, record: int = -1, pending: bool = False
) -> Receipt:
    """Return the receipt of a verdict; `pending` when a conflict is still looked for."""
    reason = verdict.reason
    disputed = verdict.outcome is Outcome.DISPUTED
    return Receipt(
        verdict=verdict.outcome.value,
        reason=reason.code,
        sentence=reason.sentence,
        next=reason.advice,
        id=id,
        version=version,
        record=record,
        conflict="disputed" if disputed else _CONFLICTS.get(reason.code, PENDING if pending else "none"),
        detail=verdict.detail,
        rests_on=verdict.rests_on,
        also=tuple(closing.version.memory for closing in verdict.closings if closing.version.memory != id),
    )
