"""The options of commands that print cards on sheets."""

from __future__ import annotations

import click

from deckwright.api import GameError
from deckwright.api.asked import printer_of
from deckwright.cli import common
from deckwright.cli.values import Parsed
from deckwright.sheet.grid import Flip, Marks
from deckwright.sheet.printers import Printer, parse_offset


def _printer(_context: click.Context, _option: click.Parameter, name: str | None) -> Printer | None:
    """Return the printer of this name, None if none is named.

    Raises:
        click.exceptions.Exit: if there is none, which is shown.
    """
    try:
        return None if name is None else printer_of(name)
    except GameError as error:
        common.show([*error.findings])
        common.leave([*error.findings])


printer_option = click.option(
    "--printer",
    metavar="NAME",
    callback=_printer,
    help="Apply what `deckwright calibrate` saved for this printer.",
)
footer_option = click.option(
    "--footer/--no-footer", default=True, help="Put a ruler and a footer on each sheet."
)

cut_option = click.option(
    "--cut",
    metavar="MACHINE",
    help="Print the marks of a cutting machine, and write files for it: silhouette, cricut, …",
)
cut_options = common.together(
    cut_option,
    click.option(
        "--kiss-cut", is_flag=True, help="Have it cut stickers only, not the paper below them."
    ),
)
"""The options for cutting machines."""

reference_option = click.option(
    "--reference/--no-reference",
    default=None,
    help="Print rule references at the end of decks, or leave them out.",
)
apart_option = click.option("--backs-apart", is_flag=True, help="Print backs to a separate file.")
layout_options = common.together(
    click.option("--sheet", metavar="NAME", help="The sheet format, such as letter-poker or a4."),
    click.option(
        "--scale",
        type=click.Choice(["none", "fit"]),
        default="none",
        help="`fit` scales faces to the slots of a sheet made for cards of another size.",
    ),
    click.option(
        "--turn/--no-turn",
        default=None,
        help="Turn some cards if more fit on a sheet then.",
    ),
)
"""The options that say which cards go where."""
marks_options = common.together(
    click.option(
        "--flip",
        type=click.Choice([flip.value for flip in Flip]),
        help="The edge the printer flips the paper on.",
    ),
    click.option(
        "--back-offset",
        type=Parsed(parse_offset),
        metavar="X,Y",
        help="Move backs right and down, such as 0.7mm,-0.4mm; `calibrate` measures how far.",
    ),
    printer_option,
    click.option(
        "--marks",
        type=click.Choice([marks.value for marks in Marks]),
        help="The kind of cutting marks.",
    ),
    footer_option,
)
"""The options that say how sheets are printed and cut."""
uncut_options = common.together(
    layout_options,
    click.option(
        "--backs/--no-backs",
        default=None,
        help="Print backs, each sheet followed by its back, or leave them out.",
    ),
    apart_option,
    marks_options,
    click.option(
        "--fill",
        is_flag=True,
        help="Fill the last sheet with spare tokens; several decks share sheets in one PDF.",
    ),
)
"""The options that say how cards are laid out on sheets which people cut."""
sheet_options = common.together(uncut_options, cut_options)
"""The options that say how cards are laid out on sheets."""
