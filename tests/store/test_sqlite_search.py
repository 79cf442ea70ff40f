"""Is every part of an erased text found in a file, wherever it lies and however many texts there are?"""

import random
from pathlib import Path

import pytest

from muniment.store.sqlite import search
from muniment.store.sqlite.search import RUN_BYTES, WINDOW_BYTES, blocks_of, windows_in


def windows(text: bytes) -> set[bytes]:
    return {text[at : at + WINDOW_BYTES] for at in range(len(text) - WINDOW_BYTES + 1)}


def many_texts(rng: random.Random, count: int) -> list[bytes]:
    return [rng.randbytes(40) for _ in range(count)]


@pytest.mark.parametrize("length", [8, 9, 12, 13, 20, 61])
def test_every_part_of_eight_bytes_is_found(tmp_path: Path, length: int) -> None:
    text = bytes(range(33, 33 + length))
    for window in windows(text):
        path = tmp_path / "file"
        path.write_bytes(b"\x00" * 17 + window + b"\x00" * 5)
        assert windows_in((path,), [text]) == {window}


@pytest.mark.parametrize("before", range(9))
def test_every_part_is_found_among_very_many_texts(tmp_path: Path, rng: random.Random, before: int) -> None:
    """So many that each place of a file is compared, instead of each text being looked for."""
    texts = many_texts(rng, 200)
    assert blocks_of(texts) is None
    path = tmp_path / "file"
    for text in texts[::50]:
        for window in list(windows(text))[::7]:
            path.write_bytes(b"\xff" * before + window + b"\xff" * 30)
            assert window in windows_in((path,), texts)
            path.write_bytes(b"\xff" * before + window[:7] + bytes((window[7] ^ 1,)) * 30)
            assert window not in windows_in((path,), texts)


def test_a_part_across_two_readings_of_a_file_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rng: random.Random
) -> None:
    monkeypatch.setattr(search, "_READ_BYTES", 16)
    many = [b"abcdefghij", *many_texts(rng, 200)]
    for gap in range(40):
        path = tmp_path / "file"
        path.write_bytes(b"." * gap + b"abcdefghij" + b"." * 30)
        assert windows_in((path,), [b"abcdefghij"]) == windows(b"abcdefghij")
        assert windows_in((path,), many) == windows(b"abcdefghij")


def test_shorter_texts_and_absent_files_hold_nothing(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"abcdefg")
    assert windows_in((path, tmp_path / "absent"), [b"abcdefg", b"zzzzzzzzz"]) == set()
    assert windows_in((path,), []) == set()


def test_a_text_is_found_as_it_is_and_not_in_another_case(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"-- heron-4417 --")
    assert windows_in((path,), [b"HERON-4417"]) == set()
    assert windows_in((path,), [b"HERON-4417", b"heron-4417"]) == windows(b"heron-4417")


def test_a_part_that_is_everywhere_but_never_whole_is_looked_for_whole(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"the lake, " * 500)
    assert windows_in((path,), [b"xx the lake yy"]) == {b" the lak", b"the lake"}
    path.write_bytes(b"the lake, " * 500 + b"x the lake y")
    assert windows_in((path,), [b"xx the lake yy"]) == windows(b"x the lake y")


@pytest.mark.parametrize("before", range(17))
def test_of_a_row_that_went_every_longer_run_is_noticed(tmp_path: Path, before: int) -> None:
    row = bytes(range(33, 97))
    path = tmp_path / "file"
    path.write_bytes(b"\x00" * before + row[5 : 5 + RUN_BYTES] + b"\x00" * 20)
    assert windows_in((path,), [], rows=[row])
    path.write_bytes(b"\x00" * 60)
    assert windows_in((path,), [], rows=[row]) == set()


def test_texts_that_hold_the_same_value_share_what_is_looked_for() -> None:
    value = b"QZ7-HERON-4417"
    alone = blocks_of([value])
    both = blocks_of([value, value.lower(), b"It is " + value])
    assert alone is not None and both is not None
    assert set(alone) <= set(both) and len(both) <= len(alone) + 2


def test_every_part_has_a_block_that_it_holds(rng: random.Random) -> None:
    texts = [bytes(rng.choices(b"abcAB-", k=rng.randint(8, 30))) for _ in range(6)]
    blocks = blocks_of(texts)
    assert blocks is not None
    assert set().union(*blocks.values()) == {window for text in texts for window in windows(text)}
    assert all(block in window.lower() for block, held in blocks.items() for window in held)
