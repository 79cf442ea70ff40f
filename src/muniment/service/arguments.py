"""How do a caller's arguments become an intent or a question?  Wrong ones are named, nothing is guessed."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path as FilePath
from typing import TYPE_CHECKING, TypedDict

from muniment import limits
from muniment.domain.changes import Page
from muniment.domain.ids import is_id
from muniment.domain.label import PRIVATE, PUBLIC, DataClass, Label
from muniment.domain.memory import Claim, Kind
from muniment.domain.principal import Principal
from muniment.domain.quick import quick
from muniment.domain.space import checked_path
from muniment.domain.timeline import aware, parsed
from muniment.domain.trust import Trust
from muniment.errors import BadInput, BadTime
from muniment.later import Later
from muniment.recall.question import Question

if TYPE_CHECKING:
    from muniment.domain import intent as intents
    from muniment.gate import characters
else:
    characters = Later("muniment.gate.characters")
    intents = Later("muniment.domain.intent")

When = datetime | str | None
"""A moment: aware, or a text that names one; None for not given."""

Evidences = Sequence["str | intents.Source"]
"""Ids of evidence or memories, or sources with a span."""


_KINDS = {kind.value: kind for kind in Kind}
_CLASSES = {one.name.lower(): one for one in DataClass}
_POSITION_MAX = 2**63 - 1
_TIMES = frozenset({"valid_from", "valid_until", "occurred_at", "asserted_at", "expires_at"})


class RememberFields(TypedDict, total=False):
    """Name what `remember` takes beside the text; all of it may be left out."""

    kind: str
    about: str
    attribute: str
    value: str
    many: bool
    valid_from: When
    valid_until: When
    occurred_at: When
    asserted_at: When
    expires_at: When
    evidence: Evidences
    tags: Sequence[str]
    space: str | None
    data_class: str
    strict: bool
    wait: bool


class RecallFields(TypedDict, total=False):
    """Name what `recall` takes beside the question; all of it may be left out."""

    k: int
    budget_tokens: int | None
    as_of: When
    known_at: When
    include: Sequence[str]
    space: str | None
    kinds: Sequence[str]
    tags: Sequence[str]
    sources: Sequence[str]


class ChangeFields(TypedDict, total=False):
    """Name what `revise` and `succeed` take beside text and reason."""

    value: str
    valid_from: When
    valid_until: When
    occurred_at: When
    expires_at: When
    expected_version: int | None
    evidence: Evidences
    strict: bool


class MoveFields(TypedDict, total=False):
    """Name what an act on trust takes beside its reason."""

    expected_version: int | None
    evidence: Evidences
    strict: bool


def known_fields(given: Mapping[str, object], fields: type) -> None:
    """Raise BadInput for an argument that a verb does not take: what is misspelt is never dropped.

    `fields` is the class that names what may be given, each of which may be left out.
    """
    known: frozenset[str] = getattr(fields, "__optional_keys__", frozenset())
    if not given.keys() <= known:
        others = ", ".join(f"`{name}`" for name in sorted(given.keys() - known))
        raise BadInput(
            f"Not known here: {others}. Known are {', '.join(f'`{name}`' for name in sorted(known))}."
        )


def version_number(value: object) -> int | None:
    """Return an expected version, from 1, or None when it was not given."""
    if value is None or value == 0:
        return None
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise BadInput("`expected_version` is not a version number.")
    return value


def text_of(name: str, value: object, *, default: str = "") -> str:
    """Return a text argument; None is the default, anything else but a text is refused."""
    if value is None:
        return default
    if not isinstance(value, str):
        raise BadInput(f"`{name}` is not a text.")
    return value


def named(name: str, value: object) -> str:
    """Return a text that is looked up; raises BadInput for a character that no stored text has."""
    text = text_of(name, value)
    if "\0" in text or any("\ud800" <= character <= "\udfff" for character in text):
        raise BadInput(f"`{name}` holds a character that no text has.")
    return text


def reason_of(value: object) -> str:
    """Return the reason of an act as it is stored: verbatim, but for what may not be shown."""
    return characters.kept(text_of("reason", value))[0]


def actor_of(value: object) -> str:
    """Return an actor's name; raises BadInput for one that is empty, too long or cannot be seen."""
    fits = isinstance(value, str) and value.strip() and len(value) <= limits.name_characters_max
    if not fits or not isinstance(value, str) or not value.isprintable():
        raise BadInput(f"`actor` has 1 to {limits.name_characters_max} characters, each of them visible.")
    return value


