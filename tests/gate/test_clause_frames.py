"""Which clauses are the same but for one thing, and which tell of different ones?"""

import pytest

from muniment.gate.clause_words import class_of, lemma
from muniment.gate.contradiction import Kind, contradicts


@pytest.mark.parametrize(
    ("new", "old", "kind"),
    [
        ("The outage was not caused by DNS", "The outage was caused by DNS", Kind.POLARITY),
        ("I stopped going to the gym before work", "I go to the gym every morning before work", Kind.BOUNDED),
        ("I no longer run", "I run every morning", Kind.BOUNDED),
        ("I gave up running because of my knee", "I go running every morning", Kind.BOUNDED),
        ("He doesn't live with us anymore", "He lives with us at home", Kind.BOUNDED),
        ("The API does not support XML", "The API supports XML responses", Kind.POLARITY),
        ("I learned to swim last summer", "I can't swim", Kind.POLARITY),
        ("I take coffee without sugar", "I take coffee with sugar", Kind.POLARITY),
        ("The server is unreachable from the office", "The server is reachable from the office", Kind.VALUE),
        ("The config is in new/app", "The config is in old/app", Kind.VALUE),
        ("The printer is on the third floor", "The printer is on the second floor", Kind.VALUE),
        ("The train leaves from platform 7", "The train leaves at 8:05 from platform 4", Kind.VALUE),
        ("The key is under the doormat", "The key is under the flowerpot", Kind.VALUE),
        ("The parser is written in Rust", "The parser is written in Go", Kind.VALUE),
        ("The default branch is main", "The default branch is master", Kind.VALUE),
        ("Default branch of the docs is main", "Default branch of the docs is master", Kind.VALUE),
        ("The wifi password is redcanyon31", "The wifi password is bluelagoon22", Kind.VALUE),
        ("I prefer spaces over tabs", "I prefer tabs over spaces", Kind.VALUE),
        ("I prefer the aisle seat", "I prefer the window seat", Kind.VALUE),
        ("The job is failing", "The job is passing", Kind.VALUE),
        ("Nadia is studying in Utrecht", "Nadia studies in Leiden", Kind.VALUE),
        ("The club switched from Tuesdays to Fridays", "The club meets on Tuesdays", Kind.BOUNDED),
        ("We replaced the Brother printer with an Epson", "Our printer is a Brother laser", Kind.BOUNDED),
        ("Farah leads the mobile team", "Wendel leads the mobile team", Kind.UNSURE),
        ("Farah is the owner of the module", "Wendel is the owner of the module", Kind.UNSURE),
    ],
)
def test_one_thing_differs(new: str, old: str, kind: Kind) -> None:
    found = contradicts(new, old)
    assert found is not None and found.kind is kind


@pytest.mark.parametrize(
    ("new", "old"),
    [
        ("The soup is salty", "The soup is hot"),
        ("Cluster B has nine nodes", "Kubernetes cluster A has five nodes"),
        ("The pool opens at 10", "The pool opens at 8 in summer"),
        ("I have a meeting at 4", "I have a meeting at 3 with Ann"),
        ("He does not work", "He works on Mondays"),
        ("The bus stops at gate 4 and 7", "The tram stops at gate 5"),
        ("My mouse broke and I replaced it with another", "The cafe takes it"),
        ("The club switched from Tuesdays to Fridays", "I had soup on Tuesdays"),
        ("I switched from Siemens to Bosch", "Jonas works for Siemens"),
        ("Pauline moved from Paris to Nice", "Pauline left Paris for Nice"),
        ("Farah likes the mobile team", "Wendel likes the mobile team"),
        ("I met Ann", "I did not meet Eva"),
        ("I was not tired", "I was tired"),
    ],
)
def test_more_than_one_thing_differs_or_both_can_be(new: str, old: str) -> None:
    assert contradicts(new, old) is None


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("runs", "running"),
        ("studies", "studying"),
        ("goes", "going"),
        ("takes", "taking"),
        ("plays", "playing"),
    ],
)
def test_two_forms_of_a_verb_are_one(one: str, other: str) -> None:
    assert lemma(one) == lemma(other)
    assert lemma(one) != lemma("swims")


@pytest.mark.parametrize(
    ("word", "name"), [("etc/app", "path"), ("redcanyon31", "code"), ("3rd", "number"), ("third", "ordinal")]
)
def test_a_path_a_code_and_an_ordinal_are_classes(word: str, name: str) -> None:
    assert class_of(word) == name
