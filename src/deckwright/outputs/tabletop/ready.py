"""A deck made ready for a virtual table: checked, composed, its pictures at hand."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from deckwright.base.findings import Report, has_errors
from deckwright.checks.loading import Rules, load_deck
from deckwright.decks.stats import deck_stats
from deckwright.faces.factory import FaceFactory
from deckwright.faces.images import prepare_images
from deckwright.faces.watermark import watermark
from deckwright.game.folder import GameFolder
from deckwright.game.model import Deck, Game
from deckwright.outputs.tabletop.pictures import all_faces
from deckwright.outputs.tabletop.piles import Pile, piles_of


class Ready(NamedTuple):
    """A deck as piles of cards that can be drawn."""

    game: Game
    deck: Deck
    piles: tuple[Pile, ...]
    factory: FaceFactory


def ready_piles(
    folder: GameFolder, deck_path: Path, style: str | None, rules: Rules, report: Report
) -> Ready | None:
    """Return a deck as piles, None after reporting why it cannot be drawn."""
    loaded = load_deck(folder, deck_path, rules, report)
    if loaded is None:
        return None
    game, deck, held = loaded
    factory = FaceFactory(game, folder, report, style)
    piles = piles_of(deck_stats(game, deck, held), factory, report)
    mark = watermark(factory, None, report)
    piles = [pile._replace(cards=tuple(mark.on_all(pile.cards))) for pile in piles]
    if has_errors(report):
        return None
    cards = {card.key: card for pile in piles for card in pile.cards}.values()
    if not prepare_images(all_faces(cards), factory.pictures.store, report):
        return None
    return Ready(game, deck, tuple(piles), factory)
