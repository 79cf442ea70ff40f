"""Is a form one table: its schema, its defaults, its cases and its words for what came instead?"""

import json
from collections.abc import Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from muniment.errors import BadInput
from muniment.surfaces.mcp import core
from muniment.surfaces.mcp.server import TOOLSETS
from muniment.surfaces.shapes import Arguments, Case, Field, Form, Type, Value, arguments_of, schema_of

FORMS = {name: tool.form for tools in TOOLSETS.values() for name, tool in tools.items()}
NEUTRAL: dict[Type, Value] = {
    Type.TEXT: "",
    Type.NAME: "",
    Type.CHOICE: "",
    Type.WHOLE: 0,
    Type.FLAG: False,
    Type.TEXTS: (),
    Type.OBJECTS: (),
}
JSON_TYPES = {
    Type.TEXT: "string",
    Type.NAME: "string",
    Type.CHOICE: "string",
    Type.WHOLE: "integer",
    Type.FLAG: "boolean",
    Type.TEXTS: "array",
    Type.OBJECTS: "array",
}
PYTHON = {"string": str, "integer": int, "boolean": bool, "array": list}


def form(*fields: Field, **more: object) -> Form:
    return Form(fields, more.pop("example", {}), **more)


@pytest.mark.parametrize("type", Type)
def test_a_field_that_is_not_given_is_neutral(type: Type) -> None:
    one = Field("a", type, "A thing.", choices=("x",) if type is Type.CHOICE else ())
    assert one.neutral == NEUTRAL[type]
    assert Field("a", type, "A thing.", default="x").neutral == "x"


@pytest.mark.parametrize(
    ("type", "default"), [(Type.WHOLE, 0), (Type.FLAG, False), (Type.TEXT, ""), (Type.TEXTS, ())]
)
def test_a_default_of_nothing_is_still_a_default(type: Type, default: Value) -> None:
    found = Field("a", type, "A thing.", default=default).neutral
    assert found == default and found is not None


@pytest.mark.parametrize("type", Type)
def test_a_field_has_one_plain_json_type(type: Type) -> None:
    schema = schema_of(
        form(Field("a", type, "What it is.", choices=("x", "y") if type is Type.CHOICE else ()))
    )
    (found,) = schema["properties"].values()
    assert found["type"] == JSON_TYPES[type]
    assert found["description"] == "What it is."
    assert ("items" in found) is (type in (Type.TEXTS, Type.OBJECTS))
    assert found.get("enum") == (["x", "y"] if type is Type.CHOICE else None)


def test_a_required_field_has_no_default_and_the_others_have_one() -> None:
    schema = schema_of(
        form(Field("a", Type.TEXT, "A.", required=True), Field("b", Type.WHOLE, "B.", default=5))
    )
    assert schema["required"] == ["a"]
    assert "default" not in schema["properties"]["a"]
    assert schema["properties"]["b"]["default"] == 5
    assert schema["additionalProperties"] is False


def test_a_list_has_a_list_as_its_default() -> None:
    schema = schema_of(form(Field("a", Type.TEXTS, "A.", default=("x",)), Field("b", Type.TEXTS, "B.")))
    assert [one["default"] for one in schema["properties"].values()] == [["x"], []]
    json.dumps(schema)


@pytest.mark.parametrize("name", FORMS)
def test_a_tools_schema_is_plain_json_that_every_client_reads(name: str) -> None:
    schema = schema_of(FORMS[name])
    assert json.loads(json.dumps(schema)) == schema
    for one in schema["properties"].values():
        assert set(one) <= {"type", "description", "items", "enum", "default"}
        assert isinstance(one["type"], str)
        assert one["description"].strip()
        if "default" in one:
            assert type(one["default"]) is PYTHON[one["type"]]
        if "enum" in one and "default" in one:
            assert one["default"] in one["enum"]


@pytest.mark.parametrize("name", FORMS)
def test_a_tools_example_is_a_call_that_is_taken(name: str) -> None:
    found = FORMS[name]
    for example in (found.example, *(case.example for case in found.cases.values())):
        assert arguments_of(found, example)


