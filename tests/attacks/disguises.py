"""How does an attacker write a rejected value so that it reads the same?  At random, from a seed."""

import random
import unicodedata

LOOK_ALIKES = {
    "a": "\u0430\u0251\u03b1",
    "b": "\u0184",
    "c": "\u0441\u03f2\u1d04",
    "d": "\u0501\u217e",
    "e": "\u0435\u04bd\u1d07",
    "g": "\u0261\u0262",
    "h": "\u04bb\u029c",
    "i": "\u0456\u0131\u2170",
    "j": "\u0458\u03f3",
    "k": "\u1d0b",
    "l": "\u04cf|1I\u029f",
    "m": "\u1d0d",
    "n": "\u0578\u0274",
    "o": "\u043e\u03bf0\u0585",
    "p": "\u0440\u03c1\u1d18",
    "q": "\u051b",
    "r": "\u0280\u0433",
    "s": "\u0455\ua731",
    "t": "\u1d1b",
    "u": "\u028b\u057d\u1d1c",
    "v": "\u03bd\u0475\u1d20",
    "w": "\u051d\u1d21",
    "x": "\u0445",
    "y": "\u0443\u028f",
    "z": "\u1d22",
}
INVISIBLE = "\u200b\u00ad\u2060"
MATHEMATICAL = (0x1D41A, 0x1D44E, 0x1D482, 0x1D4EA, 0x1D51E, 0x1D552, 0x1D5BA, 0x1D5EE, 0x1D656, 0x1D68A)
OVERLAYS = "\u0335\u0336\u0337\u0338"


def exact(value: str, chance: random.Random) -> str:
    """Return the value in another case, with other spaces, with zero widths or in full width."""
    written = "".join(chance.choice((char.upper(), char)) for char in value)
    way = chance.randrange(4)
    if way == 0:
        return written.replace(" ", chance.choice(("  ", " \t", "\n", "\u00a0", "\u3000")))
    if way == 1:
        at = sorted(chance.sample(range(len(written)), 3))
        return "".join(char + (chance.choice(INVISIBLE) if n in at else "") for n, char in enumerate(written))
    if way == 2:
        return "".join(chr(ord(char) + 0xFEE0) if "!" <= char <= "~" else char for char in written)
    return f" {written}\n"


def disguised(value: str, chance: random.Random) -> str:
    """Return the value with about one letter in three disguised, in every way that there is."""
    return "".join(_one(char, chance) if chance.random() < 0.35 else char for char in value)


def _one(char: str, chance: random.Random) -> str:
    low = char.lower()
    if not ("a" <= low <= "z"):
        return char
    ways = (
        lambda: chance.choice(LOOK_ALIKES.get(low, low)),
        char.upper,
        lambda: char + chance.choice(INVISIBLE),
        lambda: chr(ord(char) + 0xFEE0),
        lambda: _mathematical(low, chance),
        lambda: chr(0x24D0 + ord(low) - 97),
        lambda: char + chance.choice(OVERLAYS),
    )
    return chance.choice(ways)()


def _mathematical(low: str, chance: random.Random) -> str:
    made = chr(chance.choice(MATHEMATICAL) + ord(low) - 97)
    return made if unicodedata.normalize("NFKC", made) == low else low
