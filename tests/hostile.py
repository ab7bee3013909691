"""Run Deckwright as a child with bounded means, and see what it needs. Nothing here is a test."""

from __future__ import annotations

import json
import os
import re
import resource
import runpy
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NamedTuple

CPU_SECONDS = int(os.environ.get("HOSTILE_CPU", "60"))
ADDRESS_SPACE = 2 << 30
"""What a child is ended at: twenty times as long as the slowest takes, so that machines may be slow
or busy."""

MEGABYTES = 300
"""What a file of two megabytes may take."""

LARGEST = 1_990_000
"""Nearly as large as a file may be."""

_WATCHED = {"open": 0, "os.listdir": 0, "os.scandir": 0, "socket.connect": 1, "subprocess.Popen": 0}
"""Audit events, and which argument of theirs names what is touched."""


class Outcome(NamedTuple):
    """How a child ended.

    Attributes:
        code: its exit code; negative for the signal that ended it.
        said: what it wrote to standard error.
        seconds: the CPU time that it took, with its own children.
        megabytes: the most memory that it held, or one of its children.
        touched: the files and folders that it opened, and hosts that it called.
    """

    code: int
    said: str
    seconds: float
    megabytes: int
    touched: frozenset[str]

    @property
    def friendly(self) -> bool:
        """Whether it ended with findings, or with nothing to complain of."""
        return self.code in {0, 1, 2, 3} and "Traceback" not in self.said

    @property
    def bounded(self) -> bool:
        """Whether it was friendly, came to its end and needed no more memory than it should."""
        within = self.megabytes <= MEGABYTES
        return self.friendly and within and "MemoryError" not in self.said

    def codes(self) -> set[str]:
        """Return the codes of the findings."""
        return set(re.findall(r": (?:error|warning) ([A-Z][0-9]{3}): ", self.said))


def hostile(
    *arguments: str | Path,
    cwd: Path,
    cpu: int = CPU_SECONDS,
    memory: int = ADDRESS_SPACE,
    program: str = "deckwright",
) -> Outcome:
    """Run a program of this environment with bounded CPU time and address space."""
    with tempfile.TemporaryDirectory() as scratch:
        notes, seen = Path(scratch) / "notes", Path(scratch) / "seen"
        limits = [str(cpu), str(memory), scratch, program]
        try:
            done = subprocess.run(
                [sys.executable, __file__, *limits, *map(str, arguments)],
                cwd=cwd,
                capture_output=True,
                stdin=subprocess.DEVNULL,
                timeout=10 * cpu,
                check=False,
            )
        except subprocess.TimeoutExpired as error:
            said = (error.stderr or b"").decode(errors="replace")
            return Outcome(-9, f"{said}\n(did not end)", 10 * cpu, 0, frozenset())
        said = done.stderr.decode(errors="replace")
        if not notes.exists():
            return Outcome(done.returncode, f"{said}\n(was ended)", cpu, 0, frozenset())
        seconds, megabytes = json.loads(notes.read_text(encoding="utf-8"))
        touched = frozenset(map(json.loads, seen.read_text(encoding="utf-8").splitlines()))
    return Outcome(done.returncode, said, seconds, megabytes, touched)


def checked(game: Path, *arguments: str | Path, cpu: int = CPU_SECONDS) -> Outcome:
    """Return how `deckwright check` of a stranger's game ends."""
    return hostile("check", "--untrusted", "--game", game, *arguments, cwd=game.parent, cpu=cpu)


Files = list[tuple[str, str | bytes]]
"""Files of a game by name."""


def look(game: Path, files: Files, expected: str) -> Outcome:
    """Check a game with these files: it must end well, and say what is expected.

    Args:
        expected: the code of a finding; "" for none at all.
    """
    assert all(len(content) <= 2_000_000 for _, content in files)
    limits = ("--max-seconds", "3", "--max-memory", "260") if expected == "L007" else ()
    outcome = checked(write_all(game, files), *limits)
    assert outcome.bounded, f"{outcome[0]} {outcome[2:4]} {outcome.said[:500]}"
    assert len(outcome.said) < 100_000
    codes = outcome.codes()
    assert expected in codes or (not expected and not codes), outcome.said[:500]
    return outcome


def drawing(body: str, canvas: str = 'viewBox="0 0 9 9"') -> str:
    """Return an SVG drawing."""
    return f'<svg xmlns="http://www.w3.org/2000/svg" {canvas}>{body}</svg>'


def foreign(outcome: Outcome, *own: Path) -> list[str]:
    """Return what a child touched that is neither in the folders `own` nor part of Python."""
    known = [Path(sys.prefix), Path(sys.base_prefix), Path(__file__).parent.parent, *own]
    known += [Path(os.environ.get("XDG_CACHE_HOME", "/nowhere"))]
    known += [Path("/proc/self/status"), Path("/proc/self/statm")]
    roots = [folder for path in known for folder in (path, path.resolve())]
    paths = (Path(touched) for touched in sorted(outcome.touched))
    return [str(path) for path in paths if not any(path.is_relative_to(root) for root in roots)]


def filled(head: str, unit: Callable[[int], str], tail: str, size: int = LARGEST) -> str:
    """Return `head`, as many units as there is room for in `size` bytes, and `tail`."""
    parts: list[str] = []
    left = size - len(head) - len(tail)
    for part in iter(lambda: unit(len(parts)), None):
        left -= len(part.encode())
        if left < 0:
            break
        parts.append(part)
    return head + "".join(parts) + tail


def write_all(folder: Path, files: Iterable[tuple[str, str | bytes]]) -> Path:
    """Write files below a folder; return it."""
    for name, content in files:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder


def _child(cpu: str, memory: str, scratch: str, program: str, *arguments: str) -> None:
    """Run a program within limits, and note what it and its own children needed."""
    touched: set[str] = set()
    seen = os.open(Path(scratch) / "seen", os.O_WRONLY | os.O_CREAT | os.O_APPEND)

    def note(event: str, details: tuple[Any, ...]) -> None:
        if event in _WATCHED and not isinstance(details[_WATCHED[event]], int):
            name = _named(details[_WATCHED[event]])
            if name not in touched and not name.startswith(scratch):
                touched.add(name)
                os.write(seen, f"{json.dumps(name)}\n".encode())

    resource.setrlimit(resource.RLIMIT_CPU, (int(cpu), int(cpu) + 1))
    resource.setrlimit(resource.RLIMIT_AS, (int(memory), int(memory)))
    sys.argv[:] = [program, *arguments]
    sys.path[0] = str(Path(__file__).parent)
    sys.addaudithook(note)
    try:
        runpy.run_module(program, run_name="__main__", alter_sys=True)
    finally:
        own = resource.getrusage(resource.RUSAGE_SELF)
        others = resource.getrusage(resource.RUSAGE_CHILDREN)
        seconds = own.ru_utime + own.ru_stime + others.ru_utime + others.ru_stime
        lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
        peak = next((int(line.split()[1]) for line in lines if line.startswith("VmHWM")), 0)
        result = [round(seconds, 2), max(peak, others.ru_maxrss) // 1024]
        (Path(scratch) / "notes").write_text(json.dumps(result), encoding="utf-8")


def _named(thing: object) -> str:
    """Return a path or address as text."""
    if isinstance(thing, (str, bytes, os.PathLike)):
        return str(Path(os.fsdecode(thing)).absolute())
    return str(Path.cwd()) if thing is None else f"/{thing}"


if __name__ == "__main__":
    _child(*sys.argv[1:])
