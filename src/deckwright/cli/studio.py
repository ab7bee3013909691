"""`deckwright studio` and `play`: live editing in the browser, and what was played there."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from importlib.util import find_spec
from pathlib import Path

import click

from deckwright.api import open_game
from deckwright.base.extras import install_command
from deckwright.base.files import is_folder
from deckwright.base.findings import ChoiceError, has_errors
from deckwright.base.interrupts import clear_interrupts
from deckwright.cli import common
from deckwright.cli.new import copy_example, exit_unless_writable, is_interactive, name_after
from deckwright.cli.options import INPUT_FILE
from deckwright.cli.terminal import echo
from deckwright.game.folder import is_table
from deckwright.game.words import language_of

_REQUIRED_LIBRARIES = ("starlette", "uvicorn", "watchfiles")
_MAX_LISTED = 50
"""The most unsaved works that are named."""


@common.command("studio", "studio --port 8000 --no-browser")
@common.game_option
@click.option("--port", type=click.IntRange(1024, 65535), help="The port to listen on. The default "
              "is a free one, the same for a game if possible.")  # fmt: skip
@click.option("--no-browser", is_flag=True, help="Print the address, but open no browser.")
@click.option("--poll", is_flag=True, help="Poll files for changes, for network drives.")
@click.option("--read-only", is_flag=True, help="Read-only: change nothing in the game folder.")
@click.option("--untrusted", is_flag=True, help="Open a game you do not trust, if "
              "`check --untrusted` finds no error, even after changes.")  # fmt: skip
def studio(
    game: Path, port: int | None, *, no_browser: bool, poll: bool, read_only: bool, untrusted: bool
) -> None:
    """Edit cards and decks live in the browser, and print them.

    Nobody else can open the page: it is served on this machine only, and requires the secret in the
    printed address. Press Ctrl-C to stop.
    """
    if not all(map(find_spec, _REQUIRED_LIBRARIES)):
        message = "the studio needs libraries that are not installed"
        raise ChoiceError(message, install_command("studio"))

    from deckwright.studio.server import (  # not with --help
        browser_opener,
        find_running_studio,
        preferred_port,
        remember_studio,
        serve,
    )

    question = f"There is no game in {game.absolute()}. Start a blank one there?"
    with exit_unless_writable(game):
        free = is_folder(game) and all(map(is_table, game.iterdir()))
        if is_interactive() and free and click.confirm(question, default=True):
            copy_example(game, "blank", name_after(game))
    folder = common.open_folder(game)
    if untrusted:
        # A game is kept as read without limits, so it must pass the check first.
        findings = [*open_game(folder.path, keep=False).inspect(untrusted=True).findings]
        if has_errors(findings):
            common.show(findings)
            common.exit_with_findings(findings)
    opened = open_game(folder.path)

    with ExitStack() as ending:
        browse = None if no_browser else ending.enter_context(browser_opener())
        last = find_running_studio(folder.path)
        if last and last.is_running:
            echo(f"{opened.name} is already open at", last.address)
            if browse:
                browse(last.address)
                browse.wait()
            return

        def tell(address: str) -> None:
            remember_studio(folder.path, address)
            echo(f"{opened.name} is at", address, "Press Ctrl-C to stop.")
            if browse:
                browse(address)

        def report_unsaved(unsaved: Sequence[str]) -> None:
            more = len(unsaved) - _MAX_LISTED
            listed = [*unsaved[:_MAX_LISTED], *([f"and {more} more"] if more > 0 else [])]
            echo("", "Not saved:", *(f"- {work}" for work in listed))
            echo("It stays in the browser: start the studio again to save it.")

        try:
            serve(
                opened,
                port=port or preferred_port(folder.path),
                token=last.token if last else None,
                poll=poll,
                read_only=read_only,
                untrusted=untrusted,
                on_ready=tell,
                on_unsaved=report_unsaved,
            )
        except KeyboardInterrupt:
            clear_interrupts()
            echo("", "The studio has stopped.")


@common.command("play out/play/army_HK_1-7.jsonl", "play out/play/army_HK_1-7.jsonl --format json")
@click.argument("log", type=INPUT_FILE)
@common.game_option
@common.answer_options
@common.language_option
@common.messages_option
def play(log: Path, game: Path, form: str, out: Path | None) -> None:
    """Show what happened in a game on the studio's table.

    LOG is the file of a game that was played in `deckwright studio`, in out/play. For each player:
    the cards that were drawn, beside what the odds said, played and left in hand, and the turns.
    Lines that are no valid events are reported and skipped.
    """
    from deckwright.decks.play.log import read_log  # not to show help
    from deckwright.decks.play.summary import describe_play

    opened = common.open_game(game)
    with common.report_findings() as report:
        setup, found = opened.model.setup, read_log(log, report)
        if found is not None:
            words = common.words_for(language_of(setup), setup.words)
            common.write_answer(describe_play(found.play, opened.model, words), out, report, form)
