"""Sample hands of a deck: drawn, and as a picture."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Unpack

from deckwright.base.choices import ChoiceError
from deckwright.base.names import composed
from deckwright.decks.hands import Hand, draw_hand, lines_of
from deckwright.decks.openings import Openings, opening_of, pile_of

if TYPE_CHECKING:
    from deckwright.base.findings import Report
    from deckwright.checks.zoning import Line
    from deckwright.decks.stats import DeckStats
    from deckwright.game.deck_rules import Opening
    from deckwright.game.folder import GameFolder
    from deckwright.game.model import Card, Game
    from deckwright.outputs.hands import HandsDrawn, Look

_SEEDS = 10_000
"""Seeds that nobody asks for are below this, so that they are easily said."""


class Sampled(NamedTuple):
    """Hands drawn from a deck.

    Attributes:
        pile: the lines of the deck that they were drawn from.
    """

    game: Game
    stats: DeckStats
    opening: Opening
    pile: tuple[Line, ...]
    hands: tuple[Hand, ...]

    def lines(self, cards: Iterable[Card]) -> tuple[Line, ...]:
        """Return cards as lines with their numbers of copies, in the order of the deck list."""
        return lines_of(cards, self.pile)


def sampled(
    game: Game,
    stats: DeckStats,
    *,
    seed: int | None = None,
    hands: int = 1,
    mulligan: int = 0,
    redraw: Iterable[str] = (),
    turns: int = 0,
    **asked: Unpack[Openings],
) -> Sampled:
    """Draw hands from a deck.

    Args:
        seed: that of the first hand, each other one has the next; by chance if it is None.

    Raises:
        ChoiceError: if the game does not allow what is asked for, or there are no cards.
    """
    opening = opening_of(game.setup, **asked)
    pile = pile_of(stats, opening)
    if not pile:
        raise ChoiceError(f"`{stats.deck.name}` has no cards in the zone `{opening.zone}`")
    if turns and not opening.draws:
        message = "game.xml does not say how many cards are drawn each turn"
        hint = 'give `--draws 1`, or write `draws="1"` into its element `opening`'
        raise ChoiceError(message, hint)
    first = secrets.randbelow(_SEEDS) if seed is None else seed
    names = [composed(name) for name in redraw]
    drawn = [
        draw_hand(pile, opening, first + number, mulligans=mulligan, redraw=names, turns=turns)
        for number in range(hands)
    ]
    return Sampled(game, stats, opening, pile, tuple(drawn))


def pictured(
    folder: GameFolder,
    game: Game,
    stats: DeckStats,
    hands: Sequence[Hand],
    target: Path,
    look: Look,
    report: Report,
) -> HandsDrawn | None:
    """Draw hands of a deck as a PNG file, None after reporting why not."""
    from deckwright.faces.factory import FaceFactory  # noqa: PLC0415 - only to draw
    from deckwright.outputs.hands import draw_hands  # noqa: PLC0415

    lines = [line for zone in stats.zones for line in zone.lines]
    groups = []
    for hand in hands:
        held = [line.card for line in lines_of(hand.cards, lines) for _ in range(line.entry.copies)]
        groups.append((held, [card for turn in hand.turns for card in turn]))
    factory = FaceFactory(game, folder, report, look.style)
    color = game.factions[stats.deck.faction_id].color
    return draw_hands(groups, factory, color, look, target, report)
