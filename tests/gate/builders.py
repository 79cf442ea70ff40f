"""What does a gate step look at?  Plain values, one line each."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from muniment.domain.intent import Change, Connect, Judge, Lift, Remember, Times
from muniment.domain.label import Label
from muniment.domain.link import LinkType
from muniment.domain.memory import Claim, Digests, Kind, Version
from muniment.domain.principal import ActorRole, Principal
from muniment.domain.rows import SpaceRow
from muniment.domain.timeline import Interval
from muniment.domain.trust import Act, Rank, Trust
from muniment.gate.verdict import Known

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
DAY = timedelta(days=1)
OWNER = Principal("local", "owner", ActorRole.OWNER)
AGENT = Principal("local", "coder", ActorRole.AGENT)
HOME = SpaceRow(1, "home", "auto", 2, NOW - 100 * DAY)
ME, OTHER = 7, 8


def known(**fields: object) -> Known:
    """Return what is known in the space `home`, acting as actor 7."""
    return replace(Known(actor=ME, recorded=NOW, space=HOME), **fields)


def keyed(value: str = "Berlin", *, many: bool = False) -> Claim:
    return Claim(f"She lives in {value}", "she", "city", value, many)


def remember(claim: Claim | str = "It rains", *, principal: Principal = OWNER, **fields: object) -> Remember:
    """Return the intent to remember; `valid_from` and `valid_until` go into its times."""
    times = Times(
        valid_from=fields.pop("valid_from", None),
        valid_until=fields.pop("valid_until", None),
    )
    whole = claim if isinstance(claim, Claim) else Claim(claim)
    intent = Remember(principal, whole, Kind.FACT, "home", times=times, label=Label())
    return replace(intent, **fields)


def change(
    act: str = "revise", text: str = "It pours", *, principal: Principal = OWNER, **fields: object
) -> Change:
    return replace(Change(principal, "m_x", act, Claim(text)), **fields)


def act(what: Act, *, principal: Principal = OWNER, **fields: object) -> Judge:
    return replace(Judge(principal, "m_x", what), **fields)


def lift(*, principal: Principal = OWNER, reason: str = "") -> Lift:
    return Lift(principal, "t_x", reason)


def connect(*, principal: Principal = OWNER, **fields: object) -> Connect:
    return replace(Connect(principal, "m_a", "m_b", LinkType.REFERS_TO, 1.0), **fields)


def version(claim: Claim | str = "It rains", **fields: object) -> Version:
    """Return a believed version by actor 7, valid for ten days and on."""
    row = Version(
        memory="m_x",
        number=1,
        n=1,
        space=1,
        kind=Kind.FACT,
        claim=claim if isinstance(claim, Claim) else Claim(claim),
        valid=Interval(NOW - 10 * DAY),
        recorded=NOW - 10 * DAY,
        trust=Trust.BELIEVED,
        before=Trust.BELIEVED,
        rank=Rank.MANUAL,
        label=Label(),
        author=ME,
        actor=ME,
        act="remember",
        digests=Digests(b"v", b"s"),
    )
    return replace(row, **fields)


def span(start: float, end: float | None = None) -> Interval:
    """Return the interval between two days counted from now."""
    return Interval(NOW + start * DAY, None if end is None else NOW + end * DAY)
