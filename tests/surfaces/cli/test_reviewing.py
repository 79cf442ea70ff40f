"""Can a person settle what waits from the command line, and can nobody else?"""

from muniment.gate.verdict import Reason
from tests.surfaces.cli.conftest import Home, Run

SLOT = ("--about", "door", "--attribute", "code")


def disputed(quick: Run, place: Home) -> str:
    """Return the case of what an agent said against a person."""
    assert quick(*place.owner, "remember", "The code is 1234", *SLOT, "--value", "1234").code == 0
    done = quick(*place.agent, "--json", "remember", "The code is 4711", *SLOT, "--value", "4711")
    assert done.document["verdict"] == "disputed"
    return str(done.document["case"])


def test_a_case_is_listed_shown_and_decided(quick: Run, place: Home) -> None:
    case = disputed(quick, place)
    listed = quick(*place.owner, "cases")
    assert listed.code == 0 and case in listed.out and "The code is 4711" in listed.out
    shown = quick(*place.owner, "cases", "show", case)
    assert "conflict-lower-rank" in shown.out and "The code is 1234" in shown.out
    decided = quick(*place.owner, "cases", "decide", case, "--uphold-new", "--reason", "it was changed")
    assert decided.code == 0, decided.errors
    assert "No case waits." in quick(*place.owner, "cases").out
    after = quick(*place.owner, "cases", "show", case)
    assert "it was changed" in after.out and "uphold-new" in after.out
    document = quick(*place.owner, "--json", "cases", "--state", "decided").document
    assert [one["id"] for one in document["cases"]] == [case]


def test_an_edit_takes_its_text_and_value(quick: Run, place: Home) -> None:
    case = disputed(quick, place)
    edit = ("--edit", "The code is 9999", "--value", "9999")
    assert quick(*place.owner, "cases", "decide", case, *edit).code == 0
    answer = quick(*place.owner, "recall", "code")
    assert "9999" in answer.out and "1234" not in answer.out


def test_one_decision_is_given_and_it_is_a_persons(quick: Run, place: Home) -> None:
    case = disputed(quick, place)
    assert quick(*place.owner, "cases", "decide", case).code_shown == "bad-input"
    both = quick(*place.owner, "cases", "decide", case, "--keep-old", "--merge")
    assert both.code_shown == "bad-input"
    agents = quick(*place.agent, "cases", "decide", case, "--keep-old")
    assert (agents.code, agents.code_shown) == (1, "person-only")
    assert quick(*place.owner, "cases", "show", "c_" + "0" * 26).code == 3


def staged(quick: Run, place: Home) -> str:
    """Return the proposal of an agent's write."""
    assert quick(*place.owner, "spaces", "--review", "agent").code == 0
    done = quick(*place.agent, "--json", "remember", "The quay opens at six")
    assert done.document["verdict"] == "staged"
    return str(done.document["proposal"])


def test_what_waits_is_listed_shown_and_approved_by_its_digest(quick: Run, place: Home) -> None:
    waiting = staged(quick, place)
    assert waiting in quick(*place.owner, "pending").out
    shown = quick(*place.owner, "--json", "pending", "show", waiting).document
    assert shown["text"] == "The quay opens at six"
    assert shown["digest"] in quick(*place.owner, "pending", "show", waiting).out
    assert "waiting" in quick(*place.owner, "status").out
    wrong = quick(*place.owner, "approve", waiting, "--digest", "00" * 32)
    assert (wrong.code, wrong.code_shown) == (1, "altered")
    assert quick(*place.owner, "recall", "quay").out.count("six") == 0
    assert quick(*place.owner, "approve", waiting, "--digest", shown["digest"]).code == 0
    assert "six" in quick(*place.owner, "recall", "quay").out


def test_what_waits_is_approved_in_other_words(quick: Run, place: Home) -> None:
    waiting = staged(quick, place)
    digest = quick(*place.owner, "--json", "pending", "show", waiting).document["digest"]
    edit = ("--edit", "The quay opens at nine", "--reason", "it was moved")
    assert quick(*place.agent, "approve", waiting, "--digest", digest, *edit).code_shown == "person-only"
    assert quick(*place.owner, "approve", waiting, "--digest", digest, *edit).code == 0
    answer = quick(*place.owner, "recall", "quay").out
    assert "nine" in answer and "six" not in answer
    shown = quick(*place.owner, "pending", "show", waiting).out
    assert "The quay opens at six" in shown and "The quay opens at nine" in shown


def test_a_declined_removal_is_not_asked_for_again(quick: Run, place: Home) -> None:
    mine = quick(*place.agent, "--json", "remember", "The quay opens at six").document["id"]
    assert quick(*place.owner, "spaces", "--review", "agent").code == 0
    waiting = quick(*place.agent, "--json", "retract", mine, "--reason", "old").document["proposal"]
    assert quick(*place.owner, "decline", waiting, "--reason", "it stands").code == 0
    again = quick(*place.agent, "retract", mine, "--reason", "so old")
    assert (again.code, again.code_shown) == (1, "declined-before")
    lifted = quick(*place.owner, "lift", waiting, "--reason", "ask again")
    assert lifted.code == 0 and lifted.out.startswith("stored  record ") and "lifted" in lifted.out
    assert quick(*place.agent, "--json", "retract", mine, "--reason", "old").document["verdict"] == "staged"


def test_without_a_terminal_an_approval_takes_the_digest(quick: Run, place: Home) -> None:
    waiting = staged(quick, place)
    asked = quick(*place.owner, "approve", waiting)
    assert (asked.code_shown, "digest" in asked.errors) == ("bad-input", True)


