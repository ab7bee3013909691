"""Print runs: what a worker does in a minute, two workers, a hundred in a simulation, and others.

    python benchmarks/runs.py [--decks N] [--personal N] [--few N] [--no-others]

One worker prints N decks of the shipped game, no two alike; then two print half of them each, at
the same time. Then one prints decks all of whose cards have a number and a code of their own.
Deckwright, ReportLab by hand, Typst and WeasyPrint print a few decks with the face of the
benchmarks. Rates are by processor time, unless they are said to be by wall time.
"""

from __future__ import annotations

import argparse
import heapq
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

HERE = Path(__file__).parent
REPOSITORY = HERE.parent

PAGES, MEMORY, TOGETHER = 8_000, 150, 0.9
"""What is aimed at: pages a minute and core, MiB a worker, and the share of what two would do."""
SHARD, WORKERS, MANY = 50, 100, 1_000_000
TELL = (100, 1_000, 10_000)
PERSONAL = 6_000
"""What is aimed at if no two decks have a face in common: pages a minute and core."""
MARKS = """  <g when="printed.serial">
    <rect x="3" y="3" width="14" height="14" fill="#ffffff"/>
    <code value="{{ printed.serial }}-{{ card.id }}" x="3.5" y="3.5" width="13" level="L"/>
    <text x="20" y="3" width="30" height="4" font-size="6pt">No. {{ printed.serial }}</text>
  </g>
</face>
"""
OTHERS = ("deckwright", "reportlab", "typst", "weasyprint")
_SLOW = {"weasyprint": 3}
"""How many decks are enough of slow programs."""

Line = dict[str, Any]


