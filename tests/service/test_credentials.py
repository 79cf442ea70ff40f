"""Does a key give what it was made with, to whoever holds it, until it is revoked?"""

import binascii
import string

import pytest

from muniment import limits
from muniment.domain import credential
from muniment.domain.changes import Page
from muniment.domain.label import DataClass
from muniment.domain.principal import ActorRole, Principal
from muniment.errors import BadCredential, BadInput, MunimentError, NotFound, Refusal
from muniment.service.credentials import Rights, list_keys, make_key, principal_of, revoke_key
from muniment.service.ground import Ground
from muniment.service.vault import Vault
from tests.builders import World, acts

NOBODY = credential.minted(bytes(9), bytes(32), "live")


@pytest.fixture
def ground(vault: Vault) -> Ground:
    return vault.ground


@pytest.fixture
def owner(vault: Vault) -> Principal:
    return vault.principal


def _as(owner: Principal, role: ActorRole, *, class_max: DataClass = DataClass.SECRET) -> Principal:
    return Principal(owner.tenant, f"the {role.value}", role, class_max=class_max)


def _agents_key(ground: Ground, owner: Principal, actor: str = "coder") -> tuple[str, str]:
    return make_key(ground, owner, actor=actor, role=ActorRole.AGENT)


def test_a_key_gives_exactly_what_it_was_made_with(ground: Ground, owner: Principal) -> None:
    rights = Rights("acme/eng", ("acme/docs",), ("acme/notes",), DataClass.PRIVATE)
    key, public_id = make_key(ground, owner, actor="coder", role=ActorRole.AGENT, rights=rights)
    assert principal_of(ground, key) == Principal(
        tenant=owner.tenant,
        actor="coder",
        role=ActorRole.AGENT,
        home="acme/eng",
        read_roots=("acme/docs",),
        write_spaces=("acme/notes",),
        class_max=DataClass.PRIVATE,
        credential=public_id,
    )


def test_a_key_without_rights_named_is_at_home_and_nowhere_else(ground: Ground, owner: Principal) -> None:
    key, _ = _agents_key(ground, owner)
    held = principal_of(ground, key)
    assert (held.home, held.read_roots, held.write_spaces) == ("home", (), ())
    assert held.may_read("home") and not held.may_read("acme")


def test_a_secret_is_stored_nowhere_and_its_digest_is(ground: Ground, owner: Principal) -> None:
    key, public_id = _agents_key(ground, owner)
    _, _, _, secret, _ = key.split("_")
    with ground.store.snapshot() as snapshot:
        (sealed,) = snapshot.credential(public_id)
        written = repr(sealed) + repr(snapshot.records(Page(-1, limits.page_rows_max)))
    assert secret not in written
    assert sealed.row.digest == credential.parsed(key).secret_digest


def test_the_log_holds_neither_name_nor_public_id(ground: Ground, owner: Principal) -> None:
    _, public_id = _agents_key(ground, owner, actor="secretive-name")
    with ground.store.snapshot() as snapshot:
        heads = b"".join(record.head for record in snapshot.records(Page(-1, limits.page_rows_max)))
    assert b"make-key" in heads
    assert b"secretive-name" not in heads and public_id.encode() not in heads


def test_two_keys_are_never_the_same(ground: Ground, owner: Principal) -> None:
    first, second = _agents_key(ground, owner), _agents_key(ground, owner)
    assert first[0] != second[0] and first[1] != second[1]


def test_a_key_still_opens_after_a_restart(world: World) -> None:
    key, _ = world.vault.make_key(actor="coder")
    vault = world.restarted()
    assert principal_of(vault.ground, key).actor == "coder"


def test_unknown_and_revoked_keys_are_refused_in_the_same_words(ground: Ground, owner: Principal) -> None:
    key, public_id = _agents_key(ground, owner)
    assert principal_of(ground, key).actor == "coder"
    revoke_key(ground, owner, public_id)
    said = []
    for refused in (key, NOBODY):
        with pytest.raises(BadCredential) as caught:
            principal_of(ground, refused)
        said.append((caught.value.code, caught.value.sentence, caught.value.advice))
    assert said[0] == said[1]


