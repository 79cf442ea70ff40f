"""How are the indexes built anew from the rows?  They are disposable, rows are not."""

import json
from collections.abc import Callable

from muniment import limits
from muniment.domain.memory import Claim, findable_text
from muniment.recall.eligibility import Sort
from muniment.store import codec
from muniment.store.sql_session import Glue, SqlSession

Terms = Callable[[str], tuple[str, ...]]

_LIVE_TRUSTS_END = 1
"""Largest number of a live state (codec.TRUSTS)."""


def rebuilt(session: SqlSession, *, tenant: int, glued: Glue, terms: Terms) -> int:
    """Empty both shelves and the counts, then index every row; return how many."""
    session.run("empty_live")
    session.run("empty_past")
    session.run("empty_statistics", tenant=tenant)
    return _versions(session, tenant, glued, terms=terms) + _evidence(session, tenant, glued, terms=terms)


def _versions(session: SqlSession, tenant: int, glued: Glue, *, terms: Terms) -> int:
    after = count = 0
    while rows := session.run(
        "index_rows_of_versions", tenant=tenant, after=after, rows_max=limits.batch_items_max
    ):
        for n, space, trust, text, about, attribute, value, tags, newest in rows:
            claim = Claim(str(text), str(about or ""), str(attribute or ""), str(value or ""))
            found = terms(findable_text(claim, json.loads(str(tags or "[]"))))
            session.run("set_version_terms", tenant=tenant, n=n, terms=codec.pressed_terms(found))
            index_text = glued(int(space or 0), Sort.MEMORY, " ".join(found))
            live = bool(newest) and int(trust or 0) <= _LIVE_TRUSTS_END
            session.run("index_live" if live else "index_past", n=n, terms=index_text)
            if live:
                _counted(session, tenant, int(space or 0), sort=Sort.MEMORY, words=len(found))
            after, count = int(n or 0), count + 1
    return count


def _evidence(session: SqlSession, tenant: int, glued: Glue, *, terms: Terms) -> int:
    after = count = 0
    while rows := session.run(
        "index_rows_of_evidence", tenant=tenant, after=after, rows_max=limits.batch_items_max
    ):
        for n, space, text, findable in rows:
            after = int(n or 0)
            if not findable:
                continue
            found = terms(str(text))
            session.run("set_evidence_terms", tenant=tenant, n=n, terms=codec.pressed_terms(found))
            session.run("index_live", n=n, terms=glued(int(space or 0), Sort.EVIDENCE, " ".join(found)))
            _counted(session, tenant, int(space or 0), sort=Sort.EVIDENCE, words=len(found))
            count += 1
    return count


def _counted(session: SqlSession, tenant: int, space: int, *, sort: Sort, words: int) -> None:
    session.run("add_statistic", tenant=tenant, space=space, sort=sort.value, items=1, words=words)
