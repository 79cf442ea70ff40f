"""Is a quick value what the plain one would be: held, refused and frozen alike?"""

import json
from dataclasses import FrozenInstanceError, dataclass, field, fields, replace

import pytest

from muniment.domain.memory import Version
from muniment.domain.quick import compact, quick


@quick
@dataclass(frozen=True, slots=True)
class Point:
    x: int
    y: int = 3


@dataclass(frozen=True, slots=True)
class Plain:
    x: int
    y: int = 3


@pytest.mark.parametrize(
    ("given", "named"), [((1,), {}), ((1, 2), {}), ((1,), {"y": 5}), ((), {"y": 5, "x": 4})]
)
def test_a_quick_value_holds_what_a_plain_one_holds(given: tuple[int, ...], named: dict[str, int]) -> None:
    made, plain = Point(*given, **named), Plain(*given, **named)
    assert [getattr(made, one.name) for one in fields(made)] == [
        getattr(plain, one.name) for one in fields(plain)
    ]
    assert made == Point(plain.x, plain.y) and hash(made) == hash(Point(plain.x, plain.y))
    assert replace(made, x=9) == Point(9, plain.y)


@pytest.mark.parametrize(("given", "named"), [((), {}), ((1, 2, 3), {}), ((1,), {"z": 5}), ((1,), {"x": 5})])
def test_a_quick_value_refuses_what_a_plain_one_refuses(
    given: tuple[int, ...], named: dict[str, int]
) -> None:
    for kind in (Point, Plain):
        with pytest.raises(TypeError):
            kind(*given, **named)


def test_a_quick_value_stays_frozen() -> None:
    with pytest.raises(FrozenInstanceError):
        Point(1).x = 2  # type: ignore[misc]  # what is tried is what is forbidden
    assert Point(1).x == 1


def test_its_kind_and_its_annotations_are_its_own() -> None:
    assert Version.__init__.__annotations__["number"] is int
    assert Version.__init__.__qualname__.endswith("Version.__init__")


def test_a_field_made_by_a_factory_is_no_field_of_a_quick_value() -> None:
    @dataclass(frozen=True, slots=True)
    class Made:
        rows: list[int] = field(default_factory=list)

    with pytest.raises(TypeError, match="rows"):
        quick(Made)


def test_a_class_that_inherits_fields_is_not_quick() -> None:
    @dataclass(frozen=True, slots=True)
    class Further(Plain):
        z: int = 0

    with pytest.raises(TypeError):
        quick(Further)
    assert Further(1, z=2).z == 2


def test_what_is_made_after_its_fields_is_not_quick() -> None:
    @dataclass(frozen=True, slots=True)
    class Checked:
        x: int

        def __post_init__(self) -> None:
            assert self.x

    with pytest.raises(TypeError, match="after"):
        quick(Checked)
    assert Checked(1).x == 1


def _spelled(value: object) -> object:
    if isinstance(value, bytes):
        return value.hex()
    raise TypeError("no form")


ENCODERS = (
    json.JSONEncoder(sort_keys=True, separators=(",", ":")),
    json.JSONEncoder(separators=(",", ":"), default=_spelled),
    json.JSONEncoder(separators=(",", ":"), ensure_ascii=False),
)
VALUES = (
    [
        1,
        'a\u2028\U0001f511\ud800 "quoted"\n',
        None,
        True,
        False,
        -0.0,
        1e300,
        [],
        {},
        [[1], {"b": 1, "a": [2]}],
    ],
    {"z": 1, "a": "\u00e9", "m": {"y": None, "b": [1.5]}},
    "plain",
)


@pytest.mark.parametrize("encoder", ENCODERS)
@pytest.mark.parametrize("value", VALUES)
def test_the_compact_spelling_is_the_encoders_own(encoder: json.JSONEncoder, value: object) -> None:
    assert compact(encoder)(value) == encoder.encode(value)


def test_what_has_no_form_is_refused_or_spelled_as_the_encoder_does() -> None:
    assert compact(ENCODERS[1])([b"\x01\xff"]) == '["01ff"]'
    with pytest.raises(TypeError, match="no form"):
        compact(ENCODERS[1])([object()])
    with pytest.raises(TypeError, match="not JSON serializable"):
        compact(ENCODERS[0])([b""])


def test_without_a_compiled_encoder_the_spelling_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json.encoder, "c_make_encoder", None)
    assert compact(ENCODERS[0])(VALUES[1]) == ENCODERS[0].encode(VALUES[1])