def test_another_secret_under_a_known_public_id_opens_nothing(ground: Ground, owner: Principal) -> None:
    key, public_id = _agents_key(ground, owner)
    forged = credential.minted(bytes(9), b"\x07" * 32, "live").split("_")[3]
    swapped = _signed(f"mun_live_{public_id}_{forged}")
    assert (credential.parsed(swapped).public_id, _signed(key.rpartition("_")[0])) == (public_id, key)
    with pytest.raises(BadCredential):
        principal_of(ground, swapped)


def _signed(unsigned: str) -> str:
    """Return a key text with the checksum that fits it: its CRC-32 in base 62."""
    number, digits = binascii.crc32(unsigned.encode("ascii")), ""
    for _ in range(6):
        number, digit = divmod(number, 62)
        digits = (string.digits + string.ascii_uppercase + string.ascii_lowercase)[digit] + digits
    return f"{unsigned}_{digits}"


@pytest.mark.parametrize(
    "key", ["", "mun_live_x", "password", NOBODY[:-1] + ("0" if NOBODY[-1] != "0" else "1")]
)
def test_a_malformed_key_is_refused_and_not_repeated(ground: Ground, key: str) -> None:
    with pytest.raises(BadCredential) as caught:
        principal_of(ground, key)
    assert not key or key not in str(caught.value)


def test_a_revocation_counts_from_the_next_call_on(ground: Ground, owner: Principal) -> None:
    key, public_id = _agents_key(ground, owner)
    other, _ = _agents_key(ground, owner)
    revoke_key(ground, owner, public_id)
    with pytest.raises(BadCredential):
        principal_of(ground, key)
    assert principal_of(ground, other).actor == "coder"


@pytest.mark.parametrize("public_id", ["", "0000000000000", "' OR 1=1"])
def test_revoking_what_is_not_there_is_said(ground: Ground, owner: Principal, public_id: str) -> None:
    with pytest.raises(NotFound):
        revoke_key(ground, owner, public_id)


def test_a_key_is_revoked_once(ground: Ground, owner: Principal) -> None:
    _, public_id = _agents_key(ground, owner)
    assert revoke_key(ground, owner, public_id) > 0
    with pytest.raises(NotFound):
        revoke_key(ground, owner, public_id)


def test_making_and_revoking_are_on_record(vault: Vault, ground: Ground, owner: Principal) -> None:
    _, public_id = _agents_key(ground, owner)
    position = revoke_key(ground, owner, public_id)
    assert acts(vault) == ["make-key", "revoke-key"]
    assert vault.log(limit=1)[0].position == position
    assert vault.verify().ok


def test_a_third_live_key_of_one_actor_role_and_home_is_refused(ground: Ground, owner: Principal) -> None:
    _, first = _agents_key(ground, owner)
    _agents_key(ground, owner)
    with pytest.raises(BadInput):
        _agents_key(ground, owner)
    revoke_key(ground, owner, first)
    key, _ = _agents_key(ground, owner)
    assert principal_of(ground, key).actor == "coder"


@pytest.mark.parametrize(
    ("actor", "role", "home"),
    [
        ("another", ActorRole.AGENT, "home"),
        ("coder", ActorRole.MEMBER, "home"),
        ("coder", ActorRole.AGENT, "acme"),
    ],
)
def test_two_keys_of_one_leave_room_for_others(
    ground: Ground, owner: Principal, actor: str, role: ActorRole, *, home: str
) -> None:
    for _ in range(limits.live_keys_max):
        _agents_key(ground, owner)
    key, _ = make_key(ground, owner, actor=actor, role=role, rights=Rights(home))
    assert principal_of(ground, key).home == home


