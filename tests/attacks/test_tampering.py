"""What of an attack on the file is seen, by whoever reads and by `verify`?  The table of SECURITY.md.

Each row of `ATTACKS` is made on a copy of one vault.  The twin of all of them is the copy
that nobody touched: it verifies clean and serves every question asked here.
"""

import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

import muniment
from muniment.errors import BadCredential, BrokenData, MissingKey, NotFound, RolledBack, Tampered
from muniment.service.findings import Report
from tests.attacks import tampering
from tests.attacks.tampering import Edit, Editor, Facts, built, column, copied, opened
from tests.builders import texts

ROOT = Path(__file__).resolve().parents[2]

WITHHELD, REFUSED, UNNOTICED = "withheld", "refused", "unnoticed"
"""What reading does: leaves the row out, answers nothing at all, or serves on."""

ROW, TRUSTED = "a row edited: text, value, interval, tags, author", "a label or a trust column edited"
DELETED = "a row deleted that nothing else names: an older version, a link"
CUT = "the end of the log cut off and the tenant's older head put back"
RECORD, ENTRY = (
    "what a record says edited: its act, its time",
    "a record's row entry edited, or the record deleted",
)
HEAD = "a memory's head put back while its newer version is there"
TENANT = "the tenant's head edited, or put back alone"
TOMBSTONE = "a tombstone, its digests or its anchors deleted, or put where nobody looks for them"


@dataclass(frozen=True)
class Attack:
    """Hold one edit, its row in SECURITY.md, what `verify` finds and what reading does.

    `asks` is a question that `id` answers while nobody has touched the file.
    """

    name: str
    what: str
    edit: Edit
    found: frozenset[str]
    reading: str
    asks: str
    id: str


def _key(facts: Facts) -> str:
    return facts.key


def _tea(facts: Facts) -> str:
    return facts.tea


def _turn(facts: Facts) -> str:
    return facts.turn


def _port(facts: Facts) -> str:
    return facts.port


DEPLOY, TEA, PORT, HARBOUR = "deploy key rotates", "tea served four", "gateway listens", "harbour opens dawn"


def _attack(
    name: str, what: str, edit: Edit, *, found: str, reading: str, about: tuple[str, str] = (TEA, "tea")
) -> Attack:
    return Attack(name, what, edit, frozenset(found.split()), reading, *about)


ABOUT_KEY, ABOUT_PORT, ABOUT_TURN = (DEPLOY, "key"), (PORT, "port"), (HARBOUR, "turn")

