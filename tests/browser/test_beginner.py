"""A new game, from its first card to its PDF, without an editor."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from browser.conftest import Running
from browser.steps import faults
from conftest import ROOT

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from browser.conftest import Contexts

expect = pytest.importorskip("playwright.sync_api", reason="needs the extra browser-tests").expect

_GAMES = {"starter": ROOT / "examples" / "starter", "blank": ROOT / "src" / "deckwright" / "blank"}


@pytest.fixture(name="begun", params=["starter", "blank"])
def _begun(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Running]:
    """A studio of a game as `deckwright new` makes it."""
    folder = tmp_path / request.param
    shutil.copytree(_GAMES[request.param], folder, ignore=shutil.ignore_patterns("out"))
    running = Running(folder)
    running.start()
    yield running
    running.stop()


def _fill_in(page: Page, begun: Running) -> None:
    """Fill in what a new card needs; the form names it and leads there."""
    page.locator("#edit-f-name").fill("Sprat")
    if begun.folder.name == "blank":
        return
    page.keyboard.press("Control+s")
    expect(page.locator("#edit-f-cost")).to_be_focused()
    expect(page.locator("#edit-f-picture-says")).to_have_text("Required")
    for name, value in (("cost", "2"), ("power", "3"), ("text", "Swims.")):
        page.locator(f"#edit-f-{name}").fill(value)
    picture = page.get_by_label("Picture", exact=True)
    picture.focus()
    expect(page.get_by_role("option", name="kitten.svg")).to_be_visible()
    picture.fill("Schwert")
    expect(page.get_by_role("option", name="sword", exact=True)).to_be_visible()
    assert faults(page) == ""
    picture.press("ArrowDown")
    picture.press("Enter")
    expect(picture).to_have_value("sword")
    page.locator("#edit-f-name").fill("A sprat that is told of at length" * 5)
    expect(page.locator("#edit-f-name-says")).to_contain_text("Too long for its box")
    expect(page.locator(".edit-face:not(.stale) img")).to_be_visible()
    page.locator("#edit-f-name").fill("Sprat")
    expect(page.locator("#edit-f-name-says")).to_be_empty()


def test_from_the_first_card_to_its_pdf(contexts: Contexts, begun: Running) -> None:
    page = contexts().new_page()
    page.goto(begun.url)
    if begun.folder.name == "starter":
        page.get_by_role("link", name="Edit", exact=True).click()
    page.get_by_role("button", name="New card").click()
    _fill_in(page, begun)
    expect(page.locator(".edit-face img")).to_be_visible()
    page.keyboard.press("Control+s")
    expect(page.locator(".edit-state")).to_have_text("Saved")
    page.get_by_role("link", name="Print", exact=True).click()
    if begun.folder.name == "starter":
        page.get_by_role("link", name="Decks", exact=True).click()
    page.get_by_role("button", name="New deck").first.click()
    expect(page.get_by_role("dialog").get_by_label("Name")).to_be_focused()
    page.keyboard.type("First")
    page.keyboard.press("Enter")
    expect(page.locator(".decks-state.over")).to_have_count(0)
    page.get_by_role("button", name="Add Sprat").first.click()
    page.get_by_role("button", name="Print", exact=True).click()
    expect(page.locator(".print-which input:checked")).to_have_count(1)
    expect(page.get_by_role("checkbox", name="First")).to_be_checked()
    if begun.folder.name == "starter":
        page.get_by_role("button", name="Ignore deck limits").click()
    expect(page.locator(".print-slot").first).to_be_visible()
    if begun.folder.name == "blank":
        page.get_by_role("button", name="Make the PDF").click()
        expect(page.locator(".print-job.done")).to_be_visible()
        assert list((begun.folder / "out").glob("*.pdf"))
