"""Is each bound held where it says, so that one more is refused, or cut and said? (I12)

The table `HELD` tells for every bound which test file shows its edge; what has no other home
is shown below.
"""

import ast
import re
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from muniment import limits
from muniment.adapters.importers.lines import Line, lines
from muniment.domain.evidence import BadLine
from muniment.domain.link import LinkType
from muniment.errors import BadInput, MunimentError
from muniment.gate.verdict import Reason
from muniment.service.findings import Findings
from muniment.service.receipt import Receipt
from muniment.service.vault import Vault
from muniment.store.postgres.connection import PostgresSession, connected
from tests import postgres
from tests.builders import START, CountingIds, FakeClock, reference_vault, stored

TESTS = Path(__file__).parent
HERE = Path(__file__).name

# Where the edge of each bound is shown: a file below tests that names the bound.
HELD = {
    "memory_text_characters_max": HERE,
    "evidence_text_characters_max": "service/test_session.py",
    "name_characters_max": HERE,
    "reason_characters_max": HERE,
    "tags_max": HERE,
    "evidence_references_max": HERE,
    "records_between_folds_max": "store/test_folded_counts.py",
    "space_segments_max": "domain/test_space.py",
    "spaces_in_a_question_max": HERE,
    "query_characters_max": HERE,
    "question_terms_max": "recall/test_question.py",
    "hits_max": HERE,
    "erasure_rows_max": "erasure/test_plan.py",
    "erasure_requests_max": "erasure/test_requests.py",
    "erasure_wait_ms_max": "erasure/test_bytes.py",
    "erasure_scan_bytes_max": "erasure/test_bytes.py",
    "certificate_characters_max": "domain/test_certificate.py",
    "candidates_per_lane_max": "drivers/test_baseline.py",
    "candidates_max": "drivers/test_baseline_more.py",
    "exact_vector_rows_max": "store/test_postgres_near.py",
    "neighbour_rows_looked_at_max": "store/test_postgres_near.py",
    "batch_items_max": "test_limits.py",
    "page_rows_max": HERE,
    "line_bytes_max": HERE,
    "busy_wait_ms_max": "store/test_connection.py",
    "wal_checkpoint_bytes": "concurrency/test_log_length.py",
    "wal_bytes_max": "concurrency/test_log_length.py",
    "checkpoint_wait_ms_max": "concurrency/test_log_length.py",
    "reserve_bytes": "crash/test_full_disk.py",
    "database_connect_seconds_max": HERE,
    "database_statement_ms_max": HERE,
    "database_idle_ms_max": HERE,
    "database_answer_seconds_max": "crash/test_lost_answer.py",
    "writers_of_process_max": "concurrency/test_claims.py",
    "readers_max": "store/test_connection.py",
    "recall_log_delay_seconds_max": "service/test_recall_log.py",
    "recall_log_batch_max": "service/test_recall_log.py",
    "checkpoint_records_max": "service/test_witnessing.py",
    "checkpoint_seconds_max": "service/test_witnessing.py",
    "job_attempts_max": "service/test_jobs.py",
    "job_lease_seconds": "service/test_jobs.py",
    "jobs_per_run_max": "service/test_jobs.py",
    "derived_items_max": "service/test_derived.py",
    "contradiction_candidates_max": "service/test_contradictions.py",
    "model_seconds_max": "adapters/test_models.py",
    "model_answer_bytes_max": "adapters/test_models.py",
    "model_key_bytes_max": "adapters/test_models.py",
    "model_text_characters_max": "adapters/test_models.py",
    "model_neighbours_max": "service/test_contradictions.py",
    "model_tokens_max": "adapters/test_models.py",
    "contradiction_batch_max": "service/test_contradictions.py",
    "vocabulary_cache_words_max": "adapters/test_analyser.py",
    "unindexed_rows_max": "crash/test_damaged_log.py",
    "held_sessions_max": "attacks/test_session_labels.py",
    "index_probe_rows_max": "service/test_emptied_index.py",
    "index_older_rows_max": "service/test_emptied_index.py",
    "tombstone_marks_rows_max": "service/test_marks.py",
    "stored_terms_plain_bytes_max": "store/test_codec.py",
    "walk_rows_max": "service/test_verify.py",
    "live_keys_max": "service/test_credentials.py",
    "findings_max": HERE,
    "answer_characters_max": "surfaces/mcp/test_replies_units.py",
    "awake_items_max": "surfaces/mcp/test_awake.py",
    "soul_block_characters_max": "service/test_blocks.py",
    "memory_block_characters_max": "service/test_blocks.py",
    "user_block_characters_max": "service/test_blocks.py",
    "note_characters_max": "service/test_block_trust.py",
    "entry_preview_characters_max": "domain/test_block.py",
    "block_operations_max": "gate/test_block_rules.py",
    "block_failures_max": "service/test_blocks.py",
    "block_file_bytes_max": "adapters/test_block_files.py",
    "block_copies_max": "adapters/test_block_files.py",
    "directory_items_max": "adapters/test_block_files.py",
    "stray_items_max": "adapters/test_block_files.py",
    "context_least_characters": "prompt/test_context_files.py",
    "context_characters_max": "prompt/test_context_files.py",
    "context_file_bytes_max": "adapters/test_project.py",
    "hint_characters_max": "service/test_project_files.py",
    "turns_found_max": "service/test_searching.py",
    "search_sessions_max": "service/test_searching.py",
    "search_query_characters_max": "service/test_searching.py",
    "search_window_turns_max": "service/test_searching.py",
    "turn_shown_characters_max": "service/test_searching.py",
    "phrase_turns_max": "service/test_searching.py",
    "rights_records_max": "service/test_granting.py",
    "update_rows_max": "service/test_updates.py",
    "update_wait_seconds_max": "surfaces/http/test_daemon.py",
    "request_head_bytes_max": "surfaces/http/test_bounds.py",
    "request_bytes_max": "surfaces/http/test_bounds.py",
    "request_seconds_max": "surfaces/http/test_bounds.py",
    "requests_at_once_max": "surfaces/http/test_bounds.py",
    "connections_max": "surfaces/http/test_bounds.py",
    "sessions_held_max": "surfaces/http/test_bounds.py",
    "drain_seconds_max": "surfaces/http/test_daemon.py",
    "chores_seconds_max": "surfaces/http/test_chores.py",
}
# A bound on time that a test could only wait for; the report says when it was met.
NOT_WAITED_FOR = {"check_seconds_max"}


