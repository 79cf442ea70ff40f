"""What did the gate find, and what does it rest on?"""

from dataclasses import dataclass
from datetime import datetime
from enum import Enum, StrEnum
from typing import TYPE_CHECKING

from muniment.domain.label import PUBLIC, Label
from muniment.domain.matter import Matter, Opening
from muniment.domain.memory import Version
from muniment.domain.quick import quick
from muniment.domain.rows import SpaceRow
from muniment.domain.timeline import Interval
from muniment.domain.tombstone import TombstoneHit
from muniment.domain.trust import Rank, Standing, Trust

if TYPE_CHECKING:
    from muniment.domain.block_edit import Applied, Fault
    from muniment.domain.block_file import Hindrance


class Outcome(StrEnum):
    """Name what becomes of an intent."""

    STORED = "stored"
    MERGED = "merged"
    STAGED = "staged"
    NOTED = "noted"
    DISPUTED = "disputed"
    REFUSED = "refused"


class Reason(Enum):
    """List every reason in order of precedence: code, one sentence, what to do next.

    The first refusing step wins, so the order of the members is the order of `STEPS`.
    """

    NOT_GRANTED = (
        "not-granted",
        "This credential may not write there.",
        "Write to your own space, or ask the owner for a grant.",
    )
    PERSON_ONLY = (
        "person-only",
        "Only a person may do this.",
        "Ask the owner to do it on the command line.",
    )
    OWNER_ONLY = (
        "owner-only",
        "Only the owner may do this.",
        "Ask the owner to do it on the command line.",
    )
    UNTRUSTED_SESSION = (
        "untrusted-session",
        "This session has read untrusted content, so it may not change what is believed.",
        "Remember it as a new statement, or change it from a fresh session.",
    )
    TOO_LONG = (
        "too-long",
        "A part of it is longer than the bound.",
        "Shorten it, or take the long text in as a document.",
    )
    EMPTY = ("empty", "There is nothing in it to remember.", "Say what is to be remembered.")
    BAD_SHAPE = (
        "bad-shape",
        "Parts that belong together are missing or contradict each other.",
        "Give `about` and `attribute` together, and an interval that ends after it begins.",
    )
    BAD_EDIT = (
        "bad-edit",
        "The edit lacks a part that its action needs, or has one that does not go with it.",
        "Call it as the detail shows.",
    )
    NO_SUCH_SPACE = (
        "no-such-space",
        "There is no such destination.",
        "Leave the space out to write to your own.",
    )
    BLOCK_OFF = (
        "block-off",
        "This block is switched off in this space.",
        "Keep it as a note or a memory; the owner can switch the block on.",
    )
    UNREADABLE_FILE = (
        "unreadable-file",
        "The block's file cannot be read, so nothing of the block is changed.",
        "Mend the file as the detail says, or let the owner run `muniment memory repair` with the block.",
    )
    DRIFTED_FILE = (
        "drifted-file",
        "The block's file was changed in a way that cannot be taken in, so nothing of the block is changed.",
        "Mend the file as the detail says, or let the owner run `muniment memory repair` with the block.",
    )
    CLASS_TOO_STRICT = (
        "class-too-strict",
        "The space takes no data of this class.",
        "Write to a space that takes it, or ask the owner to widen the space.",
    )
    CHARACTERS = (
        "characters",
        "A character in it is not allowed.",
        "Remove the named character; it cannot be seen or controls the display.",
    )
    PHRASE = (
        "known-phrase",
        "It speaks to a model instead of saying something.",
        "Say what is true in your own words; what was quoted can be kept as evidence.",
    )
    SECRET = (
        "secret",
        "It holds a secret.",
        "Leave the secret out and name where it is kept; a key may be given the right to store secrets.",
    )
    REJECTED_VALUE = (
        "rejected-value",
        "This value was rejected or erased, and may not come back here.",
        "Do not restate it; a person can lift a rejection.",
    )
    LOOK_ALIKE = (
        "look-alike-of-rejected",
        "It looks like a value that was rejected or erased.",
        "Say it differently if it is something else, or let a person write it.",
    )
    STALE_VIEW = (
        "stale-view",
        "It was changed after you read it.",
        "Read the present version, decide again and name that version.",
    )
    NO_MATCH = (
        "no-match",
        "Nothing with that id is there for you.",
        "Look it up with `recall`; an id of another space is never shown.",
    )
    NO_ENTRY = (
        "no-entry",
        "No entry of the block is or holds what was named.",
        "Name an entry of the list, word for word, or a part that only it holds.",
    )
    SEVERAL_ENTRIES = (
        "several-entries",
        "What was named stands in several entries.",
        "Name more of the one that is meant; nothing is guessed.",
    )
    UNACCOUNTED_ENTRY = (
        "unaccounted-entry",
        "A consolidation names every entry of the block exactly once.",
        "Give each present entry one line with keep, text, move or drop.",
    )
    NOT_LATEST = (
        "not-latest",
        "Only the latest edit of a block can be taken back.",
        "Undo the latest one first, or edit the block.",
    )
    FORBIDDEN_MOVE = (
        "forbidden-move",
        "The table of trust has no such move for you.",
        "Read in the guide who may do what to a memory in this state.",
    )
    CLOSED_CASE = (
        "closed-case",
        "It is decided already.",
        "Read the case or the proposal: it says what was decided, by whom and why.",
    )
    ALTERED = (
        "altered",
        "This is not the proposal that was shown.",
        "Look at it again and approve what it is now.",
    )
    UNCHANGED = ("unchanged", "It says so already.", "Nothing is left to do.")
    DUPLICATE_ENTRY = (
        "duplicate-entry",
        "An entry of the block says the same.",
        "Nothing is left to do; replace the entry to say it differently.",
    )
    EMPTIES_BLOCK = (
        "empties-block",
        "It would leave nothing in the block.",
        "Keep an entry, or remove the last one by itself.",
    )
    OVER_LIMIT = (
        "over-limit",
        "The block would be longer than its bound.",
        "Use consolidate to shorten entries or to move them to the notes, then add it.",
    )
    ALREADY_KNOWN = (
        "already-known",
        "A memory here says the same; it was kept and your evidence added.",
        "Use the id of the receipt.",
    )
    SUPPORTED = (
        "supported",
        "A memory here says the same; it now carries your higher rank.",
        "Use the id of the receipt.",
    )
    CONFLICT_LOWER_RANK = (
        "conflict-lower-rank",
        "A higher-ranked memory says otherwise, so it landed as disputed.",
        "A person decides; until then the other value is recalled.",
    )
    CONFLICT_OTHER_AUTHOR = (
        "conflict-other-author",
        "Another author of the same rank says otherwise, so it landed as disputed.",
        "A person decides; until then the other value is recalled.",
    )
    CONFLICT_INSIDE = (
        "conflict-inside",
        "It claims a stretch inside another value's interval, so it landed as disputed.",
        "Give the other memory its right interval first, then uphold this one.",
    )
    MAY_NOT_SUPERSEDE = (
        "may-not-supersede",
        "You may not end the other statement, so yours landed as disputed.",
        "A person decides; until then the other statement is recalled.",
    )
    SOURCE_DOUBTED = (
        "source-doubted",
        "What it rests on is disputed, refuted or taken back, so it landed as disputed.",
        "A person decides; name a source that stands to have it believed.",
    )
    DOUBTED = (
        "doubted",
        "Your doubt is on record and opened a case; the statement stands until it is decided.",
        "A person decides; name evidence to make the case.",
    )
    SUPERSEDED_OLDER = (
        "superseded-older",
        "It took the place of an earlier value or statement.",
        "The earlier one stays in the history.",
    )
    DECLINED_BEFORE = (
        "declined-before",
        "A person declined this very change, and nothing of it was changed since.",
        "Do not ask again; a person can make the change, or lift the refusal.",
    )
    REVIEW = (
        "review",
        "Changes in this space wait for a person.",
        "Nothing is left to do; it is stored once a person approves it.",
    )
    NOTED = (
        "noted",
        "It was kept as a note.",
        "Recall finds it; it is in no prompt by itself.",
    )
    NOTED_UNTRUSTED = (
        "noted-untrusted",
        "This session has read untrusted content, so it was kept as a note and no block changed.",
        "Recall finds it, marked as untrusted; a person or a fresh session can add it to a block.",
    )
    EDITED = (
        "edited",
        "The edit is done; it reaches the prompt of the next session.",
        "Nothing is left to do; `undo` takes it back while it is the latest edit of its block.",
    )
    LIFTED = (
        "lifted",
        "The refusal has ended: the value may come back.",
        "State it again; a rejected memory of it is a candidate from now on.",
    )
    CLEAN = ("clean", "It was stored.", "Nothing is left to do.")

    def __init__(self, code: str, sentence: str, advice: str) -> None:
        self.code = code
        self.sentence = sentence
        self.advice = advice


