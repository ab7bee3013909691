"""`deckwright check`: check a game, or some of its files."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

import click

from deckwright.base.files import is_folder
from deckwright.base.findings import Report, known_hint, ordered
from deckwright.base.severity import FAMILIES, Grading
from deckwright.checking import stages
from deckwright.checking.sandbox import STRANGERS, Limits
from deckwright.cli import common
from deckwright.cli.group import command
from deckwright.cli.reporters import Findings, reporters
from deckwright.cli.terminal import echo, echo_report
from deckwright.game.folder import GameFolder, game_of, is_game

_FORMATS = ("text", "json", "github", "sarif", "junit")


@command("check", "check army_HK_1 xml/rules.xml", "check --strict --changed-since main")
@click.argument("files", nargs=-1)
@common.game_option
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
    "revision",
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
    ignore_limits: bool,
    format_id: str | None,
    changes: tuple[str, ...],
    output: str,
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    strict: bool,
    revision: str | None,
    untrusted: bool,
    max_seconds: int | None,
    max_memory: int | None,
) -> None:
    """Check the whole game, or only some of its files.

    FILES are files of the game, folders of such files, or names of deck lists in xml/Decks.
    Everything they refer to is read, but only findings in FILES are shown. The folder of a game
    stands for that game.
    """
    if any(is_game(Path(name)) for name in files):
        game, files = _alone(files), ()
    folder = common.open_folder(game)
    rules = common.parse_rules(
        folder, ignore_limits=ignore_limits, format_id=format_id, changes=changes
    )
    grading = Grading(_codes(select), _codes(ignore), strict)
    if files and revision is not None:
        message = "name files or use --changed-since, but not both"
        raise click.UsageError(message)
    report: Report = []
    paths = common.named_files(folder, files, report)
    _demand_own(folder, filter(is_folder, map(Path, files)), paths)
    everything = not files
    if revision is not None:
        affected = _affected(folder, revision)
        everything = affected is None
        paths = sorted(affected or ())
    limits = None
    if untrusted or max_seconds or max_memory:
        limits = Limits(max_seconds or STRANGERS.seconds, max_memory or STRANGERS.megabytes)
    checked = stages.Checked(0, ())
    if paths or everything:
        checked = stages.check(folder, paths, rules, report, everything=everything, limits=limits)
    graded = ordered(grading._replace(severities=checked.severities).graded(report))
    unchecked = [left.what for left in checked.unchecked]
    findings = Findings(graded, checked.files, Path.cwd(), unchecked)
    if output == "text":
        common.show(graded)
    else:
        echo_report(reporters()[output](findings))
    for what in unchecked:
        echo(f"not checked: {what}", err=True)
    if graded:
        echo(common.totals(graded), err=True)
    elif not checked.unchecked and output == "text":
        _say_well(checked, everything=everything)
    common.leave(graded, failed=checked.hindered)


def _say_well(checked: stages.Checked, *, everything: bool) -> None:
    """Say what was found well; of a whole game also how near to the edges its sheet prints."""
    counted = common.counted(checked.number, "card and deck", "cards and decks")
    if not everything:
        counted = common.counted(len(checked.files), "file")
    echo(f"{counted} checked, no problems found")
    if everything and checked.margin is not None:
        echo(checked.margin)


def _alone(names: Sequence[str]) -> Path:
    """Return the one folder that is named.

    Raises:
        click.UsageError: if something else is named besides.
    """
    if len(names) > 1:
        games = [name for name in names if is_game(Path(name))]
        message = f"`{games[0]}` is a game folder: name it alone, or name files in it"
        raise click.UsageError(message)
    return Path(names[0])


def _demand_own(folder: GameFolder, places: Iterable[Path], paths: Iterable[Path]) -> None:
    """Raise a usage error if a file in one of the folders `places` is another game's."""
    for place, path in ((place, path) for place in places for path in paths):
        home = game_of(path) if path.is_relative_to(place) else None
        if home is not None and home.resolve() != folder.path.resolve():
            message = f"`{place}` holds files from another game\nName that game's folder: {home}"
            raise click.UsageError(message)


def _affected(folder: GameFolder, revision: str) -> set[Path] | None:
    """Return the files that a change concerns, None for all.

    Raises:
        click.UsageError: if git cannot say what has changed.
    """
    from deckwright.base.git import GitError  # noqa: PLC0415
    from deckwright.diff.affected import affected_files  # noqa: PLC0415 - only with the option

    try:
        return affected_files(folder, revision)
    except GitError as error:
        message = f"cannot see what has changed since `{revision}`: {error}"
        raise click.UsageError(message) from None


def _codes(given: Iterable[str]) -> frozenset[str]:
    """Return codes and families, given one by one or with commas.

    Raises:
        click.UsageError: if something is neither.
    """
    codes = {part.strip().upper() for text in given for part in text.split(",") if part.strip()}
    if all(code in FAMILIES for code in codes):
        return frozenset(codes)

    from deckwright.base.discovery import load_all  # noqa: PLC0415 - imports everything
    from deckwright.base.findings import REGISTRY  # noqa: PLC0415 - complete only after load_all

    load_all()
    for code in sorted(codes):
        if code not in FAMILIES and code not in REGISTRY:
            message = f"`{code}` is neither a code nor a family of codes"
            known = REGISTRY if re.fullmatch(r"[A-Z]\w+", code) else sorted(FAMILIES)
            raise click.UsageError(common.with_hint(message, known_hint(code, known)))
    return frozenset(codes)
