"""Is every erasure written down outside the database, and is one done again that was cut short?"""

import base64
import hashlib
from collections.abc import Callable
from dataclasses import replace

import pytest

from muniment.domain.certificate import Status, parsed
from muniment.domain.evidence import MARK
from muniment.domain.journal import entry_of, id_of
from muniment.domain.ledger import RowCode
from muniment.errors import FullDisk, NotFound, Refusal, RolledBack, Tampered
from muniment.ports import Journal
from muniment.service.erase_again import catch_up
from muniment.service.vault import Vault
from tests.builders import World, acts, stored
from tests.erasure.planting import CODE, TWIN, planted
from tests.erasure.test_deed import everything


def lines(vault: Vault) -> tuple[str, ...]:
    return vault.ground.outside.journal.lines()


class Failing:
    """Be a journal that writes the line, or does not, and then fails."""

    def __init__(self, inner: Journal, *, writes: bool) -> None:
        self._inner, self._writes = inner, writes

    def lines(self) -> tuple[str, ...]:
        return self._inner.lines()

    def add(self, line: str) -> None:
        if self._writes:
            self._inner.add(line)
        raise FullDisk("There is no room for the line.")


def cut_short(vault: Vault, *, writes: bool = True, **means: str) -> None:
    """Erase, and fail between the line and the rows, or before the line."""
    kept = vault.ground.outside
    plan = vault.plan_erasure(**means)
    vault.ground.outside = replace(kept, journal=Failing(kept.journal, writes=writes))
    with pytest.raises(FullDisk):
        vault.erase(plan)
    vault.ground.outside = kept


def test_each_erasure_leaves_one_line_of_its_certificate(world: World) -> None:
    vault = world.vault
    assert lines(vault) == ()
    things = planted(vault)
    one = vault.erase(vault.plan_erasure(id=things.memory))
    two = vault.erase(vault.plan_erasure(id=things.twin))
    assert [id_of(line) for line in lines(vault)] == [one.id, two.id]


def test_a_plan_alone_leaves_no_line(world: World) -> None:
    vault = world.vault
    things = planted(vault)
    assert not vault.plan_erasure(id=things.memory).empty
    assert lines(vault) == ()


def test_a_line_names_every_row_that_went_and_every_tombstone(world: World) -> None:
    vault = world.vault
    things = planted(vault)
    plan = vault.plan_erasure(id=things.memory)
    certificate = vault.erase(plan)
    entry = entry_of(lines(vault)[0], vault.ground.vault_key)
    assert [(row.code, row.name) for row in entry.rows] == [(one.code, one.name) for one in plan.going]
    assert {things.memory, things.keyed, things.copy, things.turn} <= {row.name for row in entry.rows}
    assert (entry.plan, entry.requester) == (plan.digest, certificate.requester)
    assert len(entry.tombstones) == certificate.tombstones > 0
    tagged = [row for row in entry.rows if row.name == things.tagged]
    assert [(row.put_back, row.marked) for row in tagged] == [(True, ("tag/0",))]
    (turn,) = [row for row in entry.rows if row.name == things.turn]
    assert turn.put_back and len(turn.spans) == 1


def test_a_line_holds_no_value_and_no_digest_of_one_without_a_key(world: World) -> None:
    vault = world.vault
    things = planted(vault)
    vault.erase(vault.plan_erasure(id=things.memory))
    (line,) = lines(vault)
    said = line.lower()
    assert things.memory in line
    for text in (CODE, CODE.lower(), f"Ria's locker code is {CODE}", "HERON", "Ria", "locker", "handbook"):
        assert text.lower() not in said
        for name in ("md5", "sha1", "sha256", "blake2b"):
            digest = hashlib.new(name, text.encode()).digest()
            assert digest.hex()[:16] not in said
            assert base64.b64encode(digest).decode()[:16].lower() not in said


def test_without_its_line_nothing_is_erased(world: World) -> None:
    """The line comes before the answer: where it cannot be written, nothing goes."""
    vault = world.vault
    things = planted(vault)
    cut_short(vault, writes=False, id=things.memory)
    assert lines(vault) == ()
    assert CODE in everything(vault) and TWIN in everything(vault)
    assert "erase" not in acts(vault)
    assert vault.verify().ok


