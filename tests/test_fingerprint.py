"""The fingerprint plays every command, and notices what a change of the code changes."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click

from conftest import ROOT
from deckwright.cli import deckwright

TOOL = ROOT / "tools" / "fingerprint.py"


def commands(command: click.Command, *words: str) -> Iterator[str]:
    if not isinstance(command, click.Group):
        yield " ".join(words)
        return
    context = click.Context(command)
    for name in command.list_commands(context):
        found = command.get_command(context, name)
        assert found
        yield from commands(found, *words, name)


def test_every_command_is_played() -> None:
    text = TOOL.with_suffix(".txt").read_text(encoding="utf-8")
    steps = re.findall(r"^(?:\S+: | +)(.+)$", text, re.MULTILINE)
    names = list(commands(deckwright))
    assert "run merge" in names
    missing = [n for n in names if not any(f"{step} ".startswith(f"{n} ") for step in steps)]
    assert missing == [], "write a step for each in tools/fingerprint.txt"


def test_a_changed_message_is_noticed(tmp_path: Path) -> None:
    source = tmp_path / "source"
    shutil.copytree(ROOT / "src", source / "src", copy_function=os.link)
    package = source / "src" / "deckwright" / "__init__.py"
    text = package.read_text(encoding="utf-8")
    package.unlink()
    package.write_text(re.sub('__version__ = "', '__version__ = "9.', text), encoding="utf-8")

    def play(*options: str) -> subprocess.CompletedProcess[str]:
        only = ("--only", "^-: (--version|icons Schwert)$", "--keep", str(tmp_path / "kept"))
        command = [sys.executable, str(TOOL), *only, *options]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    filled = play()
    assert filled.returncode == 0, filled.stderr
    assert len(filled.stdout.splitlines()) == 2
    compared = play("--source", str(source))
    assert compared.returncode == 1, compared.stderr
    assert "\n1 of 2 stories differ\n" in compared.stdout
    assert "\n== -: --version\nsaid.txt: differs\n" in compared.stdout
    assert "\n    +deckwright, version 9." in compared.stdout
