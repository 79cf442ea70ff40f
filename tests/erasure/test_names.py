"""Do names that hold what is erased come back without it, and everything that they name stay whole?"""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

import muniment
from muniment.domain.evidence import MARK
from muniment.errors import BadInput, MunimentError
from muniment.service.vault import Vault
from tests.builders import World, stored
from tests.erasure.planting import CODE, TWIN


def test_a_session_whose_name_says_it_gets_another_and_keeps_its_turns(world: World) -> None:
    vault = world.vault
    session = vault.session(f"talk about {CODE}", agent="coder")
    turn = session.append("user", "Tea is at four.").evidence[0]
    vault.erase(vault.plan_erasure(text=CODE))
    (row,) = vault.sessions()
    assert "HERON" not in row.name and row.name.startswith(MARK)
    assert vault.read(turn).session == row.name
    assert row.turns == 1
    assert vault.verify().ok
    assert world.restarted().verify().ok


def test_two_sessions_that_say_it_get_names_of_their_own(world: World) -> None:
    vault = world.vault
    for n in range(2):
        vault.session(f"{CODE} number {n}", agent="coder").append("user", f"Turn {n}.")
    vault.erase(vault.plan_erasure(text=CODE))
    names = {row.name for row in vault.sessions()}
    assert len(names) == 2 and not any("HERON" in name for name in names)
    assert vault.verify().ok


def test_a_speaker_and_a_source_are_cleared_and_the_words_stay(world: World) -> None:
    vault = world.vault
    session = vault.session("talk", agent="coder")
    turn = session.append("user", "Tea is at four.", speaker=f"holder of {CODE}").evidence[0]
    page = vault.ingest("Herons wade at dawn.", source=f"{CODE}.txt").evidence[0]
    vault.erase(vault.plan_erasure(text=CODE))
    assert (vault.read(turn).text, vault.read(turn).speaker) == ("Tea is at four.", MARK)
    assert (vault.read(page).text, vault.read(page).session) == ("Herons wade at dawn.", MARK)
    assert {hit.id for hit in vault.recall("tea at four").hits} >= {turn}
    assert vault.verify().ok


@pytest.mark.parametrize("tags", [[CODE], [CODE, "kept"], ["kept", f"about {CODE}", "too"]])
def test_a_tag_goes_and_the_others_stay(vault: Vault, tags: list[str]) -> None:
    id = stored(vault.remember("A note", tags=tags)).id
    vault.erase(vault.plan_erasure(text=CODE))
    assert list(vault.read(id).tags) == [tag for tag in tags if CODE not in tag]
    assert vault.read(id).state == "current"
    assert vault.recall(CODE).hits == () or CODE not in str(vault.recall(CODE).hits)
    assert vault.verify().ok


def test_a_reason_of_a_rejection_is_cleared_and_the_rejection_stands(world: World) -> None:
    vault = world.vault
    id = stored(vault.remember("The lamp is blue")).id
    stored(vault.reject(id, reason=f"because {CODE} says so"))
    vault.erase(vault.plan_erasure(text=CODE))
    assert vault.remember("the LAMP is blue").refused
    with vault.ground.store.snapshot() as snapshot:
        reasons = [one.reason for one in snapshot.tombstones_of(id)]
    assert reasons == [MARK]
    assert vault.verify().ok
    assert world.restarted().remember("The lamp is blue").refused


def test_an_actor_whose_name_says_it_gets_another_and_keeps_what_was_written(world: World) -> None:
    vault = world.vault
    agent = vault.acting_as(actor=f"bot {CODE}", space="acme")
    id = stored(agent.remember(f"The spare is {TWIN}")).id
    vault.erase(vault.plan_erasure(text=CODE))
    reading = vault.read(id)
    assert reading.author.startswith(MARK) and TWIN in reading.text
    assert vault.verify().ok


def test_an_actor_that_was_renamed_writes_on_under_a_number_of_its_own(world: World) -> None:
    vault = world.vault
    stored(vault.acting_as(actor="Ria", space="acme").remember("Mine"))
    vault.erase(vault.plan_erasure(person="Ria"))
    again = stored(vault.acting_as(actor="Ria", space="acme").remember("Mine again, of today")).id
    assert vault.read(again).author == "Ria"
    with vault.ground.store.snapshot() as snapshot:
        assert len({row.n for row in snapshot.actors()}) == len(snapshot.actors())
    assert vault.verify().ok


