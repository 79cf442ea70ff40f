"""Which things lie in a vault before one of them is erased?  A value in every place that holds text."""

from dataclasses import dataclass

from muniment.service.vault import Vault
from tests.builders import stored

CODE = "QZ7-HERON-4417"
TWIN = "KK8-LYNX-0035"
"""A value that is never erased and lies in the same places."""

FILLER = "Plain words follow here, one after the other. " * 60


@dataclass(frozen=True)
class Planted:
    """Hold the ids of what was planted."""

    memory: str
    twin: str
    turn: str
    keyed: str
    tagged: str
    copy: str


def planted(vault: Vault) -> Planted:
    """Plant a value and its twin in a turn, memories, a keyed claim, a tag, a document and a question."""
    session = vault.session("talk", agent="coder")
    turn = session.append(
        "user", f"My locker code is {CODE}. The spare one is {TWIN}. Tea is at four.", speaker="Ria"
    ).evidence[0]
    memory = stored(vault.remember(f"Ria's locker code is {CODE}", evidence=[turn])).id
    twin = stored(vault.remember(f"The spare locker code is {TWIN}", evidence=[turn], tags=["locker"])).id
    keyed = stored(vault.remember("The locker of Ria", about="Ria", attribute="locker", value=CODE)).id
    tagged = stored(vault.remember("A note about lockers", tags=[CODE, "lockers"])).id
    copy = stored(vault.remember(f"Shared: the locker code is {CODE}", space="acme/team")).id
    vault.ingest(f"{FILLER}The locker code is {CODE}. The spare is {TWIN}. {FILLER}", source="handbook")
    vault.recall(f"who has {CODE}?")
    vault.recall(f"who has {TWIN}?")
    vault.settle()
    return Planted(memory, twin, turn, keyed, tagged, copy)
