"""Options, declared once: the command line, the studio, runs and the docs derive from it.

An option is a key of a TypedDict, or a keyword-only parameter of a method of the library, whose
annotation has an `Option`:

    sheet: Annotated[str | None, Option("The sheet format, such as a4.", "NAME")]
"""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Collection, Mapping
from functools import cache
from typing import Any, Literal, NamedTuple, is_typeddict

OptionType = Literal[
    "flag", "choice", "integer", "number", "length", "text", "file", "names", "offset", "pixels",
    "numbers", "limits", "watermark", "printer",
]  # fmt: skip
"""The types of values. Lengths and offsets are in mm; `pixels` are two whole numbers, `numbers`
whole numbers by id, `limits` such numbers or None."""

_TYPES: Mapping[str, OptionType] = {
    "bool": "flag",
    "int": "integer",
    "float": "number",
    "Mm": "length",
    "str": "text",
    "str | bool": "watermark",
    "str | Printer": "printer",
    "Path | str": "file",
    "Iterable[str]": "names",
    "tuple[Mm, Mm]": "offset",
    "tuple[int, int]": "pixels",
    "Mapping[str, int]": "numbers",
    "Mapping[str, int | None]": "limits",
}
"""Types by annotation."""
_DEFAULTS: Mapping[OptionType, object] = {
    "flag": False,
    "names": (),
    "numbers": {},
    "limits": {},
    "text": "",
}
"""The usual defaults of options that may not be None."""


class Option(NamedTuple):
    """What an annotation says about an option.

    Attributes:
        help: a sentence or two for people.
        metavar: the placeholder for its value on the command line.
        least, most: the bounds of numbers; those of lengths are in mm.
        default: its value if the key is left out; by default that of its type.
        choices: the values to choose from, unless the type names them.
        flag: its name on the command line, if it has another one there.
        short: its name of one letter.
    """

    help: str
    metavar: str | None = None
    least: float | None = None
    most: float | None = None
    default: Any = None
    choices: Collection[str] = ()
    flag: str = ""
    short: str = ""


_COMMON = {
    "dpi": Option("Pixels per inch.", least=20, most=1200),
    "style": Option("Use the templates in templates/NAME.", "NAME", short="-s"),
    "watermark": Option(
        'Print a text across all faces, such as PLAYTEST; "" omits the one in game.xml.', "TEXT"
    ),
}
"""Options that mean the same everywhere, so that parameters need no annotation."""


class OptionField(NamedTuple):
    """An option with its name, type and default.

    Attributes:
        option: what its annotation says, with the choices that its type names.
        optional: whether it may be None, which means the value of the game or the format.
    """

    name: str
    type: OptionType
    option: Option
    default: Any
    optional: bool


@cache
def read_options(source: Any) -> tuple[OptionField, ...]:
    """Return the options of a TypedDict or of a function, in the order of their declaration."""
    fields: list[OptionField] = []
    if is_typeddict(source):
        for name, reference in source.__annotations__.items():
            names = vars(sys.modules[reference.__forward_module__])
            fields.append(_read_field(name, reference.__forward_arg__, names, None))
        return tuple(fields)
    for name, parameter in inspect.signature(source).parameters.items():
        annotation = str(parameter.annotation)
        if parameter.kind is parameter.VAR_KEYWORD:
            unpacked = annotation.removeprefix("Unpack[").removesuffix("]")
            fields += read_options(source.__globals__[unpacked])
        elif parameter.kind is parameter.KEYWORD_ONLY and (
            annotation.startswith("Annotated[") or name in _COMMON
        ):
            fields.append(_read_field(name, annotation, source.__globals__, parameter.default))
    return tuple(fields)


def option_names(source: Any) -> frozenset[str]:
    """Return the names of the options of a TypedDict or of a function."""
    return frozenset(field.name for field in read_options(source))


def _read_field(
    name: str, annotation: str, names: Mapping[str, Any], default: object
) -> OptionField:
    """Return the option of an annotation that uses the names of a module.

    Types are recognized by their text: a length is a float as well, and some are not imported.
    """
    node = ast.parse(annotation, mode="eval").body
    option = _COMMON.get(name)
    if isinstance(node, ast.Subscript) and annotation.startswith("Annotated["):
        assert isinstance(node.slice, ast.Tuple)
        node, call = node.slice.elts
        option = eval(compile(ast.Expression(call), name, "eval"), dict(names))  # noqa: S307 - ours
    assert option is not None, f"the annotation of {name} says nothing about the option"
    text = ast.unparse(node)
    plain = text.removesuffix(" | None")
    optional = plain != text
    type_ = _TYPES.get(plain, "choice")
    if type_ == "choice":
        option = option._replace(choices=ast.literal_eval(plain.removeprefix("Literal")))
    elif type_ == "text" and option.choices:
        type_ = "choice"
    default = option.default if default is None else default
    if default is None and not optional:
        default = next(iter(option.choices)) if type_ == "choice" else _DEFAULTS.get(type_)
    return OptionField(name, type_, option, default, optional)
