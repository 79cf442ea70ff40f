"""Is a server's storage made anew after an erasure, and is it said what that does not reach?"""

from pathlib import Path

import psycopg
import pytest

from muniment.domain.certificate import Status
from muniment.store.postgres import compact
from tests import postgres
from tests.builders import FakeClock, close_quietly, postgres_vault, stored
from tests.erasure.planting import CODE, TWIN


@pytest.fixture
def server() -> str:
    return postgres.shared_database().application


def test_tables_are_vacuumed_and_indexes_made_anew(tmp_path: Path) -> None:
    vault = postgres_vault(tmp_path, clock=FakeClock())
    id = stored(vault.remember(f"The code is {CODE}")).id
    kept = stored(vault.remember(f"The spare is {TWIN}")).id
    certificate = vault.erase(vault.plan_erasure(id=id))
    assert certificate.status is Status.STORAGE_COMPLETE
    assert {"tables vacuumed", "indexes made anew"} <= set(certificate.steps)
    assert any("retention" in what for what in certificate.uncovered)
    assert "files searched" not in certificate.steps
    assert vault.read(kept).text and vault.verify().ok
    close_quietly(vault)


def test_the_application_may_do_it_without_owning_a_table(server: str) -> None:
    found = compact.compacted(server)
    assert found.done and found.uncovered == compact.UNCOVERED
    with psycopg.connect(server) as connection:
        owned = connection.execute(
            "SELECT count(*) FROM pg_tables WHERE schemaname = 'muniment' AND tableowner = current_user"
        ).fetchone()
    assert owned == (0,)


def test_every_table_that_an_erasure_takes_from_is_vacuumed() -> None:
    for table in ("version", "evidence", "link", "tombstone", "session", "actor", "matter", "recall_log"):
        assert f"muniment.{table}" in compact.VACUUM
    assert any("muniment.live" in statement for statement in compact.REINDEX)


def test_without_the_right_it_is_not_called_done(server: str) -> None:
    superuser = postgres.shared_database().superuser
    postgres.run(superuser, "REVOKE MAINTAIN ON muniment.live FROM muniment_application")
    try:
        found = compact.compacted(server)
    finally:
        postgres.run(superuser, "GRANT MAINTAIN ON muniment.live TO muniment_application")
    assert not found.done
