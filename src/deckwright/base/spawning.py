"""Processes that begin afresh, and do not run the program's own script again.

Python's do run it (`multiprocessing.spawn.prepare`), so that it must guard all that it does by
`if __name__ == "__main__"`. Nothing that we call in workers is the script's.
"""

from __future__ import annotations

import sys
from multiprocessing.context import SpawnContext, SpawnProcess
from multiprocessing.process import BaseProcess
from types import ModuleType
from typing import Any


class _Process(SpawnProcess):
    """A process that is told nothing of the script."""

    @staticmethod
    def _Popen(process_obj: BaseProcess) -> Any:  # noqa: ANN401, N802 - as in multiprocessing
        script = sys.modules["__main__"]
        sys.modules["__main__"] = ModuleType("__main__")
        try:
            return SpawnProcess._Popen(process_obj)  # noqa: SLF001 - that is how they begin
        finally:
            sys.modules["__main__"] = script


class Spawning(SpawnContext):
    """What a pool of workers gets its processes from."""

    Process = _Process
