"""Does evidence stay word for word, with the label that its role and its source give it?"""

from collections.abc import Iterator
from dataclasses import FrozenInstanceError, fields, replace
from itertools import product
from pathlib import Path

import pytest

from muniment.domain.evidence import Arrival, BadLine, Evidence, EvidenceKind, Role, Span, TurnState
from muniment.domain.intent import Take
from muniment.domain.label import DataClass, Label
from muniment.errors import BadInput
from muniment.service.conversations import TakeReport, own_label, take
from muniment.service.vault import Vault
from tests.builders import START, CountingIds, FakeClock, reference_vault
from tests.domain.samples import ROWS, RowCode

ITEM = Arrival("talk", "line-1", Role.USER, "Ada", "The quay opens at six")


@pytest.fixture
def vault(tmp_path: Path) -> Iterator[Vault]:
    made = reference_vault(tmp_path, clock=FakeClock(), ids=CountingIds())
    yield made
    made.close()


def taken(vault: Vault, *arrivals: Arrival, space: str = "home", source: str = "") -> TakeReport:
    return take(vault.ground, Take(vault.principal, space, arrivals, source))


@pytest.mark.parametrize(("role", "untrusted"), list(product(Role, [None, False, True])))
def test_a_tool_result_is_untrusted_whatever_is_said_and_others_as_said(
    role: Role, untrusted: bool | None
) -> None:
    expected = role is Role.TOOL_RESULT or untrusted is True
    assert own_label(replace(ITEM, role=role, untrusted=untrusted)).untrusted is expected


@pytest.mark.parametrize(
    ("data_class", "label"),
    [
        ("", DataClass.PRIVATE),
        ("private", DataClass.PRIVATE),
        ("public", DataClass.PUBLIC),
        ("SECRET", DataClass.SECRET),
    ],
)
def test_a_source_may_name_the_class_and_private_is_what_it_does_not_name(
    data_class: str, label: DataClass
) -> None:
    assert own_label(replace(ITEM, data_class=data_class)) == Label(label)


@pytest.mark.parametrize("data_class", ["topsecret", " private", "0", "PRIVATE\n"])
def test_a_class_that_does_not_exist_is_refused(vault: Vault, data_class: str) -> None:
    with pytest.raises(BadInput, match="public, private or secret"):
        taken(vault, replace(ITEM, data_class=data_class))
    assert vault.sessions() == ()


@pytest.mark.parametrize(
    "text", ["", " \n\t ", "Zoe\u0301", "\U0001f375" * 3, "<<end>>", "x" * 5_000, "{}", "# a\n- b"]
)
def test_a_text_is_kept_as_it_came(vault: Vault, text: str) -> None:
    (id,) = taken(vault, replace(ITEM, text=text)).evidence
    assert vault.read(id).text == text


@pytest.mark.parametrize(
    ("text", "kept", "replaced"),
    [
        ("a\0b", "a\ufffdb", 1),
        ("\ud800\udfff", "\ufffd\ufffd", 2),
        ("a\ufffdb", "a\ufffdb", 0),
        ("a\r\nb\rc", "a\nb\nc", 0),
    ],
)
def test_what_cannot_be_kept_is_replaced_and_counted(
    vault: Vault, text: str, kept: str, replaced: int
) -> None:
    report = taken(vault, replace(ITEM, text=text))
    assert report.replaced == replaced
    assert vault.read(report.evidence[0]).text == kept


def test_the_same_origin_of_a_session_is_taken_once(vault: Vault) -> None:
    assert taken(vault, ITEM, ITEM).added == 1
    again = taken(vault, ITEM, replace(ITEM, text="other words"))
    assert (again.added, again.skipped, again.record) == (0, 2, -1)


@pytest.mark.parametrize(
    "other",
    [
        replace(ITEM, origin="line-2"),
        replace(ITEM, session="talk-2"),
        replace(ITEM, session="talkline", origin="-1"),
        replace(ITEM, origin=""),
    ],
)
def test_another_origin_or_session_is_another_item(vault: Vault, other: Arrival) -> None:
    taken(vault, ITEM)
    assert taken(vault, other).added == 1


def test_another_space_has_origins_of_its_own(vault: Vault) -> None:
    taken(vault, ITEM)
    assert taken(vault, ITEM, space="elsewhere").added == 1


def test_an_item_without_an_origin_is_taken_each_time(vault: Vault) -> None:
    nameless = replace(ITEM, origin="")
    assert taken(vault, nameless, nameless).added == 2
    assert taken(vault, nameless).added == 1


@pytest.mark.parametrize(
    ("role", "state", "found"),
    [
        (Role.USER, TurnState.LIVE, True),
        (Role.ASSISTANT, TurnState.LIVE, True),
        (Role.TOOL_CALL, TurnState.LIVE, True),
        (Role.USER, TurnState.ARCHIVED, True),
        (Role.USER, TurnState.REWOUND, False),
        (Role.TOOL_RESULT, TurnState.LIVE, False),
        (Role.SYSTEM, TurnState.LIVE, False),
    ],
)
def test_what_was_said_is_found_and_what_was_taken_back_is_only_kept(
    vault: Vault, role: Role, state: TurnState, found: bool
) -> None:
    (id,) = taken(vault, replace(ITEM, role=role, state=state)).evidence
    assert (id in [hit.id for hit in vault.recall("quay opens").hits]) is found
    assert vault.read(id).text == ITEM.text


def test_a_moment_is_kept_as_the_source_gave_it_and_never_made_up(vault: Vault) -> None:
    dated, undated = taken(vault, replace(ITEM, occurred_at=START), replace(ITEM, origin="line-2")).evidence
    assert vault.read(dated).occurred_at == START
    assert vault.read(undated).occurred_at is None


def test_an_item_that_says_nothing_of_itself_claims_nothing() -> None:
    bare = Arrival("s", "o", Role.NONE, "", "")
    assert (bare.occurred_at, bare.untrusted, bare.parent) == (None, None, "")
    assert (bare.kind, bare.state) == (EvidenceKind.TURN, TurnState.LIVE)
    assert own_label(bare) == Label(DataClass.PRIVATE, False)


@pytest.mark.parametrize("kinds", [EvidenceKind, Role, TurnState], ids=lambda kinds: kinds.__name__)
def test_a_stored_word_is_the_name_in_small_letters(kinds: type) -> None:
    """The words stand in rows and exports, so a renamed member must not rename them."""
    assert [one.value for one in kinds] == [one.name.lower() for one in kinds]


def test_evidence_cannot_be_changed_in_place() -> None:
    item = ROWS[RowCode.EVIDENCE]
    assert isinstance(item, Evidence)
    for each in fields(item):
        with pytest.raises(FrozenInstanceError):
            setattr(item, each.name, None)


def test_a_span_counts_code_points_end_exclusive() -> None:
    text = "\U0001f375 tea at four"
    span = Span(2, 5)
    assert text[span.start : span.end] == "tea"
    assert text.encode()[span.start : span.end] != b"tea"


def test_a_bad_line_is_told_by_its_number_and_reason() -> None:
    assert BadLine(1, "it is not JSON") != BadLine(2, "it is not JSON")
    assert BadLine(1, "it is not JSON") == BadLine(1, "it is not JSON")
