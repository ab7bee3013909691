"""Helpers for tests of revisions: git commands, and the small game's files."""

from __future__ import annotations

import subprocess
from pathlib import Path

from pypdf import PdfReader

from conftest import Run

CARDS = Path("xml") / "Factions" / "RW_cards.xml"
RULES = Path("xml") / "rules.xml"
SETUP = Path("xml") / "game.xml"
FACTIONS = Path("xml") / "factions_definition.xml"
DECK = Path("xml") / "Decks" / "river.xml"
TEMPLATE = Path("templates") / "card.xml"


def git(folder: Path, *arguments: str, given: str | None = None) -> str:
    """Return the output of a git command."""
    identity = ("-c", "user.name=t", "-c", "user.email=t@example.org")
    done = subprocess.run(
        ["git", *identity, *arguments],
        cwd=folder,
        check=True,
        capture_output=True,
        text=True,
        input=given,
    )
    return done.stdout.strip()


def track(folder: Path) -> Path:
    """Turn a folder into a repository and commit it as `v1`; return the folder."""
    git(folder, "init", "-q")
    commit(folder)
    return folder


def commit(folder: Path, tag: str = "v1") -> None:
    """Commit all files in a folder, and tag the commit."""
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "--allow-empty", "-m", tag)
    git(folder, "tag", tag)


def diff_lines(run: Run, *arguments: str) -> list[str]:
    """Return the lines that `diff --no-pdf` prints; assert that it succeeds."""
    result = run("diff", *arguments, "--no-pdf", "-q")
    assert result.stderr == ""
    assert result.exit_code == 0
    return result.stdout.splitlines()


def texts(pdf: Path) -> list[str]:
    """Return the texts of a PDF's pages."""
    return [page.extract_text() for page in PdfReader(pdf).pages]
