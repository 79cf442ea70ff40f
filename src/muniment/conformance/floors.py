"""What must fail?  Three floors: words alone, nothing at all, and everything wiped at every change.

A test that a floor passes with its twin shows nothing about a memory.
"""

import re
import shutil
import sqlite3
from collections.abc import Mapping, Sequence
from pathlib import Path

from muniment.conformance.adapter import HOME, Memory, Slot, Written

_WORD = re.compile(r"\w+")
DERIVED = "derived"
TAKEN = Written(taken=True)


class Words(Memory):
    """A table of texts with full-text search, whoever asks: what an afternoon's work gives."""

    name = "words"

    def __init__(self, place: Path) -> None:
        super().__init__(place)
        self._opened()

    def _opened(self) -> None:
        self._db = sqlite3.connect(self.place / "words.db")
        self._db.execute("CREATE VIRTUAL TABLE IF NOT EXISTS said USING fts5 (text, source UNINDEXED)")

    def write(self, text: str, *, space: str = HOME, slot: Slot | None = None, since: str = "") -> Written:
        """Keep the text, and nothing about it."""
        return self._kept(text, "")

    def _kept(self, text: str, source: str) -> Written:
        self._db.execute("INSERT INTO said VALUES (?, ?)", (text, source))
        self._db.commit()
        return TAKEN

    def settle(self) -> None:
        """Do nothing: everything is written at once."""

    def prompt_prefix(self, query: str, *, space: str = HOME, k: int = 10) -> str:
        """Return the best texts, a line each, in no fence."""
        words = " OR ".join(f'"{word}"' for word in _WORD.findall(query))
        found = self._db.execute(
            "SELECT text FROM said WHERE said MATCH ? ORDER BY rank LIMIT ?", (words or '""', k)
        )
        return "\n".join(str(text) for (text,) in found)

    def prompt_within(self, query: str, tokens: int, *, k: int = 10) -> tuple[str, int]:
        """Return everything, and count it."""
        prompt = self.prompt_prefix(query, k=k)
        return prompt, len(_WORD.findall(prompt))

    def forget(self, text: str, *, space: str = HOME) -> None:
        """Delete the rows that hold the text."""
        self._db.execute("DELETE FROM said WHERE instr(lower(text), lower(?))", (text,))
        self._db.commit()

    def run_background_jobs(self) -> None:
        """Do nothing: there are none."""

    def leak_probes(self, text: str) -> Mapping[str, bool]:
        """Look into the bytes of the file."""
        content = b"".join(file.read_bytes() for file in sorted(self.place.glob("words.db*")))
        return {"files": text.encode() in content}

    def audit_entries(self) -> Sequence[str]:
        """Return nothing: nothing is on record."""
        return ()

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    def feed(self, text: str, *, name: str, space: str = HOME) -> None:
        """Keep a source, and each of its sentences beside it, which nothing ties to it."""
        self._kept(text, name)
        for sentence in text.split(". "):
            self._kept(sentence.rstrip("."), DERIVED)

    def derived(self, *, space: str = HOME) -> Sequence[str]:
        """Return the sentences of all sources."""
        found = self._db.execute("SELECT text FROM said WHERE source = ?", (DERIVED,))
        return [str(text) for (text,) in found]

    def sources(self, query: str, *, space: str = HOME) -> Mapping[str, Sequence[str]]:
        """Return nothing for anything: no row knows what it rests on."""
        return {item: () for item in self.prompt_prefix(query).splitlines()}

    def forget_source(self, name: str, *, space: str = HOME) -> None:
        """Delete the row of a source, and leave what came of it."""
        self._db.execute("DELETE FROM said WHERE source = ?", (name,))
        self._db.commit()

    def correct(self, old: str, new: str, *, slot: Slot | None = None, since: str = "") -> None:
        """Keep the new text beside the old one."""
        self.write(new)

    def retract(self, text: str) -> None:
        """Delete the rows that hold the text."""
        self.forget(text)

    def reject(self, text: str) -> None:
        """Delete the rows that hold the text."""
        self.forget(text)

    def history(self, text: str) -> Sequence[str]:
        """Return the rows that hold the text."""
        found = self._db.execute("SELECT text FROM said WHERE instr(lower(text), lower(?))", (text,))
        return [str(held) for (held,) in found]

    def prompt_as_of(self, query: str, moment: str, *, k: int = 10) -> str:
        """Return what is there now: no row knows a time."""
        return self.prompt_prefix(query, k=k)

    def advance(self, days: float) -> None:
        """Do nothing: no row knows a time."""

    def restart(self) -> None:
        """Open the file again."""
        self.close()
        self._opened()

    def rebuild(self) -> None:
        """Have the engine build its index again."""
        self._db.execute("INSERT INTO said (said) VALUES ('rebuild')")

    def export(self, path: Path) -> None:
        """Write every text on a line."""
        texts = [str(text) for (text,) in self._db.execute("SELECT text FROM said")]
        path.write_text("\n".join(texts), "utf-8")

    def bring_back(self, path: Path) -> None:
        """Keep every line again."""
        for line in path.read_text("utf-8").splitlines():
            self.write(line)

    def backup(self, path: Path) -> None:
        """Copy the file."""
        shutil.copyfile(self.place / "words.db", path)

    def put_back(self, path: Path) -> None:
        """Put the copy in the file's place."""
        self.close()
        shutil.copyfile(path, self.place / "words.db")
        self._opened()

    def reach(self, held: str, asked: str, query: str) -> str:
        """Return what anybody is shown."""
        return self.prompt_prefix(query)

    def reach_write(self, held: str, asked: str, text: str) -> None:
        """Keep what anybody writes."""
        self.write(text)

    def authority(self, text: str) -> str:
        """Return the only one there is."""
        return "anybody"

    def write_as_person(self, text: str) -> Written:
        """Keep it like any other."""
        return self.write(text)


class Nothing(Words):
    """Takes everything and returns nothing: it passes every test of absence, and no twin."""

    name = "nothing"

    def _kept(self, text: str, source: str) -> Written:
        return TAKEN


class Wiping(Words):
    """Wipes everything whenever something is to be changed or deleted."""

    name = "wiping"

    def forget(self, text: str, *, space: str = HOME) -> None:
        """Wipe everything, and the file with it."""
        self.close()
        for file in self.place.glob("words.db*"):
            file.unlink()
        self._opened()

    def forget_source(self, name: str, *, space: str = HOME) -> None:
        """Wipe everything."""
        self.forget(name)

    def correct(self, old: str, new: str, *, slot: Slot | None = None, since: str = "") -> None:
        """Wipe everything and keep the new text."""
        self.forget(old)
        self.write(new)

    def drop_indexes(self) -> None:
        """Wipe everything."""
        self.forget("")


FLOORS: tuple[type[Memory], ...] = (Words, Nothing, Wiping)
