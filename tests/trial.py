"""Smoke test of an installed Deckwright: `python tests/trial.py`.

Creates a game from each example in a new folder, checks it and prints everything. It needs only
the package, runs on every system, and tests the wheels of releases.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

GAMES = ("starter", "festival", "warlords", "duel", "orbit", "woodland", "blank")


def deckwright(folder: Path, *arguments: str) -> None:
    """Run a command in a folder; exit if it fails."""
    print("deckwright", *arguments, f"({folder.name})", flush=True)  # noqa: T201 - as it goes
    command = [sys.executable, "-m", "deckwright", *arguments]
    subprocess.run(command, cwd=folder, check=True)


def main() -> None:
    """Run all commands in a temporary folder."""
    with tempfile.TemporaryDirectory() as name:
        home = Path(name)
        deckwright(home, "--version")
        for game in GAMES:
            deckwright(home, "new", game, "--like", game)
            deckwright(home / game, "check", "--untrusted")
            if game != "blank":
                deckwright(home / game, "build")
                printed = list((home / game / "out").glob("*.pdf"))
                assert len(printed) > 1, f"{game} has printed {printed}"
                assert all(p.read_bytes().rstrip().endswith(b"%%EOF") for p in printed)
        deckwright(home, "new", "repository", "--repository")
        assert (home / "repository" / ".github" / "workflows" / "cards.yml").is_file()
        (home / "cards.csv").write_text("Suit,Rank\nHearts,Ace\nSpades,7\n", encoding="utf-8")
        deckwright(home, "new", "table", "--from", "cards.csv")
        assert (home / "table" / "templates" / "playing.xml").is_file()
        starter = home / "starter"
        deckwright(starter, "proof")
        assert list((starter / "out" / "proof").glob("*.png"))
        deckwright(starter, "export", "xlsx")
        deckwright(starter, "import", "xlsx", str(Path("out", "cards.xlsx")), "--dry-run")
        deckwright(starter, "fmt", "--check")
        deckwright(starter, "schema")


if __name__ == "__main__":
    main()
