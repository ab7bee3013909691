"""The solver as a child process, which reads a request as JSON and prints the answer as JSON.

It loads the game in the working folder itself, so that the studio's threads never wait for it.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from deckwright.api import GameError
from deckwright.api.completing import require_valid_cards
from deckwright.api.session import GameSession
from deckwright.base.findings import ChoiceError
from deckwright.checks.counting import DeckRules, zones_of
from deckwright.decks.deck_file import CardPlace, count_by_place
from deckwright.decks.solver.search import CardConstraint
from deckwright.decks.solver.solving import (
    Conflict,
    DeckProblem,
    SolveOptions,
    UnlimitedError,
    explain_failure,
    find_conflict,
    find_repairs,
    solve,
)
from deckwright.decks.solver.unbuildable import OutOfTimeError, find_addable_cards
from deckwright.game.model import Deck, Game
from deckwright.game.words import describe_bounds
from deckwright.studio.answers import Json, LocalizedError, serialize_error, to_plain
from deckwright.studio.decks.validation import resolve_rules
from deckwright.studio.drafts import (
    DraftLine,
    collect_notes,
    find_card_key,
    format_card_key,
    key_of,
    read_draft,
    serialize_draft,
)

SEARCH_SECONDS = 10.0
"""The time limit of a search."""
_NEW_CARD = "one more"
_KEEP_PREFIX = "keep "


class SolverRequest:
    """A draft with its rules, and the questions about it."""

    def __init__(self, game: GameSession, body: Mapping[str, object]) -> None:
        """Parse a request: its `draft`, and the `card` in question, if any."""
        self.model: Game = game.model
        self.deck: Deck = read_draft(body.get("draft"), self.model).deck
        self.rules: DeckRules = resolve_rules(self.model, self.deck)
        self.copies: dict[CardPlace, int] = count_by_place(self.model, self.deck)
        self.card = body.get("card")
        self.deadline = time.monotonic() + SEARCH_SECONDS
        require_valid_cards(game, self.deck.faction_id, self.rules)

    def build_question(self, more: CardPlace | None = None) -> DeckProblem:
        """Build the question whether a legal deck contains the draft, and `more`, if given."""
        wishes = [
            CardConstraint(
                f"{_KEEP_PREFIX}{place}", frozenset({place.key}), copies, zone=place.zone
            )
            for place, copies in self.copies.items()
            if place != more
        ]
        if more is not None:
            copies = self.copies.get(more, 0) + 1
            wishes.append(CardConstraint(_NEW_CARD, frozenset({more.key}), copies, zone=more.zone))
        return DeckProblem(
            self.model, self.deck.faction_id, self.rules, tuple(wishes), self.deadline
        )

    def find_conflict(self, question: DeckProblem) -> Json:
        """Return the conflicting conditions if there is no legal deck."""
        end = time.monotonic() + SEARCH_SECONDS
        conflict = find_conflict(question._replace(end=end))
        return self.serialize_conflict(conflict, in_time=time.monotonic() < end)

    def serialize_conflict(self, conflict: Conflict, *, in_time: bool = True) -> Json:
        """Return conflicting conditions as plain data.

        Args:
            in_time: whether the set is proven to be minimal.
        """
        setup = self.model.setup
        parts: list[Json] = []
        for part in conflict.parts:
            if part.limit is None:
                wish = {"wish": "card" if part.name == _NEW_CARD else "deck"}
                if wish not in parts:
                    parts.append({**wish})
                continue
            possible = part.possible and describe_bounds(setup.words, part.possible, setup)
            parts.append(
                {
                    "limit": part.name,
                    "name": part.limit.name,
                    "zone": setup.zone_name(part.limit.zone),
                    "bound": describe_bounds(setup.words, part.limit, setup),
                    "possible": possible or None,
                }
            )
        return {"parts": parts, "least": in_time}


def complete(draft: SolverRequest) -> Json:
    """Find the smallest change that makes the draft legal."""
    model, old = draft.model, draft.deck
    options = SolveOptions(nearest=old, name=old.name, seconds=SEARCH_SECONDS)
    solution = solve(model, old.faction_id, draft.rules, options, old.format)
    answer = solution.answers[0] if solution.answers else None
    changes: list[Json] = []
    entries: list[DraftLine] = []
    if answer is not None:
        changes = [
            {
                "card": key_of(mend.change.card),
                "zone": mend.change.zone,
                "by": mend.change.copies,
                "why": mend.why,
            }
            for mend in find_repairs(
                model, old, answer.deck, draft.rules, solution.problem.constraints
            )
        ]
        # The lines of the draft in its order, then the new ones.
        notes = {
            (format_card_key(place.key), place.zone or None): text
            for place, text in collect_notes(model, old).items()
        }
        lines = serialize_draft(model, old).entries
        order = {(line.card, line.zone): rank for rank, line in enumerate(lines)}
        entries = [
            line._replace(note=notes.get((line.card, line.zone), ""))
            for line in serialize_draft(model, answer.deck).entries
        ]
        entries.sort(key=lambda line: order.get((line.card, line.zone), len(order)))
    conflict = explain_failure(solution, options)
    return {
        "possible": True if answer is not None else False if solution.impossible else None,
        "proven": answer is not None and answer.values[0].proven,
        "changes": changes,
        "entries": entries,
        "conflict": draft.serialize_conflict(conflict) if conflict else None,
        "leftOut": [each.limit for each in solution.left_out],  # the limits that it ignored
    }


def find_fitting(draft: SolverRequest) -> Json:
    """Find the cards of which a legal deck can contain one more copy than the draft, and where.

    The draft's own cards stay where they are. The answer is `sure` if time sufficed for all cards.
    """
    question = draft.build_question()
    built = question.build()
    answer: Json = {"possible": True, "cards": {}, "sure": True, "conflict": None}
    answer["leftOut"] = [each.limit for each in built.left_out]
    if question.impossible:
        return {**answer, "possible": False, "conflict": draft.find_conflict(question)}
    slots = {
        CardPlace((slot.card.faction_id, slot.card.id), slot.zone.id): [slot]
        for slot in built.slots
    }
    used = set[CardPlace]()
    try:
        find_addable_cards(built, slots, draft.copies, draft.deadline, used)
    except OutOfTimeError:
        answer["sure"] = False
    cards: dict[str, list[str]] = {}
    for place in slots:
        if place in used:
            cards.setdefault(format_card_key(place.key), []).append(place.zone)
    return {**answer, "cards": cards}


def explain(draft: SolverRequest) -> Json:
    """Explain for each zone whether a legal deck contains the draft and one more copy of a card.

    `possible` is None if time ran out; if there is no such deck, `conflict` says why.
    """
    key = find_card_key(draft.card, draft.model)
    zones: dict[str, Json] = {}
    for zone in zones_of(draft.model, draft.model.cards[key]):
        question = draft.build_question(CardPlace(key, zone.id))._replace(
            end=time.monotonic() + SEARCH_SECONDS
        )
        possible = question.possible
        conflict = draft.find_conflict(question) if possible is False else None
        zones[zone.id] = {"possible": possible, "conflict": conflict}
    left_out = draft.build_question().build().left_out
    return {"zones": zones, "leftOut": [each.limit for each in left_out]}


HANDLERS: Mapping[str, Callable[[SolverRequest], Json]] = {
    "complete": complete,
    "fits": find_fitting,
    "why": explain,
}
"""The functions that answer questions, by name."""


def main(arguments: Iterable[str]) -> None:
    """Answer the question whose name is the only argument; the request is standard input."""
    (question,) = arguments
    answer: Json
    try:
        game = GameSession(Path.cwd(), keep=True)
        answer = {"answer": HANDLERS[question](SolverRequest(game, json.load(sys.stdin)))}
    except UnlimitedError as error:
        card, zone = error.slot.card.name, error.slot.zone.name
        endless = LocalizedError(
            "decks-endless", card, zone, message=error.message, hint=error.hint
        )
        answer = {"refused": serialize_error(endless)}
    except ChoiceError as error:
        answer = {"refused": serialize_error(error)}
    except GameError as error:
        answer = {"refused": serialize_error(LocalizedError("decks-faulty", message=str(error)))}
    json.dump(to_plain(answer), sys.stdout)


if __name__ == "__main__":
    main(sys.argv[1:])
