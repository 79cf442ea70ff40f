"""How is the vault?  Status, health, the index rebuilt, checkpoints signed."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from muniment import limits
from muniment.domain.changes import Page
from muniment.domain.check import Check as Check
from muniment.domain.check import counted
from muniment.domain.intent import Administer
from muniment.domain.ledger import Record
from muniment.domain.matter import CASES, MatterKind, MatterState
from muniment.domain.model_use import Purpose, Use
from muniment.domain.principal import Principal
from muniment.domain.timeline import from_micros
from muniment.errors import (
    BadInput,
    BrokenData,
    DamagedIndex,
    MunimentError,
    Refusal,
    RolledBack,
    Tampered,
    Unavailable,
)
from muniment.gate.judge import judge
from muniment.gate.verdict import Known
from muniment.later import Later
from muniment.ports import Snapshot
from muniment.recall.eligibility import Eligibility, Sort
from muniment.service import steady
from muniment.service.draft import Draft
from muniment.service.ground import Ground, head_mac

if TYPE_CHECKING:
    from muniment.service import (
        block_health,
        block_places,
        certifying,
        contradictions,
        erase_again,
        model_use,
    )
else:
    block_health = Later("muniment.service.block_health")
    block_places = Later("muniment.service.block_places")
    certifying = Later("muniment.service.certifying")
    contradictions = Later("muniment.service.contradictions")
    erase_again = Later("muniment.service.erase_again")
    model_use = Later("muniment.service.model_use")


@dataclass(frozen=True, slots=True)
class Status:
    """Hold what a vault holds, by count, and how its log stands.

    `erasures` were asked for and wait for a person; of `unfinished` ones the bytes are still in the
    storage, and their certificates say `logical`.  `files` says how the block files stand.  `model_use`
    says by purpose how much of a language model was used so far, and is empty where none was asked.
    """

    vault: str
    records: int
    root: str
    witnessed: int
    recorded: datetime
    epoch: int
    counts: Mapping[str, int]
    embedder: str
    analyser: str
    writable: bool
    cases: int = 0
    pending: int = 0
    judge: str = "rules"
    erasures: int = 0
    unfinished: int = 0
    files: str = ""
    model_use: Mapping[Purpose, Use] = field(default_factory=dict)


@runtime_checkable
class Examined(Protocol):
    """Be a store that can look its own files over."""

    def examine(self) -> tuple[Check, ...]:
        """Return the health checks of what the store keeps on its disk."""


@dataclass(frozen=True, slots=True)
class LogRow:
    """Hold one ledger record as a person reads it.

    `by` and `space` are the names of the actor and the space whose numbers stand in `fields`; the log
    itself holds none, so a name that was erased is its digest here too.
    """

    position: int
    recorded: datetime
    act: str
    fields: Mapping[str, str | int | bool | None]
    rows: int
    by: str = ""
    space: str = ""


def status(ground: Ground) -> Status:
    """Return what the vault holds."""
    with ground.store.snapshot() as snapshot:
        head = snapshot.head()
        counts = dict(snapshot.counts())
        cases, pending, erasures = waiting(snapshot)
        asked = model_use.used(ground, snapshot)
        unfinished = sum(job.kind == certifying.STORAGE for job in snapshot.jobs())
    witness = ground.outside.witness.newest()
    return Status(
        vault=head.vault,
        records=head.size,
        root=head.root.hex(),
        witnessed=0 if witness is None else witness[0],
        recorded=from_micros(head.recorded),
        epoch=head.epoch,
        counts=counts,
        embedder=ground.outside.embedder.model or "off",
        analyser=head.analyser,
        writable=ground.outside.writable,
        cases=cases,
        pending=pending,
        erasures=erasures,
        unfinished=unfinished,
        judge="rules" if ground.judge is None else "rules and a model",
        files=block_places.told(ground)[1],
        model_use=asked,
    )


def waiting(snapshot: Snapshot) -> tuple[int, int, int]:
    """Return how many cases, proposals and erasures wait for a person, up to a page of each."""
    spaces = [row.n for row in snapshot.spaces()]
    kinds = (CASES, (MatterKind.PROPOSAL,), (MatterKind.ERASURE,))
    cases, pending, erasures = (_open(snapshot, one, spaces) for one in kinds)
    return cases, pending, erasures


def proposals_waiting(snapshot: Snapshot, principal: Principal) -> int:
    """Return how many proposals wait for a person where who asks may read, up to a page of them (I7)."""
    spaces = [row.n for row in snapshot.spaces() if principal.may_read(row.path)]
    return _open(snapshot, (MatterKind.PROPOSAL,), spaces)


def _open(snapshot: Snapshot, kinds: Sequence[MatterKind], spaces: Sequence[int]) -> int:
    names, page = [kind.value for kind in kinds], Page(0, limits.page_rows_max)
    return len(snapshot.matters_in(spaces, names, (MatterState.OPEN.value,), page=page))


def doctor(ground: Ground) -> tuple[Check, ...]:
    """Return every health check; each is done, none is assumed."""
    checks = [_said(name, look, ground) for name, look in _LOOKS]
    if isinstance(ground.store, Examined):
        checks += ground.store.examine()
    return tuple(checks)


def _said(name: str, look: Callable[[Ground], Check], ground: Ground) -> Check:
    """Return a check, and of one that stumbles over what somebody altered that it did."""
    try:
        return look(ground)
    except BrokenData as error:
        return Check(name, False, error.sentence)


def _waiting_check(ground: Ground) -> Check:
    """Waiting is no fault, and is said: what nobody looks at would be unseen for weeks."""
    with ground.store.snapshot() as snapshot:
        found = waiting(snapshot)
    cases, proposals, erasures = map(counted, found, ("case", "proposal", "erasure"))
    said = f"{cases}, {proposals} and {erasures} wait for a person."
    return Check("waiting", True, said if any(found) else "Nothing waits for a person.")


def _head_check(ground: Ground) -> Check:
    try:
        with ground.store.snapshot() as snapshot:
            head = ground.checked_head(snapshot)
    except MunimentError as error:
        return Check("log", False, error.sentence)
    return Check("log", True, f"{counted(head.size, 'record')}; the head holds and no witness is newer.")


def _index_check(ground: Ground) -> Check:
    """Ask the index with a real question, since a damaged one answers `PRAGMA` checks well."""
    try:
        with ground.store.snapshot() as snapshot:
            spaces = tuple(row.n for row in snapshot.spaces())
            view = snapshot.view(Eligibility(spaces, snapshot.head().recorded, then=True), model="")
            view.lexical(("probe",), Sort.MEMORY, rows_max=1)
            view.lexical(("probe",), Sort.EVIDENCE, rows_max=1)
            if steady.has_lost_older(ground, snapshot):
                raise DamagedIndex(steady.LOST)
    except MunimentError as error:
        return Check("index", False, f"{error.sentence} Run `muniment reindex`.")
    return Check("index", True, "Both shelves answer.")


def _analyser_check(ground: Ground) -> Check:
    with ground.store.snapshot() as snapshot:
        stamped = snapshot.head().analyser
    if stamped != ground.outside.analyser.version:
        return Check("analyser", False, "Another release built the index. Run `muniment reindex`.")
    return Check("analyser", True, f"The index is of this release ({stamped}).")


def _embedder_check(ground: Ground) -> Check:
    embedder = ground.outside.embedder
    if not embedder.model:
        return Check("embedder", True, "Off; memories are found by words only.")
    try:
        vector = embedder.embed("a probe of the embedder")
    except (MunimentError, OSError, ValueError, RuntimeError):
        return Check("embedder", False, "It does not answer; memories are found by words only.")
    well = len(vector) == embedder.dimension
    return Check("embedder", well, f"{embedder.model}, {len(vector)} of {embedder.dimension} dimensions.")


def _judge_check(ground: Ground) -> Check:
    if ground.judge is None:
        return Check("judge", True, "Rules alone judge free statements; no model is set.")
    if not ground.outside.writable:
        return Check("judge", True, "A model is set and not asked: no use of it can be put on record here.")
    try:
        contradictions.probe(ground)
    except Unavailable as error:
        return Check("judge", False, f"{error.sentence} The rules alone judge, and the jobs wait for it.")
    except MunimentError as error:
        return Check("judge", False, f"{error.sentence} No use of the model can be put on record.")
    return Check("judge", True, "Rules judge free statements, and a model where they say nothing.")


def _jobs_check(ground: Ground) -> Check:
    with ground.store.snapshot() as snapshot:
        jobs = snapshot.jobs()
    stuck = [job for job in jobs if job.attempts >= limits.job_attempts_max]
    if stuck:
        return Check(
            "jobs", False, f"{len(stuck)} of {len(jobs)} jobs were given up, the first for {stuck[0].error}."
        )
    return Check("jobs", True, f"{counted(len(jobs), 'job')} {'waits' if len(jobs) == 1 else 'wait'}.")


def _keys_check(ground: Ground) -> Check:
    if not ground.outside.writable:
        return Check("keys", False, ground.outside.why_read_only)
    return Check("keys", True, f"All there; the tombstone key is number {ground.outside.keyring.key_id}.")


_LOOKS: tuple[tuple[str, Callable[[Ground], Check]], ...] = (
    ("log", _head_check),
    ("index", _index_check),
    ("analyser", _analyser_check),
    ("embedder", _embedder_check),
    ("judge", _judge_check),
    ("jobs", _jobs_check),
    ("waiting", _waiting_check),
    ("keys", _keys_check),
    ("files", lambda ground: Check("files", *block_places.told(ground))),
    ("blocks", lambda ground: block_health.checked(ground)),
)
"""Every look of `doctor` at what is not the store's own, in the order of its answer."""


