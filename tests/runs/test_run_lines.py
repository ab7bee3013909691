"""The file of a run: what is a deck, and what is wrong with a line that is none."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deckwright.base.findings import Report
from deckwright.runs.lines import MAX_FINDINGS, CardLine, DeckLine, parse_line, read_lines

GOOD = '{"id": "A-1", "faction": "RW", "cards": [{"id": "RW1", "amount": 2}]}'

texts = st.text(st.characters(codec="utf-8", categories=["L", "N", "P", "S"]), min_size=1)
values = st.dictionaries(
    st.from_regex(r"[a-z_][a-z0-9_]{0,8}", fullmatch=True),
    texts | st.integers(-999, 999) | st.floats(allow_nan=False, allow_infinity=False),
    max_size=3,
)
cards = st.builds(CardLine, texts, st.integers(1, 999), st.just("") | texts, values)
decks = st.builds(
    DeckLine,
    st.from_regex(r"[A-Za-z0-9][A-Za-z0-9._-]{0,12}", fullmatch=True),
    texts,
    texts,
    st.none() | texts,
    st.lists(cards, min_size=1, max_size=4).map(tuple),
    values,
)


def read(path: Path) -> tuple[list[DeckLine], list[str]]:
    report: Report = []
    found = list(read_lines(path, report))
    return found, [f"{one.location.spot if one.location else ''} {one.message}" for one in report]


@given(decks)
def test_what_is_written_is_read_again(deck: DeckLine) -> None:
    assert parse_line(deck.to_json()) == deck
    assert "\n" not in deck.to_json()


def test_a_deck_has_what_its_line_says(tmp_path: Path) -> None:
    line = parse_line(
        '{"id":"A","faction":"RW","cards":[{"id":"RW1","amount":2},{"id":"W","faction":"WF"}]}'
    )
    deck = line.deck(tmp_path / "run.jsonl", 7)
    entries = [(entry.faction_id, entry.card_id, entry.copies) for entry in deck.entries]
    assert entries == [("RW", "RW1", 2), ("WF", "W", 1)]
    assert (deck.stem, deck.name, deck.faction_id, deck.format) == ("A", "A", "RW", None)
    assert deck.entries[1].source.at("id")[:3] == (tmp_path / "run.jsonl", 7, 1)


@pytest.mark.parametrize("name", ["run.csv", "RUN.CSV"])
@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_a_table_has_decks_too(tmp_path: Path, name: str, separator: str) -> None:
    rows = [
        ["id", "name", "faction", "cards", "format", "owner", "year"],
        ["A-1", "Tide", "RW", '"2 RW1; RW2;3 WF:WF1"', "", "Ada", "2026"],
        ["", "", "", "", "", "", ""],
        ["A-2", '"Two\nlines"', "RW", "RW1", "casual", "", ""],
        ["A-3", "", "RW", "2 × RW1"],
        ["A-4", "", "", "2 × RW1"],
    ]
    text = "\n".join(separator.join(row) for row in rows)
    (tmp_path / name).write_text(f"\ufeff{text}\n", encoding="utf-8")
    found, wrong = read(tmp_path / name)
    assert found[0] == DeckLine(
        "A-1",
        "Tide",
        "RW",
        None,
        (CardLine("RW1", 2), CardLine("RW2", 1), CardLine("WF1", 3, "WF")),
        {"owner": "Ada", "year": "2026"},
    )
    assert (found[1].format, found[1].name, found[1].values) == ("casual", "Two\nlines", {})
    assert (found[2].name, found[2].cards) == ("A-3", (CardLine("RW1", 2),))
    assert wrong == ["7:1 `faction` is not a text"]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("{", "the line is not JSON"),
        ("[]", "the line is not a JSON object"),
        ("[" * 100_000, "the line is too deeply nested"),
        (
            '{"id": "../up", "faction": "RW", "cards": [{"id": "a"}]}',
            "`../up` is not a valid deck id",
        ),
        ('{"id": 7, "faction": "RW", "cards": [{"id": "a"}]}', "`id` is not a text"),
        ('{"faction": "RW", "cards": [{"id": "a"}]}', "`id` is missing"),
        ('{"id": "A", "cards": [{"id": "a"}]}', "`faction` is missing"),
        ('{"id": "A", "faction": "RW"}', "`cards` is not a list"),
        ('{"id": "A", "faction": "RW", "cards": []}', "`cards` is not a list"),
        ('{"id": "A", "faction": "RW", "cards": ["a"]}', "a card is not an object"),
        ('{"id": "A", "faction": "RW", "cards": [{"id": "a", "amount": 0}]}', "`amount` is not"),
        ('{"id": "A", "faction": "RW", "cards": [{"id": "a", "amount": true}]}', "`amount`"),
        ('{"id": "A", "faction": "RW", "cards": [{"id": "a", "amount": 1.5}]}', "`amount`"),
        ('{"id": "A", "fraction": "RW", "cards": [{"id": "a"}]}', "`fraction` is not a field of"),
        (GOOD[:-1] + ', "values": []}', "`values` is not an object"),
        (GOOD[:-1] + ', "values": {"a b": 1}}', "`a b` is not a valid name of a value"),
        (GOOD[:-1] + ', "values": {"a": NaN}}', "`a` is not a number"),
        (GOOD[:-1] + ', "values": {"a": true}}', "the value `a` is neither"),
        (GOOD[:-1] + ', "values": {"a": "\\u0007"}}', "`a` has characters that cannot be printed"),
        (GOOD[:-1] + ', "name": "\\ud800"}', "`name` has characters that cannot be printed"),
        (GOOD, "the id `A-1` is already used in line 1"),
        (GOOD.replace("A-1", "a-1"), "the id `a-1` is already used in line 1"),
    ],
)
def test_what_is_no_deck_is_told(tmp_path: Path, line: str, said: str) -> None:
    (tmp_path / "run.jsonl").write_text(f"{GOOD}\n\n{line}\n", encoding="utf-8")
    found, wrong = read(tmp_path / "run.jsonl")
    assert [deck.id for deck in found] == ["A-1"]
    assert len(wrong) == 1
    assert wrong[0].startswith(f"3:1 {said}")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "the file has no decks"),
        (b'{"id": "\xff"}', "1:1 the line is not in UTF-8"),
        (b"id;name;faction\n", "1:1 the heading row lacks `cards`"),
        (b"id,id,name,faction,cards\n", "1:1 the heading has `id` twice"),
        (b"id,name,faction,cards\nA,A,RW,RW1,too,many\n", "2:1 the row has more cells"),
        (b"id,name,faction,cards\nA,A,RW,two of these\n", "2:1 `two of these` is not a card"),
    ],
)
def test_files_that_are_no_runs_are_told(tmp_path: Path, content: bytes, said: str) -> None:
    path = tmp_path / ("run.csv" if content.startswith(b"id") else "run.jsonl")
    path.write_bytes(content)
    found, wrong = read(path)
    assert found == []
    assert [line.strip().startswith(said) for line in wrong] == [True]


def test_of_very_many_mistakes_the_first_are_told(tmp_path: Path) -> None:
    (tmp_path / "run.jsonl").write_text("{}\n" * 100_000, encoding="utf-8")
    found, wrong = read(tmp_path / "run.jsonl")
    assert len(wrong) == MAX_FINDINGS + 1
    assert wrong[-1].endswith("the remaining lines were not read")
    assert json.dumps(found) == "[]"


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (
            "A-2,RW," + "x" * 131_073,
            "the row is not CSV, or a cell has more than 131,072 characters",
        ),
        ("A-2,RW,RW1," + "x," * 600_000, "the line has more than 1,000,000 characters; the rest"),
        ('A-2,RW,"' + 'x\n","' * 400_000, "the line has more than 1,000,000 characters; the rest"),
    ],
)
def test_a_row_that_is_too_long_is_told(tmp_path: Path, row: str, message: str) -> None:
    (tmp_path / "run.csv").write_text(f"id,faction,cards\nA-1,RW,RW1\n{row}\nA-3,RW,RW1\n")
    found, wrong = read(tmp_path / "run.csv")
    assert [line.id for line in found] == ["A-1", "A-3"][: 1 + ("cell" in message)]
    assert [said.startswith(f"3:1 {message}") for said in wrong] == [True]


@pytest.mark.parametrize("name", ["run.csv", "run.jsonl"])
def test_a_line_without_end_is_told(tmp_path: Path, name: str) -> None:
    (tmp_path / name).symlink_to("/dev/zero")
    found, (said,) = read(tmp_path / name)
    assert found == []
    assert said.startswith("1:1 the ")
