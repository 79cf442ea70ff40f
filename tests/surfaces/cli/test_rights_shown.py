"""Does `verify` say whose built-in rights are on record?"""

import pytest

from muniment.domain.rights import RIGHTS, digest_of
from muniment.service.findings import Report
from muniment.surfaces.cli.care import show_report


@pytest.mark.parametrize(
    ("rights", "said"),
    [
        (digest_of(RIGHTS), f"on record are those of this release: {digest_of(RIGHTS)[:16]}."),
        ("0" * 64, "on record are those of another release: 0000000000000000."),
    ],
)
def test_the_rights_on_record_are_said_to_be_of_this_release_or_another(
    capsys: pytest.CaptureFixture[str], rights: str, said: str
) -> None:
    show_report(Report(True, 1, 1, (), 0, "00", None, rights))
    assert said in capsys.readouterr().out


def test_without_a_daemon_nothing_is_said_of_rights(capsys: pytest.CaptureFixture[str]) -> None:
    show_report(Report(True, 1, 1, (), 0, "00", None))
    assert "rights" not in capsys.readouterr().out
