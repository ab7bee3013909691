"""A card of a table is edited in its cells."""

from __future__ import annotations

from pathlib import Path

import pytest

from browser.conftest import Running, Writes, ants
from browser.editing.conftest import Edits, hill

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


def pictured(folder: Path) -> Path:
    """Write a game whose table has pictures, but no columns for their crops."""
    hill(folder)
    (folder / "xml/Factions/AA_cards.xml").unlink()
    rows = "id,name,level,actions,costs,image\nA1,Digger,1,2,3,a.png\n"
    (folder / CARDS).write_text(rows, encoding="utf-8")
    return folder


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


@pytest.mark.parametrize("game", [pictured])
def test_a_picture_without_columns_for_its_crop_stays_whole(edits: Edits) -> None:
    page = edits("card=AA:A1")
    frame = page.locator(".edit-frame")
    expect(frame).to_have_attribute("aria-disabled", "true")
    expect(page.get_by_role("slider", name="Zoom")).to_be_disabled()
    expect(page.locator(".edit-picture")).to_contain_text("add image-focus, image-zoom")
    frame.drag_to(frame, source_position={"x": 20, "y": 20}, target_position={"x": 20, "y": 60})
    frame.press("ArrowDown")
    frame.press("+")
    expect(page.locator(".edit-state")).to_have_text("Saved")
    expect(page.locator("#failures")).to_be_hidden()


def test_what_the_server_refuses_is_undone(edits: Edits) -> None:
    page = edits("card=AA:A1")
    refuse = lambda route: route.fulfill(status=400, json={"message": "not here", "hint": None})  # noqa: E731
    page.route("**/api/edit/preview", refuse)
    page.locator("#edit-f-name").fill("Mole")
    expect(page.locator(".edit-general")).to_contain_text("not here")
    page.unroute("**/api/edit/preview")
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".edit-general")).to_have_count(0)
    expect(page.locator(".edit-face:not(.stale) img").first).to_be_visible()
