"""What does a query ask for?  Words, phrases in quotes, and nothing that is an operator."""

import pytest

from muniment import limits
from muniment.adapters.analyser import Analyser
from muniment.recall.turns import BY_BEGINNING, BY_PARTS, SOME_WORDS, Wording, wording

ANALYSER = Analyser()


def asked(text: str) -> Wording:
    return wording(text, ANALYSER.question)


def matches(query: str, text: str) -> bool:
    """Return whether a text holds all that a query asks for."""
    words = asked(query)
    return bool(words.terms) and set(words.terms) <= set(ANALYSER.terms(text)) and words.fits(text)


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("deploy key", "the key that deploys"),
        ("deploy, key", "the key that deploys"),
        ("client/server", "the server and its client"),
        ("client/server", "client/server"),
        ("don't", "You don't say"),
        ("don't", "you dont say"),
        ("Ria's boat", "the boat of Ria"),
        ("\U0001f375", "tea \U0001f375 at four"),
        ("\u5927\u522b\u5c71", "\u4e1c\u4eac\u5927\u522b\u5c71\u4ee5\u5357"),
        ("\u522b\u5c71", "\u5927\u522b\u5c71"),
        ("well-known", "a well known fact"),
        ("well-known", "a well-known fact"),
        ("time: 10:30", "at 10:30 it was time"),
        ("(heron) OR NOT weir*", "a heron or not a weir"),
        ("src/app/main.py", "see src/app/main.py"),
        ("src/v2", "see src/v2/app.py"),
        ("python3/pip3", "pip3 and python3"),
        ("8080:80", "mapped as 8080:80"),
        ("I/O", "the I/O of it"),
        ("the heron", "heron"),
        ("the", "the"),
        ("3.14", "about 3.14 of it"),
        (
            "\u0411\u0435\u0440\u043b\u0438\u043d",
            "\u0432 \u0411\u0435\u0440\u043b\u0438\u043d \u0438 \u043e\u0431\u0440\u0430\u0442\u043d\u043e",
        ),
    ],
)
def test_plain_text_finds_what_says_it(query: str, text: str) -> None:
    assert matches(query, text)


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("claude-3", "we use claude-3-opus now"),
        ("v2.11", "version v2.11.3 is out"),
        ("qwen2.5", "use qwen2.5-coder now"),
        ("8080:80", "from 80 to 8080"),
        ("the v2.11 release", "the release is v2.11.3"),
        ('"claude-3"', "we use claude-3-opus now"),
    ],
)
def test_where_a_name_is_not_there_as_it_was_asked_for_its_parts_are_looked_for(
    query: str, text: str
) -> None:
    assert not matches(query, text)
    _, (parts, every, note), *_ = asked(query).tries()
    assert every and note == BY_PARTS
    assert set(parts.terms) <= set(ANALYSER.terms(text)) and parts.fits(text)


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("gpt-4", "we moved to gpt-4o last week"),
        ("GPT-4?", "we moved to gpt-4o last week"),
        ("(gpt-4)", "we moved to GPT-4o last week"),
        ("moved to gpt-4", "we moved to gpt-4o last week"),
        ("claude-3.5-s", "use claude-3.5-sonnet"),
        ('"gpt-4"', "we moved to gpt-4o last week"),
    ],
)
def test_fault_a_name_is_not_found_by_its_beginning(query: str, text: str) -> None:
    """`4` is no part of `4o`, so the parts do not find it either."""
    assert not matches(query, text)
    (longer,) = [words for words, _, note in asked(query).tries() if note == BY_BEGINNING]
    assert set(longer.terms) <= set(ANALYSER.terms(text)) and longer.fits(text)
    assert not longer.fits(text.lower().replace("gpt-4", "gpt-3").replace("3.5-s", "3.5-h"))


@pytest.mark.parametrize("query", ["heron", "client/server", "8080:80", "I/O", "deploy key", "3.14", '"'])
def test_what_names_nothing_that_could_go_on_is_not_looked_for_by_its_beginning(query: str) -> None:
    assert (asked(query).names, asked(query).beginnings) == ((), ())


@pytest.mark.parametrize(
    ("query", "looks"),
    [
        ("heron", [""]),
        ("deploy key", ["", SOME_WORDS]),
        ("client/server", ["", SOME_WORDS]),
        ("claude-3", ["", BY_PARTS, BY_BEGINNING, SOME_WORDS]),
        ("8080:80", ["", BY_PARTS, SOME_WORDS]),
        ('"deploy key"', [""]),
        ('"claude-3"', ["", BY_PARTS, BY_BEGINNING]),
    ],
)
def test_a_look_that_finds_nothing_is_followed_by_wider_ones_that_say_so(
    query: str, looks: list[str]
) -> None:
    tries = list(asked(query).tries())
    assert [note for _, _, note in tries] == looks
    assert [every for _, every, _ in tries] == [note != SOME_WORDS for note in looks]


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("deploy key", "the key that rotates"),
        ("client/server", "the client alone"),
        ("\u5927\u522b\u5c71", "\u5927\u5c71\u522b"),
        ("3.14", "about 3.15 of it"),
        ("heron NOT weir", "a heron"),
    ],
)
def test_plain_text_finds_nothing_that_lacks_a_word_of_it(query: str, text: str) -> None:
    assert not matches(query, text)


@pytest.mark.parametrize(
    ("text", "fits"),
    [
        ("it is the deploy key", True),
        ("it is the DEPLOY\n  Key", True),
        ("the key to deploy", False),
        ("deploy the key", False),
    ],
)
def test_a_phrase_has_to_stand_as_it_was_quoted_whatever_case_and_spacing(text: str, fits: bool) -> None:
    assert matches('"deploy key"', text) is fits
    assert matches("deploy key", text)


@pytest.mark.parametrize("asked_as", ['"don\'t touch"', '"don\u2019t touch"', '"DON\u02bcT  touch"'])
@pytest.mark.parametrize("said", ["please don't touch it", "please don\u2019t touch it"])
def test_fault_a_phrase_with_another_apostrophe_finds_nothing(asked_as: str, said: str) -> None:
    assert matches(asked_as, said)
    assert not matches(asked_as, said.replace("touch", "so touch"))


@pytest.mark.parametrize("text", ["mapped as 8080 or 80", "80:8080"])
def test_numbers_in_a_pair_are_one_word(text: str) -> None:
    assert not matches("8080:80", text)


def test_an_open_quote_is_a_character_like_any_other() -> None:
    assert asked('"deploy key').phrases == ()
    assert asked('"deploy key').terms == asked("deploy key").terms
    assert asked('""').phrases == ()


@pytest.mark.parametrize("text", ["", "   ", "!!!", "(:-)", '""'])
def test_a_query_without_a_word_asks_for_nothing(text: str) -> None:
    assert asked(text).terms == ()


def test_no_more_terms_are_asked_for_than_a_question_may_have() -> None:
    words = " ".join(
        f"word{chr(97 + n % 26)}{chr(97 + n // 26)}" for n in range(limits.question_terms_max + 9)
    )
    assert len(asked(words).terms) == limits.question_terms_max


def test_a_word_given_twice_is_asked_for_once() -> None:
    assert asked("heron heron HERON").terms == asked("heron").terms
