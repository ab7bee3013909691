"""Write cut files next to a print, as SVG and DXF in millimetres."""

from __future__ import annotations

import io
import math
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path

from deckwright.base.output import write_data
from deckwright.base.strings import escape_text
from deckwright.base.units import Mm, format_decimal
from deckwright.ops.model import Outline
from deckwright.outputs.pages import is_capturing_layout
from deckwright.outputs.printed import CutFile
from deckwright.paint.svg import path_data
from deckwright.sheet.cutters import CutPlan, Cutter, Layer
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
"""The layer of the marks; Inkscape extensions for cutters skip it by this name."""


def cut_svg(cut: CutPlan, title: str) -> bytes:
    """Return an SVG file of the size of the sheet, with the origin at its top left corner."""
    width, height = format_decimal(cut.width), format_decimal(cut.height)
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<svg {_NAMESPACES} width="{width}mm" height="{height}mm" viewBox="0 0 {width} {height}">',
        f"<title>{escape_text(title)}</title>",
    ]
    layers = [
        (layer.value, f'fill="none" stroke="{SVG_COLORS[layer]}" stroke-width="0.1"', outlines)
        for layer, outlines in cut.layers
    ]
    if cut.marks:
        layers.append((MARKS_LAYER, 'fill="#000000" display="none"', cut.marks))
    for name, look, outlines in layers:
        label = f'inkscape:groupmode="layer" inkscape:label="{name.capitalize()}"'
        lines.append(f'<g id="{name}" {label} {look}>')
        lines += (f'<path d="{path_data(outline)}"/>' for outline in outlines)
        lines.append("</g>")
    return "\n".join([*lines, "</svg>", ""]).encode()


EXTRA = "cut"
"""The extra that installs ezdxf."""
_DXF_COLORS = {Layer.CUT: 1, Layer.KISS_CUT: 6, Layer.CREASE: 5, Layer.PERFORATION: 3}
"""AutoCAD color numbers: red, magenta, blue, green."""
_ARC_TOLERANCE: Mm = 0.005
"""The maximum distance of an arc from the curve it approximates."""
_MAX_DEPTH = 8

Vertex = tuple[Mm, Mm, float]
"""The start of a segment and its bulge: the tangent of a quarter of the arc's angle."""


def is_dxf_available() -> bool:
    """Return whether DXF files can be written."""
    return find_spec("ezdxf") is not None


def cut_dxf(cut: CutPlan) -> bytes:
    """Return a DXF file with the origin at the lower left corner of the sheet.

    The y axis points upwards. The layer of the marks is off and not plotted.
    """
    import ezdxf  # only for DXF files
    from ezdxf import units

    # Otherwise dates and random ids would differ from run to run.
    before = ezdxf.options.write_fixed_meta_data_for_testing
    ezdxf.options.write_fixed_meta_data_for_testing = True
    try:
        document = ezdxf.new("R2000", units=units.MM)
        space = document.modelspace()
        space.reset_limits((0, 0), (cut.width, cut.height))
        space.reset_extents((0, 0, 0), (cut.width, cut.height, 0))
        layers = [(layer.value, _DXF_COLORS[layer], outlines) for layer, outlines in cut.layers]
        if cut.marks:
            layers.append((MARKS_LAYER, 7, cut.marks))
        for name, color, outlines in layers:
            layer = document.layers.add(name, color=color, plot=name != MARKS_LAYER)
            if name == MARKS_LAYER:
                layer.off()
            for vertices, closed in (part for outline in outlines for part in polylines(outline)):
                points = [(x, cut.height - y, -bulge) for x, y, bulge in vertices]
                space.add_lwpolyline(points, "xyb", close=closed, dxfattribs={"layer": name})
        stream = io.StringIO()
        document.write(stream)
    finally:
        ezdxf.options.write_fixed_meta_data_for_testing = before
    return stream.getvalue().encode(document.output_encoding, "dxfreplace")


