"""Read files of others and look for what is neither accepted nor refused with a finding.

    python tests/xmlio/read_corpus.py FOLDER... [--seconds N]

Every XML file, drawing and picture below the folders is read as all that it may be, in a child that
is ended if it takes too long. `tests/fuzz.py` damages files of our own instead.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import resource
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from multiprocessing.connection import Connection
from pathlib import Path
from typing import NamedTuple

from deckwright.api.schemas import build_shapes
from deckwright.base.findings import Report
from deckwright.base.geometry import Box
from deckwright.base.strings import sanitize_line
from deckwright.book.shape import rulebook_shape
from deckwright.expressions.expressions import Expressions
from deckwright.game import load
from deckwright.game.folder import GameFolder
from deckwright.game.read import load_valid
from deckwright.game.setup import Setup
from deckwright.game.setup_checks import check_setup
from deckwright.images.drawings.cache import load_drawing
from deckwright.images.drawings.model import DrawingError
from deckwright.images.store import ImageStore
from deckwright.ops.model import DrawImage
from deckwright.sheet.layout import SHEET_SHAPE as SHEET
from deckwright.templates.compiler import TemplateLibrary, compile_template
from deckwright.templates.compose import I006
from deckwright.templates.template_set import make_formatter
from deckwright.xmlio.binding import read_model
from deckwright.xmlio.load import load_document

ROOT = Path(__file__).parents[2]
XML = {".xml", ".xsd", ".xsl", ".rng", ".xhtml", ".svg"}
PICTURES = {".png", ".jpg", ".jpeg", ".gif", ".webp", ".tif", ".tiff", ".bmp", ".svgz", ".ico"}
PATIENCE = 20
"""Seconds that a file may take in all its ways before it counts as one that hangs."""

ADDRESS_SPACE = 2 << 30


class Result(NamedTuple):
    """How one input was taken: `accepted`, `refused`, or what went wrong."""

    name: str
    way: str
    verdict: str
    seconds: float
    megabytes: int


class Reader:
    """Reads inputs in the ways that they may be read."""

    def __init__(self, scratch: Path) -> None:
        setup = load.load_setup(GameFolder(ROOT), [])
        assert setup is not None
        self._shapes = {**build_shapes(setup), "rulebook": rulebook_shape(), "sheet": SHEET}
        self._images = ImageStore(scratch / "cache")
        self._scratch = scratch

    def ways(self, job: str) -> Iterator[tuple[str, Callable[[], Report]]]:
        """Yield the names of the ways to read an input, and what reads it so."""
        path = Path(job)
        ending = path.suffix.lower()
        if ending in XML:
            for shape in self._shapes:
                yield shape, lambda shape=shape: self._valid(path, shape)  # type: ignore[misc]
            yield "setup", lambda: self._setup(path)
            yield "template", lambda: self._template(path)
            yield "drawing", lambda: _drawing(path)
        if ending in PICTURES or ending == ".svg":
            yield "picture", lambda: self._picture(path)

    def _valid(self, path: Path, shape: str) -> Report:
        report: Report = []
        load_valid(path, self._shapes[shape], report)
        return report

    def _setup(self, path: Path) -> Report:
        report: Report = []
        root = load_valid(path, self._shapes["game"], report)
        if root is not None:
            check_setup(root, read_model(Setup, root), report)
        return report

    def _template(self, path: Path) -> Report:
        report: Report = []
        root = load_document(path, report)
        if root is not None:
            library = TemplateLibrary({}, {}, lambda _name, _node, _within: None)
            compile_template(
                root, library, Expressions([path.parent], make_formatter("en")), report
            )
        return report

    def _picture(self, path: Path) -> Report:
        report: Report = []
        self._images.prepare([DrawImage(path, Box(0, 0, 30, 30), cover=True)], report)
        return report


def _drawing(path: Path) -> Report:
    try:
        load_drawing(path, path.stat().st_mtime_ns)
    except DrawingError as error:
        return [I006.at(error.place, str(error), error.hint)]
    return []


def _verdict(report: Report) -> str:
    """Return whether an input was accepted or refused, or what is wrong with its findings."""
    for finding in report:
        if finding.location is None or sanitize_line(finding.message) != finding.message:
            return f"not located: {finding.message}"
    return "refused" if report else "accepted"


def _read(job: str, reader: Reader) -> Iterator[Result]:
    for way, take in reader.ways(job):
        Path("/proc/self/clear_refs").write_text("5", encoding="ascii")
        start = time.process_time()
        try:
            verdict = _verdict(take())
        except Exception as error:  # noqa: BLE001 - that is what is looked for
            last = traceback.extract_tb(error.__traceback__)[-1]
            where = f"{Path(last.filename).name}:{last.lineno}"
            verdict = f"{type(error).__name__} at {where}: {error}"[:300]
        status = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
        peak = next(int(line.split()[1]) for line in status if line.startswith("VmHWM"))
        yield Result(job, way, verdict, time.process_time() - start, peak // 1024)


def _work(pipe: Connection, scratch: Path) -> None:
    """Take jobs from a pipe and answer with their results, until there are no more."""
    os.environ["XDG_CACHE_HOME"] = str(scratch / "home")
    resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE, ADDRESS_SPACE))
    reader = Reader(scratch)
    while (job := pipe.recv()) is not None:
        pipe.send(list(_read(job, reader)))


class Guard:
    """Has a child do jobs, and begins anew with another when one does not come back."""

    def __init__(self, scratch: Path) -> None:
        self._scratch = scratch
        self._number = 0
        self._begin()

    def _begin(self) -> None:
        self._number += 1
        self._pipe, theirs = multiprocessing.Pipe()
        own = self._scratch / str(self._number)
        own.mkdir()
        self._child = multiprocessing.Process(target=_work, args=(theirs, own), daemon=True)
        self._child.start()
        theirs.close()

    def do(self, job: str) -> list[Result]:
        """Return the results of a job; one that says so if it does not end."""
        try:
            self._pipe.send(job)
            if self._pipe.poll(PATIENCE):
                results: list[Result] = self._pipe.recv()
                return results
            verdict = f"no answer in {PATIENCE} seconds"
        except (EOFError, OSError):
            verdict = "the child died"
        self._child.kill()
        self._child.join()
        self._begin()
        return [Result(job, "any", verdict, PATIENCE, 0)]

    def end(self) -> None:
        """End the child."""
        self._child.kill()
        self._child.join()


def _jobs(folders: list[Path]) -> Iterator[str]:
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            if path.suffix.lower() in XML | PICTURES and path.is_file():
                yield str(path)


def main() -> int:
    """Run all jobs; return 1 if anything was neither accepted nor refused."""
    parser = argparse.ArgumentParser(description="Feed files to the reader.")
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--seconds", type=float, default=600, help="when to stop")
    options = parser.parse_args()
    counts: Counter[str] = Counter()
    worst: list[Result] = []
    bad: list[Result] = []
    end = time.monotonic() + options.seconds
    with tempfile.TemporaryDirectory() as scratch:
        guard = Guard(Path(scratch))
        for job in _jobs(options.folders):
            if time.monotonic() > end:
                sys.stdout.write("stopped for time\n")
                break
            counts["inputs"] += 1
            for result in guard.do(job):
                known = result.verdict in {"accepted", "refused"}
                counts[f"{result.way}: {result.verdict if known else 'FAILED'}"] += 1
                if not known:
                    bad.append(result)
                    sys.stdout.write(f"FAILED {result}\n")
                worst.append(result)
        guard.end()
    for name, count in sorted(counts.items()):
        sys.stdout.write(f"{count:7} {name}\n")
    for title, key in (("slowest", 3), ("largest", 4)):
        for result in sorted(worst, key=lambda result: -float(result[key]))[:3]:
            sys.stdout.write(f"{title}: {result}\n")
    sys.stdout.write(f"{len(bad)} neither accepted nor refused\n")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
