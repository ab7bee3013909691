"""Reads SVG files of the SVG painter back as ops, so that the PDF painter can paint them.

All coordinates are transformed to those of the face; letters are outlines, as in the file.
"""

from __future__ import annotations

import base64
import math
import re
from collections.abc import Iterator, Mapping
from copy import copy
from pathlib import Path
from typing import NamedTuple

from lxml import etree

from deckwright.base.geometry import Box, Matrix, multiply
from deckwright.images.store import ImageStore, PreparedImage
from deckwright.ops.model import (
    MITER_LIMIT,
    DrawImage,
    Face,
    FillPath,
    Gradient,
    Group,
    Op,
    Outline,
    StrokePath,
)
from deckwright.ops.outlines import parse_svg_path, rectangle, transform_outline

SVG = "{http://www.w3.org/2000/svg}"
Element = etree._Element  # noqa: SLF001 - lxml gives it no other name


class Look(NamedTuple):
    """The properties that elements inherit. Images do not inherit `opacity`."""

    matrix: Matrix = (1, 0, 0, 1, 0, 0)
    fill: str = "#000000"
    opacity: float = 1
    of_images: float = 1


class Images(ImageStore):
    """The embedded images of an SVG file, extracted to files."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.found: dict[Path, PreparedImage] = {}

    def get(self, drawing: DrawImage) -> PreparedImage:
        return self.found[drawing.path]


def parse_svg(text: str) -> Element:
    """Parse a file; assert that it is well-formed and has no external references."""
    root = etree.fromstring(text.encode())
    ids = [element.get("id") for element in root.iter() if element.get("id")]
    assert len(ids) == len(set(ids))
    for element in root.iter():
        for name, value in element.attrib.items():
            for target in re.findall(r"url\(#(.*?)\)", str(value)):
                assert target in ids
            if str(name).endswith("href"):
                assert str(value).startswith("data:image/") or str(value)[1:] in ids
                assert str(value)[0] in "#d"
    return root


def read(text: str, folder: Path) -> tuple[Face, Images]:
    """Return the face that an SVG file shows, and its images."""
    root = parse_svg(text)
    width, height = (float(root.get(side, "").removesuffix("mm")) for side in ("width", "height"))
    x, y, *size = map(float, root.get("viewBox", "").split())
    assert size == [width, height]
    assert float(root.get("stroke-miterlimit", 0)) == 10
    images = Images(folder)
    reader = _Reader(root, images)
    ops = tuple(reader.ops(root, Look((1, 0, 0, 1, -x, -y))))
    return Face(width, height, ops), images


class _Reader:
    def __init__(self, root: Element, images: Images) -> None:
        self.by_id: Mapping[str, Element] = {e.get("id", ""): e for e in root.iter()}
        self.images = images

    def ops(self, parent: Element, look: Look) -> Iterator[Op]:
        for element in parent:
            tag = str(element.tag).removeprefix(SVG)
            if tag not in {"title", "desc", "defs"}:
                yield from self.drawn(element, tag, look)

    def drawn(self, element: Element, tag: str, look: Look) -> Iterator[Op]:
        """Yield what an element draws, inside its clip if it has one."""
        look = inherited(element, look)
        clip = element.get("clip-path")
        if clip is not None:
            path = self.by_id[clip[5:-1]][0]
            outline = transform_outline(parse_svg_path(path.get("d", "")), look.matrix)
            element = copy(element)  # it may be used again
            del element.attrib["clip-path"]
            if "transform" in element.attrib:
                del element.attrib["transform"]
            yield Group(tuple(self.drawn(element, tag, look)), clip=outline)
        elif tag == "g":
            yield from self.ops(element, look)
        elif tag == "use":
            target = self.by_id[element.get("href", "")[1:]]
            x = float(element.get("x", 0))
            moved = look._replace(matrix=multiply(look.matrix, (1, 0, 0, 1, x, 0)))
            moved = moved._replace(of_images=float(element.get("opacity", 1)))
            yield from self.drawn(target, str(target.tag).removeprefix(SVG), moved)
        elif tag == "image":
            yield self.image(element, look)
        else:
            yield with_opacity(self.painted(element, tag, look), look.opacity)

    def painted(self, element: Element, tag: str, look: Look) -> Op:
        if tag == "rect":
            numbers = (float(element.get(name, "")) for name in ("x", "y", "width", "height"))
            outline = rectangle(*numbers)
        else:
            assert tag == "path", tag
            outline = parse_svg_path(element.get("d", ""))
        plain, outline = outline, transform_outline(outline, look.matrix)
        stroke = element.get("stroke")
        if stroke is not None:
            assert element.get("fill") == "none"
            cap = ("butt", "round", "square").index(element.get("stroke-linecap", "butt"))
            join = ("miter", "round", "bevel").index(element.get("stroke-linejoin", "miter"))
            thin = element.get("vector-effect") == "non-scaling-stroke"
            width = 0 if thin else float(element.get("stroke-width", 1)) * scale_of(look.matrix)
            miter = float(element.get("stroke-miterlimit", MITER_LIMIT))
            dashes = tuple(map(float, element.get("stroke-dasharray", "").split()))
            offset = float(element.get("stroke-dashoffset", 0))
            if dashes:  # they are as long as they are before anything is slanted
                width = float(element.get("stroke-width", 1))
                line = StrokePath(plain, stroke, width, cap, join, miter, dashes, offset)
                return Group((line,), look.matrix)
            return StrokePath(outline, stroke, width, cap, join, miter)
        return self.filled(outline, look, even_odd=element.get("fill-rule") == "evenodd")

    def filled(self, outline: Outline, look: Look, *, even_odd: bool) -> FillPath:
        if not look.fill.startswith("url("):
            return FillPath(outline, look.fill, even_odd)
        element = self.by_id[look.fill[5:-1]]
        assert element.get("gradientUnits") == "userSpaceOnUse"
        radial = element.tag == f"{SVG}radialGradient"
        names = ("cx", "cy", "r") if radial else ("x1", "y1", "x2", "y2")
        numbers = [float(element.get(name, "")) for name in names]
        start = numbers[0], numbers[1]
        end = (start[0] + numbers[2], start[1]) if radial else (numbers[2], numbers[3])
        stops = tuple((float(s.get("offset", "")), s.get("stop-color", "")) for s in element)
        return FillPath(
            outline,
            Gradient(move_point(start, look.matrix), move_point(end, look.matrix), stops, radial),
            even_odd,
        )

    def image(self, element: Element, look: Look) -> Op:
        """Return an image that stands upright, written to a file of its own."""
        kind, data = re.fullmatch(
            r"data:image/(png|jpeg);base64,(.*)", element.get("href", "")
        ).groups()  # type: ignore[union-attr] # it matches, or the test fails
        path = self.images._cache / f"{element.get('id')}.{kind}"  # noqa: SLF001
        path.write_bytes(base64.b64decode(data))
        width, height = int(element.get("width", "")), int(element.get("height", ""))
        assert element.get("preserveAspectRatio") == "none"
        self.images.found[path] = PreparedImage(path, width, height)
        a, b, c, d, e, f = look.matrix
        assert b == c == 0
        drawing = DrawImage(path, Box(e, f, width * a, height * d), cover=True)
        return with_opacity(drawing, look.of_images)


def inherited(element: Element, look: Look) -> Look:
    opacity = element.get("fill-opacity")
    assert opacity == element.get("stroke-opacity")
    matrix = element.get("transform")
    if matrix is not None:
        numbers = [float(number) for number in matrix[7:-1].split()]
        a, b, c, d, e, f = numbers
        look = look._replace(matrix=multiply(look.matrix, (a, b, c, d, e, f)))
    if opacity is not None:
        look = look._replace(opacity=float(opacity))
    return look._replace(fill=element.get("fill", look.fill))


def with_opacity(op: Op, opacity: float) -> Op:
    return op if opacity == 1 else Group((op,), opacity=opacity)


def move_point(point: tuple[float, float], matrix: Matrix) -> tuple[float, float]:
    a, b, c, d, e, f = matrix
    return a * point[0] + c * point[1] + e, b * point[0] + d * point[1] + f


def scale_of(matrix: Matrix) -> float:
    return math.sqrt(abs(matrix[0] * matrix[3] - matrix[1] * matrix[2]))