@pytest.mark.parametrize("name", FORMS)
def test_a_tools_fields_have_names_of_their_own_and_its_cases_name_them(name: str) -> None:
    found = FORMS[name]
    names = [one.name for one in found.fields]
    assert len(set(names)) == len(names)
    for case in found.cases.values():
        assert {*case.needs, *case.one_of, *case.may, *case.example} <= set(names)
    assert set(found.always) <= set(names)


@pytest.mark.parametrize("name", [name for name, found in FORMS.items() if found.chooses])
def test_every_choice_has_a_case_and_every_case_is_a_choice(name: str) -> None:
    found = FORMS[name]
    (choosing,) = (one for one in found.fields if one.name == found.chooses)
    assert set(choosing.choices) == set(found.cases)
    for chosen, case in found.cases.items():
        assert case.example.get(found.chooses, choosing.neutral) == chosen


@pytest.mark.parametrize("name", [name for name, found in FORMS.items() if found.chooses])
def test_a_case_refuses_each_field_that_is_not_its_own(name: str) -> None:
    found = FORMS[name]
    samples = {Type.TEXT: "x", Type.NAME: "x", Type.WHOLE: 4, Type.FLAG: True, Type.TEXTS: ["x"]}
    samples[Type.OBJECTS] = [{"text": "x"}]
    for case in found.cases.values():
        own = {found.chooses, *found.always, *case.needs, *case.one_of, *case.may}
        for one in found.fields:
            if one.name in own or one.required or one.type is Type.CHOICE:
                continue
            with pytest.raises(BadInput, match=f"`{one.name}` cannot go with"):
                arguments_of(found, {**case.example, one.name: samples[one.type]})


SHOP = Form(
    fields=(
        Field("act", Type.CHOICE, "What.", choices=("buy", "sell", "look"), default="look"),
        Field("what", Type.NAME, "Which thing."),
        Field("price", Type.WHOLE, "For how much."),
        Field("to", Type.NAME, "To whom."),
        Field("by", Type.NAME, "By whom."),
        Field("note", Type.TEXT, "A note."),
    ),
    example={"act": "look"},
    chooses="act",
    cases={
        "buy": Case(example={"act": "buy", "what": "tea"}, needs=("what",), may=("price",)),
        "sell": Case(example={"act": "sell"}, needs=("what", "price"), one_of=("to", "by")),
        "look": Case(example={"act": "look"}),
    },
    always=("note",),
)


@pytest.mark.parametrize(
    "raw",
    [
        {},
        {"act": "look", "note": "x"},
        {"act": "buy", "what": "tea"},
        {"act": "buy", "what": "tea", "price": 3, "note": "x"},
        {"act": "sell", "what": "tea", "price": 3, "to": "ada"},
        {"act": "sell", "what": "tea", "price": 3, "to": "ada", "by": "bo"},
    ],
)
def test_a_call_with_what_its_case_takes_is_taken(raw: dict[str, object]) -> None:
    assert arguments_of(SHOP, raw).given >= set(raw) - {"act"}


@pytest.mark.parametrize(
    ("raw", "sentence"),
    [
        ({"what": "tea"}, "`what` cannot go with `act` look."),
        ({"act": "buy"}, "`act` buy needs `what`."),
        ({"act": "buy", "what": "null"}, "`act` buy needs `what`."),
        ({"act": "buy", "what": "tea", "to": "ada"}, "`to` cannot go with `act` buy."),
        ({"act": "sell"}, "`act` sell needs `what` and `price`."),
        ({"act": "sell", "what": "tea", "price": 0, "to": "a"}, "`act` sell needs `price`."),
        ({"act": "sell", "what": "tea", "price": 3}, "`act` sell needs `to` or `by`."),
        (
            {"act": "buy", "what": "tea", "to": "a", "by": "b"},
            "`to` and `by` cannot go with `act` buy.",
        ),
    ],
)
def test_a_call_without_it_is_told_in_one_sentence(raw: dict[str, object], sentence: str) -> None:
    with pytest.raises(BadInput) as caught:
        arguments_of(SHOP, raw)
    assert caught.value.sentence == sentence


