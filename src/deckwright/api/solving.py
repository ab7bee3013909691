"""Decks that a solver has found, for programs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from deckwright.api.completing import require_valid_cards
from deckwright.api.decks import Deck
from deckwright.api.faces import Card
from deckwright.api.options import GameError, Limits, resolve_limits
from deckwright.api.session import GameSession
from deckwright.base.files import is_file
from deckwright.base.findings import ChoiceError, Diagnostic, Report, require_known
from deckwright.base.names import to_nfc
from deckwright.base.output import write_data
from deckwright.checks.counting import DeckRules
from deckwright.checks.limits import resolve_deck_rules
from deckwright.game import load
from deckwright.game.decklist import empty_deck, format_of
from deckwright.game.model import Deck as DeckList

if TYPE_CHECKING:
    from deckwright.decks.solver.building import OmittedLimit
    from deckwright.decks.solver.solving import AimValue, Answer, Conflict, Gain, SolveOptions
    from deckwright.decks.stats import DeckStats


class CardCopies(NamedTuple):
    """A card of a deck, and how many copies of it there are.

    Attributes:
        zone: the id of the zone that they are in, None for the first that admits the card.
    """

    card: Card
    copies: int
    zone: str | None


class SolvedDeck:
    """A deck that was found. It is in no file until it is written."""

    def __init__(self, game: GameSession, answer: Answer, held: DeckRules) -> None:
        """Decks come from `Game.solve`."""
        self._game, self._answer, self._held = game, answer, held

    def __repr__(self) -> str:
        return f"<SolvedDeck {self.name}>"

    @property
    def name(self) -> str:
        """Its name."""
        return self._answer.deck.name

    @property
    def cards(self) -> tuple[CardCopies, ...]:
        """Its cards, zone by zone, in the order of their files."""
        return tuple(
            CardCopies(Card(self._game, entry.faction_id, entry.card_id), entry.copies, entry.zone)
            for entry in self._answer.deck.entries
        )

    @property
    def values(self) -> tuple[AimValue, ...]:
        """What it has of what was asked for: `aim`, `value` and `bound`, which none can pass."""
        return self._answer.values

    @property
    def proven(self) -> bool:
        """Whether there is no better one; the time may not have been enough to know."""
        return self._answer.proven

    @property
    def settled(self) -> bool:
        """Whether of all decks that are as good it is the first by the order of the card files."""
        return self._answer.settled

    @property
    def findings(self) -> tuple[Diagnostic, ...]:
        """Warnings of limits, and what is wrong by limits that the search left out."""
        return self._answer.findings

    def stats(self) -> DeckStats:
        """Return what it consists of, in numbers."""
        from deckwright.decks.stats import deck_stats  # noqa: PLC0415 - only to count

        return deck_stats(self._game.model, self._answer.deck, self._held)

    def write(self, path: Path | str) -> Deck:
        """Write it as a deck list; an older file is replaced.

        Raises:
            GameError: if the file cannot be written.
        """
        from deckwright.decks.deck_file import format_deck_file  # noqa: PLC0415 - only to write

        target, report = Path(path), Report()
        target.parent.mkdir(parents=True, exist_ok=True)
        if not write_data(target, format_deck_file(self._answer.deck), report):
            raise GameError(report)
        return Deck(self._game, target)


class Solution(NamedTuple):
    """What a search for decks has found.

    Attributes:
        decks: the best one first.
        impossible: whether there is none, or with `different` no further one.
        left_out: limits that the search could not regard, each with a reason.
        conflict: if there is none, the limits and wishes that cannot all hold, each with the
            nearest number that would do; None otherwise.
        gains: with `explain`, the limits without which the first deck could be better.
    """

    decks: tuple[SolvedDeck, ...]
    impossible: bool
    left_out: tuple[OmittedLimit, ...]
    conflict: Conflict | None = None
    gains: tuple[Gain, ...] = ()

    @property
    def findings(self) -> tuple[Diagnostic, ...]:
        """Those of all its decks."""
        return tuple(finding for deck in self.decks for finding in deck.findings)


def find_decks(
    opened: GameSession,
    faction: str,
    options: SolveOptions,
    limits: Limits,
    like: Deck | str | None = None,
    *,
    explain: bool = False,
) -> Solution:
    """Look for decks, as `Game.solve` says."""
    from deckwright.decks.solver.solving import (  # noqa: PLC0415 - only to solve
        explain_failure,
        find_gains,
        solve,
    )

    rules = resolve_limits(opened.folder, limits)
    game, faction_id = opened.model, to_nfc(faction)
    if faction_id not in game.factions and is_file(opened.folder.deck_file(faction_id)):
        message = f"`{faction_id}` is a deck, and decks are sought for a faction"
        raise ChoiceError(message, "find the smallest change that makes it legal with `--complete`")
    require_known(faction_id, game.factions, "faction")
    empty = empty_deck(game, faction_id)
    held = resolve_deck_rules(game, empty, rules.format, rules.changes, rules.date)
    held = DeckRules() if rules.ignore else held
    require_valid_cards(opened, faction_id, held)
    usual = format_of(game, empty)
    named = None if usual is None or rules.format == usual.id else rules.format
    options = options._replace(
        include=tuple(map(to_nfc, options.include)), exclude=tuple(map(to_nfc, options.exclude))
    )
    if like is not None:
        options = options._replace(like=_load_deck_list(opened, like))
    found = solve(game, faction_id, held, options, named)
    decks = tuple(SolvedDeck(opened, answer, held) for answer in found.answers)
    more = tuple(find_gains(found, options)) if explain else ()
    return Solution(decks, found.impossible, found.left_out, explain_failure(found, options), more)


def _load_deck_list(opened: GameSession, deck: Deck | str) -> DeckList:
    """Return a deck as its file lists it."""
    path = opened.folder.deck_file(to_nfc(deck)) if isinstance(deck, str) else deck.path
    report: Report = []
    with opened.keeping():
        found = load.load_deck(path, opened.folder, opened.setup, report)
    if found is None:
        raise GameError(report)
    return found
