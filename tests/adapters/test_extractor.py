"""Does the extractor read what people plainly say, and leave alone what they do not?"""

import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment import limits
from muniment.adapters.extractor import CANDIDATES_MAX, Candidate, candidates
from muniment.adapters.importers import arrivals
from muniment.domain.evidence import Arrival

NOW = datetime(2026, 6, 15, 12, tzinfo=UTC)


def said(text: str, *, role: str = "user", speaker: str = "Mara") -> tuple[Candidate, ...]:
    return candidates(text, speaker=speaker, role=role, occurred_at=NOW)


def keyed(text: str, **more: str) -> list[tuple[str, str, str]]:
    return [(claim.about, claim.attribute, claim.value) for claim in said(text, **more)]


@pytest.mark.parametrize(
    ("text", "attribute", "value"),
    [
        ("I live in Lisbon.", "home", "Lisbon"),
        ("I live in Lisbon, Portugal", "home", "Lisbon"),
        ("I live in the Netherlands with two cats", "home", "the Netherlands"),
        ("I've just moved from Berlin to São Paulo with my family!", "home", "São Paulo"),
        ("I'm based in Rio de Janeiro these days", "home", "Rio de Janeiro"),
        ("I work at Tidemark on the map team", "employer", "Tidemark"),
        ("I work for Field and Sons because of the boats", "employer", "Field and Sons"),
        ("My name is Zoë Nakamura-Díaz", "name", "Zoë Nakamura-Díaz"),
        ('Please call me "Zé".', "name", "Zé"),
        ("I'm severely allergic to penicillin, so careful", "allergy:penicillin", "penicillin"),
        ("My sister's name is Ana", "sister", "Ana"),
        ("my dog is called Biscuit and he is loud", "dog", "Biscuit"),
        ("My favorite colour is dark green these days", "favourite colour", "dark green"),
        ("My birthday is on the 9th of May", "birthday", "9th of May"),
        ("I prefer tabs for Go", "preference:go", "tabs"),
        ("I'm allergic to kiwi, thanks", "allergy:kiwi", "kiwi"),
        ("I prefer short answers", "preference:short answers", "short answers"),
        ("Remind me to renew the red passport", "task:renew the red passport", "renew the red passport"),
        ("To-do: fix the gate", "task:fix the gate", "fix the gate"),
        ("We decided to ship on Friday, because of the fair.", "decision:ship on friday", "ship on Friday"),
        ("Ich wohne in Köln.", "home", "Köln"),
        ("Ich bin letzte Woche nach Wien gezogen", "home", "Wien"),
        ("Ich heiße Jörg", "name", "Jörg"),
        ("J'habite à Lyon", "home", "Lyon"),
        ("Vivo en Madrid y trabajo en Acme", "home", "Madrid"),
        ("私は東京に住んでいます。", "home", "東京"),
    ],
)
def test_a_plain_statement_of_a_user_is_a_claim_about_the_speaker(
    text: str, attribute: str, value: str
) -> None:
    assert keyed(text) == [("Mara", attribute, value)]


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        ("The deploy key rotates on Mondays", ("deploy key", "rotation", "Mondays")),
        ("The staging server runs on port 8091.", ("staging server", "port", "8091")),
        ("The staging port is 8091", ("staging", "port", "8091")),
        ("The build server's port is 8091", ("build server", "port", "8091")),
        ("The port of the build server is 8091", ("build server", "port", "8091")),
        ("The config lives in `/etc/tide/app.toml`", ("config", "location", "/etc/tide/app.toml")),
        ("The nightly job runs on Fridays", ("nightly job", "schedule", "Fridays")),
        ("The gauge service is owned by Ilse Brandt", ("gauge service", "owner", "Ilse Brandt")),
        ("Our launch date is 14 September 2026", ("launch", "date", "14 September 2026")),
        ("The review is on Tuesday", ("review", "date", "Tuesday")),
    ],
)
@pytest.mark.parametrize("role", ["user", "document"])
def test_a_statement_about_a_named_thing_is_read_whoever_makes_it(
    text: str, claim: tuple[str, str, str], role: str
) -> None:
    assert keyed(text, role=role) == [claim]


