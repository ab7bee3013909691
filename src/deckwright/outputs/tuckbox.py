"""Print tuck boxes: load a deck, compute the size of its box, lay out its net and paint it.

All findings go into the report; nothing is written if it contains an error.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from deckwright.base.colors import contrasting_color
from deckwright.base.findings import Code, Diagnostic, Report, Severity
from deckwright.base.geometry import Box, translation
from deckwright.base.locales import choose_form
from deckwright.base.output import OutputError, stop_on_errors
from deckwright.base.units import PAPER_SIZES, TOLERANCE, Mm, pluralize
from deckwright.checks.counting import DeckRules
from deckwright.checks.loading import LimitOptions, load_deck
from deckwright.decks.stats import DeckStats, deck_context, deck_stats, most_precious
from deckwright.faces.factory import FaceFactory
from deckwright.game.context import Context
from deckwright.game.decklist import count_tokens
from deckwright.game.folder import GameFolder
from deckwright.game.model import Card, Deck, Game
from deckwright.ops.bleed import add_bleed
from deckwright.ops.model import Face, FillPath, Group, Op, StrokePath, Tag, walk
from deckwright.ops.outlines import line, rectangle
from deckwright.ops.pictures import fill_place
from deckwright.outputs.printed import CutFile, PressOutput
from deckwright.sheet.cutters import CutPlan, Cutter, Layer, Registration, make_cut_plan
from deckwright.sheet.grid import pack
from deckwright.sheet.pages import Page, PlacedFace, Slug, shorten_slug
from deckwright.sheet.tuckbox import (
    FOOT_HEIGHT,
    GLUED_PIECES,
    NET_BLEED,
    PAPER_MARGIN,
    SLEEVE_ALLOWANCE,
    WALLS,
    BoxInterior,
    Net,
    Piece,
    Point,
    interior_for,
    is_upside_down,
    make_tuck_box,
    place_on_paper,
    place_within_marks,
    required_paper,
)
from deckwright.text import placing
from deckwright.text.paragraphs import TextStyle

if TYPE_CHECKING:
    from deckwright.outputs.services.export import PressSettings


_CUT_WIDTH: Mm = 0.2
_FOLD_WIDTH: Mm = 0.15
_DASH: Mm = 1.6
_TICK_START, _TICK_END = 1.8, 4.6
"""How far beyond its fold a tick begins and ends."""
_TICK_WIDTH, _HALO_WIDTH = 0.25, 0.7
_HATCH, _HATCH_STEP = "#9a9a9a", 2.4
_BLACK, _WHITE, _INK = "#000000", "#ffffff", "#333333"
_TYPE_SIZE: Mm = 2.6
_SAMPLE_LENGTH: Mm = 9


def cut_lines(net: Net, colors: Mapping[str, str]) -> Iterator[Op]:
    """Yield the solid outline of a net, in the colors of its pieces by name."""
    for name, run in net.cuts():
        yield StrokePath(run, colors[name], _CUT_WIDTH, join=1)


def fold_ticks(net: Net) -> Iterator[Op]:
    """Yield ticks in line with the folds of a net, outside of it, so that no line is on the box.

    Folds in one line share the ticks at its ends.
    """
    for _, ends in net.folds():
        for (x1, y1), (x2, y2) in (ends, ends[::-1]):
            length = math.dist((x1, y1), (x2, y2))
            near, middle, far = (
                (x2 + (x2 - x1) * by / length, y2 + (y2 - y1) * by / length)
                for by in (_TICK_START, (_TICK_START + _TICK_END) / 2, _TICK_END)
            )
            if not any(_covers(piece.box, middle) for piece in net.pieces):
                yield _line(near, far, _WHITE, _HALO_WIDTH)
                yield _line(near, far, _BLACK, _TICK_WIDTH)


def _covers(box: Box, point: Point) -> bool:
    x, y = point
    return (
        box.x - TOLERANCE <= x <= box.right + TOLERANCE
        and box.y - TOLERANCE <= y <= box.bottom + TOLERANCE
    )


def net_cut(net: Net, marks: Registration) -> CutPlan | None:
    """Return the cut of a net: its outline, and its folds as creases and perforations."""
    folds = [ends for _, ends in net.folds()]
    return make_cut_plan(
        marks,
        {
            Layer.CUT: [net.outline()],
            Layer.CREASE: [line(*start, *end) for start, end in folds],
            Layer.PERFORATION: [
                line(*one, *other) for ends in folds for one, other in _dash_ends(*ends)
            ],
        },
    )


def _dash_ends(start: Point, end: Point) -> Iterator[tuple[Point, Point]]:
    """Yield the ends of the dashes of a line, with a dash at each end of it."""
    (x1, y1), (x2, y2) = start, end
    parts = 2 * max(1, round(math.dist(start, end) / _DASH / 2)) - 1

    def at(part: int) -> Point:
        return x1 + (x2 - x1) * part / parts, y1 + (y2 - y1) * part / parts

    for part in range(0, parts, 2):
        yield at(part), at(part + 1)


def glue_ops(net: Net, name: str, factory: FaceFactory) -> Iterator[Op]:
    """Yield the hatching of a glued piece, with a label if there is room."""
    piece = net.piece(name)
    box = piece.box
    yield Group(tuple(_hatching(box)), clip=net.grow_piece(piece, 0))
    glyphs, width = _text_line(factory.game.setup.words["glue"], factory)
    if max(box.width, box.height) < width + 2 or min(box.width, box.height) < 2 * _TYPE_SIZE:
        return
    plate = FillPath(rectangle(-1, -0.8 * _TYPE_SIZE, width + 2, 1.6 * _TYPE_SIZE), _WHITE)
    x, y = box.x + box.width / 2, box.y + box.height / 2
    if box.height > box.width:
        yield Group((plate, *glyphs), (0, -1, 1, 0, x, y + width / 2))
    else:
        yield Group((plate, *glyphs), translation(x - width / 2, y))


def _hatching(box: Box) -> Iterator[Op]:
    """Yield slanted lines that cover a box."""
    for step in range(1, int((box.width + box.height) / _HATCH_STEP) + 1):
        x = box.x + step * _HATCH_STEP
        yield _line((x, box.y), (x - box.height, box.bottom), _HATCH, _FOLD_WIDTH)


def legend_ops(box: Box, text: str, factory: FaceFactory) -> Iterator[Op]:
    """Yield a legend of the lines at the left of a box, and a text at its right."""
    x, y = box.x, box.y + box.height / 2
    for name in ("cut", "fold", "glue"):
        start, end = (x, y), (x + _SAMPLE_LENGTH, y)
        if name == "cut":
            yield _line(start, end, _BLACK, _CUT_WIDTH)
        elif name == "fold":
            yield _line(start, (x + _SAMPLE_LENGTH / 3, y), _BLACK, _TICK_WIDTH)
            yield _line((x + _SAMPLE_LENGTH * 2 / 3, y), end, _BLACK, _TICK_WIDTH)
        else:
            area = Box(x, y - 1.5, _SAMPLE_LENGTH, 3)
            yield Group(tuple(_hatching(area)), clip=rectangle(*area))
        x += _SAMPLE_LENGTH + 1.5
        glyphs, width = _text_line(factory.game.setup.words[name], factory)
        yield Group(glyphs, translation(x, y))
        x += width + 6
    glyphs, width = _text_line(text, factory)
    yield Group(glyphs, translation(box.right - width, y))


def _text_line(text: str, factory: FaceFactory) -> tuple[tuple[Op, ...], Mm]:
    """Return a line of text that starts at 0, 0, vertically centered, and its width."""
    family, metrics = factory.text_font, factory.metrics
    line = placing.lay_out_label(text, family, metrics)
    baseline = metrics.vertical(f"{family}-regular").cap_height * _TYPE_SIZE / 2
    style = TextStyle(family, _TYPE_SIZE, _INK)
    return placing.label_ops(line, 0, baseline, style), line.width * _TYPE_SIZE


def _line(start: Point, end: Point, color: str, width: Mm) -> Op:
    return StrokePath(line(*start, *end), color, width)


_GLUED_ART_DEPTH: Mm = 2
"""The depth of art beyond the fold of a glued flap."""
_PICTURE = 0.66
"""The share of the front's height that a picture has on boxes with the bundled template."""
_MAX_PICTURES = 12
"""The most cards among which the picture is chosen."""
_SLUG: Mm = 2.6


