"""Which are the twenty portable tests?  One table, by their public ids."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from types import MappingProxyType

from muniment.conformance import (
    corrections,
    deletions,
    evidence,
    gateway,
    prompts,
    scope,
    tombstones,
)
from muniment.conformance.adapter import Memory
from muniment.conformance.asking import ended, tried
from muniment.conformance.verdict import Claims, Finding

Test = Callable[[Memory, Claims], None]

CATALOGUE: Mapping[str, Test] = MappingProxyType(
    {
        "scope.cross_tenant_absent": scope.cross_tenant_absent,
        "scope.caller_cannot_widen": scope.caller_cannot_widen,
        "scope.background_respects_boundary": scope.background_respects_boundary,
        "evidence.claim_resolves_to_source": evidence.claim_resolves_to_source,
        "evidence.source_delete_reaches_derived": evidence.source_delete_reaches_derived,
        "evidence.rebuild_from_retained": evidence.rebuild_from_retained,
        "gateway.no_bypass_path": gateway.no_bypass_path,
        "gateway.model_cannot_claim_human_authority": gateway.model_cannot_claim_human_authority,
        "tombstone.laundering_sequence": tombstones.laundering_sequence,
        "tombstone.survives_ttl_and_prune": tombstones.survives_ttl_and_prune,
        "tombstone.key_normalization_attack": tombstones.key_normalization_attack,
        "tombstone.reextraction_stays_inactive": tombstones.reextraction_stays_inactive,
        "tombstone.no_second_memory_unit": tombstones.no_second_memory_unit,
        "deletion.absent_after_reindex_and_restart": deletions.absent_after_reindex_and_restart,
        "deletion.absent_from_shared_copies": deletions.absent_from_shared_copies,
        "correction.survives_reindex": corrections.survives_reindex,
        "correction.retraction_without_replacement": corrections.retraction_without_replacement,
        "retrieval.k_is_an_upper_bound": prompts.k_is_an_upper_bound,
        "prompt.recall_is_fenced_as_data": prompts.recall_is_fenced_as_data,
        "prompt.model_ignores_embedded_instructions": prompts.model_ignores_embedded_instructions,
    }
)


def judged(id: str, memory: Memory) -> Finding:
    """Return how one test of the catalogue ends for a new memory.

    What a memory cannot do and where it breaks is a finding too; `Pointless`, a fault of the
    test itself, is raised.
    """
    said = Claims()
    return ended(id, said, tried(lambda: CATALOGUE[id](memory, said)))


def judgements(make: Callable[[], Memory]) -> Iterator[Finding]:
    """Yield a finding for each of the twenty tests, each in a memory of its own."""
    for id in CATALOGUE:
        with closing(make()) as memory:
            yield judged(id, memory)
