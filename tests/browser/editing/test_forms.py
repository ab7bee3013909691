"""What forms are made of, by pointer and by keys."""

from __future__ import annotations

import re

import pytest

from browser.conftest import Running
from browser.editing.conftest import Edits
from browser.steps import faults

expect = pytest.importorskip("playwright.sync_api", reason="needs the extra browser-tests").expect


def test_a_rule_is_sought_by_its_text_and_chosen_with_keys(edits: Edits) -> None:
    page = edits("card=AA:A2")
    field = page.get_by_role("combobox", name="Add rule")
    field.fill("larva create")
    expect(page.get_by_role("listbox").get_by_role("option")).to_have_count(1)
    field.press("Enter")
    expect(page.locator(".edit-rule")).to_contain_text("Create a Larva.")
    field.fill("")
    field.press("ArrowDown")
    expect(page.get_by_role("listbox").get_by_role("option")).to_have_count(1)
    expect(page.get_by_role("listbox").get_by_role("option")).to_contain_text("It digs.")
    field.press("Escape")
    expect(page.get_by_role("listbox").get_by_role("option")).to_have_count(0)
    page.get_by_role("button", name="Remove Call").click()
    expect(page.locator(".edit-state")).to_have_text("Saved")


def test_rows_are_added_moved_and_removed(edits: Edits) -> None:
    page = edits("card=AA:A1")
    rows = page.locator(".edit-children", has_text="at most 3").locator(".edit-item")
    expect(rows).to_have_count(2)
    page.get_by_role("button", name="+ Add").click()
    expect(rows).to_have_count(3)
    expect(page.get_by_role("button", name="+ Add")).to_have_count(0)
    rows.nth(2).locator("textarea").fill("new")
    rows.nth(2).locator("textarea").press("Alt+ArrowUp")
    expect(rows.nth(1).locator("textarea")).to_have_value("new")
    rows.nth(0).get_by_role("button", name="Remove").click()
    expect(rows).to_have_count(2)
    expect(rows.nth(0).locator("textarea")).to_have_value("new")
    for _ in range(4):
        page.locator("#edit-undo").click()
    expect(rows.nth(0).locator("textarea")).to_have_value("low")
    expect(page.locator(".edit-state")).to_have_text("Saved")


def test_texts_have_emphasis_and_symbols(edits: Edits) -> None:
    page = edits("card=AA:A1")
    area = page.locator("#edit-f-text")
    area.fill("Dig the deep hole")
    area.evaluate("node => node.setSelectionRange(4, 12)")
    area.press("Control+b")
    expect(area).to_have_value("Dig **the deep** hole")
    area.press("Control+b")
    expect(area).to_have_value("Dig the deep hole")
    page.get_by_role("group", name="Text: Formatting").get_by_role("button", name="Italic").click()
    expect(area).to_have_value("Dig __the deep__ hole")
    area.press("Control+End")
    page.get_by_role("button", name="Symbols").first.click()
    page.locator(".edit-symbol", has_text="Claw").first.click()
    expect(area).to_have_value("Dig __the deep__ hole{claw}")
    expect(area).not_to_have_attribute("aria-invalid", "true")


def test_a_picture_is_dragged_and_zoomed_in_its_frame(edits: Edits) -> None:
    page = edits("card=AA:A2")
    frame = page.locator(".edit-frame")
    frame.scroll_into_view_if_needed()
    at = frame.bounding_box()
    assert at is not None
    assert at["width"] / at["height"] == pytest.approx(55 / 25, rel=0.02)
    face = page.locator(".edit-face img").get_attribute("src")
    page.mouse.move(at["x"] + 50, at["y"] + 50)
    page.mouse.down()
    page.mouse.move(at["x"] + 50, at["y"] + 20, steps=3)
    page.mouse.up()
    expect(page.locator(".edit-face img")).not_to_have_attribute("src", str(face))
    expect(page.get_by_role("button", name="Show whole picture")).to_be_visible()
    frame.press("+")
    frame.press("ArrowLeft")
    expect(page.get_by_role("slider", name="Zoom")).to_have_attribute("aria-valuetext", "1.05×")
    page.get_by_role("button", name="Show whole picture").click()
    expect(page.locator(".edit-state")).to_have_text("Saved")


