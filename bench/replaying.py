"""Is what many did at once what one would have done after the other?  Their deeds again, in the log's order.

The reference store has no concurrency to get wrong.  Every acknowledged deed is done on it
again, one by one, by the order and with the moments of the log; then each receipt and every
state of every memory and turn have to be the same.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from bench.deeds import Deed, Step, done
from muniment import limits, wiring
from muniment.domain.changes import Page
from muniment.domain.evidence import Evidence
from muniment.domain.ledger import RowCode
from muniment.domain.memory import Version
from muniment.errors import MunimentError
from muniment.ports import Snapshot
from muniment.service.vault import Vault

State = tuple[object, ...]
"""What is compared of one state: everything but ids and numbers, which each store gives by itself."""


@dataclass(slots=True)
class _Clock:
    moment: datetime

    def now(self) -> datetime:
        return self.moment


@dataclass(slots=True)
class Kept:
    """Hold what a vault kept: the states of each memory and turn by its id, oldest first."""

    states: dict[str, list[State]] = field(default_factory=dict)

    @property
    def ids(self) -> set[str]:
        """Return the ids of all that is there."""
        return set(self.states)


def moments_of(vault: Vault, records: Iterable[int]) -> dict[int, datetime]:
    """Return the recorded moments of some records."""
    wanted, found, after = set(records), dict[int, datetime](), -1
    with vault.ground.store.snapshot() as snapshot:
        while page := snapshot.records(Page(after, limits.page_rows_max)):
            found |= {one.position: one.recorded for one in page if one.position in wanted}
            after = page[-1].position
    return found


def kept_by(vault: Vault, *, since: int = 0) -> Kept:
    """Return the states that records from `since` on made."""
    kept = Kept()
    with vault.ground.store.snapshot() as snapshot:
        for id, _, state in sorted(_states(snapshot, since), key=lambda one: one[:2]):
            kept.states.setdefault(id, []).append(state)
    return kept


def _states(snapshot: Snapshot, since: int) -> Iterator[tuple[str, int, State]]:
    """Yield the id, the number and the state of each version and turn."""
    for code in (RowCode.VERSION, RowCode.EVIDENCE):
        after = 0
        while page := snapshot.sealed_rows(code, Page(after, limits.walk_rows_max)):
            for row in (one.row for _, one in page if one.seal.record >= since):
                if isinstance(row, Version):
                    yield row.memory, row.number, _state(row)
                elif isinstance(row, Evidence):
                    yield row.id, 0, (row.sequence, row.text, row.label, row.recorded)
            after = page[-1][0]


def _state(row: Version) -> State:
    changed = (row.trust, row.before, row.rank, row.act, row.reason)
    return (row.number, row.claim, row.valid, row.recorded, *changed)


def differences(steps: Sequence[Step], *, moments: Mapping[int, datetime], kept: Kept) -> list[str]:
    """Do the steps again on the reference store, and say where anything comes out otherwise.

    `moments` are those of the steps' records and `kept` is what the vault holds at the end.
    A step without a record changed nothing, so it has no place in the order and is left out.
    """
    ordered = sorted((one for one in steps if one.record >= 0), key=lambda one: one.record)
    if not ordered:
        return []
    clock = _Clock(moments[ordered[0].record])
    found = list[str]()
    with wiring.reference_vault(clock=clock) as reference:
        names = dict[str, str]()
        for step in ordered:
            clock.moment = moments[step.record]
            found += _again(reference, step, names)
        found += _apart(kept, kept_by(reference), names)
    return found


def _again(reference: Vault, step: Step, names: dict[str, str]) -> list[str]:
    """Do one step again; `names` maps the vault's ids to the reference's."""
    deed = replace(step.deed, id=names.get(step.deed.id, step.deed.id))
    try:
        came = done(reference, deed)
    except MunimentError as error:
        return [f"record {step.record}, {deed.verb}: {error.code} instead of {step.verdict}"]
    for there, here in zip((step.id, *step.also), (came.id, *came.also), strict=False):
        names.setdefault(there, here)
    said = (step.verdict, step.reason, step.version, *(names.get(id, "") for id in (step.id, *step.also)))
    if said == (came.verdict, came.reason, came.version, came.id, *came.also):
        return []
    return [f"record {step.record}, {_shown(step.deed)}: {_answer(step)}; one by one {_answer(came)}"]


def _shown(deed: Deed) -> str:
    return f"{deed.verb} {' '.join(deed.words) or deed.id}"


def _answer(step: Step) -> str:
    return f"{step.verdict} {step.reason} as version {step.version} of {step.id}"


def _apart(kept: Kept, reference: Kept, names: Mapping[str, str]) -> list[str]:
    """Compare what is there at the end; what no receipt named is a difference, on either side."""
    found = [
        f"{id}: {kept.states.get(id)}; one by one {reference.states.get(names[id])}"
        for id in sorted(names)
        if id and kept.states.get(id) != reference.states.get(names[id])
    ]
    found += [f"{id} is there, and nobody was told" for id in sorted(kept.ids - set(names))]
    unnamed = reference.ids - set(names.values())
    return found + [f"{id} is there one by one alone" for id in sorted(unnamed)]
