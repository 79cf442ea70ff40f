"""What is counted beside the work, tried as reports from elsewhere had it: a counter tells of what was done.

A mark, a cursor or a count moves only with the work that it stands for, and what runs aside is on record.
"""

from dataclasses import replace

import pytest

from muniment import limits
from muniment.domain.model_use import Use
from muniment.domain.timeline import to_micros
from muniment.errors import MissingKey
from muniment.gate.contradiction import Contradiction, Kind
from muniment.service.asking_jobs import KIND
from muniment.service.updates import Updates, updates
from muniment.service.vault import Vault
from tests.builders import FakeClock, World, stored


def trust(vault: Vault, id: str) -> str:
    return vault.read(id).trust.value


def waiting(vault: Vault) -> int:
    with vault.ground.store.snapshot() as snapshot:
        return sum(job.kind == KIND for job in snapshot.jobs())


def updated(vault: Vault, after: int = 0) -> Updates:
    return updates(vault.ground, vault.principal, after=after)


def taken_by_a_worker_that_dies(vault: Vault, clock: FakeClock) -> None:
    """Take what waits, as a worker does that is killed before it has done anything."""
    with vault.ground.store.transaction() as transaction:
        now = max(to_micros(clock.now()), transaction.head().recorded)
        job = transaction.take_job(now, now + limits.job_lease_seconds * 1_000_000)
    assert job is not None and job.kind == KIND


@pytest.fixture
def moved(vault: Vault) -> tuple[str, str]:
    """Return two statements that contradict each other; the job that will find out waits."""
    stored(vault.remember("The heron nests by the weir"))
    return stored(vault.remember("I live in Berlin")).id, stored(vault.remember("I moved to Lisbon")).id


def test_fault_a_counter_is_reset_though_the_review_never_ran(
    vault: Vault, clock: FakeClock, moved: tuple[str, str]
) -> None:
    """The mark that a look is due goes with the look, and not with a worker that took it and died."""
    old, new = moved
    taken_by_a_worker_that_dies(vault, clock)
    assert waiting(vault) == 1, "what was taken is still due"
    assert vault.settle().done == 0, "and is the worker's as long as its lease lasts"
    clock.advance(seconds=limits.job_lease_seconds + 1)
    assert vault.settle().done == 1
    assert (trust(vault, old), trust(vault, new)) == ("superseded", "believed")
    assert waiting(vault) == 0


def test_fault_a_statement_that_comes_while_a_worker_dies_is_never_looked_at(
    vault: Vault, clock: FakeClock, moved: tuple[str, str]
) -> None:
    taken_by_a_worker_that_dies(vault, clock)
    indifferent = stored(vault.remember("Bo works at Acme")).id
    other = stored(vault.remember("Bo does not work at Acme")).id
    assert waiting(vault) == 2, "what is taken already is no mark for what comes later"
    vault.settle()
    assert (trust(vault, indifferent), trust(vault, other)) == ("superseded", "believed")
    clock.advance(seconds=limits.job_lease_seconds + 1)
    vault.settle()
    assert trust(vault, moved[0]) == "superseded" and waiting(vault) == 0


def test_fault_a_look_that_failed_counts_as_one_that_was_done(
    vault: Vault, clock: FakeClock, moved: tuple[str, str]
) -> None:
    def falls_over(new: str, old: str) -> Contradiction | None:
        raise RuntimeError("The worker falls over.")

    vault.ground.judge = falls_over
    for tries in range(1, 4):
        report = vault.settle()
        assert (report.done, report.left) == (0, 1), tries
        clock.advance(minutes=5)
    vault.ground.judge = None
    assert vault.settle().done == 1
    assert trust(vault, moved[0]) == "superseded"


def test_fault_news_are_marked_as_told_though_nobody_got_them(world: World) -> None:
    """Whoever is told keeps the position, so an answer that was lost is asked for again."""
    world.vault.session("s-1").append("user", "The quay is wet")
    before = updated(world.vault)
    world.vault.session("s-2").append("user", "The heron nests by the weir")
    lost = updated(world.vault, before.position)
    assert [one.session for one in lost.sessions] == ["s-2"]
    again = updated(world.restarted(), before.position)
    assert again == lost
    assert updated(world.vault, again.position).sessions == ()


def test_fault_refused_edits_are_counted_anew_though_no_edit_landed(vault: Vault) -> None:
    """The count of a turn begins anew with an edit that landed, not with one that could not be stored."""
    session = vault.session("s")
    session.memory(action="add", block="memory", text="tea")
    for _ in range(limits.block_failures_max - 1):
        assert not session.memory(action="remove", block="memory", old="milk").stop
    ground, outside = vault.ground, vault.ground.outside
    ground.outside = replace(outside, writable=False, why_read_only="For a test.")
    with pytest.raises(MissingKey):
        session.memory(action="add", block="memory", text="coffee")
    ground.outside = outside
    assert session.memory(action="remove", block="memory", old="milk").stop
    assert not session.memory(action="add", block="memory", text="coffee").refused
    assert not session.memory(action="remove", block="memory", old="milk").stop, "an edit landed"


def test_fault_tokens_of_what_runs_aside_are_invisible(vault: Vault, moved: tuple[str, str]) -> None:
    """A model that a background job asks is counted where people look, and in the log."""
    vault.ground.judge = lambda new, old: Contradiction(Kind.UNSURE, 0, len(old), 0, len(old))
    assert vault.status().model_use == {}
    vault.settle()
    ((purpose, use),) = vault.status().model_use.items()
    assert purpose == "look" and use == Use(calls=use.calls, answered=use.calls) and use.calls > 0
    kept = [row.fields for row in vault.log(limit=100) if row.act == "ask_model"]
    assert sum(int(str(fields["calls"])) for fields in kept) == use.calls
