"""Which evidence of an export is taken in at once?  Items of one space, of bounded number and size."""

from dataclasses import dataclass, field, replace

from muniment import limits
from muniment.domain.evidence import Arrival, Evidence, EvidenceKind


@dataclass(slots=True)
class Batch:
    """Gather evidence of one space by its foreign id, and the parts of the last document.

    At most `limits.batch_items_max` items, and `limits.line_bytes_max` characters but for a longer item.
    """

    space: int = 0
    document: str = ""
    arrivals: dict[str, Arrival] = field(default_factory=dict)
    parts: dict[str, Arrival] = field(default_factory=dict)
    _characters: int = 0
    _number: int = 0

    def add(self, item: Evidence, arrival: Arrival) -> None:
        """Add one item."""
        self.space = item.space
        self.arrivals[item.id] = arrival
        self._characters += len(item.text)
        self.document = item.id if item.kind is EvidenceKind.DOCUMENT else ""
        self._number = 0

    def chunk(self, item: Evidence) -> None:
        """Note the next part of the last document, which is found by its number."""
        whole = self.arrivals[self.document]
        self.parts[item.id] = replace(whole, origin=f"{whole.origin}#{self._number}")
        self._number += 1

    def is_full_for(self, item: Evidence) -> bool:
        """Return whether an item has to go into the next batch."""
        if not self.arrivals:
            return False
        is_large = self._characters + len(item.text) > limits.line_bytes_max
        return is_large or len(self.arrivals) >= limits.batch_items_max or item.space != self.space
