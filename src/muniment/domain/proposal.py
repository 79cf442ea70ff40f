"""Which bytes does a person approve?  The whole request that waits, spelled one way, both ways.

A proposal holds what was asked for, by whom and by which way.  Its digest is of these
bytes, so that nothing else than what was shown can be approved.
"""

import hashlib
import json

from muniment.domain.block import Block
from muniment.domain.block_edit import Action, Line, Operation
from muniment.domain.evidence import Span
from muniment.domain.intent import Change, Connect, EditBlock, Judge, Path, Remember, Source, Times
from muniment.domain.label import DataClass, Label
from muniment.domain.link import LinkType
from muniment.domain.members import Fields, flag, number, perhaps, text, texts
from muniment.domain.memory import Claim, Kind
from muniment.domain.principal import ActorRole, Principal
from muniment.domain.timeline import to_micros
from muniment.domain.trust import Act
from muniment.errors import BadInput, MunimentError

Proposable = Remember | Change | Judge | Connect | EditBlock
"""What may wait for a person."""


def spelled(intent: Proposable) -> str:
    """Return the one spelling of a request: JSON with sorted keys, ASCII."""
    fields: dict[str, object] = {"by": _principal(intent.principal), "session": intent.session}
    match intent:
        case Remember():
            fields |= {"act": "remember", "kind": intent.kind.value, "space": intent.space}
            fields |= {"claim": _claim(intent.claim), "times": _times(intent.times)}
            fields |= {"sources": _sources(intent.sources), "tags": list(intent.tags)}
            fields |= {"label": _label(intent.label), "path": intent.path.value}
        case Change():
            fields |= {"act": intent.act, "target": intent.target, "claim": _claim(intent.claim)}
            fields |= {"times": _times(intent.times), "reason": intent.reason, "read": _label(intent.read)}
            fields |= {"sources": _sources(intent.sources)}
        case Judge():
            fields |= {"act": "judge", "verdict": intent.act.value, "target": intent.target}
            fields |= {"reason": intent.reason, "sources": _sources(intent.sources)}
            fields |= {"read": _label(intent.read)}
        case Connect():
            fields |= {"act": "link", "target": intent.source, "other": intent.target}
            fields |= {"type": intent.type.value, "weight": float(intent.weight), "read": _label(intent.read)}
        case EditBlock():
            fields |= {"act": "memory", "space": intent.space, "read": _label(intent.read), **_edit(intent)}
    return json.dumps(fields, sort_keys=True, separators=(",", ":"), ensure_ascii=True)


def digest_of(body: str) -> bytes:
    """Return the SHA-256 of the bytes of a proposal, or of a request for an erasure."""
    return hashlib.sha256(body.encode("ascii", "backslashreplace")).digest()


def texts_in(body: str) -> tuple[str, ...]:
    """Return every text that a body spells, as it was said; nothing for what spells no request.

    In the body itself signs beyond ASCII, quotes and new lines are written in another way, so that
    nobody finds a text in it who looks for the text.
    """
    try:
        left: list[object] = [json.loads(body)]
    except (ValueError, RecursionError):
        return ()
    found: list[str] = []
    while left:
        one = left.pop()
        if isinstance(one, str):
            found.append(one)
        elif isinstance(one, dict):
            left.extend(one.values())
        elif isinstance(one, list):
            left.extend(one)
    return tuple(found)


GROUNDED = frozenset({Act.SUPPORT, Act.REFUTE, Act.DISPUTE, Act.INCONCLUSIVE})
"""Acts that rest on evidence: with other evidence they are another request."""

_OF_WHEN = ("session", "call")
_OF_WHO_ASKS = ("by", "reason", "read", "label", "weight", "path", *_OF_WHEN)
"""Parts that tell who asks, why and how strongly, not what would change."""


