"""The stages in order: load, validate, read, check, compose, impose, paint.

A deck reads only the files that it needs, so that a mistake in another faction's file does not
stop it. Everything that is wrong goes into the report; nothing is written while it holds an error.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from deckwright import checks
from deckwright.base.files import is_there, resolved
from deckwright.base.findings import (
    Diagnostic,
    Location,
    Report,
    Severity,
    has_errors,
    is_error,
)
from deckwright.checking.layout import check_layout
from deckwright.checking.unchecked import (
    Unchecked,
    concerning,
    not_laid_out,
    unread_parts,
    without_setup,
)
from deckwright.checking.ward import Budget
from deckwright.checks.limits import check_limits, limits_of
from deckwright.game import load, read
from deckwright.game.decklist import tokens_of
from deckwright.game.folder import GameFolder
from deckwright.game.model import Card, Deck, Game
from deckwright.game.setup import Limit, Setup
from deckwright.game.unread import unread_files
from deckwright.xmlio.load import load_document
from deckwright.xmlio.node import Source


class Rules(NamedTuple):
    """By which limits decks are checked.

    Attributes:
        ignore: by none.
        format: by those of this format, instead of the deck's own.
        changes: limits with other numbers; None switches one off.
    """

    ignore: bool = False
    format: str | None = None
    changes: Mapping[str, int | None] = MappingProxyType({})


class Checked(NamedTuple):
    """What a check looked at.

    Attributes:
        number: how many cards and decks.
        unchecked: what could not be looked at.
        files: the files that were looked at.
        severities: the severities that the game gives to codes; None for those that do not count.
        hindered: whether errors in files that it was not asked for are the reason.
        margin: how near to the edges of the paper the game's sheet prints, in words.
    """

    number: int
    unchecked: tuple[Unchecked, ...]
    files: tuple[Path, ...] = ()
    severities: Mapping[str, Severity | None] = MappingProxyType({})
    hindered: bool = False
    margin: str | None = None


def check(
    folder: GameFolder,
    paths: Iterable[Path],
    rules: Rules,
    report: Report,
    *,
    everything: bool,
    budget: Budget | None = None,
) -> Checked:
    """Check files of a game, or the whole game.

    Something with a mistake is left out, and all the rest goes through all stages.

    Args:
        paths: the files to check, if not `everything`.
        budget: what the layout of a stranger's game may take; None for one's own game.
    """
    paths = tuple(paths)
    files = folder.files() if everything else paths
    setup = load.load_setup(folder, report)
    if setup is None:
        _check_form(folder, files, report)
        return Checked(0, (without_setup(folder),), files)
    wanted = {resolved(path) for path in paths}
    mine: Report = []
    game = load.load_game(folder, setup, mine)
    mine += unread_files(folder, game.factions)
    checks.check_game(game, mine)
    checks.check_design(game, mine)
    book = load.load_rulebook(folder, mine) if is_there(folder.rulebook_file) else None
    unchecked = [*unread_parts(game, folder)]
    if book is None and is_there(folder.rulebook_file):
        unchecked.append(
            Unchecked(f"the pages of {folder.rulebook_file.name}", folder.rulebook_file)
        )
    count = len(game.cards)
    decks = folder.deck_files()
    if not everything:
        strays = sorted(path for path in wanted if not folder.holds(path))
        cards = [path for path in strays if path.name.endswith("_cards.xml")]
        count += _check_stray_cards(game, cards, setup, mine)
        decks = [path for path in strays if path not in cards]
        decks += [path for path in folder.deck_files() if resolved(path) in wanted]
    for path in decks:
        deck = load.load_deck(path, folder, setup, mine)
        count += 1
        if deck is not None:
            _check_deck(game, deck, rules, mine)
        if deck is None or not (rules.ignore or is_complete(game, deck)):
            what = "the cards and limits" if deck is None else "the limits"
            unchecked.append(Unchecked(f"{what} of {path.name}", path))
    found: Report = []
    margin = check_layout(game, folder, book, budget, found)
    mine += found
    told = tuple(dict.fromkeys([*unchecked, *not_laid_out(found, folder, book)]))
    if everything:
        report.extend(mine)
        return Checked(count, told, files, setup.severities, margin=margin)
    hindered = False
    for finding in mine:
        if finding.location is None or resolved(finding.location.path) in wanted:
            report.append(finding)
        else:
            hindered |= is_error(finding)
    told = concerning(told, wanted)
    return Checked(count, told, files, setup.severities, hindered and bool(told))


def _check_form(folder: GameFolder, files: Iterable[Path], report: Report) -> None:
    """Check what can be checked of files without knowing the game: whether they are XML."""
    for path in files:
        if path == folder.rulebook_file:
            load.load_rulebook(folder, report)
        elif path != folder.game_file:
            load_document(path, report)


def _check_stray_cards(game: Game, paths: Iterable[Path], setup: Setup, report: Report) -> int:
    """Check card files that are not in the game's folder, as if they were; return their cards."""
    count = 0
    for path in paths:
        cards = load.load_cards(path, setup, report).cards
        checks.check_cards(game, cards, report)
        count += len(cards)
    return count


