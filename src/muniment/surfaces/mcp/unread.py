"""What becomes of a line that the SDK could not read?  It is read more patiently, or answered with an error.

The SDK drops such a line, and whoever sent it would wait for ever.  Its parser takes no
half of a surrogate pair, which a model or a cut text leaves in JSON; the tools know what
to say to one, so the call goes on to them.
"""

import json

from mcp import types
from pydantic import ValidationError


def meant_by(trouble: Exception) -> types.JSONRPCMessage | None:
    """Return the message that was meant, if the line holds one after all."""
    line = _line_of(trouble)
    if line is None:
        return None
    try:
        return types.jsonrpc_message_adapter.validate_python(json.loads(line), by_name=False)
    except (ValueError, RecursionError):
        return None


def answer_to(trouble: Exception) -> types.JSONRPCError:
    """Return the error that answers the line; its id is null where none was told."""
    line = _line_of(trouble)
    if line is None:
        # Each kind of message that it is not misses something of the object as it came.
        objects = [fault["input"] for fault in _faults(trouble) if fault["type"] == "missing"]
        return _error(types.INVALID_REQUEST, "The line is JSON, but no message.", id=_id_in(objects))
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return _error(types.PARSE_ERROR, "The line is not JSON.", id=None)
    return _error(types.INVALID_REQUEST, "The line is JSON, but no message.", id=_id_in([found]))


def encodable(text: str) -> str:
    """Return a text that UTF-8 can carry: half a surrogate pair is spelled out."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def _faults(trouble: Exception) -> list[dict[str, object]]:
    return [dict(fault) for fault in trouble.errors()] if isinstance(trouble, ValidationError) else []


def _line_of(trouble: Exception) -> str | None:
    for fault in _faults(trouble):
        if fault["type"] == "json_invalid":
            return str(fault["input"])
    return None


def _id_in(objects: list[object]) -> types.RequestId | None:
    for one in objects:
        id = one.get("id") if isinstance(one, dict) and "method" in one else None
        if isinstance(id, int | str) and not isinstance(id, bool):
            return encodable(id) if isinstance(id, str) else id
    return None


def _error(code: int, message: str, *, id: types.RequestId | None) -> types.JSONRPCError:
    return types.JSONRPCError(jsonrpc="2.0", id=id, error=types.ErrorData(code=code, message=message))
