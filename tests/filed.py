"""How does a test hold a vault whose blocks lie in files too, on any store?"""

from dataclasses import dataclass
from pathlib import Path

from muniment.adapters.block_files import FileBlocks
from muniment.domain.block import DELIMITER
from muniment.domain.check import Check
from muniment.service.vault import Vault
from tests.builders import World


@dataclass
class Filed:
    """Hold a vault with block files, and the directory where they lie."""

    world: World
    place: Path

    @property
    def vault(self) -> Vault:
        return self.world.vault

    def path(self, block: str = "memory") -> Path:
        return self.place / f"{block}.md"

    def text(self, block: str = "memory") -> str:
        return self.path(block).read_text("utf-8")

    def entries(self, block: str = "memory") -> tuple[str, ...]:
        text = self.text(block)
        return tuple(text.split(DELIMITER)) if text else ()

    def write(self, *entries: str, block: str = "memory") -> None:
        """Save a file as an editor does that writes it anew, with a line break at its end."""
        self.path(block).write_text(DELIMITER.join(entries) + "\n", "utf-8")

    def check(self) -> Check:
        """Return what `doctor` says of the files."""
        return next(one for one in self.vault.doctor() if one.name == "files")

    def states(self) -> dict[str, str]:
        return {one.block: one.state for one in self.vault.block_files().files}

    def copies(self) -> list[str]:
        """Return what the copies hold, oldest first."""
        return [one.read_bytes().decode("utf-8", "replace") for one in sorted(self.place.glob("*.md.bak.*"))]

    def restarted(self) -> Vault:
        return placed(self.world.restarted(), self.place)


def placed(vault: Vault, place: Path) -> Vault:
    """Give a vault a place for its block files."""
    vault.ground.block_files = lambda: FileBlocks(place)
    return vault


def filed(world: World) -> Filed:
    """Return a vault whose blocks lie in files too."""
    held = Filed(world, world.place / "vault.db.blocks")
    placed(world.vault, held.place).block_files()
    return held
