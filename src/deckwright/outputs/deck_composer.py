"""Compose the decks of a game that is read once: what they share is checked and composed once.

What is composed for a deck depends on the game and the deck alone, whatever came before.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from deckwright import checks
from deckwright.base.findings import Diagnostic, Report, has_errors
from deckwright.checks.loading import Rules, check_deck_with
from deckwright.decks.stats import DeckStats, deck_stats
from deckwright.diff.manifests.build import manifest_of
from deckwright.diff.manifests.digest import Digests
from deckwright.diff.manifests.model import Manifest
from deckwright.faces.copies import Copy
from deckwright.faces.deck_copies import deck_copies, each_once
from deckwright.faces.images import prepare_images
from deckwright.faces.lean import LeanFactory
from deckwright.faces.watermark import watermark
from deckwright.game.decklist import tokens_of
from deckwright.game.folder import GameFolder
from deckwright.game.model import Card, Deck, Game
from deckwright.game.words import WatermarkText
from deckwright.ops.model import Face


class ComposedDeck(NamedTuple):
    """A deck on its way to pages.

    Attributes:
        copies: all that is printed of it, in order, with lean faces.
        spare: tokens to fill sheets with.
    """

    stats: DeckStats
    copies: tuple[Copy, ...]
    spare: tuple[list[Copy], ...]
    manifest: Manifest


class DeckComposer:
    """Composes the decks of a game.

    Attributes:
        factory: composes faces; its `whole` gives what draws them.
        digests: those of the faces that were composed last, and of all that decks share.
    """

    def __init__(
        self,
        game: Game,
        folder: GameFolder,
        report: Report,
        style: str | None,
        text: WatermarkText,
        rules: Rules,
        *,
        plates: bool = False,
    ) -> None:
        """Open fonts; what is wrong with them is reported.

        Args:
            game: the whole of it.
            text: the watermark.
            rules: the limits that decks keep.
            plates: whether inks beside the print's own have plates.
        """
        self.game, self._rules = game, rules
        self.factory = LeanFactory(game, folder, report, style, plates=plates)
        self._mark = watermark(self.factory, text, report)
        self.digests = Digests(self.factory.fonts, self.factory.pictures.store)
        self._lasting = self.digests.known
        self._images: dict[int, tuple[Diagnostic, ...]] = {}
        self._personal: list[Face] = []
        self._cards: dict[int, tuple[Diagnostic, ...]] = {}
        self._of_rules: Report = []
        checks.check_rules(game, self._of_rules)

    def begin(self) -> list[Face]:
        """Forget the faces that only the decks before have, and return them.

        Until now their digests are known.
        """
        gone, self._personal = self._personal, []
        self.digests.forget(gone)
        for face in gone:
            self._images.pop(id(face), None)
        return gone

    def end(self) -> None:
        """Let go what draws faces."""
        self._personal += self.factory.rest()
        if not self.factory.drawn():
            self.digests.forget_ops()
        elif self.factory.settled:
            self.digests.forget_ops(self._lasting)
        self._lasting = self.digests.known
        self._mark.forget()

    def compose(
        self, deck: Deck, report: Report, *, sheet: str, backs: bool, fill: bool = False
    ) -> ComposedDeck | None:
        """Return a deck composed, None after reporting what is wrong with it.

        Args:
            sheet: what its manifest says that it is printed on.
            backs: whether it is printed with backs.
            fill: whether spare tokens are wanted.
        """
        stats = self._checked(deck, report)
        if stats is None:
            return None
        factory = self.factory
        copies = deck_copies(stats, factory, report, backs=backs)
        tokens = stats.tokens if fill else ()
        spare = each_once(tokens, deck.faction_id, factory, report, backs=backs)
        if has_errors(report) or not self._known(
            [*copies, *(c for each in spare for c in each)], report
        ):
            return None
        manifest = manifest_of(
            self.game, deck, copies, self.digests, sheet=sheet, style=factory.style
        )
        return ComposedDeck(stats, (*copies,), (*spare,), manifest)

    def drawn(self, face: Face) -> Face:
        """Return a face with what draws it, and with the watermark; others as they are."""
        whole = self.factory.whole(face)
        return face if whole is face else self._mark.on(whole)

    def _checked(self, deck: Deck, report: Report) -> DeckStats | None:
        """Return a deck in numbers, None after reporting what is wrong with it or its cards."""
        game = self.game
        held = check_deck_with(game, deck, self._rules, report)
        cards = [card for entry in deck.entries if (card := game.card_of(entry)) is not None]
        self._check([*cards, *(count.token for count in tokens_of(game, deck))], report)
        report.extend(self._of_rules)
        return None if has_errors(report) else deck_stats(game, deck, held)

    def _check(self, cards: Iterable[Card], report: Report) -> None:
        """Report what is wrong with cards, each looked at once."""
        for card in {id(card): card for card in cards}.values():
            if id(card) not in self._cards:
                found: Report = []
                checks.check_cards(self.game, [card], found)
                self._cards[id(card)] = (*found,)
            report.extend(self._cards[id(card)])

    def _known(self, copies: Iterable[Copy], report: Report) -> bool:
        """Prepare the images of new faces and digest these; return whether there are no errors.

        What is wrong with the images of copies is reported.
        """
        fresh, store = self.factory.fresh(), self.factory.pictures.store
        # Several at a time; after that it is known which face each finding is of.
        prepare_images((face for _, face in fresh), store, [])
        for lean, face in fresh:
            found: Report = []
            if prepare_images((face,), store, found):
                self.digests.know(lean, face)
            self._images[id(lean)] = (*found,)
        shown = dict.fromkeys(
            id(face) for copy in copies for face in (copy.face, copy.back) if face is not None
        )
        of_images = (finding for face in shown for finding in self._images.get(face, ()))
        # A finding of an image names the first card that shows it.
        once = {(each.code, each.location, each.hint): each for each in reversed([*of_images])}
        report.extend(reversed(once.values()))
        return not has_errors(report)
