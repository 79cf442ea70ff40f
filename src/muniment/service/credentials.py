"""Who holds this key?  Keys are made and revoked on record, and checked on every call (I7).

A row that no record commits to is no credential: whoever writes into the database file
cannot make a key for himself.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from muniment import limits
from muniment.domain import credential
from muniment.domain.changes import Sealed
from muniment.domain.label import DataClass
from muniment.domain.members import Fields, text, texts
from muniment.domain.principal import ActorRole, Principal
from muniment.domain.rows import CredentialRow, names_of
from muniment.domain.space import HOME, checked_path
from muniment.errors import BadCredential, BadInput, NotFound, Refusal, RolledBack, Tampered
from muniment.ports import Snapshot
from muniment.service.deeds import allowed, refuse_on_record
from muniment.service.draft import Draft
from muniment.service.ground import Ground
from muniment.service.seals import holds

ENVIRONMENT = "live"
"""The word in a key that says where it is used."""

GIVEN_BY = {
    ActorRole.OWNER: frozenset(ActorRole) - {ActorRole.SYSTEM},
    ActorRole.ADMIN: frozenset(ActorRole) - {ActorRole.SYSTEM, ActorRole.OWNER},
}
"""Which roles a person may make keys for; nobody gives what he has not."""

_UNKNOWN = "The key is unknown or revoked."


@dataclass(frozen=True, slots=True)
class HeldKey:
    """Hold what is shown of one key: never its secret, nor the digest of it."""

    public_id: str
    actor: str
    role: ActorRole
    home: str
    read_roots: tuple[str, ...]
    write_spaces: tuple[str, ...]
    class_max: DataClass
    made: datetime
    revoked: datetime | None = None
    keeps_secrets: bool = False


@dataclass(frozen=True, slots=True)
class Rights:
    """Hold where a key writes by default, what else it reads and writes, and up to which class.

    `keeps_secrets` lets it store text with a secret, as class secret.
    """

    home: str = HOME
    read_roots: tuple[str, ...] = ()
    write_spaces: tuple[str, ...] = ()
    class_max: DataClass = DataClass.SECRET
    keeps_secrets: bool = False


def make_key(
    ground: Ground, principal: Principal, *, actor: str, role: ActorRole, rights: Rights | None = None
) -> tuple[str, str]:
    """Make a key on record; return its text, shown once and never stored, and its public id.

    Raises Refusal when the principal may not give that role or class, and BadInput for a
    third live key of one actor, role and home.
    """
    named = actor.strip()
    if not named or len(named) > limits.name_characters_max:
        raise BadInput(f"The actor's name has 1 to {limits.name_characters_max} characters.")
    given = rights or Rights()
    spelled: dict[str, object] = {
        "reads": [checked_path(path) for path in given.read_roots],
        "writes": [checked_path(path) for path in given.write_spaces],
        "class_max": given.class_max.name.lower(),
    }
    if given.keeps_secrets:
        spelled["secrets"] = True
    ids = ground.outside.ids
    key = credential.minted(ids.salt(credential.PUBLIC_BYTES), ids.salt(credential.SECRET_BYTES), ENVIRONMENT)
    asked = credential.parsed(key)
    refuse_on_record(ground, principal, deed="make_key")
    with ground.store.transaction() as transaction:
        draft = Draft.begun(ground, transaction)
        actor_n = allowed(ground, draft, principal, deed="make_key")
        if role not in GIVEN_BY.get(principal.role, frozenset()) or given.class_max > principal.class_max:
            raise Refusal("You may not make a key with these rights.", advice="Ask the owner to make it.")
        row = CredentialRow(
            n=draft.number(),
            public_id=asked.public_id,
            digest=asked.secret_digest,
            actor=named,
            role=role.value,
            home=checked_path(given.home),
            rights=json.dumps(spelled, sort_keys=True, separators=(",", ":")),
            made=draft.recorded,
        )
        for name in names_of(row):
            draft.refuse_erased("name that the key would carry", name)
        _refuse_third(ground, transaction, row)
        draft.add_credential(row)
        draft.commit("make-key", actor=actor_n, outcome="stored", credential=row.n)
    return key, row.public_id


def _refuse_third(ground: Ground, snapshot: Snapshot, new: CredentialRow) -> None:
    live = [
        held
        for held in _keys(ground, snapshot)
        if held.revoked is None and (held.actor, held.role, held.home) == (new.actor, new.role, new.home)
    ]
    if len(live) >= limits.live_keys_max:
        raise BadInput(
            f"{new.actor} holds {limits.live_keys_max} live keys of this role there.",
            advice="Revoke one of them first.",
        )


def revoke_key(ground: Ground, principal: Principal, public_id: str) -> int:
    """End a key on record, from the next call on; return the record's position.

    Raises Refusal for who may not, NotFound for an unknown or revoked key.
    """
    refuse_on_record(ground, principal, deed="revoke_key")
    with ground.store.transaction() as transaction:
        draft = Draft.begun(ground, transaction)
        actor_n = allowed(ground, draft, principal, deed="revoke_key")
        rows = _bound(ground, transaction, transaction.credential(public_id))
        if not rows or rows[-1].revoked:
            raise NotFound("No live key has this public id.", advice="List the keys.")
        if ActorRole(rows[0].role) not in GIVEN_BY[principal.role]:
            raise Refusal("You may not revoke a key of this role.", advice="Ask the owner to revoke it.")
        first = rows[0]
        row = CredentialRow(
            n=draft.number(),
            public_id=first.public_id,
            digest=first.digest,
            actor=first.actor,
            role=first.role,
            home=first.home,
            rights=first.rights,
            made=draft.recorded,
            revoked=True,
        )
        draft.add_credential(row)
        return draft.commit("revoke-key", actor=actor_n, outcome="stored", credential=first.n)


def list_keys(ground: Ground, principal: Principal) -> tuple[HeldKey, ...]:
    """Return every key, the oldest first; raises Refusal for who may make none."""
    if principal.role not in GIVEN_BY:
        raise Refusal("Only a person who may make keys sees them.", advice="Ask the owner.")
    with ground.reading() as snapshot:
        return tuple(_keys(ground, snapshot))


def _keys(ground: Ground, snapshot: Snapshot) -> list[HeldKey]:
    found: dict[str, list[CredentialRow]] = {}
    for one in snapshot.credentials():
        found.setdefault(one.public_id, [])
    for public_id in found:
        found[public_id] = _bound(ground, snapshot, snapshot.credential(public_id))
    return [_held(rows) for rows in found.values() if rows]


def _held(rows: list[CredentialRow]) -> HeldKey:
    row, last = rows[0], rows[-1]
    rights = _rights(row)
    return HeldKey(
        public_id=row.public_id,
        actor=row.actor,
        role=ActorRole(row.role),
        home=row.home,
        read_roots=rights.read_roots,
        write_spaces=rights.write_spaces,
        class_max=rights.class_max,
        keeps_secrets=rights.keeps_secrets,
        made=row.made,
        revoked=last.made if last.revoked else None,
    )


def principal_of(ground: Ground, key: str) -> Principal:
    """Return who holds `key`; the store is asked on every call, so a revocation counts at once.

    Unknown and revoked keys are refused alike with BadCredential, after the same work.
    """
    asked = credential.parsed(key)
    with ground.store.snapshot() as snapshot:
        _refuse_older(ground, snapshot)
        rows = _bound(ground, snapshot, snapshot.credential(asked.public_id))
    known = rows[0].digest if rows else credential.digest(b"")
    if not credential.opens(asked, known) or not rows or rows[-1].revoked:
        raise BadCredential(_UNKNOWN)
    row = rows[0]
    rights = _rights(row)
    return Principal(
        tenant=ground.tenant,
        actor=row.actor,
        role=ActorRole(row.role),
        home=row.home,
        read_roots=rights.read_roots,
        write_spaces=rights.write_spaces,
        class_max=rights.class_max,
        credential=row.public_id,
        keeps_secrets=rights.keeps_secrets,
    )


def _refuse_older(ground: Ground, snapshot: Snapshot) -> None:
    """Refuse every key on a log that is older than its witness, and say who may accept it."""
    try:
        ground.checked_head(snapshot)
    except RolledBack as error:
        advice = (
            "Put the newer file back; or accept this one with `muniment checkpoint --new-epoch WHY` at a"
            " terminal and without a key, since an older log may not know that a key was revoked."
        )
        raise RolledBack(error.sentence, advice=advice) from error


def refuse_revoked(ground: Ground, public_id: str) -> None:
    """Raise BadCredential when the key of this public id stands no longer."""
    with ground.store.snapshot() as snapshot:
        rows = _bound(ground, snapshot, snapshot.credential(public_id))
    if not rows or rows[-1].revoked:
        raise BadCredential(_UNKNOWN)


def _bound(
    ground: Ground, snapshot: Snapshot, sealed: Sequence[Sealed[CredentialRow]]
) -> list[CredentialRow]:
    """Return the rows of one key when a record commits to each of them, else none.

    All or none: else a revocation whose record was cut away would revoke nothing.
    """
    if not ground.outside.verifiable:
        raise BadCredential(
            "No key can be checked: the vault's own keys are missing.",
            advice="Put the key directory back; until then the owner reads at a terminal, without a key.",
        )
    entries = snapshot.entries_of([one.seal for one in sealed])
    for one, entry in zip(sealed, entries, strict=True):
        if not holds(ground.vault_key, one.row, one.seal, entry=entry):
            return []
    return [one.row for one in sealed]


def _rights(row: CredentialRow) -> Rights:
    try:
        fields: Fields = json.loads(row.rights)
        return Rights(
            home=row.home,
            read_roots=texts(fields, "reads"),
            write_spaces=texts(fields, "writes"),
            class_max=DataClass[text(fields, "class_max").upper()],
            keeps_secrets=fields.get("secrets") is True,
        )
    except (KeyError, TypeError, ValueError) as error:
        raise Tampered("The rights of a key cannot be read.") from error
