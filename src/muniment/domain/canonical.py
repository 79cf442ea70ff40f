"""When are two texts the same, whatever their spelling, spacing, case or disguise?

Four forms of a text answer that. `plain` is for exact sameness, `name_key` for names, and the two
`look_alike` keys catch what only looks the same. A key is compared or digested, never shown.

The look-alike keys ignore punctuation and white space altogether, so `a-l i.c,e` is `alice`. What
carries a number's meaning stays: the point or comma inside a number (1.5 is not 15) and a minus
straight before one. Symbols outside ASCII (emoji, currencies) stay too, as they are often all a
short text says. A text of nothing but punctuation keeps it.

Two keys are needed because folding hides the difference between look-alike capitals (`I` is drawn
like `l`, `i` is not): one key folds first, the other replaces look-alikes first. A letter that
Unicode's table draws like punctuation (Hebrew yod, katakana no) stays a letter, since a word that
lost it would be another word; it only meets the other letters drawn so.

Beyond Unicode's table, small capitals and letters in circles, boxes and flags are letters, and what
only decorates one is dropped: strokes through it, lines under it, a tatweel, the dot of a Turkish i.
"""

import re
import unicodedata
from collections.abc import Sequence
from functools import cache, lru_cache

from muniment.domain import unicode_tables

# Stored with every digest made of these forms: rules here, Python's Unicode data, look-alike table.
NORMALISER = f"n2/{unicodedata.unidata_version}/{unicode_tables.UNICODE_VERSION.partition('.')[0]}"

# Two or three rounds settle every text seen; the bound is for data of other Unicode versions.
_ROUNDS_MAX = 8

# In a text longer than this, a character that would become more than so many is left as it is: one
# ligature of Arabic becomes eighteen, and a page of them would take seconds.
_GROWING_TEXT_CHARACTERS, _GROWTH_MAX = 1_000, 3
_PROTOTYPE_CHARACTERS_MAX = 7

# Small capitals, what Unicode's table takes for the prototype of some of them, and the circled l,
# which it takes for a circled I.
_DISGUISED = dict(
    zip(
        "\u1d00\u0299\u1d04\u1d05\u1d07\ua730\u0262\u029c\u026a\u1d0a\u1d0b\u0138\u029f\u1d0d\u028d\u0274\u1d0f"
        "\u1d18\ua7af\u0280\ua731\u1d1b\u1d1c\u1d20\u1d21\u028f\u1d22\ua7fa\u0130\u24db\u24be",
        "abcdefghijkklmmnopqrstuvwyzmill",
        strict=True,
    )
)
# Letters in circles, boxes and flags that no compatibility form takes out of them.
_LETTER_RUNS = (0x1F150, 0x1F170, 0x1F1E6)
# Strokes, rings, boxes and lines that combine with a letter; tatweel stretches one.
_DECORATION = re.compile(
    r"(?<=[^\W_])[\u0305\u0331-\u0338\u0347\u035f\u0360\u20d2\u20d3\u20d8-\u20da\u20dd-\u20e0\u20e2-\u20eb]+"
    r"|\u0640|(?<=[iIlj\u0131])\u0307"
)

_ACCENTS = re.compile("(?<=[A-Za-z])[\u0300-\u036f]+")

# Stand-ins for a number's separator and sign while punctuation is removed: private-use characters,
# which no form changes.
_SEPARATOR, _MINUS = "\ue000", "\ue001"
_SEPARATOR_IN_NUMBER = re.compile(r"(?<=\d)[.,\u066b\u066c\uff0e\uff0c](?=\d)")
_SIGN_OF_NUMBER = re.compile(r"(?<![^\s([])[-\u2010-\u2015\u2212\ufe63\uff0d](?=\d)")
# After look-alikes are replaced 0 and 1 are the letters o and l, so a number is a word of these.
_NUMBER_OF_LETTERS = re.compile(r"(?<![^\W_])v?[0-9lo]+(?:[.,][0-9lo]+)+(?![^\W_])")
_MAY_HOLD_SEPARATOR = re.compile(r"[0-9lo|][.,][0-9lo|]")
_MAY_HOLD_SIGN = re.compile(r"(?<![^\s([])-[0-9]")

_ARTICLE = "the "
# What is another thing with the article before it: a band, and the health organisation or a question.
_ARTICLE_KEPT = frozenset({"the who", "the the"})

_NOT_ALPHANUMERIC = re.compile(r"[\W_]")
_SYMBOLS = frozenset({"Sm", "Sc", "So"})
_COUNTING = frozenset({"Cn", "Co", "Cs"})

