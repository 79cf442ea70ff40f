"""Do imports and writes go through the doors?  Pure rooms, one way in for changes, no idle bound."""

import ast
import sys
import tomllib
from collections.abc import Iterator

from tests.house import exceptions, source
from tests.house.source import Module

PURE = ("muniment.domain", "muniment.gate", "muniment.recall", "muniment.graph", "muniment.prompt")

# What a pure room may know of the standard library: no clock, no chance, no I/O.
PURE_LIBRARY = frozenset(
    {"__future__", "abc", "base64", "binascii", "bisect", "collections", "contextlib", "copy", "dataclasses"}
    | {
        "datetime",
        "decimal",
        "difflib",
        "enum",
        "fractions",
        "functools",
        "hashlib",
        "html",
        "heapq",
        "hmac",
        "itertools",
    }
    | {
        "itertools",
        "json",
        "math",
        "operator",
        "re",
        "string",
        "struct",
        "textwrap",
        "types",
        "typing",
        "unicodedata",
    }
)


def _tops(module: Module) -> Iterator[tuple[str, int]]:
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            for name in source.imported_names(module, node):
                yield name.split(".")[0], node.lineno


def test_a_pure_room_imports_only_itself_and_plain_library() -> None:
    rooms = [module for module in source.package() if module.within(*PURE)]
    assert len(rooms) > 10, "the pure rooms were not found"
    faults = [
        f"{module.path}:{line}: {top}"
        for module in rooms
        for top, line in _tops(module)
        if top not in PURE_LIBRARY and top != "muniment"
    ]
    assert not faults, "\n".join(faults)


def test_the_pure_library_is_standard() -> None:
    assert sys.stdlib_module_names >= PURE_LIBRARY


def test_a_pure_room_never_asks_the_clock() -> None:
    asked = {"now", "utcnow", "today"}
    faults = [
        f"{module.path}:{node.lineno}"
        for module in source.package()
        if module.within(*PURE)
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in asked
    ]
    assert not faults, "\n".join(faults)


def test_every_import_contract_is_declared() -> None:
    project = tomllib.loads((source.ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = {each["id"]: each for each in project["tool"]["importlinter"]["contracts"]}
    assert set(contracts) >= {"one-way", "concrete-classes", "outer-rooms", "pure-rooms", "strangers"}
    assert contracts["one-way"]["exhaustive"] is True
    assert set(contracts["pure-rooms"]["source_modules"]) == {f"{room}.*" for room in PURE}


def _calls_of_apply(module: Module) -> list[int]:
    return [
        node.lineno
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "apply"
    ]


def test_only_the_service_changes_a_store() -> None:
    outside = {
        module.path: lines
        for module in source.package()
        if not module.within("muniment.service")
        for lines in [_calls_of_apply(module)]
        if lines
    }
    faults = [f"{path}:{lines}" for path, lines in outside.items() if path not in exceptions.APPLY_CALLERS]
    stale = [path for path in exceptions.APPLY_CALLERS if path not in outside]
    assert not faults + stale, "\n".join(faults + stale)


def test_the_service_asks_the_gate_before_it_changes_a_store() -> None:
    """A module that puts a record in the ledger asks the gate, or stands in the table with its reason."""
    writers = {
        module.path
        for module in source.package()
        if module.within("muniment.service") and any(_commits(node) for node in ast.walk(module.tree))
    }
    assert len(writers) > 5, "the writers of the service were not found"
    unjudged = {
        module.path
        for module in source.package()
        if module.path in writers and not any(_judges(node) for node in ast.walk(module.tree))
    }
    assert unjudged == set(exceptions.UNJUDGED), f"ungated or stale: {unjudged ^ set(exceptions.UNJUDGED)}"


def _commits(node: ast.AST) -> bool:
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return False
    return node.func.attr in ("commit", "apply") and not ast.unparse(node.func).startswith("session.")


def _judges(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and ast.unparse(node.func).split(".")[-1] in ("judge", "allowed")


def _constants(module: Module) -> Iterator[str]:
    for node in module.tree.body:
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        yield from (each.id for each in targets if isinstance(each, ast.Name))


def test_every_bound_is_read_somewhere() -> None:
    bounds = next(module for module in source.package() if module.name == "muniment.limits")
    names = set(_constants(bounds))
    assert len(names) > 10, "the bounds were not found"
    read: set[str] = set()
    for module in source.package():
        for node in ast.walk(module.tree):
            if isinstance(node, ast.Attribute):
                read.add(node.attr)
            elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
                read.add(node.id)
    idle = sorted(names - read)
    assert not idle, "nothing reads these bounds: " + ", ".join(idle)
