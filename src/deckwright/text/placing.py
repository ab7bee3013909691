"""Place lines of text as ops, in millimetres: aligned and justified; faults become visible."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING

from deckwright.base.geometry import IDENTITY, Box, Matrix
from deckwright.base.units import Mm
from deckwright.ops import outlines
from deckwright.ops.model import DrawGlyphs, FillPath, Group, Op, Outline, StrokePath
from deckwright.ops.outlines import bounds_of, flatten
from deckwright.text.bidi import base_level, isolate_facts, reorder
from deckwright.text.breaking import ICON_EM, TextRun
from deckwright.text.fonts import CODE_FAMILY
from deckwright.text.paragraphs import MARK_GAP, TextBlock, TextLine, TextStyle, lay_out
from deckwright.text.richtext import RichTextBuilder
from deckwright.text.scripts import find_vertical
from deckwright.text.shaping import bounding_box, text_box
from deckwright.text.symbols import SymbolArt, load_text_icon
from deckwright.text.words import Piece, RichText, clusters, split_by_font

if TYPE_CHECKING:
    from deckwright.text.shaping import Metrics


ANCHORS = {"start": 0.0, "middle": 0.5, "end": 1.0}
"""The share of the free space that goes before a line."""
_MAX_STRETCH = 0.4
"""The most by which a justified line may widen a space, in ems."""
_UNDERLINE_Y, _STRIKE_Y, _RULE_WIDTH = 0.14, -0.26, 0.055
"""Underline and strike-through: their distance from the baseline, and their width, in ems."""


def place_text(
    block: TextBlock, box: Box, style: TextStyle, *, anchor: str = "start", valign: str = "top"
) -> Iterator[Op]:
    """Yield the ops of laid-out text in `box`; a side of the box that is 0 is open.

    With `valign` "middle", the span from the first line's capitals to the last baseline is centred,
    which looks right.
    """
    if valign == "middle":
        inked = block.height - block.size + block.cap_height
        y = box.y + (box.height - inked) / 2 + block.cap_height
    elif valign == "bottom":
        y = box.y + box.height - block.height + block.ascent
    else:
        y = box.y + block.ascent
    for number, line in enumerate(block.lines):
        if number:
            y += style.line_height * block.size + (style.paragraph_gap if line.first else 0)
        yield from line_ops(line, box.x, y, box.width, block.size, style, anchor)


def line_ops(
    line: TextLine, x: Mm, y: Mm, width: Mm, size: Mm, style: TextStyle, anchor: str
) -> Iterator[Op]:
    """Yield the ops of one line with its baseline at `y`."""
    placed = list(place_runs(line, x, width, style.with_size(size), anchor))
    for run, left in placed:
        yield from run_ops(run, left, y, size, style)
    yield from rule_ops(placed, y, size, style.color)


def lay_out_label(
    text: str,
    family: str,
    metrics: Metrics,
    style: Piece = Piece(),  # noqa: B008 - immutable
) -> TextLine:
    """Return facts without markup as a single line; a script set in columns becomes "?"."""
    builder = RichTextBuilder(style, direction="rtl" if base_level(text, "auto") else "auto")
    shown = isolate_facts(text)
    builder.verbatim(shown.translate(dict.fromkeys(map(ord, find_vertical(text)), "?")))
    lines = lay_out(builder.build(), TextStyle(family, 1, ""), metrics, width=None).lines
    return lines[0] if lines else TextLine((), 0, first=False)


def label_ops(line: TextLine, x: Mm, y: Mm, style: TextStyle) -> tuple[Op, ...]:
    """Return the ops of a label whose baseline starts at x, y on the left."""
    return tuple(line_ops(line, x, y, line.width * style.size, style.size, style, "start"))


def run_ops(run: TextRun, x: Mm, y: Mm, size: Mm, style: TextStyle) -> Iterator[Op]:
    """Yield the ops of a run that starts at x, y, without underline and strike-through."""
    piece, em = run.piece, size * run.piece.scale
    color, top = piece.color or style.color, y - (ICON_EM / 2 + 0.33) * em
    if piece.symbol is not None:
        yield from piece.symbol.ops(x, top, ICON_EM * em, color)
    elif piece.icon is not None:
        outline, _ = load_text_icon(piece.icon)
        yield FillPath(outlines.scale_and_move(outline, x, top, ICON_EM * em), color)
    elif piece.text.strip():
        place = round(size * piece.em, 4), round(x, 4), round(y, 4)
        yield DrawGlyphs(piece.font(style.family), *place, piece.text, run.kerns, color, run.glyphs)


def rule_ops(placed: Sequence[tuple[TextRun, Mm]], y: Mm, size: Mm, color: str) -> Iterator[Op]:
    """Yield underlines and strike-throughs, one for adjacent runs."""
    if not any(run.piece.underlined or run.piece.struck for run, _ in placed):
        return
    for underlined, place in ((True, _UNDERLINE_Y), (False, _STRIKE_Y)):

        def ruled(
            item: tuple[TextRun, Mm], *, below: bool = underlined
        ) -> tuple[str, float] | None:
            piece = item[0].piece
            shown = piece.underlined if below else piece.struck
            return (piece.color or color, piece.scale) if shown else None

        for look, some in groupby(placed, ruled):
            if look is None:
                continue
            runs = list(some)
            left = min(start for _, start in runs)
            last, start = max(runs, key=itemgetter(1))
            right = start + (last.width - last.piece.spacing * last.piece.em) * size
            em = look[1] * size
            at = round(y + place * em, 4)
            outline = outlines.line(round(left, 4), at, round(right, 4), at)
            yield StrokePath(outline, look[0], round(_RULE_WIDTH * em, 4))


def place_runs(
    line: TextLine, x: Mm, width: Mm, style: TextStyle, anchor: str
) -> Iterator[tuple[TextRun, Mm]]:
    """Yield the runs of a line in logical order, with the positions of their left ends.

    With `anchor` "justify", the spaces of all lines but the last absorb the rest of `width`, unless
    that would tear the line apart. List items start at the line's start, whatever the anchor.
    """
    runs, size = line.runs, style.size
    rest = width - line.width * size
    if line.indent:
        anchor = anchor if anchor == "justify" else "start"
        if line.mark is not None:
            end = (line.indent - MARK_GAP) * size
            yield line.mark, x + (width - end if style.rtl else end - line.mark.width * size)
    if anchor == "justify":
        spaces = sum(run.piece.text.count(" ") for run in runs)
        stretch = rest / size / spaces if spaces and not line.last else 0
        if 0 < stretch <= _MAX_STRETCH:
            runs = tuple(_stretch_spaces(runs, stretch))
            rest = 0
    share = ANCHORS.get(anchor, 0)
    x += (1 - share) * rest if style.rtl else share * rest + line.indent * size
    if not any(run.piece.level for run in runs):
        for run in runs:
            yield run, x
            x += run.width * size
        return
    places: dict[int, Mm] = {}
    for index in reorder([(run.piece.level, index) for index, run in enumerate(runs)]):
        places[index] = x
        x += runs[index].width * size
    for index, run in enumerate(runs):
        yield run, places[index]


def _stretch_spaces(runs: Iterable[TextRun], stretch: float) -> Iterator[TextRun]:
    """Yield runs whose spaces are widened by `stretch` ems.

    Kerns are whole thousandths of an em; rounding errors carry over to the next space.
    """
    wanted = given = 0.0
    for run in runs:
        if run.glyphs:
            yield _stretch_glyphs(run, stretch)
            continue
        kerns = list(run.kerns or (0,) * len(run.piece.text))
        before = given
        for index, character in enumerate(run.piece.text):
            if character == " ":
                wanted += stretch * 1000
                extra = round(wanted - given)
                given += extra
                kerns[index] += round(extra / run.piece.em)
        yield TextRun(run.piece, run.width + (given - before) / 1000, tuple(kerns))


def _stretch_glyphs(run: TextRun, stretch: float) -> TextRun:
    """Return a run of glyphs with its spaces widened by `stretch` ems."""
    extra = round(stretch * 1000 / run.piece.em)
    glyphs = tuple(
        (number, advance + extra * (text == " "), right, up, text)
        for number, advance, right, up, text in run.glyphs
    )
    added = sum(glyph[1] for glyph in glyphs) - sum(glyph[1] for glyph in run.glyphs)
    return run._replace(width=run.width + added * run.piece.em / 1000, glyphs=glyphs)


def extent(ops: Iterable[Op], metrics: Metrics) -> Box | None:
    """Return the bounding box of ops, None if they draw nothing.

    Texts count from their cap height to the baseline, whatever their letters, so that texts side by
    side align.
    """
    boxes = list(_boxes(ops, IDENTITY, metrics))
    return Box.around(boxes) if boxes else None


def _boxes(ops: Iterable[Op], matrix: Matrix, metrics: Metrics) -> Iterator[Box]:
    for op in ops:
        if isinstance(op, Group):
            inner = op.inner_matrix(matrix)
            boxes = _boxes(op.ops, inner, metrics)
            clip = bounds_of(op.clip, inner) if op.clip else None
            yield from (box.intersection(clip) if clip else box for box in boxes)
        elif isinstance(op, DrawGlyphs):
            box = text_box(op, metrics, metrics.vertical(op.font).cap_height, 0)
            # The letter spacing after the last letter is invisible.
            spacing = op.kerns[-1] / 1000 * op.size if op.kerns and min(op.kerns) > 0 else 0
            yield box._replace(width=box.width - spacing).transform(matrix)
        else:
            yield bounding_box(op, matrix, metrics)


_CURVE_PARTS = 24
"""The number of lines per curve, for measuring its length."""


class MeasuredPath:
    """A path for text to follow.

    Attributes:
        length: its length.
    """

    def __init__(self, outline: Outline) -> None:
        """Measure the path."""
        self._points = [(x, y) for x, y, _ in flatten(outline, _CURVE_PARTS)]
        self._places = [0.0]
        for one, other in zip(self._points, self._points[1:], strict=False):
            self._places.append(self._places[-1] + math.dist(one, other))
        self.length: Mm = self._places[-1]

    def point_at(self, place: Mm) -> tuple[Mm, Mm, float, float]:
        """Return the point at a distance along the path, and its direction: cosine and sine."""
        index = min(bisect_right(self._places, place), len(self._points) - 1)
        while index > 1 and self._places[index] == self._places[index - 1]:
            index -= 1
        (x1, y1), (x2, y2) = self._points[index - 1], self._points[index]
        long = math.dist((x1, y1), (x2, y2)) or 1.0
        cos, sin = (x2 - x1) / long, (y2 - y1) / long
        beyond = place - self._places[index - 1]
        return x1 + cos * beyond, y1 + sin * beyond, cos, sin


def text_on_path(
    line: TextLine,
    track: MeasuredPath,
    size: Mm,
    style: TextStyle,
    metrics: Metrics,
    anchor: str,
    spacing: float,
) -> Iterator[Op]:
    """Yield a line of text along a path, as a group with the text as its alternative.

    Args:
        size: the em.
        spacing: the letter spacing in ems, also after the last letter.
    """
    room = track.length - (line.width - spacing) * size
    place, style = room * ANCHORS.get(anchor, 0), style._replace(rtl=False)
    ops: list[Op] = []
    has_letters = False
    for run in reorder([(run.piece.level, run) for run in line.runs]):
        for part in [run] if run.piece.drawn else _letters(run, style, metrics):
            wide = part.width * size
            inked = wide - (0 if part.piece.drawn else spacing * size)
            x, y, cos, sin = track.point_at(place + inked / 2)
            alone = TextLine((part,), part.width, first=False)
            drawn = tuple(line_ops(alone, -inked / 2, 0, 0, size, style, "start"))
            if drawn:
                turned = (round(cos, 6), round(sin, 6), round(-sin, 6), round(cos, 6))
                ops.append(Group(drawn, (*turned, round(x, 4), round(y, 4))))
                has_letters = has_letters or isinstance(drawn[0], DrawGlyphs)
            place += wide
    text = "".join(run.piece.text for run in line.runs)
    if ops:
        yield Group(tuple(ops), alt=text if has_letters else "")


def _letters(run: TextRun, style: TextStyle, metrics: Metrics) -> Iterator[TextRun]:
    """Yield the letters of a run from left to right, each with its own width."""
    piece = run.piece
    for glyph in run.glyphs:
        alone = piece._replace(text=piece.text.strip()[:1])
        yield TextRun(alone, glyph[1] / 1000 * piece.em, (), (glyph,))
    if run.glyphs:
        return
    font = piece.font(style.family)
    for index, character in enumerate(piece.text):
        kern = run.kerns[index] if index < len(run.kerns) else 0
        width = (metrics.shape(font, character).width + kern / 1000) * piece.em
        yield TextRun(piece._replace(text=character), width)


FAULT_COLOR = "#c8102e"
"""The color of faults."""
_GROUND = "#ffffff"
LABEL_FONT = f"{CODE_FAMILY}-bold"
"""The font of labels: names of what is missing."""
_SIZE, _BASELINE, _PADDING, _LINE = 0.5, 0.68, 0.12, 0.06
"""Dimensions of a label, as shares of its box's height."""


