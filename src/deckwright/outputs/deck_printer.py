"""Print very many decks of one game: what they share is read, composed and painted once.

The pages are those of `print_decks`. A deck's file depends on the game and the deck alone, whatever
was printed before.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from deckwright import checks
from deckwright.base.findings import Diagnostic, Report, has_errors
from deckwright.base.output import CannotMakeError
from deckwright.checks.loading import check_deck_with
from deckwright.decks.stats import DeckStats, deck_stats
from deckwright.diff.manifests.build import manifest_of
from deckwright.diff.manifests.digest import Digests
from deckwright.diff.manifests.model import Manifest
from deckwright.faces.copies import Copy
from deckwright.faces.deck_copies import deck_copies, each_once
from deckwright.faces.images import prepare_images
from deckwright.faces.lean import LeanFactory
from deckwright.faces.letters import letters_of
from deckwright.faces.watermark import watermark
from deckwright.game.decklist import tokens_of
from deckwright.game.folder import GameFolder
from deckwright.game.model import Card, Deck, Game
from deckwright.ops.bleed import squared
from deckwright.ops.model import Op
from deckwright.outputs.deck_pages import DeckPart, deck_pages
from deckwright.outputs.decks import headings
from deckwright.outputs.pages import footed
from deckwright.paint.pdf.info import info_of
from deckwright.paint.pdf.stocks import Stocks
from deckwright.sheet.pages import Page, Placed
from deckwright.sheet.setting import AS_THE_GAME_SAYS, SheetOptions, load_setting
from deckwright.text.fonts import CODE


class PrintedDeck(NamedTuple):
    """A deck as it is printed.

    Attributes:
        pdf: the file.
        pages: its pages, with the faces on them and whose they are.
        backs, back_pages: the file of the backs, if these are apart.
        copies: all that is printed of the deck, in order.
        findings: the warnings.
    """

    pdf: bytes
    pages: tuple[Page, ...]
    backs: bytes | None
    back_pages: tuple[Page, ...]
    copies: tuple[Copy, ...]
    stats: DeckStats
    manifest: Manifest
    findings: tuple[Diagnostic, ...] = ()


class DeckPrinter:
    """Prints the decks of a game that is open, with one setting.

    Attributes:
        usable: whether fonts and sheets can be used; if not, no deck can be printed.
        digests: those of the faces that were printed.
    """

    def __init__(
        self,
        game: Game,
        folder: GameFolder,
        report: Report,
        options: SheetOptions = AS_THE_GAME_SAYS,
    ) -> None:
        """Open fonts and load the sheet; what is wrong with them is reported.

        Args:
            game: the whole of it.
            options: which are for all cards of a deck, and no draft.
        """
        self.game, self._options = game, options
        self._factory = LeanFactory(game, folder, report, options.style)
        self._setting = load_setting(game.setup, folder.xml, options, report)
        self._mark = watermark(self._factory, options.watermark, report)
        self.digests = Digests(self._factory.fonts, self._factory.pictures.store)
        self._info = info_of("", game.setup, folder)
        self._cards: dict[int, tuple[Diagnostic, ...]] = {}
        self._rules: Report = []
        checks.check_rules(game, self._rules)
        self._stocks: Stocks | None = None
        self.usable = self._factory.usable and self._setting is not None
        if self.usable:
            letters = letters_of(game, folder)
            own = [name for name in self._factory.fonts if name.rpartition("-")[0] != CODE]
            try:
                self._stocks = Stocks(
                    self._factory.fonts,
                    self._factory.pictures.store,
                    dict.fromkeys(own, letters),
                    self._drawn,
                )
            except CannotMakeError as error:
                report.append(error.finding)
                self.usable = False

    @property
    def kept(self) -> int:
        """How many painted faces are kept for the decks to come."""
        return 0 if self._stocks is None else self._stocks.kept

    def print(self, deck: Deck, report: Report) -> PrintedDeck | None:
        """Return a deck as it is printed, None after reporting why it cannot be."""
        found: Report = []
        try:
            printed = self._printed(deck, found)
        except CannotMakeError as error:
            found.append(error.finding)
            printed = None
        findings = tuple(dict.fromkeys(found))
        self._factory.rest()
        self._mark.forget()
        if printed is None or has_errors(findings):
            report.extend(findings)
            return None
        return printed._replace(findings=findings)

    def _printed(self, deck: Deck, report: Report) -> PrintedDeck | None:
        setting, stocks = self._setting, self._stocks
        if setting is None or stocks is None:
            return None
        stats = self._checked(deck, report)
        if stats is None:
            return None
        game, factory, backs = self.game, self._factory, setting.backs
        copies = deck_copies(stats, factory, report, backs=backs)
        tokens = stats.tokens if self._options.fill else ()
        spare = each_once(tokens, deck.faction_id, factory, report, backs=backs)
        if has_errors(report) or not self._known(report):
            return None
        manifest = manifest_of(
            game, deck, copies, self.digests, sheet=setting.format.name, style=factory.style
        )
        part = DeckPart(stats, factory, copies, spare if copies else ())
        laid_out = deck_pages([part], setting, report)
        if laid_out is None:
            return None
        pages, behind = (self._footed(each, deck) for each in (laid_out.pages, laid_out.backs))
        title, _ = headings(game, [deck])
        info = self._info._replace(title=title)
        return PrintedDeck(
            stocks.pdf(pages, info),
            pages,
            stocks.pdf(behind, info) if behind else None,
            behind,
            (*copies,),
            stats,
            manifest,
        )

    def _checked(self, deck: Deck, report: Report) -> DeckStats | None:
        """Return a deck in numbers, None after reporting what is wrong with it or its cards."""
        game = self.game
        held = check_deck_with(game, deck, self._options.rules, report)
        cards = [card for entry in deck.entries if (card := game.card_of(entry)) is not None]
        self._check([*cards, *(count.token for count in tokens_of(game, deck))], report)
        report.extend(self._rules)
        return None if has_errors(report) else deck_stats(game, deck, held)

    def _check(self, cards: Iterable[Card], report: Report) -> None:
        """Report what is wrong with cards, each looked at once."""
        for card in {id(card): card for card in cards}.values():
            if id(card) not in self._cards:
                found: Report = []
                checks.check_cards(self.game, [card], found)
                self._cards[id(card)] = (*found,)
            report.extend(self._cards[id(card)])

    def _known(self, report: Report) -> bool:
        """Prepare the images of new faces and digest these; return whether there are no errors."""
        fresh = self._factory.fresh()
        if not fresh:
            return True
        if not prepare_images((face for _, face in fresh), self._factory.pictures.store, report):
            return False
        for lean, face in fresh:
            self.digests.know(lean, face)
        self.digests.forget_ops()
        return True

    def _drawn(self, placed: Placed) -> Iterable[Op]:
        """Return what draws a face, as far as it is shown."""
        face = self._mark.on(self._factory.whole(placed.face))
        return squared(face, *placed.reach).ops

    def _footed(self, pages: Iterable[Page], deck: Deck) -> tuple[Page, ...]:
        """Return pages with their footers."""
        _, footer = headings(self.game, [deck])
        factory, words = self._factory, self.game.setup.words
        return tuple(
            footed((*pages,), footer, words, self._info.date, factory.metrics, factory.text_font)
        )
