"""How is Muniment itself measured?  Its library behind the adapter, on a file or on a PostgreSQL database."""

import json
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

from muniment.adapters import models
from muniment.conformance.adapter import HOME, Cannot, Item, Memory, Slot, Written
from muniment.conformance.places import MovedClock, drop_indexes, in_database, in_file, near
from muniment.domain.evidence import EvidenceKind
from muniment.domain.memory import Version
from muniment.domain.trust import Trust
from muniment.errors import MunimentError
from muniment.recall.envelope import HEADING
from muniment.recall.packing import tokens_of
from muniment.service.receipt import Receipt
from muniment.service.vault import Vault
from muniment.wiring import current_settings

_EVERY_STATE = tuple(trust.value for trust in Trust)
_EVIDENCE = tuple(kind.value for kind in EvidenceKind)
_PAGE = 100
_ITEMS_MAX = 50


class Library(Memory):
    """Muniment's library: agents write and read, each in its space; its owner does what a person does."""

    name = "muniment"

    def __init__(self, place: Path, *, address: str = "") -> None:
        super().__init__(place)
        self._address = address
        self._path = place / "vault" / "vault.db"
        self._path.parent.mkdir()
        self._clock = MovedClock()
        self._doors = 0
        self.owner = self._opened()

    def _opened(self) -> Vault:
        if self._address:
            return in_database(self._address, self._path.parent / "keys", self._clock)
        return in_file(self._path, self._clock)

    def agent(self, space: str = HOME) -> Vault:
        """Return the vault in the hands of an agent at home in a space."""
        return self.owner.acting_as(actor="coder", space=space)

    def close(self) -> None:
        """Close the vault."""
        self.owner.close()

    # The seven.

    def write(self, text: str, *, space: str = HOME, slot: Slot | None = None, since: str = "") -> Written:
        """Remember as an agent."""
        return _written(lambda: self._remembered(self.agent(space), text, slot=slot, since=since))

    def _remembered(self, hand: Vault, text: str, *, slot: Slot | None, since: str = "") -> Receipt:
        about, attribute, value = (slot.about, slot.attribute, slot.value) if slot else ("", "", "")
        return hand.remember(text, about=about, attribute=attribute, value=value, valid_from=since or None)

    def settle(self) -> None:
        """Do what is due, and put the recall log on record."""
        self.owner.settle()

    def prompt_prefix(self, query: str, *, space: str = HOME, k: int = 10) -> str:
        """Return the envelope that an agent of the space is given."""
        return self.agent(space).recall(query, k=min(k, _ITEMS_MAX)).render()

    def forget(self, text: str, *, space: str = HOME) -> None:
        """Erase whatever holds the text, as the owner."""
        self._erased(text=text)

    def _erased(self, **what: object) -> None:
        plan = getattr(self.owner, "plan_erasure", None)
        erase = getattr(self.owner, "erase", None)
        if plan is None or erase is None:
            raise Cannot("erasure")
        erase(plan(**what))

    def run_background_jobs(self) -> None:
        """Run the jobs that are due."""
        self.owner.run_jobs()

    def leak_probes(self, text: str) -> Mapping[str, bool]:
        """Look into each shelf, what lies beside it, an export and the bytes of the files.

        Nothing is asked through `recall`: a question is on record, and would leave the text behind.
        """
        owner = self.owner
        export = self.place / "probe.export"
        owner.export(export)
        shelves = {
            "memories": (row.text for row in self._rows(_EVERY_STATE)),
            "indexes": near(owner.ground, text),
            "recall log": (row.query for row in owner.recalls(limit=_PAGE)),
            "ledger": iter(self.audit_entries()),
            "export": iter((export.read_text("utf-8"),)),
        }
        found = {place: any(text in one for one in texts) for place, texts in shelves.items()}
        export.unlink()
        if not self._address:
            found["files"] = any(text.encode() in content for content in self._bytes())
        return found

    def _bytes(self) -> Iterator[bytes]:
        for file in sorted(self._path.parent.rglob("*")):
            if file.is_file():
                yield file.read_bytes()

    def audit_entries(self) -> Sequence[str]:
        """Return the ledger's records."""
        entries: list[str] = []
        while rows := self.owner.log(after=len(entries), limit=_PAGE, newest_first=False):
            entries += [f"{row.position} {row.act} {dict(row.fields)}" for row in rows]
        return entries

    # How its prompts are read.

    def read_prompt(self, prompt: str) -> tuple[Item, ...]:
        """Return the items of an envelope with what their heads say of them."""
        return tuple(_item(head, text) for head, text in _pairs(prompt))

    def outside_fence(self, prompt: str) -> str:
        """Return every line of an envelope that is no item's text."""
        inside = [at + 1 for at, line in enumerate(prompt.split("\n")) if line.startswith("<<mem ")]
        return "\n".join(line for at, line in enumerate(prompt.split("\n")) if at not in inside)

    # What it can do besides.

    def feed(self, text: str, *, name: str, space: str = HOME) -> None:
        """Take in a file with a conversation of one turn; the same file again adds nothing."""
        file = self.place / "fed.jsonl"
        turn = {"session": name, "role": "user", "text": text}
        file.write_text(f"{json.dumps(turn)}\n", "utf-8")
        self.agent(space).take_file(file, format="jsonl", space=space)

    def derived(self, *, space: str = HOME) -> Sequence[str]:
        """Return the candidates: nobody's own statement is one."""
        return [row.text for row in self._rows((Trust.CANDIDATE.value,), space=space)]

    def sources(self, query: str, *, space: str = HOME) -> Mapping[str, Sequence[str]]:
        """Return the evidence under each hit."""
        hand = self.agent(space)
        under = {}
        for hit in hand.recall(query).hits:
            steps = hand.why(hit.id)
            under[hit.text] = [hand.read(step.id).text for step in steps if step.source in _EVIDENCE]
        return under

    def forget_source(self, name: str, *, space: str = HOME) -> None:
        """Erase a source and what came of it."""
        self._erased(filters={"session": name})

    def correct(self, old: str, new: str, *, slot: Slot | None = None, since: str = "") -> None:
        """Say that the world changed."""
        value = slot.value if slot else ""
        for row in self._holding(old):
            self.agent().succeed(row.memory, new, value=value, valid_from=since or None)

    def retract(self, text: str) -> None:
        """Take back as the owner, who may take back what an extractor made."""
        for row in self._holding(text):
            self.owner.retract(row.memory, reason="I misspoke")

    def reject(self, text: str) -> None:
        """Reject as a person."""
        for row in self._holding(text):
            self.owner.reject(row.memory, reason="never true")

    def history(self, text: str) -> Sequence[str]:
        """Return the versions of what holds the text, of what it followed and what followed it."""
        rows = self._holding(text, states=_EVERY_STATE)
        return [one.text for row in rows for one in self.owner.history(row.memory, include_rejected=True)]

    def prompt_as_of(self, query: str, moment: str, *, k: int = 10) -> str:
        """Return the envelope about the world at a date."""
        return self.agent().recall(query, k=k, as_of=moment).render()

    def prompt_within(self, query: str, tokens: int, *, k: int = 10) -> tuple[str, int]:
        """Return the envelope within a budget, and what the texts of its hits count."""
        prompt = self.agent().recall(query, k=k, budget_tokens=tokens).render()
        return prompt, self.counted(prompt)

    def counted(self, prompt: str) -> int:
        """Return what the texts of an envelope count in the library's own measure."""
        return sum(tokens_of(text) for _, text in _pairs(prompt))

    def advance(self, days: float) -> None:
        """Move the vault's clock."""
        self._clock.passed += timedelta(days=days)

    def restart(self) -> None:
        """Close the vault and open it again."""
        self.close()
        self.owner = self._opened()

    def drop_indexes(self) -> None:
        """Fill both indexes with nothing that could be asked for."""
        drop_indexes(self.owner.ground)

    def rebuild(self) -> None:
        """Index everything anew."""
        self.owner.reindex()

    def export(self, path: Path) -> None:
        """Export without keys."""
        self.owner.export(path, keys=False)

    def bring_back(self, path: Path) -> None:
        """Import an export."""
        self.owner.import_(path)

    def backup(self, path: Path) -> None:
        """Copy the closed file."""
        if self._address:
            raise Cannot("copy of a database's files")
        self.close()
        shutil.copyfile(self._path, path)
        self.owner = self._opened()

    def put_back(self, path: Path) -> None:
        """Put an older file in the place of the vault's, and accept it as its owner.

        The key directory stays, as it would, and with it the witness that has seen more.
        """
        if self._address:
            raise Cannot("copy of a database's files")
        self.close()
        shutil.copyfile(path, self._path)
        self.owner = self._opened()
        self.owner.checkpoint(new_epoch="older")

    def reach(self, held: str, asked: str, query: str) -> str:
        """Ask as an agent of one space for another."""
        try:
            return self.agent(held).recall(query, k=_ITEMS_MAX, space=asked).render()
        except MunimentError as error:
            return f"{error.sentence} {error.advice}"

    def reach_write(self, held: str, asked: str, text: str) -> None:
        """Write as an agent of one space into another."""
        _written(lambda: self.agent(held).remember(text, space=asked))

    def authority(self, text: str) -> str:
        """Return the rank of what holds the text."""
        (row, *_) = self._holding(text)
        return str(self.owner.read(row.memory).rank)

    def write_as_person(self, text: str) -> Written:
        """Remember as the owner."""
        return _written(lambda: self.owner.remember(text))

    def paths(self) -> Mapping[str, Callable[[str, Slot | None, str], Written]]:
        """Return every way in that the library has."""
        return {
            "proposal": self._by_proposal,
            "edited proposal": lambda text, slot, space: self._by_proposal(text, slot, space, edits=True),
            "write": lambda text, slot, space: self.write(text, slot=slot, space=space),
            "session": self._by_session,
            "revise": lambda text, slot, space: self._by_change("revise", text, slot, space=space),
            "succeed": lambda text, slot, space: self._by_change("succeed", text, slot, space=space),
            "turn": self._by_turn,
            "document": self._by_document,
            "import": self._by_import,
            "decision": self._by_decision,
            "restore": self._by_restore,
        }

    def _by_session(self, text: str, slot: Slot | None, space: str) -> Written:
        session = self.owner.session("measured", agent="coder", space=space)
        about, attribute, value = (slot.about, slot.attribute, slot.value) if slot else ("", "", "")
        return _written(lambda: session.remember(text, about=about, attribute=attribute, value=value))

    def _by_change(self, verb: str, text: str, slot: Slot | None, *, space: str) -> Written:
        """Write something harmless of the same slot, and turn it into the text."""
        self._doors += 1
        harmless = Slot(slot.about, slot.attribute, f"oak {self._doors}") if slot else None
        hand = self.agent(space)
        made = self._remembered(hand, f"Something harmless, number {self._doors}", slot=harmless)
        value = slot.value if slot else ""
        return _written(lambda: getattr(hand, verb)(made.id, text, value=value))

    def _by_turn(self, text: str, slot: Slot | None, space: str) -> Written:
        """Say it in a conversation, from which claims are read."""
        taken = self.owner.session("a talk", agent="coder", space=space).append("user", f"{text}.")
        return Written(taken=taken.added > 0)

    def _by_document(self, text: str, slot: Slot | None, space: str) -> Written:
        self._doors += 1
        taken = self.agent(space).ingest(f"{text}.", source=f"page {self._doors}")
        return Written(taken=taken.added > 0)

    def _by_import(self, text: str, slot: Slot | None, space: str) -> Written:
        """Take in the export of another vault, whose owner holds it for true."""
        self._doors += 1
        place = self.place / f"foreign {self._doors}"
        place.mkdir()
        foreign = Library(place)
        foreign.write(text, slot=slot, space=space)
        foreign.owner.export(place / "foreign.export")
        foreign.close()
        report = self.owner.import_(place / "foreign.export")
        return Written(taken=not dict(report.refused))

    def _by_decision(self, text: str, slot: Slot | None, space: str) -> Written:
        """Have a person decide a dispute between two harmless statements by an edit that says the text."""
        self._doors += 1
        number = self._doors
        about, attribute = (slot.about, slot.attribute) if slot else (f"door {number}", "state")
        for hand, value in ((self.owner, f"oak {number}"), (self.agent(space), f"elm {number}")):
            said = f"Something harmless of {value}"
            hand.remember(said, about=about, attribute=attribute, value=value, space=space)
        case = self.owner.cases(space=space)[0].id
        value = slot.value if slot else ""
        return _written(lambda: self.owner.decide(case, "edit", text=text, value=value))

    def _by_proposal(self, text: str, slot: Slot | None, space: str, *, edits: bool = False) -> Written:
        """Have a person approve what an agent's write left waiting; `edits` says that the person wrote it."""
        self._doors += 1
        harmless = f"Something harmless, number {self._doors}"
        beside = replace(slot, value=f"oak {self._doors}") if slot else None
        self.owner.set_dial("review", "agent", space=space)
        written = self.write(harmless if edits else text, slot=beside if edits else slot, space=space)
        self.owner.set_dial("review", "off", space=space)
        waiting = self.owner.pending(space=space)
        if not written.taken or not waiting:
            return written
        edited = (text, slot.value if slot else "") if edits else ("", "")
        return _written(
            lambda: self.owner.approve(
                waiting[0].id, digest=waiting[0].digest, text=edited[0], value=edited[1]
            )
        )

    def _by_restore(self, text: str, slot: Slot | None, space: str) -> Written:
        """Write into another vault that was restored from an export of this one, which it then replaces."""
        self._doors += 1
        carried = self.place / f"carried {self._doors}.export"
        self.owner.export(carried)
        self.close()
        self._path = self.place / f"restored {self._doors}" / "vault.db"
        self._path.parent.mkdir()
        self.owner = self._opened()
        self.owner.restore(carried)
        return self.write(text, slot=slot, space=space)

    def ask_model(self, prompt: str, question: str) -> str:
        """Ask the model that is set for this process, if one is."""
        model = models.model_of(current_settings())
        return super().ask_model(prompt, question) if model is None else model.ask(prompt, question)

    # Looking up.

    def _rows(self, states: Sequence[str], *, space: str | None = None) -> Iterator[Version]:
        """Yield the newest versions in some states, a page at a time."""
        after = 0
        while rows := self.owner.memories(states=states, space=space, after=after, limit=_PAGE):
            yield from rows
            after = rows[-1].n

    def _holding(self, text: str, *, states: Sequence[str] = ()) -> list[Version]:
        """Return what holds a text and is not rejected yet, each memory once."""
        wanted = states or tuple(state for state in _EVERY_STATE if state != Trust.REJECTED.value)
        return [row for row in self._rows(wanted) if text.casefold() in row.text.casefold()]


def _written(deed: Callable[[], Receipt]) -> Written:
    try:
        receipt = deed()
    except MunimentError as error:
        return Written(taken=False, reason=error.code)
    return Written(taken=not receipt.refused, reason=receipt.reason)


def _pairs(prompt: str) -> Iterator[tuple[str, str]]:
    """Yield the head and the text of each item of an envelope."""
    lines = prompt.split("\n")
    nonce = lines[0].removeprefix(HEADING)
    for at, line in enumerate(lines):
        if line.startswith(f"<<mem {nonce} ") and at + 1 < len(lines):
            yield line, str(json.loads(lines[at + 1]))


def _item(head: str, text: str) -> Item:
    fields = dict(part.split("=", 1) for part in head.removesuffix(">>").split(" ") if "=" in part)
    begun, _, ended = fields.get("valid", "").partition("..")
    return Item(
        text,
        quoted=fields["source"] in _EVIDENCE,
        marked=fields.get("trust", "") != "believed" or fields["untrusted"] == "yes" or bool(begun and ended),
    )
