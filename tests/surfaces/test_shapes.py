"""Is what clients send read by the table, and is nothing guessed?"""

import pytest
from hypothesis import given
from hypothesis import strategies as some

from muniment.errors import BadInput
from muniment.surfaces.mcp.core import READ as READ_FORM
from muniment.surfaces.mcp.core import RECALL, REMEMBER, REVISE
from muniment.surfaces.shapes import Field, Form, Type, arguments_of, schema_of

FORM = Form(
    example={"text": "x"},
    fields=(
        Field("text", Type.TEXT, "A text.", required=True),
        Field("name", Type.NAME, "A name."),
        Field("pick", Type.CHOICE, "One of two.", default="a", choices=("a", "b")),
        Field("count", Type.WHOLE, "A number.", default=5),
        Field("flag", Type.FLAG, "Yes or no."),
        Field("tags", Type.TEXTS, "Texts."),
    ),
)


def read(name: str, value: object) -> object:
    return arguments_of(FORM, {"text": "x", name: value}).values[name]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (None, ()),
        ("null", ()),
        (["null"], ()),
        ([], ()),
        ("[]", ()),
        ("", ()),
        ("   ", ()),
        ('["a","b"]', ("a", "b")),
        (' ["a", "b"] ', ("a", "b")),
        (["a", "b"], ("a", "b")),
        (["decision", "decision"], ("decision",)),
        ("a,b", ("a,b",)),
        (["a,b"], ("a,b",)),
        ("test", ("test",)),
        ('"test"', ('"test"',)),
        ("[draft] notes", ("[draft] notes",)),
        ("5", ("5",)),
        ("true", ("true",)),
        ('{"a": 1}', ('{"a": 1}',)),
        (["null", "a"], ("null", "a")),
        ("日本", ("日本",)),
    ],
)
def test_a_list_is_read_by_the_table(value: object, expected: tuple[str, ...]) -> None:
    assert read("tags", value) == expected


@pytest.mark.parametrize(
    "value",
    [
        5,
        True,
        {"a": 1},
        [5, None],
        [None],
        ["a", 5],
        ["a", ""],
        [["a"]],
        "[5]",
        '[["a"]]',
        [" "],
    ],
)
def test_a_list_with_anything_else_in_it_is_refused_and_never_dropped(value: object) -> None:
    with pytest.raises(BadInput, match="`tags` is not a list of texts"):
        read("tags", value)


def test_a_list_nested_beyond_reason_is_one_text() -> None:
    deep = "[" * 100_000
    assert read("tags", deep) == (deep,)


@pytest.mark.parametrize(
    "text", ["null", '{"a": null}', "[1, 2]", "true", "5", "", " x ", '"', "\\u0000", "𝕏\n"]
)
def test_a_text_that_looks_like_something_else_stays_as_it_is(text: str) -> None:
    assert arguments_of(FORM, {"text": text}).text("text") == text


@given(some.text())
def test_any_text_stays_as_it_is(text: str) -> None:
    assert arguments_of(FORM, {"text": text}).text("text") == text


@pytest.mark.parametrize(
    ("value", "word"), [(5, "number"), (True, "true"), ({"a": 1}, "object"), (["a"], "list"), (0.5, "number")]
)
def test_a_text_that_came_as_something_else_is_refused_with_what_it_came_as(value: object, word: str) -> None:
    with pytest.raises(BadInput, match=f"`text` is not a text.*{word}"):
        arguments_of(FORM, {"text": value})


@pytest.mark.parametrize(
    ("value", "expected"),
    [("5", 5), (" 12 ", 12), (7, 7), (7.0, 7), ("-1", -1), (None, 5), ("null", 5), ("", 5)],
)
def test_a_number_is_read_by_the_table(value: object, expected: int) -> None:
    assert read("count", value) == expected


@pytest.mark.parametrize(
    "value", [True, "five", "5.5", 5.5, float("inf"), float("nan"), [5], "1" * 30, 1e300]
)
def test_what_is_no_whole_number_is_refused(value: object) -> None:
    with pytest.raises(BadInput, match="`count`"):
        read("count", value)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("true", True),
        ("True", True),
        ("false", False),
        (True, True),
        (None, False),
        ("null", False),
        ("", False),
    ],
)
def test_a_flag_is_read_by_the_table(value: object, expected: bool) -> None:
    assert read("flag", value) is expected


@pytest.mark.parametrize("value", ["yes", 1, 0, [True]])
def test_what_is_no_flag_is_refused(value: object) -> None:
    with pytest.raises(BadInput, match="`flag`"):
        read("flag", value)


@pytest.mark.parametrize(
    ("value", "expected"), [(None, ""), ("null", ""), ("", ""), ("x/y", "x/y"), ("Null", "Null")]
)
def test_a_name_called_null_is_not_given(value: object, expected: str) -> None:
    assert read("name", value) == expected


