"""Lists and decimals in cells."""

from __future__ import annotations

from pathlib import Path

import pytest

from deckwright.base.findings import Location, Report
from deckwright.grids.cells import explain_value, read_attribute, read_cell_value, read_value
from deckwright.grids.table import Cell
from deckwright.xmlio.shape import NAME, Attribute, Value

NUMBER = Attribute("weight", Value(kind="decimal", minimum=-5))
TERM = Value(kind="term", terms=(("sea", "The Sea"), ("sky", "The Sky")))
TERMS = Attribute("homes", Value(kind="list", item=TERM))
PLACE = Location(Path("a.csv"))
WORDS = Attribute("words", Value(kind="list", item=NAME, separator="/"))


@pytest.mark.parametrize(
    ("text", "value"), [("2,5", "2.5"), ("2.50", "2.5"), ("-1", "-1"), ("3.0", "3"), ("+.5", None)]
)
def test_a_decimal_may_have_a_comma(text: str, value: str | None) -> None:
    report: Report = []
    assert read_cell_value(NUMBER, Cell(text, PLACE, "a!B2"), report) == value
    messages = ["a!B2: `weight` must be a number, at least -5, but is `+.5`"]
    assert [finding.message for finding in report] == ([] if value else messages)


def test_the_parts_of_a_list_are_read_one_by_one() -> None:
    assert read_value(TERMS, " sea,The sky , ") == "sea, sky"
    assert read_value(WORDS, "At home / Swift") == "At home/Swift"
    assert "is `see`" in explain_value(TERMS, read_value(TERMS, "sea, see"))[0]


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
    cell = Cell(text, PLACE, "a!B2", items=items)
    assert read_attribute(TERMS, cell, separator) == value
