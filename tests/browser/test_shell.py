"""What all views share: how they are drawn, and what is said of work that is not saved."""

from __future__ import annotations

import re
from queue import Queue
from typing import TYPE_CHECKING

import pytest

from browser.conftest import TOKEN
from deckwright.studio.opening import opener

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page

    from browser.conftest import Opens, Running

expect = pytest.importorskip("playwright.sync_api", reason="needs the extra browser-tests").expect

_DRAW = """
async ([size, chosen, typed]) => {
  const { morph } = await import("/assets/morph.js");
  const { make } = await import("/assets/words.js");
  const box = make("div", { className: "box" }, "Box");
  box.style.setProperty("--wide", size);
  box.style.setProperty("width", size);
  const names = ["one", "two", "three"];
  const tried = document.getElementById("tried") ?? make("div", { id: "tried" });
  if (!tried.isConnected) document.querySelector("main").append(tried);
  morph(tried, [
    ...names.slice(0, size.length).map((name) => make("p", {}, name)),
    box,
    make("input", { value: typed, "aria-label": "Typed" }),
    make("select", { "data-value": chosen, "aria-label": "Chosen" },
      ...names.map((value) => make("option", { value }, value))),
  ]);
}
"""


def test_an_opened_card_belongs_to_its_view(page: Page) -> None:
    page.locator(".tile", has_text="Digger").click()
    panel = page.locator("#panel")
    expect(panel).to_contain_text("Digger")
    for view in ("Decks", "Print"):
        page.get_by_role("link", name=view, exact=True).click()
        expect(panel).to_be_hidden()
        expect(page).not_to_have_url(re.compile("open="))
    page.get_by_role("link", name="Cards", exact=True).click()
    expect(panel).to_contain_text("Digger")
    expect(page).to_have_url(re.compile(r"[?&]open=AA"))
    page.go_back()
    expect(panel).to_be_hidden()


def test_what_is_drawn_anew_keeps_focus_and_takes_styles(page: Page) -> None:
    page.evaluate(_DRAW, ["9px", "two", "a"])
    box, typed, chosen = (page.locator(f"#tried {name}") for name in (".box", "input", "select"))
    assert box.evaluate("(node) => node.offsetWidth") == 9
    expect(chosen).to_have_value("two")
    typed.focus()
    typed.evaluate("(node) => (node.kept = true)")
    page.evaluate(_DRAW, ["100px", "three", "ab"])
    assert box.evaluate("(node) => [node.offsetWidth, node.style.getPropertyValue('--wide')]") == [
        100,
        "100px",
    ]
    expect(typed).to_be_focused()
    expect(typed).to_have_value("ab")
    expect(chosen).to_have_value("three")
    assert typed.evaluate("(node) => node.kept")
    chosen.select_option("one")
    page.evaluate(_DRAW, ["100px", "three", "ab"])
    expect(chosen).to_have_value("three")


_NOTE = "([id, text]) => import('/assets/unsaved.js').then(({ note }) => note(id, text))"


def test_work_that_is_not_saved_is_told(page: Page) -> None:
    told = page.locator("#unsaved")
    expect(told).to_be_hidden()
    with page.expect_request("**/api/unsaved") as asked:
        page.evaluate(_NOTE, ["deck:1", "the deck Ants"])
    assert asked.value.post_data_json == {"id": "deck:1", "text": "the deck Ants"}
    expect(told).to_have_text("Not saved: the deck Ants")
    page.evaluate(_NOTE, ["edit:AA:A1", "the card Ant"])
    expect(told).to_have_text("2 works are not saved")
    page.evaluate(_NOTE, ["deck:1", None])
    expect(told).to_have_text("Not saved: the card Ant")


def test_a_studio_that_is_started_anew_is_told_again(opens: Opens, studio: Running) -> None:
    page = opens()
    page.evaluate(_NOTE, ["deck:1", "the deck Ants"])
    studio.stop()
    expect(page.locator("#connection")).to_be_visible()
    with page.expect_request("**/api/unsaved") as told:
        studio.start()
    assert told.value.post_data_json == {"id": "deck:1", "text": "the deck Ants"}


def test_the_browser_is_opened_by_a_file_that_leads_to_the_page(
    context: BrowserContext, studio: Running
) -> None:
    """The token is not in what the browser is started with."""
    given: Queue[str] = Queue()
    with pytest.MonkeyPatch.context() as patch, opener() as browse:
        patch.setattr("webbrowser.open", given.put)
        browse(studio.url)
        file = given.get(timeout=10)
        assert TOKEN not in file
        page = context.new_page()
        page.goto(file)
        page.wait_for_selector(".tile:not(.pending)")
        assert page.url == studio.url.partition("#")[0]


def test_views_have_addresses_and_are_as_they_were_left(page: Page) -> None:
    views = page.get_by_role("navigation", name="Views")
    expect(views.get_by_role("link", name="Cards")).to_have_attribute("aria-current", "page")
    page.fill("#query", "digger")
    page.locator(".tile").click()
    views.get_by_role("link", name="Decks").click()
    expect(page.locator("#decks")).to_be_visible()
    expect(page.locator("#cards")).to_be_hidden()
    expect(page.locator("#query")).to_be_hidden()
    expect(views.get_by_role("link", name="Decks")).to_have_attribute("aria-current", "page")
    assert "view=decks" in page.url
    page.go_back()
    expect(page.locator("#cards")).to_be_visible()
    expect(page.locator("#query")).to_have_value("digger")
    views.get_by_role("link", name="Decks").click()
    page.reload()
    expect(page.locator("#decks")).to_be_visible()
    views.get_by_role("link", name="Cards").click()
    expect(page.locator("#hits")).to_have_text("1 of 6 cards")
    assert "view=" not in page.url


def test_a_mistake_is_told_in_every_view(page: Page, studio: Running) -> None:
    page.get_by_role("link", name="Decks").click()
    studio.replace("xml/Factions/AA_cards.xml", 'name="Digger"', 'name="Digger" nane=""')
    expect(page.locator("#mistakes")).to_contain_text("nane")


def test_the_address_alone_opens_what_was_open(page: Page, studio: Running) -> None:
    page.get_by_role("link", name="Decks").click()
    expect(page.locator("#decks")).to_be_visible()
    page.goto("about:blank")
    page.goto(studio.url)
    expect(page.locator("#decks")).to_be_visible()


_SAVE = """
async (draft) => {
  const { post } = await import("/assets/session.js");
  const told = ({ status, message }) => `${status} ${message}`;
  return post("/api/decks/save", draft).then(() => "saved", told);
}
"""


def test_a_studio_that_only_looks_saves_nothing(opens: Opens, studio: Running) -> None:
    studio.stop()
    studio.read_only = True
    studio.start()
    page = opens()
    expect(page.get_by_text("Only looks")).to_be_visible()
    before = {path: path.read_bytes() for path in studio.folder.rglob("*.xml")}
    page.get_by_role("link", name="Decks", exact=True).click()
    page.get_by_role("button", name="New deck").click()
    page.locator("#decks-new-name").fill("Bee line")
    page.get_by_role("button", name="Begin").click()
    expect(page.locator("[data-act=save]")).to_be_disabled()
    page.keyboard.press("Control+s")
    ant = {"card": "AA:A1", "zone": None, "copies": 1, "note": ""}
    draft = {"id": None, "name": "Ants", "faction": "AA", "format": None, "before": None}
    said = page.evaluate(_SAVE, {"draft": {**draft, "entries": [ant]}})
    assert said.startswith("400 This studio only looks")
    assert {path: path.read_bytes() for path in studio.folder.rglob("*.xml")} == before
