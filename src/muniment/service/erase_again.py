"""How does an older database learn what was erased since?  The journal beside the keys says it again.

A line whose erasure has no certificate in the database is one that the database does not
know: it is an older copy, or a crash came between the line and the rows.  Its rows go again
by the same deed, under the same certificate's id, and its tombstones come back.
"""

from collections.abc import Iterator, Sequence, Set
from dataclasses import replace

from muniment.domain.certificate import Certificate
from muniment.domain.changes import Row, Sealed
from muniment.domain.erasure import Asked, Going, Means, Plan
from muniment.domain.evidence import Evidence
from muniment.domain.intent import Administer
from muniment.domain.journal import Entry, Named, entry_of
from muniment.domain.ledger import RowCode
from muniment.domain.memory import Version
from muniment.domain.principal import ActorRole, Principal
from muniment.domain.trust import LIVE
from muniment.errors import RolledBack, Tampered
from muniment.ports import Snapshot, Transaction
from muniment.service.burying import Blocked
from muniment.service.certifying import certify, signed
from muniment.service.draft import Draft
from muniment.service.erase_deed import Deed
from muniment.service.erase_journal import Told, texts_beside
from muniment.service.erase_known import unknown_in
from muniment.service.erase_storage import completed
from muniment.service.erase_survey import name_of, walked
from muniment.service.ground import Ground

_AGAIN = "erased before"
_WITH_ITS_HEAD = "its newest state was erased"
_NUMBERED = "/"


def catch_up(ground: Ground) -> tuple[Certificate, ...]:
    """Erase again what the journal names and the database still holds; return the certificates.

    A database that is older than its witness is left alone: it is not read before a person
    accepts it.  Raises RolledBack when the database cannot be written, so that nothing
    erased is served, and Tampered for a line that was altered.
    """
    if not ground.outside.journal.lines():
        return ()
    with ground.store.snapshot() as snapshot:
        try:
            ground.checked_head(snapshot)
        except (RolledBack, Tampered):
            return ()
        if not unknown_in(ground, snapshot):
            return ()
    if not ground.outside.writable:
        raise RolledBack("The database holds what was erased, and cannot be written.")
    try:
        with ground.store.transaction() as transaction:
            certificates = repeat(ground, transaction, unknown_entries(ground, transaction))
    finally:
        ground.forget_names()
    return finish(ground, certificates)


def unknown_entries(ground: Ground, snapshot: Snapshot) -> tuple[Entry, ...]:
    """Return what the database does not know; raises Tampered for a line that was altered."""
    return tuple(entry_of(line, ground.vault_key) for line in unknown_in(ground, snapshot))


def repeat(ground: Ground, transaction: Transaction, entries: Sequence[Entry]) -> tuple[Certificate, ...]:
    """Do these erasures again, in their order and within a transaction that is open."""
    returned: set[tuple[RowCode, str]] = set()
    return tuple(_repeated(ground, transaction, entry, returned=returned) for entry in entries)


def finish(ground: Ground, certificates: Sequence[Certificate]) -> tuple[Certificate, ...]:
    """Take the bytes out of the files too, or leave that to the job."""
    return tuple(completed(ground, one) for one in certificates)


def _repeated(
    ground: Ground, transaction: Transaction, entry: Entry, *, returned: set[tuple[RowCode, str]]
) -> Certificate:
    """Do one erasure again; `returned` are the rows that those before it put back, which it adds to."""
    draft = Draft.begun(ground, transaction)
    principal = Principal(ground.tenant, "journal", ActorRole.SYSTEM)
    found = tuple(_found(transaction, entry, returned))
    returned |= {(going.code, going.name) for going, _ in found if going.put_back}
    told = {_key(going): Told(_marked(going.sealed.row, named)) for going, named in found}
    going = tuple(_without_headless(transaction, [one for one, _ in found]))
    plan = _plan(draft, entry, going)
    deed = Deed(draft, plan, actor=draft.actor(principal), id=entry.id)
    blocked = tuple(_standing(draft, entry, actor=deed.actor))
    deed.gather(Administer(principal, "erase"), blocked, lambda one: told[_key(one)])
    before = dict(transaction.counts())
    deed.commit(replayed=True)
    made = replace(deed.certificate(principal, before), requester=entry.requester, basis="journal")
    certificate = signed(ground, made)
    certify(Draft.begun(ground, transaction), certificate)
    return certificate


