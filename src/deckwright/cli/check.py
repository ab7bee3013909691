"""`deckwright check`: check a game, some of its files, or many games."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from glob import glob
from pathlib import Path
from typing import Any

import click

from deckwright.api.game import inspect_games
from deckwright.base.findings import has_no_problems
from deckwright.base.processes import report_progress
from deckwright.base.strings import printable_path
from deckwright.base.units import pluralize
from deckwright.checking.stages import CheckResult
from deckwright.cli import common
from deckwright.cli.reporters import CheckReport, reporters
from deckwright.cli.terminal import echo, echo_data, echo_report
from deckwright.game.folder import is_game
from deckwright.images.drawings import is_rasterizing


def check_games(
    patterns: Sequence[str], named_folders: Sequence[str], options: Mapping[str, Any]
) -> tuple[CheckResult, list[str]]:
    """Check games, named or found by patterns; return their results as one, and a line for each."""
    for name in named_folders:
        if not is_game(Path(name)):
            raise click.UsageError(
                f"`{name}` is not a game folder: leave out --games to check files"
            )
    found = [Path(name) for name in named_folders]
    for pattern in patterns:
        matched = [Path(name) for name in sorted(glob(pattern, recursive=True))]  # noqa: PTH207 - may be absolute
        games = [path for path in matched if is_game(path)]
        if not games:
            raise click.UsageError(f"there is no game in `{pattern}`")
        found += games
    folders = [*dict.fromkeys(found)]
    for folder in folders:
        common.open_folder(folder)
    checked: dict[Path, CheckResult] = {}
    for one in inspect_games(folders, rasterize=is_rasterizing(), **options):
        checked[one.path] = one.checked
        report_progress("checking games", len(checked), len(folders))
    each = [*checked.values()]
    names = [printable_path(folder) for folder in folders]
    width = max(map(len, names))
    lines = []
    for name, result in zip(names, each, strict=True):
        said = [common.describe_totals([*result.findings])] if result.findings else []
        if has_no_problems(result.findings):
            said.insert(0, "not all of it checked" if result.unchecked else "no problems")
        lines.append(f"{name:{width}}  {', '.join([_count(result), *said])}")
    unchecked = tuple(
        left._replace(what=f"{printable_path(path)}: {left.what}")
        for path, result in checked.items()
        for left in result.unchecked
    )
    files = tuple(path for result in each for path in result.files)
    findings = tuple(finding for result in each for finding in result.findings)
    hindered = any(result.hindered for result in each)
    number = sum(result.number for result in each)
    return CheckResult(number, unchecked, files, hindered=hindered, findings=findings), lines


def _count(checked: CheckResult) -> str:
    return pluralize(checked.number, "card and deck", "cards and decks")


@common.command(
    "check",
    "check army_HK_1 xml/rules.xml",
    "check --strict --changed-since main",
    "check --games 'games/*'",
)
@click.argument("files", nargs=-1)
@common.game_option
@click.option("--games", multiple=True, metavar="PATTERN", help="Check all games in the folders "
              "that match a pattern, such as 'games/*'.")  # fmt: skip
@common.rasterize_option
@common.limit_options
@click.option("--format", "output", type=click.Choice(("text", "json", "github", "sarif", "junit")),
              default="text", help="How to report findings: `text` goes to standard error, the "
              "others to standard output.")  # fmt: skip
@click.option("--select", multiple=True, metavar="CODES",
              help="Report only these codes or families, such as R003 or R,L.")  # fmt: skip
@click.option("--ignore", multiple=True, metavar="CODES",
              help="Leave out these codes or families.")  # fmt: skip
@click.option("--strict", is_flag=True, help="Treat warnings as errors.")
@click.option("--changed-since", metavar="REV", help="Check what has changed since this git "
              "revision, and all that depends on it.")  # fmt: skip
@click.option("--untrusted", is_flag=True, help="Check a game you do not trust: a file may have "
              "2 MB, and layout gets at most 20 seconds of CPU time and 512 MB.")  # fmt: skip
@click.option("--max-seconds", type=click.IntRange(min=1), metavar="N",
              help="With --untrusted, allow this many seconds instead.")  # fmt: skip
@click.option("--max-memory", type=click.IntRange(min=1), metavar="MB",
              help="With --untrusted, allow this much memory instead.")  # fmt: skip
def check(
    files: tuple[str, ...],
    game: Path,
    games: tuple[str, ...],
    output: str,
    **options: Any,  # those of `Game.inspect`
) -> None:
    """Check the whole game, or only some of its files.

    FILES are files of the game, folders of such files, or names of deck lists in xml/Decks.
    Everything they refer to is read, but only findings in FILES are shown. The folder of a game
    stands for that game; folders of several games stand for all of them, as --games does.
    """
    each: list[str] = []
    named_games = [name for name in files if is_game(Path(name))]
    # A shell expands `*` to several folders of games.
    if games or len(named_games) == len(files) > 1:
        checked, each = check_games(games, files, options)
    else:
        if named_games and len(files) > 1:
            message = f"`{named_games[0]}` is a game folder: name it alone, or name files in it"
            raise click.UsageError(message)
        if named_games:
            game, files = Path(files[0]), ()
        checked = common.open_game(game).inspect(files, **options)
    graded = [*checked.findings]
    unchecked = [left.what for left in checked.unchecked]
    findings = CheckReport(graded, checked.files, Path.cwd(), unchecked)
    if output == "text":
        common.show(graded)
    else:
        tell = echo_report if output == "github" else echo_data  # for programs
        tell(reporters()[output](findings))
    for what in unchecked:
        echo(f"not checked: {what}", err=True)
    if output == "text":
        echo(*each)
    well = has_no_problems(graded) and not checked.unchecked
    totals = common.describe_totals(graded)
    if graded and not (well and output == "text"):
        echo(totals, err=True)
    elif well and output == "text":
        files_counted = pluralize(len(checked.files), "file")
        counted = _count(checked) if checked.everything else files_counted
        echo(f"{counted} checked, no problems found{f' ({totals})' if graded else ''}")
        if checked.everything and checked.margin is not None:
            echo(checked.margin)  # those that the sheet needs
    common.exit_with_findings(graded, failed=checked.hindered)
