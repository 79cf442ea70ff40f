"""Which verbs change a memory?  Each builds an intent and hands back a receipt."""

from typing import TYPE_CHECKING, Unpack

from muniment.domain.link import LinkType
from muniment.domain.memory import Claim
from muniment.domain.trust import Act
from muniment.errors import BadInput
from muniment.later import Later
from muniment.service.arguments import (
    ChangeFields,
    MoveFields,
    RememberFields,
    known_fields,
    moment_of,
    reason_of,
    remember_intent,
    sources_of,
    text_of,
    version_number,
)
from muniment.service.hand import Hand

if TYPE_CHECKING:
    from muniment.domain import intent as intents
    from muniment.service import comparing, curate, lifting, remember, revise
    from muniment.service import receipt as receipts
else:
    intents = Later("muniment.domain.intent")
    comparing = Later("muniment.service.comparing")
    curate = Later("muniment.service.curate")
    lifting = Later("muniment.service.lifting")
    receipts = Later("muniment.service.receipt")
    remember = Later("muniment.service.remember")
    revise = Later("muniment.service.revise")


class Writing(Hand):
    """Change memories through the gate."""

    def remember(self, text: str, **fields: Unpack[RememberFields]) -> "receipts.Receipt":
        """Remember a statement; the receipt says what became of it.

        With `wait=True` a free statement is compared with its neighbours before the receipt
        comes, instead of in the background.
        Raises BadInput or BadTime for arguments of the wrong type, and Refusal for a
        refused one with `strict=True`.
        """
        intent = remember_intent(self._asker(), text, fields)
        strict = bool(fields.get("strict", False))
        receipt = self._done(remember.remember(self._ground, intent), strict=strict)
        return comparing.compared(self._ground, intent.principal, receipt) if fields.get("wait") else receipt

    def revise(
        self, id: str, text: str = "", *, reason: str = "", **given: Unpack[ChangeFields]
    ) -> "receipts.Receipt":
        """Say that we were wrong: a new version of the same memory, same interval unless given."""
        return self._change(id, text, "revise", reason=reason, given=given)

    def succeed(
        self, id: str, text: str = "", *, reason: str = "", **given: Unpack[ChangeFields]
    ) -> "receipts.Receipt":
        """Say that the world changed: a successor from `valid_from` on, the old one closed there."""
        return self._change(id, text, "succeed", reason=reason, given=given)

    def _change(
        self, id: str, text: str, act: str, *, reason: str, given: ChangeFields
    ) -> "receipts.Receipt":
        known_fields(given, ChangeFields)
        now = self._now()
        intent = intents.Change(
            principal=self._principal,
            target=text_of("id", id),
            act=act,
            claim=Claim(text=text_of("text", text), value=text_of("value", given.get("value"))),
            times=intents.Times(
                valid_from=moment_of("valid_from", given.get("valid_from"), now=now),
                valid_until=moment_of("valid_until", given.get("valid_until"), now=now),
                occurred_at=moment_of("occurred_at", given.get("occurred_at"), now=now),
                expires_at=moment_of("expires_at", given.get("expires_at"), now=now),
            ),
            reason=reason_of(reason),
            expected_version=version_number(given.get("expected_version")),
            sources=sources_of(given.get("evidence")),
            read=self.label,
            session=self._session_number(),
        )
        return self._done(revise.change(self._ground, intent), strict=bool(given.get("strict", False)))

    def retract(self, id: str, *, reason: str = "", **given: Unpack[MoveFields]) -> "receipts.Receipt":
        """Take a statement back without another in its place."""
        return self.judge(id, Act.RETRACT.value, reason=reason, **given)

    def reject(self, id: str, *, reason: str = "", **given: Unpack[MoveFields]) -> "receipts.Receipt":
        """Reject a memory's value for good: a person's act that only lifting ends (I4)."""
        return self.judge(id, Act.REJECT.value, reason=reason, **given)

    def retire(self, id: str, *, reason: str = "", **given: Unpack[MoveFields]) -> "receipts.Receipt":
        """Put a memory out of use; `revive` brings it back as it was."""
        return self.judge(id, Act.RETIRE.value, reason=reason, **given)

    def revive(self, id: str, *, reason: str = "", **given: Unpack[MoveFields]) -> "receipts.Receipt":
        """Bring a retired memory back as it was."""
        return self.judge(id, Act.REVIVE.value, reason=reason, **given)

    def judge(
        self, id: str, act: str, *, reason: str = "", **given: Unpack[MoveFields]
    ) -> "receipts.Receipt":
        """Move a memory's trust along the table: support, refute, dispute, uphold and the rest."""
        if act not in Act.__members__.values() or act in (Act.LIFT, Act.SUPERSEDE, Act.REOPEN):
            raise BadInput("`act` is no verdict of the table.")
        known_fields(given, MoveFields)
        intent = intents.Judge(
            principal=self._principal,
            target=text_of("id", id),
            act=Act(act),
            reason=reason_of(reason),
            expected_version=version_number(given.get("expected_version")),
            sources=sources_of(given.get("evidence")),
            read=self.label,
            session=self._session_number(),
        )
        return self._done(curate.move(self._ground, intent), strict=bool(given.get("strict", False)))

    def lift(self, tombstone: str, *, reason: str = "", strict: bool = False) -> "receipts.Receipt":
        """End a rejection; takes the id of the tombstone, the rejected memory or the declined proposal."""
        intent = intents.Lift(self._principal, text_of("tombstone", tombstone), reason_of(reason))
        return self._done(lifting.lift(self._ground, intent), strict=strict)

    def link(
        self, a: str, b: str, *, type: str, weight: float = 1.0, strict: bool = False
    ) -> "receipts.Receipt":
        """Link two things, the newer one first; `weight` lies in 0..1."""
        if type not in LinkType.__members__.values():
            raise BadInput(f"`type` is one of {', '.join(one.value for one in LinkType)}.")
        if isinstance(weight, bool) or not isinstance(weight, int | float):
            raise BadInput("`weight` is not a number.")
        intent = intents.Connect(
            self._principal,
            text_of("a", a),
            text_of("b", b),
            LinkType(type),
            float(weight),
            self.label,
            self._session_number(),
        )
        return self._done(curate.connect(self._ground, intent), strict=strict)
