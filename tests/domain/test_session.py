"""Is a session one conversation, named once in its space, and as strict as what it has read? (I10)"""

from collections.abc import Iterator
from pathlib import Path

import pytest

from muniment import limits
from muniment.domain.label import PUBLIC, DataClass, Label
from muniment.domain.session import Conversation
from muniment.errors import BadInput
from muniment.service.vault import Vault
from tests.builders import START, CountingIds, FakeClock, reference_vault, stored
from tests.domain.samples import AT


@pytest.fixture
def vault(tmp_path: Path) -> Iterator[Vault]:
    made = reference_vault(tmp_path, clock=FakeClock(), ids=CountingIds())
    yield made
    made.close()


def kept(vault: Vault, name: str, *, space: str = "home") -> Conversation | None:
    with vault.ground.store.snapshot() as snapshot:
        found = vault.ground.space(snapshot, space)
        return None if found is None else snapshot.session(found.n, name)


def test_a_session_is_born_with_its_first_turn(vault: Vault) -> None:
    session = vault.session("talk", agent="coder")
    assert kept(vault, "talk") is None
    session.append("user", "Good morning")
    found = kept(vault, "talk")
    assert found is not None
    assert (found.name, found.agent, found.started, found.turns) == ("talk", "coder", START, 1)


def test_a_name_is_one_session_in_its_space_and_another_elsewhere(vault: Vault) -> None:
    for space in ("home", "acme", "home"):
        vault.session("talk", space=space).append("user", "Good morning")
    home, acme = kept(vault, "talk"), kept(vault, "talk", space="acme")
    assert home is not None and acme is not None
    assert (home.turns, acme.turns) == (2, 1)
    assert home.id != acme.id


def test_a_name_is_exact(vault: Vault) -> None:
    for name in ("talk", "Talk", "talk "):
        vault.session(name).append("user", "Good morning")
    assert [found.turns for name in ("talk", "Talk", "talk ") if (found := kept(vault, name))] == [1, 1, 1]


@pytest.mark.parametrize("count", [1, 2, 7])
def test_turns_are_counted_as_they_come(vault: Vault, count: int) -> None:
    session = vault.session("talk")
    for number in range(count):
        session.append("user", f"turn {number}")
    found = kept(vault, "talk")
    assert found is not None and found.turns == count
    assert [turn.sequence for turn in session.turns()] == list(range(1, count + 1))


STEPS = [
    ("user", "public", None, Label(DataClass.PUBLIC)),
    ("user", "private", None, Label(DataClass.PRIVATE)),
    ("user", "public", None, Label(DataClass.PRIVATE)),
    ("tool_result", "public", False, Label(DataClass.PRIVATE, True)),
    ("user", "public", False, Label(DataClass.PRIVATE, True)),
    ("user", "secret", None, Label(DataClass.SECRET, True)),
    ("user", "public", None, Label(DataClass.SECRET, True)),
]


def test_a_label_only_ever_gets_stricter(vault: Vault) -> None:
    session = vault.session("talk")
    assert session.label == PUBLIC
    for role, data_class, untrusted, expected in STEPS:
        session.append(role, "words", data_class=data_class, untrusted=untrusted)
        assert session.label == expected
        assert vault.session("talk").label == expected


def test_a_later_turn_carries_what_was_read_before_it(vault: Vault) -> None:
    session = vault.session("talk")
    session.append("user", "before", data_class="public")
    session.append("tool_result", "a page")
    session.append("user", "after", data_class="public")
    assert [turn.label.untrusted for turn in session.turns()] == [False, True, True]


def test_another_session_keeps_its_own_label(vault: Vault) -> None:
    vault.session("one").append("tool_result", "a page")
    vault.session("two").append("user", "words", data_class="public")
    assert vault.session("one").label.untrusted
    assert vault.session("two").label == PUBLIC


def test_what_a_session_writes_is_as_strict_as_what_it_read(vault: Vault) -> None:
    session = vault.session("talk")
    clean = stored(session.remember("The quay is dry"))
    session.append("tool_result", "a page", data_class="secret")
    tainted = stored(session.remember("The quay is wet"))
    assert vault.read(clean.id).label == Label(DataClass.PRIVATE)
    assert vault.read(tainted.id).label == Label(DataClass.SECRET, True)


@pytest.mark.parametrize("name", ["", " ", "x" * (limits.name_characters_max + 1), None, 5])
def test_a_name_that_is_none_is_refused(vault: Vault, name: object) -> None:
    with pytest.raises(BadInput, match="name has 1 to"):
        vault.session(name)


def test_the_longest_name_is_kept_whole(vault: Vault) -> None:
    name = "x" * limits.name_characters_max
    vault.session(name).append("user", "Good morning")
    assert kept(vault, name) is not None


def test_a_conversation_that_was_just_born_has_read_nothing() -> None:
    born = Conversation("s_1", 1, "talk", 1, "coder", AT, PUBLIC)
    assert (born.turns, born.title, born.source, born.label) == (0, "", "", PUBLIC)
