"""Which ways of saying a clause are one, and what do some statements say beside their own words?"""

import re
from collections.abc import Mapping
from types import MappingProxyType

SPELLED: Mapping[str, str] = MappingProxyType(
    {
        "favourite": "favorite", "colour": "color", "colours": "colors", "grey": "gray", "centre": "center",
        "theatre": "theater", "metre": "meter", "metres": "meters", "neighbour": "neighbor",
        "programme": "program", "mum": "mother", "mom": "mother", "dad": "father", "flat": "apartment",
        "learnt": "learned",
    }
)  # fmt: skip
"""Words of two spellings, or names of one thing."""

_SET = (
    r"(?:changed|increased|decreased|raised|lowered|reduced|dropped|fell|rose|grew|shrank|bumped|updated|"
    r"extended|shortened|cut|capped|set|went (?:up|down)|gone (?:up|down)|came down)"
)
_MOVED = r"(?:moved|rescheduled|postponed|pushed|shifted|relocated|delayed|migrated)(?: back| forward| up)?"
_NUMBERS = r"(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty)\b"
_LATELY = r"(?: have| has| had)?(?: just| recently| already| finally| now)?"
_SOMEBODY = r"(?:(?:the |our |my )?[\w.-]+)" + _LATELY
_THING = r"(?P<x>(?:the|our|my|its|his|her|their) .+?)(?: (?:away )?from .+?)?"


def _of_somebody(verb: str) -> re.Pattern[str]:
    """Return how it is said that a name changed something of its own: `Maud moved her bakery to`."""
    name = r"(?P<w>(?!(?:i|we|they|he|she|you) )[\w.-]+)"
    own = r"(?:his|her|their|its) (?P<x>.+?)(?: (?:away )?from .+?)?"
    return re.compile(rf"^{name}{_LATELY} {verb} {own} to (?P<o>.+)$")


IN_ONE_WAY: tuple[tuple[re.Pattern[str], str], ...] = (
    (
        re.compile(
            r"^(?:after|since|because of|due to|as of|thanks to|following|from) .+? "
            r"(?=(?:i|he|she|we|they|it|my|our|the) )"
        ),
        "",
    ),
    (re.compile(r"\bwill (?:be held|take place)\b"), "is held"),
    (re.compile(r"\b(?:is|are) (?P<d>(?:mon|tues|wednes|thurs|fri|satur|sun)days?)\b"), "is on {d}"),
    (re.compile(r"\b(?:have|has) not (?P<v>\w+ed)\b"), "not {v}"),
    (_of_somebody(_SET), "{w}'s {x} is {o}"),
    (_of_somebody(_MOVED), "{w}'s {x} moved to {o}"),
    (re.compile(rf"^{_SOMEBODY} {_SET} {_THING} to (?P<o>.+)$"), "{x} is {o}"),
    (re.compile(rf"^{_SOMEBODY} {_MOVED} {_THING} to (?P<o>.+)$"), "{x} moved to {o}"),
    (
        re.compile(
            rf"^(?P<x>(?!(?:i|we|they|he|she|you) ).+?)(?: has| have| is| are| was| were| got| been)* {_SET}"
            r"(?: from .+?)? to (?P<o>.+)$"
        ),
        "{x} is {o}",
    ),
    (re.compile(r"\b(?:defaults to|amounts to|comes to|equals)\b"), "is"),
    (
        re.compile(
            r"\b(?:have |has |had )?learned (?:how )?to\b|\bknows? how to\b|\b(?:am|is|are) able to\b"
        ),
        "can",
    ),
    (re.compile(r"\b(?:went|gone) back to\b"), "use"),
    (
        re.compile(
            r"\b(?:about|around|roughly|approximately|only|just|a (?:full|solid|good|whole)) "
            rf"(?=\d|{_NUMBERS})"
        ),
        "",
    ),
    (re.compile(r"\b(?:go|goes) (?P<v>(?!to)\w+ing)\b"), "{v}"),
    (re.compile(r"\bwithout\b"), "not with"),
    (
        re.compile(
            r"^(?P<x>(?!(?:i|he|she|we|they|it|that|this|what|who|there) )[\w.'’-]+(?: [\w.'’-]+){0,2})"
            r" (?:is|are) "
            r"(?P<o>(?:my|our) (?:[\w-]+ )??[\w-]+)(?: now)?$"
        ),
        "{o} is {x}",
    ),
    (re.compile(r"\b(?:have |has )?(?:gave|given) up (?P<v>\w+ing)\b"), "stopped {v}"),
    (re.compile(r"\b(?:have |has )(?P<v>stopped|quit)\b"), "{v}"),
)
"""Patterns over a clause's words, and what each is brought to; the parts keep their own words."""

TAIL = re.compile(r" (?:since|because|thanks to|due to|now that)(?= )")
"""Where a reason begins behind what is said."""
