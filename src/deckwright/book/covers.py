"""Drawings of books that need no template: covers, and the opening of a faction's section."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import cycle, islice, zip_longest
from typing import NamedTuple

from deckwright.base.colors import contrast, contrasting_color, darken_for_paper, mix
from deckwright.base.findings import Report
from deckwright.base.geometry import Box, Matrix
from deckwright.base.units import MM_PER_UNIT, TOLERANCE, Mm
from deckwright.book.model import GALLERY_GAP, INK, MIN_PT, Heading, Theme, min_legible_scale
from deckwright.faces.factory import FaceFactory
from deckwright.game.kinds import Kind
from deckwright.game.model import Card, Faction
from deckwright.ops import outlines
from deckwright.ops.model import (
    DrawGlyphs,
    Face,
    FillPath,
    Gradient,
    Group,
    Op,
    Outline,
    StrokePath,
    Tag,
    walk,
)
from deckwright.ops.pictures import choose_grid, fill_place
from deckwright.text import paragraphs, placing, richtext
from deckwright.text.shaping import bounding_box, icon_names
from deckwright.text.symbols import load_icon_outline
from deckwright.text.words import Piece

_TITLE_SIZE = 48 * MM_PER_UNIT["pt"]
_SUBTITLE_SIZE = 17 * MM_PER_UNIT["pt"]
_NAME_SIZE = 22 * MM_PER_UNIT["pt"]
_DESCRIPTION_SIZE = 9.5 * MM_PER_UNIT["pt"]
_KEY_SIZE, _KEY_LINE, _KEY_MARGIN = 8.5 * MM_PER_UNIT["pt"], 4.6, 3.0
"""The size of the key to symbols, the height of its lines, and the room above and below them."""
_MAX_KEY = 1.25
"""How much larger it may be."""
_LARGE, _LARGER = 1.2, 1.4
"""How much larger the texts of an opening are that is several cards wide, or also high."""
_KEY_PAPER, _KEY_TINT = "#fffaf0", 0.95
"""The paper of the key, and how much of its ground is that."""
_MIN_SIZE: Mm = MIN_PT * MM_PER_UNIT["pt"]
_COVER_CARDS = 24
"""The largest number of different cards on a cover."""
_WALL_ANGLE = -9.0
"""The angle of the wall of cards on a cover, in degrees."""
_ORNAMENT = "#e3c77a"
"""The color of lines on a cover."""
_WALL_SHARE = 0.3
"""The size of a card on a cover, as a share of the page."""
_WALL_GAP = 0.022
"""The gap between cards on a cover, as a share of the page's width."""
_TEXT_MARGIN: Mm = 6
"""How far texts of cards stay from the edge of a cover, more than any print service asks for."""
_PLATE_TOP = 0.09
"""Where the plate of a cover begins, as a share of the page."""
_MIN_GROUND_CONTRAST, _MIN_GLOW_CONTRAST = 12, 4.5
"""The minimum contrast of white letters with the ground of a cover, and with its lightest part."""
_MIN_WHITE_CONTRAST, _MIN_TEXT_CONTRAST = 3.2, 4.5
"""The contrast of white with a color from which on texts on it are white, and what it then gets."""
_MIN_OPENING_ART = 0.25
"""The least height of the picture above the texts that open a section, as a share of theirs."""
_MIN_SEEN_WIDTH = 0.6
"""The least share of its width that is seen of it."""
_PICTURE_CORNER: Mm = 2
_BLEED: Mm = 5
"""How far what touches an edge is drawn beyond it."""


