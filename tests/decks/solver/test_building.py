"""What decks are sought by: each kind of limit at its bound, where one copy more would break it."""

from __future__ import annotations

from pathlib import Path

import pytest

from deckwright.base.findings import Report
from deckwright.checks.counting import DeckRules
from deckwright.checks.limits import check_limits, select_limits
from deckwright.decks.solver.building import DeckProgram, build_program
from deckwright.decks.solver.highs import HighsSolver, SolverStatus
from deckwright.decks.solver.program import sum_of_products
from deckwright.game.model import Deck, DeckEntry, Game
from support import card, load_all, uses, write_game

CARDS = [
    card("A1", "Scout", "AA", uses("call", "run"), level=1, costs=2),
    card("A2", "Scout", level=1, costs=3),
    card("A3", "Queen", "AA", uses("run"), level=2, costs=9),
    card("A4", "Drone", level=2, costs=4),
    card("B1", "Stinger", "BB", level=1, costs=5),
    card("G1", "Pilgrim", "GG", uses("call"), level=1, costs=7),
]
RULES = [
    f'<rule id="{name}" type="passive" effect="It does."><label GEN="{name}"/></rule>'
    for name in ("call", "run")
]
BOUNDED = '<limit id="bounded" name="cards" zone="main" per="id" max="9"/>'
BOUNDED += '<limit id="guests" name="cards" zone="side" max="9"/>'


def limit(inside: str = "", **attributes: object) -> str:
    written = " ".join(f'{name}="{value}"' for name, value in attributes.items())
    return f'<limit id="x" name="things" zone="main" {written}>{inside}</limit>'


def game_of(folder: Path, limits: str) -> Game:
    write_game(folder, CARDS, rules=RULES, limits=limits)
    return load_all(folder)


def held_of(game: Game, faction: str = "AA") -> DeckRules:
    return DeckRules(
        select_limits(game.setup, faction, None, {}), game.restrictions_for(None, None)
    )


def best(built: DeckProgram, *weights: tuple[str, int]) -> dict[str, int] | None:
    """Return the deck that has most of some cards, each so many times as important."""
    factors = dict(weights)
    aim = sum_of_products((factors.get(slot.card.id, 0), slot.copies) for slot in built.slots)
    found = HighsSolver(built.program).maximize(aim)
    if found.status is SolverStatus.INFEASIBLE or found.values is None:
        return None
    values = found.values
    return {
        built.program.variables[slot.number].name: values[slot.number]
        for slot in built.slots
        if values[slot.number]
    }


def checked(
    game: Game, built: DeckProgram, values: dict[str, int], faction: str = "AA"
) -> list[str]:
    """Return what is wrong with a deck of these copies."""
    slots = {built.program.variables[slot.number].name: slot for slot in built.slots}
    source = game.setup.source
    entries = tuple(
        DeckEntry(slot.card.faction_id, slot.card.id, copies, source, slot.zone.id)
        for name, copies in values.items()
        for slot in [slots[name]]
    )
    report: Report = []
    deck = Deck("deck", "Deck", faction, None, entries, source)
    check_limits(game, deck, held_of(game, faction), report)
    return [finding.message for finding in report]


MOST = [("A1", 1), ("A2", 1), ("A3", 1), ("A4", 1), ("B1", 1), ("G1", 1)]
"""As many copies as can be."""


@pytest.mark.parametrize(
    ("limits", "copies"),
    [
        ("", 54),
        (limit(max=10), 19),
        (limit(where="level=2", max=3), 27 + 3 + 9),
        (limit(sum="costs", max=29), 9 + 3 + 9),
        (limit(sum="costs", max=30), 9 + 4 + 9),
        (limit(per="name", max=4), 4 * 4 + 9),
        (limit(per="level", max=4), 8 + 9),
        (limit(per="level", sum="costs", max=11), 5 + 2 + 9),
        (limit(faction="own"), 36 + 9),
        (limit(distinct="name", max=2), 27 + 9),
        (limit(distinct="level", max=1), 27 + 9),
        (limit(exactly=7), 7 + 9),
        (limit(max="{{ side.cards }}"), 9 + 9),
        (limit(max="{{ side.cards // 2 }}"), 4 + 9),
        (limit(max="{{ 20 - 2 * side.cards }}"), 20),
        (limit(max="{{ 5 + 20 * (side.cards &lt; 5) }}"), 25 + 4),
        (limit(where="faction_id!={{ deck.faction_id }}", max=2), 36 + 2 + 9),
        (limit(where="rules={{ side.rules }}", max=0), 45),
        (limit(where="rules not in {{ side.rules }}", max=0), 27 + 9),
        (limit(where="costs&lt;{{ side.costs }}", max=0), 45),
        (limit(where="costs&gt;{{ side.costs }}", max=2), 36 + 2 + 9),
        (
            limit("<free where='level=2' min='5' others='level=1'/>", sum="costs", max=10),
            18 + 5 + 9,
        ),
        (
            limit("<free where='level=1' min='5' same='faction_id'/>", sum="costs", max=20),
            5 + 18 + 9,
        ),
    ],
)
def test_as_many_copies_as_limits_allow(tmp_path: Path, limits: str, copies: int) -> None:
    game = game_of(tmp_path, BOUNDED + limits)
    built = build_program(game, "AA", held_of(game))
    assert built.left_out == ()
    found = best(built, *MOST)
    assert found is not None
    assert checked(game, built, found) == []
    assert sum(found.values()) == copies
