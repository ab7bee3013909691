"""Things that are begun, deleted and brought back."""

from __future__ import annotations

import pytest

from browser.conftest import Running
from browser.editing.conftest import Edits

expect = pytest.importorskip("playwright.sync_api", reason="needs the extra browser-tests").expect


def text_of(studio: Running, name: str) -> str:
    return (studio.folder / "xml" / name).read_text(encoding="utf-8")


def test_a_rule_is_deleted_and_comes_back_after_the_studio_was_killed(
    edits: Edits, studio: Running
) -> None:
    before = text_of(studio, "rules.xml")
    page = edits("rule=dig")
    page.get_by_role("button", name="Delete").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text('Ant & "Son"')
    assert '"dig"' in text_of(studio, "rules.xml")
    dialog.get_by_role("button", name="Delete anyway").click()
    expect(page.locator(".edit-gone")).to_contain_text("Digs deleted.")
    assert '"dig"' not in text_of(studio, "rules.xml")
    studio.kill()
    studio.start()
    page.reload()
    page.get_by_role("button", name="Restore").click()
    expect(page.locator(".edit h2")).to_have_text("Digs")
    assert text_of(studio, "rules.xml") == before
    page.goto(studio.url.replace("/#", "/?view=edit#"))
    expect(page.locator(".edit-entry").first).to_be_visible()
    expect(page.locator(".edit-gone")).to_have_count(0)


def test_what_was_deleted_stays_so_where_the_file_has_changed(
    edits: Edits, studio: Running
) -> None:
    page = edits("card=AA:A1")
    page.get_by_role("button", name="Delete").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete anyway").click()
    expect(page.locator(".edit-gone")).to_be_visible()
    studio.replace("xml/Factions/AA_cards.xml", "Queen", "Empress")
    page.get_by_role("button", name="Restore").click()
    expect(page.get_by_role("alert")).to_contain_text("has changed since")
    expect(page.get_by_role("button", name="Restore")).to_have_count(0)


def test_a_faction_its_first_card_a_rule_and_its_token_are_begun(
    edits: Edits, studio: Running
) -> None:
    page = edits("card=AA:A1")
    page.goto(studio.url.replace("/#", "/?view=edit#"))
    page.get_by_role("button", name="New faction").click()
    page.get_by_label("Race").fill("Wasps")
    page.get_by_label("Name", exact=True).fill("Nest")
    page.keyboard.press("Control+s")
    expect(page.locator(".edit-state")).to_have_text("Saved")
    page.get_by_role("button", name="Back").click()
    page.locator("[data-new=faction]").select_option(label="Nest")
    page.get_by_role("button", name="New card").click()
    page.locator("#edit-f-name").fill("Wasp")
    low = page.get_by_role("radio", name="Low")
    page.locator("label", has=low).click()
    expect(low).to_be_checked()
    page.locator("#edit-f-actions").fill("1")
    page.locator("#edit-f-costs").fill("2")
    expect(page.locator(".edit-face img")).to_be_visible()
    page.keyboard.press("Control+s")
    expect(page.locator(".edit-state")).to_have_text("Saved")
    assert 'name="Wasp"' in text_of(studio, "Factions/NE_cards.xml")
    page.goto(studio.url.replace("/#", "/?view=edit&new=rule#"))
    page.locator("#edit-f-effect").fill("It stings.")
    page.get_by_label("All other races").fill("Sting")
    expect(page.locator("#edit-f-id")).to_have_value("sting")
    page.keyboard.press("Control+s")
    expect(page.locator(".edit-state")).to_have_text("Saved")
    page.get_by_role("button", name="New: Token").click()
    page.locator("#edit-f-name").fill("Sting")
    page.locator("#edit-f-actions").fill("0")
    page.keyboard.press("Control+s")
    expect(page.locator(".edit-state")).to_have_text("Saved")
    assert '<token name="Sting" actions="0"/>' in text_of(studio, "rules.xml")
