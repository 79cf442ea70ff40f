"""What does the code base consist of?  Read here once, by syntax tree, for every house test."""

import ast
import os
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tests.house.exceptions import GENERATED

ROOT = Path(__file__).resolve().parent.parent.parent
SRC = ROOT / "src"
PACKAGE = SRC / "muniment"

Function = ast.FunctionDef | ast.AsyncFunctionDef

# Left out of a walk when the tree is not a repository (an unpacked distribution).
_MADE_BY_TOOLS = frozenset(
    {".git", ".venv", ".ci-venv", ".ci-report", "build", "dist", "__pycache__", ".mypy_cache"}
    | {".ruff_cache", ".pytest_cache", ".import_linter_cache", ".hypothesis"}
)


@dataclass(frozen=True, slots=True)
class Module:
    """A Python file: its path from the root, its dotted name, text and tree."""

    path: str
    name: str
    text: str
    tree: ast.Module

    @property
    def lines(self) -> int:
        return len(self.text.splitlines())

    @property
    def written_lines(self) -> int:
        """Lines that are not blank."""
        return sum(1 for line in self.text.splitlines() if line.strip())

    def within(self, *packages: str) -> bool:
        """Say whether the module is one of `packages`, or lies inside one."""
        return any(self.name == each or self.name.startswith(f"{each}.") for each in packages)


def _dotted(path: Path) -> str:
    base = SRC if path.is_relative_to(SRC) else ROOT
    parts = list(path.relative_to(base).with_suffix("").parts)
    if parts[-1] == "__init__":
        parts.pop()
    return ".".join(parts)


@cache
def files() -> tuple[str, ...]:
    """Return every file of the project, by its path from the root."""
    if (ROOT / ".git").exists():
        listed = subprocess.run(
            ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"],
            cwd=ROOT,
            capture_output=True,
            check=False,
        )
        if listed.returncode == 0:
            names = listed.stdout.decode().split("\0")
            return tuple(sorted(name for name in names if name and (ROOT / name).is_file()))
    found = []
    for place, inner, names in os.walk(ROOT):
        inner[:] = [name for name in inner if name not in _MADE_BY_TOOLS and not name.endswith(".egg-info")]
        found += [str((Path(place) / name).relative_to(ROOT)) for name in names]
    return tuple(sorted(found))


@cache
def modules(*tops: str) -> tuple[Module, ...]:
    """Return the Python files below the given top directories, generated ones apart."""
    return tuple(
        Module(path=path, name=_dotted(ROOT / path), text=text, tree=ast.parse(text, filename=path))
        for path in files()
        if path.endswith(".py") and path not in GENERATED and path.split("/", 1)[0] in tops
        for text in [(ROOT / path).read_text(encoding="utf-8")]
    )


def package() -> tuple[Module, ...]:
    """Return the modules of `muniment` itself."""
    return modules("src")


def functions(module: Module) -> Iterator[tuple[str, Function]]:
    """Yield every function with its key, `path::Class.name`, nested ones included."""

    def walk(node: ast.AST, above: tuple[str, ...]) -> Iterator[tuple[str, Function]]:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, Function):
                here = (*above, child.name)
                yield f"{module.path}::{'.'.join(here)}", child
                yield from walk(child, here)
            elif isinstance(child, ast.ClassDef):
                yield from walk(child, (*above, child.name))
            else:
                yield from walk(child, above)

    yield from walk(module.tree, ())


def tests_in(module: Module) -> frozenset[str]:
    """Return the names of the tests a file holds: `test_x` and `TestY::test_x`."""
    names = set()
    for node in module.tree.body:
        if isinstance(node, Function) and node.name.startswith("test_"):
            names.add(node.name)
        if isinstance(node, ast.ClassDef) and node.name.startswith("Test"):
            inner = [item.name for item in node.body if isinstance(item, Function)]
            names |= {f"{node.name}::{name}" for name in inner if name.startswith("test_")}
    return frozenset(names)


def _is_type_checking(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING")


def module_level_imports(module: Module) -> Iterator[ast.Import | ast.ImportFrom]:
    """Yield the imports that run when the module does, those for type checkers apart."""

    def walk(node: ast.AST) -> Iterator[ast.Import | ast.ImportFrom]:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.Import | ast.ImportFrom):
                yield child
            elif not isinstance(child, Function) and not _is_type_checking(child):
                yield from walk(child)

    yield from walk(module.tree)


def _from_base(module: Module, node: ast.ImportFrom) -> str:
    if not node.level:
        return node.module or ""
    is_package = module.path.endswith("__init__.py")
    parts = module.name.split(".")
    parts = parts[: len(parts) - node.level + (1 if is_package else 0)]
    return ".".join([*parts, node.module] if node.module else parts)


def imported_names(module: Module, node: ast.Import | ast.ImportFrom) -> Iterator[str]:
    """Yield the dotted names one import statement may bind: `a.b` and, for a from-import, `a.b.c`."""
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
        return
    base = _from_base(module, node)
    yield base
    yield from (f"{base}.{alias.name}" for alias in node.names)


def import_graph() -> Mapping[str, frozenset[str]]:
    """Return which modules of the package each one imports when it is loaded.

    `from muniment.gate import judge` counts as an import of the submodule when there is
    one, and of the package otherwise.
    """
    known = {module.name for module in package()}
    graph = {}
    for module in package():
        wanted: set[str] = set()
        for node in module_level_imports(module):
            names = [name for name in imported_names(module, node) if name in known]
            inner = [name for name in names if any(name.startswith(f"{other}.") for other in names)]
            wanted |= set(inner or names)
        graph[module.name] = frozenset(wanted - {module.name})
    return graph


def prose() -> Mapping[str, str]:
    """Return the written pages: path and text of every Markdown file."""
    return {path: (ROOT / path).read_text(encoding="utf-8") for path in files() if path.endswith(".md")}
