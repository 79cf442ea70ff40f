"""Which values does a statement take that every write runs?  In the order of its parameters.

What is bound by its place costs a third of what is bound by its name, and a version has 34
values.  A test holds these orders to the statements of every dialect.
"""

import json

from muniment.domain.changes import Job
from muniment.domain.evidence import Evidence
from muniment.domain.ids import packed
from muniment.domain.ledger import Record, Seal, TenantHead
from muniment.domain.memory import Version
from muniment.domain.timeline import to_micros
from muniment.store.codec import (
    EVIDENCE_NUMBER,
    KIND_NUMBER,
    ROLE_NUMBER,
    STATE_NUMBER,
    TRUST_NUMBER,
    Value,
    micros,
)

Values = tuple[Value, ...]


def version_values(tenant: int, version: Version, seal: Seal, *, terms: bytes) -> Values:
    """Return the values of `add_version`."""
    claim, label, valid, digests = version.claim, version.label, version.valid, version.digests
    return (
        tenant, version.n, packed(version.memory), version.number, version.space,
        to_micros(valid.start), micros(valid.end), to_micros(version.recorded),
        TRUST_NUMBER[version.trust], TRUST_NUMBER[version.before], int(version.rank),
        int(label.data_class), int(label.untrusted), KIND_NUMBER[version.kind],
        micros(version.expires_at),
        json.dumps(version.tags, ensure_ascii=False) if version.tags else None,
        version.author, version.actor, version.act, version.session,
        micros(version.occurred_at), micros(version.asserted_at),
        digests.value, digests.slot or None,
        claim.about or None, claim.attribute or None, claim.value or None, int(claim.many),
        version.reason or None, seal.salt, seal.record, seal.index, claim.text, terms,
    )  # fmt: skip


def memory_values(tenant: int, version: Version, mac: bytes) -> Values:
    """Return the values of `add_memory`: the sealed head that names a version."""
    return (
        tenant, packed(version.memory), version.n, version.number, TRUST_NUMBER[version.trust],
        version.space, version.digests.value, version.digests.slot or None, mac,
    )  # fmt: skip


def moved_memory_values(tenant: int, version: Version, mac: bytes) -> Values:
    """Return the values of `move_memory`: the same head for a memory that is there."""
    return (
        version.n, version.number, TRUST_NUMBER[version.trust], version.space,
        version.digests.value, version.digests.slot or None, mac, tenant, packed(version.memory),
    )  # fmt: skip


def evidence_values(tenant: int, item: Evidence, seal: Seal, *, terms: bytes) -> Values:
    """Return the values of `add_evidence`."""
    return (
        tenant, item.n, packed(item.id), item.space, to_micros(item.recorded), micros(item.occurred_at),
        int(item.label.data_class), int(item.label.untrusted), EVIDENCE_NUMBER[item.kind],
        STATE_NUMBER[item.state], ROLE_NUMBER[item.role], item.session, item.sequence, item.author,
        item.replaced, item.speaker, item.source, item.parent, item.origin or None,
        seal.salt, seal.record, seal.index, item.text, terms,
    )  # fmt: skip


def record_values(tenant: int, record: Record) -> Values:
    """Return the values of `add_record`."""
    return (tenant, record.position, to_micros(record.recorded), record.head, record.rows)


def job_values(tenant: int, job: Job) -> Values:
    """Return the values of `add_job`."""
    return (tenant, job.n, job.kind, job.target, job.due, job.attempts, job.lease, job.error)


def counting_head_values(tenant: int, head: TenantHead, place: tuple[int, str, int, int]) -> Values:
    """Return the values of `move_head_counting`: the head, and space, sort, rows and terms to count."""
    return (*head_values(tenant, head)[:-1], *place, tenant)


def head_values(tenant: int, head: TenantHead) -> Values:
    """Return the values of `move_head`."""
    return (
        head.vault, head.size, head.frontier, head.recorded, head.next_n, head.generation,
        head.epoch, head.analyser, head.mac, tenant,
    )  # fmt: skip
