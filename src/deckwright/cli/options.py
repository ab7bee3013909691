"""Options shared by several commands, and their types."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import click

from deckwright.api import GameError
from deckwright.api.options import resolve_printer
from deckwright.base.units import CARD_SIZES, Mm, parse_length
from deckwright.cli import common
from deckwright.cli.common import F
from deckwright.sheet.grid import Flip, Marks
from deckwright.sheet.printers import Printer, parse_offset

if TYPE_CHECKING:
    from deckwright.api import PressPrint
    from deckwright.outputs.press.icc import IccProfile
    from deckwright.outputs.printed import PressOutput
    from deckwright.outputs.services.profile import Service


T = TypeVar("T")


class Parsed(click.ParamType[T], Generic[T]):
    """A parameter type that calls a function; its ValueErrors become usage errors."""

    name = "value"

    def __init__(self, parse: Callable[[str], T]) -> None:
        """Set the function that parses the value."""
        self._parse = parse

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> T:
        """Parse a value."""
        try:
            return self._parse(str(value))
        except ValueError as error:
            self.fail(str(error), param, ctx)


def length_type(least: Mm, maximum: Mm) -> Parsed[Mm]:
    """Return a type of lengths in mm, or with a unit, between two bounds."""

    def parse(text: str) -> Mm:
        length = parse_length(text)
        if not least <= length <= maximum:
            raise ValueError(f"`{text}` is not within {least:g} to {maximum:g} mm")
        return length

    return Parsed(parse)


_MAX_SIDE: Mm = 2000
"""The largest width or height in mm."""
_MAX_PAGE_DIGITS = 6
"""Page numbers have fewer digits."""


def parse_size(text: str, known: Mapping[str, tuple[Mm, Mm]] = CARD_SIZES) -> tuple[Mm, Mm]:
    """Parse a width and a height: "63x88", "2.5x3.5in", or a name.

    Args:
        known: sizes by name; those of cards by default.

    Raises:
        ValueError: if the text is no size.
    """
    if text.lower() in known:
        return known[text.lower()]
    sides = text.lower().replace("×", "x").split("x")
    if len(sides) != 2:  # noqa: PLR2004 - width and height
        raise ValueError(f"`{text}` is not a size such as 63x88 or 2.5x3.5in")
    unit = sides[1].strip().lstrip("0123456789. ")
    width, height = (parse_length(s if s.strip()[-1:].isalpha() else s + unit) for s in sides)
    for side in (width, height):
        if not 1 <= side <= _MAX_SIDE:
            raise ValueError(f"a side of `{text}` is not within 1 to {_MAX_SIDE:g} mm")
    return width, height


def parse_pages(text: str) -> tuple[int, ...]:
    """Parse page numbers such as "1-54,60", keeping their order.

    Raises:
        ValueError: if the text has another form.
    """
    numbers: list[int] = []
    for part in filter(None, text.replace(" ", "").split(",")):
        first, dash, last = part.partition("-")
        if not (first.isascii() and first.isdecimal() and len(first) < _MAX_PAGE_DIGITS):
            raise ValueError(f"`{part}` is not a page or a range of pages such as 3 or 1-54")
        if dash and not (last.isascii() and last.isdecimal() and len(last) < _MAX_PAGE_DIGITS):
            raise ValueError(f"`{part}` is not a range of pages such as 1-54")
        numbers += range(int(first), int(last or first) + 1)
    if text.strip() and not numbers:
        raise ValueError(f"`{text}` names no pages; write them as in 1-54,60")
    return tuple(numbers)


MAX_COUNT = 999


def _number_option(name: str, help_: str, least: int = 0) -> Callable[[F], F]:
    return click.option(name, type=click.IntRange(least, MAX_COUNT), help=help_)


opening_options = common.combine_options(
    click.option("--zone", metavar="ID", help="Draw from this zone instead of the game's."),
    _number_option("--hand", "Start with this many cards instead of the game's number.", 1),
    _number_option("--redraws", "Let players replace this many cards once."),
    _number_option("--mulligans", "Let players shuffle their hand back this many times."),
    _number_option("--draws", "Draw this many cards each turn."),
)
"""The options that override the game's `opening`."""


def _load_printer(
    _context: click.Context, _option: click.Parameter, name: str | None
) -> Printer | None:
    """Load the printer of this name, None if none is named.

    Raises:
        click.exceptions.Exit: after reporting that it does not exist.
    """
    try:
        return None if name is None else resolve_printer(name)
    except GameError as error:
        common.show([*error.findings])
        common.exit_with_findings([*error.findings])