ATTACKS = (
    _attack("text", ROW, column("version", "text", "The deploy key rotates on Fridays", of=_key),
            found="altered-row", reading=WITHHELD, about=ABOUT_KEY),
    _attack("value", ROW, column("version", "value", "Friday", of=_key),
            found="altered-row", reading=WITHHELD, about=ABOUT_KEY),
    _attack("interval", ROW, column("version", "valid_from", 0, of=_key),
            found="altered-row", reading=WITHHELD, about=ABOUT_KEY),
    _attack("tags", ROW, column("version", "tags", '["vault"]', of=_tea),
            found="altered-row", reading=WITHHELD),
    _attack("author", ROW, column("version", "author", 5, of=_tea), found="altered-row", reading=WITHHELD),
    _attack("evidence", ROW, column("evidence", "text", "The harbour opens dawn never", of=_turn, key="id"),
            found="altered-row", reading=WITHHELD, about=ABOUT_TURN),
    _attack("trust", TRUSTED, column("version", "trust", 0, of=_key),
            found="altered-row altered-memory-head", reading=WITHHELD, about=ABOUT_KEY),
    _attack("class", TRUSTED, column("version", "class", 0, of=_key),
            found="altered-row", reading=WITHHELD, about=ABOUT_KEY),
    _attack("class of evidence", TRUSTED, column("evidence", "class", 0, of=_turn, key="id"),
            found="altered-row", reading=WITHHELD, about=ABOUT_TURN),
    _attack("nonsense", "a column filled with what is never written", tampering.nonsense_written,
            found="altered-row deleted-row altered-index", reading=REFUSED),
    _attack("swapped", "two rows swapped, or one row put in another's place", tampering.texts_swapped,
            found="altered-row", reading=WITHHELD),
    _attack("old version deleted", DELETED, tampering.old_version_deleted,
            found="deleted-row", reading=UNNOTICED, about=ABOUT_PORT),
    _attack("link deleted", DELETED, tampering.link_deleted, found="deleted-row", reading=UNNOTICED),
    _attack("newest deleted", "the newest version deleted and the head of before it put back",
            tampering.newest_version_deleted, found="deleted-row", reading=UNNOTICED, about=ABOUT_PORT),
    _attack("inserted", "a row inserted", tampering.row_inserted,
            found="inserted-row altered-memory-head altered-index", reading=UNNOTICED),
    _attack("head put back", HEAD, tampering.head_put_back,
            found="stale-memory-head", reading=WITHHELD, about=ABOUT_PORT),
    _attack("record", RECORD, tampering.record_head_edited,
            found="altered-record witness-mismatch", reading=UNNOTICED),
    _attack("record's time", RECORD, tampering.record_moment_edited,
            found="altered-record", reading=UNNOTICED),
    _attack("record of another type", RECORD, tampering.record_head_of_another_type,
            found="altered-record inserted-row missing-record", reading=UNNOTICED, about=ABOUT_KEY),
    _attack("entry", ENTRY, tampering.record_entry_edited,
            found="altered-row altered-record witness-mismatch", reading=WITHHELD),
    _attack("record deleted", ENTRY, tampering.record_deleted,
            found="inserted-row missing-record", reading=WITHHELD),
    _attack("records cut", "the end of the log cut off", tampering.records_cut,
            found="inserted-row truncated-log", reading=WITHHELD, about=ABOUT_PORT),
    _attack("log cut", CUT, tampering.log_cut, found="altered-index inserted-row rolled-back",
            reading=REFUSED),
    _attack("tenant head", TENANT, tampering.tenant_head_edited, found="altered-head", reading=REFUSED),
    _attack("tenant head put back", TENANT, tampering.tenant_head_put_back,
            found="altered-head altered-index rolled-back", reading=REFUSED),
    _attack("session", "a session's label loosened", tampering.session_loosened,
            found="loosened-session", reading=UNNOTICED),
    _attack("session and turns", "a session's label loosened, and with it the labels of all that it has read",
            tampering.session_and_its_turns_loosened, found="altered-row", reading=UNNOTICED),
    _attack("tombstone", TOMBSTONE, tampering.tombstone_deleted, found="deleted-row", reading=UNNOTICED),
    _attack("digests", TOMBSTONE, tampering.digest_deleted, found="deleted-row", reading=UNNOTICED),
    _attack("anchors", TOMBSTONE, tampering.anchor_deleted, found="deleted-row", reading=UNNOTICED),
    _attack("slot", "an index column of a memory's head edited",
            column("memory", "slot_digest", None, of=_key),
            found="altered-memory-head", reading=UNNOTICED, about=ABOUT_KEY),
    _attack("first version", "the place of a memory's first version edited",
            column("memory", "first", 0, of=_port),
            found="altered-memory-head", reading=UNNOTICED, about=ABOUT_PORT),
    _attack("statistic", "the index's count of rows edited", tampering.statistic_edited,
            found="altered-index", reading=UNNOTICED),
)  # fmt: skip
"""Every edit, with what sees it."""


@pytest.fixture(scope="module")
def vault_facts(tmp_path_factory: pytest.TempPathFactory) -> Facts:
    """Return the vault that every test of this file copies."""
    return built(tmp_path_factory.mktemp("built"))


@pytest.fixture
def facts(vault_facts: Facts, tmp_path: Path) -> Facts:
    """Return a copy of the vault that this test may spoil."""
    return copied(vault_facts, tmp_path)


@pytest.fixture
def editor(facts: Facts) -> Iterator[Editor]:
    """Return who edits the copy."""
    editor = Editor(facts)
    yield editor
    editor.close()


def spoiled(editor: Editor, edit: Edit) -> Facts:
    """Make the edit and return the vault."""
    edit(editor)
    editor.close()
    return editor.facts


def verified(facts: Facts) -> Report:
    with opened(facts) as vault:
        return vault.verify()


def kinds(report: Report) -> set[str]:
    assert report.ok == (not report.findings)
    return {finding.kind.value for finding in report.findings}


def named(name: str) -> Attack:
    return next(attack for attack in ATTACKS if attack.name == name)


def test_a_copy_that_nobody_touched_verifies_clean(facts: Facts) -> None:
    report = verified(facts)
    assert (report.ok, report.findings, report.total) == (True, (), 0)
    assert report.newest_witness == (report.records, report.root)
    assert report.rows > 15