def test_a_rule_is_edited_beside_the_cards_that_show_it(edits: Edits, studio: Running) -> None:
    page = edits("rule=dig")
    expect(page.locator(".edit-faces figcaption")).to_have_text('Ant & "Son"')
    expect(page.locator(".edit-faces")).to_contain_text("Used by 1 card.")
    page.locator("#edit-f-effect").fill("It digs deep.")
    page.get_by_label("All other races").fill("Digs deep")
    page.keyboard.press("Control+s")
    expect(page.locator(".edit-state")).to_have_text("Saved")
    rules = (studio.folder / "xml" / "rules.xml").read_text(encoding="utf-8")
    assert 'effect="It digs deep."><label GEN="Digs deep"/>' in rules


def test_names_of_the_game_are_edited(edits: Edits, studio: Running) -> None:
    page = edits("texts=vocabulary:levels")
    page.get_by_label("2", exact=True).fill("Higher")
    page.keyboard.press("Control+s")
    expect(page.locator(".edit-state")).to_have_text("Saved")
    game = (studio.folder / "xml" / "game.xml").read_text(encoding="utf-8")
    assert '<term id="2" name="Higher"/>' in game


def test_a_form_is_filled_in_with_keys_alone(edits: Edits) -> None:
    page = edits("card=AA:A2")
    page.locator("#edit-f-name").focus()
    page.keyboard.type("Old ")
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowLeft")
    expect(page.locator("[name='edit-f-level']:checked")).to_have_value("1")
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowUp")
    expect(page.locator("#edit-f-actions")).to_have_value("1")
    page.keyboard.press("Control+z")
    expect(page.locator("#edit-f-actions")).to_have_value("0")
    picture = page.get_by_role("button", name="Change picture")
    picture.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(picture).to_be_focused()


@pytest.mark.parametrize("query", ["card=AA:A1", "rule=dig"])
def test_a_form_is_whole_at_twice_its_size(edits: Edits, query: str) -> None:
    page = edits(query)
    page.set_viewport_size({"width": 640, "height": 400})
    assert page.evaluate("document.documentElement.scrollWidth") <= 640
    assert faults(page) == ""
    last = page.locator(".edit-foot button").last
    last.focus()
    expect(last).to_be_in_viewport()
    covered = last.evaluate(
        "node => { const { x, y, width, height } = node.getBoundingClientRect();"
        " return !node.contains(document.elementFromPoint(x + width / 2, y + height / 2)); }"
    )
    assert not covered


def test_a_new_card_is_not_blamed_before_it_is_saved(edits: Edits, studio: Running) -> None:
    page = edits("card=AA:A1")
    page.goto(studio.url.replace("/#", "/?view=edit&new=card&faction=AA&kind=card#"))
    expect(page.locator(".edit-face")).to_contain_text("Fill in the required fields")
    expect(page.locator("[aria-invalid=true]")).to_have_count(0)
    page.locator("#edit-save").click()
    expect(page.locator("#edit-f-name-says")).to_have_text("Required")
    expect(page.locator("#edit-f-actions-says")).to_have_text(
        re.compile("^Required: a whole number")
    )
    expect(page.locator(".edit-notice")).to_contain_text("4 fields")


def test_a_text_that_has_no_room_is_said_at_its_field_and_of_the_opened_card(
    edits: Edits, studio: Running
) -> None:
    either = '<first><text x="5" y="60" width="55" height="9">{{ card.text }}</text><g/></first>'
    studio.replace("templates/card.xml", "</face>", f"{either}</face>")
    page = edits("card=AA:A1")
    says = page.locator("#edit-f-text-says")
    page.locator("#edit-f-text").fill("Draw *two* cards. " * 20)
    expect(says).to_have_text("Not printed: no room")
    expect(page.locator(".edit-face")).to_have_class("edit-face")
    page.keyboard.press("Control+s")
    expect(page.locator(".edit-state")).to_have_text("Saved")
    page.get_by_role("button", name="Back").click()
    expect(page.locator("#panel tr", has_text="Text")).to_contain_text("Not printed: no room")
    page.keyboard.press("e")
    expect(page.locator(".edit h2")).to_be_focused()
    page.locator("#edit-f-text").fill("Draw *two* cards.")
    expect(says).to_have_text("")
