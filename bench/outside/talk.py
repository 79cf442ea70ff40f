"""How does a foreign suite write to a vault and ask it?  By channel, for one person, as an agent would."""

import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path

import muniment
from muniment.recall.question import Hit
from muniment.service.vault import Vault


class Talk:
    """Hold one vault in which each person has a space, and words from outside have their own session."""

    def __init__(self) -> None:
        self._root = Path(tempfile.mkdtemp(prefix="muniment-outside-"))
        self.vault: Vault = muniment.open(self._root / "vault.db")

    def close(self) -> None:
        """Close the vault and throw it away."""
        self.vault.close()
        shutil.rmtree(self._root, ignore_errors=True)

    def told(self, text: str, *, space: str, outside: bool, **fields: object) -> bool:
        """Have an agent remember a text; after a page from outside when it is said to come from there.

        Return whether it was taken.
        """
        session = self.vault.session("outside" if outside else "talk", agent="coder", space=space)
        if outside:
            session.append("tool_result", text)
        return not session.remember(text, **fields).refused  # type: ignore[arg-type]  # the verb checks them

    def asked(self, query: str, *, space: str, k: int, tags: Sequence[str] = ()) -> list[Hit]:
        """Return the hits that an agent of a space is given."""
        return list(self.vault.acting_as(actor="coder", space=space).recall(query, k=k, tags=tags).hits)


def believed(hits: Sequence[Hit]) -> list[Hit]:
    """Return the hits that stand in the envelope as believed: nothing from outside, no quotations."""
    return [hit for hit in hits if hit.trust == "believed" and not hit.label.untrusted]
