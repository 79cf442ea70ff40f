"""Is a whole file taken in: every good line once, every bad one set aside, however long it is?"""

import json
import tracemalloc
from collections.abc import Iterable
from pathlib import Path

import pytest

from muniment import limits
from muniment.errors import BadInput, MunimentError, Refusal, Unreadable
from muniment.service.intake import BAD_LINES_SHOWN_MAX
from muniment.service.vault import Vault
from tests.builders import World, acts


def turn(number: int, session: str = "s-1", **more: object) -> dict[str, object]:
    return {"session": session, "id": f"t{number}", "role": "user", "text": f"The ferry left {number}"} | more


def file_of(place: Path, turns: Iterable[object], name: str = "talk.jsonl") -> Path:
    path = place / name
    lines = (each if isinstance(each, str) else json.dumps(each) for each in turns)
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


def test_every_turn_of_a_file_is_kept(vault: Vault, tmp_path: Path) -> None:
    path = file_of(tmp_path, [turn(1), turn(2), turn(3, session="s-2")])
    report = vault.take_file(path)
    assert (report.added, report.skipped, report.bad) == (3, 0, 0)
    assert report.sessions == {"s-1", "s-2"}
    assert [each.text for each in vault.session("s-1").turns()] == ["The ferry left 1", "The ferry left 2"]


@pytest.mark.parametrize(
    ("first", "second"),
    [("a\x02b", "a\x01b"), ("a\ufffdb", "a\x01b"), ("a\nb", "a\r\nb")],
)
def test_fault_conversations_whose_names_cannot_be_kept_whole_become_one(
    vault: Vault, tmp_path: Path, first: str, second: str
) -> None:
    path = file_of(tmp_path, [turn(1, session=first), turn(2, session=second), turn(3, session=first)])
    vault.take_file(path)
    assert vault.status().counts["session"] == 2
    found = {one.session: one for one in vault.search().sessions}
    assert len(found) == 2
    assert all(len(name) <= limits.name_characters_max for name in found)
    # Both are found again, by the name that is shown and by the one that was given.
    for given, count in ((first, 2), (second, 1)):
        (one,) = vault.search(session=given).sessions
        assert len(one.turns) == count
        (shown,) = vault.search(session=one.session).sessions
        assert shown.turns == one.turns
    assert vault.take_file(path).added == 0
    assert vault.status().counts["session"] == 2


def test_fault_names_that_no_file_should_hold_become_one(vault: Vault, tmp_path: Path) -> None:
    names = ("a\x00b", "a\ud800b", "a\ud801b", "a\ufffdb")
    path = file_of(tmp_path, [turn(number, session=name) for number, name in enumerate(names)])
    assert vault.take_file(path).added == 4
    assert vault.status().counts["session"] == 4
    # An id that is another one's but for such a character is another turn.
    ids = file_of(tmp_path, [turn(9) | {"id": "t\x00"}, turn(9) | {"id": "t\ufffd"}], name="ids.jsonl")
    assert vault.take_file(ids).added == 2


def test_a_file_taken_twice_adds_nothing(vault: Vault, tmp_path: Path) -> None:
    path = file_of(tmp_path, [turn(1), turn(2)])
    vault.take_file(path)
    before = vault.status().counts["evidence"]
    report = vault.take_file(path)
    assert (report.added, report.skipped) == (0, 2)
    assert vault.status().counts["evidence"] == before


def test_a_file_that_grew_adds_what_is_new(vault: Vault, tmp_path: Path) -> None:
    vault.take_file(file_of(tmp_path, [turn(1), turn(2)]))
    report = vault.take_file(file_of(tmp_path, [turn(1), turn(2), turn(3)]))
    assert (report.added, report.skipped) == (1, 2)
    assert [each.sequence for each in vault.session("s-1").turns()] == [1, 2, 3]


