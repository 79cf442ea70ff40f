"""Can a person ask what was altered, though it keeps the vault from being opened as usual?

Every edit is a plain statement on the file, as somebody makes who can write it and has no keys.
"""

import shutil
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest

import muniment
from muniment.errors import MissingKey, RolledBack, Tampered, Unreadable
from muniment.looking import look_over
from muniment.settings import settings_from
from tests import postgres
from tests.builders import stored
from tests.surfaces.cli.conftest import Run

PIN, TEA = "The harbour pin is QZ7-HERON-4417", "Tea is served at four"


@dataclass(frozen=True)
class Altered:
    """Hold an edit, what `verify` names, and whether the vault can still be opened as usual."""

    statement: str
    found: str
    opens: bool = False


ALTERED = {
    "a certificate's erasure": Altered(
        "UPDATE certificate SET erasure = zeroblob(length(erasure))", "altered-row"
    ),
    "a certificate's moment": Altered("UPDATE certificate SET made = 'noon'", "altered-row"),
    "a certificate's note": Altered("UPDATE certificate SET note = x'ff'", "altered-row"),
    "a certificate's seal": Altered("UPDATE certificate SET record = 'none'", "altered-row"),
    "the head's size": Altered("UPDATE tenant_head SET size = 'many'", "altered-head"),
    "the head's seal": Altered("UPDATE tenant_head SET mac = 'none'", "altered-head"),
    "the head's moment": Altered("UPDATE tenant_head SET recorded = 'noon'", "altered-head"),
    "the head's epoch": Altered("UPDATE tenant_head SET epoch = -5", "altered-head"),
    "the head's vault": Altered("UPDATE tenant_head SET vault = vault || 'x'", "altered-head"),
    "the head's vault to no word": Altered("UPDATE tenant_head SET vault = '{'", "altered-head"),
    "the head's name": Altered("UPDATE tenant_head SET name = 'other'", "altered-head"),
    "the head's name to nothing": Altered("UPDATE tenant_head SET name = ''", "altered-head"),
    "the head's counts": Altered(
        "UPDATE tenant_head SET counts = counts || 'x'", "altered-index", opens=True
    ),
    "a memory's seal": Altered("UPDATE memory SET mac = 'none'", "altered-row", opens=True),
    "a tombstone's key": Altered("UPDATE tombstone SET key_id = key_id + 1", "altered-row", opens=True),
    "a digest": Altered("UPDATE tombstone_digest SET digest = hex(digest)", "deleted-row", opens=True),
    "a digest's space": Altered("UPDATE tombstone_digest SET space = space + 900", "deleted-row", opens=True),
    "an anchor": Altered("UPDATE tombstone_anchor SET anchor = hex(anchor)", "deleted-row", opens=True),
    "an anchor's space": Altered(
        "UPDATE tombstone_anchor SET space = space + 900", "deleted-row", opens=True
    ),
    "an anchor's pair": Altered("UPDATE tombstone_anchor SET pair = pair + 1", "deleted-row", opens=True),
}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the directory of a vault with an erasure, a rejection and an owner's key."""
    place = tmp_path_factory.mktemp("built")
    with muniment.open(place / "v.db") as vault:
        key, _ = vault.make_key(actor="owner", role="owner", space="home")
        stored(vault.remember(TEA))
        pin = stored(vault.remember(PIN))
        wrong = stored(vault.remember("The gate opens at nine in the evening"))
        stored(vault.reject(wrong.id, reason="wrong"))
        vault.erase(vault.plan_erasure(id=pin.id))
    (place / "owner.key").write_text(key, "ascii")
    return place


@pytest.fixture
def place(built: Path, tmp_path: Path) -> Path:
    """Return a copy of that directory, which one test may spoil."""
    return Path(shutil.copytree(built, tmp_path / "copy"))


def alter(place: Path, statement: str) -> None:
    with closing(sqlite3.connect(place / "v.db")) as database:
        assert database.execute(statement).rowcount > 0, "the edit changed nothing"
        database.commit()


def test_what_nobody_altered_is_verified_as_ever(quick: Run, place: Path) -> None:
    vault = ("--vault", str(place / "v.db"))
    assert quick(*vault, "verify").code == 0
    assert quick(*vault, "doctor").code == 0
    assert TEA in quick(*vault, "recall", "when is tea served").out


@pytest.mark.parametrize("altered", ALTERED.values(), ids=ALTERED)
def test_verify_names_what_was_altered_whatever_it_is(quick: Run, place: Path, altered: Altered) -> None:
    alter(place, altered.statement)
    for who in ((), ("--key", f"@{place / 'owner.key'}")):
        done = quick("--vault", str(place / "v.db"), *who, "verify")
        assert done.code == 5
        assert done.errors == ""
        assert f"  {altered.found}" in done.out
        assert "tea" not in done.out.lower()


@pytest.mark.parametrize("altered", ALTERED.values(), ids=ALTERED)
def test_doctor_answers_whatever_was_altered(quick: Run, place: Path, altered: Altered) -> None:
    alter(place, altered.statement)
    done = quick("--vault", str(place / "v.db"), "doctor")
    assert done.errors == ""
    assert "index " in done.out
    assert altered.opens or "opening    NOT WELL" in done.out or "log        NOT WELL" in done.out


REFUSED = {name: one for name, one in ALTERED.items() if not one.opens}


@pytest.mark.parametrize("altered", REFUSED.values(), ids=REFUSED)
def test_nothing_else_is_read_or_written_where_a_vault_is_only_looked_over(
    quick: Run, place: Path, altered: Altered
) -> None:
    alter(place, altered.statement)
    for words in (("recall", "when is tea served"), ("remember", "Milk comes at six"), ("export", "out")):
        done = quick("--vault", str(place / "v.db"), *words)
        assert (done.code, done.out) == (5, "")
        assert done.code_shown in ("tampered", "missing-key")
        assert "muniment verify" in done.errors


