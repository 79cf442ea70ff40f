"""Does the code stay small?  Budgets as ratchets: an exception is named, bounded and never stale."""

import ast
import re
from collections.abc import Iterator, Mapping

import pytest

from tests.house import exceptions, source
from tests.house.exceptions import Leave
from tests.house.source import Function, Module

CODE = ("src", "tests", "bench", "scripts", ".ci")
REASONED = ("muniment.domain", "muniment.gate", "muniment.recall", "muniment.service")
DOCUMENTED = (*REASONED, "muniment.ports")


def over(measured: Mapping[str, int], *, budget: int, leaves: Mapping[str, Leave]) -> list[str]:
    """Return what breaks a budget or its exception, and every exception that is stale."""
    faults = []
    for key, size in measured.items():
        bound = leaves[key].bound if key in leaves else budget
        if size > bound:
            faults.append(f"{key}: {size}, allowed {bound}")
    for key, leave in leaves.items():
        if key not in measured:
            faults.append(f"{key}: stale exception, it is gone")
        elif measured[key] <= budget:
            faults.append(f"{key}: stale exception, {measured[key]} is within {budget}")
        if len(leave.reason.split()) < 4:
            faults.append(f"{key}: an exception needs a reason")
    return faults


def test_a_budget_finds_what_is_too_big_and_what_is_stale() -> None:
    reason = "one table that reads best as a whole"
    assert over({"a": 5}, budget=5, leaves={}) == []
    assert over({"a": 6}, budget=5, leaves={}) == ["a: 6, allowed 5"]
    assert over({"a": 6}, budget=5, leaves={"a": Leave(6, reason)}) == []
    assert over({"a": 7}, budget=5, leaves={"a": Leave(6, reason)}) == ["a: 7, allowed 6"]
    assert over({"a": 5}, budget=5, leaves={"a": Leave(6, reason)}) != []
    assert over({}, budget=5, leaves={"a": Leave(6, reason)}) == ["a: stale exception, it is gone"]
    assert over({"a": 6}, budget=5, leaves={"a": Leave(6, "")}) == ["a: an exception needs a reason"]


def test_a_module_fits_its_budget() -> None:
    measured = {module.path: module.lines for module in source.modules(*CODE)}
    faults = over(measured, budget=exceptions.MODULE_LINES_MAX, leaves=exceptions.MODULE_LINES)
    assert not faults, "\n".join(faults)


def test_a_function_fits_a_screen() -> None:
    measured = {
        key: (node.end_lineno or node.lineno) - node.lineno + 1
        for module in source.modules(*CODE)
        for key, node in source.functions(module)
    }
    faults = over(measured, budget=exceptions.FUNCTION_LINES_MAX, leaves=exceptions.FUNCTION_LINES)
    assert not faults, "\n".join(faults)


def argument_count(node: Function) -> int:
    """Count what a caller hands over: named ones too, `self` and `cls` not."""
    given = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
    own = 1 if given and given[0].arg in {"self", "cls"} else 0
    return len(given) - own + (node.args.vararg is not None) + (node.args.kwarg is not None)


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("def f(): ...", 0),
        ("def f(self, a, /, b, *, c): ...", 3),
        ("def f(a, *rest, b=1, **more): ...", 4),
    ],
)
def test_named_arguments_count_as_arguments(text: str, count: int) -> None:
    node = ast.parse(text).body[0]
    assert isinstance(node, ast.FunctionDef)
    assert argument_count(node) == count


def test_a_function_takes_at_most_five_arguments() -> None:
    measured = {
        key: argument_count(node) for module in source.package() for key, node in source.functions(module)
    }
    faults = over(measured, budget=exceptions.ARGUMENTS_MAX, leaves=exceptions.ARGUMENTS)
    assert not faults, "\n".join(faults)


