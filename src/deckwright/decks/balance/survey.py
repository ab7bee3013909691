"""A look at a whole game: what needs no solver."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from deckwright.base.numbers import exact
from deckwright.checks.loading import Rules
from deckwright.checks.zoning import zones_of
from deckwright.decks.balance.comparing import Comparing
from deckwright.decks.balance.dominance import Dominance, dominances
from deckwright.decks.balance.fit import Line, fitted
from deckwright.decks.balance.model import Balance, FactionLook, Priced
from deckwright.decks.balance.pools import Pool, pools
from deckwright.decks.balance.treatment import asked_by
from deckwright.game.formulas import CARDS
from deckwright.game.measures import Measure
from deckwright.game.model import Game


def survey(
    game: Game, rules: Rules, worth: Measure, cost: Measure | None, only: Collection[str] = ()
) -> Balance:
    """Return a look at a game without its best decks.

    Args:
        rules: by which limits decks are built.
        only: the ids of the factions that are looked at; the line is that of all cards, though.
            All if empty.
    """
    every = [*pools(game, rules)]
    unlined = [each for pool in every for each in _priced(game, pool, worth, cost)]
    line = fitted([each.point for each in unlined])
    cards = _lined(unlined, line)
    looks: list[FactionLook] = []
    compared: dict[str, int] = {}
    for pool in every:
        comparing = Comparing(
            [*game.cards.values()], pool.held.limits, asked_by(pool.held), worth, cost
        )
        compared |= comparing.better
        if not only or pool.faction.id in only:
            found = _dominances(game, pool, comparing) if cost else ()
            own = tuple(each for each in cards if each.card.faction_id == pool.faction.id)
            looks.append(FactionLook(pool, own, found))
    return Balance(game, worth, cost, tuple(compared.items()), cards, line, tuple(looks))


def _priced(game: Game, pool: Pool, worth: Measure, cost: Measure | None) -> Sequence[Priced]:
    """Return the own cards of a faction that have all numbers of both measures."""
    if cost is None:
        return ()
    fields = {part.field for measure in (worth, cost) for part in measure.parts} - {CARDS}
    found = []
    for card in pool.cards:
        own = card.faction_id == pool.faction.id
        if own and all(card.fields.get(field) is not None for field in fields):
            zone = next(zones_of(game, card)).id
            its_worth, its_cost = worth.of(card.fields, zone), cost.of(card.fields, zone)
            found.append(Priced(card, its_worth, its_cost, 0, far=False))
    return found


def _lined(cards: Sequence[Priced], line: Line | None) -> tuple[Priced, ...]:
    if line is None:
        return tuple(cards)
    return tuple(
        each._replace(above=exact(float(line.above(each.point))), far=line.far(each.point))
        for each in cards
    )


def _dominances(game: Game, pool: Pool, comparing: Comparing) -> tuple[Dominance, ...]:
    """Return which cards dominate which; those of other factions are left to these."""
    found = dominances(game, pool, comparing)
    return tuple(each for each in found if each.worse.faction_id == pool.faction.id)
