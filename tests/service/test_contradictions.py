"""What becomes of free statements that contradict each other, once the job has looked?"""

import pytest

from muniment import limits
from muniment.errors import ModelAway
from muniment.gate.contradiction import Contradiction, Kind
from muniment.service.asking_jobs import KIND
from muniment.service.contradictions import neighbours
from muniment.service.vault import Vault
from tests.builders import FakeClock, World, stored, texts

WAITING = "pending"


def said(vault: Vault, text: str, **fields: object) -> str:
    return stored(vault.remember(text, **fields)).id


def trust(vault: Vault, id: str) -> str:
    return vault.read(id).trust.value


@pytest.fixture
def held(vault: Vault) -> Vault:
    """Return a vault whose space holds a free statement already."""
    said(vault, "The heron nests by the weir")
    return vault


def test_a_free_statement_waits_for_a_look_and_settle_takes_it(held: Vault, clock: FakeClock) -> None:
    old = said(held, "I live in Berlin")
    clock.advance(minutes=5)
    receipt = stored(held.remember("I moved to Lisbon"))
    assert receipt.conflict == WAITING
    assert sorted(texts(held, "I live in Berlin or moved to Lisbon")) == [
        "I live in Berlin",
        "I moved to Lisbon",
    ]
    report = held.settle()
    assert (report.done, report.left) == (1, 0)
    assert texts(held, "I live in Berlin or moved to Lisbon") == ["I moved to Lisbon"]
    reading = held.read(old)
    assert (reading.trust.value, reading.valid.end) == ("superseded", held.read(receipt.id).valid.start)
    assert {one.id for one in held.history(receipt.id)} == {old, receipt.id}
    assert held.cases() == () and held.verify().ok


def test_the_first_statement_of_a_space_waits_for_nothing_and_a_keyed_one_is_compared_too(
    vault: Vault,
) -> None:
    assert stored(vault.remember("I live in Berlin")).conflict == "none"
    keyed = vault.remember("She lives in Rome", about="she", attribute="city", value="Rome")
    assert keyed.conflict == WAITING
    first = vault.remember("He lives in Rome", about="he", attribute="city", value="Rome", space="beside")
    assert first.conflict == "none"
    assert stored(vault.remember("I like tea")).conflict == WAITING
    assert stored(vault.remember("Alone", space="acme")).conflict == "none"


def test_all_that_wait_in_a_space_share_one_job(held: Vault) -> None:
    for number in range(5):
        assert stored(held.remember(f"Fact {number} is about otters")).conflict == WAITING
    with held.ground.store.snapshot() as snapshot:
        assert [job.kind for job in snapshot.jobs()] == [KIND]
    assert held.settle().done == 1
    assert stored(held.remember("Another fact about otters")).conflict == WAITING


def test_what_agrees_stays(held: Vault) -> None:
    for text in (
        "I live in Berlin",
        "I love Berlin",
        "Ann lives in Lisbon",
        "Do not forget to size the pool",
    ):
        said(held, text)
    held.settle()
    assert len(held.memories()) == 5 and held.cases(state="all") == ()


def test_a_lower_ranked_contradiction_is_disputed_with_a_case(held: Vault, clock: FakeClock) -> None:
    old = said(held, "The port is 8080")
    clock.advance(days=1)
    new = said(held.acting_as(actor="coder"), "The port is 9000")
    held.settle()
    assert (trust(held, old), trust(held, new)) == ("believed", "disputed")
    (case,) = held.cases()
    assert (case.kind, case.why) == ("dispute", "free-text")
    assert case.new is not None and case.old is not None and (case.new.id, case.old.id) == (new, old)
    assert texts(held, "port") == ["The port is 8080"]
    stored(held.decide(case.id, "uphold-new", reason="it was changed"))
    assert texts(held, "port") == ["The port is 9000"]


def test_a_higher_rank_of_another_disputes_the_older(held: Vault, clock: FakeClock) -> None:
    old = said(held.acting_as(actor="coder"), "The port is 8080")
    clock.advance(days=1)
    new = said(held, "The port is 9000")
    held.settle()
    assert (trust(held, old), trust(held, new)) == ("disputed", "believed")
    assert [case.kind for case in held.cases()] == ["dispute"]


