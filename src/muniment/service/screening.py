"""What of a project's file may stand in a prompt?  Spans are blocked, not files, and the person is told."""

from collections.abc import Sequence

from muniment.domain.evidence import Span
from muniment.gate.characters import checked, kept
from muniment.gate.phrases import phrases_in
from muniment.gate.secrets import secrets_in
from muniment.gate.verdict import Reason
from muniment.prompt.context_files import ContextFile, Project, cut, parts_of, room, without
from muniment.prompt.parts import Part

_PASSES_MAX = 64
"""How often a text is looked through again for a phrase that goes over several lines."""


def screened(text: str) -> tuple[str, tuple[str, ...]]:
    """Return a text with what may not be in a prompt replaced, and the reasons in order.

    A line with a refused character or a known phrase goes whole, a secret alone.
    """
    reasons: list[str] = []
    lines = []
    for line in text.replace("\r\n", "\n").split("\n"):
        shown, why = _line(line)
        lines.append(shown)
        reasons += why
    found = "\n".join(lines)
    for _ in range(_PASSES_MAX):
        phrases = phrases_in(found)
        if not phrases:
            break
        # What no line says by itself begins in one line and goes on in the next ones.
        span = _line_at(found, phrases[0].offset)
        found = without(found, [(span, Reason.PHRASE.code)])
        reasons.append(Reason.PHRASE.code)
    else:
        return without(text, [(Span(0, len(text)), Reason.PHRASE.code)]), (Reason.PHRASE.code,)
    return kept(found)[0], tuple(reasons)


def _line(line: str) -> tuple[str, list[str]]:
    result = checked(line)
    whole = Span(0, len(line))
    if result.refused is not None:
        return without(line, [(whole, Reason.CHARACTERS.code)]), [Reason.CHARACTERS.code]
    if phrases_in(result.text):
        return without(line, [(whole, Reason.PHRASE.code)]), [Reason.PHRASE.code]
    secrets = [(Span(one.start, one.end), Reason.SECRET.code) for one in secrets_in(result.text)]
    return without(result.text, secrets), [reason for _, reason in secrets]


def _line_at(text: str, offset: int) -> Span:
    end = text.find("\n", offset)
    return Span(text.rfind("\n", 0, offset) + 1, len(text) if end < 0 else end)


def project_parts(project: Project, *, window: int) -> tuple[tuple[Part, ...], tuple[str, ...]]:
    """Return a project's files as parts of a prompt, and what a person is to be told of them."""
    files, notices = _screened_files(project.files)
    most = room(window)
    parts = parts_of(files, most=most)
    total = sum(len(file.text) for file in files)
    if total > most:
        notices.append(f"The project's files have {total:,} characters; {most:,} go into a prompt.")
    return parts, (*project.notices, *notices)


def hint_text(project: Project, *, most: int) -> tuple[str, tuple[str, ...]]:
    """Return what directories say of themselves, ready to stand behind a tool's result."""
    files, notices = _screened_files(project.files)
    texts = [f"# From {one.path}\n{cut(one.text.strip(), most, path=one.path)}" for one in files]
    return "\n\n".join(texts), (*project.notices, *notices)


def _screened_files(files: Sequence[ContextFile]) -> tuple[list[ContextFile], list[str]]:
    found, notices = list[ContextFile](), list[str]()
    for file in files:
        text, reasons = screened(file.text)
        found.append(ContextFile(kept(file.path)[0], text))
        notices += told(file.path, reasons)
    return found, notices


def told(source: str, reasons: Sequence[str]) -> tuple[str, ...]:
    """Return what a person is told of the places that were blocked in a text; nothing for none."""
    if not reasons:
        return ()
    places = "1 place is" if len(reasons) == 1 else f"{len(reasons)} places are"
    return (f"{source}: {places} blocked: {', '.join(dict.fromkeys(reasons))}.",)
