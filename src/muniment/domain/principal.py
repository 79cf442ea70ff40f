"""Who acts, and what may they reach?  All of it comes from the credential (I7, I15)."""

from dataclasses import dataclass
from enum import StrEnum

from muniment.domain.label import DataClass
from muniment.domain.space import HOME, ancestors, within


class ActorRole(StrEnum):
    """Name what a principal is in the house."""

    OWNER = "owner"
    ADMIN = "admin"
    MEMBER = "member"
    AUDITOR = "auditor"
    AGENT = "agent"
    SYSTEM = "system"


PERSONS = frozenset({ActorRole.OWNER, ActorRole.ADMIN, ActorRole.MEMBER})
"""Roles whose acts are a person's; a surface that a model drives never holds one (I15)."""

EVERYWHERE = frozenset({ActorRole.OWNER, ActorRole.ADMIN, ActorRole.SYSTEM})
"""Roles that may read and write every space of their tenant."""


@dataclass(frozen=True, slots=True)
class Principal:
    """Hold who acts.

    `home` is where writes go when no space is named.  `read_roots` grants whole subtrees
    for reading and `write_spaces` exact spaces for writing, beside the home.
    `class_max` is the strictest data class that may be read, and `keeps_secrets` says that
    text with a secret is stored as class secret instead of being refused.  One that
    `reads_only` keeps what happened in its session and changes nothing else.
    """

    tenant: str
    actor: str
    role: ActorRole
    home: str = HOME
    read_roots: tuple[str, ...] = ()
    write_spaces: tuple[str, ...] = ()
    class_max: DataClass = DataClass.SECRET
    credential: str = ""
    keeps_secrets: bool = False
    reads_only: bool = False

    @property
    def is_person(self) -> bool:
        """Return whether acts count as a person's."""
        return self.role in PERSONS

    def may_read(self, space: str) -> bool:
        """Return whether `space` is readable: home, its ancestors, a granted subtree."""
        if self.role in EVERYWHERE or space in ancestors(self.home) or space in self.write_spaces:
            return True
        return any(within(space, root) for root in self.read_roots)

    def may_write(self, space: str) -> bool:
        """Return whether `space` takes this principal's writes."""
        if self.role is ActorRole.AUDITOR:
            return False
        return self.role in EVERYWHERE or space == self.home or space in self.write_spaces


def local_owner(tenant: str = "local") -> Principal:
    """Return the person who holds the vault's file."""
    return Principal(tenant=tenant, actor="owner", role=ActorRole.OWNER)