def test_a_copy_that_nobody_touched_serves_everything_asked_here(facts: Facts) -> None:
    with opened(facts) as vault:
        for attack in ATTACKS:
            reading = vault.read(getattr(facts, attack.id))
            assert reading.text in texts(vault, attack.asks), attack.name


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.name)
def test_verify_names_what_was_done(editor: Editor, attack: Attack) -> None:
    report = verified(spoiled(editor, attack.edit))
    assert kinds(report) == attack.found


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.name)
def test_no_finding_repeats_what_is_remembered(editor: Editor, attack: Attack) -> None:
    report = verified(spoiled(editor, attack.edit))
    said = " ".join(f"{finding.id} {finding.sentence}" for finding in report.findings).lower()
    assert said
    for word in ("deploy", "gateway", "tea", "harbour", "whiteboard", "kitchen", "monday"):
        assert word not in said.split()


@pytest.mark.parametrize(
    "attack", [one for one in ATTACKS if one.reading == WITHHELD], ids=lambda attack: attack.name
)
def test_what_was_altered_is_not_served(editor: Editor, attack: Attack) -> None:
    facts = spoiled(editor, attack.edit)
    with opened(facts) as vault:
        assert texts(vault, attack.asks) == []
        with pytest.raises((Tampered, NotFound)):
            vault.read(getattr(facts, attack.id))


@pytest.mark.parametrize(
    "attack", [one for one in ATTACKS if one.reading == REFUSED], ids=lambda attack: attack.name
)
def test_a_question_that_cannot_be_trusted_gets_no_answer(editor: Editor, attack: Attack) -> None:
    facts = spoiled(editor, attack.edit)
    with opened(facts) as vault:
        with pytest.raises(BrokenData):
            vault.recall(attack.asks)
        with pytest.raises(BrokenData):
            vault.read(getattr(facts, attack.id))


@pytest.mark.parametrize(
    "attack", [one for one in ATTACKS if one.reading == UNNOTICED], ids=lambda attack: attack.name
)
def test_what_the_table_calls_unnoticed_is_served(editor: Editor, attack: Attack) -> None:
    """The table claims no more than is done: a row that gets better must be moved in it."""
    facts = spoiled(editor, attack.edit)
    with opened(facts) as vault:
        assert vault.read(getattr(facts, attack.id)).text in texts(vault, attack.asks)


def test_an_inserted_row_is_not_served_although_the_index_names_it(editor: Editor) -> None:
    with opened(spoiled(editor, tampering.row_inserted)) as vault:
        answer = vault.recall("tea keys")
        assert tampering.FORGED not in [hit.text for hit in answer.hits]
        assert tampering.TEA in [hit.text for hit in answer.hits]


def test_a_finding_names_the_row_and_its_record(editor: Editor) -> None:
    facts = spoiled(editor, named("text").edit)
    (finding,) = verified(facts).findings
    assert (finding.id, finding.record) == (facts.key, 0)


def test_an_alteration_lies_behind_the_last_root_that_a_witness_saw(editor: Editor) -> None:
    report = verified(spoiled(editor, tampering.record_head_edited))
    mismatch = next(one for one in report.findings if one.kind.value == "witness-mismatch")
    assert mismatch.record == 0


@pytest.mark.parametrize("edit", [
    column("memory", "trust", 1, of=lambda facts: facts.rejected),
    tampering.rejection_put_back,
], ids=["trust column edited", "sealed head put back"])  # fmt: skip
def test_no_head_brings_a_rejected_value_back(editor: Editor, edit: Edit) -> None:
    facts = spoiled(editor, edit)
    with opened(facts) as vault:
        assert texts(vault, "staging password whiteboard", known_at=facts.before_rejection) == []
        with pytest.raises((NotFound, Tampered)):
            vault.read(facts.rejected)
        assert vault.remember(tampering.REJECTED).refused
        assert kinds(vault.verify()) & {"altered-memory-head", "stale-memory-head"}


def test_before_its_rejection_the_value_was_served(facts: Facts) -> None:
    with muniment.open(facts.older / "vault.db") as vault:
        assert texts(vault, "staging password whiteboard") == [tampering.REJECTED]


