"""Which classes stand behind the ports?  The one place that knows them all."""

import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from muniment.adapters.analyser import Analyser
from muniment.adapters.carrier import FileCarrier, finish_adoption
from muniment.adapters.embedders import AbsentEmbedder, StaticEmbedder
from muniment.adapters.journal import FileJournal, MemoryJournal
from muniment.adapters.keys import FileKeyring, Keyring, MemoryKeyring, keys_beside, vault_id_of
from muniment.adapters.sieve import Sieve
from muniment.adapters.system import SystemClock, SystemIds
from muniment.adapters.witness import FileWitness, MemoryWitness
from muniment.domain.changes import Extracted
from muniment.domain.checkpoint import origin_of
from muniment.domain.evidence import Span
from muniment.domain.ledger import TenantHead, same_bytes
from muniment.domain.memory import Claim, Kind
from muniment.domain.principal import Principal, local_owner
from muniment.domain.timeline import to_micros
from muniment.drivers.baseline import BaselineDriver
from muniment.errors import BadInput, BadStore, MissingKey, NotFound, Tampered, Unreadable
from muniment.gate.signs import signs
from muniment.later import Later
from muniment.ports import Clock, Embedder, Ids, Outside, Store
from muniment.service.ground import Ground, head_mac, with_newest
from muniment.service.recall_log import RecallLog
from muniment.service.vault import Vault
from muniment.service.witnessing import Witnessing
from muniment.settings import Settings, database_name, is_in_words, settings_from
from muniment.store.migrations import newest
from muniment.store.sqlite import opened

if TYPE_CHECKING:
    from muniment.adapters import block_files, chunks, extractor, models, readers
    from muniment.service import credentials, erase_again
    from muniment.store import memory
else:
    # A recall by the owner takes nothing in, holds no key and has its vault in a file.
    block_files, chunks = Later("muniment.adapters.block_files"), Later("muniment.adapters.chunks")
    extractor, models = Later("muniment.adapters.extractor"), Later("muniment.adapters.models")
    readers = Later("muniment.adapters.readers")
    credentials = Later("muniment.service.credentials")
    erase_again = Later("muniment.service.erase_again")
    memory = Later("muniment.store.memory")

TENANT = "local"
"""The tenant of an embedded vault."""

_DATABASE_SCHEMES = ("postgresql", "postgres")


@dataclass(frozen=True, slots=True)
class Place:
    """Hold where a vault lies: its keys, and how its store is found there or made.

    `find` returns nothing when there is no vault yet; `unwritable` says why the place takes
    no writes, empty when it does.
    """

    keys: Path
    find: Callable[[], Store | None]
    make: Callable[[TenantHead], Store]
    unwritable: str = ""


def current_settings() -> Settings:
    """Return the settings of this process's environment."""
    return settings_from(os.environ)


def open_vault(
    address: str | os.PathLike[str] | None = None, key: str | None = None, *, settings: Settings | None = None
) -> Vault:
    """Open a vault, making it when there is none at the path; without a key the local owner holds it.

    `address` is a path, the address of a PostgreSQL database, or nothing for the vault of
    the home directory.  Raises BadStore for an address that cannot be opened here,
    BadCredential for a key that does not fit, Disconnected for a server that does not
    answer, and the errors of a file that is not a vault, newer, or without its keys.
    """
    settings = settings or current_settings()
    ground = _ground(place_at(address, settings), settings)
    if settings.model_url:
        ground.judge = models.judge_of(settings)
    principal = local_owner(TENANT) if not key else credentials.principal_of(ground, key)
    return held(ground, principal)


def word_pieces(text: str) -> int:
    """Return how many word pieces of the embedder's vocabulary a text has, whether it is used or not."""
    return StaticEmbedder().pieces(text)


def migrate_vault(address: str, settings: Settings) -> int:
    """Bring the schema at an address up to date and return its number.

    A file is also brought up to date by opening it; a database only here, as the role that
    owns the tables.  Raises what `open_vault` raises.
    """
    if address.partition("://")[0] in _DATABASE_SCHEMES:
        number: int = _postgres().migrate_database(address)
        return number
    store = place_at(address, settings).find()
    if store is None:
        raise Unreadable("There is no vault at this path.", advice="Make one with `muniment init`.")
    store.close()
    return newest(opened.MIGRATIONS)


def keys_at(address: str, settings: Settings) -> Path:
    """Return the directory of the keys of the vault at an address."""
    return place_at(address, settings).keys


def held(ground: Ground, principal: Principal) -> Vault:
    """Return the vault in the hands of a principal."""
    return Vault(ground, principal, recalls=RecallLog(ground), witnessing=Witnessing(ground))


