"""When does the process look for reference cycles?  Not while a batch is taken in."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def uncollected() -> Iterator[None]:
    """Look for no reference cycles meanwhile, unless somebody has switched that off anyway.

    A bounded batch makes thousands of small values that all live until its end: to walk them again
    and again takes a twenty-fifth of its time and finds nothing.  It is the whole process that looks
    for none, so nothing that waits for somebody belongs in here.
    """
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
