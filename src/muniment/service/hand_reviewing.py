"""Which verbs are for whoever decides?  What waits for a person, and the decisions."""

from typing import TYPE_CHECKING, TypedDict, Unpack

from muniment.domain.matter import Decision, MatterState
from muniment.domain.memory import Claim
from muniment.errors import BadInput
from muniment.later import Later
from muniment.service.arguments import (
    When,
    moment_of,
    page_of,
    reason_of,
    text_of,
    version_number,
)
from muniment.service.hand_reading import ReadingHand

if TYPE_CHECKING:
    from muniment.domain import intent as intents
    from muniment.service import cases as filed
    from muniment.service import decide as deciding
    from muniment.service import receipt as receipts
else:
    deciding = Later("muniment.service.decide")
    filed = Later("muniment.service.cases")
    intents = Later("muniment.domain.intent")
    receipts = Later("muniment.service.receipt")


class DecideFields(TypedDict, total=False):
    """Name what `decide` takes beside case, decision and reason."""

    text: str
    value: str
    valid_from: When
    valid_until: When
    expected_version: int | None
    strict: bool


class Reviewing(ReadingHand):
    """Show what waits for a person, and decide it."""

    def cases(
        self,
        *,
        state: str = MatterState.OPEN.value,
        space: str | None = None,
        after: int = 0,
        limit: int = 100,
    ) -> tuple["filed.Case", ...]:
        """Return the cases of the caller's spaces, the newest first.

        `state` is open, decided, moot or all; raises BadInput for another.
        """
        known = (MatterState.OPEN, MatterState.DECIDED, MatterState.MOOT)
        if state != "all" and state not in known:
            raise BadInput("`state` is open, decided, moot or all.")
        states = known if state == "all" else (MatterState(state),)
        page = page_of(after, limit)
        with self._ground.store.snapshot() as snapshot:
            spaces = self._space_numbers(snapshot, space)
        return filed.cases(self._ground, self._principal, states=states, spaces=spaces, page=page)

    def case(self, id: str) -> "filed.Case":
        """Return one case with both sides as they are now; raises NotFound."""
        return filed.case(self._ground, self._principal, text_of("id", id))

    def decide(
        self, case: str, decision: str, *, reason: str = "", **given: Unpack[DecideFields]
    ) -> "receipts.Receipt":
        """Decide a case: uphold-new, keep-old, edit, both-valid or merge; a person's act.

        `text` says what an edit makes of it; `valid_from` and `valid_until` the validity of
        the newer side, or of the edited text.  A decision that rests on what the sides no
        longer say is refused; `expected_version` names the version that was looked at.
        """
        if decision not in Decision.__members__.values():
            raise BadInput(f"`decision` is one of {', '.join(one.value for one in Decision)}.")
        now = self._now()
        intent = intents.Decide(
            principal=self._principal,
            case=text_of("case", case),
            decision=Decision(decision),
            claim=Claim(text=text_of("text", given.get("text")), value=text_of("value", given.get("value"))),
            times=intents.Times(
                valid_from=moment_of("valid_from", given.get("valid_from"), now=now),
                valid_until=moment_of("valid_until", given.get("valid_until"), now=now),
            ),
            reason=reason_of(reason),
            expected_version=version_number(given.get("expected_version")),
        )
        return self._done(deciding.decide(self._ground, intent), strict=bool(given.get("strict", False)))
