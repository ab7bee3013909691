"""The pages of decks: cards, tokens and a reference of their rules."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Any, Generic, NamedTuple, TypeVar

from deckwright.base.colors import darken
from deckwright.base.findings import Report, known_hint
from deckwright.base.geometry import Box
from deckwright.base.output import stop_on_errors
from deckwright.base.units import TOLERANCE, Mm
from deckwright.decks.stats import DeckStats, most_precious, worth_of
from deckwright.faces.copies import Copy
from deckwright.faces.factory import FaceFactory
from deckwright.faces.selection import R019, find_truncated_cards, report_truncated_cards
from deckwright.game.decklist import CardSelection, collect_rules
from deckwright.game.model import Card
from deckwright.ops.model import Face, FillPath, Op, StrokePath
from deckwright.ops.outlines import rectangle
from deckwright.ops.pictures import choose_grid, fill_place
from deckwright.sheet.cutters import card_outline, make_cut_plan
from deckwright.sheet.flow import FlowLayout
from deckwright.sheet.grid import SheetFormat
from deckwright.sheet.impose import impose, place_back, place_face
from deckwright.sheet.layout import SheetLayout
from deckwright.sheet.pages import Page, PlacedFace, cut_marks, make_slug
from deckwright.text.bidi import language_direction


class SheetItem(NamedTuple):
    """Something to impose that is of no deck: a foreign card or a marker.

    Attributes:
        part: its name in bookmarks.
        deck, face_key, radius: attributes of copies that it lacks.
    """

    face: Face
    back: Face | None = None
    part: str = ""
    deck: str = ""
    face_key: None = None
    radius: Mm = 0

    @property
    def size(self) -> tuple[Mm, Mm]:
        """The width and height of its trim box."""
        return self.face.width, self.face.height


T = TypeVar("T", bound=Copy | SheetItem)


class CardSheet(NamedTuple, Generic[T]):
    """A sheet of cards with its back, the number of empty slots, and the tokens that fill some."""

    front: Page
    back: Page | None = None
    empty: int = 0
    spare: tuple[T, ...] = ()


def impose_cards(
    copies: Sequence[T], setting: SheetLayout, spare: Sequence[Sequence[T]] = ()
) -> list[CardSheet[T]]:
    """Impose copies on sheets; the first sheet with each part of a deck gets a bookmark.

    Cards of one size share sheets; on labels, all cards with the same orientation do. Tokens that
    exactly fill the slots of cards begin in the empty rows of their last sheet if that saves one.

    Args:
        spare: tokens with all their faces, which fill the last sheet of their size in turn.
    """
    formats: dict[tuple[Mm, Mm], SheetFormat] = {}
    groups: dict[object, list[T]] = {}

    def shared(copy: T) -> object:
        """Return a key that cards on the same sheets share."""
        if copy.size not in formats:
            formats[copy.size] = setting.fit_to(copy.size)
        return formats[copy.size] if setting.format.labels else copy.size

    for copy in copies:
        groups.setdefault(shared(copy), []).append(copy)

    def fill(key: object, room: int) -> list[T]:
        """Return tokens for empty slots, each with all its faces, as evenly as possible."""
        fitting = [token for token in spare if token and all(shared(c) == key for c in token)]
        filling = list[T]()
        while fitting := [token for token in fitting if len(token) <= room - len(filling)]:
            for token in fitting:
                if len(token) <= room - len(filling):
                    filling += token
        return filling

    seen = set[str]()
    sheets: list[CardSheet[T]] = []
    for key, group in groups.items():
        if not group:  # all are guests of cards
            continue
        sheet, guests, filling = formats[group[0].size], None, list[T]()
        for size in setting.token_formats:
            rows, tokens = _split_empty_rows(sheet, len(group), *size), groups.get(size, [])
            room, capacity = len(rows.slots) if rows else 0, len(setting.fit_to(size).slots())
            if rows and 0 < -(-len(tokens) // capacity) > -(-len(tokens[room:]) // capacity):
                first, groups[size] = tokens[:room], tokens[room:]
                filling = fill(size, room - len(first))
                guests = rows._replace(copies=(*first, *filling))
        if guests is None:
            filling = fill(key, -len(group) % len(sheet.slots()))
            group.extend(filling)
        sheets += _make_sheets(group, sheet, setting, seen, guests)
        sheets[-1] = sheets[-1]._replace(spare=tuple(filling))
    return sheets


class _Guests(NamedTuple, Generic[T]):
    """Tokens in the empty rows of a sheet of cards.

    Attributes:
        sheet: the format of the sheet with their slots.
        taken: the number of slots for cards that they take.
    """

    sheet: SheetFormat
    slots: tuple[Box, ...]
    taken: int
    copies: tuple[T, ...] = ()


def _split_empty_rows(sheet: SheetFormat, cards: int, width: Mm, height: Mm) -> _Guests[Any] | None:
    """Return slots for turned tokens in the empty rows of the last sheet of cards.

    None if there is no such row, or tokens of this size do not fill the slots exactly.
    """
    number, free = round(sheet.slot_height / width), -cards % len(sheet.slots())
    gutter = sheet.gutter if sheet.row_gutter is None else sheet.row_gutter
    filled = number * (width + gutter) - gutter
    if abs(sheet.slot_width - height) + abs(sheet.slot_height - filled) > TOLERANCE:
        return None
    taken = free - free % sheet.columns
    if not taken or number < 2 or sheet.blocks or sheet.by_columns or sheet.labels:
        return None
    slots = [
        slot._replace(y=slot.y + part * (width + gutter), height=width)
        for slot in sheet.slots()[-taken:]
        for part in range(number)
    ]
    slots.sort(key=lambda slot: (round(slot.y, 4), slot.x))
    return _Guests(sheet._replace(slot_width=width, slot_height=height), tuple(slots), taken)


def _make_sheets(
    copies: Sequence[T],
    sheet: SheetFormat,
    setting: SheetLayout,
    bookmarked: set[str],
    guests: _Guests[T] | None = None,
) -> Iterator[CardSheet[T]]:
    """Yield the sheets for copies of one size.

    Args:
        bookmarked: the parts of the deck that have a bookmark; new ones are added.
        guests: tokens on the last sheet.
    """
    slots, slug = sheet.slots(), make_slug(sheet) if setting.footer else None
    offset = (0.0, 0.0) if sheet.is_folded else setting.offset
    single = len(slots) == 1 and not sheet.is_folded
    marks: dict[tuple[Box, ...], tuple[Op, ...]] = {}
    batches = [*impose(copies, sheet)]
    for batch in batches:
        placed, empty = [(item, slot, sheet) for item, slot in batch], len(slots) - len(batch)
        if guests is not None and batch is batches[-1]:
            there = zip(guests.copies, guests.slots, strict=False)
            placed += [(item, slot, guests.sheet) for item, slot in there]
            empty += len(guests.slots) - len(guests.copies) - guests.taken
        parts = _distinct(item.part for item, _, _ in placed)
        new = [part for part in parts if part not in bookmarked]
        bookmarked.update(new)
        faces = [
            place_face(item.face, slot, form)._replace(face_key=item.face_key)
            for item, slot, form in placed
        ]
        edges = (
            card_outline(face.box, item.radius * face.scale)
            for face, (item, _, _) in zip(faces, placed, strict=True)
        )
        backs = [
            place_back(item.back, slot, form, offset)._replace(face_key=item.face_key, is_back=True)
            for item, slot, form in placed
            if item.back is not None
        ]
        filled = tuple(slot for _, slot, _ in placed)
        if filled not in marks:
            marks[filled] = cut_marks(sheet, filled)
        front = Page(
            sheet.page_width,
            sheet.page_height,
            tuple([*faces, *backs] if sheet.is_folded else faces),
            marks[filled],
            " · ".join(new) or None,
            slots[0] if single else None,
            sheet.bleed,
            slug,
            footer_note=" + ".join(_distinct(item.deck for item, _, _ in placed)),
            cut_plan=make_cut_plan(sheet.registration, {setting.cuts: edges}),
        )
        back = None
        if setting.backs and not sheet.is_folded:
            back = front._replace(
                faces=tuple(backs), ops=(), bookmark=None, is_back=True, cut_plan=None
            )
        yield CardSheet(front, back, empty)


def _distinct(words: Iterable[str]) -> list[str]:
    return [word for word in dict.fromkeys(words) if word]


def interleave_backs(sheets: Iterable[CardSheet[T]], *, apart: bool = False) -> list[Page]:
    """Return the pages of sheets, each followed by its back unless backs are `apart`."""
    return [page for s in sheets for page in (s.front, None if apart else s.back) if page]


class DeckPart(NamedTuple):
    """A deck to print, with its copies and face factory.

    Attributes:
        copies: all or some of those of `make_deck_copies`.
        spare: the tokens that may fill a sheet, each with all its faces.
    """

    stats: DeckStats
    factory: FaceFactory
    copies: Sequence[Copy]
    spare: Sequence[Sequence[Copy]] = ()


class DeckPages(NamedTuple):
    """Pages and card sheets of decks; `backs` are the pages of a second file, if it is separate."""

    pages: tuple[Page, ...]
    sheets: tuple[CardSheet[Copy], ...]
    backs: tuple[Page, ...] = ()


class Text(NamedTuple):
    """A text that flows over pages.

    Attributes:
        bookmark: that of its first page.
        faces: the faces below it on each page.
        shelf: the faces at the end of its last page, row by row from below.
        shelf_color: the color of the band around these, "" without one.
    """

    flow: FlowLayout
    bookmark: str
    faces: tuple[PlacedFace, ...] = ()
    shelf: tuple[PlacedFace, ...] = ()
    shelf_color: str = ""


_HEAD_TOP, _HEAD_HEIGHT, _HEAD_RIGHT, _HEAD_GAP = 16, 38, 22, 3
"""Where cards are in the head of the default deck sheet, from the right edge of the paper."""
_BAND_TOP, _BAND_HEIGHT = 12, 46
"""Where its band is, to whose edges pictures reach."""
_ODDS_BAND = 8, 25
"""Where the band of a page of odds is."""
_HEAD_TEXTS = 0.45
"""The share of the paper's width that they leave to texts."""
_MAX_HEAD_CARDS, _MAX_HEAD_PICTURES = 3, 2

