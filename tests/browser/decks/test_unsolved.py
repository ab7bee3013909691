"""Decks in a studio without the solver, and in German."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from browser.conftest import Running
from browser.decks.steps import settled
from deck_game import write_deck_game
from deckwright.base.extras import install_command

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

expect = pytest.importorskip("playwright.sync_api", reason="needs the extra browser-tests").expect


class Unsolved(Running):
    """A studio without the solver."""

    program = f"import sys\nsys.modules['highspy'] = None\n{Running.program}"


@pytest.fixture(name="unsolved")
def _unsolved(tmp_path: Path, chromium: Browser) -> Iterator[Page]:
    """A deck in a studio that has no solver, with a page in German."""
    running = Unsolved(write_deck_game(tmp_path / "game"))
    running.start()
    page = chromium.new_page(locale="de-DE")
    page.goto(running.url)
    page.wait_for_selector(".tile")
    page.get_by_role("link", name="Decks", exact=True).click()
    page.locator(".decks-open .name", has_text="Hill").click()
    settled(page)
    yield page
    page.close()
    running.stop()


def test_without_the_solver_its_buttons_say_how_to_get_it(unsolved: Page) -> None:
    page, dialog = unsolved, unsolved.get_by_role("dialog")
    for button in ("Gültig machen", "Was noch passt"):
        page.get_by_role("button", name=button).click()
        expect(dialog).to_contain_text("wird ein Solver gebraucht")
        expect(dialog.locator("code")).to_have_text(install_command("solve"))
        dialog.get_by_role("button", name="Fertig").click()
    page.get_by_role("button", name="Warum nicht Ant?").click()
    expect(dialog).to_contain_text("Main: copies")
    expect(dialog.locator("code")).to_be_visible()
