"""Which conversation is this, and what has it read?"""

from dataclasses import dataclass
from datetime import datetime

from muniment.domain.label import Label
from muniment.domain.quick import quick


@quick
@dataclass(frozen=True, slots=True)
class Conversation:
    """Hold one session of one agent as it is stored.

    `name` is the caller's own id, unique in its space.  `label` is the strictest of what
    the session has read so far and `turns` how many items it holds.
    """

    id: str
    n: int
    name: str
    space: int
    agent: str
    started: datetime
    label: Label
    turns: int = 0
    title: str = ""
    source: str = ""
