"""Does an erasure by a text reach it in the spelling of its script, and spare what only resembles it?"""

import unicodedata

import pytest

from muniment.domain.evidence import MARK
from muniment.domain.mention import Search, wanted, words_of
from tests.builders import World


def left_of(world: World, said: str, *, text: str) -> str:
    """Return what an item says once a text was erased; as it was where nothing of it is reached."""
    vault = world.vault
    turn = vault.session("talk", agent="coder").append("user", said).evidence[0]
    plan = vault.plan_erasure(text=text)
    if not plan.empty:
        vault.erase(plan)
    return vault.read(turn).text


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("कोड बगुला है", "कोड बगुला है"),
        ("রঙটি নীল ছিল", "রঙটি নীল ছিল"),
        ("குறியீடு நாரை", "குறியீடு நாரை"),
        ("Işıl'ın kapısı ILGIN", "IŞIL'IN KAPISI ılgın"),
        ("ısı kırk derece", "ISI KIRK DERECE"),
        ("İzmir'deki dolap", "izmir'deki DOLAP"),
        ("İzmir'deki dolap", "i\u0307zmir'deki dolap"),
        ("パスワードはカワセミガ", "パスワードはｶﾜｾﾐｶﾞ"),
        ("鍵はガレージ", unicodedata.normalize("NFD", "鍵はガレージ")),
        ("암호는 왜가리", unicodedata.normalize("NFD", "암호는 왜가리")),
        ("contraseña de José", unicodedata.normalize("NFD", "CONTRASEÑA DE JOSÉ")),
    ],
)
def test_fault_an_erased_text_stays_in_the_spelling_of_its_script(world: World, text: str, said: str) -> None:
    """Vowel signs stayed behind, and other cases, widths and compositions were not found at all."""
    assert left_of(world, f"So: {said}. Tea at four.", text=text) == f"So: {MARK}. Tea at four."
    assert world.vault.remember(text).reason == "rejected-value"


@pytest.mark.parametrize(
    ("text", "neighbour"),
    [
        ("काला कुत्ता बोला", "कीला कत्ती बेली"),
        ("নীল", "নল"),
        ("sınır", "sinir"),
        ("ガレージ", "カレーシ"),
        ("ｶﾞ", "ｶ"),
    ],
)
def test_fault_a_word_with_other_vowels_goes_with_an_erased_one(
    world: World, text: str, neighbour: str
) -> None:
    """The signs of vowels stood between words, so that words were told apart by consonants alone."""
    said = f"So: {neighbour}. Tea at four."
    assert left_of(world, said, text=text) == said


@pytest.mark.parametrize("text", ["कोड बगुला", "ｶﾞｷﾞ x", "각 b", "İzmir", "a\u0301b c1", "x_y-z", "", "🅰 b"])
def test_words_stand_in_order_and_apart_whatever_the_script(text: str) -> None:
    words = words_of(text)
    assert all(word.form and word.start < word.end <= len(text) for word in words)
    assert all(one.end <= other.start for one, other in zip(words, words[1:], strict=False))


def test_english_is_folded_as_english_and_turkish_as_either() -> None:
    assert Search([wanted("I live in Izmir")]).places("i LIVE in izmir")
    assert not Search([wanted("sınır")]).places("sinir")
    for one, other in (("sınır", "SINIR"), ("SINIR", "sınır"), ("sinir", "SİNİR"), ("SİNİR", "sinir")):
        (spans,) = Search([wanted(one)]).places(f"a {other} b").values()
        assert [(span.start, span.end) for span in spans] == [(2, 2 + len(other))]
