"""Is a checkpoint the open form that any verifier reads, and does nothing else pass for one?"""

import base64
import hashlib
from datetime import UTC, datetime, timedelta, timezone

import pytest

from muniment.domain import checkpoint
from muniment.domain.checkpoint import Checkpoint, Head, origin_of
from muniment.errors import BadInput, Tampered

AT = datetime(2026, 3, 1, 9, 30, 0, 7, tzinfo=UTC)
ORIGIN = origin_of("v_one", 3)
ROOT = bytes(range(32))
PUBLIC = b"p" * 32
MADE = Checkpoint(ORIGIN, 12, ROOT, AT)
LINES = [ORIGIN, "12", base64.b64encode(ROOT).decode(), "at 2026-03-01T09:30:00.000007Z"]


def signed(public: bytes, message: bytes) -> bytes:
    """A stand-in for Ed25519 that is as long and easy to redo; the real one is tested with the keys."""
    return hashlib.sha512(public + message).digest()


def check(public: bytes, signature: bytes, message: bytes) -> bool:
    return signature == signed(public, message)


def note_of(body: str, *, name: str = ORIGIN, public: bytes = PUBLIC) -> str:
    line = checkpoint.signature_line(name, public, signed(public, body.encode()))
    return checkpoint.note(body, [line])


def test_a_body_is_origin_size_root_and_time() -> None:
    assert checkpoint.body(MADE) == "\n".join(LINES) + "\n"


def test_a_key_hash_is_that_of_the_published_form() -> None:
    """C2SP signed-note: SHA-256 of the name, a newline, the algorithm's byte and the key."""
    expected = hashlib.sha256(b"example.com/log\n\x01" + PUBLIC).digest()[:4]
    assert checkpoint.key_hash("example.com/log", PUBLIC) == expected


def test_a_published_verifier_key_has_the_hash_that_it_states() -> None:
    """The key of the example that the form's first implementation documents."""
    key = base64.b64decode("ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW")
    assert key[:1] == b"\x01"
    assert checkpoint.key_hash("PeterNeumann", key[1:]).hex() == "c74f20a3"


def test_a_note_is_body_empty_line_and_signatures() -> None:
    note = note_of(checkpoint.body(MADE))
    body, _, line = note.partition("\n\n")
    assert body.splitlines() == LINES
    mark, name, value = line.rstrip("\n").split(" ")
    assert (mark, name) == ("\u2014", ORIGIN)
    content = base64.b64decode(value)
    assert content == checkpoint.key_hash(ORIGIN, PUBLIC) + signed(PUBLIC, (body + "\n").encode())


def test_a_checkpoint_comes_back_from_its_note() -> None:
    follows = Head(origin_of("v_one", 2), 99, b"r" * 32)
    for made in (MADE, Checkpoint(ORIGIN, 0, ROOT, AT, follows, "rolled-back")):
        assert checkpoint.parsed(note_of(checkpoint.body(made))) == made


def test_a_time_of_another_zone_is_written_in_utc() -> None:
    there = AT.astimezone(timezone(timedelta(hours=5)))
    assert checkpoint.body(Checkpoint(ORIGIN, 12, ROOT, there)) == checkpoint.body(MADE)


def test_vault_and_epoch_are_read_from_the_origin() -> None:
    assert (MADE.vault, MADE.epoch) == ("v_one", 3)


@pytest.mark.parametrize(
    ("vault", "epoch"), [("", 1), ("a/b", 1), ("a b", 1), ("a\n", 1), ("a+b", 1), ("a", 0)]
)
def test_an_origin_that_would_break_a_note_is_refused(vault: str, epoch: int) -> None:
    with pytest.raises(BadInput):
        origin_of(vault, epoch)


@pytest.mark.parametrize("why", ["Rolled back", "rolled_back", "x" * 41, "a\nb", "ada@example.org"])
def test_the_reason_of_an_epoch_is_one_word(why: str) -> None:
    with pytest.raises(BadInput):
        checkpoint.body(Checkpoint(ORIGIN, 12, ROOT, AT, None, why))


