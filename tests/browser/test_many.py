"""A wall of many cards: only what is on the screen costs anything."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from support import card, write_game

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import BrowserContext, Page, Request

    from browser.conftest import Running, Writes

expect = pytest.importorskip("playwright.sync_api", reason="needs the extra browser-tests").expect
CARDS, ON_SCREEN = 400, 120
ANTS = "xml/Factions/AA_cards.xml"
_LOADED = """[...document.querySelectorAll(".tile img")].filter((img) => img.naturalWidth).length"""


def many(folder: Path) -> Path:
    """Write a game of many cards."""
    return write_game(folder, [card(f"A{n}", f"Ant {n}") for n in range(1, CARDS + 1)])


@pytest.fixture
def game() -> Writes:
    return many


@pytest.fixture
def wall(context: BrowserContext, studio: Running) -> Page:
    page = context.new_page()
    page.goto(studio.url)
    expect(page.locator(".tile")).to_have_count(CARDS)
    expect(page.locator(".tile.pending")).to_have_count(0)
    return page


def test_pictures_are_fetched_when_they_come_near(wall: Page) -> None:
    last = wall.locator(".tile").last
    first = wall.locator(".tile img").first
    expect(first).not_to_have_js_property("naturalWidth", 0)
    assert wall.evaluate(_LOADED) <= ON_SCREEN
    expect(last.locator("img")).to_have_js_property("naturalWidth", 0)
    last.scroll_into_view_if_needed()
    expect(last.locator("img")).not_to_have_js_property("naturalWidth", 0)
    assert wall.evaluate(_LOADED) <= 2 * ON_SCREEN


def test_what_is_off_the_screen_is_not_laid_out(wall: Page) -> None:
    style = "getComputedStyle(document.querySelector('.card')).contentVisibility"
    assert wall.evaluate(style) == "auto"
    seen = "(tile) => tile.checkVisibility({ contentVisibilityAuto: true })"
    assert wall.locator(".tile").first.evaluate(seen)
    assert not wall.locator(".tile").last.evaluate(seen)


def test_the_faces_on_the_screen_are_told_to_the_studio(wall: Page, studio: Running) -> None:
    last = f"AA:A{CARDS}:1:face"

    def tells_of_the_last(asked: Request) -> bool:
        return asked.url.endswith("/api/seen") and last in (asked.post_data or "")

    with wall.expect_request(tells_of_the_last) as asked:
        wall.locator(".tile").last.scroll_into_view_if_needed()
    assert len((asked.value.post_data_json or {})["keys"]) <= ON_SCREEN
    with wall.expect_request("**/api/seen") as asked:
        wall.locator(".tile").last.click()
    assert (asked.value.post_data_json or {})["keys"][0] == last
    studio.replace("templates/card.xml", 'y="60"', 'y="61"')
    expect(wall.locator("#changes-count")).to_contain_text(str(CARDS))


def test_a_change_touches_one_tile_alone(wall: Page, studio: Running) -> None:
    wall.evaluate(
        """globalThis.touched = new Set();
        new MutationObserver((changes) => {
          for (const { target } of changes) touched.add(target.closest(".tile").dataset.key);
        }).observe(document.querySelector("#factions ul"),
          { subtree: true, attributes: true, attributeFilter: ["src"] })"""
    )
    studio.replace(ANTS, '"Ant 7"', '"Queen"')
    expect(wall.locator(".tile", has_text="Queen")).to_contain_text("Changed")
    assert wall.evaluate("[...touched]") == ["AA:A7:1:face"]
