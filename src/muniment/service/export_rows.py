"""In which order do a vault's rows leave it?  Each record, then the rows it made, in its order."""

from collections.abc import Iterator

from muniment import limits
from muniment.domain.changes import Page, Row, Sealed
from muniment.domain.exchange import Carried
from muniment.domain.ledger import Record, RowCode
from muniment.domain.tombstone import Tombstone
from muniment.ports import Snapshot
from muniment.service.log_walk import records_of


def exported(snapshot: Snapshot) -> Iterator[Record | Carried]:
    """Yield every record, each followed by its rows; the same rows always in the same order.

    Every table lies in the order of the log, so nine readers that go on side by side are
    enough and memory stays flat.  A row that names no record comes last.
    """
    lanes = {code: _lane(snapshot, code) for code in RowCode}
    waiting = {code: one for code, lane in lanes.items() if (one := next(lane, None)) is not None}
    for record in records_of(snapshot):
        yield record
        made: list[Carried] = []
        for code in tuple(waiting):
            while code in waiting and waiting[code].seal.record <= record.position:
                made.append(waiting[code])
                _advance(lanes[code], waiting, code)
        yield from sorted(made, key=lambda one: one.seal.index)
    for code, carried in tuple(waiting.items()):
        yield carried
        yield from lanes[code]


def _advance(lane: Iterator[Carried], waiting: dict[RowCode, Carried], code: RowCode) -> None:
    following = next(lane, None)
    if following is None:
        del waiting[code]
    else:
        waiting[code] = following


def _lane(snapshot: Snapshot, code: RowCode) -> Iterator[Carried]:
    """Yield the rows of one kind in the order of the log.

    Tables lie in that order, but for the few rows whose number others name: there an
    erasure puts a row back where it was, under a later record.
    """
    lane = _stored(snapshot, code)
    return iter(sorted(lane, key=_place)) if code in _PUT_BACK_IN_PLACE else lane


_PUT_BACK_IN_PLACE = frozenset(
    {RowCode.SESSION, RowCode.ACTOR, RowCode.MATTER, RowCode.SPACE, RowCode.CREDENTIAL}
)


def _place(carried: Carried) -> tuple[int, int]:
    return carried.seal.record, carried.seal.index


def _stored(snapshot: Snapshot, code: RowCode) -> Iterator[Carried]:
    after = 0
    while page := snapshot.sealed_rows(code, Page(after, limits.walk_rows_max)):
        rows = [sealed for _, sealed in page]
        digests = _digests(snapshot, rows) if code is RowCode.TOMBSTONE else {}
        for sealed in rows:
            found = digests.get(sealed.row.id, ()) if isinstance(sealed.row, Tombstone) else ()
            yield Carried(code, sealed.row, sealed.seal, found)
        after = page[-1][0]


def _digests(snapshot: Snapshot, rows: list[Sealed[Row]]) -> dict[str, tuple[bytes, ...]]:
    return snapshot.tombstone_digests([one.row.id for one in rows if isinstance(one.row, Tombstone)])
