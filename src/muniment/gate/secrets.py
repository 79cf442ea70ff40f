"""Does a text hold a secret?  Known formats, private keys, URLs with passwords, `NAME_SECRET = value`.

Hashes, identifiers, images and numbers are none.  What is found is named by kind and place, never by
its value.  No pattern is tried without its sign.
"""

import binascii
import json
import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from muniment.domain.intent import EditBlock, Intent
from muniment.gate.secret_formats import (
    FORMATS,
    NAME_SIGNS,
    NAMES,
    PLACEHOLDERS,
    SIGNS_ABROAD,
    VERBS_ABROAD,
    WORDS_ABROAD,
)
from muniment.gate.verdict import Known, Reason, Verdict, refuse

MASK = "*"
"""What each character of a secret becomes in evidence."""

_SIGNS = tuple(sorted({sign for one in FORMATS for sign in one.signs}))
_VALUE_CHARACTERS_MIN = 6
_URL_SAFE = str.maketrans("-_", "+/")


class Secret(NamedTuple):
    """Hold a secret by its kind and where it stands, in code points, end exclusive."""

    kind: str
    start: int
    end: int


def secrets_in(text: str) -> tuple[Secret, ...]:
    """Return the secrets of a text in order, apart from each other; in time that grows with its length."""
    found: list[Secret] = []
    if any(sign in text for sign in _SIGNS):
        found += _of_formats(text)
    if "eyJ" in text:
        found += _web_tokens(text)
    if "://" in text and "@" in text:
        found += _url_passwords(text)
    lowered = text.lower()
    if any(sign in lowered for sign in NAME_SIGNS):
        found += _named(text)
    return _apart(found, text) if found else ()


def masked(text: str) -> tuple[str, int]:
    """Return evidence with each character of a secret replaced, and how many secrets that were.

    The length stays, so that offsets of the original hold.
    """
    secrets = secrets_in(text)
    if not secrets:
        return text, 0
    pieces: list[str] = []
    done = 0
    for one in secrets:
        pieces += (text[done : one.start], MASK * (one.end - one.start))
        done = one.end
    pieces.append(text[done:])
    return "".join(pieces), len(secrets)


def refuse_secret(intent: Intent, known: Known) -> Verdict | None:
    """Refuse a memory or a reason with a secret, unless the credential may store secrets.

    Then it is stored as class `secret`, and the record says so.
    """
    if not known.secrets:
        return None
    # What stands in a block stands in every prompt, so no credential may put a secret there.
    if intent.principal.keeps_secrets and not isinstance(intent, EditBlock):
        return None
    found = known.secrets[0]
    return refuse(Reason.SECRET, detail=f"{found.kind} in the {found.part}, at {found.offset}")


def _apart(found: list[Secret], text: str) -> tuple[Secret, ...]:
    """Return secrets in order, without those inside an image or overlapping an earlier one."""
    images = [match.span() for match in _image().finditer(text)] if "base64," in text else []
    kept: list[Secret] = []
    for one in sorted(found, key=lambda one: (one.start, -one.end)):
        if kept and one.start < kept[-1].end:
            continue
        if not any(start <= one.start < end for start, end in images):
            kept.append(one)
    return tuple(kept)


def _of_formats(text: str) -> Iterator[Secret]:
    for number, one in enumerate(FORMATS):
        if any(sign in text for sign in one.signs):
            for match in _pattern(number).finditer(text):
                yield Secret(one.kind, *match.span())


def _web_tokens(text: str) -> Iterator[Secret]:
    """Yield JSON Web Tokens: three parts, of which the first is a header that names an algorithm."""
    for match in _web_token().finditer(text):
        head = match[1]
        try:
            header: object = json.loads(
                binascii.a2b_base64(head.translate(_URL_SAFE) + "=" * (-len(head) % 4))
            )
        except (binascii.Error, ValueError):
            continue
        if isinstance(header, dict) and "alg" in header:
            yield Secret("JSON Web Token", *match.span())


def _url_passwords(text: str) -> Iterator[Secret]:
    for match in _url().finditer(text):
        if not _is_placeholder(match[1]) and match[1].lower() not in ("password", "pass", "pwd", "secret"):
            yield Secret("password in an address", *match.span(1))


