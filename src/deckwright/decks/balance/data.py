"""A look at a game as JSON, for other programs."""

from __future__ import annotations

from deckwright.base.visible import visible_json
from deckwright.decks.balance.dominance import Dominance
from deckwright.decks.balance.model import Balance, BestDeck, FactionLook
from deckwright.game.measures import Measure
from deckwright.game.model import Card

VERSION = 1
"""Of the JSON; it grows when a name changes its meaning."""
_PLACES = 6
Object = dict[str, object]


def as_json(balance: Balance) -> str:
    """Return a look at a game as a JSON object."""
    line = balance.line
    whole = {
        "version": VERSION,
        "worth": balance.worth.text,
        "cost": balance.cost.text if balance.cost else None,
        "compared": dict(balance.compared),
        "solved": balance.solved,
        "decks": {"wanted": balance.wanted, "apart": balance.apart},
        "line": line
        and {
            "base": round(float(line.base), _PLACES),
            "slope": round(float(line.slope), _PLACES),
            "r2": round(line.r2, _PLACES),
            "spread": round(line.spread, _PLACES),
            "cards": line.points,
        },
        "factions": [_faction(look, balance.worth) for look in balance.factions],
    }
    return visible_json(whole)


def _faction(look: FactionLook, worth: Measure) -> Object:
    form = look.pool.form
    return {
        "id": look.faction.id,
        "name": look.faction.name,
        "format": form.id if form else None,
        "from_line": round(look.above, _PLACES),
        "cheapest": look.cheapest and _deck(look.cheapest),
        "best": [_deck(deck) for deck in look.best],
        "left_out": [*look.left_out],
        "cards": [_card(card, look, worth) for card in look.cards],
        "dominated": [_dominance(each) for each in look.dominances],
    }


def _deck(deck: BestDeck) -> Object:
    return {
        "worth": None if deck.worth is None else float(deck.worth),
        "cost": None if deck.cost is None else float(deck.cost),
        "cards": deck.cards,
        "proven": deck.proven,
        "lines": [{**_named(card), "copies": copies} for card, copies in deck.copies],
    }


def _card(card: Card, look: FactionLook, worth: Measure) -> Object:
    price = look.price(card)
    return {
        **_named(card),
        "worth": float(worth.of(card.fields)),
        "cost": price and float(price.cost),
        "from_line": price and round(price.above, _PLACES),
        "outlier": bool(price and price.far),
        "rules": [*card.rule_ids()],
        "in_best": look.decks_with(card),
    }


def _dominance(each: Dominance) -> Object:
    return {
        "card": _named(each.worse),
        "by": _named(each.better),
        "gains": [
            {"field": gain.field, "by": gain.by, "more": [*gain.more]} for gain in each.gains
        ],
        "more_rules": [*each.rules],
    }


def _named(card: Card) -> Object:
    return {"faction": card.faction_id, "id": card.id, "name": card.name}
