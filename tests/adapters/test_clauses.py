"""Are sentences, clauses, wrapped lines and quotations told apart where they stand?"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.adapters.clauses import SENTENCE_CHARACTERS_MAX, Clause, clauses


def texts(text: str, *, own_voice: bool = True) -> list[str]:
    return [clause.text for clause in clauses(text, own_voice=own_voice)]


def test_a_sentence_is_one_clause_without_its_mark() -> None:
    assert texts("The gauge is clean. The mail is out!") == ["The gauge is clean", "The mail is out"]


@pytest.mark.parametrize(
    "text",
    [
        "The gauge is at 3.5 metres",
        "Ask Dr. Weber about the gauge",
        "Use ops/rotate.sh on staging",
        "It weighs approx. two kilos".replace("approx.", "ca"),
    ],
)
def test_a_point_that_ends_nothing_does_not_cut(text: str) -> None:
    assert texts(text) == [text]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("It is clean; it is full", ["It is clean", "it is full"]),
        ("It is clean and I like it", ["It is clean", "I like it"]),
        ("It is clean, but my boat is not here", ["It is clean"]),
        ("It is clean, I like it", ["It is clean", "I like it"]),
        ("It is clean — we checked", ["It is clean", "we checked"]),
        ("Salt and pepper", ["Salt and pepper"]),
        ("A twenty-metre well-built boat", ["A twenty-metre well-built boat"]),
    ],
)
def test_clauses_part_where_each_can_stand_alone(text: str, parts: list[str]) -> None:
    assert texts(text) == parts


@pytest.mark.parametrize(
    "lead",
    [
        "Hi Ada, ",
        "Well, actually, ",
        "- ",
        "3) ",
        "[x] ",
        "Correction: ",
        "By the way, ",
        "No, ",
        "From now on ",
        "Übrigens, ",
    ],
)
def test_what_leads_up_to_a_statement_is_no_part_of_it(lead: str) -> None:
    (clause,) = clauses(lead + "the gauge is clean")
    assert clause == Clause("the gauge is clean", len(lead))


def test_a_lead_is_only_taken_off_the_front() -> None:
    assert texts("The gauge is now clean also") == ["The gauge is now clean also"]


@pytest.mark.parametrize("word", ["not", "never", "no longer", "nobody", "isn't", "nicht", "jamais"])
def test_a_denial_drops_its_clause_and_spares_its_neighbour(word: str) -> None:
    assert texts(f"The gauge {word} clean; the mail is out") == ["the mail is out"]


@pytest.mark.parametrize("word", ["if", "maybe", "said", "would", "in my novel", "wenn", "according to Ana"])
def test_a_doubt_drops_its_sentence_and_spares_the_next(word: str) -> None:
    assert texts(f"The gauge is clean {word} so; the mail is out. The tea is hot.") == ["The tea is hot"]


def test_a_word_that_only_contains_a_doubt_is_none() -> None:
    assert texts("The Maydays gifted an iffy mightiness") == ["The Maydays gifted an iffy mightiness"]
    assert texts("The launch is on 14 May") == ["The launch is on 14 May"]


def test_a_question_is_dropped_with_all_its_clauses() -> None:
    assert texts("The gauge is clean; is the mail out? The tea is hot.") == ["The tea is hot"]


def test_a_sentence_at_the_bound_is_read_and_a_longer_one_is_not() -> None:
    assert len(texts("x" * SENTENCE_CHARACTERS_MAX)) == 1
    assert texts("x" * (SENTENCE_CHARACTERS_MAX + 1)) == []


def test_lines_broken_by_an_editor_are_one_and_lines_broken_by_hand_are_not() -> None:
    long = "The intake of the gauge in the harbour of Norderhaven"
    assert texts(f"{long}\nWas cleaned") == [f"{long} Was cleaned"]
    assert texts("The gauge\nwas cleaned") == ["The gauge was cleaned"]
    assert texts("The gauge\nWas cleaned") == ["The gauge", "Was cleaned"]
    assert texts(f"{long}\n- was cleaned") == [long, "was cleaned"]
    assert texts(f"{long}\n\nwas cleaned") == [long, "was cleaned"]


@pytest.mark.parametrize(
    "foreign",
    [
        "> the mail is out",
        "    the mail is out",
        "\tthe mail is out",
        "```\nthe mail is out\n```",
        "~~~\nthe mail is out\n~~~",
    ],
)
@pytest.mark.parametrize("own_voice", [True, False])
def test_code_and_quoted_lines_are_passed_over(foreign: str, own_voice: bool) -> None:
    text = f"The gauge is clean.\n{foreign}\nThe tea is hot."
    assert texts(text, own_voice=own_voice) == ["The gauge is clean", "The tea is hot"]


@pytest.mark.parametrize(
    "introduced", ["Ana's mail:", "See below：", "<paste>", "My boss wrote:", "Remember what she said:"]
)
def test_after_anothers_words_are_introduced_nothing_is_in_the_own_voice(introduced: str) -> None:
    text = f"The gauge is clean.\n{introduced}\n\nThe mail is out."
    assert texts(text) == ["The gauge is clean"]
    assert "The mail is out" in texts(text, own_voice=False)


@pytest.mark.parametrize("own", ["Facts about me:", "Notes:", "Decisions so far:", "FYI:"])
def test_own_notes_are_introduced_by_a_colon_too(own: str) -> None:
    assert texts(f"{own}\n- the gauge is clean")[-1] == "the gauge is clean"


def test_quotations_are_found_where_they_stand_in_the_clause() -> None:
    (clause,) = clauses('Well, the "old gauge" is clean')
    assert clause.text[slice(*clause.quotes[0])] == '"old gauge"'


def test_a_quotation_that_never_ends_reaches_to_the_end_of_its_paragraph() -> None:
    one, two = clauses('The gauge "is clean and full\n\nThe tea is hot')
    assert one.quotes == ((10, len(one.text)),)
    assert two.quotes == ()


def test_a_mark_within_a_quotation_ends_no_sentence() -> None:
    assert texts('Ana left "a note. the mail is out" here') == ['Ana left "a note. the mail is out" here']
    assert texts("Ana left a note. the mail is out") == ["Ana left a note", "the mail is out"]
    assert texts('Ana left "a note." The tea is hot')[-1] == "The tea is hot"


def test_an_apostrophe_opens_no_quotation() -> None:
    (clause,) = clauses("The boats' owner's gauge is clean")
    assert clause.quotes == ()


@given(st.text(alphabet=st.sampled_from("aI .,;:!?\"'`>~-\n\r\t<\u2028„”é"), max_size=200), st.booleans())
def test_a_clause_is_found_in_the_text_at_its_start(text: str, own_voice: bool) -> None:
    for clause in clauses(text, own_voice=own_voice):
        source = text[clause.start : clause.start + len(clause.text)]
        assert source.split() == clause.text.split()
        assert clause.text == clause.text.strip()
        assert all(start < len(clause.text) and end > 0 for start, end in clause.quotes)
