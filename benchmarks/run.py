"""Measure Deckwright against Typst and WeasyPrint, which make the same pages, and print a table.

    python benchmarks/run.py [--runs N] [--small | --workload NAME...] [--keep DIR]

Programs take turns, so that what else the machine does falls on all of them alike.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path

from measure import Cost, ProgramFailedError, measure, median_cost, spread
from programs import (
    AIMS,
    BOUNDS,
    CHECK,
    CHECK_COLD,
    CHECK_EDITED,
    COLD,
    DECKWRIGHT,
    FIRST,
    HELP,
    HERE,
    MOST_CPU,
    OPENED,
    OTHERS,
    PROOF,
    PROOF_COLD,
    REPOSITORY,
    SHIPPED,
    SHIPPED_EDITED,
    SHIPPED_FIRST,
    SMALL,
    TITLES,
    UNMADE,
    Aim,
    Program,
    programs_of,
)

OURS = {
    *(DECKWRIGHT, FIRST, COLD, CHECK, CHECK_COLD, CHECK_EDITED, HELP, PROOF, PROOF_COLD, OPENED),
    *(SHIPPED, SHIPPED_EDITED, SHIPPED_FIRST),
}


@dataclass(slots=True)
class Result:
    """What the runs of a program cost and made.

    Attributes:
        size: of the PDF in bytes; 0 if there is none.
        text: a sum of its text.
    """

    program: Program
    costs: list[Cost] = field(default_factory=list)
    size: int = 0
    pages: int = 0
    text: str = ""

    @property
    def cost(self) -> Cost:
        """The medians of the runs."""
        return median_cost(self.costs)


def main() -> int:
    """Run what the command line asks for; return the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--runs", type=int, default=5, help="measured runs (default: 5)")
    parser.add_argument(
        "--workload",
        action="append",
        choices=list(TITLES),
        help="measure this one; may be given more than once (default: all)",
    )
    parser.add_argument(
        "--keep", type=Path, metavar="DIR", help="work in DIR, a new folder, and leave all there"
    )
    parser.add_argument(
        "--small", action="store_true", help=f"measure what takes seconds: {', '.join(SMALL)}"
    )
    options = parser.parse_args()
    if sys.dont_write_bytecode:
        parser.error(
            "PYTHONDONTWRITEBYTECODE is set, so every run would compile all modules again: unset it"
        )
    wanted = SMALL if options.small else options.workload or TITLES
    names = [name for name in TITLES if name in wanted]
    if options.runs < 1:
        parser.error("--runs must be at least 1")
    if options.keep is not None:
        if options.keep.exists():
            parser.error(f"{options.keep} exists; name a new folder")
        options.keep.mkdir(parents=True)
    place = nullcontext(str(options.keep)) if options.keep else tempfile.TemporaryDirectory()
    try:
        with place as folder:
            return _run(names, Path(folder).resolve(), options.runs)
    except ProgramFailedError as error:
        print(f"a program failed: {error}", file=sys.stderr)
        return 1


def _run(names: Sequence[str], folder: Path, runs: int) -> int:
    _progress("making the workloads")
    needed = [name for name in names if name not in UNMADE]
    measure((sys.executable, str(HERE / "workloads.py"), str(folder), *needed), {})
    print("\n".join(_heading(runs)))
    code = 0
    for name in names:
        results = _measure(name, folder, runs)
        print("\n" + TITLES[name] + "\n")
        print("\n".join(_costs(results)))
        printed = [result for result in results if result.program.out is not None]
        if len({(result.pages, result.text) for result in printed}) > 1:
            print("\nThe programs did not print the same pages: no comparison.")
            print("\n".join(f"  {r.program.name}: {r.pages} pages, {r.text}" for r in printed))
            code = 1
            continue
        print("\n" + "\n".join([*_ratios(name, results), *_bounds(name, results)]), flush=True)
    return code


def _measure(workload: str, folder: Path, runs: int) -> list[Result]:
    """Run the programs of a workload in turns."""
    results = [Result(program) for program in programs_of(workload, folder)]
    cache = folder / "cache"
    for number in range(runs + 1):
        _progress(f"{workload}: " + (f"run {number} of {runs}" if number else "warming up"))
        for result in results:
            program = result.program
            if program.slow and number != 1:
                continue
            if program.edited is not None:
                _change_card(program.edited, number)
            used = folder / "cache-of-first-prints" if program.first else cache
            if program.first:
                shutil.rmtree(used / "deckwright" / "prints", ignore_errors=True)
            with tempfile.TemporaryDirectory(dir=folder) as empty:
                home = empty if program.cold else str(used)
                cost = measure(program.command, {"XDG_CACHE_HOME": home})
            if number:
                result.costs.append(cost)
    _look(results)
    return results


