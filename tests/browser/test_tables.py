"""A blank game that begins with a table, and going from card to card."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from browser.conftest import Running
from browser.steps import faults
from deckwright.game.folder import PACKAGE

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from browser.conftest import Contexts

expect = pytest.importorskip("playwright.sync_api", reason="needs the extra browser-tests").expect

CARDS = """Name,Faction,Power,Text,Count,Notes
Wolf,Fire,3,Draw a card.,2,ask
Raven,Fire,1,Look at the top card of your deck.,3,
Bear,Water,5,Cannot be blocked.,1,
Otter,Water,2,Swim away.,2,
"""
DROP = """([text, name]) => {
  const given = new DataTransfer();
  given.items.add(new File([text], name));
  const event = new DragEvent("drop", { dataTransfer: given, bubbles: true, cancelable: true });
  document.querySelector("#empty").dispatchEvent(event);
}"""


@pytest.fixture(name="blank")
def _blank(tmp_path: Path) -> Iterator[Running]:
    folder = tmp_path / "blank"
    shutil.copytree(PACKAGE / "blank", folder)
    running = Running(folder)
    running.start()
    yield running
    running.stop()


def test_a_blank_game_begins_with_a_table(contexts: Contexts, blank: Running) -> None:
    page = contexts().new_page()
    page.goto(blank.url)
    page.get_by_role("button", name="Begin with a table").click()
    dialog = page.get_by_role("dialog")
    choose = dialog.locator("input[type=file]")
    choose.set_input_files(
        {"name": "cards.csv", "mimeType": "text/csv", "buffer": b"one\n"},
    )
    expect(dialog.locator(".wrong")).to_contain_text("there is no table")
    choose.set_input_files(
        {"name": "cards.csv", "mimeType": "text/csv", "buffer": CARDS.encode()},
    )
    expect(dialog.get_by_role("row", name="Faction")).to_contain_text("Faction: Fire, Water")
    expect(dialog.get_by_role("row", name="Notes")).to_contain_text(
        "Left out: notes of the designer"
    )
    expect(dialog).to_contain_text("4 cards, 8 copies.")
    assert faults(page) == ""
    assert not (blank.folder / "xml" / "Factions" / "cards.csv").exists()
    dialog.get_by_role("button", name="Make the cards").click()
    expect(dialog).to_have_count(0)
    expect(page.locator(".tile:not(.pending)")).to_have_count(4)
    expect(page.get_by_role("button", name="Begin with a table")).to_have_count(0)
    assert (blank.folder / "xml" / "Factions" / "cards.csv").read_text(encoding="utf-8") == CARDS


def test_a_table_is_dropped_on_the_empty_wall(contexts: Contexts, blank: Running) -> None:
    page = contexts(locale="de-DE").new_page()
    page.goto(blank.url)
    expect(page.get_by_role("button", name="Mit einer Tabelle beginnen")).to_be_visible()
    text = "Karte;Art\nWolf;x y\nRabe;y z\nBär;z x\n"
    page.evaluate(DROP, [text, "Tiere.csv"])
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("3 Karten, 3 Exemplare.")
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    page.evaluate(DROP, ["a,b\nWolf,x y\nRaven,y z\nBear,z x\n", "ab.csv"])
    asked = dialog.get_by_label("Spalte mit den Namen")
    asked.select_option("b")
    expect(dialog.get_by_role("row", name="b Name der Karte")).to_be_visible()
    expect(dialog.get_by_label("Spalte mit den Namen")).to_have_value("b")


def test_a_table_that_was_mended_is_read_again(
    contexts: Contexts, blank: Running, tmp_path: Path
) -> None:
    page = contexts().new_page()
    page.goto(blank.url)
    page.get_by_role("button", name="Begin with a table").click()
    dialog = page.get_by_role("dialog")
    table = tmp_path / "cards.csv"
    table.write_text("one\n", encoding="utf-8")
    with page.expect_file_chooser() as chosen:
        dialog.get_by_role("button", name="Choose file").click()
    chosen.value.set_files(table)
    expect(dialog.locator(".wrong")).to_contain_text("there is no table")
    table.write_text(CARDS, encoding="utf-8")
    with page.expect_file_chooser() as chosen:
        dialog.get_by_role("button", name="Choose another file").click()
    # Else the browser says nothing of a file with the same path.
    expect(dialog.locator("input[type=file]")).to_have_value("")
    chosen.value.set_files(table)
    expect(dialog).to_contain_text("4 cards, 8 copies.")


def test_from_card_to_card(page: Page) -> None:
    page.locator(".tile", has_text="A2").click()
    panel = page.locator("#panel")
    panel.get_by_role("button", name="Next card").click()
    expect(panel.locator("h2")).to_have_text("Digger")
    expect(panel.get_by_role("button", name="Next card")).to_be_focused()
    for name in ("Queen Ant", "Ant"):
        panel.get_by_role("button", name="Previous card").click()
        expect(panel.locator("h2")).to_have_text(name)
    expect(panel.get_by_role("button", name="Previous card")).to_be_disabled()
    panel.get_by_role("button", name="Edit", exact=True).click()
    expect(page.locator("#edit-previous")).to_be_disabled()
    page.locator("#edit-next").click()
    expect(page.locator("#edit-f-name")).to_have_value("Queen Ant")


def test_the_tab_leads_from_a_form_to_its_list(page: Page) -> None:
    page.locator(".tile", has_text="A2").click()
    page.keyboard.press("e")
    expect(page.locator("#edit-f-name")).to_have_value("Queen Ant")
    page.get_by_role("link", name="Edit", exact=True).click()
    expect(page.get_by_role("button", name="New rule")).to_be_visible()
    page.go_back()
    expect(page.locator("#edit-f-name")).to_have_value("Queen Ant")


def test_a_game_is_renamed(page: Page, studio: Running) -> None:
    page.get_by_role("link", name="Edit", exact=True).click()
    page.get_by_role("button", name="Game:").click()
    page.locator("#edit-f-name").fill("Anthill")
    page.keyboard.press("Control+s")
    expect(page.locator("#game")).to_have_text("Anthill")
    expect(page).to_have_title("Edit · Anthill")
    assert 'name="Anthill"' in (studio.folder / "xml" / "game.xml").read_text(encoding="utf-8")


def test_one_new_card_after_the_other(page: Page, studio: Running) -> None:
    page.get_by_role("button", name="New card").click()
    for name in ("Hare", "Hedgehog"):
        expect(page.locator("#edit-f-name")).to_have_value("")
        expect(page.locator("#edit-f-name")).to_be_focused()
        page.keyboard.type(name)
        page.locator('#edit-f-level[value="1"]').check()
        page.get_by_label("Actions", exact=True).fill("1")
        page.get_by_label("Costs", exact=True).fill("1")
        expect(page.locator(".edit-face:not(.stale) img").first).to_be_visible()
        page.get_by_role("button", name="Save and new").click()
        expect(page.locator("#edit-f-name")).to_have_value("")
    text = "".join(p.read_text("utf-8") for p in (studio.folder / "xml" / "Factions").iterdir())
    assert text.count('name="Hare"') == text.count('name="Hedgehog"') == 1
