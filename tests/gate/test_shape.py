"""Is a request refused for being empty, half given, too long or turned around, by its part?"""

from dataclasses import replace

import pytest

from muniment import limits
from muniment.domain.intent import Source, Times
from muniment.domain.label import DataClass, Label
from muniment.domain.link import LinkType
from muniment.domain.memory import Claim
from muniment.domain.trust import Act
from muniment.gate.destination import refuse_bad_characters, refuse_bad_destination
from muniment.gate.shape import refuse_bad_shape
from muniment.gate.verdict import BadCharacter, Reason
from tests.gate.builders import DAY, HOME, NOW, act, change, connect, known, lift, remember, span, version

LONG_TEXT = "x" * limits.memory_text_characters_max
LONG_NAME = "x" * limits.name_characters_max
LONG_REASON = "x" * limits.reason_characters_max


def _reason(intent: object, **fields: object) -> Reason | None:
    verdict = refuse_bad_shape(intent, known(**fields))
    return None if verdict is None else verdict.reason


@pytest.mark.parametrize("text", ["", " ", "\n\t", "\u3000"])
def test_a_text_that_says_nothing_is_empty(text: str) -> None:
    assert _reason(remember(text)) is Reason.EMPTY
    assert _reason(remember(f"{text}x")) is None


def test_every_text_has_its_bound_and_the_bound_itself_fits() -> None:
    assert _reason(remember(LONG_TEXT)) is None
    assert _reason(remember(LONG_TEXT + "x")) is Reason.TOO_LONG
    for part in ("about", "attribute", "value"):
        whole = Claim("It is", "a", "b", "c")
        assert _reason(remember(replace(whole, **{part: LONG_NAME}))) is None
        verdict = refuse_bad_shape(remember(replace(whole, **{part: LONG_NAME + "x"})), known())
        assert verdict is not None and verdict.reason is Reason.TOO_LONG
        assert part in verdict.detail and "x" * 10 not in verdict.detail


@pytest.mark.parametrize(
    ("claim", "fits"),
    [
        (Claim("t", "about", "attribute"), True),
        (Claim("t", "about", "attribute", "value"), True),
        (Claim("t", "about", ""), False),
        (Claim("t", "", "attribute"), False),
        (Claim("t", "about", "  "), False),
        (Claim("t", "", "", "value"), False),
    ],
)
def test_about_and_attribute_come_together_and_a_value_with_them(claim: Claim, fits: bool) -> None:
    assert _reason(remember(claim)) is (None if fits else Reason.BAD_SHAPE)


def test_an_interval_may_be_empty_but_not_turned_around() -> None:
    assert _reason(remember(valid_from=NOW, valid_until=NOW)) is None
    assert _reason(remember(valid_from=NOW, valid_until=NOW + DAY)) is None
    assert _reason(remember(valid_from=NOW, valid_until=NOW - DAY)) is Reason.BAD_SHAPE


def test_an_end_alone_is_compared_with_where_the_interval_will_begin() -> None:
    assert _reason(remember(valid_until=NOW - DAY)) is Reason.BAD_SHAPE
    assert _reason(remember(valid_until=NOW - DAY), occurred=NOW - 2 * DAY) is None
    assert _reason(remember(valid_until=NOW + DAY)) is None


def test_a_revision_keeps_the_end_that_it_does_not_give() -> None:
    target = version(valid=span(-10, -2))
    ends = change(text="", times=Times(valid_until=NOW - 5 * DAY))
    assert _reason(ends, target=target) is None
    assert (
        _reason(change(text="", times=Times(valid_until=NOW - 11 * DAY)), target=target) is Reason.BAD_SHAPE
    )
    assert _reason(change(text="", times=Times(valid_from=NOW - DAY)), target=target) is Reason.BAD_SHAPE
    assert _reason(change(text="", times=Times(valid_from=NOW - 3 * DAY)), target=target) is None


