"""Parsed drawings, their values, and the errors of unsupported ones."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from deckwright.base.colors import parse_css_color, split_at_commas
from deckwright.base.findings import Diagnostic, Location
from deckwright.base.geometry import IDENTITY, Box
from deckwright.ops import outlines
from deckwright.ops.model import FillPath, Group, Op, StrokePath, walk
from deckwright.ops.outlines import NUMBER, SPACE
from deckwright.xmlio.load import load_document
from deckwright.xmlio.node import Node

SVG, XLINK = "http://www.w3.org/2000/svg", "{http://www.w3.org/1999/xlink}"
HREF = f"{XLINK}href"
"""The older spelling of `href`."""
MAX_SEGMENTS = 100_000
"""The most lines and curves of a drawing: reading as many takes a second."""

Palette = tuple[tuple[str, str], ...]
"""Variables given to a drawing: names without dashes, and values."""


class Drawing(NamedTuple):
    """An SVG drawing with its origin at the top left of its canvas.

    Attributes:
        width, height: the canvas, in the drawing's own units.
        ops: its ops, including any that extend beyond the canvas.
        overflows: whether any does.
        variables: the names of its variables, if it was given a palette.
    """

    width: float
    height: float
    ops: tuple[Op, ...]
    overflows: bool = False
    variables: frozenset[str] = frozenset()

    @property
    def visible_ops(self) -> tuple[Op, ...]:
        """The ops, clipped at the canvas like in browsers."""
        if not self.overflows:
            return self.ops
        return (Group(self.ops, clip=outlines.rectangle(0, 0, self.width, self.height)),)


class DrawingError(Exception):
    """A drawing cannot be drawn, because of what stands at `place` in its file."""

    def __init__(self, message: str, place: Location, hint: str | None = None) -> None:
        """Keep the message, the place and the hint."""
        super().__init__(message)
        self.place, self.hint = place, hint


class RefusedError(Exception):
    """A feature of an element is not supported: that of an attribute, or the element itself."""

    def __init__(self, message: str, attribute: str | None = None, hint: str | None = None) -> None:
        """Keep the message, the attribute and the hint."""
        super().__init__(message)
        self.attribute, self.hint = attribute, hint


def locate_error(node: Node, error: RefusedError) -> DrawingError:
    """Return the error with its location in the drawing's file."""
    hint = error.hint or "draw it with paths and basic shapes"
    if not hint.endswith("?"):
        hint += "; `--rasterize` prints the drawing as pixels"
    return DrawingError(str(error), node.source.at(error.attribute), hint)


@contextmanager
def locating(node: Node) -> Iterator[None]:
    """Give a RefusedError within the context the location of an element."""
    try:
        yield
    except RefusedError as error:
        raise locate_error(node, error) from None


def load_root(path: Path) -> Node:
    """Return the root element of the drawing at `path`; one that is damaged is a DrawingError."""
    report: list[Diagnostic] = []
    root = load_document(path, report, drawing=True)
    if root is None:
        finding = report[0]
        raise DrawingError(finding.message, finding.location or Location(path), finding.hint)
    return root


def split_tag(tag: str) -> tuple[str, str]:
    """Return the namespace and the local name of a tag."""
    namespace, _, name = tag.rpartition("}")
    return namespace.removeprefix("{"), name


def link_of(node: Node) -> str | None:
    """Return what an element refers to."""
    return node.get("href", node.get(HREF))


def count_segments(ops: tuple[Op, ...]) -> int:
    """Return the number of lines and curves in ops; each op counts as one more."""
    paths = (op for op in walk(ops) if isinstance(op, FillPath | StrokePath))
    return sum(len(op.outline) + 1 for op in paths)


def op_bounds(op: Op) -> Box:
    """Return a box around a painted path, a clip, or a path in a group, with its stroke."""
    matrix, half = IDENTITY, 0.0
    while isinstance(op, Group):
        if op.clip is not None:
            return outlines.bounds_of(op.clip, op.inner_matrix(matrix))
        matrix, op = op.inner_matrix(matrix), op.ops[0]
    assert isinstance(op, FillPath | StrokePath)
    if isinstance(op, StrokePath):
        # Mitered corners and square caps extend beyond half the line's width.
        half = op.width / 2 * (op.miter if op.join == 0 else 1.5)
    return outlines.bounds_of(op.outline).expand(half).transform(matrix)


MAX_COORDINATE = 1e6
"""The largest number in a drawing, in its own units; its reciprocal is the smallest side."""

PLACEHOLDER = "\x01"
"""Encloses the name of a color that is not known yet; no file can contain it."""

_NUMBER = re.compile(NUMBER)
_ITEM = re.compile(rf"[{SPACE}]*+(,?+)[{SPACE}]*+({NUMBER})")
_MEASURE = re.compile(rf"({NUMBER})([a-zA-Z]{{0,4}}|%)")
_PX = {"": 1, "px": 1, "in": 96, "cm": 96 / 2.54, "mm": 96 / 25.4, "q": 96 / 101.6, "pt": 96 / 72,
       "pc": 16}  # fmt: skip
_DEGREES = {"deg": 1, "grad": 0.9, "rad": 180 / math.pi, "turn": 360}


def refusal(name: str, value: str, why: str, hint: str | None = None) -> RefusedError:
    """Return the error that the value of an attribute or property is not supported."""
    value = " ".join(value.split())
    short = value if len(value) <= 60 else f"{value[:57]}…"  # a line in a terminal
    return RefusedError(f"`{name}` is `{short}`, {why}", name, hint)


