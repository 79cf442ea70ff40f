"""What may a memory leave out?  Everything but the seven methods, and each is then named."""

import inspect
from contextlib import closing
from pathlib import Path

import pytest

from muniment.conformance.adapter import HOME, Cannot, Item, Memory, Slot, Written
from muniment.conformance.asking import items, shown, units, unqualified
from muniment.conformance.catalogue import CATALOGUE, judged
from muniment.conformance.verdict import Outcome

SEVEN = {
    "write",
    "settle",
    "prompt_prefix",
    "forget",
    "run_background_jobs",
    "leak_probes",
    "audit_entries",
}


class Least(Memory):
    """A memory with the seven methods and nothing besides: a list."""

    def __init__(self, place: Path) -> None:
        super().__init__(place)
        self.texts: list[str] = []

    def write(self, text: str, *, space: str = HOME, slot: Slot | None = None, since: str = "") -> Written:
        self.texts.append(text)
        return Written(taken=True)

    def settle(self) -> None: ...

    def prompt_prefix(self, query: str, *, space: str = HOME, k: int = 10) -> str:
        words = set(query.lower().split())
        return "\n".join([text for text in self.texts if words & set(text.lower().split())][:k])

    def forget(self, text: str, *, space: str = HOME) -> None:
        self.texts = [kept for kept in self.texts if text not in kept]

    def run_background_jobs(self) -> None: ...

    def leak_probes(self, text: str) -> dict[str, bool]:
        return {"list": any(text in kept for kept in self.texts)}

    def audit_entries(self) -> tuple[str, ...]:
        return ()


def test_the_seven_methods_and_no_others_must_be_there() -> None:
    assert Memory.__abstractmethods__ == SEVEN
    assert issubclass(Least, Memory)


# How each capability is called, with anything.
ARGUMENTS = {
    "text": "x", "name": "x", "space": "home", "query": "x", "old": "x", "new": "y", "moment": "2026-01-01",
    "tokens": 5, "days": 1.0, "path": Path("x"), "held": "a", "asked": "b", "prompt": "x", "question": "x",
}  # fmt: skip
HAVE_A_DEFAULT = {"close", "read_prompt", "outside_fence", "feed", "paths"}


def capabilities() -> list[str]:
    named = {name for name, _ in inspect.getmembers(Memory, inspect.isfunction) if not name.startswith("_")}
    return sorted(named - SEVEN - HAVE_A_DEFAULT)


@pytest.mark.parametrize("name", capabilities())
def test_a_capability_that_is_left_out_says_what_is_lacking(tmp_path: Path, name: str) -> None:
    method = getattr(Least(tmp_path), name)
    parameters = inspect.signature(method).parameters.values()
    required = {one.name: ARGUMENTS[one.name] for one in parameters if one.default is one.empty}
    with pytest.raises(Cannot) as caught:
        method(**required)
    assert caught.value.what == str(caught.value) != ""


def test_there_are_two_dozen_capabilities() -> None:
    assert len(capabilities()) == 23, capabilities()


def test_a_memory_with_the_seven_methods_alone_can_be_measured(tmp_path: Path) -> None:
    held = []
    for at, id in enumerate(CATALOGUE):
        place = tmp_path / str(at)
        place.mkdir()
        with closing(Least(place)) as memory:
            finding = judged(id, memory)
        assert finding.sentence.startswith(("It ", "Its ", "Nothing ")), finding
        held += [id] if finding.outcome is Outcome.HOLDS else []
    assert held == ["retrieval.k_is_an_upper_bound"]


def test_without_a_fence_every_line_is_an_instruction_and_a_plain_item(tmp_path: Path) -> None:
    memory = Least(tmp_path)
    memory.write("One heron\n\nTwo herons")
    assert memory.outside_fence("a\nb") == "a\nb"
    assert items(memory, "heron") == (Item("One heron"), Item("Two herons"))
    assert units(memory, "heron") == 2
    assert shown(memory, "otter") == ""


def test_an_item_is_unqualified_when_it_is_neither_quoted_nor_marked() -> None:
    plain, quoted, marked = Item("a heron"), Item("a heron", quoted=True), Item("a heron", marked=True)
    assert [one.unqualified for one in (plain, quoted, marked)] == [True, False, False]
    assert unqualified((quoted, marked, plain), "HERON")
    assert not unqualified((quoted, marked), "heron")
    assert not unqualified((plain,), "otter")


def test_a_quotation_is_no_unit_and_a_marked_memory_is_one(tmp_path: Path) -> None:
    class Quoting(Least):
        """Shows its first line as somebody's words, and the second as disputed."""

        def read_prompt(self, prompt: str) -> tuple[Item, ...]:
            first, second = prompt.splitlines()
            return Item(first, quoted=True), Item(second, marked=True)

    memory = Quoting(tmp_path)
    memory.write("The heron said one")
    memory.write("The heron said two")
    assert units(memory, "heron") == 1
    assert units(memory, "said one", query="heron") == 0


def test_what_is_fed_is_written_and_the_one_path_is_writing(tmp_path: Path) -> None:
    memory = Least(tmp_path)
    memory.feed("A source", name="page")
    assert memory.texts == ["A source"]
    assert list(memory.paths()) == ["write"]
    assert memory.paths()["write"]("By path", None, HOME).taken
    assert memory.texts == ["A source", "By path"]
