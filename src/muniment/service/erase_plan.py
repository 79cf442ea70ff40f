"""What would an erasure take away, keep out and leave?  A plan to look at, bound to what it says."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from muniment import limits
from muniment.domain.canonical import plain
from muniment.domain.erasure import (
    FILTER_FIELDS,
    STORES,
    Asked,
    Going,
    Means,
    Plan,
    Staying,
    Term,
    TermSort,
)
from muniment.domain.erasure_request import is_request
from muniment.domain.evidence import Evidence, Span
from muniment.domain.ids import is_id
from muniment.domain.ledger import RowCode, TenantHead, keyed
from muniment.domain.matter import Matter
from muniment.domain.memory import Version
from muniment.domain.principal import EVERYWHERE, Principal
from muniment.domain.session import Conversation
from muniment.domain.space import checked_path
from muniment.errors import BadInput, NotFound
from muniment.ports import Snapshot
from muniment.service.arguments import moment_of
from muniment.service.erase_documents import spread
from muniment.service.erase_person import Written, matters_with, written_by
from muniment.service.erase_reach import Reach
from muniment.service.erase_survey import Found, Matching, Other, Survey, name_of, walked
from muniment.service.erase_terms import Holding, sentences_with, settled, terms_of_claim, terms_of_text
from muniment.service.ground import Ground
from muniment.service.prepare import digests_of
from muniment.service.seals import committed
from muniment.service.writing import readable, visible


def asked_for(
    means: Mapping[Means, str | None],
    *,
    filters: Mapping[str, str] | None,
    add: Sequence[str],
    leave: Sequence[str],
    now: datetime,
) -> Asked:
    """Return what a plan is asked for; raises BadInput unless exactly one means is given.

    A filter names at least one field that there is, each with a value: one that is empty or
    unknown is refused, since leaving it out would take more than was meant, and so is a space's path
    with a wildcard.
    """
    given = [(name, value) for name, value in means.items() if value is not None]
    if len(given) + (filters is not None) != 1:
        raise BadInput("Say by one thing what is to go: `id`, `text`, `source`, `person` or `filters`.")
    extra = {"add": tuple(add), "leave": tuple(leave)}
    if filters is None:
        name, value = given[0]
        if not value or not value.strip():
            raise BadInput(f"`{name.value}` is empty.")
        if len(value) > limits.memory_text_characters_max:
            raise BadInput(f"`{name.value}` is longer than {limits.memory_text_characters_max} characters.")
        return Asked(name, value.strip(), (), **extra)
    return Asked(Means.FILTER, "", tuple(sorted(_filters(filters, now))), **extra)


def _filters(filters: Mapping[str, str], now: datetime) -> list[tuple[str, str]]:
    if not filters:
        raise BadInput("The filter is empty, which would mean everything.")
    found = []
    for name, value in filters.items():
        if name not in FILTER_FIELDS:
            raise BadInput(f"A filter knows {', '.join(FILTER_FIELDS)}.")
        if not isinstance(value, str) or not value.strip():
            raise BadInput(f"The filter's `{name}` is empty.")
        if name in ("before", "after"):
            moment = moment_of(name, value, now=now)
            value = moment.isoformat() if moment is not None else value
        found.append((name, checked_path(value) if name == "space" else value.strip()))
    return found


def planned(ground: Ground, snapshot: Snapshot, principal: Principal, *, asked: Asked) -> Plan:
    """Return the plan of one erasure as the vault stands in `snapshot`.

    It reads every row that may hold text, within what the principal may see (I7).  Raises
    NotFound for an id that is not there for the caller and BadInput for more rows than
    one erasure takes.
    """
    head = ground.checked_head(snapshot)
    planning = _Planning(ground, snapshot, principal, asked=asked)
    reach = planning.reached()
    going = tuple(reach.rows())
    if len(going) > limits.erasure_rows_max:
        raise BadInput(
            f"More than {limits.erasure_rows_max} rows would go.", advice="Erase it in several parts."
        )
    terms, left_out = planning.terms()
    stays = (*reach.stays(), *left_out)
    spaces = {one.sealed.row.space for one in going if isinstance(one.sealed.row, Version | Evidence)}
    plan = Plan(
        asked=asked,
        going=going,
        terms=terms,
        disputes=tuple(sorted(reach.doubted)),
        stays=stays,
        spaces=tuple(sorted(spaces)),
        made=ground.outside.clock.now(),
        size=head.size,
        next_n=head.next_n,
        counts=_counts(going),
    )
    return replace(plan, digest=digest_of(ground, plan, head))


def digest_of(ground: Ground, plan: Plan, head: TenantHead) -> str:
    """Return the keyed digest of exactly what a plan does, in hexadecimal; no other content has it."""
    rows = sorted(
        [
            one.code.name,
            one.name,
            str(one.sealed.seal.record),
            str(one.sealed.seal.index),
            str(one.put_back),
            *(f"{span.start}-{span.end}" for span in one.spans),
        ]
        for one in plan.going
    )
    terms = sorted([term.sort.value, term.text, term.about, term.attribute] for term in plan.terms)
    asked = [plan.asked.means.value, plan.asked.value, plan.asked.filters, plan.asked.add, plan.asked.leave]
    content = json.dumps([head.vault, rows, terms, list(plan.disputes), asked]).encode("ascii")
    return keyed(ground.vault_key, b"erasure-plan\n" + content)[:16].hex()


def binding_of(ground: Ground, plan: Plan, head: TenantHead) -> str:
    """Return the digest of what a plan does but for requests for it: asking does not change it."""
    going = tuple(one for one in plan.going if not is_request(one.sealed.row))
    return digest_of(ground, replace(plan, going=going), head)


def _counts(going: Sequence[Going]) -> Mapping[str, int]:
    """Return how many rows go from each store, and how many of them come back without a part."""
    counts: Counter[str] = Counter()
    for one in going:
        counts[STORES[one.code]] += 1
        counts["put back"] += one.put_back
        if one.code in (RowCode.VERSION, RowCode.EVIDENCE):
            counts["index"] += 1
    return {name: count for name, count in counts.items() if count}


_NO_MEMORY = "of the space, but no memory or item: a change that waits or a line of a block; plan by its text"
_ONLY_NAMED = "naming the person, but not of them; plan by that text to take that, too"


class _Planning:
    """Work out one plan: what it begins with, what hangs on that, and what is kept out."""

    def __init__(self, ground: Ground, snapshot: Snapshot, principal: Principal, *, asked: Asked) -> None:
        self._ground, self._snapshot, self._principal = ground, snapshot, principal
        self._asked = asked
        self._survey = Survey(ground, snapshot, principal, asked=asked)
        self._holding = Holding(())
        self._structural = False
        self._written = Written((), frozenset())

    def reached(self) -> Reach:
        """Return everything that goes."""
        match self._asked.means:
            case Means.ID if self._asked.value.startswith("m_"):
                found = self._by_memory()
            case Means.TEXT:
                found = self._by_terms(terms_of_text(self._asked.value), explicit=True)
            case _:
                self._structural = True
                found = self._by_structure()
        reach = Reach(self._snapshot, found)
        if not self._structural:
            reach.seed_evidence(tuple(found.memories))
        spread(self._snapshot, found)
        self._survey.requests()
        reach.settle()
        self._reach = reach
        return reach

    def _by_memory(self) -> Found:
        """A memory by its id, and whatever else in the tenant says the same."""
        id = self._asked.value
        if visible(self._ground, self._snapshot, self._principal, memory=id) is None:
            raise NotFound("Nothing with that id is there for you.")
        claims = [sealed.row.claim for sealed in self._snapshot.history(id)]
        terms = [term for claim in claims for term in terms_of_claim(claim)]
        self._survey.values = frozenset(
            digests_of(self._ground, claim).value for claim in claims if claim.keyed
        )
        self._survey.found.memories[id] = "asked for"
        return self._by_terms(terms, explicit=False)

    def _by_terms(self, terms: list[Term], *, explicit: bool) -> Found:
        self._holding = Holding(settled(terms, self._asked), explicit=explicit)
        return self._survey.hits(self._holding)

    def _by_structure(self) -> Found:
        """What a source, a person, a filter, an item or a session names, whatever it says."""
        if self._asked.means is not Means.ID:
            return self._matching()
        if not is_id(self._asked.value):
            raise BadInput("This is not an id: a letter, an underscore and 26 characters.")
        found = self._survey.found
        if self._asked.value.startswith("e_"):
            for sealed in self._snapshot.evidence((self._asked.value,)):
                item = sealed.row
                if readable(
                    self._ground, self._snapshot, self._principal, space=item.space, label=item.label
                ):
                    found.evidence[item.id] = "asked for"
        elif self._asked.value.startswith("s_"):
            self._by_session(found)
        if not found.evidence and not found.others:
            raise NotFound("Nothing with that id is there for you.")
        return found

    def _matching(self) -> Found:
        matching = Matching(self._ground, self._snapshot, asked=self._asked)
        found = self._survey.matching(matching)
        if self._asked.means is Means.PERSON:
            self._of_person(matching)
        left = self._waiting_in_space()
        if left:
            found.stays.append(Staying("1 row" if left == 1 else f"{left} rows", _NO_MEMORY))
        return found

    def _waiting_in_space(self) -> int:
        """Return how many changes that wait, and lines of blocks, a filter by space alone leaves there."""
        asked = dict(self._asked.filters)
        if not {"space"} <= asked.keys() <= {"space", "before", "after"}:
            return 0
        row = self._ground.space(self._snapshot, asked["space"])
        if row is None or self._principal.role not in EVERYWHERE:
            return 0
        matters = (sealed.row for sealed in walked(self._snapshot, RowCode.MATTER))
        return sum(isinstance(one, Matter) and one.space == row.n and bool(one.body) for one in matters)

    def _of_person(self, matching: Matching) -> None:
        """What a person wrote beside memories, and how much of the rest names them."""
        if self._principal.role in EVERYWHERE:
            self._written = written_by(self._snapshot, matching.actors)
            rows = matters_with(self._snapshot, self._written)
            self._survey.hold_written(self._written.terms, rows)
        left = self._survey.left_naming()
        if left:
            self._survey.found.stays.append(Staying("1 row" if left == 1 else f"{left} rows", _ONLY_NAMED))

    def _by_session(self, found: Found) -> None:
        for sealed in walked(self._snapshot, RowCode.SESSION):
            row = sealed.row
            if not isinstance(row, Conversation) or row.id != self._asked.value:
                continue
            if not readable(self._ground, self._snapshot, self._principal, space=row.space, label=row.label):
                continue
            found.others[row.id] = Other(sealed, "asked for", put_back=False)
            for item in walked(self._snapshot, RowCode.EVIDENCE):
                if isinstance(item.row, Evidence) and item.row.session == row.n:
                    found.evidence[item.row.id] = "of the session"
            for recall in walked(self._snapshot, RowCode.RECALL):
                if getattr(recall.row, "session", 0) == row.n:
                    found.others[name_of(recall.row)] = Other(recall, "of the session", put_back=False)

    def terms(self) -> tuple[tuple[Term, ...], tuple[Staying, ...]]:
        """Return what is kept out from now on, and what is not since something that stays says it."""
        if not self._structural:
            return (*self._holding.counted(), *self._spellings(), *self._sentences()), ()
        return self._structural_terms()

    def _spellings(self) -> list[Term]:
        """The identifiers as they are spelled in what goes: so they may not come back either."""
        known = {plain(term.text) for term in self._holding.terms} | {plain(one) for one in self._asked.leave}
        found: dict[str, Term] = {}
        for one in self._reach.rows():
            row = one.sealed.row
            texts = (row.claim.text, row.claim.value) if isinstance(row, Version) else ()
            for text in (row.text,) if isinstance(row, Evidence) else texts:
                for term in self._holding.spellings(text) if text else ():
                    key = plain(term.text)
                    if key not in known:
                        found[key] = replace(term, hits=1 + (found[key].hits if key in found else 0))
        return list(found.values())

    def _sentences(self) -> list[Term]:
        """The sentences that hold what goes: their text may not come back either.

        Those of evidence, and of memories for a term that is too short to be kept out of longer texts.
        """
        known = {term.text for term in self._holding.terms}
        found: dict[str, Term] = {}
        for id, item in self._reach.items.items():
            text = item.row.text
            is_whole = id in self._reach.found.evidence
            spans = (Span(0, len(text)),) if is_whole else self._reach.found.parts.get(id, ())
            for term in sentences_with(text, spans):
                if term.text not in known:
                    found.setdefault(term.text, replace(term, hits=1))
        for one in self._reach.rows():
            row = one.sealed.row
            said = row.claim.text if isinstance(row, Version) else ""
            for term in sentences_with(said, self._holding.short_places(said)) if said else ():
                if term.text not in known:
                    found.setdefault(term.text, replace(term, hits=1))
        leave = set(self._asked.leave)
        return [term for text, term in found.items() if text not in leave]

    def _structural_terms(self) -> tuple[tuple[Term, ...], tuple[Staying, ...]]:
        """The exact texts of what goes whole, unless something that stays says the same."""
        going = self._reach.rows()
        names = {(one.code, committed(one.sealed.row)[1], one.sealed.seal) for one in going}
        texts: dict[str, Term] = {}
        for one in going:
            row = one.sealed.row
            if isinstance(row, Version):
                for term in terms_of_claim(row.claim):
                    if term.sort in (TermSort.TEXT, TermSort.VALUE):
                        texts.setdefault(f"{term.sort}/{term.text}/{term.about}", term)
            elif isinstance(row, Evidence) and not one.put_back:
                texts.setdefault(f"text/{row.text}/", Term(TermSort.TEXT, row.text))
        for term in self._written.terms:
            texts.setdefault(f"text/{term.text}/", term)
        terms = settled(texts.values(), self._asked)
        said = {term.text for term in terms}
        kept = {
            sealed.row.text
            for code in (RowCode.VERSION, RowCode.EVIDENCE)
            for sealed in walked(self._snapshot, code)
            if isinstance(sealed.row, Version | Evidence) and sealed.row.text in said
            if (code, committed(sealed.row)[1], sealed.seal) not in names
        }
        left = (
            (Staying("a term", "something that stays says the same, so it is not kept out"),) if kept else ()
        )
        return tuple(replace(term, hits=1) for term in terms if term.text not in kept), left
