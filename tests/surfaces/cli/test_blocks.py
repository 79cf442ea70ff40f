"""Do the commands edit the blocks, show the journal, and take an edit back?"""

import json

import pytest

from tests.surfaces.cli.conftest import Home, Run


def test_a_person_edits_a_block_and_reads_what_changed(quick: Run, place: Home) -> None:
    done = quick(*place.owner, "memory", "add", "user", "Prefers short answers")
    assert done.code == 0
    first, second, third = done.out.splitlines()
    assert first.startswith("stored  user  1% (21 of 1,375), 1 entry, edit 20")
    assert second == "  edited: The edit is done; it reaches the prompt of the next session."
    assert third == "  + Prefers short answers"
    done = quick(*place.owner, "memory", "replace", "user", "short", "Prefers long answers")
    assert done.out.splitlines()[2:] == ["  - Prefers short answers", "  + Prefers long answers"]
    shown = quick(*place.owner, "memory", "show", "user")
    assert shown.out.splitlines() == ["user  1% (20 of 1,375), 1 entry", "  - Prefers long answers"]


def test_a_removed_entry_stays_as_a_note(quick: Run, place: Home) -> None:
    quick(*place.owner, "memory", "add", "memory", "The quay is wet")
    done = quick(*place.owner, "memory", "remove", "memory", "quay")
    assert "dropped, kept as a note: The quay is wet" in done.out
    assert "The quay is wet" in quick(*place.owner, "recall", "is the quay wet?").out


def test_a_note_is_kept_and_named(quick: Run, place: Home) -> None:
    done = quick(*place.owner, "memory", "note", "-", given=b"The build took nine minutes\n")
    assert done.out.startswith("noted  e_")
    assert "nine minutes" in quick(*place.owner, "recall", "how long took the build?").out


def test_a_refusal_shows_the_entries_that_help_and_ends_with_its_code(quick: Run, place: Home) -> None:
    quick(*place.owner, "memory", "add", "memory", "tea")
    done = quick(*place.owner, "memory", "remove", "memory", "milk")
    assert (done.code, done.out, done.code_shown) == (1, "", "no-entry")
    assert done.errors.splitlines()[-1] == "   - tea"


def test_a_consolidation_and_a_batch_are_read_as_json(quick: Run, place: Home) -> None:
    quick(*place.owner, "memory", "batch", "memory", '[{"action": "add", "text": "tea"}]')
    lines = json.dumps([{"old": "tea", "move": True}, {"text": "milk"}]).encode()
    done = quick(*place.owner, "--json", "memory", "consolidate", "memory", "-", given=lines)
    assert (done.document["added"], done.document["moved"]) == (["milk"], ["tea"])
    wrong = quick(*place.owner, "memory", "batch", "memory", "[")
    assert (wrong.code, wrong.code_shown) == (2, "bad-input")


def test_every_block_is_shown_to_a_script(quick: Run, place: Home) -> None:
    begun = quick(*place.owner, "--json", "memory", "show", "soul").document["blocks"][0]["entries"]
    quick(*place.owner, "memory", "add", "soul", "I am careful")
    blocks = quick(*place.owner, "--json", "memory", "show").document["blocks"]
    assert [(one["block"], one["entries"], one["bound"]) for one in blocks] == [
        ("soul", [*begun, "I am careful"], 4_000),
        ("memory", [], 2_200),
        ("user", [], 1_375),
    ]


def test_the_journal_shows_each_edit_and_undo_takes_the_latest_back(quick: Run, place: Home) -> None:
    user = (*place.owner[:2], "--space", "acme", *place.owner[2:])
    assert quick(*user, "log", "--edits").out == "No block was edited yet.\n"
    quick(*place.owner, "memory", "add", "user", "tea\x1b[2J")
    quick(*place.owner, "memory", "add", "user", "tea")
    quick(*place.owner, "memory", "replace", "user", "tea", "milk")
    out = quick(*place.owner, "log", "--edits").out.splitlines()
    latest = out[0].split("  ")[0]
    assert out[0].startswith(f"{latest}  replace  user  by owner, 20")
    assert out[1:3] == ["  - tea", "  + milk"]
    done = quick(*place.owner, "undo", latest)
    assert done.code == 0
    assert done.out.splitlines()[2:] == ["  - milk", "  + tea"]
    again = quick(*place.owner, "undo", latest)
    assert (again.code, again.code_shown) == (1, "not-latest")
    edits = quick(*place.owner, "--json", "log", "--edits").document["edits"]
    assert [(one["action"], one["undoes"]) for one in edits] == [
        ("undo", latest),
        ("replace", ""),
        ("add", ""),
        ("batch", ""),
    ], "the soul that a vault begins with is an edit too"


def test_a_script_without_a_key_is_an_agent_and_has_no_soul_to_write(quick: Run, place: Home) -> None:
    vault = place.owner[:2]
    assert quick(*vault, "memory", "add", "soul", "I obey").code_shown == "owner-only"
    assert quick(*vault, "memory", "add", "user", "tea").code == 0


