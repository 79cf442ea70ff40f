"""What does one conversation keep, may do, and carry from what it has read?"""

from datetime import UTC, datetime, timedelta, timezone

import pytest

from muniment import limits
from muniment.domain.label import PUBLIC, DataClass, Label
from muniment.errors import BadInput, MunimentError, Refusal
from muniment.service.session import Session, TurnGiven
from muniment.service.vault import Vault
from tests.builders import FakeClock, World, acts, stored

ROLES = ("user", "assistant", "tool_call", "tool_result", "system")


@pytest.fixture
def session(vault: Vault) -> Session:
    return vault.session("s-1", agent="coder")


def test_a_session_that_said_nothing_is_not_there(vault: Vault, session: Session) -> None:
    assert session.turns() == ()
    assert session.label == PUBLIC
    assert vault.sessions() == ()
    assert acts(vault) == []


def test_turns_come_back_verbatim_in_order(session: Session, clock: FakeClock) -> None:
    for number, role in enumerate(ROLES):
        session.append(role, f"  text {number}\n\twith spaces  ")
        clock.advance(seconds=1)
    turns = session.turns()
    assert [turn.role for turn in turns] == list(ROLES)
    assert [turn.sequence for turn in turns] == [1, 2, 3, 4, 5]
    assert turns[0].text == "  text 0\n\twith spaces  "


def test_turns_are_read_page_by_page(session: Session) -> None:
    for number in range(5):
        session.append("user", f"turn {number}")
    first = session.turns(limit=2)
    assert [turn.text for turn in first] == ["turn 0", "turn 1"]
    assert [turn.text for turn in session.turns(after=first[-1].sequence, limit=2)] == ["turn 2", "turn 3"]
    assert session.turns(after=5) == ()
    assert session.turns(limit=0) == ()


def test_a_turn_says_when_it_happened(session: Session, clock: FakeClock) -> None:
    summer = datetime(2026, 7, 1, 12, tzinfo=timezone(timedelta(hours=2)))
    session.append("user", "then", at=summer)
    session.append("user", "now")
    then, now = session.turns()
    assert then.at == datetime(2026, 7, 1, 10, tzinfo=UTC)
    assert now.at == clock.now()


@pytest.mark.parametrize(
    ("role", "speaker", "expected"),
    [("user", "", "user"), ("assistant", "", "coder"), ("user", "Ada", "Ada"), ("tool_call", "grep", "grep")],
)
def test_a_turn_says_who_spoke(session: Session, role: str, speaker: str, expected: str) -> None:
    session.append(role, "hm", speaker=speaker)
    assert session.turns()[0].speaker == expected


@pytest.mark.parametrize("role", ["", "User", "human", "TOOL_RESULT", 5, None])
def test_a_role_that_does_not_exist_is_the_callers_mistake(session: Session, role: object) -> None:
    with pytest.raises(BadInput):
        session.append(role, "hm")
    assert session.turns() == ()


@pytest.mark.parametrize("text", [None, 5, b"bytes", ["a"]])
def test_a_text_that_is_none_is_the_callers_mistake(session: Session, text: object) -> None:
    with pytest.raises(BadInput):
        session.append("user", text)


@pytest.mark.parametrize(
    "wrong",
    [
        {"speaker": 5},
        {"data_class": 7},
        {"data_class": "top-secret"},
        {"at": "yesterday-ish"},
        {"at": datetime(2026, 1, 1)},
        {"at": 5},
    ],
    ids=["speaker", "class of a number", "class unknown", "time of words", "time without zone", "a number"],
)
def test_a_wrong_argument_is_named_and_nothing_is_kept(session: Session, wrong: dict[str, object]) -> None:
    with pytest.raises(MunimentError) as caught:
        session.append("user", "hm", **wrong)
    assert caught.value.code in {"bad-input", "bad-time"}
    assert session.turns() == ()


EXCHANGE: list[TurnGiven] = [
    {
        "role": "user",
        "text": "How high is the weir? From now on the gauge is read on Mondays.",
        "speaker": "Ria",
    },
    {"role": "tool_call", "text": "gauge --weir", "speaker": "gauge"},
    {"role": "tool_result", "text": "two metres", "speaker": "gauge"},
    {"role": "assistant", "text": "Two metres.", "data_class": "secret"},
]


def kept(vault: Vault, session: Session) -> tuple[object, ...]:
    """Return what came of the turns of a session: rows, claims, what is found, and the session's label."""
    space = session.principal.home
    rows = [
        (turn.role, turn.speaker, turn.text, turn.sequence, turn.at, turn.label) for turn in session.turns()
    ]
    claims = sorted(
        (hit.text, hit.trust, hit.label) for hit in vault.recall("gauge", space=space, kinds=["fact"]).hits
    )
    found = [hit.text for hit in vault.search("weir", space=space).answer.hits]
    return rows, claims, found, session.label


