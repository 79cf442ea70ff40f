"""Do writers of one tenant of a database server, at work at the same time, lose and mix nothing?"""

import multiprocessing
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from muniment.service.vault import Vault
from tests import postgres
from tests.builders import stored
from tests.concurrency.sharing import held, newest, other_of, proves_itself

WRITERS = 40
SECONDS_MAX = 60
ROUNDS, HANDS = 6, 3


def test_forty_threads_lose_nothing_and_the_log_is_in_order(vault: Vault) -> None:
    with ThreadPoolExecutor(WRITERS) as pool:
        receipts = list(pool.map(lambda n: vault.remember(f"note number {n}"), range(WRITERS)))
    assert len({stored(one).record for one in receipts}) == WRITERS
    assert len({stored(one).id for one in receipts}) == WRITERS
    for one in receipts:
        assert vault.read(one.id).text.startswith("note number")
    assert {hit.text for hit in vault.recall("note number", k=50).hits} >= {
        f"note number {n}" for n in range(WRITERS)
    }
    proves_itself(vault)


def _writing(address: str, tenant: str, mark: str, start: object, answers: object) -> None:
    vault = held(address, tenant)
    stored(vault.remember(f"{mark} is here"))
    start.wait(SECONDS_MAX)
    with ThreadPoolExecutor(WRITERS) as pool:
        deeds = pool.map(lambda n: _mixed(vault, f"{mark} {n}"), range(WRITERS))
        answers.put([id for ids in deeds for id in ids])
    vault.close()


def _mixed(vault: Vault, mark: str) -> tuple[str, ...]:
    """Write a note, a turn and a keyed claim; return their ids."""
    note = stored(vault.remember(f"note of {mark}")).id
    claim = stored(vault.remember(f"{mark} sits in row {mark}", about=mark, attribute="row", value=mark)).id
    turn = vault.session(f"talk {mark}", agent=mark).append("user", f"turn of {mark}").evidence
    return (note, claim, *turn)


