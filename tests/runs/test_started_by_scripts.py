"""Programs may use the library as the docs show it, without a guard around their main part."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from support import card, line, write_game

SCRIPT = """
import threading
from pathlib import Path
from deckwright.base.workers import map_parallel
from deckwright.runs import plan_run

print("begins")
line = '{"id": "A-%d", "faction": "AA", "cards": [{"id": "A1", "amount": 3}]}\\n'
Path("decks.jsonl").write_text("".join(line % number for number in range(4)))
ran = plan_run("game", "decks.jsonl", "run").start(workers=2)
threading.Thread(target=threading.Event().wait, daemon=True).start()  # beside it, nothing forks
print(ran.printed, sum(map_parallel(abs, [-1] * 20)))
"""


def test_a_script_is_run_once_whatever_workers_it_has(tmp_path: Path) -> None:
    write_game(tmp_path / "game", [card("A1", "Ant")], decks={"one": [line("A1")]})
    (tmp_path / "script.py").write_text(SCRIPT)
    ended = subprocess.run(
        [sys.executable, "script.py"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert (ended.stdout, ended.stderr) == ("begins\n4 20\n", "")
