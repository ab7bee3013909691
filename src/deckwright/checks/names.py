"""Two cards with one name are one card to anyone who reads decks, and to most deck limits."""

from __future__ import annotations

from collections.abc import Iterator

from deckwright.base.findings import Code, Diagnostic, Severity, listed
from deckwright.checks import design_check
from deckwright.game.model import Card, Game

R029 = Code("R029", Severity.WARNING, "two cards with the same name in a faction")
R035 = Code("R035", Severity.ERROR, "two cards that the game wants to differ")


@design_check
def names(game: Game) -> Iterator[Diagnostic]:
    """A faction has each name once; reprints are told of together. See `unique` for the rest."""
    pairs = [*_alike(game)]
    if pairs:
        card, first = pairs[0]
        message = f"card `{card.id}` has the same name as card `{first.id}`, `{card.name}`"
        if more := [other.id for other, _ in pairs[1:]]:
            message += f"; so have {listed(more)} that of another card"
        yield R029.at(
            card.source.at("name"),
            message,
            "give one of them another name, or, if both are meant to have it, write "
            '`<severities><severity code="R029" is="off"/></severities>` in game.xml',
        )


@design_check
def unique(game: Game) -> Iterator[Diagnostic]:
    """Cards of a kind differ in what its `unique` says."""
    for card, first in _alike(game, unique=True):
        what = " and ".join(card.kind.unique)
        yield R035.at(
            card.source.at("name"),
            f"card `{card.id}`, `{card.name}`, is like card `{first.id}` in {what}",
            "give one of them another name",
        )


def _alike(game: Game, *, unique: bool = False) -> Iterator[tuple[Card, Card]]:
    """Yield cards that are like others, each with the first of these.

    Cards that a faction has of another are told of there.

    Args:
        unique: whether cards of kinds are meant that say themselves in what theirs differ.
    """
    first: dict[tuple[str, ...], Card] = {}
    for card in game.cards.values():
        faction = game.factions.get(card.faction_id)
        if (faction and faction.cards_of) or bool(card.kind.unique) != unique:
            continue
        said = {
            "name": card.name,
            "faction": card.faction_id,
            "race": faction.race if faction else "",
        }
        key = tuple(said[name] for name in card.kind.unique or ("name", "faction"))
        other = first.setdefault((card.kind.tag if unique else "", *key), card)
        if other is not card:
            yield card, other