def test_what_is_declined_may_not_come_back(quick: Run, place: Home) -> None:
    waiting = staged(quick, place)
    assert quick(*place.agent, "decline", waiting, "--reason", "no").code_shown == "person-only"
    assert quick(*place.owner, "decline", waiting, "--reason", "no").code == 0
    again = quick(*place.agent, "remember", "The quay opens at six")
    assert (again.code, again.code_shown) == (1, "rejected-value")
    assert "Nothing waits." in quick(*place.owner, "pending").out


def test_the_dials_of_a_space_are_shown_and_are_the_owners(quick: Run, place: Home) -> None:
    assert quick(*place.owner, "spaces", "--conflict", "all", "--review", "all").code == 0
    listed = quick(*place.owner, "--json", "spaces").document
    assert listed["spaces"][0]["dial"] == "all" and set(listed["review"].values()) == {"all"}
    assert quick(*place.agent, "spaces", "--review", "off").code != 0
    assert quick(*place.owner, "spaces", "--review", "sometimes").code_shown == "bad-input"


def test_a_dry_run_says_what_would_follow_and_stores_nothing(quick: Run, place: Home) -> None:
    assert quick(*place.owner, "remember", "I live in Berlin").code == 0
    dry = quick(*place.owner, "remember", "--dry-run", "I moved to Lisbon")
    assert dry.code == 0 and "superseded" in dry.out and "I live in Berlin" in dry.out
    document = quick(*place.owner, "--json", "remember", "--dry-run", "I moved to Lisbon").document
    assert (document["stored"], document["contradicts"][0]["kind"]) == (False, "replacement")
    nothing = quick(*place.owner, "remember", "--dry-run", "The heron nests by the weir")
    assert "nothing" in nothing.out
    assert "Lisbon" not in quick(*place.owner, "recall", "moved to Lisbon").out.replace(
        "moved to Lisbon?", ""
    )


def test_a_command_ends_only_when_its_statement_was_compared(quick: Run, place: Home) -> None:
    first = quick(*place.owner, "--json", "remember", "I live in Berlin").document
    second = quick(*place.owner, "--json", "remember", "I moved to Lisbon").document
    assert (second["conflict"], second["also"]) == ("superseded", [first["id"]])
    now = quick(*place.owner, "recall", "where do I live").out
    assert "Lisbon" in now and "Berlin" not in now
    other = quick(*place.owner, "--json", "remember", "The heron nests by the weir").document
    assert (other["conflict"], other["also"]) == ("none", [])


def test_fault_an_unknown_proposal_or_case_is_looked_for_with_recall(quick: Run, place: Home) -> None:
    staged(quick, place)
    none, nobody = "p_" + "0" * 26, ("--reason", "no")
    for command in (("approve", none), ("decline", none, *nobody), ("pending", "show", none)):
        done = quick(*place.owner, *command)
        assert done.code in {1, 3} and "muniment pending" in done.errors, done.errors
        assert "recall" not in done.errors
    for command in (("show", "c_" + "0" * 26), ("decide", "c_" + "0" * 26, "--keep-old")):
        done = quick(*place.owner, "cases", *command)
        assert done.code in {1, 3} and "muniment cases" in done.errors, done.errors
    assert "certificates list" in quick(*place.owner, "certificates", "show", "x_" + "0" * 26).errors
    assert "erase --requests" in quick(*place.owner, "erase", "--request", "x_" + "0" * 26, "--yes").errors


def test_fault_what_was_declined_is_called_stored(quick: Run, place: Home) -> None:
    waiting = staged(quick, place)
    done = quick(*place.owner, "decline", waiting, "--reason", "no")
    assert done.out.startswith(f"declined  {waiting}  record ")
    assert "stored" not in done.out and "clean" not in done.out
    again = quick(*place.owner, "--json", "decline", waiting, "--reason", "no")
    assert again.code == 1 and again.document["reason"] == "closed-case"
    assert "case" not in Reason.CLOSED_CASE.sentence, "a proposal is none"


def test_fault_one_that_waits_is_counted_as_several(quick: Run, place: Home) -> None:
    staged(quick, place)
    assert "0 cases, 1 proposal, 0 erasures" in quick(*place.owner, "status").out
    assert "0 cases, 1 proposal and 0 erasures wait for a person." in quick(*place.owner, "doctor").out


def test_fault_the_log_calls_actors_and_spaces_by_bare_numbers(quick: Run, place: Home) -> None:
    staged(quick, place)
    owner = quick(*place.owner, "--json", "status").document["acting_as"]["actor"]
    head, *lines = quick(*place.owner, "log", "-n", "50").out.splitlines()
    assert head.split()[:5] == ["record", "when", "act", "by", "space"]
    assert not any("actor=" in line or "space=" in line or "session=0" in line for line in lines)
    assert any("set_dial" in line and f" {owner} " in line and " home " in line for line in lines)
    rows = quick(*place.owner, "--json", "log", "-n", "50").document["records"]
    dial = next(row for row in rows if row["act"] == "set_dial")
    assert (dial["by"], dial["space"]) == (owner, "home")
    assert isinstance(dial["fields"]["actor"], int), "what the record says stays as it is"


def test_fault_a_decided_proposal_is_asked_about_again(at_terminal: Run, quick: Run, place: Home) -> None:
    assert quick(*place.owner, "--space", "home", "spaces", "--review", "agent").code == 0
    assert quick(*place.agent, "remember", "The quay is closed in winter").code == 0
    (waiting,) = quick(*place.owner, "--json", "pending").document["pending"]
    assert quick(*place.owner, "decline", waiting["id"], "--reason", "not so").code == 0
    done = at_terminal("--vault", str(place.vault), "approve", waiting["id"])
    assert done.code == 1
    assert "closed-case: It is decided already." in done.out
    assert "Approve it?" not in done.out