class _Sheet:
    """A drawing of texts and faces from the top to the bottom."""

    def __init__(self, factory: FaceFactory) -> None:
        self._factory = factory
        self.ops: list[Op] = []
        self._texts: dict[int, bool] = {}

    def write(
        self, text: str, box: Box, size: Mm, color: str, *, title: bool = False, role: str = "P",
        anchor: str = "middle",
    ) -> Mm:  # fmt: skip
        """Write a text in a box, smaller if it does not fit; return its bottom."""
        factory, drawing = self._factory, self._factory.drawing_context
        family = factory.display_font if title else factory.text_font
        rich = richtext.parse_rich_text(
            text, Piece(bold=title), symbols=drawing.symbols, language=drawing.hyphens.language
        )
        style = paragraphs.TextStyle(family, size, color, 1.12 if title else 1.3, wrap="balance")
        block = paragraphs.fit_text(
            rich,
            style,
            drawing.metrics,
            width=box.width,
            height=box.height,
            min_size=min(size / 4, _MIN_SIZE),
            hyphens=drawing.hyphens,
        )
        if block is None or not rich:
            return box.y
        placed = placing.place_text(block, box, style, anchor=anchor)
        self.ops.append(Group(tuple(placed), tag=Tag(role)))
        return box.y + block.height

    def write_list(self, entries: Sequence[str], box: Box, ground: str) -> None:
        """Write entries on a light ground with a frame, in two columns."""
        frame = outlines.rectangle(*box.expand(-0.8), 1)
        self.ops += [
            FillPath(outlines.rectangle(*box, 1.5), ground),
            StrokePath(frame, mix(ground, INK, 0.35), 0.25),
        ]
        rows = math.ceil(len(entries) / 2)
        wide, high = (box.width - 4) / 2, (box.height - _KEY_MARGIN) / rows
        for number, entry in enumerate(entries):
            column, row = divmod(number, rows)
            x, y = box.x + 2 + column * wide, box.y + _KEY_MARGIN / 2 + row * high
            size = _KEY_SIZE * high / _KEY_LINE
            self.write(entry, Box(x, y, wide - 1, high), size, INK, anchor="start")

    def lay(
        self, face: Face, scale: float, x: Mm, y: Mm, angle: float = 0, within: Box | None = None
    ) -> None:
        """Lay a face with its middle at a point, turned by degrees, on a thin white edge.

        Texts that would be too small to read, or reach out of a box, are left out.
        """
        turn = math.radians(angle)
        cos, sin = scale * math.cos(turn), scale * math.sin(turn)
        middle = (face.width / 2, face.height / 2)
        left = x - cos * middle[0] + sin * middle[1]
        top = y - sin * middle[0] - cos * middle[1]
        corner = 3.0
        trim = outlines.rectangle(0, 0, face.width, face.height, corner)
        edge = outlines.rectangle(-0.8, -0.8, face.width + 1.6, face.height + 1.6, corner + 0.8)
        matrix = (cos, sin, -sin, cos, left, top)
        printed = Group(tuple(self._drop_texts(face.ops, matrix, within)), clip=trim)
        self.ops.append(Group((FillPath(edge, "#ffffff"), printed), matrix))

    def _has_text(self, group: Group) -> bool:
        """Return whether a group has letters; those of a face are laid many times."""
        key = id(group)
        if key not in self._texts:
            self._texts[key] = any(isinstance(op, DrawGlyphs) for op in walk(group.ops))
        return self._texts[key]

    def _drop_texts(self, ops: Iterable[Op], matrix: Matrix, within: Box | None) -> Iterator[Op]:
        for op in ops:
            if isinstance(op, Group) and self._has_text(op):
                inner = op.inner_matrix(matrix)
                yield op._replace(ops=tuple(self._drop_texts(op.ops, inner, within)))
            elif not isinstance(op, DrawGlyphs):
                yield op
            elif op.size * math.hypot(*matrix[:2]) >= _MIN_SIZE - TOLERANCE:
                box = bounding_box(op, matrix, self._factory.metrics)
                if within is None or within.contains(box):
                    yield op


def color_of(faction: Faction, factory: FaceFactory) -> str:
    """Return the color in which a faction is printed."""
    return str(factory.contexts.faction_context(faction.id)["color"])


def draw_plain_cover(
    titles: tuple[str, str, str],
    faction_ids: Collection[str],
    theme: Theme,
    factory: FaceFactory,
    report: Report,
) -> Face:
    """Return a cover: a wall of cards, and the titles on a plate.

    Args:
        titles: title, subtitle and color of the book.
    """
    title, subtitle, color = titles
    width, height = theme.width, theme.height
    factions = [each for each in factory.game.factions.values() if each.id in faction_ids]
    base = color_of(factions[0], factory) if color == INK and factions else color
    ground, glow = (
        darken_for_paper(base, least) for least in (_MIN_GROUND_CONTRAST, _MIN_GLOW_CONTRAST)
    )
    line, scale = _ORNAMENT, width / 210
    page = outlines.rectangle(*Box(0, 0, width, height).expand(_BLEED))
    wall, plate = _Sheet(factory), _Sheet(factory)
    wall.ops.append(FillPath(page, Gradient((0, 0), (0, height), ((0.0, glow), (1.0, ground)))))
    _lay_wall(wall, _choose_cover_faces(factions, factory, report), theme)
    edge, start = width * 0.15, height * _PLATE_TOP
    end = start
    for text, size, ink, high in (
        (title, _TITLE_SIZE, "#ffffff", 0.15),
        (subtitle, _SUBTITLE_SIZE, mix(ground, "#ffffff", 0.85), 0.05),
    ):
        gap = (8 if end == start else 11) * scale
        box = Box(edge + gap, end + gap, width - 2 * (edge + gap), height * high)
        low = plate.write(text, box, size * scale, ink, title=True)
        if box.y < low and end > start:  # an ornament between both
            y, x = end + gap / 2, width / 2
            rhomb = outlines.rectangle(x - 1.1 * scale, y - 1.1 * scale, 2.2 * scale, 2.2 * scale)
            plate.ops += [
                StrokePath(outlines.line(x - 24 * scale, y, x + 24 * scale, y), line, 0.5 * scale),
                FillPath(rhomb, line),
            ]
        end = low if low > box.y else end
    end += 8 * scale
    light = Gradient((width / 2, start), (width / 2, end), ((0.0, glow), (1.0, ground)))
    rims = []
    for inset in (-2 * scale, -1.2 * scale, 1.5 * scale):
        x, y = edge + inset, start + inset
        rim = outlines.rectangle(x, y, width - 2 * x, end - start - 2 * inset, 4 * scale - inset)
        rims.append(rim)
    wall.ops += [FillPath(rims[0], line), FillPath(rims[1], light)]
    wall.ops += [StrokePath(rims[2], line, 0.4 * scale), *plate.ops]
    alt = " – ".join(filter(None, (title, subtitle)))
    return Face(width, height, tuple(wall.ops), bleed=_BLEED, alt=alt)


