"""Cut files beside a print, as SVG and DXF in millimetres."""

from __future__ import annotations

import io
import math
import re
from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from deckwright.base.findings import Report
from deckwright.base.output import write_data
from deckwright.base.strings import escape_text
from deckwright.base.units import Mm, format_decimal
from deckwright.ops.model import Outline
from deckwright.outputs.pages import is_capturing_layout
from deckwright.outputs.printed import CutFile
from deckwright.paint.svg import path_data
from deckwright.sheet.cutting import CutPlan, Cutter, Layer
from deckwright.sheet.pages import Page

_NAMESPACES = (
    'xmlns="http://www.w3.org/2000/svg" '
    'xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape"'
)
SVG_COLORS = {
    Layer.CUT: "#ff0000",
    Layer.KISS_CUT: "#ff00ff",
    Layer.CREASE: "#0000ff",
    Layer.PERFORATION: "#008000",
}
MARKS_LAYER = "regmarks"
"""The layer of the marks; extensions of Inkscape for cutters leave it out by this name."""


def cut_svg(cut: CutPlan, title: str) -> bytes:
    """Return an SVG file as large as the sheet, whose top left corner is 0, 0."""
    width, height = format_decimal(cut.width), format_decimal(cut.height)
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<svg {_NAMESPACES} width="{width}mm" height="{height}mm" viewBox="0 0 {width} {height}">',
        f"<title>{escape_text(title)}</title>",
        *_layers(cut),
        "</svg>",
        "",
    ]
    return "\n".join(lines).encode()


def _layers(cut: CutPlan) -> Iterator[str]:
    """Yield the lines of the groups."""
    for layer, outlines in cut.layers:
        look = f'fill="none" stroke="{SVG_COLORS[layer]}" stroke-width="0.1"'
        yield f'<g id="{layer.value}" {_layer_attributes(layer.value)} {look}>'
        yield from (f'<path d="{path_data(outline)}"/>' for outline in outlines)
        yield "</g>"
    if cut.marks:
        yield (
            f'<g id="{MARKS_LAYER}" {_layer_attributes(MARKS_LAYER)} fill="#000000" display="none">'
        )
        yield from (f'<path d="{path_data(outline)}"/>' for outline in cut.marks)
        yield "</g>"


def _layer_attributes(layer: str) -> str:
    return f'inkscape:groupmode="layer" inkscape:label="{layer.capitalize()}"'


if TYPE_CHECKING:
    from ezdxf.layouts import Modelspace

EXTRA = "cut"
"""The extra that brings ezdxf."""
_DXF_COLORS = {Layer.CUT: 1, Layer.KISS_CUT: 6, Layer.CREASE: 5, Layer.PERFORATION: 3}
"""Numbers of colors of AutoCAD: red, magenta, blue, green."""
_ARC_TOLERANCE: Mm = 0.005
"""How far an arc may be from the curve that it stands for."""
_MAX_DEPTH = 8

Vertex = tuple[Mm, Mm, float]
"""Where a part of a line begins, and its bulge: the tangent of a quarter of its arc's angle."""


def is_dxf_available() -> bool:
    """Return whether DXF files can be written."""
    return find_spec("ezdxf") is not None


def cut_dxf(cut: CutPlan) -> bytes:
    """Return a DXF file whose origin is the lower left corner of the sheet, y upwards.

    The layer of the marks is off, and not plotted.
    """
    import ezdxf  # noqa: PLC0415 - only for DXF files
    from ezdxf import units  # noqa: PLC0415

    # Its dates and random ids would differ from run to run.
    before = ezdxf.options.write_fixed_meta_data_for_testing
    ezdxf.options.write_fixed_meta_data_for_testing = True
    try:
        document = ezdxf.new("R2000", units=units.MM)
        space = document.modelspace()
        space.reset_limits((0, 0), (cut.width, cut.height))
        space.reset_extents((0, 0, 0), (cut.width, cut.height, 0))
        for layer, outlines in cut.layers:
            document.layers.add(layer.value, color=_DXF_COLORS[layer])
            _draw_outlines(space, outlines, layer.value, cut.height)
        if cut.marks:
            document.layers.add(MARKS_LAYER, color=7, plot=False).off()
            _draw_outlines(space, cut.marks, MARKS_LAYER, cut.height)
        stream = io.StringIO()
        document.write(stream)
    finally:
        ezdxf.options.write_fixed_meta_data_for_testing = before
    return stream.getvalue().encode(document.output_encoding, "dxfreplace")


