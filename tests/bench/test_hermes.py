"""Does what puts Hermes Agent beside a vault do what it says?  Without that package."""

import importlib.util
import json
import re
import sys
import time
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import ModuleType

import apsw
import pytest

from bench.hermes import messages, side, speed
from bench.measure import ROOT, Plan, Taken, opened
from bench.raw import Raw
from muniment.service.vault import Vault

COUNT = 4_000
GIVEN = list(messages.messages(COUNT))

FAKE = """
import json, sys
for line in sys.stdin:
    order = json.loads(line)
    if order["do"] == "die":
        break
    print(json.dumps({"taken": [[0.5, 0.25] for _ in order["each"]], "said": order["each"][-1]}), flush=True)
open(sys.argv[1] + "/closed", "w").close()
"""


def share(word: str) -> float:
    return sum(word in message.text.lower().split() for message in GIVEN) / COUNT


def test_the_same_seed_gives_the_same_messages_and_another_gives_others() -> None:
    assert list(messages.messages(COUNT)) == GIVEN
    assert list(messages.messages(COUNT, seed=1)) != GIVEN
    assert len({message.text for message in GIVEN}) == COUNT


def test_words_stand_in_the_messages_as_often_as_is_said() -> None:
    assert share(messages.COMMON) == pytest.approx(0.45, abs=0.03)
    assert share(messages.FIRST) == pytest.approx(0.11, abs=0.02)
    assert share(messages.SECOND) == pytest.approx(0.11, abs=0.02)
    assert sum(messages.RARE in message.text for message in GIVEN) == 1


def test_one_message_in_ten_is_written_without_spaces() -> None:
    dense = [message.text for message in GIVEN if " " not in message.text]
    assert len(dense) == pytest.approx(COUNT / 10, abs=len(messages.MARKED))
    assert sum(messages.HAN_WORD in text for text in dense) == pytest.approx(COUNT / 200, abs=12)


def test_a_message_with_each_mark_stands_there_once() -> None:
    counted = Counter(message.text for message in GIVEN)
    assert [counted[text] for text, _ in messages.MARKED.values()] == [1] * len(messages.MARKED)


def test_sessions_hold_whole_exchanges_of_two_speakers_in_turns() -> None:
    sizes = list(Counter(message.session for message in GIVEN).values())
    assert set(sizes[:-1]) == {messages.SESSION_MESSAGES}
    assert messages.SESSION_MESSAGES % messages.EXCHANGE == speed.BLOCK % messages.SESSION_MESSAGES == 0
    assert [message.role for message in GIVEN[59:63]] == ["assistant", "user", "assistant", "user"]
    assert GIVEN[61].fields == {"session": "s-1", "role": "assistant", "text": GIVEN[61].text}


