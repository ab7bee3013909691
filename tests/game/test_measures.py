from __future__ import annotations

from decimal import Decimal

import pytest

from deckwright.game.deck_rules import MeasureError, parse_measure


def parts(text: str) -> list[tuple[str, str | None, str]]:
    """Return the parts of a measure: factor, zone and field."""
    measure = parse_measure(text, {"strength", "actions", "cost_2"}, {"main", "side"})
    return [(str(part.factor), part.zone, part.field) for part in measure.parts]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("strength", [("1", None, "strength")]),
        ("strength + 2*actions", [("1", None, "strength"), ("2", None, "actions")]),
        (" actions * 2-strength ", [("2", None, "actions"), ("-1", None, "strength")]),
        ("-1.5 * cost_2", [("-1.5", None, "cost_2")]),
        ("main.strength - side.cards", [("1", "main", "strength"), ("-1", "side", "cards")]),
    ],
)
def test_a_measure_is_a_sum_of_fields_with_factors(
    text: str, expected: list[tuple[str, str | None, str]]
) -> None:
    assert parts(text) == expected


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "it is empty"),
        ("strenght", "no kind of card has a field `strenght` with numbers"),
        ("strength actions", "`actions` is not allowed there"),
        ("strength + ", "`+` is not allowed there"),
        ("2*strength*3", "`2*strength*3` has two factors"),
        ("strength ** 2", "`** 2` is not allowed there"),
        ("hand.strength", "there is no zone `hand`"),
        ("strength + " * 50, "it has more than 200 characters"),
    ],
)
def test_what_is_no_measure_is_told(text: str, reason: str) -> None:
    with pytest.raises(MeasureError) as told:
        parts(text)
    assert str(told.value) == reason


def test_factors_are_exact() -> None:
    measure = parse_measure("0.1*a + 0.2*a", {"a"})
    assert sum(part.factor for part in measure.parts) == Decimal("0.3")