_STRIDE = 11
"""How far apart cards are taken from a list whose cards are all worth the same."""
_MARGIN, _FOOT, _SPACE = 18, 20, 7
"""The margins of the default deck sheet, and what its shelf stays away from its columns."""
_REFERENCE_FOOT = 51
"""The foot of the rule reference in `templates/`, from the upper edge of its band."""
_BORDER, _MAX_PADDING = 4, 6
"""The width of the band around the cards on the shelf, and how much higher a row's may be."""
_MIN_SHELF, _MIN_WHOLE, _MIN_LEGIBLE, _MAX_SHELF = 24, 40, 48, 72
"""How high its cards are; those that are not legible show their pictures only."""
_MIN_SHELF_CARDS, _MAX_PICTURES = 3, 6
_MAX_HOLE = 30
"""The most that a page of odds has above cards; others have a grid of pictures."""
_FULL = 0.9
"""The share of its width that a full row of cards has at least."""


def lay_out_decks(
    decks: Sequence[DeckPart], setting: SheetLayout, report: Report, *, whole: bool = True
) -> DeckPages:
    """Lay out decks.

    The pages are the deck sheets with optional odds, then all cards, then the rules, on the same
    paper and numbered throughout. Formats with one card per page have no paper for texts.

    Args:
        whole: whether these are all copies of the decks; a selection gets card sheets only.
    """
    before = len(report)
    paper = setting.paper([copy.face for deck in decks for copy in deck.copies])
    lists, rules = list[Text](), list[Text]()
    warnings: Report = []
    if whole and paper is not None:
        for deck in decks:
            factory, about = deck.factory, deck.stats.deck
            game, name = factory.game, f"{about.name} – " if len(decks) > 1 else ""
            precious = _precious_faces(deck)
            faces = precious if factory.has_default_deck_sheet else []
            known = factory if faces else None
            bundled = bool(faces) or not factory.folder.has_own_looks
            shown, shelf = _place_in_head(faces, paper, factory), list[PlacedFace]()
            color = game.factions[about.faction_id].color
            mirrored = language_direction(game.setup.language) == "rtl"
            windows = [placed.box for placed in shown]
            sheet = factory.compose_deck_sheet(deck.stats, paper, report, windows)
            if sheet is not None:
                rest = _faces_below(shown, precious) if bundled else []
                shelf = _place_on_shelf(rest, paper, sheet.end, known)
                if mirrored:
                    shown, shelf = _mirror(shown, paper), _mirror(shelf, paper)
                if faces and sheet.free:
                    low = min(
                        (one.y - _BORDER - _MAX_PADDING for one in shelf),
                        default=paper[1] - _FOOT,
                    )
                    shown += _place_beside(faces[0], sheet.free, low - _SPACE)
                title = name + game.setup.words["deck-list"]
                lists.append(Text(sheet, title, (*shown,), (*shelf,), color if faces else ""))
            if setting.odds:
                rest = precious[len(shown) + len(shelf) :]
                # cards that the deck sheet does not show, if there are enough
                rest = rest if len(rest) >= _MIN_SHELF_CARDS else precious
                odds = _lay_out_odds(deck, rest, paper, bundled=bool(faces), report=report)
                lists += [odds._replace(bookmark=name + odds.bookmark)] if odds else []
            cut = find_truncated_cards((copy.card, copy.face) for copy in deck.copies)
            where, reference = "no page has the texts", None
            wanted = setting.reference or (cut and setting.reference is None)
            if wanted and (used := collect_rules(game, about)):
                faction_id = about.faction_id
                reference = factory.compose_reference(about.name, faction_id, used, paper, report)
            if reference:
                rest = [] if factory.folder.has_own_looks else precious
                row = _place_on_shelf(rest, paper, reference.end, None, _REFERENCE_FOOT)
                row = _mirror(row, paper) if mirrored else row
                rules.append(Text(reference, name + game.setup.words["reference"], (), (*row,)))
                where = "the texts are in the rule reference"
            report_truncated_cards(cut, where, warnings)
    stop_on_errors(report, before)
    copies = [copy for deck in decks for copy in deck.copies]
    spare = [copies for deck in decks for copies in deck.spare]
    sheets = impose_cards(copies, setting, spare)
    behind = [sheet.back for sheet in sheets if sheet.back is not None]
    fronts = interleave_backs(sheets, apart=setting.separate_backs)
    leading, trailing = (sum(len(text.flow) for text in texts) for texts in (lists, rules))
    blank = 0 if setting.separate_backs or not behind else leading % 2
    count = leading + blank + len(fronts) + trailing
    first = number_pages(lists, 1, count)
    last = number_pages(rules, 1 + leading + blank + len(fronts), count)
    stop_on_errors(report, before)
    report += warnings
    empty = [Page(*paper)] if blank and paper else []
    pages = (*first, *empty, *fronts, *last)
    return DeckPages(pages, tuple(sheets), tuple(behind) if setting.separate_backs else ())


