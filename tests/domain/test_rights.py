"""Is the table of built-in rights least, closed, and bound by a digest that any change moves?"""

import hashlib
import os
from types import MappingProxyType

import pytest

from muniment.domain.rights import MEMORY_TOOLS, RIGHTS, Peer, digest_of, granted
from muniment.settings import SETTINGS

PERSONS = {
    "approve", "decline", "decide", "reject", "lift", "erase", "decline-erasure", "undo", "verify",
    "checkpoint", "log", "pending", "cases", "edits", "certificates", "doctor", "status",
}  # fmt: skip


def test_every_peer_has_rights_and_no_row_stands_twice() -> None:
    assert set(RIGHTS) == set(Peer)
    assert all(len(calls) == len(set(calls)) > 3 for calls in RIGHTS.values())


@pytest.mark.parametrize("call", sorted(PERSONS))
def test_a_persons_call_is_the_owners_alone(call: str) -> None:
    assert [peer for peer in Peer if granted(peer, call)] == [Peer.OWNER]


@pytest.mark.parametrize("tool", MEMORY_TOOLS)
def test_the_loop_may_call_every_memory_tool_and_the_broker_none(tool: str) -> None:
    assert granted(Peer.LOOP, tool)
    assert not granted(Peer.BROKER, tool)


@pytest.mark.parametrize("call", ["turns", "read", "history", "why", "open", "compact"])
def test_the_broker_reads_no_memory_and_no_turn(call: str) -> None:
    assert not granted(Peer.BROKER, call)
    assert granted(Peer.LOOP, call) or granted(Peer.OWNER, call)


def test_the_loop_and_the_broker_hand_in_turns_and_the_owner_does_not_speak_for_them() -> None:
    assert [peer for peer in Peer if granted(peer, "append")] == [Peer.LOOP, Peer.BROKER]


def test_a_call_that_is_not_in_the_table_is_made_by_nobody() -> None:
    assert not any(granted(peer, "crown-me") for peer in Peer)


def test_no_variable_changes_the_rights(monkeypatch: pytest.MonkeyPatch) -> None:
    before = digest_of(RIGHTS)
    for setting in SETTINGS:
        monkeypatch.setenv(setting.name, "off")
    assert os.environ["MUNIMENT_ACTOR"] == "off"
    assert digest_of(RIGHTS) == before
    assert all(granted(Peer.LOOP, tool) for tool in MEMORY_TOOLS)


def test_the_table_takes_no_further_row() -> None:
    with pytest.raises(TypeError):
        RIGHTS[Peer.LOOP] = ("erase",)  # type: ignore[index]  # this is what may not work


def test_the_digest_is_of_the_rows_whatever_their_order() -> None:
    some = MappingProxyType({Peer.LOOP: ("recall", "open"), Peer.OWNER: ("erase",)})
    said = b"muniment rights 1\nloop open\nloop recall\nowner erase"
    assert digest_of(some) == hashlib.sha256(said).hexdigest()
    assert digest_of({Peer.OWNER: ("erase",), Peer.LOOP: ("open", "recall")}) == digest_of(some)


@pytest.mark.parametrize(
    "other",
    [
        {Peer.LOOP: ("recall", "open", "erase"), Peer.OWNER: ("erase",)},
        {Peer.LOOP: ("recall",), Peer.OWNER: ("erase",)},
        {Peer.BROKER: ("recall", "open"), Peer.OWNER: ("erase",)},
    ],
)
def test_a_right_more_less_or_elsewhere_is_another_digest(other: dict[Peer, tuple[str, ...]]) -> None:
    assert digest_of(other) != digest_of({Peer.LOOP: ("recall", "open"), Peer.OWNER: ("erase",)})