def _change_card(path: Path, number: int) -> None:
    """Change the strength of a card in a copy of the shipped game, which is made if need be."""
    game = path.parents[2]
    if not game.exists():
        for part in ("xml", "img", "templates"):
            shutil.copytree(REPOSITORY / part, game / part)
    text = path.read_text(encoding="utf-8")
    path.write_text(re.sub('strength="[0-9]+"', f'strength="{number}"', text, count=1), "utf-8")


def _look(results: Sequence[Result]) -> None:
    """Note sizes, pages and text of the PDFs that programs wrote."""
    written = [(r, r.program.out) for r in results if r.program.out is not None]
    if not written:
        return
    command = [sys.executable, str(HERE / "pdf_facts.py"), *(str(path) for _, path in written)]
    facts = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    for (result, path), (pages, text) in zip(written, facts, strict=True):
        result.size, result.pages, result.text = path.stat().st_size, pages, text


def _heading(runs: int) -> Iterator[str]:
    yield ", ".join(f"{name} {version(name)}" for name in ("deckwright", *OTHERS))
    yield f"Python {platform.python_version()}, {os.cpu_count()} processors"
    yield f"medians of {runs} runs; spread is slowest minus fastest, as a share of the median"


def _costs(results: Sequence[Result]) -> Iterator[str]:
    yield _row("", "wall s", "spread", "CPU s", "peak MiB", "file KB", "pages", "runs")
    for result in results:
        cost = result.cost
        size, pages = (f"{result.size / 1000:.0f}", str(result.pages)) if result.size else ("", "")
        apart = f"{spread(result.costs):.0%}" if len(result.costs) > 1 else ""
        yield _row(
            result.program.name,
            f"{cost.wall:.3f}",
            apart,
            f"{cost.cpu:.3f}",
            f"{cost.peak:.1f}",
            size,
            pages,
            str(len(result.costs)),
        )


def _ratios(workload: str, results: Sequence[Result]) -> Iterator[str]:
    """Yield what Deckwright costs as shares of what the others cost."""
    others = [result for result in results if result.program.name not in OURS]
    if not others:
        return
    yield _row("ratio", "wall", "", "CPU", "peak", "file", "", "aim (wall)")
    aims = {(aim.program, aim.other): aim for aim in AIMS if aim.workload == workload}
    ours = [result for result in results if result.program.name in OURS]
    for mine in ours:
        for other in others:
            a, b = mine.cost, other.cost
            size = f"{mine.size / other.size:.2f}" if other.size else ""
            yield _row(
                f"{mine.program.name} / {_short(other.program.name)}",
                f"{a.wall / b.wall:.2f}",
                "",
                f"{a.cpu / b.cpu:.2f}",
                f"{a.peak / b.peak:.2f}",
                size,
                "",
                _verdict(aims.get((mine.program.name, other.program.name)), a.wall / b.wall),
            )


def _short(name: str) -> str:
    return "python" if name.startswith("python") else name


def _verdict(aim: Aim | None, ratio: float) -> str:
    if aim is None:
        return ""
    return f"<= {aim.most:.2f} {'met' if ratio <= aim.most else 'MISSED'}"


def _bounds(workload: str, results: Sequence[Result]) -> Iterator[str]:
    """Yield Deckwright's processor time, memory and output beside their bounds."""
    for result in results:
        name, cpu = result.program.name, result.cost.cpu
        most = MOST_CPU.get((workload, name))
        if most is not None:
            met = "met" if cpu <= most else "MISSED"
            yield f"{name}: {cpu:.2f} s of CPU, aim <= {most} s: {met}"
    if workload == "open":
        [opened] = results
        done = subprocess.run(opened.program.command, check=True, capture_output=True, text=True)
        yield from done.stdout.splitlines()
    for bound in BOUNDS:
        if bound.workload != workload:
            continue
        yield ""
        for result in results:
            name, peak = result.program.name, result.cost.peak
            if name == DECKWRIGHT:
                met = "met" if peak <= bound.peak else "MISSED"
                yield f"{name}: peak memory {peak:.1f} MiB, aim <= {bound.peak:.0f} MiB: {met}"
                met = "met" if result.size <= bound.size else "MISSED"
                sizes = f"{result.size / 1e6:.2f} MB, aim <= {bound.size / 1e6:.0f} MB"
                yield f"{name}: output {sizes}: {met}"


def _row(name: str, *values: str) -> str:
    cells = "".join(f"{value:>10}" for value in values[:-1])
    return f"{name:<54}{cells}  {values[-1]}".rstrip()


def _progress(what: str) -> None:
    print(what, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
