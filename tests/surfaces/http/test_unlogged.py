"""Can what could not be put on record be written on as if it had not been read?"""

from dataclasses import replace

import pytest

from muniment.domain.label import PUBLIC
from muniment.domain.rights import Peer
from muniment.recall.question import Answer, AnswerOutcome
from muniment.service.vault import Vault
from muniment.surfaces.http.unlogged import LEFT_OUT, refuse_stricter, within
from tests.builders import stored
from tests.surfaces.http.served import At, served

PAGE = "The heron on the page is purple"
CLEAN = "The heron in the reeds is grey"


def closed(vault: Vault) -> None:
    """Let the vault take no writes, as on a full disk."""
    vault.ground.outside = replace(vault.ground.outside, writable=False, why_read_only="The disk is full.")


def opened(vault: Vault) -> None:
    vault.ground.outside = replace(vault.ground.outside, writable=True, why_read_only="")


@pytest.fixture
def herons(vault: Vault) -> Vault:
    """Return a vault with something from outside, something secret and something of the owner."""
    stored(vault.remember(CLEAN))
    stored(vault.remember("The heron of the crown is gold", data_class="secret"))
    vault.ingest(PAGE, source="a page", untrusted=True)
    return vault


def recalled(at: At) -> tuple[set[str], list[str]]:
    found = at.loop("recall", session="s-1", query="heron", k=10)
    assert all((hit["text"] in found["envelope"]) for hit in found["hits"])
    assert found["envelope"].count("<<mem ") == len(found["hits"])
    return {hit["text"] for hit in found["hits"]}, found["notes"]


def test_what_cannot_be_put_on_record_is_not_served_and_the_answer_says_so(herons: Vault) -> None:
    with served(herons) as at:
        at.loop("append", session="s-1", role="user", text="hello")
        closed(herons)
        texts, notes = recalled(at)
        assert texts == {CLEAN}
        assert LEFT_OUT.format(2) in notes
        # Also when it is asked again: what counts is what a restart would know.
        assert recalled(at)[0] == {CLEAN}
        opened(herons)
        assert at.loop("session", session="s-1")["label"] == {"class": "private", "untrusted": False}
        assert at.loop("remember", session="s-1", text="The lamp is green")["verdict"] == "stored"


def test_what_is_on_record_is_served_whole_and_binds_the_session(herons: Vault) -> None:
    """The twin: nothing is left out where the vault writes, and then the session is untrusted."""
    with served(herons) as at:
        at.loop("append", session="s-1", role="user", text="hello")
        texts, notes = recalled(at)
        assert texts == {CLEAN, PAGE, "The heron of the crown is gold"}
        assert notes == []
        assert at.loop("session", session="s-1")["label"] == {"class": "secret", "untrusted": True}


def test_a_session_that_read_as_much_already_is_served_without_a_record(herons: Vault) -> None:
    with served(herons) as at:
        at.loop("append", session="s-1", role="tool_result", text="a page", data_class="secret")
        closed(herons)
        texts, notes = recalled(at)
        assert len(texts) == 3
        assert not [note for note in notes if note.startswith("left out")]


def test_a_search_that_cannot_be_put_on_record_is_refused_where_it_is_stricter(vault: Vault) -> None:
    with served(vault) as at:
        at.loop("append", session="old", role="user", text=PAGE, untrusted=True)
        at.loop("append", session="clean", role="user", text="The kettle is blue")
        at.loop("append", session="s-1", role="user", text="hello")
        closed(vault)
        reply = at.call(Peer.LOOP, "search", session="s-1", query="heron")
        assert (reply.status, reply.code) == (503, "busy")
        assert "heron" not in str(reply.data)
        assert at.loop("search", session="s-1", query="kettle")["sessions"]
        opened(vault)
        assert at.loop("search", session="s-1", query="heron")["sessions"]
        assert at.loop("session", session="s-1")["label"]["untrusted"]


def test_an_answer_without_hits_is_served_as_it_is() -> None:
    none = Answer("q", (), PUBLIC, AnswerOutcome.NOTHING, "Nothing covers this.", logged=False)
    assert within(none, PUBLIC) is none
    refuse_stricter(none, PUBLIC)
