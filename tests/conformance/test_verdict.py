"""Does a test count only when its claim and its twin both hold?"""

import pytest

from muniment.conformance.adapter import Cannot
from muniment.conformance.asking import Ended, ended, tried
from muniment.conformance.verdict import Claims, Outcome, Pointless


def said(*, claims: tuple[bool, ...] = (True,), twins: tuple[bool, ...] = (True,)) -> Claims:
    made = Claims()
    for at, holds in enumerate(claims):
        made.claim(holds, f"Claim {at} is false.")
    for at, holds in enumerate(twins):
        made.twin(holds, f"Twin {at} is missing.")
    return made


THREE = "Claim 0 is false. Claim 1 is false. Claim 2 is false."
"""No more than three faults are said."""


@pytest.mark.parametrize(
    ("claims", "twins", "outcome", "twin", "sentence"),
    [
        ((True,), (True,), Outcome.HOLDS, Outcome.HOLDS, ""),
        ((True, False), (True,), Outcome.FAILS, Outcome.HOLDS, "Claim 1 is false."),
        ((True,), (False,), Outcome.FAILS, Outcome.FAILS, "Twin 0 is missing."),
        ((False,), (True, False), Outcome.FAILS, Outcome.FAILS, "Claim 0 is false. Twin 1 is missing."),
        ((False,) * 4, (True,), Outcome.FAILS, Outcome.HOLDS, THREE),
    ],
)  # fmt: skip
def test_a_test_holds_when_every_claim_and_every_twin_does(
    claims: tuple[bool, ...], twins: tuple[bool, ...], outcome: Outcome, twin: Outcome, sentence: str
) -> None:
    finding = said(claims=claims, twins=twins).finding("a.test")
    assert (finding.id, finding.outcome, finding.twin, finding.sentence) == (
        "a.test",
        outcome,
        twin,
        sentence,
    )


@pytest.mark.parametrize(("claims", "twins"), [((), (True,)), ((True,), ()), ((), ())])
def test_a_run_without_a_claim_or_without_a_twin_counts_for_nothing(
    claims: tuple[bool, ...], twins: tuple[bool, ...]
) -> None:
    with pytest.raises(Pointless, match=f"{len(claims)} claims and {len(twins)} twins"):
        said(claims=claims, twins=twins).finding("a.test")


def test_a_text_is_looked_for_whatever_its_case() -> None:
    made = Claims()
    made.absent("Heron", "there is a HERON here", "here")
    made.present("Otter", "an oTTer", "here")
    finding = made.finding("a.test")
    assert (finding.outcome, finding.twin, finding.sentence) == (
        Outcome.FAILS,
        Outcome.HOLDS,
        "It was there here.",
    )


def test_a_missing_twin_says_where() -> None:
    made = Claims()
    made.absent("Heron", "an otter", "here")
    made.present("Heron", "an otter", "in the prompt")
    assert made.finding("a.test").sentence == "Its twin was missing in the prompt."


def test_the_same_fault_is_said_once_and_a_note_only_when_all_holds() -> None:
    made = said(claims=(), twins=(True,))
    made.note("Two were tried.")
    made.claim(True, "")
    assert made.finding("a.test").sentence == "Two were tried."
    made.claim(False, "It leaks.")
    made.claim(False, "It leaks.")
    assert made.finding("a.test").sentence == "It leaks."


def test_what_is_lacking_is_no_failure_unless_something_failed_before() -> None:
    lacking = said(claims=(True,)).lacking("a.test", "restart")
    assert (lacking.outcome, lacking.twin) == (Outcome.CANNOT, Outcome.CANNOT)
    assert lacking.sentence == "It has no restart."
    failed = said(claims=(False,)).lacking("a.test", "restart")
    assert (failed.outcome, failed.sentence) == (Outcome.FAILS, "Claim 0 is false.")


def lacks() -> None:
    raise Cannot("restart")


def breaks() -> None:
    raise KeyError("x" * 1000)


@pytest.mark.parametrize(
    ("deed", "outcome"), [(lambda: None, Outcome.HOLDS), (lacks, Outcome.CANNOT), (breaks, Outcome.FAILS)]
)
def test_whatever_a_memory_does_ends_as_a_finding(deed: object, outcome: Outcome) -> None:
    assert callable(deed)
    how = tried(deed)
    finding = ended("a.test", said(), how)
    assert finding.outcome is outcome
    assert how.well is (outcome is Outcome.HOLDS)
    assert len(finding.sentence) <= 300


def test_an_end_that_is_well_is_empty() -> None:
    assert tried(lambda: 1) == Ended()
    assert tried(lacks) == Ended(lacking="restart")
    assert tried(breaks).broken.startswith("It broke: KeyError: 'xxx")


def test_an_interruption_is_not_swallowed() -> None:
    def interrupted() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        tried(interrupted)
