"""Which runs of characters are worth a closer look?  Those met so far are remembered.

Nearly every word of nearly every text holds no sign of anything, and to look a word up takes
a fiftieth of what it takes to search it for every sign.
"""

import re
from collections.abc import Callable
from typing import TypeVar

from muniment import limits

_CHARACTERS_MAX = 32
_DIGIT = re.compile(r"[0-9]")
Found = TypeVar("Found")


class Runs(dict[str, Found]):
    """What the runs between white space hold, by a given rule; a full memory is emptied.

    Long runs and those with a digit, mostly somebody's number, are looked at each time.
    """

    def __init__(self, look: Callable[[str], Found]) -> None:
        super().__init__()
        self._look = look

    def __missing__(self, run: str) -> Found:
        found = self._look(run)
        if len(run) <= _CHARACTERS_MAX and not _DIGIT.search(run):
            if len(self) >= limits.vocabulary_cache_words_max:
                self.clear()
            self[run] = found
        return found
