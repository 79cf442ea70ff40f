"""How does another vault's export join this one?  Through the gate, as imported, once.

The file is read four times, so that memory holds ids and numbers but no texts: first
names, newest versions and links, then evidence, then memories, then links.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path as FilePath
from typing import BinaryIO

from muniment import limits
from muniment.domain.changes import Extracted, Page
from muniment.domain.erased_rows import StubRow
from muniment.domain.evidence import Arrival, Evidence, EvidenceKind, Span
from muniment.domain.exchange import Carried
from muniment.domain.ids import packed
from muniment.domain.intent import Connect, Path, Remember, Source, Take, Times
from muniment.domain.ledger import Record, RowCode
from muniment.domain.link import Link, LinkType
from muniment.domain.memory import Version
from muniment.domain.principal import Principal
from muniment.domain.rows import SpaceRow
from muniment.domain.session import Conversation
from muniment.domain.space import checked_path
from muniment.domain.trust import LIVE, Trust
from muniment.errors import BadInput, Refusal
from muniment.gate.verdict import Outcome, Reason
from muniment.ports import Snapshot
from muniment.service.conversations import origin_digest, take
from muniment.service.curate import connect
from muniment.service.export_reading import LINE_BYTES_MAX, header_in, parsed_line
from muniment.service.findings import Progress
from muniment.service.ground import Ground
from muniment.service.import_batch import Batch
from muniment.service.prepare import digests_of
from muniment.service.remember import remember
from muniment.service.share import PROGRESS_EVERY, carrier_of
from muniment.service.watch import erased_spans

_VAULT_CHARACTERS = 8


@dataclass(frozen=True, slots=True)
class ImportReport:
    """Hold what an import did.

    `stored`, `merged` and `disputed` count memories, `refused` says how many were refused
    for which reason, and `left_out` counts those that are not live there: retired,
    rejected, refuted, disputed.  `bad_lines` could not be read.
    """

    stored: int
    merged: int
    disputed: int
    refused: tuple[tuple[str, int], ...]
    evidence_added: int
    evidence_skipped: int
    links: int
    left_out: int
    bad_lines: int


def import_(
    ground: Ground, principal: Principal, path: FilePath, *, progress: Progress | None = None
) -> ImportReport:
    """Offer every live memory of an export, its evidence and its links to the gate.

    They get rank import, new ids and new recorded times; their own recorded times become
    `asserted_at`, and validity is kept.  What was superseded comes as a closed interval;
    other history and tombstones do not come.  Importing twice adds nothing.  Raises
    BadInput for a file that is no export and Unreadable when there is none.
    """
    carrier = carrier_of(ground)
    with carrier.reading(path) as file:
        joining = _Joining(
            ground, principal, file, vault=header_in(file).vault[:_VAULT_CHARACTERS], progress=progress
        )
        joining.survey()
        joining.evidence()
        joining.memories()
        joining.links()
    return joining.report()


def no_claims(text: str, **about: object) -> tuple[Extracted, ...]:
    """Return nothing: what an export's vault made of its evidence comes with it."""
    return ()


@dataclass(slots=True)
class _Surveyed:
    """Hold what is known of an export before anything is taken in.

    `newest` maps a memory to its newest row number and `sources` to what it is derived
    from.  `erased` are ids that an erasure took here: an older export brings none back.
    """

    spaces: dict[int, str] = field(default_factory=dict)
    sessions: dict[int, str] = field(default_factory=dict)
    newest: dict[str, int] = field(default_factory=dict)
    sources: dict[str, list[tuple[str, Span | None]]] = field(default_factory=dict)
    erased: frozenset[bytes] = frozenset()


