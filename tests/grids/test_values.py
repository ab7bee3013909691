"""Lists and decimals in cells."""

from __future__ import annotations

from pathlib import Path

import pytest

from deckwright.base.findings import Location
from deckwright.grids.cells import read_attribute, read_value
from deckwright.grids.table import Cell, CellError
from deckwright.xmlio.shape import NAME, Attribute, Value

NUMBER = Attribute("weight", Value(kind="decimal", minimum=-5))
TERM = Value(kind="term", terms=(("sea", "The Sea"), ("sky", "The Sky")))
TERMS = Attribute("homes", Value(kind="list", item=TERM))
WORDS = Attribute("words", Value(kind="list", item=NAME, separator="/"))


@pytest.mark.parametrize(
    ("text", "value"), [("2,5", "2.5"), ("2.50", "2.5"), ("-1", "-1"), ("3.0", "3"), ("+.5", None)]
)
def test_a_decimal_may_have_a_comma(text: str, value: str | None) -> None:
    if value is None:
        with pytest.raises(CellError, match="must be a number, at least -5"):
            read_value(NUMBER, text)
    else:
        assert read_value(NUMBER, text) == value


def test_the_parts_of_a_list_are_read_one_by_one() -> None:
    assert read_value(TERMS, " sea,sky , ") == "sea, sky"
    assert read_value(WORDS, "At home / Swift") == "At home/Swift"
    with pytest.raises(CellError, match="is `see`"):
        read_value(TERMS, "sea, see")


@pytest.mark.parametrize(
    ("text", "items", "separator", "value"),
    [
        ("The Sea, sky", (), None, "sea, sky"),
        ("sea; The Sky", (), ";", "sea, sky"),
        ("sea sky", ({"": "sea"}, {"": "The Sky"}), None, "sea, sky"),
        ("sea, moon", (), None, "sea, moon"),
    ],
)
def test_tables_have_their_own_separators_and_the_names_of_terms(
    text: str, items: tuple[dict[str, str], ...], separator: str | None, value: str
) -> None:
    cell = Cell(text, Location(Path("a.csv")), "a!B2", items=items)
    assert read_attribute(TERMS, cell, separator) == value
