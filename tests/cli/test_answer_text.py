"""Answers as text: what fits the terminal, bars, and characters that it lacks."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import pytest

from deckwright.cli.answer_text import format_text
from deckwright.decks.answers import (
    BAR,
    LABEL,
    Answer,
    CardCell,
    Column,
    Gauge,
    Note,
    Section,
    Table,
    TextCell,
    hide,
    make_unique,
)

ANT = CardCell("AA", "A1", "Ant with a name that is long")
NUMBERS = [Column("", f"least {number}", "number", optional=number > 1) for number in (1, 2, 3)]


def lines_of(
    monkeypatch: pytest.MonkeyPatch,
    width: int,
    columns: Sequence[Column],
    *rows: Sequence[object],
    encoding: str = "utf-8",
) -> list[str]:
    monkeypatch.setenv("COLUMNS", str(width))
    table = Table("ants", columns, rows)  # type: ignore[arg-type]
    return format_text(Answer("", [Section("", [table])]), encoding).splitlines()


@pytest.mark.parametrize(
    ("width", "shown"),
    [
        (70, "cards least 1 least 2 least 3 Ant with a name that is long (A1) 1 2 3"),
        (58, "least least least cards 1 2 3 Ant with a name that is long (A1) 1 2 3"),
        (50, "least least cards 1 2 Ant with a name that is long (A1) 1 2"),
        (30, "least cards 1 Ant with a nam… (A1) 1"),
    ],
)
def test_headings_wrap_then_columns_go_then_names_shrink(
    monkeypatch: pytest.MonkeyPatch, width: int, shown: str
) -> None:
    lines = lines_of(monkeypatch, width, [Column("", "cards"), *NUMBERS], (ANT, 1, 2, 3))
    assert max(map(len, lines)) < width
    assert " ".join(" ".join(lines).split()) == shown


def test_bars_fill_the_room_and_small_numbers_are_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    columns = [LABEL, Column("", "", "bar")]
    lines = lines_of(monkeypatch, 80, columns, ("a", 100), ("b", 1), ("c", 0), ("d", None))
    assert lines == [f"  a  {'█' * 40} 100", "  b  █ 1", "  c", "  d"]
    lines = lines_of(monkeypatch, 80, columns, ("a", 3), ("b", 1))
    assert lines == ["  a  ███ 3", "  b  █ 1"], "a copy is a block if there is room"
    assert lines_of(monkeypatch, 10, columns, ("a", 100)) == ["  a  100"]


def test_characters_that_an_encoding_lacks_are_replaced_before_columns_are_measured(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    half = Gauge(Fraction(1), Fraction(1, 2))
    columns, row = [Column("", "≥"), Column("", "x"), BAR], ("ä", "–", half)
    lines = lines_of(monkeypatch, 30, columns, row, encoding="ascii")
    assert lines == ["  >=  x", "  a   -  " + "#" * 10 + "." * 10]


def test_data_has_values_where_text_has_words() -> None:
    table = Table("ants", [Column("share", ""), Column("card", "")], [(TextCell(0.5, "half"), ANT)])
    answer = Answer("x", [Section("", [Note("a note"), hide(table)])])
    row = {"share": 0.5, "faction": "AA", "id": "A1", "name": ANT.name}
    assert answer.as_data() == {"version": 2, "answer": "x", "ants": [row]}
    assert answer.as_csv() == f"table,share,faction,id,name\nants,0.5,AA,A1,{ANT.name}"
    assert format_text(answer) == "  a note"


def test_names_of_columns_are_unique() -> None:
    assert make_unique(["a", "a", "id", "a 2"], ["id"]) == ["a", "a 2", "id 2", "a 2 2"]
