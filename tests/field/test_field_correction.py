"""Do faults of correction, merging, deletion and review stay away?  Numbers are those of the list of cases.

These need what came after the first ones: the job for free statements, cases, proposals, erasure.
"""

import json
from pathlib import Path

import pytest

import muniment
from muniment.service.vault import Vault
from tests.builders import FakeClock, World, stored, texts

STATES = ["believed", "candidate", "disputed", "refuted", "superseded", "retired", "rejected"]
BESIDE = "The heron nests by the weir"
CODE = "QZ7-HERON-4417"
SECRETIVE = f"Ria's locker code is {CODE}"


@pytest.fixture
def held(vault: Vault, clock: FakeClock) -> Vault:
    """Return a vault that holds something beside what a test is about."""
    stored(vault.remember(BESIDE))
    clock.advance(hours=1)
    return vault


def said(vault: Vault, text: str, clock: FakeClock, **fields: object) -> str:
    """Remember a free statement a day after the one before, and let every job run."""
    clock.advance(days=1)
    id = stored(vault.remember(text, **fields)).id
    vault.settle()
    return id


def everywhere(vault: Vault, *questions: str) -> str:
    """Return all that a caller can get out: lists, answers of every state, questions, an export's lines."""
    shown = [row.text for row in vault.memories(states=STATES, limit=100)]
    shown += [row.query for row in vault.recalls()]
    for question in questions:
        answer = vault.recall(question, include=["disputed", "refuted", "superseded", "retired"], k=50)
        shown += [hit.text for hit in answer.hits]
    return "\n".join(shown)


def test_field_02_two_texts_merged_by_a_person_are_one_and_the_history_has_both(
    held: Vault, clock: FakeClock
) -> None:
    one, two = said(held, "Ria lives in Graz", clock), said(held, "Ria's home is Graz", clock)
    assert {"Ria lives in Graz", "Ria's home is Graz"} <= set(texts(held, "where is Ria at home in Graz"))
    case = stored(held.link(two, one, type="contradicts")).case
    stored(held.decide(case, "merge", reason="the same home"))
    found = texts(held, "where is Ria at home in Graz")
    assert "Ria lives in Graz" in found and "Ria's home is Graz" not in found
    assert held.read(two).text == "Ria's home is Graz" and held.read(two).trust.value == "retired"


def test_field_02_what_was_merged_away_does_not_come_back_with_the_index(
    world: World, clock: FakeClock
) -> None:
    vault = world.vault
    one, two = said(vault, "Ria lives in Graz", clock), said(vault, "Ria's home is Graz", clock)
    stored(vault.decide(stored(vault.link(two, one, type="contradicts")).case, "merge"))
    vault.reindex()
    assert texts(world.restarted(), "Ria home Graz") == ["Ria lives in Graz"]


@pytest.mark.parametrize("state", ["disputed", "retired", "superseded"])
def test_field_02_a_duplicate_of_what_is_out_of_use_does_not_bring_it_back_unasked(
    held: Vault, clock: FakeClock, state: str
) -> None:
    agent = held.acting_as(actor="coder")
    id = said(agent, "The ferry leaves at nine", clock)
    if state == "disputed":
        stored(held.judge(id, "dispute"))
    elif state == "retired":
        stored(held.retire(id))
    else:
        stored(held.succeed(id, "The ferry leaves at ten"))
    clock.advance(days=1)
    again = agent.remember("THE FERRY  leaves at nine")
    if state == "disputed":
        # The doubt is about the statement, not about who said it last.
        assert (again.id, held.read(id).trust.value) == (id, "disputed")
        assert texts(held, "when does the ferry leave") == []
    else:
        assert stored(again).id != id, "what is said anew is a new memory, with its own history"
        assert held.read(id).trust.value == state


def test_field_04_one_talk_from_two_hooks_is_one_session_and_says_what_it_rests_on(
    held: Vault, clock: FakeClock
) -> None:
    session = held.session("talk", agent="coder")
    turns = session.append("user", "We chose oak for the quay. Tags can wait.").evidence
    summary = stored(
        held.remember("Oak was chosen for the quay", evidence=list(turns), tags=["decision", "decision"])
    ).id
    assert held.read(summary).tags == ("decision",)
    assert {step.id for step in held.why(summary)} == {summary, *turns}
    again = held.session("talk", agent="coder").append("user", "We chose oak for the quay. Tags can wait.")
    assert len(held.session("talk", agent="coder").turns()) == 1 + again.added
    assert len([row for row in held.sessions()]) == 1


