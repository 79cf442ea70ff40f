"""Who acts on this connection?  An agent in one session, never a person (I15)."""

import uuid

from muniment import limits
from muniment.domain.label import PUBLIC, Label
from muniment.errors import Busy
from muniment.recall.question import Answer
from muniment.service.session import Session
from muniment.service.vault import Vault

NOBODY = "agent"
"""Name of an agent whose client says none that can be kept."""

_PERSONS = frozenset({"owner", "admin", "member", "auditor", "system"})


class Held:
    """Hold the vault as an agent in one session; safe to share between worker threads.

    What was served is read by the session, so that what it writes later carries the
    label (I10).  An auditor writes nothing and therefore has no session.
    """

    def __init__(self, vault: Vault) -> None:
        self.vault = vault
        may_write = vault.principal.may_write(vault.principal.home)
        self.session: Session | None = vault.session(f"mcp-{uuid.uuid4().hex}") if may_write else None
        self._off_record: Label = PUBLIC

    @property
    def label(self) -> Label:
        """Return the strictest label of all that was served here, on record or not."""
        read = PUBLIC if self.session is None else self.session.label
        return read.joined(self._off_record)

    @property
    def writer(self) -> Session | Vault:
        """Return who writes.

        Raises Busy when untrusted content was served that could not be put on record:
        the session's label would not know of it, and degraded is never a permit (I14).
        """
        if self._off_record.untrusted and self.session is not None and not self.session.label.untrusted:
            raise Busy(
                "What this conversation has read could not be put on record, so it may not write.",
                advice="Start the conversation again once the vault can be written; nothing was stored.",
            )
        return self.vault if self.session is None else self.session

    def asked(self, answer: Answer) -> Answer:
        """Return an answer that was asked for here, remembering what is not on record."""
        if not answer.logged:
            self._off_record = self._off_record.joined(answer.label)
        return answer

    def served(self, answer: Answer) -> Answer:
        """Put on record what was read in another way than by asking, before it leaves."""
        return self.asked((self.session or self.vault).on_record(answer))


class Connection:
    """Hold what one connection of a client needs: the vault until it is known who calls."""

    def __init__(self, vault: Vault, *, space: str, actor: str = "") -> None:
        self._vault = vault
        self._space = space
        self._actor = actor
        self._held: Held | None = None

    def blocks_off(self) -> frozenset[str]:
        """Return which blocks are switched off where the agent is at home."""
        return self._vault.as_agent(actor=NOBODY, home=self._space).blocks_off()

    def held(self, client: str) -> Held:
        """Return the agent's hand; the first call names it, since only then the client is known."""
        if self._held is None:
            actor = self._actor or actor_named(client)
            self._held = Held(self._vault.as_agent(actor=actor, home=self._space))
        return self._held


def actor_named(client: str) -> str:
    """Return the name that a client acts under: its own, unless it cannot be shown or names a person."""
    name = " ".join(client.split())[: limits.name_characters_max]
    if not name or not name.isprintable() or name.casefold() in _PERSONS:
        return NOBODY
    return name
