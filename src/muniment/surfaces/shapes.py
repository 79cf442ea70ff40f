"""What may a call hold?  One table of fields a call; its schema and its checks come from it.

Clients send `null`, "null" and lists inside strings, and models misspell names.  The
schemas are therefore plain (one scalar type a property, nothing nullable, neutral
defaults), and what arrives is read by one table of coercions: every text of `TEXT` is
kept byte for byte, also when it looks like JSON, and a name that is not in the table is
refused instead of dropped.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType

from muniment.errors import BadInput

_WHOLE = re.compile(r"-?\d{1,18}")


class Type(StrEnum):
    """Name how a field is read."""

    TEXT = "text"
    NAME = "name"
    CHOICE = "choice"
    WHOLE = "whole"
    FLAG = "flag"
    TEXTS = "texts"
    OBJECTS = "objects"


Object = Mapping[str, object]
"""One object of a list, as it came; what it may hold is judged where it is used."""

Value = str | int | bool | tuple[str, ...] | tuple[Object, ...]
"""What a field holds after it was read."""


@dataclass(frozen=True, slots=True)
class Field:
    """Describe one field; without `required` it has the neutral default of its type, or `default`."""

    name: str
    type: Type
    meaning: str
    required: bool = False
    default: Value | None = None
    choices: tuple[str, ...] = ()

    @property
    def neutral(self) -> Value:
        """Return the value that stands for 'not given'."""
        return _NEUTRAL[self.type] if self.default is None else self.default


@dataclass(frozen=True, slots=True)
class Case:
    """Say what goes with one value of the field that chooses: all `needs`, one of `one_of`, `may`."""

    example: Mapping[str, object]
    needs: tuple[str, ...] = ()
    one_of: tuple[str, ...] = ()
    may: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Form:
    """Hold a tool's fields, one correct call, and the cases of the field `chooses`, where there is one.

    Fields in `always` go with every case, and `aliases` are names that models use for a field.  A field
    of `implies` says the case where the call leaves it out.
    """

    fields: tuple[Field, ...]
    example: Mapping[str, object]
    chooses: str = ""
    cases: Mapping[str, Case] = field(default_factory=dict)
    always: tuple[str, ...] = ()
    aliases: Mapping[str, str] = field(default_factory=dict)
    implies: Mapping[str, str] = field(default_factory=dict)

    def example_for(self, raw: Mapping[str, object]) -> Mapping[str, object]:
        """Return a correct call for the case that `raw` names, else the general one."""
        case = self.cases.get(str(raw.get(self.chooses)))
        return self.example if case is None else case.example


@dataclass(frozen=True, slots=True)
class Arguments:
    """Hold a call's arguments, every field of the form filled."""

    values: Mapping[str, Value]
    given: frozenset[str]

    def text(self, name: str) -> str:
        """Return a text."""
        return str(self.values[name])

    def whole(self, name: str) -> int:
        """Return a whole number."""
        return int(str(self.values[name]))

    def flag(self, name: str) -> bool:
        """Return a yes or no."""
        return self.values[name] is True

    def texts(self, name: str) -> tuple[str, ...]:
        """Return a list of texts."""
        value = self.values[name]
        return tuple(one for one in value if isinstance(one, str)) if isinstance(value, tuple) else ()

    def objects(self, name: str) -> tuple[Object, ...]:
        """Return a list of objects."""
        value = self.values[name]
        return tuple(one for one in value if isinstance(one, Mapping)) if isinstance(value, tuple) else ()


def schema_of(form: Form) -> dict[str, object]:
    """Return the form as a JSON schema in the subset that every client reads."""
    return {
        "type": "object",
        "properties": {one.name: _property(one) for one in form.fields},
        "required": [one.name for one in form.fields if one.required],
        "additionalProperties": False,
    }


def _property(one: Field) -> dict[str, object]:
    found: dict[str, object] = {"type": _JSON_TYPES[one.type], "description": one.meaning}
    if one.type in _ITEMS:
        found["items"] = {"type": _ITEMS[one.type]}
    if one.choices:
        found["enum"] = list(one.choices)
    if not one.required:
        found["default"] = list(one.neutral) if isinstance(one.neutral, tuple) else one.neutral
    return found