class BoxContent(NamedTuple):
    """The content of a box.

    Attributes:
        copies, room: the number of cards, and the space they need.
        bleed: the bleed for a press, which prints nothing on glue flaps; None for home printing.
    """

    copies: int
    room: BoxInterior
    bleed: Mm | None = None


class Panel(NamedTuple):
    """A piece of a box with its face, and the color of cut lines on it."""

    piece: Piece
    face: Face
    cut: str


def tuck_box_page(
    net: Net,
    paper: tuple[Mm, Mm],
    content: BoxContent,
    stats: DeckStats,
    factory: FaceFactory,
    report: Report,
    marks: Registration | None = None,
) -> Page:
    """Return the page of a box.

    Args:
        net: the net in its position on the paper.
        paper: the width and height of the paper, in its orientation.
        marks: the marks of a cutting machine; None for cutting by hand along printed lines.
    """
    bleed = content.bleed or NET_BLEED
    panels = _compose_panels(net, stats, factory, report, bleed)
    words = factory.game.setup.words
    width, height = paper
    cuts = {name: panel.cut for name, panel in panels.items()}
    glued = GLUED_PIECES if content.bleed is None else ()
    glue = (op for name in glued for op in glue_ops(net, name, factory))
    art = []
    # Walls are above flaps, which have bleed.
    for piece, face, _ in sorted(panels.values(), key=lambda panel: panel.piece.name in WALLS):
        box, matrix = piece.box, translation(*piece.box[:2])
        if is_upside_down(piece.name):
            matrix = (-1.0, 0.0, 0.0, -1.0, box.right, box.bottom)
        if piece.name in GLUED_PIECES:
            # Only the part next to its fold.
            assert piece.fold
            clip = rectangle(*Box.of(piece.fold).expand(_GLUED_ART_DEPTH).intersection(box))
        else:
            clip = net.grow_piece(piece, bleed)
        art.append(Group((Group(face.ops, matrix),), clip=clip))
    drawing = Face(width, height, (*glue, *art), subject="the tuck box")
    inside = " × ".join(f"{side:.0f}" for side in content.room)
    text = f"{content.copies} {choose_form(words['cards'], content.copies)} · {inside} mm"
    box = Box(PAPER_MARGIN, height - FOOT_HEIGHT + 2, width - 2 * PAPER_MARGIN, 4)
    strip = Box(PAPER_MARGIN, height - PAPER_MARGIN - _SLUG, width - 2 * PAPER_MARGIN, _SLUG)
    page = Page(
        width,
        height,
        (PlacedFace(drawing, 0, 0),),
        bookmark=stats.deck.name,
        slug=Slug(strip, reads_upward=False, paper_height=height),
    )
    if marks is None:
        caption = Group(tuple(legend_ops(box, text, factory)), tag=Tag("P"))
        drawn = (*cut_lines(net, cuts), *fold_ticks(net), caption)
        return page._replace(ops=drawn)
    if content.bleed is not None:
        # A page as large as the net, printed beyond its edges.
        whole = (PlacedFace(drawing, 0, 0, reach=(bleed, bleed)),)
        return page._replace(faces=whole, slug=None, cut_plan=net_cut(net, marks))
    free = not any(piece.box.expand(NET_BLEED).touches(strip) for piece in net.pieces)
    slug = page.slug and shorten_slug(page.slug, marks) if free else None
    return page._replace(ops=marks.ops(), slug=slug, cut_plan=net_cut(net, marks))


