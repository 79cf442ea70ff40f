"""Is every call of a model counted, with what it was for, in rows that hold not a word of it?"""

from collections.abc import Mapping
from dataclasses import replace

import pytest

from muniment.domain.model_use import ANSWERED, SENT, Note, Use
from muniment.errors import ModelAway
from muniment.gate.contradiction import Contradiction, Kind
from muniment.service.model_use import DEED
from muniment.service.vault import Vault
from tests.builders import FakeClock, World, stored


class Telling:
    """Agree to everything, and tell of 50 tokens in and 1 out a call."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, str]] = []

    def __call__(self, new: str, old: str) -> Contradiction | None:
        raise AssertionError("A judge that can tell what was used is asked to.")

    def metered(self, new: str, old: str, note: Note) -> Contradiction | None:
        note(SENT)
        self.asked.append((new, old))
        note(Use(counted=1, tokens_in=50, tokens_out=1))
        note(ANSWERED)
        return None


@pytest.fixture
def telling(vault: Vault) -> Telling:
    """Return the judge of a vault that holds two free statements, both compared already."""
    stored(vault.remember("The heron nests by the weir"))
    stored(vault.remember("Ann is indifferent about chess"))
    vault.settle()
    vault.ground.judge = judge = Telling()
    return judge


def use(vault: Vault) -> Mapping[str, Use]:
    return {purpose.value: sums for purpose, sums in vault.status().model_use.items()}


def records(vault: Vault) -> list[Mapping[str, object]]:
    return [row.fields for row in vault.log(limit=200) if row.act == DEED]


def test_a_model_that_was_never_asked_has_no_use(vault: Vault) -> None:
    stored(vault.remember("The heron nests by the weir"))
    vault.settle()
    assert use(vault) == {} and records(vault) == []


def test_what_a_job_a_dry_run_and_a_probe_use_is_summed_apart(vault: Vault, telling: Telling) -> None:
    stored(vault.remember("Ann is keen about chess"))
    vault.settle()
    looks = len(telling.asked)
    assert looks > 0
    assert use(vault) == {"look": Use(looks, looks, looks, 50 * looks, looks)}
    vault.contradictions("Ann is mad about chess")
    dry = len(telling.asked) - looks
    assert use(vault)["dry-run"] == Use(dry, dry, dry, 50 * dry, dry)
    vault.doctor()
    vault.doctor()
    assert use(vault)["probe"] == Use(2, 2, 2, 100, 2)
    assert use(vault)["look"].calls == looks, "the sums of another purpose stay"
    assert sum(sums.calls for sums in use(vault).values()) == len(telling.asked)


def test_each_use_is_a_record_that_holds_not_a_word_of_it(vault: Vault, telling: Telling) -> None:
    stored(vault.remember("Ann is keen about chess"))
    vault.settle()
    (kept,) = records(vault)
    assert (kept["purpose"], kept["calls"], kept["tokens_in"]) == (
        "look", len(telling.asked), 50 * len(telling.asked),
    )  # fmt: skip
    assert not any(word in str(kept) for word in ("chess", "Ann", "keen"))
    assert vault.verify().ok


def test_a_judge_that_tells_nothing_is_counted_by_its_calls(vault: Vault, telling: Telling) -> None:
    vault.ground.judge = lambda new, old: Contradiction(Kind.UNSURE, 0, len(old), 0, len(old))
    vault.contradictions("Ann is mad about chess")
    found = use(vault)["dry-run"]
    assert found == Use(calls=found.calls, answered=found.calls) and found.calls > 0


def test_a_call_that_was_not_answered_is_counted(vault: Vault, telling: Telling, clock: FakeClock) -> None:
    def away(new: str, old: str) -> Contradiction | None:
        raise ModelAway("It does not answer.")

    vault.ground.judge = away
    stored(vault.remember("Ann is keen about chess"))
    vault.settle()
    assert use(vault) == {"look": Use(calls=1)}
    clock.advance(minutes=5)
    vault.settle()
    assert use(vault) == {"look": Use(calls=2)}, "each try counts"


def test_what_was_used_before_the_work_failed_is_on_record(vault: Vault, telling: Telling) -> None:
    """A look whose outcome cannot be landed has cost what it cost."""

    def spent(new: str, old: str, note: Note) -> Contradiction | None:
        note(SENT + Use(counted=1, tokens_in=7, tokens_out=1))
        raise RuntimeError("The worker falls over.")

    telling.metered = spent  # type: ignore[method-assign]  # the judge of this test alone
    stored(vault.remember("Ann is keen about chess"))
    assert vault.settle().left == 1
    assert use(vault) == {"look": Use(calls=1, counted=1, tokens_in=7, tokens_out=1)}


def test_where_nothing_can_be_put_on_record_no_model_is_asked(vault: Vault, telling: Telling) -> None:
    ground = vault.ground
    ground.outside = replace(ground.outside, writable=False, why_read_only="For a test.")
    assert vault.contradictions("Ann is mad about chess") == ()
    judge = next(check for check in vault.doctor() if check.name == "judge")
    assert judge.well and "not asked" in judge.sentence
    assert telling.asked == [] and use(vault) == {}


def test_the_sums_go_on_when_the_vault_is_opened_again(world: World) -> None:
    world.vault.ground.judge = Telling()
    world.vault.doctor()
    again = world.restarted()
    again.ground.judge = Telling()
    again.doctor()
    assert use(again) == {"probe": Use(2, 2, 2, 100, 2)}
