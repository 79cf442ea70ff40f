"""How does a test damage a vault, look for damage and salvage it?"""

import hashlib
from pathlib import Path

import muniment
from muniment import looking
from muniment.errors import DamagedFile
from muniment.store.sqlite.salvage import Salvaged

MEMORIES, TURNS = 240, 60


def salvaged(path: Path) -> tuple[Salvaged, Path]:
    """Salvage a vault, and show that nothing of it was touched."""
    before = {each.name: digest(each) for each in lasting(path)}
    out = path.parent.parent / "saved" / "copy.db"
    out.parent.mkdir(exist_ok=True)
    found = looking.salvage_vault(str(path), str(out))
    assert {each.name: digest(each) for each in lasting(path)} == before
    assert sorted(each.name for each in out.parent.iterdir()) == ["copy.db", "copy.db.keys"]
    assert out.stat().st_mode & 0o777 == 0o600
    return found, out


def lasting(path: Path) -> list[Path]:
    """Return the files of a vault; SQLite's shared memory is made anew by every reader."""
    return [each for each in path.parent.iterdir() if each.is_file() and not each.name.endswith("-shm")]


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def is_found(path: Path) -> bool:
    """Say whether damage is found by opening the vault or by its doctor, with a code in its words."""
    try:
        with muniment.open(path) as vault:
            said = [check.sentence for check in vault.doctor() if not check.well]
    except DamagedFile:
        return True
    return any("damaged-" in sentence for sentence in said)
