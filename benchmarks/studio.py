"""From a saved file to the new face on the screen: the studio in Chromium, and `typst watch`.

    python benchmarks/studio.py [--saves N] [--only PART]

A card, the face's template and a picture are saved in turn, N times each, in the shipped game and
in one of 1,000 cards. A face counts as shown when it is decoded and a frame has been drawn with it.
At the end the rows of the table in README.md are printed. It takes about four minutes.
"""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from statistics import median, quantiles
from typing import TYPE_CHECKING, NamedTuple

from studio_saves import HERE, Edited, Saver, shipped, thousand, typst_pages

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

PAUSE = 0.3
"""So many seconds the studio has nothing to do before the next file is saved."""
TYPST_SAVES = 6
"""Typst prints all pages again for each save, which takes it seconds."""
PATIENCE = 60
AIMS = {"shipped": 0.15, "thousand": 0.3}
"""The longest that 95 of 100 saves may take, in seconds."""
SCREEN = "… all"
"""After a template has been saved: until all faces on the screen are new."""
LONG_TASK = 0.1
KEY = "a-token-that-the-benchmark-knows"
SERVE = """
import sys
from pathlib import Path
from deckwright.studio.server import serve
serve(Path(sys.argv[1]), token=sys.argv[2], on_ready=lambda url: print(url, flush=True))
"""
WATCH = (HERE / "studio_watch.js").read_text(encoding="utf-8")


class Took(NamedTuple):
    """What a save took until it was seen: seconds, and seconds of processor time of the server."""

    wall: float
    cpu: float


class Row(NamedTuple):
    """A line of the table."""

    program: str
    game: str
    kind: str
    took: list[Took]


