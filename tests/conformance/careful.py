"""Can the tests of deletion be passed at all?  By the smallest memory that does: words and digests.

It refuses whatever holds a deleted word, keeps only digests of such words, beside its file, and
has its file written anew after each deletion.
"""

import hashlib
import json
import re
from collections.abc import Sequence
from pathlib import Path

from muniment.conformance.adapter import HOME, Written
from muniment.conformance.floors import TAKEN, Words

_TOKEN = re.compile(r"[\w-]+")


def digest(token: str) -> str:
    return hashlib.sha256(token.casefold().encode()).hexdigest()


class Careful(Words):
    """A table of texts that keeps out what was deleted."""

    name = "careful"

    def __init__(self, place: Path) -> None:
        self.acts: list[str] = []
        super().__init__(place)

    @property
    def dead(self) -> set[str]:
        """Digests of deleted words, beside the table, so that an older table does not bring them back."""
        file = self.place / "dead.json"
        return set(json.loads(file.read_text("ascii"))) if file.exists() else set()

    def is_dead(self, text: str) -> bool:
        return any(digest(token) in self.dead for token in _TOKEN.findall(text))

    def _kept(self, text: str, source: str) -> Written:
        if self.is_dead(text):
            self.acts.append("refused a deleted word")
            return Written(taken=False, reason="deleted")
        super()._kept(text, source)
        return TAKEN

    def forget(self, text: str, *, space: str = HOME) -> None:
        dead = self.dead | {digest(token) for token in _TOKEN.findall(text)}
        (self.place / "dead.json").write_text(json.dumps(sorted(dead)), "ascii")
        self.purge()
        self.acts.append("deleted something")

    def purge(self) -> None:
        """Delete every row with a dead word, and write the file anew."""
        rows = self._db.execute("SELECT rowid, text FROM said").fetchall()
        for rowid, text in rows:
            if self.is_dead(str(text)):
                self._db.execute("DELETE FROM said WHERE rowid = ?", (rowid,))
        self._db.execute("INSERT INTO said (said) VALUES ('rebuild')")
        self._db.commit()
        self._db.execute("VACUUM")

    def put_back(self, path: Path) -> None:
        super().put_back(path)
        self.purge()

    def audit_entries(self) -> Sequence[str]:
        return self.acts


class LeavingBytes(Careful):
    """Deletes rows and leaves the page as it is."""

    def purge(self) -> None:
        Words.write(self, "a page")
        rows = self._db.execute("SELECT rowid, text FROM said").fetchall()
        dead = [(rowid, text) for rowid, text in rows if self.is_dead(str(text))]
        (self.place / "words.db-old").write_text(str(dead), "utf-8")
        super().purge()


class LettingSourcesIn(Careful):
    """Checks what is said, and not what is fed."""

    def feed(self, text: str, *, name: str, space: str = HOME) -> None:
        Words._kept(self, text, name)


class Resurrecting(Careful):
    """Has a job that brings back what an older copy holds."""

    old = ""

    def write(self, text: str, *, space: str = HOME, slot: object = None, since: str = "") -> Written:
        self.old = self.old or text
        return self._kept(text, "")

    def run_background_jobs(self) -> None:
        Words._kept(self, self.old, "")


class Telling(Careful):
    """Says in its record what it deleted."""

    def forget(self, text: str, *, space: str = HOME) -> None:
        super().forget(text, space=space)
        self.acts.append(f"deleted {text}")


class Silent(Careful):
    """Keeps no record."""

    def audit_entries(self) -> Sequence[str]:
        return ()


class TrustingCopies(Careful):
    """Puts an older file back as it is."""

    def put_back(self, path: Path) -> None:
        Words.put_back(self, path)


class TrustingExports(Careful):
    """Takes an export in without looking."""

    def bring_back(self, path: Path) -> None:
        for line in path.read_text("utf-8").splitlines():
            Words._kept(self, line, "")


class Keeping(Careful):
    """Deletes nothing."""

    def forget(self, text: str, *, space: str = HOME) -> None:
        self.acts.append("deleted something")


class TakingTheSibling(Careful):
    """Deletes everything that was written beside it too."""

    def forget(self, text: str, *, space: str = HOME) -> None:
        super().forget("door", space=space)
        super().forget(text, space=space)
