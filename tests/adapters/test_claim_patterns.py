"""Does each row of the table read what it is for, is it cheap, and does the first that fits decide?"""

import re
import string
import time
from dataclasses import FrozenInstanceError, fields

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from muniment.adapters.claim_patterns import PATTERNS, Pattern
from muniment.adapters.claim_values import Shape, fits, trimmed
from muniment.adapters.extractor import Candidate, candidates
from muniment.domain.memory import Kind

GROUPS = {"value", "about", "attribute", "topic"}
GIVEN = {"me", "key", "pair"}
FORMATTED = ("about", "attribute", "says")


def said(text: str, *, role: str = "user") -> tuple[Candidate, ...]:
    return candidates(text, speaker="Mara", role=role, occurred_at=None)


# Every row once: a statement that it reads, and who, what and how much it says.
USER = [
    ("I live in Lisbon", "Mara", "home", "Lisbon"),
    ("I recently moved to Lisbon", "Mara", "home", "Lisbon"),
    ("I moved from Rome back to Lisbon", "Mara", "home", "Lisbon"),
    ("I reside in Lisbon", "Mara", "home", "Lisbon"),
    ("I'm now based in Lisbon", "Mara", "home", "Lisbon"),
    ("I am living in Lisbon", "Mara", "home", "Lisbon"),
    ("I’ve been living in Lisbon", "Mara", "home", "Lisbon"),
    ("Ich wohne jetzt in Köln", "Mara", "home", "Köln"),
    ("Ich lebe seit 2019 in Köln", "Mara", "home", "Köln"),
    ("Ich bin letzte Woche nach Köln gezogen", "Mara", "home", "Köln"),
    ("Ich bin nach Köln umgezogen", "Mara", "home", "Köln"),
    ("J'habite maintenant à Lyon", "Mara", "home", "Lyon"),
    ("Yo vivo ahora en Madrid", "Mara", "home", "Madrid"),
    ("Eu moro em Lisboa", "Mara", "home", "Lisboa"),
    ("私は東京に住んでいます", "Mara", "home", "東京"),
    ("僕は今、大阪に住んでいる", "Mara", "home", "大阪"),
    ("I currently work at Tidemark", "Mara", "employer", "Tidemark"),
    ("I've started a new job at Tidemark", "Mara", "employer", "Tidemark"),
    ("Ich arbeite bei Siemens", "Mara", "employer", "Siemens"),
    ("Je travaille chez Renault", "Mara", "employer", "Renault"),
    ("Trabajo para Iberia", "Mara", "employer", "Iberia"),
    ("My full name is Zoë Diaz", "Mara", "name", "Zoë Diaz"),
    ("Call me Zé", "Mara", "name", "Zé"),
    ("I go by Zé", "Mara", "name", "Zé"),
    ("Ich heiße Jörg", "Mara", "name", "Jörg"),
    ("Je m'appelle Zoé", "Mara", "name", "Zoé"),
    ("Me llamo Inés", "Mara", "name", "Inés"),
    ("I'm mildly allergic to kiwi", "Mara", "allergy:kiwi", "kiwi"),
    ("I have a severe peanut allergy", "Mara", "allergy:peanut", "peanut"),
    ("Ich bin allergisch gegen Pollen", "Mara", "allergy:pollen", "Pollen"),
    ("Je suis allergique aux noix", "Mara", "allergy:noix", "noix"),
    ("Soy alérgica al polen", "Mara", "allergy:polen", "polen"),
    ("My older sister is called Ana", "Mara", "older sister", "Ana"),
    ("My dog's name is Biscuit", "Mara", "dog", "Biscuit"),
    ("My sister's birthday is on the 9th of May", "Mara's sister", "birthday", "9th of May"),
    ("My job title is harbour pilot", "Mara", "job title", "harbour pilot"),
    ("My favorite tea is green", "Mara", "favourite tea", "green"),
    ("My locker number is 17", "Mara", "locker number", "17"),
    ("I prefer tabs over spaces", "Mara", "preference:spaces/tabs", "tabs"),
    ("I switched from vim to helix", "Mara", "preference:helix/vim", "helix"),
    ("I generally prefer tabs for Go", "Mara", "preference:go", "tabs"),
    ("I prefer short answers", "Mara", "preference:short answers", "short answers"),
    ("Ich bevorzuge kurze Antworten", "Mara", "preference:kurze antworten", "kurze Antworten"),
    ("We chose Postgres for the ledger", "ledger", "choice", "Postgres"),
    ("We're going with plain files as our archive format", "archive format", "choice", "plain files"),
    ("We agreed to ship on Friday", "Mara", "decision:ship on friday", "ship on Friday"),
    ("Decision: ship on Friday", "Mara", "decision:ship on friday", "ship on Friday"),
    ("Remind me to call Ana", "Mara", "task:call ana", "call Ana"),
    ("Todo: call Ana", "Mara", "task:call ana", "call Ana"),
]
DOCUMENT = [
    ("The deploy key rotates every Monday", "deploy key", "rotation", "Monday"),
    ("The gauge listens on port 8091", "gauge", "port", "8091"),
    ("The backup runs on Mondays", "backup", "schedule", "Mondays"),
    ("The importer is hosted on Vega", "importer", "host", "Vega"),
    ("The licence expires on 4 May", "licence", "due", "4 May"),
    ("The gauge is maintained by Ana Weber", "gauge", "owner", "Ana Weber"),
    ("The manual is stored under /srv/doc", "manual", "location", "/srv/doc"),
    ("The cutter is called Aurora", "cutter", "name", "Aurora"),
    ("The deadline for the tide report is 14 May", "tide report", "deadline", "14 May"),
    ("Our staging port is 8091", "staging", "port", "8091"),
    ("The spring release is on 14 May", "spring release", "date", "14 May"),
]


