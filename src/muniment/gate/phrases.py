"""Does a text speak to a model instead of saying something?  A tripwire for known phrases, no boundary.

What weighs against injected text are labels, staging and the envelope.  A text that begins with a
marker of having been checked gets no trust from it.
"""

import re
from collections.abc import Iterator, Mapping
from enum import Enum
from functools import cache
from types import MappingProxyType
from typing import NamedTuple

from muniment.domain.canonical import opened
from muniment.domain.escapes import unescaped
from muniment.domain.intent import Change, EditBlock, Intent, Path, Remember
from muniment.gate.phrase_families import GROUPS, Family
from muniment.gate.verdict import Known, Outcome, PhraseFound, Reason, Verdict, refuse


class Writer(Enum):
    """Name who writes: what the session has read counts before who acts."""

    UNTRUSTED = "untrusted"
    AGENT = "agent"
    OWNER = "owner"


class Fate(Enum):
    """Name what becomes of a text with a phrase of a family."""

    STORE = "store"
    STAGE = "stage"
    REFUSE = "refuse"


_SPEAKING = MappingProxyType(
    {Writer.UNTRUSTED: Fate.STAGE, Writer.AGENT: Fate.STAGE, Writer.OWNER: Fate.STORE}
)

FATES: Mapping[Family, Mapping[Writer, Fate]] = MappingProxyType(
    {
        # A secret or variable sent to an address.
        Family.EXFILTRATION: MappingProxyType(
            {Writer.UNTRUSTED: Fate.REFUSE, Writer.AGENT: Fate.REFUSE, Writer.OWNER: Fate.STAGE}
        ),
        # Other data sent to an address, and piped shells.
        Family.SENDING: MappingProxyType(
            {Writer.UNTRUSTED: Fate.REFUSE, Writer.AGENT: Fate.STAGE, Writer.OWNER: Fate.STAGE}
        ),
        # Stored as given and escaped in the envelope, which is where it would do harm.
        Family.MARKUP: MappingProxyType(
            {Writer.UNTRUSTED: Fate.STORE, Writer.AGENT: Fate.STAGE, Writer.OWNER: Fate.STORE}
        ),
        Family.OVERRIDE: _SPEAKING,
        Family.CONCEALMENT: _SPEAKING,
        Family.ROLE_CHANGE: _SPEAKING,
        Family.AUTHORITY: _SPEAKING,
        Family.PERSISTENCE: _SPEAKING,
    }
)
"""What happens to a memory, by family and writer (SECURITY section 2)."""

LABELS_EVIDENCE = frozenset(
    {
        Family.EXFILTRATION,
        Family.SENDING,
        Family.MARKUP,
        Family.OVERRIDE,
        Family.CONCEALMENT,
        Family.AUTHORITY,
    }
)
"""Families that label evidence untrusted; a wish for later ('from now on') is what people say to agents."""


class Phrase(NamedTuple):
    """Hold a phrase that was found: its family and the offset, in code points."""

    family: Family
    offset: int


def phrases_in(text: str) -> tuple[Phrase, ...]:
    """Return the first phrase of each family in a text, the gravest family first.

    The whole text is looked at, in time that grows with its length.  Disguised letters are opened,
    and escapes are read: a model reads them, too.  Markup is only markup as it stands.
    """
    found = _phrases(text)
    read = unescaped(text)
    for one in () if read is None else _phrases(read.text):
        if read is not None and one.family is not Family.MARKUP:
            found.append(Phrase(one.family, read.places[one.offset]))
    if not found:
        return ()
    order = list(Family)
    first: dict[Family, Phrase] = {}
    for one in sorted(found, key=lambda one: one.offset):
        first.setdefault(one.family, one)
    return tuple(sorted(first.values(), key=lambda one: order.index(one.family)))


def _phrases(text: str) -> list[Phrase]:
    """Return the phrases of a text as it stands, and with its disguised letters opened."""
    lowered = _without_edges(text.lower())
    called = _called_for(lowered)
    found = list(_found(lowered, called)) if called else []
    if not text.isascii():
        shown, places = opened(text)
        latin = _BEYOND_LATIN.sub(" ", shown)
        for read in {_without_edges(shown), _without_edges(latin)} - {lowered}:
            found += [Phrase(one.family, places[one.offset]) for one in _found(read, _called_for(read))]
    return found


def taints(text: str) -> bool:
    """Return whether evidence with this text is labelled untrusted for what it says."""
    found = phrases_in(text)
    return bool(found) and any(one.family in LABELS_EVIDENCE for one in found)


def judge_phrases(intent: Intent, known: Known) -> Verdict | None:
    """Refuse or stage a memory that speaks to a model, as the table says."""
    if not known.phrases:
        return None
    if isinstance(intent, EditBlock):
        return judge_block_phrases(known.phrases)
    if not isinstance(intent, Remember | Change):
        return None
    writer = writer_of(intent, known)
    verdicts = [_verdict(one, FATES[Family(one.family)][writer]) for one in known.phrases]
    judged = [verdict for verdict in verdicts if verdict is not None]
    refusing = [verdict for verdict in judged if verdict.refused]
    return next(iter(refusing or judged), None)


def judge_block_phrases(phrases: tuple[PhraseFound, ...]) -> Verdict | None:
    """Refuse every known phrase that would enter a block, whoever writes it."""
    return _verdict(phrases[0], Fate.REFUSE) if phrases else None


def writer_of(intent: Remember | Change, known: Known) -> Writer:
    """Return as whose a text counts; only a person's own direct words are the owner's."""
    read = intent.label if isinstance(intent, Remember) else intent.read
    if read.untrusted or known.source_label.untrusted:
        return Writer.UNTRUSTED
    direct = isinstance(intent, Change) or intent.path is Path.DIRECT
    return Writer.OWNER if direct and intent.principal.is_person else Writer.AGENT


def _verdict(found: PhraseFound, fate: Fate) -> Verdict | None:
    detail = f"{found.family} in the {found.part}, at {found.offset}"
    if fate is Fate.REFUSE:
        return refuse(Reason.PHRASE, detail=detail)
    return Verdict(Outcome.STAGED, Reason.PHRASE, detail=detail) if fate is Fate.STAGE else None


def _found(lowered: str, called: set[int]) -> Iterator[Phrase]:
    for number in sorted(called):
        found = _first(lowered, _patterns(number))
        if found is not None:
            yield Phrase(GROUPS[number].family, found)


def _called_for(lowered: str) -> set[int]:
    """Return the groups of which a sign stands in a text."""
    return {number for number, group in enumerate(GROUPS) if any(sign in lowered for sign in group.signs)}


def _without_edges(text: str) -> str:
    """Return a text with a space for each underscore before or behind a word, as emphasis is marked."""
    return _EDGES.sub(_blank, text) if "_" in text else text


def _blank(found: re.Match[str]) -> str:
    return " " * len(found[0])


_EDGES = re.compile(r"(?<![^\W_])_+|_+(?![^\W_])")

_BEYOND_LATIN = re.compile(r"[^\W\u0000-\u024f\u1e00-\u1eff]")
# A letter of another script may stand right beside a word, which no edge of a word in a pattern sees.


def _first(lowered: str, patterns: tuple[re.Pattern[str], ...]) -> int | None:
    matches = [match.start() for match in (pattern.search(lowered) for pattern in patterns) if match]
    return min(matches, default=None)


@cache
def _patterns(number: int) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(pattern, re.MULTILINE) for pattern in GROUPS[number].patterns)