def test_of_equal_rank_neither_can_say_and_a_person_decides(held: Vault) -> None:
    old = said(held.acting_as(actor="ann"), "The port is 8080")
    new = said(held.acting_as(actor="ben"), "The port is 9000")
    held.settle()
    assert (trust(held, old), trust(held, new)) == ("believed", "believed")
    (case,) = held.cases()
    assert (case.kind, case.why) == ("finding", "free-text")
    stored(held.decide(case.id, "keep-old"))
    assert texts(held, "port") == ["The port is 8080"]


@pytest.mark.parametrize("dial", ["lower-trust", "all"])
def test_the_dial_of_the_space_leaves_it_to_a_person(held: Vault, dial: str) -> None:
    held.set_dial("conflict", dial)
    old, new = said(held, "I live in Berlin"), said(held, "I moved to Lisbon")
    held.settle()
    assert (trust(held, old), trust(held, new)) == ("believed", "disputed")
    assert len(held.cases()) == 1


def test_the_other_clauses_of_a_compound_go_on_word_for_word(held: Vault, clock: FakeClock) -> None:
    page = held.ingest("A letter about work.", source="letter").evidence[0]
    said(held, "I am an engineer at Acme and I play the cello", evidence=[page])
    clock.advance(days=30)
    said(held, "I was promoted to manager")
    held.settle()
    found = texts(held, "engineer manager Acme cello")
    assert "I am manager at Acme and I play the cello" in found
    assert not any("engineer" in text for text in found)
    rest = next(row for row in held.memories() if "cello" in row.text)
    assert page in {step.id for step in held.why(rest.memory)}
    assert held.verify().ok


def test_a_retraction_leaves_nothing_of_it_and_the_rest_stays(held: Vault) -> None:
    said(held, "I have a sister")
    said(held, "I have a brother")
    said(held, "I misspoke, I do not have a sister")
    held.settle()
    found = texts(held, "sister brother")
    assert "I have a sister" not in found and "I have a brother" in found


def test_looking_twice_changes_nothing_more(held: Vault) -> None:
    said(held, "I live in Berlin")
    said(held.acting_as(actor="coder"), "I live in Lisbon")
    held.settle()
    records = held.status().records
    said(held, "The lamp is on the shelf")
    held.settle()
    assert held.status().records == records + 1
    assert len(held.cases(state="all")) == 1


def test_spaces_are_not_compared_with_each_other(held: Vault) -> None:
    said(held, "I live in Berlin")
    said(held, "Something else", space="acme")
    said(held, "I moved to Lisbon", space="acme")
    held.settle()
    assert len(held.memories()) == 4 and held.cases() == ()


def test_an_untrusted_statement_never_takes_the_place_of_a_belief(held: Vault) -> None:
    old = said(held, "The port is 8080")
    session = held.session("s-1", agent="coder")
    session.append(role="tool_result", text="The port is 6666")
    new = stored(session.remember("The port is 6666")).id
    held.settle()
    assert trust(held, old) == "believed"
    assert trust(held, new) == "disputed"


def test_a_dry_run_says_what_would_follow_and_stores_nothing(held: Vault) -> None:
    old = said(held, "I live in Berlin")
    held.settle()
    records = held.status().records
    (found,) = held.contradictions("I moved to Lisbon")
    assert (found.id, found.text, found.kind, found.becomes) == (
        old,
        "I live in Berlin",
        "replacement",
        "superseded",
    )
    (other,) = held.acting_as(actor="coder").contradictions("I moved to Lisbon")
    assert other.becomes == "disputed"
    assert held.contradictions("I love Berlin") == ()
    assert held.contradictions("I moved to Lisbon", space="acme") == ()
    assert held.status().records == records


def test_a_model_is_asked_where_the_rules_say_nothing(held: Vault) -> None:
    asked = []

    def judge(new: str, old: str) -> Contradiction | None:
        asked.append((new, old))
        if "keen" in new and "indifferent" in old:
            return Contradiction(Kind.POLARITY, 0, len(old), 0, len(old))
        return None

    assert held.status().judge == "rules"
    held.ground.judge = judge
    assert held.status().judge == "rules and a model"
    old = said(held, "Ann is indifferent about chess")
    new = said(held, "Ann is keen about chess")
    held.settle()
    assert (trust(held, old), trust(held, new)) == ("superseded", "believed")
    assert ("Ann is keen about chess", "Ann is indifferent about chess") in asked