def test_a_file_rolled_back_under_a_newer_witness_serves_and_takes_nothing(facts: Facts) -> None:
    tampering.rolled_back(facts)
    with opened(facts) as vault:
        assert kinds(vault.verify()) == {"rolled-back"}
        for act in (lambda: vault.recall(TEA), lambda: vault.read(facts.tea), lambda: vault.remember("x y")):
            with pytest.raises(RolledBack):
                act()


def test_a_person_may_accept_the_older_log_and_it_verifies_then(facts: Facts) -> None:
    tampering.rolled_back(facts)
    with opened(facts) as vault:
        vault.checkpoint(new_epoch="rolled-back")
        assert texts(vault, TEA) == [tampering.TEA]
        assert verdict_of(vault.verify()) == "clean"


def verdict_of(report: Report) -> str:
    return "clean" if report.ok else " ".join(sorted(kinds(report)))


def test_a_note_that_the_vault_did_not_sign_is_found(facts: Facts) -> None:
    witness = facts.directory / "vault.db.keys" / "witness"
    notes = witness.read_text(encoding="utf-8")
    lines = notes.splitlines()
    lines[1] = str(int(lines[1]) + 1)
    witness.write_text("\n".join(lines) + "\n\n", encoding="utf-8")
    assert kinds(verified(facts)) == {"witness-mismatch"}


def test_keys_that_are_missing_leave_nothing_to_check_with(facts: Facts) -> None:
    shutil.rmtree(facts.directory / "vault.db.keys")
    with opened(facts) as vault, pytest.raises(MissingKey):
        vault.verify()


def _role(facts: Facts, key: str) -> str:
    with muniment.open(facts.path, key=key) as vault:
        return vault.principal.role.value


def test_an_untouched_key_opens_and_a_revoked_one_does_not(facts: Facts) -> None:
    assert _role(facts, facts.credential) == "agent"
    with pytest.raises(BadCredential):
        _role(facts, facts.revoked)


@pytest.mark.parametrize(("edit", "found"), [
    (tampering.credential_inserted, {"inserted-row", "deleted-row"}),
    (tampering.credential_raised, {"altered-row"}),
], ids=["inserted", "raised"])  # fmt: skip
def test_a_credential_row_of_ones_own_opens_nothing(editor: Editor, edit: Edit, found: set[str]) -> None:
    facts = spoiled(editor, edit)
    with pytest.raises(BadCredential):
        _role(facts, facts.credential)
    assert kinds(verified(facts)) == found


def test_a_revocation_whose_record_was_cut_away_still_revokes(editor: Editor) -> None:
    facts = spoiled(editor, tampering.records_cut)
    with pytest.raises(BadCredential):
        _role(facts, facts.revoked)


def test_a_deleted_revocation_is_unnoticed_until_verify(editor: Editor) -> None:
    """The table says so: nothing that is left names the row."""
    facts = spoiled(editor, tampering.revocation_deleted)
    assert _role(facts, facts.revoked) == "auditor"
    assert kinds(verified(facts)) == {"deleted-row"}


def test_why_serves_no_altered_evidence(editor: Editor) -> None:
    facts = editor.facts
    with opened(facts) as vault:
        claim = vault.remember("The harbour keeps hours", evidence=[facts.turn]).id
        assert [step.text for step in vault.why(claim)][1:] == [tampering.TURN]
    facts = spoiled(editor, named("evidence").edit)
    with opened(facts) as vault, pytest.raises(Tampered):
        vault.why(claim)


def _table() -> dict[str, tuple[str, ...]]:
    section = (ROOT / "SECURITY.md").read_text(encoding="utf-8").split("## Tampering")[1].split("\n## ")[0]
    rows = [line.strip("|").split("|") for line in section.splitlines() if line.startswith("|")]
    return {row[0].strip(): tuple(cell.strip() for cell in row[1:]) for row in rows[2:]}


_SAYS: dict[str, Callable[[str], bool]] = {
    WITHHELD: lambda cell: cell.startswith("caught"),
    REFUSED: lambda cell: cell.startswith("caught"),
    UNNOTICED: lambda cell: cell.startswith("not noticed"),
}


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.name)
def test_the_table_of_security_says_what_is_done(attack: Attack) -> None:
    read, _, verify = _table()[attack.what]
    if attack.name in ("inserted", "session"):
        # What was altered is withheld, or refused, while all else is served: tests of its own show both.
        assert read.startswith("caught")
    else:
        assert _SAYS[attack.reading](read), f"{attack.what}: {read}"
    assert verify.startswith("caught")
