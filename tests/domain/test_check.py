"""Does a count carry its noun as a person says it?"""

import pytest

from muniment.domain.check import Check, counted


@pytest.mark.parametrize(("count", "shown"), [(0, "0 rows"), (1, "1 row"), (2, "2 rows")])
def test_one_of_a_thing_is_not_several(count: int, shown: str) -> None:
    assert counted(count, "row") == shown


def test_a_check_is_one_sentence_about_one_part() -> None:
    assert Check("jobs", True, "Nothing waits.") == Check(name="jobs", well=True, sentence="Nothing waits.")
