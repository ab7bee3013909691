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
from deckwright.api.completing import demand_whole
from deckwright.api.session import Opened
from deckwright.base.findings import ChoiceError
from deckwright.checks.counting import Held, zones_of
from deckwright.decks.deck_file import Place, copies_of
from deckwright.decks.solver.building import LeftOut
from deckwright.decks.solver.search import Wish
from deckwright.decks.solver.solving import (
    Conflict,
    Question,
    SolveOptions,
    UnlimitedError,
    conflict_of,
    mends,
    solve,
    why_none,
)
from deckwright.decks.solver.unbuildable import OutOfTimeError, reach
from deckwright.game.model import Deck, Game
from deckwright.game.words import bound_words
from deckwright.studio.answers import SaidError, said
from deckwright.studio.decks.drafts import key_of, known_card, notes_of, read_draft, told
from deckwright.studio.decks.validation import held_of

Json = dict[str, object]
SECONDS = 10.0
"""How long a search may take."""
_CARD = "one more"
_KEPT = "keep "


class Asked:
    """A draft, and what it is held to."""

    def __init__(self, game: Opened, said: Mapping[str, object]) -> None:
        """Take the game, and what was sent: its `draft`, and the `card` that is asked about."""
        self.model: Game = game.model
        self.deck: Deck = read_draft(said.get("draft"), self.model).deck
        self.held: Held = held_of(self.model, self.deck)
        self.card = said.get("card")
        self.end = time.monotonic() + SECONDS
        demand_whole(game, self.deck.faction_id, self.held)

    @property
    def had(self) -> dict[Place, int]:
        """How many copies of each card the draft has where."""
        return copies_of(self.model, self.deck)

    def question(self, more: Place | None = None) -> Question:
        """Return whether a legal deck has all that the draft has where it is, and one copy more."""
        had = self.had
        wishes = [
            Wish(f"{_KEPT}{place}", frozenset({place.key}), copies, zone=place.zone)
            for place, copies in had.items()
            if place != more
        ]
        if more is not None:
            copies = had.get(more, 0) + 1
            wishes.append(Wish(_CARD, frozenset({more.key}), copies, zone=more.zone))
        return Question(self.model, self.deck.faction_id, self.held, tuple(wishes), self.end)

    def conflict(self, question: Question) -> Json:
        """Return what cannot all hold where there is no deck."""
        end = time.monotonic() + SECONDS
        found = conflict_of(question._replace(end=end))
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
                wish = {"wish": "card" if part.name == _CARD else "deck"}
                if wish not in parts:
                    parts.append({**wish})
                continue
            possible = part.possible and bound_words(setup.words, part.possible, setup)
            parts.append(
                {
                    "limit": part.name,
                    "name": part.limit.name,
                    "zone": setup.zone_name(part.limit.zone),
                    "bound": bound_words(setup.words, part.limit, setup),
                    "possible": possible or None,
                }
            )
        return {"parts": parts, "least": in_time}


def completed(draft: Asked) -> Json:
    """Return the smallest change that makes the draft legal."""
    model, old = draft.model, draft.deck
    options = SolveOptions(nearest=old, name=old.name, seconds=SECONDS)
    found = solve(model, old.faction_id, draft.held, options, old.format)
    answer = found.answers[0] if found.answers else None
    changes: list[Json] = []
    if answer is not None:
        changes = [
            {
                "card": key_of((mend.change.card.faction_id, mend.change.card.id)),
                "zone": mend.change.zone,
                "by": mend.change.copies,
                "why": mend.why,
            }
            for mend in mends(model, old, answer.deck, draft.held, found.question.wishes)
        ]
    conflict = why_none(found, options)
    return {
        "possible": True if answer is not None else False if found.impossible else None,
        "proven": answer is not None and answer.values[0].proven,
        "changes": changes,
        "entries": _in_order(draft, answer.deck) if answer else [],
        "conflict": draft.told(conflict) if conflict else None,
        "leftOut": _left_out(found.left_out),
    }


def _left_out(limits: Iterable[LeftOut]) -> list[str]:
    """Return the ids of limits that were not regarded."""
    return [each.limit for each in limits]


def _in_order(draft: Asked, new: Deck) -> list[object]:
    """Return the lines of a deck: those of the draft as they stand there, new ones behind them."""
    notes = {
        (key_of(place.key), place.zone or None): text
        for place, text in notes_of(draft.model, draft.deck).items()
    }
    order = {
        (line["card"], line["zone"]): rank
        for rank, line in enumerate(told(draft.model, draft.deck)["entries"])
    }
    lines = told(draft.model, new)["entries"]
    for line in lines:
        line["note"] = notes.get((line["card"], line["zone"]), "")
    return [*sorted(lines, key=lambda line: order.get((line["card"], line["zone"]), len(order)))]


def fitting(draft: Asked) -> Json:
    """Return in which zones a legal deck can have one more of a card, with all that the draft has.

    All that the draft has stays where it is. It is `sure` where there was time to try all cards.
    """
    question = draft.question()
    built = question.built()
    told: Json = {"possible": True, "cards": {}, "sure": True, "conflict": None}
    told["leftOut"] = _left_out(built.left_out)
    if question.impossible:
        return {**told, "possible": False, "conflict": draft.conflict(question)}
    slots = {
        Place((slot.card.faction_id, slot.card.id), slot.zone.id): [slot] for slot in built.slots
    }
    used = set[Place]()
    try:
        reach(built, slots, draft.had, draft.end, used)
    except OutOfTimeError:
        told["sure"] = False
    cards: dict[str, list[str]] = {}
    for place in slots:
        if place in used:
            cards.setdefault(key_of(place.key), []).append(place.zone)
    return {**told, "cards": cards}


def reasons(draft: Asked) -> Json:
    """Return for each zone whether a legal deck has all that the draft has and one more of a card.

    It is None where there was no time to tell; where there is no such deck, it says why.
    """
    key = known_card(draft.card, draft.model)
    zones: dict[str, Json] = {}
    for zone in zones_of(draft.model, draft.model.cards[key]):
        question = draft.question(Place(key, zone.id))._replace(end=time.monotonic() + SECONDS)
        possible = question.possible
        conflict = draft.conflict(question) if possible is False else None
        zones[zone.id] = {"possible": possible, "conflict": conflict}
    return {"zones": zones, "leftOut": _left_out(draft.question().built().left_out)}


ANSWERS: Mapping[str, Callable[[Asked], Json]] = {
    "complete": completed,
    "fits": fitting,
    "why": reasons,
}
"""What the solver is asked, by the name of the question."""


def main(arguments: Iterable[str]) -> None:
    """Answer the question that is named: the draft is read from the standard input."""
    (question,) = arguments
    answer: Json
    try:
        game = Opened(Path.cwd(), keep=True)
        answer = {"answer": ANSWERS[question](Asked(game, json.load(sys.stdin)))}
    except UnlimitedError as error:
        card, zone = error.slot.card.name, error.slot.zone.name
        mistake = SaidError("decks-endless", card, zone, message=error.message, hint=error.hint)
        answer = said(mistake)
    except ChoiceError as error:
        answer = said(error)
    except GameError as error:
        answer = said(SaidError("decks-faulty", message=str(error)))
    json.dump(answer, sys.stdout)


if __name__ == "__main__":
    main(sys.argv[1:])
