"""`deckwright build`: print everything that a game has."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from deckwright.base.files import is_there
from deckwright.base.findings import Report
from deckwright.checks.loading import Rules
from deckwright.cli import common
from deckwright.cli.group import command
from deckwright.cli.sheets import parse_sheets, sheet_options
from deckwright.cli.terminal import echo
from deckwright.game.folder import GameFolder
from deckwright.game.load import load_setup
from deckwright.outputs.decks import print_decks
from deckwright.outputs.markers import print_markers
from deckwright.outputs.print_books import print_overview, print_rulebook
from deckwright.sheet.setting import SheetOptions

Job = tuple[str, Callable[[Path, Report], int | None]]
"""The name of a file, and what prints it to a path and returns the number of pages."""


@command("build", "build --sheet letter-65x90 --backs")
@common.game_option
@common.folder_option("out/")
@common.style_option
@common.limit_options
@sheet_options
@common.quiet_option
def build(
    game: Path,
    out: Path | None,
    style: str | None,
    ignore_limits: bool,
    format_id: str | None,
    changes: tuple[str, ...],
    quiet: bool,
    **sheets: Any,  # noqa: ANN401 - as sheet_options says
) -> None:
    """Print everything a game has, from decks to the rulebook.

    Whatever has an error is left out; the rest is printed.
    """
    folder = common.open_folder(game)
    rules = common.parse_rules(
        folder, ignore_limits=ignore_limits, format_id=format_id, changes=changes
    )
    style = common.parse_style(folder, style)
    options = parse_sheets(folder, **sheets)
    target = common.target_folder(folder.path / "out", out)
    all_findings: Report = []
    for name, job in _jobs(folder, rules, style, options):
        report: Report = []
        pages = job(target / name, report)
        common.show_kinds(common.new_in(report, all_findings))
        all_findings += report
        if pages is None:
            echo(f"{name} was not printed", err=True)
        elif not quiet:
            echo(f"{target / name}: {common.counted(pages, 'page')}")
    if all_findings:
        echo(common.totals(all_findings), err=True)
    common.leave(all_findings)


def _jobs(
    folder: GameFolder, rules: Rules, style: str | None, options: SheetOptions
) -> Iterator[Job]:
    """Yield what there is to print."""
    for path in folder.deck_files():

        def deck(target: Path, report: Report, path: Path = path) -> int | None:
            printed = print_decks(folder, [path], target, rules, style, report, options)
            return printed.pages if printed else None

        yield f"deck_{path.stem}.pdf", deck

    def markers(target: Path, report: Report) -> int | None:
        printed = print_markers(folder, {}, None, target, style, report, options)
        return printed[1] if printed else None

    def overview(target: Path, report: Report) -> int | None:
        return print_overview(folder, (), target, style, report)

    def rulebook(target: Path, report: Report) -> int | None:
        return print_rulebook(folder, target, style, report)

    setup = load_setup(folder, [])
    if setup is not None and setup.markers:
        yield "markers.pdf", markers
    yield "overview.pdf", overview
    if is_there(folder.rulebook_file):
        yield "rulebook.pdf", rulebook