def log(ground: Ground, *, after: int = 0, limit: int = 50, newest_first: bool = True) -> tuple[LogRow, ...]:
    """Return ledger records; none holds a remembered value (I6).

    Names come from rows: while the head does not hold none is told, as it may have been erased.
    """
    with ground.store.snapshot() as snapshot:
        page = Page(after if newest_first else after - 1, limit, newest_first=newest_first)
        named = _head_holds(ground, snapshot)
        return tuple(_log_row(ground, snapshot, record, named=named) for record in snapshot.records(page))


def _head_holds(ground: Ground, snapshot: Snapshot) -> bool:
    try:
        ground.checked_head(snapshot)
    except (Tampered, RolledBack):
        return False
    return True


def _log_row(ground: Ground, snapshot: Snapshot, record: Record, *, named: bool) -> LogRow:
    fields = record.fields()
    act, actor, space = str(fields.pop("act", "")), fields.get("actor"), fields.get("space")
    by = ground.name_of(snapshot, actor) if named and isinstance(actor, int) else ""
    path = ground.path_of(snapshot, space) if named and isinstance(space, int) else ""
    return LogRow(record.position, record.recorded, act, fields, record.count, by, path)


def checkpoint(ground: Ground) -> str:
    """Sign the present head for the outside witness; return the signed note."""
    with ground.store.snapshot() as snapshot:
        head = ground.checked_head(snapshot)
    ground.store.harden()
    return ground.outside.witness.add(head.size, head.root, ground.outside.clock.now())