@pytest.mark.parametrize(("value", "expected"), [(None, "a"), ("null", "a"), ("", "a"), ("b", "b")])
def test_a_choice_left_out_is_its_default(value: object, expected: str) -> None:
    assert read("pick", value) == expected


def test_a_choice_that_is_none_names_the_choices() -> None:
    with pytest.raises(BadInput, match="`pick` is not 'c'") as caught:
        read("pick", "c")
    assert "a, b" in caught.value.advice


def test_nothing_given_names_the_missing_field_once() -> None:
    with pytest.raises(BadInput) as caught:
        arguments_of(FORM, {})
    assert caught.value.sentence == "`text` is missing."
    assert caught.value.advice.count("text") == 1


@pytest.mark.parametrize("value", [None, "absent"])
def test_a_required_text_that_is_null_is_missing_and_one_that_is_blank_is_not(value: object) -> None:
    raw = {} if value == "absent" else {"text": value}
    with pytest.raises(BadInput, match="missing"):
        arguments_of(FORM, raw)
    assert arguments_of(FORM, {"text": ""}).text("text") == ""


def test_an_unknown_name_is_refused_with_the_names_that_are_there() -> None:
    with pytest.raises(BadInput, match="`tag` is no argument") as caught:
        arguments_of(FORM, {"text": "x", "tag": "a"})
    assert "tags" in caught.value.advice


def test_a_wrong_name_and_the_gap_it_leaves_are_named_in_one_sentence() -> None:
    with pytest.raises(BadInput) as caught:
        arguments_of(FORM, {"content": "x"})
    assert caught.value.sentence == "`content` is no argument of this call and `text` is missing."
    with pytest.raises(BadInput) as caught:
        arguments_of(Form(fields=(), example={}), {"content": "x"})
    assert caught.value.advice == "It takes no arguments."


def test_a_hundred_unknown_names_make_a_short_sentence() -> None:
    with pytest.raises(BadInput) as caught:
        arguments_of(FORM, {"x" * 500 + str(number): 1 for number in range(100)})
    assert len(caught.value.sentence) < 400


def test_every_default_of_a_schema_reads_as_not_given() -> None:
    for form in (REMEMBER, RECALL, FORM):
        properties = schema_of(form)["properties"]
        assert isinstance(properties, dict)
        defaults = {name: one["default"] for name, one in properties.items() if "default" in one}
        assert defaults
        needed = {one.name: "x" for one in form.fields if one.required}
        assert arguments_of(form, needed | defaults).given == frozenset(needed)


@pytest.mark.parametrize(
    ("raw", "sentence"),
    [
        ({"id": "m", "action": "correct"}, "`action` correct needs `text` or `value`."),
        ({"id": "m", "action": "support"}, "`action` support needs `evidence`."),
        ({"id": "m", "action": "retract", "text": "x"}, "`text` cannot go with `action` retract."),
        (
            {"id": "m", "action": "dispute", "text": "x", "valid_from": "now"},
            "`text` and `valid_from` cannot go with `action` dispute.",
        ),
        ({"id": "m"}, "`action` is missing."),
        ({"id": "null", "action": "null"}, "`id` and `action` are missing."),
    ],
)
def test_what_an_action_needs_and_takes_is_one_table(raw: dict[str, object], sentence: str) -> None:
    with pytest.raises(BadInput) as caught:
        arguments_of(REVISE, raw)
    assert caught.value.sentence == sentence


def test_an_action_with_what_it_needs_passes() -> None:
    for case in REVISE.cases.values():
        assert arguments_of(REVISE, case.example).given >= {"id", "action"}


def test_a_moment_goes_with_then_and_with_nothing_else() -> None:
    assert arguments_of(READ_FORM, {"id": "m", "mode": "then", "when": "3d"}).text("when") == "3d"
    with pytest.raises(BadInput, match="`when` cannot go with `mode` now"):
        arguments_of(READ_FORM, {"id": "m", "when": "3d"})
    with pytest.raises(BadInput, match="`mode` then needs `when` or `known_at`"):
        arguments_of(READ_FORM, {"id": "m", "mode": "then"})


def test_an_example_fits_the_case_that_was_meant() -> None:
    assert REVISE.example_for({"action": "retract"})["action"] == "retract"
    assert REVISE.example_for({"action": ["odd"]}) == REVISE.example
    assert RECALL.example_for({}) == RECALL.example


@pytest.mark.parametrize("digits", [9, 13, 18])
def test_a_position_of_a_long_vault_is_a_whole_number_in_a_text_too(digits: int) -> None:
    """Rows are numbered from a tenant's own beginning on, beyond nine digits."""
    number = 10**digits - 1
    assert read("count", str(number)) == read("count", number) == number
    with pytest.raises(BadInput):
        read("count", "9" * 19)