def place_at(address: str | os.PathLike[str] | None, settings: Settings) -> Place:
    """Return the place of a vault; raises BadInput and BadStore for an address that can be none."""
    given = settings.vault if address is None else address
    if not isinstance(given, str | os.PathLike):
        raise BadInput("The vault's address is not a path.")
    text = os.fspath(given)
    if not isinstance(text, str) or not text.strip() or "\x00" in text or not _can_be_a_file(text):
        raise BadInput("The vault's address is empty or not a text.")
    scheme, separator, _ = text.partition("://")
    if not separator and is_in_words(text):
        raise BadStore("A database's address is given as postgresql://ROLE@HOST/DATABASE.")
    if not separator:
        return _file(Path(text).expanduser())
    if scheme not in _DATABASE_SCHEMES:
        raise BadStore(f"This release opens no {scheme[:20]} address.")
    return _database(text, settings)


def _can_be_a_file(text: str) -> bool:
    """Return whether the file system could know this name; bytes that are no text may come so."""
    try:
        os.fsencode(text)
    except UnicodeEncodeError:
        return False
    return True


def _file(path: Path) -> Place:
    """Return the place of a SQLite file, which is made with its directory."""
    if path.is_dir():
        raise BadStore("The vault's path is a directory.", advice="Name a file in it.")
    if path.exists() and not path.is_file():
        raise BadStore("The vault's path is no ordinary file.", advice="Name a file of its own.")
    is_there = path.exists() and path.stat().st_size > 0

    def find() -> Store | None:
        # Looked at again: another process may have made it since.
        if not path.exists() or path.stat().st_size == 0:
            return None
        try:
            return opened.open_existing(path, tenant=TENANT)
        except NotFound:
            # Its making was interrupted when nobody has a row in it; then it is made now.
            if opened.holds_tenants(path):
                advice = "See `muniment verify`, then restore an export or try `muniment salvage COPY`."
                raise Tampered(
                    "The file's head names no vault of ours; it was altered.", advice=advice
                ) from None
            return None

    def make(head: TenantHead) -> Store:
        return opened.create(path, head, tenant=TENANT)

    return Place(
        keys=keys_beside(path),
        find=find,
        make=make,
        unwritable="The vault's file cannot be written." if is_there and not os.access(path, os.W_OK) else "",
    )


def _database(address: str, settings: Settings) -> Place:
    """Return the place of a tenant in a PostgreSQL database; its keys lie on this machine."""
    postgres = _postgres()
    any_role = settings.database_role == "any"

    def find() -> Store | None:
        if any_role:
            postgres.migrate_database(address)
        try:
            store: Store = postgres.open_existing(address, tenant=TENANT, any_role=any_role)
        except NotFound:
            return None
        return store

    def make(head: TenantHead) -> Store:
        store: Store = postgres.create(address, head, tenant=TENANT, any_role=any_role)
        return store

    return Place(settings.keys or settings.home / f"{database_name(address)}.keys", find, make)


def _postgres() -> ModuleType:
    """Return the PostgreSQL store, by name: its driver is an extra, and costs a third of a second."""
    try:
        return import_module("muniment.store.postgres.opened")
    except ModuleNotFoundError as error:
        advice = "Install it with `pip install 'muniment[pg]'`."
        raise BadStore("This address needs the extra `pg`.", advice=advice) from error


def embedder_of(settings: Settings) -> Embedder:
    """Return the embedder that the settings ask for."""
    return AbsentEmbedder() if settings.embedder == "off" else StaticEmbedder()


def _ground(place: Place, settings: Settings) -> Ground:
    clock, ids = SystemClock(), SystemIds()
    store = place.find()
    if store is None:
        try:
            return _born(place, settings, clock=clock, ids=ids)
        except BadInput:
            # Another process may have made it in this moment; then it is simply there.
            store = place.find()
            if store is None:
                raise
    keyring, why, head = _keys(place, store)
    outside = outside_of(
        keyring,
        embedder=embedder_of(settings),
        witness=_witness(place.keys, keyring, head),
        clock=clock,
        ids=ids,
    )
    if why:
        # With the vault's own key all is checked, though the one of the newest tombstone be missing.
        is_own = isinstance(keyring, FileKeyring)
        outside = replace(outside, writable=False, verifiable=is_own, why_read_only=why)
    elif place.unwritable:
        outside = replace(outside, writable=False, why_read_only=place.unwritable)
    ground = grounded(place, store, outside, vault=head.vault)
    if ground.outside.journal.lines():
        erase_again.catch_up(ground)
    return ground


def grounded(place: Place, store: Store, outside: Outside, *, vault: str) -> Ground:
    """Return the ground with what lies beside the vault: in its key directory, and its block files."""
    beside = replace(outside, carrier=FileCarrier(place.keys), journal=FileJournal(place.keys))
    blocks = partial(block_files.FileBlocks.beside, place.keys)
    return Ground(store, beside, TENANT, vault=vault, block_files=blocks)


