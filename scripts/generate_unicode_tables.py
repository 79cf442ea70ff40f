"""How the Unicode tables in the package were made: run it on a directory of Unicode data files.

    python scripts/generate_unicode_tables.py DIRECTORY

The directory holds `confusables-*.txt.gz` and `DerivedCoreProperties-*.txt.gz`.
Joining types and the emoji property come from the `regex` package, a development dependency here.
"""

import gzip
import sys
import textwrap
import unicodedata
from collections.abc import Iterable, Iterator
from pathlib import Path

import regex

TARGET = Path(__file__).resolve().parent.parent / "src/muniment/domain/unicode_tables.py"
LAST_CODE_POINT = 0x10FFFF
LINE_WIDTH = 230
# A mark, a number or a letter proper. Modifier letters are left out: they are drawn like
# apostrophes and accents and are used as such.
FIRM_CATEGORIES = frozenset({"Lu", "Ll", "Lt", "Lo", "Mn", "Mc", "Me", "Nd", "Nl", "No"})


def main() -> None:
    """Write the tables for the directory named on the command line."""
    if len(sys.argv) != 2:
        raise SystemExit("usage: generate_unicode_tables.py DIRECTORY")
    directory = Path(sys.argv[1])
    confusables = adjusted(dict(confusable_pairs(directory)))
    TARGET.write_text(
        "\n".join(
            [
                HEAD.format(version=unicode_version(directory)),
                "# Default_Ignorable_Code_Point.",
                constant(
                    "INVISIBLE", ranges_text(property_members(directory, "Default_Ignorable_Code_Point"))
                ),
                "# Emoji, digits among them: what a variation selector may follow.",
                constant("EMOJI", ranges_text(matching(r"\p{Emoji}"))),
                "# Joining_Type Left or Dual, and Right or Dual (RFC 5892, appendix A.1).",
                constant("JOINS_LEFT", ranges_text(matching(r"[\p{Joining_Type=L}\p{Joining_Type=D}]"))),
                constant("JOINS_RIGHT", ranges_text(matching(r"[\p{Joining_Type=R}\p{Joining_Type=D}]"))),
                "# Entries end at ';': a prototype, '=', what is drawn like it. Spaces mean nothing.",
                constant("CONFUSABLES", confusables_text(confusables)),
                "",
            ]
        ),
        encoding="ascii",
    )


HEAD = '''"""Which characters are invisible, joined, emoji or drawn alike: generated data, not to be edited.

Made by scripts/generate_unicode_tables.py from Unicode data files, (c) Unicode, Inc., used under the
Unicode License v3; the notice is in NOTICE.unicode. A range is written `first-last` in hexadecimal.
"""
# ruff: noqa: E501  (generated: long lines keep 6,565 pairs inside the length limit of a module)

UNICODE_VERSION = "{version}"
'''


def lines_of(directory: Path, pattern: str) -> Iterator[str]:
    """Yield the lines that hold data, without their comments."""
    path = next(iter(sorted(directory.glob(pattern))))
    for line in gzip.decompress(path.read_bytes()).decode("utf-8-sig").splitlines():
        content = line.split("#", 1)[0].strip()
        if content:
            yield content


def unicode_version(directory: Path) -> str:
    """Return the version in the confusables file's name."""
    return (
        next(iter(directory.glob("confusables-*.txt.gz")))
        .name.removeprefix("confusables-")
        .removesuffix(".txt.gz")
    )


def confusable_pairs(directory: Path) -> Iterator[tuple[str, str]]:
    """Yield each character with the prototype it is drawn like."""
    for line in lines_of(directory, "confusables-*.txt.gz"):
        source, target, _ = line.split(";")
        yield spelled(source), spelled(target)


def spelled(code_points: str) -> str:
    """Return the text of hexadecimal code points."""
    return "".join(chr(int(code_point, 16)) for code_point in code_points.split())


def adjusted(pairs: dict[str, str]) -> dict[str, str]:
    """Return the pairs as the look-alike keys use them: two changes to the published table.

    The keys ignore punctuation. A letter that the table draws like punctuation (Hebrew yod like an
    apostrophe) would vanish from every word, so such letters keep to themselves: they become the
    first of their class. Punctuation that the table draws like a foreign letter or symbol (a dash
    like a Japanese long vowel, a percent sign like three characters) stays punctuation.
    """
    first: dict[str, str] = {}
    for source, target in sorted(pairs.items()):
        if is_firm(source) and not any(counts(char) for char in target):
            first.setdefault(target, source)
    result: dict[str, str] = {}
    for source, target in pairs.items():
        if unicodedata.category(source)[0] == "P" and any(
            counts(char) and not char.isascii() for char in target
        ):
            continue
        if is_firm(source) and target in first:
            result[source] = first[target]
        else:
            result[source] = target
    return {source: target for source, target in result.items() if source != target}


def is_firm(char: str) -> bool:
    """Return whether a character is a letter proper, a mark or a number."""
    return unicodedata.category(char) in FIRM_CATEGORIES


def counts(char: str) -> bool:
    """Return whether a character says something that punctuation does not."""
    category = unicodedata.category(char)
    return category[0] in "LMN" or (not char.isascii() and category in {"So", "Sm", "Sc", "Cn"})


def confusables_text(pairs: dict[str, str]) -> str:
    """Return the pairs grouped by prototype."""
    groups: dict[str, list[str]] = {}
    for source, target in pairs.items():
        groups.setdefault(target, []).append(source)
    return ";".join(
        f"{'+'.join(hexadecimal(char) for char in target)}={','.join(sorted(map(hexadecimal, sources)))}"
        for target, sources in sorted(groups.items())
    )


def hexadecimal(char: str) -> str:
    """Return the code point of one character."""
    return f"{ord(char):X}"


def property_members(directory: Path, name: str) -> Iterator[int]:
    """Yield the code points that have a derived core property."""
    for line in lines_of(directory, "DerivedCoreProperties-*.txt.gz"):
        code_points, *properties = (part.strip() for part in line.split(";"))
        if properties == [name]:
            first, _, last = code_points.partition("..")
            yield from range(int(first, 16), int(last or first, 16) + 1)


def matching(pattern: str) -> Iterator[int]:
    """Yield the code points that match a property pattern."""
    compiled = regex.compile(pattern)
    return (code_point for code_point in range(LAST_CODE_POINT + 1) if compiled.match(chr(code_point)))


def ranges_text(code_points: Iterable[int]) -> str:
    """Return code points as the shortest list of ranges."""
    ranges: list[list[int]] = []
    for code_point in sorted(set(code_points)):
        if ranges and ranges[-1][1] == code_point - 1:
            ranges[-1][1] = code_point
        else:
            ranges.append([code_point, code_point])
    return " ".join(f"{first:X}" if first == last else f"{first:X}-{last:X}" for first, last in ranges)


def constant(name: str, text: str) -> str:
    """Return an assignment of a long text, wrapped at spaces."""
    lines = textwrap.wrap(
        text.replace(",", ", ").replace(";", "; "), LINE_WIDTH, break_long_words=False, break_on_hyphens=False
    )
    if len(lines) == 1:
        return f'{name} = "{lines[0]}"'
    body = "\n".join(
        f'    "{line}{" " if number < len(lines) else ""}"' for number, line in enumerate(lines, 1)
    )
    return f"{name} = (\n{body}\n)"


if __name__ == "__main__":
    main()
