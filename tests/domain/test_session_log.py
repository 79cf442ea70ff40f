"""Does the log of a session say where its epoch stands, and does each line come back as it was?"""

from dataclasses import replace

import pytest

from muniment.domain import session_log
from muniment.domain.ids import packed
from muniment.domain.label import PRIVATE
from muniment.domain.session_log import Began, Event, Happening
from tests.builders import START

SESSION = "s_" + "0" * 26
BASELINE = "f_" + "0" * 26
EPOCH = Event(Happening.EPOCH, 1, 2, START, PRIVATE, BASELINE, 1, 0, Began.FIRST.value)
COMPACTED = Event(Happening.COMPACTED, 1, 2, START, PRIVATE, "e_" + "0" * 26, 1, 9)
REWOUND = Event(Happening.REWOUND, 1, 2, START, PRIVATE, "", 7, 8)
FOLLOWS = Event(Happening.FOLLOWS, 1, 2, START, PRIVATE, "s_" + "1" * 25 + "0")


@pytest.mark.parametrize("event", [EPOCH, COMPACTED, REWOUND, FOLLOWS])
def test_a_happening_comes_back_from_its_row(event: Event) -> None:
    row = session_log.row_of(event, session=SESSION, n=5)
    assert session_log.event_of(row) == event
    assert (row.n, row.id, row.body, row.reason) == (5, session_log.log_id(SESSION), "", "")


def test_a_row_of_another_sort_is_no_happening() -> None:
    row = session_log.row_of(EPOCH, session=SESSION, n=5)
    with pytest.raises(ValueError, match="party"):
        session_log.event_of(replace(row, why="party"))


def test_every_session_has_a_log_id_of_its_own_that_can_be_stored() -> None:
    other = "s_" + "0" * 25 + "4"
    assert session_log.log_id(SESSION) != session_log.log_id(other)
    assert packed(session_log.log_id(SESSION))[1:] == packed(SESSION)[1:]


def test_an_epoch_lasts_until_a_compaction() -> None:
    assert session_log.newest_epoch(()) is None
    assert session_log.newest_epoch((FOLLOWS,)) is None
    assert session_log.newest_epoch((EPOCH, REWOUND)) == EPOCH
    assert session_log.newest_epoch((EPOCH, COMPACTED, REWOUND)) is None
    second = replace(EPOCH, first=2, began=Began.COMPACTED.value)
    assert session_log.newest_epoch((EPOCH, COMPACTED, second)) == second
    assert session_log.epochs((EPOCH, COMPACTED, second)) == 2


def test_the_newest_summary_stands_for_all() -> None:
    later = replace(COMPACTED, other="e_" + "2" * 25 + "0")
    assert session_log.newest_summary((EPOCH,)) == ""
    assert session_log.newest_summary((COMPACTED, REWOUND, later)) == later.other


def test_a_session_comes_from_the_one_that_was_said_first() -> None:
    assert session_log.comes_from((EPOCH, FOLLOWS), Happening.FOLLOWS) == FOLLOWS.other
    assert session_log.comes_from((EPOCH, FOLLOWS), Happening.CHILD) == ""
