"""Does the repository hold only what belongs in it?  No machine's paths, no registry, nothing half done.

The patterns are put together from pieces, so that this file does not match itself.
"""

import re
from collections.abc import Iterator

import pytest

from tests.house import source

_BEFORE = r"(?<![\w.~/:-])"

PATTERNS = {
    "a path of one machine": _BEFORE + r"/(?:wo" + "rk|t" + "mp|ro" + r"ot|o" + r"pt)(?:/|\b)",
    "a person's directory": _BEFORE + r"/(?:ho" + r"me|Us" + r"ers)/\w",
    "a registry's address": r"(?:py"
    + r"pi\.org|pythonho"
    + r"sted|npm"
    + r"js\.(?:com|org)|huggingf"
    + r"ace\.co)",
    "a download option": r"--(?:extra-)?ind"
    + r"ex-url[ =]\S|--find-li"
    + r"nks[ =]\S|--trusted-ho"
    + r"st[ =]\S",
    "something left for later": r"\b(?:TO" + r"DO|FIX" + r"ME|XX" + r"X|HA" + r"CK)\b",
    "a page that is not here": (
        r"\b(?:ARCHITE"
        + r"CTURE|CURA"
        + r"TED|GRA"
        + r"PH|TO"
        + r"OLS|FEATU"
        + r"RES|CONVEN"
        + r"TIONS)(?:\.md)? ?§"
    ),
    "a conflict marker": r"^(?:<{7}|>{7}) ",
}
# A pin's hash is not prose, and the licence is quoted as it is.
_NOT_READ = re.compile(r"^(LICENSE|NOTICE.*|src/muniment/data/.*)$")


def found_in(text: str) -> Iterator[tuple[int, str, str]]:
    """Yield line number, what is wrong and the line for every forbidden word."""
    for number, line in enumerate(text.splitlines(), start=1):
        for what, pattern in PATTERNS.items():
            if re.search(pattern, line):
                yield number, what, line.strip()[:120]


@pytest.mark.parametrize(
    "line",
    [
        "see /wo" + "rk/main",
        'open("/t' + 'mp/x")',
        "in /ho" + "me/someone",
        "from https://py" + "pi.org/simple",
        "--ind" + "ex-url https://example.org",
        "# TO" + "DO: later",
        "as CURA" + "TED §4 says",
        "<" * 7 + " ours",
    ],
)
def test_a_forbidden_word_is_found(line: str) -> None:
    assert list(found_in(line))


@pytest.mark.parametrize(
    "line",
    [
        "GET /v1/work/items",
        "a framework/work split",
        "tmp_path / 'x'",
        "https://example.org/home/page",
        "~/.local/share/muniment",
        "a todo list is a board of tasks",
    ],
)
def test_an_ordinary_line_passes(line: str) -> None:
    assert not list(found_in(line))


def test_the_repository_holds_no_forbidden_word() -> None:
    faults = []
    read = 0
    for path in source.files():
        if _NOT_READ.match(path):
            continue
        try:
            text = (source.ROOT / path).read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
        read += 1
        faults += [f"{path}:{number}: {what}: {line}" for number, what, line in found_in(text)]
    assert read > 50
    assert not faults, "\n".join(faults)


def test_the_lock_files_carry_hashes_and_no_address() -> None:
    locks = [path for path in source.files() if re.fullmatch(r"requirements/\w+\.txt", path)]
    assert set(locks) >= {"requirements/runtime.txt", "requirements/test.txt", "requirements/build.txt"}
    for path in locks:
        text = (source.ROOT / path).read_text(encoding="utf-8")
        assert "://" not in text, path
        for pin in re.split(r"\n(?=\S)", text.strip()):
            assert re.match(r"[\w.\[\]-]+==[\w.+!]+", pin), f"{path}: not a pin: {pin[:60]}"
            assert "--hash=sha256:" in pin, f"{path}: no hash: {pin[:60]}"


def test_the_licence_is_whole() -> None:
    text = (source.ROOT / "LICENSE").read_text(encoding="utf-8")
    assert "Apache License" in text
    assert "Version 2.0, January 2004" in text
    assert "END OF TERMS AND CONDITIONS" in text
