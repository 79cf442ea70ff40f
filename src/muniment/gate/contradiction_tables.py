"""Which words do the rules for contradictions know?  Relations, opposites, numbers, what is no statement."""

import re
from collections.abc import Mapping
from types import MappingProxyType

CONTRACTIONS: Mapping[str, str] = MappingProxyType(
    {
        "i'm": "i am", "i've": "i have", "i'd": "i would", "i'll": "i will", "he's": "he is",
        "she's": "she is", "it's": "it is", "that's": "that is", "we're": "we are", "they're": "they are",
        "can't": "can not", "cannot": "can not", "don't": "do not", "doesn't": "does not",
        "didn't": "did not", "isn't": "is not", "aren't": "are not", "wasn't": "was not",
        "we've": "we have", "they've": "they have", "you've": "you have", "you're": "you are",
        "we'll": "we will", "they'll": "they will", "weren't": "were not", "couldn't": "could not",
        "wouldn't": "would not", "hadn't": "had not", "what's": "what is", "where's": "where is",
        "haven't": "have not", "hasn't": "has not", "won't": "will not", "there's": "there is",
    }
)  # fmt: skip
"""Short forms, written out."""

HEDGES = re.compile(
    r"\b(?:if|unless|would|could|might|maybe|perhaps|wish|hope|hopes|guess|suppose|imagine|"
    r"said|says|told|tells|heard|claims?|thinks?|thought|believes?|wonder|considering|"
    r"plan(?:s|ned|ning)? (?:to|on)|want(?:s|ed)?|"
    r"going to(?! (?:the|an?|my|our|his|her|their|work|school|bed|church)\b)|"
    r"will(?! (?:be held|take place|start|begin|end|open|close)\b)|"
    r"almost|nearly|dream(?:s|t|ed)?|"
    r"example|asked)\b"
    r"|(?<!\d )(?<!\d\. )(?<!\dth )\b(?-i:may)\b(?! \d)"
    r"|\b(?:not|no|never|cannot|\w+n['’]t)\b.*\b(?:today|tonight|tomorrow)\b"
    r"|\b(?:not|cannot|\w+n['’]t) (?:only|just|merely|simply|solely|always|necessarily)\b"
    r"|^\W*(?:please|remember|do not|don['’]t|never|let us|let['’]s|make|keep|check|note|remind)\b",
    re.IGNORECASE,
)
"""What takes a clause out of what its speaker says is so: doubts, plans, hearsay and orders.

`May` is also a month, a plan is also a thing, and neither `not only` nor `not today` denies anything.
"""

NOT_FOR_THAT = re.compile(r"\W*but (?:because|for|out of|due to|to)\b", re.IGNORECASE)
"""What shows, behind a clause, that it denied a reason and not what rests on it."""

ASIDE = re.compile(
    r"(?:(?:actually|well|ok|okay|no|sorry|correction|update|now|so|also|and|but|today|currently|"
    r"these days|by the way|in fact|as of now|scratch that|i misspoke|i was wrong|that was wrong|"
    r"i made a mistake|my mistake|price correction|(?:it )?turns out|"
    r"i changed my mind|in reality|fyi|oops|my bad|"
    r"to be clear|for the record|since then|last (?:week|month|year)|"
    r"this (?:week|month|year)|as it turns out|in \d{4}|since \d{4})\s+)+"
)
"""What may stand before a statement without changing it."""

DENIALS = re.compile(r"\b(?:not|never|no|none|nobody|neither|hardly|stopped|quit|without|untrue)\b")
ENDINGS = re.compile(r"\b(?:no longer|any ?more|stopped|quit|gave up|used to|given up)\b")
FILLERS = frozenset(
    """
    a an the my our their his her its very really quite so just now still always currently actually too
    also again today anymore been being some any for years year since all completely
    absolutely altogether entirely deeply truly much even of mr mrs ms dr prof
    """.split()  # noqa: SIM905  a list of words is read as words
)
"""Words that make no difference between two statements."""

NOW = frozenset({"am", "is", "are"})
"""Before a participle these make a state of an event: `retries are limited to five`."""

WHILE = frozenset(
    """
    in at on since moment right week month year years last this these days present anymore lately
    of as for now from by with near under
    """.split()  # noqa: SIM905  a list of words is read as words
)
"""Words that say when something is denied, and do not narrow what is."""

POINTING = frozenset({"it", "that", "this", "them", "these", "those", "some", "something", "one", "anything"})
"""Words that point at what was said elsewhere: what is denied of them is denied of who knows what."""

DENIED = re.compile(
    r"it (?:(?:is|was) (?:not|no longer) (?:true|right|correct)|(?:is|was) (?:false|untrue|wrong)|"
    r"is not the case) that "
)
"""What denies all that stands behind it; it is read as `untrue`."""

