"""Which erasures of the journal does the database not know?  The last ones, so only those are looked at."""

from itertools import takewhile

from muniment.domain.journal import id_of
from muniment.ports import Snapshot
from muniment.service.certifying import certificates_in
from muniment.service.ground import Ground

_FIRST_LOOK = 1_000
"""How many of the newest row numbers are looked at first for a certificate; then twice as many, and so on."""


class _Certified:
    """Say which erasures have a certificate, looking back from the newest one only as far as is asked."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._low, self._step = max(0, snapshot.head().next_n - _FIRST_LOOK), _FIRST_LOOK
        self._known = {row.erasure for row in certificates_in(snapshot, after=self._low)}

    def has(self, erasure: str) -> bool:
        """Return whether the database knows an erasure."""
        while erasure not in self._known and self._low:
            before, self._step = self._low, self._step * 2
            self._low = max(0, before - self._step)
            found = certificates_in(self._snapshot, after=self._low, until=before)
            self._known |= {row.erasure for row in found}
        return erasure in self._known


def unknown_in(ground: Ground, snapshot: Snapshot) -> tuple[str, ...]:
    """Return the journal's lines of erasures that the database does not know, oldest first.

    No line is added before all earlier ones are known, so those that are not known are the
    last ones: an opening reads the newest certificate and no more, however many there are.
    """
    lines = ground.outside.journal.lines()
    if not lines:
        return ()
    certified = _Certified(snapshot)
    unknown = tuple(takewhile(lambda line: not certified.has(id_of(line)), reversed(lines)))
    return unknown[::-1]
