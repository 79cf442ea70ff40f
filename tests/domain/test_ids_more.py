"""Do ids keep their order and their kind, and is there no second spelling of one?"""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from muniment.adapters.system import SystemIds
from muniment.domain import ids
from muniment.domain.ids import NUMBER_BYTES, PACKED_BYTES, PREFIXES, is_id, new_id, packed, spelled, unpacked
from muniment.errors import BadInput

LARGEST = (1 << 128) - 1
NUMBERS = st.integers(0, LARGEST)
DIGITS = "0123456789abcdefghijklmnopqrstuv"


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (0, "0" * 26),
        (1, "0" * 25 + "4"),
        (7, "0" * 25 + "s"),
        (8, "0" * 24 + "10"),
        (LARGEST, "v" * 25 + "s"),
        (LARGEST - 1, "v" * 25 + "o"),
        (1 << 127, "g" + "0" * 25),
        (1 << 68, "0" * 11 + "1" + "0" * 14),
        ((1 << 68) - 1, "0" * 12 + "v" * 13 + "s"),
    ],
)
def test_known_numbers_have_these_spellings(number: int, text: str) -> None:
    assert spelled(number) == text
    assert packed(f"m_{text}")[1:] == number.to_bytes(NUMBER_BYTES, "big")


@settings(max_examples=60)
@given(NUMBERS)
def test_a_spelling_is_26_digits_of_which_the_last_is_a_multiple_of_four(number: int) -> None:
    text = spelled(number)
    assert len(text) == 26
    assert set(text) <= set(DIGITS)
    assert DIGITS.index(text[-1]) % 4 == 0


@pytest.mark.parametrize("last", DIGITS)
def test_only_every_fourth_last_digit_ends_an_id(last: str) -> None:
    """The last digit holds three bits of the number; two ids must not mean the same row."""
    text = f"m_{'0' * 25}{last}"
    assert is_id(text) is (DIGITS.index(last) % 4 == 0)
    if not is_id(text):
        with pytest.raises(BadInput):
            packed(text)


@settings(max_examples=60)
@given(NUMBERS, NUMBERS, st.sampled_from(sorted(PREFIXES)))
def test_packed_bytes_sort_as_the_ids_do(one: int, other: int, prefix: str) -> None:
    first, second = f"{prefix}_{spelled(one)}", f"{prefix}_{spelled(other)}"
    assert (first < second) == (packed(first) < packed(second)) == (one < other)


@pytest.mark.parametrize("letter", [chr(code) for code in range(ord("a"), ord("z") + 1)])
def test_a_letter_is_a_prefix_when_the_table_has_it(letter: str) -> None:
    text = f"{letter}_{spelled(5)}"
    assert is_id(text) is (letter in PREFIXES)
    stored = letter.encode() + (5).to_bytes(NUMBER_BYTES, "big")
    if letter in PREFIXES:
        assert unpacked(stored) == text
    else:
        with pytest.raises(BadInput, match="not a packed id"):
            unpacked(stored)


def test_the_letters_mean_what_they_always_did() -> None:
    """A letter is never reused: ids of this table stand in exports and in other people's notes."""
    assert dict(PREFIXES) == {
        "m": "memory",
        "e": "evidence",
        "s": "session",
        "l": "link",
        "x": "erasure",
        "t": "tombstone",
        "r": "record",
        "c": "case",
        "p": "proposal",
        "d": "dial",
        "b": "edit of a block",
        "f": "frozen baseline",
        "g": "happenings of a session",
        "q": "request for an erasure",
        "u": "use of a model",
    }
    with pytest.raises(TypeError):
        PREFIXES["x"] = "other"


@pytest.mark.parametrize("first", [0x00, 0x4D, 0x80, 0xFF])
def test_bytes_whose_first_is_no_letter_of_the_table_are_refused(first: int) -> None:
    with pytest.raises(BadInput):
        unpacked(bytes((first,)) + bytes(NUMBER_BYTES))


@pytest.mark.parametrize("size", [0, 1, PACKED_BYTES - 1, PACKED_BYTES + 1, 2 * PACKED_BYTES])
def test_only_seventeen_bytes_are_a_packed_id(size: int) -> None:
    with pytest.raises(BadInput):
        unpacked(b"m" * size)
    assert len(unpacked(b"m" * PACKED_BYTES)) == 28


@settings(max_examples=40)
@given(st.binary(min_size=NUMBER_BYTES, max_size=NUMBER_BYTES), st.sampled_from(sorted(PREFIXES)))
def test_any_bytes_of_a_known_kind_are_one_id_and_back(number: bytes, prefix: str) -> None:
    stored = prefix.encode() + number
    assert packed(unpacked(stored)) == stored


@settings(max_examples=60)
@given(st.text(max_size=30))
def test_any_text_is_an_id_or_is_refused_and_never_half(text: str) -> None:
    if is_id(text):
        assert unpacked(packed(text)) == text
        return
    with pytest.raises(BadInput):
        packed(text)


@pytest.mark.parametrize("prefix", sorted(PREFIXES))
def test_new_ids_are_ids_and_sort_by_their_making(prefix: str) -> None:
    ids = SystemIds()
    made = [ids.new(prefix) for _ in range(50)]
    assert all(is_id(one) and one.startswith(f"{prefix}_") for one in made)
    assert all(one < other for one, other in pairwise(made))


@given(NUMBERS, st.sampled_from(sorted(PREFIXES)))
def test_a_new_id_is_spelled_and_packed_as_any(number: int, prefix: str) -> None:
    id = new_id(prefix, number)
    assert id == f"{prefix}_{spelled(number)}"
    at_hand = packed(id)
    ids._packed.clear()
    assert packed(id) == at_hand
    assert unpacked(at_hand) == id


def test_the_ids_at_hand_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ids, "REMEMBERED_IDS_MAX", 10)
    ids._packed.clear()
    for number in range(100):
        assert packed(new_id("m", number))[1:] == number.to_bytes(NUMBER_BYTES, "big")
        assert packed(f"e_{spelled(number)}")[:1] == b"e"
        assert 0 < len(ids._packed) <= 10


def test_a_text_that_is_no_id_is_refused_each_time_and_never_kept() -> None:
    ids._packed.clear()
    for _ in range(2):
        with pytest.raises(BadInput):
            packed("m_nonsense")
    assert not ids._packed