@dataclass(frozen=True, slots=True)
class BadCharacter:
    """Hold the first character that may not be stored: where, what and by which rule."""

    part: str
    code_point: int
    offset: int
    rule: str


@dataclass(frozen=True, slots=True)
class PhraseFound:
    """Hold a known phrase that speaks to a model: its family, and where it stands."""

    family: str
    part: str
    offset: int


@dataclass(frozen=True, slots=True)
class SecretFound:
    """Hold a secret by its kind and place, never by its value."""

    kind: str
    part: str
    offset: int


@dataclass(frozen=True, slots=True)
class Closing:
    """Hold how a verdict ends or moves an existing memory: a new version of it."""

    version: Version
    trust: Trust
    valid: Interval
    rank: Rank
    act: str


@quick
@dataclass(frozen=True, slots=True)
class Birth:
    """Hold the state in which a new version lands."""

    trust: Trust
    rank: Rank
    valid: Interval
    label: Label


@quick
@dataclass(frozen=True, slots=True)
class Known:
    """Hold all that the steps may look at, read in one batch under the lock.

    `actor` is the number of who acts and `recorded` the moment this change will get.
    `target` is the present version that the intent names, None when there is none that
    the caller may see.  `same` are newest versions with the same value, `slot` those of
    the same slot.  `earlier` are predecessors whose successor is the target,
    each with interval and `before` as they would be without it.  `case` is the newest row
    of the case or proposal that is decided, `new_side` and `old_side` what a case's sides say
    now.  `review` is the space's dial, and `approved` says that a person approved this intent;
    `declined` is the proposal in which a person declined the same change of the same version,
    or the tombstone of the same removal from a block.
    `source_rank` is the lowest rank of memories among the sources, `doubted_source` one that does not stand.
    `edit` is where an edit leads from what the block holds now, or why it leads nowhere,
    `block_off` says that the block is switched off, and `file` why its file stands in the way.
    """

    actor: int
    recorded: datetime
    space: SpaceRow | None = None
    bad_character: BadCharacter | None = None
    phrases: tuple[PhraseFound, ...] = ()
    secrets: tuple[SecretFound, ...] = ()
    tombstones: tuple[TombstoneHit, ...] = ()
    target: Version | None = None
    other_end: bool = True
    same: tuple[Version, ...] = ()
    slot: tuple[Version, ...] = ()
    earlier: tuple[Version, ...] = ()
    standing: Standing = Standing()
    occurred: datetime | None = None
    sources_missing: bool = False
    source_label: Label = PUBLIC
    source_rank: Rank | None = None
    source_is_candidate: bool = False
    doubted_source: str = ""
    duplicate_link: bool = False
    review: str = "off"
    approved: bool = False
    declined: str = ""
    case: Matter | None = None
    new_side: Version | None = None
    old_side: Version | None = None
    edit: "Applied | Fault | None" = None
    block_off: bool = False
    file: "Hindrance | None" = None


@quick
@dataclass(frozen=True, slots=True)
class Verdict:
    """Hold the gate's answer: outcome, reason, what it rests on and what follows.

    `birth` is the state of a version to append, `closings` what happens to others,
    `merged` the memory that took the statement in, and `opens` the case that it opens.
    """

    outcome: Outcome
    reason: Reason
    rests_on: str = ""
    detail: str = ""
    birth: Birth | None = None
    closings: tuple[Closing, ...] = ()
    merged: Version | None = None
    opens: Opening | None = None

    @property
    def refused(self) -> bool:
        """Return whether nothing may be stored."""
        return self.outcome is Outcome.REFUSED

    @property
    def held(self) -> bool:
        """Return whether nothing of it may land as it was asked: refused, or left to a person."""
        return self.outcome in (Outcome.REFUSED, Outcome.STAGED)


def refuse(reason: Reason, *, rests_on: str = "", detail: str = "") -> Verdict:
    """Return a refusal."""
    return Verdict(Outcome.REFUSED, reason, rests_on=rests_on, detail=detail)
