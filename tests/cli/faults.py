"""A small game, and builds of it as programs that can be stopped, starved and shut out.

Nothing here is a test.
"""

from __future__ import annotations

import os
import select
import shutil
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest
from PIL import Image

from support import card, line, write_game

FACE = """<face>
  <rect width="65" height="90" fill="lime"/>
  <image when="card.image" href="{{ card.image }}" x="10" y="10" width="40" height="40"/>
  <text x="5" y="55" width="55" height="20">{{ card.name }}</text>
</face>
"""

LIMIT_SECONDS = 300
"""More than any build takes, however busy the machine is."""


WRITTEN = 1_700_000_000
"""When the files of a game were written, in seconds since 1970."""


def write_pictures(folder: Path) -> Path:
    """Write a game with a deck `plain`, and a deck `pictures` that shows a PNG and a JPEG."""
    cards = [
        card("A1", "Ant", image="a.png", costs=2),
        card("A2", "Bee", image="b.jpg"),
        card("A3", "Crow"),
    ]
    decks = {"pictures": [line("A1"), line("A2")], "plain": [line("A3")]}
    write_game(folder, cards, decks=decks, face=FACE)
    (folder / "img").mkdir()
    for name in ("a.png", "b.jpg"):
        Image.linear_gradient("L").convert("RGB").resize((600, 600)).save(folder / "img" / name)
    for path in folder.rglob("*.*"):
        os.utime(path, (WRITTEN, WRITTEN))  # a PDF bears the date of the newest file
    return folder


Made = dict[str, bytes]
"""Files by name."""

PLAIN, PICTURES = "deck_plain.pdf", "deck_pictures.pdf"


class At(StrEnum):
    """Places to stop at."""

    COMPOSING = "deckwright.templates.compose:Composer.compose:before"
    PAINTING = "deckwright.paint.pdf.objects:PdfFile.finish:before"
    OPENED = "os:open:after"
    REPLACING = "os:replace:before"
    REPLACED = "os:replace:after"
    REMOVING = "os:unlink:before"
    LEAVING = "deckwright.cli.common:exit_with_findings:before"
    CACHING = "PIL.Image:Image.save:before"
    READ = "deckwright.paint.pdf.document:PdfWriter.write:before"
    STAMPING = "deckwright.checking.layout_check:Stamp.__init__:before"


OUTPUTS = {
    "unread": 'mkfifo f; exec 3<>f; exec 4>f; exec 3<&-; exec "$@" >&4 4>&-',
    "closed": 'exec "$@" >&-',
    "full": 'exec "$@" >/dev/full',
}
"""Scripts for `shell` with a standard output that takes nothing; a pipe may have no reader."""


class Ended(NamedTuple):
    """How a program ended: its exit code and what it said."""

    code: int
    out: str
    said: str

    @property
    def calm(self) -> bool:
        """Whether it ended without a traceback and without blaming itself."""
        fault = self.code in {70, 120} or self.code < 0
        return not fault and "Traceback" not in self.said and "bug in Deckwright" not in self.said


HOLDING = """
import importlib, os, sys

def hold(place):
    module, path, when = place.split(":")
    *owners, name = path.split(".")
    owner = importlib.import_module(module)
    for part in owners:
        owner = getattr(owner, part)
    original = getattr(owner, name)

    def held(*arguments, **options):
        if name in {"open", "replace"} and ".pdf" not in str(arguments[name == "replace"]):
            return original(*arguments, **options)
        setattr(owner, name, original)
        result = original(*arguments, **options) if when == "after" else None
        os.write(1, b"here\\n")
        os.read(0, 1)
        return result if when == "after" else original(*arguments, **options)

    setattr(owner, name, held)

for place in sys.argv.pop(1).split():
    hold(place)
from deckwright.cli import main
main()
"""
"""Runs `deckwright`, but stops before or after the first call of a function, as
`module:function:before` says, until it reads a byte. What is opened or replaced must be a PDF."""