class _Joining:
    """Take one export in, pass by pass; `ids` maps its ids to ours."""

    def __init__(
        self,
        ground: Ground,
        principal: Principal,
        file: BinaryIO,
        *,
        vault: str,
        progress: Progress | None,
    ) -> None:
        self._ground, self._principal, self._file, self._vault = ground, principal, file, vault
        self._taking = replace(ground, outside=replace(ground.outside, extractor=no_claims))
        self._progress = progress
        self._known = _Surveyed()
        self._ids: dict[str, str] = {}
        self._kept_out: set[str] = set()
        self._refused: Counter[str] = Counter()
        self._counts: Counter[str] = Counter()

    def report(self) -> ImportReport:
        """Return what was done."""
        counts = self._counts
        return ImportReport(
            stored=counts["stored"],
            merged=counts["merged"],
            disputed=counts["disputed"],
            refused=tuple(sorted(self._refused.items())),
            evidence_added=counts["evidence_added"],
            evidence_skipped=counts["evidence_skipped"],
            links=counts["links"],
            left_out=counts["left_out"],
            bad_lines=counts["bad_lines"],
        )

    def _rows(self, *, counting_bad: bool = False) -> Iterator[Carried]:
        """Yield the rows of the file from its start; lines that cannot be read are passed over."""
        self._file.seek(0)
        header_in(self._file)
        lines = 0
        while spelled := self._file.readline(LINE_BYTES_MAX):
            lines += 1
            if self._progress is not None and lines % PROGRESS_EVERY == 0:
                self._progress(lines)
            try:
                found = parsed_line(spelled)
            except BadInput:
                self._counts["bad_lines"] += counting_bad
                continue
            if not isinstance(found, Record):
                yield found

    def survey(self) -> None:
        """Learn names, which version is a memory's newest, and what it is derived from."""
        known = self._known
        for carried in self._rows(counting_bad=True):
            match carried.row:
                case SpaceRow() as row:
                    known.spaces[row.n] = _path(row)
                case Conversation() as row:
                    known.sessions[row.n] = row.name
                case Version() as row:
                    known.newest[row.memory] = max(row.n, known.newest.get(row.memory, 0))
                case Link() as row if row.type is LinkType.DERIVED_FROM:
                    known.sources.setdefault(row.source, []).append((row.target, row.span))
                case _:
                    pass
        with self._ground.store.snapshot() as snapshot:
            known.erased = _erased_here(snapshot)
            for n, path in known.spaces.items():
                # A space is made with its path, which would stay.
                if self._ground.space(snapshot, path) is None and erased_spans(self._ground, snapshot, path):
                    known.spaces[n] = ""

    def evidence(self) -> None:
        """Take in all evidence, in batches of one space and of bounded size."""
        batch, is_gone = Batch(), False
        for carried in self._rows():
            item = carried.row
            if not isinstance(item, Evidence):
                continue
            is_part = item.kind is EvidenceKind.CHUNK
            is_gone = packed(item.id)[1:] in self._known.erased or (is_part and is_gone)
            if is_gone:
                self._refuse_kept_out(item.id)
                continue
            if is_part and batch.document:
                # Taking the document cuts it again; its parts have the same numbers.
                batch.chunk(item)
                continue
            if batch.is_full_for(item):
                self._take(batch)
                batch = Batch()
            batch.add(item, self._arrival(item))
        self._take(batch)

    def _arrival(self, item: Evidence) -> Arrival:
        name = self._known.sessions.get(item.session, "") if item.session else ""
        return Arrival(
            session=f"{self._vault}/{name}" if name else "",
            origin=f"{self._vault}/{item.id}",
            role=item.role,
            speaker=item.speaker,
            text=item.text,
            occurred_at=item.occurred_at or item.recorded,
            kind=item.kind,
            parent=item.parent,
            untrusted=item.label.untrusted,
            data_class=item.label.data_class.name.lower(),
            state=item.state,
            title=item.source,
        )

    def _take(self, batch: Batch) -> None:
        space = self._known.spaces.get(batch.space, "")
        if not batch.arrivals:
            return
        if not space:
            self._refused[Reason.NO_SUCH_SPACE.code] += len(batch.arrivals)
            return
        intent = Take(self._principal, space, tuple(batch.arrivals.values()), path=Path.IMPORT)
        try:
            done = take(self._taking, intent)
        except Refusal:
            self._refused[Reason.NOT_GRANTED.code] += len(batch.arrivals)
            return
        self._counts["evidence_added"] += done.added
        self._counts["evidence_skipped"] += done.skipped
        origins = {
            id: origin_digest(self._ground, space, arrival)
            for id, arrival in (batch.arrivals | batch.parts).items()
        }
        with self._ground.store.snapshot() as snapshot:
            found = snapshot.known_origins(tuple(origins.values()))
        self._ids |= {id: found[origin] for id, origin in origins.items() if found.get(origin)}

    def memories(self) -> None:
        """Offer the newest version of every memory that is live, or was for a closed stretch.

        What rests on others comes after them; of a circle each comes as it stands in the file.
        """
        left, is_stuck = set(self._known.newest), False
        while left:
            before = len(left)
            for carried in self._rows():
                version = carried.row
                if not isinstance(version, Version) or self._known.newest.get(version.memory) != version.n:
                    continue
                waits = any(id in left for id, _ in self._known.sources.get(version.memory, ()))
                if version.memory in left and (is_stuck or not waits):
                    left.discard(version.memory)
                    self._offer(version)
            if is_stuck and len(left) == before:
                return
            is_stuck = len(left) == before

    def _offer(self, version: Version) -> None:
        """Offer one memory; what rests only on what is kept out here is kept out, too."""
        sources = [id for id, _ in self._known.sources.get(version.memory, ())]
        rests_on_nothing = bool(sources) and all(id in self._kept_out for id in sources)
        if rests_on_nothing or packed(version.memory)[1:] in self._known.erased:
            self._refuse_kept_out(version.memory)
        elif version.trust in LIVE or (version.trust is Trust.SUPERSEDED and version.valid.end is not None):
            self._remember(version)
        else:
            self._counts["left_out"] += 1

    def _refuse_kept_out(self, id: str) -> None:
        self._kept_out.add(id)
        self._refused[Reason.REJECTED_VALUE.code] += 1

    def _remember(self, version: Version) -> None:
        space = self._known.spaces.get(version.space, "")
        if not space:
            self._refused[Reason.NO_SUCH_SPACE.code] += 1
            return
        here = self._here(version, space)
        if here:
            self._ids[version.memory] = here
            self._counts["merged"] += 1
            return
        receipt = remember(self._ground, self._intent(version, space))
        if receipt.reason == Reason.REJECTED_VALUE.code:
            self._kept_out.add(version.memory)
        if not receipt.landed:
            self._refused[receipt.reason] += 1
            return
        self._ids[version.memory] = receipt.id
        self._counts["disputed" if receipt.verdict == Outcome.DISPUTED.value else receipt.verdict] += 1

    def _here(self, version: Version, space: str) -> str:
        """Return our id of a memory that an earlier import brought, whatever became of it since."""
        with self._ground.store.snapshot() as snapshot:
            row = self._ground.space(snapshot, space)
            if row is None or not self._principal.may_write(space):
                return ""
            digest = digests_of(self._ground, version.claim).value
            for one in snapshot.same_value(row.n, digest):
                if one.asserted_at == version.recorded:
                    return one.memory
        return ""

    def _intent(self, version: Version, space: str) -> Remember:
        sources = [
            Source(self._ids[id], span)
            for id, span in self._known.sources.get(version.memory, ())
            if id in self._ids
        ]
        return Remember(
            principal=self._principal,
            claim=version.claim,
            kind=version.kind,
            space=space,
            times=Times(
                valid_from=version.valid.start,
                valid_until=version.valid.end,
                occurred_at=version.occurred_at,
                asserted_at=version.recorded,
                expires_at=version.expires_at,
            ),
            sources=tuple(sources[: limits.evidence_references_max]),
            tags=version.tags,
            label=version.label,
            path=Path.IMPORT,
        )

    def links(self) -> None:
        """Link again what was linked there, when both ends came.

        A successor is the gate's to name, so `supersedes` does not come: the closed
        interval says the same of the world.
        """
        for carried in self._rows():
            link = carried.row
            if not isinstance(link, Link) or link.type is LinkType.SUPERSEDES:
                continue
            source, target = self._ids.get(link.source, ""), self._ids.get(link.target, "")
            if not source or not target or source == target or self._is_linked(source, target, link.type):
                continue
            receipt = connect(self._ground, Connect(self._principal, source, target, link.type, link.weight))
            if receipt.refused:
                self._refused[receipt.reason] += 1
            else:
                self._counts["links"] += 1

    def _is_linked(self, source: str, target: str, type: LinkType) -> bool:
        with self._ground.store.snapshot() as snapshot:
            return any(
                (one.row.source, one.row.target, one.row.type) == (source, target, type)
                for one in snapshot.links_of((source,))
            )


def _erased_here(snapshot: Snapshot) -> frozenset[bytes]:
    """Return the sixteen bytes of every id that an erasure took here."""
    found: set[bytes] = set()
    after = 0
    while page := snapshot.sealed_rows(RowCode.STUB, Page(after, limits.walk_rows_max)):
        found |= {one.row.entry_id for _, one in page if isinstance(one.row, StubRow)}
        after = page[-1][0]
    return frozenset(found)


def _path(row: SpaceRow) -> str:
    """Return a space's path, or nothing when it is none; the file may be anyone's."""
    try:
        return checked_path(row.path)
    except BadInput:
        return ""
