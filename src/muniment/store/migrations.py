"""How does an older vault become a present one?  Numbered files, forward only."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from muniment.errors import NewerSchema

_NUMBER = re.compile(r"(\d{4})_[a-z0-9_]+\.sql")


class Migrated(Protocol):
    """What a migration needs of a database session."""

    def script(self, text: str) -> None:
        """Run statements."""

    def begin(self, *, writing: bool) -> None:
        """Begin a transaction."""

    def commit(self) -> None:
        """Commit it."""

    def roll_back(self) -> None:
        """Undo it."""


def numbered(directory: Path) -> list[tuple[int, str]]:
    """Return the migrations of a directory in order: number and statements.

    Raises ValueError for a gap, since a missing step would leave schemas apart.
    """
    found = []
    for path in sorted(directory.glob("*.sql")):
        match = _NUMBER.fullmatch(path.name)
        if match:
            found.append((int(match[1]), path.read_text(encoding="utf-8")))
    if [number for number, _ in found] != list(range(1, len(found) + 1)):
        raise ValueError(f"the migrations in {directory.name} have a gap")
    return found


def newest(directory: Path) -> int:
    """Return the number of the newest migration."""
    return numbered(directory)[-1][0]


def refuse_newer(version: int, directory: Path) -> None:
    """Raise NewerSchema when a later release wrote the store; nothing was touched."""
    if version > newest(directory):
        raise NewerSchema(f"The vault has schema {version}; this release knows {newest(directory)}.")


def migrate(session: Migrated, version: Callable[[], int], directory: Path, *, stamp: str) -> int:
    """Run every migration that the store lacks, each with its stamp in one transaction.

    `version` reads the store's number; it is asked under the lock, since another process
    may have taken a step meanwhile.  `stamp` is the statement that records a number, with
    `{number}` in its place.  A migration that is interrupted leaves the store as it was
    before that step.
    """
    for number, statements in numbered(directory):
        if number <= version():
            continue
        session.begin(writing=True)
        try:
            if number > version():
                session.script(statements)
                session.script(stamp.replace("{number}", str(number)))
                session.commit()
        finally:
            session.roll_back()
    return version()
