"""Does a text of any kind go through a file and through a call alike, byte for byte?"""

import random
import unicodedata
from collections.abc import Iterator
from pathlib import Path

import pytest

import muniment
from muniment import limits
from muniment.domain.block import splits
from muniment.gate.characters import checked
from tests.builders import CountingIds, FakeClock, World
from tests.filed import Filed, filed

BLOCK_STARTS = (0x20, 0xA0, 0x300, 0x370, 0x590, 0x600, 0x900, 0xE00, 0x1100, 0x2000, 0x3040, 0x4E00, 0xAC00,
                0xE000, 0xFB50, 0xFFF0, 0x10300, 0x1D400, 0x1F300, 0x1F9A0, 0x20000, 0xE0100)  # fmt: skip


@pytest.fixture
def held(tmp_path: Path) -> Iterator[Filed]:
    with muniment.open(tmp_path / "vault.db") as vault:
        yield filed(World(vault, FakeClock(), CountingIds(), tmp_path, "sqlite"))


def some(rng: random.Random) -> str:
    """Return a text of a few scripts, with line breaks, blanks and signs between."""
    words = []
    for _ in range(rng.randrange(1, 6)):
        start = rng.choice(BLOCK_STARTS)
        words.append("".join(chr(start + rng.randrange(96)) for _ in range(rng.randrange(1, 9))))
    return rng.choice([" ", "\n", "\n\n", "\u00a7", " \u00a7\n"]).join(words).strip()


def test_texts_of_any_script_are_the_same_by_a_file_and_by_a_call(held: Filed, rng: random.Random) -> None:
    kinds: set[str] = set()
    came = left = 0
    for _ in range(120):
        text = some(rng)
        if not text or splits(text) or "\r" in text:
            continue
        held.path("memory").write_text(text, "utf-8", newline="")
        held.path("user").unlink(missing_ok=True)
        by_file = held.states()["memory"]
        called = held.vault.memory(action="add", block="user", text=text)
        entries = held.vault.block("user").entries
        assert (by_file == "refused") is called.refused, ascii(text)
        if called.refused:
            left += 1
            assert held.path("memory").read_text("utf-8") == text
            held.vault.repair_block("memory")
            for copy in held.place.glob("*.bak.*"):
                copy.unlink()
            continue
        came += 1
        assert held.vault.block("memory").entries == entries == (checked(text).text.strip(),), ascii(text)
        assert held.text("user") == entries[0], ascii(text)
        kinds |= {unicodedata.category(one) for one in entries[0]}
        for block in ("memory", "user"):
            held.vault.memory(action="remove", block=block, old=entries[0])
    assert came > 40 and left > 0, (came, left)
    assert len(kinds) > 10, sorted(kinds)
    assert held.vault.verify().ok


def test_a_block_that_is_full_to_its_last_character_goes_through_a_file(held: Filed) -> None:
    for block, bound in (
        ("memory", limits.memory_block_characters_max),
        ("user", limits.user_block_characters_max),
        ("soul", limits.soul_block_characters_max),
    ):
        text = "\U0001f9a6" * bound
        held.path(block).write_text(text, "utf-8")
        assert held.vault.block(block).text == text
        held.path(block).write_text(text + "x", "utf-8")
        assert held.states()[block] == "refused"