def _draw_outlines(
    space: Modelspace, outlines: tuple[Outline, ...], layer: str, height: Mm
) -> None:
    """Put outlines upon a layer, the y axis turned upwards."""
    for outline in outlines:
        for vertices, closed in polylines(outline):
            points = [(x, height - y, -bulge) for x, y, bulge in vertices]
            space.add_lwpolyline(points, "xyb", close=closed, dxfattribs={"layer": layer})


def polylines(outline: Outline) -> Iterator[tuple[list[Vertex], bool]]:
    """Yield the parts of an outline as vertices, and whether each part is closed.

    Bulges are those of a y axis that points downwards.
    """
    vertices: list[Vertex] = []
    for kind, *numbers in outline:
        if kind == "M":
            if len(vertices) > 1:
                yield vertices, False
            vertices = [(numbers[0], numbers[1], 0.0)]
        elif kind == "L":
            vertices.append((numbers[0], numbers[1], 0.0))
        elif kind == "C":
            *before, (x, y, _) = vertices
            curve = ((x, y), *zip(numbers[::2], numbers[1::2], strict=True))
            vertices = [*before, *_arcs(curve), (numbers[4], numbers[5], 0.0)]
        elif len(vertices) > 1:
            if math.dist(vertices[0][:2], vertices[-1][:2]) < _ARC_TOLERANCE:
                del vertices[-1]
            yield vertices, True
            vertices = []
    if len(vertices) > 1:
        yield vertices, False


Point = tuple[Mm, Mm]


def _arcs(curve: tuple[Point, ...], depth: int = 0) -> Iterator[Vertex]:
    """Yield the beginnings of arcs that follow a cubic curve, which is halved until they do."""
    start, one, two, end = curve
    chord = math.dist(start, end)
    bulge = _bulge(start, one, two, end)
    if depth == _MAX_DEPTH or (chord > 0 and bulge is not None):
        yield (*start, bulge or 0.0)
        return
    a, b, c = _middle(start, one), _middle(one, two), _middle(two, end)
    d, e = _middle(a, b), _middle(b, c)
    half = _middle(d, e)
    yield from _arcs((start, a, d, half), depth + 1)
    yield from _arcs((half, e, c, end), depth + 1)


def _bulge(start: Point, one: Point, two: Point, end: Point) -> float | None:
    """Return the bulge of the arc that a curve is nearly, None if it is none."""
    chord = math.dist(start, end)
    if not chord:
        return None
    along = ((end[0] - start[0]) / chord, (end[1] - start[1]) / chord)

    def beside(point: Point) -> tuple[Mm, Mm]:
        """Return a point's place along the chord, and its distance from that, to the left."""
        x, y = point[0] - start[0], point[1] - start[1]
        return x * along[0] + y * along[1], x * along[1] - y * along[0]

    first, second = beside(one), beside(two)
    # An arc is highest in its middle, and its curve rises on both sides by the same angle.
    high = 3 / 8 * (first[1] + second[1])
    bulge = 2 * high / chord
    if abs(bulge) > 1:
        return None
    for t in (1 / 6, 1 / 3, 1 / 2, 2 / 3, 5 / 6):
        s = 1 - t
        x = 3 * s * s * t * first[0] + 3 * s * t * t * second[0] + t**3 * chord
        y = 3 * s * s * t * first[1] + 3 * s * t * t * second[1]
        if abs(y - _arc_height(x, chord, high)) > _ARC_TOLERANCE:
            return None
    return bulge


