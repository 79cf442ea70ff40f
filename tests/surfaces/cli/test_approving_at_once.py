"""Is a change that has to wait put to the person at the terminal at once, and staged everywhere else?"""

import pytest

from tests.surfaces.cli.conftest import Home, Run

CHANGES = {
    "block": ("memory", "add", "memory", "The quay is wet"),
    "statement": ("remember", "The quay is wet"),
}


@pytest.fixture
def waiting(quick: Run, place: Home) -> Home:
    assert quick(*place.owner, "spaces", "--review", "all").code == 0
    return place


def held(quick: Run, place: Home) -> str:
    """Return all that the block and the memory say."""
    return quick(*place.owner, "memory", "show", "memory").out + quick(*place.owner, "recall", "wet quay").out


def open_proposals(quick: Run, place: Home) -> int:
    return len(quick(*place.owner, "--json", "pending").document["pending"])


@pytest.mark.parametrize("change", CHANGES)
def test_a_person_at_a_terminal_is_asked_at_once(
    quick: Run, at_terminal: Run, waiting: Home, change: str
) -> None:
    done = at_terminal(*waiting.agent, *CHANGES[change], typed="y\n")
    assert done.code == 0, done.out
    assert "staged" in done.out and "Approve it now?" in done.out and "stored" in done.out
    assert "The quay is wet" in done.out.split("Approve it now?")[0], "it is shown before it is asked"
    assert "The quay is wet" in held(quick, waiting)
    assert open_proposals(quick, waiting) == 0


@pytest.mark.parametrize("typed", ["n\n", "\n", "\x04"])
@pytest.mark.parametrize("change", CHANGES)
def test_any_other_answer_than_yes_lets_it_wait(
    quick: Run, at_terminal: Run, waiting: Home, *, change: str, typed: str
) -> None:
    done = at_terminal(*waiting.agent, *CHANGES[change], typed=typed)
    assert done.code == 0, done.out
    assert "It waits: `muniment approve p_" in done.out.replace("\n", " ")
    assert "The quay is wet" not in held(quick, waiting)
    assert open_proposals(quick, waiting) == 1


@pytest.mark.parametrize("change", CHANGES)
def test_elsewhere_it_is_staged_and_nobody_is_asked(quick: Run, run: Run, waiting: Home, change: str) -> None:
    for who in (waiting.owner, waiting.agent):
        done = run(*who, *CHANGES[change])
        assert done.code == 0 and done.out.startswith("staged")
        assert "Approve it now?" not in done.out + done.errors
    assert open_proposals(quick, waiting) in (1, 2)
    assert "The quay is wet" not in held(quick, waiting)


@pytest.mark.parametrize("more", [("--json",), ("--actor", "coder")])
def test_a_script_and_an_agent_at_a_terminal_are_not_asked(
    quick: Run, at_terminal: Run, waiting: Home, more: tuple[str, ...]
) -> None:
    done = at_terminal(*waiting.agent, *more, *CHANGES["block"])
    assert done.code == 0 and "Approve it now?" not in done.out
    assert open_proposals(quick, waiting) == 1


def test_what_the_gate_refuses_is_put_to_nobody(quick: Run, at_terminal: Run, waiting: Home) -> None:
    quick(*waiting.owner, "memory", "files")
    blocks = waiting.vault.with_name(f"{waiting.vault.name}.blocks")
    (blocks / "memory.md").write_text("broken \n\n")
    done = at_terminal(*waiting.agent, *CHANGES["block"], typed="y\n")
    assert done.code == 1 and "drifted-file" in done.out, "it was refused before it could wait"
    assert open_proposals(quick, waiting) == 0