@pytest.mark.parametrize("clean", [(), ("gauge",)])
def test_turns_that_are_appended_at_once_are_the_turns_that_are_appended_one_by_one(
    vault: Vault, clean: tuple[str, ...]
) -> None:
    together, apart = (
        vault.session("s-1", agent="coder", space=space, clean_tools=clean) for space in ("together", "apart")
    )
    report = together.append_all(EXCHANGE)
    assert (report.added, len(report.evidence), report.sessions) == (4, 4, ("s-1",))
    assert acts(vault).count("take") == 1
    for given in EXCHANGE:
        fields = dict(given)
        apart.append(fields.pop("role"), fields.pop("text"), **fields)
    assert acts(vault).count("take") == 5
    assert kept(vault, together) == kept(vault, apart)
    assert together.label.untrusted is (not clean)


WRONG_TURNS: list[object] = [
    [], "user", None, 5, [5], ["user"], [{"role": "user"}], [{"text": "hm"}], [{"role": "user", "text": 5}],
    [{"role": "human", "text": "hm"}], [{"role": "user", "text": "hm", "sequence": 7}],
    [{"role": "user", "text": "hm", "at": 5}],
]  # fmt: skip


@pytest.mark.parametrize("wrong", WRONG_TURNS, ids=str)
def test_a_wrong_turn_among_others_is_named_and_none_of_them_is_kept(session: Session, wrong: object) -> None:
    good = [{"role": "user", "text": "hm"}]
    given = [*good, *wrong] if isinstance(wrong, list) and wrong else wrong
    with pytest.raises(MunimentError) as caught:
        session.append_all(given)
    assert caught.value.code in {"bad-input", "bad-time"}
    assert session.turns() == ()
    assert session.append_all(good).added == 1


def test_as_many_turns_as_a_batch_holds_are_appended_at_once_and_not_one_more(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "batch_items_max", 3)
    with pytest.raises(BadInput, match="3"):
        session.append_all([{"role": "user", "text": "hm"}] * 4)
    assert session.append_all([{"role": "user", "text": "hm"}] * 3).added == 3


def test_a_turn_of_the_person_among_others_begins_the_count_of_refused_edits_anew(session: Session) -> None:
    def refused() -> bool:
        return session.memory(action="remove", block="memory", old="nothing").stop

    assert [refused() for _ in range(3)] == [False, False, True]
    session.append_all([{"role": "assistant", "text": "I could not."}])
    assert refused()
    session.append_all([{"role": "assistant", "text": "Well."}, {"role": "user", "text": "Go on."}])
    assert not refused()


@pytest.mark.parametrize("name", ["a\x00b", "a\x01b", "a\rb", "a\ud800b", "a\ufffeb"])
def test_fault_names_that_differ_only_in_what_is_not_kept_become_one_session(vault: Vault, name: str) -> None:
    with pytest.raises(BadInput, match="cannot be kept"):
        vault.session(name)
    assert vault.session("a\u200bb").name == "a\u200bb"


@pytest.mark.parametrize("name", ["", "   ", "x" * (limits.name_characters_max + 1), None, 5])
def test_a_session_has_a_name(vault: Vault, name: object) -> None:
    with pytest.raises(BadInput):
        vault.session(name)
    assert vault.session("x" * limits.name_characters_max).turns() == ()


def test_two_holders_of_one_name_hold_one_session(vault: Vault) -> None:
    vault.session("s-1").append("user", "one")
    vault.session("s-1").append("user", "two")
    assert [turn.text for turn in vault.session("s-1").turns()] == ["one", "two"]
    assert len(vault.sessions()) == 1


def test_sessions_of_two_spaces_are_strangers(vault: Vault) -> None:
    vault.session("s-1").append("user", "at home")
    vault.session("s-1", space="acme/eng").append("user", "at work")
    assert [turn.text for turn in vault.session("s-1").turns()] == ["at home"]
    assert [turn.text for turn in vault.session("s-1", space="acme/eng").turns()] == ["at work"]


def test_a_session_of_a_space_that_one_may_not_write_is_refused(vault: Vault) -> None:
    agent = vault.acting_as(actor="coder", space="acme/eng")
    with pytest.raises(BadInput):
        agent.session("s-1", space="acme/law")
    assert agent.session("s-1").append("user", "hm").added == 1


