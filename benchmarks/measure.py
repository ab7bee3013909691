"""Run a program as a whole process and measure it: time, processor time, peak memory.

This module must stay small: what the system reports as a process's peak memory is never less than
the size of the process that started it, which is the one that imports this.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

_MAXRSS_BYTES = 1 if sys.platform == "darwin" else 1024
"""The unit of `ru_maxrss`: bytes on macOS, KiB elsewhere."""


class ProgramFailedError(Exception):
    """A measured program ended with an exit code other than 0."""


@dataclass(frozen=True, slots=True)
class Cost:
    """What a run cost.

    Attributes:
        wall, cpu: seconds; `cpu` is user and system time of all threads.
        peak: MiB of resident memory.
    """

    wall: float
    cpu: float
    peak: float


def measure(command: Sequence[str], environment: Mapping[str, str]) -> Cost:
    """Run `command` and return what it cost.

    Raises:
        ProgramFailedError: if it fails; with what it wrote to standard error.
    """
    with tempfile.TemporaryFile() as errors:
        begin = time.perf_counter()
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=errors,
            env={**os.environ, **environment},
        )
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - begin
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            errors.seek(0)
            message = f"{' '.join(command)}\n{errors.read().decode(errors='replace')}"
            raise ProgramFailedError(message)
    cpu = usage.ru_utime + usage.ru_stime
    return Cost(wall, cpu, usage.ru_maxrss * _MAXRSS_BYTES / 2**20)


def median(values: Sequence[float]) -> float:
    """Return the middle of `values`, or between the two in the middle."""
    ordered = sorted(values)
    half = len(ordered) // 2
    return ordered[half] if len(ordered) % 2 else (ordered[half - 1] + ordered[half]) / 2


def median_cost(costs: Sequence[Cost]) -> Cost:
    """Return the medians of several runs."""
    return Cost(
        median([cost.wall for cost in costs]),
        median([cost.cpu for cost in costs]),
        median([cost.peak for cost in costs]),
    )


def spread(costs: Sequence[Cost]) -> float:
    """Return how far the wall times lie apart, as a share of their median."""
    walls = [cost.wall for cost in costs]
    return (max(walls) - min(walls)) / median(walls)
