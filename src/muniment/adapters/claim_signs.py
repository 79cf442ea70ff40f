"""Can a text hold a claim at all?  The words of which one stands in whatever `claim_patterns` reads.

Most texts hold none, and to look for words is ten times cheaper than to cut a text into
clauses.  What is found here says only that the text is worth reading.
"""

from itertools import pairwise, product


def _pairs(first: str, second: str) -> frozenset[tuple[bytes, bytes]]:
    return frozenset(product(first.encode().split(), second.encode().split()))


# The forms let these stand right before some verbs, with or without a space.
_BEFORE_VERBS = ("", "i", "we", "ve", "have", "are", "re")
_VERBS = "moved started switched chose chosen picked going settled decided agreed"
_OTHERS = (
    "wohne lebe habite vivo moro gezogen umgezogen arbeite travaille trabajo heisse appelle llamo nombre "
    "allergy allergisch allergique favourite favorite preferred prefer bevorzuge prefiero decision todo"
)
_WORDS = frozenset(
    word.encode() for word in (*map("".join, product(_BEFORE_VERBS, _VERBS.split())), *_OTHERS.split())
)
"""Words that are sign enough alone."""

_NOUNS = (
    # What somebody has.
    "hobby job title role profession type diet language tongue pronouns size birthday zone timezone email "
    "mail address number town hometown employer editor shell laptop username handle locker desk plate date "
    "day anniversary flight deadline "
    # What a thing has.
    "port url host hostname path directory version owner budget time room name codename limit timeout region "
    "branch channel maintainer licence license schema database "
    # What takes place.
    "launch release demo standup up retro review meeting freeze workshop kickoff off exam concert trip"
)
_PAIRS = (
    _pairs("live reside based living", "in")
    | _pairs("work", "at for")
    | _pairs("name", "s is ist")
    | _pairs("is", "called named")
    | _pairs("call remind", "me")
    | _pairs("go", "by")
    | _pairs("to", "do")
    | _pairs("allergic", "to")
    | _pairs("rotates runs run", "on every")
    | _pairs("on", "port")
    | _pairs("hosted", "on")
    | _pairs("expires due scheduled", "on for by")
    | _pairs("owned maintained", "by")
    | _pairs("lives kept stored", "in at under")
    | _pairs(_NOUNS, "is of for")
)
"""Words that are a sign when the second follows the first."""

_APART = bytes(code if code < 128 and chr(code).isalnum() else 32 for code in range(256))
"""Puts a space in place of what is in no word.  In bytes, which takes a quarter of the time of text."""


def may_claim(text: str) -> bool:
    """Return whether a claim may stand in `text`; False is sure, True is not.  Linear in the text.

    A text beyond ASCII always may: other apostrophes and letters have too many forms.
    """
    if not text.isascii():
        return True
    words = text.lower().encode().translate(_APART).split()
    return not (_WORDS.isdisjoint(words) and _PAIRS.isdisjoint(pairwise(words)))
