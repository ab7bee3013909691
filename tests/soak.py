"""Edit a game in the studio for an hour, and kill a run of thousands of decks: `make soak`.

    python tests/soak.py [--minutes 60] [--decks 20000] [--kills 50] [--seed 1]

Ends with exit code 1 if an edit is lost, the studio's memory grows, or a deck is missing or wrong.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import secrets
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

import psutil
from lxml import etree

from deckwright.studio.guard import PROOF_PATH, TOKEN_HEADER, sign

ROOT = Path(__file__).parent.parent
SERVE = """
import sys
from pathlib import Path
from deckwright.studio.server import serve
serve(Path(sys.argv[1]), on_ready=lambda address: print(address, flush=True))
"""
GROWTH = 1.1
"""How much more memory the last third of the time may need than the second."""


class Studio:
    """What a page asks of a studio."""

    def __init__(self, address: str) -> None:
        self.origin, token = address.split("/#")
        self.key = ""
        run = self.ask(f"{PROOF_PATH}?nonce={secrets.token_hex(16)}")["run"]
        self.key = sign(token, int(self.origin.rpartition(":")[2]), run, "page")

    def ask(self, path: str, body: Any = None) -> Any:
        """Return the answer; None if the studio has refused it because the file has changed."""
        request = urllib.request.Request(
            self.origin + path,
            None if body is None else json.dumps(body).encode(),
            {
                TOKEN_HEADER: self.key,
                "Origin": self.origin,
                "Content-Type": "application/json",
            },
        )
        try:
            with urllib.request.urlopen(request, timeout=120) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            if error.code == 429:
                time.sleep(1)
                return self.ask(path, body)
            if error.code == 409:
                return None
            raise


def say(line: str) -> None:
    """Print a line at once."""
    print(line, flush=True)  # noqa: T201 - how far it is


def edit_for(minutes: float, seed: int) -> None:
    """Save cards in the studio and in their files, at random, and compare the files at the end."""
    choose = random.Random(seed)
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        for part in ("xml", "img", "templates"):
            shutil.copytree(ROOT / part, folder / part)
        command = [sys.executable, "-c", SERVE, str(folder)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            try:
                assert process.stdout is not None
                studio = Studio(process.stdout.readline().strip())
                costs, memory = edit_at_random(studio, folder, process.pid, minutes, choose)
            finally:
                process.terminate()
        cards = [etree.parse(path).iter("card") for path in folder.glob("xml/Factions/*.xml")]
        found = {card.get("id"): card.get("costs") for each in cards for card in each}
    lost = {key: (value, found[key]) for key, value in costs.items() if found[key] != value}
    third = len(memory) // 3
    second, last = max(memory[third : 2 * third]), max(memory[2 * third :])
    say(f"memory: {second} MiB in the second third, {last} MiB in the last")
    assert not lost, f"edits are lost (wanted, found): {lost}"
    assert last <= second * GROWTH, "the studio's memory grows"


def edit_at_random(
    studio: Studio, folder: Path, pid: int, minutes: float, choose: random.Random
) -> tuple[dict[str, str], list[int]]:
    """Return the costs that cards have now, by their ids, and the memory in MiB after each edit."""
    costs: dict[str, str] = {}
    memory: list[int] = []
    refused, end = 0, time.monotonic() + minutes * 60
    while time.monotonic() < end or len(memory) < 9:
        rows = [row for row in studio.ask("/api/grid")["rows"] if row["values"].get("costs")]
        rows = choose.sample([row for row in rows if "/" not in row["id"]], choose.randint(1, 5))
        edits = {row["id"]: str(choose.randint(1, 20)) for row in rows}
        if choose.random() < 0.5:
            drafts = [
                {key: row[key] for key in ("faction", "id", "state")}
                | {"values": {"costs": edits[row["id"]]}}
                for row in rows
            ]
            if studio.ask("/api/grid/save", {"cards": drafts, "anyway": True}) is None:
                refused += 1
                continue
        else:
            for row in rows:
                path = folder / row["place"]["path"]
                pattern = rf'(<card id="{row["id"]}"[^>]* costs=")\d+'
                old = path.read_text("utf-8")
                text, number = re.subn(pattern, rf"\g<1>{edits[row['id']]}", old)
                assert number == 1, row
                path.write_text(text, "utf-8")
        costs |= edits
        studio.ask("/api/wall")
        memory.append(psutil.Process(pid).memory_info().rss >> 20)
        if len(memory) % 100 == 0:
            say(f"{len(memory)} edits, {refused} refused, {memory[-1]} MiB")
    say(f"{len(memory)} edits of {len(costs)} cards, {refused} refused")
    return costs, memory


def kill_run(decks: int, kills: int, seed: int) -> None:
    """Print a run, kill its processes at random times, go on each time, and verify it."""
    choose = random.Random(seed)
    with tempfile.TemporaryDirectory() as temporary:
        run, lines = Path(temporary, "run"), Path(temporary, "decks.jsonl")
        game = ["--game", str(ROOT / "examples" / "mosaic")]
        call("generate", *game, "--seed", str(seed), "--count", str(decks), "--out", str(lines))
        call("run", "plan", str(lines), *game, "--out", str(run))
        done = 0
        for kill in range(kills):
            with subprocess.Popen([*PROGRAM, "run", "start", str(run), "--quiet"]) as process:
                try:
                    process.wait(choose.uniform(1, 20))
                    break
                except subprocess.TimeoutExpired:
                    for each in (*psutil.Process(process.pid).children(recursive=True), process):
                        each.kill()
            before, done = done, len(list(run.rglob("*.pdf")))
            say(f"killed {kill + 1} times, {done} decks")
            assert done >= before, "a printed deck is gone"
        call("run", "start", str(run), "--quiet")
        call("run", "verify", str(run))


PROGRAM = [sys.executable, "-m", "deckwright"]


def call(*arguments: str) -> None:
    """Run a command; end if it fails."""
    subprocess.run([*PROGRAM, *arguments], check=True)


def main() -> None:
    """Do both."""
    parser = argparse.ArgumentParser(description=__doc__)
    for name, default in (("minutes", 60), ("decks", 20_000), ("kills", 50), ("seed", 1)):
        parser.add_argument(f"--{name}", type=float if name == "minutes" else int, default=default)
    given = parser.parse_args()
    edit_for(given.minutes, given.seed)
    kill_run(given.decks, given.kills, given.seed)


if __name__ == "__main__":
    main()
