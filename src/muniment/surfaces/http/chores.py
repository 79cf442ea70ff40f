"""Who does the background work while a daemon runs?  One thread: at the start, when told, and now and then.

At the start it catches up with whatever was left to do while no daemon ran.
"""

import threading

from muniment import limits
from muniment.errors import MunimentError
from muniment.service.vault import Vault


class Chores:
    """Do what is due, one run after the other; `failures` counts the runs that could not be done."""

    def __init__(self, vault: Vault) -> None:
        self._vault = vault
        self._told = threading.Event()
        self._is_stopping = False
        self._thread = threading.Thread(target=self._work, name="muniment chores")
        self.runs = 0
        self.failures = 0

    def start(self) -> None:
        """Begin, with what is due already."""
        self._told.set()
        self._thread.start()

    def tell(self) -> None:
        """Say that there may be something to do; it is done soon, and what was told twice once."""
        self._told.set()

    def stop(self) -> None:
        """End after the run that is at work; jobs that are left wait for the next start."""
        self._is_stopping = True
        self._told.set()
        self._thread.join()

    def _work(self) -> None:
        while True:
            self._told.wait(limits.chores_seconds_max)
            self._told.clear()
            if self._is_stopping:
                return
            try:
                self._vault.settle()
            except MunimentError:
                # A busy or closed store: what is due stays due, and `doctor` names jobs that stick.
                self.failures += 1
            self.runs += 1
