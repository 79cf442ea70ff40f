"""Do the commands that change a memory say what became of it, and refuse in one shape?"""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.surfaces.cli.conftest import Home, Run

Remembered = Callable[..., str]


def test_a_memory_is_stored_and_the_receipt_names_it(quick: Run, place: Home) -> None:
    done = quick(
        *place.owner,
        *("--json", "remember", "The deploy key rotates on Mondays"),
        *("--kind", "fact", "--about", "deploy key", "--attribute", "rotation", "--value", "Monday"),
        *("--from", "2026-01-01", "--until", "2027-01-01", "--occurred", "2026-01-02T10:00:00Z"),
        *("--expires", "2030-01-01", "--tag", "ops", "--tag", "keys", "--class", "secret"),
    )
    assert done.code == 0
    receipt = done.document
    assert (receipt["verdict"], receipt["reason"], receipt["version"]) == ("stored", "clean", 1)
    found = quick(*place.owner, "--json", "read", str(receipt["id"])).document
    assert found["text"] == "The deploy key rotates on Mondays"
    assert (found["about"], found["attribute"], found["value"]) == ("deploy key", "rotation", "Monday")
    assert found["valid"] == {"from": "2026-01-01", "until": "2027-01-01"}
    assert (found["occurred_at"], found["expires_at"]) == ("2026-01-02T10:00:00Z", "2030-01-01")
    assert sorted(str(tag) for tag in found["tags"]) == ["keys", "ops"]
    assert found["label"] == {"class": "secret", "untrusted": False}
    assert (found["author"], found["rank"], found["space"]) == ("owner", "manual", "home")


def test_a_person_reads_the_verdict_the_id_and_the_reason(quick: Run, place: Home) -> None:
    done = quick(*place.owner, "remember", "Tea is at four")
    first, second = done.out.splitlines()
    assert first.startswith("stored  m_")
    assert second == "  clean: It was stored."
    again = quick(*place.owner, "remember", "Tea is at four")
    assert again.code == 0
    assert again.out.startswith("merged  ")
    assert "already-known: " in again.out


def test_many_values_stay_side_by_side_and_one_value_gives_way(quick: Run, place: Home) -> None:
    slot = ("--about", "the team", "--attribute", "member")
    quick(*place.owner, "remember", "Ada is in the team", *slot, "--value", "Ada", "--many")
    both = quick(*place.owner, "--json", "remember", "Bo is in the team", *slot, "--value", "Bo", "--many")
    assert both.document["conflict"] == "none"
    slot = ("--about", "the team", "--attribute", "room")
    quick(*place.owner, "remember", "The room is 4", *slot, "--value", "4", "--from", "2026-01-01")
    newer = quick(*place.owner, "--json", "remember", "The room is 5", *slot, "--value", "5")
    assert (newer.document["reason"], newer.document["conflict"]) == ("superseded-older", "superseded")
    assert len(newer.document["also"]) == 1


def test_text_comes_from_standard_input_for_a_dash(quick: Run, place: Home) -> None:
    done = quick(*place.owner, "--json", "remember", "-", given="Grüße aus Zürich\n".encode())
    found = quick(*place.owner, "--json", "read", str(done.document["id"])).document
    assert found["text"] == "Grüße aus Zürich"


def test_evidence_is_named_by_id(quick: Run, place: Home, remembered: Remembered) -> None:
    base = remembered("The gauge drifts by four centimetres")
    done = quick(*place.owner, "--json", "remember", "The gauge must be cleaned", "--evidence", base)
    steps = quick(*place.owner, "--json", "why", str(done.document["id"])).document["steps"]
    assert [one["id"] for one in steps] == [done.document["id"], base]
    wrong = quick(*place.owner, "remember", "The gauge is gone", "--evidence", "nothing")
    assert (wrong.code, wrong.code_shown) == (2, "bad-input")


def test_a_revision_adds_a_version_and_keeps_the_old_one(
    quick: Run, place: Home, remembered: Remembered
) -> None:
    id = remembered("The port is 8090", "--about", "staging", "--attribute", "port", "--value", "8090")
    options = ("--reason", "a typo", "--expected-version", "1", "--value", "8091")
    done = quick(*place.owner, "--json", "revise", id, "The port is 8091", *options)
    assert (done.code, done.document["version"]) == (0, 2)
    stale = quick(*place.owner, "revise", id, "The port is 8092", "--expected-version", "1")
    assert (stale.code, stale.code_shown) == (1, "stale-view")
    versions = quick(*place.owner, "--json", "history", id).document["versions"]
    assert [one["text"] for one in versions] == ["The port is 8090", "The port is 8091"]
    shown = quick(*place.owner, "history", id).out
    assert "because a typo" in shown
    assert shown.index("8090") < shown.index("8091")


