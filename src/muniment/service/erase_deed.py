"""What does one erasure do to the rows, and what does its certificate say of that?"""

import base64
from collections.abc import Callable, Mapping, Sequence

from muniment import limits
from muniment.domain.certificate import Certificate, Status, Store
from muniment.domain.changes import Gone, Page
from muniment.domain.checkpoint import origin_of
from muniment.domain.erased_rows import StubRow
from muniment.domain.erasure import STORES, Going, Plan
from muniment.domain.evidence import Evidence
from muniment.domain.intent import Administer
from muniment.domain.ledger import RowCode
from muniment.domain.link import Link
from muniment.domain.matter import CASES, Matter, Opening, Why
from muniment.domain.memory import Version
from muniment.domain.principal import Principal
from muniment.domain.tombstone import Tombstone
from muniment.domain.trust import Act, Trust
from muniment.gate.verdict import Closing
from muniment.ports import Transaction
from muniment.service.burying import Blocked
from muniment.service.cases import open_case
from muniment.service.draft import Draft
from muniment.service.erase_back import Returning
from muniment.service.erase_terms import Holds
from muniment.service.seals import committed
from muniment.service.writing import append_closing

_CACHED = frozenset({RowCode.ACTOR, RowCode.SPACE})
"""Kinds of row whose names each process keeps at hand until the tenant's generation moves."""


