"""Does an erasure among many writers and readers take all of it, once, and leave theirs alone?"""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from muniment.errors import BadInput, StalePlan
from muniment.service.vault import Vault
from tests.builders import VAULTS, FakeClock, close_quietly, stored

CODE = "QZ7-HERON-4417"


@pytest.fixture(params=sorted(VAULTS))
def vault(request: pytest.FixtureRequest, tmp_path: object) -> object:
    made = VAULTS[request.param](tmp_path, clock=FakeClock())
    yield made
    close_quietly(made)


def test_writers_beside_an_erasure_lose_nothing(vault: Vault) -> None:
    doomed = [stored(vault.remember(f"Copy {n} of {CODE}")).id for n in range(6)]
    begun = threading.Barrier(4)

    def write(who: int) -> list[str]:
        begun.wait()
        return [stored(vault.remember(f"Writer {who} says {n} things")).id for n in range(8)]

    def erase() -> int:
        begun.wait()
        for _ in range(20):
            try:
                return vault.erase(vault.plan_erasure(text=CODE)).stores[0].deleted
            except StalePlan:
                continue
        raise AssertionError("never came to it")

    with ThreadPoolExecutor(4) as pool:
        writers = [pool.submit(write, who) for who in range(3)]
        erased = pool.submit(erase).result()
        written = [id for one in writers for id in one.result()]
    assert erased == len(doomed)
    assert len(written) == 24 and all(vault.read(id).text for id in written)
    assert not any("HERON" in row.text for row in vault.memories())
    assert vault.verify().ok


def test_two_that_erase_the_same_take_it_once(vault: Vault) -> None:
    stored(vault.remember(f"The code is {CODE}"))
    plan = vault.plan_erasure(text=CODE)
    begun = threading.Barrier(2)

    def erase(_: int) -> str:
        begun.wait()
        try:
            return vault.erase(plan).id
        except (StalePlan, BadInput) as error:
            return error.code

    with ThreadPoolExecutor(2) as pool:
        ends = sorted(pool.map(erase, range(2)))
    assert [end.startswith("x_") for end in ends] in ([False, True], [True, False])
    assert vault.status().counts["certificate"] == 2
    assert vault.verify().ok


def erased(vault: Vault) -> None:
    """Plan and erase until nothing came between."""
    for _ in range(20):
        try:
            vault.erase(vault.plan_erasure(text=CODE))
        except StalePlan:
            continue
        return
    raise AssertionError("never came to it")


def test_readers_see_it_whole_or_not_at_all(vault: Vault) -> None:
    ids = [stored(vault.remember(f"Copy {n} of {CODE}")).id for n in range(5)]
    stop, seen = threading.Event(), set[object]()

    def read() -> None:
        while not stop.is_set():
            with vault.ground.store.snapshot() as snapshot:
                seen.add(len(snapshot.currents(ids)))

    def ask() -> None:
        while not stop.is_set():
            texts = [hit.text for hit in vault.recall("copy", k=10).hits]
            seen.add(len([text for text in texts if CODE in text]))

    threads = [threading.Thread(target=each) for each in (read, read, ask)]
    for thread in threads:
        thread.start()
    erased(vault)
    stop.set()
    for thread in threads:
        thread.join()
    assert seen <= {0, len(ids)} and len(ids) in seen
    with vault.ground.store.snapshot() as snapshot:
        assert snapshot.currents(ids) == []
    vault.settle()
    assert vault.verify().ok


def test_an_erasure_goes_on_where_a_question_came_between(vault: Vault) -> None:
    stored(vault.remember(f"The code is {CODE}"))
    plan = vault.plan_erasure(text=CODE)
    vault.recall("what is the code")
    vault.settle()
    assert vault.erase(plan).stores[0].deleted == 1


def test_a_question_about_it_that_came_between_makes_the_plan_stale(vault: Vault) -> None:
    """The question holds the value and is on record: the plan does not name that row."""
    stored(vault.remember(f"The code is {CODE}"))
    plan = vault.plan_erasure(text=CODE)
    vault.recall(f"who has {CODE}")
    vault.settle()
    with pytest.raises(StalePlan):
        vault.erase(plan)
    erased(vault)
    assert not any("HERON" in row.query for row in vault.recalls())