def test_unknown_lines_are_passed_over_and_still_signed() -> None:
    note = note_of(checkpoint.body(MADE) + "weather fine\n")
    assert checkpoint.verified(note, [PUBLIC], check=check) == MADE
    with pytest.raises(Tampered):
        checkpoint.verified(note.replace("fine", "foul"), [PUBLIC], check=check)


@pytest.mark.parametrize(
    ("line", "text"),
    [
        (0, "other/v_one/3"),
        (0, "muniment/v_one/03"),
        (0, "muniment/v_one"),
        (1, "012"),
        (1, "-1"),
        (1, "1e3"),
        (1, ""),
        (1, "\u0661"),
        (2, base64.b64encode(ROOT[:31]).decode()),
        (2, base64.b64encode(ROOT).decode().rstrip("=")),
        (2, base64.b64encode(ROOT).decode()[:-2] + "9="),
        (2, "not base 64"),
        (3, "at yesterday"),
        (3, "at 2026-03-01T09:30:00.000007"),
        (3, "at 2026-03-01T09:30:00.000007+00:00"),
        (3, "on 2026-03-01T09:30:00.000007Z"),
    ],
)
def test_a_line_in_another_spelling_is_no_checkpoint(line: int, text: str) -> None:
    changed = [*LINES[:line], text, *LINES[line + 1 :]]
    with pytest.raises(Tampered):
        checkpoint.parsed(note_of("\n".join(changed) + "\n"))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n\n",
        checkpoint.body(MADE),
        checkpoint.body(MADE) + "\nno signature\n",
        note_of("\n".join(LINES[:3]) + "\n"),
        note_of(checkpoint.body(MADE) + "x" * checkpoint.NOTE_CHARACTERS_MAX + "\n"),
    ],
)
def test_what_is_not_whole_is_no_checkpoint(text: str) -> None:
    with pytest.raises(Tampered):
        checkpoint.parsed(text)


def test_a_checkpoint_is_verified_by_any_of_the_keys() -> None:
    note = note_of(checkpoint.body(MADE))
    assert checkpoint.verified(note, [b"q" * 32, PUBLIC], check=check) == MADE
    for keys in ([], [b"q" * 32]):
        with pytest.raises(Tampered, match="signature"):
            checkpoint.verified(note, keys, check=check)


def test_an_altered_size_does_not_verify() -> None:
    note = note_of(checkpoint.body(MADE))
    with pytest.raises(Tampered, match="signature"):
        checkpoint.verified(note.replace("\n12\n", "\n13\n"), [PUBLIC], check=check)


def test_a_signature_under_another_name_does_not_count() -> None:
    note = note_of(checkpoint.body(MADE), name=origin_of("v_two", 3))
    with pytest.raises(Tampered):
        checkpoint.verified(note, [PUBLIC], check=check)


def test_other_signers_beside_ours_are_passed_over() -> None:
    body = checkpoint.body(MADE)
    ours = checkpoint.signature_line(ORIGIN, PUBLIC, signed(PUBLIC, body.encode()))
    theirs = checkpoint.signature_line("cosigner.example", b"q" * 32, b"s" * 64)
    old = checkpoint.signature_line(ORIGIN, b"q" * 32, b"s" * 64)
    note = checkpoint.note(body, [theirs, old, ours])
    assert checkpoint.verified(note, [PUBLIC], check=check) == MADE


def test_a_handover_names_both_keys() -> None:
    body = checkpoint.rotation_body("v_one", old=b"o" * 32, new=b"n" * 32, at=AT)
    origin, old, new, at = body.splitlines()
    assert origin == "muniment/v_one/key-rotation/v1"
    assert base64.b64decode(old.removeprefix("old ")) == b"o" * 32
    assert base64.b64decode(new.removeprefix("new ")) == b"n" * 32
    assert at == LINES[3]
    with pytest.raises(Tampered):
        checkpoint.parsed(note_of(body, name="muniment/v_one"))
