"""The page is for everybody: readers of screens, narrow windows, large type, two languages."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from browser.steps import faults

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from browser.conftest import Contexts, Running

expect = pytest.importorskip("playwright.sync_api", reason="needs the extra browser-tests").expect


@pytest.mark.corpus(2)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(page: Page, studio: Running, scheme: str) -> None:
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    assert faults(page) == ""
    studio.replace("xml/Factions/AA_cards.xml", 'name="Digger"', 'name="Delver" nane=""')
    expect(page.locator("#mistakes")).to_be_visible()
    studio.replace("xml/Factions/BB_cards.xml", 'name="Bee"', 'name="Bumblebee"')
    expect(page.locator("#changes")).to_be_visible()
    page.locator(".tile", has_text="Bumblebee").click()
    page.get_by_role("button", name="Bleed, trim, safe zone").click()
    page.fill("#query", "b")
    page.get_by_role("button", name="Save search").click()
    assert faults(page) == ""
    page.get_by_role("button", name="Settings").click()
    page.select_option("#editor", "own")
    assert faults(page) == ""


@pytest.mark.corpus(2)
@pytest.mark.parametrize("width", [390, 640])  # a telephone, and 1,280 at 200 %
def test_nothing_hangs_over_the_edge(page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    wide = "document.documentElement.scrollWidth"
    assert page.evaluate(wide) <= width
    page.locator(".tile").first.click()
    assert page.evaluate(wide) <= width
    box = {"x": 0, "y": 0, "width": width, "height": 800}
    assert page.locator("#panel").bounding_box() == box  # all of a small window
    assert page.evaluate("document.activeElement.matches('#panel .close')")
    page.keyboard.press("Escape")
    assert page.evaluate("document.activeElement.matches('.tile')")


def test_it_speaks_the_language_of_the_browser(contexts: Contexts, studio: Running) -> None:
    page = contexts(locale="de-AT").new_page()
    page.goto(studio.url)
    expect(page.locator("#hits")).to_have_text("6 Karten")
    expect(page.get_by_role("button", name="Einstellungen")).to_be_visible()
    assert page.evaluate("document.documentElement.lang") == "de"


def test_findings_speak_it_too(contexts: Contexts, studio: Running) -> None:
    studio.replace("xml/Factions/AA_cards.xml", 'level="2"', 'level="two" rank="9"')
    page = contexts(locale="de-DE").new_page()
    page.goto(studio.url)
    findings = page.locator("#mistakes")
    expect(findings).to_contain_text("2 Fehler")
    findings.locator("summary").click()
    expect(findings).to_contain_text("Karte `A2` hat ein unbekanntes Attribut `rank`")
    expect(findings).to_contain_text("Möglich sind `1`, `2`")
    expect(findings.locator("[lang=en]")).to_have_count(0)


def test_the_theme_can_be_switched_and_is_kept(page: Page) -> None:
    ground = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(ground)
    page.get_by_role("button", name="Settings").click()
    page.select_option("#theme", "dark")
    dark = page.evaluate(ground)
    assert dark != light
    page.reload()
    assert page.evaluate(ground) == dark