def _precious_faces(deck: DeckPart) -> list[Face]:
    """Return the faces of a deck's cards: the most precious ones, of two zones, then the usual.

    Those with a picture come before others, and those of its own faction before guests.

    What a deck has most copies of tells it from other decks of the same cards.
    """
    copies = {id(copy.card): copy for copy in deck.copies if copy.number == 1}
    counts = Counter(id(copy.card) for copy in deck.copies)

    held = {line.card.faction_id for zone in deck.stats.zones for line in zone.lines}

    def is_own(card: Card) -> bool:
        # A deck of all suits is of none.
        return card.faction_id == deck.stats.deck.faction_id or held >= {
            *deck.factory.game.factions
        }

    def rank(card: Card) -> tuple[bool, float]:
        worth = worth_of(card)
        return is_own(card), counts[id(card)] * worth * abs(worth)

    best = sorted(most_precious(deck.factory.game, deck.stats), key=rank, reverse=True)
    first = next((key for key in (*map(id, best), *copies) if key in copies), 0)
    zones = [[line.card for line in zone.lines] for zone in deck.stats.zones if len(zone.lines) > 1]
    others = [zone for zone in zones if first not in map(id, zone)] or zones
    best = sorted(others[0], key=rank, reverse=True) if others else []

    def use(key: int) -> tuple[bool, int, float]:
        card = copies[key].card
        return is_own(card), counts[key], worth_of(card)

    usual = sorted(copies, key=use, reverse=True)
    if len({(counts[key], worth_of(copies[key].card)) for key in copies}) == 1:
        usual = [key for at in range(_STRIDE) for key in usual[at::_STRIDE]]  # no suit in a row
    keys = [key for key in dict.fromkeys((first, *map(id, best[:2]), *usual)) if key in copies]
    keys.sort(key=lambda key: not _has_image(copies[key].card))
    return [copies[key].face for key in keys]


