"""Are spaces exact paths, so that no prefix, dot or wildcard reaches a neighbour?"""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment import limits
from muniment.domain.principal import ActorRole, Principal, local_owner
from muniment.domain.space import HOME, ancestors, checked_path, within
from muniment.errors import BadInput


@pytest.mark.parametrize(
    ("given_path", "path"),
    [
        ("home", "home"),
        (" acme / eng ", "acme/eng"),
        ("Acme/Eng", "Acme/Eng"),
        ("acme/\u65e5\u672c", "acme/\u65e5\u672c"),
        ("caf\u0065\u0301", "caf\u00e9"),
        ("two words/x", "two words/x"),
        ("a.b/..c", "a.b/..c"),
        (r"D:\work\v3_26", "D:/work/v3_26"),
        ("d:\\work/v3_26\\", "D:/work/v3_26"),
        ("D:/work/v3_26", "D:/work/v3_26"),
        ("C:\\", "C:"),
        (r"acme\eng", r"acme\eng"),
        (r"x/D:\work", r"x/D:\work"),
        ("D:work", "D:work"),
    ],
)
def test_a_path_has_one_form(given_path: str, path: str) -> None:
    assert checked_path(given_path) == path


@pytest.mark.parametrize(
    "path",
    ["", " ", "/", "/acme", "acme/", "acme//eng", "acme/ /eng", ".", "..", "acme/../beta", "acme/.", "*"]
    + [r"D:\..\work", r"D:\work\\v3", r"D:\*", "//server/share"]
    + ["acme/*", "acm?", "a\nb", "a\0b", "a\u200bb", "a\u202eb", "acme/\ud800"],
)
def test_a_path_that_could_mean_another_place_is_refused(path: str) -> None:
    with pytest.raises(BadInput):
        checked_path(path)


def test_a_path_is_as_deep_and_as_long_as_its_bounds() -> None:
    deepest = "/".join("s" * limits.space_segments_max)
    assert checked_path(deepest) == deepest
    with pytest.raises(BadInput, match="segments"):
        checked_path(deepest + "/s")
    longest = "s" * limits.name_characters_max
    assert checked_path(longest) == longest
    with pytest.raises(BadInput, match="longer"):
        checked_path(longest + "s")


def test_what_is_no_text_is_refused() -> None:
    with pytest.raises(BadInput, match="not a text"):
        checked_path(None)


SEGMENTS = st.lists(st.from_regex(r"[a-z][a-z-]{0,5}", fullmatch=True), min_size=1, max_size=5)


@given(SEGMENTS)
def test_the_one_form_is_its_own_form(segments: list[str]) -> None:
    path = checked_path("/".join(segments))
    assert checked_path(path) == path == unicodedata.normalize("NFC", path)


def test_the_spaces_above_come_nearest_first() -> None:
    assert ancestors("acme/eng/platform") == ("acme/eng/platform", "acme/eng", "acme")
    assert ancestors("home") == ("home",)


@pytest.mark.parametrize(
    ("path", "root", "is_within"),
    [
        ("acme", "acme", True),
        ("acme/eng", "acme", True),
        ("acme/eng/platform", "acme", True),
        ("acme-corp", "acme", False),
        ("acme-corp/eng", "acme", False),
        ("acme", "acme/eng", False),
        ("ACME/eng", "acme", False),
        ("beta/acme", "acme", False),
        ("acme2/eng", "acme", False),
    ],
)
def test_a_space_lies_within_another_by_whole_segments(path: str, root: str, is_within: bool) -> None:
    assert within(path, root) is is_within


@given(SEGMENTS, SEGMENTS)
def test_a_space_lies_within_exactly_its_ancestors(one: list[str], other: list[str]) -> None:
    path, root = "/".join(one), "/".join(other)
    assert within(path, root) is (root in ancestors(path))
    assert within(f"{root}/{path}", root)


def agent(**rights: object) -> Principal:
    return Principal("local", "coder", ActorRole.AGENT, home="acme/eng", **rights)


def test_a_principal_reads_its_home_what_is_above_it_and_what_was_granted() -> None:
    plain = agent()
    assert [plain.may_read(each) for each in ("acme/eng", "acme")] == [True, True]
    for other in ("acme/eng/platform", "acme/law", "acme-corp", "home", ""):
        assert not plain.may_read(other)
    granted = agent(read_roots=("beta",), write_spaces=("gamma/x",))
    for seen in ("beta", "beta/deep/er", "gamma/x"):
        assert granted.may_read(seen)
    for other in ("beta-corp", "gamma", "gamma/x/y"):
        assert not granted.may_read(other)


def test_a_principal_writes_to_its_home_and_to_exact_grants_only() -> None:
    granted = agent(read_roots=("beta",), write_spaces=("gamma",))
    assert granted.may_write("acme/eng")
    assert granted.may_write("gamma")
    for other in ("acme", "acme/eng/x", "beta", "gamma/x", "gamma-corp"):
        assert not granted.may_write(other)


@pytest.mark.parametrize("role", list(ActorRole))
def test_only_owner_admin_and_system_reach_every_space(role: ActorRole) -> None:
    everywhere = role in (ActorRole.OWNER, ActorRole.ADMIN, ActorRole.SYSTEM)
    principal = Principal("local", "x", role, home="acme")
    assert principal.may_read("elsewhere") is everywhere
    assert principal.may_write("elsewhere") is everywhere


def test_an_auditor_writes_nowhere_and_still_reads() -> None:
    auditor = Principal("local", "x", ActorRole.AUDITOR, home="acme", write_spaces=("beta",))
    assert auditor.may_read("acme")
    assert not auditor.may_write("acme")
    assert not auditor.may_write("beta")


@pytest.mark.parametrize("role", list(ActorRole))
def test_only_owner_admin_and_member_are_persons(role: ActorRole) -> None:
    is_person = role in (ActorRole.OWNER, ActorRole.ADMIN, ActorRole.MEMBER)
    assert Principal("local", "x", role).is_person is is_person


def test_the_local_owner_is_a_person_at_home() -> None:
    owner = local_owner()
    assert (owner.tenant, owner.role, owner.home, owner.is_person) == ("local", ActorRole.OWNER, HOME, True)
