"""Runs Deckwright in a child process with limited resources, and measures what it uses.

The children are forked from a server process that has imported Deckwright, once per test worker.
"""

from __future__ import annotations

import json
import os
import re
import resource
import signal
import sys
import tempfile
from collections.abc import Callable, Iterable, Mapping
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple

CPU_SECONDS = int(os.environ.get("HOSTILE_CPU", "60"))
ADDRESS_SPACE = 2 << 30
"""The limits of a child: twenty times what the slowest needs, for slow or busy machines."""

MEGABYTES = 560
"""The memory allowed for a file of two megabytes: a little more than the limit of a layout."""

MAX_FILE_BYTES = 1_990_000
"""Just below the maximum size of a file."""

_DIVISOR = 1 if os.environ.get("REST_OF_CORPUS") else 16
"""The divisor for excessive inputs; `make corpus` uses them in full."""


def scale_down(number: int) -> int:
    """Scale a number down for ordinary test runs."""
    return max(1, number // _DIVISOR)


MASS = scale_down(MAX_FILE_BYTES)
"""The size of a file with an excess of one kind of element."""

_WATCHED_EVENTS = {
    "open": 0,
    "os.listdir": 0,
    "os.scandir": 0,
    "socket.connect": 1,
    "subprocess.Popen": 0,
}
"""Audit events, and the index of the argument that names the file or host."""


class Outcome(NamedTuple):
    """The outcome of a child process.

    Attributes:
        code: its exit code; negative for the signal that ended it.
        said: its output to standard error.
        megabytes: the peak memory of it or one of its children.
        touched: the files and folders that it opened, and the hosts that it connected to.
    """

    code: int
    said: str
    megabytes: int
    touched: frozenset[str]

    @property
    def is_friendly(self) -> bool:
        """True if it ended cleanly, with or without findings."""
        return self.code in {0, 1, 2, 3} and "Traceback" not in self.said

    @property
    def bounded(self) -> bool:
        """True if it ended cleanly and within its memory limit."""
        within = self.megabytes <= MEGABYTES
        return self.is_friendly and within and "MemoryError" not in self.said

    def codes(self) -> set[str]:
        """Return the codes of the findings."""
        return set(re.findall(r": (?:error|warning) ([A-Z][0-9]{3}): ", self.said))


_SERVER = get_context("forkserver")
_SERVER.set_forkserver_preload(
    [
        "hostile",
        "deckwright.cli.check",
        "deckwright.cli.run",
        "deckwright.checking.whole_layout",
        "deckwright.checks.cards",
        "deckwright.paint.pdf.book",
        "deckwright.paint.pdf.form_writer",
        "deckwright.api.checking",
        "deckwright.outputs.decks",
        "deckwright.runs.engine",
        "deckwright.runs.reprinting",
        "deckwright.runs.worker",
        "deckwright.templates.program",
        "concurrent.futures",
        "difflib",
        "fontTools.svgLib.path",
        "openpyxl",
        "PIL.Image",
    ]
)


def run_command(*arguments: str) -> None:
    """Run `deckwright` as its script does."""
    from deckwright.cli import main

    sys.argv[:] = ["deckwright", *arguments]
    main()


def run_all_of_runs(folder: str) -> None:
    """Try each command on a run; end with the highest exit code.

    It is here, as a child imports the module of its program: that of a test would cost it more
    than the commands do.
    """
    code = 0
    for words in ("status", "prove A-1.AAAA", "reprint A-1", "merge", "verify", "start --retry"):
        command, *more = words.split()
        try:
            run_command("run", command, folder, *more)
        except SystemExit as error:
            code = max(code, int(error.code or 0))
    sys.exit(code)


def run_bounded(
    *arguments: str | Path,
    cwd: Path,
    cpu: int = CPU_SECONDS,
    memory: int = ADDRESS_SPACE,
    program: Callable[..., None] = run_command,
) -> Outcome:
    """Run a program in a child with limits on CPU time and address space."""
    with tempfile.TemporaryDirectory() as scratch:
        job = _Job(program, tuple(map(str, arguments)), cwd, cpu, memory, Path(scratch))
        child = _SERVER.Process(target=_run_child, args=(job, dict(os.environ)))
        child.start()
        child.join(10 * cpu)
        if child.exitcode is None:
            child.kill()
            child.join()
        code = child.exitcode or 0
        child.close()
        stderr = (job.scratch / "said").read_bytes().decode(errors="replace")
        notes = job.scratch / "notes"
        if not notes.exists():
            return Outcome(code, f"{stderr}\n(was ended)", 0, frozenset())
        megabytes = json.loads(notes.read_text(encoding="utf-8"))
        seen = (job.scratch / "seen").read_text(encoding="utf-8")
        touched = frozenset(map(json.loads, seen.splitlines()))
    return Outcome(code, stderr, megabytes, touched)


def check_untrusted(game: Path, *arguments: str | Path, cpu: int = CPU_SECONDS) -> Outcome:
    """Run `deckwright check --untrusted` on a game."""
    return run_bounded("check", "--untrusted", "--game", game, *arguments, cwd=game.parent, cpu=cpu)


Files = list[tuple[str, str | bytes]]
"""Files of a game by name."""


def check_files(game: Path, files: Files, expected: str) -> Outcome:
    """Check a game with these files; assert that it ends cleanly with the expected finding.

    Args:
        expected: the code of the finding; "" for none.
    """
    assert all(len(content) <= 2_000_000 for _, content in files)
    limits = ("--max-seconds", "3", "--max-memory", "260") if expected == "L007" else ()
    outcome = check_untrusted(write_all(game, files), *limits)
    assert outcome.bounded, f"{outcome.code} {outcome.megabytes} {outcome.said[:500]}"
    assert len(outcome.said) < 100_000
    codes = outcome.codes()
    # A card is printed without a picture that cannot be used.
    known = expected in codes or (expected.startswith("I") and codes & {"I009", "I010"})
    assert known or (not expected and not codes), outcome.said[:500]
    return outcome


def drawing(body: str, canvas: str = 'viewBox="0 0 9 9"') -> str:
    """Return an SVG drawing."""
    return f'<svg xmlns="http://www.w3.org/2000/svg" {canvas}>{body}</svg>'


def find_foreign_paths(outcome: Outcome, *own: Path) -> list[str]:
    """Return the paths that a child touched outside the folders `own` and of Python."""
    known = [Path(sys.prefix), Path(sys.base_prefix), Path(__file__).parent.parent, *own]
    known += [Path(os.environ.get("XDG_CACHE_HOME", "/nowhere"))]
    known += [Path("/proc/self/status"), Path("/proc/self/statm")]
    roots = [folder for path in known for folder in (path, path.resolve())]
    paths = (Path(touched) for touched in sorted(outcome.touched))
    return [str(path) for path in paths if not any(path.is_relative_to(root) for root in roots)]


def fill_up(head: str, unit: Callable[[int], str], tail: str, size: int = MASS) -> str:
    """Return `head` and `tail` with as many units between as fit into `size` bytes."""
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


class _Job(NamedTuple):
    """A program to run in a child, with its arguments and limits.

    Attributes:
        scratch: the folder for its output and measurements.
    """

    program: Callable[..., None]
    arguments: tuple[str, ...]
    cwd: Path
    cpu: int
    memory: int
    scratch: Path


def _run_child(job: _Job, environment: Mapping[str, str]) -> None:
    """Run a program within limits, and record the memory that it and its children used."""
    os.setsid()
    os.chdir(job.cwd)
    os.environ.clear()
    os.environ.update(environment)
    for number, name in ((0, os.devnull), (1, os.devnull), (2, job.scratch / "said")):
        os.dup2(os.open(name, os.O_RDWR | os.O_CREAT), number)
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115 - as long as the child
    sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stderr = open(2, "w", encoding="utf-8", closefd=False, buffering=1)  # noqa: SIM115
    signal.signal(signal.SIGINT, signal.default_int_handler)
    touched: set[str] = set()
    seen = os.open(job.scratch / "seen", os.O_WRONLY | os.O_CREAT | os.O_APPEND)

    def note(event: str, details: tuple[Any, ...]) -> None:
        if event in _WATCHED_EVENTS and not isinstance(details[_WATCHED_EVENTS[event]], int):
            name = _name_touched(details[_WATCHED_EVENTS[event]])
            if name not in touched and not name.startswith(str(job.scratch)):
                touched.add(name)
                os.write(seen, f"{json.dumps(name)}\n".encode())

    resource.setrlimit(resource.RLIMIT_CPU, (job.cpu, job.cpu + 1))
    resource.setrlimit(resource.RLIMIT_AS, (job.memory, job.memory))
    sys.addaudithook(note)
    try:
        job.program(*job.arguments)
    finally:
        lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
        peak = next((int(line.split()[1]) for line in lines if line.startswith("VmHWM")), 0)
        children = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
        (job.scratch / "notes").write_text(json.dumps(max(peak, children) // 1024))


def _name_touched(thing: object) -> str:
    """Return a path or address as text."""
    if isinstance(thing, (str, bytes, os.PathLike)):
        return str(Path(os.fsdecode(thing)).absolute())
    return str(Path.cwd()) if thing is None else f"/{thing}"