def again(world: World) -> Iterator[Vault]:
    """Yield the vault as it is, and as it is after a restart."""
    yield world.vault
    yield world.restarted()


def paths(vault: Vault) -> list[str]:
    return sorted(row.path for row in vault.spaces())


def test_a_space_whose_path_says_it_gets_another_and_keeps_what_lies_there(world: World) -> None:
    vault = world.vault
    above = stored(vault.remember("Tea is at four", space=f"acme/{CODE}")).id
    below = stored(vault.remember("Tea is at five", space=f"acme/{CODE}/team")).id
    beside = stored(vault.remember("Tea is at six", space=f"acme/{TWIN}")).id
    plan = vault.plan_erasure(text=CODE)
    assert dict(plan.counts) == {"space": 2, "put back": 2}
    certificate = vault.erase(plan)
    assert ("space", 2) in [(one.name, one.deleted) for one in certificate.stores]
    for now in again(world):
        path = now.read(above).space
        assert path.startswith(f"acme/{MARK} ") and path.count("/") == 1
        assert now.read(below).space == f"{path}/team" and now.read(beside).space == f"acme/{TWIN}"
        assert {hit.id for hit in now.recall("when is tea", k=9).hits} >= {above, below, beside}
        assert stored(now.remember(f"Tea is at {now.status().records}", space=path))
        assert now.verify().ok


def test_a_key_whose_names_say_it_opens_the_same_spaces_as_before(tmp_path: Path) -> None:
    path = tmp_path / "vault.db"
    with muniment.open(path) as vault:
        there = stored(vault.remember("Tea is at four", space=f"acme/{CODE}")).id
        below = stored(vault.remember("Tea is at five", space=f"acme/{CODE}/team")).id
        other = stored(vault.remember("Tea is at six", space="other")).id
        key, _ = vault.make_key(actor=f"bot {CODE}", space=f"acme/{CODE}", reads=[f"acme/{CODE}"])
        gone, public = vault.make_key(actor="gone", space=f"acme/{CODE}", writes=["other", CODE])
        vault.revoke_key(public)
    with muniment.open(path, key=key) as bot:
        mine = stored(bot.remember("Mine is at seven")).id
        with muniment.open(path) as vault:
            vault.erase(vault.plan_erasure(text=CODE))
            assert "HERON" not in str(vault.keys()).upper() and len(vault.keys()) == 2
    with muniment.open(path, key=key) as bot:
        assert {hit.id for hit in bot.recall("when is tea or mine", k=9).hits} == {there, below, mine}
        again = stored(bot.remember("Mine is at eight")).id
        assert bot.read(again).author == bot.read(mine).author and bot.read(mine).author.startswith(MARK)
        assert bot.read(again).space == bot.read(there).space
        with pytest.raises(MunimentError):
            bot.read(other)
    with pytest.raises(MunimentError), muniment.open(path, key=gone) as revoked:
        revoked.recall("tea")
    with muniment.open(path) as vault:
        assert vault.verify().ok


def test_who_acted_under_a_path_that_went_is_told_and_reads_nothing_of_it(vault: Vault) -> None:
    """Nobody is let into the renamed space by a name that was erased: a key of that space is."""
    agent = vault.acting_as(actor="coder", space=f"acme/{CODE}")
    stored(agent.remember("Tea is at four"))
    vault.erase(vault.plan_erasure(text=CODE))
    with pytest.raises(BadInput):
        agent.remember("Tea is at five")
    assert agent.recall("when is tea").hits == ()
    assert vault.recall("when is tea").hits


@pytest.mark.parametrize("word", ["home", "owner", "acme"])
def test_no_erasure_of_a_plain_word_keeps_the_owner_out(world: World, word: str) -> None:
    """The home of every vault and its owner are words of ours, and stay."""
    vault = world.vault
    stored(vault.remember(f"They call it {word} there"))
    stored(vault.remember("Tea is at four", space="acme/home"))
    vault.make_key(actor="coder")
    vault.erase(vault.plan_erasure(text=word))
    made = len(vault.keys())
    for now in again(world):
        assert stored(now.remember(f"Tea is at {now.status().records}"))
        assert "home" in paths(now) and len(now.keys()) == made
        assert now.make_key(actor=f"coder {now.status().records}")[0].startswith("mun_")
        made += 1
        assert now.verify().ok