def test_a_file_under_another_name_adds_nothing_again(vault: Vault, tmp_path: Path) -> None:
    vault.take_file(file_of(tmp_path, [turn(1)]))
    assert vault.take_file(file_of(tmp_path, [turn(1)], name="copy.jsonl")).skipped == 1


def test_the_same_file_in_another_space_is_another_matter(vault: Vault, tmp_path: Path) -> None:
    path = file_of(tmp_path, [turn(1)])
    assert vault.take_file(path).added == 1
    assert vault.take_file(path, space="acme/eng").added == 1


def test_a_bad_line_is_set_aside_and_the_others_are_kept(vault: Vault, tmp_path: Path) -> None:
    path = file_of(tmp_path, [turn(1), "{broken", turn(2, role="robot"), turn(3)])
    report = vault.take_file(path)
    assert (report.added, report.bad) == (2, 2)
    assert [bad.line for bad in report.bad_lines] == [2, 3]
    assert all("ferry" not in bad.why and "broken" not in bad.why for bad in report.bad_lines)


def test_all_bad_lines_are_counted_and_the_first_are_described(vault: Vault, tmp_path: Path) -> None:
    path = file_of(tmp_path, [turn(1), *["{"] * (BAD_LINES_SHOWN_MAX + 5)])
    report = vault.take_file(path)
    assert report.bad == BAD_LINES_SHOWN_MAX + 5
    assert len(report.bad_lines) == BAD_LINES_SHOWN_MAX


def test_a_file_of_nothing_but_bad_lines_adds_nothing_and_says_so(vault: Vault, tmp_path: Path) -> None:
    report = vault.take_file(file_of(tmp_path, ["{", "["]), format="jsonl")
    assert (report.added, report.bad) == (0, 2)
    assert acts(vault) == []


def test_an_empty_file_adds_nothing(vault: Vault, tmp_path: Path) -> None:
    report = vault.take_file(file_of(tmp_path, []), format="jsonl")
    assert (report.added, report.bad) == (0, 0)


def test_a_long_file_is_taken_in_batches_with_progress(world: World, tmp_path: Path) -> None:
    count = limits.batch_items_max + 3
    path = file_of(tmp_path, (turn(number, text="hm") for number in range(count)))
    seen: list[int] = []
    report = world.vault.take_file(path, progress=seen.append)
    assert report.added == count
    assert seen == [limits.batch_items_max, count]
    assert acts(world.vault).count("take") == 2, "one record a batch"


def test_a_file_is_never_whole_in_memory(tmp_path: Path, world: World) -> None:
    """The peak stays far below the file's size."""
    if world.store != "sqlite":
        return
    text = "x" * 20_000
    path = file_of(tmp_path, (turn(number, role="tool_result", text=text) for number in range(3000)))
    tracemalloc.start()
    report = world.vault.take_file(path)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert report.added == 3000
    assert path.stat().st_size > 60_000_000
    assert peak < path.stat().st_size * 1.5


def test_claims_of_a_file_are_taken_in_by_rules_and_name_their_source(vault: Vault, tmp_path: Path) -> None:
    path = file_of(tmp_path, [turn(1, text="My name is Zoë and I live in Berlin.")])
    report = vault.take_file(path)
    assert report.extracted == len(vault.memories()) > 0
    (evidence,) = vault.session("s-1").turns()
    for memory in vault.memories():
        assert [step.id for step in vault.why(memory.memory)][-1] == evidence.id


def test_what_a_file_claims_is_weaker_than_what_a_person_said(vault: Vault, tmp_path: Path) -> None:
    said = vault.remember("Zoë lives in Lyon", about="Zoë", attribute="home", value="Lyon")
    vault.take_file(file_of(tmp_path, [turn(1, text="I live in Berlin.", speaker="Zoë")]))
    assert vault.read(said.id).state == "current"


def test_a_turn_from_a_tool_is_kept_untrusted(vault: Vault, tmp_path: Path) -> None:
    vault.take_file(file_of(tmp_path, [turn(1), turn(2, role="tool_result")]))
    clean, tool = vault.session("s-1").turns()
    assert not clean.label.untrusted
    assert tool.label.untrusted
    assert vault.session("s-1").label.untrusted


