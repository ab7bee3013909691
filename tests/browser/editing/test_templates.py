"""Templates by eye: typing, clicking, dragging and keys, on a face beside its text."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from browser.conftest import Running
from browser.steps import faults
from support import card, write_game

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

    from browser.conftest import Contexts, Writes

expect = pytest.importorskip("playwright.sync_api", reason="needs the extra browser-tests").expect

TEMPLATE = """<face>
  <rect y="60" width="65" height="30" fill="{{ card.faction.color }}"/>
  <text x="5" y="{{ 2 + 3 }}" width="55" height="12">{{ card.name }}</text>
  <rect x="10" y="30" width="20" height="10" fill="teal"/>
  <g x="40" y="20" rotate="90"><rect x="0" y="0" width="10" height="5" fill="red"/></g>
  <include href="foot.xml"/>
</face>
"""
FOOT = '<face>\n  <circle cx="50" cy="75" r="5" fill="#ffffff"/>\n</face>\n'
ID = "templates/card.xml"


def eye(folder: Path) -> Path:
    """Write a game of three cards whose template includes another one."""
    cards = [card("A1", "Ant"), card("A2", "A name that is long", level=2), card("A3", "Bee")]
    write_game(folder, cards, face=TEMPLATE)
    (folder / "templates" / "foot.xml").write_text(FOOT, encoding="utf-8")
    return folder


@pytest.fixture
def game() -> Writes:
    return eye


def open_template(page: Page, studio: Running, name: str = ID) -> Page:
    query = f"view=edit&template={name}&on=AA:A1:1:face"
    page.goto(studio.url.replace("/#", f"/?{query}#"))
    expect(page.locator(".eye-hit").first).to_be_attached()
    return page


@pytest.fixture
def opened(page: Page, studio: Running) -> Page:
    """The template of the first card, where nothing snaps."""
    opened = open_template(page, studio)
    opened.get_by_role("button", name="Snap").click()
    return opened


def text_of(page: Page) -> Locator:
    return page.get_by_role("textbox", name="Text of the template")


def element_at(page: Page, line: int, file: str = "") -> Locator:
    all_ = page.locator(f'.eye-hit[aria-label$=", line {line}"]')
    return page.locator(f'.eye-hit[aria-label$="{file}, line {line}"]') if file else all_.first


def drag(page: Page, start: Locator, dx: float, dy: float) -> None:
    """Drag something by some mm of the face, in steps as a hand does."""
    expect(start).to_be_visible()
    wide = page.locator(".eye-overlay").bounding_box()
    box = start.bounding_box()
    assert wide is not None
    assert box is not None
    scale = wide["width"] / 65
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    for step in range(1, 6):
        page.mouse.move(x + dx * scale * step / 5, y + dy * scale * step / 5)
    page.mouse.up()


def expect_text(page: Page, old: str, new: str) -> None:
    assert old in TEMPLATE
    expect(text_of(page)).to_have_value(TEMPLATE.replace(old, new, 1))


def test_it_is_opened_from_a_card_and_shows_all_faces_the_longest_text_first(
    page: Page, studio: Running
) -> None:
    page.locator(".tile", has_text="Bee").click()
    page.get_by_role("button", name="Edit template").click()
    expect(text_of(page)).to_have_value(TEMPLATE)
    expect(page.get_by_role("img", name="Bee", exact=False).first).to_be_visible()
    names = page.locator(".eye-one span")
    expect(names).to_have_text(["A name that is long", "Ant", "Bee"])
    names.first.click()
    expect(page.locator('.eye-one[aria-pressed="true"]')).to_contain_text("A name that is long")
    assert "on=AA%3AA2" in page.url
    page.get_by_role("button", name="Back").click()
    expect(page.locator("#panel h2")).to_have_text("A name that is long")
    assert studio.url


def test_the_face_follows_the_text_and_a_mistake_is_said_at_its_line(opened: Page) -> None:
    picture = opened.locator(".eye-face img")
    others = opened.locator(".eye-one img")
    before, other = picture.get_attribute("src"), others.first.get_attribute("src")
    area = text_of(opened)
    area.fill(TEMPLATE.replace('fill="teal"', 'fill="navy"'))
    expect(picture).not_to_have_attribute("src", str(before))
    expect(others.first).not_to_have_attribute("src", str(other))
    area.press("Control+End")
    area.press_sequentially("<")
    expect(opened.locator(".eye-findings")).to_contain_text("Line 8")
    expect(opened.locator(".markup-lines .wrong")).to_have_count(1)
    expect(opened.locator(".eye-face")).to_have_class("eye-face stale")
    area.press("Backspace")
    expect(opened.locator(".eye-findings li")).to_have_count(0)
    area.fill(TEMPLATE.replace("card.name", "card.nane"))
    expect(opened.locator(".eye-findings")).to_contain_text("there is no `nane`")
    opened.get_by_role("button", name="Line 3").click()
    assert opened.evaluate("getSelection().toString()").startswith("  <text")


def test_a_click_on_the_face_finds_the_line_and_the_cursor_finds_the_element(opened: Page) -> None:
    about = opened.locator(".eye-about")
    element_at(opened, 4).click()
    expect(about).to_contain_text("rect, line 4")
    expect(opened.locator(".markup-lines .chosen")).to_contain_text('x="10"')
    opened.keyboard.press("Enter")
    assert opened.evaluate("getSelection().toString()") == TEMPLATE.splitlines()[3].strip()
    text_of(opened).evaluate("node => node.setSelectionRange(90, 90)")
    expect(about).to_contain_text("text “Ant”, line 3")
    expect(about).to_contain_text("`y` is computed, so it cannot be dragged: {{ 2 + 3 }}")


def test_an_element_is_dragged_and_snaps_to_others(opened: Page, studio: Running) -> None:
    element = element_at(opened, 4)
    drag(opened, element, 3.04, 7.3)
    expect_text(opened, 'x="10" y="30"', 'x="13" y="37.3"')
    opened.keyboard.press("Control+z")
    expect_text(opened, 'x="10" y="30"', 'x="10" y="30"')
    opened.get_by_role("button", name="Snap").click()
    drag(opened, element, 0, 19.7)  # its lower edge comes near to the upper one of the first
    expect_text(opened, 'y="30"', 'y="50"')
    drag(opened, element, -4.7, -7.1)  # its left edge comes near to that of the text
    expect_text(opened, 'x="10" y="30"', 'x="5" y="42.9"')
    opened.get_by_role("combobox", name="Grid").select_option("2")
    drag(opened, element, 5.4, -10)
    expect_text(opened, 'x="10" y="30"', 'x="10" y="32.0"')
    opened.keyboard.press("Control+s")
    expect(opened.locator(".edit-state")).to_have_text("Saved")
    saved = (studio.folder / ID).read_text(encoding="utf-8")
    assert saved == TEMPLATE.replace('x="10" y="30"', 'x="10" y="32.0"')


def test_what_is_computed_stays_and_what_is_turned_moves_as_the_hand_does(opened: Page) -> None:
    drag(opened, element_at(opened, 3), 2.1, 4)
    expect_text(opened, 'x="5"', 'x="7.1"')
    opened.keyboard.press("Control+z")
    drag(opened, element_at(opened, 5), 0, 7.3)  # down on the face is along its own x
    expect_text(opened, 'rect x="0"', 'rect x="7.3"')
    opened.keyboard.press("Escape")
    expect(opened.locator(".eye-about")).to_contain_text("g, line 5")
    opened.keyboard.press("ArrowRight")
    expect(text_of(opened)).to_have_value(
        TEMPLATE.replace('g x="40"', 'g x="40.1"').replace('rect x="0"', 'rect x="7.3"')
    )


def test_handles_resize(opened: Page) -> None:
    element_at(opened, 4).click()
    drag(opened, opened.locator('.eye-handle[data-held="4"]'), 3.3, 6.6)
    expect_text(opened, 'width="20" height="10"', 'width="23.3" height="16.6"')
    drag(opened, opened.locator('.eye-handle[data-held="7"]'), 2.4, 3)
    expect_text(opened, 'x="10" y="30" width="20" height="10"',
                'x="12.4" y="30" width="20.9" height="16.6"')  # fmt: skip
    drag(
        opened, opened.locator('.eye-handle[data-held="1"]'), 0, 60
    )  # no further than to the other edge
    expect_text(opened, 'x="10" y="30" width="20" height="10"',
                'x="12.4" y="46.5" width="20.9" height="0.1"')  # fmt: skip


def test_keys_alone_do_everything(opened: Page) -> None:
    opened.get_by_role("combobox", name="Grid").focus()
    for _ in range(3):
        opened.keyboard.press("Tab")
    expect(element_at(opened, 4)).to_be_focused()
    opened.keyboard.press("ArrowRight")
    opened.keyboard.press("Shift+ArrowUp")
    expect_text(opened, 'x="10" y="30"', 'x="10.1" y="29"')
    opened.keyboard.press("Alt+ArrowLeft")
    opened.keyboard.press("Alt+Shift+ArrowDown")
    expect_text(opened, 'x="10" y="30" width="20" height="10"',
                'x="10.1" y="29" width="19.9" height="11"')  # fmt: skip
    for _ in range(2):
        opened.keyboard.press("Shift+Tab")
    expect(element_at(opened, 2)).to_be_focused()
    opened.keyboard.press("ArrowDown")
    expect(text_of(opened)).to_have_value(
        TEMPLATE.replace('y="60"', 'y="60.1"').replace(
            'x="10" y="30" width="20" height="10"', 'x="10.1" y="29" width="19.9" height="11"'
        )
    )
    opened.keyboard.press("Control+z")
    opened.keyboard.press("Control+z")
    expect_text(opened, 'x="10"', 'x="10"')
    opened.keyboard.press("Control+y")
    expect(text_of(opened)).not_to_have_value(TEMPLATE)


def test_what_stands_in_another_file_is_opened_there(opened: Page, studio: Running) -> None:
    element_at(opened, 2, "foot.xml").click()
    about = opened.locator(".eye-about")
    expect(about).to_contain_text("It is in another file: templates/foot.xml, line 2.")
    drag(opened, element_at(opened, 2, "foot.xml"), 5, 5)
    expect(text_of(opened)).to_have_value(TEMPLATE)
    opened.get_by_role("button", name="Open foot.xml").click()
    expect(text_of(opened)).to_have_value(FOOT)
    drag(opened, opened.get_by_role("button", name="circle, line 2"), -2.2, 3.3)
    expect(text_of(opened)).to_have_value(FOOT.replace('"50" cy="75"', '"47.8" cy="78.3"'))
    opened.get_by_role("button", name="Save").click()
    expect(opened.locator(".edit-state")).to_have_text("Saved")
    assert 'cx="47.8"' in (studio.folder / "templates" / "foot.xml").read_text(encoding="utf-8")


def test_a_draft_outlives_the_page_and_others_changes_are_merged(
    opened: Page, studio: Running
) -> None:
    drag(opened, element_at(opened, 4), 3.3, 7.3)
    expect(opened.locator("#unsaved")).to_contain_text("card.xml")
    opened.reload()
    expect_text(opened, 'x="10" y="30"', 'x="13.3" y="37.3"')
    studio.replace(ID, 'y="60"', 'y="61"')
    mine = TEMPLATE.replace('x="10" y="30"', 'x="13.3" y="37.3"')
    expect(text_of(opened)).to_have_value(mine.replace('y="60"', 'y="61"'))
    studio.replace(ID, 'fill="teal"', 'fill="navy"')  # in the line that was changed here
    expect(opened.get_by_role("alert").first).to_contain_text("changed in the file, too")
    opened.get_by_role("button", name="Keep mine").click()
    opened.get_by_role("button", name="Save").click()
    expect(opened.locator(".edit-state")).to_have_text("Saved")
    assert (studio.folder / ID).read_text("utf-8") == mine.replace('y="60"', 'y="61"')


def test_a_text_that_is_broken_is_not_saved(opened: Page, studio: Running) -> None:
    text_of(opened).fill("<face>")
    opened.get_by_role("button", name="Save").click()
    expect(opened.get_by_role("alert").first).to_be_visible()
    assert (studio.folder / ID).read_text("utf-8") == TEMPLATE


@pytest.mark.parametrize("width", [390, 1280])
def test_axe_finds_nothing_and_nothing_hangs_over_the_edge(
    page: Page, studio: Running, width: int
) -> None:
    page.set_viewport_size({"width": width, "height": 844})
    opened = open_template(page, studio)
    element_at(opened, 4).click()
    expect(opened.locator(".eye-handle")).to_have_count(8)
    assert opened.evaluate("document.documentElement.scrollWidth") <= width
    assert faults(opened) == ""
    text_of(opened).fill("<face>\n <rect/>")
    expect(opened.locator(".eye-findings li")).to_have_count(1)
    assert faults(opened) == ""


def test_a_finger_selects_first_and_then_drags(contexts: Contexts, studio: Running) -> None:
    context = contexts(viewport={"width": 390, "height": 844}, has_touch=True, locale="de-DE")
    page = context.new_page()
    page.goto(studio.url)
    page.wait_for_selector(".tile:not(.pending)")
    page.goto(studio.url.replace("/#", f"/?view=edit&template={ID}&on=AA:A1:1:face#"))
    element = page.locator('.eye-hit[aria-label="rect, Zeile 4"]')
    element.tap()
    expect(page.locator(".eye-about")).to_contain_text("rect, Zeile 4")
    box = element.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    finger = context.new_cdp_session(page)
    finger.send(
        "Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]}
    )
    for step in (10, 20, 30):
        touch = {"type": "touchMove", "touchPoints": [{"x": x, "y": y + step}]}
        finger.send("Input.dispatchTouchEvent", touch)
    finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    expect(page.locator(".markup-text")).not_to_have_value(TEMPLATE)
