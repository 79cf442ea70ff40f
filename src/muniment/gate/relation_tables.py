"""In which relations are things said to stand, and what follows?  Patterns over a clause's words."""

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

LEADING = (
    "is|are|am|was|were|has|have|had|does|do|did|can|lives?|works?|plays?|speaks?|likes?|loves?|hates?|runs?|"
    "uses?|takes?|costs?|opens?|closes?|starts?|ends?|drives?|eats?|drinks?|owns?|prefers?|needs?|wears?|sleeps?|"
    "studies|study|teaches|teach|reports?|keeps?|lasts?|leaves?|serves?|supports?|sits?|stands?|makes?|"
    "sells?|rents?|shares?|goes|go|stopped|quit|moved|enjoys?|avoids?|left|became|went|took|got"
)
"""Verbs with which a clause may go on that leaves its subject out."""

VERB = re.compile(LEADING)


class Said(NamedTuple):
    """Hold one way in which a relation is said, and whether that says that it holds.

    `signs` are words of which one is in every clause that the pattern fits: most patterns need no try.
    """

    relation: str
    sign: int
    pattern: re.Pattern[str]
    signs: frozenset[str]


_WHO = r"(?P<s>(?:my |our |the )?[\w'’.-]+(?: [\w'’.-]+){0,3}?)"
_ONE = r"(?P<s>i|he|she|[\w-]+)"
_AUX = (
    r"(?: (?:do|does|did|am|is|are|was|have|has|had|can|could|will|been|used to))*(?: not| never| no longer)?"
    r"(?: now| really| just| recently| also| still| always| absolutely)*"
)
_BE = r"(?:am|is|are)(?: not| never| no longer)?(?: now)?"
_LATELY = r"(?: have| has)?(?: just| recently| now)?"
_IN_THE_PLACE = r"(?:instead of|rather than|in place of)"
_WORDS = re.compile(r"[a-z]{2,}")
_JOBS = (
    r"(?:accountant|actor|actress|analyst|architect|artist|assistant|baker|barber|bartender|biologist|"
    r"butcher|carpenter|cashier|chef|chemist|cleaner|clerk|coach|consultant|cook|courier|dentist|designer|developer|"
    r"director|doctor|driver|editor|electrician|engineer|farmer|firefighter|florist|gardener|guard|"
    r"hairdresser|intern|janitor|journalist|judge|lawyer|lecturer|librarian|manager|mechanic|midwife|"
    r"musician|nurse|optician|painter|paramedic|pharmacist|photographer|physicist|pilot|plumber|policeman|"
    r"postman|producer|professor|programmer|psychologist|receptionist|recruiter|reporter|researcher|"
    r"salesman|scientist|secretary|soldier|surgeon|tailor|teacher|technician|therapist|translator|tutor|"
    r"veterinarian|vet|waiter|waitress|welder|writer)"
)
"""What people are for a living, one thing at a time mostly."""
_STATUSES = r"(?:single|married|divorced|widowed|engaged|remarried|in a relationship)"
_SMALL_NUMBERS = "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"


def _verb(relation: str, sign: int, forms: str) -> Said:
    """Return a relation said by a verb in one of some forms, with whatever stands behind it."""
    return _whole(relation, sign, f"{_WHO}{_AUX} ", f"(?:{forms})", r"(?P<o>(?: .*)?)$")


def _formed(relation: str, sign: int, form: str) -> Said:
    """Return a relation said by a verb and more; `form` names where the object stands."""
    return _whole(relation, sign, f"{_WHO}{_AUX} ", form, "$")


def _whole(  # noqa: PLR0917  a row of the table
    relation: str, sign: int, before: str, form: str, after: str
) -> Said:
    """Return a relation of a pattern; a word of `form` is in every clause that it fits."""
    signs = frozenset(_WORDS.findall(form.replace("?P<o>", "").replace("?P<s>", "")))
    return Said(relation, sign, re.compile(before + form + after), signs)


