"""How closely must this be held, and may it be believed?  Labels only get stricter (I10)."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum


class DataClass(IntEnum):
    """Order the data classes from open to closed."""

    PUBLIC = 0
    PRIVATE = 1
    SECRET = 2


@dataclass(frozen=True, slots=True, order=True)
class Label:
    """Hold a data class and whether untrusted content is in it.

    Ordered by class, then by taint; `joined` is the only way to combine labels.
    """

    data_class: DataClass = DataClass.PRIVATE
    untrusted: bool = False

    def joined(self, other: "Label") -> "Label":
        """Return the strictest of both, in each part on its own (I10)."""
        # Mostly one of them is the strictest already.
        if self.data_class >= other.data_class and (self.untrusted or not other.untrusted):
            return self
        return Label(
            DataClass(max(self.data_class, other.data_class)),
            self.untrusted or other.untrusted,
        )


PUBLIC = Label(DataClass.PUBLIC)
PRIVATE = Label(DataClass.PRIVATE)
SECRET = Label(DataClass.SECRET)


def strictest(labels: Iterable[Label], *, least: Label = PUBLIC) -> Label:
    """Return the join of all `labels` and `least`."""
    result = least
    for label in labels:
        result = result.joined(label)
    return result
