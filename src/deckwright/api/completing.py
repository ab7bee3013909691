"""Repair a deck: find the smallest change that makes it legal."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from deckwright.api.options import GameError, Limits, game_errors, resolve_limits, resolve_rules
from deckwright.api.session import GameSession
from deckwright.base.files import is_file
from deckwright.base.findings import ChoiceError, is_error
from deckwright.base.output import write_data
from deckwright.checks.counting import DeckRules
from deckwright.checks.loading import LimitOptions, load_deck
from deckwright.decks.deck_file import edit_deck_file, format_deck_file, make_edits
from deckwright.decks.solver.solving import Repair, explain_failure, find_repairs, solve

if TYPE_CHECKING:
    from deckwright.decks.solver.solving import Conflict, SolveOptions, SolveResult
    from deckwright.game.model import Deck


def require_valid_cards(opened: GameSession, faction_id: str, deck_rules: DeckRules) -> None:
    """Raise a GameError if cards that a faction's decks may contain have errors."""
    from deckwright.decks.solver.building import source_factions  # only to solve

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
        old: Deck,
        new: Deck | None,
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
        model, own, old, new = self._game.model, self._path, self._old, self._new
        if new is None:
            raise ChoiceError(f"no legal deck is close to `{own.stem}`")
        listed = is_file(own)
        if path is None and not listed:
            message = f"`{own.stem}` comes from `{old.source.path.name}`, which is a table"
            hint = "make these changes there, or write the deck list to another file"
            raise ChoiceError(message, hint)
        target = own if path is None else Path(path)
        edits = make_edits(model, old, (mend.change for mend in self.changes))
        data = edit_deck_file(own, model, old, edits) if listed else format_deck_file(new)
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
    model = game.model
    deck_rules = resolve_rules(model, old, rules)
    require_valid_cards(game, old.faction_id, deck_rules)
    options = options._replace(nearest=old, name=old.name)
    result = solve(model, old.faction_id, deck_rules, options, old.format)
    new = result.answers[0].deck if result.answers else None
    constraints = result.problem.constraints
    repairs = find_repairs(model, old, new, deck_rules, constraints) if new else ()
    conflict = explain_failure(result, options)
    return Completion(game, path, old, new, tuple(repairs), result, conflict)
