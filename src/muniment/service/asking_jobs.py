"""Which background work does a new statement ask for?  One row at most; the work itself is elsewhere."""

from muniment.domain.changes import Job
from muniment.domain.memory import Version
from muniment.domain.timeline import to_micros
from muniment.gate.free_text import looks_around
from muniment.service.draft import Draft

KIND = "contradict"
"""What the job is called; its target is the space, its number the first statement to look at."""


def wanted(draft: Draft, version: Version) -> bool:
    """Ask for the job that compares a new statement; return whether it waits for that.

    The first statement of a space has nothing to be compared with.  All that wait in one
    space share one job.
    """
    if not looks_around(version):
        return False
    first = any(made.row.n == version.space for made in draft.spaces)
    if first and version.space not in draft.ground.free_text:
        draft.ground.free_text.add(version.space)
        return False
    draft.ground.free_text.add(version.space)
    draft.jobs.append(Job(version.n, KIND, version.space, to_micros(draft.recorded)))
    return True
