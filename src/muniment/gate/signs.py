"""What stands in every text that holds a known phrase or a secret?  For a sieve that lets the others pass."""

from functools import cache

from muniment.domain import escapes
from muniment.gate.phrase_families import GROUPS
from muniment.gate.secret_formats import FORMATS, NAME_SIGNS

_OF_NO_FORMAT = ("eyj", "://")
"""What web tokens begin with, and what stands before a password in an address."""


@cache
def signs() -> frozenset[str]:
    """Return, in lower case, what a text in ASCII must hold one of to hold a phrase or a secret.

    An escape or a tag may hide a sign, and so is one.  A sign with a space may have an
    underscore in its place, as emphasis is marked.
    """
    of_phrases = (sign for group in GROUPS for sign in group.signs)
    of_secrets = (sign for one in FORMATS for sign in one.signs)
    every = (*of_phrases, *of_secrets, *NAME_SIGNS, *_OF_NO_FORMAT, *escapes.SIGNS)
    return frozenset(sign.lower() for sign in every if sign.isascii())
