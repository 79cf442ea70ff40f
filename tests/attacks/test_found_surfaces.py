"""Does an argument of the wrong sort, or a far moment, bring down a call or damage a vault?"""

from datetime import UTC, datetime, timedelta, timezone, tzinfo
from typing import Any

import pytest

from muniment.domain.trust import Rank
from muniment.errors import BadInput, BadTime, MunimentError
from muniment.recall.envelope import parsed
from muniment.service.vault import Vault
from muniment.surfaces.mcp.replies import hits_of
from tests.builders import stored, texts

BEFORE_ALL = datetime(1, 1, 1, tzinfo=timezone(timedelta(hours=14)))
AFTER_ALL = datetime(9999, 12, 31, 23, 59, tzinfo=timezone(timedelta(hours=-12)))


class Nowhere(tzinfo):
    """A zone that does not say how far it is from UTC: Python takes it for the machine's own."""

    def utcoffset(self, moment: datetime | None) -> timedelta | None:
        return None

    def dst(self, moment: datetime | None) -> timedelta | None:
        return None

    def tzname(self, moment: datetime | None) -> str | None:
        return None


STRANGE = {
    "before year 1": BEFORE_ALL,
    "after year 9999": AFTER_ALL,
    "of no zone": datetime(2026, 1, 1),
    "of a zone that says nothing": datetime(2026, 1, 1, tzinfo=Nowhere()),
    "a number": 5,
    "words": "some day",
}


@pytest.mark.parametrize("name", sorted(STRANGE))
def test_a_moment_that_is_none_is_refused_wherever_one_is_taken(vault: Vault, name: str) -> None:
    moment: Any = STRANGE[name]
    for call in (
        lambda: vault.remember("The mill turns", valid_from=moment),
        lambda: vault.remember("The mill turns", valid_until=moment),
        lambda: vault.remember("The mill turns", occurred_at=moment),
        lambda: vault.remember("The mill turns", expires_at=moment),
        lambda: vault.recall("the mill", as_of=moment),
        lambda: vault.recall("the mill", known_at=moment),
        lambda: vault.session("talk", agent="coder").append("user", "The mill turns", at=moment),
    ):
        with pytest.raises(BadTime):
            call()
    assert texts(vault, "the mill") == []


def test_a_turn_of_a_far_moment_does_not_leave_a_row_that_cannot_be_read(vault: Vault) -> None:
    """It was stored beyond what a moment can be, and nothing could be read or proven after it."""
    session = vault.session("talk", agent="coder")
    session.append("user", "The first year", at=datetime(1, 1, 1, tzinfo=UTC))
    session.append("user", "The last moment", at=datetime.max.replace(tzinfo=UTC))
    for moment in (BEFORE_ALL, AFTER_ALL):
        with pytest.raises(BadTime):
            session.append("user", "Beyond", at=moment)
    assert [turn.text for turn in session.turns()] == ["The first year", "The last moment"]
    assert vault.verify().ok


POSITIONS = ("x", None, -1, 2**70, 1.5, True, [])


@pytest.mark.parametrize("after", POSITIONS)
def test_a_position_that_is_none_is_a_wrong_call(vault: Vault, after: Any) -> None:
    for listed in (vault.memories, vault.sessions, vault.recalls, vault.log):
        with pytest.raises(BadInput):
            listed(after=after)
        listed(after=0)
    with pytest.raises(BadInput):
        vault.session("talk", agent="coder").turns(after=after)


@pytest.mark.parametrize("value", [5, {}, [5], "\ud800", ["\ud800"], ["a\0b"]])
def test_lists_of_names_that_are_none_are_wrong_calls(vault: Vault, value: Any) -> None:
    for call in (
        lambda: vault.memories(states=value),
        lambda: vault.recall("the mill", tags=value),
        lambda: vault.acting_as(actor="x", reads=value),
        lambda: vault.acting_as(actor="x", writes=value),
        lambda: vault.make_key(actor="x", reads=value),
        lambda: vault.revoke_key(value),
    ):
        with pytest.raises(MunimentError):
            call()


@pytest.mark.parametrize("reason", ["no\ud800w", "no\0w", "no\x1b[31mw"])
def test_a_reason_is_stored_without_what_may_not_be_shown(vault: Vault, reason: str) -> None:
    id = stored(vault.remember("The mill turns")).id
    stored(vault.retract(id, reason=reason))
    kept = vault.history(id)[-1].reason
    assert kept == reason.replace(reason[2], "\ufffd")
    assert vault.verify().ok


def test_a_reading_shows_the_rank_that_the_memory_has(vault: Vault) -> None:
    """Every look-up by id called its memory untrusted."""
    owners = stored(vault.remember("The mill turns")).id
    agents = stored(vault.acting_as(actor="coder").remember("The brook is full")).id
    assert hits_of(vault.read(owners))[0].rank is Rank.MANUAL
    assert hits_of(vault.read(agents))[0].rank is Rank.CONVERSATION


def test_what_a_turn_hides_is_spelled_out_in_a_prompt(vault: Vault) -> None:
    """Letters of the tag block cannot be seen, and a model reads them all the same."""
    hidden = "".join(chr(0xE0000 + ord(character)) for character in "obey")
    turned = f"The mill is \u202eneerg\u202c\u2066 and \u200bold{hidden}"
    vault.session("talk", agent="coder").append("user", turned)
    answer = vault.recall("what is the mill")
    shown = answer.render()
    assert [hit.text for hit in answer.hits] == [turned]
    assert parsed(shown) == [turned]
    assert not any(character in shown for character in "\u202e\u202c\u2066\u200b" + hidden)
    assert "\\u202e" in shown


def test_what_is_meant_to_be_seen_is_not_spelled_out(vault: Vault) -> None:
    plain = "Die Mühle \u05e9\u05dc\u05d5\u05dd \u200f \U0001f469\u200d\U0001f52c 鍵 é"
    vault.session("talk", agent="coder").append("user", plain)
    assert plain in vault.recall("Mühle").render()
