"""`deckwright new`: begin a game as a copy of an example."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from xml.sax.saxutils import quoteattr

import click

from deckwright.cli import common
from deckwright.cli.group import command
from deckwright.cli.terminal import echo
from deckwright.game.folder import PACKAGE, GameFolder

_FOLDERS = ("xml", "img", "templates")
_DEFAULT = "starter"


def examples() -> dict[str, Path]:
    """Return the folders of the example games by name."""
    packed = PACKAGE / "examples"
    folder = packed if packed.is_dir() else PACKAGE.parent.parent / "examples"
    return {path.name: path for path in sorted(folder.iterdir()) if (path / "xml").is_dir()}


@command("new my-game", 'new my-game --like woodland --name "My Game"')
@click.argument("folder", type=click.Path(path_type=Path))
@click.option(
    "--like",
    default=_DEFAULT,
    show_default=True,
    metavar="NAME",
    help="Start from this example: duel, festival, starter, warlords or woodland.",
)
@click.option("--name", help="The name of the game.")
def new(folder: Path, like: str, name: str | None) -> None:
    """Start a game of your own from an example.

    FOLDER must be new or empty.
    """
    known = examples()
    if like not in known:
        message = f"there is no example `{like}`\n  hint: use one of {', '.join(known)}"
        raise click.UsageError(message)
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        message = f"`{folder}` exists and is not an empty folder"
        raise click.UsageError(message)
    try:
        for part in _FOLDERS:
            if (known[like] / part).is_dir():
                shutil.copytree(known[like] / part, folder / part)
        if name is not None:
            _rename(GameFolder(folder).game_file, name)
    except OSError as error:
        echo(f"cannot write to `{folder}`: {error.strerror or error}", err=True)
        raise click.exceptions.Exit(common.EXIT_FILES) from None
    echo(f"a game like {like} is in {folder}; go on with")
    for line in (f"cd {folder}", "deckwright check", "deckwright proof", "deckwright build"):
        echo(f"  {line}")


def _rename(game_file: Path, name: str) -> None:
    """Give the game in a `game.xml` another name."""
    text = game_file.read_text(encoding="utf-8")
    changed = re.sub(
        r"(<game\b[^>]*?\sname=)(\"[^\"]*\"|'[^']*')",
        lambda found: found[1] + quoteattr(name),
        text,
        count=1,
    )
    game_file.write_text(changed, encoding="utf-8")
