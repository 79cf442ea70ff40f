"""Does a value end where its clause does, look like what it claims to be, and know its day?"""

from datetime import UTC, datetime, timedelta, timezone

import pytest

from muniment import limits
from muniment.adapters.claim_values import Shape, bare, dated, fits, folded, trimmed

NOW = datetime(2026, 6, 15, 23, 30, tzinfo=timezone(timedelta(hours=2)))


@pytest.mark.parametrize(
    ("raw", "shape", "value"),
    [
        ("Lisbon, Portugal", Shape.PLACE, "Lisbon"),
        ("Lisbon because of the light", Shape.PLACE, "Lisbon"),
        ("Lisbon and he likes it", Shape.PLACE, "Lisbon"),
        ("Lisbon on 3 April", Shape.PLACE, "Lisbon"),
        ("Lisbon (again)", Shape.PLACE, "Lisbon"),
        ("Lisbon two years ago", Shape.PLACE, "Lisbon"),
        ("Acme 3 months ago", Shape.NAME, "Acme"),
        ("Two Harbors", Shape.PLACE, "Two Harbors"),
        ("Field and Sons", Shape.NAME, "Field and Sons"),
        ("Zoë please", Shape.NAME, "Zoë"),
        ("v3.12.1 these days", Shape.TOKEN, "v3.12.1"),
        ("09:30 in Berlin", Shape.TOKEN, "09:30 in Berlin"),
        ("https://a.example/b?c", Shape.TOKEN, "https://a.example/b"),
        ("dark green, like moss", Shape.PHRASE, "dark green"),
        ("salt and pepper", Shape.PHRASE, "salt and pepper"),
        ("peanuts, kiwi and brazil nuts, thanks", Shape.LIST, "peanuts, kiwi and brazil nuts"),
        ("peanuts, thanks", Shape.LIST, "peanuts"),
        ("buy milk, eggs and bread because we are out", Shape.ACT, "buy milk, eggs and bread"),
        ("ship on Friday. Then rest", Shape.ACT, "ship on Friday"),
    ],
)
def test_a_value_ends_where_the_sentence_goes_on_about_something_else(
    raw: str, shape: Shape, value: str
) -> None:
    assert trimmed(raw, shape) == value
    assert raw.startswith(value)


@pytest.mark.parametrize(
    ("shape", "good", "bad"),
    [
        (Shape.PLACE, "Rio de Janeiro", "a small town"),
        (Shape.PLACE, "the Hague", "the next step"),
        (Shape.PLACE, "Łódź", "linux"),
        (Shape.PLACE, "東京", "Python"),
        (Shape.NAME, "Åsa Lindqvist", "back later"),
        (Shape.NAME, "van Gogh", "Monday"),
        (Shape.NAME, "O'Hara", "9 to five"),
        (Shape.TOKEN, "8091", "slow"),
        (Shape.TOKEN, "/etc/tide", "broken again"),
        (Shape.TOKEN, "`main`", "main"),
        (Shape.TOKEN, "Ana", "ana"),
        (Shape.PHRASE, "dark green", "not green"),
        (Shape.ACT, "ship it", "it"),
        (Shape.DAY, "Mondays", "broken"),
        (Shape.DAY, "14 September", "hold"),
        (Shape.DAY, "the first Monday of each month", "mending"),
    ],
)
def test_a_value_must_look_like_its_shape(shape: Shape, good: str, bad: str) -> None:
    assert fits(good, shape)
    assert not fits(bad, shape)


def test_no_value_and_too_long_a_value_fit_nothing() -> None:
    for shape in Shape:
        assert not fits("", shape)
        assert not fits(" ".join(["Word1"] * 41), shape)
        assert not fits("A" * (limits.name_characters_max + 1), shape)
    assert fits("A" * limits.name_characters_max, Shape.TOKEN)


@pytest.mark.parametrize(
    ("quoted", "value"),
    [
        ('"Zé"', "Zé"),
        ("`a b`", "a b"),
        ("„Zé“", "Zé"),
        ("«Zé»", "Zé"),
        ('"Zé', '"Zé'),
        ('""', '""'),
        ("Zé", "Zé"),
    ],
)
def test_only_quotes_around_the_whole_value_are_taken_off(quoted: str, value: str) -> None:
    assert bare(quoted) == value