def new_epoch(ground: Ground, principal: Principal, *, why: str) -> str:
    """Accept a log that is older than its witness, on record: a person's act after a restore.

    `why` is one lower-case word such as `rolled-back`; notes are never erased, so nothing
    else goes in.  Returns the signed note that cites the old checkpoint.
    """
    ground.refuse_unwritable()
    notes = list(ground.outside.witness.notes())
    if not notes:
        raise BadInput(
            "No checkpoint was signed yet that a new epoch could follow.",
            advice="Sign one with `muniment checkpoint`; a new epoch is for a log that is older than one.",
        )
    with ground.store.transaction() as transaction:
        head = transaction.head()
        actor_known = Known(actor=0, recorded=from_micros(head.recorded))
        verdict = judge(Administer(principal, "new_epoch"), actor_known)
        if verdict.refused:
            raise Refusal(verdict.reason.sentence, advice=verdict.reason.advice)
        # A journal that cannot be read is found before the witness accepts the older log.
        entries = erase_again.unknown_entries(ground, transaction)
        note = ground.outside.witness.new_epoch(
            notes[-1], head.size, head.root, why=why, at=ground.outside.clock.now()
        )
        moved = replace(head, epoch=head.epoch + 1)
        transaction.set_analyser(replace(moved, mac=head_mac(ground.vault_key, moved)))
        draft = Draft.begun(ground, transaction)
        draft.commit("new-epoch", actor=draft.actor(principal), outcome="stored", epoch=moved.epoch)
        # Before anything of the older state can be read: what was erased since goes again.
        certificates = erase_again.repeat(ground, transaction, entries)
    ground.forget_names()
    erase_again.finish(ground, certificates)
    return note
