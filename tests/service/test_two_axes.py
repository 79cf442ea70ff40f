"""Does each act leave the past as it was, and the present as it should be, on every store?"""

from datetime import timedelta

import pytest

from muniment.errors import BadInput, BadTime, NotFound, Refusal
from muniment.service.vault import Vault
from tests.builders import START, FakeClock, acts, stored, texts

ASK = "where does she live"
HOUR = timedelta(hours=1)


def _lives(vault: Vault, city: str, **fields: object) -> str:
    receipt = vault.remember(f"She lives in {city}", about="she", attribute="city", value=city, **fields)
    return stored(receipt).id


def test_a_revision_is_a_new_version_with_the_same_interval(vault: Vault, clock: FakeClock) -> None:
    id = _lives(vault, "Berlin")
    before = clock.now()
    clock.advance(days=3)
    receipt = vault.revise(id, "She lives in Bern", value="Bern", reason="misheard")
    assert (receipt.verdict, receipt.id, receipt.version) == ("stored", id, 2)
    first, second = vault.history(id)
    assert first.valid == second.valid
    assert second.reason == "misheard"
    assert texts(vault, ASK) == ["She lives in Bern"]
    assert texts(vault, ASK, known_at=before) == ["She lives in Berlin"]
    # As of then, but known now: we were wrong then too.
    assert texts(vault, ASK, as_of=before) == ["She lives in Bern"]


def test_a_successor_closes_the_old_value_where_it_begins(vault: Vault, clock: FakeClock) -> None:
    old = _lives(vault, "Berlin")
    clock.advance(days=10)
    moved = clock.now() - timedelta(days=2)
    receipt = vault.succeed(old, "She lives in Lisbon", value="Lisbon", valid_from=moved)
    assert (receipt.reason, receipt.conflict, receipt.also) == ("superseded-older", "superseded", (old,))
    assert texts(vault, ASK) == ["She lives in Lisbon"]
    assert texts(vault, ASK, as_of=moved - HOUR) == ["She lives in Berlin"]
    assert texts(vault, ASK, as_of=moved) == ["She lives in Lisbon"]
    assert texts(vault, ASK, as_of=START, known_at=START) == ["She lives in Berlin"]
    was = vault.read(old)
    assert (was.state, was.text, was.successor) == ("superseded", "She lives in Berlin", receipt.id)


def test_the_old_text_stays_word_for_word(vault: Vault, clock: FakeClock) -> None:
    old = _lives(vault, "Berlin")
    clock.advance(days=1)
    new = vault.succeed(old, "She lives in Lisbon", value="Lisbon").id
    lineage = [(one.id, one.version, one.text, one.act) for one in vault.history(new)]
    assert lineage[0] == (old, 1, "She lives in Berlin", "remember")
    assert (old, 2, "She lives in Berlin", "supersede") in lineage
    assert (new, 1, "She lives in Lisbon", "succeed") in lineage
    assert len(lineage) == 3


def test_a_future_successor_leaves_the_old_value_true_until_then(vault: Vault, clock: FakeClock) -> None:
    old = _lives(vault, "Berlin")
    clock.advance(days=1)
    move = clock.now() + timedelta(days=30)
    stored(vault.succeed(old, "She lives in Lisbon", value="Lisbon", valid_from=move))
    assert texts(vault, ASK) == ["She lives in Berlin"]
    clock.advance(days=30)
    assert texts(vault, ASK) == ["She lives in Lisbon"]
    clock.step_back(hours=1)
    assert vault.read(old).state == "current"


def test_retracting_a_future_successor_opens_the_old_value_again(vault: Vault, clock: FakeClock) -> None:
    old = _lives(vault, "Berlin")
    clock.advance(days=1)
    move = clock.now() + timedelta(days=30)
    new = vault.succeed(old, "She lives in Lisbon", value="Lisbon", valid_from=move).id
    clock.advance(days=1)
    stored(vault.retract(new))
    clock.advance(days=60)
    assert texts(vault, ASK) == ["She lives in Berlin"]