def arguments_of(form: Form, raw: Mapping[str, object]) -> Arguments:
    """Return the arguments of a call, or raise BadInput naming each wrong part once."""
    raw = _under_own_names(form, raw)
    _refuse_strangers_and_gaps(form, raw)
    values = {one.name: _READ[one.type](one, raw.get(one.name)) for one in form.fields}
    given = frozenset(one.name for one in form.fields if values[one.name] != one.neutral or one.required)
    arguments = Arguments(MappingProxyType(values), given)
    if form.chooses:
        _refuse_unfit(form, arguments)
    return arguments


def _under_own_names(form: Form, raw: Mapping[str, object]) -> Mapping[str, object]:
    """Return the arguments under the names of the form; one that comes twice keeps its other name."""
    aliases = {name: own for name, own in form.aliases.items() if name in raw and own not in raw}
    named = {aliases.get(name, name): value for name, value in raw.items()} if aliases else raw
    implied = [case for name, case in form.implies.items() if name in named]
    return {form.chooses: implied[0], **named} if len(implied) == 1 and form.chooses not in named else named


def _refuse_strangers_and_gaps(form: Form, raw: Mapping[str, object]) -> None:
    known = [one.name for one in form.fields]
    faults = [f"`{name[:40]}` is no argument of this call" for name in raw if name not in known]
    missing = [one.name for one in form.fields if one.required and _absent(one, raw.get(one.name))]
    if missing:
        faults.append(f"{_listed(missing)} {'is' if len(missing) == 1 else 'are'} missing")
    if faults:
        sentence = " and ".join(faults[:4])
        allowed = f"The arguments are: {', '.join(known)}." if known else "It takes no arguments."
        raise BadInput(f"{sentence}.", advice=allowed)


def _absent(one: Field, value: object) -> bool:
    return value is None or (one.type in (Type.NAME, Type.CHOICE) and value in ("", "null"))


def _refuse_unfit(form: Form, arguments: Arguments) -> None:
    chosen = arguments.text(form.chooses)
    case = form.cases[chosen]
    missing = [name for name in case.needs if name not in arguments.given]
    if missing:
        raise BadInput(f"`{form.chooses}` {chosen} needs {_listed(missing)}.")
    if case.one_of and not arguments.given & set(case.one_of):
        raise BadInput(f"`{form.chooses}` {chosen} needs {_listed(case.one_of, 'or')}.")
    allowed = {form.chooses, *form.always, *case.needs, *case.one_of, *case.may}
    unfit = [one.name for one in form.fields if one.name in arguments.given and one.name not in allowed]
    if unfit:
        raise BadInput(f"{_listed(unfit)} cannot go with `{form.chooses}` {chosen}.")


def _listed(names: Sequence[str], word: str = "and") -> str:
    quoted = [f"`{name}`" for name in names]
    return quoted[0] if len(quoted) == 1 else f"{', '.join(quoted[:-1])} {word} {quoted[-1]}"


def _refused(one: Field, what: str, advice: str) -> BadInput:
    return BadInput(f"`{one.name}` {what}.", advice=advice)


def _text(one: Field, value: object) -> Value:
    if value is None:
        return one.neutral
    if not isinstance(value, str):
        raise _refused(
            one, f"is not a text; it came as {_came_as(value)}", "Send it as one JSON string, with quotes."
        )
    return value


def _name(one: Field, value: object) -> Value:
    text = _text(one, value)
    return one.neutral if text in ("", "null") else text


def _choice(one: Field, value: object) -> Value:
    text = _name(one, value)
    if text not in one.choices:
        raise _refused(one, f"is not {str(text)[:40]!r}", f"It is one of: {', '.join(one.choices)}.")
    return text


