"""Does `awake` show what is recent, open and owed, within the caller's scope and its bounds?"""

from datetime import timedelta
from pathlib import Path

import pytest

from muniment import limits
from muniment.domain.trust import Trust
from muniment.errors import BadInput
from muniment.service.awake import SECTIONS, Awake, Section, awake
from muniment.service.vault import Vault
from tests.builders import VAULTS, CountingIds, FakeClock, FlakyEmbedder


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture(params=list(VAULTS))
def vault(request: pytest.FixtureRequest, tmp_path: Path, clock: FakeClock) -> Vault:
    return VAULTS[request.param](tmp_path, clock=clock)


def woken(vault: Vault, **fields: int) -> Awake:
    return awake(vault.ground, vault.principal, **fields)


def texts(found: Awake, name: str) -> list[str]:
    return [hit.text for hit in section(found, name).hits]


def section(found: Awake, name: str) -> Section:
    return next(one for one in found.sections if one.name == name)


def test_an_empty_vault_has_nothing_recent_open_or_owed(vault: Vault) -> None:
    found = woken(vault)
    assert [one.name for one in found.sections] == [wanted.name for wanted in SECTIONS]
    assert (found.hits, found.owed, found.notes) == ((), (), ())
    assert (found.as_answer().outcome.value, found.as_answer().reason) == ("nothing", "Nothing is there yet.")


def test_each_section_shows_what_it_is_named_after_the_newest_first(vault: Vault) -> None:
    vault.session("s").append("user", "Hello there")
    vault.session("s").append("tool_result", "output that nobody said")
    vault.remember("The sky is blue")
    vault.remember("Buy milk", kind="task")
    vault.remember("Maybe it rains", kind="hypothesis")
    found = woken(vault)
    assert texts(found, "recent memories") == ["Buy milk", "The sky is blue"]
    assert texts(found, "recent turns") == ["Hello there"]
    assert texts(found, "candidates awaiting a verdict") == ["Maybe it rains"]
    assert texts(found, "disputed") == []
    assert texts(found, "tasks not ended") == ["Buy milk"]
    assert len(found.hits) == 4, "each thing once"


def test_a_dispute_is_open_until_a_person_settles_it(vault: Vault) -> None:
    vault.remember("Ada lives in Graz", about="Ada", attribute="city", value="Graz")
    agent = vault.acting_as(actor="coder")
    doubted = agent.remember("Ada lives in Linz", about="Ada", attribute="city", value="Linz")
    assert texts(woken(agent), "disputed") == ["Ada lives in Linz"]
    assert ("withheld: disputed", 1) in woken(agent).owed
    vault.judge(doubted.id, "overrule")
    assert texts(woken(agent), "disputed") == []
    assert ("withheld: retired", 1) in woken(agent).owed


def test_a_task_that_ended_is_not_open(vault: Vault, clock: FakeClock) -> None:
    task = vault.remember("Buy milk", kind="task")
    assert texts(woken(vault), "tasks not ended") == ["Buy milk"]
    clock.advance(days=1)
    vault.revise(task.id, valid_until=clock.now())
    clock.advance(hours=1)
    assert texts(woken(vault), "tasks not ended") == []


def test_what_expires_is_owed_and_what_expired_is_withheld(vault: Vault, clock: FakeClock) -> None:
    vault.remember("The offer stands", expires_at=clock.now() + timedelta(days=3))
    vault.remember("The licence holds", expires_at=clock.now() + timedelta(days=30))
    assert dict(woken(vault).owed) == {"expire within 7 days": 1}
    clock.advance(days=4)
    found = woken(vault)
    assert dict(found.owed) == {"withheld: expired": 1}
    assert texts(found, "recent memories") == ["The licence holds"]


def test_a_rejected_memory_is_neither_shown_nor_counted(vault: Vault) -> None:
    rejected = vault.remember("The door code is 4711")
    assert texts(woken(vault), "recent memories") == ["The door code is 4711"]
    vault.reject(rejected.id)
    found = woken(vault)
    assert (found.hits, found.owed) == ((), ())


def test_a_section_is_capped_and_says_how_many_more(vault: Vault) -> None:
    for number in range(12):
        vault.remember(f"Statement {number}")
    whole = section(woken(vault), "recent memories")
    assert (len(whole.hits), whole.more, whole.counted) == (limits.awake_items_max, 4, True)
    two = section(woken(vault, limit=2), "recent memories")
    assert ([hit.text for hit in two.hits], two.more) == (["Statement 11", "Statement 10"], 10)


def test_a_count_beyond_the_bound_is_a_least_number(vault: Vault) -> None:
    for number in range(limits.candidates_per_lane_max):
        vault.remember(f"Statement {number}")
    many = section(woken(vault), "recent memories")
    assert (many.total, many.counted) == (limits.candidates_per_lane_max, False)


@pytest.mark.parametrize("limit", [0, -1, limits.awake_items_max + 1, True, "3", 2.0])
def test_a_limit_outside_its_bounds_is_refused(vault: Vault, limit: int) -> None:
    with pytest.raises(BadInput, match="`limit` lies in 1"):
        woken(vault, limit=limit)
    assert woken(vault, limit=1)
    assert woken(vault, limit=limits.awake_items_max)


def test_untrusted_things_come_last_and_take_at_most_two_in_five(vault: Vault) -> None:
    session = vault.session("s")
    for number in range(8):
        session.append("user", f"Clean {number}")
    other = vault.session("t")
    for number in range(8):
        other.append("user", f"Outside {number}", untrusted=True)
    found = woken(vault, limit=5)
    shown = texts(found, "recent turns")
    assert sum(text.startswith("Outside") for text in shown) == 2
    assert [hit.label.untrusted for hit in found.hits] == [False] * 3 + [True] * 2
    assert found.label.untrusted
    assert found.as_answer().label.untrusted


def test_nothing_of_a_space_that_the_caller_may_not_read_is_shown_or_counted(vault: Vault) -> None:
    vault.remember("The merger closes in May", space="acme")
    secret = vault.remember("The merger is off", space="acme")
    vault.retire(secret.id)
    vault.session("s", space="acme").append("user", "The merger is a secret")
    agent = vault.acting_as(actor="coder", space="home")
    agent.remember("Mine")
    found = woken(agent)
    assert [hit.text for hit in found.hits] == ["Mine"]
    assert found.owed == ()
    inside = woken(vault.acting_as(actor="coder", space="acme"))
    assert len(inside.hits) == 2
    assert dict(inside.owed) == {"withheld: retired": 1}


@pytest.mark.parametrize("name", list(VAULTS))
def test_waiting_jobs_are_counted_for_whoever_may_read_their_rows(
    name: str, tmp_path: Path, clock: FakeClock
) -> None:
    embedder = FlakyEmbedder()
    vault = VAULTS[name](tmp_path, clock=clock, ids=CountingIds(), embedder=embedder)
    embedder.mode = "raises"
    vault.remember("Without a vector yet")
    vault.remember("Elsewhere without a vector", space="acme")
    embedder.mode = "well"
    assert dict(woken(vault).owed) == {"jobs waiting": 2}
    assert dict(woken(vault.acting_as(actor="coder")).owed) == {"jobs waiting": 1}
    clock.advance(minutes=1)
    vault.settle()
    assert woken(vault).owed == ()


def test_waking_changes_nothing(vault: Vault) -> None:
    kept = vault.remember("The sky is blue")
    before = vault.status()
    woken(vault)
    assert vault.status() == before
    assert vault.read(kept.id).trust is Trust.BELIEVED
