"""How far does an erasure reach along what was derived?  To the end, and no further."""

import random

import pytest

from muniment.domain.evidence import Span
from muniment.domain.intent import Source
from muniment.errors import MunimentError
from muniment.service.vault import Vault
from tests.builders import World, stored
from tests.erasure.planting import CODE, TWIN


def page(vault: Vault, n: int) -> str:
    """Take in a page of its own source."""
    return vault.ingest(f"Page {n} of the book tells about thing number {n}.", source=f"page-{n}").evidence[0]


def there(vault: Vault, id: str) -> bool:
    """Return whether a memory can be read."""
    try:
        return bool(vault.read(id).text)
    except MunimentError:
        return False


def expected(sources: dict[str, list[str]], gone: set[str]) -> set[str]:
    """Return what goes by the plain rule, over and over until nothing more goes."""
    gone = set(gone)
    while True:
        more = {id for id, of in sources.items() if id not in gone and of and set(of) <= gone}
        if not more:
            return gone
        gone |= more


@pytest.mark.parametrize("seed", range(8))
def test_random_chains_go_as_the_plain_rule_says(world: World, seed: int) -> None:
    vault, chance = world.vault, random.Random(seed)
    pages = [page(vault, n) for n in range(4)]
    sources: dict[str, list[str]] = {}
    for n in range(14):
        known = [*pages, *sources]
        of = chance.sample(known, k=min(len(known), chance.randint(0, 3)))
        id = stored(vault.remember(f"Derived thing {n} of seed {seed}", evidence=of)).id
        sources[id] = of
    taken = chance.sample(pages, k=2)
    gone = set(taken)
    for each in taken:
        gone = expected(sources, gone)
        vault.erase(vault.plan_erasure(id=each))
    left = {id for id in sources if there(vault, id)}
    assert left == set(sources) - gone, f"seed {seed}"
    for id in left:
        steps = {step.id for step in vault.why(id)}
        assert not steps & gone
    assert vault.verify().ok


def test_a_circle_of_derivation_comes_to_an_end(world: World) -> None:
    vault = world.vault
    first = page(vault, 1)
    one = stored(vault.remember("The one", evidence=[first])).id
    two = stored(vault.remember("The two", evidence=[one])).id
    vault.link(one, two, type="refers_to")
    vault.erase(vault.plan_erasure(id=first))
    assert not there(vault, one) and not there(vault, two)


def test_a_memory_without_a_source_never_goes_by_itself(world: World) -> None:
    vault = world.vault
    first = page(vault, 1)
    free = stored(vault.remember("Said by hand")).id
    stored(vault.remember("Derived", evidence=[first]))
    vault.erase(vault.plan_erasure(id=first))
    assert there(vault, free)


@pytest.mark.parametrize("type", ["refers_to", "contradicts", "causes"])
def test_other_links_carry_nothing_away(world: World, type: str) -> None:
    vault = world.vault
    gone = stored(vault.remember(f"The code is {CODE}")).id
    kept = stored(vault.remember(f"The spare is {TWIN}")).id
    stored(vault.link(kept, gone, type=type))
    vault.erase(vault.plan_erasure(id=gone))
    assert there(vault, kept)
    with vault.ground.store.snapshot() as snapshot:
        assert snapshot.links_of((kept,)) == []
    assert vault.verify().ok


def test_a_successor_stays_when_its_predecessor_goes_and_the_reverse(world: World) -> None:
    vault, clock = world.vault, world.clock
    old = stored(vault.remember(f"The code is {CODE}")).id
    clock.advance(days=1)
    new = stored(vault.succeed(old, "The code is changed daily")).id
    vault.erase(vault.plan_erasure(id=old))
    assert there(vault, new) and not there(vault, old)
    clock.advance(days=1)
    newest = stored(vault.succeed(new, f"The code is {TWIN}")).id
    vault.erase(vault.plan_erasure(id=newest))
    assert there(vault, new) and not there(vault, newest)
    assert vault.verify().ok


def test_a_span_of_another_memory_moves_with_the_text(world: World) -> None:
    vault = world.vault
    session = vault.session("talk", agent="coder")
    text = f"My code is {CODE}. The tea is at four."
    turn = session.append("user", text).evidence[0]
    from_span = {"evidence": [_span(turn, text, "The tea is at four.")]}
    tea = stored(vault.remember("Tea is at four", **from_span)).id
    vault.erase(vault.plan_erasure(text=CODE))
    step = vault.why(tea)[-1]
    assert step.span is not None
    assert step.text[step.span.start : step.span.end] == "The tea is at four."
    assert vault.verify().ok


def _span(id: str, text: str, part: str) -> object:
    at = text.index(part)
    return Source(id, Span(at, at + len(part)))


def test_a_memory_on_an_erased_span_alone_goes_and_one_beside_it_stays(world: World) -> None:
    vault = world.vault
    session = vault.session("talk", agent="coder")
    text = f"{CODE} opens the safe. The tea is at four."
    turn = session.append("user", text).evidence[0]
    on = stored(vault.remember("Something opens it", evidence=[_span(turn, text, CODE)])).id
    beside = stored(vault.remember("Tea is at four", evidence=[_span(turn, text, "The tea is at four.")])).id
    vault.erase(vault.plan_erasure(text=CODE))
    assert not there(vault, on) and there(vault, beside)


def test_erasing_twice_takes_what_is_left(world: World) -> None:
    vault = world.vault
    session = vault.session("talk", agent="coder")
    turn = session.append("user", f"One is {CODE}. Two is {TWIN}. Three is free.").evidence[0]
    vault.erase(vault.plan_erasure(text=CODE))
    vault.erase(vault.plan_erasure(text=TWIN))
    assert vault.read(turn).text == "One is [erased]. Two is [erased]. Three is free."
    assert vault.verify().ok
    assert len({row.erasure for row in vault.certificates()}) == 2
    assert world.restarted().verify().ok
