"""Where does a measured vault lie, and what lies in it?  In a file or a database, with a clock of its own."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from muniment import limits, wiring
from muniment.adapters.analyser import Analyser
from muniment.adapters.carrier import FileCarrier
from muniment.adapters.embedders import StaticEmbedder
from muniment.adapters.keys import FileKeyring, vault_id_of
from muniment.adapters.system import SystemClock, SystemIds
from muniment.adapters.witness import FileWitness
from muniment.domain.changes import Page
from muniment.domain.checkpoint import origin_of
from muniment.domain.principal import local_owner
from muniment.domain.trust import Trust
from muniment.later import Later
from muniment.recall.eligibility import Eligibility, Sort
from muniment.service.ground import Ground
from muniment.service.vault import Vault

if TYPE_CHECKING:
    from muniment.store.postgres import opened as postgres
else:
    postgres = Later("muniment.store.postgres.opened")


_NEAR = 50
"""How many rows of each lane a probe looks at."""


class MovedClock:
    """Tell the system's time, moved by what a test let pass."""

    def __init__(self) -> None:
        self._system = SystemClock()
        self.passed = timedelta()

    def now(self) -> datetime:
        """Return the moment that it is for the vault."""
        return self._system.now() + self.passed


def in_file(path: Path, clock: MovedClock) -> Vault:
    """Open the vault of a file, or make it, in its owner's hands."""
    opened = wiring.open_vault(path).ground
    ground = Ground(opened.store, replace(opened.outside, clock=clock), opened.tenant)
    return wiring.held(ground, local_owner(wiring.TENANT))


def in_database(address: str, keys: Path, clock: MovedClock) -> Vault:
    """Open the tenant whose keys lie in a directory, or make both.

    The tenant is called after its vault, so that any number of them lie in one database.
    """
    vault_id = vault_id_of(keys)
    if vault_id is None:
        vault_id = SystemIds().salt(16).hex()
        keyring = FileKeyring.create(keys, vault_id)
        first = wiring.first_head(vault_id, keyring, now=clock.now(), analyser=Analyser().version)
        store = postgres.create(address, first, tenant=vault_id)
    else:
        keyring = FileKeyring.load(keys, vault_id)
        store = postgres.open_existing(address, tenant=vault_id)
    with store.snapshot() as snapshot:
        head = snapshot.head()
    outside = wiring.outside_of(
        keyring,
        embedder=StaticEmbedder(),
        witness=FileWitness(keys, keyring, origin_of(head.vault, head.epoch)),
        clock=clock,
        ids=SystemIds(),
    )
    ground = Ground(store, replace(outside, carrier=FileCarrier(keys)), wiring.TENANT)
    return wiring.held(ground, local_owner(wiring.TENANT))


def near(ground: Ground, text: str) -> Iterator[str]:
    """Yield what both indexes and the vectors hold near to a text, in any state; nothing is logged."""
    vector, _ = ground.vector_of(text)
    terms = ground.outside.analyser.terms(text)
    with ground.store.snapshot() as snapshot:
        spaces = tuple(row.n for row in snapshot.spaces())
        found: dict[Sort, set[int]] = {sort: set() for sort in Sort}
        for then in (False, True):
            eligible = Eligibility(
                spaces,
                snapshot.head().recorded,
                trusts=tuple(Trust),
                then=then,
                any_interval=True,
                show_rejected=True,
                show_expired=True,
            )
            view = snapshot.view(eligible, model=ground.outside.embedder.model)
            for sort in Sort:
                lanes = (
                    view.lexical(terms, sort, rows_max=_NEAR),
                    view.nearest(vector, sort, rows_max=_NEAR),
                )
                found[sort] |= {candidate.n for lane in lanes for candidate in lane}
        yield from (sealed.row.text for sealed in snapshot.versions_at(sorted(found[Sort.MEMORY])))
        yield from (sealed.row.text for sealed in snapshot.evidence_at(sorted(found[Sort.EVIDENCE])))


def drop_indexes(ground: Ground) -> None:
    """Fill both indexes with a word that nobody asks for, and stamp the vectors as another model's."""
    with ground.store.transaction() as transaction:
        transaction.rebuild(lambda text: ("lost",))
        for n, text in transaction.unembedded("lost", Page(0, limits.batch_items_max)):
            vector, _ = ground.vector_of(text)
            if vector:
                transaction.set_vector(n, vector, model="lost")
