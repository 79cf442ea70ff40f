"""Is a row whose columns are of another type than was ever written refused, column by column?"""

import zlib

import pytest

from muniment.errors import BadInput, Tampered
from muniment.recall.eligibility import Sort
from muniment.store import codec
from muniment.store.candidates import candidates_of
from muniment.store.written import bytes_of, decoded, held
from tests.store.test_codec import (
    EVIDENCE_ORDER,
    VERSION_ORDER,
    broken,
    candidate_row,
    evidence,
    stored_evidence,
    stored_version,
    version,
)

NUMBERS = ("number", "n", "space", "author", "actor", "session")
TEXTS = ("text", "about", "attribute", "value", "act", "reason")
DIGESTS = ("value_digest", "slot_digest")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *((name, value) for name in NUMBERS for value in ("\u00e9", '1,"x"', 1.5, b"1", None)),
        *((name, value) for name in TEXTS for value in (b"\x00\xff", 5)),
        *((name, value) for name in DIGESTS for value in ("text", 5)),
        *(("tags", value) for value in ("[1]", "[null]", '[["a"]]', "[" * 100_000)),
        ("text", None),
        ("value_digest", None),
    ],
)
def test_a_version_with_a_column_of_another_type_is_refused(name: str, value: object) -> None:
    row = stored_version(version())
    assert codec.version_of(row) == version()
    with pytest.raises(Tampered):
        codec.version_of(broken(row, VERSION_ORDER.index(name), value))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *((name, "\u00e9") for name in ("n", "space", "author", "session", "sequence", "replaced")),
        *((name, b"\x00\xff") for name in ("text", "speaker", "source", "parent")),
        ("origin", "text"),
        ("origin", 5),
        ("session", None),
    ],
)
def test_an_item_with_a_column_of_another_type_is_refused(name: str, value: object) -> None:
    row = stored_evidence(evidence())
    assert codec.evidence_of(row) == evidence()
    with pytest.raises(Tampered):
        codec.evidence_of(broken(row, EVIDENCE_ORDER.index(name), value))


@pytest.mark.parametrize(("place", "value"), [(9, b"Ada"), (9, None), (10, "9"), (10, b"9")])
def test_a_candidate_with_a_speaker_or_a_session_of_another_type_is_refused(
    place: int, value: object
) -> None:
    assert len(candidates_of([candidate_row()], Sort.MEMORY)) == 1
    with pytest.raises(Tampered):
        candidates_of([broken(candidate_row(), place, value)], Sort.MEMORY)


@pytest.mark.parametrize("value", [None, 5, 1.5, "m_text", b"short", b"?" * 17])
def test_what_is_no_packed_id_is_refused_as_altered(value: object) -> None:
    with pytest.raises(Tampered):
        codec.id_of(value)  # type: ignore[arg-type]  # a file may hold anything
    assert codec.id_of(b"m" + bytes(16)) == f"m_{'0' * 26}"


def test_a_row_number_is_a_number_or_none() -> None:
    assert [codec.key_of(one) for one in (None, 0, 7)] == [0, 0, 7]
    for value in ("\u00e9", b"1", 1.5, "7"):
        with pytest.raises(Tampered):
            codec.key_of(value)  # type: ignore[arg-type]  # a file may hold anything


def test_values_of_one_kind_are_held_and_others_are_not() -> None:
    held(int, 1)
    held(str, "a", "", "b")
    held(bytes, b"")
    for kind, values in ((int, (1, "1")), (int, (True,)), (str, ("a", b"a")), (bytes, (None,))):
        with pytest.raises(TypeError, match=f"not all are {kind.__name__}"):
            held(kind, *values)


def test_bytes_are_bytes() -> None:
    assert bytes_of(b"a") == b"a"
    for value in ("a", None, 5):
        with pytest.raises(TypeError):
            bytes_of(value)


@pytest.mark.parametrize(
    "error",
    [BadInput("odd"), ValueError(), TypeError(), KeyError(), IndexError(), OverflowError(), zlib.error()],
)
def test_what_a_decoder_stumbles_over_was_never_written(error: Exception) -> None:
    @decoded
    def read() -> None:
        raise error

    with pytest.raises(Tampered, match="never written") as caught:
        read()
    assert caught.value.__cause__ is error


def test_a_fault_of_our_own_is_not_taken_for_an_altered_row() -> None:
    @decoded
    def read() -> None:
        raise AssertionError

    with pytest.raises(AssertionError):
        read()
