"""Does a store never say that nobody committed where somebody did?"""

from collections.abc import Callable

from muniment.ports import Store
from tests.contract.builders import Scribe


def moment_of(store: Store) -> object:
    with store.snapshot() as snapshot:
        return snapshot.moment()


def test_two_moments_with_a_commit_between_are_never_equal(scribe: Scribe) -> None:
    seen = [moment_of(scribe.store)]
    for deed in (
        lambda: scribe.remember("one"),
        lambda: scribe.turn("two"),
        lambda: scribe.remember("three"),
    ):
        deed()
        seen.append(moment_of(scribe.store))
    assert all(one is None or one != other for at, one in enumerate(seen) for other in seen[at + 1 :])


def test_nothing_but_reading_leaves_the_moment_as_it_is(scribe: Scribe) -> None:
    """A store that cannot say who commits beside it says so each time."""
    version = scribe.remember("one")
    first = moment_of(scribe.store)
    with scribe.store.snapshot() as snapshot:
        assert snapshot.currents((version.memory,))
    assert moment_of(scribe.store) == first


def test_a_commit_of_another_connection_is_seen(scribe: Scribe, reopened: Callable[[], Store]) -> None:
    first = moment_of(scribe.store)
    other = reopened()
    Scribe(other).remember("from elsewhere")
    later = moment_of(other)
    assert later is None or later != first


def test_snapshots_that_are_open_at_once_show_each_its_own(scribe: Scribe) -> None:
    with scribe.store.snapshot() as early:
        before = early.moment()
        scribe.remember("one")
        assert early.moment() == before, "it goes on showing what it showed"
        with scribe.store.snapshot() as late:
            assert before is None or late.moment() != before
