"""How is a whole file taken in?  Streamed in batches, with progress, bad lines set aside."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path as FilePath

from muniment import limits
from muniment.domain.evidence import Arrival, BadLine
from muniment.domain.intent import Path, Take
from muniment.domain.offer import Item, Notice, Offer
from muniment.domain.principal import Principal
from muniment.service.extraction import take_in
from muniment.service.ground import Ground
from muniment.service.offers import OfferCounts, Offering

Progress = Callable[[int], None]
"""Called after each batch with the number of items read so far."""

BAD_LINES_SHOWN_MAX = 100
"""Most bad lines that a report describes; all are counted."""


@dataclass(slots=True)
class IntakeReport:
    """Hold what taking a file did; `bad_lines` describes the first of `bad` quarantined lines.

    `added` and `skipped` count evidence; what a file states as memories is counted in
    `offers`.  `notices` say what holds for a whole file.
    """

    added: int = 0
    skipped: int = 0
    replaced: int = 0
    extracted: int = 0
    bad: int = 0
    bad_lines: list[BadLine] = field(default_factory=list)
    sessions: set[str] = field(default_factory=set)
    offers: OfferCounts = field(default_factory=OfferCounts)
    notices: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class FileIntake:
    """Name a file or directory to take in: its path, its format (empty: look), the space."""

    path: FilePath
    space: str
    format: str = ""


def take_file(
    ground: Ground, principal: Principal, file: FileIntake, *, progress: Progress | None = None
) -> IntakeReport:
    """Take in every item of a file or directory; memory stays flat however long it is.

    Raises BadInput for a format that is not known and Unreadable for the path.
    """
    report = IntakeReport()
    offering = Offering.begun(ground, principal, space=file.space)
    report.offers = offering.counts
    stream = ground.outside.reader(file.path, format=file.format)
    read = 0
    while batch := list(islice(stream, limits.batch_items_max)):
        read += len(batch)
        arrivals = tuple(_evidence_of(batch, report, offering))
        if arrivals:
            intent = Take(principal, file.space, arrivals, source=file.path.name, path=Path.IMPORT)
            done = take_in(ground, intent)
            report.added += done.added
            report.skipped += done.skipped
            report.replaced += done.replaced
            report.extracted += done.extracted
            report.sessions |= set(done.sessions)
        if progress is not None:
            progress(read)
    return report


def _evidence_of(batch: list[Item], report: IntakeReport, offering: Offering) -> Iterator[Arrival]:
    """Yield evidence; take offers in at once, and note the rest."""
    for one in batch:
        match one:
            case Arrival():
                yield one
            case Offer():
                offering.take(one)
            case Notice():
                report.notices.append(one.text)
            case BadLine():
                report.bad += 1
                if len(report.bad_lines) < BAD_LINES_SHOWN_MAX:
                    report.bad_lines.append(one)
