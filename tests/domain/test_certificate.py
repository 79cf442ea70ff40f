"""Does a certificate say what was done, once, in one spelling, under one signature?"""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from muniment.adapters.keys import MemoryKeyring
from muniment.adapters.signing import is_signed
from muniment.domain.certificate import Certificate, Status, Store, body, note_of, parsed, verified
from muniment.domain.checkpoint import origin_of
from muniment.domain.ids import spelled
from muniment.errors import Tampered

AT = datetime(2026, 3, 1, 9, 30, 15, 250_000, tzinfo=UTC)
MEMORIES = tuple(f"m_{spelled(n << 90)}" for n in range(1, 48))
PLAIN = Certificate(
    id=f"x_{spelled(7 << 90)}",
    origin=origin_of("ab" * 16, 3),
    size=42,
    root="cm9vdA==",
    tenant="local",
    spaces=(3, 9),
    requester="actor/5",
    basis="request",
    requested=AT,
    logical=AT + timedelta(seconds=1),
    storage=None,
    memories=MEMORIES,
    evidence=(),
    stores=(Store("version", 3, 3, 3), Store("evidence", 1, 1, 1)),
    tombstones=4,
    tombstone_key=2,
    steps=("deleted",),
    status=Status.LOGICAL,
    uncovered=("backups: until they are destroyed",),
    key="a2V5",
)


def signed(certificate: Certificate, keyring: MemoryKeyring) -> str:
    return note_of(certificate, keyring.public_key, keyring.sign(body(certificate).encode()))


def test_the_first_line_names_the_log_and_the_form() -> None:
    assert body(PLAIN).splitlines()[0] == f"muniment/{'ab' * 16}/3/erasure/v1"


def test_what_is_written_is_what_is_read() -> None:
    note = signed(PLAIN, MemoryKeyring())
    assert parsed(note) == PLAIN
    assert parsed(note).note == note


@pytest.mark.parametrize(
    "other",
    [
        replace(PLAIN, memories=()),
        replace(PLAIN, spaces=()),
        replace(PLAIN, evidence=(f"e_{spelled(1 << 90)}",)),
        replace(PLAIN, stores=()),
        replace(PLAIN, uncovered=(), steps=()),
        PLAIN.completed(AT, ("log emptied",), ("archives",)),
    ],
)
def test_every_part_may_be_empty_or_full(other: Certificate) -> None:
    assert parsed(signed(other, MemoryKeyring())) == other


def test_a_completed_one_keeps_what_the_first_said() -> None:
    later = PLAIN.completed(AT + timedelta(hours=1), ("deleted", "log emptied"), ("archives",))
    assert (later.id, later.status, later.storage) == (
        PLAIN.id,
        Status.STORAGE_COMPLETE,
        AT + timedelta(hours=1),
    )
    assert later.steps == ("deleted", "log emptied")
    assert later.uncovered == (*PLAIN.uncovered, "archives")


def test_the_signature_of_the_vault_holds_and_another_does_not() -> None:
    keyring, other = MemoryKeyring(), MemoryKeyring()
    note = signed(PLAIN, keyring)
    assert verified(note, (other.public_key, keyring.public_key), check=is_signed) == PLAIN
    if other.public_key != keyring.public_key:
        with pytest.raises(Tampered):
            verified(note, (other.public_key,), check=is_signed)
    with pytest.raises(Tampered):
        verified(note, (), check=is_signed)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("status logical", "status storage-complete"),
        ("absent 3", "absent 2"),
        ("storage pending", "storage 2026-03-01T09:30:15.250000Z"),
        ("tombstones 4", "tombstones 40"),
        ("basis request", "basis wish"),
    ],
)
def test_a_line_that_was_changed_breaks_the_signature(old: str, new: str) -> None:
    keyring = MemoryKeyring()
    note = signed(PLAIN, keyring)
    assert old in note
    with pytest.raises(Tampered):
        verified(note.replace(old, new), (keyring.public_key,), check=is_signed)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("/erasure/v1", "/erasure/v2"),
        ("id x_", "id y_"),
        ("size 42", "size 042"),
        ("status logical", "status done"),
        ("spaces 3,9", "spaces 3, 9"),
        ("tenant local\n", ""),
        ("store version found 3", "store version found"),
        ("tenant local\n", "tenant local\ntenant local\n"),
    ],
)
def test_what_is_no_certificate_is_refused(old: str, new: str) -> None:
    note = signed(PLAIN, MemoryKeyring())
    changed = note.replace(old, new) if old in note else note.replace(" 42 ", " 042 ")
    assert changed != note
    with pytest.raises(Tampered):
        parsed(changed)


def test_a_longer_note_than_the_bound_is_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    note = signed(PLAIN, MemoryKeyring())
    monkeypatch.setattr("muniment.limits.certificate_characters_max", len(note))
    assert parsed(note) == PLAIN
    monkeypatch.setattr("muniment.limits.certificate_characters_max", len(note) - 1)
    with pytest.raises(Tampered):
        parsed(note)


@pytest.mark.parametrize("text", ["", "a note", "a\n\nb", "muniment/x/1/erasure/v1\n\n\u2014 x y\n"])
def test_any_other_text_is_refused(text: str) -> None:
    with pytest.raises(Tampered):
        parsed(text)