def _plan(draft: Draft, entry: Entry, going: tuple[Going, ...]) -> Plan:
    gone = {one.name for one in going if not one.put_back}
    currents = draft.transaction.currents(tuple(id for id in entry.disputes if id not in gone))
    spaces = {one.sealed.row.space for one in going if isinstance(one.sealed.row, Version | Evidence)}
    return Plan(
        asked=Asked(Means.ID, entry.id),
        going=going,
        terms=(),
        disputes=tuple(one.version.memory for one in currents if one.version.trust in LIVE),
        stays=(),
        spaces=tuple(sorted(spaces)),
        made=entry.requested,
        size=draft.head.size,
        next_n=draft.head.next_n,
        digest=entry.plan,
    )


def _standing(draft: Draft, entry: Entry, *, actor: int) -> Iterator[Blocked]:
    """Yield the tombstones as they were, counted in this log's generation."""
    for one in entry.tombstones:
        draft.generation += 1
        row = replace(one.tombstone, generation=draft.generation, actor=actor, recorded=draft.recorded)
        yield Blocked(row, one.found_by)


def _found(
    snapshot: Snapshot, entry: Entry, returned: Set[tuple[RowCode, str]]
) -> Iterator[tuple[Going, Named]]:
    """Yield the named rows that are there."""
    walks: dict[RowCode, dict[str, Sealed[Row]]] = {}
    for named in entry.rows:
        sealed = _row(snapshot, named, walks, returned=returned)
        if sealed is not None:
            put_back = named.put_back and _fits(sealed.row, named)
            spans = named.spans if put_back else ()
            yield Going(named.code, named.name, _AGAIN, sealed, spans=spans, put_back=put_back), named


def _row(
    snapshot: Snapshot,
    named: Named,
    walks: dict[RowCode, dict[str, Sealed[Row]]],
    *,
    returned: Set[tuple[RowCode, str]],
) -> Sealed[Row] | None:
    if named.code is RowCode.VERSION:
        return next((one for one in snapshot.history(named.name) if one.row.number == named.number), None)
    if named.code is RowCode.EVIDENCE:
        return next(iter(snapshot.evidence((named.name,))), None)
    if named.code not in walks:
        walks[named.code] = {name_of(one.row): one for one in walked(snapshot, named.code)}
    found = walks[named.code].get(named.name)
    # A number is given out again after an older file was accepted; an id never is.  What an erasure
    # before this one put back just now has another record than it had at the time.
    is_numbered = _NUMBERED in named.name and (named.code, named.name) not in returned
    is_another = found is not None and is_numbered and found.seal.record != named.record
    return None if is_another else found


def _fits(row: Row, named: Named) -> bool:
    """Return whether the parts that went lie within the text; else all of it goes."""
    return not isinstance(row, Evidence) or all(span.end <= len(row.text) for span in named.spans)


def _without_headless(snapshot: Snapshot, going: Sequence[Going]) -> Iterator[Going]:
    """Yield what goes; a memory whose newest state here goes is left without one, and goes whole."""
    numbers: dict[str, set[int]] = {}
    for one in going:
        if isinstance(one.sealed.row, Version) and not one.put_back:
            numbers.setdefault(one.name, set()).add(one.sealed.row.number)
    headless = {id for id, gone in numbers.items() if snapshot.history(id)[-1].row.number in gone}
    known = {_key(one) for one in going}
    for one in going:
        yield replace(one, put_back=False) if one.name in headless else one
    for id in headless:
        rest: list[tuple[RowCode, str, Sealed[Row]]] = [
            (RowCode.VERSION, id, sealed) for sealed in snapshot.history(id)
        ]
        rest += [(RowCode.LINK, sealed.row.id, sealed) for sealed in snapshot.links_of((id,))]
        for code, name, sealed in rest:
            added = Going(code, name, _WITH_ITS_HEAD, sealed)
            if _key(added) not in known:
                known.add(_key(added))
                yield added


def _key(one: Going) -> tuple[RowCode, str, int]:
    row = one.sealed.row
    return one.code, one.name, row.number if isinstance(row, Version) else 0


def _marked(row: Row, named: Named) -> frozenset[str]:
    """Return the texts of the fields that were marked."""
    return frozenset(text for field, text in texts_beside(row) if field in named.marked)