def bounds() -> set[str]:
    tree = ast.parse(Path(limits.__file__).read_text(encoding="utf-8"))
    return {node.target.id for node in tree.body if isinstance(node, ast.AnnAssign)}  # type: ignore[union-attr]  # all are names


def test_the_table_has_every_bound_and_no_other() -> None:
    assert set(HELD) | NOT_WAITED_FOR == bounds()
    assert not set(HELD) & NOT_WAITED_FOR


@pytest.mark.parametrize("name", sorted(HELD))
def test_the_file_that_is_said_to_show_a_bound_names_it(name: str) -> None:
    text = (TESTS / HELD[name]).read_text(encoding="utf-8")
    assert re.search(rf"\b{name}\b", text), f"{HELD[name]} does not name {name}"


@pytest.fixture
def vault(tmp_path: Path) -> Iterator[Vault]:
    made = reference_vault(tmp_path, clock=FakeClock(), ids=CountingIds())
    yield made
    made.close()


def long(most: int) -> str:
    return "q" * most


def evidence(vault: Vault, count: int) -> list[str]:
    session = vault.session("talk")
    return [session.append("tool_result", f"line {number}").evidence[0] for number in range(count)]


def remembered(vault: Vault, **fields: object) -> Receipt:
    return vault.remember("The quay is wet", **fields)


