"""Does every fault that users of bounded memory reported elsewhere have a test of that name?

The table has a row a report, in words of ours, in the order in which they were collected: first what
people reported, then what the ancestors of this package were known for.  A fault that belongs to what is
not built here (reminders of a review, skills) is tried on what is there of its kind.
"""

import pytest

from tests.house import source

_AT = "tests/field/test_bounded_memory"
_REVIEW = "tests/attacks/test_block_review.py::test_fault_"
_EDITS, _FILES, _COUNTS = (f"{_AT}{part}.py::test_fault_" for part in ("", "_files", "_counts"))
_TOGETHER = "tests/concurrency/test_block_files.py::test_fault_"
_SOUL = "tests/surfaces/cli/test_starter_soul.py::test_fault_"

REPORTED: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("a stale session writes over what another wrote", (
        f"{_EDITS}stale_session_rewrites_what_another_writer_had_grown",)),
    ("a full block loops on an edit without a match", (
        f"{_EDITS}replace_at_capacity_loops_and_the_turn_ends_without_a_reply",)),
    ("the rest of a long entry is lost", (
        f"{_EDITS}a_partial_old_text_drops_the_rest_of_a_long_entry",)),
    ("a batch takes everything out", (
        f"{_EDITS}a_background_batch_removes_every_entry_about_the_person",)),
    ("several processes lose entries", (f"{_TOGETHER}two_processes_lose_each_others_entries",)),
    ("many entries become few", (f"{_EDITS}many_entries_become_few",)),
    ("a byte order mark sticks", (f"{_EDITS}a_byte_order_mark_sticks_to_the_first_entry",)),
    ("an edit from outside blocks an addition", (
        f"{_FILES}an_addition_is_refused_after_an_outside_edit",
        f"{_FILES}a_file_that_did_not_come_back_offers_no_repair")),
    ("memory is believed full", (f"{_EDITS}memory_is_believed_full_and_consolidated_away",)),
    ("batches fail without a reason", (f"{_EDITS}a_batch_fails_four_of_five_times_without_a_reason",)),
    ("a marker in the text skips the scan", (f"{_FILES}a_marker_prefix_skips_the_scan",)),
    ("a mention is refused, and what is staged is not scanned", (
        f"{_FILES}a_mention_of_a_key_directory_is_refused_and_an_order_passes",
        f"{_REVIEW}staged_text_is_not_scanned")),
    ("a tool that is switched off comes back", (
        f"{_FILES}the_tool_comes_back_while_both_blocks_are_off",)),
    ("what waits is seen by nobody", (
        f"{_EDITS}changes_wait_for_a_person_for_weeks_and_nobody_sees_them",
        f"{_REVIEW}changes_wait_unseen_for_weeks")),
    ("what was approved is not mirrored", (
        f"{_FILES}an_approved_write_is_not_mirrored_without_a_terminal",)),
    ("scripts without spaces find nothing", (
        f"{_EDITS}a_search_without_an_answer_for_scripts_without_spaces",)),
    ("a new session hides its whole line", (
        f"{_FILES}recall_is_blind_to_the_line_before_after_a_reset",)),
    ("sessions that did not end are hidden, or bear the title of another", (
        f"{_FILES}sessions_that_never_ended_are_hidden_and_shown_under_anothers_title",)),
    ("a session that has no turn yet is not found", (
        f"{_FILES}a_session_without_a_turn_is_plainly_not_found",)),
    ("damage of the index passes as healthy", (
        f"{_FILES}damage_of_the_index_passes_the_health_check",)),
    ("a counter is reset and the work never ran", (
        f"{_COUNTS}a_counter_is_reset_though_the_review_never_ran",
        f"{_COUNTS}a_statement_that_comes_while_a_worker_dies_is_never_looked_at",
        f"{_COUNTS}a_look_that_failed_counts_as_one_that_was_done",
        f"{_COUNTS}news_are_marked_as_told_though_nobody_got_them",
        f"{_COUNTS}refused_edits_are_counted_anew_though_no_edit_landed")),
    ("what runs aside costs and is not shown", (f"{_COUNTS}tokens_of_what_runs_aside_are_invisible",)),
    ("one block about the person for all", (
        f"{_EDITS}one_block_about_the_person_serves_everybody_at_a_gateway",)),
    ("what was removed comes back with an update", (
        f"{_SOUL}something_built_in_that_was_taken_out_comes_back_as_if_learned",)),
)  # fmt: skip

KNOWN: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("bytes that are no UTF-8", (f"{_FILES}bad_utf_8_throws_or_empties_the_store",)),
    ("a byte order mark", (f"{_FILES}a_byte_order_mark_blocks_the_first_entry",)),
    ("a marker as a prefix", (f"{_FILES}a_marker_prefix_skips_the_scan",)),
    ("text that waits", (
        f"{_REVIEW}staged_text_is_not_scanned",
        f"{_REVIEW}a_declined_text_comes_back_in_disguise")),
    ("the tail of a long text, and slow patterns", (
        f"{_FILES}the_tail_of_a_long_text_is_not_scanned_or_scanned_for_minutes",)),
    ("punctuation in a search", (
        f"{_FILES}searches_with_comma_slash_apostrophe_or_emoji_return_nothing",
        "tests/recall/test_turns.py::test_fault_a_phrase_with_another_apostrophe_finds_nothing")),
    ("short words without spaces", (
        f"{_EDITS}short_words_without_spaces_turn_and_into_or_and_return_what_was_taken_back",)),
    ("damage of the index", (f"{_FILES}damage_of_the_index_passes_the_health_check",)),
    ("recall after a reset", (f"{_FILES}recall_is_blind_to_the_line_before_after_a_reset",)),
    ("approvals that wait", (f"{_EDITS}changes_wait_for_a_person_for_weeks_and_nobody_sees_them",)),
    ("a dry run", (f"{_FILES}a_dry_run_shows_nothing",)),
    ("a batch that empties", (f"{_EDITS}a_background_batch_removes_every_entry_about_the_person",)),
    ("two processes", (f"{_TOGETHER}two_processes_lose_each_others_entries",)),
    ("a way of showing that writes", (
        f"{_FILES}a_display_path_rewrites_without_lock_scan_or_drift_check",)),
)  # fmt: skip


def there() -> set[str]:
    return {
        f"{module.path}::{name}"
        for module in source.modules("tests")
        for name in source.tests_in(module)
        if name.startswith("test_fault_")
    }


@pytest.mark.parametrize("row", [*REPORTED, *KNOWN], ids=lambda row: row[0])
def test_a_fault_that_was_reported_has_tests_of_its_name(row: tuple[str, tuple[str, ...]]) -> None:
    assert row[1] and set(row[1]) <= there()


def test_no_report_was_left_out_and_no_test_of_one_stands_apart() -> None:
    """Faults that were found here, which nobody had reported, have their tests beside what they are about."""
    assert (len(REPORTED), len(KNOWN)) == (24, 14)
    named = {test for _, tests in (*REPORTED, *KNOWN) for test in tests}
    here = {test for test in there() if test.startswith(_AT)}
    assert here and here <= named
