"""How is a vault looked over that cannot be opened as usual?  Read only, for what `verify` and `doctor` say.

What was altered behind the gate can keep a vault from being opened at all: a head that holds what
was never written, a certificate without which nobody knows what was erased since.  Whoever asks what
is wrong is answered here; nothing else is read, and nothing is written.
"""

from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from muniment import limits
from muniment.adapters.analyser import Analyser
from muniment.adapters.keys import FileKeyring, copy_keys, keys_beside, vault_id_of
from muniment.adapters.system import SystemClock, SystemIds
from muniment.adapters.witness import FileWitness
from muniment.domain.check import Check
from muniment.domain.checkpoint import origin_of
from muniment.domain.ledger import TenantHead
from muniment.errors import BadStore, MunimentError, Tampered, Unreadable
from muniment.ports import Store
from muniment.service import upkeep, verify
from muniment.service.findings import Finding, Kind, Report
from muniment.service.ground import Ground, memory_mac
from muniment.settings import Settings
from muniment.store.sqlite import opened, salvage
from muniment.wiring import Place, embedder_of, grounded, outside_of, place_at

_WHY = "The vault is only looked over."
_MISNAMED = "The head of the log is called otherwise than any of ours."


@dataclass(frozen=True, slots=True)
class Looked:
    """Hold a vault that is looked over, and why it could not be opened as usual."""

    ground: Ground
    why: MunimentError
    misnamed: bool = False

    def verify(self) -> Report:
        """Walk all records, rows and heads; the report names what does not hold (I6).

        No seal binds the name by which the head is found, so one that is not ours is added here.
        """
        report = verify.verify(self.ground)
        if not self.misnamed:
            return report
        first = Finding(Kind.ALTERED_HEAD, "", -1, _MISNAMED)
        found = (first, *report.findings)[: limits.findings_max]
        return replace(report, ok=False, findings=found, total=report.total + 1)

    def doctor(self) -> tuple[Check, ...]:
        """Return every health check, the one of the opening first."""
        return (Check("opening", False, self.why.sentence), *upkeep.doctor(self.ground))

    def close(self) -> None:
        """Close the store."""
        self.ground.store.close()


def look_over(address: str, settings: Settings, *, why: MunimentError) -> Looked:
    """Open a vault for looking only; `why` is what an opening as usual raised.

    What an older copy has not been told of is not caught up on, and the head may hold anything.
    Raises Unreadable where there is no vault, MissingKey and LooseKeys for a key directory that is
    not in order, and `why` for a file whose head names no vault of ours.
    """
    place = place_at(address, settings)
    store, misnamed = _found(place, address, why)
    if store is None:
        raise Unreadable("There is no vault at this path.", advice="Make one with `muniment init`.")
    own = vault_id_of(place.keys) or _named(store)
    keyring = FileKeyring.load(place.keys, own)
    outside = outside_of(
        keyring,
        embedder=embedder_of(settings),
        witness=FileWitness(place.keys, keyring, origin_of(own, 1)),
        clock=SystemClock(),
        ids=SystemIds(),
    )
    read_only = replace(outside, writable=False, why_read_only=_WHY)
    return Looked(grounded(place, store, read_only, vault=own), why, misnamed)


def _found(place: Place, address: str, why: MunimentError) -> tuple[Store | None, bool]:
    """Return the vault's store, and whether it was found by another name than ours; raises `why`."""
    try:
        return place.find(), False
    except Tampered:
        store = None if "://" in address else opened.open_only(Path(address).expanduser())
        if store is None:
            raise why from None
        return store, True


def _named(store: Store) -> str:
    """Return the vault's id as its head has it; raises Tampered for a head that cannot be read."""
    with store.snapshot() as snapshot:
        head: TenantHead = snapshot.head()
    return head.vault


def salvage_vault(address: str, copy: str) -> salvage.Salvaged:
    """Copy what can be read of a damaged vault's file, and its keys, to a new path.

    The damaged file is only read.  Raises BadStore for a server's address or when there is
    something at the new path, Unreadable and DamagedFile as `salvage` does, and LooseKeys
    and MissingKey for a key directory that is not in order.
    """
    if "://" in address:
        raise BadStore("Only a vault's file is salvaged.", advice="Restore the database from its backup.")
    path, out = Path(address).expanduser(), Path(copy).expanduser()
    keys, keys_out = keys_beside(path), keys_beside(out)
    if keys_out.exists():
        raise BadStore("There are keys at the path of the copy already.", advice="Name a new path.")
    if not path.is_file():
        raise Unreadable("There is no vault at this path.")
    vault_id = vault_id_of(keys)
    keyring = FileKeyring.load(keys, vault_id) if vault_id else None
    seal = None if keyring is None else partial(memory_mac, keyring.vault_key)
    found = salvage.salvage(path, out, terms=Analyser().terms, seal=seal)
    if keyring is not None:
        copy_keys(keys, keys_out)
    return found