def _has_image(card: Card) -> bool:
    images = (field.name for field in card.kind.fields if field.type == "image")
    return any(map(card.fields.get, images))


def _place_in_head(
    faces: Sequence[Face], paper: tuple[Mm, Mm], factory: FaceFactory
) -> list[PlacedFace]:
    """Place the first faces in the head of a deck sheet, or their pictures, from the right.

    Few cards are divided between head and shelf, so that both have some.
    """
    pictures = _pictures(faces[:_MAX_HEAD_PICTURES], factory)
    most = len(pictures) or _MAX_HEAD_CARDS
    spare = len(faces) - _MIN_SHELF_CARDS
    count = min(most, spare) if spare > 0 else most
    if pictures:
        return _fill_band(faces[:count], paper, factory, _BAND_TOP, _BAND_HEIGHT)
    x = paper[0] - _HEAD_RIGHT
    placed: list[PlacedFace] = []
    for shown in faces[:count]:
        scale = _HEAD_HEIGHT / shown.height
        x -= shown.width * scale
        if x < paper[0] * _HEAD_TEXTS - TOLERANCE:
            break
        placed.append(PlacedFace(shown, x, _HEAD_TOP, scale))
        x -= _HEAD_GAP
    return placed


def _fill_band(
    faces: Sequence[Face], paper: tuple[Mm, Mm], factory: FaceFactory, top: Mm, height: Mm
) -> list[PlacedFace]:
    """Place the pictures of faces in a band, side by side from its right edge."""
    x = paper[0] - _MARGIN
    widest = (x - paper[0] * _HEAD_TEXTS) / max(len(faces), 1)
    placed: list[PlacedFace] = []
    for shown in _pictures(faces, factory, widest / height):
        scale = height / shown.height
        x -= shown.width * scale
        placed.append(PlacedFace(shown, x, top, scale))
    return placed


