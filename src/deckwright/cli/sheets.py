"""The options of commands that print cards on sheets."""

from __future__ import annotations

import click

from deckwright.base.findings import Report, known_hint
from deckwright.base.units import Mm
from deckwright.cli import common
from deckwright.cli.values import Parsed
from deckwright.game.folder import GameFolder
from deckwright.sheet.grid import Flip, Marks
from deckwright.sheet.printers import Printer, find_printer, parse_offset
from deckwright.sheet.setting import SheetOptions

printer_option = click.option(
    "--printer", metavar="NAME", help="Apply what `deckwright calibrate` saved for this printer."
)
footer_option = click.option(
    "--footer/--no-footer", default=True, help="Put a ruler and a footer on each sheet."
)

_OPTIONS = (
    click.option("--sheet", metavar="NAME", help="The sheet format, such as letter-poker or a4."),
    click.option(
        "--scale",
        type=click.Choice(["none", "fit"]),
        default="none",
        help="`fit` scales faces to the slots of a sheet made for cards of another size.",
    ),
    click.option(
        "--backs/--no-backs",
        default=None,
        help="Print backs, each sheet followed by its back, or leave them out.",
    ),
    click.option("--backs-apart", is_flag=True, help="Print backs to a separate file."),
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
    click.option(
        "--fill",
        is_flag=True,
        help="Fill the last sheet with spare tokens; several decks share sheets in one PDF.",
    ),
)


def sheet_options(function: common.F) -> common.F:
    """Add the options that say how cards are laid out on sheets."""
    for option in reversed(_OPTIONS):
        function = option(function)
    return function


def parse_sheets(
    folder: GameFolder,
    *,
    sheet: str | None,
    scale: str,
    backs: bool | None,
    backs_apart: bool,
    flip: str | None,
    back_offset: tuple[Mm, Mm] | None,
    printer: str | None,
    marks: str | None,
    footer: bool,
    fill: bool,
) -> SheetOptions:
    """Return what the options of `sheet_options` ask for.

    Raises:
        click.UsageError: if there is no such sheet, or options contradict each other.
        click.exceptions.Exit: if there is no such printer, which is shown.
    """
    if sheet is not None:
        from deckwright.sheet.format import format_names  # noqa: PLC0415 - only with the option

        names = format_names(folder.xml)
        if sheet not in names:
            message = f"there is no sheet format `{sheet}`"
            raise click.UsageError(common.with_hint(message, known_hint(sheet, names)))
    if backs_apart and backs is False:
        message = "--no-backs and --backs-apart cannot be used together"
        raise click.UsageError(message)
    options = SheetOptions(
        sheet,
        scale == "fit",
        True if backs_apart else backs,
        backs_apart,
        Flip(flip) if flip else None,
        Marks(marks) if marks else None,
        back_offset or (0, 0),
        footer=footer,
        fill=fill,
    )
    if printer is not None:
        found = to_printer(printer)
        options = options._replace(
            flip=options.flip or found.flip,
            unreached=found.margins,
            offset=found.offset if back_offset is None else back_offset,
        )
    return options


def to_printer(name: str) -> Printer:
    """Return the printer of this name.

    Raises:
        click.exceptions.Exit: if there is none, which is shown.
    """
    report: Report = []
    found = find_printer(name, report)
    if found is None:
        common.show(report)
        common.leave(report)
    return found
