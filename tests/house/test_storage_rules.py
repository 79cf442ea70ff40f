"""Is the SQL as promised?  Tenant first in every key, a name and a sentence a query, never assembled."""

import ast
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import takewhile
from pathlib import Path

import pytest

from tests.house import exceptions, source

STORE = source.PACKAGE / "store"
_KEY = re.compile(r"\b(PRIMARY\s+KEY|UNIQUE|FOREIGN\s+KEY)\s*\(([^)]*)\)", re.IGNORECASE)
_TABLE = re.compile(
    r"^CREATE\s+(?P<virtual>VIRTUAL\s+)?TABLE\s+(?:IF\s+NOT\s+EXISTS\s+)?(?P<name>[\w\".]+)(?P<body>.*)$",
    re.IGNORECASE | re.DOTALL,
)
_INDEX = re.compile(
    r"^CREATE\s+(?:UNIQUE\s+)?INDEX\s+(?:IF\s+NOT\s+EXISTS\s+)?(?P<name>\w+)\s+ON\s+\w+\s*"
    r"(?:USING\s+\w+\s*)?\(\s*(?P<first>\w+)",
    re.IGNORECASE,
)
_ROW_NUMBER = re.compile(r"^\s*\w+\s+INTEGER\s+PRIMARY\s+KEY,", re.IGNORECASE | re.MULTILINE)
_STATEMENT = re.compile(
    r"\b(SELECT\s|INSERT\s+(OR\s+\w+\s+)?INTO\s|UPDATE\s+\w+\s+SET\s|DELETE\s+FROM\s|CREATE\s+(TABLE|INDEX)\s)"
)


def statements(text: str) -> Iterator[str]:
    """Yield the statements of a schema, comments taken out."""
    bare = re.sub(r"--[^\n]*", "", text)
    yield from (each.strip() for each in bare.split(";") if each.strip())


def _table_faults(found: re.Match[str]) -> list[str]:
    name, body = found["name"].strip('"'), found["body"]
    if found["virtual"]:
        return [] if name in exceptions.FULL_TEXT_TABLES else [f"{name}: a virtual table that is not listed"]
    if name in exceptions.TABLES_WITHOUT_TENANT:
        return []
    return [f"{name}: {fault}" for fault in _column_faults(name, body[body.index("(") + 1 :])]


def _column_faults(table: str, columns: str) -> Iterator[str]:
    if columns.split(None, 1)[0].strip('"').lower() != "tenant":
        yield "does not begin with tenant"
    if not re.search(r"\bPRIMARY\s+KEY\b", columns, re.IGNORECASE):
        yield "has no primary key"
    for kind, inner in _KEY.findall(columns):
        if inner.split(",")[0].strip().strip('"').lower() != "tenant":
            yield f"{' '.join(kind.upper().split())} ({inner}) is not led by tenant"
    # A key written on its column holds one column, so only `tenant` itself may carry one.
    for column in re.findall(
        r"^\s*(\w+)[^,(\n]*\b(?:PRIMARY\s+KEY|UNIQUE|REFERENCES)\b(?!\s*\()", columns, re.M
    ):
        if column.lower() in {"tenant", "primary", "unique", "foreign", "constraint"}:
            continue
        if f"{table}.{column}" not in exceptions.ROW_NUMBERS or not _ROW_NUMBER.search(columns):
            yield f"column {column} carries a key of its own"


def schema_faults(text: str) -> list[str]:
    """Return what in a schema would keep it from being spread by tenant."""
    faults = []
    for statement in statements(text):
        if table := _TABLE.match(statement):
            faults += _table_faults(table)
        elif (index := _INDEX.match(statement)) and index["first"].lower() != "tenant":
            if index["name"] in exceptions.FULL_TEXT_INDEXES and "USING gin" in statement:
                continue
            faults.append(f"index {index['name']} is not led by tenant")
    return faults


@pytest.mark.parametrize(
    "text",
    [
        "CREATE TABLE t (space TEXT, tenant TEXT, PRIMARY KEY (tenant, space))",
        "CREATE TABLE t (tenant TEXT, space TEXT, PRIMARY KEY (space, tenant))",
        "CREATE TABLE t (tenant TEXT, space TEXT)",
        "CREATE TABLE t (tenant TEXT,\n space TEXT UNIQUE,\n PRIMARY KEY (tenant, space))",
        "CREATE TABLE t (tenant TEXT PRIMARY KEY, a TEXT, FOREIGN KEY (a) REFERENCES u (a))",
        "CREATE TABLE t (tenant INTEGER,\n n INTEGER PRIMARY KEY,\n a TEXT)",
        "CREATE TABLE version (tenant INTEGER,\n n BIGINT PRIMARY KEY,\n a TEXT)",
        "CREATE INDEX i ON t (space, tenant)",
        "CREATE UNIQUE INDEX i ON t USING btree (space)",
        "CREATE VIRTUAL TABLE unlisted USING fts5(body)",
    ],
)
def test_a_schema_that_forgets_the_tenant_is_caught(text: str) -> None:
    assert len(schema_faults(text)) == 1


