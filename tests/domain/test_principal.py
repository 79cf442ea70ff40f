"""Who reaches which space, and who counts as a person?  A table of role by space. (I7, I15)"""

from collections.abc import Iterator
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from muniment.domain.label import DataClass
from muniment.domain.principal import EVERYWHERE, PERSONS, ActorRole, Principal, local_owner
from muniment.domain.space import ancestors, within

OWNER, ADMIN, MEMBER, AUDITOR, AGENT, SYSTEM = ActorRole
WIDE, NARROW = (OWNER, ADMIN, SYSTEM), (MEMBER, AUDITOR, AGENT)

# One principal of each role: home acme/eng, may read below `law`, may write to `ops/night`.
# R reads, W reads and writes, - neither; the last column is what owner, admin and system may.
SPACES = {
    #                  member auditor agent  everywhere
    "acme/eng":        ("W",   "R",    "W",   "W"),
    "acme":            ("R",   "R",    "R",   "W"),
    "acme/eng/api":    ("-",   "-",    "-",   "W"),
    "acme/engine":     ("-",   "-",    "-",   "W"),
    "acme/law":        ("-",   "-",    "-",   "W"),
    "law":             ("R",   "R",    "R",   "W"),
    "law/cases/2026":  ("R",   "R",    "R",   "W"),
    "law-firm":        ("-",   "-",    "-",   "W"),
    "LAW":             ("-",   "-",    "-",   "W"),
    "ops/night":       ("W",   "R",    "W",   "W"),
    "ops":             ("-",   "-",    "-",   "W"),
    "ops/night/shift": ("-",   "-",    "-",   "W"),
    "home":            ("-",   "-",    "-",   "W"),
    "":                ("-",   "-",    "-",   "W"),
}  # fmt: skip


def principal(role: ActorRole, **rights: object) -> Principal:
    given = {"home": "acme/eng", "read_roots": ("law",), "write_spaces": ("ops/night",), **rights}
    return Principal("local", "x", role, **given)


def rows() -> Iterator[tuple[ActorRole, str, str]]:
    for space, (member, auditor, agent, everywhere) in SPACES.items():
        yield from ((MEMBER, space, member), (AUDITOR, space, auditor), (AGENT, space, agent))
        yield from ((role, space, everywhere) for role in WIDE)


@pytest.mark.parametrize(("role", "space", "may"), list(rows()))
def test_a_role_reaches_a_space_as_the_table_says(role: ActorRole, space: str, may: str) -> None:
    who = principal(role)
    assert who.may_read(space) is (may != "-")
    assert who.may_write(space) is (may == "W")


def test_the_table_has_every_role_and_every_answer() -> None:
    assert {role for role, _, _ in rows()} == set(ActorRole)
    assert {may for _, _, may in rows()} == {"-", "R", "W"}
    assert set(WIDE) == EVERYWHERE
    assert not set(NARROW) & EVERYWHERE


@pytest.mark.parametrize("role", NARROW)
def test_without_grants_only_home_and_what_is_above_it_is_seen(role: ActorRole) -> None:
    bare = principal(role, read_roots=(), write_spaces=())
    assert [space for space in SPACES if bare.may_read(space)] == ["acme/eng", "acme"]


@pytest.mark.parametrize("role", ActorRole)
def test_a_grant_for_reading_is_none_for_writing(role: ActorRole) -> None:
    who = principal(role, read_roots=("law",), write_spaces=())
    assert who.may_read("law/cases")
    assert who.may_write("law/cases") is (role in EVERYWHERE)


@pytest.mark.parametrize("role", ActorRole)
def test_who_may_write_a_space_may_read_it(role: ActorRole) -> None:
    """A write answers with what it met, so writing blind would be a way of reading."""
    for grants, space in product(((), ("law",), ("ops", "law/x")), SPACES):
        who = principal(role, write_spaces=grants)
        assert who.may_read(space) or not who.may_write(space)


SEGMENTS = st.lists(st.sampled_from(["a", "b", "ab"]), min_size=1, max_size=3).map("/".join)


@settings(max_examples=60)
@given(SEGMENTS, SEGMENTS, st.lists(SEGMENTS, max_size=2), st.lists(SEGMENTS, max_size=2))
def test_no_prefix_of_a_name_reaches_a_neighbour(
    home: str, space: str, roots: list[str], grants: list[str]
) -> None:
    who = principal(AGENT, home=home, read_roots=tuple(roots), write_spaces=tuple(grants))
    named = {*ancestors(home), *grants}
    assert who.may_write(space) is (space in {home, *grants})
    assert who.may_read(space) is (space in named or any(within(space, root) for root in roots))


@pytest.mark.parametrize("role", ActorRole)
def test_a_person_is_owner_admin_or_member(role: ActorRole) -> None:
    assert principal(role).is_person is (role in {OWNER, ADMIN, MEMBER})
    assert (role in PERSONS) is principal(role).is_person


@pytest.mark.parametrize("role", [AUDITOR, AGENT, SYSTEM])
def test_no_right_and_no_name_makes_a_person(role: ActorRole) -> None:
    who = Principal(
        "local", "owner", role, home="home", read_roots=("home",), write_spaces=("home",), credential="c_1"
    )
    assert not who.is_person


def test_a_principal_reads_secrets_unless_it_is_told_otherwise() -> None:
    assert principal(AGENT).class_max is DataClass.SECRET
    assert principal(AGENT, class_max=DataClass.PUBLIC).class_max is DataClass.PUBLIC


def test_the_local_owner_holds_the_file_and_no_key() -> None:
    owner = local_owner("acme")
    assert (owner.tenant, owner.actor, owner.credential) == ("acme", "owner", "")
    assert owner.is_person and owner.may_write("anywhere/at/all")
    assert local_owner().tenant == "local"


def test_two_principals_are_one_when_every_part_is() -> None:
    assert principal(AGENT) == principal(AGENT)
    for change in ({"home": "acme"}, {"read_roots": ()}, {"write_spaces": ()}, {"credential": "c"}):
        assert principal(AGENT, **change) != principal(AGENT)
    assert hash(principal(AGENT)) == hash(principal(AGENT))
