"""A game is played with the mouse, and followed in its log, in replay and in its summary."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest

from browser.play.steps import center, deal, drag, heading, names, pieces, settled, zone

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from browser.conftest import Running
    from conftest import Run

expect = pytest.importorskip("playwright.sync_api", reason="needs the extra browser-tests").expect


def test_the_table_deals_what_the_command_deals(table: Page, studio: Running, run: Run) -> None:
    drawn = run("hand", "queens", "--seed", "7", "--format", "json", "--game", str(studio.folder))
    cards = [row["name"] for row in json.loads(drawn.stdout)["cards"] if row["part"] == "hand"]
    assert names(table, "0/hand") == cards
    expect(table.locator(".play-title")).to_contain_text("seed 7")
    assert "game=queens-7" in table.url
    pieces(table, "0/hand").first.click()
    table.get_by_role("button", name="Replace 1 of 1").click()
    redrawn = run(
        *("hand", "queens", "--seed", "7", "--redraw", cards[0], "--format", "json"),
        *("--game", str(studio.folder)),
    )
    rows = json.loads(redrawn.stdout)["cards"]
    assert names(table, "0/hand") == [row["name"] for row in rows if row["part"] == "hand"]
    expect(table.get_by_role("button", name="Replace")).to_have_count(0)


def test_cards_are_dragged_and_rows_add_up(table: Page) -> None:
    first, second, third = names(table, "0/hand")
    drag(table, pieces(table, "0/hand").nth(1), zone(table, "0/front"))
    drag(table, pieces(table, "0/hand").nth(0), zone(table, "0/front"), dx=-200)
    assert names(table, "0/front") == [first, second]
    assert names(table, "0/hand") == [third]
    costs = {"Ant": 3, "Queen Ant": 9, "Digger": 4}
    both = costs[first] + costs[second]
    assert heading(table, "0/front") == f"Front · 2 · Costs {both}"
    card = pieces(table, "0/front").first
    drag(table, table.locator("[data-make='marker:wound']"), card)
    drag(table, table.locator("[data-make='marker:coin/5']"), card)
    assert heading(table, "0/front") == f"Front · 2 · Costs {both + 4}"
    assert names(table, "0/front")[0] == f"{first}, Wound, Coin"
    drag(table, card, zone(table, "0/discard"))
    assert names(table, "0/discard") == [f"Grave, 1 card, {first}"]
    assert heading(table, "0/front") == f"Front · 1 · Costs {costs[second]}"
    for _ in range(5):
        table.keyboard.press("Control+z")
    assert names(table, "0/hand") == [first, second, third]
    for _ in range(5):
        table.keyboard.press("Control+y")
    assert names(table, "0/front") == [second]


def test_several_cards_are_moved_at_once(table: Page) -> None:
    first, second, third = names(table, "0/hand")
    box = zone(table, "0/hand").locator("ul").bounding_box()
    assert box is not None
    table.mouse.move(box["x"] + 2, box["y"] + 2)
    table.mouse.down()
    table.mouse.move(box["x"] + box["width"] - 2, box["y"] + box["height"] - 2, steps=4)
    table.mouse.up()
    expect(table.locator("[aria-pressed=true].play-card")).to_have_count(3)
    drag(table, pieces(table, "0/hand").nth(1), zone(table, "0/back"))
    assert names(table, "0/back") == [first, second, third]
    expect(table.locator("#play .play-foot")).to_contain_text("3 cards")


def test_cards_on_the_free_table_lie_where_they_are_put(table: Page) -> None:
    top = zone(table, "table").locator("ul")
    drag(table, pieces(table, "0/hand").first, top, dx=-200)
    drag(table, pieces(table, "0/hand").first, top, dx=100)
    first, second = (center(pieces(table, "table").nth(at))[0] for at in (0, 1))
    middle = center(top)[0]
    assert first == pytest.approx(middle - 200, abs=3)
    assert second == pytest.approx(middle + 100, abs=3)
    drag(table, pieces(table, "table").nth(1), pieces(table, "table").nth(0))  # a stack
    corner = pieces(table, "table").nth(0).bounding_box()
    assert corner is not None
    table.mouse.move(corner["x"] + 3, corner["y"] + 3)
    table.mouse.down()
    table.mouse.move(corner["x"] + 200, corner["y"] + 3)
    table.mouse.move(corner["x"] + 353, corner["y"] + 3)
    table.mouse.up()
    settled(table)
    assert center(pieces(table, "table").nth(0))[0] == pytest.approx(middle + 150, abs=3)
    assert center(pieces(table, "table").nth(1))[0] == pytest.approx(middle + 158, abs=8)


def test_a_menu_is_opened_by_the_right_button(table: Page) -> None:
    pieces(table, "0/main").click(button="right")
    expect(table.get_by_role("menu")).to_be_visible()
    table.get_by_role("menuitem", name="Look at the top …").click()
    table.get_by_label("How many?").fill("2")
    table.keyboard.press("Enter")
    looked = table.locator("#play-dialog .play-looked button")
    expect(looked).to_have_count(2)
    second = looked.nth(1).get_attribute("aria-label")
    looked.nth(1).click()
    looked.nth(0).click()
    table.get_by_role("button", name="On top of the pile").click()
    settled(table)
    expect(table.locator("#play-dialog .play-looked b")).to_have_count(0)  # they can be put anew
    table.get_by_role("button", name="Done").click()
    pieces(table, "0/main").dblclick()
    assert names(table, "0/hand")[-1] == second


def test_tokens_of_a_chosen_card_come_first(table: Page) -> None:
    table.keyboard.press("9")  # draws all cards
    ant = names(table, "0/hand").index("Ant")
    drag(table, pieces(table, "0/hand").nth(ant), zone(table, "0/front"))
    pieces(table, "0/front").first.click()
    expect(table.locator(".play-tray button").first).to_have_text("Wolf")
    expect(table.locator(".play-tray .first").first).to_have_text("Wolf")
    table.locator(".play-tray button").first.click()
    settled(table)
    assert names(table, "0/front")[-1] == "Wolf"
    table.keyboard.press("Escape")
    pieces(table, "0/front").last.click()
    table.keyboard.press("Delete")
    assert len(names(table, "0/front")) == 1


def test_every_moment_can_be_seen_again(table: Page, studio: Running) -> None:
    hand = names(table, "0/hand")
    table.get_by_role("button", name="Next turn").click()
    drag(table, pieces(table, "0/hand").first, zone(table, "0/front"))
    table.get_by_role("button", name="Next turn").click()
    settled(table)
    table.get_by_role("button", name="Log").click()
    said = table.locator(".play-log li").all_inner_texts()
    assert said[0] == "Hands are dealt, seed 7"
    assert said[1].startswith("Turn 1: ")
    assert said[2] == f"{hand[0]}: Hand → Front"
    table.locator(".play-log button").nth(1).click()
    expect(table.locator("#play.play-past")).to_be_visible()
    assert names(table, "0/front") == []
    assert table.url.endswith("game=queens-7&at=1")
    other = table.context.new_page()
    other.goto(studio.url.replace("/#", f"/?{table.url.partition('?')[2]}#"))
    expect(other.locator("#play.play-past")).to_be_visible()
    assert names(other, "0/hand") == names(table, "0/hand")
    other.close()
    table.get_by_role("button", name="Turn after").click()
    expect(table.locator("#play.play-past")).to_have_count(0)  # there is none: the present
    table.locator(".play-log button").nth(1).click()
    table.locator("#play-moment").press("ArrowRight")
    expect(table.locator("#play .play-foot")).to_contain_text("2 / 3")
    expect(pieces(table, "0/front")).to_have_count(1)
    table.get_by_role("button", name="Go on from here").click()
    expect(table.locator("#play.play-past")).to_have_count(0)
    settled(table)
    expect(table.locator(".play-title")).to_contain_text("turn 1")


def test_a_note_names_the_place_of_its_card(table: Page) -> None:
    pieces(table, "0/hand").first.click()
    table.keyboard.press("n")
    table.get_by_label("Note", exact=True).fill("too strong")
    table.get_by_role("button", name="Done").click()
    settled(table)
    table.get_by_role("button", name="What happened").click()
    told = table.get_by_role("dialog")
    expect(told).to_contain_text("too strong")
    expect(told.locator(".place")).to_have_text(re.compile(r"xml/Factions/AA_cards\.xml:\d+"))
    expect(told.locator("tbody tr").first.locator("td").nth(3)).to_have_text(re.compile(r"\d"))


def test_the_table_follows_the_files(table: Page, studio: Running) -> None:
    drag(table, pieces(table, "0/hand").first, zone(table, "0/front"))
    name = names(table, "0/front")[0]
    picture = pieces(table, "0/front").locator("img")
    before = picture.get_attribute("src")
    studio.replace("xml/Factions/AA_cards.xml", f'name="{name}"', 'name="Newcomer"')
    expect(picture).not_to_have_attribute("src", str(before))
    assert names(table, "0/front") == ["Newcomer"]


def test_dice_coins_and_counters(table: Page) -> None:
    table.keyboard.press("j")
    table.get_by_label("How many?").fill("3")
    table.locator("#play-sides").fill("20")
    table.keyboard.press("Enter")
    rolled = table.locator(".play-rolled")
    expect(rolled).to_have_text(re.compile(r"\d+ \+ \d+ \+ \d+"))
    table.keyboard.press("y")
    expect(rolled).to_have_text(re.compile("^[12]$"))
    table.get_by_role("button", name="Counters").click()
    table.get_by_role("button", name="Points +1, Queens").click(click_count=2)
    expect(table.locator(".play-counters output").first).to_have_text("2")


def test_another_tab_sees_the_same_game(table: Page, studio: Running) -> None:
    other = table.context.new_page()
    other.goto(studio.url.replace("/#", "/?view=play&game=queens-7#"))
    other.wait_for_selector("#play[data-page=table]")
    drag(table, pieces(table, "0/hand").first, zone(table, "0/front"))
    expect(pieces(other, "0/front")).to_have_count(1)
    other.close()


def test_a_game_goes_on_after_the_studio_was_killed(table: Page, studio: Running) -> None:
    drag(table, pieces(table, "0/hand").first, zone(table, "0/front"))
    lying, hand = names(table, "0/front"), names(table, "0/hand")
    studio.kill()
    log = studio.folder / "out" / "play" / "queens-7.jsonl"
    with log.open("a", encoding="utf-8") as stream:
        stream.write('{"do":"move","ca')  # as when the power fails
    studio.start()
    expect(table.locator("#connection")).to_be_hidden()
    table.reload()
    table.wait_for_selector("#play[data-page=table] img")
    assert (names(table, "0/front"), names(table, "0/hand")) == (lying, hand)
    drag(table, pieces(table, "0/hand").first, zone(table, "0/front"))
    assert len(names(table, "0/front")) == 2
    lines = log.read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["do"] for line in lines] == ["begin", "move", "move"]


def test_two_decks_and_a_draft(page: Page) -> None:
    page.get_by_role("link", name="Decks", exact=True).click()
    page.locator(".decks-open .name", has_text="Hill").click()
    page.wait_for_selector("#decks[data-page=deck][aria-busy=false]")
    page.locator(".decks-name, .decks-face").first.press("+")
    expect(page.locator("#unsaved")).to_be_visible()
    deal(page, "Hill (not saved)", "Queens")
    assert heading(page, "1/main").startswith("Main · 3")
    assert heading(page, "0/main").startswith("Main · 3")
    page.get_by_role("button", name="Games").click()
    expect(page.locator(".play-games li")).to_have_count(1)
    page.get_by_role("button", name="Delete the game").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    expect(page.locator(".play-games li")).to_have_count(0)


def test_a_card_shows_its_second_face_when_it_is_turned_over(page: Page, studio: Running) -> None:
    before = page.locator(".tile").count()
    studio.replace("templates/card.xml", "{{ card.name }}", "{{ card.name }} {{ card.part }}")
    studio.replace("xml/game.xml", '<kind tag="card"', '<kind tag="card" parts="costs"')
    expect(page.locator(".tile").nth(before)).to_be_attached()
    deal(page)
    card = pieces(page, "0/hand").first
    faces = int(names(page, "0/hand")[0].rpartition("/")[2])
    shown = [card.locator("img").get_attribute("src")]
    assert names(page, "0/hand")[0].endswith(f", 1/{faces}")
    card.click()
    for number in range(2, faces + 1):
        page.keyboard.press("f")
        assert names(page, "0/hand")[0].endswith(f", {number}/{faces}")
        shown.append(card.locator("img").get_attribute("src"))
    page.keyboard.press("f")
    assert names(page, "0/hand")[0] == "face down"
    assert len({*shown}) == faces > 1
