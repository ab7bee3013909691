"""What the stories of decks have in common."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page


def open_deck(page: Page, name: str = "Hill") -> None:
    """Open a deck from the list, and wait until it is judged."""
    page.get_by_role("link", name="Decks", exact=True).click()
    page.locator(".decks-open .name", has_text=name).click()
    page.wait_for_selector("#decks[data-page=deck][aria-busy=false]")


def settled(page: Page) -> None:
    """Wait until the deck as it is now is judged."""
    page.wait_for_selector("#decks[aria-busy=false]")


def offer(page: Page, name: str) -> Locator:
    """Return a card of the pool."""
    return page.locator(".decks-offer", has=page.get_by_text(name, exact=True))


def held(page: Page, name: str, zone: str = "main") -> Locator:
    """Return a card of the deck."""
    cards = page.locator(f".decks-zone[data-zone={zone}] :is(.decks-card, .decks-row)")
    return cards.filter(has=page.get_by_text(name, exact=True))


def copies(page: Page, zone: str = "main") -> dict[str, int]:
    """Return the copies of each card in a zone that lies in piles."""
    said = page.locator(f".decks-zone[data-zone={zone}] .decks-strip").all_inner_texts()
    found = [re.fullmatch(r"(\d+)\s+(.+)", text.strip(), re.DOTALL) for text in said]
    return {match[2]: int(match[1]) for match in found if match}


def limit(page: Page, name: str) -> Locator:
    """Return a limit's row."""
    return page.locator(".decks-limit", has=page.get_by_text(name, exact=True))