def test_what_a_case_does_not_take_may_be_sent_when_it_says_nothing() -> None:
    """Clients fill in every default of a schema; that is no wish of theirs."""
    arguments = arguments_of(SHOP, {"act": "look", "what": "", "price": 0, "to": None, "by": "null"})
    assert arguments.given <= {"act"}


def test_arguments_are_read_by_their_type() -> None:
    values = {"a": "x", "b": 3, "c": True, "d": ("x", "y"), "e": False}
    arguments = Arguments(values, frozenset())
    assert (arguments.text("a"), arguments.whole("b"), arguments.flag("c")) == ("x", 3, True)
    assert (arguments.texts("d"), arguments.flag("e")) == (("x", "y"), False)
    assert arguments.texts("a") == ()
    assert not arguments.flag("b")
    with pytest.raises(KeyError):
        arguments.text("absent")


def test_the_arguments_of_a_call_cannot_be_changed() -> None:
    arguments = arguments_of(SHOP, {})
    with pytest.raises(TypeError):
        arguments.values["what"] = "x"


@pytest.mark.parametrize(
    ("value", "word"),
    [
        (True, "true or false"),
        (5, "a number"),
        (5.5, "a number"),
        ([], "a list"),
        ({}, "an object"),
        (object(), "something else"),
    ],
)
def test_what_a_text_came_as_is_named(value: object, word: str) -> None:
    with pytest.raises(BadInput, match=f"it came as {word}"):
        arguments_of(core.RECALL, {"query" if "query" in core.RECALL.example else "question": value})


@pytest.mark.parametrize("count", [1, 2, 4, 5, 30])
def test_at_most_four_faults_are_named_in_one_sentence(count: int) -> None:
    with pytest.raises(BadInput) as caught:
        arguments_of(SHOP, {f"odd{number}": 1 for number in range(count)})
    assert caught.value.sentence.count("is no argument") == min(count, 4)


ANY = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=2),
    max_leaves=4,
)


@settings(max_examples=60)
@given(st.dictionaries(st.sampled_from(["act", "what", "price", "to", "by", "note", "odd"]), ANY, max_size=5))
def test_any_call_is_read_or_refused_with_one_sentence_and_never_fails(raw: Mapping[str, object]) -> None:
    try:
        arguments = arguments_of(SHOP, raw)
    except BadInput as refused:
        assert refused.sentence.endswith(".")
        assert len(refused.sentence) < 400
        return
    assert set(arguments.values) == {one.name for one in SHOP.fields}
    for one in SHOP.fields:
        assert isinstance(arguments.values[one.name], type(NEUTRAL[one.type]))


LISTED = Form((Field("rows", Type.OBJECTS, "Rows."),), {})


@pytest.mark.parametrize("value", [[{"a": 1}], '[{"a": 1}]', ['{"a": 1}'], {"a": 1}, '{"a": 1}'])
def test_a_list_of_objects_is_read_in_each_form(value: object) -> None:
    assert arguments_of(LISTED, {"rows": value}).objects("rows") == ({"a": 1},)


@pytest.mark.parametrize("value", [None, "", "null", [], "[]"])
def test_no_objects_is_not_given(value: object) -> None:
    found = arguments_of(LISTED, {"rows": value})
    assert found.objects("rows") == ()
    assert "rows" not in found.given


@pytest.mark.parametrize("value", [["a"], [{"a": 1}, "b"], [{}], 4, True, ["{"], "{", [["a"]], ["[1]"]])
def test_what_is_no_list_of_objects_is_refused_with_a_list(value: object) -> None:
    with pytest.raises(BadInput, match="is not a list of objects"):
        arguments_of(LISTED, {"rows": value})


def test_texts_and_objects_are_told_apart() -> None:
    found = arguments_of(LISTED, {"rows": [{"a": 1}]})
    assert found.texts("rows") == ()
    words = arguments_of(Form((Field("words", Type.TEXTS, "Words."),), {}), {"words": ["a"]})
    assert (words.texts("words"), words.objects("words")) == (("a",), ())