def test_a_class_in_the_file_is_kept_and_never_loosened(vault: Vault, tmp_path: Path) -> None:
    vault.take_file(file_of(tmp_path, [turn(1, **{"class": "secret"}), turn(2, **{"class": "public"})]))
    assert [each.label.data_class.name for each in vault.session("s-1").turns()] == ["SECRET", "SECRET"]


def test_a_value_that_was_rejected_does_not_come_back_in_a_file(vault: Vault, tmp_path: Path) -> None:
    """The turn is kept as what was said; the claim stays out (I4)."""
    text = "I live in Berlin."
    vault.take_file(file_of(tmp_path, [turn(1, text=text, speaker="Zoë")]))
    (claim,) = vault.memories()
    assert not vault.reject(claim.memory, reason="she does not").refused
    report = vault.take_file(file_of(tmp_path, [turn(2, text=text, speaker="Zoë")], name="more.jsonl"))
    assert report.added == 1
    assert report.extracted == 0
    assert vault.memories() == ()


def test_characters_that_cannot_be_kept_are_counted(vault: Vault, tmp_path: Path) -> None:
    report = vault.take_file(file_of(tmp_path, [turn(1, text="a\x00b\x00c")]))
    assert report.replaced == 2


def test_a_directory_is_taken_file_by_file(vault: Vault, tmp_path: Path) -> None:
    place = tmp_path / "talks"
    place.mkdir()
    file_of(place, [turn(1)], name="a.jsonl")
    file_of(place, [turn(2)], name="b.jsonl")
    (place / "notes.txt").write_text("not a conversation")
    assert vault.take_file(place).added == 2


def test_a_file_of_a_directory_that_fits_nothing_is_one_bad_line(vault: Vault, tmp_path: Path) -> None:
    place = tmp_path / "talks"
    place.mkdir()
    file_of(place, [{"nothing": "known"}], name="a.jsonl")
    file_of(place, [turn(2)], name="b.jsonl")
    report = vault.take_file(place)
    assert (report.added, report.bad) == (1, 1)
    assert report.bad_lines[0].why.startswith("a.jsonl: ")


def test_a_path_that_is_not_there_is_unreadable(vault: Vault, tmp_path: Path) -> None:
    with pytest.raises(Unreadable):
        vault.take_file(tmp_path / "nowhere.jsonl")
    assert acts(vault) == []


def test_a_format_that_is_not_known_is_the_callers_mistake(vault: Vault, tmp_path: Path) -> None:
    path = file_of(tmp_path, [turn(1)])
    with pytest.raises(BadInput, match="telepathy"):
        vault.take_file(path, format="telepathy")
    with pytest.raises(BadInput):
        vault.take_file(file_of(tmp_path, [{"nothing": "known"}]))


@pytest.mark.parametrize("space", ["/", "a//b", "a/../b", "x" * 3000])
def test_a_space_that_cannot_be_is_the_callers_mistake(vault: Vault, tmp_path: Path, space: str) -> None:
    with pytest.raises(MunimentError):
        vault.take_file(file_of(tmp_path, [turn(1)]), space=space)
    assert vault.status().counts["evidence"] == 0


def test_a_file_taken_into_a_space_that_is_not_ones_own_is_refused(vault: Vault, tmp_path: Path) -> None:
    agent = vault.acting_as(actor="coder", space="acme/eng")
    path = file_of(tmp_path, [turn(1)])
    with pytest.raises((Refusal, BadInput)):
        agent.take_file(path, space="acme/law")
    assert agent.take_file(path).added == 1


def test_what_was_taken_is_found_and_proven(vault: Vault, tmp_path: Path) -> None:
    vault.take_file(file_of(tmp_path, [turn(1, text="The harbour master is called Olsen.")]))
    assert vault.recall("who is the harbour master?").hits
    assert vault.verify().findings == ()