@pytest.mark.parametrize(("text", "about", "attribute", "value"), USER + DOCUMENT)
def test_a_statement_is_read_as_its_row_says(text: str, about: str, attribute: str, value: str) -> None:
    (claim,) = said(text)
    assert (claim.about, claim.attribute, claim.value) == (about, attribute, value)


@pytest.mark.parametrize(("text", "about", "attribute", "value"), DOCUMENT)
def test_a_document_is_read_for_named_things(text: str, about: str, attribute: str, value: str) -> None:
    (claim,) = said(text, role="document")
    assert (claim.about, claim.attribute, claim.value) == (about, attribute, value)


@pytest.mark.parametrize("text", [case[0] for case in USER])
def test_nobody_speaks_in_the_first_person_in_a_document(text: str) -> None:
    assert said(text, role="document") == ()


@pytest.mark.parametrize("role", ["assistant", "tool_call", "tool_result", "system", "none", "", "USER"])
def test_no_other_role_is_read(role: str) -> None:
    for text, *_ in USER + DOCUMENT:
        assert said(text, role=role) == ()


def taken(text: str) -> int:
    """Return the number of the row that decides on a clause."""
    for at, pattern in enumerate(PATTERNS):
        found = pattern.form.match(text)
        if found is not None and fits(trimmed(found["value"], pattern.shape).strip("\"'"), pattern.shape):
            return at
    return -1


def test_every_row_is_taken_by_some_statement() -> None:
    """A row that another always forestalls is dead, and its promise with it."""
    used = {taken(text) for text, *_ in USER + DOCUMENT}
    dead = [PATTERNS[at].form.pattern for at in range(len(PATTERNS)) if at not in used]
    assert not dead, "\n".join(dead)


def test_a_row_asks_for_no_group_that_its_form_lacks() -> None:
    for pattern in PATTERNS:
        groups = set(pattern.form.groupindex)
        assert {"value"} <= groups <= GROUPS
        for template in (getattr(pattern, name) for name in FORMATTED):
            asked = {name for _, name, _, _ in string.Formatter().parse(template) if name}
            assert asked <= groups | GIVEN, template


def test_a_row_names_a_slot_and_shows_its_value() -> None:
    for pattern in PATTERNS:
        assert pattern.about and pattern.attribute
        assert "{value}" in pattern.says
        assert pattern.kind in set(Kind)
        assert isinstance(pattern.shape, Shape)