def main() -> None:
    """Measure what the command line wants, and print it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--saves", type=int, default=20, help="of each kind (%(default)s)")
    parser.add_argument("--only", choices=["shipped", "thousand", "scroll", "typst"])
    asked = parser.parse_args()
    if "PYTHONDONTWRITEBYTECODE" in os.environ:
        sys.exit("unset PYTHONDONTWRITEBYTECODE")
    rows: list[Row] = []
    before = os.getloadavg()[0]
    with tempfile.TemporaryDirectory() as name, chromium() as browser:
        folder = Path(name)
        if asked.only != "shipped":
            command = [sys.executable, str(HERE / "workloads.py"), name, "deck", "cards"]
            subprocess.run(command, check=True)
        if asked.only in {None, "typst"} and find_spec("typst"):
            for game, made in (("shipped", "deck"), ("thousand", "cards")):
                rows += typst(game, folder / made, folder, min(asked.saves, TYPST_SAVES))
        if asked.only in {None, "shipped"}:
            rows += faces("shipped", shipped(folder / "shipped"), browser, asked.saves)
        if asked.only in {None, "thousand", "scroll"}:
            edited = thousand(folder / "cards")
            if asked.only != "scroll":
                rows += faces("thousand", edited, browser, asked.saves)
            print(scrolled(edited.folder, browser))
    print_table(rows)
    print_rows(rows)
    after = os.getloadavg()[0]
    print(f"\nload of the machine: {before:.1f} before, {after:.1f} after; {os.cpu_count()} cores")


def faces(game: str, edited: Edited, browser: Browser, saves: int) -> Iterator[Row]:
    """Save files while a page of the studio is open, and time when their faces are shown."""
    saver = Saver(edited, edited.folder.parent)
    kinds = [*edited.saves]
    took: dict[str, list[Took]] = {name: [] for name in (*kinds, SCREEN)}
    with studio(edited.folder) as (url, process), opened(browser, url) as page:
        for number in range((saves + 1) * len(kinds)):  # the first of each kind is a warm-up
            name = kinds[number % len(kinds)]
            saver.prepare(name)
            page.evaluate("card => deckwrightWatch.expect(card)", edited.saves[name].card)
            cpu, begin = cpu_of(process.pid), time.time()
            saver.save(name)
            shown = page.evaluate("all => deckwrightWatch.shown(all)", name == "template")
            if shown is None:
                sys.exit(f"{game}: no face came of a save of the {name}")
            if number >= len(kinds):
                spent = cpu_of(process.pid) - cpu
                took[name].append(Took(shown[0] / 1000 - begin, spent))
                if name == "template":
                    took[SCREEN].append(Took(shown[1] / 1000 - begin, spent))
            rest(process.pid)
    return (Row("studio", game, name, listed) for name, listed in took.items())


def scrolled(folder: Path, browser: Browser) -> str:
    """Scroll a wall of 1,000 cards from top to bottom; say which tasks of the page were long."""
    with studio(folder) as (url, _), opened(browser, url) as page:
        time.sleep(2)
        tasks, frames = page.evaluate("deckwrightWatch.scroll()")
    longest = max(tasks, default=0) / 1000
    late = quantiles(frames, n=20)[-1]
    met = "met" if longest <= LONG_TASK else "MISSED"
    return (
        f"scrolled through 1,000 cards: {len(tasks)} tasks over 50 ms, the longest "
        f"{longest * 1000:.0f} ms, aim <= {LONG_TASK * 1000:.0f} ms: {met}; "
        f"95 of 100 frames within {late:.0f} ms"
    )


def typst(game: str, made: Path, beside: Path, saves: int) -> Iterator[Row]:
    """Save files that `typst watch` looks at, and time when the new PDF is whole."""
    edited, pdf = typst_pages(made), beside / f"{game}.pdf"
    saver = Saver(edited, beside)
    took: dict[str, list[Took]] = {name: [] for name in edited.saves}
    arguments = map(str, (HERE / "typst_watch.py", made, "game/img", beside / "fonts", pdf))
    command = [sys.executable, *arguments]
    watching = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        wait_until(lambda: is_whole(pdf, 0), f"typst watch of {made.name}")
        time.sleep(PAUSE)
        for number in range((saves + 1) * len(took)):
            name = [*took][number % len(took)]
            saver.prepare(name)
            before, cpu, begin = pdf.stat().st_mtime_ns, cpu_of(watching.pid), time.time()
            saver.save(name)
            wait_until(lambda before=before: is_whole(pdf, before), f"a {name}")  # type: ignore[misc]
            shown = time.time()
            if number >= len(took):
                took[name].append(Took(shown - begin, cpu_of(watching.pid) - cpu))
            time.sleep(PAUSE)
    finally:
        watching.kill()
        watching.wait()
    return (Row("typst watch", game, name, listed) for name, listed in took.items())


def is_whole(pdf: Path, before: int) -> bool:
    """Tell whether a PDF is newer than `before`, and written to its end."""
    if not pdf.exists() or pdf.stat().st_mtime_ns == before:
        return False
    with pdf.open("rb") as stream:
        stream.seek(0, os.SEEK_END)
        stream.seek(max(stream.tell() - 16, 0))
        return b"%%EOF" in stream.read()


def wait_until(holds: Callable[[], bool], what: str) -> None:
    """Wait until something has come of `what`."""
    end = time.monotonic() + PATIENCE
    while not holds():
        if time.monotonic() > end:
            sys.exit(f"nothing came of {what}")
        time.sleep(0.002)


def cpu_of(process: int) -> float:
    """Return the processor time of a process, in seconds."""
    fields = Path(f"/proc/{process}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def rest(process: int) -> None:
    """Wait until a process has nothing to do: it goes on with faces that are not on the screen."""
    before, end = -1.0, time.monotonic() + PATIENCE
    while before < (now := cpu_of(process)) and time.monotonic() < end:
        before = now
        time.sleep(PAUSE)


@contextmanager
def studio(folder: Path) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """Run a studio; give its address and its process."""
    command = [sys.executable, "-c", SERVE, str(folder), KEY]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        yield process.stdout.readline().strip(), process
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait()


@contextmanager
def chromium() -> Iterator[Browser]:
    """Run Chromium."""
    from playwright.sync_api import sync_playwright  # only here

    found = shutil.which("chromium") or shutil.which("chromium-browser")
    if found is None:
        sys.exit("this needs chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
        yield browser
        browser.close()


@contextmanager
def opened(browser: Browser, url: str) -> Iterator[Page]:
    """Open the studio's page, and wait until all its faces are there."""
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    page.set_default_timeout(PATIENCE * 1000)
    page.add_init_script(WATCH)
    page.goto(url)
    page.wait_for_selector(".tile:not(.pending)")
    page.wait_for_selector(".tile.pending", state="detached")
    time.sleep(2 * PAUSE)
    yield page
    page.close()


def print_table(rows: list[Row]) -> None:
    """Print what saves took."""
    print(
        f"\n{'':12} {'game':9} {'saved':9} {'saves':>5} {'p50':>7} {'p95':>7} {'CPU':>7}   seconds"
    )
    for program, game, kind, took in rows:
        *_, p95 = quantiles([each.wall for each in took], n=20, method="inclusive")
        p50 = median([each.wall for each in took])
        cpu = median([each.cpu for each in took])
        line = f"{program:12} {game:9} {kind:9} {len(took):5} {p50:7.3f} {p95:7.3f} {cpu:7.3f}"
        if program == "studio" and kind != SCREEN:
            aim = AIMS[game]
            line += f"   aim p95 <= {aim} s: {'met' if p95 <= aim else 'MISSED'}"
        print(line)


def print_rows(rows: list[Row]) -> None:
    """Print the rows of the table in README.md: p50 and p95 in seconds."""
    cells: dict[str, dict[str, str]] = {}
    for program, game, kind, took in rows:
        *_, p95 = quantiles([each.wall for each in took], n=20, method="inclusive")
        name = f"{program}, {'shipped game' if game == 'shipped' else '1,000 cards'}"
        cells.setdefault(name, {})[kind] = f"{median(each.wall for each in took):.2f} / {p95:.2f}"
    for name, row in cells.items():
        listed = (row.get(kind, "–") for kind in ("card", "template", "picture"))
        print(f"| {name} | {' | '.join(listed)} |")


if __name__ == "__main__":
    main()