def test_an_erasure_that_a_crash_cut_short_is_done_by_its_line(world: World) -> None:
    vault = world.vault
    things = planted(vault)
    cut_short(vault, id=things.memory)
    assert CODE in everything(vault)
    (certificate,) = catch_up(vault.ground)
    said = everything(vault)
    assert CODE not in said and "HERON" not in said and TWIN in said
    for id in (things.memory, things.keyed, things.copy):
        with pytest.raises(NotFound):
            vault.read(id)
    assert vault.read(things.twin).text == f"The spare locker code is {TWIN}"
    assert vault.read(things.tagged).tags == ("lockers",)
    turn = vault.read(things.turn).text
    assert turn == f"My locker code is {MARK}. The spare one is {TWIN}. Tea is at four."
    assert certificate.id == id_of(lines(vault)[0])
    report = vault.verify()
    assert report.findings == () and report.ok


def test_what_is_done_again_stays_out_as_if_done_at_once(world: World) -> None:
    vault = world.vault
    things = planted(vault)
    cut_short(vault, id=things.memory)
    catch_up(vault.ground)
    assert vault.remember(f"Ria's  locker code IS {CODE.lower()}").refused
    assert not vault.remember("Ria's locker is blue").refused
    vault.ingest(f"Again, Ria's locker code is {CODE}. Beavers swim.", source="second")
    said = vault.recall("beavers swim", k=20).render()
    assert "Beavers" in said and CODE not in said
    vault.reindex()
    assert CODE not in everything(vault) and TWIN in everything(vault)


def test_doing_it_again_is_on_record_and_certified_as_such(world: World) -> None:
    vault = world.vault
    things = planted(vault)
    cut_short(vault, id=things.memory)
    (certificate,) = catch_up(vault.ground)
    (deed,) = [row for row in vault.log(limit=1000) if row.act == "erase"]
    assert deed.fields["erasure"] == certificate.id
    assert deed.fields["replayed"] is True
    entry = entry_of(lines(vault)[0], vault.ground.vault_key)
    assert deed.fields["plan"] == entry.plan
    found = parsed(vault.certificate(certificate.id))
    assert (found.basis, found.requester) == ("journal", entry.requester)
    assert found.status is Status.STORAGE_COMPLETE
    assert found.tombstones == len(entry.tombstones)
    assert things.memory in found.memories
    assert "HERON" not in "".join(str(row) for row in vault.log(limit=1000))


def test_an_erasure_done_at_once_is_not_marked_as_repeated(world: World) -> None:
    vault = world.vault
    things = planted(vault)
    certificate = vault.erase(vault.plan_erasure(id=things.memory))
    (deed,) = [row for row in vault.log(limit=1000) if row.act == "erase"]
    assert "replayed" not in deed.fields
    assert parsed(vault.certificate(certificate.id)).basis == "request"


def test_what_the_database_knows_is_not_done_again(world: World) -> None:
    vault = world.vault
    things = planted(vault)
    assert catch_up(vault.ground) == ()
    vault.erase(vault.plan_erasure(id=things.memory))
    size = vault.status().records
    assert catch_up(vault.ground) == ()
    assert vault.status().records == size
    cut_short(vault, id=things.twin)
    assert len(catch_up(vault.ground)) == 1
    assert catch_up(vault.ground) == ()
    assert TWIN not in everything(vault)


def test_the_next_erasure_makes_good_the_one_that_was_cut_short(world: World) -> None:
    vault = world.vault
    things = planted(vault)
    other = stored(vault.remember("The kettle is called Otto")).id
    cut_short(vault, id=things.memory)
    plan = vault.plan_erasure(id=other)
    vault.erase(plan)
    assert CODE not in everything(vault) and TWIN in everything(vault)
    assert len(lines(vault)) == len({id_of(line) for line in lines(vault)}) == 2
    with pytest.raises(NotFound):
        vault.read(other)


def test_asking_again_for_what_was_cut_short_finds_it_done(world: World) -> None:
    vault = world.vault
    id = stored(vault.remember(f"The code is {CODE}")).id
    twin = stored(vault.remember(f"The code is {TWIN}")).id
    cut_short(vault, id=id)
    plan = vault.plan_erasure(id=id)
    with pytest.raises(NotFound):
        vault.erase(plan)
    with pytest.raises(NotFound):
        vault.read(id)
    assert vault.read(twin).text.endswith(TWIN)


