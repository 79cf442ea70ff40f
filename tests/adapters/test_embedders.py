"""Is a text's vector the rounded sum of its rows, quick to make, and absent where it should be?"""

from __future__ import annotations

import hashlib
import math
import subprocess
import sys
from array import array
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from muniment.adapters import embedders, wordpiece
from muniment.adapters.embedders import AbsentEmbedder, StaticEmbedder, cosine
from muniment.errors import BrokenData

DATA = Path(embedders.__file__).parent.parent / "data" / "embedder"
TABLE = (DATA / "table.i8").read_bytes()
NUMBERS = {
    piece: number
    for number, piece in enumerate((DATA / "vocabulary.txt").read_text(encoding="utf-8").split("\n")[:-1])
}
STATIC = StaticEmbedder()


def _row(piece: str) -> array[int]:
    start = NUMBERS[piece] * embedders.vector_components
    return array("b", TABLE[start : start + embedders.vector_components])


def _exact(text: str) -> list[float]:
    """The vector by the definition, in floating point, without lanes."""
    found = list(wordpiece.pieces(text[: embedders.embedded_characters_max], NUMBERS))
    rows = [_row(piece) for piece in found[: embedders.embedded_pieces_max] if piece != wordpiece.UNKNOWN]
    if not rows:
        return []
    sums = [math.fsum(column) for column in zip(*rows, strict=True)]
    length = math.hypot(*sums)
    return [127 * component / length for component in sums] if length else []


def _is_rounded(vector: bytes, exact: list[float]) -> bool:
    return len(vector) == len(exact) and all(
        abs(component - value) <= 0.5 + 1e-4
        for component, value in zip(array("b", vector), exact, strict=True)
    )


def _small_table(directory: Path, rows: dict[str, list[int]]) -> StaticEmbedder:
    """An embedder of a few pieces; a row's missing components are zero."""
    padded = [row + [0] * (embedders.vector_components - len(row)) for row in rows.values()]
    (directory / "vocabulary.txt").write_text("".join(f"{piece}\n" for piece in rows), encoding="utf-8")
    (directory / "table.i8").write_bytes(b"".join(array("b", row).tobytes() for row in padded))
    return StaticEmbedder(directory)


@settings(max_examples=150, deadline=None)
@given(st.lists(st.sampled_from(list(NUMBERS)[999:]), min_size=1, max_size=60))
@example(["the"])
@example(["zhou"] * 600)
def test_a_vector_is_the_sum_of_its_rows_brought_to_length_and_rounded(chain: list[str]) -> None:
    text = " ".join(chain)
    assert _is_rounded(STATIC.embed(text), _exact(text))


@settings(max_examples=150, deadline=None)
@given(st.text(max_size=80))
def test_any_text_has_its_vector_or_none(text: str) -> None:
    assert _is_rounded(STATIC.embed(text), _exact(text))


def test_a_vector_has_the_promised_bytes_and_length() -> None:
    vector = STATIC.embed("The deploy key rotates on Mondays.")
    assert len(vector) == STATIC.dimension == 256
    assert math.hypot(*array("b", vector)) == pytest.approx(127, abs=5)


def test_extreme_rows_do_not_spill_into_their_neighbours(tmp_path: Path) -> None:
    embedder = _small_table(tmp_path, {"low": [-128, 127] * 128, "high": [127, -128] * 128, "one": [-127]})
    for text in ("low", "high", "low " * 512, "high " * 512, "low low high", "one " * 512):
        vector = array("b", embedder.embed(text))
        assert math.hypot(*vector) == pytest.approx(127, abs=9), text
    assert list(array("b", embedder.embed("low "))[:2]) == [-8, 8]
    assert array("b", embedder.embed("one"))[0] == -127


def test_a_nearly_cancelled_sum_is_still_scaled_exactly(tmp_path: Path) -> None:
    embedder = _small_table(tmp_path, {"up": [127, 127, 1], "down": [-127, -127, 0]})
    assert list(array("b", embedder.embed("up down " * 256))[:4]) == [0, 0, 127, 0]