def test_a_schema_that_keeps_to_the_tenant_passes() -> None:
    text = """
    CREATE TABLE IF NOT EXISTS t ( -- one row a thing
        tenant TEXT NOT NULL,
        space TEXT NOT NULL,
        PRIMARY KEY (tenant, space),
        FOREIGN KEY (tenant, space) REFERENCES u (tenant, space)
    ) STRICT, WITHOUT ROWID;
    CREATE UNIQUE INDEX i ON t (tenant, space);
    CREATE TABLE version (
        tenant INTEGER NOT NULL,
        n INTEGER PRIMARY KEY,
        text TEXT
    );
    """
    assert schema_faults(text) == []


def _has_row_number(text: str, name: str) -> bool:
    table, column = name.split(".")
    bodies = (
        found["body"] for each in statements(text) if (found := _TABLE.match(each)) and found["name"] == table
    )
    return any(re.search(rf"^\s*{column}\s+INTEGER\s+PRIMARY\s+KEY,", body, re.MULTILINE) for body in bodies)


def _dialects() -> list[Path]:
    return sorted(path.parent for path in STORE.glob("*/schema.sql"))


def test_every_table_key_and_index_is_led_by_tenant() -> None:
    assert STORE / "sqlite" in _dialects()
    tables, indexes, numbered = set(), set(), set[str]()
    for dialect in _dialects():
        text = (dialect / "schema.sql").read_text(encoding="utf-8")
        faults = schema_faults(text)
        assert not faults, "\n".join(f"{dialect.name}: {fault}" for fault in faults)
        tables |= {found["name"].strip('"') for each in statements(text) if (found := _TABLE.match(each))}
        indexes |= {found["name"] for each in statements(text) if (found := _INDEX.match(each))}
        numbered |= {name for name in exceptions.ROW_NUMBERS if _has_row_number(text, name)}
    stale = (set(exceptions.TABLES_WITHOUT_TENANT) | set(exceptions.FULL_TEXT_TABLES)) - tables
    stale |= set(exceptions.FULL_TEXT_INDEXES) - indexes
    stale |= set(exceptions.ROW_NUMBERS) - numbered
    assert not stale, f"stale exceptions: {sorted(stale)}"


def named_queries(text: str) -> dict[str, list[str]]:
    """Return each query's comment lines by its name; raise on a name given twice."""
    found: dict[str, list[str]] = {}
    for block in re.split(r"^-- name:\s*", text, flags=re.MULTILINE)[1:]:
        name, *rest = block.splitlines()
        if name.strip() in found:
            raise AssertionError(f"two queries are called {name.strip()}")
        comment = list(takewhile(lambda line: line.startswith("--"), rest))
        found[name.strip()] = [line.removeprefix("--").strip() for line in comment]
    return found


def test_a_query_without_a_sentence_is_caught() -> None:
    text = "-- name: one\n-- What was believed.\nSELECT 1;\n-- name: two\nSELECT 2;\n"
    assert named_queries(text) == {"one": ["What was believed."], "two": []}
    with pytest.raises(AssertionError, match="two queries"):
        named_queries(text + text)


def _queries() -> Mapping[str, dict[str, list[str]]]:
    return {
        path.parent.name: named_queries(path.read_text(encoding="utf-8"))
        for path in sorted(STORE.glob("*/queries.sql"))
    }


def test_every_query_says_in_a_sentence_what_it_finds() -> None:
    assert _queries().get("sqlite"), "the named queries were not found"
    faults = [
        f"{dialect}: {name}"
        for dialect, queries in _queries().items()
        for name, comment in queries.items()
        if not re.search(r"\w.*[.:]$", " ".join(comment))
    ]
    assert not faults, "\n".join(faults)


def test_both_dialects_name_the_same_queries() -> None:
    names = {dialect: frozenset(queries) for dialect, queries in _queries().items()}
    for dialect, held in names.items():
        missing = sorted(frozenset().union(*names.values()) - held)
        assert not missing, f"{dialect} lacks: {missing}"


def test_every_query_is_used_and_every_name_used_is_a_query() -> None:
    used = Counter(
        node.value
        for module in source.package()
        if module.within("muniment.store")
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    )
    idle = {name for queries in _queries().values() for name in queries} - set(used)
    assert not idle, f"nothing runs these queries: {sorted(idle)}"


def assembled(tree: ast.AST) -> Iterator[int]:
    """Yield the lines on which a statement's text is put together from parts."""
    for node in ast.walk(tree):
        parts: list[ast.AST] = []
        if isinstance(node, ast.JoinedStr):
            parts = list(node.values)
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Mod):
            parts = [node.left, node.right]
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            parts = [node.func.value] if node.func.attr in {"format", "replace", "join"} else []
        texts = [
            each.value for each in parts if isinstance(each, ast.Constant) and isinstance(each.value, str)
        ]
        if any(_STATEMENT.search(text) for text in texts):
            yield getattr(node, "lineno", 0)


def test_assembled_statements_are_recognised() -> None:
    bad = ['f"SELECT a FROM {t}"', '"SELECT a FROM " + t', '"DELETE FROM %s" % t', '"SELECT {}".format(a)']
    for text in bad:
        assert list(assembled(ast.parse(text))), text
    for text in ['"SELECT a FROM t"', 'f"{count} rows"', '"select what you need".format()']:
        assert not list(assembled(ast.parse(text))), text


def test_no_statement_is_put_together_in_python() -> None:
    faults = [
        f"{module.path}:{line}"
        for module in source.package()
        if module.within("muniment.store")
        for line in assembled(module.tree)
    ]
    assert not faults, "\n".join(faults)