def test_verify_leaves_the_file_as_it_is(quick: Run, place: Path) -> None:
    alter(place, ALTERED["a certificate's moment"].statement)
    before = sorted((path.name, path.read_bytes()) for path in place.rglob("*") if path.is_file())
    assert quick("--vault", str(place / "v.db"), "verify").code == 5
    kept = {path.name: path.read_bytes() for path in place.rglob("*") if path.is_file()}
    assert {name: kept[name] for name, _ in before} == dict(before)


def test_a_head_that_names_no_vault_of_ours_says_what_to_do(quick: Run, place: Path) -> None:
    alter(place, "UPDATE tenant_head SET name = 'other'")
    for words in (("status",), ("recall", "when is tea served"), ("remember", "Milk comes at six")):
        done = quick("--vault", str(place / "v.db"), *words)
        assert (done.code, done.code_shown, done.out) == (5, "tampered", "")
        assert "muniment salvage COPY" in done.errors


def test_fault_an_altered_name_of_the_head_hides_what_else_was_altered(quick: Run, place: Path) -> None:
    """The name is bound by no seal, and `verify` itself did not answer: it is found beside all others."""
    alter(place, "UPDATE tenant_head SET name = 'other'")
    found = quick("--vault", str(place / "v.db"), "verify").out
    assert "1 finding in" in found and "  altered-head" in found
    alter(place, "UPDATE version SET text = 'Tea is served at never' WHERE text LIKE 'Tea%'")
    found = quick("--vault", str(place / "v.db"), "verify").out
    assert "  altered-head" in found and "  altered-row" in found and "never" not in found


def test_of_several_tenants_under_no_name_of_ours_none_is_taken_for_it(quick: Run, place: Path) -> None:
    alter(place, "UPDATE tenant_head SET name = 'other'")
    alter(
        place,
        "INSERT INTO tenant_head SELECT 2, 'more', vault, size, frontier, recorded, next_n,"
        " generation, epoch, analyser, mac, counts FROM tenant_head",
    )
    for verb in ("verify", "doctor"):
        done = quick("--vault", str(place / "v.db"), verb)
        assert (done.code, done.code_shown) == (5, "tampered")
        assert "muniment salvage COPY" in done.errors


def test_an_altered_line_of_the_journal_of_erasures_is_named(quick: Run, place: Path) -> None:
    journal = place / "v.db.keys" / "erasures"
    line = journal.read_text("ascii")
    journal.write_text(line.replace('"plan":"', '"plan":"0'), "ascii")
    done = quick("--vault", str(place / "v.db"), "verify")
    assert done.code == 5
    assert "altered-journal" in done.out
    # One that names an erasure the vault never heard of keeps it shut, and is named too.
    journal.write_text(f"{line}certificate none {{}}\n", "ascii")
    assert quick("--vault", str(place / "v.db"), "recall", "tea").code_shown == "tampered"
    assert "altered-journal" in quick("--vault", str(place / "v.db"), "verify").out


def test_altered_rows_are_not_served_though_a_tombstones_key_is_missing(place: Path) -> None:
    """A vault that opened for reading only checked nothing, so one edit hid all others."""
    alter(place, "UPDATE tombstone SET key_id = key_id + 1")
    alter(place, "UPDATE version SET text = 'Tea is served at never' WHERE text LIKE 'Tea%'")
    with muniment.open(place / "v.db") as vault:
        assert not vault.recall("when is tea served").hits
        with pytest.raises(MissingKey, match="tombstone key number 2"):
            vault.remember("Milk comes at six")


def test_looking_over_says_when_there_is_nothing_to_look_at(place: Path, tmp_path: Path) -> None:
    settings, why = settings_from({}), Tampered("It was altered.")
    with pytest.raises(Unreadable, match="no vault"):
        look_over(str(tmp_path / "none.db"), settings, why=why)
    shutil.rmtree(place / "v.db.keys")
    with pytest.raises(MissingKey):
        look_over(str(place / "v.db"), settings, why=why)


def test_an_older_file_that_holds_what_was_erased_can_be_looked_over_where_nothing_is_written(
    place: Path,
) -> None:
    looked = look_over(str(place / "v.db"), settings_from({}), why=RolledBack("It is older."))
    assert looked.verify().ok
    opening, *others = looked.doctor()
    assert (opening.name, opening.well, opening.sentence) == ("opening", False, "It is older.")
    assert {check.name for check in others if not check.well} == {"keys"}
    looked.close()


@pytest.mark.parametrize(
    ("statement", "found"),
    [
        ("UPDATE muniment.certificate SET erasure = ''", "altered-row"),
        ("UPDATE muniment.tenant_head SET vault = vault || 'x'", "altered-head"),
        ("UPDATE muniment.tenant_head SET epoch = 0", "altered-head"),
        ("UPDATE muniment.tombstone_digest SET space = space + 900", "deleted-row"),
        ("UPDATE muniment.tombstone_anchor SET pair = pair + 1", "deleted-row"),
    ],
)
def test_verify_names_what_was_altered_in_a_database(quick: Run, statement: str, found: str) -> None:
    database = postgres.migrated_database()
    with muniment.open(database.application) as vault:
        pin = stored(vault.remember(PIN))
        vault.erase(vault.plan_erasure(id=pin.id))
        assert vault.verify().ok
    postgres.run(database.superuser, statement)
    done = quick("--vault", database.application, "verify")
    assert (done.code, done.errors) == (5, "")
    assert f"  {found}" in done.out