@pytest.mark.parametrize("act", ["retract", "reject"])
def test_ending_the_successor_reopens_the_old_value(vault: Vault, clock: FakeClock, act: str) -> None:
    old = _lives(vault, "Berlin")
    clock.advance(days=5)
    new = vault.succeed(old, "She lives in Lisbon", value="Lisbon").id
    between = clock.now()
    clock.advance(days=5)
    stored(getattr(vault, act)(new, reason="a mistake"))
    assert texts(vault, ASK) == ["She lives in Berlin"]
    assert vault.read(old).valid.end is None
    expected = [] if act == "reject" else ["She lives in Lisbon"]
    assert texts(vault, ASK, known_at=between) == expected


def test_a_reopened_value_keeps_its_own_end(vault: Vault, clock: FakeClock) -> None:
    end = START + timedelta(days=100)
    old = _lives(vault, "Berlin", valid_until=end)
    clock.advance(days=5)
    new = vault.succeed(old, "She lives in Lisbon", value="Lisbon").id
    clock.advance(days=5)
    stored(vault.retract(new))
    assert vault.read(old).valid.end == end
    clock.set(end + HOUR)
    assert texts(vault, ASK) == []


def test_a_successor_with_an_end_of_its_own_gives_the_whole_place_back(
    vault: Vault, clock: FakeClock
) -> None:
    old = _lives(vault, "Berlin")
    clock.advance(days=5)
    until = clock.now() + timedelta(days=100)
    new = vault.succeed(old, "She lives in Lisbon", value="Lisbon", valid_until=until).id
    stored(vault.retract(new))
    clock.advance(days=200)
    assert texts(vault, ASK) == ["She lives in Berlin"]


def test_retracting_a_backdated_value_gives_back_only_what_it_took(vault: Vault, clock: FakeClock) -> None:
    _lives(vault, "Berlin", valid_from="2025-01-01")
    _lives(vault, "Oslo", valid_from="2025-12-01")
    between = _lives(vault, "Lisbon", valid_from="2025-06-01")
    stored(vault.retract(between))
    assert texts(vault, ASK) == ["She lives in Oslo"]
    assert texts(vault, ASK, as_of="2025-08-01") == ["She lives in Berlin"]
    assert dict(vault.recall(ASK).withheld) == {"retired": 1, "superseded": 1}


def test_ending_one_after_the_other_goes_back_step_by_step(vault: Vault, clock: FakeClock) -> None:
    _lives(vault, "Berlin")
    clock.advance(days=10)
    second = _lives(vault, "Lisbon")
    clock.advance(days=10)
    third = _lives(vault, "Oslo")
    stored(vault.reject(second))
    stored(vault.retract(third))
    assert texts(vault, ASK) == ["She lives in Berlin"]


def test_a_source_that_is_fed_again_adds_nothing_to_what_it_said_then(vault: Vault, clock: FakeClock) -> None:
    old = _lives(vault, "Berlin", valid_from="2025-01-01")
    _lives(vault, "Oslo", valid_from="2025-12-01")
    again = vault.remember(
        "She lives in Berlin", about="she", attribute="city", value="Berlin", valid_from="2025-01-01"
    )
    assert (again.verdict, again.id) == ("merged", old)
    assert texts(vault, ASK) == ["She lives in Oslo"]
    clock.advance(days=1)
    back = vault.remember("She lives in Berlin", about="she", attribute="city", value="Berlin")
    assert (back.verdict, back.conflict) == ("stored", "superseded")
    assert texts(vault, ASK) == ["She lives in Berlin"]


def test_a_rejected_middle_value_leaves_no_overlap(vault: Vault, clock: FakeClock) -> None:
    first = _lives(vault, "Berlin")
    clock.advance(days=10)
    second = _lives(vault, "Lisbon")
    clock.advance(days=10)
    third_from = clock.now()
    _lives(vault, "Oslo")
    clock.advance(days=1)
    stored(vault.reject(second))
    assert texts(vault, ASK) == ["She lives in Oslo"]
    assert texts(vault, ASK, as_of=third_from - HOUR) == ["She lives in Berlin"]
    assert vault.read(first).valid.end == third_from


