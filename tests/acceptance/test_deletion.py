"""Do the thirteen steps of deletion hold, with a value beside it that is never forgotten?

The ids are the catalogue's: `deletion.absent_after_reindex_and_restart`,
`deletion.absent_from_shared_copies` and `evidence.source_delete_reaches_derived`.
"""

import shutil
from pathlib import Path

import pytest

import muniment
from muniment.domain.certificate import Status
from muniment.errors import MunimentError, NotFound
from muniment.service.vault import Vault
from tests.builders import World, stored
from tests.erasure.test_bytes import left_of

GONE, KEPT = "ZK4-PLOVER-8812", "VB9-CURLEW-3307"
SOURCE = f"Dear diary. The safe opens with {GONE}. The shed opens with {KEPT}. The rest is weather."
QUESTIONS = ("what opens the safe", "what opens the shed", "diary weather", "opens with")


def prompt(vault: Vault) -> str:
    """Return everything that the questions bring into a prompt."""
    return "\n".join(vault.recall(question, k=50).render() for question in QUESTIONS)


def probes(vault: Vault) -> dict[str, str]:
    """Return what each store says, by name."""
    every = ["believed", "candidate", "disputed", "refuted", "superseded", "retired", "rejected"]
    with vault.ground.store.snapshot() as snapshot:
        spaces = [row.n for row in snapshot.spaces()]
        sessions = vault.sessions()
        turns = [vault.read(id).text for id in _evidence_ids(vault)]
        jobs = [str(job) for job in snapshot.jobs()]
    return {
        "memories": str(vault.memories(states=every)),
        "turns": str(turns),
        "sessions": str(sessions),
        "questions": str(vault.recalls()),
        "jobs": str(jobs),
        "log": str(vault.log(limit=1000)),
        "certificates": str(vault.certificates()),
        "spaces": str(spaces),
    }


def _evidence_ids(vault: Vault) -> list[str]:
    hits = [hit for question in QUESTIONS for hit in vault.recall(question, k=50).hits]
    return list(dict.fromkeys(hit.id for hit in hits if hit.source != "memory"))


def absent(vault: Vault) -> None:
    """Show that nothing says what is gone, and that its twin is there."""
    said = prompt(vault)
    assert GONE not in said and KEPT in said
    found = probes(vault)
    assert {name for name, text in found.items() if GONE in text} == set()
    assert KEPT in found["memories"] and KEPT in found["turns"]


def remembered(vault: Vault) -> str:
    """Write a distinctive fact from its source, with its twin, and share both with another space."""
    (source,) = vault.ingest(SOURCE, source="diary").evidence
    id = stored(vault.remember(f"The safe opens with {GONE}", evidence=[source])).id
    stored(vault.remember(f"The shed opens with {KEPT}", evidence=[source]))
    stored(vault.remember(f"The safe opens with {GONE}", space="acme/team"))
    stored(vault.remember(f"The shed opens with {KEPT}", space="acme/team"))
    vault.settle()
    return id


def test_deletion_absent_after_reindex_and_restart(world: World) -> None:
    """Steps 1 to 10, the source fed again in between; every probe is empty, the log tells of it."""
    vault = world.vault
    id = remembered(vault)
    said = prompt(vault)
    assert GONE in said and KEPT in said
    certificate = vault.erase(vault.plan_erasure(id=id))
    absent(vault)
    vault.ingest(SOURCE, source="diary")
    absent(vault)
    vault.settle()
    vault.run_jobs()
    absent(vault)
    vault.reindex()
    absent(vault)
    vault = world.restarted()
    absent(vault)
    assert certificate.status is Status.STORAGE_COMPLETE
    acts = [row for row in vault.log(limit=1000) if row.act == "erase"]
    assert [row.fields["erasure"] for row in acts] == [certificate.id]
    assert GONE not in vault.certificate(certificate.id)
    assert vault.verify().ok


def test_deletion_absent_from_shared_copies(tmp_path: Path) -> None:
    """Steps 11 to 13: what was shared is gone too, and no earlier copy brings it back."""
    path = tmp_path / "home" / "vault.db"
    path.parent.mkdir()
    with muniment.open(path) as vault:
        id = remembered(vault)
        vault.export(tmp_path / "before.jsonl")
    backup = tmp_path / "backup.db"
    shutil.copyfile(path, backup)
    with muniment.open(path) as vault:
        vault.erase(vault.plan_erasure(id=id))
        absent(vault)
        team = vault.acting_as(actor="reader", space="acme/team")
        assert GONE not in prompt(team) and KEPT in prompt(team)
        assert left_of(GONE, path) == set() and left_of(KEPT, path)
        vault.export(tmp_path / "after.jsonl")
        report = vault.import_(tmp_path / "before.jsonl")
        assert report.refused
        assert GONE not in prompt(vault) and KEPT in prompt(vault)
    assert GONE.encode() not in (tmp_path / "after.jsonl").read_bytes()
    assert KEPT.encode() in (tmp_path / "after.jsonl").read_bytes()
    with muniment.open(tmp_path / "restored" / "vault.db") as restored:
        restored.restore(tmp_path / "after.jsonl")
        absent(restored)
        assert restored.verify().ok


def test_evidence_source_delete_reaches_derived(world: World) -> None:
    """Deleting a source removes or marks everything derived; a sibling and its offspring survive."""
    vault = world.vault
    (one,) = vault.ingest(f"The first page names {GONE} and otters.", source="page-1").evidence
    (two,) = vault.ingest(f"The second page names {KEPT} and beavers.", source="page-2").evidence
    alone = stored(vault.remember(f"The page says {GONE}", evidence=[one])).id
    chain = stored(vault.remember("So there is a code on it", evidence=[alone])).id
    mixed = stored(vault.remember("Both pages name a code", kind="summary", evidence=[one, two])).id
    other = stored(vault.remember(f"The page says {KEPT}", evidence=[two])).id
    offspring = stored(vault.remember("So there is one here too", evidence=[other])).id
    vault.erase(vault.plan_erasure(source="page-1"))
    for id in (one, alone, chain):
        with pytest.raises(NotFound):
            vault.read(id)
    assert vault.read(mixed).state == "disputed"
    assert all(vault.read(id).state == "current" for id in (two, other, offspring))
    assert vault.verify().ok
    with pytest.raises(MunimentError):
        vault.plan_erasure(id=one)