def test_what_nobody_can_tell_is_a_finding_and_moves_nothing(held: Vault) -> None:
    held.ground.judge = lambda new, old: Contradiction(Kind.UNSURE, 0, len(old), 0, len(old))
    old = said(held, "Ann is indifferent about chess")
    new = said(held, "Ann is keen about chess")
    assert {one.becomes for one in held.contradictions("Ann is mad about chess")} == {"finding"}
    held.settle()
    both = [one for one in held.cases() if {one.new and one.new.id, one.old and one.old.id} == {new, old}]
    (case,) = both
    assert (case.kind, case.why) == ("finding", "free-text")
    assert (trust(held, old), trust(held, new)) == ("believed", "believed")
    stored(held.decide(case.id, "keep-old", reason="she said so"))
    assert (trust(held, old), trust(held, new)) == ("believed", "retired")


def test_a_model_that_is_away_permits_nothing_and_holds_up_nothing(held: Vault, clock: FakeClock) -> None:
    asked = []

    def away(new: str, old: str) -> Contradiction | None:
        asked.append(new)
        raise ModelAway("It does not answer.")

    held.ground.judge = away
    berlin = said(held, "I live in Berlin")
    said(held, "The heron nests by the weir")
    said(held, "I moved to Lisbon")
    assert held.settle().left == 1
    assert trust(held, berlin) == "superseded" and len(asked) == 1
    judge = next(check for check in held.doctor() if check.name == "judge")
    assert not judge.well and "rules alone" in judge.sentence
    held.ground.judge = lambda new, old: None
    clock.advance(minutes=5)
    assert held.settle().left == 0
    assert next(check for check in held.doctor() if check.name == "judge").well


def test_a_model_is_asked_about_few_neighbours_and_never_about_a_secret(held: Vault) -> None:
    asked: list[tuple[str, str]] = []
    held.ground.judge = lambda new, old: asked.append((new, old))
    trusted = held.acting_as(actor="keeper", secrets=True)
    hidden = "The otter key is AKIAIOSFODNN7EXAMPLE"
    assert trusted.remember(hidden).landed
    for number in range(limits.model_neighbours_max + 4):
        said(held, f"The otter number {number} sleeps in the reeds")
    held.settle()
    # The first of them has no other neighbour.
    assert asked and all(hidden not in pair for pair in asked)
    asked.clear()
    said(held, "The otter sleeps in the reeds by night")
    held.settle()
    assert 0 < len(asked) <= limits.model_neighbours_max
    assert all("otter" in old for _, old in asked)
    assert all(hidden not in pair for pair in asked)


