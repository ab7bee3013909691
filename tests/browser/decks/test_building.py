"""A deck is built: from the pool, by button, key, number and dragging; every step can be undone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from browser.decks.steps import copies, held, limit, offer, settled

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from browser.conftest import Running

expect = pytest.importorskip("playwright.sync_api", reason="needs the extra browser-tests").expect

HILL = {"Ant": 3, "Digger": 2}


def test_the_list_tells_what_decks_there_are(page: Page) -> None:
    page.get_by_role("link", name="Decks", exact=True).click()
    items = page.locator(".decks-item")
    expect(items).to_have_count(2)
    expect(items.nth(0)).to_contain_text("Hill")
    expect(items.nth(0)).to_contain_text("6 cards")
    expect(items.nth(0).locator(".decks-state")).to_have_text("1 limit broken")
    expect(items.nth(1).locator(".decks-state")).to_have_text("Legal")
    items.nth(0).locator(".decks-open").click()
    expect(page.get_by_role("textbox", name="Name")).to_have_value("Hill")
    assert "deck=hill" in page.url
    page.go_back()
    expect(items).to_have_count(2)


def test_copies_come_and_go_by_buttons_and_are_told(deck: Page) -> None:
    assert copies(deck) == HILL
    offer(deck, "Digger").get_by_role("button", name="Add Digger").click()
    assert copies(deck) == {"Ant": 3, "Digger": 3}
    expect(deck.locator("#announcer")).to_have_text("Digger: 3 of 3")
    offer(deck, "Ant").get_by_role("button", name="Remove Ant").click()
    offer(deck, "Queen Ant").get_by_role("button", name="Add Queen Ant").click()
    assert copies(deck) == {"Ant": 2, "Digger": 3, "Queen Ant": 1}


def test_a_press_makes_anew_only_the_card_that_it_changes(deck: Page) -> None:
    settled(deck)
    deck.evaluate(
        """() => {
          const make = Document.prototype.createElement;
          window.numbersMade = 0;
          document.createElement = (tag) => {
            if (tag === "b") window.numbersMade += 1; // one in each card
            return make.call(document, tag);
          };
        }"""
    )
    offer(deck, "Digger").get_by_role("button", name="Add Digger").click()
    assert copies(deck) == {"Ant": 3, "Digger": 3}
    settled(deck)
    assert 1 <= deck.evaluate("window.numbersMade") <= 2


def test_limits_fill_and_say_what_is_missing_or_too_much(deck: Page) -> None:
    size = deck.locator(".decks-limits").first.locator(".decks-limit").first
    expect(size).to_contain_text("5 / 6+")
    expect(size).to_contain_text("1 missing")
    more = offer(deck, "Ant").get_by_role("button", name="Add Ant")
    more.click()
    expect(size).to_contain_text("6 / 6+")
    expect(size).not_to_contain_text("missing")
    expect(limit(deck, "copies")).to_contain_text("Ant: 1 too many")
    expect(deck.locator("[data-of=decks] .decks-state")).to_have_text("1 limit broken")


def test_a_limit_lights_the_cards_that_count(deck: Page) -> None:
    limit(deck, "costs").click()
    expect(held(deck, "Ant")).to_have_class(r"decks-card lit")
    expect(held(deck, "Guest", "side")).not_to_have_class(r"decks-card lit")
    limit(deck, "costs").click()
    expect(deck.locator(".lit")).to_have_count(0)


def test_the_keyboard_alone_builds_and_takes_one_copy_at_a_time(deck: Page) -> None:
    deck.keyboard.press("/")
    deck.keyboard.type("dig")
    expect(deck.locator(".decks-offer")).to_have_count(1)
    deck.keyboard.press("ArrowDown")
    deck.keyboard.press("+")
    assert copies(deck)["Digger"] == 3
    for key in ("Delete", "Backspace", "-"):
        deck.keyboard.press(key)
    assert "Digger" not in copies(deck)
    deck.keyboard.press("2")
    assert copies(deck)["Digger"] == 2
    held(deck, "Ant").locator(".decks-face").focus()
    deck.keyboard.press("Delete")
    assert copies(deck)["Ant"] == 2
    deck.keyboard.press("ArrowRight")
    assert deck.evaluate("document.activeElement.dataset.card") == "AA:A3"
    deck.keyboard.press("1")
    deck.keyboard.press("2")
    assert copies(deck)["Digger"] == 12
    deck.keyboard.press("Enter")
    expect(deck.get_by_role("dialog")).to_contain_text("Digger")
    deck.keyboard.press("Escape")
    assert deck.evaluate("document.activeElement.dataset.card") == "AA:A3"


def test_the_focus_stays_in_the_deck_when_a_card_leaves_it(deck: Page) -> None:
    held(deck, "Digger").locator(".decks-face").focus()
    deck.keyboard.press("0")
    assert copies(deck) == {"Ant": 3}
    assert deck.evaluate("document.activeElement.closest('.decks-deck') !== null")


def test_cards_are_dragged_in_out_and_between_zones(deck: Page) -> None:
    main = deck.locator(".decks-zone[data-zone=main]")
    side = deck.locator(".decks-zone[data-zone=side]")
    offer(deck, "Scout").drag_to(main)
    assert copies(deck) == {**HILL, "Scout": 1}
    settled(deck)
    held(deck, "Ant").drag_to(side)
    assert copies(deck) == {"Ant": 2, "Digger": 2, "Scout": 1}
    assert copies(deck, "side") == {"Guest": 1, "Ant": 1}
    settled(deck)
    held(deck, "Guest", "side").drag_to(main)
    expect(deck.locator("#announcer")).to_have_text("Guest is not allowed in Main")
    held(deck, "Ant", "side").drag_to(deck.locator(".decks-pool .hits"))
    assert copies(deck, "side") == {"Guest": 1}


def test_everything_can_be_undone_and_done_again(deck: Page) -> None:
    undo = deck.get_by_role("button", name="Undo")
    expect(undo).to_be_disabled()
    offer(deck, "Ant").get_by_role("button", name="Remove Ant").click()
    deck.get_by_role("textbox", name="Name").fill("Mound")
    deck.get_by_role("combobox", name="Format").select_option("large")
    expect(undo).to_have_accessible_name("Undo: Format changed")
    undo.click()
    held(deck, "Ant").locator(".decks-face").focus()
    deck.keyboard.press("Control+z")
    expect(deck.get_by_role("textbox", name="Name")).to_have_value("Hill")
    deck.keyboard.press("Control+z")
    assert copies(deck) == HILL
    expect(undo).to_be_disabled()
    deck.keyboard.press("Control+Shift+z")
    deck.keyboard.press("Control+y")
    deck.keyboard.press("Control+y")
    assert copies(deck)["Ant"] == 2
    expect(deck.get_by_role("textbox", name="Name")).to_have_value("Mound")
    size = deck.locator(".decks-limits").first.locator(".decks-limit").first
    expect(size).to_contain_text("4 / 8+")


def test_piles_and_the_list_are_chosen_and_remembered(deck: Page) -> None:
    expect(deck.locator(".decks-zone[data-zone=main] h4")).to_have_text(["33", "42"])
    deck.get_by_role("combobox", name="Pile by").select_option("level")
    expect(deck.locator(".decks-zone[data-zone=main] h4")).to_have_text(["Low5"])
    deck.get_by_role("button", name="List", exact=True).click()
    number = deck.get_by_role("spinbutton", name="Copies of Ant")
    expect(number).to_have_value("3")
    number.fill("1")
    number.press("Enter")
    expect(deck.locator("#announcer")).to_have_text("Ant: 1 of 3")
    deck.reload()
    expect(deck.get_by_role("spinbutton", name="Copies of Ant")).to_have_value("1")
    expect(deck.get_by_role("combobox", name="Pile by")).to_have_value("level")


def test_a_card_has_a_note_and_numbers_in_each_zone(deck: Page) -> None:
    held(deck, "Ant").locator(".decks-face").click()
    sheet = deck.get_by_role("dialog")
    sheet.get_by_role("textbox", name="Note").fill("holds the line")
    sheet.get_by_role("button", name="Add Ant").nth(1).click()
    deck.keyboard.press("Escape")
    expect(held(deck, "Ant").locator(".decks-face")).to_have_accessible_name(
        "Ant: 3 of 3. holds the line"
    )
    assert copies(deck, "side") == {"Guest": 1, "Ant": 1}


def test_the_pool_is_searched_and_filtered(deck: Page) -> None:
    pool = deck.locator(".decks-pool")
    names = pool.locator(".decks-offer .name")
    pool.get_by_role("searchbox").fill("costs>=4 dig")
    expect(names).to_have_text(["Digger"])
    pool.get_by_role("searchbox").fill("")
    pool.locator("summary").click()
    pool.get_by_role("button", name="High").click()
    expect(names).to_have_text(["Queen Ant", "Bee"])
    pool.get_by_role("button", name="High").click()
    pool.get_by_role("button", name="In the deck").click()
    expect(names).to_have_text(["Ant", "Digger", "Guest"])
    pool.get_by_role("button", name="In the deck").click()
    offer(deck, "Digger").get_by_role("button", name="Add Digger").click()
    settled(deck)
    pool.get_by_role("button", name="Can be added").click()
    expect(names).to_have_text(["Queen Ant", "Scout", "Bee", "Guest"])
    pool.get_by_role("searchbox").fill("cots>=3")
    expect(deck.locator("#decks-wrong")).to_contain_text("cots")


def test_statistics_and_odds_are_in_sight(deck: Page) -> None:
    numbers = deck.locator(".decks-numbers")
    expect(numbers.locator("figure", has_text="costs").first).to_contain_text("average 3.4")
    expect(numbers.locator("table").first).to_contain_text("100")
    before = deck.evaluate("JSON.stringify(localStorage)")
    numbers.get_by_text("Odds", exact=True).click()
    expect(numbers.locator("table").first).to_be_hidden()
    deck.wait_for_function("before => JSON.stringify(localStorage) !== before", arg=before)
    deck.reload()
    settled(deck)
    expect(numbers.locator("table").first).to_be_hidden()


def test_two_tabs_build_the_same_deck(deck: Page, studio: Running) -> None:
    other = deck.context.new_page()
    other.goto(studio.url.replace("#", "?view=decks&deck=hill#"))
    offer(deck, "Ant").get_by_role("button", name="Remove Ant").click()
    expect(held(other, "Ant").locator("b")).to_have_text("2")
    held(other, "Ant").locator(".decks-face").focus()
    other.keyboard.press("Control+z")
    expect(held(deck, "Ant").locator("b")).to_have_text("3")
