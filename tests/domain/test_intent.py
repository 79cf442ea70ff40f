"""Which rank does a request earn, and can anything in it raise that? (I1, I3)"""

from collections.abc import Iterator
from dataclasses import FrozenInstanceError, fields, is_dataclass
from itertools import product
from typing import get_args

import pytest

from muniment.domain.block_edit import Action
from muniment.domain.intent import (
    RANKS,
    Administer,
    Change,
    Connect,
    EditBlock,
    Intent,
    Judge,
    Lift,
    Path,
    Remember,
    Source,
    Take,
    Times,
    rank_of,
)
from muniment.domain.label import PRIVATE, PUBLIC, DataClass, Label
from muniment.domain.link import LinkType
from muniment.domain.memory import Claim, Kind
from muniment.domain.principal import PERSONS, ActorRole, Principal
from muniment.domain.trust import Act, Rank

CLEAN, TAINTED = Label(), Label(untrusted=True)

EARNED = {
    #                  a person        anyone else
    Path.DIRECT:     (Rank.MANUAL, Rank.CONVERSATION),
    Path.DOCUMENT:   (Rank.DOCUMENT, Rank.DOCUMENT),
    Path.IMPORT:     (Rank.IMPORT, Rank.CONVERSATION),
    Path.EXTRACTOR:  (Rank.CONVERSATION, Rank.CONVERSATION),
    Path.BACKGROUND: (Rank.CONSOLIDATION, Rank.CONSOLIDATION),
}  # fmt: skip


def who(role: ActorRole) -> Principal:
    return Principal("local", "x", role)


@pytest.mark.parametrize(("path", "role"), list(product(Path, ActorRole)))
def test_the_path_and_the_role_earn_the_rank_of_the_table(path: Path, role: ActorRole) -> None:
    person, other = EARNED[path]
    assert rank_of(path, who(role), CLEAN) is (person if role in PERSONS else other)


@pytest.mark.parametrize(("path", "role"), list(product(Path, ActorRole)))
def test_what_is_untrusted_earns_nothing_whoever_brings_it(path: Path, role: ActorRole) -> None:
    assert rank_of(path, who(role), TAINTED) is Rank.UNTRUSTED


@pytest.mark.parametrize("path", Path)
def test_a_class_earns_and_costs_nothing(path: Path) -> None:
    found = {rank_of(path, who(ActorRole.AGENT), Label(data_class)) for data_class in DataClass}
    assert len(found) == 1


def test_only_a_persons_own_direct_write_is_manual() -> None:
    manual = [
        (path, role)
        for path, role in product(Path, ActorRole)
        if rank_of(path, who(role), CLEAN) is Rank.MANUAL
    ]
    assert manual == [(Path.DIRECT, role) for role in ActorRole if role in PERSONS]


def test_every_path_has_a_rank_and_none_is_manual_by_itself() -> None:
    assert set(RANKS) == set(Path)
    assert Rank.MANUAL not in RANKS.values()
    assert Rank.UNTRUSTED not in RANKS.values()


KINDS = get_args(Intent)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_no_request_has_a_field_for_rank_or_trust(kind: type) -> None:
    assert is_dataclass(kind)
    assert not {one.name for one in fields(kind)} & {"rank", "trust", "before", "author", "role"}


def test_the_set_of_requests_is_closed() -> None:
    assert {kind.__name__ for kind in KINDS} == {
        *("Remember", "Change", "Judge", "Lift", "Connect", "Take", "Administer"),
        *("Decide", "Review", "EditBlock"),
    }


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_every_request_says_first_who_acts(kind: type) -> None:
    assert fields(kind)[0].name == "principal"


def one_of_each() -> Iterator[Intent]:
    agent = who(ActorRole.AGENT)
    yield Remember(agent, Claim("x"), Kind.FACT, "home")
    yield Change(agent, "m_1", "revise", Claim("x"))
    yield Judge(agent, "m_1", Act.DISPUTE)
    yield Lift(agent, "t_1")
    yield Connect(agent, "m_1", "m_2", LinkType.CAUSES, 0.5)
    yield Take(agent, "home", ())
    yield EditBlock(agent, "home", Action.NOTE)
    yield Administer(agent, "key-made")


@pytest.mark.parametrize("intent", list(one_of_each()), ids=lambda intent: type(intent).__name__)
def test_a_request_cannot_be_changed_once_it_is_made(intent: Intent) -> None:
    """What was judged is what is written: nobody alters a request between the two."""
    with pytest.raises(FrozenInstanceError):
        intent.principal = who(ActorRole.OWNER)
    assert intent == intent and hash(intent) == hash(intent)


def test_what_a_caller_leaves_out_claims_nothing() -> None:
    remember, change, judge, lift, connect, take, edit, administer = one_of_each()
    assert (remember.path, take.path) == (Path.DIRECT, Path.DIRECT)
    assert (remember.label, remember.sources, remember.tags) == (PRIVATE, (), ())
    assert remember.times == change.times == Times(None, None, None, None, None)
    assert change.expected_version is judge.expected_version is None
    assert change.read == judge.read == connect.read == PUBLIC
    assert (change.reason, judge.reason, lift.reason, take.source) == ("", "", "", "")
    assert administer.fields == ()


def test_a_source_is_whole_unless_a_part_is_named() -> None:
    assert Source("e_1").span is None
    assert Source("e_1") != Source("e_2")
