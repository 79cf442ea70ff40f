"""Memory for AI agents that can be corrected, and can prove it.

`open` gives a vault: `remember`, `recall`, `revise`, `reject`, `why` and the rest.
"""

from muniment.errors import MunimentError
from muniment.wiring import open_vault as open
from muniment.wiring import reference_vault

__version__ = "0.1.0"

__all__ = ["MunimentError", "__version__", "open", "reference_vault"]
