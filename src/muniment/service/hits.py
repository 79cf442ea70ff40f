"""Is what was found what was written?  Every hit is checked before it is served (I6)."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from muniment.domain.changes import Row, Sealed
from muniment.domain.evidence import Evidence
from muniment.domain.ledger import same_bytes
from muniment.domain.memory import Version
from muniment.domain.timeline import from_micros
from muniment.domain.trust import Trust
from muniment.later import Later
from muniment.ports import Snapshot
from muniment.recall.eligibility import Sort
from muniment.recall.question import Hit, Question
from muniment.recall.ranking import Scored
from muniment.service.ground import Ground, memory_mac
from muniment.service.seals import holds

if TYPE_CHECKING:
    from muniment.service import older_states
else:
    older_states = Later("muniment.service.older_states")


def row_holds(ground: Ground, sealed: Sealed[Row], entry: bytes) -> bool:
    """Return whether a row matches the entry of the record that made it.

    Without the vault's key nothing can be compared, and the answer says so elsewhere.
    """
    return not ground.outside.verifiable or holds(ground.vault_key, sealed.row, sealed.seal, entry=entry)


@dataclass(frozen=True, slots=True)
class _Beside:
    """Hold what stands beside the hits: sources by memory, session names, the present."""

    sources: dict[str, tuple[str, ...]]
    names: dict[int, str]
    now: datetime


def checked_hits(
    ground: Ground, snapshot: Snapshot, taken: Sequence[Scored], *, question: Question
) -> tuple[list[Hit], int]:
    """Return the hits of the taken candidates in order, and how many did not hold.

    A version's row must match its record, and unless the question is about another moment
    it must be the one that its memory's sealed head names.
    """
    memories = [one.candidate.n for one in taken if one.candidate.sort is Sort.MEMORY]
    items = [one.candidate.n for one in taken if one.candidate.sort is Sort.EVIDENCE]
    versions = {sealed.row.n: sealed for sealed in snapshot.versions_at(memories)}
    evidence = {sealed.row.n: sealed for sealed in snapshot.evidence_at(items)}
    entries = _entries(snapshot, [*versions.values(), *evidence.values()])
    newest = _heads_hold(ground, snapshot, [sealed.row for sealed in versions.values()], question=question)
    beside = _Beside(
        _sources(snapshot, [sealed.row.memory for sealed in versions.values()]),
        {one.n: one.name for one in snapshot.sessions_at(_sessions(versions, evidence))},
        max(ground.outside.clock.now(), from_micros(snapshot.head().recorded)),
    )
    hits: list[Hit] = []
    broken = 0
    for one in taken:
        n = one.candidate.n
        version, item = versions.get(n), evidence.get(n)
        if version is not None and _is_kept_out(
            ground, snapshot, version.row, newest=newest, question=question
        ):
            continue
        if version is not None and _version_holds(ground, version, entries, newest=newest, question=question):
            hits.append(_memory_hit(ground, snapshot, version.row, scored=one, beside=beside))
        elif item is not None and row_holds(ground, item, entries[n]):
            hits.append(_evidence_hit(ground, snapshot, item.row, scored=one, beside=beside))
        else:
            broken += 1
    return hits, broken


def _entries(snapshot: Snapshot, sealed: Sequence[Sealed[Version] | Sealed[Evidence]]) -> dict[int, bytes]:
    found = snapshot.entries_of([one.seal for one in sealed])
    return {one.row.n: entry for one, entry in zip(sealed, found, strict=True)}


def _heads_hold(
    ground: Ground, snapshot: Snapshot, versions: Sequence[Version], *, question: Question
) -> dict[str, int]:
    """Return the row number that each memory's head names, for heads whose seal holds.

    What is rejected now is left out at every moment asked about, by the sealed head and not
    by the index column that the candidates were found with (I4).
    """
    shows_rejected = Trust.REJECTED in question.include and question.principal.is_person
    key, verifiable = ground.vault_key, ground.outside.verifiable
    return {
        seal.memory: seal.n
        for seal in snapshot.head_seals([version.memory for version in versions])
        if (shows_rejected or seal.trust is not Trust.REJECTED)
        and (not verifiable or same_bytes(seal.mac, memory_mac(key, seal)))
    }


def _version_holds(
    ground: Ground,
    sealed: Sealed[Version],
    entries: dict[int, bytes],
    *,
    newest: dict[str, int],
    question: Question,
) -> bool:
    version = sealed.row
    if version.memory not in newest:
        return False
    if question.known_at is None and newest[version.memory] != version.n:
        return False
    return row_holds(ground, sealed, entries[version.n])


def _is_kept_out(
    ground: Ground, snapshot: Snapshot, version: Version, *, newest: dict[str, int], question: Question
) -> bool:
    """Return whether an older state says what was rejected since, which only a person may ask for (I4)."""
    if question.known_at is None or newest.get(version.memory, version.n) == version.n:
        return False
    shows_rejected = Trust.REJECTED in question.include and question.principal.is_person
    return not shows_rejected and older_states.is_kept_out(ground, snapshot, version)


def _sources(snapshot: Snapshot, memories: Sequence[str]) -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    for memory, source in snapshot.sources_of(memories) if memories else ():
        found.setdefault(memory, []).append(source)
    return {memory: tuple(ids) for memory, ids in found.items()}


def _sessions(versions: dict[int, Sealed[Version]], evidence: dict[int, Sealed[Evidence]]) -> list[int]:
    numbers = {sealed.row.session for sealed in versions.values()}
    numbers |= {sealed.row.session for sealed in evidence.values()}
    return sorted(numbers - {0})


def _memory_hit(
    ground: Ground,
    snapshot: Snapshot,
    version: Version,
    *,
    scored: Scored,
    beside: _Beside,
) -> Hit:
    claim = version.claim
    return Hit(
        id=version.memory,
        version=version.number,
        text=claim.text,
        source="memory",
        tag="memory-tainted" if version.label.untrusted else "memory",
        label=version.label,
        recorded=version.recorded,
        strength=scored.strength,
        space=ground.path_of(snapshot, version.space),
        trust=version.trust,
        kind=version.kind,
        rank=version.rank,
        valid=version.valid,
        occurred_at=version.occurred_at,
        author=ground.name_of(snapshot, version.author),
        about=claim.about,
        attribute=claim.attribute,
        value=claim.value,
        expired=version.expired(beside.now),
        evidence=beside.sources.get(version.memory, ()),
        session=beside.names.get(version.session, ""),
    )


def _evidence_hit(
    ground: Ground, snapshot: Snapshot, item: Evidence, *, scored: Scored, beside: _Beside
) -> Hit:
    session = beside.names.get(item.session, item.source)
    return evidence_hit(ground, snapshot, item, strength=scored.strength, session=session)


def evidence_hit(
    ground: Ground, snapshot: Snapshot, item: Evidence, *, session: str, strength: float = 1.0
) -> Hit:
    """Return an item as it is shown; whoever shows it has checked that its row holds."""
    return Hit(
        id=item.id,
        version=1,
        text=item.text,
        source=item.kind.value,
        tag="memory-tainted" if item.label.untrusted else "memory",
        label=item.label,
        recorded=item.recorded,
        strength=strength,
        space=ground.path_of(snapshot, item.space),
        kind=item.kind,
        occurred_at=item.occurred_at,
        speaker=item.speaker,
        role=item.role,
        author=ground.name_of(snapshot, item.author),
        evidence=(item.id,),
        session=session,
    )