def test_a_row_about_the_speaker_is_only_read_in_the_first_person() -> None:
    about_me = ["{me}" in f"{row.about} {row.attribute} {row.says}" for row in PATTERNS]
    assert all(row.first_person for row, speaks in zip(PATTERNS, about_me, strict=True) if speaks)
    assert any(about_me) and not all(about_me)


def test_values_that_are_split_are_slots_of_their_own() -> None:
    split = [row for row in PATTERNS if row.many]
    assert split
    assert all("{key}" in row.attribute for row in split)


def test_a_form_takes_case_as_it_comes_and_every_repetition_before_its_end_is_bounded() -> None:
    for form in (row.form for row in PATTERNS):
        assert form.flags & re.IGNORECASE
        bare = re.sub(r"\[(?:\\.|[^\]])*\]", "", form.pattern.replace(r"(?=\W*\Z", ""))
        assert not re.search(r"(?<!\\)[*+]", bare), form.pattern


HOSTILE = [
    "i " + "now " * 99,
    "i prefer " + "a " * 190,
    "i prefer " + "tabs over " * 38,
    "my " + "older " * 60,
    "the " + "word " * 78,
    "the " + "w" * 390,
    "the " + "a.b/c+d-" * 48,
    "we decided on " + "x for " * 60,
    "i switched from " + "a-" * 180,
    "i moved from " + "x " * 190,
    "my favourite " + "very-" * 70,
]


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: text[:16])
def test_a_clause_costs_little_however_it_is_written(text: str) -> None:
    """A search that doubles with each word would take longer than the age of the world here."""
    began = time.thread_time()
    for pattern in PATTERNS:
        pattern.form.match(text[:400])
    assert time.thread_time() - began < 0.5


@settings(max_examples=60)
@given(st.text(alphabet=st.sampled_from("iI'’mynav theofrto-.,:0é日"), max_size=60))
def test_any_clause_is_read_or_left_and_a_value_stands_in_it(text: str) -> None:
    for pattern in PATTERNS:
        found = pattern.form.match(text)
        if found is not None:
            value = trimmed(found["value"], pattern.shape)
            assert text[found.start("value") :].startswith(value)


@pytest.mark.parametrize(
    "text",
    [
        "She lives in Lisbon",
        "They say I live in Lisbon",
        "Do I live in Lisbon",
        "I lived in Lisbon",
        "I live in fear",
        "I moved to the next topic",
        "I work at home",
        "My name is on the list",
        "Call me later",
        "My sister is tired",
        "My birthday is soon",
        "I prefer not to say",
        "The gauge is broken",
        "The meeting is boring",
        "A gauge runs on port 8091",
    ],
)
def test_what_only_sounds_like_a_row_is_left_alone(text: str) -> None:
    assert said(text) == ()


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("I prefer tabs over spaces", "I prefer spaces over tabs"),
        ("I switched from vim to helix", "I switched from helix to vim"),
    ],
)
def test_preferring_the_one_and_then_the_other_is_one_slot(first: str, second: str) -> None:
    (one,), (other,) = said(first), said(second)
    assert (one.about, one.attribute) == (other.about, other.attribute)
    assert one.value != other.value


def test_a_list_of_several_is_several_claims() -> None:
    found = said("I'm allergic to peanuts, kiwi and brazil nuts")
    assert [(claim.attribute, claim.value) for claim in found] == [
        ("allergy:peanuts", "peanuts"),
        ("allergy:kiwi", "kiwi"),
        ("allergy:brazil nuts", "brazil nuts"),
    ]


def test_a_row_cannot_be_changed_and_has_sober_defaults() -> None:
    plain = Pattern(re.compile("x"), "{me}", "a", "{value}")
    assert (plain.kind, plain.shape, plain.first_person) == ("fact", Shape.NAME, True)
    assert (plain.many, plain.own_date) == (False, False)
    for each in fields(plain):
        with pytest.raises(FrozenInstanceError):
            setattr(plain, each.name, None)