def _pictures(faces: Sequence[Face], factory: FaceFactory, ratio: float = math.inf) -> list[Face]:
    """Return the pictures of faces, at most `ratio` times as wide as high; none if one has none."""
    found = [*filter(None, (factory.picture_of(face, ratio) for face in faces))]
    return found if len(found) == len(faces) else []


def _faces_below(shown: Sequence[PlacedFace], precious: Sequence[Face]) -> Sequence[Face]:
    """Return the faces that the head does not show; all of a few whose pictures it shows."""
    few = len(precious) - len(shown) <= _MIN_SHELF_CARDS
    pictures = any(one.face is not face for one, face in zip(shown, precious, strict=False))
    return precious if few and pictures else precious[len(shown) :]


def _place_on_shelf(
    faces: Sequence[Face],
    paper: tuple[Mm, Mm],
    end: Mm,
    factory: FaceFactory | None,
    foot: Mm = _FOOT,
) -> list[PlacedFace]:
    """Place faces at the end of a page whose columns end at `end`: in a row if it has room, or two.

    Args:
        factory: knows their pictures, for a low row; None if they stay whole, as with games that
            have a deck sheet of their own, whose pictures may have signs in front.
        foot: what stays free at the foot of the paper.
    """
    room, bottom = paper[0] - 2 * (_MARGIN + _BORDER), paper[1] - foot - _BORDER
    high = bottom - end - _SPACE - _BORDER
    height = min(high, _MAX_SHELF, *(face.height for face in faces))
    if (
        factory is not None
        and height < _MIN_LEGIBLE
        and (pictures := _pictures(faces[:_MAX_PICTURES], factory))
    ):
        return _place_pictures(faces[: len(pictures)], paper, end, factory)
    row: list[Face] = []
    wide = 0.0
    for face in faces:
        if wide < room * _FULL or len(row) == len(faces) - 1:  # none is left out alone
            row.append(face)
            wide = sum(each.width / each.height for each in row) * height + _gaps(row)
    if wide > room:
        height *= (room - _gaps(row)) / (wide - _gaps(row))
        wide = room
    if height < (_MIN_WHOLE if factory is None else _MIN_SHELF) or len(row) < _MIN_SHELF_CARDS:
        return []
    rows = [row]
    below = faces[len(row) : 2 * len(row)]
    if high >= 2 * height + _HEAD_GAP and [(one.width, one.height) for one in below] == [
        (one.width, one.height) for one in row
    ]:
        rows = [row, [*below]]
        if factory is None:  # no band joins them to the foot
            bottom -= (high - 2 * height - _HEAD_GAP) / 2
    elif factory is not None:
        bottom -= min((high - height) / 2, _MAX_PADDING)
    placed: list[PlacedFace] = []
    for at, each_row in enumerate(reversed(rows)):
        x, y = (paper[0] - wide) / 2, bottom - height - at * (height + _HEAD_GAP)
        for face in each_row:
            placed.append(PlacedFace(face, x, y, height / face.height))
            x = placed[-1].box.right + _HEAD_GAP
    return placed


