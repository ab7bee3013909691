"""Load a game, or the part of it that a deck needs, and check that.

A deck reads only the files that it needs, so that errors in another faction's file do not stop it.
All errors go into the report; what cannot go on raises an OutputError.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from deckwright import checks
from deckwright.base.findings import Diagnostic, Location, Report, has_errors, is_error
from deckwright.base.output import OutputError, stop_on_errors
from deckwright.checks.counting import DeckRules
from deckwright.checks.limits import check_limits, resolve_deck_rules
from deckwright.game import load, read
from deckwright.game.decklist import count_tokens
from deckwright.game.folder import GameFolder
from deckwright.game.model import Card, Deck, Game
from deckwright.game.setup import Setup
from deckwright.xmlio.node import Source


class LimitOptions(NamedTuple):
    """The limits to check decks against.

    Attributes:
        ignore: whether to check no limits at all.
        format: a format to use instead of the deck's own.
        changes: new numbers of limits; None switches one off.
        date: the date whose restriction list applies, instead of the newest.
    """

    ignore: bool = False
    format: str | None = None
    changes: Mapping[str, int | None] = MappingProxyType({})
    date: str | None = None


def load_checked_game(folder: GameFolder, report: Report) -> Game:
    """Return the whole game, checked."""
    setup = load.load_setup(folder, report)
    if setup is None:
        raise OutputError
    game = load.load_game(folder, setup, report)
    checks.check_game(game, report)
    stop_on_errors(report)
    return game


def load_partial_game(folder: GameFolder, report: Report, faults: Report) -> Game | None:
    """Return the readable part of a game, None without `game.xml`; `faults` has other errors."""
    setup = load.load_setup(folder, report)
    if setup is None or has_errors(report):
        return None
    game = load.load_game(folder, setup, faults)
    checks.check_game(game, faults)
    return game


def find_faulty_cards(game: Game, faults: Sequence[Diagnostic]) -> frozenset[int]:
    """Return the `id()` of each card and token with an error in its element.

    This includes stubs, and cards with omitted rules, which are missing on their faces.
    """
    cards = [*game.cards.values(), *game.tokens()]
    things: list[tuple[Source, Card | None]] = [(card.source, card) for card in cards]
    things += [(stub.source, None) for stub in game.stubs.values()]
    things += [(rule.source, None) for rule in game.rules.values()]
    starts: dict[tuple[Path, str], list[tuple[Location, list[Card]]]] = {}
    wrong = {f.location.path for f in faults if f.location and is_error(f)}
    for source, card in things:
        if source.path in wrong:
            at = source.at()
            starts.setdefault((at.path, at.sheet), []).append((at, [card] if card else []))
    faulty = {id(c) for c in cards if any(map(game.omissions.rules.may_contain, c.rule_ids()))}
    for finding in faults:
        place = finding.location
        # Elements that fail validation were omitted; they are stubs or have no id.
        if place is None or not is_error(finding) or finding.code.id.startswith(("S", "X")):
            continue
        before = [
            entry
            for entry in starts.get((place.path, place.sheet), ())
            if entry[0][1:] <= place[1:]
        ]
        if before:
            last = max(before, key=lambda entry: entry[0][1:])[0]
            faulty |= {id(card) for at, owners in before if at == last for card in owners}
    return frozenset(faulty) | {id(stub) for stub in game.stubs.values()}


def load_deck(
    folder: GameFolder, deck_path: Path, rules: LimitOptions, report: Report
) -> tuple[Game, Deck, DeckRules]:
    """Load a deck with the part of the game that it needs, and check both."""
    setup = load.load_setup(folder, report)
    if setup is None:
        raise OutputError
    deck = load.load_deck(deck_path, folder, setup, report)
    if deck is None:
        load.load_game(folder, setup, report, ())
        raise OutputError
    game, rules_in_force = _load_game_for(deck, folder, setup, rules, report)
    stop_on_errors(report)
    return game, deck, rules_in_force


def load_draft(
    folder: GameFolder, deck_path: Path, rules: LimitOptions, report: Report, faults: Report
) -> tuple[Game, Deck, DeckRules]:
    """Load a deck despite errors, which `faults` receives; missing cards become stubs."""
    setup = load.load_setup(folder, report)
    if setup is None or has_errors(report):
        raise OutputError
    deck = load.load_deck(deck_path, folder, setup, report=(findings := Report()))
    if deck is None:
        raise OutputError(*findings)
    faults.extend(findings)
    game, rules_in_force = _load_game_for(deck, folder, setup, rules, faults)
    return read.add_stubs(game, deck), deck, rules_in_force


def _load_game_for(
    deck: Deck, folder: GameFolder, setup: Setup, rules: LimitOptions, report: Report
) -> tuple[Game, DeckRules]:
    """Load the part of the game that a deck needs, and check both."""
    needed = [deck.faction_id, *(entry.faction_id for entry in deck.entries)]
    game = load.load_game(folder, setup, report, needed)
    rules_in_force = check_deck_list(game, deck, rules, report)
    used = {id(card): card for e in deck.entries if (card := game.card_of(e)) is not None}
    tokens = [count.token for count in count_tokens(game, deck)]
    checks.check_cards(game, [*used.values(), *tokens], report)
    checks.check_rules(game, report)
    return game, rules_in_force


def check_deck_list(game: Game, deck: Deck, rules: LimitOptions, report: Report) -> DeckRules:
    """Check a deck; return the rules that apply to it."""
    checks.check_deck(game, deck, report)
    if rules.ignore or not deck.entries or not is_complete(game, deck):
        return DeckRules()
    rules_in_force = resolve_deck_rules(game, deck, rules.format, rules.changes, rules.date)
    check_limits(game, deck, rules_in_force, report)
    return rules_in_force


def is_complete(game: Game, deck: Deck) -> bool:
    """Return whether all lines and cards of a deck were read, so that limits can be checked."""
    return (
        deck.is_complete
        and deck.faction_id in game.factions
        and all(game.card_of(entry) is not None for entry in deck.entries)
    )
