"""`deckwright rulebook`: the game's rulebook as a PDF."""

from __future__ import annotations

from pathlib import Path

from deckwright.cli import common
from deckwright.cli.group import command


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
    common.make_each(
        {"rulebook": target},
        lambda _, path: opened.print_rulebook(path, style=style),
        lambda *_: "the rulebook was not printed",
        lambda _, printed: () if quiet else [common.pages_in(printed, target)],
    )
