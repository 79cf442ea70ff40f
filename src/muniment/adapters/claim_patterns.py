"""Which ways of saying something are read as a keyed claim?  One table, in order.

The first row that fits a clause is taken.  Every form is anchored at the start of a
clause and every repetition in it is bounded, so a clause costs little however it is
written.
"""

import re
from dataclasses import dataclass

from muniment.adapters.claim_values import Shape


@dataclass(frozen=True, slots=True)
class Pattern:
    """Hold a row of the table.

    `form` has the group `value` and, where the row uses them, `about`, `attribute` and
    `topic`.  `about`, `attribute` and `says` are filled with those groups, with `me` (the
    speaker), `key` (the value, folded) and `pair` (value and topic, folded and sorted, so
    that preferring one and later the other is the same slot).  `many` splits a value that
    lists several.  `own_date` takes the day that the clause names as the start.
    """

    form: re.Pattern[str]
    about: str
    attribute: str
    says: str
    kind: str = "fact"
    shape: Shape = Shape.NAME
    first_person: bool = True
    many: bool = False
    own_date: bool = False


_VALUE = r"(?P<value>\S.{0,300})\Z"
_WORD = r"[^\W_][\w.+/-]{0,30}"
_THING = rf"(?P<about>{_WORD}(?: {_WORD}){{0,2}})"

_RELATION = (
    r"(?P<topic>(?:(?:older|younger|elder|little|big|best|eldest|youngest) )?"
    r"(?:wife|husband|partner|girlfriend|boyfriend|fiancée?|son|daughter|child|kid|baby|sister|brother|"
    r"mother|father|mum|mom|dad|grandmother|grandfather|aunt|uncle|cousin|niece|nephew|friend|flatmate|roommate|"
    r"neighbou?r|boss|manager|team lead|mentor|colleague|dentist|doctor|therapist|landlord|landlady|"
    r"dog|cat|horse|rabbit|parrot|hamster|boat))"
)
# Nouns whose value may be any short phrase, and those whose value must look like one.
_LOOSE_NOUN = (
    r"(?P<attribute>(?:favou?rite|preferred) (?:[a-z][a-z-]{1,20} ){0,2}"
    r"(?!things?\b|parts?\b|ones?\b|ways?\b)[a-z][a-z-]{1,20}|"
    r"hobby|job|job title|role|profession|blood type|diet|native language|"
    r"mother tongue|first language|pronouns|shoe size)"
)
_STRICT_NOUN = (
    r"(?P<attribute>birthday|time ?zone|e-?mail(?: address)?|phone number|address|home ?town|employer|"
    r"editor|shell|laptop|username|(?:github|gitlab) (?:handle|username)|locker(?: number)?|"
    r"desk(?: number)?|licen[cs]e plate|"
    r"start date|last day|wedding anniversary|anniversary|[a-z]{2,20} number|flight|deadline)"
)
_THING_NOUN = (
    r"(?P<attribute>port|address|url|host|hostname|path|directory|version|deadline|owner|budget|date|day|time|"
    r"room|code ?name|limit|timeout|region|branch|name|e-?mail|number|channel|maintainer|licen[cs]e|"
    r"schema|database|launch date|due date|time ?zone)"
)
_EVENT = (
    r"deadline|launch|release|demo|stand-?up|retro|review|meeting|freeze|workshop|kick-?off|exam|concert|trip"
)
_LATELY = r"(?:just |recently |finally |now |actually |already )?"
_USUALLY = r"(?:now |really |much |generally |usually |strongly |still |actually |always )?"


