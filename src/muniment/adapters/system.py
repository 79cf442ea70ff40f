"""What time is it, and what is a new id?  The clock and the chance of the operating system."""

import os
from datetime import UTC, datetime

import uuid_utils

from muniment.domain.ids import new_id


class SystemClock:
    """Tell the operating system's time."""

    def now(self) -> datetime:
        """Return the present moment, aware, UTC, in microseconds."""
        return datetime.now(UTC)


class SystemIds:
    """Make ids that sort by the time they were made, and salts."""

    def new(self, prefix: str) -> str:
        """Return `prefix`, an underscore and the 26 characters of a UUID of version 7.

        Within a process each id sorts after the one before; a forked child draws anew.
        """
        return new_id(prefix, uuid_utils.uuid7().int)

    def salt(self, size: int) -> bytes:
        """Return `size` random bytes.

        Asked of the system each time: that takes a microsecond, and a block drawn ahead
        could be handed out twice after a fork.
        """
        return os.urandom(size)