def _compose_panels(
    net: Net, stats: DeckStats, factory: FaceFactory, report: Report, bleed: Mm
) -> dict[str, Panel]:
    game = factory.game
    cards = [*map(factory.pictures.without_missing, most_precious(game, stats))]
    faction_id = stats.deck.faction_id
    kind = cards[0].kind if cards else game.setup.card_kinds[0]
    seen = [factory.contexts.card_context(card, card.faction_id) for card in cards]
    # The back of the cards may refer to a card.
    shown = (
        factory.contexts.card_context(card, card.faction_id)
        for card in game.cards.values()
        if card.kind is kind and game.can_show(card, card.faction_id)
    )
    context = {
        **deck_context(stats, game, factory.contexts),
        "cards": seen,
        "card": seen[0] if seen else next(shown, None),
        "faction": factory.contexts.faction_context(faction_id),
        "kind": kind.tag,
        "trim": {"width": kind.width, "height": kind.height},
        "fonts": factory.font_roles,
    }
    front = net.piece("front").box
    place = Box(0, -bleed, front.width, front.height * _PICTURE + bleed)
    best = _richest_picture(cards, place, factory, report) if factory.has_default_box else None
    panels = {}
    for piece in net.pieces:
        name, size = piece.name if piece.name in WALLS else "flap", piece.box[2:]
        panel: Context = {"name": name, "width": size[0], "height": size[1]}
        panel["picture"] = place.bottom if best and name == "front" else 0
        face = factory.compose_panel(kind, {**context, "panel": panel}, size, report)
        if face is None:
            raise OutputError
        face = add_bleed(face, bleed)
        # The color of the background, if there is one.
        ground, first = _WHITE, face.ops[0] if face.bleed else None
        if piece.name not in GLUED_PIECES and isinstance(first, FillPath):
            color = first.color
            ground = color if isinstance(color, str) else color.stops[0][1]
        if best and name == "front":
            picture = fill_place([best], place, (1, 1), 0, 0)
            # Between the ground, with its bleed, and all that is on it.
            face = face._replace(ops=(*face.ops[:2], *picture, *face.ops[2:]))
        panels[piece.name] = Panel(piece, face, contrasting_color(ground))
    return panels


