"""Findings as the page gets them, and the cards that they stand at."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from conftest import Run
from deckwright import open_game
from deckwright.studio.described import (
    FindingData,
    group_by_card,
    hint_for_page,
    parse_check_report,
)
from support import card, token_rule, uses, write_game

AA = "xml/Factions/AA_cards.xml"


def at(line: int, column: int = 0, path: str | None = AA) -> FindingData:
    return FindingData("L001", "warning", f"line {line}", None, path, line, column)


def test_findings_stand_at_the_card_that_begins_before_them(tmp_path: Path) -> None:
    first = card("A1", "Ant", "AA", uses("call")).replace("><rule", ">\n<rule")
    cards = [first, card("A2", "Queen"), card("B1", "Bee", "BB")]
    model = open_game(write_game(tmp_path, cards, rules=[token_rule("call", "Wolf")])).model
    sources = {(owner, each.id): each.source for each, owner, _ in model.printable_cards()}
    found = [
        at(1),
        at(2),
        at(3, 5),
        at(4),
        at(9),
        at(2, 99, "xml/rules.xml"),
        at(0),
        at(2, 1, None),
    ]
    result = group_by_card(found, sources, tmp_path)
    assert {key: [each.message for each in listed] for key, listed in result.items()} == {
        ("AA", "A1"): ["line 2", "line 3"],
        ("AA", "A2"): ["line 4", "line 9"],
        ("AA", "call/1"): ["line 2"],
    }


def test_a_report_of_the_command_is_read(small: Path, run: Run) -> None:
    (small / "xml" / "rules.xml").write_text("<data", encoding="utf-8")
    result = run("check", "--format", "json", "--game", str(small))
    found = parse_check_report(result.stdout.encode())
    assert len(found) == len(json.loads(result.stdout)["findings"]) > 0
    assert found[0].is_error
    assert found[0].code.startswith("X")


@pytest.mark.parametrize("report", [b"", b"{}", b"[]", b'{"findings": [1]}', b'{"findings": [{}]}'])
def test_what_is_no_report_is_refused(report: bytes) -> None:
    with pytest.raises(ValueError, match="not the report of a check"):
        parse_check_report(report)


@pytest.mark.parametrize(
    ("hint", "shown"),
    [
        (None, None),
        ("remove one copy", "remove one copy"),
        ("allow it with `--limit size=14`", None),
        ("use paths; `--rasterize` prints the drawing as pixels", "use paths"),
        ("choose another format, or scale them with `--scale fit`", "choose another format"),
        ('give `--hand 7`, or write `<opening hand="7"/>`', 'write `<opening hand="7"/>`'),
        ("move it with `calibrate --back-offset X,Y`", None),
        ("write `var(--name, #7a3b2e)`", "write `var(--name, #7a3b2e)`"),
    ],
)
def test_hints_name_no_options_of_the_command_line(hint: str | None, shown: str | None) -> None:
    assert hint_for_page(hint) == shown
