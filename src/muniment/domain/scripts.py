"""Which scripts write no space between words, so that a word of another script may stand right beside them?

Where a pattern asks for the edge of a word, a letter of these scripts is one: in `我的key是` the
word is `key`.
"""

UNSPACED = (
    "1100-115F 3005-3007 3041-3096 309D-309F 30A1-30FA 30FC-30FF 31F0-31FF 3400-4DBF 4E00-9FFF"
    " A960-A97C AC00-D7A3 F900-FAFF FF66-FF9D 1B000-1B16F 20000-3FFFD"
)
"""Chinese, Japanese and Korean, of which each character counts as a word; ranges of code points."""

_RUN_TOGETHER = "0E00-0EFF 0F00-0FFF 1000-109F 1780-17FF 1100-11FF D7B0-D7FF"
# Thai, Lao, Tibetan, Burmese and Khmer: words run together there and are longer than a character.


def _in_brackets(ranges: str) -> str:
    pairs = [part.split("-") for part in ranges.split()]
    return "".join(f"{chr(int(first, 16))}-{chr(int(last, 16))}" for first, last in pairs)


BESIDE_ANY_WORD = _in_brackets(f"{UNSPACED} {_RUN_TOGETHER}")
"""The letters of all these scripts, as they stand within the brackets of a pattern."""

_EDGES = tuple(
    (int(first, 16), int(last, 16))
    for first, last in (part.split("-") for part in f"{UNSPACED} {_RUN_TOGETHER}".split())
)


def goes_on(char: str) -> bool:
    """Return whether a word beside this character goes on with it.

    Letters and digits of other scripts do.  Takes one character or nothing.
    """
    if not char.isalnum():
        return False
    return char.isascii() or not any(first <= ord(char) <= last for first, last in _EDGES)
