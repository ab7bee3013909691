"""`deckwright build`: print everything that a game has."""

from __future__ import annotations

from pathlib import Path
from typing import Unpack

from deckwright.api.asked import GamePrint
from deckwright.base.findings import Report
from deckwright.cli import common
from deckwright.cli.group import command
from deckwright.cli.sheets import reference_option, sheet_options
from deckwright.cli.terminal import echo


@command("build", "build --sheet letter-65x90 --backs")
@common.game_option
@common.folder_option("out/")
@common.style_option
@common.limit_options
@sheet_options
@reference_option
@common.watermark_options
@common.quiet_option
def build(
    game: Path,
    out: Path | None,
    style: str | None,
    quiet: bool,
    **asked: Unpack[GamePrint],
) -> None:
    """Print everything a game has, from decks to the rulebook.

    Whatever has an error is left out; the rest is printed.
    """
    opened = common.open_game(game)
    target = common.target_folder(opened.path / "out", out)
    all_findings: Report = []
    for path, make in opened.everything(target, style=style, **asked):
        printed, report = common.attempt(make)
        common.show_kinds(common.new_in(report, all_findings))
        all_findings += report
        if printed is None:
            echo(f"{path.name} was not printed", err=True)
        elif not quiet:
            echo(f"{path}: {common.counted(printed.pages, 'page')}")
    if all_findings:
        echo(common.totals(all_findings), err=True)
    common.leave(all_findings)