# What is refused by the gate: the bound, and a request of that size.
Ask = Callable[[Vault, int], Receipt]
REFUSED: dict[str, tuple[int, Ask, Reason]] = {
    "the text of a memory": (
        limits.memory_text_characters_max,
        lambda vault, size: vault.remember(long(size)),
        Reason.TOO_LONG,
    ),
    "what a claim is about": (
        limits.name_characters_max,
        lambda vault, size: remembered(vault, about=long(size), attribute="state"),
        Reason.TOO_LONG,
    ),
    "an attribute": (
        limits.name_characters_max,
        lambda vault, size: remembered(vault, about="quay", attribute=long(size)),
        Reason.TOO_LONG,
    ),
    "a value": (
        limits.name_characters_max,
        lambda vault, size: remembered(vault, about="quay", attribute="state", value=long(size)),
        Reason.TOO_LONG,
    ),
    "a tag": (
        limits.name_characters_max,
        lambda vault, size: remembered(vault, tags=[long(size)]),
        Reason.BAD_SHAPE,
    ),
    "the number of tags": (
        limits.tags_max,
        lambda vault, size: remembered(vault, tags=[f"t{number}" for number in range(size)]),
        Reason.TOO_LONG,
    ),
    "the number of evidence items": (
        limits.evidence_references_max,
        lambda vault, size: remembered(vault, evidence=evidence(vault, size)),
        Reason.TOO_LONG,
    ),
    "the reason of a revision": (
        limits.reason_characters_max,
        lambda vault, size: vault.revise(remembered(vault).id, "The quay is dry", reason=long(size)),
        Reason.TOO_LONG,
    ),
    "the reason of a retraction": (
        limits.reason_characters_max,
        lambda vault, size: vault.retract(remembered(vault).id, reason=long(size)),
        Reason.TOO_LONG,
    ),
    "the reason of a rejection": (
        limits.reason_characters_max,
        lambda vault, size: vault.reject(remembered(vault).id, reason=long(size)),
        Reason.TOO_LONG,
    ),
    "the text of a revision": (
        limits.memory_text_characters_max,
        lambda vault, size: vault.revise(remembered(vault).id, long(size)),
        Reason.TOO_LONG,
    ),
}


@pytest.mark.parametrize("what", sorted(REFUSED))
def test_what_is_as_long_as_its_bound_is_kept(vault: Vault, what: str) -> None:
    most, ask, _ = REFUSED[what]
    assert stored(ask(vault, most)).record >= 0


@pytest.mark.parametrize("what", sorted(REFUSED))
def test_one_more_is_refused_with_its_reason_and_nothing_is_kept(vault: Vault, what: str) -> None:
    most, ask, reason = REFUSED[what]
    receipt = ask(vault, most + 1)
    assert (receipt.verdict, receipt.reason) == ("refused", reason.code)
    assert receipt.detail
    assert "qqqq" not in receipt.sentence + receipt.detail


# What is the caller's mistake: the two ends that are allowed, and a call with a number.
MISTAKES: dict[str, tuple[int, int, Callable[[Vault, int], object]]] = {
    "the hits of a recall": (0, limits.hits_max, lambda vault, size: vault.recall("quay", k=size)),
    "a page of the log": (0, limits.page_rows_max, lambda vault, size: vault.log(limit=size)),
    "a page of sessions": (0, limits.page_rows_max, lambda vault, size: vault.sessions(limit=size)),
    "a page of memories": (0, limits.page_rows_max, lambda vault, size: vault.memories(limit=size)),
    "a page of turns": (
        0,
        limits.page_rows_max,
        lambda vault, size: vault.session("talk").turns(limit=size),
    ),
    "the name of a session": (
        1,
        limits.name_characters_max,
        lambda vault, size: vault.session(long(size)).append("user", "words"),
    ),
    "the path of a space": (
        1,
        limits.name_characters_max,
        lambda vault, size: vault.remember("words", space=long(size)),
    ),
    "the name of an actor": (
        1,
        limits.name_characters_max,
        lambda vault, size: vault.acting_as(actor=long(size)),
    ),
}


@pytest.mark.parametrize("what", sorted(MISTAKES))
def test_a_call_at_either_end_of_its_bounds_is_taken(vault: Vault, what: str) -> None:
    least, most, call = MISTAKES[what]
    call(vault, least)
    call(vault, most)


@pytest.mark.parametrize("what", sorted(MISTAKES))
def test_a_call_beyond_either_end_is_the_callers_mistake(vault: Vault, what: str) -> None:
    least, most, call = MISTAKES[what]
    for beyond in {least - 1, most + 1} - ({0} if what == "the path of a space" else set()):
        with pytest.raises(BadInput) as caught:
            call(vault, beyond)
        assert str(most) in caught.value.sentence


def test_a_question_is_asked_in_so_many_spaces_and_says_how_many_it_left_out(vault: Vault) -> None:
    most = limits.spaces_in_a_question_max
    for number in range(most):
        vault.remember("The quay is wet", space=f"space-{number}")
    assert vault.recall("quay", k=1).notes == ()
    vault.remember("The quay is wet", space="one-more")
    (note,) = vault.recall("quay", k=1).notes
    assert note.startswith("1 spaces were not asked")
    assert vault.recall("quay", k=1, space="one-more").notes == ()


