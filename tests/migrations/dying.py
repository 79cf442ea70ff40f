"""What does a migration leave behind when its process is killed at a given moment?

Runs as a process of its own: `python dying.py FILE DIRECTORY MOMENT`.  It migrates the file
and kills itself after as many statements as MOMENT says; stamping and committing count as
one each.  The dead cannot clean up, as when the power goes.
"""

import os
import signal
import sys
from pathlib import Path

from muniment.store.migrations import migrate
from muniment.store.sqlite.connection import SqliteSession

STAMP = "PRAGMA user_version = {number}"


class DyingSession:
    """Run a migration's statements one by one, and die after a number of them."""

    def __init__(self, session: SqliteSession, moment: int) -> None:
        self._session, self._left = session, moment

    def _die_when_due(self) -> None:
        if self._left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        self._left -= 1

    def script(self, text: str) -> None:
        for statement in text.split(";"):
            if statement.strip():
                self._die_when_due()
                self._session.script(statement)

    def begin(self, *, writing: bool) -> None:
        self._session.begin(writing=writing)

    def commit(self) -> None:
        self._die_when_due()
        self._session.commit()
        self._die_when_due()

    def roll_back(self) -> None:
        self._session.roll_back()


def main(path: str, directory: str, moment: str) -> None:
    """Migrate a file of the first schema, unless death comes first."""
    session = SqliteSession(path)
    dying = DyingSession(session, int(moment))
    migrate(dying, lambda: int(session.pragma("user_version") or 0), Path(directory), stamp=STAMP)
    session.close()
    print("migrated")


if __name__ == "__main__":
    main(*sys.argv[1:])
