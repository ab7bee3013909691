"""What fails is shown over whatever view is shown, and can be tried again."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from browser.conftest import Contexts, Running
from browser.decks.steps import offer, open_deck
from browser.steps import faults
from deck_game import write_deck_game

if TYPE_CHECKING:
    from playwright.sync_api import Page

expect = pytest.importorskip("playwright.sync_api", reason="needs the extra browser-tests").expect

FULL = """
import errno
from deckwright.studio import answers
write = answers.replace_files
def replace_files(files):
    path = next(iter(files))
    if (path.parents[2] / "full").exists():
        raise OSError(errno.ENOSPC, "No space left on device", str(path))
    write(files)
answers.replace_files = replace_files
"""


class OnDisk(Running):
    """A studio of a game on a disk that can be full."""

    program = FULL + Running.program

    def fill(self) -> None:
        (self.folder / "full").touch()

    def empty(self) -> None:
        (self.folder / "full").unlink()


@pytest.fixture(name="disk")
def _disk(tmp_path: Path) -> Iterator[OnDisk]:
    running = OnDisk(write_deck_game(tmp_path / "game"))
    running.start()
    yield running
    running.stop()


def opened(contexts: Contexts, running: Running, **given: object) -> Page:
    page = contexts(**given).new_page()
    page.goto(running.url)
    page.wait_for_selector(".tile:not(.pending)")
    return page


def test_a_deck_that_the_disk_has_no_room_for_is_said_and_saved_later(
    contexts: Contexts, disk: OnDisk
) -> None:
    page = opened(contexts, disk)
    open_deck(page)
    offer(page, "Digger").get_by_role("button", name="Add").click()
    disk.fill()
    failures = page.locator("#failures li")
    for _ in range(2):
        page.keyboard.press("Control+s")
        expect(failures).to_have_count(1)
    expect(failures.locator("p")).to_have_text("The disk is full: hill.xml was not saved.")
    expect(page.locator("#announcer")).to_have_text(failures.locator("p").inner_text())
    page.get_by_role("link", name="Cards", exact=True).click()
    expect(failures).to_be_visible()
    assert faults(page) == ""
    page.get_by_role("link", name="Decks", exact=True).click()
    disk.empty()
    failures.get_by_role("button", name="Try again").click()
    expect(failures).to_have_count(0)
    expect(page.locator("#unsaved")).to_be_hidden()
    assert 'id="A3" amount="3"' in (disk.folder / "xml/Decks/hill.xml").read_text("utf-8")


@pytest.mark.corpus(2)
@pytest.mark.parametrize("width", [390, 1280])
def test_it_is_said_in_german_and_can_be_closed(
    contexts: Contexts, disk: OnDisk, width: int
) -> None:
    size = {"width": width, "height": 800}
    page = opened(contexts, disk, locale="de-DE", viewport=size, color_scheme="dark")
    page.goto(disk.url.replace("/#", "/?view=edit&card=AA:A1#"))
    page.locator("#edit-f-name").fill("Emmet")
    expect(page.locator(".edit-state")).to_have_text("Nicht gespeichert")
    disk.fill()
    page.keyboard.press("Control+s")
    failures = page.locator("#failures li")
    expect(failures.locator("p")).to_have_text(
        "Der Datenträger ist voll: AA_cards.xml wurde nicht gespeichert."
    )
    expect(failures.locator("p span")).not_to_have_attribute("lang", "en")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert faults(page) == ""
    failures.get_by_role("button", name="Schließen").click()
    expect(failures).to_have_count(0)
    expect(page.locator("#failures")).to_be_hidden()
    expect(page.locator(".edit-state")).to_have_text("Nicht gespeichert")


def test_over_a_dialog_it_can_be_reached(contexts: Contexts, disk: OnDisk) -> None:
    page = opened(contexts, disk)
    open_deck(page)
    page.route("**/api/decks/text", lambda route: route.fulfill(status=500, body="oh"))
    page.get_by_role("button", name="More", exact=True).click()
    page.get_by_role("button", name="Text list").click()
    failures = page.locator("#decks-dialog #failures li")
    expect(failures).to_contain_text("The terminal shows the details")
    page.unroute("**/api/decks/text")
    failures.get_by_role("button", name="Try again").click()
    expect(page.locator("#failures li")).to_have_count(0)
    expect(page.locator("#decks-out")).not_to_have_value("")
    page.keyboard.press("Escape")
    expect(page.locator("body > #failures")).to_have_count(1)


@pytest.mark.corpus(4)
@pytest.mark.parametrize(
    ("view", "path"),
    [
        ("cards", "**/api/search*"),
        ("decks", "**/api/decks"),
        ("edit", "**/api/edit/list"),
        ("print", "**/api/print/preview"),
    ],
)
def test_no_view_keeps_it_to_itself(contexts: Contexts, disk: OnDisk, view: str, path: str) -> None:
    page = opened(contexts, disk)
    page.route(path, lambda route: route.fulfill(status=503, json={"message": "too much"}))
    page.goto(disk.url.replace("/#", f"/?view={view}&q=costs>1#"))
    where = "#print .note.broken" if view == "print" else "#failures li"
    expect(page.locator(where)).to_be_visible()
    page.unroute(path)
    if view != "print":
        page.locator(where).get_by_role("button", name="Try again").click()
        expect(page.locator("#failures li")).to_have_count(0)
    shown = {"cards": ".tile", "decks": ".decks-open", "edit": ".edit-entry", "print": "#print"}
    expect(page.locator(shown[view]).first).to_be_visible()
