"""Does an erasure take all of it, only it, and leave a vault that proves itself?"""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

import muniment
from muniment.domain.certificate import Status
from muniment.domain.changes import Page
from muniment.domain.erasure import Asked, Plan
from muniment.domain.ledger import RowCode
from muniment.domain.principal import Principal
from muniment.errors import BadInput, NotFound, Refusal, StalePlan
from muniment.ports import Snapshot
from muniment.service import erase
from muniment.service.erase_plan import planned
from muniment.service.ground import Ground
from muniment.service.vault import Vault
from tests.builders import World, acts, stored, texts
from tests.erasure.planting import CODE, TWIN, planted


def everything(vault: Vault) -> str:
    """Return all that the vault says on any way of reading it."""
    every = ["believed", "candidate", "disputed", "refuted", "superseded", "retired", "rejected"]
    said = [str(row) for row in vault.memories(states=every)]
    said += [str(row) for row in vault.recalls()]
    for question in ("locker code", "spare", "handbook words", "who has it"):
        said += [hit.text for hit in vault.recall(question, k=50, include=("disputed", "retired")).hits]
    return "\n".join(said)


def test_what_is_erased_by_id_is_gone_wherever_it_stood(world: World) -> None:
    vault = world.vault
    things = planted(vault)
    assert CODE in everything(vault)
    certificate = vault.erase(vault.plan_erasure(id=things.memory))
    said = everything(vault)
    assert CODE not in said and "HERON" not in said
    assert TWIN in said
    for id in (things.memory, things.keyed, things.copy):
        with pytest.raises(NotFound):
            vault.read(id)
    assert vault.read(things.twin).text == f"The spare locker code is {TWIN}"
    assert vault.read(things.tagged).tags == ("lockers",)
    assert (
        vault.read(things.turn).text
        == f"My locker code is [erased]. The spare one is {TWIN}. Tea is at four."
    )
    assert certificate.status is Status.STORAGE_COMPLETE
    assert CODE not in certificate.note


def test_a_vault_proves_itself_after_an_erasure_and_after_a_restart(world: World) -> None:
    things = planted(world.vault)
    world.vault.erase(world.vault.plan_erasure(id=things.memory))
    report = world.vault.verify()
    assert report.findings == () and report.ok
    vault = world.restarted()
    assert vault.verify().ok
    assert vault.reindex() > 0
    assert CODE not in everything(vault)
    assert TWIN in everything(vault)
    assert vault.status().counts["job"] == 0


def test_the_log_tells_of_the_erasure_and_holds_nothing_of_it(world: World) -> None:
    things = planted(world.vault)
    certificate = world.vault.erase(world.vault.plan_erasure(id=things.memory))
    rows = world.vault.log(limit=1000)
    (row,) = [row for row in rows if row.act == "erase"]
    assert row.fields["erasure"] == certificate.id
    assert "HERON" not in "".join(str(row) for row in rows)
    assert acts(world.vault)[-3:] == ["erase", "certify", "certify"]


def test_what_was_erased_may_not_come_back_in_its_own_words(world: World) -> None:
    vault = world.vault
    id = stored(vault.remember(f"The locker code is {CODE}")).id
    vault.erase(vault.plan_erasure(id=id))
    assert vault.remember(f"the  locker code IS {CODE.lower()}").refused
    assert vault.remember(f"The locker code is {CODE}", space="acme").refused
    assert not vault.remember("The locker is green").refused


def test_the_same_source_again_brings_nothing_back(world: World) -> None:
    vault = world.vault
    text = f"I live in Graz. My code is {CODE}."
    first = vault.ingest(text, source="card")
    vault.erase(vault.plan_erasure(id=first.evidence[0]))
    again = vault.ingest(text, source="card")
    assert (again.added, again.skipped) == (0, 1)
    assert vault.recall("code Graz").hits == ()
    other = vault.ingest("I live in Linz.", source="card")
    assert other.added == 1


def test_a_derived_memory_goes_with_its_only_source_and_stays_with_another(world: World) -> None:
    vault = world.vault
    one, two = (vault.ingest(f"Page {n} tells of otters and herons.", source=f"page-{n}") for n in (1, 2))
    (a,), (b,) = one.evidence, two.evidence
    alone = stored(vault.remember("Otters swim", evidence=[a])).id
    both = stored(vault.remember("Otters eat fish", evidence=[a, b])).id
    summary = stored(vault.remember("Otters swim and eat", kind="summary", evidence=[alone, b])).id
    further = stored(vault.remember("A chain from the first", evidence=[alone])).id
    other = stored(vault.remember("Herons wade", evidence=[b])).id
    plan = vault.plan_erasure(source="page-1")
    assert plan.disputes == (summary,)
    vault.erase(plan)
    for id in (alone, further):
        with pytest.raises(NotFound):
            vault.read(id)
    assert vault.read(both).state == "current"
    assert [step.id for step in vault.why(both)] == [both, b]
    assert vault.read(summary).state == "disputed"
    assert vault.read(other).state == "current"
    assert vault.verify().ok
    assert [hit.text for hit in vault.recall("page tells of otters").hits][-1:] != []


