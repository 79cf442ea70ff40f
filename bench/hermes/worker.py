"""What does Hermes Agent answer, and how long does it take?  Runs in the environment of that package.

It knows nothing of this project: orders come as lines of JSON, and each is answered by one line.
Its own functions are called as its agent calls them, without a model, a key or a network.
"""

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path

from hermes_state import SessionDB
from tools.memory_tool import MemoryStore, memory_tool
from tools.session_search_tool import session_search


class Worker:
    """Hold one store of sessions and one of memory, as an agent of that package does."""

    def __init__(self, home: Path) -> None:
        self._home = home
        self._sessions = SessionDB(home / "state.db")
        self._memory = MemoryStore()
        self._memory.load_from_disk()

    def settings(self) -> dict[str, object]:
        """Return what decides how durable a write is, and which SQLite does it."""
        connection = self._sessions._conn
        names = ("journal_mode", "synchronous")
        found = {name: connection.execute(f"PRAGMA {name}").fetchone()[0] for name in names}
        return {**found, "sqlite": connection.execute("SELECT sqlite_version()").fetchone()[0]}

    def append(self, session: str, role: str, text: str) -> None:
        """Append one message to a session."""
        self._sessions.append_message(session, role, text)

    def begin(self, session: str) -> None:
        """Begin a session."""
        self._sessions.create_session(session, "cli")

    def search(self, **fields: object) -> dict[str, object]:
        """Search the sessions as the agent's tool does."""
        return dict(json.loads(session_search(db=self._sessions, **fields)))

    def memory(self, **fields: object) -> dict[str, object]:
        """Edit the memory as the agent's tool does, and show what is there now."""
        return dict(json.loads(memory_tool(store=self._memory, **fields)))

    def turn(self) -> None:
        """Begin a turn: what was refused before no longer counts."""
        self._memory.reset_consolidation_failures()

    def entries(self, target: str) -> list[str]:
        """Return the entries as they are stored."""
        name = {"user": "USER.md", "memory": "MEMORY.md"}[target]
        return list(MemoryStore._read_file(self._home / "memories" / name))

    def reloaded(self) -> str:
        """Begin a session of the memory, and return what its prompt says."""
        self._memory.load_from_disk()
        return self.shown()

    def shown(self) -> str:
        """Return what the prompt of the running session says."""
        blocks = [self._memory.format_for_system_prompt(target) for target in ("memory", "user")]
        return "\n".join(block for block in blocks if block)

    def close(self) -> None:
        """Close the store of sessions."""
        self._sessions.close()


def timed(act: Callable[..., object], orders: list[dict[str, object]]) -> tuple[list[list[float]], object]:
    """Do one act for each order; return what each took by the clock and at work, and the last answer."""
    taken, said = [], None
    for fields in orders:
        start, worked = time.perf_counter(), time.thread_time()
        said = act(**fields)
        taken.append([time.perf_counter() - start, time.thread_time() - worked])
    return taken, said


def main(home: str) -> None:
    """Answer orders until there are no more."""
    worker = Worker(Path(home))
    for line in sys.stdin:
        order = json.loads(line)
        taken, said = timed(getattr(worker, order["do"]), order["each"])
        print(json.dumps({"taken": taken, "said": said}), flush=True)
    worker.close()


if __name__ == "__main__":
    main(sys.argv[1])
