"""`deckwright rulebook`: the game's rulebook as a PDF."""

from __future__ import annotations

from pathlib import Path

import click

from deckwright.cli import common
from deckwright.cli.group import command


@command("rulebook", "rulebook --style low-ink --out out/plain.pdf")
@common.game_option
@common.out_option("rulebook.pdf")
@common.style_option
@click.option("--booklet", is_flag=True, help="Lay it out on sheets to fold and staple.")
@common.quiet_option
def rulebook(game: Path, out: str | None, style: str | None, booklet: bool, quiet: bool) -> None:
    """Print the rulebook, xml/rulebook.xml.

    `--style` chooses the templates for the cards in its figures. A booklet is called
    rulebook_booklet.pdf; print it on both sides and flip on the short edge.
    """
    name = "rulebook_booklet.pdf" if booklet else "rulebook.pdf"
    opened = common.open_game(game)
    target = common.target(name, opened.folder, out)
    common.make_each(
        {"rulebook": target},
        lambda _, path: opened.print_rulebook(path, style=style, booklet=booklet),
        lambda *_: "the rulebook was not printed",
        lambda _, printed: () if quiet else [common.pages_in(printed, target)],
    )
