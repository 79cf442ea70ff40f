"""Do chunks tile their text and cut where a reader would, and is front matter read whole or not at all?"""

import random
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.adapters.chunks import (
    FRONT_MATTER_CHARACTERS_MAX,
    FRONT_MATTER_FIELDS_MAX,
    chunked,
    front_matter,
)
from muniment.errors import BadInput


def cut(text: str, target: int, overlap: int = 0) -> list[str]:
    return [text[chunk.start : chunk.end] for chunk in chunked(text, target=target, overlap=overlap)]


@given(
    st.text(alphabet=st.sampled_from("ab .!?\n\r#`~。！「」é\u0301\u200d👩🏽 \ud800"), max_size=300),
    st.integers(1, 40),
)
def test_chunks_are_the_text_again_and_none_is_over_the_target(text: str, target: int) -> None:
    parts = cut(text, target)
    assert "".join(parts) == text
    assert all(0 < len(part) <= target for part in parts)


@given(st.text(max_size=200), st.integers(2, 40), st.data())
def test_an_overlap_repeats_the_end_of_the_chunk_before(text: str, target: int, data: st.DataObject) -> None:
    overlap = data.draw(st.integers(0, target - 1))
    plain, wide = chunked(text, target=target), chunked(text, target=target, overlap=overlap)
    assert [chunk.end for chunk in plain] == [chunk.end for chunk in wide]
    assert [max(0, chunk.start - overlap) for chunk in plain] == [chunk.start for chunk in wide]


def test_no_text_has_no_chunks_and_a_short_one_has_one() -> None:
    assert cut("", 10) == []
    assert cut("short", 10) == ["short"]


def test_paragraphs_stay_whole_and_fill_a_chunk() -> None:
    assert cut("aaa aaa\n\nbbb\n\nccc ccc ccc\n", 16) == ["aaa aaa\n\nbbb\n\n", "ccc ccc ccc\n"]


def test_a_long_paragraph_is_cut_between_sentences() -> None:
    assert cut("One two three. Four five! Six seven?", 18) == ["One two three. ", "Four five! ", "Six seven?"]


def test_sentences_end_without_spaces_in_chinese_and_japanese() -> None:
    assert cut("今日は雨です。「傘を忘れた！」と言った。", 16) == [
        "今日は雨です。「傘を忘れた！」",
        "と言った。",
    ]


def test_a_point_inside_a_word_ends_no_sentence() -> None:
    assert cut("Use v3.12.1 of x.py now. Then go.", 26) == ["Use v3.12.1 of x.py now. ", "Then go."]


def test_a_long_sentence_is_cut_between_words_and_a_long_word_anywhere() -> None:
    assert cut("alpha beta gamma delta", 12) == ["alpha beta ", "gamma delta"]
    assert cut("x" * 25, 10) == ["x" * 10, "x" * 10, "x" * 5]


def test_a_hard_cut_falls_beside_a_character_not_inside() -> None:
    assert cut("abcde\u0301fgh", 5) == ["abcd", "e\u0301fgh"]
    assert cut("abc👩🏽d", 4) == ["abc", "👩🏽d"]
    assert cut("abc👩\u200d👧d", 5) == ["abc", "👩\u200d👧d"]
    assert cut("\u0301" * 100, 40)[0] == "\u0301" * 40


def test_a_fenced_block_is_whole_when_it_fits_and_cut_when_it_cannot() -> None:
    fence = "```python\nx = 1\n\ny = 2\n```\n"
    assert fence in cut("Some words before it.\n\n" + fence + "\nAnd after.\n", len(fence) + 2)[1]
    assert all(len(part) <= 12 for part in cut(fence, 12))


def test_a_fence_is_closed_by_its_own_kind_only() -> None:
    fence = "~~~~\n```\n\nnot the end\n~~~\n\nstill in\n~~~~\n"
    assert cut("before\n\n" + fence + "after\n", len(fence))[1] == fence


def test_a_heading_goes_with_what_it_heads() -> None:
    """The heading alone would fit into the first chunk."""
    text = "first words here\n# Head\n\nbody of it\n"
    assert cut(text, 26) == ["first words here\n", "# Head\n\nbody of it\n"]
    assert cut(text.replace("# Head", "Header"), 26) == ["first words here\nHeader\n\n", "body of it\n"]


@pytest.mark.parametrize(("target", "overlap"), [(0, 0), (-1, 0), (10, 10), (10, -1)])
def test_impossible_sizes_are_the_callers_mistake(target: int, overlap: int) -> None:
    with pytest.raises(BadInput):
        chunked("text", target=target, overlap=overlap)