def load_whole(folder: GameFolder, report: Report) -> Game | None:
    """Return the whole game, checked; None if there are errors."""
    setup = load.load_setup(folder, report)
    game = load.load_game(folder, setup, report) if setup else None
    if game is not None:
        checks.check_game(game, report)
    return None if has_errors(report) else game


def load_readable(folder: GameFolder, report: Report, faults: Report) -> Game | None:
    """Return as much of a game as can be read; None if its `game.xml` cannot be used.

    Args:
        faults: where it is reported what is wrong with the rest.
    """
    setup = load.load_setup(folder, report)
    if setup is None or has_errors(report):
        return None
    game = load.load_game(folder, setup, faults)
    checks.check_game(game, faults)
    return game


def faulty_cards(game: Game, faults: Sequence[Diagnostic]) -> frozenset[int]:
    """Return the ids (in Python's sense) of the cards and tokens with an error in their elements.

    Cards with rules that were left out are among them, for these are missing on their faces.
    """
    cards = [*game.cards.values(), *game.tokens()]
    things: list[tuple[Source, Card | None]] = [(card.source, card) for card in cards]
    things += [(stub.source, None) for stub in game.stubs.values()]
    things += [(rule.source, None) for rule in game.rules.values()]
    starts: dict[Path, list[tuple[Location, list[Card]]]] = {}
    wrong = {f.location.path for f in faults if f.location and is_error(f)}
    for source, card in things:
        if source.path in wrong:
            starts.setdefault(source.path, []).append((source.at(), [card] if card else []))
    faulty = {id(c) for c in cards if any(map(game.gaps.rules.may_hold, c.rule_ids()))}
    for finding in faults:
        place = finding.location
        # What the shape of a file refuses was left out, and has a stub or no id.
        if place is None or not is_error(finding) or finding.code.id.startswith(("S", "X")):
            continue
        before = [entry for entry in starts.get(place.path, ()) if entry[0][1:] <= place[1:]]
        if before:
            last = max(before, key=lambda entry: entry[0][1:])[0]
            faulty |= {id(card) for at, found in before if at == last for card in found}
    return frozenset(faulty)


def load_deck(
    folder: GameFolder, deck_path: Path, rules: Rules, report: Report
) -> tuple[Game, Deck, tuple[Limit, ...]] | None:
    """Load a deck with the part of the game that it needs, and check both.

    Returns the game, the deck and its limits, or None if there are errors.
    """
    setup = load.load_setup(folder, report)
    if setup is None:
        return None
    deck = load.load_deck(deck_path, folder, setup, report)
    if deck is None:
        load.load_game(folder, setup, report, ())
        return None
    game, limits = _load_for(deck, folder, setup, rules, report)
    return None if has_errors(report) else (game, deck, limits)


def load_draft(
    folder: GameFolder, deck_path: Path, rules: Rules, report: Report, faults: Report
) -> tuple[Game, Deck, tuple[Limit, ...]] | None:
    """Load a deck as `load_deck` does, but in spite of errors; cards that are not there have stubs.

    Args:
        faults: where it is reported what is wrong with the deck and its cards.

    Returns:
        None if `game.xml` or the deck list cannot be used at all.
    """
    setup = load.load_setup(folder, report)
    if setup is None or has_errors(report):
        return None
    deck = load.load_deck(deck_path, folder, setup, report=(found := Report()))
    if deck is None:
        report.extend(found)
        return None
    faults.extend(found)
    game, limits = _load_for(deck, folder, setup, rules, faults)
    return read.with_stubs(game, deck), deck, limits


def _load_for(
    deck: Deck, folder: GameFolder, setup: Setup, rules: Rules, report: Report
) -> tuple[Game, tuple[Limit, ...]]:
    """Load the part of the game that a deck needs, and check both; return it and the limits."""
    needed = [deck.faction_id, *(entry.faction_id for entry in deck.entries)]
    game = load.load_game(folder, setup, report, needed)
    limits = _check_deck(game, deck, rules, report)
    used = {id(card): card for e in deck.entries if (card := game.card_of(e)) is not None}
    tokens = [count.token for count in tokens_of(game, deck)]
    checks.check_cards(game, [*used.values(), *tokens], report)
    checks.check_rules(game, report)
    return game, limits


def _check_deck(game: Game, deck: Deck, rules: Rules, report: Report) -> tuple[Limit, ...]:
    """Check a deck; return the limits that hold for it."""
    checks.check_deck(game, deck, report)
    if rules.ignore or not deck.entries or not is_complete(game, deck):
        return ()
    limits = limits_of(game, deck, rules.format, rules.changes)
    check_limits(game, deck, limits, report)
    return limits


def is_complete(game: Game, deck: Deck) -> bool:
    """Return whether all lines and cards of a deck could be read, so that it can be counted."""
    return (
        deck.whole
        and deck.faction_id in game.factions
        and all(game.card_of(entry) is not None for entry in deck.entries)
    )