def test_a_folded_value_has_one_spelling() -> None:
    assert folded(" Favorite\tCOLOUR ") == folded("favourite colour") == "favourite colour"
    assert folded("STRASSE") == folded("straße")


@pytest.mark.parametrize(
    ("clause", "day"),
    [
        ("since 2026-04-03", (2026, 4, 3)),
        ("on 3 April 2026", (2026, 4, 3)),
        ("on the 3rd of April, 2026", (2026, 4, 3)),
        ("on April 3, 2026", (2026, 4, 3)),
        ("on April 3rd", (2026, 4, 3)),
        ("since March", (2026, 3, 1)),
        ("since 2019", (2019, 1, 1)),
        ("as of 16 June", (2025, 6, 16)),
        ("on 15 June", (2026, 6, 15)),
        ("today", (2026, 6, 15)),
        ("yesterday", (2026, 6, 14)),
    ],
)
def test_a_clause_names_its_day(clause: str, day: tuple[int, int, int]) -> None:
    assert dated(f"I moved to Rome {clause}", NOW) == datetime(*day, tzinfo=UTC)


@pytest.mark.parametrize(
    ("clause", "day"),
    [
        ("I've been living in Rome for ten years", (2016, 6, 15)),
        ("I have been living in Rome for over 10 years", (2016, 6, 15)),
        ("I’ve been living in Rome for the last two weeks", (2026, 6, 1)),
        ("I have lived in Rome for a month", (2026, 5, 15)),
        ("I've been in Rome for the past eighteen months", None),
        ("I've been in Rome for 18 months now", (2024, 12, 15)),
        ("I moved to Rome three days ago", (2026, 6, 12)),
        ("I moved to Rome a year ago", (2025, 6, 15)),
        ("I moved to Rome for ten years", None),
        ("I lived in Rome for ten years", None),
        ("I've been living in Rome for about ten years", None),
        ("I've been living in Rome, for two weeks alone", None),
        ("I've been living in Rome for ten people", None),
        ("I've been living in Rome since 2019, for seven years", (2019, 1, 1)),
    ],
)
def test_what_has_lasted_for_so_long_began_so_long_ago(clause: str, day: tuple[int, int, int] | None) -> None:
    """Only what goes on is counted back: a past or a planned stay began at no known day."""
    assert dated(clause, NOW) == (datetime(*day, tzinfo=UTC) if day else None)
    assert "2019" in clause or dated(clause, None) is None


def test_a_day_that_its_month_lacks_is_the_last_of_that_month() -> None:
    leap, ends = datetime(2024, 2, 29, 12, tzinfo=UTC), datetime(2026, 3, 31, tzinfo=UTC)
    assert dated("I moved there a year ago", leap) == datetime(2023, 2, 28, tzinfo=UTC)
    assert dated("I moved there one month ago", ends) == datetime(2026, 2, 28, tzinfo=UTC)
    assert dated("I moved there 99 years ago", datetime(99, 1, 1, tzinfo=UTC)) is None


@pytest.mark.parametrize(
    "clause", ["", "on 31 June 2026", "on 2026-13-01", "with 3 friends", "on Monday", "in room 1999b"]
)
def test_what_is_no_day_is_none(clause: str) -> None:
    assert dated(f"I moved to Rome {clause}", NOW) is None


@pytest.mark.parametrize(
    ("clause", "needs"), [("today", True), ("on 3 April", True), ("on 3 April 2026", False)]
)
def test_only_a_whole_date_does_without_the_moment_of_speaking(clause: str, needs: bool) -> None:
    assert (dated(f"I moved to Rome {clause}", None) is None) is needs


def test_a_leap_day_without_a_year_never_raises() -> None:
    assert dated("I moved on 29 February", datetime(2024, 1, 1, tzinfo=UTC)) is None
    assert dated("I moved on 29 February", datetime(2024, 3, 1, tzinfo=UTC)) == datetime(
        2024, 2, 29, tzinfo=UTC
    )
