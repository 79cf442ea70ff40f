"""What does a session's prompt hold?  Rendered once an epoch, kept to the byte, read back checked (I9)."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime

from muniment.domain import session_log
from muniment.domain.block import BOUNDS, Block, characters
from muniment.domain.block_file import Hindrance
from muniment.domain.block_journal import Edit
from muniment.domain.changes import SessionState
from muniment.domain.label import PUBLIC, Label
from muniment.domain.matter import Matter, MatterKind, MatterState
from muniment.domain.memory import Claim
from muniment.domain.principal import Principal
from muniment.domain.session import Conversation
from muniment.domain.session_log import Began, Event, Happening
from muniment.domain.space import HOME
from muniment.errors import UnusableBlock
from muniment.gate.characters import checked
from muniment.gate.phrases import phrases_in
from muniment.gate.secrets import secrets_in
from muniment.gate.verdict import Reason
from muniment.ports import Snapshot
from muniment.prompt import parts as prompt
from muniment.prompt.parts import Part, Tier
from muniment.prompt.standing import BLOCKED, GUIDANCE, Hints, block_section, date_line, hint_of
from muniment.service.block_reading import NEVER_WRITTEN, newest_lines
from muniment.service.conversations import new_session
from muniment.service.draft import Draft
from muniment.service.erased_names import session_named
from muniment.service.ground import Ground
from muniment.service.matters_held import refuse_altered
from muniment.service.session_reading import events_of
from muniment.service.watch import without_erased
from muniment.service.writing import tombstones_met

RECHECKED = (Block.MEMORY, Block.USER)
"""Blocks whose entries are looked at again when a prompt is made; the soul is the owner's own word."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """Hold what a host adds: its own text, its platform, the project's files, another memory's block.

    `tools` says whether the model has the tools that the guidance speaks of, `wrong` what of
    the hints was malformed, and `hindered` which blocks' files stand in the way.
    """

    system: str = ""
    platform: str = ""
    hints: Hints = Hints({}, {})
    project: tuple[Part, ...] = ()
    provider: str = ""
    tools: bool = True
    wrong: tuple[str, ...] = ()
    hindered: Mapping[Block, Hindrance] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Baseline:
    """Hold the frozen prompt of an epoch.

    `digest` is the SHA-256 of the text in UTF-8, `epoch` counts from 1 (0: of no session yet),
    and `began` says why the epoch began: first, compacted, erased or asked.  `notices` say what
    was left out or blocked, when it was made just now.
    """

    text: str
    digest: str
    parts: tuple[Part, ...]
    label: Label
    epoch: int = 0
    began: str = ""
    at: datetime | None = None
    notices: tuple[str, ...] = ()
    record: int = -1


def stored(ground: Ground, snapshot: Snapshot, session: Conversation) -> Baseline | None:
    """Return the baseline of the epoch that a session is in, or None when a new one has to begin.

    Raises Tampered when the row is not the one that its record commits to.
    """
    epoch = session_log.newest_epoch(events_of(ground, snapshot, session.id))
    rows = [] if epoch is None else snapshot.matters((epoch.other,))
    if epoch is None or not rows:
        return None
    row = rows[-1]
    refuse_altered(ground, snapshot, [row])
    parts = prompt.unpacked(row.body)
    text = prompt.text_of(parts)
    return Baseline(text, _digest(text).hex(), parts, row.label, epoch.first, epoch.began, row.recorded)


def _digest(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()


def previewed(ground: Ground, principal: Principal, wanted: Wanted) -> Baseline:
    """Return what a session that began now would get; nothing is stored."""
    with ground.store.transaction() as transaction:
        return _made(Draft.begun(ground, transaction), principal, wanted)


def opened(
    ground: Ground, principal: Principal, name: str, *, wanted: Wanted, again: bool = False
) -> Baseline:
    """Return the baseline of a session's epoch, beginning one where there is none, or `again`.

    The session is made when it is new.  Raises UnusableBlock when a block may not stand in a
    new prompt, and Unavailable when the vault cannot write.
    """
    with ground.store.transaction() as transaction:
        draft = Draft.begun(ground, transaction)
        space = draft.space(principal.home)
        session = session_named(ground, transaction, space.n, name=name)
        if session is not None and not again:
            # Another process may have begun the epoch since it was looked for.
            found = stored(ground, transaction, session)
            if found is not None:
                return found
        events = () if session is None else events_of(ground, transaction, session.id)
        made = replace(_made(draft, principal, wanted), began=_why(events, again=again).value)
        if session is None:
            session = new_session(draft, name, agent=principal.actor, space=space.n)
        return _begun(draft, principal, session, made=made, events=events)


def _begun(
    draft: Draft, principal: Principal, session: Conversation, *, made: Baseline, events: Sequence[Event]
) -> Baseline:
    """Keep a baseline and the beginning of its epoch, with one record."""
    actor, number = draft.actor(principal), session_log.epochs(events) + 1
    row = Matter(
        n=draft.number(),
        id=draft.ground.outside.ids.new("f"),
        kind=MatterKind.BASELINE,
        space=session.space,
        state=MatterState.DECIDED,
        why=Happening.EPOCH.value,
        label=made.label,
        actor=actor,
        recorded=draft.recorded,
        body=prompt.packed(made.parts),
        digest=_digest(made.text),
    )
    draft.add_matter(row)
    event = Event(
        Happening.EPOCH, session.space, actor, draft.recorded, made.label, row.id, number, 0, made.began
    )
    draft.add_matter(session_log.row_of(event, session=session.id, n=draft.number()))
    draft.session_states.append(SessionState(session.n, 0, made.label))
    record = draft.commit(
        "epoch",
        actor=actor,
        space=session.space,
        outcome="stored",
        session=session.n,
        epoch=number,
        reason=made.began,
    )
    return replace(made, epoch=number, at=draft.recorded, record=record)


def _why(events: Sequence[Event], *, again: bool) -> Began:
    """Return why the next epoch begins; one that is there without its text was ended by an erasure."""
    if not session_log.epochs(events):
        return Began.FIRST
    if session_log.newest_epoch(events) is None:
        return Began.COMPACTED
    return Began.ASKED if again else Began.ERASED


def _made(draft: Draft, principal: Principal, wanted: Wanted) -> Baseline:
    """Return what a prompt holds now, with what was blocked or left out of it."""
    blocks = _Blocks(draft, principal, wanted.hindered)
    soul, memory, user = (blocks.part(block, tier) for block, tier in _TIERS)
    named = [
        soul,
        Part(Tier.STABLE, "guidance", "muniment", GUIDANCE if wanted.tools else ""),
        Part(Tier.STABLE, "platform", wanted.platform, hint_of(wanted.platform, wanted.hints)),
        Part(Tier.CONTEXT, "system", "caller", wanted.system),
        *wanted.project,
        memory,
        user,
        Part(Tier.VOLATILE, "provider", "caller", wanted.provider),
        Part(Tier.VOLATILE, "date", "clock", date_line(_today(draft))),
    ]
    named, erased = _without_erased(draft, named)
    parts = prompt.unpacked(prompt.packed(prompt.assembled(named)))
    text = prompt.text_of(parts)
    notices = (*blocks.notices, *erased, *wanted.wrong)
    return Baseline(text, _digest(text).hex(), parts, blocks.label, notices=notices)


def _without_erased(draft: Draft, parts: Sequence[Part]) -> tuple[list[Part], list[str]]:
    """Return the parts without what was erased, since a prompt is kept, and a notice for each that held it.

    An entry of a block that holds it was blocked whole before.
    """
    if not draft.generation:
        return list(parts), []
    clean = [without_erased(draft.ground, draft.transaction, part.text) for part in parts]
    changed = [part for part, text in zip(parts, clean, strict=True) if text != part.text]
    notices = [f"{part.name}: what was erased in this vault is left out of it." for part in changed]
    return [replace(part, text=text) for part, text in zip(parts, clean, strict=True)], notices


_TIERS = ((Block.SOUL, Tier.STABLE), (Block.MEMORY, Tier.VOLATILE), (Block.USER, Tier.VOLATILE))


def _today(draft: Draft) -> date:
    return draft.recorded.date()


class _Blocks:
    """Read the blocks of one prompt; `label` is the strictest of what went in."""

    def __init__(self, draft: Draft, principal: Principal, hindered: Mapping[Block, Hindrance]) -> None:
        self._draft, self._principal, self._hindered = draft, principal, hindered
        self.notices: list[str] = []
        self.label = PUBLIC
        self._lines = {path: self._newest(path) for path in dict.fromkeys((HOME, principal.home))}

    def _newest(self, path: str) -> dict[Block, Edit]:
        space = self._draft.ground.space(self._draft.transaction, path)
        try:
            return {} if space is None else newest_lines(self._draft.ground, self._draft.transaction, space.n)
        except (ValueError, KeyError) as error:
            raise UnusableBlock(NEVER_WRITTEN) from error

    def part(self, block: Block, tier: Tier) -> Part:
        """Return a block's part, empty when nothing of it goes in or it is switched off.

        Raises UnusableBlock for a block over its bound or with a file that cannot be read, and
        Tampered for a line that was altered.
        """
        path = HOME if block is Block.SOUL else self._principal.home
        line = self._lines[path].get(block)
        if line is not None and (line.space, block.value) in self._draft.ground.blocks_off:
            return Part(tier, block.value, "", "")
        file = self._hindered.get(block) if path == HOME else None
        if file is not None and file.is_unreadable:
            raise UnusableBlock(file.sentence)
        if line is None or not line.after:
            return Part(tier, block.value, "", "")
        size, bound = characters(line.after), BOUNDS[block]
        if size > bound:
            raise UnusableBlock(f"The block {block.value} has {size:,} of {bound:,} characters.")
        if line.label.data_class > self._principal.class_max:
            self.notices.append(
                f"{block.value}: left out; its class is {line.label.data_class.name.lower()}."
            )
            return Part(tier, block.value, line.name, "")
        self.label = self.label.joined(line.label)
        return Part(tier, block.value, line.name, block_section(block, self._entries(block, line)))

    def _entries(self, block: Block, line: Edit) -> tuple[str, ...]:
        if block not in RECHECKED:
            return line.after
        shown = []
        for number, entry in enumerate(line.after, start=1):
            reason = self._unfit(entry, line.space)
            if reason:
                self.notices.append(f"{block.value}: entry {number} is blocked: {reason}.")
            shown.append(BLOCKED.format(reason=reason) if reason else entry)
        return tuple(shown)

    def _unfit(self, entry: str, space: int) -> str:
        """Return why an entry may not stand in a prompt, empty when it may.

        A marker at its beginning is a text like any other and spares it nothing.
        """
        reason = unfit(entry)
        if not reason and tombstones_met(self._draft, Claim(entry), space):
            return Reason.REJECTED_VALUE.code
        return reason


def unfit(text: str) -> str:
    """Return the code of why a text may not stand in a prompt as it is, empty when it may."""
    if checked(text).refused is not None:
        return Reason.CHARACTERS.code
    if phrases_in(text):
        return Reason.PHRASE.code
    return Reason.SECRET.code if secrets_in(text) else ""
