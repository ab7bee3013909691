"""A game whose decks are built in the browser, and what the stories of decks have in common."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from support import card, line, write_game

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

_LIMITS = """<opening zone="main" hand="3" redraws="1" mulligans="1" draws="1"/>
    <limit id="size" name="cards" zone="main" min="6"/>
    <limit id="costs" name="costs" zone="main" sum="costs" max="40"/>
    <limit id="copies" name="copies" zone="main" per="name" max="3"/>
    <limit id="side" name="cards" zone="side" max="2"/>
    <format id="standard" name="Standard" default="true"/>
    <format id="large" name="Large"><set limit="size" value="8"/></format>"""


def deck_game(folder: Path) -> Path:
    """Write a game with two decks, of which one is a card short; return `folder`."""
    cards = [
        card("A1", "Ant", level=1, costs=3),
        card("A2", "Queen Ant", level=2, costs=9),
        card("A3", "Digger", level=1, costs=4),
        card("A4", "Scout", level=1, costs=3),
        card("B1", "Bee", "BB", level=2, costs=5),
        card("G1", "Guest", "GG", level=1, costs=2),
    ]
    decks = {
        "hill": [line("A1", 3), "<!-- they dig -->", line("A3", 2), line("G1")],
        "queens": [line("A1", 2), line("A2", 2), line("A3", 2)],
    }
    write_game(folder, cards, decks=decks, limits=_LIMITS)
    game = folder / "xml" / "game.xml"
    text = game.read_text(encoding="utf-8").replace(' name="Side" only="guests"', ' name="Side"')
    game.write_text(text, encoding="utf-8")
    for name in decks:
        path = folder / "xml" / "Decks" / f"{name}.xml"
        named = path.read_text(encoding="utf-8").replace('"Deck"', f'"{name.title()}"')
        path.write_text(named, encoding="utf-8")
    return folder


def open_deck(page: Page, name: str = "Hill") -> None:
    """Open a deck from the list, and wait until it is judged."""
    page.get_by_role("link", name="Decks", exact=True).click()
    page.locator(".decks-open .name", has_text=name).click()
    page.wait_for_selector("#decks[data-page=deck][aria-busy=false]")
    page.wait_for_selector("#mistakes:not([hidden])")  # the deck that is short: nothing moves then


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
