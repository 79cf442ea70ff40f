"""Does the command find what was said, read a session, scroll in it and list the newest?"""

import pytest

from tests.builders import file_vault
from tests.surfaces.cli.conftest import Home, Run


@pytest.fixture
def spoken(place: Home) -> Home:
    with file_vault(place.vault) as vault:
        for name in ("s-1", "s-2"):
            session = vault.session(name, agent="coder")
            for number in range(1, 5):
                session.append("user" if number % 2 else "assistant", f"heron {number} of {name}")
    return place


def test_a_person_sees_the_turn_that_was_found_between_its_neighbours(quick: Run, spoken: Home) -> None:
    done = quick(*spoken.owner, "search", "heron 3", "--session", "s-1", "--window", "1")
    lines = done.out.splitlines()
    assert lines[0].startswith("s-1  20")
    assert lines[0].endswith("coder, 4 places")
    assert lines[1:] == [
        "  heron 1 of s-1",
        "    ... 1 before",
        "    2 assistant: heron 2 of s-1",
        "  * 3 user: heron 3 of s-1",
        "    4 assistant: heron 4 of s-1",
    ]


def test_nothing_given_lists_the_newest_sessions(quick: Run, spoken: Home) -> None:
    found = quick(*spoken.owner, "--json", "search").document
    assert (found["mode"], [one["session"] for one in found["sessions"]]) == ("browse", ["s-2", "s-1"])


def test_a_session_is_read_and_scrolled(quick: Run, spoken: Home) -> None:
    read = quick(*spoken.owner, "--json", "search", "--session", "s-1").document
    assert [turn["text"] for turn in read["sessions"][0]["turns"]] == [
        f"heron {n} of s-1" for n in range(1, 5)
    ]
    scrolled = quick(*spoken.owner, "search", "--session", "s-1", "--around", "2", "--window", "0")
    assert scrolled.out.splitlines()[2:] == [
        "    ... 1 before",
        "    2 assistant: heron 2 of s-1",
        "    ... 2 after",
    ]


def test_what_was_widened_goes_to_the_side_and_nothing_found_is_said(quick: Run, spoken: Home) -> None:
    some = quick(*spoken.owner, "search", "heron otter")
    assert some.errors.strip() == "No turn holds all of the words; these hold some of them."
    assert some.out
    none = quick(*spoken.owner, "search", "otter")
    assert (none.code, none.out.strip(), none.errors) == (0, "Nothing covers this.", "")


def test_a_session_that_is_not_there_ends_with_its_code(quick: Run, spoken: Home) -> None:
    done = quick(*spoken.owner, "search", "--session", "s-9")
    assert (done.code, done.code_shown, done.out) == (3, "not-found", "")


@pytest.mark.parametrize("sort", ["best", "newest", "oldest"])
def test_the_order_is_named(quick: Run, spoken: Home, sort: str) -> None:
    found = quick(*spoken.owner, "--json", "search", "heron", "--sort", sort).document
    assert len(found["sessions"]) == 2
    assert quick(*spoken.owner, "search", "heron", "--sort", f"{sort}st").code == 2
