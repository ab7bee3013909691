"""The page of a tuck box: what is printed on its panels, and the lines of its net."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from deckwright.base.colors import mix, on
from deckwright.base.findings import Report
from deckwright.base.geometry import Box, shifted
from deckwright.base.units import Mm
from deckwright.decks.stats import DeckStats, deck_context
from deckwright.faces.factory import FaceFactory
from deckwright.game.context import Context
from deckwright.game.model import Card, Game
from deckwright.ops.bleed import with_bleed
from deckwright.ops.model import Face, FillPath, Group, Op, Outline
from deckwright.ops.outlines import rectangle
from deckwright.ops.tags import Tag
from deckwright.outputs.dieline import Lines, cut_lines, fold_lines, glue_ops, legend, net_cut
from deckwright.sheet.net import Net, Piece
from deckwright.sheet.pages import Page, Placed
from deckwright.sheet.registration import Registration
from deckwright.sheet.slug import Slug, beside_marks
from deckwright.sheet.tuckbox import BLEED, FOOT, GLUED, MARGIN, WALLS, Room, turned

_STRIP: Mm = 2
"""How far art goes on beyond the fold of a flap that is glued."""
_FAINT = 0.55
"""How much of the color that reads best is in that of fold lines, which stay on the box."""
_SLUG: Mm = 2.6


class Pile(NamedTuple):
    """What a box is made for.

    Attributes:
        copies, room: how many cards, and the room that they need.
        bleed: how far a press prints beyond cuts, and nothing where there will be glue; None if the
            box is printed at home.
    """

    copies: int
    room: Room
    bleed: Mm | None = None


class Panel(NamedTuple):
    """A piece of a box with what is printed on it.

    Attributes:
        lines: the colors of lines on it.
    """

    piece: Piece
    face: Face
    lines: Lines


def tuck_box_page(
    net: Net,
    paper: tuple[Mm, Mm],
    pile: Pile,
    stats: DeckStats,
    factory: FaceFactory,
    report: Report,
    marks: Registration | None = None,
) -> Page | None:
    """Return the page of a box, None after reporting what keeps it from being drawn.

    Args:
        net: in its place on the paper.
        paper: width and height, as it lies.
        marks: those of the machine that cuts and folds it; None if people do, along printed lines.
    """
    bleed = pile.bleed or BLEED
    panels = _panels(net, stats, factory, report, bleed)
    if panels is None:
        return None
    words = factory.game.setup.words
    width, height = paper
    lines = {name: panel.lines for name, panel in panels.items()}
    glued = GLUED if pile.bleed is None else ()
    glue = (op for name in glued for op in glue_ops(net, name, factory))
    art = Face(width, height, (*glue, *_art(net, panels, bleed)), subject="the tuck box")
    inside = " × ".join(f"{side:.0f}" for side in pile.room)
    text = f"{pile.copies} {words['cards']} · {inside} mm"
    box = Box(MARGIN, height - FOOT + 2, width - 2 * MARGIN, 4)
    strip = Box(MARGIN, height - MARGIN - _SLUG, width - 2 * MARGIN, _SLUG)
    page = Page(
        width,
        height,
        (Placed(art, 0, 0),),
        bookmark=stats.deck.name,
        slug=Slug(strip, upward=False, paper_height=height),
    )
    if marks is None:
        told = Group(tuple(legend(box, text, factory)), tag=Tag("P"))
        drawn = (*cut_lines(net, lines), *fold_lines(net, lines), told)
        return page._replace(ops=drawn)
    if pile.bleed is not None:
        # A page as large as the net, printed beyond its edges.
        whole = (Placed(art, 0, 0, reach=(bleed, bleed)),)
        return page._replace(faces=whole, slug=None, cut=net_cut(net, marks))
    free = not any(piece.box.grown(BLEED).touches(strip) for piece in net.pieces)
    slug = page.slug and beside_marks(page.slug, marks) if free else None
    return page._replace(ops=marks.ops(), slug=slug, cut=net_cut(net, marks))


def _panels(
    net: Net, stats: DeckStats, factory: FaceFactory, report: Report, bleed: Mm
) -> dict[str, Panel] | None:
    """Return what is printed on each piece, None after reporting why it cannot be drawn."""
    game = factory.game
    cards = most_precious(game, stats)
    faction_id = stats.deck.faction_id
    kind = cards[0].kind if cards else game.setup.card_kinds[0]
    seen = [factory.contexts.card(card, card.faction_id) for card in cards]
    # The back of the cards may show what is on one.
    shown = (
        factory.contexts.card(card, card.faction_id)
        for card in game.cards.values()
        if card.kind is kind and game.can_show(card, card.faction_id)
    )
    context = {
        **deck_context(stats, game, factory.contexts),
        "cards": seen,
        "card": seen[0] if seen else next(shown, None),
        "faction": factory.contexts.faction(faction_id),
        "kind": kind.tag,
        "trim": {"width": kind.width, "height": kind.height},
        "fonts": {"text": factory.text_font, "title": factory.title_font},
    }
    panels = {}
    for piece in net.pieces:
        box = piece.box
        panel: Context = {
            "name": piece.name if piece.name in WALLS else "flap",
            "width": box.width,
            "height": box.height,
        }
        size = (box.width, box.height)
        face = factory.panel(kind, {**context, "panel": panel}, size, report)
        if face is None:
            return None
        face = with_bleed(face, bleed)
        ground = "#ffffff" if piece.name in GLUED else _ground(face)
        lines = Lines(on(ground), mix(ground, on(ground), _FAINT))
        panels[piece.name] = Panel(piece, face, lines)
    return panels


def most_precious(game: Game, stats: DeckStats) -> list[Card]:
    """Return the designs of a deck's own faction, those that are worth most first.

    That is, by the sum of their numbers; only cards of the kind that the deck has most of count,
    and none of several parts.
    """
    faction_id = stats.deck.faction_id
    cards: dict[str, Card] = {}
    copies: dict[str, int] = {}
    for entry in stats.deck.entries:
        card = game.card_of(entry)
        if card is not None and card.faction_id == faction_id:
            copies[card.kind.tag] = copies.get(card.kind.tag, 0) + entry.copies
            if card.parts == 1:
                cards[card.id] = card
    usual = max(copies, key=lambda tag: copies[tag], default=None)
    return sorted((c for c in cards.values() if c.kind.tag == usual), key=_worth, reverse=True)


def _worth(card: Card) -> float:
    """Return the sum of a card's numbers, but for those of its picture."""
    numbers = (
        card.fields.get(field.name)
        for field in card.kind.fields
        if field.numeric and not field.picture
    )
    return sum(number for number in numbers if isinstance(number, (int, float)))


