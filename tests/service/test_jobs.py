"""Is background work done once, bounded, tried again with pauses, and safe to kill?"""

from collections.abc import Callable
from dataclasses import replace

import pytest

from muniment import limits
from muniment.domain.changes import Job
from muniment.domain.timeline import to_micros
from muniment.service.draft import Draft
from muniment.service.ground import Ground
from muniment.service.jobs import JobsReport, run_jobs
from muniment.service.vault import Vault
from tests.builders import FakeClock, FlakyEmbedder, World, stored

MakeVault = Callable[..., Vault]
SECOND = 1_000_000


def waiting(vault: Vault) -> list[Job]:
    with vault.ground.store.snapshot() as snapshot:
        return snapshot.jobs()


def taken(ground: Ground, clock: FakeClock) -> Job | None:
    """Take the next job as another worker would, and leave it there."""
    now = to_micros(clock.now())
    with ground.store.transaction() as transaction:
        return transaction.take_job(now, now + limits.job_lease_seconds * SECOND)


@pytest.fixture
def embedder() -> FlakyEmbedder:
    return FlakyEmbedder()


@pytest.fixture
def owing(make_vault: MakeVault, embedder: FlakyEmbedder) -> Vault:
    """Return a vault with one memory whose vector its embedder could not make."""
    vault = make_vault(embedder=embedder)
    embedder.mode = "raises"
    stored(vault.remember("The ferry leaves at dawn"))
    return vault


def test_a_write_that_got_its_vector_owes_nothing(make_vault: MakeVault, embedder: FlakyEmbedder) -> None:
    vault = make_vault(embedder=embedder)
    stored(vault.remember("The ferry leaves at dawn"))
    assert waiting(vault) == []
    assert run_jobs(vault.ground) == JobsReport()


def test_a_write_whose_embedder_failed_lands_and_owes_its_vector(owing: Vault) -> None:
    assert [job.kind for job in waiting(owing)] == ["embed"]
    assert [hit.text for hit in owing.recall("ferry").hits] == ["The ferry leaves at dawn"]


def test_a_vector_that_was_owed_is_made_later(owing: Vault, embedder: FlakyEmbedder) -> None:
    embedder.mode = "well"
    assert run_jobs(owing.ground) == JobsReport(done=1)
    assert waiting(owing) == []
    with owing.ground.store.snapshot() as snapshot:
        (memory,) = owing.memories()
        assert snapshot.cosines((memory.n,), embedder.embed("T"), model=embedder.model)[memory.n] > 0.99


def test_a_turn_gets_the_vector_that_it_was_owed_too(owing: Vault, embedder: FlakyEmbedder) -> None:
    owing.session("s-1").append("user", "When does the ferry leave?")
    embedder.mode = "well"
    assert run_jobs(owing.ground).done == 2
    assert waiting(owing) == []


def test_work_that_fails_is_put_back_with_the_kind_of_error_and_no_text(owing: Vault) -> None:
    assert run_jobs(owing.ground) == JobsReport(put_back=1, left=1)
    (job,) = waiting(owing)
    assert (job.attempts, job.error) == (1, "RuntimeError")
    assert "ferry" not in job.error and "away" not in job.error