def _richest_picture(
    cards: Iterable[Card], place: Box, factory: FaceFactory, report: Report
) -> Face | None:
    """Return the picture with the most shapes of the first cards that fills a place."""
    some = islice(cards, _MAX_PICTURES)
    faces = filter(None, (factory.card_face(card, card.faction_id, report) for card in some))
    ratio = place.width / place.height
    found = filter(None, (factory.picture_of(face, ratio) for face in faces))
    return max(
        map(factory.with_ops, found), key=lambda face: sum(1 for _ in walk(face.ops)), default=None
    )


E050 = Code("E050", Severity.ERROR, "a tuck box that is too large for its paper")

BOX_PAPERS = ("a4", "a3", "letter", "12x12")
LARGEST_PAPER = "a3"
MAX_CARDS = 9999


class BoxOptions(NamedTuple):
    """The options of `Deck.print_box`; `copies` is its `cards`."""

    copies: int | None = None
    thickness: Mm = 0.3
    clearance: Mm = 1
    sleeved: bool = False
    paper: str = "a4"
    style: str | None = None
    cutter: Cutter | None = None
    press: PressSettings | None = None
    token_size: str | None = None


class PrintedBox(NamedTuple):
    """A printed box of a number of cards, with its inner size."""

    path: Path
    stats: DeckStats
    copies: int
    room: BoxInterior
    landscape: bool
    findings: tuple[Diagnostic, ...] = ()
    cuts: tuple[CutFile, ...] = ()
    press: PressOutput | None = None


def print_tuck_box(
    folder: GameFolder, deck_path: Path, target: Path, options: BoxOptions, report: Report
) -> PrintedBox:
    """Print the box of a deck as a PDF to `target`. Deck limits are ignored."""
    game, deck, _ = load_deck(folder, deck_path, LimitOptions(ignore=True), report)
    game = game.with_token_size(options.token_size)

    if options.cutter is not None:
        place = f"the paper `{options.paper}`"
        if options.cutter.marks_on(*PAPER_SIZES[options.paper], place, report) is None:
            raise OutputError
    press = options.press
    factory = FaceFactory(
        game, folder, report, options.style, plates=press is not None and press.plates
    )
    stats = deck_stats(game, deck, DeckRules())
    page, copies, room = box_page(stats, factory, options, report)
    stop_on_errors(report)
    boxed = PrintedBox(target, stats, copies, room, page.width > page.height)
    title, footer = box_titles(game, deck)
    if press is not None:
        from deckwright.outputs.services.export import die_page, print_for_press

        die = [die_page(page, f"the tuck box of `{deck.name}`", deck.source.at())]
        if press.service.plain_boxes:
            press = press._replace(service=press.service._replace(bleed=0))
        output = print_for_press(die, title, factory, press, target, report, die=True)
        return boxed._replace(landscape=False, press=output)

    from deckwright.outputs.cutters.files import write_cuts  # only for prints
    from deckwright.outputs.pages import write_pages

    write_pages([page], title, footer, factory, target, report)
    return boxed._replace(cuts=write_cuts([page], options.cutter, target))