def _whole(one: Field, value: object) -> Value:
    if value is None or value in ("", "null"):
        return one.neutral
    if isinstance(value, str) and _WHOLE.fullmatch(value.strip()):
        return int(value)
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e9:
        return int(value)
    if isinstance(value, bool) or not isinstance(value, int):
        raise _refused(one, "is not a whole number", "Send digits, such as 5.")
    return value


def _flag(one: Field, value: object) -> Value:
    if value is None or value in ("", "null"):
        return one.neutral
    word = value.strip().casefold() if isinstance(value, str) else value
    if word in ("true", "false"):
        return word == "true"
    if not isinstance(word, bool):
        raise _refused(one, "is not true or false", "Send true or false.")
    return word


def _texts(one: Field, value: object) -> Value:
    if isinstance(value, str):
        value = _inner_list(value)
    if value is None or value == [] or value == ["null"]:
        return one.neutral
    if not isinstance(value, list) or not all(isinstance(item, str) and item.strip() for item in value):
        raise _refused(
            one, "is not a list of texts", 'Send a list such as ["a", "b"]; every item is a text, not empty.'
        )
    return tuple(dict.fromkeys(value))


def _objects(one: Field, value: object) -> Value:
    if isinstance(value, str):
        value = _inner_list(value)
    if value is None or value == []:
        return one.neutral
    objects = [_object(item) for item in (value if isinstance(value, list) else [value])]
    if not all(objects):
        raise _refused(one, "is not a list of objects", 'Send a list such as [{"text": "new"}].')
    return tuple(item for item in objects if item is not None)


def _object(item: object) -> Object | None:
    """Return an object as it came or as a client put it into a string, None for anything else."""
    if isinstance(item, str) and item.lstrip().startswith("{"):
        try:
            item = json.loads(item)
        except (ValueError, RecursionError):
            return None
    return item if isinstance(item, dict) else None


def _inner_list(text: str) -> object:
    """Return the list inside a string, nothing for a blank or "null", else the one text as it is.

    Commas do not separate: "a,b" is one text, since a tag may hold a comma.
    """
    if text.strip() in ("", "null"):
        return None
    if text.lstrip().startswith("["):
        try:
            return json.loads(text)
        except (ValueError, RecursionError):
            return [text]
    return [text]


def _came_as(value: object) -> str:
    return next((word for kind, word in _WORDS if isinstance(value, kind)), "something else")


_NEUTRAL: Mapping[Type, Value] = MappingProxyType(
    {
        Type.TEXT: "",
        Type.NAME: "",
        Type.CHOICE: "",
        Type.WHOLE: 0,
        Type.FLAG: False,
        Type.TEXTS: (),
        Type.OBJECTS: (),
    }
)
_JSON_TYPES = MappingProxyType(
    {
        Type.TEXT: "string",
        Type.NAME: "string",
        Type.CHOICE: "string",
        Type.WHOLE: "integer",
        Type.FLAG: "boolean",
        Type.TEXTS: "array",
        Type.OBJECTS: "array",
    }
)
_ITEMS = MappingProxyType({Type.TEXTS: "string", Type.OBJECTS: "object"})
_WORDS = (
    (bool, "true or false"),
    (int, "a number"),
    (float, "a number"),
    (list, "a list"),
    (dict, "an object"),
)

_READ: Mapping[Type, Callable[[Field, object], Value]] = MappingProxyType(
    {
        # null = not given; anything else but a string is refused, never turned into one.
        Type.TEXT: _text,
        # As a text, and "null" = not given: no space, id or moment is called that.
        Type.NAME: _name,
        # As a name, and one of the choices.
        Type.CHOICE: _choice,
        # null, "" and "null" = not given; "5" and 5.0 = 5.
        Type.WHOLE: _whole,
        # null, "" and "null" = not given; "true" = true.
        Type.FLAG: _flag,
        # null, "", "null", [] and ["null"] = not given; a list in a string = the list; a string = one item.
        Type.TEXTS: _texts,
        # null, "", "null" and [] = not given; lists and objects in strings are read, one object = one item.
        Type.OBJECTS: _objects,
    }
)
"""The table of coercions."""
