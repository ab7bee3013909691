"""`deckwright check`: check a game, or some of its files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from deckwright.base.findings import Report, is_well
from deckwright.checking import stages
from deckwright.cli import common, many_games
from deckwright.cli.group import command
from deckwright.cli.reporters import Findings, reporters
from deckwright.cli.terminal import echo, echo_data, echo_report
from deckwright.game.folder import is_game

_FORMATS = ("text", "json", "github", "sarif", "junit")


@command(
    "check",
    "check army_HK_1 xml/rules.xml",
    "check --strict --changed-since main",
    "check --games 'games/*'",
)
@click.argument("files", nargs=-1)
@common.game_option
@click.option(
    "--games",
    multiple=True,
    metavar="PATTERN",
    help="Check all games whose folders a pattern such as 'games/*' matches.",
)
@common.rasterize_option
@common.limit_options
@click.option(
    "--format",
    "output",
    type=click.Choice(_FORMATS),
    default="text",
    help="How to report findings: `text` goes to standard error, the others to standard output.",
)
@click.option("--select", multiple=True, metavar="CODES",
              help="Report only these codes or families, such as R003 or R,L.")  # fmt: skip
@click.option("--ignore", multiple=True, metavar="CODES",
              help="Leave out these codes or families.")  # fmt: skip
@click.option("--strict", is_flag=True, help="Treat warnings as errors.")
@click.option(
    "--changed-since",
    metavar="REV",
    help="Check what has changed since this git revision, and whatever depends on it.",
)
@click.option(
    "--untrusted",
    is_flag=True,
    help="Check a game you do not trust: layout gets at most 20 seconds of CPU time and 512 MB.",
)
@click.option("--max-seconds", type=click.IntRange(min=1), metavar="N",
              help="With --untrusted, allow this many seconds instead.")  # fmt: skip
@click.option("--max-memory", type=click.IntRange(min=1), metavar="MB",
              help="With --untrusted, allow this much memory instead.")  # fmt: skip
def check(
    files: tuple[str, ...],
    game: Path,
    games: tuple[str, ...],
    output: str,
    **asked: Any,  # noqa: ANN401 - those of `Game.inspect`
) -> None:
    """Check the whole game, or only some of its files.

    FILES are files of the game, folders of such files, or names of deck lists in xml/Decks.
    Everything they refer to is read, but only findings in FILES are shown. The folder of a game
    stands for that game; folders of several games stand for all of them, as --games does.
    """
    each: list[str] = []
    if games or many_games.are_games(files):
        checked, each = many_games.check(games, files, asked)
    else:
        if any(is_game(Path(name)) for name in files):
            game, files = _alone(files), ()
        checked = common.open_game(game).inspect(files, **asked)
    graded = [*checked.findings]
    unchecked = [left.what for left in checked.unchecked]
    findings = Findings(graded, checked.files, Path.cwd(), unchecked)
    if output == "text":
        common.show(graded)
    else:
        tell = echo_report if output == "github" else echo_data  # which programs read
        tell(reporters()[output](findings))
    for what in unchecked:
        echo(f"not checked: {what}", err=True)
    if output == "text":
        for line in each:
            echo(line)
    well = is_well(graded) and not checked.unchecked
    if graded and not (well and output == "text"):
        echo(common.totals(graded), err=True)
    elif well and output == "text":
        _say_well(checked, graded)
    common.leave(graded, failed=checked.hindered)


def _say_well(checked: stages.Checked, infos: Report) -> None:
    """Say what was found well; of a whole game also how near to the edges its sheet prints."""
    counted = common.counted(checked.number, "card and deck", "cards and decks")
    if not checked.everything:
        counted = common.counted(len(checked.files), "file")
    aside = f" ({common.totals(infos)})" if infos else ""
    echo(f"{counted} checked, no problems found{aside}")
    if checked.everything and checked.margin is not None:
        echo(checked.margin)


def _alone(names: Sequence[str]) -> Path:
    """Return the one folder that is named.

    Raises:
        click.UsageError: if something else is named besides.
    """
    if len(names) > 1:
        games = [name for name in names if is_game(Path(name))]
        raise click.UsageError(f"`{games[0]}` is a game folder: name it alone, or name files in it")
    return Path(names[0])
