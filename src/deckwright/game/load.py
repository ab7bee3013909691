"""Load a game from its folder: find, parse, validate, read.

Every function reports what is wrong and goes on with the rest, so that one run tells all.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from deckwright.book.shape import rulebook_shape
from deckwright.diagnostics import (
    Code,
    Diagnostic,
    Location,
    Report,
    Severity,
    capped,
    known_hint,
)
from deckwright.files import is_file, is_there
from deckwright.game import read, shapes
from deckwright.game.folder import GameFolder
from deckwright.game.model import Card, Deck, Faction, Game, Rule
from deckwright.game.read_setup import read_setup
from deckwright.game.setup import Setup
from deckwright.game.setup_shape import game_shape
from deckwright.names import composed
from deckwright.xmlio.load import X006, load_document
from deckwright.xmlio.node import Node
from deckwright.xmlio.shape import Shape
from deckwright.xmlio.validate import R007, validate_document

R008 = Code(
    "R008",
    Severity.ERROR,
    "a card in the file of another faction",
    "The cards of a faction stand in the file that bears its id, so that a deck reads only the "
    "files it needs. A card elsewhere would be missing from decks and lists. Move it, or "
    "correct its `faction_id`.",
)

MAX_CARDS = 50_000
"""The most cards of a game, with those that factions have of others."""


def load_valid(path: Path, shape: Shape, report: Report) -> Node | None:
    """Return the root element of a valid file, None after reporting why it is not valid."""
    loaded = load_document(path, report)
    if loaded is None:
        return None
    root, tree = loaded
    return root if validate_document(root, tree, shape, report) else None


def load_setup(folder: GameFolder, report: Report) -> Setup | None:
    """Return what the game's `game.xml` says."""
    root = load_valid(folder.game_file, game_shape(), report)
    return None if root is None else read_setup(root, report)


def load_rulebook(folder: GameFolder, report: Report) -> Node | None:
    """Return the root element of the rulebook."""
    return load_valid(folder.rulebook_file, rulebook_shape(), report)


def load_deck(path: Path, folder: GameFolder, setup: Setup, report: Report) -> Deck | None:
    """Return the deck list at `path`."""
    if not is_file(path):
        decks = [file.name for file in folder.deck_files()]
        report.append(
            X006.at(
                Location(path), "there is no such deck list", known_hint(path.name, sorted(decks))
            )
        )
        return None
    root = load_valid(path, shapes.deck_shape(setup), report)
    return None if root is None else read.read_deck(root)


def load_game(
    folder: GameFolder, setup: Setup, report: Report, faction_ids: Iterable[str] | None = None
) -> Game | None:
    """Return the game, or None if its factions or rules cannot be read.

    Args:
        faction_ids: the factions whose cards are needed; None for all.
    """
    factions = load_factions(folder, setup, report)
    if faction_ids is None:
        files = folder.card_files()
    else:
        known = factions or {}
        owners = (known[i].cards_of or i for i in faction_ids if i in known)
        files = [folder.cards_file(i) for i in dict.fromkeys(owners)]
    cards: dict[tuple[str, str], Card] = {}
    unread = set()
    for file in files:
        read_cards = load_cards(file, setup, report)
        if read_cards is None:
            unread.add(_faction_of(file))
        report.extend(capped(_add(read_cards or (), cards), of_one_file=True))
    rules = _load_rules(folder, setup, report, cards.values())
    if factions is None or rules is None:
        return None
    unread |= {faction.id for faction in factions.values() if faction.cards_of in unread}
    _share(factions.values(), cards)
    return Game(folder.path, setup, factions, rules, cards, frozenset(unread))


def _share(factions: Iterable[Faction], cards: dict[tuple[str, str], Card]) -> None:
    """Give factions the cards of others, as long as there are no more than `MAX_CARDS`."""
    by_faction: dict[str, list[Card]] = {}
    for card in cards.values():
        by_faction.setdefault(card.faction_id, []).append(card)
    for faction in factions:
        shared = by_faction.get(faction.cards_of or "", [])
        if shared and len(cards) + len(shared) <= MAX_CARDS:
            own = [card._replace(faction_id=faction.id) for card in shared]
            cards.update({(faction.id, card.id): card for card in own})
            by_faction.setdefault(faction.id, []).extend(own)


def _faction_of(file: Path) -> str:
    """Return the id of the faction that a card file is for, by its name."""
    return composed(file.name).removesuffix("_cards.xml")


def load_cards(file: Path, setup: Setup, report: Report) -> list[Card] | None:
    """Return the cards of a card file, None if it has mistakes.

    Cards of another faction are reported, and taken for ones of the file's faction.
    """
    root = load_valid(file, shapes.cards_shape(setup), report)
    if root is None:
        return None
    faction_id = _faction_of(file)
    cards = read.read_cards(root, setup)
    if not file.name.endswith("_cards.xml"):
        return cards
    report.extend(capped(_strangers(cards, faction_id), of_one_file=True))
    return [
        card if card.faction_id == faction_id else card._replace(faction_id=faction_id)
        for card in cards
    ]


def _strangers(cards: Iterable[Card], faction_id: str) -> Iterator[Diagnostic]:
    for card in cards:
        if card.faction_id != faction_id:
            yield R008.at(
                card.source.at("faction_id"),
                f"card `{card.id}` of faction `{card.faction_id}` stands in the file of "
                f"`{faction_id}`",
                f'move it to `{card.faction_id}_cards.xml`, or write `faction_id="{faction_id}"`',
            )


def _add(new: Iterable[Card], cards: dict[tuple[str, str], Card]) -> Iterator[Diagnostic]:
    """Enter the cards of a file; yield what is wrong with their ids."""
    # All are entered before the first finding is yielded, for not all of them may be asked for.
    both = [(card, cards.setdefault((card.faction_id, card.id), card)) for card in new]
    for card, first in both:
        if first is not card:
            yield R007.at(
                card.source.at("id"),
                f"{card.kind.tag} `{card.id}` has the same id as line {first.source.at().line}",
                "give one of them another",
            )


def load_factions(folder: GameFolder, setup: Setup, report: Report) -> dict[str, Faction] | None:
    """Return the factions by id."""
    root = load_valid(folder.factions_file, shapes.factions_shape(setup), report)
    return None if root is None else read.read_factions(root, setup)


def _load_rules(
    folder: GameFolder, setup: Setup, report: Report, cards: Iterable[Card]
) -> dict[str, Rule] | None:
    """Return the rules by id; a game whose cards have none needs no file of them."""
    if not is_there(folder.rules_file) and not any(card.rule_ids() for card in cards):
        return {}
    root = load_valid(folder.rules_file, shapes.rules_shape(setup), report)
    return None if root is None else read.read_rules(root, setup)