class Deed:
    """Gather and commit one erasure; `id` is given when one that was done is done again."""

    def __init__(self, draft: Draft, plan: Plan, *, actor: int, id: str = "") -> None:
        self._draft, self._plan, self.actor = draft, plan, actor
        self._ground = draft.ground
        self._buried = 0
        self.id = id or draft.ground.outside.ids.new("x")

    def gather(
        self, intent: Administer, blocked: Sequence[Blocked], holding: Callable[[Going], Holds]
    ) -> None:
        """Put everything that the erasure does into the draft, its tombstones too.

        `holding` says for each row that comes back which fields beside its text hold what
        was erased.
        """
        plan, draft = self._plan, self._draft
        for one in plan.going:
            draft.gone.append(_gone(one))
            draft.add_stub(self._stub(one))
            if one.put_back:
                Returning(draft, holding(one)).put(one)
        for memory in plan.disputes:
            for current in draft.transaction.currents((memory,)):
                closing = Closing(
                    current.version,
                    Trust.DISPUTED,
                    current.version.valid,
                    current.version.rank,
                    Act.DISPUTE.value,
                )
                append_closing(draft, closing, intent, actor=self.actor, reason="a source of it was erased")
                open_case(draft, Opening(Why.SOURCE_CHANGED, memory), actor=self.actor)
        self._open_again()
        for one_of in blocked:
            draft.add_tombstone(one_of.tombstone, one_of.found_by)
        self._buried = len(blocked)
        if not blocked and any(one.code in _CACHED for one in plan.going):
            # Every process learns by it that a name it has at hand went.
            draft.generation += 1

    def _open_again(self) -> None:
        """Open a case about each memory that stays disputed when the only one about it goes.

        It names no other side, since that is what went; else nobody could decide it any more.
        """
        rows = [one.sealed.row for one in self._plan.going if not one.put_back]
        cases = [row for row in rows if isinstance(row, Matter) and row.kind in CASES]
        left = {side for row in cases for side in row.sides if side.startswith("m_")}
        left -= set(self._plan.disputes)
        states = {row.n for row in rows if isinstance(row, Version)}
        transaction, going = self._draft.transaction, {row.id for row in cases}
        for current in transaction.currents(sorted(left)):
            memory = current.version.memory
            others = (row for row in transaction.matters_about((memory,)) if row.kind in CASES)
            stays = current.version.trust is Trust.DISPUTED and current.version.n not in states
            if stays and all(row.id in going for row in others):
                open_case(self._draft, Opening(Why.DOUBTED, memory), actor=self.actor)

    def _stub(self, going: Going) -> StubRow:
        row = going.sealed.row
        code, id, _ = committed(row)
        is_item = isinstance(row, Evidence) and not going.put_back
        return StubRow(
            n=self._draft.number(),
            code=code,
            entry_id=id,
            record=going.sealed.seal.record,
            index=going.sealed.seal.index,
            erasure=self.id,
            space=row.space if isinstance(row, Version | Evidence) else 0,
            origin=row.origin if is_item and isinstance(row, Evidence) else b"",
        )

    def commit(self, **fields: bool | str) -> int:
        """Put the erasure on record: ids and counts, nothing of what it took (I6)."""
        draft = self._draft
        return draft.commit(
            "erase",
            actor=self.actor,
            outcome="stored",
            erasure=self.id,
            plan=self._plan.digest,
            gone=len(self._plan.going),
            put_back=sum(one.put_back for one in self._plan.going),
            tombstones=len(draft.tombstones),
            disputed=len(self._plan.disputes),
            **fields,
        )

    def certificate(self, principal: Principal, before: Mapping[str, int]) -> Certificate:
        """Return what the certificate says of this erasure, once its rows are looked for again."""
        ground, plan, head = self._ground, self._plan, self._draft.transaction.head()
        names = [one for one in plan.going if one.code is RowCode.EVIDENCE]
        return Certificate(
            id=self.id,
            origin=origin_of(head.vault, head.epoch),
            size=head.size,
            root=base64.b64encode(head.root).decode("ascii"),
            tenant=ground.tenant,
            spaces=plan.spaces,
            requester=principal.credential or f"actor/{self.actor}",
            basis="request",
            requested=plan.made,
            logical=self._draft.recorded,
            storage=None,
            memories=plan.memories,
            evidence=tuple(dict.fromkeys(one.name for one in names)),
            stores=self._stores(before),
            tombstones=self._buried,
            tombstone_key=ground.outside.keyring.key_id,
            steps=("deleted",),
            status=Status.LOGICAL,
            uncovered=("older copies, exports and backups outside the vault: until they are destroyed",),
            key=base64.b64encode(ground.outside.keyring.public_key).decode("ascii"),
        )

    def _stores(self, before: Mapping[str, int]) -> tuple[Store, ...]:
        """Count per store what was found, what went, and what is not there any more when looked for."""
        transaction = self._draft.transaction
        after = transaction.counts()
        found = []
        for code, name in STORES.items():
            going = [one for one in self._plan.going if one.code is code]
            if going:
                absent = len(going) - _still_there(transaction, code, going)
                found.append(Store(name, len(going), len(going), absent))
        vectors = before.get("vector", 0) - after.get("vector", 0)
        jobs = before.get("job", 0) - after.get("job", 0)
        for name, count in (("vector", vectors), ("job", jobs)):
            if count > 0:
                found.append(Store(name, count, count, count))
        return tuple(found)


def _still_there(transaction: Transaction, code: RowCode, going: Sequence[Going]) -> int:
    """Return how many of the rows of one kind that went can still be read.

    A version or a piece of evidence is looked for under its old number, another row by its old seal:
    for those its kind is walked once, whatever their number.
    """
    ns = [one.sealed.row.n for one in going if isinstance(one.sealed.row, Version | Evidence)]
    if ns:
        found = transaction.versions_at(ns) if code is RowCode.VERSION else transaction.evidence_at(ns)
        return len(found)
    seals, count = {one.sealed.seal for one in going}, 0
    page = Page(0, limits.walk_rows_max)
    while rows := transaction.sealed_rows(code, page):
        count += sum(sealed.seal in seals for _, sealed in rows)
        page = Page(rows[-1][0], limits.walk_rows_max)
    return count


def _gone(going: Going) -> Gone:
    row = going.sealed.row
    if isinstance(row, Link | Tombstone):
        return Gone(going.code, id=row.id)
    return Gone(going.code, n=row.n)