def _place_pictures(
    faces: Sequence[Face], paper: tuple[Mm, Mm], end: Mm, factory: FaceFactory
) -> list[PlacedFace]:
    """Place the pictures of some faces from margin to margin, as large as there is room below."""
    wide, bottom = paper[0] - 2 * _MARGIN, paper[1] - _FOOT
    ratio = min(each.width / each.height for each in _pictures(faces, factory))
    count = max(math.ceil(wide / ratio / max(bottom - end - _SPACE, 1)), _MIN_SHELF_CARDS)
    row = _pictures(faces[:count], factory, ratio)
    step = wide / count
    if len(row) < count or step / ratio < _MIN_SHELF:
        return []
    top = bottom - step / ratio
    return [
        PlacedFace(one, _MARGIN + at * step, top, step / one.width) for at, one in enumerate(row)
    ]


def _place_grid(
    faces: Sequence[Face], paper: tuple[Mm, Mm], end: Mm, factory: FaceFactory
) -> list[PlacedFace]:
    """Place the pictures of some faces in a grid from margin to margin, down to the foot."""
    pictures = [*map(factory.with_ops, _pictures(faces[:_MAX_PICTURES], factory))]
    if len(pictures) < _MIN_SHELF_CARDS:
        return []
    wide, high = paper[0] - 2 * _MARGIN, paper[1] - _FOOT - end - _SPACE
    _, *grid = choose_grid(pictures, wide, high, _HEAD_GAP, _MIN_SHELF_CARDS)
    art = fill_place(pictures, Box(0, 0, wide, high), grid, _HEAD_GAP, 0)
    return [PlacedFace(Face(wide, high, (*art,)), _MARGIN, end + _SPACE)]


def _place_beside(face: Face, column: Box, low: Mm) -> list[PlacedFace]:
    """Place a face in an empty column down to `low`, as large as fits, but no larger than it is."""
    scale = min(1, column.width / face.width, (low - column.y) / face.height)
    if face.height * scale < _MIN_LEGIBLE:
        return []
    x = column.x + (column.width - face.width * scale) / 2
    return [PlacedFace(face, x, column.y, scale)]


def _mirror(placed: Sequence[PlacedFace], paper: tuple[Mm, Mm]) -> list[PlacedFace]:
    return [one._replace(x=paper[0] - one.box.right) for one in placed]


def _gaps(faces: Sequence[Face]) -> Mm:
    return (len(faces) - 1) * _HEAD_GAP


