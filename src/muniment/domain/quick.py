"""How are many small values made fast?  A frozen one is filled while it is still of a class that is not.

A dataclass that is frozen sets its fields through `object.__setattr__`, which looks every name
up again: two thirds of what it costs to make one.  A write makes some twenty of them.
"""

import json
from collections.abc import Callable
from dataclasses import MISSING, fields
from typing import TypeVar

Made = TypeVar("Made")


def quick(cls: type[Made]) -> type[Made]:
    """Give a frozen, slotted dataclass an `__init__` that does the same in a third of the time.

    Takes classes whose fields have plain defaults or none, all of them in the class itself; raises
    TypeError for a field that is made by a factory, given by keyword only or not given at all, for
    what is made after, and for a class that inherits fields.
    """
    if hasattr(cls, "__post_init__"):
        raise TypeError(f"{cls.__name__} makes something after its fields.")
    parts = fields(cls)  # type: ignore[arg-type]  # whoever decorates has made it a dataclass
    open_class = type(cls.__name__, (), {"__slots__": tuple(one.name for one in parts)})
    known: dict[str, object] = {"_become": _become, "_open": open_class, "_own": cls}
    given: list[str] = []
    for one in parts:
        if one.default_factory is not MISSING or one.kw_only or not one.init:
            raise TypeError(f"{cls.__name__}.{one.name} is no plain field.")
        if one.default is not MISSING:
            known[f"_default_{one.name}"] = one.default
        given.append(one.name if one.default is MISSING else f"{one.name}=_default_{one.name}")
    lines = [
        "_become(self, _open)",
        *(f"self.{one.name} = {one.name}" for one in parts),
        "_become(self, _own)",
    ]
    made: dict[str, Callable[..., None]] = {}
    exec(f"def __init__(self, {', '.join(given)}):\n    " + "\n    ".join(lines), known, made)
    # Refused here and not at the first value, where its slots are not those of the open class.
    _become(object.__new__(cls), open_class)
    init, spelled = made["__init__"], cls.__init__
    init.__qualname__, init.__annotations__ = spelled.__qualname__, spelled.__annotations__
    type.__setattr__(cls, "__init__", init)
    return cls


_become: Callable[[object, type], None] = object.__dict__["__class__"].__set__
"""Make a value one of another class with the same slots."""


def compact(encoder: json.JSONEncoder) -> Callable[[object], str]:
    """Return what encodes as `encoder` does, made once.

    The standard library makes its inner encoder again for every call, which takes as long as a
    short row.  Where it has none that is compiled, `encoder` itself is what is called.  A value
    that holds itself raises RecursionError.
    """
    make = getattr(json.encoder, "c_make_encoder", None)
    if make is None or not encoder.ensure_ascii:
        return encoder.encode
    parts: Callable[[object, int], tuple[str, ...]] = make(
        None,
        encoder.default,
        json.encoder.encode_basestring_ascii,
        None,
        encoder.key_separator,
        encoder.item_separator,
        encoder.sort_keys,
        encoder.skipkeys,
        encoder.allow_nan,
    )
    return lambda value: "".join(parts(value, 0))