class Worked(NamedTuple):
    """What a worker did, deck by deck.

    Attributes:
        start: seconds of processor time until its first deck.
        costs: those of each deck.
        wall: seconds from its first deck to its last.
    """

    start: float
    costs: list[float]
    pages: int
    size: int
    wall: float
    lines: list[Line]

    @property
    def settled(self) -> list[float]:
        """The costs of decks whose faces had been painted before, in the second half."""
        return self.costs[len(self.costs) // 2 :]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--decks", type=int, default=10_000)
    parser.add_argument("--personal", type=int, default=1_000, help="decks with cards of their own")
    parser.add_argument("--few", type=int, default=20, help="decks for the other programs")
    parser.add_argument("--no-others", action="store_true")
    asked = parser.parse_args()
    if os.environ.get("PYTHONDONTWRITEBYTECODE"):
        parser.exit(2, "PYTHONDONTWRITEBYTECODE is set: everything would be compiled each time\n")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        run(folder, asked.decks)
        with_own_cards(folder / "own", asked.personal)
        if not asked.no_others:
            beside(folder, asked.few)


def run(folder: Path, number: int) -> None:
    """Print decks with one worker and with two, and tell of many."""
    decks = made(folder, number)
    (alone,) = worked(folder, [decks])
    print(f"one worker, {number:,} decks of the shipped game, {alone.pages:,} pages:")
    for line in alone.lines:
        if line["decks"] in {*TELL, number}:
            print(f"  after {line['decks']:>6,} decks {line['resident']:>6.1f} MiB")
    per_deck = sum(alone.settled) / len(alone.settled)
    each = alone.pages / number
    rate = each / per_deck * 60
    most = max(line["resident"] for line in alone.lines)
    print(
        f"  {alone.start:.2f} s of processor time to start; {sum(alone.costs):.1f} s for all decks"
    )
    print(f"  {alone.wall:.1f} s of wall time; {alone.size / number / 1024:,.0f} KiB a deck")
    print(f"  {per_deck * 1000:.1f} ms a deck of {each:.2f} pages once faces are painted")
    aim("pages a minute and core", f"{rate:,.0f}", f">= {PAGES:,}", met=rate >= PAGES)
    aim("MiB of memory at most", f"{most:.0f}", f"<= {MEMORY}", met=most <= MEMORY)
    print(f"  {MANY:,} decks: {per_deck * MANY / 3600:.1f} hours of one core, by this slope")

    halves = [folder / "one", folder / "other"]
    for index, path in enumerate(sorted(decks.glob("*.xml"))):
        home = halves[index % 2]
        home.mkdir(exist_ok=True)
        path.rename(home / path.name)
    both = worked(folder, halves)
    together = sum(sum(half.settled) / len(half.settled) for half in both) / 2
    share = per_deck / together
    wall = alone.wall / max(half.wall for half in both) / 2
    print("two workers at a time, half of the decks each:")
    aim("of linear, by processor time", f"{share:.0%}", f">= {TOGETHER:.0%}", met=share >= TOGETHER)
    print(f"  {wall:.0%} of linear by wall time, on {os.cpu_count()} cores with a load of "
          f"{os.getloadavg()[0]:.1f}")  # fmt: skip
    linear, busy = simulated(alone, folder)
    print(f"{WORKERS} workers, {MANY:,} decks in shards of {SHARD}, simulated with these costs:")
    aim("of linear", f"{linear:.0%}", f">= {TOGETHER:.0%}", met=linear >= TOGETHER)
    print(f"  {busy:.1%} of its time the process that hands out shards has work")


def with_own_cards(folder: Path, number: int) -> None:
    """Print decks with one worker, each card with a number and a code that no other deck has."""
    game = folder / "game"
    for part in ("xml", "img", "templates"):
        shutil.copytree(REPOSITORY / part, game / part)
    face = game / "templates" / "card.xml"
    before, _, _ = face.read_text(encoding="utf-8").rpartition("</face>")
    face.write_text(before + MARKS, encoding="utf-8")
    (alone,) = worked(folder, [made(folder, number)], game, "personal")
    per_deck = sum(alone.settled) / len(alone.settled)
    rate = alone.pages / number / per_deck * 60
    most = max(line["resident"] for line in alone.lines)
    print(f"one worker, {number:,} decks with cards of their own:")
    aim("pages a minute and core", f"{rate:,.0f}", f">= {PERSONAL:,}", met=rate >= PERSONAL)
    aim("MiB of memory at most", f"{most:.0f}", f"<= {MEMORY}", met=most <= MEMORY)


def aim(what: str, got: str, wanted: str, *, met: bool) -> None:
    """Print a figure beside what is aimed at."""
    print(f"  {got} {what}, aim {wanted}: {'met' if met else 'MISSED'}")


def made(folder: Path, number: int) -> Path:
    """Write decks in a process of its own, and return their folder."""
    decks = folder / "decks"
    code = (
        "import sys; from pathlib import Path; from deckwright.api import open_game;"
        "from run_decks import write_decks;"
        "game, decks, number = sys.argv[1:];"
        "write_decks(open_game(game).model, Path(decks), int(number))"
    )
    command = [sys.executable, "-c", code, str(REPOSITORY), str(decks), str(number)]
    subprocess.run(command, check=True, cwd=HERE)
    return decks


def worked(
    folder: Path, decks: Sequence[Path], game: Path = REPOSITORY, *more: str
) -> list[Worked]:
    """Run a worker for each folder of decks, all at the same time, and return what they did."""
    processes = []
    for index, home in enumerate(decks):
        out = folder / f"out{index}"
        out.mkdir(exist_ok=True)
        script = str(HERE / "run_worker.py")
        command = [sys.executable, script, str(game), str(home), str(out), *more]
        processes.append(subprocess.Popen(command, stdout=subprocess.PIPE, text=True))
    told = [process.communicate()[0] for process in processes]
    if any(process.returncode for process in processes):
        raise SystemExit("a worker has failed")
    return [_worked([json.loads(line) for line in text.splitlines()]) for text in told]


def _worked(lines: list[Line]) -> Worked:
    first, last = lines[0], lines[-1]
    costs = [cost for line in lines for cost in line["costs"]]
    size: int = last["bytes"]
    return Worked(first["cpu"], costs, last["pages"], size, last["wall"] - first["wall"], lines[1:])


def simulated(alone: Worked, folder: Path) -> tuple[float, float]:
    """Simulate many workers; return their share of linear, and how busy what feeds them is.

    Each worker starts as the one that was measured did, with decks that cost what its first decks
    cost; then decks cost what later ones cost, by chance. One process at a time hands out shards
    and enters them in the manifest.
    """
    chance = random.Random(WORKERS)
    cold, warm = alone.costs[: len(alone.costs) // 2], alone.settled
    handing = _handing(folder)
    free = 0.0
    workers = [(alone.start, worker, 0) for worker in range(WORKERS)]
    heapq.heapify(workers)
    work, ends = 0.0, 0.0
    for _ in range(MANY // SHARD):
        ready, worker, shards = heapq.heappop(workers)
        free = max(free, ready) + handing
        first = cold[shards * SHARD : (shards + 1) * SHARD]
        took = sum(first) if len(first) == SHARD else sum(chance.choices(warm, k=SHARD))
        work += took
        ends = max(ends, free + took)
        heapq.heappush(workers, (free + took, worker, shards + 1))
    ideal = MANY * sum(warm) / len(warm) / WORKERS
    return ideal / ends, handing * (MANY // SHARD) / ends


def _handing(folder: Path) -> float:
    """Return the seconds that it takes to hand out a shard and to enter its decks, lastingly."""
    entry = {"deck": "0000001", "file": "0000001.pdf", "digest": "0" * 40, "pages": 6}
    times = 50
    began = time.perf_counter()
    with (folder / "manifest.jsonl").open("a", encoding="utf-8") as stream:
        for _ in range(times):
            lines = [json.dumps(entry) for _ in range(SHARD)]
            json.loads(json.dumps(lines))
            stream.write("\n".join(lines) + "\n")
            stream.flush()
            os.fsync(stream.fileno())
    return (time.perf_counter() - began) / times


def beside(folder: Path, few: int) -> None:
    """Print the same few decks with each program."""
    subprocess.run([sys.executable, HERE / "workloads.py", folder, "deck"], check=True)
    folders = _folders(folder, 2 * few)
    print(f"\n{few} decks with the face of the benchmarks; each program in one process that has")
    print("printed as many others before:")
    print(f"  {'program':<12} {'decks':>6} {'ms/deck':>9} {'pages/min':>10} {'MiB':>6}")
    pages: list[list[int]] = []
    for program in _installed():
        used = folders[: 2 * _SLOW.get(program, few)]
        command = [sys.executable, HERE / "run_others.py", program, folder / "fonts"]
        done = subprocess.run(
            [*map(str, command), *map(str, used)],
            check=True,
            capture_output=True,
            text=True,
        )
        told = json.loads(done.stdout)
        each = told["cpu"] / told["decks"]
        pages.append(told["pages"])
        rate = told["timed"] / told["cpu"] * 60
        print(f"  {program:<12} {told['decks']:>6} {each * 1000:>9.1f} {rate:>10,.0f} "
              f"{told['peak']:>6.0f}")  # fmt: skip
    if any(len(set(deck)) > 1 for deck in zip(*pages, strict=False)):
        print("  not all have as many pages:", *pages)


def _installed() -> Iterable[str]:
    return [name for name in OTHERS if find_spec(name) is not None]


def _folders(folder: Path, number: int) -> list[Path]:
    """Make a folder for each deck, with its list, and its data for the other programs."""
    code = (
        "import json, shutil, sys; from pathlib import Path;"
        "from deckwright.api import open_game; from deckwright.game.folder import GameFolder;"
        "from face_data import face_data; from run_decks import write_decks;"
        "home, game, number = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]);"
        "paths = write_decks(open_game(game).model, game / 'xml' / 'Decks', number);"
        "[((home / p.stem).mkdir(), (home / p.stem / 'cards.json').write_text("
        "json.dumps(face_data(GameFolder(game), p.stem), ensure_ascii=False), encoding='utf-8'),"
        "p.rename(home / p.stem / 'deck.xml')) for p in paths]"
    )
    game = folder / "deck" / "game"
    command = [sys.executable, "-c", code, str(folder), str(game), str(number)]
    subprocess.run(command, check=True, cwd=HERE)
    homes = sorted(path.parent for path in folder.glob("deck*/deck.xml"))
    for home in homes:
        shutil.copy(HERE / "typst_face.typ", home / "face.typ")
    return homes


if __name__ == "__main__":
    main()
