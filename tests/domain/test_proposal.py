"""Is every part of a request in the bytes that are approved, and does each come back?"""

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from muniment.domain.evidence import Span
from muniment.domain.intent import Change, Connect, Judge, Path, Remember, Source, Times
from muniment.domain.label import DataClass, Label
from muniment.domain.link import LinkType
from muniment.domain.memory import Claim, Kind
from muniment.domain.principal import ActorRole, Principal
from muniment.domain.proposal import Proposable, digest_of, intent_of, is_same_request, spelled
from muniment.domain.trust import Act
from muniment.errors import BadInput

AT = datetime(2026, 3, 2, 9, 30, tzinfo=UTC)
TIMES = Times(
    AT, AT + timedelta(days=1), AT + timedelta(days=2), AT + timedelta(days=3), AT + timedelta(days=4)
)
BY = Principal(
    "acme", "Zoë", ActorRole.AGENT, "acme/eng", ("acme",), ("acme/ops",), DataClass.PRIVATE, credential="pub"
)
SOURCES = (Source("e_1"), Source("m_2", Span(3, 9)))
SECRET = Label(DataClass.SECRET, untrusted=True)
CLAIM = Claim("na\u00efve \u2028 \U0001f600", "tea", "time", "four", True)
REQUESTS: dict[str, Proposable] = {
    "remember": Remember(
        BY, CLAIM, Kind.PREFERENCE, "acme/ops", TIMES, SOURCES, ("a", "b"), SECRET, Path.IMPORT, session=4
    ),
    "revise": Change(BY, "m_1", "revise", CLAIM, TIMES, "why", sources=SOURCES, read=SECRET, session=4),
    "succeed": Change(BY, "m_1", "succeed", CLAIM, TIMES, "why", sources=SOURCES, read=SECRET, session=4),
    "judge": Judge(BY, "m_1", Act.REFUTE, "why", sources=SOURCES, read=SECRET, session=4),
    "link": Connect(BY, "m_1", "e_2", LinkType.CAUSES, 0.25, read=SECRET, session=4),
}
OTHERS = {
    "principal": replace(BY, actor="Ann"),
    "claim": replace(CLAIM, text="other"),
    "kind": Kind.TASK,
    "space": "home",
    "times": replace(TIMES, valid_until=None),
    "sources": SOURCES[:1],
    "tags": ("a",),
    "label": Label(),
    "path": Path.DIRECT,
    "session": 5,
    "target": "m_9",
    "act": Act.SUPPORT,
    "reason": "other",
    "read": Label(),
    "source": "m_8",
    "type": LinkType.BLOCKS,
    "weight": 0.5,
}


@pytest.mark.parametrize("name", REQUESTS)
def test_a_request_comes_back_from_its_bytes(name: str) -> None:
    body = spelled(REQUESTS[name])
    assert intent_of(body) == REQUESTS[name]
    assert spelled(intent_of(body)) == body
    assert body.isascii() and json.loads(body)["act"] == name


@pytest.mark.parametrize("name", REQUESTS)
def test_another_part_is_another_digest(name: str) -> None:
    request = REQUESTS[name]
    whole = digest_of(spelled(request))
    assert len(whole) == 32
    parts = [part for part in OTHERS if hasattr(request, part)]
    assert len(parts) >= 6
    for part in parts:
        if part == "act" and isinstance(request, Change):
            continue
        assert digest_of(spelled(replace(request, **{part: OTHERS[part]}))) != whole, part
    for part, other in (("role", ActorRole.OWNER), ("home", "x"), ("credential", ""), ("read_roots", ())):
        by = replace(BY, **{part: other})
        assert digest_of(spelled(replace(request, principal=by))) != whole, part


@pytest.mark.parametrize("name", REQUESTS)
def test_bytes_that_lack_a_part_spell_no_request(name: str) -> None:
    fields = json.loads(spelled(REQUESTS[name]))
    for missing in fields:
        rest = {key: value for key, value in fields.items() if key != missing}
        with pytest.raises(BadInput):
            intent_of(json.dumps(rest))
        for wrong in (None, 7.5, {}, "nothing known"):
            if wrong == fields[missing] or (wrong == "nothing known" and isinstance(fields[missing], str)):
                continue
            if missing == "weight" and wrong == 7.5:
                continue
            with pytest.raises(BadInput):
                intent_of(json.dumps({**fields, missing: wrong}))


@pytest.mark.parametrize("body", ["", "[]", "7", "null", "{", '{"act":"erase"}', "[" * 100_000])
def test_what_is_no_request_is_refused(body: str) -> None:
    with pytest.raises(BadInput):
        intent_of(body)


@pytest.mark.parametrize("sources", [["e_1"], [[]], [["e_1", 1]], [["e_1", 1, "x"]], [[7]], "e_1"])
def test_a_source_is_an_id_and_perhaps_a_span(sources: object) -> None:
    fields = {**json.loads(spelled(REQUESTS["judge"])), "sources": sources}
    with pytest.raises(BadInput):
        intent_of(json.dumps(fields))


@pytest.mark.parametrize("name", REQUESTS)
def test_a_request_is_the_same_whatever_the_moment(name: str) -> None:
    request = REQUESTS[name]
    assert is_same_request(request, replace(request, session=9))
    assert not any(is_same_request(request, other) for key, other in REQUESTS.items() if key != name)


@pytest.mark.parametrize("name", REQUESTS)
def test_a_statement_is_its_proposers_and_a_removal_anybodys(name: str) -> None:
    request = REQUESTS[name]
    by_another = replace(request, principal=OTHERS["principal"])
    assert is_same_request(request, by_another) is (name in ("judge", "link"))
