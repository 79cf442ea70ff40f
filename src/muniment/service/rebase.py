"""What becomes of rows when others got onto the record first?  The same, a moment later (I8)."""

from dataclasses import replace
from datetime import datetime

from muniment.domain.link import Link
from muniment.domain.matter import Matter
from muniment.domain.memory import Version
from muniment.domain.timeline import Interval


class Moment:
    """Carry rows from the moment they were judged at to the one they are recorded at.

    Whatever began or ended at that moment does so still: a memory without a time of its own is
    valid from when it is recorded.
    """

    def __init__(self, judged: datetime, recorded: datetime) -> None:
        self._judged = judged
        self._recorded = recorded

    def _carried(self, moment: datetime) -> datetime:
        return self._recorded if moment == self._judged else moment

    def version(self, row: Version) -> Version:
        """Return a version as it is recorded."""
        if self._recorded == self._judged:
            return row
        end = row.valid.end
        valid = Interval(self._carried(row.valid.start), None if end is None else self._carried(end))
        return replace(row, recorded=self._carried(row.recorded), valid=valid)

    def link(self, row: Link) -> Link:
        """Return a link as it is recorded."""
        return replace(row, recorded=self._carried(row.recorded))

    def matter(self, row: Matter) -> Matter:
        """Return a row of a matter as it is recorded."""
        return replace(row, recorded=self._carried(row.recorded))
