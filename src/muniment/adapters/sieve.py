"""Which texts are worth looking at closely?  All signs are looked for in one pass over a text.

The automaton costs a text what two signs cost one by one, however many there are.
"""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from muniment.later import Later

if TYPE_CHECKING:
    import ahocorasick_rs as automata
else:
    # A command that only reads has nothing to sift.
    automata = Later("ahocorasick_rs")

SIFTED_CHARACTERS_MAX = 32_768
"""A longer text is worth a look for its length alone."""


class Sieve:
    """Hold back texts that may hold a sign; safe to share between threads.

    `signs` gives signs in lower case and ASCII; it is asked when the first text comes.
    """

    def __init__(self, signs: Callable[[], Iterable[str]]) -> None:
        self._signs = signs
        self._automaton: automata.BytesAhoCorasick | None = None

    def __call__(self, text: str) -> bool:
        """Return whether a sign may stand in a text: False is sure, True is not.

        Always True beyond ASCII, where letters may be others in disguise.
        """
        if not text.isascii() or len(text) > SIFTED_CHARACTERS_MAX:
            return True
        lowered = text.lower().encode()
        automaton = self._automaton or self._made()
        if automaton.find_matches_as_indexes(lowered):
            return True
        return b"_" in lowered and bool(automaton.find_matches_as_indexes(lowered.replace(b"_", b" ")))

    def _made(self) -> "automata.BytesAhoCorasick":
        signs = sorted(sign.encode() for sign in self._signs())
        self._automaton = automata.BytesAhoCorasick(signs, implementation=automata.Implementation.DFA)
        return self._automaton
