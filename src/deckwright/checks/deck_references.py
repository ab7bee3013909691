"""What a deck list refers to must exist."""

from __future__ import annotations

from collections.abc import Iterator

from deckwright.base.findings import Code, Diagnostic, Severity, known_hint
from deckwright.checks import deck_check
from deckwright.checks.card_references import R001, faction_hint
from deckwright.game.model import Deck, Game
from deckwright.game.sources import AMOUNT

R002 = Code("R002", Severity.ERROR, "an unknown card in a deck list")
_LINE = '`<card faction_id="…" id="…" amount="2"/>`'

D010 = Code("D010", Severity.ERROR, "a deck without cards")
R014 = Code("R014", Severity.ERROR, "a card that belongs to a different faction than its line says")


@deck_check
def main_faction(game: Game, deck: Deck) -> Iterator[Diagnostic]:
    """A deck's main faction must be defined."""
    if not game.may_have_faction(deck.faction_id):
        yield R001.at(
            deck.source.at("main_faction_id"),
            f"the deck is of faction `{deck.faction_id}`, which the factions file does not define",
            faction_hint(game, deck.faction_id),
        )


@deck_check
def empty(_: Game, deck: Deck) -> Iterator[Diagnostic]:
    """A deck has a card."""
    if not deck.entries and deck.whole:
        yield D010.at(
            deck.source.at(),
            "the deck has no cards",
            deck.source.document.to_add(
                AMOUNT, 'lines such as `<card faction_id="…" id="…" amount="2"/>`'
            ),
        )


@deck_check
def cards(game: Game, deck: Deck) -> Iterator[Diagnostic]:
    """The factions and cards of a deck list must be defined."""
    with_cards = {faction for faction, _ in game.cards} | {*game.gaps.cards}
    without_cards = set()
    for entry in deck.entries:
        faction_id, card_id = entry.faction_id, entry.card_id
        if faction_id not in game.factions:
            if not game.may_have_faction(faction_id):
                yield R001.at(
                    entry.source.at("faction_id"),
                    f"the deck has a card of faction `{faction_id}`, "
                    "which the factions file does not define",
                    faction_hint(game, faction_id),
                )
        elif faction_id not in with_cards:
            if faction_id not in without_cards:
                without_cards.add(faction_id)
                yield R002.at(
                    entry.source.at("faction_id"),
                    f"there are no cards of faction `{faction_id}`",
                    f"is the file `{faction_id}_cards.xml` missing?",
                )
        elif game.card_of(entry) is None and not game.may_have(faction_id, card_id):
            owner = next((faction for faction, name in game.cards if name == card_id), None)
            if owner is not None:
                yield R014.at(
                    entry.source.at("faction_id"),
                    f"card `{card_id}` is of faction `{owner}`, not of `{faction_id}`",
                    f'write `faction_id="{owner}"`',
                )
                continue
            own = [name for faction, name in game.cards if faction == faction_id]
            yield R002.at(
                entry.source.at("id"),
                f"there is no card `{card_id}` in faction `{faction_id}`",
                known_hint(card_id, own),
            )
