"""How are the indexes built anew from the rows?  They are disposable, rows are not."""

import json
from collections.abc import Callable
from dataclasses import dataclass

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


@dataclass(frozen=True, slots=True)
class _Rebuild:
    """Hold what every step of a rebuild needs; `alone` says that no other tenant shares the index."""

    session: SqlSession
    tenant: int
    glued: Glue
    terms: Terms
    alone: bool

    def moved(self, place: Place, *, old: str, found: tuple[str, ...], shelf: str) -> None:
        """Put a row's new terms on its shelf, taking the old ones off when others share it."""
        n, space, sort = place
        if not self.alone and old:
            self.session.run(_OFF[shelf], n=n, terms=self.glued(space, sort, old))
        self.session.run(_ON[shelf], n=n, terms=self.glued(space, sort, " ".join(found)))
        if shelf == "live":
            self.session.run(
                "add_statistic", tenant=self.tenant, space=space, sort=sort.value, items=1, words=len(found)
            )


def rebuilt(session: SqlSession, *, tenant: int, glued: Glue, terms: Terms) -> int:
    """Index every row of a tenant anew and count its statistics; return how many rows.

    A tenant that has the index to itself empties it first, which also mends a damaged one;
    among several, the stored terms take each row off before it is put back.
    """
    alone = len(session.run("tenants")) == 1
    if alone:
        session.run("empty_live")
        session.run("empty_past")
    session.run("empty_statistics", tenant=tenant)
    session.run("begin_counts", tenant=tenant)
    work = _Rebuild(session, tenant, glued, terms, alone)
    return _versions(work) + _evidence(work)


def _versions(work: _Rebuild) -> int:
    after = count = 0
    while rows := work.session.run(
        "index_rows_of_versions", tenant=work.tenant, after=after, rows_max=limits.batch_items_max
    ):
        for n, space, trust, text, about, attribute, value, tags, old, newest in rows:
            claim = Claim(str(text), str(about or ""), str(attribute or ""), str(value or ""))
            found = work.terms(findable_text(claim, json.loads(str(tags or "[]"))))
            after, count = int(n or 0), count + 1
            work.session.run(
                "set_version_terms", tenant=work.tenant, n=n, terms=codec.pressed(" ".join(found))
            )
            live = bool(newest) and int(trust or 0) <= _LIVE_TRUSTS_END
            shelf = "live" if live else "past"
            work.moved(
                (after, int(space or 0), Sort.MEMORY),
                old=codec.term_text(_bytes(old)),
                found=found,
                shelf=shelf,
            )
    return count


def _evidence(work: _Rebuild) -> int:
    after = count = 0
    while rows := work.session.run(
        "index_rows_of_evidence", tenant=work.tenant, after=after, rows_max=limits.batch_items_max
    ):
        for n, space, text, old, findable in rows:
            after = int(n or 0)
            if not findable:
                continue
            found = work.terms(str(text))
            work.session.run(
                "set_evidence_terms", tenant=work.tenant, n=n, terms=codec.pressed(" ".join(found))
            )
            old_terms = codec.term_text(_bytes(old))
            work.moved((after, int(space or 0), Sort.EVIDENCE), old=old_terms, found=found, shelf="live")
            count += 1
    return count


def _bytes(value: Value) -> bytes:
    return value if isinstance(value, bytes) else b""