def asks_for(intent: Proposable) -> bytes:
    """Return the digest of what a request would change, whoever asks for it and why."""
    fields = json.loads(spelled(intent))
    names = _OF_WHO_ASKS if _is_grounded(intent) else (*_OF_WHO_ASKS, "sources")
    kept = {name: fields[name] for name in fields if name not in names}
    return digest_of(json.dumps(kept, sort_keys=True))


def is_same_request(one: Proposable, other: Proposable) -> bool:
    """Return whether two requests are one that is asked for twice.

    What brings words in is somebody's own statement, so that there only the moment may differ;
    of a removal or a link it does not matter who asks, nor why.
    """
    if not _brings_words(one):
        return not _brings_words(other) and asks_for(one) == asks_for(other)
    return _whatever_the_moment(one) == _whatever_the_moment(other)


def _brings_words(intent: Proposable) -> bool:
    if isinstance(intent, Remember | Change):
        return bool(intent.claim.text or intent.claim.value)
    return isinstance(intent, EditBlock) and bool(intent.texts)


def _whatever_the_moment(intent: Proposable) -> dict[str, object]:
    fields = json.loads(spelled(intent))
    return {name: fields[name] for name in fields if name not in _OF_WHEN}


def _is_grounded(intent: Proposable) -> bool:
    return isinstance(intent, Judge) and intent.act in GROUNDED


def intent_of(body: str) -> Proposable:
    """Return the request that a body spells; raises BadInput when it spells none."""
    try:
        fields: object = json.loads(body)
        if not isinstance(fields, dict):
            raise TypeError("body")
        return _intent(fields)
    except (KeyError, TypeError, ValueError, RecursionError, MunimentError) as error:
        raise BadInput("The proposal's bytes spell no request.") from error


def _intent(f: Fields) -> Proposable:
    principal, session, act = _principal_of(_inner(f, "by")), number(f, "session"), text(f, "act")
    if act == "memory":
        return _edit_of(f, principal, session)
    if act == "remember":
        return Remember(
            principal=principal,
            claim=_claim_of(_inner(f, "claim")),
            kind=Kind(text(f, "kind")),
            space=text(f, "space"),
            times=_times_of(_inner(f, "times")),
            sources=_sources_of(f),
            tags=texts(f, "tags"),
            label=_label_of(_inner(f, "label")),
            path=Path(text(f, "path")),
            session=session,
        )
    read, target = _label_of(_inner(f, "read")), text(f, "target")
    if act == "link":
        weight = f["weight"]
        if not isinstance(weight, float):
            raise TypeError("weight")
        kind = LinkType(text(f, "type"))
        return Connect(principal, target, text(f, "other"), kind, weight, read=read, session=session)
    sources, reason = _sources_of(f), text(f, "reason")
    if act == "judge":
        verdict = Act(text(f, "verdict"))
        return Judge(principal, target, verdict, reason=reason, sources=sources, read=read, session=session)
    if act not in ("revise", "succeed"):
        raise ValueError("act")
    return Change(
        principal=principal,
        target=target,
        act=act,
        claim=_claim_of(_inner(f, "claim")),
        times=_times_of(_inner(f, "times")),
        reason=reason,
        sources=sources,
        read=read,
        session=session,
    )


def _edit(intent: EditBlock) -> dict[str, object]:
    return {
        "action": intent.action.value,
        "block": "" if intent.block is None else intent.block.value,
        "given": sorted(intent.given),
        "operations": [[one.action.value, one.old, one.text] for one in intent.operations],
        "lines": [[one.old, one.text, one.keep, one.move, one.drop] for one in intent.lines],
        "undoes": intent.undoes,
        "call": intent.call,
    }