def parse_length(text: str, name: str, full_length: float, *, css: bool = False) -> float:
    """Return a length in px, the drawing's own units.

    Args:
        full_length: the reference of percentages.
        css: whether it comes from a style, where all numbers but 0 need a unit.

    Raises:
        RefusedError: if it is malformed, or in a unit of fonts or windows.
    """
    match = _MEASURE.fullmatch(text.strip(SPACE))
    if match is None or (match[2] != "%" and match[2].lower() not in _PX):
        raise refusal(name, text, "not a length", "write it in px, mm, cm, in, pt, pc or %")
    number = check_bounds(float(match[1]), name, text)
    if css and not match[2] and number:
        raise refusal(name, text, "which needs a unit in a style", f"write `{text.strip()}px`")
    return number * (full_length / 100 if match[2] == "%" else _PX[match[2].lower()])


def parse_angle(text: str, name: str) -> float:
    """Return a CSS angle in degrees."""
    match = _MEASURE.fullmatch(text.strip(SPACE))
    if match is None or (match[2].lower() not in _DEGREES and (match[2] or float(match[1]))):
        raise refusal(name, text, "not an angle", "write it in deg, grad, rad or turn")
    return check_bounds(float(match[1]), name, text) * _DEGREES.get(match[2].lower(), 1)


def parse_number(text: str, name: str) -> float:
    """Return a number; a malformed one is a RefusedError."""
    text = text.strip(SPACE)
    if not _NUMBER.fullmatch(text):
        raise refusal(name, text, "not a number")
    return check_bounds(float(text), name, text)


@lru_cache(maxsize=1024)
def parse_share(text: str, name: str) -> float:
    """Return a number or percentage as a share, clamped to 0 to 1."""
    text = text.strip(SPACE)
    value = parse_number(text.removesuffix("%"), name) / (100 if text.endswith("%") else 1)
    return min(max(value, 0), 1)


def check_bounds(value: float, name: str, text: str) -> float:
    """Return a number that is not too large to compute with."""
    if not abs(value) <= MAX_COORDINATE:
        raise refusal(name, text, "which is too large")
    return value


def parse_numbers(text: str) -> tuple[list[float], bool]:
    """Return the numbers of a list up to its first error, and whether it is free of errors.

    Numbers are separated by space, by a comma, or by nothing where that is clear: `1-2.5.5`.
    """
    found, text, at = list[float](), text.strip(SPACE), 0
    while at < len(text):
        match = _ITEM.match(text, at)
        if match is None or (match[1] and not found):
            return found, False
        found.append(float(match[2]))
        at = match.end()
    return found, True


def parse_opaque_color(text: str, name: str) -> str | None:
    """Return a color as `#rrggbb`, None for a fully transparent one.

    A text with a placeholder is returned unchanged.

    Raises:
        RefusedError: if it is malformed, or partly transparent.
    """
    opaque, opacity = parse_color(text, name)
    if 0 < opacity < 1:
        raise refusal(name, text, "which is partly transparent", "mix it with the color below it")
    return opaque if opacity else None


@lru_cache(maxsize=4096)
def parse_color(text: str, name: str) -> tuple[str, float]:
    """Return a color as `#rrggbb`, and its opacity; a malformed one is a RefusedError."""
    text = text.strip(SPACE)
    if PLACEHOLDER in text:
        return text, 1
    if text.startswith("color-mix("):
        return _mix_colors(text, name), 1
    known = parse_css_color(text)
    if known is None:
        hint = "use a name, #rrggbb, rgb() or hsl()"
        raise refusal(name, text, "a paint that cannot be drawn", hint)
    return known


_COLOR_SPACE = re.compile(r"in\s+srgb")
_MIX_PART = re.compile(r"(?:([\d.]+)%\s+)?(.*?)(?:\s+([\d.]+)%)?", re.DOTALL)
_MAX_MIX_LENGTH = 500


def _mix_colors(text: str, name: str) -> str:
    """Return the color of `color-mix(in srgb, A 30%, B)`.

    After CSS Color Level 5 (https://www.w3.org/TR/css-color-5/#color-mix).
    """
    hint = "write `color-mix(in srgb, #7a3b2e 70%, black)`"
    if len(text) > _MAX_MIX_LENGTH:
        raise refusal(name, text, "which is too long", hint)
    space, *parts = (part.strip() for part in split_at_commas(text[len("color-mix(") : -1]))
    if not text.endswith(")") or len(parts) != 2 or not _COLOR_SPACE.fullmatch(space):
        raise refusal(name, text, "which cannot be read", hint)
    colors: list[str] = []
    shares: list[float | None] = []
    for part in parts:
        found = _MIX_PART.fullmatch(part)
        assert found is not None
        percent = found[1] or found[3]
        if (found[1] and found[3]) or not found[2]:
            raise refusal(name, text, "which cannot be read", hint)
        shares.append(None if percent is None else min(parse_number(percent, name), 100))
        colors.append(parse_opaque_color(found[2], name) or "")
    first, second = shares
    if first is None:
        first = 50 if second is None else 100 - second
    second = 100 - first if second is None else second
    if not all(colors) or first + second < 100:  # percent
        raise refusal(name, text, "which is partly transparent", hint)
    portion = first / (first + second)
    one, other = (bytes.fromhex(found[1:]) for found in colors)
    mixed = (round(a * portion + b * (1 - portion)) for a, b in zip(one, other, strict=True))
    return f"#{bytes(mixed).hex()}"
