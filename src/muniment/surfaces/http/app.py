"""How is one request answered?  Read within bounds, run in a worker thread, shown by one rule."""

import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from types import MappingProxyType

import anyio
import anyio.to_thread
from fastapi import FastAPI, Request, Response
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect

from muniment import __version__, limits
from muniment.domain.rights import RIGHTS, Peer, granted
from muniment.errors import BadInput, NoSuchCall, OtherSocket, Refusal, TooLarge, TooSlow
from muniment.surfaces.http import broker, loop, owner
from muniment.surfaces.http.desk import Desk, Route
from muniment.surfaces.http.shown import document, problem
from muniment.surfaces.plain import plain
from muniment.surfaces.problems import TABLE
from muniment.surfaces.shapes import Arguments, arguments_of, schema_of

ROUTES: Mapping[Peer, Mapping[str, Route]] = MappingProxyType(
    {Peer.LOOP: loop.ROUTES, Peer.BROKER: broker.ROUTES, Peer.OWNER: owner.ROUTES}
)
"""Every call of every peer; which of them there are is the table of rights."""

PREFIX = "/v1/"
"""What stands before a call's name in a path."""

_REFUSED = TABLE[Refusal].http_status
_CLOSED = {"connection": "close"}
_PAUSE_SECONDS = 0.25

Answer = Callable[[Request], Awaitable[Response]]


@dataclass(slots=True)
class Running:
    """Hold what all requests of one socket share: how many are worked on, and whether an end is near."""

    hands: anyio.CapacityLimiter = field(
        default_factory=lambda: anyio.CapacityLimiter(limits.requests_at_once_max)
    )
    is_stopping: bool = False


def app_of(desk: Desk, running: Running) -> FastAPI:
    """Return the application of one socket: the calls that its peer has a right to, and no other."""
    app = FastAPI(
        title=f"Muniment, {desk.peer.value}",
        version=__version__,
        docs_url=None,
        redoc_url=None,
        openapi_url=f"{PREFIX}openapi.json",
        redirect_slashes=False,
    )
    for call in RIGHTS[desk.peer]:
        route = ROUTES[desk.peer][call]
        app.add_api_route(
            PREFIX + call,
            _answering(desk, route, running),
            methods=[_method(route)],
            response_model=None,
            operation_id=call,
            summary=route.says,
            openapi_extra=_described(route),
        )
    app.add_exception_handler(HTTPException, partial(_unknown, desk))
    return app


def _method(route: Route) -> str:
    return "POST" if route.changes else "GET"


def _described(route: Route) -> dict[str, object]:
    schema = schema_of(route.form)
    if route.changes:
        return {"requestBody": {"content": {"application/json": {"schema": schema}}}}
    properties, required = schema["properties"], schema["required"]
    assert isinstance(properties, dict) and isinstance(required, list)
    return {
        "parameters": [
            {"name": name, "in": "query", "required": name in required, "schema": of}
            for name, of in properties.items()
        ]
    }


def _answering(desk: Desk, route: Route, running: Running) -> Answer:
    async def answer(request: Request) -> Response:
        try:
            raw = await _body(request) if route.changes else _query(request)
            return _shown(await _run(desk, route, arguments_of(route.form, raw), running=running))
        except Exception as error:  # noqa: BLE001  the caller gets an answer, whatever nobody foresaw
            return _problem(error)

    return answer


async def _run(desk: Desk, route: Route, given: Arguments, *, running: Running) -> object:
    """Run a call where it may block: the one place where this surface hands over to the sync core.

    A call that waits is asked again until it has an answer, its time is over or an end is near.
    """
    most = limits.update_wait_seconds_max
    left = float(min(given.whole("wait"), most)) if route.is_empty is not None else 0.0
    deadline = anyio.current_time() + left
    while True:
        found = await anyio.to_thread.run_sync(partial(route.run, desk, given), limiter=running.hands)
        is_over = running.is_stopping or anyio.current_time() >= deadline
        if route.is_empty is None or is_over or not route.is_empty(found):
            break
        await anyio.sleep(_PAUSE_SECONDS)
    if route.changes:
        desk.chores.tell()
    return found


def _query(request: Request) -> dict[str, object]:
    """Return the arguments of a call that only looks; a name that comes twice is a list."""
    found: dict[str, object] = {}
    for name, value in request.query_params.multi_items():
        before = found.get(name)
        if before is None:
            found[name] = value
        else:
            found[name] = [*before, value] if isinstance(before, list) else [before, value]
    return found


async def _body(request: Request) -> dict[str, object]:
    """Return the arguments of a call that changes something: a JSON object, or nothing at all.

    Raises TooLarge and TooSlow for a body beyond the bounds, before more of it is read.
    """
    if request.url.query:
        raise BadInput("A call with a body takes nothing in its address.", advice="Send one JSON object.")
    stated = request.headers.get("content-length", "")
    if stated.isdigit() and int(stated[:20]) > limits.request_bytes_max:
        raise _too_large()
    try:
        with anyio.fail_after(limits.request_seconds_max):
            body = await _read(request)
    except TimeoutError as error:
        raise TooSlow("The request did not come whole in time.") from error
    except ClientDisconnect as error:
        raise BadInput("The request ended before it was whole.") from error
    return _object(body)


async def _read(request: Request) -> bytes:
    found = bytearray()
    async for part in request.stream():
        found += part
        if len(found) > limits.request_bytes_max:
            raise _too_large()
    return bytes(found)


def _too_large() -> TooLarge:
    return TooLarge(f"A request has at most {limits.request_bytes_max} bytes.")


def _object(body: bytes) -> dict[str, object]:
    try:
        text = body.decode("utf-8")
        found = (
            json.loads(text, parse_constant=_no_number, object_pairs_hook=_each_once) if text.strip() else {}
        )
    except (ValueError, RecursionError) as error:
        raise BadInput("The request is no JSON in UTF-8.", advice="Send one JSON object.") from error
    if not isinstance(found, dict):
        raise BadInput("The request is no JSON object.", advice="Send one JSON object.")
    return found


def _each_once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """Return an object whose names stand there once: of two, another reader may take the other one."""
    found = dict(pairs)
    if len(found) != len(pairs):
        raise BadInput("A name stands twice in one object.", advice="Send each name once.")
    return found


def _no_number(word: str) -> object:
    raise ValueError(word)


def _shown(value: object) -> Response:
    """Return an answer in JSON; what the gate refused is its receipt, with the status of a refusal."""
    status = _REFUSED if getattr(value, "refused", False) else 200
    return Response(document(plain(value)), status, media_type="application/json")


def _problem(error: Exception) -> Response:
    # The rest of a body that was too much is not read, so nothing more can come this way.
    headers = _CLOSED if isinstance(error, TooLarge | TooSlow) else {}
    status, body = problem(error)
    return Response(body, status, headers, media_type="application/json")


async def _unknown(desk: Desk, request: Request, error: Exception) -> Response:
    """Answer a path that this socket does not have: another socket's, another method's, or nobody's."""
    call = request.url.path.removeprefix(PREFIX)
    if granted(desk.peer, call):
        return _problem(NoSuchCall(f"`{call}` is called by {_method(ROUTES[desk.peer][call])}."))
    if any(granted(other, call) for other in Peer):
        await anyio.to_thread.run_sync(desk.deny, call)
        return _problem(OtherSocket("This socket has no right to that call."))
    return _problem(NoSuchCall("There is no such call."))
