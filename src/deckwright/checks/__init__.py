"""Checks of a game: one module per subject.

A check is a generator of findings, registered with `@card_check`, `@game_check`, `@design_check` or
`@deck_check`. All modules of this package are discovered, so adding a check is adding a file.

Checks run again for each language. Texts are then `Translated`: they compare as in the game's own
language, but methods and patterns see the translation.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import TypeVar

from deckwright.base.findings import Diagnostic, Report, cap_findings, import_all
from deckwright.game.model import Card, Deck, Game

CardCheck = Callable[[Game, Card], Iterator[Diagnostic]]
GameCheck = Callable[[Game], Iterator[Diagnostic]]
DeckCheck = Callable[[Game, Deck], Iterator[Diagnostic]]

C = TypeVar("C", bound=Callable[..., Iterator[Diagnostic]])


def _register_in(checks: list[C]) -> Callable[[C], C]:
    """Return a decorator that adds a check to a list."""

    def enter(check: C) -> C:
        checks.append(check)
        return check

    return enter


_card_checks: list[CardCheck] = []
_game_checks: list[GameCheck] = []
_design_checks: list[GameCheck] = []
_deck_checks: list[DeckCheck] = []

card_check = _register_in(_card_checks)
"""Register a check of a single card or token."""
game_check = _register_in(_game_checks)
"""Register a check of the game's rules and factions."""
design_check = _register_in(_design_checks)
"""Register a check of the game's design, which needs all cards; printing skips it."""
deck_check = _register_in(_deck_checks)
"""Register a check of a deck list against the game."""


def _load_checks(checks: list[C]) -> list[C]:
    """Return the checks of a list after importing all modules of this package."""
    import_all(importlib.import_module(__name__))
    return checks


def check_game(game: Game, report: Report) -> None:
    """Check the rules, factions, cards and tokens of a game."""
    check_rules(game, report)
    check_cards(game, [*game.cards.values(), *game.tokens()], report)


def check_design(game: Game, report: Report) -> None:
    """Check for likely mistakes in a game that can be printed; it must have all its cards."""
    for check in _load_checks(_design_checks):
        report.extend(cap_findings(check(game)))


def check_rules(game: Game, report: Report) -> None:
    """Check the rules and factions."""
    for check in _load_checks(_game_checks):
        report.extend(cap_findings(check(game)))


def check_cards(game: Game, cards: Iterable[Card], report: Report) -> None:
    """Check single cards."""
    by_file: dict[Path, list[Card]] = {}
    for card in cards:
        by_file.setdefault(card.source.path, []).append(card)
    for of_file in by_file.values():
        for check in _load_checks(_card_checks):
            findings = chain.from_iterable(check(game, card) for card in of_file)
            report.extend(cap_findings(findings, single_file=True))


def check_deck(game: Game, deck: Deck, report: Report) -> None:
    """Check that a deck's cards exist; `deckwright.checks.limits` checks its limits."""
    for check in _load_checks(_deck_checks):
        report.extend(cap_findings(check(game, deck), single_file=True))
