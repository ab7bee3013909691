"""`deckwright rulebook`: the game's rulebook as a PDF."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from deckwright.api import Print
from deckwright.cli import common
from deckwright.cli.group import command
from deckwright.cli.press import named, press_lines, press_options, taken


@command("rulebook", "rulebook --style low-ink --out out/plain.pdf", "rulebook --service press")
@common.game_option
@common.out_option("rulebook.pdf")
@common.style_option
@click.option("--booklet", is_flag=True, help="Lay it out on sheets to fold and staple.")
@press_options
@common.quiet_option
def rulebook(
    game: Path,
    out: str | None,
    style: str | None,
    booklet: bool,
    quiet: bool,
    **asked: Any,  # noqa: ANN401 - those of `press_options`
) -> None:
    """Print the rulebook, xml/rulebook.xml.

    `--style` chooses the templates for the cards in its figures. A booklet is called
    rulebook_booklet.pdf; print it on both sides and flip on the short edge. A print shop binds by
    itself: for one, `--service` makes a page a page, with bleed.
    """
    opened, press = common.open_game(game), taken(asked)
    name = "rulebook_booklet.pdf" if booklet else "rulebook.pdf"
    target = common.target(named(name, press), opened.folder, out)
    common.make_each(
        {"rulebook": target},
        lambda _, path: opened.print_rulebook(path, style=style, booklet=booklet, press=press),
        lambda *_: "the rulebook was not printed",
        lambda _, printed: (
            ()
            if quiet
            else [common.pages_in(printed, target), *_bound(printed), *press_lines(printed.pressed)]
        ),
    )


def _bound(printed: Print) -> list[str]:
    """Return what a stapled book would lack: its sheets have four pages each."""
    lacking = -printed.pages % 4
    if printed.pressed is None or not lacking:
        return []
    pages = common.counted(lacking, "empty page")
    return [f"stapled, it would need {pages} more: ask whether the print shop adds them"]
