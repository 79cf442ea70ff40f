"""Do rows land together or not at all, may many read and write at once, and is a job worked once?"""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from muniment.domain.changes import Changes, Gone, Job, Page
from muniment.domain.ledger import RowCode, Seal
from muniment.ports import Snapshot, Store
from muniment.recall.eligibility import Sort
from tests.contract import histories
from tests.contract.builders import MODEL, START, Draft, Scribe, asked, lexical, vector, words
from tests.contract.erasing import HOUR
from tests.contract.histories import History, UndoneError

EVERYTHING = Page(after=-1, limit=1000)


def filled(scribe: Scribe) -> Changes:
    """Return changes that touch every table, over a store that holds something of each."""
    with scribe.writing() as rows:
        version, session = rows.remember("common old", vector=vector(1)), rows.session("chat")
        tombstone = rows.tombstone(version.memory, "value")
        rows.job("embed", due=1)
        item = rows.turn("common gone", vector=vector(5))
    draft = scribe.draft()
    draft.follow(version, "common new", vector=vector(2))
    draft.remember("common other", vector=vector(3))
    draft.turn("common", vector=vector(4))
    draft.link(version.memory, version.memory)
    draft.lift(tombstone)
    draft.session("other")
    draft.come(session, turns=9)
    draft.space("acme")
    draft.actor("ada")
    draft.credential("pk")
    draft.recall("when?")
    draft.stub(item, Seal(b"", 0, 0))
    draft.certificate()
    draft.go(Gone(RowCode.EVIDENCE, n=item.n))
    draft.job("embed", due=2)
    return draft.changes()


def everything(snapshot: Snapshot) -> list[object]:
    """Return every row and every candidate of a small store."""
    known = histories.Known()
    for version in snapshot.memories((1,), ["believed"], EVERYTHING):
        known.newest[version.memory] = version
    known.sessions = snapshot.sessions((1,), EVERYTHING)
    view = snapshot.view(asked(then=True), model=MODEL)
    lanes = [
        histories.unordered(lane)
        for sort in Sort
        for lane in (
            view.lexical(("common", "old", "new"), sort, rows_max=99),
            view.nearest(vector(1), sort, rows_max=99),
            view.recent(sort, rows_max=99),
        )
    ]
    counted = [histories.statistics(snapshot, (1,)), dict(snapshot.counts())]
    return [histories.reads(snapshot, known), lanes, counted]


def test_an_error_after_apply_leaves_nothing_behind(scribe: Scribe) -> None:
    changes = filled(scribe)
    with scribe.store.snapshot() as snapshot:
        before = everything(snapshot)
    with pytest.raises(UndoneError), scribe.store.transaction() as transaction:
        transaction.apply(changes)
        transaction.set_vector(changes.versions[0].version.n, vector(9), model=MODEL)
        transaction.take_job(now=10, lease_until=20)
        transaction.rebuild(lambda text: (*words(text), "added"))
        transaction.set_analyser(replace(changes.head, analyser="other"))
        assert everything(transaction) != before
        raise UndoneError
    with scribe.store.snapshot() as snapshot:
        assert everything(snapshot) == before
    with scribe.store.transaction() as transaction:
        transaction.apply(changes)
    with scribe.store.snapshot() as snapshot:
        assert everything(snapshot) != before


def test_a_transaction_reads_what_it_has_written(scribe: Scribe) -> None:
    changes = filled(scribe)
    version = changes.versions[0].version
    with scribe.store.transaction() as transaction:
        transaction.apply(changes)
        assert transaction.head() == changes.head
        assert [one.version for one in transaction.currents([version.memory])] == [version]
        found = transaction.view(asked(), model=MODEL).lexical(("new",), Sort.MEMORY, rows_max=9)
        assert [one.n for one in found] == [version.n]
        assert transaction.statistics((1,), Sort.MEMORY, ("common",)).items == 2


def test_what_was_written_is_there_after_closing_and_opening(
    scribe: Scribe, reopened: Callable[[], Store]
) -> None:
    changes = filled(scribe)
    with scribe.store.transaction() as transaction:
        transaction.apply(changes)
    with scribe.store.snapshot() as snapshot:
        before = everything(snapshot)
    store = reopened()
    with store.snapshot() as snapshot:
        assert everything(snapshot) == before
    scribe.store = store
    version = scribe.remember("common afterwards")
    assert lexical(store, "afterwards") == {version.n}


def test_a_write_can_be_found_at_once(scribe: Scribe) -> None:
    for number in range(3):
        version = scribe.remember(f"word{number}")
        assert lexical(scribe.store, f"word{number}") == {version.n}


def test_a_snapshot_stays_as_it_was_while_a_writer_goes_on(scribe: Scribe) -> None:
    first = scribe.remember("common old", vector=vector(1))
    with scribe.store.snapshot() as snapshot:
        before = everything(snapshot)
        view = snapshot.view(asked(), model=MODEL)
        second = scribe.follow(first, "common new", vector=vector(1))
        scribe.remember("common")
        assert everything(snapshot) == before
        assert [one.n for one in view.lexical(("common",), Sort.MEMORY, rows_max=9)] == [first.n]
        assert [one.n for one in view.nearest(vector(1), Sort.MEMORY, rows_max=9)] == [first.n]
        with scribe.store.snapshot() as later:
            assert everything(later) != before
            assert later.currents([first.memory])[0].version == second


