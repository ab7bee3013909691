"""Find the best decks, and the smallest change that makes a deck legal."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from deckwright.api.decks import Deck
from deckwright.api.faces import Card
from deckwright.api.options import (
    GameError,
    Limits,
    game_errors,
    require_loaded,
    resolve_limits,
    resolve_rules,
)
from deckwright.api.session import GameSession
from deckwright.base.files import is_file, to_nfc
from deckwright.base.findings import ChoiceError, Diagnostic, is_error, require_known
from deckwright.base.output import write_data
from deckwright.checks.counting import DeckRules
from deckwright.checks.loading import LimitOptions, load_deck
from deckwright.decks.deck_file import edit_deck_file, format_deck_file, make_edits
from deckwright.decks.solver.building import source_factions
from deckwright.decks.solver.solving import Repair, explain_failure, find_gains, find_repairs, solve
from deckwright.decks.stats import deck_stats
from deckwright.game import load
from deckwright.game.decklist import empty_deck, format_of

if TYPE_CHECKING:
    from deckwright.decks.solver.building import OmittedLimit
    from deckwright.decks.solver.solving import (
        AimValue,
        Answer,
        Conflict,
        Gain,
        SolveOptions,
        SolveResult,
    )
    from deckwright.decks.stats import DeckStats
    from deckwright.game import model


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


def require_valid_cards(opened: GameSession, faction_id: str, deck_rules: DeckRules) -> None:
    """Raise a GameError if cards that a faction's decks may contain have errors."""
    folder, factions = opened.folder, opened.model.factions
    used = {
        factions[i].cards_of or i for i in source_factions(opened.model, faction_id, deck_rules)
    }
    others = {folder.cards_file(each) for each in factions if each not in used}
    errors = [
        finding
        for finding in opened.reading.faults
        if is_error(finding) and not (finding.location and finding.location.path in others)
    ]
    if errors:
        raise GameError(errors)


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
        raise ChoiceError(
            message, "to find the smallest change that makes it legal, use `--complete`"
        )
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


class Completion:
    """The smallest change that makes a deck legal. Only `write` changes a file.

    Attributes:
        changes: the copies to add and remove, each `change` with `why`: the ids of the limits that
            would be broken without it. Empty if the deck is legal.
        possible: whether a legal deck was found.
        proven: whether the change is proven to be the smallest; false if time ran out.
        conflict: the conflicting limits and card constraints if there is no legal deck.
        left_out: the limits that the solver cannot handle, each with a reason.
        findings: warnings of limits, and errors of limits that were left out.
    """

    def __init__(
        self,
        game: GameSession,
        path: Path,
        old: model.Deck,
        new: model.Deck | None,
        changes: tuple[Repair, ...],
        result: SolveResult,
        conflict: Conflict | None,
    ) -> None:
        """Completions come from `Deck.complete`."""
        self._game, self._path, self._old, self._new = game, path, old, new
        self.changes, self.conflict, self.left_out = changes, conflict, result.left_out
        self.possible = new is not None
        self.proven = all(answer.values[0].proven for answer in result.answers)
        self.findings = tuple(finding for each in result.answers for finding in each.findings)

    def write(self, path: Path | str | None = None) -> Path:
        """Write the changed deck list and return its path. Comments, order and formatting are kept.

        Args:
            path: the file to write; None overwrites the deck's own file.

        Raises:
            GameError: if the file cannot be written.
            ValueError: if there is no legal deck, or the deck's own file is a table.
        """
        game, own, old, new = self._game.model, self._path, self._old, self._new
        if new is None:
            raise ChoiceError(f"no legal deck is close to `{own.stem}`")
        listed = is_file(own)
        if path is None and not listed:
            message = f"`{own.stem}` comes from `{old.source.path.name}`, which is a table"
            raise ChoiceError(
                message, "make these changes there, or write the deck list to another file"
            )
        target = own if path is None else Path(path)
        edits = make_edits(game, old, (mend.change for mend in self.changes))
        data = edit_deck_file(own, game, old, edits) if listed else format_deck_file(new)
        with game_errors():
            write_data(target, data)
        return target


def find_completion(
    game: GameSession, path: Path, options: SolveOptions, limits: Limits
) -> Completion:
    """Implement `Deck.complete`."""
    rules = resolve_limits(game.folder, limits)
    _, old, _ = game.load(
        lambda report: load_deck(game.folder, path, LimitOptions(ignore=True), report)
    )
    deck_rules = resolve_rules(game.model, old, rules)
    require_valid_cards(game, old.faction_id, deck_rules)
    options = options._replace(nearest=old, name=old.name)
    result = solve(game.model, old.faction_id, deck_rules, options, old.format)
    new = result.answers[0].deck if result.answers else None
    constraints = result.problem.constraints
    repairs = find_repairs(game.model, old, new, deck_rules, constraints) if new else ()
    conflict = explain_failure(result, options)
    return Completion(game, path, old, new, tuple(repairs), result, conflict)