def test_a_job_that_is_cut_short_goes_on(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    vault = world.vault
    monkeypatch.setattr("muniment.limits.contradiction_batch_max", 2)
    said(vault, "The heron nests by the weir")
    old = said(vault, "I live in Berlin")
    for number in range(4):
        said(vault, f"Fact {number} is about otters")
    said(vault, "I moved to Lisbon")
    assert vault.settle().left == 0
    assert trust(vault, old) == "superseded"
    assert vault.verify().ok


def test_a_statement_is_compared_with_a_bounded_number_of_neighbours(
    held: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    for kind in ("shy", "bold", "calm", "keen", "wild", "tame"):
        said(held, f"The {kind} otter sleeps in the reeds")
    held.settle()
    space = held.memories()[0].space
    monkeypatch.setattr(limits, "contradiction_candidates_max", 2)
    with held.ground.store.snapshot() as snapshot:
        found = neighbours(held.ground, snapshot, "The otter sleeps in the reeds", space=space)
    assert 2 <= len(found) <= 6, "two by words, two by meaning and the two newest"
    monkeypatch.setattr(limits, "contradiction_candidates_max", 16)
    with held.ground.store.snapshot() as snapshot:
        assert len(neighbours(held.ground, snapshot, "The otter sleeps in the reeds", space=space)) == 7


def port(value: str, *, keyed: bool) -> dict[str, str]:
    return {"about": "relay", "attribute": "port", "value": value} if keyed else {}


@pytest.mark.parametrize("keyed_first", [True, False], ids=["the older", "the newer"])
@pytest.mark.parametrize(
    ("authors", "states"),
    [
        ("one agent", ("superseded", "believed")),
        ("owner, then agent", ("believed", "disputed")),
        ("agent, then owner", ("disputed", "believed")),
    ],
)
def test_fault_a_free_statement_and_a_value_of_a_slot_stand_beside_each_other(
    held: Vault, clock: FakeClock, keyed_first: bool, authors: str, states: tuple[str, str]
) -> None:
    """A slot was settled by itself and free statements by themselves, so both values were believed."""
    agent = held.acting_as(actor="coder", role="agent")
    hands = {"one agent": (agent, agent), "owner, then agent": (held, agent)}.get(authors, (agent, held))
    old = said(hands[0], "The relay's port is 7001", **port("7001", keyed=keyed_first))
    beside = said(held, "The relay's maker is Ohm", about="relay", attribute="maker", value="Ohm")
    held.settle()
    clock.advance(days=1)
    new = said(hands[1], "The relay's port is 7002", **port("7002", keyed=not keyed_first))
    held.settle()
    assert (trust(held, old), trust(held, new)) == states
    right = "The relay's port is 700" + ("2" if states[1] == "believed" else "1")
    assert [text for text in texts(held, "relay port") if "port" in text] == [right]
    assert trust(held, beside) == "believed"
    assert len(held.cases()) == (0 if authors == "one agent" else 1)


def test_a_slot_of_several_values_contradicts_no_free_statement(held: Vault) -> None:
    many = said(held, "The relay's port is 7001", **port("7001", keyed=True), many=True)
    free = said(held, "The relay's port is 7002")
    held.settle()
    assert (trust(held, many), trust(held, free)) == ("believed", "believed")


@pytest.mark.parametrize("keyed", [True, False])
def test_fault_what_was_so_for_a_while_takes_the_place_of_what_is_so_now(held: Vault, keyed: bool) -> None:
    """The interval of a free statement did not count: the value of today ended with nothing after it."""
    now = said(held, "The relay's port is 7001", valid_from="2024-01-01")
    then = said(
        held,
        "The relay's port is 7002",
        **port("7002", keyed=keyed),
        valid_from="2020-01-01",
        valid_until="2022-01-01",
    )
    held.settle()
    assert (trust(held, now), trust(held, then)) == ("believed", "believed")
    assert texts(held, "relay port") == ["The relay's port is 7001"]
    assert texts(held, "relay port", as_of="2021-06-01") == ["The relay's port is 7002"]


def test_a_free_statement_about_a_stretch_within_anothers_time_lands_as_disputed(held: Vault) -> None:
    whole = said(held, "The relay's port is 7001", valid_from="2020-01-01")
    within = held.remember(
        "The relay's port is 7002", valid_from="2021-01-01", valid_until="2022-01-01", wait=True
    )
    assert (within.verdict, within.reason) == ("disputed", "conflict-inside")
    assert trust(held, whole) == "believed"
    assert texts(held, "relay port") == ["The relay's port is 7001"]
    assert [case.why for case in held.cases()] == ["conflict-inside"]


@pytest.mark.parametrize("first", ["the candidate", "the belief"])
def test_fault_what_is_read_out_of_a_turn_stands_beside_a_belief_that_says_otherwise(
    held: Vault, clock: FakeClock, first: str
) -> None:
    """A candidate with a slot was never compared, so an old turn that came again spoke against the belief."""
    agent = held.acting_as(actor="coder", role="agent")

    def turn() -> None:
        held.session("day one", agent="coder").append("user", "I live in Berlin.")
        held.settle()

    if first == "the candidate":
        turn()
    clock.advance(days=1)
    belief = said(agent, "I moved to Lisbon")
    held.settle()
    if first == "the belief":
        turn()
    assert trust(held, belief) == "believed"
    (claim,) = held.memories(states=["candidate", "disputed", "superseded"])
    state = "superseded" if first == "the candidate" else "disputed"
    assert (claim.text, claim.trust.value) == ("user lives in Berlin", state)