def test_an_older_state_goes_alone_when_the_newest_says_something_else(world: World) -> None:
    vault = world.vault
    id = stored(vault.remember(f"The door opens with {CODE}")).id
    stored(vault.revise(id, "The door opens with a key"))
    vault.erase(vault.plan_erasure(text=CODE))
    assert [one.text for one in vault.history(id)] == ["The door opens with a key"]
    stored(vault.revise(id, "The door opens with two keys"))
    assert [one.version for one in vault.history(id)] == [2, 3]
    assert vault.verify().ok


def test_a_reason_is_cleared_and_its_state_stays(world: World) -> None:
    vault = world.vault
    id = stored(vault.remember("The door is blue")).id
    stored(vault.revise(id, "The door is red", reason=f"the porter with {CODE} said so"))
    stored(vault.revise(id, "The door is green"))
    vault.erase(vault.plan_erasure(text=CODE))
    assert [(one.text, one.reason) for one in vault.history(id)] == [
        ("The door is blue", ""),
        ("The door is red", "[erased]"),
        ("The door is green", ""),
    ]
    assert vault.verify().ok
    assert world.restarted().read(id).text == "The door is green"


def test_a_plan_that_no_longer_says_what_would_go_is_refused(world: World) -> None:
    vault = world.vault
    stored(vault.remember(f"The code is {CODE}"))
    plan = vault.plan_erasure(text=CODE)
    stored(vault.remember("Something else came"))
    late = stored(vault.remember(f"Once more, the code: {CODE}")).id
    with pytest.raises(StalePlan):
        vault.erase(plan)
    assert vault.read(late).text
    assert vault.erase(vault.plan_erasure(text=CODE)).stores[0].deleted == 2


CHANGED: dict[str, Callable[[Plan, Plan], Plan]] = {
    "keeps nothing out": lambda plan, other: replace(plan, terms=()),
    "keeps more out": lambda plan, other: replace(plan, terms=(*plan.terms, *other.terms)),
    "takes more": lambda plan, other: replace(plan, going=(*plan.going, *other.going)),
    "takes less": lambda plan, other: replace(plan, going=plan.going[:1]),
    "takes something else": lambda plan, other: replace(plan, going=other.going),
    "disputes more": lambda plan, other: replace(plan, disputes=other.memories),
    "was asked for otherwise": lambda plan, other: replace(plan, asked=other.asked),
    "is called otherwise": lambda plan, other: replace(plan, digest=other.digest),
}


@pytest.mark.parametrize("changed", CHANGED.values(), ids=CHANGED)
def test_fault_a_plan_that_was_changed_after_it_was_made_is_carried_out(
    world: World, changed: Callable[[Plan, Plan], Plan]
) -> None:
    """Its digest was only looked at where others had written since."""
    vault = world.vault
    kept = [
        stored(vault.remember(text)).id
        for text in (f"The code is {CODE}", f"Use {CODE}", "The door is green")
    ]
    plan, other = vault.plan_erasure(text=CODE), vault.plan_erasure(id=kept[-1])
    with pytest.raises(StalePlan, match="changed"):
        vault.erase(changed(plan, other))
    assert [vault.read(id).trust for id in kept] == ["believed"] * 3
    assert vault.erase(plan).stores[0].deleted == 2 and vault.verify().ok


def test_fault_the_plan_of_another_vault_is_carried_out(tmp_path: Path) -> None:
    """Where both logs had the same length, rows of the same numbers went, and `verify` failed."""
    with muniment.open(tmp_path / "one.db") as one, muniment.open(tmp_path / "two.db") as two:
        for vault in (one, two):
            stored(vault.remember(f"The code is {CODE}"))
        with pytest.raises(StalePlan, match="another vault"):
            two.erase(one.plan_erasure(text=CODE))
        assert two.verify().ok and texts(two, "code") == [f"The code is {CODE}"]


@pytest.mark.parametrize("given", ["m_" + "0" * 26, None, {"id": "x"}, ()])
def test_an_erasure_of_anything_but_a_plan_is_the_callers_mistake(world: World, given: object) -> None:
    with pytest.raises(BadInput, match="takes a plan"):
        world.vault.erase(given)


def test_what_came_between_and_is_not_touched_makes_no_plan_stale(world: World) -> None:
    vault = world.vault
    stored(vault.remember(f"The code is {CODE}"))
    plan = vault.plan_erasure(text=CODE)
    stored(vault.remember("Something else came"))
    vault.recall("something")
    assert vault.erase(plan).stores[0].deleted == 1