def test_a_successor_takes_over_from_a_moment(quick: Run, place: Home, remembered: Remembered) -> None:
    id = remembered("Zoë lives in Berlin", "--from", "2026-01-01")
    done = quick(*place.owner, "--json", "succeed", id, "Zoë lives in Lisbon", "--from", "2026-03-28")
    assert done.code == 0
    successor = str(done.document["id"])
    assert successor != id
    then = quick(*place.owner, "recall", "Where does Zoë live?", "--as-of", "2026-02-01")
    assert "Berlin" in then.out
    now = quick(*place.owner, "recall", "Where does Zoë live?")
    assert now.out.startswith("1  Zoë lives in Lisbon")
    assert quick(*place.owner, "--json", "read", id).document["successor"] == successor


def test_a_statement_is_taken_back_retired_and_revived(
    quick: Run, place: Home, remembered: Remembered
) -> None:
    id = remembered("The bakery opens at six")
    assert quick(*place.owner, "retire", id, "--reason", "closed for summer").code == 0
    assert "Nothing covers this." in quick(*place.owner, "recall", "bakery opens").out
    assert quick(*place.owner, "revive", id).code == 0
    assert "opens at six" in quick(*place.owner, "recall", "bakery opens").out
    assert quick(*place.owner, "retract", id, "--reason", "never true").code == 0
    assert quick(*place.owner, "--json", "read", id).document["state"] == "retired"
    assert "withheld: 1 retired" in quick(*place.owner, "recall", "bakery opens").out


def test_a_rejected_value_stays_out_until_it_is_lifted(
    quick: Run, place: Home, remembered: Remembered
) -> None:
    id = remembered("The office is in Paris")
    done = quick(*place.owner, "reject", id, "--reason", "it never was", "--yes")
    assert done.code == 0
    for disguise in ("The office is in Paris", "THE OFFICE IS IN PARIS", "The \u043effice is in Paris"):
        refused = quick(*place.agent, "remember", disguise)
        assert refused.code == 1
        assert refused.code_shown in ("rejected-value", "look-alike-of-rejected")
        assert "\u2192 " in refused.errors
        assert refused.out == ""
    assert quick(*place.owner, "read", id).code == 3
    assert quick(*place.owner, "read", id, "--rejected").code == 0
    assert quick(*place.agent, "lift", id).code == 1
    lifted = quick(*place.owner, "lift", id, "--reason", "it is now")
    assert lifted.code == 0 and "the value may come back" in lifted.out
    assert quick(*place.agent, "remember", "The office is in Paris").code == 0


def test_a_rejection_without_a_terminal_needs_a_yes(quick: Run, place: Home, remembered: Remembered) -> None:
    id = remembered("The office is in Paris")
    done = quick(*place.owner, "reject", id)
    assert (done.code, done.code_shown) == (2, "bad-input")
    assert "--yes" in done.errors
    assert quick(*place.owner, "read", id).code == 0


def test_a_rejection_at_a_terminal_shows_what_goes_and_asks(
    at_terminal: Run, quick: Run, place: Home, remembered: Remembered
) -> None:
    id = remembered("The office is in Paris")
    kept = at_terminal(*place.agent, "reject", id, typed="n\n")
    assert kept.code == 1
    assert "1 memory is about to be rejected" in kept.out
    assert "The office is in Paris" in kept.out
    assert quick(*place.owner, "read", id).code == 0
    gone = at_terminal(*place.agent, "reject", id, typed="y\n")
    assert gone.code == 0
    assert quick(*place.owner, "read", id).code == 3


def test_an_agent_may_not_do_what_is_a_persons(quick: Run, place: Home, remembered: Remembered) -> None:
    id = remembered("The office is in Paris")
    for arguments in (["reject", id, "--yes"], ["lift", id]):
        done = quick(*place.agent, *arguments)
        assert (done.code, done.out) == (1, ""), arguments
        assert done.code_shown in ("person-only", "forbidden-move", "no-match")
    assert quick(*place.owner, "--json", "read", id).document["trust"] == "believed"


def test_two_things_are_linked(quick: Run, place: Home, remembered: Remembered) -> None:
    first, second = remembered("The pump failed"), remembered("The valve was shut")
    done = quick(*place.owner, "link", first, second, "--type", "causes", "--weight", "0.8")
    assert done.code == 0
    unknown = quick(*place.owner, "link", first, second, "--type", "likes")
    assert (unknown.code, unknown.code_shown) == (2, "bad-input")
    heavy = quick(*place.owner, "link", first, second, "--type", "causes", "--weight", "heavy")
    assert (heavy.code, heavy.code_shown) == (2, "bad-call")


