"""What is planted for the conformance kit?  One fact to find, and its words where they must stay hidden."""

from datetime import timedelta

from muniment.domain.label import DataClass, Label
from muniment.domain.timeline import Interval, to_micros
from muniment.domain.trust import Trust
from muniment.drivers.conformance import Planted
from muniment.ports import Store
from muniment.recall.eligibility import Eligibility
from tests.contract.builders import LATER, MODEL, START, Scribe, vector

HOME, ELSEWHERE = 1, 2
NEAR = vector(100, 20)
EVERY_TRUST = tuple(Trust)


def planted_in(store: Store) -> Planted:
    """Plant the fact, what is hidden from its reader, and enough rows around them to matter."""
    scribe = Scribe(store)
    for number in range(70):
        scribe.remember(f"harbour note {number}", vector=vector(number, 90))
    hidden = {
        "another space": scribe.remember("the harbour opens", space=ELSEWHERE, vector=NEAR).n,
        "a class above the reader's": scribe.remember(
            "the harbour shuts", label=Label(DataClass.SECRET), vector=NEAR
        ).n,
        "a trust that is withheld": scribe.follow(
            scribe.remember("the harbour sinks"), trust=Trust.REJECTED
        ).n,
        "an interval that has ended": scribe.remember(
            "the harbour froze", valid=Interval(START, START + timedelta(days=1)), vector=NEAR
        ).n,
        "a turn of another space": scribe.turn("harbour, said elsewhere", space=ELSEWHERE, vector=NEAR).n,
    }
    wanted = scribe.remember("the harbour opens at dawn", vector=NEAR).n
    scribe.turn("when does the harbour open", vector=NEAR)
    now = to_micros(LATER)
    return Planted(
        terms=("harbour", "dawn", "opens", "shuts", "sinks", "froze", "elsewhere"),
        narrow=Eligibility((HOME,), now, class_max=DataClass.PRIVATE),
        wide=Eligibility(
            (HOME, ELSEWHERE), now, trusts=EVERY_TRUST, then=True, any_interval=True, show_rejected=True
        ),
        wanted=wanted,
        hidden=hidden,
        vector=NEAR,
        model=MODEL,
    )
