"""When is a module loaded?  Here: at the first use of one of its names.

A command that runs once pays for every module it loads, and most verbs need few of them.
What only some need stands at the top of the file that uses it, where a type checker and
the import contracts see it, and is loaded by the first verb that asks:

    if TYPE_CHECKING:
        from muniment.service import explore
    else:
        explore = Later("muniment.service.explore")
"""

from importlib import import_module
from types import ModuleType


class Later:
    """Stand for a module until one of its names is asked for; safe among threads.

    Each use looks the name up in the module itself: from the first on, its names are the names of this.
    Raises ModuleNotFoundError at the first use of a module that is not there.
    """

    __slots__ = ("__dict__", "_loaded", "_module")

    _module: str
    _loaded: ModuleType | None

    def __init__(self, module: str) -> None:
        _hold(self, "_module", module)
        _hold(self, "_loaded", None)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"`{name}` is set in the module itself")

    def __getattr__(self, name: str) -> object:
        # A write asks several times, and a call for each would take longer than what some of them do.
        if self._loaded is None:
            loaded = import_module(self._module)
            _hold(self, "__dict__", loaded.__dict__)
            _hold(self, "_loaded", loaded)
        return getattr(self._loaded, name)


_hold = object.__setattr__