@pytest.mark.parametrize("role", [ActorRole.AGENT, ActorRole.MEMBER, ActorRole.AUDITOR])
def test_who_may_not_make_keys_makes_none(ground: Ground, owner: Principal, role: ActorRole) -> None:
    with pytest.raises(Refusal):
        make_key(ground, _as(owner, role), actor="coder", role=ActorRole.AGENT)
    with pytest.raises(Refusal):
        list_keys(ground, _as(owner, role))
    assert list_keys(ground, owner) == ()


@pytest.mark.parametrize("role", [ActorRole.AGENT, ActorRole.MEMBER, ActorRole.AUDITOR])
def test_who_may_not_revoke_revokes_nothing(ground: Ground, owner: Principal, role: ActorRole) -> None:
    key, public_id = _agents_key(ground, owner)
    with pytest.raises(Refusal):
        revoke_key(ground, _as(owner, role), public_id)
    assert principal_of(ground, key).actor == "coder"


@pytest.mark.parametrize("role", sorted(ActorRole))
def test_an_admin_gives_every_role_but_the_owners(ground: Ground, owner: Principal, role: ActorRole) -> None:
    admin = _as(owner, ActorRole.ADMIN)
    if role in (ActorRole.OWNER, ActorRole.SYSTEM):
        with pytest.raises(Refusal):
            make_key(ground, admin, actor="someone", role=role)
        assert list_keys(ground, owner) == ()
    else:
        key, _ = make_key(ground, admin, actor="someone", role=role)
        assert principal_of(ground, key).role is role


def test_the_owner_gives_the_owners_role_and_an_admin_cannot_take_it(
    ground: Ground, owner: Principal
) -> None:
    key, public_id = make_key(ground, owner, actor="second owner", role=ActorRole.OWNER)
    with pytest.raises(Refusal):
        revoke_key(ground, _as(owner, ActorRole.ADMIN), public_id)
    assert principal_of(ground, key).role is ActorRole.OWNER
    assert revoke_key(ground, owner, public_id) > 0


def test_nobody_gives_a_class_that_he_may_not_read(ground: Ground, owner: Principal) -> None:
    admin = _as(owner, ActorRole.ADMIN, class_max=DataClass.PRIVATE)
    with pytest.raises(Refusal):
        make_key(ground, admin, actor="coder", role=ActorRole.AGENT)
    rights = Rights(class_max=DataClass.PRIVATE)
    key, _ = make_key(ground, admin, actor="coder", role=ActorRole.AGENT, rights=rights)
    assert principal_of(ground, key).class_max is DataClass.PRIVATE


@pytest.mark.parametrize("actor", ["", "   ", "x" * (limits.name_characters_max + 1)])
def test_a_key_needs_a_name(ground: Ground, owner: Principal, actor: str) -> None:
    with pytest.raises(BadInput):
        _agents_key(ground, owner, actor=actor)
    _agents_key(ground, owner, actor="x" * limits.name_characters_max)


@pytest.mark.parametrize("rights", [Rights("acme/*"), Rights(read_roots=("..",)), Rights(write_spaces=("",))])
def test_a_right_is_an_exact_path(ground: Ground, owner: Principal, rights: Rights) -> None:
    with pytest.raises(MunimentError):
        make_key(ground, owner, actor="coder", role=ActorRole.AGENT, rights=rights)
    assert list_keys(ground, owner) == ()


def test_keys_are_listed_with_all_but_the_secret(ground: Ground, owner: Principal) -> None:
    rights = Rights("acme/eng", ("acme",), (), DataClass.PUBLIC)
    key, public_id = make_key(ground, owner, actor="coder", role=ActorRole.AGENT, rights=rights)
    _, second = _agents_key(ground, owner)
    revoke_key(ground, owner, second)
    listed = list_keys(ground, owner)
    assert [one.public_id for one in listed] == [public_id, second]
    first = listed[0]
    assert (first.actor, first.role, first.home) == ("coder", ActorRole.AGENT, "acme/eng")
    assert (first.read_roots, first.write_spaces, first.class_max) == (("acme",), (), DataClass.PUBLIC)
    assert first.revoked is None
    assert listed[1].revoked is not None and listed[1].revoked > listed[1].made
    assert key.split("_")[3] not in repr(listed)
