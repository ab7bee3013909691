"""`deckwright studio`: the cards live in the browser."""

from __future__ import annotations

import webbrowser
from importlib.util import find_spec
from pathlib import Path
from threading import Thread

import click

from deckwright.api import GameError, open_game
from deckwright.base.choices import ChoiceError
from deckwright.cli import common
from deckwright.cli.group import command
from deckwright.cli.terminal import echo

_NEEDED = ("starlette", "uvicorn", "watchfiles")


@command("studio", "studio --port 8000 --no-browser")
@common.game_option
@click.option(
    "--port",
    type=click.IntRange(1024, 65535),
    default=None,
    help="The port to listen on. The default is a free one, the same for a game where it can be.",
)
@click.option("--no-browser", is_flag=True, help="Only print the address, and open no browser.")
@click.option("--poll", is_flag=True, help="Look at files again and again, for network drives.")
def studio(game: Path, port: int | None, no_browser: bool, poll: bool) -> None:
    """Show all cards live in the browser while you edit them.

    Nobody but you can reach the page: it is served on this machine alone, and only who has the
    address that is printed is let in. Nothing in the game's folder is changed. Ctrl-C ends it.
    """
    if not all(map(find_spec, _NEEDED)):
        message = "the studio needs libraries that are not installed"
        raise ChoiceError(message, "python -m pip install 'deckwright[studio]'")

    from deckwright.studio.server import serve, usual_port  # noqa: PLC0415 - not with --help

    folder = common.open_folder(game)
    try:
        opened = open_game(folder.path)
    except GameError as error:
        common.show([*error.findings])
        common.leave([*error.findings])

    def tell(address: str) -> None:
        echo(f"{opened.name} is at", address, "Ctrl-C ends the studio.")
        if not no_browser:  # some browsers do not return until they are closed
            Thread(target=webbrowser.open, args=(address,), daemon=True).start()

    try:
        serve(opened, port=port or usual_port(folder.path), poll=poll, tell=tell)
    except KeyboardInterrupt:
        echo("", "The studio has ended.")
