"""Is a module really loaded at its first use, and not before?  In processes of their own."""

import subprocess
import sys
from typing import get_type_hints

import pytest

from muniment.later import Later
from muniment.service.arguments import RememberFields
from muniment.service.session import Session
from muniment.service.vault import Vault

_NAMED = "import sys; from muniment.later import Later; late = Later('colorsys'); "


def _holds(statement: str) -> bool:
    done = subprocess.run([sys.executable, "-c", _NAMED + statement], capture_output=True, check=False)
    assert done.returncode in (0, 1), done.stderr.decode()
    return done.returncode == 0


@pytest.mark.parametrize(
    ("use", "is_loaded"), [("pass", False), ("repr(late)", False), ("late.rgb_to_hsv", True)]
)
def test_a_late_module_is_loaded_by_the_first_use_of_a_name(use: str, *, is_loaded: bool) -> None:
    assert _holds(f"{use}; sys.exit('colorsys' not in sys.modules)") is is_loaded


def test_a_late_module_gives_what_the_module_gives() -> None:
    late = Later("muniment.limits")
    from_it = late.hits_max
    assert isinstance(from_it, int)
    assert from_it == Later("muniment.limits").hits_max
    with pytest.raises(AttributeError, match="no_such_name"):
        _ = late.no_such_name


def test_a_late_module_gives_what_the_module_says_now(monkeypatch: pytest.MonkeyPatch) -> None:
    late = Later("muniment.limits")
    before = late.hits_max
    monkeypatch.setattr("muniment.limits.hits_max", before + 1)
    assert late.hits_max == before + 1
    monkeypatch.delattr("muniment.limits.hits_max")
    with pytest.raises(AttributeError, match="hits_max"):
        _ = late.hits_max


def test_a_late_module_that_is_not_there_says_so_when_it_is_used() -> None:
    late = Later("muniment.no_such_module")
    with pytest.raises(ModuleNotFoundError, match="no_such_module"):
        _ = late.anything


@pytest.mark.parametrize("holder", [Vault, Session])
def test_every_verb_can_be_asked_what_it_takes_and_gives(holder: type[Vault] | type[Session]) -> None:
    found = [getattr(holder, name) for name in dir(holder) if not name.startswith("__")]
    hints = [get_type_hints(verb) for verb in found if callable(verb)]
    assert len(hints) > 20
    assert all("return" in each for each in hints)
    assert get_type_hints(holder.remember)["return"].__name__ == "Receipt"
    assert "evidence" in get_type_hints(RememberFields)
