"""How does a value look as JSON?  One rule for every answer, so that no command has its own."""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from datetime import datetime
from enum import Enum, IntEnum
from typing import TYPE_CHECKING

from muniment.domain.label import Label
from muniment.domain.timeline import Interval, shown

if TYPE_CHECKING:
    from muniment.domain.erasure import Plan

LEFT_OUT = frozenset({"envelope"})
"""Fields that a command shows only when it is asked to."""


def plain(value: object) -> object:
    """Return a value in terms of JSON: moments in RFC 3339, codes by name, bytes in hexadecimal."""
    special = _special(value)
    if special is not None:
        return special
    if is_dataclass(value) and not isinstance(value, type):
        return {
            one.name: plain(getattr(value, one.name)) for one in fields(value) if one.name not in LEFT_OUT
        }
    if isinstance(value, Mapping):
        return {str(name): plain(inner) for name, inner in value.items()}
    if isinstance(value, set | frozenset):
        return [plain(inner) for inner in sorted(value, key=str)]
    if isinstance(value, list | tuple):
        return [plain(inner) for inner in value]
    return value if isinstance(value, str | int | float | bool) or value is None else str(value)


def plan_fields(plan: "Plan") -> dict[str, object]:
    """Return what a plan of an erasure says: its digest, what would go, what is kept out, what stays."""
    going = [
        {"name": one.name, "kind": one.code.name.lower(), "why": one.why, "put_back": one.put_back}
        for one in plan.going
    ]
    return {
        "plan": plan.digest,
        "counts": plain(plan.counts),
        "going": going,
        "terms": plain(plan.terms),
        "disputes": plain(plan.disputes),
        "stays": plain(plan.stays),
    }


def _special(value: object) -> object:
    if isinstance(value, datetime):
        return shown(value)
    if isinstance(value, Interval):
        return {"from": shown(value.start), "until": shown(value.end) if value.end else None}
    if isinstance(value, Label):
        return {"class": value.data_class.name.lower(), "untrusted": value.untrusted}
    if isinstance(value, IntEnum):
        return value.name.lower()
    if isinstance(value, Enum):
        return value.value
    return value.hex() if isinstance(value, bytes) else None
