"""`deckwright markers`, also `marker_constructor`: print the markers of a game."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import click

from deckwright.api import Print
from deckwright.base.units import PAPERS
from deckwright.cli import common
from deckwright.cli.group import command
from deckwright.cli.press import named, press_lines, press_options, taken
from deckwright.cli.sheets import cut_options, footer_option, layout_options, printer_option


def _counts(
    _context: click.Context, _option: click.Parameter, changes: Iterable[str]
) -> dict[str, int]:
    """Return counts by ids.

    Raises:
        click.UsageError: if one is not written so.
    """
    counts = {}
    for change in changes:
        name, found, number = change.partition("=")
        if not found or not (number.isascii() and number.isdecimal() and len(number) < 6):  # noqa: PLR2004
            raise click.UsageError(f"`--count {change}` is not of the form ID=NUMBER")
        counts[name] = int(number)
    return counts


@command(
    "markers",
    "markers action --count action=60",
    "markers --sheet avery-5293 --scale fit",
    "markers --service press",
)
@click.argument("markers", nargs=-1, metavar="[MARKER]…")
@common.game_option
@common.out_option("markers.pdf")
@common.style_option
@click.option("--count", "counts", multiple=True, callback=_counts, metavar="ID=N",
              help="Print this many copies of a marker: action=60, or damage/10=5 for one value.",
              )  # fmt: skip
@click.option("--paper", type=click.Choice([*PAPERS]), help="The size of the paper.")
@layout_options
@printer_option
@footer_option
@cut_options
@press_options
@common.quiet_option
def markers(
    markers: tuple[str, ...],
    game: Path,
    out: str | None,
    quiet: bool,
    **asked: Any,  # noqa: ANN401 - those of `Game.print_markers`
) -> None:
    """Print the game's markers on as few sheets as possible.

    Without a MARKER, all markers in game.xml are printed. If any of them has another side, each
    sheet is followed by its back: print on both sides and flip on the long edge. For a press,
    `--service` gives them bleed and the lines of a die, in their shapes.
    """
    opened, press = common.open_game(game), taken(asked)
    target = common.target(named("markers.pdf", press), opened.folder, out)
    common.make_each(
        {"markers": target},
        lambda _, path: opened.print_markers(path, only=markers, press=press, **asked),
        lambda *_: "no markers were printed",
        lambda _, printed: () if quiet else _summary(opened.name, printed),
    )


def _summary(game: str, printed: Print) -> list[str]:
    """Return what was printed as a short table."""
    rows = [(item.name, f"{item.copies} ({item.id})") for item in printed.items]
    rows += [("pages", str(printed.pages)), ("file", str(printed.paths[0]))]
    rows += common.cut_rows(printed.cuts)
    return common.table(game, rows) + press_lines(printed.pressed)
