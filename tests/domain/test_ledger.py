"""Are the log's hashes those of RFC 6962, and does each proof prove one thing only?"""

import hashlib
import hmac
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.domain import ledger
from muniment.domain.ledger import Entry, Record, RowCode, TenantHead
from muniment.errors import Tampered

LEAVES = [hashlib.sha256(b"\x00" + bytes((number,))).digest() for number in range(33)]


def by_definition(leaves: list[bytes]) -> bytes:
    """The tree hash of RFC 6962 section 2.1, written from its text."""
    if not leaves:
        return hashlib.sha256(b"").digest()
    if len(leaves) == 1:
        return leaves[0]
    split = 1
    while split * 2 < len(leaves):
        split *= 2
    left, right = by_definition(leaves[:split]), by_definition(leaves[split:])
    return hashlib.sha256(b"\x01" + left + right).digest()


def frontier_of(leaves: list[bytes]) -> bytes:
    frontier = b""
    for size, leaf in enumerate(leaves):
        frontier = ledger.grown(frontier, size, leaf)
    return frontier


def test_the_empty_tree_has_the_known_root() -> None:
    known = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    assert ledger.root_of(b"").hex() == ledger.EMPTY_ROOT.hex() == known


# The reference test data of Certificate Transparency: eight inputs and the root after each.
_INPUTS = (
    "", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f",
)  # fmt: skip
_ROOTS = (
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
)


@pytest.mark.parametrize("count", range(1, 9))
def test_the_published_trees_have_the_published_roots(count: int) -> None:
    leaves = [hashlib.sha256(b"\x00" + bytes.fromhex(each)).digest() for each in _INPUTS[:count]]
    assert ledger.root_of(frontier_of(leaves)).hex() == _ROOTS[count - 1]


@pytest.mark.parametrize("count", range(34))
def test_a_root_is_that_of_the_definition(count: int) -> None:
    frontier = frontier_of(LEAVES[:count])
    assert ledger.root_of(frontier) == by_definition(LEAVES[:count])
    assert len(frontier) == 32 * count.bit_count()


@pytest.mark.parametrize("count", range(1, 34))
def test_every_leaf_is_shown_to_be_included(count: int) -> None:
    leaves, root = LEAVES[:count], by_definition(LEAVES[:count])
    for index in range(count):
        path = ledger.inclusion_proof(leaves, index)
        assert len(path) <= (count - 1).bit_length()
        assert ledger.included(leaves[index], index, count, path=path, root=root)


@pytest.mark.parametrize("count", [1, 2, 3, 7, 8, 33])
def test_a_proof_holds_for_its_leaf_index_size_and_root_only(count: int) -> None:
    leaves, root = LEAVES[:count], by_definition(LEAVES[:count])
    other = hashlib.sha256(b"another").digest()
    for index in range(count):
        path = ledger.inclusion_proof(leaves, index)
        assert not ledger.included(other, index, count, path=path, root=root)
        assert not ledger.included(leaves[index], index, count, path=path, root=other)
        assert not ledger.included(leaves[index], index, count, path=(*path, other), root=root)
        for wrong in {*range(count + 1), -1} - {index}:
            assert not ledger.included(leaves[index], wrong, count, path=path, root=root)
        for at in range(len(path)):
            altered = (*path[:at], other, *path[at + 1 :])
            assert not ledger.included(leaves[index], index, count, path=altered, root=root)
        if path:
            assert not ledger.included(leaves[index], index, count, path=path[:-1], root=root)


def test_an_empty_tree_includes_nothing() -> None:
    assert not ledger.included(LEAVES[0], 0, 0, path=(), root=ledger.EMPTY_ROOT)


def test_a_leaf_hash_keeps_head_and_rows_apart() -> None:
    """Moving a byte from the head to the rows gives another leaf."""
    assert ledger.leaf_hash(b"ab", b"c") != ledger.leaf_hash(b"a", b"bc")
    expected = hashlib.sha256(b"\x00" + b"\x00\x00\x00\x02" + b"ab" + b"c").digest()
    assert ledger.leaf_hash(b"ab", b"c") == expected


@pytest.mark.parametrize("head", [b"", b"{", b"\xff", b"5", b"[]", b"[" * 100_000])
def test_a_record_that_spells_nothing_was_altered(head: bytes) -> None:
    record = Record(0, datetime(2026, 1, 1, tzinfo=UTC), head, b"")
    with pytest.raises(Tampered):
        record.fields()


