"""What becomes of background work whose worker is killed?  Another does it, once."""

import multiprocessing
import os
import signal
from pathlib import Path

from muniment import limits
from muniment.domain.changes import Job
from muniment.service.jobs import JobsReport, run_jobs
from muniment.service.vault import Vault
from tests.builders import CountingIds, FakeClock, FlakyEmbedder, reopened_vault, sqlite_vault, stored


class _Deadly(FlakyEmbedder):
    """Kill the process that embeds."""

    def embed(self, text: str) -> bytes:
        os.kill(os.getpid(), signal.SIGKILL)
        return b""


def _work_and_die(place: str) -> None:
    vault = reopened_vault(Path(place), clock=FakeClock(), ids=CountingIds(2), embedder=_Deadly())
    vault.run_jobs()


def _with_a_job(place: Path, embedder: FlakyEmbedder) -> None:
    """Make a vault with one memory whose vector is still to be made."""
    embedder.mode = "raises"
    with sqlite_vault(place, clock=FakeClock(), embedder=embedder) as vault:
        stored(vault.remember("the otter sleeps"))
    embedder.mode = "well"


def _reopened(place: Path, clock: FakeClock, embedder: FlakyEmbedder) -> Vault:
    return reopened_vault(place, clock=clock, ids=CountingIds(3), embedder=embedder)


def test_a_killed_workers_job_is_done_by_another_when_its_lease_has_run_out(tmp_path: Path) -> None:
    embedder, clock = FlakyEmbedder(), FakeClock()
    _with_a_job(tmp_path, embedder)
    worker = multiprocessing.get_context("spawn").Process(target=_work_and_die, args=(str(tmp_path),))
    worker.start()
    worker.join(60)
    assert worker.exitcode == -signal.SIGKILL
    with _reopened(tmp_path, clock, embedder) as vault:
        assert vault.status().counts["vector"] == 0
        assert vault.run_jobs() == JobsReport(left=1), "the lease of the dead still holds"
        clock.advance(seconds=limits.job_lease_seconds + 1)
        assert vault.run_jobs() == JobsReport(done=1)
        assert vault.run_jobs() == JobsReport()
        assert vault.status().counts["vector"] == 1
        assert vault.verify().ok


def _taken(vault: Vault, clock: FakeClock) -> Job:
    now = int(clock.now().timestamp() * 1_000_000)
    with vault.ground.store.transaction() as transaction:
        job = transaction.take_job(now, now + limits.job_lease_seconds * 1_000_000)
    assert job is not None
    return job


class _Slow(FlakyEmbedder):
    """Let another worker take the job over and finish it while this one embeds."""

    def __init__(self, other: Vault, clock: FakeClock) -> None:
        super().__init__()
        self.other, self.clock, self.reports = other, clock, []

    def embed(self, text: str) -> bytes:
        if not self.reports:
            self.clock.advance(seconds=limits.job_lease_seconds + 1)
            self.reports.append(self.other.run_jobs())
        return super().embed(text)


def test_a_worker_that_was_overtaken_counts_nothing_as_done(tmp_path: Path) -> None:
    embedder, clock = FlakyEmbedder(), FakeClock()
    _with_a_job(tmp_path, embedder)
    with _reopened(tmp_path, clock, embedder) as other:
        slow = _Slow(other, clock)
        with _reopened(tmp_path, clock, slow) as vault:
            assert run_jobs(vault.ground) == JobsReport()
        assert slow.reports == [JobsReport(done=1)]
        assert other.status().counts["vector"] == 1


def test_an_overtaken_worker_neither_ends_nor_puts_back_the_others_job(tmp_path: Path) -> None:
    embedder, clock = FlakyEmbedder(), FakeClock()
    _with_a_job(tmp_path, embedder)
    with _reopened(tmp_path, clock, embedder) as vault:
        first = _taken(vault, clock)
        clock.advance(seconds=limits.job_lease_seconds + 1)
        second = _taken(vault, clock)
        with vault.ground.store.transaction() as transaction:
            assert not transaction.finish_job(first)
            assert not transaction.finish_job(first, error="late", due=0)
            assert transaction.finish_job(second)
        assert vault.run_jobs() == JobsReport()