def longest_chain(graph: Mapping[str, frozenset[str]]) -> list[str]:
    """Return the longest path of imports; raise when the imports run in a circle."""
    best: dict[str, list[str]] = {}

    def from_here(name: str, above: tuple[str, ...]) -> list[str]:
        if name in above:
            raise AssertionError("imports in a circle: " + " -> ".join((*above, name)))
        if name not in best:
            tails = [from_here(each, (*above, name)) for each in sorted(graph[name])]
            best[name] = [name, *max(tails, key=len, default=[])]
        return best[name]

    return max((from_here(name, ()) for name in sorted(graph)), key=len, default=[])


def test_the_longest_chain_is_found_and_a_circle_is_refused() -> None:
    none: frozenset[str] = frozenset()
    assert longest_chain({"a": frozenset({"b", "c"}), "b": frozenset({"c"}), "c": none}) == ["a", "b", "c"]
    with pytest.raises(AssertionError, match="circle"):
        longest_chain({"a": frozenset({"b"}), "b": frozenset({"a"})})


def _leave_of(name: str) -> int:
    found = [
        leave.bound for room, leave in exceptions.IMPORT_DEPTH.items() if f"{name}.".startswith(f"{room}.")
    ]
    return found[0] if found else exceptions.IMPORT_DEPTH_MAX


def test_imports_are_not_deep_and_never_run_in_a_circle() -> None:
    graph = source.import_graph()
    assert any(graph.values()), "no import was found: the graph is not being read"
    longest_chain(graph)
    deep = []
    for name in graph:
        below = {each: graph[each] for each in _reached(graph, name)}
        chain = longest_chain(below)
        if len(chain) - 1 > _leave_of(name):
            deep.append(f"{len(chain) - 1}: " + " -> ".join(chain))
    assert not deep, "\n".join(deep)


def _reached(graph: Mapping[str, frozenset[str]], start: str) -> set[str]:
    seen, waiting = set(), [start]
    while waiting:
        name = waiting.pop()
        if name not in seen:
            seen.add(name)
            waiting += graph[name]
    return seen


def test_no_function_imports_except_the_lazy_commands() -> None:
    faults = [
        f"{key}, line {inner.lineno}"
        for module in source.package()
        if not module.within("muniment.surfaces.cli")
        for key, node in source.functions(module)
        for inner in ast.walk(node)
        if isinstance(inner, ast.Import | ast.ImportFrom)
    ]
    assert not faults, "\n".join(faults)


def is_broad(handler: ast.ExceptHandler) -> bool:
    """Say whether a handler catches whatever comes."""
    if handler.type is None:
        return True
    caught = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return any(ast.unparse(each).split(".")[-1] in {"Exception", "BaseException"} for each in caught)


def test_a_broad_except_stands_only_where_a_surface_answers() -> None:
    found = {
        f"{module.path}:{node.lineno}": module
        for module in source.package()
        for node in ast.walk(module.tree)
        if isinstance(node, ast.ExceptHandler) and is_broad(node)
    }
    paths = {module.path for module in found.values()}
    faults = [
        where
        for where, module in found.items()
        if not module.within("muniment.surfaces") and module.path not in exceptions.BROAD_EXCEPTS
    ]
    stale = [path for path in exceptions.BROAD_EXCEPTS if path not in paths]
    assert not faults + stale, "\n".join(faults + stale)


def test_a_broad_except_is_recognised() -> None:
    def first(text: str) -> ast.ExceptHandler:
        tried = ast.parse(f"try:\n    pass\n{text}:\n    pass").body[0]
        assert isinstance(tried, ast.Try)
        return tried.handlers[0]

    assert is_broad(first("except"))
    assert is_broad(first("except (ValueError, Exception)"))
    assert not is_broad(first("except (ValueError, OSError)"))


def test_no_any_where_the_rules_live() -> None:
    faults = [
        f"{module.path}:{node.lineno}"
        for module in source.package()
        if module.within(*REASONED)
        for node in ast.walk(module.tree)
        if (isinstance(node, ast.Name) and node.id == "Any")
        or (isinstance(node, ast.Attribute) and node.attr == "Any")
        or (isinstance(node, ast.ImportFrom) and any(alias.name == "Any" for alias in node.names))
    ]
    assert not faults, "\n".join(faults)


