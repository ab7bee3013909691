"""Axes with round numbers, and charts in characters."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from deckwright.checks.loading import LimitOptions
from deckwright.cli.answer_text import plot_lines
from deckwright.decks.answers import Plot, make_axis
from deckwright.decks.balance.model import survey
from deckwright.decks.balance.report import describe_balance
from deckwright.game.deck_rules import parse_measure
from support import card, load_all, write_game


@pytest.mark.parametrize(
    ("values", "ticks"),
    [
        ([3, 9], [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]),
        ([1, 26], [0, 5, 10, 15, 20, 25, 30]),
        ([100, 104], [100, 101, 102, 103, 104]),
        ([0.1, 0.5], [0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5]),
        ([-7, 8], [-8, -6, -4, -2, 0, 2, 4, 6, 8]),
        ([-9, -3], [-9, -8, -7, -6, -5, -4, -3, -2, -1, 0]),
        ([2000, 9000], [0, *range(1000, 9001, 1000)]),
        ([5], [0, 1, 2, 3, 4, 5]),
        ([0], [0, 1]),
        ([-2], [-2, -1, 0]),
    ],
)
def test_an_axis_has_round_numbers_and_0_if_it_is_near(
    values: Sequence[float], ticks: Sequence[float]
) -> None:
    found = make_axis(values, 0, 100)
    assert [*found.ticks] == [*ticks]
    assert found.low <= min(values) <= max(values) <= found.high


def test_numbers_lie_on_an_axis_in_order() -> None:
    found = make_axis([0, 10], 50, 10)
    assert [found.at(number) for number in (0, 5, 10)] == [50, 30, 10]


def chart(folder: Path, *actions_and_costs: tuple[int, int]) -> list[str]:
    cards = [
        card(f"A{n}", f"Ant {n}", actions=actions, costs=costs)
        for n, (actions, costs) in enumerate(actions_and_costs, 1)
    ]
    game = load_all(write_game(folder, cards))
    worth, cost = (parse_measure(name, {name}) for name in ("actions", "costs"))
    balance = survey(game, LimitOptions(), worth, cost)
    assert balance.line is not None
    (plot,) = (
        block
        for section in describe_balance(balance).sections
        for block in section.blocks
        if isinstance(block, Plot)
    )
    return [line.removeprefix("  ") for line in plot_lines(plot, "en")][1:-1]


def test_a_chart_in_characters_has_each_card_at_its_place(tmp_path: Path) -> None:
    """Numbers say how many share a place; the only one that is far away has its name."""
    ground = [(0, costs) for costs in range(11)]
    drawn = chart(tmp_path, *ground, (0, 10), (0, 10), (10, 5))
    *rows, foot = drawn
    assert foot.split() == [str(number) for number in (0, 2, 4, 6, 8, 10)]
    assert rows[0].split() == ["10", "●", "Ant", "14"]
    assert rows[-1].split()[0] == "0"
    assert re.findall(r"[●\d+]", rows[-1][3:]) == ["●"] * 10 + ["3"]
    assert all(len(row) <= 70 for row in drawn)
    middle = (foot.index("4") + foot.index("6")) / 2
    assert abs(rows[0].index("●") - middle) <= 1


def test_many_cards_at_one_place_are_a_plus(tmp_path: Path) -> None:
    drawn = chart(tmp_path, *[(1, 1)] * 10, (2, 2), (3, 3))
    assert "+" in "".join(drawn)
