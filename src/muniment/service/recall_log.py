"""Who was answered with what?  Durable before the answer leaves, or in batches within a second."""

import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING

from muniment import limits
from muniment.domain.changes import SessionState
from muniment.domain.principal import Principal
from muniment.domain.rows import RecallRow
from muniment.errors import MunimentError
from muniment.gate.characters import kept
from muniment.later import Later
from muniment.recall.question import Answer
from muniment.service.draft import Draft
from muniment.service.ground import Ground
from muniment.service.session_reading import hold

if TYPE_CHECKING:
    from muniment.domain import mention
    from muniment.service import watch
else:
    # Only where something was erased.
    mention, watch = Later("muniment.domain.mention"), Later("muniment.service.watch")


@dataclass(frozen=True, slots=True)
class Served:
    """Hold one answered question until it is on record."""

    principal: Principal
    answer: Answer
    session: int = 0


class RecallLog:
    """Keep the recall log: a batch is one transaction with one ledger record.

    `failures` counts batches that could not be written; `doctor` shows it.  `newest` is the
    record of the last batch that was, -1 before the first.
    """

    def __init__(self, ground: Ground) -> None:
        self._ground = ground
        self._waiting: list[Served] = []
        self._lock = threading.Lock()
        self._writing = threading.Lock()
        self._timer: threading.Timer | None = None
        self.failures = 0
        self.newest = -1

    def now(self, served: Served) -> bool:
        """Put one answer on record before it leaves; False when the vault cannot write."""
        if not self._ground.outside.writable:
            return False
        try:
            self._write([served])
        except MunimentError:
            self.failures += 1
            return False
        return True

    def later(self, served: Served) -> bool:
        """Put one answer on record within a second; False when the vault cannot write."""
        if not self._ground.outside.writable:
            return False
        with self._lock:
            self._waiting.append(served)
            full = len(self._waiting) >= limits.recall_log_batch_max
            if self._timer is None and not full:
                self._timer = threading.Timer(limits.recall_log_delay_seconds_max, self.flush)
                self._timer.daemon = True
                self._timer.start()
        if full:
            self.flush()
        return True

    def flush(self) -> None:
        """Write everything that waits; what cannot be written now is counted and kept out.

        A batch that another thread is just writing is waited for: whoever flushes may read the
        log or close the store next.
        """
        with self._writing:
            with self._lock:
                if self._timer is not None:
                    self._timer.cancel()
                self._timer, waiting, self._waiting = None, self._waiting, []
            if not waiting:
                return
            try:
                self._write(waiting)
            except MunimentError:
                self.failures += 1

    def _write(self, batch: list[Served]) -> None:
        with self._ground.store.transaction() as transaction:
            draft = Draft.begun(self._ground, transaction)
            for served in batch:
                _append(draft, served)
            record = draft.commit("recall", answers=len(batch))
        self.newest = record


def _question(draft: Draft, text: str) -> str:
    """Return a question without what was erased in this tenant: asking for it is no way back."""
    if not draft.generation:
        return text
    return watch.without_erased(draft.ground, draft.transaction, text)


def _append(draft: Draft, served: Served) -> None:
    answer = served.answer
    draft.add_recall(
        RecallRow(
            n=draft.number(),
            asked=draft.recorded,
            session=served.session,
            actor=draft.actor(served.principal),
            query=_question(draft, kept(answer.question)[0]),
            outcome=answer.outcome.value,
            label=answer.label,
            hits=tuple(f"{hit.id}@{hit.version}" for hit in answer.hits),
        )
    )
    if served.session:
        draft.session_states.append(SessionState(served.session, 0, answer.label))
        hold(draft.ground, served.session, answer.label)
