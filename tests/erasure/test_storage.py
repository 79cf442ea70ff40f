"""When is an erasure out of the files, who finishes it, and what is looked for there?"""

from dataclasses import replace
from pathlib import Path

import pytest

import muniment
from muniment.domain.certificate import Certificate, Status, parsed
from muniment.domain.changes import Job
from muniment.domain.compaction import Compaction, Sought
from muniment.errors import Busy, Disconnected, FullDisk, Unavailable
from muniment.service import erase, erase_storage
from muniment.service.certifying import STORAGE, certificates_in
from muniment.service.vault import Vault
from tests.builders import World, stored
from tests.erasure.planting import CODE, TWIN


class Stubborn:
    """Be a store that keeps its bytes as long as it is told to."""

    def __init__(self, vault: Vault, answer: Compaction | Exception) -> None:
        self._store, self.answer = vault.ground.store, answer
        self.asked: list[Sought] = []

    def __getattr__(self, name: str) -> object:
        return getattr(self._store, name)

    def compact(self, sought: Sought, *, wait_ms: int) -> Compaction:
        self.asked.append(sought)
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


def stubborn(vault: Vault, answer: Compaction | Exception) -> Stubborn:
    store = Stubborn(vault, answer)
    vault.ground.store = store
    return store


def waiting(vault: Vault) -> list[Job]:
    with vault.ground.store.snapshot() as snapshot:
        return [job for job in snapshot.jobs() if job.kind == STORAGE]


def erased(vault: Vault, text: str = CODE) -> Certificate:
    stored(vault.remember(f"The code is {text}"))
    return vault.erase(vault.plan_erasure(text=text))


NOT_YET = [
    Compaction(False, ("index merged",)),
    Busy("Another writer holds the vault."),
    FullDisk("The disk is full."),
    Disconnected("The server went away."),
    OSError("the disk is gone"),
]


@pytest.mark.parametrize("answer", NOT_YET, ids=lambda one: type(one).__name__)
def test_what_is_in_the_way_leaves_it_to_a_job(world: World, answer: Compaction | Exception) -> None:
    vault = world.vault
    store = stubborn(vault, answer)
    certificate = erased(vault)
    assert (certificate.status, certificate.storage) == (Status.LOGICAL, None)
    assert len(waiting(vault)) == 1
    assert vault.run_jobs().put_back == 1
    store.answer = Compaction(True, ("log emptied",), ("archives: until their retention ends",))
    world.clock.advance(hours=1)
    assert vault.run_jobs().done == 1
    later = parsed(vault.certificate(certificate.id))
    assert (later.status, later.id) == (Status.STORAGE_COMPLETE, certificate.id)
    assert "log emptied" in later.steps and "deleted" in later.steps
    assert "archives: until their retention ends" in later.uncovered
    assert later.logical == certificate.logical and later.storage is not None
    assert waiting(vault) == []
    assert vault.verify().ok


def test_what_is_done_at_once_leaves_no_job(world: World) -> None:
    stubborn(world.vault, Compaction(True, ("log emptied",)))
    certificate = erased(world.vault)
    assert certificate.status is Status.STORAGE_COMPLETE
    assert certificate.steps == ("deleted", "log emptied")
    assert waiting(world.vault) == []


def test_the_texts_and_their_terms_are_looked_for_and_only_at_once(world: World) -> None:
    vault = world.vault
    store = stubborn(vault, Compaction(False, ()))
    erased(vault)
    (asked,) = store.asked
    assert CODE.encode() in asked.texts and f"The code is {CODE}".encode() in asked.rows
    assert any(CODE.lower().encode() in text for text in asked.texts)
    store.answer = Compaction(True, ())
    vault.run_jobs()
    assert store.asked[-1].empty and not asked.empty


def test_a_job_ends_the_erasure_that_it_is_of_and_no_other(world: World) -> None:
    vault = world.vault
    store = stubborn(vault, Compaction(False, ()))
    one, two = erased(vault), erased(vault, TWIN)
    assert len(waiting(vault)) == 2
    store.answer = Compaction(True, ("log emptied",))
    with vault.ground.store.snapshot() as snapshot:
        targets = {row.erasure: row.n for row in certificates_in(snapshot)}
    (job,) = [job for job in waiting(vault) if job.target == targets[two.id]]
    erase_storage.work(vault.ground, job)
    statuses = {row.erasure: row.status for row in reversed(vault.certificates())}
    assert statuses == {one.id: "logical", two.id: "storage-complete"}


def test_a_job_whose_work_was_done_by_another_does_nothing(world: World) -> None:
    vault = world.vault
    store = stubborn(vault, Compaction(False, ()))
    erased(vault)
    (job,) = waiting(vault)
    store.answer = Compaction(True, ())
    erase_storage.work(vault.ground, job)
    before = vault.status().records
    erase_storage.work(vault.ground, job)
    erase_storage.work(vault.ground, replace(job, target=job.target + 10_000))
    assert vault.status().records == before


def test_a_job_that_cannot_finish_says_so(world: World) -> None:
    vault = world.vault
    assert vault.status().unfinished == 0
    store = stubborn(vault, Compaction(False, ()))
    erased(vault)
    assert vault.status().unfinished == 1
    (job,) = waiting(vault)
    assert store.asked
    with pytest.raises(Unavailable):
        erase_storage.work(vault.ground, job)


def test_what_is_looked_for_is_what_went_and_not_what_stayed(vault: Vault) -> None:
    session = vault.session("talk", agent="coder")
    session.append("user", f"It is {CODE}. The spare is {TWIN}.")
    stored(vault.remember(f"The code is {CODE}"))
    sought = erase_storage.sought_of(vault.ground, vault.plan_erasure(text=CODE))
    assert CODE.encode() in sought.texts and f"The code is {CODE}".encode() in sought.rows
    texts = (*sought.texts, *sought.rows)
    assert not any(TWIN.encode() in text for text in texts)
    assert len(texts) == len(set(texts)) and all(texts)


def test_a_read_only_vault_erases_nothing(tmp_path: Path) -> None:
    path = tmp_path / "vault.db"
    with muniment.open(path) as vault:
        id = stored(vault.remember(f"The code is {CODE}")).id
        plan = vault.plan_erasure(id=id)
        vault.ground.outside = replace(vault.ground.outside, writable=False, why_read_only="For a test.")
        with pytest.raises(muniment.MunimentError):
            erase.erase(vault.ground, vault.principal, plan)
        assert vault.read(id).text


def test_the_recalls_of_this_process_are_written_before_a_plan_looks(vault: Vault) -> None:
    stored(vault.remember(f"The code is {CODE}"))
    vault.recall(f"who has {CODE}")
    assert vault.plan_erasure(text=CODE).counts["recall_log"] == 1