_MAKES_A_MOCK = frozenset({"Mock", "MagicMock", "AsyncMock", "create_autospec", "mock", "patch"})


def _mocks(module: Module) -> Iterator[ast.Call]:
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Call):
            called = ast.unparse(node.func)
            names = set(called.split("."))
            if names & _MAKES_A_MOCK or called == "monkeypatch.setattr":
                yield node


def test_there_is_hardly_a_mock() -> None:
    suite = source.modules("tests")
    tests = sum(len(source.tests_in(module)) for module in suite)
    mocks = [f"{module.path}:{node.lineno}" for module in suite for node in _mocks(module)]
    assert tests > 0
    assert len(mocks) / tests < exceptions.MOCKS_PER_TEST_MAX, "\n".join(mocks)


def test_there_are_more_lines_of_test_than_of_source() -> None:
    code = sum(module.written_lines for module in source.package())
    tests = sum(module.written_lines for module in source.modules("tests"))
    ratio = tests / code
    assert ratio >= exceptions.TEST_LINES_PER_SOURCE_LINE_MIN, f"{tests} / {code} = {ratio:.2f}"


def _public(tree: ast.AST, above: str = "") -> Iterator[tuple[str, Function | ast.ClassDef]]:
    for node in getattr(tree, "body", []):
        if isinstance(node, Function | ast.ClassDef) and not node.name.startswith("_"):
            yield f"{above}{node.name}", node
            if isinstance(node, ast.ClassDef):
                yield from _public(node, f"{above}{node.name}.")


def test_every_public_name_of_the_inner_rooms_is_documented() -> None:
    faults = []
    for module in source.package():
        if not module.within(*DOCUMENTED):
            continue
        if not ast.get_docstring(module.tree):
            faults.append(f"{module.path}: the file does not say which question it answers")
        for name, node in _public(module.tree):
            first = (ast.get_docstring(node) or "").split("\n\n")[0].strip()
            if not first.endswith((".", "?", ":")):
                faults.append(f"{module.path}::{name}: no docstring, or its first line is no sentence")
    assert not faults, "\n".join(faults)


_LINT_EXCEPTION = re.compile(
    r"#\s*(?:ruff:\s*)?(?:noqa|type:\s*ignore)(?P<codes>:\s*[A-Z]+\d+(?:,\s*[A-Z]+\d+)*|\[[^\]]+\])?(?P<why>.*)"
)


def is_bare(line: str) -> bool:
    """Say whether a line switches a check off without naming it, or without saying why."""
    found = _LINT_EXCEPTION.search(line)
    return found is not None and not (found["codes"] and re.search(r"[A-Za-z]{3}", found["why"]))


def test_a_lint_exception_without_a_reason_is_found() -> None:
    mark, ignore = "# no" + "qa", "# type: ig" + "nore"
    assert is_bare(f"x = 1  {mark}")
    assert is_bare(f"x = 1  {mark}: E501")
    assert is_bare(f"x = 1  {mark} because it is long")
    assert is_bare(f"x = 1  {ignore}[attr-defined]")
    assert not is_bare(f"x = 1  {mark}: E501, F401  the table reads best in one line")
    assert not is_bare(f"x = 1  {ignore}[attr-defined]  # the stubs lack it")
    assert not is_bare("x = 1  # an ordinary comment")


def test_a_lint_exception_carries_its_reason() -> None:
    faults = [
        f"{module.path}:{number}: {line.strip()}"
        for module in source.modules(*CODE)
        for number, line in enumerate(module.text.splitlines(), start=1)
        if is_bare(line)
    ]
    assert not faults, "\n".join(faults)


def test_generated_files_exist_and_say_so() -> None:
    for path, reason in exceptions.GENERATED.items():
        place = source.ROOT / path
        assert place.is_file(), f"{path}: stale exception, it is gone"
        assert "enerated" in place.read_text(encoding="utf-8")[:600], f"{path} does not say it is generated"
        assert reason
