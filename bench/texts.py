"""Which texts and questions are measured with?  Seeded, English-like, never the same twice.

Words follow Zipf's law over 20,000 of them.  Four in five are English, most frequent first
(the embedder's vocabulary lists them so); one in five is made up, as names and terms of art
are, and falls into several word pieces.  Every third text holds an identifier that no other
text has, so that no cache of words knows everything.
"""

import random
from collections.abc import Iterator, Sequence
from itertools import accumulate
from pathlib import Path

import muniment

SEED = 20_260
WORDS = 20_000
TEXT_CHARACTERS = 200

_VOCABULARY = Path(muniment.__file__).parent / "data" / "embedder" / "vocabulary.txt"
_SYLLABLES = tuple(first + vowel for first in "bdfgklmnpr" for vowel in "aeio")
_EXPONENT_SHIFT = 2.7
_MADE_UP_EVERY, _MADE_UP_FROM = 5, 100


def english_words() -> list[str]:
    """Return whole English words, the most frequent first."""
    pieces = _VOCABULARY.read_text(encoding="utf-8").split("\n")
    return [word for word in pieces if word.isascii() and word.isalpha() and (len(word) > 1 or word in "ai")]


def vocabulary(chance: random.Random) -> list[str]:
    """Return 20,000 distinct words by rank, made-up ones among the English ones."""
    english = iter(english_words())
    known: set[str] = set()
    words: list[str] = []
    while len(words) < WORDS:
        made_up = len(words) >= _MADE_UP_FROM and len(words) % _MADE_UP_EVERY == 0
        word = "".join(chance.choices(_SYLLABLES, k=chance.randint(3, 5))) if made_up else next(english)
        if word not in known:
            known.add(word)
            words.append(word)
    return words


class Texts:
    """Give texts of about 200 characters and questions about them; the same seed, the same texts."""

    def __init__(self, seed: int = SEED) -> None:
        self._chance = random.Random(seed)
        self._words = vocabulary(self._chance)
        ranks = range(1, len(self._words) + 1)
        self._weights = list(accumulate(1.0 / (rank + _EXPONENT_SHIFT) for rank in ranks))
        self._made = 0

    def _drawn(self, count: int) -> list[str]:
        return self._chance.choices(self._words, cum_weights=self._weights, k=count)

    def text(self) -> str:
        """Return one more text, 180 to 200 characters long, ending with a full stop."""
        words = self._drawn(60)
        if self._made % 3 == 0:
            words[self._chance.randrange(12)] = f"kq-{self._made:06d}"
        self._made += 1
        whole = " ".join(words)
        cut = whole[: TEXT_CHARACTERS - 1].rsplit(" ", 1)[0]
        return cut[:1].upper() + cut[1:] + "."

    def texts(self, count: int) -> list[str]:
        """Return `count` more texts, all different."""
        return list(self.stream(count))

    def stream(self, count: int) -> Iterator[str]:
        """Yield `count` more texts, all different."""
        given: set[int] = set()
        while len(given) < count:
            text = self.text()
            if hash(text) not in given:
                given.add(hash(text))
                yield text

    def question(self, text: str) -> str:
        """Return four to eight words: most from `text`, one or two from anywhere."""
        own = text.rstrip(".").split()
        asked = self._chance.sample(own, self._chance.randint(3, 6)) + self._drawn(self._chance.randint(1, 2))
        self._chance.shuffle(asked)
        return " ".join(asked)

    def chosen(self, texts: Sequence[str], count: int) -> list[str]:
        """Return `count` of `texts`, chosen at random."""
        return self._chance.choices(texts, k=count)