PATTERNS: tuple[Said, ...] = (
    _formed("home", -1, r"lived in(?P<o> .*?) until .*"),
    _formed("employer", -1, r"worked (?:at|for)(?P<o> .*?) until .*"),
    _whole("be", -1, f"{_WHO} ", r"(?:was|were)(?P<o> .*?) until .*", "$"),
    _formed("use", -1, r"(?:switched|changed|migrated) from(?P<o> .*?) to .*"),
    _formed("use", 1, rf"(?:use|uses|using)(?P<o> .*?) {_IN_THE_PLACE} .*"),
    _formed("use", -1, rf"(?:use|uses|using) .*? {_IN_THE_PLACE}(?P<o> .*)"),
    _verb("home", -1, r"moved away from|moved out of|left the city of"),
    _verb(
        "employer",
        -1,
        r"(?:left|quit|resigned from|retired from|fired from|laid off from|laid off by)"
        r"(?: (?:my|his|her|their|the) (?:job|position|post|role) (?:at|with|in))?",
    ),
    _verb("like", -1, r"hate|hates|dislike|dislikes|detest|detests|loathe|loathes|stopped liking"),
    _verb(
        "have",
        -1,
        r"sold|lost|gave away|got rid of|traded in|scrapped|donated|gave back|cancelled|canceled|returned|"
        r"threw away",
    ),
    _verb(
        "eat", -1, r"stopped eating|quit eating|gave up eating|given up eating|gave up|given up|avoid|avoids"
    ),
    _verb("drink", -1, r"stopped drinking|quit drinking|gave up drinking|given up drinking"),
    _verb("drink", -1, r"(?:stopped|quit|gave up|given up)(?= (?:coffee|tea|alcohol|beer|wine|soda)\b)"),
    _verb("smoke", -1, r"stopped smoking|quit smoking|gave up smoking|given up smoking"),
    _verb("play", -1, r"stopped playing|quit playing|gave up playing|given up playing"),
    _verb("use", -1, r"stopped using|quit using|switched away from"),
    _verb(
        "partner",
        -1,
        r"broke up with|split up with|(?:broke|broken) off (?:my|his|her|their|the) engagement (?:to|with)|"
        r"separated from|divorced from|divorced",
    ),
    _verb("be", -1, r"stopped being|quit being"),
    _verb("home", 1, r"(?:live|lives|living|reside|resides|based|settled) in"),
    _verb("home", 1, r"(?:moved|relocated) (?:back )?(?:from [\w ]+? )?to"),
    _verb("home", 1, r"(?<=never )lived in"),
    _verb("employer", 1, r"(?:work|works|working|employed|started|start) (?:at|for|by)"),
    _verb("employer", 1, r"joined|joins"),
    _verb("employer", 1, r"(?<=never )worked (?:at|for)"),
    _verb("role", 1, r"promoted to|work as|works as|working as|appointed"),
    _verb("role", 1, rf"(?:became|become)(?= (?:an? |the )?(?:[\w-]+ )?{_JOBS}\b)"),
    _verb("manager", 1, r"(?:report|reports|reporting) to"),
    _verb("like", 1, r"love|loves|like|likes|enjoy|enjoys|adore|adores|fond of|big fan of|a fan of|stand"),
    _verb("have", 1, r"(?<=never )(?:owned|had)"),
    _verb("have", 1, r"have|has|own|owns|got|consist of|consists of|contain|contains"),
    _verb("have", 1, r"(?:drive|drives)(?= (?:an?|my|the) )"),
    _verb("eat", 1, r"eat|eats|eating"),
    _verb("drink", 1, r"drink|drinks|started drinking|began drinking|resumed drinking"),
    _verb("smoke", 1, r"smoke|smokes|(?<=never )smoked"),
    _verb("play", 1, r"play|plays|(?<=never )played"),
    _verb("use", 1, r"use|uses|using|(?<=never )used"),
    _verb("use", 1, r"(?:upgraded|downgraded|migrated|switched|changed)(?: from .+?)? to"),
    _verb("partner", 1, r"dating|married to|engaged to|seeing"),
    _verb("place", 1, r"(?:is|are|located|hosted|held|stored|kept) (?:in|on|at)"),
    _verb("place", 1, r"(?:moved|relocated)(?: from .+?)? to"),
    _verb(
        "when",
        1,
        r"(?:is|starts|begins|opens|closes|ends|leaves|departs|arrives|due|scheduled|set|happens|held)"
        r" (?:on|at|for|by|in)",
    ),
    _verb("when", 1, r"(?:moved|rescheduled|postponed|pushed|shifted|brought forward) (?:back )?to"),
    _whole(
        "role", 1, f"{_ONE} ", r"(?:am|is) (?:now )?(?P<o>(?:an?|the) [\w-]+(?: [\w-]+)?)(?= (?:at|for) )", ""
    ),
    _whole("role", 1, f"{_ONE} {_BE} ", rf"(?P<o>an? (?:[\w-]+ )?{_JOBS})", "(?: now)?$"),
    _whole("employer", 1, f"{_ONE} {_BE} ", rf"an? (?:[\w-]+ )?{_JOBS} (?:at|for|with)(?P<o> .+)", "$"),
    _whole("employer", 1, f"{_ONE} ", r"(?:work|works) as an? .+? (?:at|for)(?P<o> .+)", "$"),
    _whole("status", 1, f"{_WHO} (?:{_BE}|got)", rf"(?P<o> {_STATUSES})", r"(?: .*)?$"),
    _whole(
        "age",
        1,
        f"{_WHO} ",
        rf"(?:am|is|turned|turns)(?P<o> (?:\d{{1,2}}|{_SMALL_NUMBERS}))",
        "(?: years old)?$",
    ),
    _whole(
        "favorite",
        1,
        r"(?P<s>(?:my|our|his|her|their|[\w'’-]+) ",
        r"favorite (?:[\w-]+ ){0,2}?[\w-]+) (?:is|are)(?P<o> .+)",
        "$",
    ),
    _whole(
        "name",
        1,
        f"{_WHO} ",
        r"(?:am|is|are|was|were|been)(?: not| no longer| now)? (?:called|named)(?P<o> .+)",
        "$",
    ),
    _formed("name", 1, r"renamed(?: from .+?)? to(?P<o> .+)"),
    _whole("name", 1, "(?P<s>)", r"call me(?P<o> [\w'’.-]+)", "(?: .*)?$"),
    _whole(
        "have", -1, "(?P<s>)my(?P<o> [\\w-]+)(?: has| have)? ", r"(?:died|passed away|ran away)", "(?: .*)?$"
    ),
    _whole("any", -1, f"{_WHO}{_LATELY} ", r"(?:switched|changed) from(?P<o> .+?) to .+", "$"),
    _whole("any", -1, f"{_WHO}{_LATELY} ", r"(?:replaced|swapped)(?P<o> .+?) (?:with|by|for) .+", "$"),
    _whole(
        "be", 1, f"{_WHO} ", r"(?:am|is|are|have been|has been)(?: not| never| no longer)?(?P<o> .*)", "$"
    ),
)
"""How each relation is said.  What says that one ended is tried before what says that it holds."""

