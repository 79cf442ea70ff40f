"""What does an agent of the load do, one step at a time, and how is it said so that it can be done again?

A deed is words and no code: whoever holds a vault can do it, and do it again on another.
The names in it are made of the run's own word, so that runs on one vault do not meet.
"""

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from muniment.service.receipt import Receipt
from muniment.service.vault import Vault

SLOTS = 5
"""How many keyed claims an agent keeps changing, and how many all of them change together."""

ROUNDS = 3
"""How many values of a shared slot, and how many shared statements, come round again and again."""


@dataclass(frozen=True, slots=True)
class Deed:
    """Say what is done: the verb, its words, the memory it is done to and the version that was seen."""

    verb: str
    words: tuple[str, ...]
    id: str = ""
    version: int = 0


@dataclass(frozen=True, slots=True)
class Step:
    """Hold a deed that was acknowledged, with what its receipt said."""

    deed: Deed
    verdict: str
    reason: str
    id: str
    version: int
    record: int
    also: tuple[str, ...] = ()


def _remember(vault: Vault, deed: Deed) -> Receipt:
    return vault.remember(deed.words[0])


def _keyed(vault: Vault, deed: Deed) -> Receipt:
    text, about, attribute, value = deed.words
    return vault.remember(text, about=about, attribute=attribute, value=value)


def _revise(vault: Vault, deed: Deed) -> Receipt:
    return vault.revise(
        deed.id, deed.words[0], reason="it was said too shortly", expected_version=deed.version
    )


def _retract(vault: Vault, deed: Deed) -> Receipt:
    return vault.retract(deed.id)


VERBS: Mapping[str, Callable[[Vault, Deed], Receipt]] = MappingProxyType(
    {"remember": _remember, "keyed": _keyed, "revise": _revise, "retract": _retract}
)
"""Every verb that is answered with a receipt; `append` is answered with evidence."""


def done(vault: Vault, deed: Deed) -> Step:
    """Do a deed, and return what came of it; raises what the vault raises."""
    if deed.verb == "append":
        session, agent, text = deed.words
        taken = vault.session(session, agent=agent).append("user", text)
        return Step(deed, "taken", "", taken.evidence[0], 1, taken.record)
    receipt = VERBS[deed.verb](vault, deed)
    return Step(
        deed, receipt.verdict, receipt.reason, receipt.id, receipt.version, receipt.record, receipt.also
    )


class Agent:
    """Choose what one agent does next: by itself, in what it shares with all, in its own talk."""

    def __init__(self, run: str, number: int) -> None:
        self._run, self._name = run, f"agent{number}"
        self._random = random.Random(number)
        self._known: list[Step] = []

    def reads(self, share: float) -> bool:
        """Return whether it asks this time, and does nothing."""
        return self._random.random() < share

    def question(self, count: int) -> str:
        """Return what it asks in its turn `count`."""
        return f"what does the note {self._name}-{count} of {self._run} say?"

    def next(self, count: int) -> Deed:
        """Return what it does in its turn `count`."""
        kinds = (self._own, self._own_slot, self._shared, self._shared_slot, self._turn, self._changed)
        return self._random.choices(kinds, weights=(5, 2, 1, 1, 2, 1))[0](count)

    def learn(self, step: Step) -> None:
        """Remember a few memories to come back to."""
        if step.id.startswith("m_"):
            self._known = [*self._known[-SLOTS:], step]

    def _own(self, count: int) -> Deed:
        return Deed("remember", (f"note {self._run} {self._name}-{count} says something of its own",))

    def _own_slot(self, count: int) -> Deed:
        return _claim(f"{self._name} {self._run}", f"slot {count % SLOTS}", str(count))

    def _shared(self, count: int) -> Deed:
        return Deed("remember", (f"all of {self._run} say the same, number {count % ROUNDS}",))

    def _shared_slot(self, count: int) -> Deed:
        return _claim(f"all of {self._run}", f"slot {count % SLOTS}", str(count % ROUNDS))

    def _turn(self, count: int) -> Deed:
        talk = f"talk of {self._name} in {self._run}"
        return Deed("append", (talk, self._name, f"turn {self._name}-{count} of the talk"))

    def _changed(self, count: int) -> Deed:
        if not self._known:
            return self._own(count)
        at = self._random.choice(self._known)
        if self._random.random() < 0.5:
            return Deed("retract", (), id=at.id)
        text = f"note {self._run} {self._name}-{count} says it at length"
        return Deed("revise", (text,), id=at.id, version=at.version)


def _claim(about: str, attribute: str, value: str) -> Deed:
    return Deed("keyed", (f"The {attribute} of {about} is {value}", about, attribute, value))