def test_field_11_what_is_added_while_a_consolidation_is_thought_out_survives_it(vault: Vault) -> None:
    slow, quick = vault.session("slow"), vault.session("quick")
    slow.memory(action="add", block="memory", text="milk")
    slow.memory(action="add", block="memory", text="tea at four")
    seen = slow.block("memory").entries
    entries = [{"old": seen[0], "drop": True}, {"old": seen[1], "text": "tea, at four"}]
    assert not quick.memory(action="add", block="memory", text="X").refused
    late = slow.memory(action="consolidate", block="memory", entries=entries)
    assert (late.reason, late.entries) == ("unaccounted-entry", ("X",))
    assert vault.block("memory").entries == (*seen, "X")
    again = slow.memory(action="consolidate", block="memory", entries=[*entries, {"old": "X", "keep": True}])
    assert not again.refused
    assert vault.block("memory").entries == ("tea, at four", "X")


def test_field_38_a_reviewer_sees_signs_that_would_hide(held: Vault) -> None:
    held.set_dial("review", "agent")
    agent = held.acting_as(actor="coder")
    assert agent.remember("Use tabs" + "\u200b\u200c\u200d" * 8).reason == "characters"
    assert agent.remember("Use \u202espaces").reason == "characters"
    assert held.pending() == (), "what hides is refused before anybody is asked"
    assert agent.remember("Use tabs, na\u00efve \u0430gent").verdict == "staged"
    (waiting,) = held.pending()
    assert waiting.body.isascii() and "\\u0430" in waiting.body, "a letter of another script is spelled out"
    assert json.loads(waiting.body)


NEGATED = [
    ("Use the async pool", "Do not forget to size the async pool", False),
    ("Use the async pool", "Never mind the async pool, said the manual", False),
    ("I like olives", "I would not say that I dislike olives", False),
    ("I like olives", "I do not like olives", True),
    ("I live in Berlin", "I no longer live in Berlin", True),
    ("I have a boat", "I do not have a boat", True),
]


@pytest.mark.parametrize(("first", "then", "contradicts"), NEGATED, ids=lambda one: str(one)[:30])
def test_field_52_a_word_of_denial_is_no_contradiction_and_a_denial_is(
    held: Vault, clock: FakeClock, first: str, then: str, contradicts: bool
) -> None:
    old = said(held, first, clock)
    said(held, then, clock)
    found = texts(held, f"{first} {then}", k=10)
    assert then in found and texts(held, BESIDE)[:1] == [BESIDE]
    assert (first not in found) is contradicts
    assert held.read(old).trust.value == ("superseded" if contradicts else "believed")


@pytest.mark.parametrize(
    ("wrong", "right"),
    [("I live in Berlin", "I moved to Lisbon"), ("I work at Acme", "I work at Globex")],
)
def test_field_53_of_free_text_the_fix_is_shown_and_never_the_wrong_value(
    held: Vault, clock: FakeClock, wrong: str, right: str
) -> None:
    said(held, wrong, clock)
    said(held, right, clock)
    for question in (wrong, right, f"{wrong} or {right}"):
        assert wrong not in texts(held, question, k=20)
    assert right in texts(held, f"{wrong} or {right}", k=20)
    assert wrong in texts(held, wrong, include=["superseded"])


def test_field_55_of_two_preferences_by_two_authors_one_is_always_visible(
    held: Vault, clock: FakeClock
) -> None:
    held.acting_as(actor="coder").remember("Ria likes coffee")
    clock.advance(days=1)
    held.acting_as(actor="writer").remember("Ria does not like coffee")
    held.settle()
    assert texts(held, "does Ria like coffee"), "neither can say, so neither is hidden"
    (case,) = held.cases()
    stored(held.decide(case.id, "uphold-new", reason="she said so"))
    assert texts(held, "does Ria like coffee") == ["Ria does not like coffee"]


def test_field_56_what_was_erased_is_in_no_list_and_no_answer(vault: Vault) -> None:
    stored(vault.remember(BESIDE))
    id = stored(vault.remember(SECRETIVE)).id
    vault.recall(SECRETIVE)
    assert CODE in everywhere(vault, SECRETIVE)
    vault.erase(vault.plan_erasure(id=id))
    assert CODE not in everywhere(vault, SECRETIVE.replace(CODE, ""))
    assert texts(vault, BESIDE) == [BESIDE]


