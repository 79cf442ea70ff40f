"""Memory for AI agents that can be corrected, and can prove it.

`open` gives a vault: `remember`, `recall`, `revise`, `reject`, `why` and the rest.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from muniment.adapters.project import read_hints as hints
    from muniment.adapters.project import read_project as project
    from muniment.errors import MunimentError
    from muniment.wiring import open_vault as open
    from muniment.wiring import reference_vault

__version__ = "0.1.0"

__all__ = ["MunimentError", "__version__", "hints", "open", "project", "reference_vault"]

# Loaded at the first use: `muniment --help` needs neither a store nor an analyser.
_HOMES = {
    "MunimentError": ("muniment.errors", "MunimentError"),
    "hints": ("muniment.adapters.project", "read_hints"),
    "open": ("muniment.wiring", "open_vault"),
    "project": ("muniment.adapters.project", "read_project"),
    "reference_vault": ("muniment.wiring", "reference_vault"),
}


def __getattr__(name: str) -> object:
    """Return a public name, loading its home the first time."""
    if name not in _HOMES:
        raise AttributeError(f"module 'muniment' has no attribute {name!r}")
    home, attribute = _HOMES[name]
    found: object = getattr(import_module(home), attribute)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    """Return the public names, loaded or not."""
    return sorted({*globals(), *__all__})
