"""Which messages are both sides given?  Made from a seed, with words whose frequency is known."""

import random
from collections.abc import Iterator
from dataclasses import dataclass

from bench.texts import SEED, Texts

SESSION_MESSAGES, EXCHANGE = 60, 6
"""How many messages a session has, and an exchange: what was asked, two calls with results, the answer.

No exchange goes over the end of a session.
"""

RARE, COMMON, FIRST, SECOND = "ormolu", "heron", "kestrel", "gravel"
HAN_WORD = "翡翠"

_SHARE = {COMMON: 1 / 2, FIRST: 1 / 8, SECOND: 1 / 8}
"""In which share of the messages a word stands, each drawn by itself."""

_HAN_EVERY, _HAN_CHARACTERS, _HAN_SHARE = 10, 60, 1 / 20
_HAN = [chr(code) for code in range(0x4E00, 0x4E00 + 800) if chr(code) not in HAN_WORD]
"""The characters of messages without spaces: ones that lie next to each other in Unicode."""

MARKED = {
    "comma": ("The order went to the harbourmaster, chandlery and sailmaker.", "harbourmaster, sailmaker"),
    "slash": ("The quayside/bollard pair is checked twice.", "quayside/bollard"),
    "apostrophe": ("It is Tregarthen's own moorings list.", "Tregarthen's moorings"),
    "emoji": ("The regatta is won 🏆 at last.", "🏆"),
}
"""One message for each kind of mark, and the query that has to find it."""


@dataclass(frozen=True, slots=True)
class Message:
    """Hold one message of one session."""

    session: str
    role: str
    text: str

    @property
    def fields(self) -> dict[str, object]:
        """Return it as an order for the other side."""
        return {"session": self.session, "role": self.role, "text": self.text}


def messages(count: int, seed: int = SEED) -> Iterator[Message]:
    """Yield so many messages, the same for the same seed; about 200 characters each.

    Every tenth is written without spaces.  The rare word stands in one, in the middle.
    """
    chance, texts = random.Random(seed), Texts(seed)
    marked = {count // 3 + number: text for number, (text, _) in enumerate(MARKED.values())}
    for number in range(count):
        session, place = divmod(number, SESSION_MESSAGES)
        text = _without_spaces(chance) if number % _HAN_EVERY == 0 else _with_words(texts.text(), chance)
        if number == count // 2:
            text = f"{text} The clock is {RARE}."
        yield Message(f"s-{session}", "assistant" if place % 2 else "user", marked.get(number, text))


def _with_words(text: str, chance: random.Random) -> str:
    words = text.split(" ")
    for word, share in _SHARE.items():
        if chance.random() < share:
            words[chance.randrange(len(words))] = word
    return " ".join(words)


def _without_spaces(chance: random.Random) -> str:
    drawn = chance.choices(_HAN, k=_HAN_CHARACTERS)
    if chance.random() < _HAN_SHARE:
        place = chance.randrange(len(drawn) - 1)
        drawn[place : place + 2] = HAN_WORD
    return "".join(drawn) + "。"
