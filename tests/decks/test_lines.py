"""Lines of deck lists are changed where they stand, and nothing else is."""

from __future__ import annotations

from pathlib import Path

import pytest

from deckwright.decks.deck_file import NEW_FILE, set_copies
from deckwright.xmlio.xml_text import read_xml_file

DECK = """<?xml version="1.0"?>
<data>
\t<meta main_faction_id='AA'/>

\t<!-- the heart of it -->
\t<card faction_id='AA'  id='A1' amount='3'/> <!-- three! -->
\t<card amount='1' faction_id='AA' id='A1'/>
\t<card faction_id='BB' id='B1' amount='2'/>
</data>
"""


def changed(folder: Path, old: str, card_id: str, copies: int, zone: str | None = None) -> str:
    """Return a deck list after one change of cards of AA."""
    path = folder / "deck.xml"
    path.write_text(old, encoding="utf-8")
    file = read_xml_file(path, NEW_FILE)
    lines = [line for line in file.elements if ("id", card_id) in line.attributes]
    set_copies(file, lines, ("AA", card_id), copies, zone)
    return file.to_bytes().decode()


def amounts_of(text: str, card_id: str) -> list[int]:
    """Return the copies on each line of a card."""
    lines = [line for line in text.replace('"', "'").splitlines() if f" id='{card_id}'" in line]
    return [int(line.partition("amount='")[2].partition("'")[0]) for line in lines]


@pytest.mark.parametrize(
    ("copies", "first"),
    [(7, "<card faction_id='AA'  id='A1' amount='6'/>"), (4, None), (2, "amount='1'/> <!--")],
)
def test_the_first_line_of_a_card_takes_the_difference(
    tmp_path: Path, copies: int, first: str | None
) -> None:
    text = changed(tmp_path, DECK, "A1", copies)
    old, new = DECK.splitlines(), text.splitlines()
    assert [n for n, line in enumerate(old) if line != new[n]] == ([] if first is None else [5])
    assert first is None or first in new[5]
    assert changed(tmp_path, text, "A1", 4) == DECK


def test_further_lines_of_a_card_go_where_the_first_has_room(tmp_path: Path) -> None:
    text = changed(tmp_path, DECK, "A1", 1)
    assert text.count("id='A1'") == 1
    assert "amount='1'/> <!-- three! -->" in text
    none = changed(tmp_path, DECK, "A1", 0)
    assert "A1" not in none
    assert "<!-- the heart of it -->" in none


def test_a_new_line_stands_behind_all_others_in_their_form(tmp_path: Path) -> None:
    text = changed(tmp_path, DECK, "A2", 2)
    assert text.endswith('\n\t<card faction_id="AA" id="A2" amount="2"/>\n</data>\n')
    placed = changed(tmp_path, DECK, "A2", 1, "side")
    assert '<card faction_id="AA" id="A2" amount="1" zone="side"/>' in placed


@pytest.mark.parametrize(
    ("copies", "amounts"), [(1999, [999, 999, 1]), (1000, [999, 1]), (999, [998, 1]), (0, [])]
)
def test_more_copies_than_a_line_may_have_are_on_several(
    tmp_path: Path, copies: int, amounts: list[int]
) -> None:
    text = changed(tmp_path, DECK, "A1", copies)
    assert amounts_of(text, "A1") == amounts
    assert sum(amounts_of(changed(tmp_path, text, "A1", 4), "A1")) == 4
