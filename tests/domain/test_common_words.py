"""Which rejected texts say enough of their own to be looked for inside longer ones?"""

import pytest

from muniment.domain.common_words import COMMON, says_enough


@pytest.mark.parametrize(
    "text",
    [
        "The port is 8090",
        "The gate code is maple leaf",
        "Caroline keeps her savings in Lisbon",
        "She moved to Porto in April",
        "设备清单在机房",
        "Ключ лежит под ковриком",
        "Der Schlüssel liegt unter der Matte",
    ],
)
def test_a_text_with_words_of_its_own_says_enough(text: str) -> None:
    assert says_enough(text)


@pytest.mark.parametrize(
    "text",
    [
        "It means a lot to me",
        "Take care of yourself!",
        "I'm so happy for you",
        "What do you think of this?",
        "Can't wait to hear about it!",
        "Good to see you",
        "They'd love it, I think",
        "",
    ],
)
def test_what_everybody_says_does_not(text: str) -> None:
    assert not says_enough(text)


def test_the_words_are_lower_case_and_whole() -> None:
    assert all(word == word.casefold() and word.isalpha() for word in COMMON)
    assert len(COMMON) > 250
