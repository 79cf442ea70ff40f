"""Who holds the vault, and with which means?  What every verb of a caller needs."""

from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING

from muniment.domain.label import PUBLIC, Label
from muniment.domain.principal import Principal
from muniment.later import Later
from muniment.recall.question import Answer, Question
from muniment.service.arguments import Asker
from muniment.service.ask import ask
from muniment.service.ground import Ground
from muniment.service.recall_log import RecallLog, Served
from muniment.service.witnessing import Witnessing

if TYPE_CHECKING:
    from muniment.service import credentials
    from muniment.service import receipt as receipts
else:
    credentials = Later("muniment.service.credentials")
    receipts = Later("muniment.service.receipt")


class Hand:
    """Hold the ground, the principal and what has to happen after each verb."""

    def __init__(
        self,
        ground: Ground,
        principal: Principal,
        *,
        recalls: RecallLog,
        witnessing: Witnessing,
        embedded: bool = True,
    ) -> None:
        self._ground = ground
        self._holder = principal
        self._recalls = recalls
        self._witnessing = witnessing
        self._embedded = embedded
        self._unlogged = PUBLIC

    @property
    def _principal(self) -> Principal:
        """Return who acts; a key is looked up for every verb, so that a revocation counts at once (I7)."""
        if self._holder.credential:
            credentials.refuse_revoked(self._ground, self._holder.credential)
        return self._holder

    @property
    def principal(self) -> Principal:
        """Return who acts; raises BadCredential once the key that says so is revoked."""
        return self._principal

    @property
    def label(self) -> Label:
        """Return the strictest label of what was read so far; a bare vault has read nothing."""
        return PUBLIC

    def _session_number(self) -> int:
        """Return the number of the session that acts, 0 for none."""
        return 0

    def _asker(self) -> Asker:
        return Asker(self._principal, self._now(), self.label, self._session_number())

    def _now(self) -> datetime:
        return self._ground.outside.clock.now()

    def _done(self, receipt: "receipts.Receipt", *, strict: bool = False) -> "receipts.Receipt":
        self._witnessing.after(receipt.record)
        return receipt.checked(strict=strict)

    def on_record(self, answer: Answer) -> Answer:
        """Put on record, before it leaves, what was read in another way than by `recall`.

        A session carries its label from then on (I10); `logged` is false when the vault
        cannot write.
        """
        return self._noted(answer, self._session_number(), durable=True)

    def _served(self, question: Question, *, durable: bool) -> Answer:
        """Answer, and put on record what was served: before it leaves when `durable`."""
        return self._noted(ask(self._ground, question), question.session, durable=durable)

    def _noted(self, answer: Answer, session: int, *, durable: bool) -> Answer:
        served = Served(self._principal, answer, session)
        logged = self._recalls.now(served) if durable else self._recalls.later(served)
        self._witnessing.after(self._recalls.newest)
        if logged:
            return answer
        # The session's own row does not know of it, so whoever holds the session does (I10, I14).
        self._unlogged = self._unlogged.joined(answer.label)
        return replace(answer, logged=False, notes=(*answer.notes, "unlogged: the vault cannot write now"))
