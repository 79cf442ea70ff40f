"""What does the demo show on the viewer's own material?  The same steps, with questions made from it."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from datetime import timedelta
from itertools import islice
from pathlib import Path

from muniment.adapters.readers import read_file
from muniment.domain.evidence import Arrival, Role
from muniment.domain.offer import Offer
from muniment.errors import BadInput
from muniment.recall.question import Answer
from muniment.surfaces.cli.demo import Stage
from muniment.surfaces.cli.demo_acts import (
    show_disguises,
    show_proof,
    show_question,
    show_span,
    show_tampering,
)
from muniment.surfaces.cli.moving import show_intake
from muniment.surfaces.cli.reading import show_history
from muniment.surfaces.cli.screen import shortened, tell

QUESTIONS = 5
"""How many questions are made from the material."""

UNKNOWN = "What was decided about the xylothwamp of Quemberlain?"
"""A question that no material covers."""

ITEMS_READ_MAX = 5_000
_WORD = re.compile(r"[^\W\d_][\w./-]{3,39}")
_TERMS_A_QUESTION = 3
_STATEMENT_CHARACTERS_MAX = 160


def playing(source: Path) -> Callable[[Stage], None]:
    """Return the steps on one's own material."""

    def play(stage: Stage) -> None:
        _take_in(stage, source)
        answers = _ask(stage, _questions(_texts(source)))
        statement, id = _explain(stage, answers)
        corrected = _correct(stage, id, statement)
        stage.begin("Prove it: every record, every row")
        show_proof(stage)
        stage.begin("Tamper with a copy, as someone with the file could")
        show_tampering(stage, corrected, "Nothing of the kind was ever said", question=corrected)
        _reject(stage, id, corrected)

    return play


def _take_in(stage: Stage, source: Path) -> None:
    stage.begin("Take in your material, word for word")
    report = stage.vault.take_file(source)
    again = stage.vault.take_file(source)
    show_intake(report)
    tell(f"Taken in a second time: {again.added} added, {again.skipped} skipped.")
    stage.note("taken", {"added": report.added, "again": again.added, "sessions": len(report.sessions)})
    if not (report.added or report.offers.stored):
        raise BadInput("The material holds nothing to take in.", advice="Name a file with conversations.")


def _texts(source: Path) -> Iterator[str]:
    for item in islice(read_file(source, format=""), ITEMS_READ_MAX):
        if isinstance(item, Arrival) and item.role in (Role.USER, Role.ASSISTANT, Role.NONE):
            yield item.text
        elif isinstance(item, Offer):
            yield item.claim.text


def _questions(texts: Iterator[str]) -> list[str]:
    """Return questions of terms that stand together in an item and in few others."""
    items = [list({word.lower(): word for word in _WORD.findall(text)}.values()) for text in texts]
    spread = Counter(word.lower() for words in items for word in words)
    few = max(2, len(items) // 10)
    scored = []
    for words in items:
        rare = sorted(
            (word for word in words if spread[word.lower()] <= few),
            key=lambda word: (-min(spread[word.lower()], 2), -len(word)),
        )[:_TERMS_A_QUESTION]
        if rare:
            scored.append((len(rare), sum(len(word) for word in rare), " ".join(rare)))
    best = sorted(scored, reverse=True)
    return list(dict.fromkeys(question for _, _, question in best))[:QUESTIONS]


def _ask(stage: Stage, questions: Sequence[str]) -> list[Answer]:
    stage.begin("Ask about its most specific terms, and about something it does not hold")
    answers = []
    found: dict[str, str] = {}
    for question in (*questions, UNKNOWN):
        answer = stage.vault.recall(question, k=1)
        show_question(stage.vault, question, answer)
        found[question] = answer.hits[0].text if answer.hits else answer.reason
        answers.append(answer)
    stage.note("answers", found)
    return answers


def _explain(stage: Stage, answers: Sequence[Answer]) -> tuple[str, str]:
    """Show why for a claim of the material, or for one made from the best answer."""
    stage.begin("Why do you say so?  Down to the words")
    held = stage.vault.memories(limit=1)
    if held:
        show_span(stage.vault, held[0].memory)
        return held[0].text, held[0].memory
    hits = [answer.hits[0] for answer in answers if answer.hits]
    if not hits:
        raise BadInput("The material holds no words to ask about.", advice="Name a longer conversation.")
    first = shortened(hits[0].text, characters_max=_STATEMENT_CHARACTERS_MAX)
    made = stage.vault.remember(f"It was said: {first}", evidence=[hits[0].id])
    tell("No claim was read from it by the fixed patterns; one is made from the first answer.")
    show_span(stage.vault, made.id)
    return f"It was said: {first}", made.id


def _correct(stage: Stage, id: str, statement: str) -> str:
    stage.begin("Correct it: a new version, and the old one stays on record")
    before = stage.vault.read(id)
    corrected = f"On second thoughts: {shortened(statement, characters_max=_STATEMENT_CHARACTERS_MAX)}"
    receipt = stage.vault.revise(id, corrected, reason="the demo corrects it")
    now = stage.vault.read(id)
    then = stage.vault.read(id, known_at=before.recorded + timedelta(microseconds=1))
    tell(f"verdict: {receipt.verdict}", indent="  ")
    tell(f"now:   {now.text}", indent="  ")
    tell(f"as known before the correction: {then.text}", indent="  ")
    show_history(stage.vault.history(id))
    stage.note("corrected", {"now": now.text, "then": then.text})
    return now.text


def _reject(stage: Stage, id: str, text: str) -> None:
    stage.begin("Reject it: it stays out, in any disguise")
    found = stage.vault.read(id)
    receipt = stage.vault.reject(id, reason="the demo rejects it")
    tell(f"You rejecting it: {receipt.verdict}.  Then an agent says it again:")
    stage.note("rejected", {"person": receipt.verdict})
    show_disguises(stage, text, about=found.about, attribute=found.attribute)
