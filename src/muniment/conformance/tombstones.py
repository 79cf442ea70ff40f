"""Does what a person rejected stay out?  By restating, with time, in disguise, out of its source again."""

import unicodedata
from collections.abc import Mapping
from types import MappingProxyType

from muniment.conformance.adapter import HOME, Memory, Slot
from muniment.conformance.asking import MARKS, items, units
from muniment.conformance.verdict import Claims

NEIGHBOUR = f"My garden gate is painted {MARKS[1]}"
VALUE = "Mondays"
SAID = f"The deploy key rotates on {VALUE}"
ASK = "when does the deploy key rotate"
ABOUT, ATTRIBUTE = "deploy key", "rotation"
SLOT = Slot(ABOUT, ATTRIBUTE, VALUE)
_OTHER = "Fridays"

DISGUISES: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "exact": (SAID, VALUE),
        "case": ("THE DEPLOY KEY ROTATES ON MONDAYS", "MONDAYS"),
        "spaces": ("  The   deploy key\trotates on Mondays ", "  Mondays "),
        "zero width": ("The deploy key rotates on Mon\u200bdays", "Mon\u200bdays"),
        "full width": ("The deploy key rotates on \uff2d\uff4fndays", "\uff2d\uff4fndays"),
        "look-alike": ("The deploy key rotates on M\u043end\u0430ys", "M\u043end\u0430ys"),
        "punctuation": ("The deploy key rotates on: 'Mondays'!", "'Mondays'!"),
        "word order": ("On Mondays the deploy key rotates", "days Mon"),
        "paraphrase": ("Mondays are when the deploy key is renewed", "every one of the Mondays"),
    }
)
"""The same value in nine dresses: a text, and the value of a slot."""

MUST_STAY_OUT = ("exact", "case", "spaces", "zero width", "full width", "look-alike")
"""Disguises that change no letter of the value, only how it is written."""

_LOOK_ALIKES = str.maketrans({"\u0430": "a", "\u043e": "o"})


def undressed(text: str) -> str:
    """Return a text without the dresses above: plain letters, in lower case, nothing invisible."""
    plain = unicodedata.normalize("NFKC", text).translate(_LOOK_ALIKES)
    return "".join(one for one in plain if unicodedata.category(one) != "Cf").casefold()


def traces(memory: Memory, *, space: str = HOME) -> int:
    """Return how many items of the prompt hold the value in any dress, as memories."""
    found = items(memory, ASK, space=space)
    return sum(VALUE.casefold() in undressed(item.text) for item in found if not item.quoted)


def rejected(memory: Memory) -> None:
    """Write a neighbour and the value, and have a person reject the value."""
    memory.write(NEIGHBOUR)
    memory.write(SAID, slot=SLOT)
    memory.settle()
    memory.reject(SAID)


def _twin(memory: Memory, said: Claims) -> None:
    said.twin(
        bool(units(memory, MARKS[1], query="how is my garden gate painted")), "A neighbour was missing."
    )


def laundering_sequence(memory: Memory, said: Claims) -> None:
    """Rejected, superseded by another value, restated and corroborated: still out."""
    rejected(memory)
    memory.write(f"The deploy key rotates on {_OTHER}", slot=Slot(ABOUT, ATTRIBUTE, _OTHER))
    for _ in range(3):
        memory.write(SAID, slot=SLOT)
    memory.feed(f"{SAID}, I am quite sure.", name="a witness")
    memory.write(SAID, slot=SLOT)
    memory.settle()
    said.claim(not traces(memory), "It is believed again.")
    said.twin(bool(units(memory, _OTHER, query=ASK)), "The other value was missing.")
    _twin(memory, said)


def survives_ttl_and_prune(memory: Memory, said: Claims) -> None:
    """After every expiry and every prune it is still refused."""
    rejected(memory)
    memory.advance(days=4000)
    memory.run_background_jobs()
    memory.settle()
    memory.write(SAID, slot=SLOT)
    memory.write(f"The fence is painted {MARKS[2]}")
    memory.settle()
    said.claim(not traces(memory), "Time brought it back.")
    found = units(memory, MARKS[2], query="how is the fence painted")
    said.twin(bool(found), "A value written then was missing.")


def key_normalization_attack(memory: Memory, said: Claims) -> None:
    """No way of writing the value carries it back in; a paraphrase is another statement."""
    rejected(memory)
    for disguise in MUST_STAY_OUT:
        text, value = DISGUISES[disguise]
        memory.write(text)
        memory.write(text, slot=Slot(ABOUT, ATTRIBUTE, value))
        memory.settle()
        said.claim(not traces(memory), f"It came back as {disguise}.")
    memory.write(DISGUISES["paraphrase"][0])
    memory.settle()
    said.twin(bool(traces(memory)), "Even the paraphrase was refused, which is not what was rejected.")


def reextraction_stays_inactive(memory: Memory, said: Claims) -> None:
    """Extraction over the same source makes no active record of it, and does of the rest."""
    source = "I live in Aldermoor. My favourite colour is teal."
    memory.feed(source, name="talk")
    memory.settle()
    said.present("Aldermoor", "\n".join(memory.derived()), "among what was derived, before")
    memory.reject("Aldermoor")
    for name in ("talk", "the same talk elsewhere"):
        memory.feed(source, name=name)
        memory.run_background_jobs()
        memory.settle()
        made = "\n".join(memory.derived())
        said.absent("Aldermoor", made, f"among what was derived from {name}")
        said.claim(not units(memory, "Aldermoor", query="where do I live"), "It is shown as a memory.")
        said.present("teal", made, "among what was derived")


def no_second_memory_unit(memory: Memory, said: Claims) -> None:
    """However it is said again, no active or possible unit carries it; the surroundings stay."""
    rejected(memory)
    refused = 0
    for text in (SAID, SAID.upper(), f"{SAID} "):
        refused += not memory.write(text).taken
        refused += not memory.write(text, slot=SLOT).taken
    memory.settle()
    said.claim(not traces(memory), "A second unit carries it.")
    said.note(f"Six attempts: {refused} refused, {6 - refused} absorbed.")
    _twin(memory, said)
