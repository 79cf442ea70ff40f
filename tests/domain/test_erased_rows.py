"""Does what stays of an erasure come back as it was, each part of it committed?"""

from dataclasses import fields, replace

import pytest

from muniment.domain.erased_rows import (
    CertificateRow,
    StubRow,
    certificate_bytes,
    certificate_members,
    certificate_of,
    erased_members,
    stub_bytes,
    stub_members,
    stub_of,
)
from muniment.domain.ledger import RowCode
from tests.domain.samples import ROWS, altered

STUB, CERTIFICATE = ROWS[RowCode.STUB], ROWS[RowCode.CERTIFICATE]
assert isinstance(STUB, StubRow)
assert isinstance(CERTIFICATE, CertificateRow)


def test_a_stub_comes_back_from_its_members() -> None:
    assert stub_of(stub_members(STUB)) == STUB
    assert erased_members(STUB) == (RowCode.STUB, stub_members(STUB))


def test_a_certificate_comes_back_from_its_members() -> None:
    assert certificate_of(certificate_members(CERTIFICATE)) == CERTIFICATE
    assert erased_members(CERTIFICATE) == (RowCode.CERTIFICATE, certificate_members(CERTIFICATE))


@pytest.mark.parametrize("name", [one.name for one in fields(StubRow)])
def test_every_part_of_a_stub_is_committed(name: str) -> None:
    other = replace(STUB, **{name: altered(getattr(STUB, name))})
    assert stub_bytes(other) != stub_bytes(STUB)
    assert stub_members(other) != stub_members(STUB)


@pytest.mark.parametrize("name", [one.name for one in fields(CertificateRow)])
def test_every_part_of_a_certificate_is_committed(name: str) -> None:
    other = replace(CERTIFICATE, **{name: altered(getattr(CERTIFICATE, name))})
    assert certificate_bytes(other) != certificate_bytes(CERTIFICATE)
    assert certificate_members(other) != certificate_members(CERTIFICATE)


@pytest.mark.parametrize("name", ["n", "code", "entry_id", "record", "index", "erasure", "space", "origin"])
def test_a_stub_that_lacks_a_member_is_none(name: str) -> None:
    members = stub_members(STUB)
    del members[name]
    with pytest.raises(KeyError):
        stub_of(members)


@pytest.mark.parametrize(
    ("name", "wrong"),
    [("code", 99), ("code", "version"), ("entry_id", "no hex"), ("n", True), ("origin", 5), ("space", None)],
)
def test_a_stub_of_a_wrong_member_is_none(name: str, wrong: object) -> None:
    with pytest.raises((TypeError, ValueError)):
        stub_of({**stub_members(STUB), name: wrong})
