"""Which fields do the same calls take on every surface that a program speaks to?  Written once, for all."""

from muniment import limits
from muniment.domain.memory import Kind
from muniment.recall.turns import Order
from muniment.surfaces.shapes import Field, Type

MOMENT = "RFC 3339, a date, or an age (3d)"
"""How a moment may be spelled."""

REMEMBER_FIELDS = (
    Field("text", Type.TEXT, "One statement that stands alone.", required=True),
    Field("kind", Type.CHOICE, "Its sort.", default="fact", choices=tuple(kind.value for kind in Kind)),
    Field("about", Type.NAME, "Subject of a keyed claim; with `attribute`."),
    Field("attribute", Type.NAME, "Which property of it."),
    Field("value", Type.TEXT, "Its value."),
    Field("many", Type.FLAG, "It has several values at once."),
    Field("valid_from", Type.NAME, f"True from: {MOMENT}."),
    Field("valid_until", Type.NAME, "Until then, exclusive."),
    Field("occurred_at", Type.NAME, "When it happened."),
    Field("expires_at", Type.NAME, "Not recalled from then on."),
    Field("evidence", Type.TEXTS, "Ids that it rests on."),
    Field("tags", Type.TEXTS, "Tags."),
    Field("space", Type.NAME, "Your own when left out."),
)
"""What a statement may hold."""

RECALL_FIELDS = (
    Field("query", Type.TEXT, "Plain words.", required=True),
    Field("k", Type.WHOLE, f"Most hits, up to {limits.hits_max}.", default=5),
    Field("budget_tokens", Type.WHOLE, "Most tokens; 0: no bound."),
    Field("as_of", Type.NAME, f"The world at: {MOMENT}."),
    Field("known_at", Type.NAME, "As known then."),
    Field("include", Type.TEXTS, "Also disputed, refuted, superseded, retired."),
    Field("kinds", Type.TEXTS, "Only these kinds."),
    Field("tags", Type.TEXTS, "Only with these tags."),
    Field("sources", Type.TEXTS, "Only turn, document, chunk, note."),
    Field("space", Type.NAME, "Only this space."),
)
"""What a question may hold."""

SEARCH_FIELDS = (
    Field("query", Type.TEXT, 'Words; "quotes" make a phrase.'),
    Field("limit", Type.WHOLE, f"1 to {limits.search_sessions_max} sessions.", default=3),
    Field("sort", Type.CHOICE, "Order.", default="best", choices=tuple(Order)),
    Field("conversation", Type.NAME, "Read it, or search in it."),
    Field("around", Type.WHOLE, "Scroll to this place."),
    Field("window", Type.WHOLE, f"Turns around, to {limits.search_window_turns_max}.", default=5),
)
"""What a search in sessions may hold, beside whose turns it is for."""
