"""What may be served that could not be put on record?  Nothing that the session's label would not know of.

A session outlives the daemon, and what it has read binds what it writes (I10).  So where the
vault cannot write just now, what is stricter than the session is left out of the answer: a
degraded mode is said, and is never a permit (I14).
"""

import secrets
from dataclasses import replace
from functools import cache, partial

from muniment.domain.label import PRIVATE, Label, strictest
from muniment.errors import Busy
from muniment.recall.envelope import rendered
from muniment.recall.question import Answer

LEFT_OUT = "left out: {} hits are stricter than this session and cannot be put on record now"
"""The note that says so."""


def within(answer: Answer, read: Label) -> Answer:
    """Return an answer with what a session of label `read` may be served; one on record is whole."""
    if answer.logged:
        return answer
    least = read.joined(PRIVATE)
    kept = tuple(hit for hit in answer.hits if least.joined(hit.label) == least)
    if len(kept) == len(answer.hits):
        return answer
    note = LEFT_OUT.format(len(answer.hits) - len(kept))
    label = strictest((hit.label for hit in kept), least=PRIVATE)
    # Without its own, the answer would render the envelope of all that was found.
    envelope = cache(partial(rendered, kept, partial(secrets.token_hex, 16), empty=answer.reason))
    return replace(answer, hits=kept, label=label, notes=(*answer.notes, note), envelope=envelope)


def refuse_stricter(answer: Answer, read: Label) -> None:
    """Raise Busy for an answer of which a part would have to be left out."""
    if within(answer, read) is not answer:
        raise Busy(
            "What was found is stricter than this session, and cannot be put on record now.",
            advice="Ask again once the vault can be written; nothing was served.",
        )