def test_field_56_what_was_erased_is_in_no_export(tmp_path: Path) -> None:
    exports = [tmp_path / "before.jsonl", tmp_path / "after.jsonl"]
    with muniment.open(tmp_path / "vault.db") as vault:
        stored(vault.remember(BESIDE))
        id = stored(vault.remember(SECRETIVE)).id
        vault.export(exports[0])
        vault.erase(vault.plan_erasure(id=id))
        vault.export(exports[1])
    held = [path.read_text("utf-8") for path in exports]
    assert [CODE in text for text in held] == [True, False]
    assert all(BESIDE in text for text in held)


def test_field_58_the_same_document_again_brings_no_erased_part_back(world: World, tmp_path: Path) -> None:
    vault = world.vault
    book = f"{BESIDE}.\n\n{SECRETIVE}.\n"
    path = tmp_path / "talk.jsonl"
    said_so = {"session": "s", "role": "user", "text": f"By the way, {SECRETIVE}."}
    path.write_text(f"{json.dumps(said_so)}\n", "utf-8")
    vault.ingest(book, source="handbook")
    vault.take_file(path)
    assert any(CODE in text for text in texts(vault, "locker code"))
    vault.erase(vault.plan_erasure(text=SECRETIVE))
    for restarted in (False, True):
        again = world.restarted() if restarted else vault
        again.take_file(path)
        for source in ("handbook", "another copy"):
            again.ingest(book, source=source)
        again.settle()
        assert not any(CODE in text for text in texts(again, "locker code Ria", k=50))
        assert any(BESIDE in text for text in texts(again, "heron weir"))


@pytest.mark.parametrize("act", ["reject", "erase"])
def test_field_59_an_older_copy_does_not_undo_what_was_taken_out(tmp_path: Path, act: str) -> None:
    with muniment.open(tmp_path / "vault.db") as vault:
        stored(vault.remember(BESIDE))
        id = stored(vault.remember(SECRETIVE)).id
        vault.export(tmp_path / "before.jsonl")
        if act == "reject":
            stored(vault.reject(id, reason="never"))
        else:
            vault.erase(vault.plan_erasure(id=id))
        report = vault.import_(tmp_path / "before.jsonl")
        assert dict(report.refused)["rejected-value"] >= 1
        assert CODE not in str(texts(vault, "Ria locker code", k=50))
        assert texts(vault, BESIDE) == [BESIDE]


def test_field_61_no_file_of_a_vault_holds_what_was_erased(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    with muniment.open(home / "vault.db") as vault:
        text = f"{SECRETIVE}. " + "The hall hums all day long. " * 1_800
        vault.ingest(text, source="handbook")
        vault.remember(SECRETIVE)
        vault.settle()
    held = b"".join(path.read_bytes() for path in home.rglob("*") if path.is_file())
    assert CODE.encode() in held
    with muniment.open(home / "vault.db") as vault:
        certificate = vault.erase(vault.plan_erasure(text=SECRETIVE))
        assert certificate.status == "storage-complete"
    left = b"".join(path.read_bytes() for path in home.rglob("*") if path.is_file())
    assert CODE.encode() not in left and b"hums all day" in left


def test_field_62_what_is_not_there_is_said_by_every_verb_that_takes_out(vault: Vault) -> None:
    nobody = "m_" + "0" * 26
    for verb in (vault.retract, vault.reject, vault.retire, vault.revive):
        assert verb(nobody).reason == "no-match", verb.__name__
    with pytest.raises(muniment.MunimentError) as raised:
        vault.plan_erasure(id=nobody)
    assert raised.value.code == "not-found"
    assert vault.decide("c_" + "0" * 26, "keep-old").refused
    assert vault.memories(states=STATES) == ()


def test_field_89_what_waits_is_in_view_until_somebody_looks(world: World, clock: FakeClock) -> None:
    vault = world.vault
    vault.set_dial("review", "agent")
    agent = vault.acting_as(actor="coder")
    for number in range(3):
        assert agent.remember(f"The quay opens at {number + 6}").verdict == "staged"
    stored(vault.judge(stored(vault.remember("The pass is green")).id, "dispute"))
    clock.advance(days=56)
    again = world.restarted()
    waiting = {check.name: check.sentence for check in again.doctor()}
    assert "3" in waiting["waiting"] and len(again.pending()) == 3 and len(again.cases()) == 1
    for proposal in again.pending():
        stored(again.decline(proposal.id, reason="looked at"))
    assert again.pending() == ()