def test_a_short_memory_takes_no_space_key_or_actor_of_that_name_with_it(vault: Vault) -> None:
    """Many things may be called so; by the text itself a person can mean the name."""
    id = stored(vault.remember("eng", space="acme/eng")).id
    vault.make_key(actor="eng", space="acme/eng")
    mine = stored(vault.acting_as(actor="eng").remember("Mine is at six")).id
    plan = vault.plan_erasure(id=id)
    assert {one.name.partition("/")[0] for one in plan.stays} == {"space", "credential", "actor"}
    vault.erase(plan)
    assert (
        vault.read(mine).author == "eng" and "acme/eng" in paths(vault) and vault.keys()[0].home == "acme/eng"
    )
    stored(vault.remember("Tea is at four", space="acme/eng"))
    named = vault.plan_erasure(text="eng")
    assert named.stays == () and named.counts["space"] == 1
    vault.erase(named)
    assert (
        vault.read(mine).author.startswith(MARK)
        and "acme/eng" not in paths(vault)
        and vault.keys()[0].home.startswith(f"acme/{MARK}")
    )
    assert vault.verify().ok


def test_a_persons_name_goes_from_spaces_keys_and_actors_alike(tmp_path: Path) -> None:
    """Else a key would name a space that is called otherwise."""
    path = tmp_path / "vault.db"
    with muniment.open(path) as vault:
        there = stored(vault.remember("Tea is at four", space="acme/notes of Ria Moser/team")).id
        key, _ = vault.make_key(
            actor="bot of Ria Moser", space="acme/notes of Ria Moser/team", reads=["acme"]
        )
        vault.make_key(actor="Rita Moser", space="acme/notes of Rita")
    with muniment.open(path, key=key) as bot:
        mine = stored(bot.remember("Tea is at five")).id
    with muniment.open(path) as vault:
        vault.erase(vault.plan_erasure(person="Ria Moser"))
        assert vault.keys()[1].actor == "Rita Moser" and vault.verify().ok
    with muniment.open(path, key=key) as bot:
        again = stored(bot.remember("Tea is at six")).id
        assert {hit.id for hit in bot.recall("when is tea", k=9).hits} == {there, mine, again}
        assert len({bot.read(id).space for id in (there, mine, again)}) == 1
        assert bot.read(mine).author == bot.read(again).author
    assert b"Ria Moser" not in path.read_bytes()


def test_another_process_serves_no_path_that_went(tmp_path: Path) -> None:
    path = tmp_path / "vault.db"
    with muniment.open(path) as vault, muniment.open(path) as other:
        id = stored(vault.remember(f"Tea {CODE}", space=f"acme/{CODE}")).id
        kept = stored(vault.remember("Tea is at four", space=f"acme/{CODE}")).id
        assert other.read(id).space == f"acme/{CODE}"
        vault.erase(vault.plan_erasure(text=CODE))
        assert "HERON" not in other.read(kept).space + str(paths(other))
        assert other.read(kept).space == vault.read(kept).space


def test_another_process_serves_no_name_that_went_without_a_tombstone(tmp_path: Path) -> None:
    """By a person no text is kept out, so that nothing else would tell the other process."""
    path = tmp_path / "vault.db"
    with muniment.open(path) as vault, muniment.open(path) as other:
        id = stored(vault.remember("Tea is at four", space="acme/Ria Moser")).id
        assert other.read(id).space == "acme/Ria Moser"
        plan = vault.plan_erasure(person="Ria Moser")
        assert plan.terms == () and plan.counts["space"] == 1
        vault.erase(plan)
        assert other.read(id).space == vault.read(id).space != "acme/Ria Moser"
        new = stored(other.remember("Tea is at five", space="acme/Ria Moser")).id
        assert vault.read(new).space == "acme/Ria Moser" and vault.read(id).space != "acme/Ria Moser"
        assert vault.verify().ok


