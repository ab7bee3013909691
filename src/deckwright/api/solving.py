"""The deck solver's results for programs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from deckwright.api.completing import require_valid_cards
from deckwright.api.decks import Deck
from deckwright.api.faces import Card
from deckwright.api.options import (
    Limits,
    game_errors,
    require_loaded,
    resolve_limits,
    resolve_rules,
)
from deckwright.api.session import GameSession
from deckwright.base.files import is_file, to_nfc
from deckwright.base.findings import ChoiceError, Diagnostic, require_known
from deckwright.base.output import write_data
from deckwright.checks.counting import DeckRules
from deckwright.decks.deck_file import format_deck_file
from deckwright.decks.solver.solving import explain_failure, find_gains, solve
from deckwright.decks.stats import deck_stats
from deckwright.game import load
from deckwright.game.decklist import empty_deck, format_of

if TYPE_CHECKING:
    from deckwright.decks.solver.building import OmittedLimit
    from deckwright.decks.solver.solving import AimValue, Answer, Conflict, Gain, SolveOptions
    from deckwright.decks.stats import DeckStats


class CardCopies(NamedTuple):
    """A card of a deck with its number of copies.

    Attributes:
        zone: the id of their zone, None for the first one that admits the card.
    """

    card: Card
    copies: int
    zone: str | None


class SolvedDeck:
    """A deck that the solver found. Only `write` saves it."""

    def __init__(self, game: GameSession, answer: Answer, deck_rules: DeckRules) -> None:
        """Use `Game.solve` to create solved decks."""
        self._game, self._answer, self._deck_rules = game, answer, deck_rules

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
        """The values that it reaches: `aim`, `value`, and `bound`, which no deck can beat."""
        return self._answer.values

    @property
    def proven(self) -> bool:
        """True if it is proven to be the best; false if time ran out."""
        return self._answer.proven

    @property
    def settled(self) -> bool:
        """True if it is the first, in the order of the card files, of all equally good decks."""
        return self._answer.settled

    @property
    def findings(self) -> tuple[Diagnostic, ...]:
        """Warnings of limits, and errors of limits that the search left out."""
        return self._answer.findings

    def stats(self) -> DeckStats:
        """Return its statistics."""
        return deck_stats(self._game.model, self._answer.deck, self._deck_rules)

    def write(self, path: Path | str) -> Deck:
        """Write it as a deck list, replacing an existing file.

        Raises:
            GameError: if the file cannot be written.
        """
        target = Path(path)
        target.parent.mkdir(parents=True, exist_ok=True)
        with game_errors():
            write_data(target, format_deck_file(self._answer.deck))
        return Deck(self._game, target)


class Solution(NamedTuple):
    """The result of a search for decks.

    Attributes:
        decks: the best one first.
        impossible: whether there is no deck, or with `different` no further one.
        left_out: the limits that the solver cannot handle, each with a reason.
        conflict: if there is no deck, the conflicting limits and card constraints, each with the
            nearest number that resolves the conflict.
        gains: with `explain`, the limits that keep the first deck from being better.
    """

    decks: tuple[SolvedDeck, ...]
    impossible: bool
    left_out: tuple[OmittedLimit, ...]
    conflict: Conflict | None = None
    gains: tuple[Gain, ...] = ()

    @property
    def findings(self) -> tuple[Diagnostic, ...]:
        """The findings of all its decks."""
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
    """Implement `Game.solve`."""
    rules = resolve_limits(opened.folder, limits)
    game, faction_id = opened.model, to_nfc(faction)
    file = opened.folder.deck_file(faction_id)
    is_deck = is_file(file) or file in opened.folder.table_decks()
    if is_deck and faction_id not in game.factions:
        message = f"`{faction_id}` is a deck, but a faction is needed"
        hint = "to find the smallest change that makes it legal, use `--complete`"
        raise ChoiceError(message, hint)
    require_known(faction_id, game.factions, "faction")
    empty = empty_deck(game, faction_id)
    deck_rules = resolve_rules(game, empty, rules)
    require_valid_cards(opened, faction_id, deck_rules)
    usual = format_of(game, empty)
    format_id = None if usual is None or rules.format == usual.id else rules.format
    if like is not None:
        path = opened.folder.deck_file(to_nfc(like)) if isinstance(like, str) else like.path
        folder, setup = opened.folder, opened.setup
        with opened.use_cache():
            deck_list = require_loaded(lambda report: load.load_deck(path, folder, setup, report))
        options = options._replace(like=deck_list)
    result = solve(game, faction_id, deck_rules, options, format_id)
    decks = tuple(SolvedDeck(opened, answer, deck_rules) for answer in result.answers)
    more = tuple(find_gains(result, options)) if explain else ()
    conflict = explain_failure(result, options)
    return Solution(decks, result.impossible, result.left_out, conflict, more)
