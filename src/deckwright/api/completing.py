"""Decks made legal by the smallest change, for programs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from deckwright.api.options import GameError, Limits, resolve_limits
from deckwright.api.session import GameSession
from deckwright.base.files import is_file
from deckwright.base.findings import ChoiceError, Report, is_error
from deckwright.base.names import to_nfc
from deckwright.base.output import write_data
from deckwright.checks.counting import DeckRules
from deckwright.checks.limits import resolve_deck_rules
from deckwright.checks.loading import LimitOptions, load_deck
from deckwright.decks.deck_file import edit_deck_file, format_deck_file, make_edits
from deckwright.decks.solver.solving import Repair, explain_failure, find_repairs, solve


def require_valid_cards(opened: GameSession, faction_id: str, held: DeckRules) -> None:
    """Raise a GameError for mistakes in what decks of a faction may have."""
    from deckwright.decks.solver.building import source_factions  # noqa: PLC0415 - only to solve

    folder, factions = opened.folder, opened.model.factions
    used = {factions[i].cards_of or i for i in source_factions(opened.model, faction_id, held)}
    others = {folder.cards_file(each) for each in factions if each not in used}
    errors = [
        finding
        for finding in opened.reading.faults
        if is_error(finding) and not (finding.location and finding.location.path in others)
    ]
    if errors:
        raise GameError(errors)


if TYPE_CHECKING:
    from deckwright.decks.solver.solving import Conflict, SolveOptions, SolveResult
    from deckwright.game.model import Deck


class _DeckPair(NamedTuple):
    """A deck as it is listed, and as it may be."""

    game: GameSession
    path: Path
    old: Deck
    new: Deck | None


class Completion:
    """What makes a deck legal. Nothing is written until you say so.

    Attributes:
        changes: what is to be taken out and put in, each `change` with `why`: the ids of the limits
            that would be broken without it. None are needed if the deck is legal.
        possible: whether a legal deck is known.
        proven: whether no smaller change would do; the time may not have been enough to know.
        conflict: if there is no legal deck, the limits and wishes that cannot all hold.
        left_out: limits that the search could not regard, each with a reason.
        findings: warnings of limits, and errors of those that were left out.
    """

    def __init__(
        self,
        legal: _DeckPair,
        changes: tuple[Repair, ...],
        found: SolveResult,
        conflict: Conflict | None,
    ) -> None:
        """Completions come from `Deck.complete`."""
        self._legal = legal
        self.changes, self.conflict, self.left_out = changes, conflict, found.left_out
        self.possible = legal.new is not None
        self.proven = all(answer.values[0].proven for answer in found.answers)
        self.findings = tuple(finding for each in found.answers for finding in each.findings)

    def write(self, path: Path | str | None = None) -> Path:
        """Write the changed deck list, and return its file; comments, order and form stay.

        Args:
            path: the file to write; None for the deck's own.

        Raises:
            GameError: if the file cannot be written.
            ValueError: if there is no legal deck, or the deck's own file is a table.
        """
        game, own, old, new = self._legal
        if new is None:
            raise ChoiceError(f"no legal deck is near to `{own.stem}`")
        listed = is_file(own)
        if path is None and not listed:
            message = f"`{own.stem}` stands in `{old.source.path.name}`, which is a table"
            raise ChoiceError(message, "make these changes there, or write a deck list elsewhere")
        target, report = own if path is None else Path(path), Report()
        edits = make_edits(game.model, old, (mend.change for mend in self.changes))
        data = edit_deck_file(own, game.model, old, edits) if listed else format_deck_file(new)
        if not write_data(target, data, report):
            raise GameError(report)
        return target


def find_completion(
    game: GameSession, path: Path, options: SolveOptions, limits: Limits
) -> Completion:
    """Make a deck legal, as `Deck.complete` says."""
    rules = resolve_limits(game.folder, limits)
    report: Report = []
    with game.keeping():
        loaded = load_deck(game.folder, path, LimitOptions(ignore=True), report)
    if loaded is None:
        raise GameError(report)
    old, model = loaded[1], game.model
    held = resolve_deck_rules(model, old, rules.format, rules.changes, rules.date)
    held = DeckRules() if rules.ignore else held
    require_valid_cards(game, old.faction_id, held)
    options = options._replace(
        nearest=old,
        name=old.name,
        include=tuple(map(to_nfc, options.include)),
        exclude=tuple(map(to_nfc, options.exclude)),
    )
    found = solve(model, old.faction_id, held, options, old.format)
    new = found.answers[0].deck if found.answers else None
    changes = tuple(find_repairs(model, old, new, held, found.question.wishes)) if new else ()
    return Completion(
        _DeckPair(game, path, old, new), changes, found, explain_failure(found, options)
    )
