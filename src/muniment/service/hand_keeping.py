"""Which verbs keep the vault itself?  Verify, carry out and in, keys, checkpoints, the index."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from muniment.domain.principal import ActorRole
from muniment.errors import BadInput
from muniment.later import Later
from muniment.service.arguments import actor_of, named, path_of, position_of, text_of, texts_of
from muniment.service.hand import Hand

if TYPE_CHECKING:
    from muniment.service import (
        block_arguments,
        credentials,
        findings,
        import_vault,
        intake,
        proving,
        rotation,
        share,
        upkeep,
        verify,
    )
    from muniment.service import block_files as files
    from muniment.service import restore as restoring
else:
    block_arguments = Later("muniment.service.block_arguments")
    files = Later("muniment.service.block_files")
    credentials = Later("muniment.service.credentials")
    findings = Later("muniment.service.findings")
    import_vault = Later("muniment.service.import_vault")
    intake = Later("muniment.service.intake")
    proving = Later("muniment.service.proving")
    restoring = Later("muniment.service.restore")
    rotation = Later("muniment.service.rotation")
    share = Later("muniment.service.share")
    upkeep = Later("muniment.service.upkeep")
    verify = Later("muniment.service.verify")


class Keeping(Hand):
    """Keep a vault: prove it, carry it, and say who may act on it."""

    def verify(self, *, progress: "intake.Progress | None" = None) -> "findings.Report":
        """Walk all records, rows and heads; the report names what does not hold (I6)."""
        self._recalls.flush()
        return verify.verify(self._ground, progress=progress)

    def prove(self, record: int) -> str:
        """Return what shows, without a vault, that a record stands in the log; not for agents (I6).

        `record` is its position, from 0.  Raises NotFound where there is none.
        """
        if self._principal.role is ActorRole.AGENT:
            raise BadInput("Agents do not read the log.")
        self._recalls.flush()
        return proving.proof_of(self._ground, position_of(record, "record"))

    def export(
        self, path: str | Path, *, keys: bool = True, progress: "intake.Progress | None" = None
    ) -> "share.ExportReport":
        """Write everything to one file, with a signed checkpoint and the keys beside it."""
        self._recalls.flush()
        return share.export(self._ground, self._principal, path_of(path), keys=keys, progress=progress)

    def import_(
        self, path: str | Path, *, progress: "intake.Progress | None" = None
    ) -> "import_vault.ImportReport":
        """Offer what an export holds to the gate, at rank import; twice adds nothing."""
        report = import_vault.import_(self._ground, self._principal, path_of(path), progress=progress)
        self._witnessing.now()
        return report

    def restore(
        self, path: str | Path, *, progress: "intake.Progress | None" = None
    ) -> "restoring.RestoreReport":
        """Put the vault of an export back into this empty one; the owner's act."""
        return restoring.restore(self._ground, self._principal, path_of(path), progress=progress)

    def block_files(self) -> "files.FilesReport":
        """Bring the block files together with their blocks and say how each stands; the owner's act.

        Makes the directory where there is none: from then on each use of a block looks at its file.
        """
        report = files.brought(self._ground, self._principal)
        self._witnessing.now()
        return report

    def repair_block(self, name: str) -> "files.FileState":
        """Write a block's file from the block; what is there is kept as a copy.  The owner's act."""
        return files.repaired(self._ground, self._principal, block_arguments.block_of(text_of("block", name)))

    def make_key(
        self,
        *,
        actor: str,
        role: str = "agent",
        space: str = "home",
        reads: Sequence[str] = (),
        writes: Sequence[str] = (),
        secrets: bool = False,
    ) -> tuple[str, str]:
        """Make a key on record; return its text, shown once and never stored, and its public id.

        With `secrets` its holder may store text that holds a secret, as class secret.
        """
        if role not in ActorRole.__members__.values() or role == ActorRole.SYSTEM.value:
            raise BadInput("`role` is owner, admin, member, auditor or agent.")
        rights = credentials.Rights(
            home=space,
            read_roots=texts_of("reads", reads),
            write_spaces=texts_of("writes", writes),
            keeps_secrets=secrets,
        )
        return credentials.make_key(
            self._ground, self._principal, actor=actor_of(actor), role=ActorRole(role), rights=rights
        )

    def keys(self) -> tuple["credentials.HeldKey", ...]:
        """Return every key ever made: whose, since when, live or revoked; never a secret."""
        return credentials.list_keys(self._ground, self._principal)

    def revoke_key(self, public_id: str) -> int:
        """Revoke a key; whoever holds it is refused from the next call on."""
        return credentials.revoke_key(self._ground, self._principal, named("public_id", public_id))

    def rotate_keys(self) -> "rotation.Rotated":
        """Take new signing and tombstone keys; the old ones stay for what was made with them."""
        return rotation.rotate_keys(self._ground, self._principal)

    def checkpoint(self, *, new_epoch: str = "") -> str:
        """Sign the present head for the outside witness; `new_epoch` accepts an older log, with why."""
        if new_epoch:
            return upkeep.new_epoch(self._ground, self._principal, why=named("new_epoch", new_epoch))
        return upkeep.checkpoint(self._ground)