def _arc_height(x: Mm, chord: Mm, high: Mm) -> Mm:
    """Return how high an arc is above its chord, `high` in the middle."""
    if abs(high) < _ARC_TOLERANCE / 10:
        return 0
    radius = (chord * chord / 4 + high * high) / (2 * abs(high))
    root = math.sqrt(max(0.0, radius * radius - (x - chord / 2) ** 2))
    return math.copysign(root - radius + abs(high), high)


def _middle(one: Point, other: Point) -> Point:
    return (one[0] + other[0]) / 2, (one[1] + other[1]) / 2


_PICTURE_DPI = 300
"""How fine pictures are."""


def write_cuts(
    pages: Sequence[Page], cutter: Cutter | None, target: Path, report: Report
) -> tuple[CutFile, ...] | None:
    """Write what a machine cuts of the pages in the PDF `target`, beside it.

    With DXF if that can be written: it needs an extra. Nothing is written without a machine, or
    where pages are only laid out. Those that an earlier print of this name had in their place, and
    that this one has not, are removed.

    Returns:
        the files, with the pages that each is for; None after reporting why they were not written.
    """
    if cutter is None or is_capturing_layout():
        return ()
    found: dict[CutPlan, list[int]] = {}
    for number, page in enumerate(pages, 1):
        if page.cut is not None:
            found.setdefault(page.cut, []).append(number)
    made = []
    for index, (cut, numbers) in enumerate(found.items(), 1):
        stem = f"{target.stem}_cut{index if len(found) > 1 else ''}"
        title = f"{target.name}: {', '.join(map(str, numbers))}"
        files = {target.with_name(f"{stem}.svg"): cut_svg(cut, title)}
        if is_dxf_available():
            files[target.with_name(f"{stem}.dxf")] = cut_dxf(cut)
        if not all(write_data(path, data, report) for path, data in files.items()):
            return None
        arm = cut.arm if cutter.longest > cutter.min_arm else 0
        file = CutFile(tuple(files), tuple(numbers), arm)
        if cutter.wants_pictures:
            pictures = _write_pictures(cut, numbers, target, report)
            if pictures is None:
                return None
            file = file._replace(pictures=pictures[0], size=pictures[1])
        made.append(file)
    written = {path for file in made for path in (*file.paths, *file.pictures)}
    _remove_former(target, written, pictured=cutter.wants_pictures)
    return tuple(made)


def _remove_former(target: Path, written: Collection[Path], *, pictured: bool) -> None:
    """Remove the files of an earlier print to `target`, which would cut the new one wrongly.

    Args:
        pictured: whether there may be pictures of pages among them.
    """
    ends = r"_cut\d*\.(svg|dxf)" + (r"|_page\d+\.png" if pictured else "")
    name = re.compile(re.escape(target.stem) + f"({ends})")
    for path in target.parent.iterdir():
        if name.fullmatch(path.name) and path not in written and path.is_file():
            with suppress(OSError):  # what cannot be removed stays
                path.unlink()


def _write_pictures(
    cut: CutPlan, numbers: Sequence[int], target: Path, report: Report
) -> tuple[tuple[Path, ...], tuple[Mm, Mm]] | None:
    """Write pages of a PDF as pictures of what is cut out of them, and return how large they are.

    None after reporting why they were not written.
    """
    from deckwright.paint.raster import cut_out  # noqa: PLC0415 - only for pictures

    lines = dict(cut.layers)
    shapes = lines.get(Layer.CUT) or lines.get(Layer.KISS_CUT) or ()
    data, paths, size = target.read_bytes(), [], (0.0, 0.0)
    for number in numbers:
        path = target.with_name(f"{target.stem}_page{number}.png")
        picture, size = cut_out(data, number - 1, shapes, _PICTURE_DPI)
        if not write_data(path, picture, report):
            return None
        paths.append(path)
    return tuple(paths), size