def polylines(outline: Outline) -> Iterator[tuple[list[Vertex], bool]]:
    """Yield the subpaths of an outline as vertices, and whether each is closed.

    Bulges refer to a y axis that points downwards.
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
    """Approximate a cubic curve by arcs, halving it until they fit; yield their starts."""
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
    """Return the bulge of an arc that fits a curve, None if none does."""
    chord = math.dist(start, end)
    if not chord:
        return None
    along = ((end[0] - start[0]) / chord, (end[1] - start[1]) / chord)

    def beside(point: Point) -> tuple[Mm, Mm]:
        """Return the position of a point along the chord, and its distance to the left."""
        x, y = point[0] - start[0], point[1] - start[1]
        return x * along[0] + y * along[1], x * along[1] - y * along[0]

    first, second = beside(one), beside(two)
    # An arc is highest in the middle and rises at the same angle on both sides.
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
    """Return the height of an arc above its chord at `x`; `high` is that in the middle."""
    if abs(high) < _ARC_TOLERANCE / 10:
        return 0
    radius = (chord * chord / 4 + high * high) / (2 * abs(high))
    root = math.sqrt(max(0.0, radius * radius - (x - chord / 2) ** 2))
    return math.copysign(root - radius + abs(high), high)


def _middle(one: Point, other: Point) -> Point:
    return (one[0] + other[0]) / 2, (one[1] + other[1]) / 2


_PICTURE_DPI = 300
"""The resolution of pictures."""


def write_cuts(pages: Sequence[Page], cutter: Cutter | None, target: Path) -> tuple[CutFile, ...]:
    """Write the cut files for the pages of the PDF `target`, next to it; return them.

    DXF files need an extra. Nothing is written without a machine, or if pages are only laid out.
    """
    if cutter is None or is_capturing_layout():
        return ()
    numbers_by_cut: dict[CutPlan, list[int]] = {}
    for number, page in enumerate(pages, 1):
        if page.cut_plan is not None:
            numbers_by_cut.setdefault(page.cut_plan, []).append(number)
    cut_files = []
    for index, (cut, numbers) in enumerate(numbers_by_cut.items(), 1):
        stem = f"{target.stem}_cut{index if len(numbers_by_cut) > 1 else ''}"
        title = f"{target.name}: {', '.join(map(str, numbers))}"
        files = {target.with_name(f"{stem}.svg"): cut_svg(cut, title)}
        if is_dxf_available():
            files[target.with_name(f"{stem}.dxf")] = cut_dxf(cut)
        for path, data in files.items():
            write_data(path, data)
        arm = cut.arm if cutter.max_arm > cutter.min_arm else 0
        file = CutFile(tuple(files), tuple(numbers), arm)
        if cutter.wants_pictures:
            pictures, size = _write_pictures(cut, numbers, target)
            file = file._replace(pictures=pictures, size=size)
        cut_files.append(file)
    written = {path for file in cut_files for path in (*file.paths, *file.pictures)}
    # Stale files of an earlier print would cut the new one wrongly.
    ends = r"_cut\d*\.(svg|dxf)" + (r"|_page\d+\.png" if cutter.wants_pictures else "")
    name = re.compile(re.escape(target.stem) + f"({ends})")
    for path in target.parent.iterdir():
        if name.fullmatch(path.name) and path not in written and path.is_file():
            with suppress(OSError):  # files that cannot be removed stay
                path.unlink()
    return tuple(cut_files)


def _write_pictures(
    cut: CutPlan, numbers: Sequence[int], target: Path
) -> tuple[tuple[Path, ...], tuple[Mm, Mm]]:
    """Write pictures of what is cut out of pages; return the files and their size."""
    from deckwright.paint.raster import cut_out  # only for pictures

    lines = dict(cut.layers)
    shapes = lines.get(Layer.CUT) or lines.get(Layer.KISS_CUT) or ()
    data, paths, size = target.read_bytes(), [], (0.0, 0.0)
    for number in numbers:
        path = target.with_name(f"{target.stem}_page{number}.png")
        picture, size = cut_out(data, number - 1, shapes, _PICTURE_DPI)
        write_data(path, picture)
        paths.append(path)
    return tuple(paths), size
