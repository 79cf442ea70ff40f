"""How do rows leave a SQL store, or its index alone?  Index, vector, counts, jobs and head, then the row."""

from collections.abc import Sequence

from muniment.domain.changes import Gone, TurnsMoved
from muniment.domain.evidence import TurnState
from muniment.domain.ids import packed
from muniment.domain.ledger import RowCode
from muniment.recall.eligibility import Sort
from muniment.store import codec
from muniment.store.sql_session import Glue, SqlSession

Counted = dict[tuple[int, Sort], list[int]]
"""How many rows and words a space and sort gained, by space and sort."""

_BY_ID = {RowCode.LINK: "erase_link", RowCode.TOMBSTONE: "erase_tombstone"}
_BY_NUMBER = {
    RowCode.SESSION: "erase_session",
    RowCode.ACTOR: "erase_actor",
    RowCode.RECALL: "erase_recall",
    RowCode.MATTER: "erase_matter",
    RowCode.SPACE: "erase_space",
    RowCode.CREDENTIAL: "erase_credential",
}
"""Which statement takes a row of a kind away; other kinds of row never go."""

_LIVE_TRUSTS_END = 1
_REWOUND = 2
"""Largest number of a live trust, and the number of a rewound turn (codec)."""


class Leaving:
    """Take rows of one tenant away, within the transaction of an erasure.

    `firsts` is where the first versions lie of the memories whose heads went: a newer state that
    comes back under such a head has to name it again.
    """

    def __init__(self, session: SqlSession, *, tenant: int, glued: Glue, counted: Counted) -> None:
        self._session = session
        self._tenant = tenant
        self._glued = glued
        self._counted = counted
        self.firsts: dict[str, int] = {}

    def take(self, gone: Sequence[Gone]) -> None:
        """Take every named row away; one that is not there is passed over."""
        for one in gone:
            if one.code is RowCode.VERSION:
                self._version(one.n)
            elif one.code is RowCode.EVIDENCE:
                self._evidence(one.n)
            elif one.code in _BY_ID:
                self._session.run(_BY_ID[one.code], tenant=self._tenant, id=packed(one.id))
            else:
                self._session.run(_BY_NUMBER[one.code], tenant=self._tenant, n=one.n)

    def _version(self, n: int) -> None:
        for memory, space, trust, stored, first in self._session.run(
            "going_version", tenant=self._tenant, n=n
        ):
            terms, is_newest = codec.term_text(stored), first is not None
            if is_newest and trust <= _LIVE_TRUSTS_END:
                self._off_live(n, space, Sort.MEMORY, terms=terms)
            else:
                glued = self._glued(space, Sort.MEMORY, terms)
                self._session.run("unindex_past", tenant=self._tenant, n=n, terms=glued)
            if is_newest:
                self._session.run("erase_head", tenant=self._tenant, memory=memory)
                self.firsts[codec.id_of(memory)] = first
            self._row("erase_version", n)

    def _evidence(self, n: int) -> None:
        for space, state, stored in self._session.run("going_evidence", tenant=self._tenant, n=n):
            terms = codec.term_text(stored)
            if terms and state != _REWOUND:
                self._off_live(n, space, Sort.EVIDENCE, terms=terms)
            self._row("erase_evidence", n)

    def move(self, turns: Sequence[TurnsMoved]) -> None:
        """Mark turns; those that are rewound leave the index first."""
        for moved in turns:
            place = {"session": moved.session, "first": moved.first, "last": moved.last}
            if moved.state is TurnState.REWOUND:
                for n, space, stored in self._session.run("going_turns", tenant=self._tenant, **place):
                    self._off_live(n, space, Sort.EVIDENCE, terms=codec.term_text(stored))
            state = codec.STATE_NUMBER[moved.state]
            self._session.run("move_turns", tenant=self._tenant, state=state, **place)

    def _row(self, name: str, n: int) -> None:
        self._session.run("erase_jobs_of", tenant=self._tenant, n=n)
        self._session.run(name, tenant=self._tenant, n=n)

    def _off_live(self, n: int, space: int, sort: Sort, *, terms: str) -> None:
        glued = self._glued(space, sort, terms)
        self._session.run("unindex_live", tenant=self._tenant, n=n, terms=glued)
        self._session.run("drop_vector", tenant=self._tenant, space=space, sort=sort.value, n=n)
        entry = self._counted.setdefault((space, sort), [0, 0])
        entry[0] -= 1
        entry[1] -= len(terms.split(" ")) if terms else 0