def test_two_processes_of_forty_threads_lose_nothing(vault: Vault, tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    start, answers = context.Barrier(2), context.Queue()
    given = (postgres.shared_database().application, f"vault of {tmp_path}")
    writers = [
        context.Process(target=_writing, args=(*given, mark, start, answers)) for mark in ("ada", "bo")
    ]
    for writer in writers:
        writer.start()
    ids = [id for _ in writers for id in answers.get(timeout=4 * SECONDS_MAX)]
    for writer in writers:
        writer.join(SECONDS_MAX)
    assert len(set(ids)) == 2 * 3 * WRITERS
    assert all(vault.read(id).id == id for id in ids)
    proves_itself(vault)


def test_eight_threads_that_say_the_same_make_one_memory(vault: Vault) -> None:
    def said(_: int) -> object:
        together.wait(SECONDS_MAX)
        return vault.remember("the one note")

    together = threading.Barrier(8)
    with ThreadPoolExecutor(8) as pool:
        receipts = list(pool.map(said, range(8)))
    assert sorted(one.verdict for one in receipts) == ["merged"] * 7 + ["stored"]
    assert len({one.id for one in receipts}) == 1
    proves_itself(vault)


def test_two_holders_that_say_the_same_make_one_memory(vault: Vault, tmp_path: Path) -> None:
    other = other_of(tmp_path)
    stored(other.remember("the other is here"))
    for n in range(10):
        together = threading.Barrier(2)

        def said(one: Vault, n: int = n, together: threading.Barrier = together) -> object:
            together.wait(SECONDS_MAX)
            return one.remember(f"the common note {n}")

        with ThreadPoolExecutor(2) as pool:
            receipts = list(pool.map(said, (vault, other)))
        assert sorted(one.verdict for one in receipts) == ["merged", "stored"]
    other.close()
    proves_itself(vault)


def test_one_slot_has_one_value_after_many_writers(vault: Vault, tmp_path: Path) -> None:
    other = other_of(tmp_path)

    def said(n: int) -> None:
        one = (vault, other)[n % 2]
        stored(one.remember(f"The port is {n}", about="api", attribute="port", value=str(n)))

    with ThreadPoolExecutor(20) as pool:
        list(pool.map(said, range(20)))
    other.close()
    keyed = [row for row in vault.memories(limit=100) if row.text.startswith("The port")]
    assert len(keyed) == 1
    assert len(vault.memories(states=["superseded"], limit=100)) == 19
    proves_itself(vault)


def test_a_value_rejected_while_others_say_it_again_is_never_live(vault: Vault, tmp_path: Path) -> None:
    other = other_of(tmp_path)
    stored(other.remember("the other is here"))
    for n in range(8):
        text = f"the quay {n} is wet"
        id = stored(vault.remember(text)).id
        assert text in {row.text for row in vault.memories(limit=200)}
        together = threading.Barrier(4)

        def rejected(id: str = id, together: threading.Barrier = together) -> object:
            together.wait(SECONDS_MAX)
            return vault.reject(id, reason="it is dry")

        def said(one: Vault, text: str = text, together: threading.Barrier = together) -> object:
            together.wait(SECONDS_MAX)
            return one.remember(text)

        with ThreadPoolExecutor(4) as pool:
            deeds = [pool.submit(rejected), *(pool.submit(said, one) for one in (vault, other, other))]
            assert {one.result().verdict for one in deeds} <= {"stored", "merged", "refused"}
        assert text not in {row.text for row in vault.memories(limit=200)}
        assert (vault.remember(text).reason, newest(vault, id).trust.value) == ("rejected-value", "rejected")
    other.close()
    proves_itself(vault)


def _revising(vault: Vault, id: str, name: str) -> list[tuple[str, int, str]]:
    receipts = [vault.revise(id, f"the plan of {name}, {n}", expected_version=n + 1) for n in range(10)]
    return [(one.reason, one.version, one.detail) for one in receipts]


def test_writers_with_an_old_view_are_told_the_present_version(vault: Vault, tmp_path: Path) -> None:
    id = stored(vault.remember("the plan")).id
    other = other_of(tmp_path)
    with ThreadPoolExecutor(2) as pool:
        both = list(pool.map(_revising, (vault, other), (id, id), ("ada", "bo")))
    other.close()
    landed = sorted(version for reason, version, _ in (*both[0], *both[1]) if reason == "clean")
    assert landed == list(range(2, 2 + len(landed)))
    stale = vault.revise(id, "from an old view", expected_version=1)
    assert (stale.reason, stale.detail) == ("stale-view", f"The present version is {1 + len(landed)}.")
    proves_itself(vault)


def _hammering(address: str, tenant: str, mark: str, start: object, answers: object) -> None:
    """Fill one slot and state one value again and again, in step with another process."""
    vault = held(address, tenant)
    stored(vault.remember(f"{mark} is here"))
    found: list[tuple[str, str]] = []
    try:
        _in_step(vault, mark, start, found)
    finally:
        # Whoever failed says how far it came, rather than let the others wait.
        answers.put(found)
    vault.close()


def _in_step(vault: Vault, mark: str, start: object, found: list[tuple[str, str]]) -> None:
    for n in range(ROUNDS):
        start.wait(SECONDS_MAX)
        with ThreadPoolExecutor(HANDS) as pool:
            keyed = pool.map(
                lambda hand, n=n: vault.remember(
                    f"Gate {n} opens at {mark} {hand}",
                    about=f"gate {n}",
                    attribute="hour",
                    value=f"{mark} {hand}",
                ),
                range(HANDS),
            )
            plain = pool.map(lambda _, n=n: vault.remember(f"The bell {n} rings"), range(HANDS))
            found += [(one.verdict, one.id) for one in (*keyed, *plain)]


def test_two_processes_that_fill_one_slot_and_state_one_value_leave_one_live(
    vault: Vault, tmp_path: Path
) -> None:
    context = multiprocessing.get_context("spawn")
    start, answers = context.Barrier(2), context.Queue()
    given = (postgres.shared_database().application, f"vault of {tmp_path}")
    writers = [
        context.Process(target=_hammering, args=(*given, mark, start, answers)) for mark in ("ada", "bo")
    ]
    for writer in writers:
        writer.start()
    verdicts = [one for _ in writers for one in answers.get(timeout=4 * SECONDS_MAX)]
    for writer in writers:
        writer.join(SECONDS_MAX)
    assert {verdict for verdict, _ in verdicts} == {"stored", "merged"}
    live = [row.text for row in vault.memories(limit=500)]
    for n in range(ROUNDS):
        assert len([text for text in live if text.startswith(f"Gate {n} opens")]) == 1
        assert live.count(f"The bell {n} rings") == 1
    bells = [id for verdict, id in verdicts if verdict == "merged"]
    assert len(bells) == ROUNDS * (2 * HANDS - 1)
    assert len(vault.memories(states=["superseded"], limit=500)) == ROUNDS * (2 * HANDS - 1)
    proves_itself(vault)