def _ground(face: Face) -> str:
    """Return the color of what is behind all else on a face with bleed; white if it has none."""
    ground = face.ops[0] if face.bleed else None
    if not isinstance(ground, FillPath):
        return "#ffffff"
    return ground.color if isinstance(ground.color, str) else ground.color.stops[0][1]


def _art(net: Net, panels: Mapping[str, Panel], bleed: Mm) -> Iterator[Op]:
    """Yield the art of all pieces; walls lie above flaps, which go on beyond their cuts."""
    for panel in sorted(panels.values(), key=lambda panel: panel.piece.name in WALLS):
        piece, box = panel.piece, panel.piece.box
        if turned(piece.name):
            matrix = (-1.0, 0.0, 0.0, -1.0, box.right, box.bottom)
        else:
            matrix = shifted(box.x, box.y)
        clip = _strip(piece) if piece.name in GLUED else net.grown(piece, bleed)
        yield Group((Group(panel.face.ops, matrix),), clip=clip)


def _strip(piece: Piece) -> Outline:
    """Return the part of a flap beside its fold."""
    assert piece.fold
    box, ends = piece.box, piece.fold
    left = max(box.x, min(x for x, _ in ends) - _STRIP)
    right = min(box.right, max(x for x, _ in ends) + _STRIP)
    top = max(box.y, min(y for _, y in ends) - _STRIP)
    bottom = min(box.bottom, max(y for _, y in ends) + _STRIP)
    return rectangle(left, top, right - left, bottom - top)
