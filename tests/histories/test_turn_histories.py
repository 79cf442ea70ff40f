"""Do sessions on every store do what a plain list does, over random turns with the same seed?"""

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from muniment.errors import BadInput
from muniment.service.session import Session
from muniment.service.vault import Vault
from tests.builders import VAULTS, CountingIds, FakeClock, close_quietly

SEEDS = range(6)
STEPS = 70
NAMES = ("s-1", "s-2", "s-3")
WORDS = ("heron", "weir", "quay", "boat")


@dataclass
class Said:
    """One turn as the model keeps it."""

    text: str
    role: str
    state: str = "live"
    is_summary: bool = False


@dataclass
class Model:
    """What a session holds, as plainly as can be: a list, and how many epochs it has begun."""

    turns: list[Said] = field(default_factory=list)
    epoch: int = 0
    is_open: bool = False

    def live(self) -> list[Said]:
        return [one for one in self.turns if one.state == "live" and not one.is_summary]

    def append(self, role: str, text: str) -> None:
        self.turns.append(Said(text, role))

    def rewind(self, count: int) -> bool:
        going = self.live()[-count:]
        for one in going:
            one.state = "rewound"
        return bool(going)

    def retry(self) -> bool:
        live = self.live()
        asked = [place for place, one in enumerate(live) if one.role == "user"]
        return bool(asked) and self.rewind(len(live) - asked[-1])

    def compact(self, summary: str, keep: int) -> bool:
        live = self.live()
        going = live[: len(live) - keep] if keep else live
        if not going:
            return False
        for one in going:
            one.state = "archived"
        for one in self.turns:
            one.state = "archived" if one.is_summary else one.state
        self.turns.append(Said(summary, "system", is_summary=True))
        self.is_open = False
        return True

    def open(self) -> int:
        if not self.is_open:
            self.epoch, self.is_open = self.epoch + 1, True
        return self.epoch


def agreed(act: Callable[[], object], modelled: bool) -> None:
    """Do an act that the model says is possible, or see it refused."""
    if modelled:
        act()
    else:
        with pytest.raises(BadInput):
            act()


def step(rng: random.Random, session: Session, model: Model, number: int) -> None:
    kind = rng.random()
    if kind < 0.6 or not model.turns:
        role, text = rng.choice(["user", "assistant"]), f"{rng.choice(WORDS)} {number}"
        session.append(role, text)
        model.append(role, text)
    elif kind < 0.7:
        count = rng.randrange(1, 4)
        agreed(lambda: session.rewind(count), model.rewind(count))
    elif kind < 0.78:
        agreed(session.retry, model.retry())
    elif kind < 0.88:
        keep = rng.randrange(3)
        agreed(lambda: session.compact(f"sum {number}", keep=keep), model.compact(f"sum {number}", keep))
    else:
        assert session.open().epoch == model.open()


def found(vault: Vault, word: str) -> set[str]:
    """Return every turn that a search finds for a word, over all sessions."""
    texts: set[str] = set()
    for session in NAMES:
        for one in (
            vault.search(word, session=session, window=0, limit=1).sessions if there(vault, session) else ()
        ):
            places = (one.anchor, *one.more)
            texts |= {
                turn.text for turn in vault.session(session).turns(every=True) if turn.sequence in places
            }
    return texts


def there(vault: Vault, name: str) -> bool:
    return name in {one.name for one in vault.sessions()}


@pytest.mark.parametrize("store", sorted(VAULTS))
@pytest.mark.parametrize("seed", SEEDS)
def test_sessions_do_what_a_plain_list_does(tmp_path: Path, store: str, seed: int) -> None:
    rng, clock = random.Random(seed), FakeClock()
    vault = VAULTS[store](tmp_path, clock=clock, ids=CountingIds())
    models = {name: Model() for name in NAMES}
    try:
        for number in range(STEPS):
            clock.advance(seconds=1)
            name = rng.choice(NAMES)
            step(rng, vault.session(name, agent="coder"), models[name], number)
        for name, model in models.items():
            session = vault.session(name, agent="coder")
            said = [(turn.text, turn.state) for turn in session.turns(every=True, limit=1_000)]
            assert said == [(one.text, one.state) for one in model.turns], seed
            replayed = [turn.text for turn in session.turns(limit=1_000)]
            assert replayed == [one.text for one in model.turns if one.state == "live"], seed
        every = [one for model in models.values() for one in model.turns]
        for word in WORDS:
            gone = {one.text for one in every if one.state == "rewound"}
            hits = {hit.text for hit in vault.recall(word, k=200).hits}
            kept = {one.text for one in every if word in one.text and one.state != "rewound"}
            assert hits == kept, seed
            assert not found(vault, word) & gone, seed
            assert bool(found(vault, word)) is bool(kept), seed
        assert vault.verify().ok, seed
    finally:
        close_quietly(vault)


def test_every_kind_of_step_is_taken_by_the_seeds() -> None:
    """A history that never rewinds or compacts would show nothing."""
    kinds = [random.Random(seed).random() for seed in range(200)]
    for least, most in ((0.0, 0.6), (0.6, 0.7), (0.7, 0.78), (0.78, 0.88), (0.88, 1.0)):
        assert any(least <= kind < most for kind in kinds)
