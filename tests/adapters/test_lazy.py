"""Is a module loaded at the first use of its name, once, and never for nothing?"""

import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import ModuleType

import pytest

from muniment.later import Later

CONTENT = """
import pathlib
place = pathlib.Path(__file__).parent / "loaded"
place.write_text(place.read_text() + "x" if place.exists() else "x")
NUMBER = 7
def doubled(value):
    return 2 * value
"""


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Write a module that notes each time it is loaded, and return its name."""
    name = "loaded_when_it_is_used"
    (tmp_path / f"{name}.py").write_text(CONTENT, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    yield name
    sys.modules.pop(name, None)


def loads(tmp_path: Path) -> int:
    place = tmp_path / "loaded"
    return len(place.read_text(encoding="utf-8")) if place.exists() else 0


def test_naming_a_module_does_not_load_it(tmp_path: Path, module: str) -> None:
    later = Later(module)
    assert loads(tmp_path) == 0
    assert module not in sys.modules
    assert later.NUMBER == 7
    assert loads(tmp_path) == 1


def test_a_module_is_loaded_once_however_often_it_is_used(tmp_path: Path, module: str) -> None:
    one, other = Later(module), Later(module)
    assert [one.NUMBER, other.NUMBER, one.doubled(3)] == [7, 7, 6]
    assert loads(tmp_path) == 1


def test_what_a_name_means_is_looked_up_each_time(module: str) -> None:
    """A test, or a reload, may give the module another value; nothing old is remembered."""
    later = Later(module)
    assert later.NUMBER == 7
    sys.modules[module].NUMBER = 8
    assert later.NUMBER == 8


def test_it_hands_out_the_modules_own_things(module: str) -> None:
    later = Later(module)
    function = later.doubled
    assert isinstance(sys.modules[module], ModuleType)
    assert function is sys.modules[module].doubled


@pytest.mark.parametrize("name", ["absent", "_private", "__version__"])
def test_a_name_that_the_module_lacks_is_an_attribute_error(module: str, name: str) -> None:
    with pytest.raises(AttributeError, match=name):
        getattr(Later(module), name)
    assert not hasattr(Later(module), name)


def test_a_module_that_is_not_there_is_told_at_its_first_use() -> None:
    later = Later("muniment.no_such_module")
    with pytest.raises(ModuleNotFoundError, match="no_such_module"):
        later.anything()


def test_a_module_that_fails_is_told_each_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "failing_module.py").write_text("raise RuntimeError('not today')", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    later = Later("failing_module")
    for _ in range(2):
        with pytest.raises(RuntimeError, match="not today"):
            later.anything()


def test_it_holds_nothing_that_could_be_set(module: str) -> None:
    with pytest.raises(AttributeError):
        Later(module).NUMBER = 8
    used = Later(module)
    number = used.NUMBER
    with pytest.raises(AttributeError):
        used.NUMBER = 8
    assert number == Later(module).NUMBER


def test_many_threads_load_it_once(tmp_path: Path, module: str) -> None:
    later = Later(module)
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda value: later.doubled(value), range(64)))
    assert found == [2 * value for value in range(64)]
    assert loads(tmp_path) == 1