def box_page(
    stats: DeckStats, factory: FaceFactory, options: BoxOptions, report: Report
) -> tuple[Page, int, BoxInterior]:
    """Return the page of a deck's box, its number of cards, and its inner size."""
    game, deck, press = factory.game, stats.deck, options.press
    # Cards and tokens, each with all its faces.
    pile = [(game.card_of(entry), entry.copies) for entry in deck.entries]
    pile += [(count.token, count.copies) for count in count_tokens(game, deck)]
    printed = [(card, number * card.parts) for card, number in pile if card and number]
    kinds = [card.kind for card, _ in printed]
    size = max(kind.width for kind in kinds), max(kind.height for kind in kinds)
    copies = options.copies or sum(number for _, number in printed)
    layers = options.copies or _count_layers(printed, size, sleeved=options.sleeved)
    room = _room(size, layers, options)
    placed = _place_net(make_tuck_box(room), options, options.paper)
    if placed is None:
        raise OutputError(E050.at(deck.source.at(), *_explain_size(deck, size, layers, options)))
    net, paper, marks = placed
    content = BoxContent(copies, room, press.service.bleed if press else None)
    return tuck_box_page(net, paper, content, stats, factory, report, marks), copies, room


def _count_layers(cards: Iterable[tuple[Card, int]], size: tuple[Mm, Mm], *, sleeved: bool) -> int:
    """Return the height of a pile of cards in cards, with small tokens side by side."""
    across, down, _ = SLEEVE_ALLOWANCE if sleeved else (0, 0, 0)
    counts = Counter[tuple[Mm, Mm]]()
    for card, number in cards:
        small = card.kind.full is not None
        counts[(card.kind.width, card.kind.height) if small else size] += number
    rooms = {
        (w, h): sum(
            block.columns * block.rows
            for block in pack(size[0] + across, size[1] + down, w + across, h + down)
        )
        for w, h in counts
    }
    return sum(math.ceil(number / rooms[each]) for each, number in counts.items())


def box_titles(game: Game, deck: Deck) -> tuple[str, str]:
    """Return the title of a deck's box, and the beginning of its footer."""
    setup, faction = game.setup, game.factions[deck.faction_id]
    title = f"{setup.words['tuck-box']} – {deck.name} – {faction.name}"
    return title, f"{setup.name} · {deck.name}"


def _place_net(
    net: Net, options: BoxOptions, paper: str
) -> tuple[Net, tuple[Mm, Mm], Registration | None] | None:
    """Place a net on paper, for a press of the net's size; None if the paper is too small."""
    if options.press is not None:
        from deckwright.outputs.services.export import empty_registration  # only for a press

        box, service = net.box, options.press.service
        # If the page has no bleed, that of the net is on the page itself.
        edge = service.bleed if service.plain_boxes else 0
        size = box.width + 2 * edge, box.height + 2 * edge
        return (
            net.translate(edge - box.x, edge - box.y),
            size,
            empty_registration(*size, edge, service.bleed),
        )
    if options.cutter is None:
        alone = place_on_paper(net, PAPER_SIZES[paper])
        return alone and (*alone, None)
    marks = options.cutter.marks_on(*PAPER_SIZES[paper], paper, [])
    within = place_within_marks(net, marks) if marks else None
    if within is None:
        return None
    medium = within[1].medium
    return within[0], (medium.width, medium.height), within[1]


def _room(size: tuple[Mm, Mm], copies: int, options: BoxOptions) -> BoxInterior:
    return interior_for(size, copies, options.thickness, options.clearance, sleeved=options.sleeved)


def _explain_size(
    deck: Deck, size: tuple[Mm, Mm], copies: int, options: BoxOptions
) -> tuple[str, str | None]:
    """Return the message and hint for a box that is too large for its paper."""

    def fits(number: int, paper: str) -> bool:
        return _place_net(make_tuck_box(_room(size, number, options)), options, paper) is not None

    short, long = sorted(required_paper(make_tuck_box(_room(size, copies, options))))
    width, height = PAPER_SIZES[options.paper]
    cards = pluralize(copies, "card")
    message = (
        f"the tuck box of `{deck.name}` for {cards} needs paper of {math.ceil(short)} × "
        f"{math.ceil(long)} mm, and {options.paper} has {width:g} × {height:g} mm"
    )
    if options.cutter is not None:
        message = (
            f"the tuck box of `{deck.name}` for {cards} does not fit between the marks of "
            f"`{options.cutter.id}` on {options.paper}"
        )
    larger = next((name for name in BOX_PAPERS if fits(copies, name)), None)
    if larger is not None:
        return message, f"use larger paper: `--paper {larger}`"
    if not fits(1, LARGEST_PAPER):
        return message, None
    low, high = 1, copies
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if fits(middle, LARGEST_PAPER) else (low, middle)
    return message, f"split the cards among boxes of at most {low}: `--cards {low} --paper a3`"
