"""Does a text say something of its own, or only what everybody says?  The words that nobody owns."""

import re

CONTENT_WORDS_MIN = 2
"""How many words beyond the common ones a rejected text needs to be looked for inside longer texts."""

_SPELLED = """
a about after again all also always am an and any are as at away back be because been before being
best better big bit both but by came can cant come coming could couldnt day days did didnt do does
doesnt doing done dont down each else even ever every everyone everything feel feeling felt few for
forward from fun get getting give giving glad go going gone good got great guess had happen happened
happy hard has hasnt have havent having he hear heard hello help her here hers hey hi him his hope
how i idea if in into is isnt it its ive just keep kind know lately least let like little long look
looking looks lot lots love loved made make makes making many me mean means might mine more most
much must my myself need never new next nice no not nothing now of off oh ok okay on once one only
or other our ours out over own people place please proud put really right said same saw say saying
says see seeing seem seen she should so some someone something soon sorry sounds still stuff such
sure take taking talk tell than thank thanks that the their them then there these they thing things
think this those though thought through time times to today together told too took totally true try
trying two up us use very wait want wanted was wasnt way we week well went were what when where
which while who why will wish with without wont work works world would wow yeah year years yes
yesterday you your yours yourself d ll m re s t ve
"""

COMMON = frozenset(_SPELLED.split())
"""English words that stand in almost any conversation, and what short forms leave of theirs."""

_WORD = re.compile(r"[^\W_]+")


def says_enough(text: str) -> bool:
    """Return whether a text holds enough words of its own that another text does not hold it by chance.

    Texts of other scripts and languages do, as none of their words is listed.
    """
    own = 0
    for word in _WORD.findall(text.casefold()):
        own += word not in COMMON
        if own >= CONTENT_WORDS_MIN:
            return True
    return not text.isascii() and not text.isspace() and own > 0
