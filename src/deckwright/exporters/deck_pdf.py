"""The PDF of a deck: its cards, its tokens and a reference of its rules."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from deckwright.checks.limits import zoned
from deckwright.diagnostics import Report, known_hint
from deckwright.exporters.card_sheets import Copy, arranged, card_sheets
from deckwright.exporters.deck_stats import DeckStats
from deckwright.exporters.faces import R019
from deckwright.exporters.workshop import Workshop
from deckwright.game.decklist import Choice, TokenCount, rules_of
from deckwright.game.model import Deck, Game
from deckwright.progress import steps
from deckwright.sheet.pages import Page
from deckwright.sheet.setting import Setting


class DeckPages(NamedTuple):
    """A deck laid out.

    Attributes:
        sheets: how many sheets of cards there are.
        backs: the pages of a second file, where backs are to be apart.
    """

    pages: tuple[Page, ...]
    sheets: int
    backs: tuple[Page, ...] = ()


def deck_copies(
    game: Game, stats: DeckStats, workshop: Workshop, report: Report, *, backs: bool
) -> list[Copy]:
    """Return every copy of a deck in the order of print: zone by zone, then the tokens."""
    faction_id = stats.deck.faction_id
    copies = [
        *_copies(game, stats.deck, workshop, report),
        *token_copies(game, stats.tokens, faction_id, workshop, report),
    ]
    return with_backs(copies, workshop, report) if backs else copies


def deck_pages(
    game: Game,
    stats: DeckStats,
    copies: Sequence[Copy],
    setting: Setting,
    workshop: Workshop,
    report: Report,
    *,
    whole: bool = True,
) -> DeckPages | None:
    """Return the pages of a deck, None after reporting what keeps them from being printed.

    First comes the deck sheet, then the cards, then the rules.

    Args:
        copies: those of `deck_copies`, or some of them.
        whole: whether these are all; of some there are card sheets alone.
    """
    before = len(report)
    deck = stats.deck
    first, last = list[Page](), list[Page]()
    if whole:
        first = _titled(workshop.deck_sheet(stats, report), "deck-list", game)
        used = rules_of(game, deck)
        pages = workshop.reference_pages(deck.name, deck.faction_id, used, report) if used else []
        last = _titled(pages, "reference", game)
    if len(report) > before:
        return None
    sheets = card_sheets(copies, setting, workshop.subjects)
    behind = [sheet.back for sheet in sheets if sheet.back is not None]
    if not setting.apart and behind and len(first) % 2:
        first.append(Page(first[-1].width, first[-1].height))
    fronts = arranged(sheets, apart=setting.apart)
    return DeckPages((*first, *fronts, *last), len(sheets), tuple(behind) if setting.apart else ())


def _copies(game: Game, deck: Deck, workshop: Workshop, report: Report) -> list[Copy]:
    """Return every copy to print; one of several faces is as many."""
    copies: list[Copy] = []
    for line in steps(list(zoned(game, deck)), "composing cards"):
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


def chosen(
    copies: Sequence[Copy], choice: Choice, report: Report, known: Sequence[Copy] | None = None
) -> list[Copy]:
    """Return the copies that a choice asks for.

    Args:
        known: all copies of the deck, if these are but some; names that are of none of all are
            reported.
    """
    wanted = list(copies)
    if choice.only:
        wanted = [copy for copy in copies if choice.takes(copy.card)]
        names = [name for copy in known or copies for name in (copy.card.id, copy.card.name)]
        for word in choice.only:
            if word not in names:
                message = f"there is no card `{word}` in the deck"
                report.append(R019.at(None, message, known_hint(word, dict.fromkeys(names))))
    if choice.copies is not None:
        kinds = {id(copy.face): copy for copy in wanted}.values()
        wanted = [copy for copy in kinds for _ in range(choice.copies)]
    return wanted


def _titled(pages: Sequence[Page], word: str, game: Game) -> list[Page]:
    """Return pages with a bookmark at the first of them."""
    title = game.setup.words[word]
    return [page._replace(bookmark=None if number else title) for number, page in enumerate(pages)]
