"""Cards are edited in place and saved, with the faces beside the form."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from browser.conftest import Running, Writes, ants
from browser.editing.conftest import Edits
from browser.steps import faults

if TYPE_CHECKING:
    from playwright.sync_api import Page

expect = pytest.importorskip("playwright.sync_api", reason="needs the extra browser-tests").expect

ANTS = "xml/Factions/AA_cards.xml"


@pytest.fixture
def game() -> Writes:
    return ants


def text_of(studio: Running) -> str:
    return (studio.folder / ANTS).read_text(encoding="utf-8")


def shown(page: Page) -> str:
    return str(page.locator(".edit-face img").first.get_attribute("src"))


def state(page: Page) -> str:
    return str(page.locator(".edit-state").inner_text())


def test_a_card_of_the_wall_is_edited_and_saved(page: Page, studio: Running) -> None:
    before = text_of(studio)
    page.locator(".tile", has_text="Digger").click()
    page.keyboard.press("e")
    expect(page.locator(".edit h2")).to_have_text("Digger")
    expect(page.locator(".edit-face img")).to_be_visible()
    face = shown(page)
    page.locator("#edit-f-name").fill("Delver")
    expect(page.locator(".edit h2")).to_have_text("Delver")
    expect(page.locator(".edit-face img")).not_to_have_attribute("src", face)
    assert state(page) == "Unsaved"
    assert text_of(studio) == before
    page.keyboard.press("Control+s")
    expect(page.locator(".edit-state")).to_have_text("Saved")
    assert text_of(studio) == before.replace("Digger", "Delver")
    page.get_by_role("button", name="Back").click()
    expect(page.locator(".tile", has_text="Delver")).to_be_visible()


def test_what_cannot_be_is_said_at_its_field_beside_the_last_good_face(edits: Edits) -> None:
    page = edits("card=AA:A1")
    costs = page.locator("#edit-f-costs")
    face = shown(page)
    costs.fill("many")
    expect(costs).to_have_attribute("aria-invalid", "true")
    expect(page.locator("#edit-f-costs-says")).to_contain_text("many")
    expect(page.locator(".edit-face")).to_have_class("edit-face stale")
    assert shown(page) == face
    costs.fill("4")
    expect(costs).not_to_have_attribute("aria-invalid", "true")
    expect(page.locator(".edit-face")).to_have_class("edit-face")


def test_numbers_have_steps_and_everything_is_undone(edits: Edits) -> None:
    page = edits("card=AA:A1")
    costs = page.locator("#edit-f-costs")
    costs.press("ArrowUp")
    expect(costs).to_have_value("4")
    page.get_by_role("button", name="increase").last.click()
    page.locator("#edit-undo").click()
    page.locator("#edit-undo").click()
    expect(costs).to_have_value("3")
    expect(page.locator(".edit-state")).to_have_text("Saved")
    page.locator("#edit-redo").click()
    expect(costs).to_have_value("4")


def test_what_is_not_saved_outlives_the_page(edits: Edits, studio: Running) -> None:
    page = edits("card=AA:A1")
    page.locator("#edit-f-name").fill("Emmet")
    page.reload()
    expect(page.locator("#edit-f-name")).to_have_value("Emmet")
    expect(page.locator(".edit-state")).to_have_text("Unsaved")
    page.goto(studio.url.replace("/#", "/?view=cards#"))
    expect(page.locator(".tile", has_text="A1")).to_contain_text("✎")


SLOW_TIMERS = """const later = window.setTimeout;
window.setTimeout = (act, ms, ...rest) => later(act, ms === 50 ? 1000 : ms, ...rest);"""


@pytest.mark.parametrize("script", ["", SLOW_TIMERS], ids=["quick", "slow"])
def test_two_tabs_have_one_draft(edits: Edits, studio: Running, script: str) -> None:
    one = edits("card=AA:A1")
    other = one.context.new_page()
    other.add_init_script(script)  # browsers slow down the timers of tabs in the background
    other.goto(studio.url.replace("/#", "/?view=edit&card=AA:A1#"))
    name = other.locator("#edit-f-name")
    expect(name).to_have_value("Ant")
    one.locator("#edit-f-name").fill("Emmet")
    expect(name).to_have_value("Emmet")
    other.locator("#edit-f-costs").fill("7")
    expect(one.locator("#edit-f-costs")).to_have_value("7")
    one.keyboard.press("Control+s")
    for tab in (one, other):
        expect(tab.locator(".edit-state")).to_have_text("Saved")
        expect(tab.locator(".edit-clash")).to_have_count(0)
    assert 'name="Emmet"' in text_of(studio)
    assert 'costs="7"' in text_of(studio)


def test_what_was_saved_while_the_studio_died_is_not_saved_twice(
    edits: Edits, studio: Running
) -> None:
    page = edits("card=AA:A1")
    page.goto(studio.url.replace("/#", "/?view=edit&new=card&faction=AA&kind=card&like=A1#"))
    page.locator("#edit-f-name").fill("Twin")
    expect(page.locator("#edit-f-id")).to_have_value("A4")
    page.route("**/api/edit/save", lambda route: (route.fetch(), route.abort()))
    with page.expect_event("requestfailed"):
        page.keyboard.press("Control+s")
    expect(page.locator(".edit-state")).to_have_text("Unsaved")
    assert text_of(studio).count('name="Twin"') == 1
    page.unroute("**/api/edit/save")
    page.keyboard.press("Control+s")
    expect(page.locator("#edit-f-id-says")).to_contain_text("is the id of another card")
    assert text_of(studio).count('name="Twin"') == 1


def test_another_field_changed_in_the_file_is_taken_the_same_is_asked_for(
    edits: Edits, studio: Running
) -> None:
    page = edits("card=AA:A1")
    page.locator("#edit-f-name").fill("Emmet")
    studio.replace(
        ANTS, 'name="Ant" faction_id="AA" level="1"', 'name="Pismire" faction_id="AA" level="2"'
    )
    expect(page.locator(".edit-clash q")).to_have_text("Pismire")
    expect(page.locator("[name='edit-f-level']:checked")).to_have_value("2")
    page.get_by_role("button", name="Keep mine").click()
    page.keyboard.press("Control+s")
    expect(page.locator(".edit-state")).to_have_text("Saved")
    assert 'name="Emmet" faction_id="AA" level="2"' in text_of(studio)


def test_nothing_is_saved_over_the_words_of_others_before_one_has_chosen(
    edits: Edits, studio: Running
) -> None:
    page = edits("card=AA:A1")
    page.locator("#edit-f-name").fill("Emmet")
    studio.replace(ANTS, 'name="Ant"', 'name="Pismire"')
    for _ in range(2):
        expect(page.locator(".edit-clash q")).to_have_text("Pismire")
        page.locator("#edit-save").click()
        page.keyboard.press("Control+s")
        expect(page.get_by_role("button", name="Use the file")).to_be_focused()
        assert 'name="Pismire"' in text_of(studio)
        page.reload()
    studio.replace(ANTS, 'costs="3"', 'costs="4"')
    expect(page.locator("#edit-f-costs")).to_have_value("4")
    expect(page.locator(".edit-clash q")).to_have_text("Pismire")
    page.get_by_role("button", name="Keep mine").click()
    page.keyboard.press("Control+s")
    expect(page.locator(".edit-state")).to_have_text("Saved")
    assert 'name="Emmet"' in text_of(studio)


def test_a_draft_of_what_is_gone_can_be_discarded(page: Page, studio: Running) -> None:
    name = "Emmet " * 60
    page.goto(studio.url.replace("/#", "/?view=edit&card=AA:A1#"))
    page.locator("#edit-f-name").fill(name)
    expect(page.locator("#unsaved")).to_contain_text("Emmet")
    page.get_by_role("link", name="Edit", exact=True).click()
    studio.replace(ANTS, 'id="A1"', 'id="A9"')
    page.goto(studio.url.replace("/#", "/?view=edit&card=AA:A1#"))
    expect(page.locator(".edit .empty")).to_contain_text("This no longer exists.")
    page.get_by_role("button", name="Discard changes").click()
    expect(page.locator(".edit-start")).to_be_visible()
    expect(page.locator("#unsaved")).to_be_hidden()


def test_a_card_is_begun_copied_and_deleted(page: Page, studio: Running) -> None:
    page.goto(studio.url.replace("/#", "/?view=edit#"))
    page.get_by_role("button", name="New card").click()
    expect(page.locator(".edit-name .under")).to_contain_text("A4")
    page.goto(studio.url.replace("/#", "/?view=edit&new=card&faction=AA&kind=card&like=A1#"))
    expect(page.locator(".edit-face img")).to_be_visible()
    page.locator("#edit-f-name").fill("Ant Twin")
    page.keyboard.press("Control+s")
    expect(page.locator(".edit-state")).to_have_text("Saved")
    assert 'name="Ant Twin"' in text_of(studio)
    page.get_by_role("button", name="Delete").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    expect(page.locator(".edit-start")).to_be_visible()
    assert "Ant Twin" not in text_of(studio)


def test_nothing_can_be_changed_where_the_studio_only_looks(edits: Edits, studio: Running) -> None:
    studio.stop()
    studio.read_only = True
    studio.start()
    page = edits("card=AA:A1")
    expect(page.locator("#edit-f-name")).to_be_disabled()
    expect(page.get_by_role("button", name="Save")).to_have_count(0)
    expect(page.get_by_role("button", name="Delete")).to_have_count(0)


@pytest.mark.corpus(6)
@pytest.mark.parametrize("query", ["card=AA:A1", "faction=AA", "texts=names"])
@pytest.mark.parametrize("width", [390, 1280])
def test_forms_are_for_everybody(page: Page, studio: Running, query: str, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    page.goto(studio.url.replace("/#", f"/?view=edit&{query}#"))
    expect(page.locator(".edit-form")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert faults(page) == ""
    page.goto(studio.url.replace("/#", "/?view=edit#"))
    expect(page.locator(".edit-start")).to_be_visible()
    assert faults(page) == ""
