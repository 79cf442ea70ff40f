"""Which verbs are for whoever decides?  What waits for a person, and the decisions."""

from typing import TYPE_CHECKING, NamedTuple, TypedDict, Unpack

from muniment.domain.matter import Decision, MatterState
from muniment.domain.memory import Claim
from muniment.domain.space import checked_path
from muniment.errors import BadInput
from muniment.later import Later
from muniment.service.arguments import (
    When,
    known_fields,
    moment_of,
    page_of,
    reason_of,
    text_of,
    version_number,
)
from muniment.service.hand_reading import ReadingHand

if TYPE_CHECKING:
    from muniment.domain import intent as intents
    from muniment.service import block_files, dials, proposals
    from muniment.service import cases as filed
    from muniment.service import contradictions as looking
    from muniment.service import decide as deciding
    from muniment.service import receipt as receipts
else:
    block_files = Later("muniment.service.block_files")
    deciding = Later("muniment.service.decide")
    dials = Later("muniment.service.dials")
    proposals = Later("muniment.service.proposals")
    filed = Later("muniment.service.cases")
    looking = Later("muniment.service.contradictions")
    intents = Later("muniment.domain.intent")
    receipts = Later("muniment.service.receipt")


class Settings(NamedTuple):
    """Hold how a space's dials stand."""

    conflict: str
    review: str


class DecideFields(TypedDict, total=False):
    """Name what `decide` takes beside case, decision and reason."""

    text: str
    value: str
    valid_from: When
    valid_until: When
    expected_version: int | None
    strict: bool


class ApproveFields(TypedDict, total=False):
    """Name what `approve` takes beside id and digest."""

    text: str
    value: str
    reason: str
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
        known_fields(given, DecideFields)
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

    def pending(
        self,
        *,
        state: str = MatterState.OPEN.value,
        space: str | None = None,
        after: int = 0,
        limit: int = 100,
    ) -> tuple["proposals.Proposal", ...]:
        """Return the changes that wait for a person, the newest first; nothing of them is live.

        `state` is open, approved, declined or all; raises BadInput for another.
        """
        states = _PROPOSAL_STATES.get(state)
        if states is None:
            raise BadInput(f"`state` is {', '.join(_PROPOSAL_STATES)}.")
        page = page_of(after, limit)
        with self._ground.store.snapshot() as snapshot:
            spaces = self._space_numbers(snapshot, space)
        return proposals.pending(self._ground, self._principal, states=states, spaces=spaces, page=page)

    def proposal(self, id: str) -> "proposals.Proposal":
        """Return one proposal, the whole of it; raises NotFound."""
        return proposals.proposal(self._ground, self._principal, text_of("id", id))

    def approve(self, id: str, *, digest: str, **given: Unpack[ApproveFields]) -> "receipts.Receipt":
        """Approve a proposal: a person's act, bound to the digest of what was shown.

        The change passes the gate again, against the state as it is now, as its proposer's.
        With `text` or `value` it says that instead and is the person's own statement; what was
        asked for stays beside it, on record.
        """
        known_fields(given, ApproveFields)
        try:
            named = bytes.fromhex(text_of("digest", digest))
        except ValueError as error:
            raise BadInput("`digest` is 64 hexadecimal digits, as the proposal shows them.") from error
        intent = intents.Review(
            principal=self._principal,
            proposal=text_of("id", id),
            approves=True,
            digest=named,
            reason=reason_of(given.get("reason", "")),
            claim=Claim(text=text_of("text", given.get("text")), value=text_of("value", given.get("value"))),
        )
        with block_files.in_step(self._ground) as hindered:
            done = proposals.review(self._ground, intent, hindered)
        return self._done(done, strict=bool(given.get("strict", False)))

    def decline(self, id: str, *, reason: str = "", strict: bool = False) -> "receipts.Receipt":
        """Decline a proposal: it is kept with the reason, and its text is refused from now on.

        A change without words of its own, such as a retraction, is not asked for again either,
        as long as the memory says what it says now.
        """
        intent = intents.Review(self._principal, text_of("id", id), approves=False, reason=reason_of(reason))
        return self._done(proposals.review(self._ground, intent), strict=strict)

    def _review(self, id: str, *, approves: bool, reason: str) -> "intents.Review":
        return intents.Review(self._principal, text_of("id", id), approves, reason=reason_of(reason))

    def contradictions(self, text: str, *, space: str | None = None) -> tuple["looking.Foreseen", ...]:
        """Return what a statement would contradict, and what would follow; nothing is stored."""
        path = checked_path(space) if space else self._principal.home
        return looking.foreseen(self._ground, self._principal, text_of("text", text), space=path)

    def settings(self, space: str | None = None) -> Settings:
        """Return how a space's dials stand: for conflicts, and for review."""
        path = checked_path(space) if space else self._principal.home
        conflicts, reviews = dials.current(self._ground)
        with self._ground.store.snapshot() as snapshot:
            ns = self._space_numbers(snapshot, path)
        n = ns[0] if ns else 0
        return Settings(conflicts.get(n, "auto"), reviews.get(n, "off"))

    def blocks_off(self, space: str | None = None) -> frozenset[str]:
        """Return the names of the blocks that are switched off in a space."""
        path = checked_path(space) if space else self._principal.home
        with self._ground.store.snapshot() as snapshot:
            ns = self._space_numbers(snapshot, path)
        return dials.blocks_off(self._ground, ns[0]) if ns else frozenset()

    def set_dial(self, dial: str, to: str, *, space: str | None = None) -> int:
        """Move a dial of a space, `conflict`, `review`, `memory` or `user`: the owner's act, on record.

        The last two switch a block `on` or `off`.
        """
        if dial not in dials.SETTINGS:
            raise BadInput("`dial` is conflict, review, memory or user.")
        path = checked_path(space) if space else self._principal.home
        record = dials.set_dial(self._ground, self._principal, path, dial=dial, to=text_of("to", to))
        self._witnessing.after(record)
        return record


_PROPOSAL_STATES = {
    "open": (MatterState.OPEN,),
    "approved": (MatterState.DECIDED,),
    "declined": (MatterState.DECLINED,),
    "all": (MatterState.OPEN, MatterState.DECIDED, MatterState.DECLINED, MatterState.MOOT),
}
"""What a listing of proposals can be asked for."""
