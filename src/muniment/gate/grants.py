"""May this principal do this, there?  First of the steps: scope comes from the credential (I7)."""

from typing import TYPE_CHECKING

from muniment.domain.intent import (
    Administer,
    Change,
    Connect,
    Decide,
    EditBlock,
    Intent,
    Judge,
    Lift,
    Remember,
    Review,
    Take,
)
from muniment.domain.principal import ActorRole
from muniment.domain.trust import MOVES, By
from muniment.gate.verdict import Known, Reason, Verdict, refuse
from muniment.later import Later

if TYPE_CHECKING:
    from muniment.gate import block_rules
else:
    block_rules = Later("muniment.gate.block_rules")

PERSONS_ACTS = frozenset(act for (_, act), move in MOVES.items() if move.by is By.PERSON)
"""Acts on trust that only a person may do, whatever the state."""

DEEDS_OF = {
    "make_space": frozenset({ActorRole.OWNER, ActorRole.ADMIN}),
    "set_dial": frozenset({ActorRole.OWNER}),
    "make_key": frozenset({ActorRole.OWNER, ActorRole.ADMIN}),
    "revoke_key": frozenset({ActorRole.OWNER, ActorRole.ADMIN}),
    "rotate_keys": frozenset({ActorRole.OWNER}),
    "reindex": frozenset({ActorRole.OWNER, ActorRole.ADMIN}),
    "restore": frozenset({ActorRole.OWNER}),
    "new_epoch": frozenset({ActorRole.OWNER}),
    "export": frozenset({ActorRole.OWNER, ActorRole.ADMIN, ActorRole.AUDITOR}),
    "erase": frozenset({ActorRole.OWNER, ActorRole.ADMIN}),
    "decline_erasure": frozenset({ActorRole.OWNER, ActorRole.ADMIN}),
    # Asking takes nothing away: a person carries it out, or declines it.
    "ask_erasure": frozenset({ActorRole.OWNER, ActorRole.ADMIN, ActorRole.MEMBER, ActorRole.AGENT}),
    "block_files": frozenset({ActorRole.OWNER}),
    "export_keys": frozenset({ActorRole.OWNER}),
    # Nobody decides it: a daemon says which rights are built into it.
    "record_rights": frozenset({ActorRole.SYSTEM}),
    # Nor this: whoever asks a model says what it used.
    "ask_model": frozenset({ActorRole.SYSTEM}),
}
"""Which roles may do which act of administration."""


def refuse_without_grant(intent: Intent, known: Known) -> Verdict | None:
    """Refuse a write outside the principal's spaces, and a person's act by anyone else."""
    principal = intent.principal
    if isinstance(intent, Administer):
        allowed = principal.role in DEEDS_OF.get(intent.deed, frozenset())
        return None if allowed else refuse(Reason.PERSON_ONLY)
    if principal.reads_only and not isinstance(intent, Take):
        return refuse(Reason.NOT_GRANTED, detail="A child agent reads memory and does not write it.")
    if _is_persons_act(intent) and not principal.is_person:
        return refuse(Reason.PERSON_ONLY)
    if principal.role is ActorRole.AUDITOR or not _may_write(intent, known):
        return refuse(Reason.NOT_GRANTED)
    if isinstance(intent, EditBlock):
        return block_rules.refuse_without_right(intent)
    if isinstance(intent, (Change, Judge, Connect)) and intent.read.untrusted and not principal.is_person:
        return refuse(Reason.UNTRUSTED_SESSION)
    return None


def _is_persons_act(intent: Intent) -> bool:
    return isinstance(intent, (Lift, Decide, Review)) or (
        isinstance(intent, Judge) and intent.act in PERSONS_ACTS
    )


def _may_write(intent: Intent, known: Known) -> bool:
    """Return whether the place that the intent touches takes the principal's writes."""
    principal = intent.principal
    if isinstance(intent, (Remember, Take, EditBlock)):
        return principal.may_write(intent.space)
    if isinstance(intent, (Decide, Review, Lift)) and known.case is not None and known.space is not None:
        return principal.may_write(known.space.path)
    touched = isinstance(intent, (Change, Judge, Connect, Lift))
    if touched and known.target is not None and known.space is not None:
        return principal.may_write(known.space.path)
    return True