@pytest.mark.parametrize("over", [0, 1])
def test_a_question_is_cut_one_past_its_bound_and_says_so(vault: Vault, over: int) -> None:
    answer = vault.recall("quay " + long(limits.query_characters_max - 5 + over))
    assert len(answer.question) == limits.query_characters_max
    assert any(str(limits.query_characters_max) in note for note in answer.notes) is bool(over)


@pytest.mark.parametrize("over", [0, 1])
def test_a_line_of_a_source_is_set_aside_one_past_its_bound(tmp_path: Path, over: int) -> None:
    path, frame = tmp_path / "long.jsonl", '{"a":""}'
    filler = "x" * (limits.line_bytes_max - len(frame) + over)
    path.write_text(f'{{"a":"{filler}"}}\n{{"b":1}}\n', encoding="ascii")
    first, second = lines(path)
    assert isinstance(first, BadLine if over else Line)
    assert second == Line(2, {"b": 1})
    assert not over or str(limits.line_bytes_max) in first.why


@pytest.mark.parametrize("over", [-1, 0, 1, 10])
def test_findings_are_listed_up_to_their_bound_and_all_are_counted(over: int) -> None:
    findings = Findings()
    for number in range(limits.findings_max + over):
        findings.add("altered-row", f"m_{number}", number, sentence="The row was altered.")
    assert findings.total == limits.findings_max + over
    assert len(findings.listed) == min(findings.total, limits.findings_max)
    assert all(one.record < other.record for one, other in pairwise(findings.listed))


def test_the_weight_of_a_link_has_two_ends(vault: Vault) -> None:
    one, other = (stored(vault.remember(text)).id for text in ("The quay is wet", "It rained"))
    for kind, weight in ((LinkType.CAUSES, 0.0), (LinkType.BLOCKS, 1.0)):
        stored(vault.link(one, other, type=kind.value, weight=weight))
    for weight in (-1e-9, 1 + 1e-9):
        assert vault.link(one, other, type=LinkType.PRECEDES.value, weight=weight).refused


SETTINGS = {
    "lock_timeout": limits.busy_wait_ms_max,
    "statement_timeout": limits.database_statement_ms_max,
    "idle_in_transaction_session_timeout": limits.database_idle_ms_max,
}
SECONDS = {"s": 1_000, "min": 60_000, "ms": 1}


def in_milliseconds(shown: object) -> int:
    """Return what PostgreSQL shows as a time, such as `1min`, in milliseconds."""
    found = re.fullmatch(r"(\d+)([a-z]+)", str(shown))
    assert found is not None, shown
    return int(found[1]) * SECONDS[found[2]]


@pytest.mark.parametrize("name", sorted(SETTINGS))
def test_a_transaction_on_a_server_is_bounded_and_leaves_the_connection_as_it_was(name: str) -> None:
    session = PostgresSession(postgres.shared_database().application)
    try:
        before = session.answer(f"SHOW {name}")
        session.begin(writing=False)
        ((within,),) = session.answer(f"SHOW {name}")
        session.roll_back()
        assert in_milliseconds(within) == SETTINGS[name]
        assert session.answer(f"SHOW {name}") == before
    finally:
        session.close()


def test_a_connection_to_a_server_is_waited_for_no_longer_than_its_bound() -> None:
    connection = connected(postgres.shared_database().application)
    try:
        given = connection.info.get_parameters()
        assert int(given["connect_timeout"]) == limits.database_connect_seconds_max
        assert int(given["keepalives_idle"]) == limits.database_connect_seconds_max
        assert int(given["tcp_user_timeout"]) == limits.database_idle_ms_max
    finally:
        connection.close()


def test_a_refusal_by_a_bound_is_an_error_for_those_who_want_one(vault: Vault) -> None:
    with pytest.raises(MunimentError) as caught:
        vault.remember(long(limits.memory_text_characters_max + 1), strict=True)
    assert caught.value.code == "refused"
    assert vault.memories() == ()


def test_a_bound_counts_code_points_and_not_bytes(vault: Vault) -> None:
    wide = "\U0001f375" * limits.name_characters_max
    stored(vault.remember("Tea", about=wide, attribute="kind", value="green", valid_from=START))
    assert vault.remember("Tea", about=wide + "x", attribute="kind", value="green").refused
