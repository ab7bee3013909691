"""The PDF of a deck: its cards, its tokens and a reference of its rules."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from deckwright.checks.limits import zoned
from deckwright.diagnostics import Report
from deckwright.exporters.deck_stats import DeckStats
from deckwright.exporters.workshop import Workshop
from deckwright.face.ops import Face
from deckwright.game.decklist import TokenCount, rules_of
from deckwright.game.model import Card, Deck, Game
from deckwright.sheet.format import SheetFormat
from deckwright.sheet.impose import crop_marks, impose
from deckwright.sheet.pages import Page, Placed


class DeckPages(NamedTuple):
    """A deck laid out.

    Attributes:
        sheets: how many of the pages are card sheets.
    """

    pages: tuple[Page, ...]
    sheets: int


def deck_pages(
    game: Game,
    stats: DeckStats,
    sheet: SheetFormat,
    workshop: Workshop,
    report: Report,
    *,
    backs: bool = False,
) -> DeckPages | None:
    """Return the pages of a deck, None after reporting what keeps them from being printed.

    First comes the deck sheet; then the cards in the deck list's order, zone by zone, then tokens,
    then the rules. With `backs`, each sheet is followed by its backs, to be turned over on the
    long edge, and the deck sheet by empty pages where it takes an odd number.
    """
    before = len(report)
    deck = stats.deck
    first = _titled(workshop.deck_sheet(stats, report), "deck-list", game)
    copies = _copies(game, deck, workshop, report)
    copies += token_copies(game, stats.tokens, deck.faction_id, workshop, report)
    if backs:
        copies = with_backs(copies, workshop, report)
    used = rules_of(game, deck)
    pages = workshop.reference_pages(deck.name, deck.faction_id, used, report) if used else []
    if len(report) > before:
        return None
    sheets = tuple(card_sheets(copies, sheet, backs=backs))
    if backs and len(first) % 2:
        first.append(Page(first[-1].width, first[-1].height))
    number = len(sheets) // (2 if backs else 1)
    return DeckPages((*first, *sheets, *_titled(pages, "reference", game)), number)


class Copy(NamedTuple):
    """A face to print, and the part of the deck that it belongs to.

    Attributes:
        card, faction_id: what it is a copy of, and who prints it.
        back: its back, if that is printed and its kind has one.
    """

    part: str
    card: Card
    faction_id: str
    face: Face
    back: Face | None = None


def _copies(game: Game, deck: Deck, workshop: Workshop, report: Report) -> list[Copy]:
    """Return every copy to print; one of several faces is as many."""
    copies: list[Copy] = []
    for line in zoned(game, deck):
        part = line.zone.name if line.zone else deck.name
        card, faction_id = line.card, line.card.faction_id
        faces = workshop.card_faces(card, faction_id, report)
        copies += [Copy(part, card, faction_id, face) for face in faces] * line.entry.copies
    return copies


def token_copies(
    game: Game,
    counts: Iterable[TokenCount],
    faction_id: str,
    workshop: Workshop,
    report: Report,
) -> list[Copy]:
    """Return every copy of tokens to print, as a faction has them."""
    copies: list[Copy] = []
    name = game.setup.words["tokens"]
    for count in counts:
        faces = workshop.card_faces(count.token, faction_id, report)
        copies += [Copy(name, count.token, faction_id, face) for face in faces] * count.copies
    return copies


def with_backs(copies: Iterable[Copy], workshop: Workshop, report: Report) -> list[Copy]:
    """Return copies with their backs; those that cannot be composed are reported."""
    return [
        copy._replace(back=workshop.card_back(copy.card, copy.faction_id, report))
        for copy in copies
    ]


def card_sheets(
    copies: Sequence[Copy], sheet: SheetFormat, *, backs: bool = False
) -> Iterable[Page]:
    """Yield the card sheets; the first that shows a part of the deck gets a bookmark.

    Args:
        backs: whether each sheet is followed by its backs, mirrored for the long edge.
    """
    marks = crop_marks(sheet)
    seen: set[str] = set()
    width, height = sheet.page_width, sheet.page_height
    for placements in impose(copies, sheet):
        new = dict.fromkeys(p.item.part for p in placements if p.item.part not in seen)
        seen.update(new)
        fronts = tuple(Placed(p.item.face, p.slot.x, p.slot.y) for p in placements)
        yield Page(width, height, fronts, marks, " · ".join(new) or None)
        if backs:
            behind = tuple(
                Placed(p.item.back, width - p.slot.right, p.slot.y)
                for p in placements
                if p.item.back is not None
            )
            yield Page(width, height, behind)


def _titled(pages: Sequence[Page], word: str, game: Game) -> list[Page]:
    """Return pages with a bookmark at the first of them."""
    title = game.setup.words[word]
    return [page._replace(bookmark=None if number else title) for number, page in enumerate(pages)]
