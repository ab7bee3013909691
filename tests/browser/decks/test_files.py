"""Decks as files: begun, copied, saved, deleted; drafts survive, conflicts are asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from browser.conftest import Running
from browser.decks.steps import copies, held, offer, settled

if TYPE_CHECKING:
    from playwright.sync_api import Page

expect = pytest.importorskip("playwright.sync_api", reason="needs the extra browser-tests").expect

HILL = "xml/Decks/hill.xml"


def text(studio: Running, name: str = HILL) -> str:
    return (studio.folder / name).read_text(encoding="utf-8")


def one_more(page: Page, name: str) -> None:
    offer(page, name).get_by_role("button", name="Add").click()


def one_less(page: Page, name: str) -> None:
    offer(page, name).get_by_role("button", name="Remove").click()


def test_saving_changes_only_what_changed(deck: Page, studio: Running) -> None:
    save = deck.locator("[data-act=save]")
    expect(save).to_be_disabled()
    before = text(studio)
    one_less(deck, "Ant")
    expect(deck.locator("#unsaved")).to_contain_text("Hill")
    deck.keyboard.press("Control+s")
    expect(save).to_have_text("Saved")
    expect(deck.locator("#unsaved")).to_be_hidden()
    assert text(studio) == before.replace('id="A1" amount="3"', 'id="A1" amount="2"')
    deck.get_by_role("button", name="Undo").click()
    save.click()
    expect(save).to_have_text("Saved")
    assert text(studio) == before


def test_unsaved_work_survives_a_reload_and_a_new_studio(deck: Page, studio: Running) -> None:
    one_less(deck, "Ant")
    deck.reload()
    expect(held(deck, "Ant").locator("b")).to_have_text("2")
    deck.get_by_role("button", name="Undo").click()
    expect(held(deck, "Ant").locator("b")).to_have_text("3")
    one_more(deck, "Digger")
    studio.stop()
    expect(deck.locator("#connection")).to_be_visible()
    one_more(deck, "Scout")
    studio.start()
    expect(deck.locator("#connection")).to_be_hidden()
    deck.reload()
    settled(deck)
    assert copies(deck) == {"Ant": 3, "Digger": 3, "Scout": 1}
    deck.get_by_role("button", name="Decks", exact=True).click()
    expect(deck.locator(".decks-item", has_text="Hill").first).to_contain_text("Unsaved")


def test_a_deck_that_is_not_edited_follows_its_file(deck: Page, studio: Running) -> None:
    studio.replace(HILL, 'id="A1" amount="3"', 'id="A1" amount="1"')
    expect(held(deck, "Ant").locator("b")).to_have_text("1")
    expect(deck.locator("[data-act=save]")).to_be_disabled()
    expect(deck.locator("[data-act=conflict]")).to_have_count(0)


@pytest.mark.parametrize(
    ("choice", "shown", "kept"),
    [
        ("Keep mine", "2", 'id="A1" amount="2"'),
        ("Use the file", "1", 'id="A1" amount="1"'),
    ],
)
def test_a_conflict_shows_both_and_asks(
    deck: Page, studio: Running, choice: str, shown: str, kept: str
) -> None:
    one_less(deck, "Ant")
    studio.replace(HILL, 'id="A1" amount="3"', 'id="A1" amount="1"')
    expect(deck.get_by_text("has been changed in the meantime")).to_be_visible()
    deck.keyboard.press("Control+s")
    dialog = deck.get_by_role("dialog")
    expect(dialog.locator("tbody tr")).to_have_text(["Ant · Main21"])
    dialog.get_by_role("button", name=choice).click()
    expect(held(deck, "Ant").locator("b")).to_have_text(shown)
    expect(deck.locator("[data-act=save]")).to_have_text("Saved")
    assert kept in text(studio)


def test_a_conflict_can_end_in_a_copy(deck: Page, studio: Running) -> None:
    one_less(deck, "Ant")
    studio.replace(HILL, 'id="A1" amount="3"', 'id="A1" amount="1"')
    deck.get_by_role("button", name="Compare versions").click()
    deck.get_by_role("button", name="Save mine as a copy").click()
    expect(deck.get_by_role("textbox", name="Name")).to_have_value("Hill (copy)")
    expect(deck.locator("[data-act=save]")).to_have_text("Saved")
    assert 'id="A1" amount="1"' in text(studio)
    (copy,) = {path.name for path in (studio.folder / "xml/Decks").iterdir()} - {
        "hill.xml",
        "queens.xml",
    }
    assert 'id="A1" amount="2"' in text(studio, f"xml/Decks/{copy}")


def test_a_new_deck_is_built_and_saved(page: Page, studio: Running) -> None:
    page.get_by_role("link", name="Decks", exact=True).click()
    page.get_by_role("button", name="New deck").click()
    page.locator("#decks-new-name").fill("Bee line")
    page.locator("#decks-new-faction").select_option("BB")
    page.get_by_role("button", name="Create").click()
    expect(page.locator(".decks-hollow").first).to_be_visible()
    one_more(page, "Bee")
    page.keyboard.press("Control+s")
    page.keyboard.press("Control+s")
    expect(page.locator("[data-act=save]")).to_have_text("Saved")
    saved = [path for path in (studio.folder / "xml/Decks").iterdir() if "bee" in path.name.lower()]
    assert len(saved) == 1
    assert 'name="Bee line"' in saved[0].read_text(encoding="utf-8")
    assert f"deck={saved[0].stem}" in page.url
    page.reload()
    expect(held(page, "Bee").locator("b")).to_have_text("1")


def test_a_copy_is_a_deck_of_its_own(page: Page, studio: Running) -> None:
    page.get_by_role("link", name="Decks", exact=True).click()
    before = text(studio)
    page.get_by_role("button", name="Copy Hill").click()
    expect(page.get_by_role("textbox", name="Name")).to_have_value("Hill (copy)")
    one_more(page, "Scout")
    page.keyboard.press("Control+s")
    expect(page.locator("[data-act=save]")).to_have_text("Saved")
    assert text(studio) == before
    assert len([*(studio.folder / "xml/Decks").iterdir()]) == 3


def test_deleting_asks_and_can_be_undone(page: Page, studio: Running) -> None:
    page.get_by_role("link", name="Decks", exact=True).click()
    before = text(studio)
    page.get_by_role("button", name="Delete Hill").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="Cancel").click()
    assert text(studio) == before
    page.get_by_role("button", name="Delete Hill").click()
    dialog.get_by_role("button", name="Delete", exact=True).click()
    expect(page.locator(".decks-item")).to_have_count(1)
    assert not (studio.folder / HILL).exists()
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".decks-item")).to_have_count(2)
    assert text(studio) == before


def test_a_file_that_goes_takes_no_work_with_it(deck: Page, studio: Running) -> None:
    one_less(deck, "Ant")
    (studio.folder / HILL).unlink()
    deck.get_by_role("button", name="Compare versions").click()
    deck.get_by_role("button", name="Keep mine").click()
    expect(deck.locator("[data-act=save]")).to_have_text("Saved")
    assert 'id="A1" amount="2"' in text(studio)
