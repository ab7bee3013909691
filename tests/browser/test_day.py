"""A whole day with the studio, from the first look to the print in the hand."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from browser.decks.steps import copies, offer, settled
from deck_game import write_deck_game

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from browser.conftest import Running, Writes

expect = pytest.importorskip("playwright.sync_api", reason="needs the extra browser-tests").expect

ANTS = "xml/Factions/AA_cards.xml"


@pytest.fixture
def game() -> Writes:
    return write_deck_game


def test_a_day(page: Page, studio: Running) -> None:
    view = page.get_by_role("navigation", name="Views")
    page.keyboard.press("/")
    page.keyboard.type("dig")
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    expect(page.locator("#panel h2")).to_have_text("Digger")

    # A card is saved in an editor, wrongly, and mended.
    studio.replace(ANTS, 'name="Digger"', 'name="Digger of Wells"')
    expect(page.locator("#panel h2")).to_have_text("Digger of Wells")
    expect(page.locator("#panel figcaption").last).to_have_text("Now")
    studio.replace(ANTS, 'name="Digger of Wells"', 'name="Delver" nane="Digger"')
    expect(page.locator("#mistakes")).to_contain_text("unknown attribute `nane`")
    expect(page.locator("#panel h2")).to_have_text("Digger of Wells")
    studio.replace(ANTS, ' nane="Digger"', "")
    expect(page.locator("#panel h2")).to_have_text("Delver")
    page.get_by_role("button", name="Mark all as seen").click()
    page.get_by_role("button", name="Close", exact=True).click()

    # A deck is made legal and saved.
    view.get_by_role("link", name="Decks").click()
    page.locator("[data-deck=hill].decks-open").click()
    expect(page.locator("[data-of=decks] .decks-state")).to_have_text("1 limit broken")
    offer(page, "Delver").get_by_role("button", name="Add").click()
    settled(page)
    assert copies(page) == {"Ant": 3, "Delver": 3}
    expect(page.locator("[data-of=decks] .decks-state")).to_have_text("Legal")
    page.keyboard.press("Control+s")
    expect(page.locator("[data-act=save]")).to_have_text("Saved")
    saved = (studio.folder / "xml/Decks/hill.xml").read_text(encoding="utf-8")
    assert 'id="A3" amount="3"' in saved
    assert "<!-- they dig -->" in saved

    # It is printed and taken away.
    view.get_by_role("link", name="Print").click()
    expect(page.locator(".print-slot[title=Delver]").first).to_be_visible()
    page.get_by_role("button", name="Make the PDF").click()
    with page.expect_download() as download:
        page.locator(".print-job").get_by_role("link", name="Save").click()
    assert Path(download.value.path()).read_bytes().startswith(b"%PDF")

    # The studio ends and begins again under the page, which has all as it was left.
    studio.stop()
    expect(page.locator("#connection")).to_contain_text("is not responding")
    studio.start()
    expect(page.locator("#connection")).to_be_hidden()
    view.get_by_role("link", name="Cards").click()
    page.locator("#query").press("Escape")
    expect(page.locator(".tile", has_text="Delver")).to_have_count(1)
    expect(page.locator(".tile .mark")).to_have_count(0)
    view.get_by_role("link", name="Decks").click()
    expect(page.get_by_role("textbox", name="Name")).to_have_value("Hill")
    expect(page.locator("#unsaved")).to_be_hidden()