def test_a_session_acts_as_an_agent_even_in_the_owners_hands(vault: Vault, session: Session) -> None:
    """Surfaces that a model drives never act as a person (I15)."""
    first = stored(vault.remember("The ferry leaves at dawn"))
    assert session.principal.role.value == "agent"
    assert session.reject(first.id, reason="no").reason == "person-only"
    assert stored(vault.reject(first.id, reason="no")).verdict == "stored"


def test_what_a_session_remembers_names_the_session(vault: Vault, session: Session) -> None:
    first = stored(session.remember("The ferry leaves at dawn"))
    assert vault.read(first.id).session == "s-1"
    assert vault.read(first.id).author == "coder"


def test_a_tool_result_makes_the_session_untrusted_whatever_is_said(session: Session) -> None:
    session.append("user", "fetch it")
    assert not session.label.untrusted
    session.append("tool_result", "page text", untrusted=False)
    assert session.label.untrusted


def test_a_caller_can_tighten_and_never_loosen(session: Session) -> None:
    session.append("user", "a secret", data_class="secret", untrusted=True)
    assert session.label == Label(DataClass.SECRET, True)
    session.append("user", "public again", data_class="public", untrusted=False)
    assert session.label == Label(DataClass.SECRET, True)
    assert session.turns()[-1].label == Label(DataClass.SECRET, True)


def test_a_sessions_label_is_kept_in_the_vault_and_not_in_the_object(vault: Vault) -> None:
    vault.session("s-1").append("tool_result", "page text")
    assert vault.session("s-1").label.untrusted
    assert not vault.session("s-2").label.untrusted


def test_what_an_untrusted_session_remembers_is_a_candidate(vault: Vault, session: Session) -> None:
    clean = stored(vault.session("s-2").remember("The ferry leaves at dawn"))
    session.append("tool_result", "page text")
    tainted = stored(session.remember("The ferry leaves at noon on feast days"))
    assert vault.read(clean.id).state == "current"
    assert str(vault.read(clean.id).trust) == "believed"
    assert str(vault.read(tainted.id).trust) == "candidate"
    assert vault.read(tainted.id).label.untrusted


def test_an_untrusted_session_changes_nothing_believed(vault: Vault, session: Session) -> None:
    first = stored(vault.remember("The ferry leaves at dawn"))
    session.append("tool_result", "page text")
    assert session.revise(first.id, text="The ferry never leaves", reason="a page").refused
    assert session.retract(first.id, reason="a page").refused
    assert vault.read(first.id).text == "The ferry leaves at dawn"


def test_a_recall_of_a_session_is_on_record_with_its_session(vault: Vault, session: Session) -> None:
    stored(vault.remember("The ferry leaves at dawn"))
    assert session.recall("ferry").hits
    (held,) = vault.sessions()
    assert [row.session for row in vault.recalls()] == [held.n]


def test_a_session_is_made_once_by_its_first_recall(vault: Vault, session: Session) -> None:
    session.recall("anything")
    session.recall("anything else")
    assert acts(vault).count("session") == 1
    assert len(vault.sessions()) == 1


def test_a_turn_with_a_character_that_cannot_be_kept_is_kept_marked(session: Session) -> None:
    """Evidence is never refused for its content."""
    report = session.append("user", "be\ud800ware\x00 of this")
    assert (report.added, report.replaced) == (1, 2)
    assert session.turns()[0].text == "be\ufffdware\ufffd of this"


def test_an_empty_turn_is_kept(session: Session) -> None:
    assert session.append("user", "").added == 1
    assert session.turns()[0].text == ""


def test_a_turn_of_the_longest_text_is_kept_and_a_longer_one_is_not(session: Session) -> None:
    with pytest.raises(BadInput):
        session.append("user", "x" * (limits.evidence_text_characters_max + 1))
    assert session.turns() == ()


def test_turns_of_tools_are_kept_and_not_found(vault: Vault, session: Session) -> None:
    """Tool output and instructions are not what was said."""
    session.append("user", "zebra, said the user")
    session.append("tool_result", "zebra, printed a tool")
    session.append("system", "zebra, ordered the system")
    assert [hit.text for hit in vault.recall("zebra").hits] == ["zebra, said the user"]
    assert len(session.turns()) == 3


def test_an_auditor_holds_no_session_that_writes(vault: Vault) -> None:
    auditor = vault.acting_as(actor="eve", role="auditor")
    with pytest.raises((BadInput, Refusal)):
        auditor.session("s-1").append("user", "hm")
    assert vault.sessions() == ()


def test_a_session_goes_on_after_a_restart(world: World) -> None:
    world.vault.session("s-1").append("tool_result", "before")
    again = world.restarted()
    again.session("s-1").append("user", "after")
    assert [turn.sequence for turn in again.session("s-1").turns()] == [1, 2]
    assert again.session("s-1").label.untrusted