@pytest.mark.parametrize(
    "text",
    [
        # questions
        "Do I live in Berlin?",
        "I live in Berlin, right?",
        "¿Vivo en Madrid?",
        "私は東京に住んでいますか。",
        # denials
        "I don't live in Berlin",
        "I live in Berlin no longer",
        "I am not allergic to nuts",
        "Ich wohne nicht in Köln",
        "Je n'habite pas à Lyon",
        "No vivo en Madrid",
        "I prefer not to say",
        # conditions, guesses, wishes and other times
        "If I lived in Berlin, I work at Acme",
        "I live in Berlin if all goes well",
        "I would say I live in Berlin",
        "I think I live in Berlin",
        "Maybe I live in Berlin",
        "Suppose I live in Berlin",
        "When I was a kid, I moved to Rome",
        "In 2019 I moved to Rome",
        "I moved to Rome for a year",
        "I moved to Rome and then to Oslo",
        "We might have decided to use Rust",
        # the words of others, and stories
        "She said I live in Berlin",
        "I live in Berlin, he wrote",
        'She told me: "Well. I live in Berlin." Fine.',
        '"I live in Berlin"',
        "'I live in Berlin'",
        "“I live in Berlin” is on the sign",
        "„Ich wohne in Köln“",
        'My favourite "editor is Helix"',
        "In my novel, I live in Berlin",
        "> I live in Berlin",
        "My boss wrote:\nI live in Berlin",
        "Here is the mail:\n\nHi, I live in Berlin",
        "<email>\nI live in Berlin\n</email>",
        "e.g. I live in Berlin",
        # code
        "```\nI live in Berlin\n```",
        "~~~text\nI live in Berlin",
        "    I live in Berlin",
        "`I live in Berlin`",
        # others
        "My friend works at Acme",
        "You live in Berlin",
        # what looks like a value and is none
        "I moved to Linux",
        "I moved to Python 3.12",
        "I moved to the next step",
        "I work at night",
        "I work for myself",
        "Call me back tomorrow",
        "Call me Monday",
        "My code is broken",
        "My favourite thing is Pizza",
        "Remember to listen to your heart",
        "My point is that we should stop",
        "My wife is German",
        "The problem is Python",
        "The release is broken",
        "The port is 8091",
    ],
)
def test_what_is_not_plainly_asserted_is_no_claim(text: str) -> None:
    assert said(text) == ()


@pytest.mark.parametrize(
    "text",
    [
        "I live in Berlin.",
        "Hi Ada, I live in Berlin.",
        "Yes, I live in Berlin. Do you?",
        "Well, actually, I live in Berlin!",
        "- I live in Berlin",
        "2. I live in Berlin",
        "I lived in Rome and now I live in Berlin",
        "A few facts about me:\n- I live in Berlin",
        "```\nI live in Oslo\n```\nI live in Berlin",
        "> I live in Oslo\nI live in Berlin",
        "I live in Berlin, not Potsdam",
        "I live in Berlin; she lives in Rome",
    ],
)
def test_what_stands_around_a_statement_does_not_hide_it(text: str) -> None:
    assert keyed(text) == [("Mara", "home", "Berlin")]


@pytest.mark.parametrize("role", ["assistant", "tool_result", "tool_call", "system", ""])
def test_only_users_and_documents_are_read(role: str) -> None:
    assert said("I live in Lisbon. The deploy key rotates on Mondays.", role=role) == ()


def test_a_document_never_speaks_in_the_first_person() -> None:
    assert said("I live in Lisbon", role="document") == ()


def test_the_span_is_the_clause_and_nothing_else() -> None:
    text = "Hi Ada! So, I moved to Lisbon, and my sister's name is Ana. Bye."
    assert [text[claim.span.start : claim.span.end] for claim in said(text)] == [
        "I moved to Lisbon",
        "my sister's name is Ana",
    ]


def test_a_clause_broken_by_an_editor_is_read_whole() -> None:
    text = "Since the old gauge broke we have used the new one, and I live in San\nFrancisco now."
    (claim,) = said(text)
    assert claim.value == "San Francisco"
    assert text[claim.span.start : claim.span.end] == "I live in San\nFrancisco now"


@given(
    st.text(alphabet=st.sampled_from("I live in Rome.\"'\n ,;:?>`-my"), max_size=120), st.text(max_size=10)
)
def test_a_span_always_lies_in_the_text_and_holds_the_value(noise: str, more: str) -> None:
    text = f"{noise}\nI live in Lisbon\n{more}\nmy dog is called Biscuit"
    for claim in said(text):
        clause = " ".join(text[claim.span.start : claim.span.end].split())
        assert 0 <= claim.span.start < claim.span.end <= len(text)
        assert " ".join(claim.value.split()) in clause


def test_changing_ones_mind_meets_the_same_slot() -> None:
    coffee, tea, switched = (
        said(text)[0]
        for text in ("I prefer coffee to tea", "I prefer tea over coffee", "I switched from coffee to tea")
    )
    assert coffee.attribute == tea.attribute == switched.attribute == "preference:coffee/tea"
    assert (coffee.value, tea.value, switched.value) == ("coffee", "tea", "tea")
    assert coffee.kind == "preference"


def test_a_purpose_is_not_what_is_preferred_less() -> None:
    assert keyed("I prefer electronic forms to save time") == [
        ("Mara", "preference:electronic forms to save time", "electronic forms to save time")
    ]


def test_two_spellings_of_a_slot_are_one() -> None:
    assert keyed("My Favourite Colour is Red") == keyed("my favorite colour is Red")


def test_a_listed_allergy_is_a_slot_for_each() -> None:
    assert keyed("I'm allergic to peanuts, shellfish and kiwi") == [
        ("Mara", "allergy:peanuts", "peanuts"),
        ("Mara", "allergy:shellfish", "shellfish"),
        ("Mara", "allergy:kiwi", "kiwi"),
    ]


