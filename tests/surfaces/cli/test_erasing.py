"""Does the command line show what would go, ask, erase, and show what proves it?"""

import json

import pytest

import muniment
from muniment.domain.erasure import STORES
from muniment.surfaces.cli import erasing
from tests.surfaces.cli.conftest import Home, Run

CODE, TWIN = "QZ7-HERON-4417", "KK8-LYNX-0035"


@pytest.fixture
def filled(quick: Run, place: Home) -> Home:
    """Return a vault with a value, its twin, and a question about it."""
    for text in (f"The locker code is {CODE}", f"The spare code is {TWIN}"):
        assert quick(*place.owner, "remember", text).code == 0
    assert quick(*place.owner, "recall", f"who has {CODE}").code == 0
    return place


def test_a_plan_is_shown_and_nothing_goes(quick: Run, filled: Home) -> None:
    done = quick(*filled.owner, "erase", "--text", CODE, "--plan-only")
    assert done.code == 0
    assert "1 state of a memory" in done.out and "identifier: " + CODE in done.out
    assert TWIN not in done.out
    assert CODE in quick(*filled.owner, "recall", "locker code").out


def test_a_plan_is_one_document_for_a_script(quick: Run, filled: Home) -> None:
    done = quick(*filled.owner, "--json", "erase", "--text", CODE, "--plan-only")
    plan = done.document
    assert {one["kind"] for one in plan["going"]} == {"version", "recall"}
    assert [term["sort"] for term in plan["terms"]] == ["identifier"]
    assert len(plan["plan"]) == 32


def test_an_erasure_is_confirmed_done_and_proven(quick: Run, filled: Home) -> None:
    done = quick(*filled.owner, "erase", "--text", CODE, "--yes")
    assert done.code == 0 and "1 term kept out; storage-complete" in done.out
    shown = quick(*filled.owner, "--json", "certificates", "list").document["certificates"]
    assert [row["status"] for row in shown] == ["storage-complete", "logical"]
    note = quick(*filled.owner, "certificates", "show", shown[0]["erasure"])
    assert "/erasure/v1\n" in note.out and CODE not in note.out
    answered = quick(*filled.owner, "recall", "code").out
    assert CODE not in answered and TWIN in answered
    assert quick(*filled.owner, "verify").code == 0


def test_nobody_to_ask_and_no_yes_erases_nothing(quick: Run, filled: Home) -> None:
    done = quick(*filled.owner, "erase", "--text", CODE)
    assert (done.code, done.code_shown) == (2, "bad-input")
    assert CODE in quick(*filled.owner, "recall", "locker code").out


def test_a_person_at_a_terminal_is_asked(at_terminal: Run, quick: Run, filled: Home) -> None:
    vault = ("--vault", str(filled.vault))
    refused = at_terminal(*vault, "erase", "--text", CODE, typed="n\n")
    assert refused.code == 1 and "Erase it for good?" in refused.out
    assert CODE in quick(*filled.owner, "recall", "locker code").out
    done = at_terminal(*vault, "erase", "--text", CODE, typed="y\n")
    assert done.code == 0, done.out
    assert CODE not in quick(*filled.owner, "recall", "locker code").out


def test_an_agent_may_look_and_not_erase(quick: Run, filled: Home) -> None:
    vault = ("--vault", str(filled.vault))
    assert quick(*vault, "erase", "--text", CODE, "--plan-only").code == 0
    done = quick(*vault, "erase", "--text", CODE, "--yes")
    assert (done.code, done.code_shown) == (1, "refused")
    listed = quick(*vault, "certificates", "list")
    assert listed.code == 2
    assert CODE in quick(*filled.owner, "recall", "locker code").out


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ((), 2),
        (("--text", CODE, "--person", "Ria"), 2),
        (("--filter", "kind"), 2),
        (("--filter", "kind=fact", "--filter", "kind=task"), 2),
        (("--filter", "colour=red"), 2),
        (("--filter", "kind="), 2),
        (("--text", ""), 2),
        (("--text", "nowhere to be found"), 2),
        (("--id", "m_" + "0" * 26), 3),
    ],
)
def test_what_says_nothing_clear_is_refused(
    quick: Run, filled: Home, given: tuple[str, ...], code: int
) -> None:
    assert quick(*filled.owner, "erase", *given, "--yes").code == code