MEANS: list[tuple[str, Callable[[Vault], dict[str, str]]]] = [
    ("text", lambda _: {"text": CODE}),
    ("source", lambda _: {"source": "handbook"}),
    ("person", lambda _: {"person": "Ria"}),
]


@pytest.mark.parametrize(("name", "means"), MEANS, ids=[name for name, _ in MEANS])
def test_by_whatever_means_it_was_asked_it_ends_as_if_done_at_once(
    world: World, name: str, means: Callable[[Vault], dict[str, str]]
) -> None:
    """What goes, comes back and is marked is the same: the plan of the same again is as empty."""
    vault = world.vault
    planted(vault)
    asked = means(vault)
    plan = vault.plan_erasure(**asked)
    gone = {(one.code, one.name) for one in plan.going}
    cut_short(vault, **asked)
    (certificate,) = catch_up(vault.ground)
    assert sum(store.deleted for store in certificate.stores if store.name not in ("vector", "job")) == len(
        plan.going
    )
    assert gone and vault.plan_erasure(**asked).going == ()
    assert vault.verify().ok
    assert TWIN in everything(vault)


def test_a_title_and_a_speaker_are_marked_again(world: World) -> None:
    vault = world.vault
    session = vault.session(f"about {CODE}", agent="coder")
    (turn,) = session.append("user", "Good morning, otters.", speaker=f"Ria {CODE}").evidence
    (other,) = session.append("user", "Good evening, beavers.", speaker="Tom").evidence
    cut_short(vault, text=CODE)
    entry = entry_of(lines(vault)[0], vault.ground.vault_key)
    marked = {row.code: row.marked for row in entry.rows}
    assert "speaker" in marked[RowCode.EVIDENCE] and "name" in marked[RowCode.SESSION]
    catch_up(vault.ground)
    assert "otters" in vault.read(turn).text and "beavers" in vault.read(other).text
    said = "".join(str(row) for row in (vault.sessions(), vault.read(turn), vault.read(other)))
    assert CODE not in said and MARK in said and "Tom" in said


def test_a_summary_that_lost_a_source_is_disputed_again(world: World) -> None:
    vault = world.vault
    (one,) = vault.ingest(f"The first page names {CODE}.", source="page-1").evidence
    (two,) = vault.ingest("The second page names beavers.", source="page-2").evidence
    mixed = stored(vault.remember("Both pages name a thing", kind="summary", evidence=[one, two])).id
    alone = stored(vault.remember("A page names a thing", kind="summary", evidence=[two])).id
    cut_short(vault, source="page-1")
    catch_up(vault.ground)
    assert vault.read(mixed).state == "disputed"
    assert vault.read(alone).state == "current"
    with pytest.raises(NotFound):
        vault.read(one)


def test_an_altered_line_is_said_and_not_followed(world: World) -> None:
    vault = world.vault
    things = planted(vault)
    cut_short(vault, id=things.memory)
    (line,) = lines(vault)
    journal = vault.ground.outside.journal
    journal.add(line.replace("x_", "x_0", 1)[: len(line)])
    with pytest.raises(Tampered):
        catch_up(vault.ground)
    assert CODE in everything(vault) and "erase" not in acts(vault)


def test_a_vault_that_takes_no_writes_is_not_read_with_what_was_erased(world: World) -> None:
    vault = world.vault
    things = planted(vault)
    cut_short(vault, id=things.memory)
    kept = vault.ground.outside
    vault.ground.outside = replace(kept, writable=False, why_read_only="The place takes no writes.")
    with pytest.raises(RolledBack):
        catch_up(vault.ground)
    vault.ground.outside = kept
    assert len(catch_up(vault.ground)) == 1


def test_an_agent_s_erasure_is_refused_and_leaves_no_line(world: World) -> None:
    vault = world.vault
    things = planted(vault)
    plan = vault.plan_erasure(id=things.memory)
    with pytest.raises(Refusal):
        vault.as_agent(actor="coder").erase(plan)
    assert lines(vault) == ()
    vault.erase(plan)
    assert len(lines(vault)) == 1
