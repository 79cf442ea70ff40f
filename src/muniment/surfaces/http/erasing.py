"""How does the owner erase over a socket?  By a plan that was looked at, bound by its digest."""

from collections.abc import Mapping
from types import MappingProxyType

from muniment.domain.erasure import Plan
from muniment.errors import BadInput, StalePlan
from muniment.surfaces.http.desk import NOTHING, Desk, Route, form_of, named
from muniment.surfaces.plain import plan_fields
from muniment.surfaces.shapes import Arguments, Field, Type

_ID, _EXAMPLE = Field("id", Type.NAME, "What is meant.", required=True), "p_0123456789abcdefghijklmno0"
_MEANS = ("id", "text", "source", "person")
_WHAT = (
    Field("id", Type.NAME, "A memory, an evidence item or a session."),
    Field("text", Type.TEXT, "Everything that says this."),
    Field("source", Type.TEXT, "Everything that came from this source."),
    Field("person", Type.TEXT, "Everything said by, or about, this person."),
    Field("request", Type.NAME, "One that was asked for."),
    Field("add", Type.TEXTS, "Keep these texts out, too."),
    Field("leave", Type.TEXTS, "Leave these terms of the plan alone."),
)


def _planned(desk: Desk, given: Arguments) -> Plan:
    means = named(given, *_MEANS)
    if "request" not in given.given:
        return desk.vault.plan_erasure(add=given.texts("add"), leave=given.texts("leave"), **means)
    if means:
        raise BadInput("A request says itself what is to go.", advice="Leave the other fields out.")
    return desk.vault.requested_erasure(given.text("request"))


def _plan(desk: Desk, given: Arguments) -> object:
    return plan_fields(_planned(desk, given))


def _erase(desk: Desk, given: Arguments) -> object:
    plan = _planned(desk, given)
    if plan.digest != given.text("plan"):
        raise StalePlan("What would go is not what the plan named.")
    return {"erased": desk.vault.erase(plan)}


def _requests(desk: Desk, given: Arguments) -> object:
    return {"requests": desk.vault.erasure_requests()}


def _decline(desk: Desk, given: Arguments) -> object:
    return desk.vault.decline_erasure(given.text("id"), reason=given.text("reason"))


def _certificates(desk: Desk, given: Arguments) -> object:
    return {"certificates": desk.vault.certificates()}


def _certificate(desk: Desk, given: Arguments) -> object:
    return {"note": desk.vault.certificate(given.text("id"))}


ROUTES: Mapping[str, Route] = MappingProxyType(
    {
        "erasures": Route("List the erasures that were asked for.", NOTHING, _requests, changes=False),
        "plan-erasure": Route(
            "Show what an erasure would take away; nothing goes.",
            form_of({"text": "the blue kettle"}, *_WHAT),
            _plan,
        ),
        "erase": Route(
            "Erase for good what a plan named.",
            form_of(
                {"text": "the blue kettle", "plan": "0" * 64},
                *_WHAT,
                Field("plan", Type.NAME, "The `plan` that `plan-erasure` gave.", required=True),
            ),
            _erase,
        ),
        "decline-erasure": Route(
            "Decline one that was asked for; nothing goes.",
            form_of({"id": _EXAMPLE, "reason": "still needed"}, _ID, Field("reason", Type.TEXT, "Why.")),
            _decline,
        ),
        "certificates": Route("List the certificates of erasures.", NOTHING, _certificates, changes=False),
        "certificate": Route(
            "Show the newest signed note on one erasure.",
            form_of({"id": _EXAMPLE}, _ID),
            _certificate,
            changes=False,
        ),
    }
)
"""The owner's calls about erasures."""
