"""What do the texts of a change hold that may not be stored as they are?  Known phrases and secrets."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from muniment.domain.evidence import Arrival
from muniment.domain.label import DataClass
from muniment.domain.memory import Claim
from muniment.domain.principal import Principal
from muniment.gate.phrases import phrases_in, taints
from muniment.gate.secret_formats import NAME_SIGNS
from muniment.gate.secrets import masked, secrets_in
from muniment.gate.verdict import Known, PhraseFound, SecretFound
from muniment.ports import Sieve


@dataclass(frozen=True, slots=True)
class Content:
    """Hold what was found in a claim and its tags, by part and place, never by value."""

    phrases: tuple[PhraseFound, ...] = ()
    secrets: tuple[SecretFound, ...] = ()


NOTHING = Content()
"""What nearly every text holds."""


def content_of(claim: Claim, tags: Sequence[str], sieve: Sieve) -> Content:
    """Return the known phrases and the secrets of a claim and its tags."""
    if not (tags or claim.about or claim.attribute):
        return _content_of_text(claim.text) if sieve(claim.text) else NOTHING
    phrases: list[PhraseFound] = []
    secrets: list[SecretFound] = []
    parts = [("text", claim.text)]
    if claim.about:
        parts += (("about", claim.about), ("attribute", claim.attribute), ("value", claim.value))
    for part, text in (*parts, *(("tag", tag) for tag in tags)):
        if sieve(text):
            phrases += (PhraseFound(one.family.value, part, one.offset) for one in phrases_in(text))
            secrets += secrets_of(part, text)
    if claim.attribute:
        secrets += _named_by_slot(claim)
    return Content(tuple(phrases), tuple(secrets)) if phrases or secrets else NOTHING


def _content_of_text(text: str) -> Content:
    """Return what is in a claim that has nothing but its text, as most have."""
    phrases, secrets = phrases_in(text), secrets_of("text", text)
    if not (phrases or secrets):
        return NOTHING
    return Content(tuple(PhraseFound(one.family.value, "text", one.offset) for one in phrases), secrets)


def secrets_of(part: str, text: str) -> tuple[SecretFound, ...]:
    """Return the secrets of one text as the gate names them."""
    found = secrets_in(text)
    return tuple(SecretFound(one.kind, part, one.start) for one in found) if found else ()


def overriding(known: Known) -> dict[str, int]:
    """Return what a record says of secrets that were stored because the credential may: their count."""
    return {"secrets": len(known.secrets)} if known.secrets else {}


def arriving(arrival: Arrival, principal: Principal, sieve: Sieve) -> tuple[Arrival, int]:
    """Return evidence as it may be kept, and how many secrets were masked in it.

    Its text keeps its length.  Whoever may keep secrets keeps the item as class `secret` instead;
    a known phrase labels it untrusted and changes nothing.
    """
    if not sieve(arrival.text):
        return arrival, 0
    text, count = masked(arrival.text)
    if count and principal.keeps_secrets:
        arrival = replace(arrival, data_class=DataClass.SECRET.name.lower())
        count = 0
    elif count:
        arrival = replace(arrival, text=text)
    if not arrival.untrusted and taints(text):
        arrival = replace(arrival, untrusted=True)
    return arrival, count


def _named_by_slot(claim: Claim) -> tuple[SecretFound, ...]:
    """Return a slot's value as a secret when the attribute says that it is one."""
    lowered = claim.attribute.lower()
    if not any(sign in lowered for sign in NAME_SIGNS):
        return ()
    spelled = f"{claim.attribute.strip()}={claim.said.strip()}"
    return tuple(SecretFound(one.kind, "value", 0) for one in secrets_in(spelled))
