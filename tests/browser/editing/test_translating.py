"""Translating in the studio, with the keyboard alone."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import polib
import pytest

from browser.conftest import Opens, Running
from browser.editing.conftest import hill
from browser.steps import faults
from deckwright.game.folder import GameFolder
from deckwright.languages.updating import update_catalog

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from browser.conftest import Writes

expect = pytest.importorskip("playwright.sync_api", reason="needs the extra browser-tests").expect

FRENCH = Path("xml/lang/fr.po")
OPEN = {"card/AA:A1/name", "rule/dig/effect", "word/page"}
"""The texts that are left: the second is fuzzy."""
NAME = "#edit-f-card-AA-A1-name"


def hill_in_french(folder: Path) -> Path:
    """Write a game whose texts are in French but for three."""
    hill(folder)
    update_catalog(GameFolder(folder), folder / FRENCH)
    catalog = polib.pofile(folder / FRENCH)
    for entry in catalog:
        entry.msgstr = "" if entry.msgctxt in OPEN or entry.msgid_plural else f"fr {entry.msgid}"
        entry.msgstr_plural = dict.fromkeys(entry.msgstr_plural, f"fr {entry.msgid}")
        if entry.msgctxt == "rule/dig/effect":
            entry.msgstr, entry.previous_msgid = "Elle creusait.", "It dug."
            entry.flags.append("fuzzy")
    catalog.save()
    return folder


@pytest.fixture
def game() -> Writes:
    return hill_in_french


def entry_of(studio: Running, context: str) -> Any:
    return next(e for e in polib.pofile(studio.folder / FRENCH) if e.msgctxt == context)


def choose_french(page: Page) -> None:
    page.get_by_label("Show cards in").focus()
    page.keyboard.type("French")
    expect(page.locator(".tile .name").first).to_have_text('Ant & "Son"')
    expect(page.locator(".tile .name").nth(1)).to_have_text("fr Queen")


def test_what_is_left_is_translated_with_keys_alone(page: Page, studio: Running) -> None:
    choose_french(page)
    page.keyboard.press("Tab")
    page.keyboard.press("/")
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    panel = page.locator("#panel")
    expect(panel.get_by_role("button", name="Translate")).to_be_visible()
    page.keyboard.press("e")
    expect(page.locator(".edit h2")).to_be_focused()
    expect(page.locator(".edit-top")).to_contain_text("3 left, 1 fuzzy")
    page.keyboard.press("Alt+n")
    name = page.locator(NAME)
    expect(name).to_be_focused()
    expect(name).to_have_accessible_description('Ant & "Son" Missing')
    face = page.locator(".edit-face img").first
    expect(face).to_be_visible()
    before = face.get_attribute("src")
    page.keyboard.type("Fourmi")
    expect(face).not_to_have_attribute("src", before or "")
    expect(page.locator(".edit-top")).to_contain_text("2 left, 1 fuzzy")
    # A text that is too long is told below its field, in the studio's words.
    page.keyboard.type(" et son fils" * 20)
    expect(page.locator(".edit-field.found")).to_contain_text("Too long for its box")
    page.keyboard.press("Control+a")
    page.keyboard.type("Fourmi")
    expect(page.locator(".edit-field.found")).to_have_count(0)
    page.keyboard.press("Control+Enter")
    effect = page.locator("#edit-f-rule-dig-effect")
    expect(effect).to_be_focused()
    assert entry_of(studio, "card/AA:A1/name").msgstr == "Fourmi"
    expect(page.locator(".edit-source del")).to_have_text("It dug.")
    assert entry_of(studio, "rule/dig/effect").fuzzy
    # Numbers that differ are told; undone, the text is fuzzy again.
    page.keyboard.press("Control+a")
    page.keyboard.type("Elle creuse 7.")
    expect(page.locator(".edit-field.found")).to_contain_text("it has `7`")
    page.keyboard.press("Control+s")
    expect(page.get_by_role("button", name="Save anyway")).to_be_visible()
    assert entry_of(studio, "rule/dig/effect").msgstr == "Elle creusait."
    effect.focus()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Control+z")
    expect(effect).to_have_value("Elle creusait.")
    expect(page.get_by_role("checkbox", name="fuzzy", checked=True)).to_have_count(1)
    page.keyboard.press("Alt+n")
    page.keyboard.press("Control+Enter")
    expect(page.locator(".edit h2")).to_have_text("Printed words")
    expect(page.locator("#edit-f-word-page")).to_be_focused()
    done = entry_of(studio, "rule/dig/effect")
    assert (done.msgstr, done.fuzzy, done.previous_msgid) == ("Elle creusait.", False, None)
    page.keyboard.type("page")
    page.keyboard.press("Control+s")
    expect(page.locator(".edit-state")).to_have_text("Saved")
    expect(page.locator(".edit-top")).to_contain_text("Everything is translated.")
    assert entry_of(studio, "word/page").msgstr == "page"


def test_a_page_of_translations_is_accessible_and_narrow(page: Page) -> None:
    choose_french(page)
    page.set_viewport_size({"width": 390, "height": 800})
    page.get_by_role("link", name="Edit").click()
    expect(page.locator(".edit h2")).to_have_text("Translation: French")
    expect(page.locator(".edit-entry")).to_have_count(3)
    assert faults(page) == ""
    page.get_by_role("button", name='Ant & "Son"').click()
    expect(page.locator(NAME)).to_be_focused()
    expect(page.locator(".edit-face img").first).to_be_visible()
    assert faults(page) == ""
    assert page.evaluate("document.documentElement.scrollWidth") == 390


def test_what_another_program_translates_meanwhile_is_asked_about(
    page: Page, studio: Running
) -> None:
    choose_french(page)
    page.goto(studio.url.replace("/#", "/?view=edit&translation=fr/card/AA:A1#"))
    name = page.locator(NAME)
    name.fill("Fourmi")
    catalog = polib.pofile(studio.folder / FRENCH)
    for entry in catalog:
        if entry.msgctxt == "card/AA:A1/name":
            entry.msgstr = "Termite"
    studio.write(str(FRENCH), str(catalog))
    expect(page.locator(".edit-clash q")).to_have_text("Termite")
    page.get_by_role("button", name="Keep mine").click()
    page.keyboard.press("Control+s")
    expect(page.locator(".edit-state")).to_have_text("Saved")
    assert entry_of(studio, "card/AA:A1/name").msgstr == "Fourmi"


def test_a_broken_catalog_is_told_with_its_place(page: Page, studio: Running) -> None:
    choose_french(page)
    text = (studio.folder / FRENCH).read_text("utf-8")
    studio.write(str(FRENCH), f"{text}\nnonsense\n")
    expect(page.locator("#mistakes")).to_contain_text("this is not valid in a PO file")
    page.get_by_role("link", name="Edit").click()
    expect(page.locator(".edit .place")).to_have_text(
        f"xml/lang/fr.po:{len(text.splitlines()) + 2}"
    )
    page.get_by_label("Show cards in").select_option("")
    page.get_by_label("Show cards in").select_option("fr")
    expect(page.locator("#failures .place")).to_contain_text("xml/lang/fr.po")
    expect(page.get_by_label("Show cards in")).to_have_value("")
    studio.write(str(FRENCH), text)


def test_all_tabs_and_what_is_edited_follow_the_language(opens: Opens) -> None:
    page, other = opens(), opens()
    page.goto(page.url + "?view=edit&card=AA:A2")
    expect(page.locator("#edit-f-name")).to_have_value("Queen")
    choose_french(other)
    expect(page.locator(".edit-source").first).to_have_text("Queen")
    expect(page.locator("#edit-f-card-AA-A2-name")).to_have_value("fr Queen")
    other.get_by_label("Show cards in").select_option("")
    expect(page.locator("#edit-f-name")).to_have_value("Queen")