class LabeledSymbols(dict[str, SymbolArt]):
    """A game's symbols; an unknown one is shown as its name in a box."""

    def __init__(self, symbols: Mapping[str, SymbolArt], metrics: Metrics) -> None:
        """Take the game's symbols."""
        super().__init__(symbols)
        self._metrics = metrics

    def __contains__(self, name: object) -> bool:
        """Return True: any name can be drawn."""
        return True

    def __missing__(self, name: str) -> SymbolArt:
        """Return a symbol's name in a box."""
        return draw_label(name, self._metrics)


def draw_label(text: str, metrics: Metrics) -> SymbolArt:
    """Return a text in a box, as an inline symbol."""
    aspect = metrics.shape(LABEL_FONT, text).width * _SIZE + 2 * _PADDING
    frame = outlines.rectangle(_LINE / 2, _LINE / 2, aspect - _LINE, 1 - _LINE)
    letters = DrawGlyphs(LABEL_FONT, _SIZE, _PADDING, _BASELINE, text, (), FAULT_COLOR)
    return SymbolArt(
        "", aspect, (FillPath(frame, _GROUND), StrokePath(frame, FAULT_COLOR, _LINE), letters)
    )


_MAX_LABEL: Mm = 8
"""The largest height of the name on a placeholder."""
_MARGIN = 0.9
"""The share of a placeholder that its name may fill."""
_EDGE: Mm = 0.3
"""The width of a placeholder's frame."""


