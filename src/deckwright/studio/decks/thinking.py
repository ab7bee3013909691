"""What the solver says of a draft: the program of a process of its own, JSON in and JSON out.

It reads the game in the working folder afresh, so that the studio's own thread never waits for it.
"""

from __future__ import annotations

import json
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from deckwright.api import GameError
from deckwright.api.lenders import demand_whole
from deckwright.api.opened import Opened
from deckwright.base.choices import ChoiceError
from deckwright.checks.counting import Held
from deckwright.decks.solver.completing import mends
from deckwright.decks.solver.conflict import Conflict, Question, conflict_of
from deckwright.decks.solver.contents import Slot
from deckwright.decks.solver.explaining import why_none
from deckwright.decks.solver.reaching import OutOfTimeError, reach
from deckwright.decks.solver.solving import SolveOptions, solve
from deckwright.decks.solver.wishes import Wish
from deckwright.game.model import CardKey, Deck, Game
from deckwright.game.words import bound_words
from deckwright.studio.decks.drafts import key_of, known_card, notes_of, read_draft, told
from deckwright.studio.decks.judging import held_of

Json = dict[str, object]
SECONDS = 10.0
"""How long a search may take."""
_CARD = "one more"
_KEPT = "keep "


class _Held:
    """A draft, and what it is held to."""

    def __init__(self, game: Opened, said: Mapping[str, object]) -> None:
        self.model: Game = game.model
        self.deck: Deck = read_draft(said.get("draft"), self.model).deck
        self.held: Held = held_of(self.model, self.deck)
        self.card = said.get("card")
        self.end = time.monotonic() + SECONDS
        demand_whole(game, self.deck.faction_id, self.held)

    @property
    def had(self) -> Counter[CardKey]:
        """How many copies of each card the draft has."""
        copies: Counter[CardKey] = Counter()
        for entry in self.deck.entries:
            copies[entry.faction_id, entry.card_id] += entry.copies
        return copies

    def question(self, more: CardKey | None = None) -> Question:
        """Return whether a legal deck has all copies of the draft, and one more of a card."""
        had = self.had
        wishes = [
            Wish(f"{_KEPT}{key_of(key)}", frozenset({key}), copies)
            for key, copies in had.items()
            if key != more
        ]
        if more is not None:
            wishes.append(Wish(_CARD, frozenset({more}), had[more] + 1))
        return Question(self.model, self.deck.faction_id, self.held, tuple(wishes), self.end)

    def told(self, found: Conflict | None) -> Json | None:
        """Return what cannot all hold."""
        if found is None:
            return None
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
        return {"parts": parts, "only": found.only, "text": str(found)}


def completed(draft: _Held) -> Json:
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
    return {
        "possible": answer is not None,
        "proven": answer is not None and answer.values[0].proven,
        "changes": changes,
        "entries": _in_order(draft, answer.deck) if answer else [],
        "conflict": draft.told(why_none(found, options)),
        "leftOut": [each._asdict() for each in found.left_out],
    }


def _in_order(draft: _Held, new: Deck) -> list[object]:
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


def fitting(draft: _Held) -> Json:
    """Return the cards of which a legal deck can have one more, with all that the draft has."""
    question = draft.question()
    if question.impossible:
        conflict = conflict_of(question._replace(end=time.monotonic() + SECONDS))
        return {"possible": False, "cards": [], "sure": True, "conflict": draft.told(conflict)}
    built, slots = question.built(), dict[CardKey, list[Slot]]()
    for slot in built.slots:
        slots.setdefault((slot.card.faction_id, slot.card.id), []).append(slot)
    used, sure = set[CardKey](), True
    try:
        reach(built, slots, draft.had, draft.end, used)
    except OutOfTimeError:
        sure = False
    cards = [key_of(key) for key in slots if key in used]
    return {"possible": True, "cards": cards, "sure": sure, "conflict": None}


def reasons(draft: _Held) -> Json:
    """Return why no legal deck has all that the draft has, and one more of a card."""
    question = draft.question(known_card(draft.card, draft.model))
    impossible = question.impossible
    conflict = None
    if impossible:
        conflict = conflict_of(question._replace(end=time.monotonic() + SECONDS))
    return {"possible": not impossible, "conflict": draft.told(conflict), "solved": True}


ANSWERS: Mapping[str, Callable[[_Held], Json]] = {
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
        answer = {"answer": ANSWERS[question](_Held(game, json.load(sys.stdin)))}
    except ChoiceError as error:
        answer = {"message": error.message, "hint": error.hint}
    except GameError as error:
        answer = {"message": str(error), "hint": None}
    json.dump(answer, sys.stdout)


if __name__ == "__main__":
    main(sys.argv[1:])
