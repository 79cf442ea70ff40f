"""How is a note kept?  As evidence: word for word, never refused, found by recall, in no prompt."""

from dataclasses import dataclass

from muniment.domain.evidence import Arrival, Evidence, EvidenceKind, Role
from muniment.domain.label import PRIVATE, Label
from muniment.domain.principal import Principal
from muniment.gate.characters import kept
from muniment.service.contents import arriving
from muniment.service.conversations import own_label
from muniment.service.draft import Draft
from muniment.service.prepare import index_entry
from muniment.service.watch import without_erased


@dataclass(frozen=True, slots=True)
class Note:
    """Hold what a note says, where from, and how closely it is held at least."""

    text: str
    space: int
    actor: int
    label: Label
    source: str = ""


def add_note(draft: Draft, note: Note, principal: Principal) -> Evidence:
    """Append a note and return it as it is kept: secrets masked, what was erased or hides replaced.

    A known phrase labels it untrusted and changes nothing else.
    """
    given = Arrival("", "", Role.NONE, principal.actor, note.text, kind=EvidenceKind.NOTE)
    arrival, _ = arriving(given, principal, draft.ground.outside.sieve)
    text, replaced = kept(without_erased(draft.ground, draft.transaction, arrival.text))
    item = Evidence(
        id=draft.ground.outside.ids.new("e"),
        n=draft.number(),
        space=note.space,
        kind=EvidenceKind.NOTE,
        text=text,
        recorded=draft.recorded,
        label=note.label.joined(own_label(arrival)).joined(PRIVATE),
        author=note.actor,
        speaker=principal.actor,
        source=note.source,
        replaced=replaced,
    )
    entry, failed = index_entry(draft.ground, text, text)
    draft.add_evidence(item, entry)
    if failed:
        draft.want_vector(item.n)
    return item