def path_of(value: object) -> FilePath:
    """Return the path of a file; raises BadInput for what no file can be called."""
    if not isinstance(value, str | os.PathLike):
        raise BadInput("The path is not a path.")
    try:
        spelled = os.fsencode(value)
    except (TypeError, ValueError) as error:
        raise BadInput("The path is no path.") from error
    if not spelled.strip() or b"\0" in spelled:
        raise BadInput("The path is empty or no path.")
    return FilePath(os.fsdecode(spelled))


def whole_of(name: str, value: object, *, least: int, most: int) -> int:
    """Return a whole number within its bounds, both included; anything else is refused."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise BadInput(f"`{name}` is not a whole number.")
    if not least <= value <= most:
        raise BadInput(f"`{name}` lies in {least}..{most}.")
    return value


def texts_of(name: str, values: object) -> tuple[str, ...]:
    """Return a list of texts; a single text counts as one, anything else is refused."""
    if values is None:
        return ()
    if isinstance(values, str):
        return (values,)
    if not isinstance(values, Sequence) or not all(isinstance(value, str) for value in values):
        raise BadInput(f"`{name}` is not a list of texts.")
    return tuple(values)


def moment_of(name: str, value: object, *, now: datetime) -> datetime | None:
    """Return an aware UTC moment, or None when it was not given."""
    if value is None or value == "":
        return None
    if isinstance(value, str):
        return parsed(value, now=now)
    if not isinstance(value, datetime):
        raise BadTime(f"`{name}` is not a moment.")
    if value.utcoffset() is None:
        raise BadTime(f"`{name}` has no time zone.")
    return aware(value)


def kind_of(value: object) -> Kind:
    """Return a memory's kind."""
    found = _KINDS.get(value) if isinstance(value, str) else None
    if found is None:
        raise BadInput(f"`kind` is one of {', '.join(kind.value for kind in Kind)}.")
    return found


def class_of(value: object) -> DataClass:
    """Return a data class by its lower-case name."""
    found = _CLASSES.get(value) if isinstance(value, str) else None
    if found is None:
        raise BadInput("`data_class` is public, private or secret.")
    return found


def sources_of(values: object) -> "tuple[intents.Source, ...]":
    """Return the evidence a claim rests on; each is the id of an evidence item or memory."""
    if values is None:
        return ()
    if isinstance(values, str) or not isinstance(values, Sequence):
        raise BadInput("`evidence` is not a list of ids.")
    found = tuple(
        value if isinstance(value, intents.Source) else intents.Source(text_of("evidence", value))
        for value in values
    )
    for source in found:
        if not is_id(source.id) or source.id[0] not in "em":
            raise BadInput("`evidence` names something that is no id of evidence or a memory.")
    return tuple(dict.fromkeys(found))


def times_of(fields: RememberFields, *, now: datetime) -> "intents.Times":
    """Return the times a caller gave."""
    if not _TIMES.intersection(fields):
        return intents.Times()
    return intents.Times(
        valid_from=moment_of("valid_from", fields.get("valid_from"), now=now),
        valid_until=moment_of("valid_until", fields.get("valid_until"), now=now),
        occurred_at=moment_of("occurred_at", fields.get("occurred_at"), now=now),
        asserted_at=moment_of("asserted_at", fields.get("asserted_at"), now=now),
        expires_at=moment_of("expires_at", fields.get("expires_at"), now=now),
    )


