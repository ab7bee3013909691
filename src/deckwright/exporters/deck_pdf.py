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
from deckwright.game.model import Deck, Game
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
) -> DeckPages | None:
    """Return the pages of a deck, None after reporting what keeps them from being printed.

    First comes the deck sheet; then the cards in the deck list's order, zone by zone, then tokens,
    then the rules.
    """
    before = len(report)
    deck = stats.deck
    first = _titled(workshop.deck_sheet(stats, report), "deck-list", game)
    copies = _copies(game, deck, workshop, report)
    copies += token_copies(game, stats.tokens, deck.faction_id, workshop, report)
    used = rules_of(game, deck)
    pages = workshop.reference_pages(deck.name, deck.faction_id, used, report) if used else []
    if len(report) > before:
        return None
    sheets = tuple(card_sheets(copies, sheet))
    return DeckPages((*first, *sheets, *_titled(pages, "reference", game)), len(sheets))


def _copies(game: Game, deck: Deck, workshop: Workshop, report: Report) -> list[tuple[str, Face]]:
    """Return every copy to print, with the name of the part of the deck that it belongs to."""
    copies: list[tuple[str, Face]] = []
    for line in zoned(game, deck):
        face = workshop.card_face(line.card, line.card.faction_id, report)
        if face is not None:
            part = line.zone.name if line.zone else deck.name
            copies += [(part, face)] * line.entry.copies
    return copies


def token_copies(
    game: Game,
    counts: Iterable[TokenCount],
    faction_id: str,
    workshop: Workshop,
    report: Report,
) -> list[tuple[str, Face]]:
    """Return every copy of tokens to print, as a faction has them."""
    copies: list[tuple[str, Face]] = []
    name = game.setup.words["tokens"]
    for count in counts:
        face = workshop.card_face(count.token, faction_id, report)
        if face is not None:
            copies += [(name, face)] * count.copies
    return copies


def card_sheets(copies: Sequence[tuple[str, Face]], sheet: SheetFormat) -> Iterable[Page]:
    """Yield the card sheets; the first that shows a part of the deck gets a bookmark."""
    marks = crop_marks(sheet)
    seen: set[str] = set()
    for placements in impose(copies, sheet):
        new = dict.fromkeys(p.item[0] for p in placements if p.item[0] not in seen)
        seen.update(new)
        yield Page(
            sheet.page_width,
            sheet.page_height,
            tuple(Placed(p.item[1], p.slot.x, p.slot.y) for p in placements),
            marks,
            " · ".join(new) or None,
        )


def _titled(pages: Sequence[Page], word: str, game: Game) -> list[Page]:
    """Return pages with a bookmark at the first of them."""
    title = game.setup.words[word]
    return [page._replace(bookmark=None if number else title) for number, page in enumerate(pages)]
