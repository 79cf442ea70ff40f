"""Which verbs erase?  A plan to look at, the deed, and what was given out for it."""

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING

from muniment.domain.matter import MatterState
from muniment.domain.principal import EVERYWHERE, ActorRole
from muniment.errors import BadInput, FullDisk, NotFound
from muniment.later import Later
from muniment.service.arguments import page_of, reason_of, text_of, texts_of
from muniment.service.hand import Hand

if TYPE_CHECKING:
    from muniment.domain import certificate as certificates
    from muniment.domain import erased_rows, erasure
    from muniment.domain import label as labels
    from muniment.service import (
        block_files,
        certifying,
        erase,
        erase_again,
        erase_known,
        erase_plan,
        erase_requests,
        erase_storage,
    )
else:
    block_files = Later("muniment.service.block_files")
    labels = Later("muniment.domain.label")
    certificates = Later("muniment.domain.certificate")
    erased_rows = Later("muniment.domain.erased_rows")
    certifying = Later("muniment.service.certifying")
    erasure = Later("muniment.domain.erasure")
    erase = Later("muniment.service.erase")
    erase_again = Later("muniment.service.erase_again")
    erase_known = Later("muniment.service.erase_known")
    erase_plan = Later("muniment.service.erase_plan")
    erase_requests = Later("muniment.service.erase_requests")
    erase_storage = Later("muniment.service.erase_storage")

_REQUEST_STATES = {
    "open": (MatterState.OPEN,),
    "declined": (MatterState.DECLINED,),
    "all": (MatterState.OPEN, MatterState.DECLINED),
}
"""Which states of a request a name means."""


class Erasing(Hand):
    """Plan and carry out erasures."""

    def plan_erasure(
        self,
        *,
        add: Sequence[str] = (),
        leave: Sequence[str] = (),
        filters: Mapping[str, str] | None = None,
        **means: str | None,
    ) -> "erasure.Plan":
        """Return what an erasure would take away, keep out and leave; nothing is changed.

        Takes exactly one of `id`, `text`, `source`, `person` and `filters`; `add` names
        further texts to keep out and `leave` terms to leave alone.
        """
        asked = self._asked(means, filters=filters, add=add, leave=leave)
        self._recalls.flush()
        # What a person just wrote in a block's file is a row before it is looked for.
        with block_files.in_step(self._ground):
            pass
        with self._ground.store.snapshot() as snapshot:
            return erase_plan.planned(self._ground, snapshot, self._principal, asked=asked)

    def _asked(
        self,
        means: Mapping[str, str | None],
        *,
        filters: Mapping[str, str] | None = None,
        add: Sequence[str] = (),
        leave: Sequence[str] = (),
    ) -> "erasure.Asked":
        known = {each.value: each for each in erasure.Means}
        for name in means:
            if name not in known or name == erasure.Means.FILTER.value:
                raise BadInput(
                    "Say by one thing what is to go: `id`, `text`, `source`, `person` or `filters`."
                )
        return erase_plan.asked_for(
            {known[name]: None if value is None else text_of(name, value) for name, value in means.items()},
            filters=filters,
            add=texts_of("add", add),
            leave=texts_of("leave", leave),
            now=self._now(),
        )

    def ask_erasure(
        self, *, label: "labels.Label | None" = None, **means: str | None
    ) -> "tuple[str, erasure.Plan]":
        """Ask a person for an erasure; return the request's id, and what its asker may see of the plan.

        Nothing goes.  Takes exactly one of `id`, `text`, `source` and `person`; `label` is that of
        all that the asker has read.  What is asked for twice is one request.
        """
        asked = self._asked(means)
        self._recalls.flush()
        label = label or self.label
        return erase_requests.ask(self._ground, self._principal, asked, label=label)

    def erasure_requests(
        self, *, state: str = "open", after: int = 0, limit: int = 100
    ) -> tuple["erase_requests.Request", ...]:
        """Return the erasures that were asked for, the newest first; for the owner and an admin.

        `state` is open, declined or all; raises BadInput for another.  `after` is the `n` of the
        last one seen.
        """
        states = _REQUEST_STATES.get(state)
        if states is None:
            raise BadInput(f"`state` is {', '.join(_REQUEST_STATES)}.")
        page = page_of(after, limit)
        return erase_requests.requests(self._ground, self._principal, states=states, page=page)

    def requested_erasure(self, id: str) -> "erasure.Plan":
        """Return the plan of a request, to look at and to `erase`; raises StalePlan and NotFound."""
        self._recalls.flush()
        return erase_requests.plan_of(self._ground, self._principal, text_of("id", id))

    def decline_erasure(self, id: str, *, reason: str = "") -> "erase_requests.Request":
        """Decline a request, with a reason that is kept; nothing goes."""
        done = erase_requests.decline(
            self._ground, self._principal, text_of("id", id), reason=reason_of(reason)
        )
        self._witnessing.now()
        return done

    def erase(self, plan: "erasure.Plan") -> "certificates.Certificate":
        """Carry a plan out: a person's act that nothing undoes; return the signed certificate.

        Its status is `logical` until the bytes are out of the files too, which is tried at
        once and else done by a job.  Raises BadInput for anything but a plan, such as an id.
        """
        if not isinstance(plan, erasure.Plan):
            raise BadInput("An erasure takes a plan.", advice="Make one with `plan_erasure`, and look at it.")
        self._recalls.flush()
        erase_again.catch_up(self._ground)
        with block_files.in_step(self._ground):
            certificate = self._erased(plan)
        self._witnessing.now()
        sought = erase_storage.sought_of(self._ground, plan)
        certificate = erase_storage.completed(self._ground, certificate, sought=sought)
        self._witnessing.now()
        return certificate

    def _erased(self, plan: "erasure.Plan") -> "certificates.Certificate":
        """Carry a plan out, a second time when a full disk gave up the room kept back for what takes away.

        One whose line is in the journal already is not: whoever comes next finishes it.
        """
        try:
            return erase.erase(self._ground, self._principal, plan)
        except FullDisk:
            with self._ground.store.snapshot() as snapshot:
                if erase_known.unknown_in(self._ground, snapshot):
                    raise
            return erase.erase(self._ground, self._principal, plan)

    def certificates(self, *, after: int = 0, limit: int = 100) -> tuple["erased_rows.CertificateRow", ...]:
        """Return the notes on erasures, the newest first; for persons and auditors."""
        self._refuse_agents()
        page = page_of(after, limit)
        with self._ground.reading() as snapshot:
            return tuple(islice(certifying.newest_first(snapshot, before=page.after), page.limit))

    def certificate(self, id: str) -> str:
        """Return the newest signed note on one erasure; raises NotFound when there is none."""
        self._refuse_agents()
        with self._ground.reading() as snapshot:
            notes = certifying.newest_first(snapshot)
            newest = next((row for row in notes if row.erasure == text_of("id", id)), None)
        if newest is None:
            raise NotFound(
                "There is no certificate of that id.", advice="`muniment certificates list` lists them."
            )
        return newest.note

    def _refuse_agents(self) -> None:
        if self._principal.role not in EVERYWHERE and self._principal.role is not ActorRole.AUDITOR:
            raise BadInput("Certificates are for the owner, an admin or an auditor.")