@quick
@dataclass(frozen=True, slots=True)
class Asker:
    """Hold who asks: the principal, the moment, what its session has read, and the session."""

    principal: Principal
    now: datetime
    read: Label = PUBLIC
    session: int = 0


def remember_intent(asker: Asker, text: object, fields: RememberFields) -> "intents.Remember":
    """Return the intent to remember."""
    if not fields:
        return _plain_intent(asker, text)
    known_fields(fields, RememberFields)
    claim = Claim(
        text=text_of("text", text),
        about=text_of("about", fields.get("about")),
        attribute=text_of("attribute", fields.get("attribute")),
        value=text_of("value", fields.get("value")),
        many=bool(fields.get("many", False)),
    )
    space = text_of("space", fields.get("space"))
    return intents.Remember(
        principal=asker.principal,
        claim=claim,
        kind=kind_of(fields.get("kind", Kind.FACT.value)),
        space=checked_path(space) if space else asker.principal.home,
        times=times_of(fields, now=asker.now),
        sources=sources_of(fields.get("evidence")),
        tags=texts_of("tags", fields.get("tags")),
        label=Label(class_of(fields.get("data_class", "private"))).joined(asker.read),
        path=intents.Path.DIRECT,
        session=asker.session,
    )


def _plain_intent(asker: Asker, text: object) -> "intents.Remember":
    """Return the intent to remember a text with nothing beside it, as most have."""
    return intents.Remember(
        principal=asker.principal,
        claim=Claim(text_of("text", text)),
        kind=Kind.FACT,
        space=asker.principal.home,
        label=PRIVATE.joined(asker.read),
        path=intents.Path.DIRECT,
        session=asker.session,
    )


def question_of(asker: Asker, text: object, fields: RecallFields) -> Question:
    """Return the question; filters that name nothing known are refused, never dropped."""
    known_fields(fields, RecallFields)
    space = text_of("space", fields.get("space"))
    return Question(
        text=text_of("text", text),
        principal=asker.principal,
        k=whole_of("k", fields.get("k", 5), least=0, most=limits.hits_max),
        budget_tokens=_budget(fields.get("budget_tokens")),
        as_of=moment_of("as_of", fields.get("as_of"), now=asker.now),
        known_at=moment_of("known_at", fields.get("known_at"), now=asker.now),
        include=tuple(_trust(value) for value in texts_of("include", fields.get("include"))),
        space=checked_path(space) if space else "",
        kinds=tuple(kind_of(value) for value in texts_of("kinds", fields.get("kinds"))),
        tags=tuple(named("tags", tag) for tag in texts_of("tags", fields.get("tags"))),
        sources=tuple(_source_kind(value) for value in texts_of("sources", fields.get("sources"))),
        session=asker.session,
    )


def _budget(value: object) -> int | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise BadInput("`budget_tokens` is not a whole number from 0.")
    return value


def _trust(value: str) -> Trust:
    if value not in Trust.__members__.values():
        raise BadInput(f"`include` names states: {', '.join(trust.value for trust in Trust)}.")
    return Trust(value)


def _source_kind(value: str) -> str:
    if value not in ("turn", "document", "chunk", "note"):
        raise BadInput("`sources` names turn, document, chunk or note.")
    return value


def within_query_bound(text: str) -> tuple[str, bool]:
    """Return a question cut to its bound, and whether it was cut (I12)."""
    if len(text) <= limits.query_characters_max:
        return text, False
    return text[: limits.query_characters_max], True


def page_of(after: object, limit: object) -> Page:
    """Return the part of a listing that is asked for, the newest first; anything else is refused."""
    return Page(position_of(after), page_limit(limit), newest_first=True)


def position_of(value: object, name: str = "after") -> int:
    """Return a position in a listing, from 0; anything else is refused under the argument's name."""
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= _POSITION_MAX:
        raise BadInput(f"`{name}` is not a position from 0.")
    return value


def page_limit(value: object) -> int:
    """Return a page size in 0..the bound; anything else is refused."""
    return whole_of("limit", value, least=0, most=limits.page_rows_max)
