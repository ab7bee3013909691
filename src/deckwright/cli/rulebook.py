"""`deckwright rulebook`: the game's rulebook as a PDF."""

from __future__ import annotations

from pathlib import Path

from deckwright.base.findings import Report
from deckwright.cli import common
from deckwright.cli.group import command
from deckwright.cli.terminal import echo
from deckwright.outputs.print_books import print_rulebook


@command("rulebook", "rulebook --style low-ink --out out/plain.pdf")
@common.game_option
@common.out_option("rulebook.pdf")
@common.style_option
@common.quiet_option
def rulebook(game: Path, out: str | None, style: str | None, quiet: bool) -> None:
    """Print the rulebook, xml/rulebook.xml.

    `--style` chooses the templates for the cards in its figures.
    """
    folder = common.open_folder(game)
    style = common.parse_style(folder, style)
    target = common.target("rulebook.pdf", folder, out)
    report: Report = []
    pages = print_rulebook(folder, target, style, report)
    common.show_kinds(report)
    if pages is None:
        echo(f"the rulebook was not printed: {common.totals(report)}", err=True)
    elif not quiet:
        echo(f"{common.counted(pages, 'page')} in {target}")
    common.leave(report)
