"""Is what can be said in several ways brought to one, with every word in its place?"""

import pytest

from muniment.gate.clause_rewriting import in_one_way
from muniment.gate.clause_words import words_of


def said(text: str) -> str:
    return " ".join(word.text for word in in_one_way(words_of(text, (0, len(text)))))


@pytest.mark.parametrize(
    ("text", "one_way"),
    [
        ("The rent went up to 950 euros", "the rent is 950 euros"),
        ("The rent has been raised from 900 to 950 euros", "the rent is 950 euros"),
        ("The gym raised the membership to 34 pounds", "the membership is 34 pounds"),
        ("We moved the review to May", "the review moved to may"),
        ("We've migrated the server away from Frankfurt to Dublin", "the server moved to dublin"),
        ("Maud moved her bakery from Mill Street to Canal Row", "maud's bakery moved to canal row"),
        ("Maud changed her number to 555", "maud's number is 555"),
        ("The timeout defaults to 30", "the timeout is 30"),
        ("I have learned how to swim", "i can swim"),
        ("Leo knows how to read", "leo can read"),
        ("I gave up smoking", "i stopped smoking"),
        ("I have quit", "i quit"),
        ("I went back to light mode", "i use light mode"),
        ("The talk will be held in Prague", "the talk is held in prague"),
        ("My lesson is Thursday at 4", "my lesson is on thursday at 4"),
        ("The customer has not signed", "the customer not signed"),
        ("I sleep a full eight hours", "i sleep eight hours"),
        ("It takes about 20 minutes", "it takes 20 minutes"),
        ("I go running at six", "i running at six"),
        ("I take coffee without sugar", "i take coffee not with sugar"),
        ("Ms Okafor is my landlord now", "my landlord is ms okafor"),
        ("After laser surgery I wear no glasses", "i wear no glasses"),
        ("My favourite colour is grey", "my favorite color is gray"),
        ("The build takes four minutes since the cache", "the build takes four minutes"),
    ],
)
def test_other_ways_are_brought_to_one(text: str, one_way: str) -> None:
    assert said(text) == one_way


@pytest.mark.parametrize(
    "text",
    [
        "i moved to porto",
        "we live here since 2010",
        "it runs because",
        "i am not sad because of the rain",
        "i go to porto",
        "he is my",
        "the bus stops at the hall",
        "it is my turn",
        "",
    ],
)
def test_what_says_something_else_is_left_as_it_is(text: str) -> None:
    assert said(text) == text


def test_words_keep_their_places_and_new_ones_stand_where_the_first_stood() -> None:
    text = "We raised the limit to 50"
    words = in_one_way(words_of(text, (0, len(text))))
    assert [(word.text, text[word.start : word.end]) for word in words] == [
        ("the", "the"),
        ("limit", "limit"),
        ("is", "We"),
        ("50", "50"),
    ]
