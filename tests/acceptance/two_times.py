"""What was said when in the life that the twelve questions of two times ask about?

Ria lives in Graz since 2025-06.  On 2026-01-10 she says so.  On 2026-02-20 she says that
she moved to Linz on 2026-02-15.  On 2026-03-10 it turns out that she moved on 2026-02-01.
Her number of badges is an open interval, her parking place a future one, her team was
told late, and the clock steps back before her desk is corrected.  Turns are taken in bulk.
"""

from dataclasses import dataclass
from datetime import UTC, datetime

from muniment.domain.evidence import Arrival, Role
from muniment.domain.intent import Path, Take
from muniment.service.conversations import take
from muniment.service.vault import Vault
from tests.builders import FakeClock, stored


def at(text: str) -> datetime:
    """Return noon of a day, in UTC."""
    return datetime.fromisoformat(f"{text}T12:00:00+00:00").astimezone(UTC)


@dataclass(frozen=True, slots=True)
class Row:
    """Ask about the world on one day, as it was known on another; None means not given."""

    name: str
    question: str
    as_of: str | None
    known_at: str | None
    expected: str


NOTHING = "nothing"

_HOME, _TEAM = "where does Ria live", "which team is Ria on"
_PARKING, _DESK = "which parking place has Ria", "which desk has Ria"
_GRAZ, _LINZ = "Ria lives in Graz", "Ria lives in Linz"

ROWS = (
    Row("now", _HOME, None, None, _LINZ),
    Row("before the move", _HOME, "2026-01-15", None, _GRAZ),
    Row("in March as known in February", _HOME, "2026-03-01", "2026-02-25", _LINZ),
    Row("in March as known in January", _HOME, "2026-03-01", "2026-01-20", _GRAZ),
    Row("between, before the correction", _HOME, "2026-02-08", "2026-02-25", _GRAZ),
    Row("between, after the correction", _HOME, "2026-02-08", None, _LINZ),
    Row("before anything was true", _HOME, "2025-01-01", None, NOTHING),
    Row("before anything was known", _HOME, "2026-01-05", "2026-01-05", NOTHING),
    Row("a backdated fact", _TEAM, "2025-12-24", None, "Ria is on team Heron"),
    Row("a backdated fact before it was told", _TEAM, "2026-01-20", "2026-03-01", NOTHING),
    Row("an open interval that ended", _PARKING, "2026-03-20", None, "Ria has parking place 7"),
    Row("a clock that stepped back", _DESK, None, None, "Ria has desk B12"),
)


def lived(vault: Vault, clock: FakeClock) -> None:
    """Tell the story, day by day."""
    clock.set(at("2026-01-10"))
    home = {"about": "Ria", "attribute": "city"}
    stored(vault.remember("Ria lives in Graz", value="Graz", valid_from=at("2025-06-01"), **home))
    desk = stored(vault.remember("Ria has desk A3", about="Ria", attribute="desk", value="A3")).id
    _bulk(vault)
    clock.set(at("2026-02-20"))
    linz = stored(vault.remember("Ria lives in Linz", value="Linz", valid_from=at("2026-02-15"), **home)).id
    parking = {"about": "Ria", "attribute": "parking"}
    stored(vault.remember("Ria has parking place 4", value="4", valid_from=at("2026-01-01"), **parking))
    stored(vault.remember("Ria has parking place 7", value="7", valid_from=at("2026-03-15"), **parking))
    clock.set(at("2026-03-10"))
    stored(vault.revise(linz, valid_from=at("2026-02-01"), reason="she moved two weeks earlier"))
    team = {"about": "Ria", "attribute": "team", "value": "Heron"}
    stored(vault.remember("Ria is on team Heron", valid_from=at("2025-11-01"), **team))
    clock.step_back(days=30)
    stored(vault.revise(desk, "Ria has desk B12", value="B12", reason="the plan was old"))
    clock.set(at("2026-03-25"))


def _bulk(vault: Vault) -> None:
    """Take two hundred turns in one transaction: one record, one recorded time."""
    arrivals = tuple(
        Arrival("the long talk", f"turn-{n}", Role.USER, "Bo", f"remark {n} on the weather", at("2026-01-09"))
        for n in range(200)
    )
    report = take(vault.ground, Take(vault.principal, "home", arrivals, source="talk", path=Path.IMPORT))
    assert report.added == 200