def test_a_cancelled_sum_has_no_vector(tmp_path: Path) -> None:
    embedder = _small_table(tmp_path, {"up": [5, -5], "down": [-5, 5]})
    assert embedder.embed("up down") == b""
    assert embedder.embed("up down up") != b""


@pytest.mark.parametrize("text", ["", "  \n", "☃☃☃", "\x00\x1f", "!?", "x" * 101])
def test_a_text_that_says_nothing_to_the_table_has_no_vector(text: str) -> None:
    assert STATIC.embed(text) == b""


@pytest.mark.parametrize("text", ["the", "☃ snow", "42", "中文", "Москва", "한국어", "x" * 100])
def test_a_text_that_says_something_to_the_table_has_one(text: str) -> None:
    assert len(STATIC.embed(text)) == 256


def test_an_unknown_word_does_not_move_the_vector_and_a_known_one_does() -> None:
    assert STATIC.embed("red ☃ apple") == STATIC.embed("red apple")
    assert STATIC.embed("red sour apple") != STATIC.embed("red apple")


def test_case_accents_and_order_do_not_move_the_vector() -> None:
    assert STATIC.embed("Crème BRÛLÉE") == STATIC.embed("brulee creme")


def test_what_lies_behind_the_last_piece_does_not_move_the_vector() -> None:
    full = "apple " * embedders.embedded_pieces_max
    assert STATIC.embed(full + "engine") == STATIC.embed(full)
    assert STATIC.embed(full[6:] + "engine") != STATIC.embed(full[6:])


def test_unknown_words_count_as_pieces_so_that_no_text_is_read_without_end() -> None:
    unknown = "☃ " * (embedders.embedded_pieces_max - 1)
    assert STATIC.embed(unknown + "apple engine") == STATIC.embed("apple")
    assert STATIC.embed(unknown + "☃ engine") == b""


def test_what_lies_behind_the_last_character_does_not_move_the_vector() -> None:
    gap = " " * (embedders.embedded_characters_max - 5)
    assert STATIC.embed("apple" + gap + "engine") == STATIC.embed("apple")
    assert STATIC.embed("apple" + gap[6:] + "engine") == STATIC.embed("apple engine")


def test_more_words_than_the_cache_holds_change_no_vector() -> None:
    embedder = StaticEmbedder()
    before = embedder.embed("red apple")
    whole = [piece for piece in list(NUMBERS)[2000:] if piece.isalpha() and piece.isascii()]
    seen = whole[: embedders.cached_rows_max + 500]
    embedder.embed_many([" ".join(seen[at : at + 100]) for at in range(0, len(seen), 100)])
    assert embedder._rows is not None
    assert len(embedder._rows) <= embedders.cached_rows_max
    assert embedder.embed("red apple") == before


def test_a_word_of_several_pieces_is_kept_and_somebodys_number_is_not() -> None:
    embedder = StaticEmbedder()
    first = embedder.embed("zyxwobble 84731x9")
    assert "zyxwobble" not in NUMBERS
    assert embedder._rows is not None
    assert "zyxwobble" in embedder._rows
    assert not any(word.startswith("84731") for word in embedder._rows if word not in NUMBERS)
    assert embedder.embed("zyxwobble 84731x9") == first
    assert _is_rounded(first, _exact("zyxwobble 84731x9"))


def test_a_text_is_cut_within_a_word_when_its_pieces_end_there() -> None:
    cut = len(wordpiece.word_pieces("zyxwobble", NUMBERS)) - 1
    assert cut >= 2
    full = "apple " * (embedders.embedded_pieces_max - cut)
    assert _is_rounded(STATIC.embed(full + "zyxwobble"), _exact(full + "zyxwobble"))
    assert STATIC.embed(full + "zyxwobble") != STATIC.embed(full)


def test_many_texts_have_the_vectors_they_have_alone() -> None:
    texts = ["red apple", "", "steam engine"]
    assert STATIC.embed_many(texts) == [STATIC.embed(text) for text in texts]
    assert STATIC.embed_many([]) == []


