"""What the stories of the table have in common."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page


def deal(page: Page, *decks: str, seed: int = 7) -> None:
    """Begin a game."""
    page.get_by_role("link", name="Play", exact=True).click()
    for number, deck in enumerate(decks or ("Queens",)):
        page.locator(f"#play-deck-{number}").select_option(label=deck)
    page.get_by_label("Seed").fill(str(seed))
    page.get_by_role("button", name="Deal", exact=True).click()
    page.wait_for_selector("#play[data-page=table] [data-area='0/hand'] img")


def settled(page: Page) -> None:
    """Wait until the server has answered all that was done."""
    page.wait_for_selector("#play[aria-busy=false]")


def pieces(page: Page, area: str) -> Locator:
    """Return what lies in an area: cards and markers, or one stack."""
    return page.locator(f"ul[data-area='{area}'] .play-piece")


def names(page: Page, area: str) -> list[str]:
    """Return what lies in an area, as readers of screens hear it, without its place."""
    settled(page)
    cards = pieces(page, area).locator("button")
    said = cards.evaluate_all("all => all.map((one) => one.ariaLabel)")
    return [re.sub(r", \d+ of \d+$", "", name) for name in said]


def heading(page: Page, area: str) -> str:
    """Return what stands over an area."""
    settled(page)
    text: str = page.locator(f"section[data-area='{area}'] h3").inner_text()
    return text


def center(locator: Locator) -> tuple[float, float]:
    locator.scroll_into_view_if_needed()
    box = locator.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(page: Page, what: Locator, to: Locator, dx: float = 0, dy: float = 0) -> None:
    """Drag something to the middle of something else, or that far from it."""
    x, y = center(what)
    there = to.bounding_box()
    assert there is not None
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 10, y + 10)
    end = there["x"] + there["width"] / 2 + dx, there["y"] + there["height"] / 2 + dy
    page.mouse.move(*end, steps=5)
    page.mouse.up()
    settled(page)


def zone(page: Page, area: str) -> Locator:
    """Return an area."""
    return page.locator(f"section[data-area='{area}']")