def _keys(place: Place, store: Store) -> tuple[Keyring, str, TenantHead]:
    """Return the keys, or stand-ins and why it is read-only (none is minted silently), and the head."""

    def head_now() -> TenantHead:
        with store.snapshot() as snapshot:
            return snapshot.head()

    head = finish_adoption(place.keys, head_now, clears=not place.unwritable)
    try:
        keyring = FileKeyring.load(place.keys, head.vault)
    except MissingKey as error:
        _refuse_renamed(place.keys, head)
        return MemoryKeyring(), error.sentence, head
    try:
        with store.snapshot() as snapshot:
            return with_newest(keyring, snapshot), "", head
    except MissingKey as error:
        return keyring, error.sentence, head


def _refuse_renamed(directory: Path, head: TenantHead) -> None:
    """Raise Tampered for a head that was given another vault's id: these keys sealed it for their own."""
    own = vault_id_of(directory)
    if own is None or own == head.vault:
        return
    named = replace(head, vault=own)
    if same_bytes(head.mac, head_mac(FileKeyring.load(directory, own).vault_key, named)):
        raise Tampered("The head of the log names another vault than the one it was sealed for.")


def _witness(directory: Path, keyring: Keyring, head: TenantHead) -> FileWitness | MemoryWitness:
    try:
        origin = origin_of(head.vault, head.epoch)
    except BadInput as error:
        raise Tampered("The head of the log names no vault or no epoch.") from error
    if isinstance(keyring, FileKeyring):
        return FileWitness(directory, keyring, origin)
    return MemoryWitness(keyring, origin)


def _born(place: Place, settings: Settings, *, clock: Clock, ids: Ids) -> Ground:
    """Make a vault: its keys first, then its rows."""
    directory = place.keys
    directory.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    keyring, vault_id = _first_keys(directory, ids.salt(16).hex())
    head = first_head(vault_id, keyring, now=clock.now(), analyser=Analyser().version)
    store = place.make(head)
    witness = FileWitness(directory, keyring, origin_of(vault_id, head.epoch))
    outside = outside_of(keyring, embedder=embedder_of(settings), witness=witness, clock=clock, ids=ids)
    return grounded(place, store, outside, vault=vault_id)


def _first_keys(directory: Path, vault_id: str) -> tuple[FileKeyring, str]:
    """Return the keys of a vault to be made and its id: those that are there, or new ones of `vault_id`."""
    if not directory.exists():
        try:
            return FileKeyring.create(directory, vault_id), vault_id
        except BadStore:
            # Another process, that makes the same vault, was faster by a moment.
            if vault_id_of(directory) is None:
                raise
    found = vault_id_of(directory) or vault_id
    return FileKeyring.load(directory, found), found


def first_head(
    vault_id: str, keyring: Keyring, *, now: datetime, analyser: str, tenant: int = 1
) -> TenantHead:
    """Return the head of a tenant that has no record yet."""
    head = TenantHead(
        vault=vault_id,
        size=0,
        frontier=b"",
        recorded=to_micros(now) - 1,
        next_n=opened.first_row_number(tenant),
        generation=0,
        epoch=1,
        analyser=analyser,
    )
    return replace(head, mac=head_mac(keyring.vault_key, head))


def outside_of(
    keyring: Keyring,
    *,
    embedder: Embedder,
    witness: FileWitness | MemoryWitness,
    clock: Clock,
    ids: Ids,
) -> Outside:
    """Return the outside world of a vault."""
    return Outside(
        clock=clock,
        ids=ids,
        analyser=Analyser(),
        embedder=embedder,
        keyring=keyring,
        witness=witness,
        journal=MemoryJournal(),
        drivers=(BaselineDriver(),),
        extractor=_extracted,
        sieve=Sieve(signs),
        chunker=lambda text: tuple(Span(part.start, part.end) for part in chunks.chunked(text)),
        reader=lambda path, *, format: readers.read_file(path, format=format),
    )


def _extracted(text: str, *, speaker: str, role: str, occurred_at: datetime | None) -> tuple[Extracted, ...]:
    return tuple(
        Extracted(
            Claim(found.text, found.about, found.attribute, found.value),
            Kind(found.kind),
            found.span,
            found.valid_from,
        )
        for found in extractor.candidates(text, speaker=speaker, role=role, occurred_at=occurred_at)
    )


def reference_vault(
    *,
    clock: Clock | None = None,
    ids: Ids | None = None,
    embedder: Embedder | None = None,
    store: Store | None = None,
) -> Vault:
    """Return a vault over the reference store in plain objects: nothing on disk, gone at the end."""
    clock, ids, keyring = clock or SystemClock(), ids or SystemIds(), MemoryKeyring()
    vault_id = "00" * 16
    head = first_head(vault_id, keyring, now=clock.now(), analyser=Analyser().version)
    outside = outside_of(
        keyring,
        embedder=embedder or AbsentEmbedder(),
        witness=MemoryWitness(keyring, origin_of(vault_id, 1)),
        clock=clock,
        ids=ids,
    )
    return held(Ground(store or memory.MemoryStore(head), outside, TENANT), local_owner(TENANT))