def test_a_revision_may_give_times_alone_and_a_successor_may_not() -> None:
    assert _reason(change(text=""), target=version()) is Reason.EMPTY
    dated = Times(valid_from=NOW)
    assert _reason(change(text="", times=dated), target=version()) is None
    assert _reason(change("succeed", text="", times=dated), target=version()) is Reason.EMPTY
    assert _reason(change("succeed", times=dated), target=version()) is None


def test_tags_and_sources_are_bounded() -> None:
    most = tuple(f"tag {number}" for number in range(limits.tags_max))
    assert _reason(remember(tags=most)) is None
    assert _reason(remember(tags=(*most, "one more"))) is Reason.TOO_LONG
    assert _reason(remember(tags=(" ",))) is Reason.BAD_SHAPE
    assert _reason(remember(tags=(LONG_NAME + "x",))) is Reason.BAD_SHAPE
    sources = tuple(Source(f"e_{number}") for number in range(limits.evidence_references_max))
    assert _reason(remember(sources=sources)) is None
    assert _reason(remember(sources=(*sources, Source("e_more")))) is Reason.TOO_LONG


@pytest.mark.parametrize(
    "make", [lambda **f: change(**f), lambda **f: act(Act.RETRACT, **f), lambda **f: lift(**f)]
)
def test_a_reason_is_bounded(make: object) -> None:
    assert _reason(make(reason=LONG_REASON), target=version()) is None
    assert _reason(make(reason=LONG_REASON + "x"), target=version()) is Reason.TOO_LONG


@pytest.mark.parametrize(
    ("fields", "fits"),
    [
        ({}, True),
        ({"weight": 0.0}, True),
        ({"weight": -0.01}, False),
        ({"weight": 1.01}, False),
        ({"weight": float("nan")}, False),
        ({"target": "m_a"}, False),
        ({"type": LinkType.SUPERSEDES}, False),
        ({"type": LinkType.CONTRADICTS}, True),
    ],
)
def test_a_link_has_two_ends_a_weight_and_a_type_made_by_hand(fields: dict[str, object], fits: bool) -> None:
    assert _reason(connect(**fields)) is (None if fits else Reason.BAD_SHAPE)


def test_a_space_that_is_not_there_or_takes_no_such_class_is_refused() -> None:
    secret = remember(label=Label(DataClass.SECRET))
    private_only = replace(HOME, class_max=1)
    assert refuse_bad_destination(remember(), known()) is None
    missing = refuse_bad_destination(remember(), known(space=None))
    assert missing is not None and missing.reason is Reason.NO_SUCH_SPACE
    assert refuse_bad_destination(secret, known()) is None
    strict = refuse_bad_destination(secret, known(space=private_only))
    assert strict is not None and strict.reason is Reason.CLASS_TOO_STRICT
    assert refuse_bad_destination(remember(), known(space=private_only)) is None


def test_a_bad_character_is_named_by_part_code_point_and_offset() -> None:
    bad = BadCharacter("text", 0x202E, 7, "direction override")
    verdict = refuse_bad_characters(remember(), known(bad_character=bad))
    assert verdict is not None and verdict.reason is Reason.CHARACTERS
    assert "U+202E at 7" in verdict.detail
    assert refuse_bad_characters(remember(), known()) is None


def test_what_is_too_long_names_its_bound() -> None:
    many = tuple(f"tag {number}" for number in range(limits.tags_max + 1))
    sources = tuple(Source(f"e_{number}") for number in range(limits.evidence_references_max + 1))
    for intent, bound in (
        (remember(LONG_TEXT + "x"), limits.memory_text_characters_max),
        (remember(Claim("It is", "a", "b", LONG_NAME + "x")), limits.name_characters_max),
        (remember(tags=many), limits.tags_max),
        (remember(sources=sources), limits.evidence_references_max),
    ):
        verdict = refuse_bad_shape(intent, known())
        assert verdict is not None and f"{bound + 1:,} of {bound:,} " in verdict.detail
    verdict = refuse_bad_shape(change(reason=LONG_REASON + "x"), known(target=version()))
    assert verdict is not None and f" of {limits.reason_characters_max:,} characters" in verdict.detail
