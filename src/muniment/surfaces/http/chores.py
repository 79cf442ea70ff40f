"""Who does the background work while a daemon runs?  One thread: at the start, when told, and now and then.

At the start it catches up with whatever was left to do while no daemon ran.
"""

import threading

from muniment import limits
from muniment.domain.check import Check
from muniment.errors import MunimentError
from muniment.service.vault import Vault


class Chores:
    """Do what is due, one run after the other.

    `runs` counts them, `failures` those that could not be done, and `fault` names the error of
    the last one, empty when it went well.
    """

    def __init__(self, vault: Vault) -> None:
        self._vault = vault
        self._told = threading.Event()
        self._is_stopping = False
        self._thread = threading.Thread(target=self._work, name="muniment chores")
        self.runs = 0
        self.failures = 0
        self.fault = ""

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
            self.fault = self._run()
            self.failures += bool(self.fault)
            self.runs += 1

    def _run(self) -> str:
        """Do what is due and return what went wrong: it stays due, and the next run tries again."""
        try:
            self._vault.settle()
        except MunimentError as error:
            return error.code
        except Exception as error:  # noqa: BLE001  one error that nobody foresaw may not end all later work
            return type(error).__name__
        return ""

    def check(self) -> Check:
        """Return how the background work stands, for `doctor`."""
        if self.fault:
            return Check("chores", False, f"The last of {self.runs} runs could not be done: {self.fault}.")
        return Check("chores", True, f"{self.runs} runs of background work, the last one went well.")