def _named(text: str) -> Iterator[Secret]:
    for match in _assignment().finditer(text):
        value = match["value"] or ""
        if _is_secret(value):
            yield Secret("value of a secret's name", *match.span("value"))
    for match in (*_sentence().finditer(text), *_sentence_abroad().finditer(text)):
        value = match[1].rstrip(".,;:!?")
        if _is_secret(value) and not _technical().fullmatch(value) and any(map(str.isdigit, value)):
            yield Secret("password", match.start(1), match.start(1) + len(value))


def _is_secret(value: str) -> bool:
    """Return whether a value can be a secret: no number, no word, no placeholder, no call."""
    if len(value) < _VALUE_CHARACTERS_MIN or _number().fullmatch(value) or _word().fullmatch(value):
        return False
    if _code().search(value):
        return False
    return not _is_placeholder(value) and not value.startswith(("/", "./", "~/", "$", "#", "@"))


def _is_placeholder(value: str) -> bool:
    lowered = value.lower()
    return any(one in lowered for one in PLACEHOLDERS) or len(set(lowered)) < 3


@cache
def _pattern(number: int) -> re.Pattern[str]:
    return re.compile(FORMATS[number].pattern, re.ASCII)


@cache
def _web_token() -> re.Pattern[str]:
    return re.compile(
        r"(?<![A-Za-z0-9_\-])(eyJ[A-Za-z0-9_\-]{8,2000})\.eyJ[A-Za-z0-9_\-]{4,8000}\.[A-Za-z0-9_\-]{10,2000}"
    )


@cache
def _url() -> re.Pattern[str]:
    return re.compile(
        r"(?<![A-Za-z0-9_])[A-Za-z][A-Za-z0-9+.\-]{1,20}://[^\s/:@\"'<>]{0,100}:([^\s/@\"'<>]{3,200})@[^\s/@]"
    )


@cache
def _assignment() -> re.Pattern[str]:
    return re.compile(
        # What is given may be the name of a secret itself, so it is only looked at.
        rf"(?<![A-Za-z0-9_.\-]){NAMES}[\"']?[ \t]{{0,8}}(?::=|=>|=|:)[ \t]{{0,8}}"
        r"(?=(?P<quote>[\"'`]?)(?P<value>[^\s\"'`,;)}\]]{6,500})(?P=quote))"
    )


@cache
def _sentence() -> re.Pattern[str]:
    return re.compile(
        r"(?i)(?<![A-Za-z0-9_])(?:(?:password|passphrase|passcode|api key|access key"
        r"|(?:access|api|auth|bot) token)"
        r"(?: (?:for|of|to|on|at) [\w .@\-]{1,40}?)?|(?:client )?secret(?: key| code)?)(?: is| was| are|:) "
        r"[\"'`]?([^\s\"'`]{6,200})"
    )


@cache
def _sentence_abroad() -> re.Pattern[str]:
    words, verbs, signs = "|".join(WORDS_ABROAD), "|".join(VERBS_ABROAD), "|".join(SIGNS_ABROAD)
    said = rf"[^\n:：.!?]{{0,40}}?(?:[ \t](?:{verbs})[ \t]|(?:{signs})[ \t]?)"
    return re.compile(rf"(?i)(?:{words})(?:{said}|[ \t]?[:：=][ \t]?)[\"'`«“「]?([!-~]{{6,200}})")


@cache
def _image() -> re.Pattern[str]:
    return re.compile(r"data:[\w/+.\-]{1,60};base64,[A-Za-z0-9+/=]{0,20000000}")


@cache
def _number() -> re.Pattern[str]:
    return re.compile(r"[\d.,_\-+%eE]+")


@cache
def _word() -> re.Pattern[str]:
    return re.compile(r"[A-Za-z]+(?:[-_'][A-Za-z]+)*")


@cache
def _code() -> re.Pattern[str]:
    return re.compile(r"[(\[{]|^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+$")


@cache
def _technical() -> re.Pattern[str]:
    return re.compile(
        r"(?i)(?:sha|md|base|utf|aes|rsa|argon|bcrypt|scrypt|oauth|pbkdf|http|v|x|iso|rfc|ed|u?int|float"
        r"|str)-?\d+\S*"
        r"|\d+[-_]?(?:[a-z]+|digit\S*|char\S*|bit\S*|day\S*|hour\S*|word\S*)"
    )