def _draw_shelf(placed: Sequence[PlacedFace], page: Page, color: str) -> Iterator[Op]:
    """Draw a band with a window for each face, across a page, as far above them as below.

    Pictures fill it, with a line between each two, and it only rounds their corners; so does a band
    without a color with those of cards.
    """
    box = Box.around(each.box for each in placed)
    filled = box.x < _MARGIN + TOLERANCE
    border = page.height - _FOOT - box.bottom
    band = rectangle(
        _MARGIN, box.y - border, page.width - 2 * _MARGIN, box.height + 2 * border, 2.5
    )
    windows = [box.expand(0.4)] if filled else [each.box for each in placed]
    holes = [rectangle(*window, 0 if filled else 1.4) for window in windows]
    ground = "#ffffff" if filled or not color else color
    yield FillPath((*band, *chain(*holes)), ground, even_odd=True)
    for outline in (band,) if filled else (band, *holes) if color else holes:
        yield StrokePath(outline, darken(color or "#808080", 0.5), 0.35)
    for x in sorted(each.box.x for each in placed)[1:] if filled else ():
        yield FillPath(rectangle(x - 0.3, box.y, 0.6, box.height, 0), darken(color, 0.5))


def _lay_out_odds(
    deck: DeckPart, faces: Sequence[Face], paper: tuple[Mm, Mm], report: Report, *, bundled: bool
) -> Text | None:
    """Lay out the odds of a deck's opening hand; None after reporting errors.

    Args:
        faces: those to show in its head and at its end.
        bundled: whether the deck sheet is the default one.
    """
    from deckwright.decks.odds import resolve_opening
    from deckwright.decks.odds_tables import compute_odds_table  # only for odds

    factory, game = deck.factory, deck.factory.game
    opening = resolve_opening(game.setup)
    zone = next((zone for zone in deck.stats.zones if zone.id == opening.zone), None)
    if zone is None:
        return None
    head, row = list[PlacedFace](), list[PlacedFace]()
    if factory.has_default_odds:
        others = (faces[_MAX_PICTURES:] or faces)[:_MAX_HEAD_PICTURES]
        head = _fill_band(others, paper, factory, *_ODDS_BAND)
    windows = [one.box for one in head]
    table = compute_odds_table(zone, opening)
    odds = factory.compose_odds_sheet(deck.stats, table, paper, report, windows)
    if odds is None:
        return None
    if factory.has_default_odds:
        row = _place_on_shelf(faces, paper, odds.end, factory if bundled else None)
        low = min((one.y for one in row), default=paper[1] - _FOOT)
        if low - odds.end > _MAX_HOLE:
            row = _place_grid(faces, paper, odds.end, factory) or row
    if language_direction(game.setup.language) == "rtl":
        head, row = _mirror(head, paper), _mirror(row, paper)
    color = game.factions[deck.stats.deck.faction_id].color if bundled else ""
    return Text(odds, game.setup.words["odds"], (*head,), (*row,), color)


def number_pages(texts: Iterable[Text], first: int, count: int) -> list[Page]:
    """Return the pages of texts, numbered from `first` of `count`."""
    pages: list[Page] = []
    for flow, bookmark, faces, shelf, color in texts:
        start = len(pages)
        pages += (page._replace(faces=faces) for page in flow.pages(first + start, count))
        if len(pages) > start:
            pages[start] = pages[start]._replace(bookmark=bookmark)
            if shelf:
                last, band = pages[-1], _draw_shelf(shelf, pages[-1], color)
                pages[-1] = last._replace(faces=(*faces, *shelf), ops=(*last.ops, *band))
    return pages


def choose_copies(
    copies: Sequence[Copy],
    choice: CardSelection,
    report: Report,
    all_copies: Sequence[Copy] | None = None,
) -> list[Copy]:
    """Return the copies selected by a choice; report names that match none of `all_copies`.

    Args:
        all_copies: all copies of the deck, if `copies` is a selection.
    """
    wanted = list(copies)
    if choice.only:
        wanted = [copy for copy in copies if choice.names_card(copy.card)]
        names = [name for copy in all_copies or copies for name in (copy.card.id, copy.card.name)]
        for word in choice.only:
            if word not in names:
                message = f"there is no card `{word}` in the deck"
                report.append(R019.at(None, message, known_hint(word, dict.fromkeys(names))))
    if choice.copies is not None:
        kinds = {id(copy.face): copy for copy in wanted}.values()
        wanted = [copy for copy in kinds for _ in range(choice.copies)]
    return wanted