printer_option = click.option(
    "--printer",
    metavar="NAME",
    callback=_load_printer,
    help="Apply the measurements that `deckwright calibrate` saved for this printer.",
)
footer_option = click.option(
    "--footer/--no-footer", default=True, help="Put a ruler and a footer on each sheet."
)

cut_option = click.option(
    "--cut",
    metavar="MACHINE",
    help="Print registration marks for a cutting machine and write its files: silhouette, cricut.",
)
cut_options = common.combine_options(
    cut_option,
    click.option("--kiss-cut", is_flag=True, help="Cut stickers only, not the backing paper."),
)
"""The options for cutting machines."""

reference_option = click.option(
    "--reference/--no-reference",
    default=None,
    help="Print a rule reference after each deck, or omit it.",
)
backs_apart_option = click.option(
    "--backs-apart", is_flag=True, help="Print backs to a separate file."
)
layout_options = common.combine_options(
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
        help="Turn some cards if more then fit on a sheet.",
    ),
)
"""The options for the layout of cards."""
marks_options = common.combine_options(
    click.option(
        "--flip",
        type=click.Choice([flip.value for flip in Flip]),
        help="The edge on which the printer flips the paper.",
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
"""The options for printing and cutting sheets."""
hand_cut_options = common.combine_options(
    layout_options,
    click.option(
        "--backs/--no-backs",
        default=None,
        help="Print backs, after each sheet, or omit them.",
    ),
    backs_apart_option,
    marks_options,
    click.option(
        "--fill",
        is_flag=True,
        help="Fill the last sheet with spare tokens; several decks share sheets and one PDF.",
    ),
)
"""The options for sheets that people cut by hand."""
sheet_options = common.combine_options(hand_cut_options, cut_options)
"""All options for sheets of cards."""


_PRESS_OPTIONS = ("service", "icc", "pdfx", "state_pdfx", "anyway")
_FULL_INK = 400
"""Four inks at 100 %."""

pdfx_options = common.combine_options(
    click.option(
        "--icc",
        metavar="FILE",
        help="The ICC profile for CMYK, or `none` for RGB. The default suits the service best.",
    ),
    click.option(
        "--pdfx",
        type=click.Choice(["x-1a", "x-4"]),
        help="The PDF/X version to make instead of the service's.",
    ),
    click.option(
        "--state-pdfx",
        is_flag=True,
        help="Label the PDF as PDF/X. Deckwright cannot check that: have it checked.",
    ),
)
"""The options for the ICC profile and PDF/X."""
press_options = common.combine_options(
    click.option(
        "--service",
        metavar="ID",
        help="Prepare the PDF for this print service, such as `press`: with its inks and bleed.",
    ),
    pdfx_options,
    click.option("--anyway", is_flag=True, help="Write a file even if the preflight finds errors."),
)
"""The press options of commands that also print for people."""


def take_press_options(options: dict[str, Any]) -> PressPrint:
    """Remove the values of `press_options` from those of a command and return them."""
    return {name: options.pop(name) for name in _PRESS_OPTIONS}  # type: ignore[return-value]


def prefix_service(name: str, press: PressPrint) -> str:
    """Return a file name, prefixed with the service as in exports."""
    service = press.get("service")
    return f"{service}_{name}" if service else name


def press_lines(pressed: PressOutput | None) -> list[str]:
    """Summarize a print for a press as a short table."""
    if pressed is None:
        return []
    rows = [("inks", inks_row(pressed.inks, [path.name for path in pressed.masks]))]
    rows = rows if pressed.inks else []
    rows += color_rows(pressed.service, pressed.profile, stated=pressed.stated)
    return common.format_table(f"ready for {pressed.service.name}", rows)


def inks_row(inks: tuple[str, ...], masks: list[str]) -> str:
    """Describe how extra inks are delivered."""
    how = f"as masks in {', '.join(masks)}" if masks else "as separations"
    return f"{', '.join(inks)}, {how}"


def color_rows(
    service: Service, profile: IccProfile | None, *, stated: bool
) -> list[tuple[str, str]]:
    """Return table rows with the color space and PDF/X version of a print."""
    if profile is None:
        return [("colors", "RGB")]
    condition = profile.condition or service.condition
    suffix = f" for {condition}" if condition else ""
    most = f", at most {service.max_ink}% ink" if service.max_ink < _FULL_INK else ""
    rows = [("colors", f"CMYK{suffix} with the profile {profile.name}{most}")]
    if service.pdfx:
        statement = "as the file states" if stated else "though the file does not state it"
        description = f"made as {service.pdfx}, {statement}; have it checked, Deckwright cannot"
        rows.append(("PDF/X", description))
    return rows
