"""`deckwright check`: check a game, some of its files, or many games."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from glob import glob
from pathlib import Path
from typing import Any

import click

from deckwright.api.game import inspect_games
from deckwright.base.findings import Report, has_no_problems
from deckwright.base.processes import report_progress
from deckwright.base.strings import printable_path
from deckwright.checking import stages
from deckwright.checking.stages import CheckResult
from deckwright.cli import common
from deckwright.cli.reporters import CheckReport, reporters
from deckwright.cli.terminal import command, echo, echo_data, echo_report
from deckwright.game.folder import is_game
from deckwright.images.drawings import is_rasterizing


def name_games(names: Sequence[str]) -> bool:
    """Return whether these are several folders of games, as when a shell expands `*`."""
    return len(names) > 1 and all(is_game(Path(name)) for name in names)


def check_games(
    patterns: Sequence[str], named_folders: Sequence[str], options: Mapping[str, Any]
) -> tuple[CheckResult, list[str]]:
    """Check games; return their combined results, and a summary line for each.

    Args:
        patterns: glob patterns for folders of games; other matches are ignored.
        named_folders: folders of games.
        options: the arguments of `Game.inspect`.

    Raises:
        click.UsageError: if a pattern matches no game, or a named folder is none.
    """
    folders = _find_game_folders(patterns, named_folders)
    for folder in folders:
        common.open_folder(folder)
    each = inspect_games(folders, rasterize=is_rasterizing(), **options)
    checked: dict[Path, CheckResult] = {}
    for one in each:
        checked[one.path] = one.checked
        report_progress("checking games", len(checked), len(folders))
    names = [printable_path(folder) for folder in folders]
    width = max(map(len, names))
    results = zip(names, checked.values(), strict=True)
    lines = [f"{name:{width}}  {_summarize(one)}" for name, one in results]
    return _merge_results(checked), lines


def _find_game_folders(patterns: Sequence[str], names: Sequence[str]) -> list[Path]:
    """Return the folders of games without duplicates."""
    for name in names:
        if not is_game(Path(name)):
            raise click.UsageError(
                f"`{name}` is not a game folder: leave out --games to check files"
            )
    folders = [Path(name) for name in names]
    for pattern in patterns:
        matched = [Path(name) for name in sorted(glob(pattern, recursive=True))]  # noqa: PTH207 - may be absolute
        games = [path for path in matched if is_game(path)]
        if not games:
            raise click.UsageError(f"there is no game in `{pattern}`")
        folders += games
    return [*dict.fromkeys(folders)]


def _merge_results(checked: Mapping[Path, CheckResult]) -> CheckResult:
    """Combine the results of several games."""
    each = [*checked.values()]
    return CheckResult(
        sum(one.number for one in each),
        tuple(
            left._replace(what=f"{printable_path(path)}: {left.what}")
            for path, one in checked.items()
            for left in one.unchecked
        ),
        tuple(path for one in each for path in one.files),
        hindered=any(one.hindered for one in each),
        findings=tuple(finding for one in each for finding in one.findings),
    )


def _summarize(checked: CheckResult) -> str:
    """Return a line that summarizes the result of one game."""
    counted = common.counted(checked.number, "card and deck", "cards and decks")
    said = [common.describe_totals([*checked.findings])] if checked.findings else []
    if has_no_problems(checked.findings):
        said.insert(0, "not all of it checked" if checked.unchecked else "no problems")
    return ", ".join([counted, *said])


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
    help="Check all games in the folders that match a pattern, such as 'games/*'.",
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
    help="Check what has changed since this git revision, and all that depends on it.",
)
@click.option(
    "--untrusted",
    is_flag=True,
    help="Check a game you do not trust: a file may have 2 MB, and layout gets at most "
    "20 seconds of CPU time and 512 MB.",
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
    **options: Any,  # those of `Game.inspect`
) -> None:
    """Check the whole game, or only some of its files.

    FILES are files of the game, folders of such files, or names of deck lists in xml/Decks.
    Everything they refer to is read, but only findings in FILES are shown. The folder of a game
    stands for that game; folders of several games stand for all of them, as --games does.
    """
    each: list[str] = []
    if games or name_games(files):
        checked, each = check_games(games, files, options)
    else:
        if any(is_game(Path(name)) for name in files):
            game, files = _sole_folder(files), ()
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
        for line in each:
            echo(line)
    well = has_no_problems(graded) and not checked.unchecked
    if graded and not (well and output == "text"):
        echo(common.describe_totals(graded), err=True)
    elif well and output == "text":
        _report_success(checked, graded)
    common.exit_with_findings(graded, failed=checked.hindered)


def _report_success(checked: stages.CheckResult, infos: Report) -> None:
    """Report a check without problems; for a whole game also the margins that its sheet needs."""
    counted = common.counted(checked.number, "card and deck", "cards and decks")
    if not checked.everything:
        counted = common.counted(len(checked.files), "file")
    aside = f" ({common.describe_totals(infos)})" if infos else ""
    echo(f"{counted} checked, no problems found{aside}")
    if checked.everything and checked.margin is not None:
        echo(checked.margin)


def _sole_folder(names: Sequence[str]) -> Path:
    """Return the only folder that is named.

    Raises:
        click.UsageError: if anything else is named.
    """
    if len(names) > 1:
        games = [name for name in names if is_game(Path(name))]
        raise click.UsageError(f"`{games[0]}` is a game folder: name it alone, or name files in it")
    return Path(names[0])