def _lay_wall(sheet: _Sheet, faces: Sequence[Face], theme: Theme) -> None:
    """Lay faces, again and again, in slanting columns all over a page."""
    if not faces:
        return
    width, height = max(face.width for face in faces), max(face.height for face in faces)
    scale = min(theme.width * _WALL_SHARE / width, theme.height * _WALL_SHARE / height)
    legible = max(map(min_legible_scale, faces))
    scale = max(scale, min(legible, 1.2 * scale))
    across, down = (length * scale + theme.width * _WALL_GAP for length in (width, height))
    near = math.hypot(across, down) / 2
    turn = math.radians(_WALL_ANGLE)
    cos, sin = math.cos(turn), math.sin(turn)
    reach = math.hypot(theme.width, theme.height) / 2 + near
    columns, rows = math.ceil(reach / across), math.ceil(reach / down)
    within = Box(0, 0, theme.width, theme.height).expand(-_TEXT_MARGIN)
    waiting = cycle(faces)
    for column in range(-columns, columns + 1):
        for row in range(-rows, rows + 1):
            u, v = column * across, (row + column % 2 / 2) * down
            x, y = theme.width / 2 + u * cos - v * sin, theme.height / 2 + u * sin + v * cos
            if -near < x < theme.width + near and -near < y < theme.height + near:
                sheet.lay(next(waiting), scale, x, y, _WALL_ANGLE, within)


def _choose_cover_faces(
    factions: Iterable[Faction], factory: FaceFactory, report: Report
) -> list[Face]:
    """Return faces of some cards: the first of each faction, then the second of each, and so on."""
    cards = factory.game.cards.values()
    decks = [[card for card in cards if card.faction_id == each.id] for each in factions]
    turns = (card for turn in zip_longest(*decks) for card in turn if card is not None)
    chosen = islice(turns, _COVER_CARDS)
    return [*filter(None, (factory.card_face(each, each.faction_id, report) for each in chosen))]


def panel_ops(width: Mm, height: Mm, color: str) -> list[Op]:
    """Return the ops of a panel: a ground in a color, with a frame."""
    frame = outlines.rectangle(2.5, 2.5, width - 5, height - 5, 1.5)
    return [
        FillPath(outlines.rectangle(0, 0, width, height), color),
        StrokePath(frame, mix(color, contrasting_color(color), 0.6), 0.35),
    ]


def find_key(cards: Sequence[Card], faces: Iterable[Face], factory: FaceFactory) -> list[str]:
    """Return the symbols that the faces of cards show, with the names that the game has for them.

    These are its own symbols, and the icons of fields and terms.
    """
    setup, kinds = factory.game.setup, {card.kind.tag: card.kind for card in cards}.values()
    fields = [field for kind in kinds for field in kind.fields]
    lists = [*fields, *(field for kind in kinds for each in kind.children for field in each.fields)]
    named = {field.icon: field.text for field in fields if field.icon}
    for field in lists:
        if vocabulary := setup.vocabularies.get(field.vocabulary or ""):
            terms = vocabulary.terms.values()
            named |= {str(each.data["icon"]): each.name for each in terms if "icon" in each.data}
    ops = [op for face in faces for op in walk(face.ops)]
    seen = {_shape(op.outline) for op in ops if isinstance(op, FillPath)}
    said = {op.alt for op in ops if isinstance(op, Group) and op.alt}
    icons = {
        icon: name
        for icon, name in named.items()
        if icon in icon_names() and _shape(load_icon_outline(icon)) in seen
    }
    marks = {f"{{icon:{icon}}}": name for icon, name in icons.items()}
    symbols = [each for each in setup.symbols.values() if each.name in said]
    marks |= {f"{{{each.id}}}": each.name for each in symbols if each.icon not in icons}
    return [f"{mark} {name[:1].upper()}{name[1:]}" for mark, name in marks.items()]