def test_a_choice_is_about_what_was_chosen_for() -> None:
    (claim,) = said("We chose Postmark for the mail relay")
    assert (claim.about, claim.attribute, claim.value, claim.kind) == (
        "mail relay",
        "choice",
        "Postmark",
        "decision",
    )


def test_the_text_of_a_claim_names_who_it_is_about() -> None:
    assert [claim.text for claim in said("I live in Lisbon. Remind me to call Ana.")] == [
        "Mara lives in Lisbon",
        "To do for Mara: call Ana",
    ]
    assert said("I live in Lisbon", speaker="")[0].about == "user"


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("I moved to Lisbon on 3 April 2026", datetime(2026, 4, 3, tzinfo=UTC)),
        ("I moved to Lisbon on the 3rd of April", datetime(2026, 4, 3, tzinfo=UTC)),
        ("I moved to Lisbon on 3 December", datetime(2025, 12, 3, tzinfo=UTC)),
        ("I moved to Lisbon in March", datetime(2026, 3, 1, tzinfo=UTC)),
        ("I moved to Lisbon on 2026-04-03", datetime(2026, 4, 3, tzinfo=UTC)),
        ("I moved to Lisbon yesterday", datetime(2026, 6, 14, tzinfo=UTC)),
        ("I moved to Lisbon two years ago", datetime(2024, 6, 15, tzinfo=UTC)),
        ("I've been living in Lisbon for ten years", datetime(2016, 6, 15, tzinfo=UTC)),
        ("I'm living in Lisbon for ten years", None),
        ("I moved to Lisbon on 31 June 2026", None),
        ("I moved to Lisbon", None),
        ("My birthday is on 3 April", None),
    ],
)
def test_a_claim_holds_from_the_day_its_clause_names(text: str, day: datetime | None) -> None:
    assert said(text)[0].valid_from == day


def test_a_day_that_needs_the_moment_of_speaking_is_not_guessed() -> None:
    for text in ("I moved to Lisbon yesterday", "I moved to Lisbon on 3 April"):
        (claim,) = candidates(text, speaker="Mara", role="user", occurred_at=None)
        assert claim.valid_from is None


def test_front_matter_declares_facts_about_the_title() -> None:
    text = (
        "---\ntitle: Tide tables\nowner: Ilse\ntags: [harbour, Data]\ncover:\n---\nThe gauge port is 8091.\n"
    )
    claims = said(text, role="document", speaker="tides.md")
    assert [(claim.about, claim.attribute, claim.value) for claim in claims] == [
        ("Tide tables", "owner", "Ilse"),
        ("Tide tables", "tags:harbour", "harbour"),
        ("Tide tables", "tags:data", "Data"),
        ("gauge", "port", "8091"),
    ]
    assert [text[claim.span.start : claim.span.end] for claim in claims] == [
        "owner: Ilse",
        "tags: [harbour, Data]",
        "tags: [harbour, Data]",
        "The gauge port is 8091",
    ]


def test_without_a_title_front_matter_is_about_the_source_and_without_both_about_nothing() -> None:
    assert keyed("---\nowner: Ilse\n---\n", role="document", speaker="tides.md") == [
        ("tides.md", "owner", "Ilse")
    ]
    assert said("---\nowner: Ilse\n---\n", role="document", speaker="") == ()


def test_a_users_message_has_no_front_matter() -> None:
    assert said("---\nowner: Ilse\n---\n") == ()


def test_a_value_longer_than_a_value_may_be_is_left_out() -> None:
    assert len(said("Remind me to " + "x" * (limits.name_characters_max - len("task:")))) == 1
    assert said("Remind me to " + "x" * limits.name_characters_max) == ()


def test_the_same_claim_is_made_once_and_all_claims_are_bounded() -> None:
    assert len(said("I live in Lisbon. I live in Lisbon.")) == 1
    many = " ".join(f"The gauge{n} port is {n}." for n in range(CANDIDATES_MAX + 50))
    assert len(said(many)) == CANDIDATES_MAX


@pytest.mark.parametrize(
    "unit",
    [
        *(
            "I live in Lisbon. ",
            '"a." ',
            "'a.' ",
            "the a b c d ",
            "I prefer x for ",
            "and I ",
            "a",
            '"',
            "'",
            "„",
        ),
        *(
            "I live in \n",
            "- ",
            "no, ",
            "my favourite ",
            "word word word word word word word word word word \n",
        ),
    ],
)
@pytest.mark.parametrize("role", ["user", "document"])
def test_hostile_text_costs_no_more_than_its_length(unit: str, role: str) -> None:
    text = unit * (400_000 // len(unit))
    began = time.monotonic()
    said(text, role=role)
    assert time.monotonic() - began < 15


def test_no_tool_or_assistant_of_a_real_session_is_read(shared_data: Callable[[str], Path]) -> None:
    """A session about code holds no statement about the user, and none is made up."""
    folder = shared_data("transcripts/claude_code")
    for path in sorted(folder.glob("*.jsonl")):
        for item in arrivals(path):
            if isinstance(item, Arrival):
                assert candidates(item.text, speaker="Mara", role=item.role.value, occurred_at=NOW) == ()
