"""How is a vault's file, page by page, its index, its log and its reserve?"""

import os
from collections.abc import Callable
from pathlib import Path

import apsw

from muniment import limits
from muniment.domain.check import Check
from muniment.errors import BrokenData, DamagedIndex, MunimentError
from muniment.recall.eligibility import Sort
from muniment.store.codec import Columns, term_text
from muniment.store.queries import named_queries
from muniment.store.sqlite.connection import Place, SqliteSession, matching
from muniment.store.sqlite.reserve import Reserve

CARE = named_queries(Path(__file__).parent / "care.sql")

_FINDINGS_MAX = 5
_PROBED_TERMS_MAX = 3
_MIB = 1024 * 1024
_QUICK_CHECK = f"PRAGMA quick_check({_FINDINGS_MAX})"
_INDEX_WORDS = ("fts5", "inverted index")


def examined(path: Path, *, tenant: int, reserve: Reserve, at: Place | None = None) -> tuple[Check, ...]:
    """Return the checks of a file: pages, index, write-ahead log, reserve; reads only.

    The pages are read for a bounded time; the check says so when it could not finish.
    """
    if not _finds_words():
        return (
            Check("full text", False, "This SQLite has no full-text search. Use the apsw wheel's SQLite."),
        )
    try:
        session = SqliteSession(str(path), at=at)
    except MunimentError as error:
        return (Check("file", False, _said(error)),)
    try:
        return (
            Check("full text", True, "A table of words was made, filled, asked and dropped."),
            *_guarded("file", lambda: _pages(session)),
            *_guarded("terms", lambda: _sampled(session, tenant)),
            _log(path),
            _reserve(reserve),
        )
    finally:
        session.close()


def _finds_words() -> bool:
    """Return whether a full-text table can be made here, filled, asked and dropped."""
    try:
        probe = apsw.Connection(":memory:")
        for statement in ("make_probe", "fill_probe"):
            probe.execute(CARE[statement])
        found = probe.execute(CARE["ask_probe"]).fetchall()
        probe.execute(CARE["drop_probe"])
        probe.close()
    except apsw.Error:
        return False
    return found == [(1,)]


def _said(error: MunimentError) -> str:
    return f"{error.code}: {error.sentence} {error.advice}"


def _guarded(name: str, check: Callable[[], Check]) -> tuple[Check]:
    try:
        return (check(),)
    except BrokenData as error:
        return (Check(name, False, _said(error)),)


def _pages(session: SqliteSession) -> Check:
    found = session.answer_within(_QUICK_CHECK, limits.check_seconds_max)
    if found is None:
        return Check(
            "file", True, f"Read for {limits.check_seconds_max:.0f} s, not to its end; no damage seen."
        )
    lines = [str(line) for (line,) in found if line != "ok"]
    if not lines:
        return Check("file", True, "Every page holds together.")
    if all(any(word in line for word in _INDEX_WORDS) for line in lines):
        raise DamagedIndex("The text index is damaged; the rows are not affected.")
    return Check("file", False, f"damaged-file: {len(lines)} pages or more. Run `muniment salvage COPY`.")


def _sampled(session: SqliteSession, tenant: int) -> Check:
    """Ask for rows by their own terms: an index that lost its content answers every other check well."""
    asked = missed = 0
    for name, sort in (("sampled_versions", Sort.MEMORY), ("sampled_evidence", Sort.EVIDENCE)):
        for row in session.answer(CARE[name], tenant=tenant, rows_max=limits.index_probe_rows_max):
            question = _question(row, sort)
            if question:
                asked += 1
                missed += not session.answer(CARE["found_at"], question=question, n=row[0])
    if missed:
        raise DamagedIndex(f"{missed} of {asked} rows are not found by their own words.")
    return Check("terms", True, f"{asked} of the newest rows are found by their own words.")


def _question(row: Columns, sort: Sort) -> str:
    _, space, stored = row
    terms = term_text(stored if isinstance(stored, bytes) else b"").split()[:_PROBED_TERMS_MAX]
    return matching((int(space or 0),), sort.value, terms)


def _log(path: Path) -> Check:
    try:
        size = os.stat(f"{path}-wal").st_size
    except OSError:
        size = 0
    sentence = f"The write-ahead log has {size / _MIB:.1f} MiB."
    # Twice the bound: it is cut at the bound, and one transaction may go beyond it.
    if size > 2 * limits.wal_bytes_max:
        return Check("wal", False, f"{sentence} Some process has been reading an old state for long.")
    return Check("wal", True, sentence)


def _reserve(reserve: Reserve) -> Check:
    if reserve.is_kept():
        return Check("reserve", True, f"{limits.reserve_bytes / _MIB:.0f} MiB are kept back for a full disk.")
    return Check("reserve", False, "full-disk: The reserve was given up or never made. Free some space.")
