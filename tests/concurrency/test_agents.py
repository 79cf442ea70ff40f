"""Do agents that work side by side keep everything, see whole states, and stay apart?"""

import multiprocessing
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

import muniment
from muniment import limits
from muniment.domain.ledger import TenantHead
from muniment.errors import Busy, OtherAnalyser
from muniment.service.ground import head_mac
from muniment.service.rebuild import reindex
from muniment.service.vault import Vault
from tests.builders import stored

AGENTS = 40


def _mixed(vault: Vault, mark: str) -> tuple[str, ...]:
    """Write a note, a turn and a keyed claim; return their ids."""
    note = stored(vault.remember(f"note of {mark}")).id
    claim = stored(vault.remember(f"{mark} sits in row {mark}", about=mark, attribute="row", value=mark)).id
    turn = vault.session(f"talk {mark}", agent=mark).append("user", f"turn of {mark}").evidence
    return (note, claim, *turn)


def _holds(vault: Vault, ids: Sequence[str]) -> None:
    assert len(set(ids)) == len(ids)
    for id in ids:
        assert vault.read(id).id == id
    report = vault.verify()
    assert report.ok, report.findings
    assert all(check.well for check in vault.doctor())


def test_forty_threads_with_mixed_writes_keep_everything(tmp_path: Path) -> None:
    with muniment.open(tmp_path / "vault.db") as vault:
        with ThreadPoolExecutor(AGENTS) as pool:
            made = list(pool.map(lambda n: _mixed(vault, f"agent {n}"), range(AGENTS)))
        ids = [id for one in made for id in one]
        assert len(ids) == 3 * AGENTS
        _holds(vault, ids)


def _mixing(path: str, name: str, start: object, answers: object) -> None:
    with muniment.open(path) as vault:
        start.wait(120)
        with ThreadPoolExecutor(AGENTS) as pool:
            answers.put(list(pool.map(lambda n: _mixed(vault, f"{name} {n}"), range(AGENTS))))


def _in_processes(deed: Callable[..., None], *given: tuple[object, ...]) -> list[object]:
    context = multiprocessing.get_context("spawn")
    start, answers = context.Barrier(len(given)), context.Queue()
    workers = [context.Process(target=deed, args=(*each, start, answers)) for each in given]
    for worker in workers:
        worker.start()
    found = [answers.get(timeout=180) for _ in workers]
    for worker in workers:
        worker.join(60)
    assert [worker.exitcode for worker in workers] == [0] * len(workers)
    return found


def test_two_processes_of_forty_threads_keep_everything(tmp_path: Path) -> None:
    path = tmp_path / "vault.db"
    muniment.open(path).close()
    made = _in_processes(_mixing, (str(path), "ada"), (str(path), "bo"))
    with muniment.open(path) as vault:
        ids = [id for each in made for one in each for id in one]
        assert len(ids) == 2 * 3 * AGENTS
        _holds(vault, ids)


def _revising(path: str, id: str, name: str, start: object, answers: object) -> None:
    with muniment.open(path) as vault:
        start.wait(120)
        receipts = [
            vault.revise(id, f"the plan of {name}, {n}", expected_version=n + 1) for n in range(AGENTS)
        ]
        answers.put([(one.reason, one.version) for one in receipts])


def test_stale_writers_of_two_processes_are_told_the_present_version(tmp_path: Path) -> None:
    path = tmp_path / "vault.db"
    with muniment.open(path) as vault:
        id = stored(vault.remember("the plan")).id
    ada, bo = _in_processes(_revising, (str(path), id, "ada"), (str(path), id, "bo"))
    answers = [*ada, *bo]
    assert {reason for reason, _ in answers} <= {"clean", "stale-view"}
    landed = sorted(version for reason, version in answers if reason == "clean")
    with muniment.open(path) as vault:
        assert landed == list(range(2, 2 + len(landed)))
        assert len(vault.history(id)) == 1 + len(landed)
        stale = vault.revise(id, "from an old view", expected_version=1)
        assert (stale.reason, stale.id) == ("stale-view", id)
        assert stale.detail == f"The present version is {1 + len(landed)}."
        assert vault.verify().ok