# Lower-case ASCII to its look-alike form, `m` (two letters) apart; punctuation and space vanish.
_ASCII_LETTERS = {ord("0"): ord("o"), ord("1"): ord("l"), ord("|"): ord("l")}
_ASCII_LOOK_ALIKES = {
    **{code_point: None for code_point in range(128) if not chr(code_point).isalnum()},
    **_ASCII_LETTERS,
}
_BYTES_ALIKE = bytes(_ASCII_LETTERS.get(code, code) for code in range(256))
_BYTES_GONE = bytes(code for code, alike in _ASCII_LOOK_ALIKES.items() if alike is None)


def plain(text: str) -> str:
    """Return the form in which two texts are the same but for case, spacing and encoding.

    Compatibility-normalised (NFKC), invisible characters dropped, case folded, white space collapsed
    to single spaces and stripped. Any text is accepted, lone surrogates included; the result of a
    result is itself.
    """
    if text.isascii():
        return " ".join(text.lower().split())
    for _ in range(_ROUNDS_MAX):
        folded = _folded_once(text)
        if folded == text:
            break
        text = folded
    return text


def name_key(text: str) -> str:
    """Return the key under which a name is unique: `Ada`, `ADA` and `ada ` share one."""
    return plain(text)


def slot_key(name: str) -> str:
    """Return the key of a name within a slot: as `name_key`, and `the API` is `API`.

    Of articles only the definite one goes: An Nguyen is somebody, and no other Nguyen.  A name that
    is nothing else, or another thing without it, keeps it.
    """
    key = plain(name)
    return key if key in _ARTICLE_KEPT else key.removeprefix(_ARTICLE)


def keeps_article(name: str) -> bool:
    """Return whether a name is another one without its article."""
    return plain(name) in _ARTICLE_KEPT


def look_alike(text: str) -> tuple[str, str]:
    """Return the two keys under which texts that look the same are the same.

    The first key folds, replaces look-alikes and folds; the second replaces look-alikes and folds;
    each until nothing changes. Two texts look alike when either key agrees with its counterpart.
    Texts with the same `plain` form share the first key.
    """
    if text.isascii():
        first = _ascii_look_alike(text.lower())
        second = first if "I" not in text else _ascii_look_alike(text.replace("I", "l").lower())
        if first and second:
            return first, second
    return _settled(_numbers_kept(plain(text))), _settled(_numbers_kept(text))


def opened(text: str) -> tuple[str, Sequence[int]]:
    """Return a text in lower case with disguised letters, digits and signs in ASCII, and where each
    character of it stood; invisible characters are left out.

    For patterns, which look for words: unlike a look-alike key it keeps spaces and punctuation.
    """
    if text.isascii():
        return text.lower(), range(len(text))
    shown: list[str] = []
    places: list[int] = []
    for place, char in enumerate(text):
        one = char.lower() if char.isascii() else _opened_character(char)
        if one:
            shown.append(one)
            places.append(place)
    return "".join(shown), places


def without_accents(text: str) -> str:
    """Return a text without the marks over and under its plain Latin letters, `apple` for `\u00e1pple`.

    A hint, and no form: `a\u00f1o` and `ano` are two words.  Marks of other scripts stay, vowels among them.
    """
    if text.isascii():
        return text
    return unicodedata.normalize("NFC", _ACCENTS.sub("", unicodedata.normalize("NFD", text)))


def has_non_ascii_letters(text: str) -> bool:
    """Return whether a text holds a letter outside ASCII: what makes a look-alike suspicious.

    A letter in a box or a flag is a symbol to Unicode, and a letter here.
    """
    return not text.isascii() and any(
        char.isalpha() or _is_boxed(char) for char in text if not char.isascii()
    )


def _is_boxed(char: str) -> bool:
    return any(first <= ord(char) < first + 26 for first in _LETTER_RUNS)


def code_points(ranges: str) -> frozenset[int]:
    """Return the members of a table of hexadecimal ranges, such as `A9 1F600-1F64F`."""
    members: set[int] = set()
    for entry in ranges.split():
        first, _, last = entry.partition("-")
        members.update(range(int(first, 16), int(last or first, 16) + 1))
    return frozenset(members)


def _ascii_look_alike(lowered: str) -> str:
    """Return the key of lower-case ASCII text, as the long way round would; empty if only punctuation."""
    # What ends a sentence separates no digits, and most texts are one sentence.
    inner = lowered.rstrip(".,")
    separates = ("." in inner or "," in inner) and _MAY_HOLD_SEPARATOR.search(inner)
    if separates or ("-" in lowered and _MAY_HOLD_SIGN.search(lowered)):
        lowered = _numbers_kept(lowered).translate(_ASCII_LETTERS)
        lowered = _NUMBER_OF_LETTERS.sub(_separators_kept, lowered)
        return lowered.replace("m", "rn").translate(_ASCII_LOOK_ALIKES)
    # In bytes, which takes a quarter of the time of text.
    return lowered.replace("m", "rn").encode("ascii").translate(_BYTES_ALIKE, _BYTES_GONE).decode("ascii")


