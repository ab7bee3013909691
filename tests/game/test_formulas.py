from __future__ import annotations

import pytest

from deckwright.game.deck_rules import Formula, FormulaError, Reference, parse_number


def value(text: str, **numbers: int) -> int:
    """Return the value of a formula, given that of each zone's `x`."""
    number = parse_number(f"{{{{ {text} }}}}")
    assert isinstance(number, Formula)
    return number.evaluate(lambda reference: numbers[reference.zone.replace("-", "_")])


def test_a_plain_number_is_no_formula() -> None:
    assert parse_number(" 12 ") == 12


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a.x", 7),
        ("a.x + 2", 9),
        ("2 + a.x - b.x", 6),
        ("3 * a.x", 21),
        ("a.x * 3 - 1", 20),
        ("a.x // 2 * 2 + 2", 8),
        ("-(a.x - 10)", 3),
        ("-a.x // 2", -4),
        ("17 // 5", 3),
        ("a.x >= 7", 1),
        ("a.x > 7", 0),
        ("a.x <= 7", 1),
        ("a.x < 7", 0),
        ("20 + 2 * (a.x >= 5) + 2 * (a.x >= 9)", 22),
        ("side-deck.x - 1", 10),
        ("((a.x))", 7),
    ],
)
def test_a_formula_is_worked_out_as_by_hand(text: str, expected: int) -> None:
    assert value(text, a=7, b=3, side_deck=11) == expected


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "ends too early"),
        ("a", "`a` is not allowed there"),
        ("a.x b.x", "`b.x` is not allowed there"),
        ("(a.x", "ends too early"),
        ("a.x *", "ends too early"),
        ("a.x * b.x", "one side of `*` must be a number"),
        ("a.x // b.x", "a whole number, at least 1, can follow"),
        ("a.x // 0", "a whole number, at least 1, can follow"),
        ("a.x >= 1 >= 0", "`>= 0` is not allowed there"),
        ("a.x.y", "`.y` is not allowed there"),
        ("(" * 300, "more than 200 characters"),
    ],
)
def test_what_is_no_formula_is_refused(text: str, reason: str) -> None:
    with pytest.raises(FormulaError) as told:
        parse_number(f"{{{{ {text} }}}}")
    assert reason in str(told.value)


def test_a_formula_knows_what_it_depends_on() -> None:
    number = parse_number("{{ (a.x + 3) // 2 + (b.y > c.cards) }}")
    assert isinstance(number, Formula)
    expected = [Reference("a", "x"), Reference("b", "y"), Reference("c", "cards")]
    assert list(number.references()) == expected
    assert str(number) == "(a.x + 3) // 2 + (b.y > c.cards)"


def test_a_sum_is_linear_in_what_it_refers_to() -> None:
    number = parse_number("{{ 2 * (a.x - 3) + b.x }}")
    assert isinstance(number, Formula)
    assert number.constant == -6
    assert number.parts == ((2, Reference("a", "x")), (1, Reference("b", "x")))