def test_writers_of_many_threads_take_turns(store: Store) -> None:
    """Each adds one to a count it has read; a lost turn would leave the count short."""
    writers, turns = 4, 5

    def write(_: int) -> None:
        for _ in range(turns):
            with store.transaction() as transaction:
                head = transaction.head()
                draft = Draft(head, START + head.size * HOUR, iter([head.next_n]))
                draft.remember(f"common {head.size}")
                transaction.apply(draft.changes())

    with ThreadPoolExecutor(writers) as pool:
        list(pool.map(write, range(writers)))
    with store.snapshot() as snapshot:
        assert snapshot.head().size == writers * turns
        assert [record.position for record in snapshot.records(EVERYTHING)] == list(range(writers * turns))
        assert snapshot.counts()["memory"] == writers * turns


def test_readers_see_whole_transactions_only(scribe: Scribe) -> None:
    """Every transaction adds a pair, so an odd count would be half of one."""
    odd, stop = [], threading.Event()

    def read() -> None:
        while not stop.is_set():
            with scribe.store.snapshot() as snapshot:
                count = snapshot.statistics((1,), Sort.MEMORY, ("common",)).rows_with.get("common", 0)
                found = len(
                    snapshot.view(asked(), model=MODEL).lexical(("common",), Sort.MEMORY, rows_max=99)
                )
                if count % 2 or found != count:
                    odd.append((count, found))

    readers = [threading.Thread(target=read) for _ in range(2)]
    for reader in readers:
        reader.start()
    for _ in range(10):
        with scribe.writing() as rows:
            rows.remember("common")
            rows.remember("common")
    stop.set()
    for reader in readers:
        reader.join()
    assert odd == []
    assert len(lexical(scribe.store, "common")) == 20


def jobs_of(scribe: Scribe, *dues: int) -> list[Job]:
    with scribe.writing() as rows:
        return [rows.job("embed", due=due, target=due) for due in dues]


def take(store: Store, now: int, until: int) -> Job | None:
    with store.transaction() as transaction:
        return transaction.take_job(now, until)


def finish(store: Store, job: Job, *, error: str = "", due: int = 0) -> bool:
    with store.transaction() as transaction:
        return transaction.finish_job(job, error=error, due=due)


def test_the_job_that_is_due_first_is_taken_first(scribe: Scribe) -> None:
    late, early, also_early = jobs_of(scribe, 30, 10, 10)
    with scribe.store.snapshot() as snapshot:
        assert snapshot.jobs() == [early, also_early, late]
    assert take(scribe.store, 9, 100) is None
    taken = [take(scribe.store, 30, 100) for _ in range(4)]
    assert taken == [replace(early, lease=1), replace(also_early, lease=1), replace(late, lease=1), None]


def test_a_job_is_due_at_its_very_moment_and_free_when_its_lease_ends(scribe: Scribe) -> None:
    (job,) = jobs_of(scribe, 10)
    assert take(scribe.store, 10, 20) == replace(job, lease=1)
    assert take(scribe.store, 19, 40) is None
    assert take(scribe.store, 20, 40) == replace(job, lease=2)


def test_a_worker_that_was_overtaken_cannot_finish(scribe: Scribe) -> None:
    jobs_of(scribe, 10)
    slow = take(scribe.store, 10, 20)
    fast = take(scribe.store, 25, 40)
    assert slow is not None
    assert fast is not None
    assert fast.lease > slow.lease
    assert not finish(scribe.store, slow)
    assert not finish(scribe.store, slow, error="late", due=99)
    with scribe.store.snapshot() as snapshot:
        assert snapshot.jobs() == [fast]
    assert finish(scribe.store, fast)
    assert not finish(scribe.store, fast)
    with scribe.store.snapshot() as snapshot:
        assert snapshot.jobs() == []


def test_a_lease_that_ran_out_may_still_finish_when_nobody_overtook(scribe: Scribe) -> None:
    jobs_of(scribe, 10)
    held = take(scribe.store, 10, 20)
    assert held is not None
    assert take(scribe.store, 15, 30) is None
    assert finish(scribe.store, held)


def test_a_failed_job_comes_back_later_with_its_error(scribe: Scribe) -> None:
    (job,) = jobs_of(scribe, 10)
    held = take(scribe.store, 10, 100)
    assert held is not None
    assert finish(scribe.store, held, error="no model", due=50)
    back = replace(job, attempts=1, due=50, lease=1, error="no model")
    with scribe.store.snapshot() as snapshot:
        assert snapshot.jobs() == [back]
    assert take(scribe.store, 49, 100) is None
    assert take(scribe.store, 50, 100) == replace(back, lease=2)
    assert not finish(scribe.store, held)


def test_every_job_is_worked_once_by_many_workers(scribe: Scribe) -> None:
    jobs = jobs_of(scribe, *range(12))

    def work(_: int) -> list[int]:
        done = []
        while (job := take(scribe.store, 100, 200)) is not None:
            assert finish(scribe.store, job)
            done.append(job.n)
        return done

    with ThreadPoolExecutor(3) as pool:
        done = [n for worker in pool.map(work, range(3)) for n in worker]
    assert sorted(done) == [job.n for job in jobs]
    assert take(scribe.store, 100, 200) is None


def test_a_history_lands_the_same_whoever_reads_in_between(make: Callable[..., Store]) -> None:
    store = make()
    history = History(7)
    sizes = []
    for _ in range(30):
        act, undone = history.step()
        histories.done(store, act, undone=undone)
        with store.snapshot() as snapshot:
            sizes.append(snapshot.head().size)
            assert snapshot.head() == history.head
            assert len(snapshot.records(EVERYTHING)) == snapshot.head().size
    assert sizes == sorted(sizes)
    assert sizes[-1] > 10
    assert history.moment > START
