"""Does our WordPiece cut every text as the `tokenizers` package does?"""

from __future__ import annotations

import unicodedata
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tokenizers import Tokenizer, normalizers, pre_tokenizers
from tokenizers.models import WordPiece

from muniment.adapters import wordpiece

VOCABULARY = {
    piece: number
    for number, piece in enumerate(
        (Path(wordpiece.__file__).parent.parent / "data" / "embedder" / "vocabulary.txt")
        .read_text(encoding="utf-8")
        .split("\n")[:-1]
    )
}
LONGEST = max(map(len, VOCABULARY))

TEXTS = [
    "",
    " \t\r\n ",
    "The deploy key rotates on Mondays.",
    "don't can't o'clock mother-in-law e.g. 3.14 1,000,000 50%",
    "tokenization unbelievably electroencephalographically antidisestablishmentarianism",
    "def embed(self, text: str) -> bytes:\n\treturn b'' if not text else {'a': [1, 2]}",
    "snake_case camelCase SCREAMING_CASE kebab-case path/to/file.py C:\\dir https://example.org/?q=1&r=2#x",
    "$ + < = > ^ ` | ~ @ # % & * ( ) _ - { } [ ] : ; \" ' , . ? / \\ !",
    "[CLS] [SEP] [MASK] [UNK] [PAD] [unused1] are only words here, ##ing too",
    "Crème brûlée naïve façade Ångström İstanbul ıssız Straße ŁÓDŹ Ñandú",
    "ΟΔΥΣΣΕΥΣ Σίσυφος άλλος ͅ",
    "Москва и Ёлка, її",
    "中文和日本語の文章、カタカナ、ひらがな。豈更車",
    "한국어 문장입니다",
    "हिन्दी में वाक्य காலை ไทย שלום עולם مرحبا بالعالم",
    "𠀀𪜀𫝀𫠠𫤠𬺰 丽",
    "a\U0002b820b a\U0002b91fb a\U0002b920b a\U0002ceafb a\U0002ceb0b a\u4e00b a\ua000b a\u33ffb a\u3400b",
    "I ❤️ 🎉 👨‍👩‍👧 🇩🇪 👍🏽 tests",
    "a\x00b c\ufffdd e\u200df g\u200bh i\u00adj k\ufeffl",
    "\x1c\x1d\x1e\x1f\x7f\x0b\x0c\x85 \u2028 \u2029 \u00a0 \u3000",
    "“quoted” ‘single’ — dash – en … ellipsis «guillemets» ¿qué? ¡sí! § ¶ · • № ™ © € £ ¥ ½ ²",
    "Ⓐ ⅷ Ⅷ K Ω ﬁ ﬂ ǆ ; `",
    "e\u0301 o\u0308\u0304 q\u0307\u0323",
    "x" * 100,
    "x" * 101,
    "é" * 100 + " " + "é" * 101,
    "a" * 99 + "☃",
]


def _built_oracle() -> Tokenizer:
    tokenizer = Tokenizer(WordPiece(VOCABULARY, unk_token="[UNK]", max_input_chars_per_word=100))
    tokenizer.normalizer = normalizers.BertNormalizer()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    return tokenizer


ORACLE = _built_oracle()


def _ours(text: str) -> list[str]:
    return list(wordpiece.pieces(text, VOCABULARY, longest=LONGEST))


def _theirs(text: str) -> list[str]:
    return ORACLE.encode(text, add_special_tokens=False).tokens


def _is_old(character: str) -> bool:
    """The oracle's Unicode tables are years older than the interpreter's: ask only what both know."""
    return unicodedata.ucd_3_2_0.category(character) not in ("Cn", "Cs") and unicodedata.ucd_3_2_0.category(
        character
    ) == unicodedata.category(character)


OLD_CHARACTERS = st.characters(exclude_categories=("Cs", "Cn")).filter(_is_old)


@pytest.mark.parametrize("text", TEXTS)
def test_a_text_falls_into_the_pieces_of_the_source_model(text: str) -> None:
    assert _ours(text) == _theirs(text)


@settings(max_examples=400, deadline=None)
@given(st.text(OLD_CHARACTERS, max_size=60))
@example("A\u0345Σ")
def test_any_text_falls_into_the_pieces_of_the_source_model(text: str) -> None:
    assert _ours(text) == _theirs(text)


@settings(max_examples=300, deadline=None)
@given(st.text(st.characters(max_codepoint=0x7F), max_size=200))
def test_any_ascii_text_falls_into_the_pieces_of_the_source_model(text: str) -> None:
    assert _ours(text) == _theirs(text)


@settings(max_examples=300, deadline=None)
@given(st.lists(st.sampled_from([p.removeprefix("##") for p in VOCABULARY][2000:]), max_size=6))
def test_any_chain_of_pieces_is_cut_as_the_source_model_cuts_it(chain: list[str]) -> None:
    word = "".join(chain)
    assert _ours(word) == _theirs(word)


def test_every_character_that_both_know_is_cut_alike() -> None:
    for plane in range(0, 0x30000, 0x100):
        known = [chr(code) for code in range(plane, plane + 0x100) if _is_old(chr(code))]
        text = "x".join(known)
        assert _ours(text) == _theirs(text), f"block {plane:#x}"


def test_the_plain_path_and_the_general_path_agree_on_ascii() -> None:
    text = "".join(map(chr, range(128))) + " It's A-OK_(x)\t\n"
    assert wordpiece.words(text) == wordpiece.words(text + " é")[:-1]


def test_a_word_without_pieces_is_unknown_once_and_its_neighbours_are_not() -> None:
    assert _ours("before ☃☃ after") == ["before", "[UNK]", "after"]


def test_a_word_that_fails_in_the_middle_gives_no_half_of_itself() -> None:
    assert wordpiece.word_pieces("ab", {"a"}) == ["[UNK]"]
    assert wordpiece.word_pieces("ab", {"a", "##b"}) == ["a", "##b"]


def test_the_longest_piece_wins() -> None:
    assert wordpiece.word_pieces("abc", {"a", "ab", "##bc", "##c"}) == ["ab", "##c"]


def test_a_name_of_a_special_piece_is_ordinary_text() -> None:
    assert _ours("[CLS]") == ["[", "cl", "##s", "]"]


def test_a_known_longest_piece_changes_nothing() -> None:
    for text in TEXTS:
        assert _ours(text) == list(wordpiece.pieces(text, VOCABULARY))


def test_a_lone_surrogate_is_an_unknown_word_and_not_a_failure() -> None:
    assert _ours("a \ud800 b") == ["a", "[UNK]", "b"]
