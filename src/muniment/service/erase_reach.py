"""What hangs on what is erased?  Everything derived from it, to a fixpoint, by kind."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from muniment import limits
from muniment.domain.changes import Sealed
from muniment.domain.erasure import LOSSES, Going, Loss, Staying
from muniment.domain.evidence import MARK, Evidence, Span
from muniment.domain.intent import Change, Remember
from muniment.domain.ledger import RowCode
from muniment.domain.link import Link, LinkType
from muniment.domain.matter import Matter, MatterKind
from muniment.domain.memory import Version
from muniment.domain.mention import merged, moved, without, words_of
from muniment.domain.proposal import intent_of
from muniment.domain.trust import LIVE, Trust
from muniment.ports import Snapshot
from muniment.service.erase_survey import Found, Other, name_of, walked
from muniment.service.erase_terms import places_in
from muniment.service.seals import committed

DERIVED = "derived from nothing that stays"
_BATCH = 200


@dataclass(slots=True)
class Reach:
    """Follow links from what goes until nothing more goes.

    `lost` are links that go, `shifted` links whose span moves since its text changes, and
    `disputes` memories that were put together from what went and from what stays; `in_turn` are
    those that rest on these.
    """

    snapshot: Snapshot
    found: Found
    items: dict[str, Sealed[Evidence]] = field(default_factory=dict)
    lost: dict[str, Sealed[Link]] = field(default_factory=dict)
    shifted: dict[str, tuple[Sealed[Link], Span]] = field(default_factory=dict)
    disputes: dict[str, Version] = field(default_factory=dict)
    in_turn: dict[str, Version] = field(default_factory=dict)

    def seed_evidence(self, memories: Sequence[str]) -> None:
        """Take the parts of evidence that state these memories: they are the same fact."""
        claims = {
            memory: [sealed.row.claim for sealed in self.snapshot.history(memory)] for memory in memories
        }
        for sealed in self._links(memories):
            link = sealed.row
            if link.type is not LinkType.DERIVED_FROM or link.source not in claims:
                continue
            item = self._item(link.target)
            if item is None or item.id in self.found.evidence:
                continue
            spans = self.found.parts.setdefault(item.id, [])
            for claim in claims[link.source]:
                spans += places_in(item.text, claim, link.span)

    def _links(self, ids: Sequence[str]) -> Iterable[Sealed[Link]]:
        for start in range(0, len(ids), _BATCH):
            yield from self.snapshot.links_of(ids[start : start + _BATCH])

    def _item(self, id: str) -> Evidence | None:
        if id.startswith("e_") and id not in self.items:
            for sealed in self.snapshot.evidence((id,)):
                self.items[id] = sealed
        found = self.items.get(id)
        return None if found is None else found.row

    def settle(self) -> None:
        """Let items go whole whose every word goes, then follow what is derived, to a fixpoint."""
        for id, spans in list(self.found.parts.items()):
            item = self._item(id)
            if item is None or _is_whole(spans, item.text):
                del self.found.parts[id]
                if item is not None:
                    self.found.evidence.setdefault(id, "says nothing else")
        edge = [*self.found.memories, *self.found.evidence, *self.found.parts]
        while edge:
            edge = self._followed(edge)
        self._doubt_in_turn()

    def _doubt_in_turn(self) -> None:
        """What rests on what is disputed is, too, the nearest first, and at most a bounded number."""
        edge = list(self.disputes)
        while edge:
            resting = {
                sealed.row.source
                for sealed in self._links(edge)
                if sealed.row.type is LinkType.DERIVED_FROM and sealed.row.target in edge
            }
            edge = []
            for current in self.snapshot.currents(sorted(resting)):
                version = current.version
                known = self._is_gone(version.memory) or version.memory in self.doubted
                if not known and version.trust in LIVE and len(self.in_turn) < limits.derived_items_max:
                    self.in_turn[version.memory] = version
                    edge.append(version.memory)

    @property
    def doubted(self) -> Mapping[str, Version]:
        """Return every memory that is disputed by what goes."""
        return {**self.disputes, **self.in_turn}

    def _followed(self, edge: Sequence[str]) -> list[str]:
        """Note what these rows' links come to; return the memories that go with them."""
        bereft: dict[str, None] = {}
        for sealed in self._links(edge):
            link = sealed.row
            if self._is_gone(link.source) or self._is_gone(link.target):
                self.lost[link.id] = sealed
            elif link.target in self.found.parts and link.span is not None:
                self._shift(sealed, link.span)
            if link.id in self.lost and link.type is LinkType.DERIVED_FROM and not self._is_gone(link.source):
                bereft[link.source] = None
        return [memory for memory in bereft if self._goes_too(memory)]

    def _shift(self, sealed: Sealed[Link], span: Span) -> None:
        place = moved(span, self.found.parts[sealed.row.target], mark=MARK)
        if place is None:
            self.lost[sealed.row.id] = sealed
        elif place != span:
            self.shifted[sealed.row.id] = (sealed, place)

    def _is_gone(self, id: str) -> bool:
        return id in self.found.memories or id in self.found.evidence

    def _goes_too(self, memory: str) -> bool:
        """Decide on a memory that lost a source: without another it goes, else its kind decides."""
        kept = [
            link.row
            for link in self.snapshot.links_of((memory,))
            if link.row.source == memory and link.row.type is LinkType.DERIVED_FROM
            if link.row.id not in self.lost and not self._is_gone(link.row.target)
        ]
        if not kept:
            self.found.memories[memory] = DERIVED
            self.disputes.pop(memory, None)
            return True
        for current in self.snapshot.currents((memory,)):
            version = current.version
            if LOSSES[version.kind] is Loss.DISPUTED and version.trust is Trust.BELIEVED:
                self.disputes[memory] = version
        return False

    def rows(self) -> list[Going]:
        """Return every row that goes, memories first."""
        going = [
            Going(RowCode.VERSION, memory, why, sealed)
            for memory, why in self.found.memories.items()
            for sealed in self.snapshot.history(memory)
        ]
        going += self._states()
        going += self._evidence()
        gone = {
            one.sealed.row.id for one in going if isinstance(one.sealed.row, Evidence) and not one.put_back
        }
        going += self._link_rows(gone)
        self._matters()
        going += [
            Going(committed(other.sealed.row)[0], name, other.why, other.sealed, put_back=other.put_back)
            for name, other in self.found.others.items()
        ]
        return going

    def _matters(self) -> None:
        """A case about what goes, and a proposal that says it, go with every row of theirs."""
        others = self.found.others
        rows = [sealed for sealed in walked(self.snapshot, RowCode.MATTER) if isinstance(sealed.row, Matter)]
        said = {name for name, other in others.items() if not other.put_back}
        gone = {
            row.id
            for sealed in rows
            for row in (sealed.row,)
            if isinstance(row, Matter)
            if name_of(row) in said
            or any(side in self.found.memories for side in row.sides)
            or self._rests_on_gone(row)
        }
        for sealed in rows:
            if isinstance(sealed.row, Matter) and sealed.row.id in gone:
                others[name_of(sealed.row)] = Other(sealed, "it is about what goes", put_back=False)

    def _rests_on_gone(self, row: Matter) -> bool:
        """Return whether a statement waits that was derived from nothing that stays."""
        if row.kind is not MatterKind.PROPOSAL or not row.body:
            return False
        asked = intent_of(row.body)
        sources = asked.sources if isinstance(asked, Remember | Change) else ()
        return bool(sources) and all(self._is_gone(source.id) for source in sources)

    def _states(self) -> list[Going]:
        """Older states go; one that only holds it beside its text comes back without it."""
        found = []
        for sealed, why in self.found.versions.values():
            row = sealed.row
            if isinstance(row, Version) and row.memory not in self.found.memories:
                back = why != "an older state says it"
                found.append(Going(RowCode.VERSION, row.memory, why, sealed, put_back=back))
        return found

    def _evidence(self) -> list[Going]:
        whole = list(self.found.evidence)
        found = []
        for start in range(0, len(whole), _BATCH):
            for sealed in self.snapshot.evidence(whole[start : start + _BATCH]):
                why = self.found.evidence[sealed.row.id]
                found.append(Going(RowCode.EVIDENCE, sealed.row.id, why, sealed))
        for id, spans in self.found.parts.items():
            if id not in self.found.evidence and self._item(id) is not None:
                why = "a part of it says it"
                parts = merged(spans)
                found.append(Going(RowCode.EVIDENCE, id, why, self.items[id], spans=parts, put_back=True))
        for id, cleared in self.found.cleared.items():
            if id not in self.found.evidence and id not in self.found.parts:
                why = "its speaker or source says it"
                found.append(Going(RowCode.EVIDENCE, id, why, cleared, put_back=True))
        return found

    def _link_rows(self, gone: set[str]) -> list[Going]:
        found = [Going(RowCode.LINK, id, "an end of it goes", sealed) for id, sealed in self.lost.items()]
        for id, (sealed, place) in self.shifted.items():
            if id not in self.lost and sealed.row.target not in gone:
                why = "its part of the text moves"
                found.append(Going(RowCode.LINK, id, why, sealed, spans=(place,), put_back=True))
        return found

    def stays(self) -> list[Staying]:
        """Return the memories that keep another source, and what becomes of them."""
        return [
            *(Staying(memory, "lost a source and is disputed") for memory in self.disputes),
            *(Staying(memory, "rests on what is disputed, and is, too") for memory in self.in_turn),
            *self.found.stays,
        ]


def _is_whole(spans: Sequence[Span], text: str) -> bool:
    """Return whether nothing but punctuation is left beside the spans."""
    return not words_of(without(text, spans, mark=" "))
