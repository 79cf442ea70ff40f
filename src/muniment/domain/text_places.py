"""Where can a text lie that may have to be erased?  Every column and file, and what an erasure does there.

A house test compares this with the schema of each store: a column of texts or bytes that is in
neither table fails it, and so does a file beside a vault that is not listed.
"""

from collections.abc import Mapping
from types import MappingProxyType

_GOES = "goes with its row, or comes back without it"
_INDEX = "taken off with its row; the index is merged, or made anew"

HOLDS_TEXT: Mapping[str, str] = MappingProxyType(
    {
        "version.text": _GOES,
        "version.about": _GOES,
        "version.attribute": _GOES,
        "version.value": _GOES,
        "version.tags": _GOES,
        "version.reason": _GOES,
        "version.terms": _GOES,
        "evidence.text": _GOES,
        "evidence.speaker": _GOES,
        "evidence.source": _GOES,
        "evidence.parent": _GOES,
        "evidence.terms": _GOES,
        "session.name": _GOES,
        "session.agent": _GOES,
        "session.title": _GOES,
        "session.source": _GOES,
        "tombstone.reason": _GOES,
        "recall_log.query": _GOES,
        "matter.body": _GOES,
        "matter.reason": _GOES,
        "actor.name": _GOES,
        "vector.lanes": "goes with its row; made from a text",
        "live.terms": _INDEX,
        "past.terms": _INDEX,
        "space.path": _GOES,
        "credential.actor": _GOES,
        "credential.home": _GOES,
        "credential.rights": _GOES,
    }
)
"""What an erasure does with each column that can hold a remembered text."""

# fmt: off
HOLDS_NONE = frozenset((
    "tenant_head.name", "tenant_head.vault", "tenant_head.frontier", "tenant_head.analyser",
    "tenant_head.mac", "tenant_head.counts", "space.dial", "actor.role", "credential.public_id",
    "credential.digest", "credential.role", "matter.id", "matter.kind", "matter.state", "matter.why",
    "matter.new_side", "matter.old_side", "matter.decision", "matter.digest", "session.id",
    "version.memory", "version.act", "version.value_digest", "version.slot_digest", "memory.memory",
    "memory.value_digest", "memory.slot_digest", "memory.mac", "evidence.id", "evidence.origin", "link.id",
    "link.source", "link.target", "link.type", "tombstone.id", "tombstone.memory", "tombstone.kind",
    "tombstone.plain", "tombstone.folded", "tombstone.skeleton", "tombstone.slot", "tombstone.normaliser",
    "tombstone.lifts", "tombstone.found_by", "tombstone_digest.digest", "tombstone_digest.tombstone",
    "tombstone_anchor.anchor", "tombstone_anchor.tombstone", "recall_log.outcome", "recall_log.hits",
    "stub.id", "stub.erasure", "stub.origin", "certificate.erasure", "certificate.status",
    "certificate.note", "record.head", "record.entries", "model.name", "vector.sort", "statistic.sort",
    "job.kind", "job.error",
))
# fmt: on
"""Columns of codes, ids, keyed digests and counts: they hold no remembered text, beside every `salt`."""

FILES: Mapping[str, str] = MappingProxyType(
    {
        "": "the database itself: overwritten where it lay, and searched",
        "-wal": "emptied, and searched",
        "-shm": "places in the write-ahead log, no content",
        ".lock": "the queue of writers, numbers only",
        ".reserve": "zeros",
        ".blocks": "written from the rows, the old bytes overwritten; copies that hold the text go whole",
        ".keys": "keys, signed notes, and the journal of erasures: ids and keyed digests only",
    }
)
"""What lies beside a vault's file, by what is added to its name."""
