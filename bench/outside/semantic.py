"""Which memories of an attacker reach the context, by the suite `agent-memory-integrity`?"""

from agmi.adapters.semantic_base import MemoryItem, Retrieved, SemanticMemoryAdapter
from agmi.attacks.memory_specific import ALL_MEMORY_ATTACKS
from agmi.measure import run_memory_attacks

from bench.outside.talk import Talk, believed

ROWS = (("everything in the envelope", False), ("what stands there as believed", True))


class Muniment(SemanticMemoryAdapter):
    """Put a vault behind the suite's adapter: a person is a space, a source is a channel.

    The suite's signatures are not looked at: a vault knows who writes by the credential, and
    here the attacker holds the same one.
    """

    def __init__(self, name: str, *, only_believed: bool) -> None:
        self.name, self._only_believed = name, only_believed
        self._talk: Talk | None = None

    def reset(self) -> None:
        self.close()
        self._talk = Talk()

    def close(self) -> None:
        if self._talk is not None:
            self._talk.close()
        self._talk = None

    def add_memory(self, item: MemoryItem) -> None:
        assert self._talk is not None
        tags = [f"{name}={value}" for name, value in item.metadata.items()]
        self._talk.told(item.text, space=item.user_id, outside=item.source != "user", tags=tags)

    def retrieve(self, query: str, user_id: str, k: int = 5) -> list[Retrieved]:
        return self._found(query, user_id, k=k)

    def retrieve_where(  # noqa: PLR0917  the suite's own signature
        self, query: str, user_id: str, where: dict[str, str], k: int = 5
    ) -> list[Retrieved]:
        return self._found(
            query, user_id, k=k, tags=tuple(f"{name}={value}" for name, value in where.items())
        )

    def _found(self, query: str, user: str, *, k: int, tags: tuple[str, ...] = ()) -> list[Retrieved]:
        assert self._talk is not None
        hits = self._talk.asked(query, space=user, k=k, tags=tags)
        kept = believed(hits) if self._only_believed else hits
        return [Retrieved(hit.text, hit.space, hit.strength) for hit in kept]


def measured() -> list[dict[str, object]]:
    """Return a row for each way of reading the answer: the attacks' cells."""
    found = []
    for name, only_believed in ROWS:
        adapter = Muniment(name, only_believed=only_believed)
        results = run_memory_attacks(adapter)
        adapter.close()
        assert len(results) == len(ALL_MEMORY_ATTACKS)
        cells = {
            result.attack: {
                "said": {"safe": "kept out", "VULNERABLE": "surfaced"}.get(result.status, result.status),
                "detail": result.error or result.detail,
            }
            for result in results
        }
        found.append({"row": name, "cells": cells})
    return found
