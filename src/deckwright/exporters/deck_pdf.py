"""The PDF of a deck: its cards, its tokens and a reference of its rules."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from deckwright.checks.limits import Line, total_of, zoned
from deckwright.diagnostics import Report
from deckwright.exporters.workshop import Workshop
from deckwright.face.ops import Face
from deckwright.game.decklist import TokenCount, rules_of, tokens_of
from deckwright.game.model import Deck, Game
from deckwright.game.setup import Limit
from deckwright.sheet.format import SheetFormat
from deckwright.sheet.impose import crop_marks, impose
from deckwright.sheet.pages import Page, Placed


class DeckPages(NamedTuple):
    """A deck laid out.

    Attributes:
        sheets: how many of the pages are card sheets; the rest is the rule reference.
    """

    pages: tuple[Page, ...]
    sheets: int

    @property
    def faces(self) -> Iterable[Face]:
        """The faces on the pages, each once."""
        return {id(p.face): p.face for page in self.pages for p in page.faces}.values()


def deck_pages(
    game: Game, deck: Deck, sheet: SheetFormat, workshop: Workshop, report: Report
) -> DeckPages | None:
    """Return the pages of a deck, None after reporting what keeps them from being printed.

    Cards come in the deck list's order, zone by zone, then tokens, then the rules.
    """
    before = len(report)
    copies = _copies(game, deck, workshop, report)
    reference = _reference(game, deck, workshop, report)
    if len(report) > before:
        return None
    sheets = tuple(_sheets(copies, sheet))
    return DeckPages((*sheets, *reference), len(sheets))


def _copies(game: Game, deck: Deck, workshop: Workshop, report: Report) -> list[tuple[str, Face]]:
    """Return every copy to print, with the name of the part of the deck that it belongs to."""
    copies: list[tuple[str, Face]] = []
    for line in zoned(game, deck):
        face = workshop.card_face(line.card, line.card.faction_id, report)
        if face is not None:
            part = line.zone.name if line.zone else deck.name
            copies += [(part, face)] * line.entry.copies
    name = game.setup.words.get("tokens", "Tokens")
    for count in tokens_of(game, deck):
        face = workshop.card_face(count.token, deck.faction_id, report)
        if face is not None:
            copies += [(name, face)] * count.copies
    return copies


def _sheets(copies: Sequence[tuple[str, Face]], sheet: SheetFormat) -> Iterable[Page]:
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


def _reference(game: Game, deck: Deck, workshop: Workshop, report: Report) -> list[Page]:
    """Return the pages of the rule reference; none if the deck has no rules."""
    used = rules_of(game, deck)
    if not used:
        return []
    pages = workshop.reference_pages(deck.name, deck.faction_id, used, report)
    title = game.setup.words.get("reference", "Rules")
    return [
        Page(page.width, page.height, page.faces, page.ops, None if number else title)
        for number, page in enumerate(pages)
    ]


class Summary(NamedTuple):
    """What a deck consists of, in numbers.

    Attributes:
        zones: copies by zone name.
        terms: for each field that holds a term, as levels are, copies by term name.
        limits: for each limit that is not per card: its name, what it counts, its bounds.
        tokens: the tokens that are printed.
    """

    cards: int
    zones: dict[str, int]
    terms: dict[str, dict[str, int]]
    limits: list[tuple[str, int, str]]
    tokens: list[TokenCount]


def summarize(game: Game, deck: Deck, limits: Sequence[Limit]) -> Summary:
    """Return the summary of a deck."""
    lines = zoned(game, deck)
    zones: dict[str, int] = {zone.name: 0 for zone in game.setup.zones}
    for line in lines:
        if line.zone is not None:
            zones[line.zone.name] += line.entry.copies
    counted = []
    for limit in limits:
        if limit.bound is None or limit.per is not None or limit.where or limit.sum is None:
            continue
        of_zone = [line for line in lines if line.zone and line.zone.id == limit.zone]
        bound = {"max": "at most", "min": "at least", "exactly": "exactly"}[limit.bound]
        number = getattr(limit, limit.bound)
        counted.append((limit.name, total_of(limit, of_zone), f"{bound} {number}"))
    return Summary(
        cards=sum(line.entry.copies for line in lines),
        zones=zones,
        terms=_terms(game, lines),
        limits=counted,
        tokens=tokens_of(game, deck),
    )


def _terms(game: Game, lines: Sequence[Line]) -> dict[str, dict[str, int]]:
    result: dict[str, dict[str, int]] = {}
    for kind in game.setup.card_kinds:
        for field in kind.fields:
            if field.type != "term" or field.ignored or field.picture:
                continue
            counts = result.setdefault(field.text or field.name, {})
            for term in game.setup.vocabularies[field.vocabulary or ""].terms.values():
                number = sum(
                    line.entry.copies
                    for line in lines
                    if line.card.kind is kind and line.card.fields[field.name] == term.id
                )
                if number:
                    counts[term.name] = counts.get(term.name, 0) + number
    return result