@pytest.mark.parametrize("came", ["nothing", "before", "before and between"])
def test_fault_every_row_is_read_under_the_lock_where_others_wrote_since_the_plan(
    world: World, monkeypatch: pytest.MonkeyPatch, came: str
) -> None:
    """In a large vault nobody could write for seconds: now only what comes while it is read costs that."""
    vault = world.vault
    stored(vault.remember(f"The code is {CODE}"))
    plan, places = vault.plan_erasure(text=CODE), list[str]()

    def noted(ground: Ground, snapshot: Snapshot, principal: Principal, *, asked: Asked) -> Plan:
        is_under = hasattr(snapshot, "apply")
        places.append("under" if is_under else "before")
        found = planned(ground, snapshot, principal, asked=asked)
        if came == "before and between" and not is_under:
            stored(vault.remember("Something else came between"))
        return found

    monkeypatch.setattr(erase, "planned", noted)
    if came != "nothing":
        stored(vault.remember("Something else came before"))
    assert vault.erase(plan).stores[0].deleted == 1
    assert places == {"nothing": [], "before": ["before"], "before and between": ["before", "under"]}[came]
    assert vault.verify().ok


def test_what_comes_while_a_plan_is_made_sure_of_is_not_overlooked(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    vault = world.vault
    stored(vault.remember(f"The code is {CODE}"))
    plan, late = vault.plan_erasure(text=CODE), list[str]()

    def noted(ground: Ground, snapshot: Snapshot, principal: Principal, *, asked: Asked) -> Plan:
        found = planned(ground, snapshot, principal, asked=asked)
        if not late:
            late.append(stored(vault.remember(f"Once more, the code: {CODE}")).id)
        return found

    monkeypatch.setattr(erase, "planned", noted)
    stored(vault.remember("Something else came before"))
    with pytest.raises(StalePlan):
        vault.erase(plan)
    assert vault.read(late[0]).text


def test_a_kind_of_row_is_walked_once_for_the_certificate_whatever_goes_of_it(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of each link that went the whole table was looked through, under the lock."""
    vault = world.vault
    source = stored(vault.remember(f"The code is {CODE}")).id
    for n in range(4):
        stored(vault.link(stored(vault.remember(f"Note {n} is here")).id, source, type="refers_to"))
    plan, walks = vault.plan_erasure(id=source), list[RowCode]()
    with vault._ground.store.snapshot() as snapshot:
        kind = next(one for one in type(snapshot).__mro__ if "sealed_rows" in vars(one))
    whole = kind.sealed_rows

    def counted(self: Snapshot, code: RowCode, page: Page) -> object:
        walks.append(code)
        return whole(self, code, page)

    monkeypatch.setattr(kind, "sealed_rows", counted)
    stores = {store.name: store for store in vault.erase(plan).stores}
    assert (stores["link"].deleted, stores["link"].absent) == (4, 4)
    assert walks.count(RowCode.LINK) == 1


def test_an_empty_plan_is_refused(world: World) -> None:
    plan = world.vault.plan_erasure(text="never said by anyone")
    assert plan.empty
    with pytest.raises(BadInput):
        world.vault.erase(plan)


def test_an_agent_plans_within_its_scope_and_never_erases(world: World) -> None:
    vault = world.vault
    stored(vault.remember(f"Mine: {CODE}", space="acme"))
    stored(vault.remember(f"Yours: {CODE}", space="other"))
    agent = vault.acting_as(actor="coder", space="acme")
    plan = agent.plan_erasure(text=CODE)
    assert plan.counts["version"] == 1
    with pytest.raises(Refusal):
        agent.erase(plan)
    assert {hit.text for hit in vault.recall(f"where is {CODE}").hits} == {f"Mine: {CODE}", f"Yours: {CODE}"}
    refused = [row for row in vault.log() if row.act == "erase"]
    assert [row.fields["outcome"] for row in refused] == ["refused"]


def test_a_case_about_what_goes_goes_with_it_and_another_stays(world: World) -> None:
    vault = world.vault
    one = stored(vault.remember(f"The code is {CODE}")).id
    two = stored(vault.remember(f"The spare is {TWIN}")).id
    for id in (one, two):
        stored(vault.judge(id, "dispute", reason=f"somebody doubts {id}"))
    assert len(vault.cases()) == 2
    vault.erase(vault.plan_erasure(id=one))
    (left,) = vault.cases()
    assert two in str(left) and one not in str(left)
    assert vault.verify().ok
    assert world.restarted().verify().ok


def test_a_reason_of_a_case_is_cleared(world: World) -> None:
    vault = world.vault
    id = stored(vault.remember("The door is red")).id
    stored(vault.judge(id, "dispute", reason=f"the porter with {CODE} doubts it"))
    vault.erase(vault.plan_erasure(text=CODE))
    assert len(vault.cases()) == 1
    assert "HERON" not in str(vault.cases())
    assert vault.verify().ok