OTHER_WORDS: Mapping[str, str] = MappingProxyType(
    {
        "home": "live lives living reside based moved relocated",
        "employer": "work works working employed joined started",
        "role": "work works engineer manager teacher developer director nurse doctor designer analyst lead",
        "manager": "report reports",
        "like": "love loves like likes enjoy hate hates dislike adore stand fan",
        "have": "have has own owns got sold",
        "when": "moved scheduled due starts begins postponed",
        "place": "located hosted stored kept moved relocated",
        "partner": "dating married engaged seeing together divorced",
        "status": "single married divorced widowed engaged",
        "any": "use uses using work works live lives drive drives",
    }
)
"""Words by which a statement of the same relation is found."""

SINGLE = frozenset({"home", "employer", "role", "manager", "name", "status", "age", "favorite"})
"""Relations that hold one value at a time."""

CHANGING = re.compile(r"\b(?:moved|relocated)\b")
"""What shows that a place took the place of another: where a thing is said to be, it may be beside that."""

COUNTRIES = frozenset(
    """
    argentina australia austria belgium brazil bulgaria canada chile china colombia croatia cuba
    cyprus czechia denmark egypt england estonia ethiopia europe finland france germany ghana greece
    hungary iceland india indonesia iran iraq ireland israel italy japan jordan kenya latvia lebanon
    lithuania luxembourg malaysia malta mexico morocco nepal netherlands nigeria norway pakistan
    peru philippines poland portugal romania russia scotland serbia singapore slovakia slovenia
    spain sweden switzerland taiwan thailand tunisia turkey uganda ukraine usa vietnam wales africa
    asia america bavaria california texas florida ohio catalonia tuscany
    """.split()  # noqa: SIM905  a list of words is read as words
)
"""Places that hold others: who lives in a town lives in one of these as well."""

IMPLIED: Mapping[str, tuple[tuple[str, str], ...]] = MappingProxyType(
    {
        diet: tuple(("eat", food) for food in foods.split())
        for diet, foods in (
            ("vegetarian", "meat chicken beef pork steak bacon ham lamb turkey"),
            (
                "vegan",
                "meat chicken beef pork steak bacon ham lamb turkey fish cheese eggs dairy butter yoghurt",
            ),
        )
    }
)
"""What somebody who is so does not do."""

PRESUPPOSED = re.compile(rf"my [\w-]+ (?:{LEADING}|called|named|\w+s)\b")
NOT_OWNED = frozenset(
    {"idea", "time", "clue", "doubt", "problem", "plan", "way", "need", "point", "choice", "name"}
)
"""What one may have none of, and still speaks of as one's own."""
