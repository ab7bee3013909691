"""`deckwright rulebook`: the game's rulebook as a PDF."""

from __future__ import annotations

from pathlib import Path

from deckwright.cli import common
from deckwright.cli.group import command
from deckwright.cli.terminal import echo


@command("rulebook", "rulebook --style low-ink --out out/plain.pdf")
@common.game_option
@common.out_option("rulebook.pdf")
@common.style_option
@common.quiet_option
def rulebook(game: Path, out: str | None, style: str | None, quiet: bool) -> None:
    """Print the rulebook, xml/rulebook.xml.

    `--style` chooses the templates for the cards in its figures.
    """
    opened = common.open_game(game)
    target = common.target("rulebook.pdf", opened.folder, out)
    printed, report = common.attempt(lambda: opened.print_rulebook(target, style=style))
    common.show_kinds(report)
    if printed is None:
        echo(f"the rulebook was not printed: {common.totals(report)}", err=True)
    elif not quiet:
        echo(f"{common.counted(printed.pages, 'page')} in {target}")
    common.leave(report)