def _form(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


def _home(pattern: str) -> Pattern:
    return Pattern(
        _form(pattern + _VALUE), "{me}", "home", "{me} lives in {value}", shape=Shape.PLACE, own_date=True
    )


def _work(pattern: str) -> Pattern:
    return Pattern(_form(pattern + _VALUE), "{me}", "employer", "{me} works at {value}", own_date=True)


def _name(pattern: str) -> Pattern:
    return Pattern(_form(pattern + _VALUE), "{me}", "name", "{me} is called {value}")


def _allergy(pattern: str) -> Pattern:
    return Pattern(
        _form(pattern), "{me}", "allergy:{key}", "{me} is allergic to {value}", shape=Shape.LIST, many=True
    )


def _thing(verb: str, attribute: str, says: str, *, shape: Shape = Shape.TOKEN) -> Pattern:
    form = _form(rf"the {_THING} (?:now )?{verb} {_VALUE}")
    return Pattern(
        form, "{about}", attribute, f"The {{about}} {says} {{value}}", shape=shape, first_person=False
    )


PATTERNS: tuple[Pattern, ...] = (
    # Where the speaker lives.
    _home(rf"i {_LATELY}(?:live|reside) in "),
    _home(rf"i(?:['’]m| am) {_LATELY}(?:based|living) in "),
    _home(r"i(?:['’]ve| have) been living in "),
    _home(rf"i(?:['’]ve| have)? ?{_LATELY}moved (?:from [^\s,]{{1,40}} )?(?:back |over )?to "),
    _home(r"ich (?:wohne|lebe) (?:jetzt |seit \w{1,12} |inzwischen )?in "),
    _home(r"j['’]habite (?:maintenant )?(?:à|en|au) "),
    _home(r"(?:yo )?vivo (?:ahora )?en "),
    _home(r"(?:eu )?moro (?:agora )?em "),
    Pattern(
        _form(
            r"ich bin (?:am [\w. ]{1,20}|letzte \w{1,10}|gerade )?\s?"
            r"nach (?P<value>[^\s,]{1,40}) (?:um)?gezogen\Z"
        ),
        *("{me}", "home", "{me} lives in {value}"),
        shape=Shape.PLACE,
    ),
    Pattern(
        _form(r"(?:私は|僕は|わたしは)(?:今、?)?(?P<value>[^、。\s]{1,20})に住んで(?:います|いる)\Z"),
        *("{me}", "home", "{me} lives in {value}"),
        shape=Shape.PLACE,
    ),
    # Where the speaker works.
    _work(rf"i {_LATELY}(?:currently )?work (?:at|for) "),
    _work(rf"i(?:['’]ve| have)? ?{_LATELY}started (?:working |a job |a new job )?at "),
    _work(r"ich arbeite (?:jetzt |seit \w{1,12} )?(?:bei|für) "),
    _work(r"je travaille (?:chez|pour) "),
    _work(r"trabajo (?:en|para) "),
    # What the speaker is called.
    _name(r"my (?:first |full |last )?name(?:['’]s| is) "),
    _name(r"(?:please )?call me "),
    _name(r"i go by "),
    _name(r"(?:ich hei(?:ß|ss)e|mein name ist|je m['’]appelle|me llamo|mi nombre es) "),
    # What the speaker cannot have.
    _allergy(rf"i(?:['’]m| am) (?:severely |very |badly |mildly |also )?allergic to {_VALUE}"),
    _allergy(r"i have an? (?:severe |bad |mild )?(?P<value>[^\W\d_]{2,20}(?: [^\W\d_]{2,20})?) allergy\b"),
    _allergy(rf"ich bin (?:stark )?allergisch (?:gegen|auf) {_VALUE}"),
    _allergy(rf"je suis allergique (?:aux|au|à la|à l['’]|à) ?{_VALUE}"),
    _allergy(rf"soy alérgic[oa] (?:al|a las|a los|a la|a) {_VALUE}"),
    # Those around the speaker.
    Pattern(
        _form(rf"my {_RELATION}(?:['’]s name is| is (?:called|named)) {_VALUE}"),
        *("{me}", "{topic}", "{me}'s {topic} is called {value}"),
    ),
    Pattern(
        _form(rf"my {_RELATION}['’]s {_STRICT_NOUN} is (?:on )?(?:the )?{_VALUE}"),
        *("{me}'s {topic}", "{attribute}", "The {attribute} of {me}'s {topic} is {value}"),
        shape=Shape.TOKEN,
    ),
    Pattern(
        _form(rf"my {_LOOSE_NOUN} is (?:now )?{_VALUE}"),
        *("{me}", "{attribute}", "{me}'s {attribute} is {value}"),
        shape=Shape.PHRASE,
    ),
    Pattern(
        _form(rf"my {_STRICT_NOUN} is (?:now )?(?:on )?(?:the )?{_VALUE}"),
        *("{me}", "{attribute}", "{me}'s {attribute} is {value}"),
        shape=Shape.TOKEN,
    ),
    # What the speaker would rather have.
    Pattern(
        _form(
            rf"i {_USUALLY}prefer (?P<value>[^\s,][^,]{{0,60}}?) "
            r"(?:to|over|rather than|instead of) (?P<topic>[\w-]{2,30})\b"
            r"(?=\W*\Z|,|\s(?:these|now|at|any|lately|because|for)\b)"
        ),
        *("{me}", "preference:{pair}", "{me} prefers {value} to {topic}"),
        kind="preference",
        shape=Shape.PHRASE,
    ),
    Pattern(
        _form(
            rf"i(?:['’]ve| have)? ?{_LATELY}switched from "
            r"(?P<topic>[\w-]{2,30}) to (?P<value>\S.{0,60})\Z"
        ),
        *("{me}", "preference:{pair}", "{me} switched from {topic} to {value}"),
        kind="preference",
        shape=Shape.PHRASE,
        own_date=True,
    ),
    Pattern(
        _form(
            rf"i {_USUALLY}prefer (?P<value>[^\s,][^,]{{0,60}}?) "
            r"(?:for|in) (?:the )?(?P<topic>[\w-]{2,30}(?: [\w-]{2,30})?)\b"
        ),
        *("{me}", "preference:{topic}", "{me} prefers {value} for {topic}"),
        kind="preference",
        shape=Shape.PHRASE,
    ),
    Pattern(
        _form(rf"(?:i {_USUALLY}prefer|ich bevorzuge|je préfère|prefiero) {_VALUE}"),
        *("{me}", "preference:{key}", "{me} prefers {value}"),
        kind="preference",
        shape=Shape.PHRASE,
    ),
    # What was decided, and what is to be done.
    Pattern(
        _form(
            r"we(?:['’]ve| have| are|['’]re)? ?(?:chose|chosen|picked|going with|settled on|decided on) "
            r"(?P<value>\S.{0,60}?) (?:for|as) (?:the |our )(?P<about>[\w-]{2,30}(?: [\w-]{2,30}){0,2})\b"
        ),
        *("{about}", "choice", "Decided for the {about}: {value}"),
        kind="decision",
        shape=Shape.PHRASE,
        own_date=True,
    ),
    Pattern(
        _form(rf"we(?:['’]ve| have)? ?{_LATELY}(?:decided|agreed) (?:to|on|that) {_VALUE}"),
        *("{me}", "decision:{key}", "Decided: {value}"),
        kind="decision",
        shape=Shape.ACT,
    ),
    Pattern(
        _form(rf"decision: {_VALUE}"),
        *("{me}", "decision:{key}", "Decided: {value}"),
        kind="decision",
        shape=Shape.ACT,
    ),
    Pattern(
        _form(rf"(?:remind me to|to-?do:) {_VALUE}"),
        *("{me}", "task:{key}", "To do for {me}: {value}"),
        kind="task",
        shape=Shape.ACT,
    ),
    # Named things of a project.
    _thing(r"rotates (?:on|every)", "rotation", "rotates on", shape=Shape.DAY),
    _thing(r"(?:runs|listens|is listening) on port", "port", "is on port"),
    _thing(r"(?:runs|is run) (?:on|every)", "schedule", "runs on", shape=Shape.DAY),
    _thing(r"(?:runs|is hosted) on", "host", "runs on"),
    _thing(r"(?:expires|is due|is scheduled) (?:on|for|by)", "due", "is due on", shape=Shape.DAY),
    _thing(r"is (?:owned|maintained) by", "owner", "is owned by", shape=Shape.NAME),
    _thing(r"(?:lives|is kept|is stored) (?:in|at|under)", "location", "is kept in"),
    _thing(r"is (?:called|named)", "name", "is called"),
    Pattern(
        _form(rf"the {_THING_NOUN} (?:of|for) the {_THING} is (?:now )?(?:on )?{_VALUE}"),
        *("{about}", "{attribute}", "The {about} {attribute} is {value}"),
        shape=Shape.TOKEN,
        first_person=False,
    ),
    Pattern(
        _form(rf"(?:the|our) {_THING}(?:['’]s)? {_THING_NOUN} is (?:now )?(?:on )?{_VALUE}"),
        *("{about}", "{attribute}", "The {about} {attribute} is {value}"),
        shape=Shape.TOKEN,
        first_person=False,
    ),
    Pattern(
        _form(rf"(?:the|our) (?P<about>(?:{_WORD} ){{0,2}}(?:{_EVENT})) is (?:now )?(?:on |at )?{_VALUE}"),
        *("{about}", "date", "The {about} is on {value}"),
        shape=Shape.DAY,
        first_person=False,
    ),
)
