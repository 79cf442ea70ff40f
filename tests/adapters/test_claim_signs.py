"""Is no text passed over that holds a claim, and most of those that hold none?"""

import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from muniment.adapters import extractor
from muniment.adapters.claim_patterns import PATTERNS
from muniment.adapters.claim_signs import may_claim

_PIECES = (
    "I I'm my we've the our name is Ada live in Lisbon moved to work at Acme port 80 on call me now "
    "and , . allergic nuts prefer tea over coffee decided that deadline Friday of for it’s à"
)
_ASCII = st.characters(min_codepoint=32, max_codepoint=126)


def _has_ascii_form(number: int) -> bool:
    return not re.match(r"\(\?:私|soy alé", PATTERNS[number].form.pattern)


@pytest.mark.parametrize("number", [at for at in range(len(PATTERNS)) if _has_ascii_form(at)])
@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_whatever_a_form_fits_has_a_sign(number: int, data: st.DataObject) -> None:
    anchored = re.compile(rf"\A(?:{PATTERNS[number].form.pattern})", re.IGNORECASE)
    text = data.draw(st.from_regex(anchored, alphabet=_ASCII))
    assert may_claim(text)


@settings(max_examples=300, deadline=None)
@given(
    st.lists(
        st.sampled_from(_PIECES.split()),
        max_size=14,
    ),
    st.sampled_from(["user", "document"]),
)
def test_claims_are_found_as_without_the_look_ahead(words: list[str], role: str) -> None:
    text = " ".join(words)
    found = extractor.candidates(text, speaker="Ada", role=role, occurred_at=None)
    # A letter beyond ASCII, in a sentence of its own, has every text read.
    beyond = extractor.candidates(f"{text}\n\né", speaker="Ada", role=role, occurred_at=None)
    assert found == beyond


@pytest.mark.parametrize(
    "text",
    [
        "",
        "What a day we had, thanks for asking!",
        "Could you look at the second paragraph again and tell me what you think of it?",
        "The committee will publish its report when the work has been done.",
        "def f(x):\n    return x + 1\n",
    ],
)
def test_everyday_text_without_a_claim_is_passed_over(text: str) -> None:
    assert not may_claim(text)


@pytest.mark.parametrize(
    "text",
    [
        "I live in Lisbon.",
        "noise, noise: i'm\nallergic to nuts",
        "THE PORT OF THE PROXY IS 80",
        "Habité à Lyon",
    ],
)
def test_a_text_that_may_hold_a_claim_is_read(text: str) -> None:
    assert may_claim(text)
