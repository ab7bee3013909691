"""What the solver says of a draft: the program of a process of its own, JSON in and JSON out.

It reads the game in the working folder afresh, so that the studio's own thread never waits for it.
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
from deckwright.decks.solver.building import OmittedLimit
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
from deckwright.studio.answers import LocalizedError, serialize_error
from deckwright.studio.decks.drafts import (
    collect_notes,
    find_card_key,
    format_card_key,
    read_draft,
    serialize_draft,
)
from deckwright.studio.decks.validation import resolve_rules

Json = dict[str, object]
SEARCH_SECONDS = 10.0
"""How long a search may take."""
_NEW_CARD = "one more"
_KEEP_PREFIX = "keep "


class SolverRequest:
    """A draft, and what it is held to."""

    def __init__(self, game: GameSession, said: Mapping[str, object]) -> None:
        """Take the game, and what was sent: its `draft`, and the `card` that is asked about."""
        self.model: Game = game.model
        self.deck: Deck = read_draft(said.get("draft"), self.model).deck
        self.held: DeckRules = resolve_rules(self.model, self.deck)
        self.card = said.get("card")
        self.end = time.monotonic() + SEARCH_SECONDS
        require_valid_cards(game, self.deck.faction_id, self.held)

    @property
    def had(self) -> dict[CardPlace, int]:
        """How many copies of each card the draft has where."""
        return count_by_place(self.model, self.deck)

    def question(self, more: CardPlace | None = None) -> DeckProblem:
        """Return whether a legal deck has all that the draft has where it is, and one copy more."""
        had = self.had
        wishes = [
            CardConstraint(
                f"{_KEEP_PREFIX}{place}", frozenset({place.key}), copies, zone=place.zone
            )
            for place, copies in had.items()
            if place != more
        ]
        if more is not None:
            copies = had.get(more, 0) + 1
            wishes.append(CardConstraint(_NEW_CARD, frozenset({more.key}), copies, zone=more.zone))
        return DeckProblem(self.model, self.deck.faction_id, self.held, tuple(wishes), self.end)

    def conflict(self, question: DeckProblem) -> Json:
        """Return what cannot all hold where there is no deck."""
        end = time.monotonic() + SEARCH_SECONDS
        found = find_conflict(question._replace(end=end))
        return self.told(found, in_time=time.monotonic() < end)

    def told(self, found: Conflict, *, in_time: bool = True) -> Json:
        """Return what cannot all hold.

        Args:
            in_time: whether it is sure that nothing of it can be left aside.
        """
        setup = self.model.setup
        parts: list[Json] = []
        for part in found.parts:
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
    """Return the smallest change that makes the draft legal."""
    model, old = draft.model, draft.deck
    options = SolveOptions(nearest=old, name=old.name, seconds=SEARCH_SECONDS)
    found = solve(model, old.faction_id, draft.held, options, old.format)
    answer = found.answers[0] if found.answers else None
    changes: list[Json] = []
    if answer is not None:
        changes = [
            {
                "card": format_card_key((mend.change.card.faction_id, mend.change.card.id)),
                "zone": mend.change.zone,
                "by": mend.change.copies,
                "why": mend.why,
            }
            for mend in find_repairs(model, old, answer.deck, draft.held, found.question.wishes)
        ]
    conflict = explain_failure(found, options)
    return {
        "possible": True if answer is not None else False if found.impossible else None,
        "proven": answer is not None and answer.values[0].proven,
        "changes": changes,
        "entries": _order_lines(draft, answer.deck) if answer else [],
        "conflict": draft.told(conflict) if conflict else None,
        "leftOut": _left_out_ids(found.left_out),
    }


def _left_out_ids(limits: Iterable[OmittedLimit]) -> list[str]:
    """Return the ids of limits that were not regarded."""
    return [each.limit for each in limits]


def _order_lines(draft: SolverRequest, new: Deck) -> list[object]:
    """Return the lines of a deck: those of the draft as they stand there, new ones behind them."""
    notes = {
        (format_card_key(place.key), place.zone or None): text
        for place, text in collect_notes(draft.model, draft.deck).items()
    }
    order = {
        (line["card"], line["zone"]): rank
        for rank, line in enumerate(serialize_draft(draft.model, draft.deck)["entries"])
    }
    lines = serialize_draft(draft.model, new)["entries"]
    for line in lines:
        line["note"] = notes.get((line["card"], line["zone"]), "")
    return [*sorted(lines, key=lambda line: order.get((line["card"], line["zone"]), len(order)))]


def find_fitting(draft: SolverRequest) -> Json:
    """Return in which zones a legal deck can have one more of a card, with all that the draft has.

    All that the draft has stays where it is. It is `sure` where there was time to try all cards.
    """
    question = draft.question()
    built = question.built()
    told: Json = {"possible": True, "cards": {}, "sure": True, "conflict": None}
    told["leftOut"] = _left_out_ids(built.left_out)
    if question.impossible:
        return {**told, "possible": False, "conflict": draft.conflict(question)}
    slots = {
        CardPlace((slot.card.faction_id, slot.card.id), slot.zone.id): [slot]
        for slot in built.slots
    }
    used = set[CardPlace]()
    try:
        find_addable_cards(built, slots, draft.had, draft.end, used)
    except OutOfTimeError:
        told["sure"] = False
    cards: dict[str, list[str]] = {}
    for place in slots:
        if place in used:
            cards.setdefault(format_card_key(place.key), []).append(place.zone)
    return {**told, "cards": cards}


def explain(draft: SolverRequest) -> Json:
    """Return for each zone whether a legal deck has all that the draft has and one more of a card.

    It is None where there was no time to tell; where there is no such deck, it says why.
    """
    key = find_card_key(draft.card, draft.model)
    zones: dict[str, Json] = {}
    for zone in zones_of(draft.model, draft.model.cards[key]):
        question = draft.question(CardPlace(key, zone.id))._replace(
            end=time.monotonic() + SEARCH_SECONDS
        )
        possible = question.possible
        conflict = draft.conflict(question) if possible is False else None
        zones[zone.id] = {"possible": possible, "conflict": conflict}
    return {"zones": zones, "leftOut": _left_out_ids(draft.question().built().left_out)}


HANDLERS: Mapping[str, Callable[[SolverRequest], Json]] = {
    "complete": complete,
    "fits": find_fitting,
    "why": explain,
}
"""What the solver is asked, by the name of the question."""


def main(arguments: Iterable[str]) -> None:
    """Answer the question that is named: the draft is read from the standard input."""
    (question,) = arguments
    answer: Json
    try:
        game = GameSession(Path.cwd(), keep=True)
        answer = {"answer": HANDLERS[question](SolverRequest(game, json.load(sys.stdin)))}
    except UnlimitedError as error:
        card, zone = error.slot.card.name, error.slot.zone.name
        mistake = LocalizedError(
            "decks-endless", card, zone, message=error.message, hint=error.hint
        )
        answer = serialize_error(mistake)
    except ChoiceError as error:
        answer = serialize_error(error)
    except GameError as error:
        answer = serialize_error(LocalizedError("decks-faulty", message=str(error)))
    json.dump(answer, sys.stdout)


if __name__ == "__main__":
    main(sys.argv[1:])
