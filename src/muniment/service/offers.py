"""How do the memories that a file states join?  One by one through the gate, at rank import."""

from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime

from muniment.domain.canonical import plain
from muniment.domain.evidence import BadLine
from muniment.domain.intent import Connect, Path, Remember, Times, rank_of
from muniment.domain.link import LinkType
from muniment.domain.memory import Version
from muniment.domain.offer import Offer
from muniment.domain.principal import Principal
from muniment.domain.timeline import from_micros
from muniment.domain.trust import LIVE, Trust
from muniment.gate.verdict import Outcome
from muniment.service.curate import connect
from muniment.service.ground import Ground
from muniment.service.prepare import digests_of
from muniment.service.receipt import Receipt
from muniment.service.remember import remember

REFUSALS_SHOWN_MAX = 100
"""Most refused offers that a report describes; all are counted."""


@dataclass(slots=True)
class OfferCounts:
    """Hold what became of offers: `stored`, `merged`, `disputed`, `refused` by reason, `links`.

    `merged` counts what a memory here says already.  `refusals` describes the first
    refused ones.
    """

    stored: int = 0
    merged: int = 0
    disputed: int = 0
    links: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    refusals: list[BadLine] = field(default_factory=list)


@dataclass(slots=True)
class Offering:
    """Take the offers of one import in, which began after `since`.

    `ids` maps the keys of the source to our memories.
    """

    ground: Ground
    principal: Principal
    space: str
    since: datetime
    counts: OfferCounts = field(default_factory=OfferCounts)
    ids: dict[str, str] = field(default_factory=dict)

    @classmethod
    def begun(cls, ground: Ground, principal: Principal, *, space: str) -> "Offering":
        """Return an import into `space` that has taken nothing yet."""
        with ground.store.snapshot() as snapshot:
            return cls(ground, principal, space, from_micros(snapshot.head().recorded))

    def take(self, offer: Offer) -> None:
        """Hand one offer and its links to the gate; what came before is passed over.

        A memory that an earlier import brought is left as it is now, also when it was
        retired since: a source that is fed again says nothing new.
        """
        here = self._here(offer)
        if here is None:
            receipt = self._remembered(offer)
            memory = receipt.id if receipt.landed else ""
        else:
            self.counts.merged += 1
            memory = here.memory if here.trust in LIVE else ""
        if not memory:
            return
        if offer.key:
            self.ids.setdefault(offer.key, memory)
        if offer.otherwise is not None and here is not None and plain(here.text) != plain(offer.claim.text):
            self.take(offer.otherwise)
        for tie in offer.ties:
            self._tied(offer, memory, tie.type, target=self.ids.get(tie.target, ""))

    def _here(self, offer: Offer) -> Version | None:
        """Return the memory by which an import said the same, a live one first.

        What this import itself has closed does not count: a value may come back.  What a
        person rejected is the gate's to refuse.
        """
        if not self.principal.may_write(self.space):
            return None
        with self.ground.store.snapshot() as snapshot:
            space = self.ground.space(snapshot, self.space)
            if space is None:
                return None
            digest = digests_of(self.ground, offer.claim).value
            found = [
                version
                for version in snapshot.same_value(space.n, digest)
                if self._was_brought(version, offer) and _is_for(version, offer.times)
            ]
        return min(found, key=lambda version: (version.trust not in LIVE, version.n), default=None)

    def _was_brought(self, version: Version, offer: Offer) -> bool:
        rank = rank_of(Path.IMPORT, self.principal, offer.label)
        if version.rank is not rank or version.trust is Trust.REJECTED:
            return False
        return version.trust in LIVE or version.recorded <= self.since

    def _remembered(self, offer: Offer) -> Receipt:
        intent = Remember(
            principal=self.principal,
            claim=offer.claim,
            kind=offer.kind,
            space=self.space,
            times=offer.times,
            tags=offer.tags,
            label=offer.label,
            path=Path.IMPORT,
        )
        receipt = remember(self.ground, intent)
        match receipt.verdict:
            case Outcome.STORED.value:
                self.counts.stored += 1
            case Outcome.MERGED.value:
                self.counts.merged += 1
            case Outcome.DISPUTED.value:
                self.counts.disputed += 1
            case _:
                self._refused(offer, receipt)
        return receipt

    def _refused(self, offer: Offer, receipt: Receipt) -> None:
        self.counts.refused[receipt.reason] += 1
        if len(self.counts.refusals) < REFUSALS_SHOWN_MAX:
            self.counts.refusals.append(BadLine(offer.line, f"{receipt.reason}: {receipt.sentence}"))

    def _tied(self, offer: Offer, source: str, type: LinkType, *, target: str) -> None:
        """Link two memories unless they are linked already or one end did not come."""
        if not target or source == target or self._is_linked(source, target, type):
            return
        receipt = connect(self.ground, Connect(self.principal, source, target, type, 1.0))
        if receipt.refused:
            self._refused(offer, receipt)
        else:
            self.counts.links += 1

    def _is_linked(self, source: str, target: str, type: LinkType) -> bool:
        with self.ground.store.snapshot() as snapshot:
            return any(
                (one.row.source, one.row.target, one.row.type) == (source, target, type)
                for one in snapshot.links_of((source,))
            )


def _is_for(version: Version, times: Times) -> bool:
    """Return whether a version has the times that an offer gives; times not given fit any."""
    start = times.valid_from or times.occurred_at
    if start is not None and version.valid.start != start:
        return False
    return times.valid_until is None or version.valid.end == times.valid_until
