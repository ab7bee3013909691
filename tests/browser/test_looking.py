"""How cards are looked at: what is kept, other eyes, edges, and where a card comes from."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from browser.conftest import Running

expect = pytest.importorskip("playwright.sync_api", reason="needs the extra browser-tests").expect


def open_settings(page: Page) -> None:
    page.get_by_role("button", name="Settings").click()


def test_what_was_searched_for_is_kept_by_a_name(page: Page) -> None:
    kept, hits = page.locator("#kept"), page.locator("#hits")
    expect(kept).to_be_hidden()
    page.get_by_role("button", name="Hill", exact=True).click()
    page.fill("#query", "costs>=4")
    page.select_option("#sort", "name")
    expect(hits).to_have_text("2 of 6 cards")
    kept.get_by_role("button", name="Save search").click()
    page.keyboard.type("Dear ants")
    page.keyboard.press("Enter")
    chip = kept.get_by_role("button", name="Dear ants", exact=True)
    expect(chip).to_be_focused()
    chip.click()
    expect(hits).to_have_text("6 cards")
    page.reload()
    chip.click()
    expect(hits).to_have_text("2 of 6 cards")
    expect(page.locator("#query")).to_have_value("costs>=4")
    expect(page.locator("#sort")).to_have_value("name")
    expect(chip).to_have_attribute("aria-pressed", "true")
    kept.get_by_role("button", name="Delete “Dear ants”").click()
    expect(chip).to_have_count(0)
    expect(hits).to_have_text("2 of 6 cards")


def test_a_name_need_not_be_given(page: Page) -> None:
    page.fill("#query", "ant")
    page.locator("#kept").get_by_role("button", name="Save search").click()
    expect(page.get_by_label("Name", exact=True)).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator("#kept").get_by_role("button", name="Save search")).to_be_focused()
    expect(page.locator("#query")).to_have_value("ant")


def test_all_cards_are_seen_by_other_eyes_and_in_draft_print(page: Page) -> None:
    filtered = "(image) => getComputedStyle(image).filter"
    tile = page.locator(".tile img").first
    assert tile.evaluate(filtered) == "none"
    page.select_option("#seen", "deutan")
    assert tile.evaluate(filtered) == 'url("#deutan")'
    page.locator(".tile").first.click()
    panel = page.locator("#panel")
    panel.get_by_label("View as").select_option("draft")
    expect(page.locator("#seen")).to_have_value("draft")
    for picture in (tile, panel.locator("figure img")):
        assert picture.evaluate(filtered) == 'url("#draft")'


def test_the_bleed_is_shown_around_the_trim(page: Page) -> None:
    page.locator(".tile", has_text="Digger").click()
    panel = page.locator("#panel")
    picture = panel.locator("figure img")
    ratio = "(image) => image.complete && image.naturalWidth / image.naturalHeight"
    page.wait_for_function(
        "() => Math.abs(document.querySelector('#panel img').naturalWidth - 65 * 96 / 25.4) < 1"
    )
    panel.get_by_role("button", name="Bleed, trim, safe zone").click()
    page.wait_for_function(
        "() => Math.abs(document.querySelector('#panel img').naturalWidth - 71 * 96 / 25.4) < 1"
    )
    assert picture.evaluate(ratio) == pytest.approx(71 / 96, abs=0.01)
    expect(panel.locator(".legend")).to_contain_text("Bleed, 3 mm")
    expect(panel.locator(".legend")).to_contain_text("Trim, 65 × 90 mm")
    panel.get_by_role("button", name="Life-size").click()
    wide = panel.locator(".frame").evaluate("(frame) => frame.offsetWidth")
    assert wide == pytest.approx(71 * 96 / 25.4, abs=1)


def test_the_template_of_a_face_can_be_opened(page: Page, studio: Running) -> None:
    studio.replace("templates/card.xml", "<face", "<!-- All cards -->\n<face")
    page.locator(".tile", has_text="Digger").click()
    link = page.locator("#panel .source dd").last.locator("a")
    expect(link).to_have_text("templates/card.xml:2")
    studio.replace("templates/card.xml", "<!-- All cards -->", "<!-- All\n  cards -->")
    expect(link).to_have_text("templates/card.xml:3")


@pytest.mark.corpus(4)
@pytest.mark.parametrize(
    ("editor", "start", "end"),
    [
        ("vscode", "vscode://file/", "/game/xml/Factions/AA_cards.xml:4:1"),
        ("zed", "zed://file/", "/game/xml/Factions/AA_cards.xml:4:1"),
        ("sublime", "subl://open?url=file:///", "/AA_cards.xml&line=4&column=1"),
        ("idea", "idea://open?file=/", "/game/xml/Factions/AA_cards.xml&line=4"),
    ],
)
def test_places_are_opened_in_the_editor_of_choice(
    page: Page, editor: str, start: str, end: str
) -> None:
    page.locator(".tile", has_text="Digger").click()
    open_settings(page)
    page.select_option("#editor", editor)
    page.keyboard.press("Escape")
    href = page.locator("#panel .source dd").first.locator("a").get_attribute("href") or ""
    assert href.startswith(start)
    assert href.endswith(end)


def test_any_other_editor_has_an_address_of_its_own(page: Page) -> None:
    page.locator(".tile", has_text="Digger").click()
    open_settings(page)
    expect(page.locator("#pattern")).to_be_hidden()
    page.select_option("#editor", "own")
    first = page.locator("#panel .source dd").first
    for refused in ("javascript://{path}", "https://evil.example/{path}", "mine", "my://nothing"):
        page.fill("#pattern", refused)
        expect(first.locator("a")).to_have_count(0)
    page.fill("#pattern", "my-editor://{path}#{line},{column}")
    href = first.locator("a").get_attribute("href") or ""
    assert href.startswith("my-editor:///")
    assert href.endswith("/AA_cards.xml#4,1")
    page.keyboard.press("Escape")
    page.reload()
    expect(first.locator("a")).to_have_attribute("href", href)


def test_life_size_is_found_by_dragging_a_corner(page: Page) -> None:
    open_settings(page)
    frame = page.locator("#calibration-card")
    box = page.locator("#calibration-corner").bounding_box()
    wide = "(frame) => frame.offsetWidth"
    before = frame.evaluate(wide)
    assert box
    page.mouse.move(box["x"] + 12, box["y"] + 12)
    page.mouse.down()
    page.mouse.move(box["x"] + 12 + before / 4, box["y"] + 12, steps=3)
    page.mouse.move(box["x"] + 12 + before / 2, box["y"] + 12, steps=3)
    page.mouse.up()
    assert frame.evaluate(wide) == pytest.approx(before * 1.5, abs=2)
    assert float(page.locator("#calibration").input_value()) == pytest.approx(150, abs=1)
    page.mouse.move(0, 0)
    assert frame.evaluate(wide) == pytest.approx(before * 1.5, abs=2)
    page.locator("#calibration").press("ArrowRight")
    assert float(page.locator("#calibration").input_value()) == pytest.approx(150.1, abs=1)
