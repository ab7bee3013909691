"""What helps to build decks: texts, sample hands, decks side by side, and the solver."""

from __future__ import annotations

import re
from importlib.util import find_spec
from typing import TYPE_CHECKING

import pytest

from browser.decks.steps import copies, offer, settled

if TYPE_CHECKING:
    from playwright.sync_api import Page

expect = pytest.importorskip("playwright.sync_api", reason="needs the extra browser-tests").expect

solver = pytest.mark.skipif(find_spec("highspy") is None, reason="needs the extra solve")


def menu(page: Page, name: str) -> None:
    page.get_by_role("button", name="More", exact=True).click()
    page.locator("#decks-menu").get_by_role("button", name=name).click()


def test_a_list_is_pasted_with_what_is_understood_and_what_is_not(deck: Page) -> None:
    menu(deck, "Text list")
    dialog = deck.get_by_role("dialog")
    dialog.get_by_role("button", name="Import").click()
    dialog.get_by_role("textbox").fill("2 Ant\n1 Queen Ant\n4 Dragon\n")
    expect(dialog.locator(".decks-read li")).to_have_count(2)
    expect(dialog.locator(".decks-lost")).to_contain_text("4 Dragon")
    dialog.get_by_role("button", name="Replace deck").click()
    assert copies(deck) == {"Ant": 2, "Queen Ant": 1}
    deck.keyboard.press("Control+z")
    assert copies(deck) == {"Ant": 3, "Digger": 2}
    menu(deck, "Text list")
    dialog.get_by_role("button", name="Import").click()
    dialog.get_by_role("button", name="Add to deck").click()
    assert copies(deck) == {"Ant": 5, "Digger": 2, "Queen Ant": 1}


def test_a_list_is_copied_out_in_several_forms_and_as_a_file(deck: Page) -> None:
    menu(deck, "Text list")
    out = deck.get_by_role("textbox", name="Text list")
    expect(out).not_to_have_value("")
    assert "3 Ant" in out.input_value()
    deck.get_by_role("button", name="Cockatrice").click()
    expect(out).to_have_value(re.compile("<cockatrice_deck"))
    with deck.expect_download() as download:
        deck.get_by_role("button", name="Download").click()
    assert download.value.suggested_filename.endswith(".cod")
    assert "<cockatrice_deck" in download.value.path().read_text(encoding="utf-8")


def test_a_deck_begins_with_a_pasted_list(page: Page) -> None:
    page.get_by_role("link", name="Decks", exact=True).click()
    page.get_by_role("button", name="Import").click()
    page.get_by_role("dialog").get_by_role("textbox").fill("2 Ant\n3 Digger")
    page.get_by_role("button", name="Create new deck").click()
    settled(page)
    assert copies(page) == {"Ant": 2, "Digger": 3}


def test_hands_are_drawn_laid_aside_and_played_on(deck: Page) -> None:
    deck.get_by_role("button", name="Sample hand").click()
    hand = deck.get_by_role("list", name="Hand").get_by_role("listitem")
    expect(hand).to_have_count(3)
    hand.first.get_by_role("button").click()
    deck.get_by_role("button", name="Redraw 1").click()
    expect(deck.get_by_text("Set aside:")).to_be_visible()
    deck.get_by_role("button", name="Next turn").click()
    expect(deck.get_by_role("heading", name="Turn 1")).to_be_visible()
    deck.get_by_role("button", name="Next turn").click()
    expect(deck.get_by_role("heading", name="Turn 2")).to_be_visible()
    expect(deck.get_by_role("button", name="Next turn")).to_be_disabled()
    deck.get_by_role("button", name="New hand").click()
    expect(deck.locator(".decks-turns")).to_have_count(0)
    deck.get_by_role("button", name="Mulligan (1 left)").click()
    expect(deck.get_by_role("button", name="Mulligan (0 left)")).to_be_disabled()


def test_decks_and_drafts_stand_side_by_side(deck: Page) -> None:
    offer(deck, "Ant").get_by_role("button", name="Remove Ant").click()
    menu(deck, "Compare with")
    deck.get_by_role("checkbox", name="Compare Queens").check()
    deck.get_by_role("button", name="Compare 2 decks").click()
    rows = deck.locator(".decks-beside").first.locator("tbody tr")
    expect(rows.filter(has_text="Queen Ant")).to_have_text("Queen Ant–2")
    expect(rows.filter(has_text="Queen Ant")).to_have_class("differs")
    ant = rows.filter(has=deck.get_by_role("rowheader", name="Ant", exact=True))
    expect(ant).to_have_text("Ant22")
    expect(ant).to_have_class("common")
    deck.get_by_role("button", name="Only differences").click()
    expect(ant).to_have_count(0)
    deck.reload()
    expect(rows.filter(has_text="Queen Ant")).to_have_text("Queen Ant–2")


@solver
def test_a_deck_is_completed_as_one_step_with_reasons(deck: Page) -> None:
    deck.get_by_role("button", name="Complete legally").click()
    change = deck.locator(".decks-changes li")
    expect(change).to_have_count(1)
    expect(change).to_contain_text("+1")
    expect(change).to_contain_text("needed for Main: cards")
    deck.get_by_role("button", name="Apply").click()
    assert sum(copies(deck).values()) == 6
    expect(deck.locator("[data-of=decks] .decks-state")).to_have_text("Legal")
    deck.keyboard.press("Control+z")
    assert copies(deck) == {"Ant": 3, "Digger": 2}


@solver
def test_what_else_fits_is_shown_in_the_pool(deck: Page) -> None:
    deck.get_by_role("button", name="What else fits").click()
    expect(deck.get_by_role("button", name="Fits a legal deck")).to_be_attached()
    names = deck.locator(".decks-pool .decks-offer .name")
    expect(names.first).to_be_visible()
    assert "Scout" in names.all_inner_texts()
    expect(offer(deck, "Scout").locator(".decks-into")).to_have_text("Main, Side")
    expect(offer(deck, "Ant").locator(".decks-into")).to_have_text("Side")
    offer(deck, "Ant").get_by_role("button", name="Add Ant").click()
    assert copies(deck, "side") == {"Ant": 1, "Guest": 1}, "there it fits"
    expect(names.filter(has_text="Guest")).to_have_count(0)  # the side deck is full: asked anew
    expect(offer(deck, "Scout").locator(".decks-into")).to_have_text("Main")
    deck.get_by_role("button", name="Fits a legal deck").click()
    expect(names).to_have_count(6)


def test_a_card_without_room_says_why(deck: Page) -> None:
    offer(deck, "Ant").get_by_role("button", name="Why not Ant?").click()
    dialog = deck.get_by_role("dialog")
    expect(dialog).to_contain_text("Prevents another copy now:")
    expect(dialog).to_contain_text("Main: copies")


@solver
def test_why_not_is_said_of_each_zone(deck: Page) -> None:
    offer(deck, "Ant").get_by_role("button", name="Why not Ant?").click()
    zones = deck.get_by_role("dialog").locator("section")
    expect(zones).to_have_count(2)
    expect(zones.first).to_contain_text(
        "No legal deck contains all these cards and another Ant here."
    )
    expect(zones.last).to_contain_text("Nothing prevents another copy.")
    expect(zones.last).to_contain_text("A legal deck can contain all these cards")