def test_a_revised_beginning_of_a_successor_moves_the_end_of_the_old_value(
    vault: Vault, clock: FakeClock
) -> None:
    _lives(vault, "Berlin", valid_from="2025-06-01")
    clock.advance(days=10)
    new = _lives(vault, "Lisbon")
    clock.advance(days=1)
    stored(vault.revise(new, valid_from="2025-12-01", reason="it was earlier"))
    assert texts(vault, ASK, as_of="2025-12-15") == ["She lives in Lisbon"]
    assert texts(vault, ASK, as_of="2025-11-15") == ["She lives in Berlin"]
    stored(vault.revise(new, valid_from="2026-01-03", reason="no, later"))
    assert texts(vault, ASK, as_of="2025-12-15") == ["She lives in Berlin"]
    assert texts(vault, ASK, as_of="2026-01-04") == ["She lives in Lisbon"]


def test_a_backdated_value_inside_a_closed_one_never_makes_two_answers(
    vault: Vault, clock: FakeClock
) -> None:
    _lives(vault, "Berlin", valid_from="2025-01-01")
    _lives(vault, "Oslo", valid_from="2025-12-01")
    clock.advance(days=1)
    _lives(vault, "Lisbon", valid_from="2025-06-01")
    assert texts(vault, ASK) == ["She lives in Oslo"]
    assert texts(vault, ASK, as_of="2025-03-01") == ["She lives in Berlin"]
    assert texts(vault, ASK, as_of="2025-08-01") == ["She lives in Lisbon"]


def test_only_the_end_of_an_interval_can_be_revised(vault: Vault, clock: FakeClock) -> None:
    id = _lives(vault, "Berlin")
    clock.advance(days=30)
    receipt = vault.revise(id, valid_until=START + timedelta(days=10), reason="she left then")
    assert receipt.verdict == "stored", receipt
    assert texts(vault, ASK) == []
    assert texts(vault, ASK, as_of=START + timedelta(days=9)) == ["She lives in Berlin"]
    assert vault.revise(id, valid_until=START - HOUR).reason == "bad-shape"


def test_a_revised_text_does_not_keep_a_value_that_it_no_longer_names(vault: Vault) -> None:
    id = vault.remember("The port is 8090", about="port", attribute="number", value="8090").id
    stored(vault.revise(id, "The port is 8091"))
    assert vault.read(id).value != "8090"
    kept = vault.remember("Rotation: Monday", about="key", attribute="rotation", value="Monday").id
    stored(vault.revise(kept, "The rotation is on Monday"))
    assert vault.read(kept).value == "Monday"


def test_a_change_from_an_older_view_is_refused_and_names_the_present_version(vault: Vault) -> None:
    id = _lives(vault, "Berlin")
    stored(vault.revise(id, "She lives in Bern", value="Bern", expected_version=1))
    late = vault.revise(id, "She lives in Basel", value="Basel", expected_version=1)
    assert (late.verdict, late.reason) == ("refused", "stale-view")
    assert "2" in late.detail
    assert texts(vault, ASK) == ["She lives in Bern"]
    assert vault.retract(id, expected_version=1).reason == "stale-view"


def test_a_clock_that_steps_back_never_makes_an_older_change_win(vault: Vault, clock: FakeClock) -> None:
    id = _lives(vault, "Berlin")
    clock.step_back(minutes=10)
    stored(vault.revise(id, "She lives in Bern", value="Bern"))
    first, second = vault.history(id)
    assert first.recorded < second.recorded
    assert texts(vault, ASK) == ["She lives in Bern"]


def test_recorded_times_rise_strictly_though_the_clock_stands(vault: Vault) -> None:
    for number in range(5):
        vault.remember(f"note number {number}")
    recorded = [row.recorded for row in vault.log(newest_first=False)]
    assert recorded == sorted(set(recorded))