@pytest.mark.parametrize(
    ("given", "left"),
    [
        (("--filter", "kind=fact"), set()),
        (("--filter", "kind=fact", "--filter", "tag=none"), {CODE, TWIN}),
        (("--text", CODE, "--add", TWIN), set()),
        (("--text", f"The locker code is {CODE}", "--leave", CODE), {TWIN}),
    ],
)
def test_terms_and_filters_come_through(
    quick: Run, filled: Home, given: tuple[str, ...], left: set[str]
) -> None:
    plan = quick(*filled.owner, "--json", "erase", *given, "--plan-only").document
    named = {one["name"] for one in plan["going"] if one["kind"] == "version"}
    assert len(named) == 2 - len(left)
    if named:
        assert quick(*filled.owner, "erase", *given, "--yes").code == 0
    hits = json.loads(quick(*filled.owner, "--json", "recall", "code is").raw)["hits"]
    assert {code for code in (CODE, TWIN) if any(code in hit["text"] for hit in hits)} == left


def test_a_certificate_that_is_not_there_is_not_found(quick: Run, filled: Home) -> None:
    assert quick(*filled.owner, "certificates", "show", "x_" + "0" * 26).code == 3


def test_what_an_agent_asked_for_is_listed_carried_out_or_declined(quick: Run, filled: Home) -> None:
    with muniment.open(filled.vault) as vault:
        agent = vault.acting_as(actor="coder")
        first, second = agent.ask_erasure(text=CODE)[0], agent.ask_erasure(text=TWIN)[0]
    listed = quick(*filled.owner, "erase", "--requests")
    assert listed.code == 0 and first in listed.out and "by coder" in listed.out and TWIN in listed.out
    found = quick(*filled.owner, "--json", "erase", "--requests").document["requests"]
    assert [one["id"] for one in found] == [second, first]
    shown = quick(*filled.owner, "erase", "--request", first, "--plan-only")
    assert "1 state of a memory" in shown.out and "1 proposal, case, request or edit" in shown.out
    declined = quick(*filled.owner, "erase", "--decline", second, "--reason", "still in use")
    assert declined.code == 0 and "nothing went" in declined.out
    done = quick(*filled.owner, "erase", "--request", first, "--yes")
    assert done.code == 0 and "storage-complete" in done.out
    assert "No erasure was asked for" in quick(*filled.owner, "erase", "--requests").out
    answered = quick(*filled.owner, "recall", "code").out
    assert CODE not in answered and TWIN in answered


def test_a_request_takes_no_other_means(quick: Run, filled: Home) -> None:
    with muniment.open(filled.vault) as vault:
        request = vault.acting_as(actor="coder").ask_erasure(text=CODE)[0]
    done = quick(*filled.owner, "erase", "--request", request, "--text", TWIN, "--yes")
    assert (done.code, done.code_shown) == (2, "bad-input")
    assert quick(*filled.owner, "erase", "--request", f"{request}x", "--yes").code_shown == "not-found"


def test_fault_a_plan_speaks_of_tables(quick: Run, filled: Home) -> None:
    """Whoever confirms has to know what goes; a script still gets the names of the stores."""
    done = quick(*filled.owner, "erase", "--text", CODE, "--plan-only").out
    assert done.startswith("Would go: 1 state of a memory, 1 question that was asked, ")
    assert "question that was asked (" in done
    assert not any(word in done for word in ("version", "recall_log", "recall/", "index,"))
    document = quick(*filled.owner, "--json", "erase", "--text", CODE, "--plan-only").document
    assert {"version", "recall_log"} <= set(document["counts"])


def test_every_kind_of_row_that_a_plan_may_count_has_a_word() -> None:
    assert set(STORES.values()) | {"index", "put back"} <= set(erasing._KINDS)
    assert all(one and several and one != several for one, several in erasing._KINDS.values())


def test_fault_who_may_not_erase_is_asked_whether_to(at_terminal: Run, place: Home, quick: Run) -> None:
    """And so is who would erase nothing: the answer was a refusal whatever was said."""
    stored = quick(*place.owner, "--json", "remember", "The locker code is QZ7-HERON-4417")
    for words in (
        ("--actor", "helper", "erase", "--id", stored.document["id"]),
        ("erase", "--text", "zeppelin"),
    ):
        done = at_terminal("--vault", str(place.vault), *words)
        assert done.code != 0
        assert "Erase it for good?" not in done.out
    assert "HERON" in quick(*place.owner, "recall", "locker code").out


def test_fault_an_error_is_wider_than_the_screen(at_terminal: Run, place: Home) -> None:
    done = at_terminal("--vault", str(place.vault), "erase")
    assert done.out.startswith("bad-input: Say by one thing")
    assert max(map(len, done.out.splitlines())) <= 80
