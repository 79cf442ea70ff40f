"""How do several writers of one tenant work at once?  Locks on what they claim, the log's end last."""

import hashlib
from collections.abc import Sequence

from muniment.domain.changes import Changes, Claims, NewVersion
from muniment.domain.ledger import TenantHead
from muniment.domain.memory import Version
from muniment.recall.eligibility import Sort
from muniment.store import codec
from muniment.store.postgres.beside_session import BesideSession, Entry
from muniment.store.row_values import version_values
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
        self._numbers = lock_key(self._tenant, "number")
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
        for new in versions:
            if new.replaces is not None:
                self._shelve(new.replaces, self._tally)
            terms = " ".join(new.index.terms)
            self._index_version(new, terms, model=number, counted=self._tally)
            self._laid.append(codec.pressed(terms))
        return self._held()

    def _held(self) -> TenantHead:
        """Wait for the log's end, and return the head there."""
        return codec.head_of(self._beside.last_head(lock_key(self._tenant, "head")))

    def apply(self, changes: Changes) -> None:
        """Append the rows whose shelves are written, and move the head (I5)."""
        for new, terms in zip(changes.versions, self._laid, strict=True):
            values = version_values(self._tenant, new.version, new.seal, terms=terms)
            self._session.put("add_version", values)
        self._apply_rare(changes)
        self._finish(changes, self._tally)
        self._record(changes)