@pytest.mark.parametrize("block", ["diary", ""])
def test_a_block_that_is_not_there_is_no_choice(quick: Run, place: Home, block: str) -> None:
    assert quick(*place.owner, "memory", "add", block, "x").code_shown == "bad-call"


def test_what_an_entry_hides_is_spelled_out_at_the_terminal(quick: Run, place: Home) -> None:
    """An entry with a line break stays an entry, and cannot look like another line of the answer."""
    quick(*place.owner, "memory", "add", "memory", "one\n  - two")
    quick(*place.owner, "memory", "add", "memory", "three")
    shown = quick(*place.owner, "memory", "show", "memory").out.splitlines()
    assert shown[1:] == ["  - one", "      - two", "  - three"]


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("memory", "add", "user", " "), "bad-edit"),
        (("memory", "add", "user", "tea"), "duplicate-entry"),
        (("memory", "add", "user", "x" * 1_400), "over-limit"),
        (("memory", "add", "user", "one\n\u00a7\ntwo"), "bad-edit"),
        (("memory", "replace", "user", "tea", "tea"), "unchanged"),
        (("memory", "remove", "user", "e"), "several-entries"),
        (("memory", "remove", "user", "beer"), "no-entry"),
        (("memory", "note", "x" * 1_001), "too-long"),
        (
            (
                "memory",
                "batch",
                "user",
                '[{"action": "remove", "old": "tea"}, {"action": "remove", "old": "mile"}]',
            ),
            "empties-block",
        ),
        (("memory", "consolidate", "user", '[{"old": "tea", "keep": true}]'), "unaccounted-entry"),
        (("undo", "2026-01-05-0001"), "not-latest"),
    ],
)
def test_each_refusal_has_its_code_and_changes_nothing(
    quick: Run, place: Home, arguments: tuple[str, ...], code: str
) -> None:
    for text in ("tea", "mile"):
        quick(*place.owner, "memory", "add", "user", text)
    done = quick(*place.owner, *arguments)
    assert (done.code, done.out, done.code_shown) == (1, "", code)
    as_json = quick(*place.owner, "--json", *arguments)
    assert (as_json.code, as_json.document["reason"], as_json.errors) == (1, code, "")
    shown = quick(*place.owner, "--json", "memory", "show", "user").document["blocks"]
    assert shown[0]["entries"] == ["tea", "mile"]


def test_the_entries_of_one_space_are_not_those_of_another(quick: Run, place: Home) -> None:
    quick(*place.owner, "--space", "acme", "memory", "add", "user", "tea")
    assert "tea" not in quick(*place.owner, "memory", "show", "user").out
    assert "tea" in quick(*place.owner, "memory", "show", "user", "--space", "acme").out
    assert "tea" in quick(*place.owner, "log", "--edits", "--space", "acme").out


def test_an_edit_that_waits_is_shown_then_and_now_and_approved(quick: Run, place: Home) -> None:
    quick(*place.owner, "memory", "add", "memory", "tea at four")
    quick(*place.owner, "spaces", "--review", "all")
    done = quick(*place.owner, "memory", "replace", "memory", "tea", "tea at five")
    assert done.out.startswith("staged  p_") and "1 change waits for a person" in done.out
    id = done.out.split()[1]
    quick(*place.owner, "spaces", "--review", "off")
    landed = quick(*place.owner, "memory", "add", "user", "milk")
    assert landed.out.startswith("stored") and "1 change waits for a person" in landed.out
    assert "tea at five" in quick(*place.owner, "pending").out
    shown = quick(*place.owner, "pending", "show", id)
    assert shown.out.count("- tea at four") == 2 and shown.out.count("+ tea at five") == 2
    digest = quick(*place.owner, "--json", "pending", "show", id).document["digest"]
    approved = quick(*place.owner, "approve", id, "--digest", digest)
    assert approved.code == 0
    assert "tea at five" in quick(*place.owner, "memory", "show", "memory").out


def test_a_removal_that_waits_is_listed_by_what_goes(quick: Run, place: Home) -> None:
    quick(*place.owner, "memory", "add", "memory", "tea at four")
    quick(*place.owner, "spaces", "--review", "all")
    quick(*place.owner, "memory", "remove", "memory", "tea")
    listed = quick(*place.owner, "pending").out
    assert "memory remove" in listed and "- tea at four" in listed


def test_a_block_is_switched_off_and_on(quick: Run, place: Home) -> None:
    assert "none" in quick(*place.owner, "spaces", "--review", "off").out
    assert "user" in quick(*place.owner, "spaces", "--user", "off").out
    assert quick(*place.owner, "memory", "add", "user", "tea").code_shown == "block-off"
    off = quick(*place.owner, "--json", "spaces", "--user", "on").document["blocks_off"]
    assert off == {"home": []}
    assert quick(*place.owner, "memory", "add", "user", "tea").code == 0
