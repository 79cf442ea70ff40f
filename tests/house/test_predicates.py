"""Is nothing cut off before it was asked?  No statement judges scope, trust, time or label late (I7).

A sub-select with a LIMIT whose outer query still judges its rows would drop rows that may be
seen in favour of rows that may not.  The few that do so are named below: each looks at the
best so many, and is run again with no limit at all whenever they were not enough.
"""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.house import source

STORE = source.PACKAGE / "store"
TESTS = Path(__file__).parent.parent

JUDGED = re.compile(
    r"\b(tenant|space|spaces|trust|trusts|trust_mask|class|class_max|untrusted|recorded|known_at|as_of|valid_from"
    r"|valid_until|expires_at|occurred_at|state|kind|kinds|tags|lifted)\b"
)
"""Columns and values that decide whether a row may be seen at all."""

WIDENED = {
    "lexical_memories",
    "lexical_memories_then_live",
    "lexical_memories_then_past",
    "lexical_evidence",
    "turns_best",
    "nearest_memories",
    "nearest_memories_then",
    "nearest_evidence",
}
"""Statements that look at the best few and are run again over all when too few of those may be seen."""

SHOWN_EXACT_BY = (
    "contract/test_store_contract_crowds.py",
    "test_a_thousand_better_matches_that_may_not_be_seen_hide_none_that_may",
)
"""The test, on every store, that those statements lose nothing: which file, and what it is called."""

_WIDENING_LIMITS = {":looked_at", "nullif(:looked_at, -1)"}


@dataclass
class Level:
    """Hold one pair of parentheses, or the whole statement: its own words, and the levels inside."""

    words: str = ""
    inside: list["Level"] = field(default_factory=list)

    @property
    def whole(self) -> str:
        return " ".join([self.words, *(each.whole for each in self.inside)])

    @property
    def limit(self) -> str:
        """Return what limits a query of this level, with its parameters; empty when nothing does."""
        found = re.search(r"\bLIMIT\s+(\S+)", self.words, re.IGNORECASE)
        if not found:
            return ""
        nested = re.search(r"\bLIMIT\s+nullif\s*#(\d+)#", self.words, re.IGNORECASE)
        return f"nullif({self.inside[int(nested[1])].words.strip()})" if nested else found[1]


def levels(text: str) -> Level:
    """Return a statement as levels without comments and texts; each leaves its number behind."""
    bare = re.sub(r"--[^\n]*", " ", text)
    bare = re.sub(r"'(?:[^']|'')*'", "''", bare)
    stack = [Level()]
    for part in re.split(r"([()])", bare):
        if part == "(":
            level = Level()
            stack[-1].words += f" #{len(stack[-1].inside)}# "
            stack[-1].inside.append(level)
            stack.append(level)
        elif part == ")":
            stack.pop()
        else:
            stack[-1].words += part
    return stack[0]


def limited(level: Level) -> Iterator[tuple[Level, Level]]:
    """Yield each query with a limit that lies in another, as the pair of the outer and the inner one."""
    for each in level.inside:
        if each.limit:
            yield level, each
        yield from limited(each)


def judged_after(outer: Level, inner: Level) -> set[str]:
    """Return what the outer query still judges by, in its conditions and in what they ask."""
    conditions = re.split(r"\b(?:WHERE|ON|HAVING|USING)\b", outer.words, maxsplit=1, flags=re.IGNORECASE)
    after = conditions[1] if len(conditions) > 1 else ""
    asked = set(re.findall(r"#(\d+)#", after))
    beside = [each.whole for at, each in enumerate(outer.inside) if each is not inner and str(at) in asked]
    return set(JUDGED.findall(" ".join([after, *beside])))


def faults(name: str, text: str) -> list[str]:
    """Return what a statement judges after a limit, unless it is one that is widened."""
    found = []
    for outer, inner in limited(levels(text)):
        judged = judged_after(outer, inner)
        if judged and not (name in WIDENED and inner.limit in _WIDENING_LIMITS):
            found.append(f"{name} judges {', '.join(sorted(judged))} after LIMIT {inner.limit}")
    return found


def statements(text: str) -> Iterator[tuple[str, str]]:
    for block in re.split(r"^-- name:\s*", text, flags=re.MULTILINE)[1:]:
        name, _, body = block.partition("\n")
        yield name.strip(), body


def files() -> list[Path]:
    return sorted(STORE.glob("*/*.sql")) + sorted(STORE.glob("*.sql"))


