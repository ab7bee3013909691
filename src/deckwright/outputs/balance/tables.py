"""What the template of the report sees as tables: factions side by side, the cards of each."""

from __future__ import annotations

from decimal import Decimal

from deckwright.decks.balance.model import Balance, FactionLook
from deckwright.decks.balance.wording import Wording
from deckwright.game.context import Context
from deckwright.game.model import Card
from deckwright.game.words import filled


def bars_of(balance: Balance, say: Wording) -> list[Context]:
    """Return a line for each faction: its best decks, and how far its cards are from the line."""
    looks = balance.factions
    worth = [look.strongest.worth for look in looks if look.strongest]
    cost = [look.cheapest.cost or Decimal(0) for look in looks if look.cheapest]
    away = max((abs(look.above) for look in looks), default=0) or 1
    return [
        {
            "name": look.faction.name,
            "color": look.faction.color,
            "strongest": look.strongest and _bar(look.strongest.worth, worth, say),
            "cheapest": look.cheapest and _bar(look.cheapest.cost or Decimal(0), cost, say),
            "above": {"share": look.above / away, "text": say.above(look.above, 2)}
            if balance.line
            else None,
        }
        for look in looks
    ]


def _bar(number: Decimal, numbers: list[Decimal], say: Wording) -> Context:
    """Return a number with its share of the largest, 0 for what is less than 0."""
    most = max(numbers)
    share = float(max(number, Decimal(0)) / most) if most > 0 else 0
    return {"share": share, "text": say.number(number)}


def table_of(look: FactionLook, balance: Balance, say: Wording) -> Context:
    """Return the cards of a faction and those of its best decks, the usual ones first."""
    away = max((abs(each.above) for each in look.priced), default=0) or 1
    rows = [_row(card, look, balance, say, away) for card in look.cards]
    rows.sort(key=lambda row: (-row["decks"], not row["said"], -row["above"]))
    return {
        "rows": rows,
        "best": filled(say.words["best-decks"], len(look.best)) if look.best else "",
        "decks": len(look.best),
        "line": bool(balance.line),
    }


def _row(card: Card, look: FactionLook, balance: Balance, say: Wording, away: float) -> Context:
    priced = look.price(card)
    return {
        "name": card.name,
        "rules": bool(card.rule_ids()),
        "worth": say.number(balance.worth.of(card.fields)),
        "cost": say.number(priced.cost) if priced else "",
        "above": priced.above if priced else 0,
        "share": priced.above / away if priced else 0,
        "said": say.above(priced.above) if priced and balance.line else "",
        "far": bool(priced and priced.far),
        "decks": look.decks_with(card),
        "use": say.use(look, card),
        "strongest": look.strongest.of(card) if look.strongest else 0,
        "cheapest": look.cheapest.of(card) if look.cheapest else 0,
    }
