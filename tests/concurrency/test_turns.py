"""Are writers served in the order in which they came, within a process and among processes?"""

import fcntl
import multiprocessing
import os
import signal
import threading
import time
from pathlib import Path

import pytest

from muniment.errors import Busy
from muniment.store.sqlite.queue_file import QueueFile
from muniment.store.turns import Turns

Held = Turns | QueueFile
PAUSE_SECONDS = 0.15


def _queues(place: Path, count: int, *, numbered: bool = True) -> list[QueueFile]:
    return [QueueFile(place / "vault.db.lock", numbered=numbered) for _ in range(count)]


def _served(waiters: list[Held], first: Held, *, pause: float) -> list[int]:
    """Return in which order waiters were served that came one after the other."""
    order: list[int] = []

    def wait(number: int, held: Held) -> None:
        held.take(20)
        order.append(number)
        held.give()

    first.take(1)
    threads = [threading.Thread(target=wait, args=(n, held)) for n, held in enumerate(waiters)]
    for thread in threads:
        thread.start()
        time.sleep(pause)
    first.give()
    for thread in threads:
        thread.join()
    return order


def test_threads_are_served_in_the_order_in_which_they_came() -> None:
    turns = Turns()
    assert _served([turns] * 8, turns, pause=0.02) == list(range(8))


def test_holders_of_one_file_are_served_in_the_order_in_which_they_came(tmp_path: Path) -> None:
    first, *waiters = _queues(tmp_path, 7)
    assert _served(list(waiters), first, pause=0.05) == list(range(6))


def test_who_gives_a_turn_back_stands_behind_those_who_wait(tmp_path: Path) -> None:
    greedy, patient = _queues(tmp_path, 2)
    greedy.take(1)
    waiting = threading.Thread(target=lambda: patient.take(20))
    waiting.start()
    time.sleep(PAUSE_SECONDS)
    greedy.give()
    with pytest.raises(Busy):
        greedy.take(0.3)
    waiting.join()
    patient.give()
    greedy.take(1)


@pytest.mark.parametrize("kind", ["threads", "numbered", "plain"])
def test_a_wait_is_bounded_and_leaves_no_trace_in_the_queue(tmp_path: Path, kind: str) -> None:
    holder, waiter, later = _three(tmp_path, kind)
    holder.take(1)
    begun = time.monotonic()
    with pytest.raises(Busy):
        waiter.take(0.1)
    assert 0.05 < time.monotonic() - begun < 5
    holder.give()
    later.take(1)
    later.give()


def _three(place: Path, kind: str) -> list[Held]:
    if kind == "threads":
        return [Turns()] * 3
    return list(_queues(place, 3, numbered=kind == "numbered"))


def test_a_turn_that_comes_while_a_thread_gives_up_goes_to_the_next() -> None:
    """The race is narrow, so it is run many times: a lost turn would stop every later taker."""
    turns = Turns()
    for _ in range(200):
        turns.take(1)
        giving = threading.Thread(target=turns.give)
        try:
            giving.start()
            turns.take(0.000_05)
        except Busy:
            pass
        else:
            turns.give()
        giving.join()
        turns.take(1)
        turns.give()
        assert not giving.is_alive()


def _hold(path: str, taken: object, *, waits: bool) -> None:
    queue = QueueFile(Path(path))
    if waits:
        taken.set()
    queue.take(60)
    taken.set()
    time.sleep(60)


@pytest.mark.parametrize("waits", [False, True], ids=["holding", "waiting"])
def test_a_process_that_dies_in_the_queue_stops_nobody(tmp_path: Path, waits: bool) -> None:
    context = multiprocessing.get_context("spawn")
    mine, taken = QueueFile(tmp_path / "vault.db.lock"), context.Event()
    if waits:
        mine.take(1)
    child = context.Process(
        target=_hold, args=(str(tmp_path / "vault.db.lock"), taken), kwargs={"waits": waits}
    )
    child.start()
    assert taken.wait(60)
    time.sleep(PAUSE_SECONDS)
    if not waits:
        with pytest.raises(Busy):
            mine.take(0.05)
    os.kill(child.pid or 0, signal.SIGKILL)
    child.join()
    if waits:
        mine.give()
    mine.take(1)


def test_a_count_that_was_lost_stops_nobody_and_doubles_no_number(tmp_path: Path) -> None:
    first, second, third = _queues(tmp_path, 3)
    first.take(1)
    waiting = [threading.Thread(target=lambda: (second.take(20), second.give()))]
    waiting[0].start()
    time.sleep(PAUSE_SECONDS)
    (tmp_path / "vault.db.lock").write_bytes(b"")
    waiting.append(threading.Thread(target=lambda: (third.take(20), third.give())))
    waiting[1].start()
    time.sleep(PAUSE_SECONDS)
    first.give()
    for thread in waiting:
        thread.join(20)
        assert not thread.is_alive()


def test_without_a_queue_file_the_turn_is_taken_at_once(tmp_path: Path) -> None:
    queue = QueueFile(tmp_path / "no such directory" / "vault.db.lock")
    began = threading.active_count()
    queue.take(0.01)
    queue.give()
    queue.close()
    assert threading.active_count() == began
    assert not (tmp_path / "no such directory").exists()


def test_the_queue_file_is_private_and_stays_when_a_holder_leaves(tmp_path: Path) -> None:
    (queue,) = _queues(tmp_path, 1)
    queue.take(1)
    queue.give()
    queue.close()
    assert (tmp_path / "vault.db.lock").stat().st_mode & 0o777 == 0o600


def test_a_turn_that_waits_for_nobody_asks_the_system_three_times(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (queue,) = _queues(tmp_path, 1)
    asked: list[int] = []
    real = fcntl.fcntl
    monkeypatch.setattr(fcntl, "fcntl", lambda *given: (asked.append(given[1]), real(*given))[1])
    queue.take(1)
    assert len(asked) == 2, "to take it, and to leave room for those who come"
    queue.give()
    assert len(asked) == 3, "to let the next one in"
