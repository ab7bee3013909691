"""The stages of a check: load, validate, read, check, and lay out all that can be printed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from deckwright import checks
from deckwright.base.files import is_there, resolved
from deckwright.base.findings import Diagnostic, Report, Severity, is_error, listed
from deckwright.base.visible import visible_path
from deckwright.book.shape import load_rulebook
from deckwright.checking.fielded import check_fielding
from deckwright.checking.layout_check import check_layout
from deckwright.checking.sandbox import Limits
from deckwright.checking.unchecked import (
    Unchecked,
    concerning,
    not_laid_out,
    unread_parts,
    without_setup,
)
from deckwright.checks.loading import Rules, check_deck_with, is_complete
from deckwright.game import load
from deckwright.game.card_files import load_cards
from deckwright.game.folder import GameFolder
from deckwright.game.model import Game
from deckwright.game.setup import Setup
from deckwright.game.sources import is_table
from deckwright.game.unread import unread_files
from deckwright.xmlio.load import load_document


class Checked(NamedTuple):
    """What a check looked at.

    Attributes:
        number: how many cards and decks.
        unchecked: what could not be looked at.
        files: the files that were looked at.
        severities: the severities that the game gives to codes; None for those that do not count.
        hindered: whether errors in files that it was not asked for are the reason.
        margin: how near to the edges of the paper the game's sheet prints, in words.
        findings: those that count, as severe as they are; to be filled in by who grades them.
        everything: whether the whole game was looked at.
    """

    number: int
    unchecked: tuple[Unchecked, ...]
    files: tuple[Path, ...] = ()
    severities: Mapping[str, Severity | None] = MappingProxyType({})
    hindered: bool = False
    margin: str | None = None
    findings: tuple[Diagnostic, ...] = ()
    everything: bool = True


def check(
    folder: GameFolder,
    paths: Sequence[Path] | None,
    rules: Rules,
    report: Report,
    *,
    limits: Limits | None = None,
) -> Checked:
    """Check files of a game, or the whole game.

    Something with a mistake is left out, and all the rest goes through all stages.

    Args:
        paths: the files to check; None for all.
        limits: what the layout of a stranger's game may take; None for one's own game.
    """
    everything = paths is None
    files = folder.files() if paths is None else tuple(paths)
    setup = load.load_setup(folder, report)
    if setup is None:
        _check_form(folder, files, report)
        return Checked(0, (without_setup(folder),), files, everything=everything)
    wanted = {resolved(path) for path in paths or ()}
    mine: Report = []
    game = load.load_game(folder, setup, mine)
    mine += unread_files(folder, game.factions)
    checks.check_game(game, mine)
    checks.check_design(game, mine)
    if limits is None:
        # Limits can be written that keep a solver busy for long.
        check_fielding(game, mine)
    book = load_rulebook(folder, mine) if is_there(folder.rulebook_file) else None
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
        decks += [
            path
            for path in folder.deck_files()
            if not wanted.isdisjoint(map(resolved, folder.home_of(path)))
        ]
    unchecked += _check_decks(game, decks, folder, rules, mine)
    count += len(decks)
    found: Report = []
    margin = check_layout(game, folder, book, limits, found)
    mine += found
    told = tuple(dict.fromkeys([*unchecked, *not_laid_out(found, folder, book)]))
    if everything:
        report.extend(mine)
        return Checked(count, told, files, setup.severities, margin=margin)
    hindering: dict[str, None] = {}
    for finding in mine:
        if finding.location is None or resolved(finding.location.path) in wanted:
            report.append(finding)
        elif is_error(finding):
            hindering[visible_path(finding.location.path)] = None
    told = concerning(told, wanted)
    if hindering:
        why = f"because of errors in {listed(hindering, at_most=3)}"
        told = tuple(each._replace(what=f"{each.what}, {why}") for each in told)
    hindered = bool(hindering and told)
    return Checked(count, told, files, setup.severities, hindered, everything=False)


def _check_decks(
    game: Game, paths: Iterable[Path], folder: GameFolder, rules: Rules, report: Report
) -> Iterator[Unchecked]:
    """Check deck lists; yield what cannot be checked of them."""
    for path in paths:
        deck = load.load_deck(path, folder, game.setup, report)
        if deck is not None:
            check_deck_with(game, deck, rules, report)
        if deck is None or not (rules.ignore or is_complete(game, deck)):
            what = "the cards and limits" if deck is None else "the limits"
            yield Unchecked(f"{what} of {folder.called(path)}", path)


def _check_form(folder: GameFolder, files: Iterable[Path], report: Report) -> None:
    """Check what can be checked of files without knowing the game: whether they are XML."""
    for path in files:
        if path == folder.rulebook_file:
            load_rulebook(folder, report)
        elif path != folder.game_file and not is_table(path):
            load_document(path, report)


def _check_stray_cards(game: Game, paths: Iterable[Path], setup: Setup, report: Report) -> int:
    """Check card files that are not in the game's folder, as if they were; return their cards."""
    count = 0
    for path in paths:
        cards = load_cards(path, setup, report).cards
        checks.check_cards(game, cards, report)
        count += len(cards)
    return count
