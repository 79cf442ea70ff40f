"""Which lines of a Claude Code session lie on a branch that was left?

Lines name their parent.  Going back and asking again gives a parent a second child, and
the conversation goes on from there; the branch that reaches the last line is the one
that was kept.  Three habits of the format make that less simple than it sounds:

- one answer may be written as several lines, and tools called at once are answered on
  sibling lines, so a fork is not always a change of mind;
- a compaction starts a new tree, whose root names the line before it as its logical parent;
- a subagent's lines hang from lines of the main conversation but are no part of it.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from muniment import limits
from muniment.adapters.importers.lines import Line, name

_NO_PARENT = -1
_UNKNOWN = -1


@dataclass(slots=True)
class _Node:
    """Hold what one line contributes to the tree."""

    parent: int
    spoken: bool = False
    answer: bool = False
    sidechain: bool = False
    message: str = ""


@dataclass(slots=True)
class Branches:
    """Hold which lines were left, and the titles of sessions."""

    _numbers: dict[str, int] = field(default_factory=dict)
    _live: set[int] = field(default_factory=set)
    _titles: dict[str, str] = field(default_factory=dict)

    def left(self, value: Mapping[str, object]) -> bool:
        """Return whether the line lies on a branch that was left.

        A line without a uuid can have no children, so it shares its parent's fate; a line
        that the first reading did not see is new, and live.
        """
        number = self._numbers.get(name(value.get("uuid")) or name(value.get("parentUuid")))
        return number is not None and number not in self._live

    def title(self, session: str) -> str:
        """Return the title that the file gives `session`, or the empty string."""
        return self._titles.get(session, "")


def branches(objects: Iterable[Line]) -> Branches:
    """Return the branches of a file, keeping only the links of its lines, never a text."""
    gathered = _Gathered()
    for line in objects:
        gathered.add(line.value)
    return Branches(gathered.numbers, _live(gathered.nodes, gathered.spoken), gathered.titles())


class _Gathered:
    """Collect links and titles from the lines of a file."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}
        self.nodes: list[_Node] = []
        self.spoken: list[int] = []
        self._sessions: dict[str, str] = {}
        self._names: dict[str, str] = {}
        self._summaries: list[tuple[str, str]] = []

    def add(self, value: Mapping[str, object]) -> None:
        """Take in one line; what a line lacks is left empty, never an error."""
        if value.get("type") == "summary":
            self._summaries.append((name(value.get("leafUuid")), name(value.get("summary"))))
        session, uuid = name(value.get("sessionId")), name(value.get("uuid"))
        session = self._names.setdefault(session, session)
        if not uuid:
            return
        self._sessions.setdefault(uuid, session)
        number = self._number(uuid)
        node = self.nodes[number]
        if node.spoken:
            return
        parent = name(value.get("parentUuid")) or name(value.get("logicalParentUuid"))
        node.parent = self._number(parent) if parent else _NO_PARENT
        node.sidechain = value.get("isSidechain") is True
        node.spoken = value.get("type") in ("user", "assistant") and value.get("isMeta") is not True
        node.answer, node.message = _kind(value)
        if node.spoken:
            self.spoken.append(number)

    def titles(self) -> dict[str, str]:
        """Return the newest summary of each session it can be traced to.

        A file's summaries often describe other files.  One that names a line we do not
        have is taken only when the file holds one session and one summary.
        """
        sessions = [session for session in self._names if session]
        alone = sessions[0] if len(sessions) == 1 and len(self._summaries) == 1 else ""
        found = {self._sessions.get(leaf, alone): _shown(summary) for leaf, summary in self._summaries}
        return {session: title for session, title in found.items() if session and title}

    def _number(self, uuid: str) -> int:
        """Return the number of a line, which may not have been read yet or never come."""
        number = self.numbers.setdefault(uuid, len(self.nodes))
        if number == len(self.nodes):
            self.nodes.append(_Node(_NO_PARENT))
        return number


def _kind(value: Mapping[str, object]) -> tuple[bool, str]:
    """Return whether a line only answers tools, and the id of the message it is part of."""
    message = value.get("message")
    if not isinstance(message, dict):
        return False, ""
    blocks = message.get("content")
    answer = (
        value.get("type") == "user"
        and isinstance(blocks, list)
        and bool(blocks)
        and all(isinstance(block, dict) and block.get("type") == "tool_result" for block in blocks)
    )
    return answer, name(message.get("id")) if value.get("type") == "assistant" else ""


def _shown(title: str) -> str:
    """Return a title that fits, with a mark where it was cut."""
    most = limits.name_characters_max
    return title if len(title) <= most else title[: most - 1] + "\u2026"


def _live(nodes: list[_Node], spoken: list[int]) -> set[int]:
    """Return the lines on the branch that each tree kept, with the siblings that belong to it."""
    live: set[int] = set()
    ends = _ends(nodes, spoken)
    for number in ends.values():
        while number != _NO_PARENT and number not in live:
            live.add(number)
            number = _parent(nodes, number)
    # Lines stand after their parents, so one pass in order reaches all that belong.
    messages = {nodes[number].message for number in live} - {""}
    for number, node in enumerate(nodes):
        if node.message in messages or (node.answer and node.parent in live):
            live.add(number)
    return live


def _ends(nodes: list[_Node], spoken: list[int]) -> dict[int, int]:
    """Return the last spoken line of each tree, by the tree's root.

    Last in the file: a line that another named before it came has an earlier number.
    """
    roots = _roots(nodes)
    return {roots[number]: number for number in spoken}


def _roots(nodes: list[_Node]) -> list[int]:
    """Return where each line's tree begins; each link is followed once, also in a ring."""
    roots = [_UNKNOWN] * len(nodes)
    for start in range(len(nodes)):
        path: list[int] = []
        number = start
        while roots[number] == _UNKNOWN:
            path.append(number)
            roots[number] = number
            number = number if _parent(nodes, number) == _NO_PARENT else _parent(nodes, number)
        for step in path:
            roots[step] = roots[number]
    return roots


def _parent(nodes: list[_Node], number: int) -> int:
    """Return a line's parent within its own conversation: a subagent's tree has its own root."""
    parent = nodes[number].parent
    if parent == _NO_PARENT or (nodes[number].sidechain and not nodes[parent].sidechain):
        return _NO_PARENT
    return parent
