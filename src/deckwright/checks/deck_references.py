"""What a deck list refers to must exist."""

from __future__ import annotations

from collections.abc import Iterator

from deckwright.checks import deck_check
from deckwright.checks.card_references import R001
from deckwright.diagnostics import Code, Diagnostic, Severity, known_hint
from deckwright.game.model import Deck, Game

R002 = Code(
    "R002",
    Severity.ERROR,
    "an unknown card in a deck list",
    "The deck list asks for a card that its faction does not have, because the id is misspelled "
    "or the card was renamed or removed. The deck cannot be printed with a card missing. Correct "
    "the id, or remove the line.",
)
D010 = Code(
    "D010",
    Severity.ERROR,
    "a deck without cards",
    "The deck list has its `meta` but no cards, so there is nothing to print. Add cards, or "
    "delete the file until you need it.",
)
R014 = Code(
    "R014",
    Severity.ERROR,
    "a card that belongs to a different faction than its line says",
    "A line of a deck list names a faction and a card, but the card belongs to another faction. "
    "Either could be wrong, and a guess might put an unwanted card into the deck. Correct one of "
    "them.",
)


@deck_check
def main_faction(game: Game, deck: Deck) -> Iterator[Diagnostic]:
    """A deck's main faction must be defined."""
    known = deck.faction_id in game.factions or game.gaps.factions.may_hold(deck.faction_id)
    if not known:
        yield R001.at(
            deck.source.at("main_faction_id"),
            f"the deck is of faction `{deck.faction_id}`, which the factions file does not define",
            known_hint(deck.faction_id, game.factions),
        )


@deck_check
def empty(_: Game, deck: Deck) -> Iterator[Diagnostic]:
    """A deck has a card."""
    if not deck.entries and deck.whole:
        yield D010.at(
            deck.source.at(),
            "the deck has no cards",
            'add lines such as `<card faction_id="…" id="…" amount="2"/>`',
        )


@deck_check
def cards(game: Game, deck: Deck) -> Iterator[Diagnostic]:
    """The factions and cards of a deck list must be defined."""
    known = {faction for faction, _ in game.cards}
    with_cards = known | {*game.gaps.cards}
    for entry in deck.entries:
        if game.gaps.factions.may_hold(entry.faction_id):
            continue
        if game.may_have(entry.faction_id, entry.card_id):
            continue
        if entry.faction_id in game.factions and entry.faction_id not in with_cards:
            with_cards.add(entry.faction_id)
            yield R002.at(
                entry.source.at("faction_id"),
                f"there are no cards of faction `{entry.faction_id}`",
                f"is the file `{entry.faction_id}_cards.xml` missing?",
            )
            continue
        if entry.faction_id not in game.factions:
            yield R001.at(
                entry.source.at("faction_id"),
                f"the deck has a card of faction `{entry.faction_id}`, "
                "which the factions file does not define",
                known_hint(entry.faction_id, game.factions),
            )
        elif game.card_of(entry) is None and entry.faction_id in known:
            owner = next((f for f, card_id in game.cards if card_id == entry.card_id), None)
            if owner is not None:
                yield R014.at(
                    entry.source.at("faction_id"),
                    f"card `{entry.card_id}` is of faction `{owner}`, not of `{entry.faction_id}`",
                    f'write `faction_id="{owner}"`',
                )
                continue
            own = [card_id for faction, card_id in game.cards if faction == entry.faction_id]
            yield R002.at(
                entry.source.at("id"),
                f"there is no card `{entry.card_id}` in faction `{entry.faction_id}`",
                known_hint(entry.card_id, own),
            )
