"""How are the indexes built anew from the rows?  They are disposable, rows are not."""

import json
from collections.abc import Callable
from dataclasses import dataclass, field

from muniment import limits
from muniment.domain.memory import Claim, findable_text
from muniment.recall.eligibility import Sort
from muniment.store import codec
from muniment.store.codec import Value
from muniment.store.sql_session import Glue, SqlSession

Place = tuple[int, int, Sort]
"""A row's number, space and sort."""

Terms = Callable[[str], tuple[str, ...]]

_LIVE_TRUSTS_END = 1
"""Largest number of a live state (codec.TRUSTS)."""


_ON = {"live": "index_live", "past": "index_past"}
_OFF = {"live": "unindex_live", "past": "unindex_past"}
"""Which statement puts a row on a shelf, and which takes it off."""

_KEEP = {Sort.MEMORY: "set_version_terms", Sort.EVIDENCE: "set_evidence_terms"}
"""Which statement keeps the terms of a row beside it."""


@dataclass(slots=True)
class _Rebuild:
    """Hold what every step of a rebuild needs; `alone` says that no other tenant shares the index.

    Rows are written a page at a time, since other writers wait meanwhile, and counts once at the end.
    """

    session: SqlSession
    tenant: int
    glued: Glue
    terms: Terms
    alone: bool
    waiting: dict[str, list[tuple[Value, ...]]] = field(default_factory=dict)
    counted: dict[tuple[int, Sort], list[int]] = field(default_factory=dict)
    rows: int = 0

    def placed(self, place: Place, *, old: bytes, found: tuple[str, ...], shelf: str) -> None:
        """Keep a row's terms where they changed, and put it on its shelf, off which others need it taken."""
        n, space, sort = place
        pressed, old_terms = codec.pressed(" ".join(found)), codec.term_text(old)
        if pressed != old:
            self._later(_KEEP[sort], (pressed, self.tenant, n))
        if not self.alone and old_terms:
            self.session.run(_OFF[shelf], n=n, terms=self.glued(space, sort, old_terms))
        self._later(_ON[shelf], (n, self.glued(space, sort, " ".join(found))))
        self.rows += 1
        if shelf == "live":
            count = self.counted.setdefault((space, sort), [0, 0])
            count[0] += 1
            count[1] += len(found)

    def _later(self, name: str, values: tuple[Value, ...]) -> None:
        self.waiting.setdefault(name, []).append(values)

    def write(self) -> None:
        """Run what waits for the end of the page."""
        for name, rows in self.waiting.items():
            self.session.put_many(name, rows)
        self.waiting.clear()

    def count(self) -> None:
        """Write the counts of every space and sort."""
        for (space, sort), (items, words) in self.counted.items():
            values: dict[str, Value] = {"space": space, "sort": sort.value, "items": items, "words": words}
            self.session.run("add_statistic", tenant=self.tenant, **values)


def rebuilt(session: SqlSession, *, tenant: int, glued: Glue, terms: Terms) -> int:
    """Index every row of a tenant anew and count its statistics; return how many rows.

    All of it is one transaction: until it is committed every reader has the old index, and
    when it is interrupted everybody keeps it.  A tenant that has the index to itself empties
    it first, which also mends a damaged one; among several, the stored terms take each row
    off before it is put back.
    """
    alone = len(session.run("tenants")) == 1
    if alone:
        session.run("empty_live")
        session.run("empty_past")
    session.run("empty_statistics", tenant=tenant)
    session.run("begin_counts", tenant=tenant)
    work = _Rebuild(session, tenant, glued, terms, alone)
    _versions(work)
    _evidence(work)
    work.count()
    return work.rows


def _versions(work: _Rebuild) -> None:
    after = 0
    while rows := work.session.run(
        "index_rows_of_versions", tenant=work.tenant, after=after, rows_max=limits.batch_items_max
    ):
        for n, space, trust, text, about, attribute, value, tags, old, newest in rows:
            claim = Claim(str(text), str(about or ""), str(attribute or ""), str(value or ""))
            found = work.terms(findable_text(claim, json.loads(str(tags or "[]"))))
            after = int(n or 0)
            live = bool(newest) and int(trust or 0) <= _LIVE_TRUSTS_END
            place = (after, int(space or 0), Sort.MEMORY)
            work.placed(place, old=_bytes(old), found=found, shelf="live" if live else "past")
        work.write()


def _evidence(work: _Rebuild) -> None:
    after = 0
    while rows := work.session.run(
        "index_rows_of_evidence", tenant=work.tenant, after=after, rows_max=limits.batch_items_max
    ):
        for n, space, text, old, findable in rows:
            after = int(n or 0)
            if findable:
                place = (after, int(space or 0), Sort.EVIDENCE)
                found = work.terms(str(text))
                work.placed(place, old=_bytes(old), found=found, shelf="live")
        work.write()


def _bytes(value: Value) -> bytes:
    return value if isinstance(value, bytes) else b""
