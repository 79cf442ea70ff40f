"""Which verb searches the conversations?  One verb, whose parts say what it does."""

from dataclasses import replace
from typing import TYPE_CHECKING, TypedDict, Unpack

from muniment import limits
from muniment.domain.evidence import Role
from muniment.domain.space import checked_path
from muniment.errors import BadInput
from muniment.later import Later
from muniment.service.arguments import known_fields, text_of, whole_of
from muniment.service.erased_names import name_apart
from muniment.service.hand import Hand

if TYPE_CHECKING:
    from muniment.recall import turns
    from muniment.service import search_result, searching
else:
    turns = Later("muniment.recall.turns")
    search_result = Later("muniment.service.search_result")
    searching = Later("muniment.service.searching")


class SearchFields(TypedDict, total=False):
    """Name what `search` takes beside the query; all of it may be left out."""

    limit: int
    sort: str
    session: str
    around: int
    window: int
    role: str
    space: str | None
    durable: bool


class Searching(Hand):
    """Search what was said in conversations."""

    def search(self, query: str = "", **fields: Unpack[SearchFields]) -> "search_result.Search":
        """Search the conversations; what was shown is on record within a second, as a recall is.

        From within a session, or with `durable`, it is on record before it leaves.  With a query
        the best turn of each line of sessions is found, with `window` turns on either side: all
        words have to be there, else all parts of a name, else any word, and the notes say so;
        quotes make phrases.  `session` alone reads one, `around` a place scrolls in it, and nothing
        at all browses the newest.  `sort` is best, newest or oldest.  Raises BadInput for a part of
        the wrong type or size, and NotFound for a session that is not there.
        """
        found, asks = searching.search(self._ground, self._principal, self._sought(query, fields))
        if not found.answer.hits and not query:
            return found
        durable = bool(fields.get("durable")) or bool(self._running())
        # A session that the search met already needs no second look.
        session = asks or self._session_number()
        return replace(found, answer=self._noted(found.answer, session, durable=durable))

    def _sought(self, query: str, fields: SearchFields) -> "searching.Sought":
        known_fields(fields, SearchFields)
        text = text_of("query", query)
        if len(text) > limits.search_query_characters_max:
            raise BadInput(f"The query is longer than {limits.search_query_characters_max} characters.")
        space, role = text_of("space", fields.get("space")), text_of("role", fields.get("role"))
        if role and role not in Role.__members__.values():
            raise BadInput("`role` is user, assistant, tool_call, tool_result or system.")
        order = text_of("sort", fields.get("sort")) or turns.Order.BEST.value
        if order not in turns.Order.__members__.values():
            raise BadInput("`sort` is best, newest or oldest.")
        return searching.Sought(
            query=text,
            limit=whole_of("limit", fields.get("limit", 3), least=1, most=limits.search_sessions_max),
            order=turns.Order(order),
            session=name_apart(text_of("session", fields.get("session"))),
            around=whole_of("around", fields.get("around", 0), least=0, most=2**31 - 1),
            window=whole_of("window", fields.get("window", 5), least=0, most=limits.search_window_turns_max),
            role=Role(role) if role else None,
            space=checked_path(space) if space else "",
            current=self._running(),
        )

    def _running(self) -> str:
        """Return the name of the session whose live turns stand in the prompt already, empty for none."""
        return ""
