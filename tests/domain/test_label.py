"""Do labels only get stricter, in whatever order they are joined?"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.domain.label import PRIVATE, PUBLIC, DataClass, Label, strictest

LABELS = st.builds(Label, st.sampled_from(list(DataClass)), st.booleans())


def stricter(one: Label, other: Label) -> bool:
    """Whether `one` is at least as strict as `other` in both parts."""
    return one.data_class >= other.data_class and one.untrusted >= other.untrusted


@given(LABELS, LABELS)
def test_a_join_is_as_strict_as_both_and_no_stricter(one: Label, other: Label) -> None:
    joined = one.joined(other)
    assert stricter(joined, one)
    assert stricter(joined, other)
    assert joined.data_class in (one.data_class, other.data_class)
    assert joined.untrusted in (one.untrusted, other.untrusted)


@given(LABELS, LABELS, LABELS)
def test_the_order_and_the_grouping_of_joins_do_not_matter(one: Label, other: Label, third: Label) -> None:
    assert one.joined(other) == other.joined(one)
    assert one.joined(other).joined(third) == one.joined(other.joined(third))


@given(LABELS)
def test_joining_the_same_or_the_loosest_changes_nothing(label: Label) -> None:
    assert label.joined(label) == label
    assert label.joined(PUBLIC) == label


@given(st.lists(LABELS), LABELS)
def test_the_strictest_is_the_join_of_all_and_of_the_least(labels: list[Label], least: Label) -> None:
    found = strictest(labels, least=least)
    assert all(stricter(found, each) for each in (*labels, least))
    assert found == strictest(reversed(labels), least=least)
    assert found.data_class == max(each.data_class for each in (*labels, least))


def test_parts_are_joined_each_on_its_own() -> None:
    tainted, secret = Label(DataClass.PUBLIC, untrusted=True), Label(DataClass.SECRET)
    assert tainted.joined(secret) == Label(DataClass.SECRET, untrusted=True)


def test_nothing_joined_is_public_and_a_new_label_is_private() -> None:
    assert strictest(()) == PUBLIC == Label(DataClass.PUBLIC)
    assert Label() == PRIVATE
    assert not Label().untrusted


def test_data_classes_run_from_open_to_closed() -> None:
    assert DataClass.PUBLIC < DataClass.PRIVATE < DataClass.SECRET


def test_a_label_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        PRIVATE.untrusted = True  # type: ignore[misc]  # the claim is that this fails
