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


class Later:
    """Stand for a module until one of its names is asked for; safe among threads.

    Each use looks the name up in the module itself, so nothing is remembered here.  Raises
    ModuleNotFoundError at the first use of a module that is not there.
    """

    __slots__ = ("_module",)

    def __init__(self, module: str) -> None:
        self._module = module

    def __getattr__(self, name: str) -> object:
        return getattr(import_module(self._module), name)
