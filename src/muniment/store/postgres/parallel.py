"""How do several writers of one tenant work at once?  Locks on what they claim, the log's end last."""

import hashlib
from collections.abc import Sequence

from muniment.domain.changes import Changes, Claims, NewVersion
from muniment.domain.ledger import TenantHead
from muniment.domain.memory import Version
from muniment.domain.trust import LIVE
from muniment.recall.eligibility import Sort
from muniment.store import codec
from muniment.store.postgres.beside_session import BesideSession, Entry
from muniment.store.postgres.connection import placed
from muniment.store.row_values import Values, head_values, memory_values, version_values
from muniment.store.sql_transaction import SqlTransaction


def lock_key(tenant: int, *parts: int | str | bytes) -> int:
    """Return the 64 bits, signed, of the advisory lock that stands for something of a tenant.

    Two things with the same bits wait for each other, and nothing worse.
    """
    digest = hashlib.blake2b(digest_size=8, person=b"muniment lock")
    for part in (tenant, *parts):
        digest.update((part if isinstance(part, bytes) else str(part).encode()) + b"\x00")
    return int.from_bytes(digest.digest(), "big", signed=True)


def keys_of(tenant: int, claims: Claims) -> list[int]:
    """Return the keys of what is claimed, in the order in which everybody takes them."""
    keys = {lock_key(tenant, claims.space, "value", claims.value)}
    if claims.slot:
        keys.add(lock_key(tenant, claims.space, "slot", claims.slot))
    return sorted(keys)


class BesideTransaction(SqlTransaction):
    """Read and change what was claimed, beside others that claimed something else.

    What does not depend on the log's end is stored first; then the head is held, and what
    remains goes to the server in one go.
    """

    def begin(self, session: BesideSession, claims: Claims) -> None:
        """Take the locks and read what is known of the claims, in one round trip."""
        self._claims, self._beside = claims, session
        self._tally: dict[tuple[int, Sort], list[int]] = {}
        self._laid: list[bytes] = []
        self._is_plain = False
        self._numbers, self._door = lock_key(self._tenant, "number"), lock_key(self._tenant, "head")
        self._entered: Entry = session.enter(
            claims, keys=keys_of(self._tenant, claims), numbers=self._numbers
        )

    def head(self) -> TenantHead:
        """Return the head as it was when the locks were held; others may have moved it since."""
        return codec.head_of(self._entered.head)

    def free_number(self, least: int) -> int:
        """Return the first row number from `least` on that nobody beside it takes; it is taken now."""
        if least <= self._entered.number:
            return self._entered.number
        return self._beside.free_number(least, self._numbers)

    def same_value(self, space: int, digest: bytes) -> list[Version]:
        """Return the newest versions in `space` whose value digest is `digest`."""
        if (space, digest) != (self._claims.space, self._claims.value):
            return super().same_value(space, digest)
        return [sealed.row for sealed in self.versions_at(sorted(self._entered.same))]

    def slot(self, space: int, digest: bytes) -> list[Version]:
        """Return the newest versions in `space` whose slot digest is `digest`."""
        if (space, digest) != (self._claims.space, self._claims.slot):
            return super().slot(space, digest)
        return [sealed.row for sealed in self.versions_at(sorted(self._entered.slotted or ()))]

    def last_head(self, versions: Sequence[NewVersion], *, model: str) -> TenantHead | None:
        """Store what the log's end does not change; hold that end, and return the head there."""
        number = self._model_number(model) if model else 0
        self._is_plain = len(versions) == 1 and _is_born(versions[0])
        terms = [new.index.terms for new in versions]
        self._laid = [codec.pressed(each) for each in terms]
        if self._is_plain:
            return self._lay(versions[0], terms[0], model=number)
        for new, each in zip(versions, terms, strict=True):
            if new.replaces is not None:
                self._shelve(new.replaces, self._tally)
            self._index_version(new, each, model=number, counted=self._tally)
        return codec.head_of(self._beside.last_head(self._door))

    def _lay(self, new: NewVersion, terms: str, *, model: int) -> TenantHead:
        """Put a new memory on the live shelf, with the head that names it; then hold the log's end."""
        version = new.version
        if new.index.vector and model:
            place = (self._tenant, version.space, Sort.MEMORY.value, version.n)
            self._session.put("add_vector", (*place, model, new.index.vector))
        names = placed("add_memory", memory_values(self._tenant, version, new.head_mac))
        names |= {"words": self._glued(version.space, Sort.MEMORY, terms), "door": self._door}
        return codec.head_of(self._beside.lay_memory(names))

    def apply(self, changes: Changes) -> None:
        """Append the rows whose shelves are written, and move the head (I5)."""
        self._apply_rare(changes)
        rows = [
            version_values(self._tenant, new.version, new.seal, terms=terms)
            for new, terms in zip(changes.versions, self._laid, strict=True)
        ]
        if self._is_plain:
            self._add_jobs(changes)
            self._seal(changes, rows[0])
            return
        for row in rows:
            self._session.put("add_version", row)
        self._add_jobs(changes)
        self._record(changes, self._tally)

    def _seal(self, changes: Changes, row: Values) -> None:
        """Append a new memory's version, its counts and its record, and move the head, in one go."""
        names = placed("add_version", row) | placed("move_head", head_values(self._tenant, changes.head))
        names |= {
            "length": changes.versions[0].index.words,
            "fields": changes.record.head,
            "entries": changes.record.rows,
        }
        self._beside.seal_memory(names)


def _is_born(new: NewVersion) -> bool:
    """Return whether this is a new memory on the live shelf, as most are."""
    return new.replaces is None and new.version.trust in LIVE