class Recorder:
    """Stand on the other side, and say that every act took a second."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def ask(self, do: str, /, **fields: object) -> object:
        self.asked.append(f"{do} {fields['session']}")
        return None

    def timed(self, do: str, each: Sequence[Mapping[str, object]]) -> tuple[list[Taken], object]:
        self.asked += [f"{do} {one['session']}" for one in each]
        return [Taken(1.0, 1.0)] * len(each), None


def test_blocks_are_appended_message_by_message_and_exchange_by_exchange_in_turns(
    vault: Vault, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(speed, "BLOCK", 60)
    other = Recorder()
    floor = Raw(tmp_path / "by-hand.db")
    exchange, single = speed.appended(vault, other, 130, sync=100.0, floor=floor)
    floor.close()
    # One record a message in the first block and in the third, one an exchange in the second.
    takes = [row for row in vault.log(limit=1_000) if row.act == "take"]
    assert len(takes) == 60 + 10 + 10
    assert [len(vault.session(f"s-{at}").turns()) for at in range(3)] == [60, 60, 10]
    assert [other.asked.count(f"begin s-{at}") for at in range(3)] == [1] * 3
    assert sum(name.startswith("append") for name in other.asked) == 130
    assert (exchange.parts["raw_us"], single.parts["raw_us"]) == (6e6, 1e6)
    assert "one durable page 100 us" in single.note
    by_hand = apsw.Connection(str(tmp_path / "by-hand.db"))
    assert by_hand.execute("SELECT count(*) FROM item").fetchall() == [(70,)], "those taken one by one"
    assert "written by hand, text and words alone," in single.note


def test_an_edit_is_said_with_the_names_of_either_side() -> None:
    edit = {"operations": [{"action": "replace", "old": "a", "new": "b"}]}
    assert speed.named(edit, speed.OURS) == {"operations": [{"action": "replace", "old": "a", "text": "b"}]}
    assert speed.named(edit, speed.THEIRS) == {
        "operations": [{"action": "replace", "old_text": "a", "content": "b"}]
    }


@pytest.fixture
def vault(tmp_path: Path) -> Iterator[Vault]:
    with opened(tmp_path / "vault.db", embedder=False) as made:
        yield made


def test_every_edit_of_a_round_lands_and_the_next_round_finds_nothing(vault: Vault) -> None:
    session = vault.session("asking", agent="ada")
    for _ in range(2):
        for kind, round in speed.edits().items():
            assert len(round) == speed.ENTRIES
            for edit in round:
                receipt = session.memory(block="memory", **speed.named(edit, speed.OURS))
                assert not receipt.refused, (kind, edit, receipt.sentence)
        assert session.block("memory").entries == ()


def test_ours_finds_what_every_search_of_the_bench_asks_for(vault: Vault, tmp_path: Path) -> None:
    for message in messages.messages(400):
        vault.session(message.session, agent="ada").append(message.role, message.text)
    vault.session("s-more", agent="ada").append("user", "翡翠 with kestrel and gravel")
    session = vault.session("asking", agent="ada")
    for asked in speed.SEARCHES:
        found = session.search(asked.query, **({"sort": asked.sort} if asked.sort else {}))
        assert found.sessions, asked
    for text, query in messages.MARKED.values():
        (found,) = session.search(query).sessions
        assert text in [hit.text for hit in found.turns]
    assert speed.ranked(vault, tmp_path / "vault.db", messages.COMMON, times=2) > 0


def test_a_figure_says_how_many_times_as_fast_ours_is() -> None:
    found = speed.faster("one", 3.0)
    for ours, theirs in ((1.0, 4.0), (2.0, 4.0), (1.0, 5.0)):
        found.add([Taken(ours, ours)], [Taken(theirs, theirs)])
    figure = found.figure(note="a note")
    assert (figure.value, figure.verdict, figure.at_least) == (4.0, "ok", True)
    assert (figure.parts["lowest_round"], figure.parts["highest_round"]) == (2.0, 5.0)
    slow = speed.faster("one", 3.0)
    slow.add([Taken(2.0, 2.0)], [Taken(4.0, 4.0)])
    assert slow.figure().verdict == "UNDER"


def test_the_vault_with_vectors_holds_every_message_and_a_vector_of_each(tmp_path: Path) -> None:
    plan = Plan(tmp_path, quick=True)
    with opened(speed.with_vectors(plan), embedder=True) as held:
        counts = held.status().counts
    assert counts["evidence"] == 2_000
    # A message of characters that the embedder does not know has none.
    assert counts["vector"] == pytest.approx(2_000, rel=0.05)


def test_a_smaller_file_counts_without_the_reserve(tmp_path: Path) -> None:
    (tmp_path / "vault.db").write_bytes(bytes(100))
    (tmp_path / "vault.db.reserve").write_bytes(bytes(900))
    (tmp_path / "state.db").write_bytes(bytes(100))
    (tmp_path / "state.db-wal").write_bytes(bytes(50))
    assert speed.smaller(tmp_path / "vault.db", tmp_path / "state.db").value == 1.5


@pytest.fixture
def fake(tmp_path: Path) -> Path:
    script = tmp_path / "fake.py"
    script.write_text(FAKE, "utf-8")
    return script


def test_the_other_side_is_told_what_to_do_line_by_line(tmp_path: Path, fake: Path) -> None:
    with side.Side(Path(sys.executable), tmp_path / "home", worker=fake) as other:
        taken, said = other.timed("append", [{"text": "a\n§\nb"}, {"text": "翡翠"}])
        assert taken == [Taken(0.5, 0.25)] * 2
        assert said == {"text": "翡翠"} and other.ask("memory", action="add") == {"action": "add"}
    assert (tmp_path / "home" / "closed").exists()


def test_the_end_of_the_other_side_is_an_error_that_names_the_act(tmp_path: Path, fake: Path) -> None:
    with (
        side.Side(Path(sys.executable), tmp_path / "home", worker=fake) as other,
        pytest.raises(RuntimeError, match="ended at die"),
    ):
        other.ask("die")


def test_an_environment_is_made_once_for_the_same_pins(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[str] = []
    monkeypatch.setattr(side.venv, "create", lambda where, **_: where.mkdir(exist_ok=True))
    monkeypatch.setattr(side.subprocess, "run", lambda command, **_: made.append(" ".join(command)))
    for _ in range(2):
        assert side.environment(tmp_path / "made") == tmp_path / "made" / "bin" / "python"
    assert len(made) == 1 and "--require-hashes" in made[0] and "--no-deps" in made[0]
    (tmp_path / "made" / "stamp").write_text("other pins", "utf-8")
    side.environment(tmp_path / "made")
    assert len(made) == 2


def worker(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """Load the worker with something in the place of the package it runs beside."""
    for name, held in {
        "hermes_state": ("SessionDB",),
        "tools": (),
        "tools.memory_tool": ("MemoryStore", "memory_tool"),
        "tools.session_search_tool": ("session_search",),
    }.items():
        module = ModuleType(name)
        for one in held:
            setattr(module, one, None)
        monkeypatch.setitem(sys.modules, name, module)
    spec = importlib.util.spec_from_file_location("hermes_worker", side.WORKER)
    assert spec is not None and spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


def test_the_worker_times_each_act_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    taken, said = worker(monkeypatch).timed(
        lambda seconds: time.sleep(seconds) or seconds, [{"seconds": 0.02}, {"seconds": 0.0}]
    )
    assert taken[0][0] >= 0.02 > taken[1][0] and said == 0.0
    # Waiting is no work.
    assert taken[0][1] < 0.02


def test_the_package_is_pinned_by_its_hashes_and_needed_by_nobody() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    group = project["dependency-groups"]["hermes"]
    assert f"hermes-agent=={side.VERSION}" in group
    pins = re.findall(r"^(\S+==\S+) ", side.PINS.read_text("utf-8"), flags=re.MULTILINE)
    assert sorted(pins) == sorted(group)
    assert "://" not in side.PINS.read_text("utf-8")
    others = str(project["project"]) + str(project["dependency-groups"]["test"])
    assert "hermes" not in others


def test_what_is_committed_says_both_sides_of_every_bar() -> None:
    kept = json.loads((ROOT / "bench" / "results" / "hermes.json").read_text("utf-8"))
    names = [one["name"] for one in kept["figures"]]
    assert names == [
        "append an exchange of 6 messages",
        "append one message",
        *(f"search: {asked.name}" for asked in speed.SEARCHES),
        "searches with marks that find nothing",
        *(f"memory {kind}" for kind in ("add", "replace", "batch")),
        "a smaller database",
        "a smaller database, with vectors",
    ]
    assert kept["settings"]["hermes-agent"] == side.VERSION
    assert kept["settings"]["theirs: synchronous"] == "2"
    for one in kept["figures"]:
        if one["name"].startswith("search: "):
            ours, theirs = map(int, re.findall(r"(?:ours|theirs) (\d+)", one["note"])[:2])
            assert ours >= theirs > 0, one["name"]
    marks = next(one for one in kept["figures"] if "marks" in one["name"])
    assert re.findall(r"(\w+) 1 to 0", marks["note"]) == list(messages.MARKED)
