"""Options of commands, derived from those of the library, and their types."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Iterable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import click

from deckwright.base.findings import shorten
from deckwright.base.options import Option, OptionField, option_names, read_options
from deckwright.base.units import MAX_SIDE, Mm, parse_length

if TYPE_CHECKING:
    from deckwright.api import PressPrint


F = TypeVar("F", bound=Callable[..., object])
T = TypeVar("T")

INPUT_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
OUTPUT_FILE = click.Path(dir_okay=False, path_type=Path)
OUTPUT_FOLDER = click.Path(file_okay=False, path_type=Path)


def combine_options(*options: Callable[[F], F]) -> Callable[[F], F]:
    """Return a decorator that adds several options, in the order of the help page."""

    def decorate(function: F) -> F:
        for option in reversed(options):
            function = option(function)
        return function

    return decorate


class Parsed(click.ParamType[T], Generic[T]):
    """A parameter type that calls a function; its ValueErrors become usage errors."""

    name = "value"

    def __init__(self, parse: Callable[[str], T]) -> None:
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


_MAX_PAGE_DIGITS = 6
"""Page numbers have fewer digits."""


def parse_pages(text: str) -> tuple[int, ...]:
    """Parse page numbers such as "1-54,60", keeping their order."""
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


def parse_pair(text: str, option: Option) -> tuple[int, int]:
    """Return two whole numbers, such as a width and a height."""
    sides = re.fullmatch(r"([0-9]{1,5})[x×]([0-9]{1,5})", text, re.ASCII)
    least, most = option.least or 0, option.most or math.inf
    if sides is None or not all(least <= int(side) <= most for side in sides.groups()):
        raise ValueError(f"`{text}` is not {option.metavar}, each from {least:g} to {most:g}")
    return int(sides[1]), int(sides[2])


def split_names(_: click.Context, __: click.Parameter, texts: Iterable[str]) -> list[str]:
    """Split names that are repeated or separated by commas."""
    return [name for text in texts for name in text.split(",")]


def _parse_numbers(
    _: click.Context, option: click.Parameter, changes: Iterable[str], *, off: bool = False
) -> dict[str, int | None]:
    """Return numbers by their ids; `off` is None, if it is allowed."""
    values: dict[str, int | None] = {}
    for change in changes:
        name, equals, value = change.partition("=")
        if not equals or not re.fullmatch("off|[0-9]{1,9}" if off else "[0-9]{1,5}", value):
            form = "ID=NUMBER or ID=off" if off else "ID=NUMBER"
            text = f"{max(option.opts, key=len)} {shorten(change)}"
            raise click.UsageError(f"`{text}` is not of the form {form}")
        values[name] = None if value == "off" else int(value)
    return values


def complete_name(context: click.Context, option: click.Parameter, start: str) -> list[str]:
    """Return the names that an option may have in the game and that begin like this."""
    from deckwright.game.folder import GameFolder  # all only to complete
    from deckwright.game.load import load_setup
    from deckwright.outputs.cutters.profile import cutter_names
    from deckwright.outputs.services.profile import service_names
    from deckwright.sheet.layout import list_formats
    from deckwright.sheet.printers import load_printers

    folder = GameFolder(context.params.get("game") or Path())
    names: Iterable[str] = ()
    match option.name:
        case "style":
            names = folder.styles()
        case "sheet":
            names = list_formats(folder.xml)
        case "service":
            names = service_names(folder.xml)
        case "cut":
            names = cutter_names(folder.xml)
        case "printer":
            names = load_printers([]) or ()
        case "limits" if setup := load_setup(folder, []):
            names = setup.formats
    return [name for name in names if name.startswith(start)]


def make_option(field: OptionField) -> Callable[[F], F]:
    """Return the option of a command for an option of the library."""
    option, default = field.option, field.default
    least, most = option.least, option.most
    settings: dict[str, Any] = {}
    match field.type:
        case "choice":
            settings["type"] = click.Choice([*option.choices])
        case "integer":
            low, high = (None if bound is None else int(bound) for bound in (least, most))
            settings["type"] = click.IntRange(low, high)
        case "number":
            settings["type"] = click.FloatRange(least, most)
        case "length":
            settings["type"] = length_type(least or 0, most or MAX_SIDE)
        case "offset":
            from deckwright.sheet.printers import parse_offset  # few options need it

            settings["type"] = Parsed(parse_offset)
        case "pixels":
            settings["type"] = Parsed(partial(parse_pair, option=option))
        case "names":
            settings |= {"multiple": True, "callback": split_names}
        case "numbers":
            settings |= {"multiple": True, "callback": _parse_numbers}
        case "limits":
            settings |= {"multiple": True, "callback": partial(_parse_numbers, off=True)}
        case "text" | "printer":
            settings["shell_complete"] = complete_name
        case "watermark":  # or else what `--draft` has set
            settings["callback"] = lambda context, _, text: (
                context.params.get("watermark") if text is None else text
            )
    flag = option.flag or f"--{field.name.replace('_', '-')}"
    if field.type == "flag" and (default or field.optional):
        flag = f"{flag}/--no-{flag.removeprefix('--')}"
    elif field.type == "flag":
        settings["is_flag"] = True
    elif default and default != "none":
        settings["show_default"] = True
    if "callback" not in settings:
        settings["default"] = default
    names = filter(None, (flag, option.short, field.name))
    return click.option(*names, metavar=option.metavar, help=option.help, **settings)


def options_of(source: Any, *names: str, without: Collection[str] = ()) -> Callable[[F], F]:
    """Return the options of a command for all, or some, of those of a TypedDict or a method."""
    fields = {field.name: field for field in read_options(source)}
    chosen = (fields[name] for name in names or fields if name not in without)
    return combine_options(*map(make_option, chosen))


def take_press_options(options: dict[str, Any]) -> PressPrint:
    """Remove the values of `PressPrint` from those of a command and return them."""
    from deckwright.api import PressPrint  # the command has imported it

    return {name: options.pop(name) for name in option_names(PressPrint)}  # type: ignore[return-value]


def prefix_service(name: str, press: PressPrint) -> str:
    """Return a file name, prefixed with the service as in exports."""
    service = press.get("service")
    return f"{service}_{name}" if service else name