class Held:
    """A run of `deckwright` that stops at places until it is told to go on."""

    def __init__(self, folder: Path, places: str, *arguments: str) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", HOLDING, places, *arguments],
            cwd=folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def reach(self) -> None:
        """Wait until it stops at its next place."""
        stream = self._process.stdout
        assert stream is not None
        ready, _, _ = select.select([stream], [], [], LIMIT_SECONDS)
        found = stream.readline() if ready else ""
        if found != "here\n":
            self._process.kill()
            raise AssertionError(found + self._process.communicate()[1])

    def send(self, number: int) -> None:
        self._process.send_signal(number)

    def stop(self, number: int) -> Ended:
        """Stop it at its next place with a signal."""
        self.reach()
        self.send(number)
        return self.end()

    def go_on(self) -> None:
        """Let it go on from where it stands, if it is not at its end."""
        assert self._process.stdin is not None
        with suppress(BrokenPipeError):
            os.write(self._process.stdin.fileno(), b"x")

    def end(self) -> Ended:
        """Wait for its end."""
        try:
            out, said = self._process.communicate(timeout=LIMIT_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            raise
        return Ended(self._process.returncode, out, said)


def build(folder: Path, *arguments: str, start: tuple[str, ...] = ()) -> Ended:
    """Run `deckwright` to its end; `start` is a command that runs it."""
    return shell('exec "$@"', folder, *arguments, start=start)


def shell(script: str, folder: Path, *arguments: str, start: tuple[str, ...] = ()) -> Ended:
    """Run a shell script in which "$@" is the command `deckwright` with `arguments`.

    `start` is a command that runs the shell.
    """
    result = subprocess.run(
        [*start, "sh", "-euc", script, "sh", sys.executable, "-m", "deckwright", *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        errors="replace",
        timeout=LIMIT_SECONDS,
        check=False,
    )
    return Ended(result.returncode, result.stdout, result.stderr)


def mounted(setup: str, folder: Path, *arguments: str) -> Ended:
    """Run `deckwright` after a script that mounts things for it alone.

    What it sees in `out` at its end is copied to `seen`.
    """
    start = own_mounts()
    if not start:
        pytest.skip("mounts of one's own are not allowed here")
    script = setup + '\ncode=0; "$@" || code=$?; cp -a out/. seen; exit $code'
    (folder / "seen").mkdir()
    return shell(script, folder, *arguments, start=start)


@cache
def own_mounts() -> tuple[str, ...]:
    """Return the command that gives a program mounts of its own, nothing if there is none."""
    for command in (("unshare", "-m"), ("unshare", "-Urm")):
        probe = [*command, "mount", "-t", "tmpfs", "tmpfs", "/mnt"]
        try:
            if subprocess.run(probe, capture_output=True, check=False).returncode == 0:
                return command
        except OSError:
            return ()
    return ()


def powerless() -> tuple[str, ...]:
    """Return the start of a command that is refused what permissions forbid, also if run by root.

    Root stays the owner of its files, but loses its capabilities.
    """
    if os.geteuid() != 0:
        return ()
    if shutil.which("setpriv") is None:
        pytest.skip("root is refused nothing here")
    return ("setpriv", "--bounding-set=-all")


def left(folder: Path) -> Made:
    """Return all files of a folder, hidden ones too."""
    return {
        path.name: path.read_bytes()
        for path in folder.iterdir()
        if path.is_file() and not path.name.endswith(".manifest.json")
    }


def old(whole: Made | None = None, command: str = "") -> Made:
    """Return what is in the folder `out` where both decks were printed before.

    The decks that `command` names are those of `whole`.
    """
    names = {"plain": PLAIN, "pictures": PICTURES}
    new = {names[word] for word in command.split() if word in names}
    return {name: whole[name] if whole and name in new else b"old" for name in names.values()}


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-1000])


def keep_only_the_head(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:60])


def empty(path: Path) -> None:
    path.write_bytes(b"")


def garble(path: Path) -> None:
    data = path.read_bytes()
    path.write_bytes(data[:700] + bytes(len(data) - 700))


def make_folder(path: Path) -> None:
    path.unlink()
    (path / "x").mkdir(parents=True)


def make_dangling_link(path: Path) -> None:
    path.unlink()
    path.symlink_to(f"{path.name}.gone")


SPOIL: list[Callable[[Path], None]] = [
    cut, keep_only_the_head, empty, garble, make_folder, make_dangling_link
]  # fmt: skip
"""What may have become of an entry of the cache."""
