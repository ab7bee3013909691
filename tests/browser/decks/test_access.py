"""Decks are for everybody: readers of screens, narrow windows, two languages."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from browser.decks.steps import limit, offer, open_deck, settled
from browser.steps import faults

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from browser.conftest import Contexts, Running

expect = pytest.importorskip("playwright.sync_api", reason="needs the extra browser-tests").expect


@pytest.mark.corpus(2)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_in_decks(page: Page, scheme: str) -> None:
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    page.get_by_role("link", name="Decks", exact=True).click()
    expect(page.locator(".decks-item")).to_have_count(2)
    assert faults(page) == ""
    page.get_by_role("button", name="New deck").click()
    assert faults(page) == ""
    page.keyboard.press("Escape")
    open_deck(page)
    offer(page, "Ant").get_by_role("button", name="Add Ant").click()
    settled(page)
    page.locator(".decks-filters summary").click()
    assert faults(page) == ""
    limit(page, "costs").click()
    assert faults(page) == ""
    page.get_by_role("button", name="List", exact=True).click()
    assert faults(page) == ""


@pytest.mark.corpus(2)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_in_what_opens_over_a_deck(page: Page, scheme: str) -> None:
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    open_deck(page)
    dialog = page.get_by_role("dialog")
    for opens in (".decks-card .decks-face", ".decks-why:visible", "[data-act=hand]"):
        page.locator(opens).first.click()
        expect(dialog).to_be_visible()
        assert faults(page) == "", opens
        page.keyboard.press("Escape")
        expect(dialog).to_be_hidden()
    page.get_by_role("button", name="More", exact=True).click()
    assert faults(page) == ""
    page.get_by_role("button", name="Text list").click()
    expect(page.locator("#decks-out")).not_to_have_value("")
    assert faults(page) == ""
    page.get_by_role("button", name="Import").click()
    dialog.get_by_role("textbox").fill("2 Ant\n4 Dragon")
    expect(page.locator(".decks-lost")).to_be_visible()
    assert faults(page) == ""


def test_axe_finds_nothing_in_decks_side_by_side(page: Page, studio: Running) -> None:
    page.goto(studio.url.replace("#", "?view=decks&beside=hill&beside=queens#"))
    expect(page.locator(".decks-beside").first).to_be_visible()
    assert faults(page) == ""


@pytest.mark.corpus(2)
@pytest.mark.parametrize("width", [390, 640])  # a telephone, and 1,280 at 200 %
def test_nothing_of_decks_hangs_over_the_edge(page: Page, width: int) -> None:
    wide = "document.documentElement.scrollWidth"
    page.set_viewport_size({"width": width, "height": 800})
    open_deck(page)
    for tab in ("Card pool", "Deck", "Statistics"):
        page.get_by_role("group", name="Show").get_by_role("button", name=tab).click()
        assert page.evaluate(wide) <= width, tab
    expect(page.get_by_role("heading", name="Limits")).to_be_visible()
    page.get_by_role("group", name="Show").get_by_role("button", name="Deck", exact=True).click()
    page.locator(".decks-face, .decks-name").locator("visible=true").first.click()
    box = page.get_by_role("dialog").bounding_box()
    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= width


def test_a_telephone_builds_by_tapping(contexts: Contexts, studio: Running) -> None:
    size = {"width": 390, "height": 844}
    page = contexts(viewport=size, has_touch=True, is_mobile=True).new_page()
    page.goto(studio.url.replace("#", "?view=decks&deck=hill#"))
    settled(page)
    offer(page, "Digger").get_by_role("button", name="Add Digger").tap()
    expect(page.locator(".decks-brief")).to_contain_text("6 / 6+")
    page.get_by_role("group", name="Show").get_by_role("button", name="Deck", exact=True).tap()
    number = page.get_by_role("spinbutton", name="Copies of Digger")
    expect(number).to_have_value("3")
    page.locator(".decks-row", has=number).get_by_role("button", name="Remove Digger").tap()
    expect(number).to_have_value("2")


def test_decks_speak_german(contexts: Contexts, studio: Running) -> None:
    page = contexts(locale="de-DE").new_page()
    page.goto(studio.url.replace("#", "?view=decks&deck=hill#"))
    expect(page.locator("[data-of=decks] .decks-state")).to_have_text("1 Grenze verletzt")
    expect(page.get_by_role("button", name="Probehand")).to_be_visible()
    expect(page.locator(".decks-limit").first).to_contain_text("1 zu wenig")