EVENTS = frozenset(
    """
    bought met saw ate went came had took gave found read wrote ran paid spent sent got made did was were
    told sold lost won beat flew drove caught became began blew broke brought built chose clung crept dealt
    dreamt drank drew fed fell felt fled forgave forgot fought froze grew heard held kept knelt knew laid
    leapt learnt lent meant rang rode said sang sank shook shone slept slid sought spoke spun stole stood
    stuck swam swept swore swung taught threw tore understood woke wept wore wove
    """.split()  # noqa: SIM905  a list of words is read as words
)
STATES = frozenset(
    """
    is are am has have lives works costs opens closes starts ends runs sits lies stands stays sleeps studies
    teaches belongs reports points listens prefers prefer
    """.split()  # noqa: SIM905  a list of words is read as words
)
PLACES = frozenset({"in", "at", "to", "by", "is", "with", "called", "named", "on", "from"})

BEHIND_A_NAME = STATES | PLACES | {"about", "for", "of", "over", "under", "near", "before", "after", "until"}
"""What shows that a number before it was part of a name, such as `chapter 3 of the guide`."""


def _classes() -> dict[str, str]:
    known: dict[str, str] = {}
    for name, words in (
        ("day", "monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays "
                "thursdays fridays saturdays sundays"),
        ("month", "january february march april may june july august september october november december"),
        ("number", "one two three four five six seven eight nine ten eleven twelve twenty thirty forty fifty "
                   "sixty ninety hundred thousand once twice"),
        ("colour", "red blue green yellow black white grey gray brown orange purple pink"),
        ("size", "small medium large"),
        ("ordinal", "first second third fourth fifth sixth seventh eighth ninth tenth eleventh "
                    "twelfth"),
        ("frequency", "hourly daily nightly weekly monthly quarterly yearly annually"),
    ):  # fmt: skip
        known |= dict.fromkeys(words.split(), name)
    pairs = (
        "open closed|on off|hot cold|dry wet|alive dead|enabled disabled|full empty|public private|"
        "single married|true false|locked unlocked|left right|north south|east west|odd even|broken working|"
        "morning evening|up down|light dark|paid unpaid|required optional|allowed forbidden|"
        "online offline|"
        "early late|before after|safe dangerous|cheap expensive|tall short|vegetarian carnivore|"
        "indoors outdoors|possible impossible|easy difficult|nights days|tabs spaces|"
        "left-handed right-handed|confirmed cancelled|"
        "passing failing|owns rents|"
        "accepts rejects|accepted rejected|"
        "senior junior|fulltime parttime|remote onsite|manual automatic|petrol diesel|working broken"
    )
    for number, pair in enumerate(pairs.split("|")):
        for word in pair.split():
            known.setdefault(word, f"pair {number}")
    return known


CLASSES: Mapping[str, str] = MappingProxyType(_classes())
"""Words of which only one can be so in the same place: numbers, days, colours, opposites."""

ATTRIBUTES = frozenset(
    """
    branch language password theme color size format currency status username nickname timezone brand breed
    plan tier level mode code pin provider bank airline editor browser shell database cache framework license
    nationality religion diet hobby profession title major destination venue hotel gate seat surname password
    """.split()  # noqa: SIM905  a list of words is read as words
)
"""What a thing or somebody has one of, so that another word is another value."""

SPOTS = frozenset({"under", "behind", "above", "below", "beside", "inside", "beneath", "underneath"})
"""Words before the one place where a thing is."""

SEASONS = frozenset(
    {
        "winter",
        "summer",
        "spring",
        "autumn",
        "morning",
        "afternoon",
        "evening",
        "night",
        "weekdays",
        "weekends",
    }
)
"""Times that come again, beside days of the week: what is so in one may be otherwise in another."""

ONE_OF_SEVERAL = re.compile(r"\b(?:have|has|got|is|are) (?:an?|another|some) [^,;]*\b(?:at|on|in) \S+$")
"""What is at a time and need not be the only one: `I have a meeting at 4`, beside one at 3."""

BEFORE_TIME = frozenset({"at", "on", "by", "in", "the", "from", "until", "of", "for"})
"""Words before a number that tells a time; behind others it is part of a name, such as `room 4`."""

IN_TURN = frozenset({"call", "duty", "leave", "shift", "holiday", "home"})
"""What somebody is on, or at, time and again: `Alice is on call on Monday`, and on Tuesday."""

AT_THE_TIME = re.compile(
    rf"\b(?:am|is|are) (?:(?:on|at) (?:{'|'.join(sorted(IN_TURN))})|off|out|away|busy) (?:on|in|at) \S+$"
)
"""A state that holds at a time and comes again."""