@pytest.mark.parametrize("verb", ["revise", "succeed", "retract", "reject", "lift", "retire", "revive"])
@pytest.mark.parametrize("id", ["nonsense", "m_06h2j2hbntr67548q5rfie8tbo", "m_\u00e9", ""])
def test_an_unknown_id_is_answered_in_one_shape(quick: Run, place: Home, verb: str, id: str) -> None:
    text = ["It is so"] if verb in ("revise", "succeed") else []
    yes = ["--yes"] if verb == "reject" else []
    done = quick(*place.owner, verb, id, *text, *yes)
    assert done.code in (1, 2, 3)
    assert done.code_shown in ("no-match", "not-found", "bad-input")
    assert done.out == ""


@pytest.mark.parametrize(
    ("arguments", "code", "named"),
    [
        (["remember", ""], 1, "empty"),
        (["remember", " \u200b "], 1, "empty"),
        (["remember", "x", "--kind", "song"], 2, "bad-input"),
        (["remember", "x", "--class", "cosmic"], 2, "bad-input"),
        (["remember", "x", "--from", "yesterday"], 2, "bad-time"),
        (["remember", "x", "--from", ""], 2, "bad-time"),
        (["remember", "x", "--from", "2026-01-02T10:00:00"], 2, "bad-time"),
        (["remember", "x", "--from", "2026-02-01", "--until", "2026-01-01"], 1, "bad-shape"),
        (["remember", "x", "--about", "y"], 1, "bad-shape"),
        (["remember", "x", "--space", "../up"], 2, "bad-input"),
        (["remember", "x", "--tag", "t" * 500], 1, "bad-shape"),
        (["remember", "x" * 100_001], 1, "too-long"),
        (["remember", "a\u202eb"], 1, "characters"),
        (["remember"], 2, "bad-call"),
        (["remember", "one", "two"], 2, "bad-call"),
        (["remember", "x", "--colour", "red"], 2, "bad-call"),
        (["revise", "m_x", "y", "--expected-version", "first"], 2, "bad-call"),
    ],
)
def test_a_bad_call_names_one_reason_and_stores_nothing(
    quick: Run, place: Home, arguments: list[str], code: int, named: str
) -> None:
    assert quick(*place.owner, "remember", "The only memory").code == 0
    done = quick(*place.owner, *arguments)
    assert (done.code, done.code_shown) == (code, named), done.errors
    sentence, advice = done.errors.splitlines()[:2]
    assert sentence.endswith((".", "?"))
    assert advice.startswith("\u2192 ")
    assert done.out == ""
    status = quick(*place.owner, "--json", "status").document
    assert status["counts"]["memory"] == 1


@pytest.mark.parametrize(
    ("content", "code", "named"),
    [
        (b"a" * 100_001, 1, "too-long"),
        (b"a" * 10_000_000, 2, "request-too-large"),
        ("\u00e9".encode() * 5_000_000, 2, "request-too-large"),
        (b"nul\x00inside", 1, "characters"),
        (b"\xff\xfe not utf-8", 2, "bad-input"),
        (b"\xed\xa0\x80", 2, "bad-input"),
        (b"", 1, "empty"),
    ],
)
def test_a_bad_text_on_standard_input_is_refused_whole(
    quick: Run, place: Home, content: bytes, code: int, named: str
) -> None:
    assert quick(*place.owner, "remember", "The only memory").code == 0
    done = quick(*place.owner, "remember", "-", given=content)
    assert (done.code, done.code_shown) == (code, named), done.errors
    assert len(done.errors) < 500
    assert quick(*place.owner, "remember", "-", given=b"still at work").code == 0


def test_bytes_that_are_no_text_are_refused_by_name(run: Run, place: Home) -> None:
    """A real process hands such bytes over as lone surrogates."""
    for arguments in (
        [b"remember", b"caf\xe9"],
        [b"remember", b"x", b"--tag", b"\xff"],
        [b"recall", b"\xe9"],
    ):
        done = run(*place.owner, *arguments)
        assert (done.code, done.code_shown) == (2, "bad-input"), arguments
        assert "no text" in done.errors
    assert run(*place.owner, "remember", "caf\u00e9").code == 0


def test_a_refusal_as_json_is_one_document_with_the_reason(quick: Run, place: Home) -> None:
    refused = quick(*place.owner, "--json", "remember", "")
    assert refused.code == 1
    assert (refused.document["verdict"], refused.document["reason"]) == ("refused", "empty")
    assert refused.document["next"]
    failed = quick(*place.owner, "remember", "x", "--kind", "song", "--json")
    assert failed.code == 2
    assert failed.document["error"]["code"] == "bad-input"
    assert failed.document["error"]["exit_code"] == 2
    assert failed.errors == ""


def test_what_a_process_stored_another_one_finds(run: Run, place: Home, tmp_path: Path) -> None:
    assert run("--vault", "v.db", "remember", "The lighthouse blinks twice").code == 0
    found = run("--vault", str(tmp_path / "v.db"), "recall", "How does the lighthouse blink?")
    assert "blinks twice" in found.out
