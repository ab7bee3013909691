"""The same question has the same answer in every process."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from random_games import random_game


def test_two_processes_write_the_same_deck(tmp_path: Path) -> None:
    assert random_game(tmp_path, 4, cards=30) is not None
    solve = [sys.executable, "-m", "deckwright", "solve", "AA", "--game", str(tmp_path)]
    written = []
    for seed in ("1", "2"):
        out = tmp_path / f"{seed}.xml"
        subprocess.run(
            [*solve, "--maximize", "n - m", "--out", str(out), "--name", "Best"],
            env={**os.environ, "PYTHONHASHSEED": seed},
            check=True,
            capture_output=True,
        )
        written.append(out.read_bytes())
    assert written[0].count(b"<card") > 10
    assert written[0] == written[1]
