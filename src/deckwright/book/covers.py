"""Drawings of books that need no template: covers, and what opens the section of a faction."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import islice, zip_longest

from deckwright.base.colors import contrasting_color, darken_for_paper, mix
from deckwright.base.findings import Report
from deckwright.base.geometry import Box
from deckwright.base.units import MM_PER_UNIT, TOLERANCE, Mm
from deckwright.book.model import INK, MIN_PT, Heading, Theme, min_legible_scale
from deckwright.faces.factory import FaceFactory
from deckwright.game.model import Card, Faction
from deckwright.ops import outlines
from deckwright.ops.model import DrawGlyphs, Face, FillPath, Gradient, Group, Op, StrokePath, Tag
from deckwright.text import paragraphs, placing, richtext
from deckwright.text.words import Piece

_TITLE_SIZE = 54 * MM_PER_UNIT["pt"]
_SUBTITLE_SIZE = 20 * MM_PER_UNIT["pt"]
_NAME_SIZE = 22 * MM_PER_UNIT["pt"]
_DESCRIPTION_SIZE = 9.5 * MM_PER_UNIT["pt"]
_MIN_SIZE: Mm = MIN_PT * MM_PER_UNIT["pt"]
_COVER_CARDS = 5
_FAN_ANGLE = 9.0
"""The angle between two cards of the fan on a cover, in degrees."""
_MIN_GROUND_CONTRAST, _MIN_GLOW_CONTRAST = 12, 4.5
"""The minimum contrast of white letters with the ground of a cover, and with its lightest part."""
_BLEED: Mm = 5
"""How far what touches an edge is drawn beyond it."""


class _Sheet:
    """A drawing of texts and faces from the top to the bottom."""

    def __init__(self, factory: FaceFactory) -> None:
        self._factory = factory
        self.ops: list[Op] = []

    def write(
        self, text: str, box: Box, size: Mm, color: str, *, title: bool = False, role: str = "P"
    ) -> Mm:
        """Write a text in the middle of a box, smaller if it does not fit; return its bottom."""
        factory, studio = self._factory, self._factory.drawing_context
        family = factory.display_font if title else factory.text_font
        rich = richtext.parse_rich_text(
            text, Piece(bold=title), symbols=studio.symbols, language=studio.hyphens.language
        )
        style = paragraphs.TextStyle(family, size, color, 1.12 if title else 1.3, wrap="balance")
        block = paragraphs.fit_text(
            rich,
            style,
            studio.metrics,
            width=box.width,
            height=box.height,
            min_size=min(size / 4, _MIN_SIZE),
            hyphens=studio.hyphens,
        )
        if block is None or not rich:
            return box.y
        placed = placing.place_text(block, box, style, anchor="middle")
        self.ops.append(Group(tuple(placed), tag=Tag(role)))
        return box.y + block.height

    def lay(self, face: Face, scale: float, x: Mm, y: Mm, angle: float = 0) -> None:
        """Lay a face with its middle at a point, turned by degrees, on a thin white edge.

        Texts that would be too small to read are left out.
        """
        turn = math.radians(angle)
        cos, sin = scale * math.cos(turn), scale * math.sin(turn)
        middle = (face.width / 2, face.height / 2)
        left = x - cos * middle[0] + sin * middle[1]
        top = y - sin * middle[0] - cos * middle[1]
        corner = 3.0
        trim = outlines.rectangle(0, 0, face.width, face.height, corner)
        edge = outlines.rectangle(-0.8, -0.8, face.width + 1.6, face.height + 1.6, corner + 0.8)
        card = (
            FillPath(edge, "#ffffff"),
            Group(tuple(_drop_small_texts(face.ops, scale)), clip=trim),
        )
        self.ops.append(Group(card, (cos, sin, -sin, cos, left, top)))


def _drop_small_texts(ops: Iterable[Op], scale: float) -> Iterator[Op]:
    for op in ops:
        if isinstance(op, Group):
            yield op._replace(ops=tuple(_drop_small_texts(op.ops, scale * op.scale)))
        elif not isinstance(op, DrawGlyphs) or op.size * scale >= _MIN_SIZE - TOLERANCE:
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
    """Return a cover of titles, a fan of cards, and the colors of factions.

    The titles are title, subtitle and color.
    """
    title, subtitle, color = titles
    width, height = theme.width, theme.height
    sheet = _Sheet(factory)
    factions = [each for each in factory.game.factions.values() if each.id in faction_ids]
    base = color_of(factions[0], factory) if color == INK and factions else color
    ground = darken_for_paper(base, _MIN_GROUND_CONTRAST)
    page = outlines.rectangle(-_BLEED, -_BLEED, width + 2 * _BLEED, height + 2 * _BLEED)
    glow = ((0.0, darken_for_paper(base, _MIN_GLOW_CONTRAST)), (1.0, ground))
    center = (width / 2, height * 0.56)
    light = Gradient(center, (width / 2, height * 1.1), glow, radial=True)
    sheet.ops += [FillPath(page, ground), FillPath(page, light)]
    scale = width / 210
    edge = width * 0.09
    top = height * 0.08
    for text, size, ink, high in (
        (title, _TITLE_SIZE, "#ffffff", 0.17),
        (subtitle, _SUBTITLE_SIZE, mix(ground, "#ffffff", 0.82), 0.05),
    ):
        box = Box(edge, top, width - 2 * edge, height * high)
        top = sheet.write(text, box, size * scale, ink, title=size == _TITLE_SIZE) + 5 * scale
    faces = _choose_cover_faces(factions, factory, report)
    for number, face in enumerate(faces):
        place = number - (len(faces) - 1) / 2
        size = min(width * 0.35 / face.width, height * 0.35 / face.height)
        size = max(size, min(min_legible_scale(face), 1.2 * size))
        angle = place * _FAN_ANGLE
        radius = height * 0.5
        x = width / 2 + radius * math.sin(math.radians(angle))
        y = height * 0.55 + radius * (1 - math.cos(math.radians(angle)))
        sheet.lay(face, size, x, y, angle)
    for number, faction in enumerate(factions):
        whole = width + 2 * _BLEED
        left, right = (whole * step / len(factions) - _BLEED for step in (number, number + 1))
        stripe = outlines.rectangle(left, height * 0.95, right - left, height * 0.05 + _BLEED)
        sheet.ops.append(FillPath(stripe, color_of(faction, factory)))
    alt = " – ".join(filter(None, (title, subtitle)))
    return Face(width, height, tuple(sheet.ops), bleed=_BLEED, alt=alt)


def _choose_cover_faces(
    factions: Iterable[Faction], factory: FaceFactory, report: Report
) -> list[Face]:
    """Return faces of some cards, by turns of each faction, each faction from its first card on."""
    cards = factory.game.cards.values()
    decks = [[card for card in cards if card.faction_id == each.id] for each in factions]
    turns = (card for turn in zip_longest(*decks) for card in turn if card is not None)
    chosen = islice(turns, _COVER_CARDS)
    return [
        face for card in chosen if (face := factory.card_face(card, card.faction_id, report, 1))
    ]


def draw_section(
    faction: Faction,
    headings: Sequence[Heading],
    description: str,
    cards: Sequence[Card],
    factory: FaceFactory,
    report: Report,
) -> Face:
    """Return what opens the section of a faction, as large as its cards: back, name, description.

    Args:
        headings: the name of the faction, and that of its race if it has not been said.
    """
    kind = cards[0].kind if cards else next(iter(factory.game.setup.kinds.values()))
    width, height = kind.width, kind.height
    color = color_of(faction, factory)
    ink = contrasting_color(color)
    sheet = _Sheet(factory)
    frame = outlines.rectangle(2.5, 2.5, width - 5, height - 5, 1.5)
    sheet.ops += [
        FillPath(outlines.rectangle(0, 0, width, height), color),
        StrokePath(frame, mix(color, ink, 0.6), 0.35),
    ]
    inner, top = width - 12, 6.0
    *above, name = headings
    for heading in above:
        box = Box(6, top, inner, height * 0.1)
        top = sheet.write(heading.title, box, _DESCRIPTION_SIZE, ink, role="H1") + 1.5
    back = factory.card_back(cards[0], faction.id, report) if cards else None
    if back is not None:
        high = height * 0.4
        scale = min(high / back.height, inner / back.width)
        sheet.lay(back, scale, width / 2, top + high / 2 + 0.5)
        top += high + 3
    else:
        top += height * 0.16
    box = Box(6, top, inner, height * 0.2)
    top = sheet.write(name.title, box, _NAME_SIZE, ink, title=True, role=f"H{name.level}") + 2
    if description:
        line = outlines.line(width / 2 - 6, top, width / 2 + 6, top)
        sheet.ops.append(StrokePath(line, ink, 0.35))
        box = Box(6, top + 2, inner, height - top - 7)
        sheet.write(description, box, _DESCRIPTION_SIZE, ink)
    return Face(width, height, tuple(sheet.ops))
