"""Has every id one spelling, and does it come back from its bytes?"""

import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.domain.ids import PACKED_BYTES, PREFIXES, is_id, packed, spelled, unpacked
from muniment.errors import BadInput

NUMBERS = st.integers(min_value=0, max_value=2**128 - 1)
KNOWN = "m_06fhbqo00000000000000000c0"


@given(NUMBERS)
def test_the_spelling_is_that_of_base_32_with_extended_hex_digits(number: int) -> None:
    expected = base64.b32hexencode(number.to_bytes(16, "big")).decode().rstrip("=").lower()
    assert spelled(number) == expected


@given(NUMBERS, NUMBERS)
def test_texts_sort_as_the_numbers_do(one: int, other: int) -> None:
    assert (spelled(one) < spelled(other)) == (one < other)


@given(st.sampled_from(sorted(PREFIXES)), NUMBERS)
def test_an_id_comes_back_from_its_bytes(prefix: str, number: int) -> None:
    id = f"{prefix}_{spelled(number)}"
    stored = packed(id)
    assert is_id(id)
    assert len(stored) == PACKED_BYTES
    assert stored[1:] == number.to_bytes(16, "big")
    assert unpacked(stored) == id


def test_a_known_id_is_one() -> None:
    assert is_id(KNOWN)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "m_",
        KNOWN[:-1],
        KNOWN + "0",
        KNOWN.upper(),
        "y" + KNOWN[1:],
        KNOWN.replace("_", "-"),
        KNOWN[:-1] + "1",
        KNOWN[:-1] + "w",
        KNOWN + "\n",
        " " + KNOWN,
        "m_" + "\u0660" * 26,
        "m_0_6fhbqo000000000000000c0",
    ],
)
def test_what_is_not_the_one_spelling_of_an_id_is_refused(text: str) -> None:
    assert not is_id(text)
    with pytest.raises(BadInput) as caught:
        packed(text)
    assert not text.strip() or text not in caught.value.sentence


@pytest.mark.parametrize("stored", [b"", b"m", b"m" + b"\0" * 15, b"m" + b"\0" * 17, b"y" + b"\0" * 16])
def test_bytes_that_are_no_packed_id_are_refused(stored: bytes) -> None:
    with pytest.raises(BadInput):
        unpacked(stored)
