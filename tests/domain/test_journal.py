"""Does a line of the journal say again what was written, and does nobody else's word count?"""

import json
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.domain import journal
from muniment.domain.evidence import Span
from muniment.domain.journal import Buried, Entry, Named, entry_of, id_of, line_of
from muniment.domain.ledger import RowCode
from muniment.domain.tombstone import ANCHOR_BYTES, DIGEST_BYTES, Keys, Tombstone, TombstoneKind
from muniment.errors import Tampered

KEY, OTHER = b"k" * 32, b"o" * 32
AT = datetime(2026, 4, 2, 8, 30, 1, 5, tzinfo=UTC)


def digest(number: int, size: int = DIGEST_BYTES) -> bytes:
    return number.to_bytes(size, "big")


STONE = Tombstone(
    id="t_1",
    memory="x_1",
    space=0,
    kind=TombstoneKind.ERASED,
    keys=Keys(digest(1), digest(2), digest(3)),
    slot=digest(9),
    key_id=2,
    normaliser="n2",
    generation=7,
    actor=12,
    recorded=AT,
)
ENTRY = Entry(
    id="x_1",
    requester="actor/12",
    requested=AT,
    plan="ab12",
    rows=(
        Named(RowCode.VERSION, "m_1", 2, 5),
        Named(RowCode.EVIDENCE, "e_1", 0, 3, True, (Span(2, 9), Span(12, 30)), ("speaker", "tag/2")),
        Named(RowCode.MATTER, "matter/77", 0, 4),
    ),
    disputes=("m_9",),
    tombstones=(Buried(STONE, (digest(1), digest(4, ANCHOR_BYTES))),),
)


def test_a_line_says_what_was_written() -> None:
    line = line_of(ENTRY, KEY)
    assert entry_of(line, KEY) == ENTRY
    assert id_of(line) == "x_1"
    assert "\n" not in line and line.isascii()


def test_an_erasure_of_nothing_has_a_line_too() -> None:
    bare = replace(ENTRY, rows=(), disputes=(), tombstones=())
    assert entry_of(line_of(bare, KEY), KEY) == bare


named = st.builds(
    Named,
    code=st.sampled_from(RowCode),
    name=st.from_regex(r"[a-z]{1,8}[_/][0-9a-v]{1,26}", fullmatch=True),
    number=st.integers(0, 1 << 40),
    record=st.integers(0, 1 << 40),
    put_back=st.booleans(),
    spans=st.lists(st.builds(Span, st.integers(0, 99), st.integers(100, 999)), max_size=3).map(tuple),
    marked=st.lists(st.sampled_from(["reason", "tag/0", "title"]), max_size=3).map(tuple),
)


@given(st.lists(named, max_size=6))
def test_any_rows_come_back_as_they_were_named(rows: list[Named]) -> None:
    entry = replace(ENTRY, rows=tuple(rows))
    assert entry_of(line_of(entry, KEY), KEY) == entry


def test_a_line_of_another_vault_counts_for_nothing() -> None:
    line = line_of(ENTRY, KEY)
    assert entry_of(line, KEY).id == "x_1"
    with pytest.raises(Tampered, match="seal"):
        entry_of(line, OTHER)


@given(st.data())
def test_a_line_that_was_altered_anywhere_is_found(data: st.DataObject) -> None:
    line = line_of(ENTRY, KEY)
    at = data.draw(st.integers(0, len(line) - 1))
    other = data.draw(st.characters(min_codepoint=32, max_codepoint=126).filter(lambda one: one != line[at]))
    with pytest.raises(Tampered):
        entry_of(line[:at] + other + line[at + 1 :], KEY)


@pytest.mark.parametrize("cut", [0, 1, 3, 20, 40, 80])
def test_a_line_that_was_cut_is_found(cut: int) -> None:
    line = line_of(ENTRY, KEY)
    with pytest.raises(Tampered):
        entry_of(line[:cut], KEY)


def _sealed(change: object) -> str:
    """Return a line that the vault's key sealed although it says something that cannot be."""
    body = json.dumps(change)
    return f"x_1 {journal._mac(KEY, 'x_1', body)} {body}"


def _body() -> dict[str, object]:
    body: dict[str, object] = json.loads(line_of(ENTRY, KEY).split(" ", 2)[2])
    return body


def test_a_line_as_this_test_seals_it_can_be_read() -> None:
    assert entry_of(_sealed(_body()), KEY) == ENTRY


@pytest.mark.parametrize(
    "change",
    [
        [],
        {"rows": 5},
        {"rows": [[1, "m_1", 2]]},
        {"rows": [[99, "m_1", 2, 5, False, [], []]]},
        {"rows": [[1, 7, 2, 5, False, [], []]]},
        {"rows": [[1, "m_1", "2", 5, False, [], []]]},
        {"rows": [[1, "m_1", 2, 5, 0, [], []]]},
        {"rows": [[1, "m_1", 2, 5, False, [[1]], []]]},
        {"rows": [[1, "m_1", 2, 5, False, [], [4]]]},
        {"requested": "yesterday"},
        {"disputes": "m_9"},
        {"tombstones": ["t_1"]},
        {"tombstones": [{"id": "t_1"}]},
    ],
    ids=str,
)
def test_a_sealed_line_of_another_shape_is_refused(change: object) -> None:
    whole = _body() | change if isinstance(change, dict) else change
    with pytest.raises(Tampered, match="cannot be read"):
        entry_of(_sealed(whole), KEY)
