"""Is a column of another type found, or does it end a walk or a question in a fault of our own?

SQLite keeps whatever it is given, so that a file somebody edited may hold bytes where a text was.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest

from muniment.domain.ids import packed
from muniment.errors import MunimentError, Tampered
from tests.attacks.tampering import Editor, Facts, built, copied, opened

ODD = b"\x00\xff"
COLUMNS = [
    *(("version", name, ODD) for name in ("text", "act", "value", "reason", "memory")),
    *(("version", name, "\u00e9") for name in ("author", "session", "number", "value_digest")),
    ("version", "tags", "[1]"),
    ("version", "memory", 1.5),
    *(("evidence", name, ODD) for name in ("text", "speaker", "source", "parent", "session")),
    *(("evidence", name, "\u00e9") for name in ("sequence", "author", "origin")),
]
BESIDE = [
    ("space", "n", "\u00e9"),
    ("space", "path", ODD),
    ("space", "made", ODD),
    ("actor", "n", ODD),
    ("actor", "name", ODD),
    ("session", "n", "\u00e9"),
    ("session", "name", ODD),
    ("session", "started", ODD),
    ("link", "space", "\u00e9"),
    ("tombstone", "reason", ODD),
    ("credential", "actor", ODD),
]


@pytest.fixture(scope="module")
def vault_facts(tmp_path_factory: pytest.TempPathFactory) -> Facts:
    """Return the vault that every test of this file copies."""
    return built(tmp_path_factory.mktemp("types"))


@pytest.fixture
def editor(vault_facts: Facts, tmp_path: Path) -> Iterator[Editor]:
    """Return what edits a copy."""
    editor = Editor(copied(vault_facts, tmp_path))
    yield editor
    editor.close()


def spoiled(editor: Editor, table: str, name: str, value: object) -> Facts:
    facts = editor.facts
    key, id = ("memory", facts.key) if table == "version" else ("id", facts.turn)
    editor.run(f"UPDATE {table} SET {name} = ? WHERE {key} = ?", value, packed(id))
    return facts


@pytest.mark.parametrize(("table", "name", "value"), COLUMNS)
def test_verify_goes_on_behind_a_column_of_another_type_and_finds_it(
    editor: Editor, table: str, name: str, value: object
) -> None:
    with opened(spoiled(editor, table, name, value)) as vault:
        report = vault.verify()
    assert not report.ok
    assert "altered-row" in {one.kind.value for one in report.findings}


@pytest.mark.parametrize(("table", "name", "value"), COLUMNS)
def test_a_column_of_another_type_is_answered_by_a_named_error_or_not_served(
    editor: Editor, table: str, name: str, value: object, tmp_path: Path
) -> None:
    facts = spoiled(editor, table, name, value)
    with opened(facts) as vault:
        for ask in (
            lambda: vault.recall("deploy key rotates"),
            lambda: vault.recall("harbour opens dawn"),
            lambda: vault.history(facts.key),
            lambda: vault.why(facts.key),
            lambda: vault.export(tmp_path / "export"),
        ):
            try:
                answer = ask()
            except MunimentError as error:
                assert error.code
            else:
                assert facts.key not in {hit.id for hit in getattr(answer, "hits", ())} or table == "evidence"
        assert vault.read(facts.tea).text == "Tea is served at four"


@pytest.mark.parametrize(("table", "name", "value"), BESIDE)
def test_verify_goes_on_behind_an_odd_row_of_any_other_table(
    editor: Editor, table: str, name: str, value: object
) -> None:
    editor.run(f"UPDATE {table} SET {name} = ? WHERE rowid = (SELECT max(rowid) FROM {table})", value)
    with opened(editor.facts) as vault:
        report = vault.verify()
    assert not report.ok
    assert "altered-row" in {one.kind.value for one in report.findings}


@pytest.mark.parametrize(("table", "name"), [("tombstone", "key_id"), ("model", "n")])
def test_a_number_that_is_a_text_is_answered_by_a_named_error(editor: Editor, table: str, name: str) -> None:
    editor.run(f"UPDATE {table} SET {name} = ? WHERE rowid = (SELECT max(rowid) FROM {table})", "\u00e9")
    with pytest.raises(Tampered), opened(editor.facts) as vault:
        vault.recall("deploy key rotates")


@pytest.mark.parametrize("head", [ODD, b"", b"5", b"[]", b"[" * 100_000])
def test_a_record_that_spells_nothing_is_named_by_the_walk_and_refused_by_the_log(
    editor: Editor, head: bytes
) -> None:
    editor.run("UPDATE record SET head = ? WHERE place = (SELECT max(place) FROM record)", head)
    with opened(editor.facts) as vault:
        kinds = {one.kind.value for one in vault.verify().findings}
        with pytest.raises(Tampered, match="record of the log"):
            vault.log()
    assert "altered-record" in kinds