@pytest.mark.parametrize(
    "unit", ["word and word. ", ".", ".'\"", "\u0301", " ", "```\n", "。", "# \n", "a\n\n"]
)
def test_twice_the_text_takes_about_twice_the_time(unit: str) -> None:
    """A quadratic scan of this much text would take minutes."""
    text = unit * (2_000_000 // len(unit))
    began = time.monotonic()
    assert chunked(text)[-1].end == len(text)
    assert time.monotonic() - began < 20


def test_front_matter_is_read_with_its_end() -> None:
    text = "---\ntitle: The tide: a table # draft\nyear: 2026\n---\nBody\n"
    found = front_matter(text)
    assert found is not None
    assert found.fields == (("title", "The tide: a table # draft"), ("year", "2026"))
    assert text[found.end :] == "Body\n"


def test_lists_give_a_field_an_item() -> None:
    found = front_matter(
        '---\ntags:\n- a\n  - "b: c"\nin line: [x, "y, z", [[Note]]]\nempty:\nnone: []\n---\n'
    )
    assert found is not None
    assert found.fields == (
        *(("tags", "a"), ("tags", "b: c")),
        *(("in line", "x"), ("in line", "y, z"), ("in line", "[[Note]]")),
    )


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ('"a \\" b"', 'a " b'),
        ("'it''s'", "it's"),
        ('say "hi"', 'say "hi"'),
        ("[[Link]]", "[[Link]]"),
        ("{{date}}", "{{date}}"),
        ("https://example.org/a#b", "https://example.org/a#b"),
        ("09:30", "09:30"),
    ],
)
def test_quotes_and_signs_are_kept_sensibly(written: str, read: str) -> None:
    found = front_matter(f"---\nkey: {written}\n---\n")
    assert found is not None and found.fields == (("key", read),)


def test_a_mark_at_the_start_carriage_returns_and_comments_do_no_harm() -> None:
    found = front_matter("\ufeff---\r\n# note\r\n\r\nkey: value\r\n...\r\nbody")
    assert found is not None and found.fields == (("key", "value"),)
    assert "\ufeff---\r\n# note\r\n\r\nkey: value\r\n...\r\nbody"[found.end :] == "body"


@pytest.mark.parametrize(
    "head",
    [
        "a: 1\na: 2",
        "- item without a key",
        "a: 1\n- item of a scalar",
        "just words",
        "a:\n  b: nested",
        "a: |\n  block",
        "a: {b: c}",
        "a: &anchor x",
        'a: "open',
        'a: "x" y',
        "a: [x, [y]]",
        'a: [x, "y]',
        "[a]: b",
    ],
)
def test_what_is_not_understood_whole_is_not_read_in_part(head: str) -> None:
    assert front_matter(f"---\n{head}\n---\nbody") is None
    assert front_matter("---\na: 1\n---\nbody") is not None


@pytest.mark.parametrize(
    "text", ["", "---", "---\na: 1\n", " ---\na: 1\n---\n", "a\n---\nb: 1\n---\n", "---\na: 1\n---x\n"]
)
def test_lines_elsewhere_are_no_front_matter(text: str) -> None:
    assert front_matter(text) is None


def test_front_matter_over_a_bound_is_none() -> None:
    most = "\n".join(f"k{n}: v" for n in range(FRONT_MATTER_FIELDS_MAX))
    assert front_matter(f"---\n{most}\n---\n") is not None
    assert front_matter(f"---\n{most}\nmore: v\n---\n") is None
    assert front_matter(f"---\na: {'x' * FRONT_MATTER_CHARACTERS_MAX}\n---\n") is None


@pytest.mark.parametrize(
    "value", ['["\\' + '\\"' * 9000, "[" + ',"' * 9000 + "]", "'" + "''" * 9000, "k" * 30_000]
)
def test_hostile_front_matter_is_answered_at_once(value: str) -> None:
    began = time.monotonic()
    front_matter(f"---\na: {value}\n---\n")
    assert time.monotonic() - began < 2


def test_random_front_matter_is_read_within_the_text_or_not_at_all(rng: random.Random) -> None:
    read = 0
    for _ in range(2000):
        text = "---\na: " + "".join(rng.choices("ab:-[]'\"{}|,# \n\\", k=40)) + "\n---\n"
        head = front_matter(text)
        if head is not None:
            assert len(head.fields) == len(head.spans)
            assert all(0 <= span.start <= span.end <= head.end <= len(text) for span in head.spans)
            assert all(key and key in text for key, _ in head.fields)
            read += bool(head.fields)
    assert read > 10, "some of it declares something"


def test_a_real_vault_is_understood_whole(shared_data: Callable[[str], Path]) -> None:
    texts = [path.read_text() for path in shared_data("vault").rglob("*.md")]
    declared = [text for text in texts if text.startswith("---")]
    assert len(declared) > 90
    assert all(front_matter(text) is not None for text in declared)
