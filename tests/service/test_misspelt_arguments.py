"""Is an argument that a verb does not take refused, and never dropped?"""

import inspect
from collections.abc import Callable, Iterator

import pytest

from muniment.errors import BadInput
from muniment.service.arguments import ChangeFields, MoveFields, RememberFields, known_fields
from muniment.service.session import Session
from muniment.service.vault import Vault
from tests.builders import stored, texts


def takers(of: type) -> Iterator[str]:
    """Yield the names of the verbs that take arguments by name alone, through a class that lists them."""
    for name, verb in inspect.getmembers(of, inspect.isfunction):
        kinds = [one.kind for one in inspect.signature(verb).parameters.values()]
        if not name.startswith("_") and inspect.Parameter.VAR_KEYWORD in kinds:
            yield name


def called_wrongly(verb: Callable[..., object]) -> None:
    """Call a verb with all that it needs and one argument that nobody takes."""
    given = [
        one for one in inspect.signature(verb).parameters.values() if one.default is inspect.Parameter.empty
    ]
    places = [_fitting(one.name) for one in given if one.kind is inspect.Parameter.POSITIONAL_OR_KEYWORD]
    named = {one.name: "ab" for one in given if one.kind is inspect.Parameter.KEYWORD_ONLY}
    verb(*places, **named, expected_versoin=3)


def _fitting(name: str) -> str:
    return {"act": "dispute", "decision": "keep-old"}.get(name, "m_0")


@pytest.mark.parametrize("name", sorted({*takers(Vault), *takers(Session)}))
def test_fault_a_misspelt_argument_is_dropped_and_its_check_with_it(vault: Vault, name: str) -> None:
    """`expected_versoin=3` overwrote what had changed; `spaec=` asked every space."""
    session = vault.session("talk", agent="coder")
    for holder in (vault, session):
        if hasattr(holder, name):
            with pytest.raises(BadInput, match="expected_versoin|by one thing"):
                called_wrongly(getattr(holder, name))
    assert vault.verify().ok


def test_there_are_such_verbs() -> None:
    assert {"remember", "recall", "revise", "reject", "decide", "approve", "search", "memory"} <= set(
        takers(Vault)
    )
    assert {"remember", "recall", "open", "preview"} <= set(takers(Session))


def test_a_data_class_under_another_name_is_not_taken_for_private(vault: Vault) -> None:
    with pytest.raises(BadInput, match="data_clas"):
        vault.remember("The safe is behind the otter", data_clas="secret")
    assert texts(vault, "safe otter") == []
    assert stored(vault.remember("The safe is behind the otter", data_class="secret"))


def test_what_is_known_passes_and_the_refusal_says_what_that_is() -> None:
    known_fields({}, MoveFields)
    known_fields({"expected_version": 1, "strict": True}, MoveFields)
    known_fields({"tags": ()}, RememberFields)
    with pytest.raises(BadInput, match=r"Not known here: `a`, `tags`\. Known are .*`expected_version`"):
        known_fields({"tags": (), "a": 1, "value": "x"}, ChangeFields)
