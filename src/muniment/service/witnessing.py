"""When is the head signed for the outside?  Every 256 records or minute, and at shutdown (I6)."""

from muniment import limits
from muniment.errors import MunimentError
from muniment.service.ground import Ground


class Witnessing:
    """Keep the outside witness close behind the log.

    A witness that cannot be written never costs a write; `failures` counts, and `doctor`
    and `status` show how far behind it is.
    """

    def __init__(self, ground: Ground) -> None:
        self._ground = ground
        self._signed_size = 0
        self._signed_at = ground.outside.clock.now()
        self._seen = 0
        self.failures = 0

    def after(self, record: int) -> None:
        """Note that a record was made, and sign when it is time."""
        if record < 0:
            return
        self._seen = max(self._seen, record + 1)
        waited = (self._ground.outside.clock.now() - self._signed_at).total_seconds()
        if (
            self._seen - self._signed_size >= limits.checkpoint_records_max
            or waited >= limits.checkpoint_seconds_max
        ):
            self.now()

    def now(self) -> None:
        """Sign the present head."""
        if not self._ground.outside.writable:
            return
        try:
            with self._ground.store.snapshot() as snapshot:
                head = self._ground.checked_head(snapshot)
            # What is signed outside may not get lost inside.
            self._ground.store.harden()
            if head.size:
                self._ground.outside.witness.add(head.size, head.root, self._ground.outside.clock.now())
        except MunimentError:
            self.failures += 1
            return
        self._signed_size, self._signed_at = head.size, self._ground.outside.clock.now()

    def last(self) -> None:
        """Sign at shutdown what has been recorded since the last signature."""
        self.now()