def _shape(outline: Outline) -> tuple[str, ...]:
    """Return what tells one icon from another in any size and place."""
    return tuple(segment[0] for segment in outline)


class Opening(NamedTuple):
    """What opens the section of a faction.

    Attributes:
        headings: the name of the faction, after that of its race for the first of a race.
        kind: the kind of its cards.
        art: pictures of its cards.
    """

    faction: Faction
    headings: tuple[Heading, ...]
    description: str
    kind: Kind
    art: tuple[Face, ...]


def draw_key(key: Sequence[str], width: Mm, color: str, factory: FaceFactory) -> Face:
    """Return the drawing of a key to symbols on a tint of a color."""
    sheet, height = _Sheet(factory), _KEY_MARGIN + _KEY_LINE * math.ceil(len(key) / 2)
    sheet.write_list(key, Box(0, 0, width, height), mix(color, _KEY_PAPER, _KEY_TINT))
    return Face(width, height, tuple(sheet.ops))


def draw_opening(
    opening: Opening, cells: tuple[int, int], key: Sequence[str], factory: FaceFactory
) -> tuple[Face, int]:
    """Return the opening of a section, as large as some cards: pictures, name, description.

    Args:
        cells: the numbers of cards that it is wide and high.
        key: symbols with their names.

    Returns:
        also the number of its pictures.
    """
    faction, headings, description, kind, art = opening
    span, rows = cells
    width = span * (kind.width + GALLERY_GAP) - GALLERY_GAP
    height = rows * (kind.height + GALLERY_GAP) - GALLERY_GAP
    color = color_of(faction, factory)
    if contrast(color, "#ffffff") >= _MIN_WHITE_CONTRAST:
        color = darken_for_paper(color, _MIN_TEXT_CONTRAST)
    ink = contrasting_color(color)
    above = span == 1 or rows > 1
    texts = width if above else kind.width * (1 if span == 2 else 1.4)
    """The width of the texts, which stand beside the pictures if there is room."""
    left, inner, room = width - texts + 6, texts - 12, height - 12
    larger = _LARGER if rows > 1 else _LARGE if span > 1 else 1
    size = _DESCRIPTION_SIZE * larger

    def write(sheet: _Sheet, top: Mm) -> Mm:
        *races, name = headings
        for heading in races:
            box = Box(left, top, inner, height * 0.1)
            top = sheet.write(heading.title, box, size, ink, role="H1") + 1.5
        box, role = Box(left, top, inner, height * 0.25), f"H{name.level}"
        top = sheet.write(name.title, box, _NAME_SIZE * larger, ink, title=True, role=role)
        if description:
            line = outlines.line(left + inner / 2 - 6, top + 2, left + inner / 2 + 6, top + 2)
            sheet.ops.append(StrokePath(line, ink, 0.35))
            box = Box(left, top + 4, inner, room - top - 4 + 6)
            top = sheet.write(description, box, size, ink)
        return top

    high = write(_Sheet(factory), 6) - 6
    least = _MIN_OPENING_ART * room if art and above else 0
    lines = _KEY_LINE * math.ceil(len(key) / 2)
    spare = room - high - 6 - least - _KEY_MARGIN
    drawn = 0 < lines <= spare
    plate = _KEY_MARGIN + min(spare, lines * (_MAX_KEY if span > 1 else 1))
    rest = room - (plate + 3 if drawn else 0)
    sheet = _Sheet(factory)
    sheet.ops += panel_ops(width, height, color)
    top, shown = 6.0, min(len(art), 1)
    if art and not above:
        place = Box(5, 5, width - texts - 5, height - 10)
        _, *grid = choose_grid(art, *place[2:], GALLERY_GAP)
        shown = math.prod(grid)
        sheet.ops += fill_place(art, place, grid, GALLERY_GAP, _PICTURE_CORNER)
    elif art and (tall := rest - high - 3) >= least:
        tall = min(tall, inner / (art[0].width / art[0].height) / _MIN_SEEN_WIDTH)
        place = Box(left, top, inner, tall)
        sheet.ops += fill_place(art, place, (1, 1), 0, _PICTURE_CORNER)
        top += tall + 3
    write(sheet, top + (rest + 6 - top - high) / 2)
    if drawn:
        tint = mix(color, _KEY_PAPER, _KEY_TINT)
        sheet.write_list(key, Box(left - 1, height - 5 - plate, inner + 2, plate), tint)
    return Face(width, height, tuple(sheet.ops)), shown
