"""A game with everything that forms have, and what opens one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PIL import Image

from browser.conftest import Running
from editors import write_game_to_edit
from support import FACE

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from browser.conftest import Writes

expect = pytest.importorskip("playwright.sync_api", reason="needs the extra browser-tests").expect

Edits = Callable[[str], "Page"]
_PICTURE = """  <image when="card.image" href="{{ card.image }}" x="5" y="28" width="55" height="25"
    fit="cover"/>
</face>"""
_SYMBOLS = '<symbols><symbol id="claw" name="Claw" image="claw.svg"/></symbols>'


def hill(folder: Path) -> Path:
    """Write a game whose cards have texts, symbols, rows of things, rules and a picture."""
    write_game_to_edit(folder)
    (folder / "img").mkdir()
    Image.linear_gradient("L").resize((600, 600)).save(folder / "img" / "a.png")
    claw = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><circle r="4"/></svg>'
    (folder / "img" / "claw.svg").write_text(claw, encoding="utf-8")
    (folder / "templates" / "card.xml").write_text(
        FACE.replace("</face>", _PICTURE), encoding="utf-8"
    )
    game = folder / "xml" / "game.xml"
    text = game.read_text(encoding="utf-8")
    game.write_text(text.replace("<group id", f"{_SYMBOLS}<group id", 1), encoding="utf-8")
    return folder


@pytest.fixture
def game() -> Writes:
    return hill


@pytest.fixture
def edits(page: Page, studio: Running) -> Edits:
    """Opens the form that an address names."""

    def opened(query: str) -> Page:
        page.goto(studio.url.replace("/#", f"/?view=edit&{query}#"))
        expect(page.locator(".edit-form")).to_be_visible()
        expect(page.locator(".edit-face img").first).to_be_visible()
        return page

    return opened
