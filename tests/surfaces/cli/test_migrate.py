"""Does `migrate` bring a file and a database up to date, and keep the password to itself?"""

from pathlib import Path

from muniment.store.migrations import newest
from muniment.store.postgres import opened
from tests import postgres
from tests.surfaces.cli.conftest import Home, Run


def test_a_database_gets_the_schema_and_then_a_vault(quick: Run, home: Path) -> None:
    database = postgres.empty_database()
    before = quick("--vault", database.application, "init")
    assert (before.code, before.code_shown) == (2, "bad-store")
    assert "muniment migrate" in before.errors
    done = quick("--vault", database.owner, "--json", "migrate")
    assert done.code == 0
    assert done.document["schema"] == newest(opened.MIGRATIONS)
    postgres.run(database.superuser, "GRANT muniment_application TO muniment_tester")
    assert quick("--vault", database.application, "init").code == 0
    assert (home / f"{database.name}.keys" / "owner.key").exists()
    again = quick("--vault", database.application, "--json", "init")
    assert (again.code, again.document["made"]) == (0, False)


def test_a_role_that_may_not_is_told_so(quick: Run) -> None:
    database = postgres.empty_database()
    done = quick("--vault", database.application, "migrate")
    assert (done.code, done.code_shown) == (2, "bad-store")
    assert "lacks a right" in done.errors
    assert "owner of the database" in done.errors


def test_a_file_is_brought_up_to_date_too(quick: Run, place: Home) -> None:
    done = quick(*place.owner, "migrate")
    assert done.code == 0
    assert "has schema" in done.out


def test_where_there_is_no_vault_none_is_made(quick: Run, tmp_path: Path) -> None:
    done = quick("--vault", str(tmp_path / "none.db"), "migrate")
    assert (done.code, done.code_shown) == (2, "unreadable-path")
    assert not (tmp_path / "none.db").exists()


def test_what_is_shown_of_an_address_holds_no_role_and_no_options(quick: Run) -> None:
    database = postgres.empty_database()
    done = quick("--vault", database.owner, "migrate")
    assert done.code == 0
    assert database.name in done.out
    assert "muniment_owner" not in done.out and "?" not in done.out
