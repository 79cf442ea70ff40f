"""Which words are drawn like another word and still are words of their own?

A look-alike form takes `rn` for `m`, 0 for o and 1 for l, since a value can be disguised so.
Where what stands there is itself a word that readers know, nothing is disguised: a modem is
no modern, and 100 no loo.  The list holds the words of English dictionaries for which that is
so; `fumace` is no word, so it may well be a furnace in disguise.
"""

import re
from collections.abc import Iterator
from itertools import product

WORDS_CHANGED_MAX = 4
"""How many listed words of one text are tried as their neighbours; with more none is."""

_SPELLED = """
barn bam barns bams burn bum burns bums churn chum churns chums corn com corns coms
corner comer corners comers cornet comet cornets comets cornice comice darn dam darns dams fern fem
ferns fems garner gamer garners gamers gurn gum gurns gums horny homy modern modem moderns modems
morn mom morns moms porn pom rna ma stern stem sterns stems tarn tam tarns tams torn tom turn tum
turns tums urn um urns ums yarn yam yarns yams
10 lo 100 loo 101 lol 1011 loll 111 ill
"""
# In pairs, each word beside the one that it is drawn like.


def _beside(spelled: str) -> dict[str, str]:
    words = spelled.split()
    pairs = list(zip(words[::2], words[1::2], strict=True))
    return {one: other for pair in pairs for one, other in (pair, pair[::-1])}


BESIDE = _beside(_SPELLED)
"""Each listed word, in lower case, and the one that it is drawn like."""

_WORD = re.compile(r"[^\W_]+")


def with_other_words(plain: str) -> Iterator[str]:
    """Yield what a text in its plain form would say with some of its words changed for those beside them.

    At most fifteen texts, the text itself not among them.
    """
    found = [match for match in _WORD.finditer(plain) if match[0] in BESIDE]
    if len(found) > WORDS_CHANGED_MAX:
        return
    for changed in product((False, True), repeat=len(found)):
        if any(changed):
            yield _changed(plain, [match for match, other in zip(found, changed, strict=True) if other])


def _changed(plain: str, words: list[re.Match[str]]) -> str:
    pieces, at = [], 0
    for word in words:
        pieces += [plain[at : word.start()], BESIDE[word[0]]]
        at = word.end()
    return "".join([*pieces, plain[at:]])
