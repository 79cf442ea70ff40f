"""Which verbs does a running session have for its prompt and its turns?  Open, compact, rewind, retry."""

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, TypedDict, Unpack

from muniment import limits
from muniment.domain.session import Conversation
from muniment.errors import BadInput
from muniment.gate.characters import kept
from muniment.later import Later
from muniment.service.arguments import known_fields, text_of
from muniment.service.erased_names import name_apart
from muniment.service.hand import Hand

if TYPE_CHECKING:
    from muniment.prompt import context_files, standing
    from muniment.service import baselines, block_files, moving_turns, screening
else:
    baselines = Later("muniment.service.baselines")
    block_files = Later("muniment.service.block_files")
    context_files = Later("muniment.prompt.context_files")
    moving_turns = Later("muniment.service.moving_turns")
    screening = Later("muniment.service.screening")
    standing = Later("muniment.prompt.standing")


class OpenFields(TypedDict, total=False):
    """Name what `open` takes; all of it may be left out."""

    system: str
    platform: str
    hints: Mapping[str, Mapping[str, str]] | None
    project: "context_files.Project | None"
    window: int
    provider: str
    tools: bool


class Sitting(Hand):
    """Hold a session's prompt still, and move its turns."""

    name: str
    _hinted: frozenset[str] = frozenset()

    @abstractmethod
    def _found(self) -> Conversation | None:
        """Return the session as it is stored, None before its first turn."""

    def open(self, **fields: Unpack[OpenFields]) -> "baselines.Baseline":
        """Return the session's baseline: made now for a new epoch, else the one that it has.

        What is passed counts only where an epoch begins.  Raises UnusableBlock when a block may
        not stand in a new prompt; a session that runs keeps the prompt it has.
        """
        known_fields(fields, OpenFields)
        return self._kept() or self._opened(fields, again=False)

    def reopen(self, **fields: Unpack[OpenFields]) -> "baselines.Baseline":
        """Begin a new epoch by request, with what the blocks hold now; the old baseline is kept."""
        return self._opened(fields, again=True)

    @property
    def baseline(self) -> str:
        """Return the frozen prompt of the session's epoch, the same bytes until the epoch ends (I9)."""
        return self.open().text

    def frozen(self) -> "baselines.Baseline | None":
        """Return the baseline that the session has, None when it has none; nothing is begun."""
        return self._kept()

    def preview(self, **fields: Unpack[OpenFields]) -> "baselines.Baseline":
        """Return what a session that began now would get; nothing is stored."""
        with block_files.in_step(self._ground) as hindered:
            wanted = replace(_wanted(fields), hindered=hindered)
            return baselines.previewed(self._ground, self._principal, wanted)

    def hint(self, found: "context_files.Project") -> str:
        """Return what directories that a tool touched say of themselves, each once for this session.

        `found` is what `muniment.hints` read; the text stands behind the tool's result, in no
        baseline.  Empty when there is nothing new.
        """
        if not isinstance(found, context_files.Project):
            raise BadInput("`found` is what `muniment.hints` read.")
        new = tuple(one for one in found.files if one.directory not in self._hinted)
        self._hinted = self._hinted | {one.directory for one in new}
        text, _ = screening.hint_text(context_files.Project(new), most=limits.hint_characters_max)
        return text

    def compact(self, summary: str, *, keep: int = 0) -> int:
        """Archive all live turns but the newest `keep`, and let a summary stand for them.

        Replay shrinks, search still finds what was archived, and the next prompt is of a new
        epoch.  Returns how many turns were archived.
        """
        text = text_of("summary", summary)
        if not text.strip():
            raise BadInput("`summary` says what was compacted.")
        if isinstance(keep, bool) or not isinstance(keep, int) or keep < 0:
            raise BadInput("`keep` is a whole number, 0 or more.")
        moved = moving_turns.compacted(
            self._ground, self._principal, self._present(), summary=text, keep=keep
        )
        self._witnessing.after(moved.record)
        return moved.count

    def rewind(self, turns: int = 1) -> int:
        """Take the newest live turns back: out of replay and every search, kept for export and audit.

        Returns how many there were.  What they made the session read stays read: its label is as
        strict as before.
        """
        if isinstance(turns, bool) or not isinstance(turns, int) or turns < 1:
            raise BadInput("`turns` is a whole number, 1 or more.")
        moved = moving_turns.rewound(self._ground, self._principal, self._present(), turns=turns)
        self._witnessing.after(moved.record)
        return moved.count

    def retry(self) -> str:
        """Take back the newest turn of the person and all after it; return its text, to be asked again."""
        moved = moving_turns.retried(self._ground, self._principal, self._present())
        self._witnessing.after(moved.record)
        return moved.text

    def follow(self, predecessor: str) -> None:
        """Say which session of the same space this one goes on from, after a reset.

        Both count as one line of sessions in a search, and this one takes over the other's label:
        what it goes on from may stand in its context (I10).
        """
        name = name_apart(text_of("predecessor", predecessor))
        moving_turns.following(self._ground, self._principal, self._session_number(), predecessor=name)

    def _present(self) -> Conversation:
        found = self._found()
        if found is None:
            raise BadInput("The session has no turn yet.")
        return found

    def _kept(self) -> "baselines.Baseline | None":
        found = self._found()
        if found is None:
            return None
        with self._ground.reading() as snapshot:
            return baselines.stored(self._ground, snapshot, found)

    def _opened(self, fields: OpenFields, *, again: bool) -> "baselines.Baseline":
        wanted = _wanted(fields)
        with block_files.in_step(self._ground) as hindered:
            wanted = replace(wanted, hindered=hindered)
            made = baselines.opened(self._ground, self._principal, self.name, wanted=wanted, again=again)
        self._witnessing.after(made.record)
        return made


def _wanted(fields: OpenFields) -> "baselines.Wanted":
    known_fields(fields, OpenFields)
    hints, wrong = standing.hints_of(fields.get("hints"))
    project, window = fields.get("project") or context_files.Project(), fields.get("window", 0)
    if not isinstance(project, context_files.Project):
        raise BadInput("`project` is what `muniment.project` read.")
    if isinstance(window, bool) or not isinstance(window, int) or window < 0:
        raise BadInput("`window` is the model's window in tokens, 0 when it is not known.")
    parts, notices = screening.project_parts(project, window=window)
    provided, blocked = screening.screened(text_of("provider", fields.get("provider")))
    return baselines.Wanted(
        system=kept(text_of("system", fields.get("system")))[0],
        platform=text_of("platform", fields.get("platform")),
        hints=hints,
        project=parts,
        provider=provided,
        tools=bool(fields.get("tools", True)),
        wrong=(*wrong, *notices, *screening.told("provider", blocked)),
    )
