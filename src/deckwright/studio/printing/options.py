"""The options of what can be made, as the library has them: their names, types and words.

They are read off its TypedDicts and the signatures of its methods, so that what the library gains
the studio has, too.
"""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Literal, NamedTuple, TypedDict

from deckwright.api.asked import DeckPrint, GamePrint, Limits, Sheets
from deckwright.outputs.tuckbox import MOST_CARDS
from deckwright.sheet.printers import MOST_OFFSET

OptionType = Literal[
    "flag", "choice", "integer", "number", "text", "names", "offset", "size", "numbers"
]


class Named(TypedDict):
    """A value that can be chosen."""

    value: str
    name: str


class Option(NamedTuple):
    """An option.

    Attributes:
        default: its value where nothing is said.
        optional: whether it may be None: as the game or the format has it.
        choices: what can be chosen, if anything can be.
        least, most: the bounds of numbers.
        help: what it does, in the words of the library.
    """

    name: str
    type: OptionType
    default: object = None
    optional: bool = False
    choices: tuple[Named, ...] = ()
    least: float | None = None
    most: float | None = None
    help: str = ""


_TYPES: Mapping[str, OptionType] = {
    "bool": "flag",
    "str | bool": "text",
    "str": "text",
    "str | Printer": "text",
    "Path | str": "text",
    "int": "integer",
    "float": "number",
    "Mm": "number",
    "Iterable[str]": "names",
    "tuple[Mm, Mm]": "offset",
    "tuple[int, int]": "size",
    "Mapping[str, int]": "numbers",
    "Mapping[str, int | None]": "numbers",
}
"""The types of options by annotations."""
_BOUNDS: Mapping[str, tuple[float, float]] = {
    "back_offset": (-MOST_OFFSET, MOST_OFFSET),
    "bleed": (0, 50),
    "cards": (1, MOST_CARDS),
    "clearance": (0, 50),
    "copies": (1, 999),
    "counts": (0, 99_999),
    "dpi": (20, 1200),
    "limit": (0, 999_999),
    "quality": (1, 100),
    "size": (1, 99_999),
    "thickness": (0.05, 20),
}
"""The bounds of numbers, as the commands have them."""
_DICTS = {"Sheets": Sheets, "Limits": Limits, "GamePrint": GamePrint, "DeckPrint": DeckPrint}
"""What `Unpack` may stand around in a signature."""
_UNPACK = re.compile(r"Unpack\[(\w+)\]")
_ENTRY = re.compile(r"^ {4,}(\w+(?:, \w+)*): (.+)$")


def options_of(function: Callable[..., object], without: Iterable[str] = ()) -> list[Option]:
    """Return the options of a function of the library: what it takes by keywords.

    Args:
        without: the names of those that are left out.
    """
    left_out = {*without}
    said = {**_said(), **_entries(inspect.getdoc(function) or "")}
    found = (
        _option(name, annotation, default, said)
        for name, annotation, default in _taken(function)
        if name not in left_out
    )
    return [option for option in found if option is not None]


def _taken(function: Callable[..., object]) -> Iterator[tuple[str, str, object]]:
    """Yield what a function takes by keywords: names, annotations and defaults."""
    for parameter in inspect.signature(function).parameters.values():
        unpacked = _UNPACK.fullmatch(str(parameter.annotation))
        if parameter.kind is inspect.Parameter.VAR_KEYWORD and unpacked:
            for name, annotation in _DICTS[unpacked[1]].__annotations__.items():
                yield name, annotation.__forward_arg__, None
        elif parameter.default is not inspect.Parameter.empty:
            yield parameter.name, str(parameter.annotation), parameter.default


def _option(name: str, annotation: str, default: object, said: Mapping[str, str]) -> Option | None:
    """Return an option, None if it is none that a page could ask for."""
    plain = annotation.removesuffix(" | None")
    literal = re.fullmatch(r"Literal(\[.+\])", plain)
    choices: tuple[Named, ...] = ()
    if literal is not None:
        values = ast.literal_eval(literal[1])
        choices = tuple({"value": value, "name": value} for value in values)
        default = values[0] if default is None else default
    elif plain not in _TYPES:
        return None
    type_ = _TYPES.get(plain, "choice")
    optional = plain != annotation
    if default is None and not optional:
        default = _USUAL.get(name, _EMPTY[type_])
    elif isinstance(default, tuple):
        default = [*default]
    least, most = _BOUNDS.get(name, (None, None))
    return Option(name, type_, default, optional, choices, least, most, said.get(name, ""))


_USUAL: Mapping[str, object] = {"footer": True}
"""What is not left out where nothing is said."""
_EMPTY: Mapping[OptionType, object] = {"flag": False, "names": [], "numbers": {}, "text": ""}


def _said() -> dict[str, str]:
    """Return what the TypedDicts of the library say of their keys."""
    said: dict[str, str] = {}
    for shape in _DICTS.values():
        said = {**_entries(inspect.getdoc(shape) or ""), **said}
    return said


def _entries(text: str) -> dict[str, str]:
    """Return what a docstring says of arguments or attributes, but that it is as elsewhere."""
    said: dict[str, str] = {}
    names: list[str] = []
    _, _, listed = re.sub(r"\n(Args|Attributes):\n", "\n\0", text).partition("\0")
    for line in listed.partition("\n\n")[0].split("\n"):
        entry = _ENTRY.match(line)
        if entry is not None and line[:5].count(" ") == 4:  # noqa: PLR2004 - not one that goes on
            names = entry[1].split(", ")
            said |= dict.fromkeys(names, entry[2])
        else:
            said |= {name: f"{said[name]} {line.strip()}" for name in names}
    return {name: words for name, words in said.items() if "as in `" not in words}