def _folded_once(text: str) -> str:
    composed = _compatible(text).translate(_invisible())
    return " ".join(_compatible(composed.casefold()).split())


def _compatible(text: str) -> str:
    """Return the text in form NFKC; in a long one, what would grow more than threefold stays."""
    if len(text) > _GROWING_TEXT_CHARACTERS and not text.isascii():
        forms = {ord(char): unicodedata.normalize("NFKC", char) for char in set(text)}
        if any(len(form) > _GROWTH_MAX for form in forms.values()):
            small = {code: form for code, form in forms.items() if len(form) <= _GROWTH_MAX}
            return unicodedata.normalize("NFC", text.translate(small))
    return unicodedata.normalize("NFKC", text)


def _numbers_kept(text: str) -> str:
    """Return the text with the separators and signs of its numbers out of punctuation's way."""
    return _SIGN_OF_NUMBER.sub(_MINUS, _SEPARATOR_IN_NUMBER.sub(_SEPARATOR, text))


def _settled(text: str) -> str:
    for _ in range(_ROUNDS_MAX):
        replaced = _without_punctuation(plain(_look_alikes_replaced(_DECORATION.sub("", text))))
        if replaced == text:
            break
        text = replaced
    return text


def _look_alikes_replaced(text: str) -> str:
    """Return the skeleton of Unicode Technical Standard 39.

    The standard decomposes first, so its table's composed letters would never be met; they are
    replaced while still composed.
    """
    composed = unicodedata.normalize("NFC", text.translate(_invisible()))
    decomposed = unicodedata.normalize("NFD", composed.translate(_composed_prototypes()))
    return unicodedata.normalize("NFD", decomposed.translate(_prototypes()))


def _without_punctuation(text: str) -> str:
    text = _NUMBER_OF_LETTERS.sub(_separators_kept, text)
    return _NOT_ALPHANUMERIC.sub(_unless_it_counts, text) or text


def _separators_kept(number: re.Match[str]) -> str:
    return number[0].replace(".", _SEPARATOR).replace(",", _SEPARATOR)


def _unless_it_counts(match: re.Match[str]) -> str:
    """Return a symbol outside ASCII, a mark or an unassigned character; nothing for the rest."""
    char = match[0]
    category = unicodedata.category(char)
    counts = category[0] == "M" or category in _COUNTING or (category in _SYMBOLS and not char.isascii())
    return char if counts else ""


@lru_cache(maxsize=4_096)
def _opened_character(char: str) -> str:
    """Return the lower-case character that one stands for; nothing for an invisible one."""
    if ord(char) in _invisible():
        return ""
    if char.isspace():
        return " "
    if char.isdecimal():
        return str(unicodedata.decimal(char))
    folded, drawn = look_alike(char)
    # A capital is drawn like another capital, but for those that are drawn like a small l.
    alike = (drawn, folded) if char.isupper() and drawn != "l" else (folded, drawn)
    for form in (plain(char), *alike):
        if form == "rn":
            return "m"
        if len(form) == 1 and form.isascii():
            return form
    return char.lower() if len(char.lower()) == 1 else char


@cache
def _invisible() -> dict[int, None]:
    return dict.fromkeys(code_points(unicode_tables.INVISIBLE))


@cache
def _prototypes() -> dict[int, str]:
    prototypes: dict[int, str] = {}
    for entry in unicode_tables.CONFUSABLES.replace(" ", "").split(";"):
        target, _, sources = entry.partition("=")
        prototype = "".join(chr(int(code_point, 16)) for code_point in target.split("+"))
        if len(prototype) <= _PROTOTYPE_CHARACTERS_MAX:
            prototypes.update((int(source, 16), prototype) for source in sources.split(","))
    letters = {ord(source): letter for source, letter in _DISGUISED.items()}
    for first in _LETTER_RUNS:
        letters.update((first + n, chr(ord("a") + n)) for n in range(26))
    found = {source: target.translate(letters) for source, target in prototypes.items()} | letters
    # A capital of another script that is drawn like ours leaves its disguise on when it is folded.
    for source, target in tuple(found.items()):
        small = chr(source).lower()
        if len(target) == 1 and target.isascii() and len(small) == 1 and not small.isascii():
            found.setdefault(ord(small), target.lower())
    return found


@cache
def _composed_prototypes() -> dict[int, str]:
    """Return the table for letters that decompose, apart from those it likens to an apostrophe."""
    return {
        source: prototype
        for source, prototype in _prototypes().items()
        if unicodedata.decomposition(chr(source)) and prototype.isalpha()
    }
