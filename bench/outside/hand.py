"""What can someone do who may write a vault's file and does not hold its keys?  Edit rows; then, a look."""

import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import apsw

import muniment
from muniment.errors import MunimentError
from muniment.service.vault import Vault
from muniment.store.codec import term_text
from muniment.store.sqlite.connection import glued

FIRST, SECOND = "first", "second"
"""Two spaces: a row of the one, put into the other, is the right bytes in the wrong place."""

CONTENT = ("text", "terms", "about", "attribute", "value", "many", "value_digest", "slot_digest", "salt")
"""The columns that say what a memory says; the others say which memory it is, when and whose."""

Columns = dict[str, object]


def neighbour(memory: bytes) -> bytes:
    """Return the id beside a memory's: never the same one, whatever its last byte is."""
    return memory[:-1] + bytes((memory[-1] ^ 1,))


class Hand:
    """Hold one vault, its genuine memories, and the means of someone who edits its file.

    The edits are thorough: with a row go its head and its entry in the full-text index and among
    the vectors, so that nothing dangles which would be noticed by chance.
    """

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.path = directory / "vault.db"
        self.tokens: dict[str, list[str]] = {FIRST: [], SECOND: []}
        with self.vault():
            pass

    @contextmanager
    def vault(self) -> Iterator[Vault]:
        """Open the vault as a new process would."""
        with muniment.open(self.path) as opened:
            yield opened

    def seed(self, count: int, *, space: str = FIRST, mark: str = "genuine") -> None:
        """Have an agent remember so many statements."""
        with self.vault() as vault:
            agent = vault.acting_as(actor="coder", space=space)
            for _ in range(count):
                token = f"{mark}{len(self.tokens[space])}"
                agent.remember(f"The memory {token} of {space} is what it was")
                self.tokens[space].append(token)

    @contextmanager
    def _file(self) -> Iterator[apsw.Connection]:
        db = apsw.Connection(str(self.path))
        try:
            yield db
        finally:
            db.close()

    def rows(self, space: str = FIRST) -> list[Columns]:
        """Return the rows of a space as they lie in the file, oldest first."""
        with self._file() as db:
            names = [str(name) for _, name, *_ in db.execute("SELECT * FROM pragma_table_info('version')")]
            found = db.execute(
                "SELECT * FROM version WHERE space = (SELECT n FROM space WHERE path = ?) ORDER BY n",
                (space,),
            )
            return [dict(zip(names, row, strict=True)) for row in found]

    def overwrite(self, n: int, columns: Mapping[str, object]) -> None:
        """Write columns over the row of a number, and put the index where its terms say."""
        with self._file() as db:
            self._unindexed(db, n)
            sets = ", ".join(f"{name} = ?" for name in columns)
            db.execute(f"UPDATE version SET {sets} WHERE n = ?", (*columns.values(), n))
            self._indexed(db, n)

    def insert(self, columns: Columns, *, like: int) -> None:
        """Add a row with a head and an index entry copied from another's."""
        with self._file() as db:
            places = ", ".join("?" for _ in columns)
            db.execute(
                f"INSERT INTO version ({', '.join(columns)}) VALUES ({places})", tuple(columns.values())
            )
            db.execute(
                "INSERT INTO memory SELECT tenant, ?, ?, number, trust, space, value_digest, slot_digest,"
                " mac, ? FROM memory WHERE n = ?",
                (columns["memory"], columns["n"], columns["n"], like),
            )
            self._indexed(db, int(str(columns["n"])))

    def delete(self, n: int) -> None:
        """Take a row out with all that points at it."""
        with self._file() as db:
            self._unindexed(db, n)
            db.execute("DELETE FROM memory WHERE n = ?", (n,))
            db.execute("DELETE FROM vector WHERE n = ?", (n,))
            db.execute("DELETE FROM version WHERE n = ?", (n,))

    @staticmethod
    def _terms(db: apsw.Connection, n: int) -> str:
        ((space, terms),) = db.execute("SELECT space, terms FROM version WHERE n = ?", (n,))
        return glued(space, "m", term_text(terms))

    def _indexed(self, db: apsw.Connection, n: int) -> None:
        db.execute("INSERT INTO live (rowid, terms) VALUES (?, ?)", (n, self._terms(db, n)))

    def _unindexed(self, db: apsw.Connection, n: int) -> None:
        db.execute("INSERT INTO live (live, rowid, terms) VALUES ('delete', ?, ?)", (n, self._terms(db, n)))

    def copy(self, where: Path, *, with_keys: bool) -> None:
        """Copy the file, or the file and the directory of its keys and its witness."""
        where.mkdir()
        shutil.copyfile(self.path, where / "vault.db")
        if with_keys:
            shutil.copytree(f"{self.path}.keys", where / "vault.db.keys")

    def put_back(self, where: Path) -> None:
        """Put a copy in the place of what was copied."""
        shutil.copyfile(where / "vault.db", self.path)
        if (where / "vault.db.keys").exists():
            shutil.rmtree(f"{self.path}.keys")
            shutil.copytree(where / "vault.db.keys", f"{self.path}.keys")

    def noticed_by_reading(self) -> str:
        """Ask for each genuine memory as an agent does; return what the answers say is wrong."""
        try:
            with self.vault() as vault:
                agent = vault.acting_as(actor="coder", space=FIRST)
                for token in self.tokens[FIRST]:
                    answer = agent.recall(f"memory {token}", k=20)
                    wrong = [note for note in answer.notes if note.startswith("degraded")]
                    if wrong:
                        return wrong[0]
        except MunimentError as error:
            return f"{error.code}: {error.sentence}"
        return ""

    def noticed_by_verifying(self) -> str:
        """Run `verify`; return the kinds of its findings."""
        try:
            with self.vault() as vault:
                report = vault.verify()
        except MunimentError as error:
            return f"{error.code}: {error.sentence}"
        return ", ".join(sorted({finding.kind.value for finding in report.findings}))
