"""Which words does a clause hold?  Short forms written out, asides left out, and what kind each is of."""

import re
from dataclasses import dataclass, replace
from types import MappingProxyType

from muniment.gate.contradiction_tables import (
    ASIDE,
    CLASSES,
    CONTRACTIONS,
    DENIALS,
    DENIED,
    EVENTS,
    FILLERS,
    NOW,
)

UNTRUE = "untrue"
"""The word that stands first where a clause is denied as a whole."""


@dataclass(frozen=True, slots=True)
class Word:
    """Hold a word as it is compared, folded, and where it stands, in code points; names begin large."""

    text: str
    start: int
    end: int
    is_name: bool

    def spelled(self, text: str) -> "Word":
        """Return another word in this one's place; it is no name."""
        return Word(text, self.start, self.end, is_name=False)


_TOKEN = re.compile(r"[^\W_]+(?:['’.:/-][^\W_]+|(?<=\d),\d{3}(?!\d))*['’]?|[€$£%]")


def words_of(text: str, clause: tuple[int, int]) -> list[Word]:
    """Return the words of a clause, short forms written out and asides left out."""
    found = []
    for token in _TOKEN.finditer(text, *clause):
        spelled = token[0]
        # A comma stands in a token only where it groups the digits of a number.
        low = spelled.casefold().replace("’", "'").replace(",", "").strip("'.")
        for part in CONTRACTIONS.get(low, low).split():
            found.append(Word(part, token.start(), token.end(), spelled[:1].isupper()))
    joined = " ".join(word.text for word in found)
    aside = ASIDE.match(joined)
    skipped = len(aside[0].split()) if aside is not None else 0
    denied = DENIED.match(" ".join(word.text for word in found[skipped:]))
    if denied is None:
        return _of_the_user(found[skipped:])
    behind = _of_the_user(found[skipped + len(denied[0].split()) :])
    return [] if is_denied(behind) else [replace(found[skipped], text=UNTRUE), *behind]


def _of_the_user(words: list[Word]) -> list[Word]:
    """Return the words with `I` for the user: an agent says `the user lives`, the user `I live`."""
    at = 1 if words and words[0].text == "the" else 0
    spoken = _OF_THE_USER.get(words[at].text) if at < len(words) else None
    return words if spoken is None else [replace(words[at], text=spoken, is_name=False), *words[at + 1 :]]


_OF_THE_USER = MappingProxyType({"user": "i", "user's": "my"})


def is_denied(words: list[Word]) -> bool:
    """Return whether a word among these denies something."""
    return bool(DENIALS.search(" ".join(word.text for word in words)))


def plain(words: list[Word]) -> list[Word]:
    """Return the words that carry a statement, without fillers and what denies it."""
    last = words[-1:]
    said = [
        word
        for word, after in zip(words, [*words[1:], None], strict=True)
        if not (word.text in FILLERS | _DROPPED or _is_doing(word, after))
        or ([word] == last and _is_letter(word))
    ]
    return [word for word in said if not DENIALS.fullmatch(word.text)]


def _is_doing(word: Word, after: Word | None) -> bool:
    """Return whether a word only says that what the next one says goes on: `am learning` is `learn`."""
    if word.text not in NOW or after is None or after.text in CLASSES:
        return False
    return len(after.text) > len("thing") and after.text.endswith("ing")


def _is_letter(word: Word) -> bool:
    """Return whether a word is the name `A`, at the end of a statement, and no article."""
    return word.text == "a" and word.is_name


_DROPPED = frozenset({"do", "does", "did", "longer", "anymore", "more", "any"})


def is_event(words: list[Word]) -> bool:
    """Return whether a statement tells what happened once; another time it may have been otherwise."""
    said = [word.text for word in words]
    return any(
        (word in EVENTS or (len(word) > 4 and word.endswith("ed"))) and before not in NOW
        for before, word in zip(["", *said], said, strict=False)
        if word not in CLASSES
    )


def class_of(word: str) -> str:
    """Return the class of which only one word can be so in one place, such as `day`; empty for none."""
    if word[:1].isdigit():
        return "number"
    if "/" in word:
        return "path"
    if word[-1:].isdigit():
        return "code"
    return CLASSES.get(word, "")


def stem(word: str) -> str:
    """Return an English word without a common ending, of three letters at least."""
    for ending in ("ing", "es", "s", "e"):
        if len(word) - len(ending) >= 3 and word.endswith(ending):
            return word[: -len(ending)]
    return word


def lemma(verb: str) -> str:
    """Return a verb without its ending, as far as these rules need it: `running` and `runs` are one."""
    base = verb.removesuffix("ing") if len(verb) > len("being") - 1 else verb
    base = base.removesuffix("es") if base == verb and verb.endswith(("oes", "shes", "ches")) else base
    base = base.removesuffix("s") if base == verb else base
    base = f"{base[:-2]}y" if base.endswith("ie") else base
    doubled = len(base) > 3 and base[-1] == base[-2] and base[-1] not in "sle"
    return (base[:-1] if doubled else base).removesuffix("e")
