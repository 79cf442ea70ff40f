"""Did a test hold?  Only when its claim and its twin do; without a twin it counts for nothing."""

from dataclasses import dataclass
from enum import StrEnum


class Outcome(StrEnum):
    """Name how a test ended."""

    HOLDS = "holds"
    FAILS = "fails"
    CANNOT = "cannot"


class Pointless(Exception):
    """Say that a test claimed nothing or showed no twin: a fault of the suite, not of a memory."""


@dataclass(frozen=True, slots=True)
class Finding:
    """Hold the end of one test: its outcome, the twin's, and one sentence that says why."""

    id: str
    outcome: Outcome
    twin: Outcome
    sentence: str


class Claims:
    """Collect what a test found: claims, and the twins that show the claims could have failed."""

    def __init__(self) -> None:
        self._claims = 0
        self._twins = 0
        self._false: list[str] = []
        self._false_twins: list[str] = []
        self._notes: list[str] = []

    def claim(self, holds: bool, otherwise: str) -> None:
        """Note a claim; `otherwise` is what to say when it does not hold."""
        self._claims += 1
        if not holds and otherwise not in self._false:
            self._false.append(otherwise)

    def absent(self, text: str, shown: str, where: str) -> None:
        """Claim that a text is nowhere in what is shown."""
        self.claim(text.casefold() not in shown.casefold(), f"It was there {where}.")

    def twin(self, holds: bool, otherwise: str) -> None:
        """Note a twin: what must be there, is there."""
        self._twins += 1
        if not holds and otherwise not in self._false_twins:
            self._false_twins.append(otherwise)

    def present(self, text: str, shown: str, where: str) -> None:
        """Show that a text is in what is shown."""
        self.twin(text.casefold() in shown.casefold(), f"Its twin was missing {where}.")

    def note(self, sentence: str) -> None:
        """Say something about a run that holds."""
        self._notes.append(sentence)

    def finding(self, id: str) -> Finding:
        """Return the end of a test that ran to its end."""
        if not self._claims or not self._twins:
            raise Pointless(f"{id} has {self._claims} claims and {self._twins} twins")
        twin = Outcome.FAILS if self._false_twins else Outcome.HOLDS
        if self._false or self._false_twins:
            said = " ".join([*self._false, *self._false_twins][:3])
            return Finding(id, Outcome.FAILS, twin, said)
        return Finding(id, Outcome.HOLDS, twin, " ".join(self._notes))

    def lacking(self, id: str, what: str) -> Finding:
        """Return the end of a test that met a capability which is not there."""
        if self._false:
            return Finding(id, Outcome.FAILS, Outcome.CANNOT, " ".join(self._false[:3]))
        return Finding(id, Outcome.CANNOT, Outcome.CANNOT, f"It has no {what}.")

    def broken(self, id: str, how: str) -> Finding:
        """Return the end of a test in which the memory broke."""
        return Finding(id, Outcome.FAILS, Outcome.FAILS, " ".join([*self._false[:2], how]))