def draw_placeholder(name: str, box: Box, metrics: Metrics) -> tuple[Op, ...]:
    """Return a frame with the name of what should be in a box."""
    label = draw_label(name, metrics)
    height = min(_MAX_LABEL, box.height * _MARGIN, box.width * _MARGIN / label.aspect)
    x = box.x + (box.width - height * label.aspect) / 2
    frame = outlines.rectangle(*box)
    ground, edge = FillPath(frame, _GROUND), StrokePath(frame, FAULT_COLOR, _EDGE)
    return ground, edge, *label.ops(x, box.y + (box.height - height) / 2, height, FAULT_COLOR)


def show_code_points(rich: RichText, family: str, metrics: Metrics) -> RichText:
    """Return a text with characters that cannot be printed replaced by boxed code points."""
    return tuple(
        tuple(
            tuple(
                tuple(part for piece in word for part in _printable(piece, family, metrics))
                for word in line
            )
            for line in paragraph
        )
        for paragraph in rich
    )


def _printable(piece: Piece, family: str, metrics: Metrics) -> Iterator[Piece]:
    """Yield the parts of a piece: printable texts and boxes."""
    if piece.drawn:
        yield piece
        return
    unset = {*find_vertical(piece.text)}
    for part in split_by_font(piece, family, metrics):
        font = part.font(family)
        if not part.shape(family, metrics).missing and unset.isdisjoint(part.text):
            yield part
            continue
        for cluster in clusters(part.text):
            shown = part._replace(text=cluster)
            if not shown.shape(family, metrics).missing and unset.isdisjoint(cluster):
                yield shown
                continue
            for one in cluster:
                if one in unset or metrics.shape(font, one).missing:
                    yield part._replace(text="", symbol=draw_label(f"{ord(one):04X}", metrics))
                else:
                    yield part._replace(text=one)
