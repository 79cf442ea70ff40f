"""Does the broker hand in what tools gave, say which are clean, and learn labels and nothing else?"""

import pytest

from muniment.domain.rights import Peer
from tests.surfaces.http.served import At

RESULT = {"session": "s-1", "role": "tool_result", "tool": "calculator", "text": "4"}


@pytest.fixture
def begun(at: At) -> At:
    """Return a daemon with a session that the loop has begun."""
    at.loop("append", session="s-1", role="user", text="What is two and two?")
    return at


def label(at: At) -> dict[str, object]:
    found: dict[str, object] = at.broker("session", session="s-1")["label"]
    return found


def test_a_result_is_untrusted_unless_the_broker_says_that_it_is_clean(begun: At) -> None:
    begun.broker("append", **RESULT, clean=True)
    assert label(begun) == {"class": "private", "untrusted": False}
    begun.broker("append", **RESULT)
    assert label(begun) == {"class": "private", "untrusted": True}


def test_a_clean_result_does_not_loosen_what_was_read_before(begun: At) -> None:
    begun.broker("append", **{**RESULT, "tool": "web", "text": "a page"})
    begun.broker("append", **RESULT, clean=True)
    assert label(begun)["untrusted"]


def test_what_is_said_to_be_clean_and_untrusted_is_untrusted(begun: At) -> None:
    begun.broker("append", **RESULT, clean=True, untrusted=True)
    assert label(begun)["untrusted"]


def test_one_clean_result_makes_no_tool_clean(begun: At) -> None:
    begun.broker("append", **RESULT, clean=True)
    begun.loop("append", session="s-1", role="tool_result", speaker="calculator", text="5")
    assert label(begun)["untrusted"]


def test_a_stricter_class_counts(begun: At) -> None:
    begun.broker("append", **RESULT, clean=True, data_class="secret")
    assert label(begun) == {"class": "secret", "untrusted": False}


def test_calls_and_results_stand_in_the_session_under_the_tools_name(begun: At) -> None:
    begun.broker("append", session="s-1", role="tool_call", tool="calculator", text="2 + 2")
    begun.broker("append", **RESULT, at="2026-01-03T10:00:00Z", clean=True)
    found = begun.loop("turns", session="s-1")["turns"][1:]
    assert [(turn["role"], turn["speaker"], turn["text"]) for turn in found] == [
        ("tool_call", "calculator", "2 + 2"),
        ("tool_result", "calculator", "4"),
    ]
    assert found[1]["at"] == "2026-01-03T10:00:00Z"


@pytest.mark.parametrize("role", ["user", "assistant", "system"])
def test_the_broker_speaks_for_nobody_but_tools(begun: At, role: str) -> None:
    reply = begun.call(Peer.BROKER, "append", **{**RESULT, "role": role})
    assert (reply.status, reply.code) == (400, "bad-input")
    assert begun.broker("session", session="s-1")["turns"] == 1


def test_the_broker_begins_no_session(begun: At) -> None:
    reply = begun.call(Peer.BROKER, "append", **{**RESULT, "session": "s-2"})
    assert (reply.status, reply.code) == (404, "not-found")
    assert begun.call(Peer.LOOP, "session", session="s-2").code == "not-found"
    assert begun.broker("append", **RESULT)["added"] == 1


def test_a_recall_of_the_loop_shows_in_the_label_that_the_broker_asks_for(begun: At) -> None:
    begun.owner("remember", text="The deploy key rotates on Mondays", data_class="secret")
    assert label(begun)["class"] == "private"
    begun.loop("recall", session="s-1", query="deploy key")
    assert label(begun)["class"] == "secret"


def test_news_name_sessions_and_their_labels_and_no_text(begun: At) -> None:
    begun.broker("append", **RESULT)
    found = begun.broker("updates")
    (one,) = found["sessions"]
    assert one == {
        "session": "s-1",
        "space": "home",
        "agent": "coder",
        "turns": 2,
        "label": {"class": "private", "untrusted": True},
    }
    assert begun.broker("updates", after=found["position"])["sessions"] == []
    assert begun.call(Peer.BROKER, "updates", after=-1).code == "bad-input"


def test_sessions_of_another_space_are_no_news_of_the_broker(begun: At) -> None:
    begun.owner("about")
    reply = begun.call(Peer.BROKER, "session", session="elsewhere")
    assert (reply.status, reply.code) == (404, "not-found")
