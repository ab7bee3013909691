"""The PDF of a deck: its cards, its tokens and a reference of its rules."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from deckwright.base.findings import Report, known_hint
from deckwright.base.units import Mm
from deckwright.decks.stats import DeckStats
from deckwright.faces.copies import Copy
from deckwright.faces.cut_rules import find_cut_cards, report_cut_cards
from deckwright.faces.faces import R019
from deckwright.faces.factory import FaceFactory
from deckwright.game.decklist import Choice, rules_of
from deckwright.outputs.card_sheets import CardSheet, arranged, card_sheets
from deckwright.sheet.flow import Flow
from deckwright.sheet.pages import Page
from deckwright.sheet.setting import Setting


class DeckPart(NamedTuple):
    """A deck of a print: what is printed of it, and who composes that.

    Attributes:
        copies: those of `deck_copies`, or some of them.
        spare: the tokens that may fill a sheet, each as often as it has faces.
    """

    stats: DeckStats
    factory: FaceFactory
    copies: Sequence[Copy]
    spare: Sequence[Sequence[Copy]] = ()


class DeckPages(NamedTuple):
    """Decks laid out.

    Attributes:
        sheets: the sheets of cards.
        backs: the pages of a second file, where backs are to be apart.
    """

    pages: tuple[Page, ...]
    sheets: tuple[CardSheet[Copy], ...]
    backs: tuple[Page, ...] = ()


def deck_pages(
    decks: Sequence[DeckPart], setting: Setting, report: Report, *, whole: bool = True
) -> DeckPages | None:
    """Return the pages of decks, None after reporting what keeps them from being printed.

    First come the deck sheets, and the odds if they are asked for, then the cards of all, then the
    rules; all have the paper of the sheets, and one numbering. A format that is one card a page has
    no paper for texts, so there are none.

    Args:
        whole: whether these are all copies; of some there are card sheets alone.
    """
    before = len(report)
    paper = setting.paper([copy.face for deck in decks for copy in deck.copies])
    lists, rules = list[_Titled](), list[_Titled]()
    warnings: Report = []
    if whole and paper is not None:
        for deck in decks:
            name = deck.stats.deck.name if len(decks) > 1 else ""
            deck_list = deck.factory.deck_sheet(deck.stats, paper, report)
            lists += _titled(deck_list, "deck-list", name, deck)
            if setting.odds:
                lists += _titled(_odds(deck, paper, report), "odds", name, deck)
            cut = find_cut_cards((copy.card, copy.face) for copy in deck.copies)
            wanted = setting.reference or (cut and setting.reference is None)
            reference = _reference(deck, paper, report) if wanted else None
            rules += _titled(reference, "reference", name, deck)
            where = "the texts are in the rule reference" if reference else "no page has the texts"
            report_cut_cards(cut, where, warnings)
    if len(report) > before:
        return None
    copies = [copy for deck in decks for copy in deck.copies]
    spare = [copies for deck in decks for copies in deck.spare]
    sheets = card_sheets(copies, setting, spare)
    behind = [sheet.back for sheet in sheets if sheet.back is not None]
    fronts = arranged(sheets, apart=setting.apart)
    leading, trailing = (sum(len(text.flow) for text in texts) for texts in (lists, rules))
    blank = 0 if setting.apart or not behind else leading % 2
    count = leading + blank + len(fronts) + trailing
    first = _numbered(lists, 1, count)
    last = _numbered(rules, 1 + leading + blank + len(fronts), count)
    if len(report) > before:
        return None
    report += warnings
    empty = [Page(*paper)] if blank and paper else []
    pages = (*first, *empty, *fronts, *last)
    return DeckPages(pages, tuple(sheets), tuple(behind) if setting.apart else ())


def _reference(deck: DeckPart, paper: tuple[Mm, Mm], report: Report) -> Flow | None:
    """Return the rules of a deck on pages; None if there are none."""
    about = deck.stats.deck
    used = rules_of(deck.factory.game, about)
    if not used:
        return None
    return deck.factory.reference(about.name, about.faction_id, used, paper, report)


def _odds(deck: DeckPart, paper: tuple[Mm, Mm], report: Report) -> Flow | None:
    """Return the odds of a deck's opening hand on pages; None after reporting what is wrong.

    Raises:
        ChoiceError: if the game does not say how it is opened, or that takes too long to work out.
    """
    from deckwright.decks.odds_table import odds_table  # noqa: PLC0415 - only for odds
    from deckwright.decks.openings import opening_of  # noqa: PLC0415

    opening = opening_of(deck.factory.game.setup)
    zone = next((zone for zone in deck.stats.zones if zone.id == opening.zone), None)
    if zone is None:
        return None
    return deck.factory.odds_sheet(deck.stats, odds_table(zone, opening), paper, report)


class _Titled(NamedTuple):
    """A text with the bookmark of its first page."""

    flow: Flow
    title: str


def _titled(flow: Flow | None, word: str, name: str, deck: DeckPart) -> list[_Titled]:
    """Return a text with its title, which names the deck if there are several."""
    title = deck.factory.game.setup.words[word]
    return [_Titled(flow, f"{name} – {title}" if name else title)] if flow else []


def _numbered(texts: Iterable[_Titled], first: int, count: int) -> list[Page]:
    """Return the pages of texts, the first of which is page `first` of `count`."""
    pages: list[Page] = []
    for flow, title in texts:
        begin, *rest = flow.pages(first + len(pages), count)
        pages += [begin._replace(bookmark=title), *rest]
    return pages


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
