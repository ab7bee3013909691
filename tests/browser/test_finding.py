"""Search, filters and the keyboard: how a card is found."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from browser.conftest import ants
from conftest import edit

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

expect = pytest.importorskip("playwright.sync_api", reason="needs the extra browser-tests").expect


def names(page: Page) -> list[str]:
    found: list[str] = page.locator(".tile .name").all_text_contents()
    return found


def test_the_wall_has_all_cards_by_faction(page: Page) -> None:
    expect(page.locator("#hits")).to_have_text("6 cards")
    headings = page.locator("#factions h3").all_inner_texts()
    assert [heading.split("\n") for heading in headings] == [
        ["Hill", "3"],
        ["Hive", "2"],
        ["Road", "1"],
    ]
    for picture in page.locator(".tile img").all():
        expect(picture).not_to_have_js_property("naturalWidth", 0)


def test_words_are_searched_as_one_types(page: Page) -> None:
    page.keyboard.press("/")
    page.keyboard.type("UE")
    expect(page.locator("#hits")).to_have_text("2 of 6 cards")
    assert names(page) == ["Queen Ant", "Guest"]
    page.keyboard.type(" queen")
    expect(page.locator("#hits")).to_have_text("1 of 6 cards")
    page.keyboard.type("xyz")
    expect(page.locator("#empty")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#hits")).to_have_text("6 cards")


def test_an_expression_and_words_add_up(page: Page) -> None:
    page.fill("#query", "costs>=3")
    expect(page.locator("#hits")).to_have_text("4 of 6 cards")
    page.fill("#query", "costs>=3 level:1 digger")
    expect(page.locator("#hits")).to_have_text("1 of 6 cards")
    assert names(page) == ["Digger"]
    page.fill("#query", "costs >= 5 and level=2")
    expect(page.locator("#hits")).to_have_text("2 of 6 cards")


def printed_names(folder: Path) -> Path:
    """Write a game whose fields are called otherwise in print."""
    ants(folder)
    edit(folder / "xml" / "game.xml", 'name="costs" type', 'text="Stärke" name="costs" type')
    edit(folder / "xml" / "game.xml", 'name="level" type', 'text="How high" name="level" type')
    return folder


@pytest.mark.parametrize("game", [printed_names])
def test_conditions_call_things_as_print_does(page: Page) -> None:
    expect(page.locator("#query")).to_have_attribute("placeholder", re.compile("Stärke>=3"))
    for text in (
        "Stärke>=4",
        "stärke >=4",
        'Stärke>=4 "How high":High',
        "Stärke >= 4 and level:High",
    ):
        page.fill("#query", text)
        expect(page.locator("#hits")).to_have_text(f"{2 if 'High' in text else 3} of 6 cards")
    page.fill("#query", "Größe>=4")
    expect(page.locator("#query-note")).to_contain_text("No card has “Größe”. Available: ")
    expect(page.locator("#query-note")).to_contain_text("How high, Stärke")


def test_what_cannot_be_read_is_said_and_nothing_vanishes(page: Page) -> None:
    page.fill("#query", "costs>=3")
    expect(page.locator("#hits")).to_have_text("4 of 6 cards")
    page.fill("#query", "cots>=3")
    expect(page.locator("#query-note")).to_contain_text("cots")
    expect(page.locator("#hits")).to_have_text("4 of 6 cards")
    page.fill("#query", "")
    expect(page.locator("#query-note")).to_be_empty()


def test_filters_combine_and_are_kept(page: Page) -> None:
    page.get_by_role("button", name="Hill", exact=True).click()
    page.get_by_role("button", name="Hive", exact=True).click()
    expect(page.locator("#hits")).to_have_text("5 of 6 cards")
    page.get_by_role("button", name="High", exact=True).click()
    expect(page.locator("#hits")).to_have_text("2 of 6 cards")
    assert names(page) == ["Queen Ant", "Bee"]
    page.reload()
    expect(page.locator("#hits")).to_have_text("2 of 6 cards")
    pressed = page.locator("#filters [aria-pressed=true]")
    assert pressed.all_inner_texts() == ["Hill", "Hive", "High"]
    page.get_by_role("button", name="Clear").click()
    expect(page.locator("#hits")).to_have_text("6 cards")


def test_cards_are_sorted_within_their_faction(page: Page) -> None:
    page.select_option("#sort", "costs")
    assert names(page) == ["Ant", "Digger", "Queen Ant", "Drone", "Bee", "Guest"]
    page.select_option("#sort", "name")
    assert names(page) == ["Ant", "Digger", "Queen Ant", "Bee", "Drone", "Guest"]


def test_a_card_is_found_opened_and_closed_by_keys_alone(page: Page) -> None:
    page.keyboard.press("/")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    panel = page.locator("#panel")
    expect(panel.locator("h2")).to_have_text("Queen Ant")
    page.keyboard.press("ArrowRight")
    expect(panel.locator("h2")).to_have_text("Digger")
    page.keyboard.press("ArrowDown")
    expect(panel.locator("h2")).to_have_text("Drone")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('#panel') !== null")
    page.keyboard.press("Escape")
    expect(panel).to_be_hidden()
    assert page.evaluate("document.activeElement.dataset.key") == "BB:B2:1:face"
    page.keyboard.press("Home")
    assert page.evaluate("document.activeElement.dataset.key") == "AA:A1:1:face"


def test_an_opened_card_tells_its_data_and_its_place(page: Page) -> None:
    page.locator(".tile", has_text="Queen Ant").click()
    panel = page.locator("#panel")
    expect(panel.locator(".source dd")).to_have_count(2)  # all is there
    rows = {
        row.split("\t")[0]: row.split("\t")[1]
        for row in panel.locator("tbody tr").all_inner_texts()
    }
    assert rows["costs"] == "9"
    assert "High" in rows.values()
    link = panel.locator(".source dd", has_text="xml/").locator("a")
    expect(link).to_have_text("xml/Factions/AA_cards.xml:3")
    where = link.get_attribute("href") or ""
    assert where.startswith("vscode://file/")
    assert where.endswith("/xml/Factions/AA_cards.xml:3:1")
    page.get_by_role("button", name="Settings").click()
    page.select_option("#editor", "idea")
    page.get_by_role("button", name="Done").click()
    assert (link.get_attribute("href") or "").startswith("idea://open?file=/")


def test_life_size_is_calibrated_and_remembered(page: Page) -> None:
    page.get_by_role("button", name="Settings").click()
    page.locator("#calibration").fill("200")
    page.get_by_role("button", name="Done").click()
    page.locator("#size").fill("100")
    picture = page.locator(".tile img").first
    assert picture.evaluate("(image) => image.offsetWidth") == pytest.approx(
        65 * 96 / 25.4 * 2, abs=1
    )
    page.reload()
    page.wait_for_selector(".tile")
    assert picture.evaluate("(image) => image.offsetWidth") == pytest.approx(
        65 * 96 / 25.4 * 2, abs=1
    )


def test_a_late_answer_does_not_take_the_place_of_a_newer_one(page: Page) -> None:
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/api/search?q=costs%3E%3D9", hold)
    with page.expect_request("**/api/search?*"):
        page.fill("#query", "costs>=9")
    page.fill("#query", "costs>=3")
    expect(page.locator("#hits")).to_have_text("4 of 6 cards")
    with page.expect_response("**/api/search?*"):
        held[0].continue_()
    page.evaluate("new Promise((done) => setTimeout(done, 50))")
    expect(page.locator("#hits")).to_have_text("4 of 6 cards")


_CHOSEN = """
async (wanted) => {
  const { filterFaces } = await import("/assets/shared/filters.js");
  const rows = { name: "rows", of: "fields" };
  const face = { side: "face", name: "Ant", findings: [], fields: { rows: ["CLOSE", "RANGED"] } };
  const query = { q: "", side: "face", filters: { rows: wanted } };
  return filterFaces([face], query, [rows], null, () => false).length;
}
"""


@pytest.mark.parametrize(("wanted", "found"), [(["RANGED", "WEATHER"], 1), (["WEATHER"], 0)])
def test_one_of_the_words_of_a_filter_is_enough(page: Page, wanted: list[str], found: int) -> None:
    assert page.evaluate(_CHOSEN, wanted) == found


def test_what_is_too_much_for_the_studio_is_asked_again(page: Page) -> None:
    page.route("**/api/search*", lambda route: route.fulfill(status=429), times=1)
    page.fill("#query", "costs>=9")
    expect(page.locator("#hits")).to_have_text("1 of 6 cards")
    expect(page.locator("#connection")).to_be_hidden()
