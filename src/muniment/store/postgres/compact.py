"""How do the bytes of deleted rows leave a database server?  Tables vacuumed, indexes made anew.

The application owns no table; it is granted MAINTAIN (PostgreSQL 17 and later), which is enough.
What a server keeps beside its tables goes only by its own retention, and is named.
"""

from muniment.domain.compaction import Compaction
from muniment.errors import BadStore
from muniment.store.postgres.connection import PostgresSession

VACUUM = (
    "VACUUM muniment.version, muniment.memory, muniment.evidence, muniment.link, muniment.tombstone, "
    "muniment.session, muniment.actor, muniment.space, muniment.credential, muniment.matter, "
    "muniment.recall_log, muniment.vector, "
    "muniment.live, muniment.past, muniment.job"
)

REINDEX = tuple(
    f"REINDEX TABLE CONCURRENTLY muniment.{table}"
    for table in ("version", "memory", "evidence", "session", "actor", "space", "vector", "live", "past")
)
"""Indexes keep what they were made of until they are made anew."""

UNCOVERED = (
    "the server's write-ahead log, archives, replicas and base backups: until their retention ends",
    "free space within the server's pages: until it is written again",
)


def compacted(address: str) -> Compaction:
    """Vacuum the tables and make their indexes anew; not done where the role lacks the right.

    A server's files are not searched: they are another machine's.
    """
    session = PostgresSession(address)
    try:
        session.script(VACUUM)
        for statement in REINDEX:
            session.script(statement)
    except BadStore:
        return Compaction(False, (), UNCOVERED)
    finally:
        session.close()
    return Compaction(True, ("tables vacuumed", "indexes made anew"), UNCOVERED)
