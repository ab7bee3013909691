"""A card of a table is edited in its cells."""

from __future__ import annotations

from pathlib import Path

import pytest

from browser.conftest import Running, Writes, ants
from browser.editing.conftest import Edits

expect = pytest.importorskip("playwright.sync_api", reason="needs the extra browser-tests").expect

CARDS = "xml/Factions/AA_cards.csv"
ROWS = [
    "id;name;level;actions;costs;rules;Notes\r\n",
    "A1;Digger;1;2;3;;'first\r\n",
    'A2;"Queen";2;0;9;;"a ""note"""\r\n',
]


def tabled(folder: Path) -> Path:
    """Write a game whose cards are in a table."""
    ants(folder)
    (folder / "xml/Factions/AA_cards.xml").unlink()
    (folder / CARDS).write_bytes("".join(ROWS).encode())
    return folder


@pytest.fixture
def game() -> Writes:
    return tabled


def test_a_card_of_a_table_is_edited_in_its_cells(edits: Edits, studio: Running) -> None:
    page = edits("card=AA:A2")
    face = page.locator(".edit-face img").first
    before = face.get_attribute("src")
    page.locator("#edit-f-name").fill("Empress; the first")
    expect(face).not_to_have_attribute("src", str(before))
    expect(page.locator(".edit-facts")).to_contain_text("The table has no column for it: add one.")
    page.keyboard.press("Control+s")
    expect(page.locator(".edit-state")).to_have_text("Saved")
    wanted = "".join(ROWS).replace('"Queen"', '"Empress; the first"')
    assert (studio.folder / CARDS).read_bytes().decode() == wanted
    page.get_by_role("button", name="Back").click()
    expect(page.locator(".tile", has_text="Empress; the first")).to_be_visible()