def test_the_pause_after_each_failure_grows(owing: Vault, clock: FakeClock) -> None:
    pauses = []
    for _ in range(limits.job_attempts_max - 1):
        run_jobs(owing.ground)
        (job,) = waiting(owing)
        pauses.append((job.due - to_micros(clock.now())) // SECOND)
        assert run_jobs(owing.ground) == JobsReport(left=1), "it was not due yet"
        clock.advance(seconds=pauses[-1])
    assert pauses == [2**attempt for attempt in range(limits.job_attempts_max - 1)]


def test_work_that_keeps_failing_is_given_up_for_a_day_and_shown(owing: Vault, clock: FakeClock) -> None:
    reports = []
    for _ in range(limits.job_attempts_max):
        reports.append(run_jobs(owing.ground))
        clock.advance(hours=1)
    assert [report.given_up for report in reports] == [0] * (limits.job_attempts_max - 1) + [1]
    (check,) = (check for check in owing.doctor() if check.name == "jobs")
    assert not check.well
    assert "RuntimeError" in check.sentence


def test_work_that_was_given_up_is_done_when_its_reason_is_gone(
    owing: Vault, clock: FakeClock, embedder: FlakyEmbedder
) -> None:
    for _ in range(limits.job_attempts_max):
        run_jobs(owing.ground)
        clock.advance(hours=1)
    embedder.mode = "well"
    assert run_jobs(owing.ground) == JobsReport(left=1)
    clock.advance(days=1)
    assert run_jobs(owing.ground) == JobsReport(done=1)


def test_a_pause_is_kept_even_when_the_clock_stepped_back(owing: Vault, clock: FakeClock) -> None:
    """Due times are compared with the last recorded moment, so they are made from it too."""
    clock.step_back(days=3)
    assert run_jobs(owing.ground) == JobsReport(put_back=1, left=1)
    (job,) = waiting(owing)
    assert job.attempts == 1


def test_a_job_that_another_worker_holds_is_left_to_it(
    owing: Vault, clock: FakeClock, embedder: FlakyEmbedder
) -> None:
    embedder.mode = "well"
    assert taken(owing.ground, clock) is not None
    assert run_jobs(owing.ground) == JobsReport(left=1)


def test_a_job_of_a_worker_that_died_is_done_when_its_lease_ends(
    owing: Vault, clock: FakeClock, embedder: FlakyEmbedder
) -> None:
    embedder.mode = "well"
    taken(owing.ground, clock)
    clock.advance(seconds=limits.job_lease_seconds - 1)
    assert run_jobs(owing.ground) == JobsReport(left=1)
    clock.advance(seconds=2)
    assert run_jobs(owing.ground) == JobsReport(done=1)


def test_a_worker_that_was_overtaken_ends_nothing(owing: Vault, clock: FakeClock) -> None:
    slow = taken(owing.ground, clock)
    clock.advance(seconds=limits.job_lease_seconds + 1)
    quick = taken(owing.ground, clock)
    assert slow is not None and quick is not None
    assert quick.lease == slow.lease + 1
    with owing.ground.store.transaction() as transaction:
        assert not transaction.finish_job(slow)
        assert not transaction.finish_job(slow, error="late", due=0)
    assert [job.error for job in waiting(owing)] == [""]
    with owing.ground.store.transaction() as transaction:
        assert transaction.finish_job(quick)
    assert waiting(owing) == []


def test_a_vector_of_the_wrong_length_is_not_kept(owing: Vault, embedder: FlakyEmbedder) -> None:
    embedder.mode = "empty"
    assert run_jobs(owing.ground) == JobsReport(done=1)
    with owing.ground.store.snapshot() as snapshot:
        (memory,) = owing.memories()
        assert dict(snapshot.cosines((memory.n,), b"\x01\x02\x03\x04", model=embedder.model)) == {}


def test_the_vector_of_a_memory_that_was_rejected_meanwhile_is_not_kept(
    owing: Vault, embedder: FlakyEmbedder
) -> None:
    (memory,) = owing.memories()
    stored(owing.reject(memory.memory, reason="it sank"))
    embedder.mode = "well"
    assert run_jobs(owing.ground).left == 0
    assert owing.recall("T").hits == ()


def test_a_vault_that_cannot_write_leaves_its_jobs_and_counts_them(
    owing: Vault, embedder: FlakyEmbedder
) -> None:
    embedder.mode = "well"
    ground = owing.ground
    read_only = replace(ground, outside=replace(ground.outside, writable=False, why_read_only="a test"))
    assert run_jobs(read_only) == JobsReport(left=1)
    assert run_jobs(ground) == JobsReport(done=1)


def test_one_call_works_through_a_bounded_number(world: World) -> None:
    """What is left is due at once, so the next call goes on."""
    vault = world.vault
    with vault.ground.store.transaction() as transaction:
        draft = Draft.begun(vault.ground, transaction)
        due = to_micros(draft.recorded)
        draft.jobs += [Job(draft.number(), "extract", 2**39, due) for _ in range(limits.jobs_per_run_max + 2)]
        draft.commit("take", items=0)
    assert run_jobs(vault.ground) == JobsReport(done=limits.jobs_per_run_max, left=2)
    assert run_jobs(vault.ground) == JobsReport(done=2)


def test_settling_does_the_work_and_writes_the_recall_log(owing: Vault, embedder: FlakyEmbedder) -> None:
    embedder.mode = "well"
    owing.recall("ferry")
    assert owing.settle().done == 1
    assert [row.query for row in owing.recalls()] == ["ferry"]


def test_claims_of_a_turn_are_taken_in_at_once_and_owe_nothing_but_their_comparison(world: World) -> None:
    world.vault.session("s-1").append("user", "My name is Zoë and I live in Berlin.")
    assert world.vault.memories()
    assert [job.kind for job in waiting(world.vault)] == ["contradict"]
    world.vault.settle()
    assert waiting(world.vault) == []


@pytest.mark.parametrize("times", [1, 2])
def test_claims_that_a_killed_process_left_are_taken_in_once(world: World, times: int) -> None:
    """The job stays until the gate has had all of them; doing it twice adds nothing."""
    vault = world.vault
    vault.session("s-1").append("user", "My name is Zoë and I live in Berlin.")
    before = {version.text for version in vault.memories()}
    (turn,) = vault.session("s-1").turns()
    with vault.ground.store.snapshot() as snapshot:
        (sealed,) = snapshot.evidence((turn.id,))
        claims = vault.ground.outside.extractor(turn.text, speaker="user", role="user", occurred_at=turn.at)
    assert claims, "the text holds a claim"
    for _ in range(times):
        _owe_extraction(vault, sealed.row.n)
        assert run_jobs(vault.ground).left == 0
    assert {version.text for version in vault.memories()} == before


def _owe_extraction(vault: Vault, target: int) -> None:
    """Put the job back that the turn was born with."""
    with vault.ground.store.transaction() as transaction:
        draft = Draft.begun(vault.ground, transaction)
        draft.jobs.append(Job(draft.number(), "extract", target, to_micros(draft.recorded)))
        draft.commit("take", items=0)


def test_a_job_whose_row_is_gone_is_done(world: World) -> None:
    _owe_extraction(world.vault, 2**39)
    assert run_jobs(world.vault.ground) == JobsReport(done=1)


def test_jobs_outlive_the_process(world: World) -> None:
    _owe_extraction(world.vault, 2**39)
    again = world.restarted()
    assert run_jobs(again.ground) == JobsReport(done=1)
    assert waiting(again) == []
