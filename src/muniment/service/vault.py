"""What does a caller hold?  One vault, one principal, every verb."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path as FilePath
from types import TracebackType
from typing import TYPE_CHECKING, Self

from muniment.domain.evidence import Arrival, EvidenceKind, Role
from muniment.domain.ledger import keyed_digest
from muniment.domain.principal import EVERYWHERE, ActorRole, Principal
from muniment.domain.space import HOME, checked_path
from muniment.errors import BadInput
from muniment.later import Later
from muniment.service.arguments import actor_of, path_of, text_of, texts_of
from muniment.service.ground import Ground
from muniment.service.hand_blocks import Blocks
from muniment.service.hand_erasing import Erasing
from muniment.service.hand_keeping import Keeping
from muniment.service.hand_reviewing import Reviewing
from muniment.service.hand_searching import Searching
from muniment.service.hand_writing import Writing
from muniment.service.recall_log import RecallLog
from muniment.service.witnessing import Witnessing

if TYPE_CHECKING:
    from muniment.domain import intent as intents
    from muniment.service import conversations, extraction, intake, jobs, rebuild
    from muniment.service import session as sessions
else:
    intents = Later("muniment.domain.intent")
    conversations = Later("muniment.service.conversations")
    extraction = Later("muniment.service.extraction")
    intake = Later("muniment.service.intake")
    jobs = Later("muniment.service.jobs")
    rebuild = Later("muniment.service.rebuild")
    sessions = Later("muniment.service.session")


class Vault(Writing, Blocks, Searching, Reviewing, Keeping, Erasing):
    """Act on one vault as one principal; safe across threads and processes.

    Refusals are receipts, not exceptions, unless `strict=True` is passed.
    """

    def __init__(
        self,
        ground: Ground,
        principal: Principal,
        *,
        recalls: RecallLog,
        witnessing: Witnessing,
        embedded: bool = True,
    ) -> None:
        super().__init__(ground, principal, recalls=recalls, witnessing=witnessing, embedded=embedded)
        self._closed = False

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def ground(self) -> Ground:
        """Return what the use cases stand on, for surfaces that need a further one."""
        return self._ground

    def close(self) -> None:
        """Write what waits, sign the head for the witness and let go of the store."""
        if self._closed:
            return
        self._closed = True
        self._recalls.flush()
        self._witnessing.last()
        self._ground.store.close()

    def acting_as(
        self,
        *,
        actor: str,
        role: str = "agent",
        space: str = HOME,
        reads: Sequence[str] = (),
        writes: Sequence[str] = (),
        secrets: bool = False,
    ) -> "Vault":
        """Return the vault in the hands of a narrower principal (embedded only).

        It reads `space`, the spaces above it and the subtrees `reads`; it writes `space`
        and `writes`.  With `secrets` it may store text that holds a secret, as class secret.
        What the holder may not, it may not either: a key's data class and its revocation bind
        whoever got the vault from its holder.
        """
        holder = self._principal
        if not self._embedded or holder.role not in EVERYWHERE:
            raise BadInput("Only the owner of an embedded vault can hand it to another.")
        if role not in ActorRole.__members__.values() or role == ActorRole.SYSTEM.value:
            raise BadInput("`role` is owner, admin, member, auditor or agent.")
        given = ActorRole(role)
        if given is ActorRole.OWNER and holder.role is not given:
            raise BadInput("Only the owner can hand the vault on as an owner's.")
        return self._as(
            Principal(
                tenant=holder.tenant,
                actor=actor_of(actor),
                role=given,
                home=checked_path(space),
                read_roots=tuple(checked_path(path) for path in texts_of("reads", reads)),
                write_spaces=tuple(checked_path(path) for path in texts_of("writes", writes)),
                class_max=holder.class_max,
                credential=holder.credential,
                keeps_secrets=secrets and (holder.keeps_secrets or not holder.credential),
            )
        )

    def as_agent(self, *, actor: str, home: str = HOME) -> "Vault":
        """Return the vault in an agent's hands, for a surface that a model drives (I15).

        Without a key `actor` acts, at `home` and nowhere else.  The holder of a key keeps
        name, home and grants and loses what only a person may do; an auditor stays one.
        """
        held = self._principal
        if held.role in EVERYWHERE and not held.credential:
            return self.acting_as(actor=actor, role=ActorRole.AGENT.value, space=home)
        role = held.role if held.role is ActorRole.AUDITOR else ActorRole.AGENT
        return self._as(replace(held, role=role))

    def _as(self, principal: Principal) -> "Vault":
        return Vault(
            self._ground,
            principal,
            recalls=self._recalls,
            witnessing=self._witnessing,
            embedded=self._embedded,
        )

    def session(
        self, name: str, *, agent: str = "", space: str = "", clean_tools: Sequence[str] = ()
    ) -> "sessions.Session":
        """Return a conversation of an agent; whoever holds it acts as that agent (I15).

        `clean_tools` names the tools whose results are no untrusted content, such as a calculator.
        """
        owner = self._principal
        home = checked_path(space) if space else owner.home
        if not owner.may_write(home):
            raise BadInput("The session's space is not yours to write.")
        agent_name = actor_of(agent or (owner.actor if owner.role is ActorRole.AGENT else "agent"))
        principal = replace(owner, actor=agent_name, role=ActorRole.AGENT, home=home)
        return sessions.Session(
            self._ground,
            principal,
            name,
            recalls=self._recalls,
            witnessing=self._witnessing,
            clean_tools=texts_of("clean_tools", clean_tools),
        )

    def ingest(
        self, document: str, *, source: str, untrusted: bool = False, space: str | None = None
    ) -> "conversations.TakeReport":
        """Take in a document's text, cut into chunks; the same text of a source adds nothing again."""
        text, name = text_of("document", document), text_of("source", source)
        if not name.strip():
            raise BadInput("`source` says where the document comes from.")
        origin = keyed_digest(self._ground.vault_key, b"document", f"{name}\x1f{text}").hex()
        arrival = Arrival(
            session="",
            origin=origin,
            role=Role.NONE,
            speaker=name,
            text=text,
            kind=EvidenceKind.DOCUMENT,
            untrusted=untrusted,
            title=name,
        )
        where = checked_path(space) if space else self._principal.home
        report = extraction.take_in(
            self._ground, intents.Take(self._principal, where, (arrival,), source=name)
        )
        self._witnessing.after(report.record)
        return report

    def take_file(
        self,
        path: str | FilePath,
        *,
        format: str = "",
        space: str | None = None,
        progress: "intake.Progress | None" = None,
    ) -> "intake.IntakeReport":
        """Take in a conversation file or a directory of them; see the guide for formats."""
        where = checked_path(space) if space else self._principal.home
        file = intake.FileIntake(path_of(path), where, text_of("format", format))
        report = intake.take_file(self._ground, self._principal, file, progress=progress)
        self._witnessing.now()
        return report

    def settle(self) -> "jobs.JobsReport":
        """Do all background work that is due and put the recall log on record."""
        self._recalls.flush()
        report = jobs.run_jobs(self._ground)
        self._witnessing.now()
        return report

    def run_jobs(self) -> "jobs.JobsReport":
        """Do the background work that is due."""
        return jobs.run_jobs(self._ground)

    def reindex(self) -> int:
        """Rebuild both indexes from the rows; return how many rows were indexed."""
        return rebuild.reindex(self._ground, self._principal)