def _edit_of(f: Fields, principal: Principal, session: int) -> EditBlock:
    """Return the edit that waits: its entries are named whole, so that nothing else can be meant."""
    block = text(f, "block")
    operations = (
        Operation(Action(action), said, old, pinned=bool(old))
        for action, old, said in (_texts_of(one, 3) for one in _list(f, "operations"))
    )
    return EditBlock(
        principal=principal,
        space=text(f, "space"),
        action=Action(text(f, "action")),
        block=Block(block) if block else None,
        given=frozenset(texts(f, "given")),
        operations=tuple(operations),
        lines=tuple(_line_of(one) for one in _list(f, "lines")),
        undoes=text(f, "undoes"),
        read=_label_of(_inner(f, "read")),
        session=session,
        call=text(f, "call"),
    )


def _line_of(found: object) -> Line:
    if not isinstance(found, list) or len(found) != 5:
        raise TypeError("lines")
    (old, said), fates = _texts_of(found[:2], 2), found[2:]
    if not all(isinstance(fate, bool) for fate in fates):
        raise TypeError("lines")
    keep, move, drop = fates
    return Line(old, said, keep, move, drop, pinned=bool(old))


def _texts_of(found: object, count: int) -> list[str]:
    if not isinstance(found, list) or len(found) != count or not all(isinstance(one, str) for one in found):
        raise TypeError("texts")
    return found


def _list(f: Fields, name: str) -> list[object]:
    found = f[name]
    if not isinstance(found, list):
        raise TypeError(name)
    return found


def _inner(f: Fields, name: str) -> Fields:
    found = f[name]
    if not isinstance(found, dict):
        raise TypeError(name)
    return found


def _principal(principal: Principal) -> dict[str, object]:
    return {
        "tenant": principal.tenant,
        "actor": principal.actor,
        "role": principal.role.value,
        "home": principal.home,
        "reads": list(principal.read_roots),
        "writes": list(principal.write_spaces),
        "class_max": principal.class_max.name.lower(),
        "credential": principal.credential,
    }


def _principal_of(f: Fields) -> Principal:
    return Principal(
        tenant=text(f, "tenant"),
        actor=text(f, "actor"),
        role=ActorRole(text(f, "role")),
        home=text(f, "home"),
        read_roots=texts(f, "reads"),
        write_spaces=texts(f, "writes"),
        class_max=DataClass[text(f, "class_max").upper()],
        credential=text(f, "credential"),
    )


def _claim(claim: Claim) -> dict[str, object]:
    names = ("text", "about", "attribute", "value", "many")
    return {name: getattr(claim, name) for name in names}


def _claim_of(f: Fields) -> Claim:
    return Claim(text(f, "text"), text(f, "about"), text(f, "attribute"), text(f, "value"), flag(f, "many"))


_TIMES = ("valid_from", "valid_until", "occurred_at", "asserted_at", "expires_at")


def _times(times: Times) -> dict[str, object]:
    moments = {name: getattr(times, name) for name in _TIMES}
    return {name: None if moment is None else to_micros(moment) for name, moment in moments.items()}


def _times_of(f: Fields) -> Times:
    return Times(*(perhaps(f, name) for name in _TIMES))


def _sources(sources: tuple[Source, ...]) -> list[list[object]]:
    return [[one.id] if one.span is None else [one.id, one.span.start, one.span.end] for one in sources]


def _sources_of(f: Fields) -> tuple[Source, ...]:
    found = f["sources"]
    if not isinstance(found, list):
        raise TypeError("sources")
    return tuple(_source(one) for one in found)


def _source(found: object) -> Source:
    if not isinstance(found, list) or len(found) not in (1, 3):
        raise TypeError("sources")
    parts = dict(zip(("id", "start", "end"), found, strict=False))
    span = Span(number(parts, "start"), number(parts, "end")) if len(found) == 3 else None
    return Source(text(parts, "id"), span)


def _label(label: Label) -> dict[str, object]:
    return {"class": label.data_class.name.lower(), "untrusted": label.untrusted}


def _label_of(f: Fields) -> Label:
    return Label(DataClass[text(f, "class").upper()], flag(f, "untrusted"))
