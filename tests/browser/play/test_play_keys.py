"""The table is for everybody: keys alone, readers of screens, a telephone with a touch screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from browser.play.steps import center, deal, heading, names, pieces, settled, zone
from browser.steps import faults, touch

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from browser.conftest import Contexts, Running

expect = pytest.importorskip("playwright.sync_api", reason="needs the extra browser-tests").expect


def focused(page: Page) -> str:
    label: str = page.evaluate("document.activeElement.ariaLabel")
    return label


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def test_a_game_is_played_with_keys_alone(table: Page) -> None:
    first, second, third = names(table, "0/hand")
    pieces(table, "0/hand").first.locator("button").focus()
    assert focused(table) == f"{first}, 1 of 3"
    press(table, "ArrowRight")
    assert focused(table) == f"{second}, 2 of 3"
    press(table, "Shift+ArrowLeft")
    assert names(table, "0/hand") == [second, first, third]
    assert focused(table).startswith(second)
    press(table, "m")
    table.get_by_role("menuitem", name="Front").focus()
    press(table, "Enter")
    assert names(table, "0/front") == [second]
    assert focused(table).startswith(first)  # the next card, so that others can follow
    press(table, "x")
    assert names(table, "0/discard") == [f"Grave, 1 card, {first}"]
    press(table, "d")
    assert len(names(table, "0/hand")) == 2
    table.locator("ul[data-area='0/front'] button").focus()
    press(table, "f", "r")
    assert names(table, "0/front") == ["face down, turned by 90°"]
    press(table, "v")
    assert names(table, "0/front") == ["face down, turned by 90°, shown"]
    press(table, "f", "a")
    table.get_by_role("menuitem", name="Wound").focus()
    press(table, "Enter")
    assert names(table, "0/front")[0] == f"{second}, turned by 90°, shown, Wound"
    table.locator("ul[data-area='0/front'] button").first.focus()
    press(table, "t")
    assert names(table, "0/front") == []  # the marker went back to the supply
    assert heading(table, "0/main") == "Main · 3"
    table.locator("ul[data-area='0/main'] button").focus()
    press(table, "d")
    assert names(table, "0/hand")[-1] == second
    press(table, ".", "Control+z", "Control+y")
    expect(table.locator(".play-title")).to_contain_text("turn 1")


def test_the_arrows_go_from_area_to_area(table: Page) -> None:
    pieces(table, "0/hand").first.locator("button").focus()
    press(table, "ArrowDown")
    assert focused(table).startswith("Main, ")
    press(table, "ArrowUp", "End")
    assert focused(table).endswith("3 of 3")
    press(table, "Space")
    expect(table.locator("#play-large")).to_be_visible()
    press(table, "Escape")
    expect(table.locator("#play-large")).to_be_hidden()


def test_the_buttons_below_the_table_wait_for_a_slow_hand(table: Page) -> None:
    table.locator("ul[data-area='0/main'] button").focus()
    draws = table.locator(".play-foot button", has_text="Draw")
    table.mouse.move(*center(draws))
    table.mouse.down()
    table.wait_for_timeout(400)  # longer than it takes to draw what is beside the table
    table.mouse.up()
    assert len(names(table, "0/hand")) == 4
    pieces(table, "0/hand").first.locator("button").focus()
    table.locator(".play-foot button", has_text="Turn over").press("Enter")
    assert names(table, "0/hand")[0] == "face down"


def test_the_keys_are_listed(table: Page) -> None:
    pieces(table, "0/hand").first.locator("button").focus()
    press(table, "?")
    listed = table.get_by_role("dialog")
    expect(listed).to_contain_text("draws so many cards")
    expect(listed).to_contain_text("Turn over")
    press(table, "Escape")
    press(table, "Enter")
    expect(table.get_by_role("menu")).to_be_visible()
    press(table, "ArrowDown", "Escape")
    assert focused(table).endswith("1 of 3")


@pytest.mark.corpus(2)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(page: Page, scheme: str) -> None:
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    page.get_by_role("link", name="Play", exact=True).click()
    page.wait_for_selector("#play-deck-0")
    assert faults(page) == ""
    deal(page, "Queens", "Hill")
    pieces(page, "0/hand").first.click()
    assert faults(page) == ""
    press(page, "Enter")
    assert faults(page) == ""
    press(page, "Escape")
    for tab in ("Counters", "Log", "Notes"):
        page.get_by_role("button", name=tab, exact=True).click()
        assert faults(page) == ""
    pieces(page, "0/main").locator("button").focus()
    press(page, "g")
    page.wait_for_selector("#play-dialog .play-looked")
    assert faults(page) == ""
    press(page, "Escape", "i")
    page.wait_for_selector(".play-summary")
    assert faults(page) == ""


def test_a_finger_drags_and_asks_for_menus(contexts: Contexts, studio: Running) -> None:
    size = {"width": 390, "height": 844}
    page = contexts(viewport=size, has_touch=True, is_mobile=True).new_page()
    page.goto(studio.url)
    page.wait_for_selector(".tile:not(.pending)")
    deal(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
    session = page.context.new_cdp_session(page)
    first = names(page, "0/hand")[0]
    zone(page, "0/back").evaluate("(node) => node.scrollIntoView({ block: 'center' })")
    x, y = center(pieces(page, "0/hand").first)
    box = zone(page, "0/back").bounding_box()
    assert box is not None
    end = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    touch(session, "touchStart", (x, y))
    for part in range(1, 9):
        touch(session, "touchMove", (x + (end[0] - x) * part / 8, y + (end[1] - y) * part / 8))
    touch(session, "touchEnd")
    settled(page)
    assert names(page, "0/back") == [first]
    x, y = center(pieces(page, "0/hand").first)
    touch(session, "touchStart", (x, y))
    expect(page.get_by_role("menu")).to_be_visible()
    touch(session, "touchEnd")
    expect(page.get_by_role("menu")).to_be_visible()
    page.get_by_role("menuitem", name="Discard").tap()
    settled(page)
    assert len(names(page, "0/hand")) == 1
    pieces(page, "0/main").tap()
    page.get_by_role("button", name="Draw", exact=False).first.tap()
    settled(page)
    assert len(names(page, "0/hand")) == 2


def test_it_speaks_german(contexts: Contexts, studio: Running) -> None:
    page = contexts(locale="de-DE").new_page()
    page.goto(studio.url.replace("/#", "/?view=play#"))
    page.get_by_role("button", name="Austeilen").click()
    page.wait_for_selector("#play[data-page=table] [data-area='0/hand'] img")
    expect(page.get_by_role("button", name="Nächster Zug")).to_be_visible()
    assert page.locator("#play [data-area='0/front'] h3").inner_text().startswith("Front")


def test_a_stack_is_shuffled_with_keys_and_in_the_menu(table: Page) -> None:
    press(table, "9")  # draws all cards
    cards = names(table, "0/hand")
    for _ in cards:
        pieces(table, "0/hand").first.locator("button").focus()
        press(table, "m")
        table.get_by_role("menuitem", name="Front").click()
    assert sorted(names(table, "0/front")) == sorted(cards)
    pieces(table, "0/front").first.locator("button").focus()
    press(table, "Control+a", "s")
    settled(table)
    table.get_by_role("button", name="Log").click()
    expect(table.locator(".play-log li").last).to_have_text(
        f"Shuffled: {', '.join(dict.fromkeys(cards))}"
    )
    shuffled = names(table, "0/front")
    assert sorted(shuffled) == sorted(cards)
    press(table, "Escape")
    pieces(table, "0/front").first.click(button="right")
    expect(table.get_by_role("menu")).to_be_visible()
    expect(table.get_by_role("menuitem", name="Shuffle")).to_have_count(0)  # it lies alone