def test_names_that_went_are_as_gone_in_an_export_and_in_the_vault_restored_from_it(tmp_path: Path) -> None:
    with muniment.open(tmp_path / "vault.db") as vault:
        id = stored(vault.remember("Tea is at four", space=f"acme/{CODE}")).id
        key, _ = vault.make_key(actor=f"bot {CODE}", space=f"acme/{CODE}")
        stored(vault.acting_as(actor=f"bot {CODE}").remember("Tea is at five"))
        vault.erase(vault.plan_erasure(text=CODE))
        vault.export(tmp_path / "one.jsonl")
        path = vault.read(id).space
    assert b"HERON" not in (tmp_path / "one.jsonl").read_bytes().upper()
    with muniment.open(tmp_path / "back.db") as back:
        back.restore(tmp_path / "one.jsonl")
        assert back.read(id).space == path and back.verify().ok
        back.export(tmp_path / "two.jsonl")
    with muniment.open(tmp_path / "back.db", key=key) as bot:
        assert [hit.id for hit in bot.recall("when is tea").hits if hit.id == id] == [id]
    assert (tmp_path / "one.jsonl").read_bytes() == (tmp_path / "two.jsonl").read_bytes()


def test_an_older_copy_loses_the_same_names_again(tmp_path: Path) -> None:
    path, aside = tmp_path / "vault.db", tmp_path / "aside.db"
    with muniment.open(path) as vault:
        id = stored(vault.remember("Tea is at four", space=f"acme/{CODE}/team")).id
        vault.make_key(actor=f"bot {CODE}", space=f"acme/{CODE}", reads=[CODE])
        stored(vault.acting_as(actor=f"bot {CODE}").remember("Tea is at five"))
    shutil.copy(path, aside)
    with muniment.open(path) as vault:
        vault.erase(vault.plan_erasure(text=CODE))
        kept, keys = vault.read(id).space, vault.keys()
    shutil.copy(aside, path)
    for ending in ("-wal", "-shm"):
        path.with_name(path.name + ending).unlink(missing_ok=True)
    with muniment.open(path) as vault:
        vault.checkpoint(new_epoch="older")
        assert vault.read(id).space == kept
        assert vault.keys() == keys
        assert "HERON" not in str(keys).upper() and vault.verify().ok
    assert b"HERON" not in path.read_bytes().upper()


def test_no_new_name_takes_in_what_was_erased(vault: Vault) -> None:
    """It would have to be erased again, and rights name it meanwhile."""
    stored(vault.remember(f"Tea is {CODE}"))
    there = vault.acting_as(actor=f"bot {TWIN}", space=f"acme/{TWIN}")
    stored(there.remember("Tea is at four"))
    vault.erase(vault.plan_erasure(text=CODE))
    before = vault.status().records
    for write in (
        lambda: vault.remember("Tea is at five", space=f"acme/{CODE}"),
        lambda: vault.acting_as(actor=f"bot {CODE}").remember("Tea is at five"),
        lambda: vault.acting_as(actor=f"bot {CODE.lower().replace('-', '')}").remember("Tea is at five"),
        lambda: vault.session("s", agent="coder", space=f"{CODE}/team").append("user", "Tea is at five"),
        lambda: vault.make_key(actor=CODE),
        lambda: vault.make_key(actor="bot", space=f"acme/{CODE}"),
        lambda: vault.make_key(actor="bot", reads=[f"acme/{CODE}"]),
        lambda: vault.make_key(actor="bot", writes=[f"acme/{CODE}"]),
    ):
        with pytest.raises(BadInput) as mistake:
            write()
        assert mistake.value.advice == "Take another name."
    assert vault.status().records == before
    stored(there.remember("Tea is at six"))
    assert vault.make_key(actor=f"bot {TWIN}", space=f"acme/{TWIN}")
    assert not any("HERON" in row.path.upper() for row in vault.spaces())
    assert vault.verify().ok


def test_an_import_brings_no_space_whose_path_was_erased(tmp_path: Path) -> None:
    with muniment.open(tmp_path / "other.db") as other:
        stored(other.remember("Tea is at four", space=f"acme/{CODE}"))
        stored(other.remember("Tea is at five", space=f"acme/{TWIN}"))
        other.session("s", agent="coder", space=f"acme/{CODE}").append("user", "Tea is at six")
        other.export(tmp_path / "other.jsonl")
    with muniment.open(tmp_path / "vault.db") as vault:
        stored(vault.remember(f"Tea is {CODE}"))
        vault.erase(vault.plan_erasure(text=CODE))
        report = vault.import_(tmp_path / "other.jsonl")
        assert (dict(report.refused), report.stored) == ({"no-such-space": 2}, 1)
        assert not any(CODE in row.path for row in vault.spaces())