def test_threads_that_share_a_new_embedder_agree() -> None:
    texts = [f"{word} engine number {n}" for n in range(200) for word in ("red", "steam")]
    embedder = StaticEmbedder()
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(embedder.embed, texts)) == STATIC.embed_many(texts)


def test_near_texts_are_nearer_than_far_ones() -> None:
    question, near, far = STATIC.embed_many(
        ["Which puppy did she adopt?", "She took a dog from the shelter.", "The server runs on port 8080."]
    )
    assert cosine(question, near) > cosine(question, far) + 0.1


def test_the_model_names_the_very_table_that_is_shipped() -> None:
    digest = hashlib.sha256((DATA / "vocabulary.txt").read_bytes() + TABLE).hexdigest()
    assert digest == embedders.table_digest
    assert StaticEmbedder.model == f"minilm-static-256/1-{digest[:8]}"


def test_the_table_is_small_and_carries_its_licence() -> None:
    assert len(TABLE) == len(NUMBERS) * StaticEmbedder.dimension <= 8_000_000
    assert "Apache License, Version 2.0" in (DATA / "NOTICE").read_text(encoding="utf-8")


def test_a_missing_table_is_named_at_the_first_text_and_not_before(tmp_path: Path) -> None:
    embedder = StaticEmbedder(tmp_path / "nowhere")
    with pytest.raises(BrokenData, match="cannot be read"):
        embedder.embed("apple")


def test_an_empty_table_is_named(tmp_path: Path) -> None:
    embedder = _small_table(tmp_path, {})
    with pytest.raises(BrokenData, match="cannot be read"):
        embedder.embed("apple")


def test_a_cut_table_is_refused(tmp_path: Path) -> None:
    embedder = _small_table(tmp_path, {"apple": [1], "engine": [2]})
    (tmp_path / "table.i8").write_bytes((tmp_path / "table.i8").read_bytes()[:-1])
    with pytest.raises(BrokenData, match="does not fit"):
        embedder.embed("apple")


def test_embedding_needs_the_standard_library_alone() -> None:
    program = (
        "import sys; from muniment.adapters.embedders import StaticEmbedder; StaticEmbedder().embed('apple');"
        "print(*sorted({name.partition('.')[0] for name in sys.modules} - set(sys.stdlib_module_names)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONPATH": str(DATA.parent.parent.parent)},
    )
    loaded = done.stdout.split()
    assert "muniment" in loaded
    assert not {"numpy", "tokenizers", "onnxruntime", "torch"} & set(loaded)


def test_an_absent_embedder_gives_no_text_a_vector_and_fails_nothing() -> None:
    absent = AbsentEmbedder()
    assert (absent.model, absent.dimension) == ("", 0)
    assert absent.embed("apple") == b""
    assert absent.embed_many(["apple", "engine"]) == [b"", b""]
    assert STATIC.embed("apple") != b""


def _signed(*components: int) -> bytes:
    return array("b", components).tobytes()


def test_a_cosine_comes_from_the_stored_components() -> None:
    assert cosine(_signed(3, 4), _signed(3, 4)) == 1.0
    assert cosine(_signed(3, 4), _signed(-3, -4)) == -1.0
    assert cosine(_signed(1, 0), _signed(0, 1)) == 0.0
    assert cosine(_signed(-128, 127), _signed(-128, 0)) == 128 * 128 / math.sqrt((128**2 + 127**2) * 128**2)


def test_an_absent_vector_is_near_to_nothing() -> None:
    assert cosine(b"", _signed(1, 2)) == cosine(_signed(1, 2), b"") == cosine(b"", b"") == 0.0
    assert cosine(_signed(0, 0), _signed(1, 2)) == 0.0


def test_vectors_of_two_dimensions_are_not_compared() -> None:
    with pytest.raises(ValueError, match="1 and 2 components"):
        cosine(_signed(1), _signed(1, 2))