def test_a_refusal_is_a_receipt_unless_it_is_asked_for_strictly(vault: Vault) -> None:
    assert vault.remember("  ").reason == "empty"
    with pytest.raises(Refusal):
        vault.remember("  ", strict=True)
    assert acts(vault) == ["remember", "remember"]


def test_wrong_arguments_are_named_and_nothing_is_recorded(vault: Vault) -> None:
    id = _lives(vault, "Berlin")
    size = vault.status().records
    for wrong in (
        lambda: vault.remember(5),
        lambda: vault.remember("x", kind="rumour"),
        lambda: vault.remember("x", tags=[5]),
        lambda: vault.remember("x", evidence=["nonsense"]),
        lambda: vault.revise(id, "x", expected_version="2"),
        lambda: vault.judge(id, "lift"),
        lambda: vault.judge(id, "crown"),
        lambda: vault.link(id, id, type="loves"),
        lambda: vault.recall("x", k=True),
    ):
        with pytest.raises(BadInput):
            wrong()
    with pytest.raises(BadTime):
        vault.remember("x", valid_from="2026-01-01T10:00")
    assert vault.status().records == size


def test_what_is_not_there_is_not_found_and_never_a_success(vault: Vault) -> None:
    absent = "m_" + "0" * 26
    with pytest.raises(NotFound):
        vault.read(absent)
    for receipt in (
        vault.revise(absent, "x"),
        vault.succeed(absent, "x"),
        vault.retract(absent),
        vault.reject(absent),
        vault.lift(absent),
        vault.retire(absent),
    ):
        assert (receipt.verdict, receipt.reason) == ("refused", "no-match")


def test_a_restatement_of_what_holds_already_adds_no_version(vault: Vault) -> None:
    id = _lives(vault, "Berlin")
    again = vault.remember("She lives in Berlin", about="she", attribute="city", value="Berlin")
    assert (again.verdict, again.id, again.reason) == ("merged", id, "already-known")
    assert len(vault.history(id)) == 1


def test_a_retired_memory_is_out_of_use_until_it_is_revived(vault: Vault) -> None:
    id = vault.remember("The blue lamp is in the attic").id
    stored(vault.retire(id))
    assert texts(vault, "where is the blue lamp") == []
    assert dict(vault.recall("where is the blue lamp").withheld) == {"retired": 1}
    stored(vault.revive(id))
    assert texts(vault, "where is the blue lamp") == ["The blue lamp is in the attic"]
    assert vault.revive(id).reason == "forbidden-move"


def test_fault_a_slot_named_with_its_article_is_another_slot(vault: Vault) -> None:
    """Two values were believed side by side, while a rejection of one met both spellings."""
    first = stored(vault.remember("The API listens on 8090", about="the API", attribute="port", value="8090"))
    later = stored(vault.remember("API: port 8091", about="API", attribute="the port", value="8091"))
    assert vault.read(first.id).trust == "superseded"
    assert texts(vault, "which port has the API") == ["API: port 8091"]
    assert vault.remember("It is 8091", about="The api", attribute="Port", value="8091").id == later.id
    stored(vault.reject(later.id, reason="wrong"))
    for name in ("the API", "API"):
        assert vault.remember("8091!", about=name, attribute="port", value="8091").reason == "rejected-value"


def test_two_things_that_only_an_article_tells_apart_are_two_slots(vault: Vault) -> None:
    band = stored(vault.remember("The Who: 1964", about="The Who", attribute="founded", value="1964"))
    other = stored(vault.remember("WHO: 1948", about="WHO", attribute="founded", value="1948"))
    assert [vault.read(one.id).trust for one in (band, other)] == ["believed", "believed"]
    stored(vault.reject(band.id, reason="wrong"))
    assert stored(vault.remember("WHO: 1964", about="WHO", attribute="founded", value="1964"))
    assert vault.remember("1964", about="the who", attribute="founded", value="1964").refused
