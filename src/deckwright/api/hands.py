"""Sample hands and odds of a deck."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Unpack

from deckwright.base.files import to_nfc
from deckwright.base.findings import ChoiceError, known_hint
from deckwright.decks.odds import (
    Hand,
    OpeningOptions,
    draw_hand,
    find_pile,
    group_cards,
    resolve_opening,
)
from deckwright.decks.odds_tables import (
    CardQuery,
    DeckOdds,
    compute_odds_table,
    compute_query_odds,
    group_pile,
)
from deckwright.game.deck_rules import Condition
from deckwright.game.setup_checks import parse_user_where

if TYPE_CHECKING:
    from deckwright.base.findings import Report
    from deckwright.checks.counting import DeckLine
    from deckwright.decks.stats import DeckStats
    from deckwright.game.deck_rules import Opening
    from deckwright.game.folder import GameFolder
    from deckwright.game.model import Card, Game
    from deckwright.outputs.hands import HandsOptions, HandsPicture


def compute_deck_odds(
    game: Game,
    stats: DeckStats,
    *,
    where: Iterable[str] = (),
    cards: Iterable[str] = (),
    at_least: Sequence[int] = (),
    turns: Sequence[int] = (0,),
    **openings: Unpack[OpeningOptions],
) -> DeckOdds:
    """Return the odds of a deck.

    Args:
        where: conditions on cards, each a group of cards.
        cards: ids or names of cards, each a group; `HK:HK3` names the faction as well.
        at_least: the number of cards wanted of each group, in this order; 1 by default.

    Raises:
        ChoiceError: if a condition is invalid, or the game does not define opening hands.
    """
    opening = resolve_opening(game.setup, turns=any(turns), **openings)
    zone = next((zone for zone in stats.zones if zone.id == opening.zone), None)
    if zone is None:
        message = f"`{stats.deck.name}` has no cards in the zone `{opening.zone}`"
        raise ChoiceError(message, known_hint("", [zone.id for zone in stats.zones]))
    groups = [CardQuery(text, parse_user_where(text, game.setup)) for text in where]
    pile_cards = [line.card for line in zone.lines]
    for name in map(to_nfc, cards):
        found = [card for card in pile_cards if card.is_called(name)]
        if not found:
            known = dict.fromkeys([*(c.id for c in pile_cards), *(c.name for c in pile_cards)])
            place = f"the zone `{opening.zone}` of `{stats.deck.stem}`"
            raise ChoiceError(f"there is no card `{name}` in {place}", known_hint(name, known))
        keys = dict.fromkeys((card.faction_id, card.id) for card in found)
        where_ids = (
            (Condition("faction_id", "=", faction_id), Condition("id", "=", card_id))
            for faction_id, card_id in keys
        )
        groups.append(CardQuery(found[0].name, tuple(where_ids)))
    if not groups and at_least:
        hint = "name the cards with `--where level=2` or `--card ID`"
        raise ChoiceError(f"there are no cards to count at least {at_least[0]} of", hint)
    if len(at_least) > len(groups) > 0:
        message = f"there is no group of cards to count at least {at_least[len(groups)]} of"
        raise ChoiceError(message, "give at most one number for each condition and card")
    numbers = (*at_least, *[1] * (len(groups) - len(at_least)))
    queries = tuple(
        each._replace(at_least=number) for each, number in zip(groups, numbers, strict=True)
    )
    if not queries:
        tables = tuple(compute_odds_table(zone, opening, turn) for turn in turns)
        return DeckOdds(stats, zone, opening, queries, (), tables)
    pile = group_pile(game, stats, queries, opening)
    answers = tuple(compute_query_odds(pile, numbers, opening, turn) for turn in turns)
    return DeckOdds(stats, zone, opening, queries, answers, ())


MAX_RANDOM_SEED = 10_000
"""Random seeds are below this, so that people can pass them on easily."""


class HandSample(NamedTuple):
    """Hands drawn from a deck, and the lines of the deck that they were drawn from."""

    game: Game
    stats: DeckStats
    opening: Opening
    pile: tuple[DeckLine, ...]
    hands: tuple[Hand, ...]

    def lines(self, cards: Iterable[Card]) -> tuple[DeckLine, ...]:
        """Group cards into lines with numbers of copies, in the order of the deck list."""
        return group_cards(cards, self.pile)


def sample_hands(
    game: Game,
    stats: DeckStats,
    *,
    seed: int | None = None,
    hands: int = 1,
    mulligan: int = 0,
    redraw: Iterable[str] = (),
    turns: int = 0,
    **openings: Unpack[OpeningOptions],
) -> HandSample:
    """Draw hands from a deck.

    Args:
        seed: the seed of the first hand; each further hand uses the next. Random if None.

    Raises:
        ChoiceError: if the game does not allow these redraws, or there are no cards.
    """
    opening = resolve_opening(game.setup, turns=turns > 0, **openings)
    pile = find_pile(stats, opening)
    if not pile:
        raise ChoiceError(f"`{stats.deck.name}` has no cards in the zone `{opening.zone}`")
    first = secrets.randbelow(MAX_RANDOM_SEED) if seed is None else seed
    names = [to_nfc(name) for name in redraw]
    drawn = [
        draw_hand(pile, opening, first + number, mulligans=mulligan, redraw=names, turns=turns)
        for number in range(hands)
    ]
    return HandSample(game, stats, opening, pile, tuple(drawn))


def draw_hand_picture(
    folder: GameFolder,
    game: Game,
    stats: DeckStats,
    hands: Sequence[Hand],
    target: Path,
    options: HandsOptions,
    report: Report,
) -> HandsPicture:
    """Draw hands of a deck to a PNG file."""
    from deckwright.faces.factory import FaceFactory  # only to draw
    from deckwright.outputs.hands import draw_hands

    lines = [line for zone in stats.zones for line in zone.lines]
    groups = []
    for hand in hands:
        opening_cards = [
            line.card for line in group_cards(hand.cards, lines) for _ in range(line.entry.copies)
        ]
        groups.append((opening_cards, [card for turn in hand.turns for card in turn]))
    factory = FaceFactory(game, folder, report, options.style)
    color = game.factions[stats.deck.faction_id].color
    return draw_hands(groups, factory, color, options, target, report)
