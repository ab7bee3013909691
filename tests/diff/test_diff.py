"""`deckwright diff`: what has changed between two states of a game, in words."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from conftest import Run, edit
from repositories import (
    CARDS,
    DECK,
    FACTIONS,
    RULES,
    SETUP,
    TEMPLATE,
    commit,
    diff_lines,
    git,
    texts,
    track,
)


@pytest.fixture
def tracked(small: Path) -> Path:
    """The small game in a repository."""
    return track(small)


def test_a_game_that_has_not_changed(tracked: Path, run: Run) -> None:
    result = run("diff", "v1", "--exit-code")
    assert (result.stdout, result.stderr, result.exit_code) == ("nothing has changed\n", "", 0)
    assert not (tracked / "out").exists()


CHANGES: list[tuple[Any, ...]] = [
    (CARDS, 'costs="8"', 'costs="7"', "RW5 Mother Flood: costs 8 → 7"),
    (CARDS, 'strength="4"', 'strength="5"', "RW3 Lock Keeper: strength 4 → 5"),
    (CARDS, 'actions="2"', 'actions="3"', "RW4 Otter Caller: actions 2 → 3"),
    (CARDS, 'level="3"', 'level="2"', "RW5 Mother Flood: level 3 → 2"),
    (CARDS, "Elder", "Child", "RW5 Mother Flood: cardclass Elder → Child"),
    (CARDS, ' cardclass="Elder"', "", "RW5 Mother Flood: cardclass Elder → none"),
    (CARDS, ' image="lantern.png"', "", "RW5 Mother Flood: image lantern.png → none"),
    (CARDS, "Ferryman", "Ferry", "RW2 Ferry: name Ferryman → Ferry"),
    (CARDS, '"SUPPORT"', '"CLOSE"', "RW4 Otter Caller: row SUPPORT → CLOSE"),
    (CARDS, '<rule id="ra002"/>', "", "RW4 Otter Caller: rule ra002 Whistle removed"),
    (
        CARDS,
        'costs="6">',
        'costs="5" cardclass="Odd">',
        "RW4 Otter Caller: costs 6 → 5; cardclass none → Odd",
    ),
    (
        DECK,
        'id="RW1" amount="2"',
        'id="RW1" amount="3"',
        "deck river: 2 × RW1 Reed Scout → 3 × RW1 Reed Scout",
    ),
    (
        DECK,
        'id="RW2" amount="1"',
        'id="RW2" amount="1" zone="main"',
        "deck river: zone of RW2 none → main",
    ),
    (DECK, "High Water", "Low Water", "deck river: name High Water → Low Water"),
    (
        RULES,
        'River="Whistle"',
        'River="Pipe"',
        "RW4 Otter Caller: rule ra002: name Whistle → Pipe",
        "rule ra002 Pipe: name for River Whistle → Pipe",
    ),
    (RULES, 'Otter" strength="2"', 'Otter" strength="3"', "ra002/1 Otter: strength 2 → 3"),
    (
        RULES,
        "gains two",
        "gains three",
        (
            "rule ra001 Rally: effect changed: “… this row gains two strength.” → "
            "“… this row gains three strength.”"
        ),
    ),
    (
        FACTIONS,
        "River Wardens",
        "Wardens",
        "faction RW Wardens: faction_name River Wardens → Wardens",
    ),
    (SETUP, 'max="30"', 'max="32"', "limit supplies supplies: max 30 → 32"),
    (
        SETUP,
        'min="15"',
        'min="{{ main.cards * 3 }}"',
        "limit strength strength: min 15 → main.cards * 3",
    ),
    (
        SETUP,
        'limit="actions" value="off"',
        'limit="actions" value="2"',
        "format casual Casual: changes actions none → 2",
    ),
    (SETUP, 'text="Passive rules"', 'text="Always"', "word passive: text Passive rules → Always"),
    (
        SETUP,
        'author="The Deckwright developers"',
        'author="Me"',
        "game: author The Deckwright developers → Me",
    ),
]
"""A file, what is replaced in it by what, and what is told of that."""


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change[3])
def test_a_change_is_told_in_words(tracked: Path, run: Run, change: tuple[Any, ...]) -> None:
    file, old, new, *said = change
    edit(tracked / file, old, new)
    assert diff_lines(run, "v1") == said


def test_all_changes_are_told_at_once(tracked: Path, run: Run) -> None:
    changes = [change for change in CHANGES if change[0] in {FACTIONS, DECK, SETUP}]
    for file, old, new, *_ in changes:
        edit(tracked / file, old, new)
    found = "; ".join(diff_lines(run, "v1"))
    assert [said for *_, said in changes if said.partition(": ")[2] not in found] == []


def test_a_card_with_another_id_is_known_by_its_face(tracked: Path, run: Run) -> None:
    for file in (CARDS, DECK):
        edit(tracked / file, 'id="RW2"', 'id="RW9"')
    assert diff_lines(run, "v1") == [
        "RW9 Ferryman: was RW2",
        "deck river: 1 × RW9 Ferryman added; 1 × RW2 Ferryman removed",
    ]


def test_cards_that_are_new_and_gone(tracked: Path, run: Run) -> None:
    text = (tracked / CARDS).read_text("utf-8")
    card = re.search(r'  <card id="RW3".*?</card>\n', text, re.DOTALL)
    assert card is not None
    new = card[0].replace("RW3", "RW8").replace("Lock", "Gate")
    (tracked / CARDS).write_text(text.replace(card[0], new), encoding="utf-8")
    edit(tracked / DECK, 'id="RW3"', 'id="RW8"')
    assert diff_lines(run, "v1") == [
        "RW8 Gate Keeper: new",
        "RW3 Lock Keeper: gone",
        "deck river: 1 × RW8 Gate Keeper added; 1 × RW3 Lock Keeper removed",
    ]
    (tracked / DECK).unlink()
    assert diff_lines(run, "v1")[-1] == "deck river: gone"


def test_what_no_value_explains_is_told_of_every_face_that_shows_it(
    tracked: Path, run: Run
) -> None:
    edit(tracked / TEMPLATE, 'y="81"', 'y="80"')
    found = diff_lines(run, "v1")
    assert len(found) == 16
    assert all(line.endswith(": picture or layout changed") for line in found)
    git(tracked, "checkout", "-q", ".")
    Image.new("RGB", (600, 600), "red").save(tracked / "img" / "lantern.png")
    assert diff_lines(run, "v1") == ["RW5 Mother Flood: picture or layout changed"]


def test_a_rule_is_the_reason_where_a_face_shows_its_text(tracked: Path, run: Run) -> None:
    edit(tracked / TEMPLATE, "{{ rule.name }}</i>", "{{ rule.effect }}</i>")
    commit(tracked, "v2")
    edit(tracked / RULES, "You may play another", "You must play another")
    *cards, rule = diff_lines(run, "v2")
    assert cards == [
        f"{name}: rule rp002: effect changed"
        for name in ("RW1 Reed Scout", "WF3 Runaway Mule", "ra002/1 Otter")
    ]
    assert rule.startswith("rule rp002 Swift: effect changed: ")


def test_values_that_no_face_shows_are_told_too(tracked: Path, run: Run) -> None:
    edit(tracked / TEMPLATE, "{{ card.cardclass }}", "-")
    commit(tracked, "v2")
    edit(tracked / CARDS, "Elder", "Child")
    assert diff_lines(run, "v2") == [
        "RW5 Mother Flood: cardclass Elder → Child; its face is the same"
    ]


def test_json_tells_the_same(tracked: Path, run: Run) -> None:
    edit(tracked / CARDS, 'costs="8"', 'costs="7"')
    edit(tracked / SETUP, 'sum="costs" max="30"', 'sum="costs" max="32"')
    result = run("diff", "v1", "--format", "json", "--exit-code")
    assert result.exit_code == 1
    whole = json.loads(result.stdout)
    card, limit = whole["changes"]
    assert (card["what"], card["faction"], card["id"], card["change"]) == (
        "card",
        "RW",
        "RW5",
        "changed",
    )
    assert card["differences"] == [{"name": "costs", "old": 8, "new": 7, "words": "costs 8 → 7"}]
    assert (limit["what"], limit["id"]) == ("limit", "supplies")
    assert limit["differences"][0]["new"] == 32
    assert whole["new"] == "working tree"
    assert re.fullmatch(r"v1 \([0-9a-f]{8}\)", whole["old"])
    assert (tracked / whole["pdf"]).is_file()


def test_the_errors_of_a_state_are_told_and_the_rest_is_compared(tracked: Path, run: Run) -> None:
    edit(tracked / CARDS, 'id="RW1" name', 'id="RW1" nam="" name')
    edit(tracked / DECK, 'amount="2"', 'amount="two"')
    commit(tracked, "bad")
    git(tracked, "checkout", "-q", "v1")
    edit(tracked / SETUP, 'sum="costs" max="30"', 'sum="costs" max="32"')
    result = run("diff", "bad", "--no-pdf")
    assert result.exit_code == 1
    assert result.stdout == "limit supplies supplies: max 30 → 32\n1 other change\n"
    assert re.match(r"in bad \([0-9a-f]{8}\):\nxml/Decks/river.xml:8:\d+: error S", result.stderr)
    assert "\nxml/Factions/RW_cards.xml:4:" in result.stderr
    assert "the cards of RW were left out" in result.stderr
    assert "the deck river was left out" in result.stderr


def test_without_rules_the_values_of_cards_are_compared(tracked: Path, run: Run) -> None:
    edit(tracked / CARDS, 'costs="8"', 'costs="7"')
    edit(tracked / RULES, "</data>", "")
    result = run("diff", "v1")
    assert result.exit_code == 1
    assert result.stdout.startswith("RW5 Mother Flood: costs 8 → 7\n1 card changed\n")
    assert "no faces could be compared" in result.stderr
    (page,) = texts(tracked / "out" / "diff.pdf")
    assert "costs 8 → 7" in page
    assert "no faces could be compared" in page


def test_a_game_without_a_set_up_is_compared_with_nothing(tracked: Path, run: Run) -> None:
    edit(tracked / SETUP, "</game>", "")
    result = run("diff", "v1")
    assert result.exit_code == 1
    assert result.stdout == "nothing that can be compared has changed\n"
    assert "nothing could be compared" in result.stderr


def test_a_card_that_cannot_be_composed_is_compared_by_its_values(tracked: Path, run: Run) -> None:
    edit(tracked / CARDS, '<rule id="ra002"/>', '<rule id="ra009"/>')
    commit(tracked, "bad")
    git(tracked, "checkout", "-q", "v1")
    result = run("diff", "bad")
    assert result.exit_code == 1
    assert "RW4 Otter Caller: rule ra009 → ra002 Whistle\n" in result.stdout
    assert "xml/Factions/RW_cards.xml:18:11: error R003" in result.stderr
    assert "cannot be drawn" in texts(tracked / "out" / "diff.pdf")[1]


def test_a_pdf_that_cannot_be_written_is_said(tracked: Path, run: Run) -> None:
    edit(tracked / CARDS, 'costs="8"', 'costs="7"')
    (tracked / "out" / "diff.pdf").mkdir(parents=True)
    result = run("diff", "v1")
    assert result.exit_code == 3
    assert "error E001" in result.stderr
    assert result.stdout == "RW5 Mother Flood: costs 8 → 7\n1 card changed\n"
