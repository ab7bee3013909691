"""What the exports of pictures share."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn, TypeVar

import click

from deckwright.base.findings import Report
from deckwright.base.units import Mm
from deckwright.cli.common import (
    counted,
    game_option,
    leave,
    parse_style,
    quiet_option,
    show_and_count,
    style_option,
)
from deckwright.cli.terminal import echo
from deckwright.cli.values import Parsed, length_within
from deckwright.game.folder import GameFolder
from deckwright.outputs.pictures import Sides, Wanted

F = TypeVar("F", bound=Callable[..., object])


def _pixels(text: str) -> tuple[int, int]:
    """Return a width and a height in pixels.

    Raises:
        ValueError: if they are not written so.
    """
    sides = re.fullmatch(r"([1-9][0-9]{0,4})[x×]([1-9][0-9]{0,4})", text, re.ASCII)
    if sides is None:
        message = f"`{text}` is not of the form 750x1050"
        raise ValueError(message)
    return int(sides.group(1)), int(sides.group(2))


def which_options(function: F) -> F:
    """Add the argument and the options that say which faces are drawn, and where to."""
    for option in (
        quiet_option,
        click.option(
            "--out",
            "-o",
            type=click.Path(file_okay=False, path_type=Path),
            help="The folder to write to. The default is out/FORMAT in the game.",
        ),
        click.option(
            "--bleed",
            metavar="LENGTH",
            type=length_within(0, 50),
            default="0mm",
            help="Include this much bleed around the trim box, such as 3mm.",
        ),
        click.option("--both", is_flag=True, help="Draw both faces and backs."),
        click.option("--backs", is_flag=True, help="Draw the backs instead of the faces."),
        style_option,
        game_option,
        click.argument("cards", nargs=-1),
    ):
        function = option(function)
    return function


def size_options(function: F) -> F:
    """Add the options that say how fine pictures are."""
    for option in (
        click.option(
            "--size",
            metavar="WIDTHxHEIGHT",
            type=Parsed(_pixels),
            help="Make every picture exactly this many pixels wide and high, whatever --dpi says.",
        ),
        click.option(
            "--dpi",
            type=click.FloatRange(20, 1200),
            default=300,
            show_default=True,
            help="Pixels per inch.",
        ),
    ):
        function = option(function)
    return function


def wanted_faces(
    folder: GameFolder,
    cards: tuple[str, ...],
    style: str | None,
    bleed: Mm,
    *,
    backs: bool,
    both: bool,
) -> Wanted:
    """Return what the options of `which_options` ask for.

    Raises:
        click.UsageError: if there is no such style, or they ask for two things at once.
    """
    if backs and both:
        message = "--backs and --both cannot be used together"
        raise click.UsageError(message)
    sides = Sides.BOTH if both else Sides.BACKS if backs else Sides.FACES
    return Wanted(cards, sides, parse_style(folder, style), bleed)


def tell_pictures(number: int | None, target: Path, report: Report, *, quiet: bool) -> NoReturn:
    """Print the findings and how many pictures there are, and end the program."""
    show_and_count(report)
    if number is not None and not quiet:
        echo(f"{counted(number, 'picture')} in {target}")
    leave(report)