def test_a_reader_keeps_its_answer_during_a_long_write_and_sees_it_afterwards(tmp_path: Path) -> None:
    with muniment.open(tmp_path / "vault.db") as vault:
        id = stored(vault.remember("the otter sleeps")).id
        ground = vault.ground
        with ground.store.snapshot() as before:
            size = before.head().size
            stored(vault.revise(id, "the otter wakes"))
            with ground.store.transaction():
                # Nothing is committed yet, and nobody has to wait for it to read.
                assert [hit.text for hit in vault.recall("otter").hits] == ["the otter wakes"]
                assert before.head().size == size
                assert [row.row.text for row in before.history(id)] == ["the otter sleeps"]
        with ground.store.snapshot() as after:
            assert len(after.history(id)) == 2


def test_readers_during_a_reindex_find_all_that_there_is(tmp_path: Path) -> None:
    with muniment.open(tmp_path / "vault.db") as vault:
        for n in range(60):
            stored(vault.remember(f"the otter number {n} sleeps"))
        done = threading.Event()
        counts: list[int] = []

        def look() -> None:
            while not done.is_set():
                counts.append(len(vault.recall("otter sleeps", k=100).hits))

        readers = [threading.Thread(target=look) for _ in range(3)]
        for reader in readers:
            reader.start()
        for _ in range(4):
            vault.reindex()
        done.set()
        for reader in readers:
            reader.join()
        assert len(counts) > 3
        assert set(counts) == {len(vault.recall("otter sleeps", k=100).hits)}


def _paired(path: str, name: str, start: object, answers: object) -> None:
    """Write to two spaces in turn, as two agents of the same process."""
    with muniment.open(path) as vault:
        agents = [vault.acting_as(actor=name, space=f"team/{name}-{side}") for side in "ab"]
        start.wait(120)
        made = []
        for n in range(20):
            for side, agent in zip("ab", agents, strict=True):
                made.append((side, agent.remember(f"{name} side {side} note {n}").verdict))
        answers.put(made)


def test_interleaved_writers_to_paired_spaces_never_mix(tmp_path: Path) -> None:
    path = tmp_path / "vault.db"
    muniment.open(path).close()
    made = _in_processes(_paired, (str(path), "ada"), (str(path), "bo"))
    assert {verdict for each in made for _, verdict in each} == {"stored"}
    with muniment.open(path) as vault:
        for name in ("ada", "bo"):
            for side in "ab":
                agent = vault.acting_as(actor="reader", space=f"team/{name}-{side}")
                texts = {row.text for row in agent.memories(limit=100)}
                assert texts == {f"{name} side {side} note {n}" for n in range(20)}
                answer = agent.recall("note side", k=100)
                assert answer.hits
                assert all(hit.text.startswith(f"{name} side {side}") for hit in answer.hits)


def _stamp(vault: Vault, analyser: str) -> None:
    """Make the head name another analyser, as a process of another release does by `reindex`."""
    with vault.ground.store.transaction() as transaction:
        moved: TenantHead = replace(transaction.head(), analyser=analyser)
        moved = replace(moved, mac=head_mac(vault.ground.vault_key, moved))
        transaction.set_analyser(moved)


def test_a_process_of_another_analyser_is_refused_while_reading_goes_on_until_a_reindex(
    tmp_path: Path,
) -> None:
    path = tmp_path / "vault.db"
    with muniment.open(path) as mine, muniment.open(path) as other:
        stored(mine.remember("the otter sleeps"))
        _stamp(other, "another/9")
        with pytest.raises(OtherAnalyser):
            mine.remember("the otter wakes")
        assert [hit.text for hit in mine.recall("otter").hits] == ["the otter sleeps"]
        assert not all(check.well for check in mine.doctor())
        assert reindex(mine.ground, mine.principal) == 1
        stored(other.remember("the otter wakes"))
        assert len(mine.recall("otter").hits) == 2
        assert all(check.well for check in mine.doctor())


def test_a_write_that_waits_in_vain_is_busy_and_stores_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "vault.db"
    with muniment.open(path) as holder, muniment.open(path) as waiter:
        stored(holder.remember("before"))
        monkeypatch.setattr(limits, "busy_wait_ms_max", 150)
        with holder.ground.store.transaction(), pytest.raises(Busy) as refused:
            waiter.remember("in vain")
        assert refused.value.code == "busy"
        assert [row.text for row in holder.memories()] == ["before"]
        stored(waiter.remember("afterwards"))
        assert len(holder.memories()) == 2
