"""What does a transaction answer that has nobody beside it?  Row numbers and the log's end are its own."""

from collections.abc import Sequence

from muniment.domain.changes import NewVersion
from muniment.domain.ledger import TenantHead


class AloneInWriting:
    """Write a tenant while nobody else does."""

    def free_number(self, least: int) -> int:
        """Return `least`: nobody else takes numbers."""
        return least

    def last_head(self, versions: Sequence[NewVersion], *, model: str) -> TenantHead | None:
        """Return None: nobody can have moved the head, and everything is stored together."""
        return None
