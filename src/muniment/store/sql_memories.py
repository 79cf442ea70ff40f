"""How are memories found by what they say, which slot they fill and in which state they are?"""

from collections.abc import Iterable, Sequence

from muniment import limits
from muniment.domain.carrying import PLAIN, Words
from muniment.domain.changes import Page, Sealed
from muniment.domain.ids import packed
from muniment.domain.memory import Version
from muniment.recall.eligibility import FOREVER
from muniment.store import codec
from muniment.store.codec import Columns, Value
from muniment.store.sql_session import SqlSession

_LISTINGS = {
    "matters_in": ("matters_after", "matters_before"),
    "matters_of_one": ("matters_after", "matters_of_one_before"),
    "memories": ("memories_after", "memories_before"),
    "recalls": ("recalls_after", "recalls_before"),
    "records": ("records_after", "records_before"),
    "sessions": ("sessions_after", "sessions_before"),
    "turns": ("turns_after", "turns_before"),
}
"""Which statements page through a listing, onward and backward."""


class SqlMemories:
    """Find the memories of one tenant, through one session."""

    def __init__(self, session: SqlSession, *, tenant: int) -> None:
        self._session, self._tenant = session, tenant

    def versions_at(self, ns: Sequence[int]) -> list[Sealed[Version]]:
        """Return the versions with these row numbers."""
        rows = self._run("versions_at", ns=numbers(ns)) if ns else []
        return [Sealed(codec.version_of(row), codec.seal_of(row)) for row in rows]

    def same_value(self, space: int, digest: bytes) -> list[Version]:
        """Return the newest versions in `space` whose value digest is `digest`."""
        rows = self._run("same_value", space=space, digest=digest, rows_max=limits.page_rows_max)
        return [sealed.row for sealed in self.versions_at(sorted(codec.key_of(n) for (n,) in rows))]

    def slot(self, space: int, digest: bytes) -> list[Version]:
        """Return the newest versions in `space` whose slot digest is `digest`."""
        rows = self._run("same_slot", space=space, digest=digest, rows_max=limits.page_rows_max)
        return [sealed.row for sealed in self.versions_at(sorted(codec.key_of(n) for (n,) in rows))]

    def memories(self, spaces: Sequence[int], trusts: Sequence[str], page: Page) -> list[Version]:
        """Return newest versions of these spaces and states, by row number."""
        states = numbers(codec.trust_numbers(trusts))
        rows = self._paged("memories", page, spaces=numbers(spaces), trusts=states)
        return [codec.version_of(row) for row in rows]

    def carriers(
        self, space: int, trusts: Sequence[str], words: tuple[Words, Words], *, page: Page
    ) -> list[Version]:
        """Return newest versions of a space and states that may carry one of two texts, by row number."""
        rows = self._run(
            "carriers_after",
            after=page.after,
            space=space,
            trusts=numbers(codec.trust_numbers(trusts)),
            words=_pattern(words[0]),
            others=_pattern(words[1]),
            plain=PLAIN,
            rows_max=max(0, min(page.limit, limits.page_rows_max)),
        )
        return [codec.version_of(row) for row in rows]

    def _run(self, name: str, /, **values: Value) -> list[Columns]:
        return self._session.run(name, tenant=self._tenant, **values)

    def _paged(self, listing: str, page: Page, **values: Value) -> list[Columns]:
        """Return one page of a listing, in the page's direction."""
        rows_max = max(0, min(page.limit, limits.page_rows_max))
        onward, backward = _LISTINGS[listing]
        if page.newest_first:
            before = page.after if page.after > 0 else FOREVER
            return self._run(backward, before=before, rows_max=rows_max, **values)
        return self._run(onward, after=page.after, rows_max=rows_max, **values)


def hex_list(ids: Sequence[str]) -> str:
    """Return ids as the JSON list of hexadecimal texts that statements take."""
    return bytes_list([packed(id) for id in ids])


def bytes_list(values: Sequence[bytes]) -> str:
    """Return bytes as a JSON list of hexadecimal texts."""
    return '["' + '","'.join([value.hex() for value in values]) + '"]' if values else "[]"


def numbers(values: Iterable[int]) -> str:
    """Return numbers as a JSON list.  A list of them is spelled alike in both languages."""
    return str(list(values))


def _pattern(words: Words) -> str:
    """Return what texts with these words in order are like; words hold no sign of a pattern."""
    return f"%{'%'.join(words)}%"