def test_a_record_gives_back_its_fields_and_entries() -> None:
    entries = (Entry(RowCode.VERSION, b"m" * 16, b"c" * 16), Entry(RowCode.LINK, b"l" * 16, b"d" * 16))
    head = ledger.record_head(verb="remember", actor=1, forced=False, of=None)
    record = Record(0, datetime(2026, 1, 1, tzinfo=UTC), head, b"".join(each.packed() for each in entries))
    assert head == b'{"actor":1,"forced":false,"of":null,"verb":"remember"}'
    assert record.count == 2
    assert record.entries() == entries
    assert record.ids_of(RowCode.VERSION) == (b"m" * 16,) and record.ids_of(RowCode.LINK) == (b"l" * 16,)
    assert record.ids_of(RowCode.MATTER) == ()
    assert record.fields() == {"verb": "remember", "actor": 1, "forced": False, "of": None}
    assert {len(each.packed()) for each in entries} == {ledger.ENTRY_BYTES}


def test_a_commitment_depends_on_key_salt_and_row() -> None:
    known = ledger.commitment(b"key", b"salt", b"row")
    assert known == hmac.new(b"key", b"saltrow", hashlib.sha256).digest()[:16]
    others = {
        ledger.commitment(b"Key", b"salt", b"row"),
        ledger.commitment(b"key", b"Salt", b"row"),
        ledger.commitment(b"key", b"salt", b"Row"),
    }
    assert len(others | {known}) == 4


def test_a_keyed_digest_keeps_its_uses_apart() -> None:
    slot = ledger.keyed_digest(b"key", b"slot", "tea")
    assert len(slot) == 12
    assert slot == ledger.keyed_digest(b"key", b"slot", "tea")
    assert slot != ledger.keyed_digest(b"key", b"value", "tea")
    assert slot != ledger.keyed_digest(b"other", b"slot", "tea")
    assert ledger.keyed_digest(b"key", b"slot", "\ud800") != slot


def test_equal_bytes_are_the_same_and_others_are_not() -> None:
    assert ledger.same_bytes(b"ab", b"ab")
    assert not ledger.same_bytes(b"ab", b"abc")


HEAD = TenantHead("v", 3, b"f" * 64, 5, 7, 2, 1, "a1")


@pytest.mark.parametrize(
    "changed",
    [
        replace(HEAD, vault="w"),
        replace(HEAD, size=4),
        replace(HEAD, frontier=b"g" * 64),
        replace(HEAD, recorded=6),
        replace(HEAD, next_n=8),
        replace(HEAD, generation=3),
        replace(HEAD, epoch=2),
        replace(HEAD, analyser="a2"),
    ],
)
def test_the_head_is_sealed_in_every_field(changed: TenantHead) -> None:
    assert changed.sealed_bytes() != HEAD.sealed_bytes()
    assert replace(HEAD, mac=b"m").sealed_bytes() == HEAD.sealed_bytes()


def test_a_head_knows_its_root() -> None:
    assert replace(HEAD, frontier=frontier_of(LEAVES[:3])).root == by_definition(LEAVES[:3])


def test_a_canonical_row_is_one_array_of_plain_values() -> None:
    moment = datetime(1970, 1, 1, 0, 0, 1, tzinfo=UTC)
    row = ledger.canonical_row(RowCode.LINK, ("\u00e9", None, True, b"\xff", moment, ("a",)))
    assert row == b'[3,"\\u00e9",null,true,"ff",1000000,["a"]]'
    there = moment.astimezone(timezone(timedelta(hours=3)))
    assert ledger.canonical_row(RowCode.LINK, (there,)) == b"[3,1000000]"


def test_a_row_with_a_value_of_no_canonical_form_is_refused() -> None:
    with pytest.raises(TypeError, match="set has no canonical form"):
        ledger.canonical_row(RowCode.LINK, ({1},))


VALUES = st.lists(st.one_of(st.text(), st.integers(), st.booleans(), st.none()), max_size=4)


@given(VALUES, VALUES)
def test_rows_that_differ_have_different_bytes(one: list[object], other: list[object]) -> None:
    same = [(type(each), each) for each in one] == [(type(each), each) for each in other]
    left, right = (ledger.canonical_row(RowCode.LINK, each) for each in (one, other))
    assert (left == right) is same
    assert left.isascii()


@given(st.binary(max_size=80), st.lists(st.binary(max_size=200), min_size=1, max_size=3))
def test_a_key_that_is_kept_ready_gives_each_message_its_own_mac(key: bytes, messages: list[bytes]) -> None:
    for message in messages:
        assert ledger.keyed(key, message) == hmac.digest(key, message, "sha256")