CUT = "(SELECT n FROM t LIMIT 5)"
LATE = {
    "after a sub-select": f"SELECT n FROM {CUT} AS f WHERE f.space = :space",
    "after a join": f"SELECT v.n FROM {CUT} AS f JOIN v ON v.n = f.n AND v.trust < 2",
    "after a list": f"SELECT n FROM v WHERE v.class <= 1 AND n IN {CUT}",
    "after a common table": f"WITH f AS {CUT} SELECT v.n FROM v, f WHERE v.recorded < :known_at",
    "in a sub-select beside": f"SELECT n FROM {CUT} AS f WHERE EXISTS (SELECT 1 FROM v WHERE v.state < 2)",
    "deep inside": f"SELECT 1 FROM x WHERE x.a IN (SELECT n FROM {CUT} AS f WHERE f.kind = 1)",
}


@pytest.mark.parametrize("text", LATE.values(), ids=LATE.keys())
def test_a_statement_that_judges_after_a_limit_is_caught(text: str) -> None:
    assert len(faults("some", text)) == 1
    assert faults("some", f"-- a comment with ( in it\n{text}")


@pytest.mark.parametrize(
    "text",
    [
        "SELECT n FROM t WHERE t.space = :space AND t.trust < 2 ORDER BY n LIMIT :rows_max",
        "SELECT n FROM (SELECT n FROM t WHERE t.space = :space ORDER BY n LIMIT 9) AS f ORDER BY n",
        "SELECT n FROM (SELECT n FROM t WHERE t.space = :space LIMIT 9) AS f WHERE f.n > :after",
        "SELECT n FROM t WHERE t.space = :space AND t.text = '(SELECT 1 LIMIT 2)'",
    ],
)
def test_a_statement_that_judges_before_its_limit_passes(text: str) -> None:
    assert faults("some", text) == []


def test_only_the_named_statements_and_only_their_own_limit_may_be_widened() -> None:
    text = "SELECT v.n FROM (SELECT n FROM t LIMIT nullif(:looked_at, -1)) AS f JOIN v ON v.trust < 2"
    assert faults("lexical_memories", text) == []
    assert faults("lexical_memories", text.replace("nullif(:looked_at, -1)", "64"))
    assert faults("lexical_others", text)


def test_no_statement_judges_what_may_be_seen_after_a_limit() -> None:
    assert {"queries.sql", "near.sql"} <= {path.name for path in files()}
    found = [
        f"{path.parent.name}/{path.name}: {fault}"
        for path in files()
        for name, body in statements(path.read_text(encoding="utf-8"))
        for fault in faults(name, body)
    ]
    assert not found, "\n".join(found)


def test_an_index_of_neighbours_judges_beside_its_walk_with_no_exception() -> None:
    """What is walked is not run again with no limit by itself, so it has no exception to lean on."""
    text = (STORE / "postgres" / "near.sql").read_text(encoding="utf-8")
    assert {name for name, _ in statements(text)} >= {"nearest_memories", "nearest_evidence"}
    for name, body in statements(text):
        assert list(limited(levels(body))) == [], name
        if name.startswith("nearest"):
            assert {"space", "class", "recorded"} <= set(JUDGED.findall(body)), name


@pytest.mark.parametrize("dialect", ["sqlite", "postgres"])
def test_every_named_exception_is_one(dialect: str) -> None:
    text = (STORE / dialect / "queries.sql").read_text(encoding="utf-8")
    looking = {
        name
        for name, body in statements(text)
        for outer, inner in limited(levels(body))
        if inner.limit in _WIDENING_LIMITS and judged_after(outer, inner)
    }
    assert looking == WIDENED


def _uses(tree: ast.AST) -> Iterator[tuple[ast.FunctionDef, str]]:
    """Yield where a widened statement is named, with the function around it."""
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef):
            for node in ast.walk(function):
                if isinstance(node, ast.Constant) and node.value in WIDENED:
                    yield function, str(node.value)


def _called(function: ast.FunctionDef) -> set[str]:
    return {
        node.func.attr
        for node in ast.walk(function)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
    }


def test_a_widened_statement_is_only_run_by_what_widens_it() -> None:
    used = set()
    for module in source.package():
        if module.within("muniment.store"):
            for function, name in _uses(module.tree):
                used.add(name)
                assert "_widened" in _called(function), f"{module.path}: {function.name}"
                assert "run" not in _called(function), f"{module.path}: {function.name} runs {name} as well"
    assert used == WIDENED


def test_what_widens_runs_a_statement_again_over_all() -> None:
    tree = ast.parse((STORE / "sql_view.py").read_text(encoding="utf-8"))
    (widening,) = [
        node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.name == "_widened"
    ]
    looked = [
        ast.unparse(word.value)
        for node in ast.walk(widening)
        if isinstance(node, ast.Call)
        for word in node.keywords
        if word.arg == "looked_at"
    ]
    assert looked == ["few", "-1"]


def test_the_test_that_shows_them_exact_is_there_and_runs_on_every_store() -> None:
    place, name = SHOWN_EXACT_BY
    tree = ast.parse((TESTS / place).read_text(encoding="utf-8"))
    assert name in {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
