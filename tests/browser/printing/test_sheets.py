"""What one sees before paper is spent: sheets, their backs, and what has changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from browser.steps import faults

if TYPE_CHECKING:
    from playwright.sync_api import FloatRect, Locator, Page

    from browser.conftest import Running

expect = pytest.importorskip("playwright.sync_api", reason="needs the extra browser-tests").expect


def box(found: Locator) -> FloatRect:
    place = found.bounding_box()
    assert place is not None
    return place


def choose(page: Page, label: str, value: str) -> None:
    page.get_by_label(label, exact=True).select_option(value)


def test_the_sheets_of_a_deck_lie_there_at_once(page: Page) -> None:
    expect(page.locator(".print-sum")).to_have_text("2 pages · 12 cards · 6 slots stay empty")
    pictures = page.locator(".print-ink")
    expect(pictures).to_have_count(2)
    for picture in pictures.all():
        picture.scroll_into_view_if_needed()
        expect(picture).not_to_have_js_property("naturalWidth", 0)
    slots = page.locator(".print-slot")
    expect(slots).to_have_count(12)
    page.get_by_label("Mine! Mine!").check()
    expect(page.locator(".print-sum")).to_contain_text("4 pages")
    expect(page.locator(".print-document h3")).to_have_count(2)


def test_a_slot_opens_its_card(page: Page) -> None:
    page.get_by_role("button", name="Kitten, open card").first.click()
    expect(page.locator("#panel h2")).to_have_text("Kitten")
    page.locator("#panel").get_by_role("button", name="Close").click()
    assert page.evaluate("document.activeElement.title") == "Kitten"


def test_slots_are_walked_with_the_arrows(page: Page) -> None:
    first = page.locator(".print-slot").first
    first.focus()
    titles = []
    for key in ("ArrowRight", "ArrowDown", "ArrowUp", "End"):
        page.keyboard.press(key)
        titles.append(page.evaluate("document.activeElement.id"))
    assert [name.rsplit("-", 2)[-2:] for name in titles] == [
        ["0", "1"],
        ["0", "4"],
        ["0", "1"],
        ["1", "2"],
    ]
    assert page.locator('.print-slot[tabindex="0"]').count() == 1


def test_backs_lie_as_the_sheet_is_turned(page: Page) -> None:
    choose(page, "Backs", "behind")
    expect(page.locator(".print-sum")).to_contain_text("4 pages · 2 sheets of paper")
    last = page.locator(".print-spread").last
    front, back = last.locator(".print-paper").all()
    slots = back.locator(".print-slot")
    expect(slots).to_have_count(3)
    beside, turned = box(front), box(back)
    assert beside["y"] == turned["y"]
    assert beside["x"] + beside["width"] < turned["x"]
    choose(page, "Flip on", "short")
    expect(page.locator(".print-turned").first).to_contain_text("short edge")
    below, under = box(front), box(back)
    assert below["x"] == under["x"]
    assert below["y"] + below["height"] < under["y"]


def test_against_the_light_a_back_is_seen_through_its_front(page: Page) -> None:
    choose(page, "Backs", "behind")
    expect(page.locator(".print-page")).to_have_count(4)
    page.get_by_role("button", name="Against the light").click()
    expect(page.locator(".print-page")).to_have_count(2)
    through = page.locator(".print-through").first
    expect(through).not_to_have_js_property("naturalWidth", 0)
    assert (
        page.evaluate(
            "n => new DOMMatrix(getComputedStyle(n).transform).a", through.element_handle()
        )
        == -1
    )
    assert box(through) == pytest.approx(box(page.locator(".print-paper").first), abs=1)


def test_pages_are_as_large_as_one_likes(page: Page) -> None:
    paper, desk = page.locator(".print-paper").first, page.locator(".print-desk")

    def width(zoom: str) -> float:
        page.get_by_role("button", name=zoom).click()
        found: float = box(paper)["width"]
        return found

    assert width("Life-size") == pytest.approx(210 * 96 / 25.4, abs=1)
    assert box(desk)["width"] - 70 < width("Fit width") < box(desk)["width"]
    assert width("Fit page") == pytest.approx(box(paper)["height"] * 210 / 297, abs=1)
    assert box(paper)["height"] < box(desk)["height"]
    assert width("Thumbnails") < 160
    page.get_by_role("button", name="Life-size").click()
    page.get_by_role("button", name="Next page").click()
    expect(page.locator("#print-at")).to_have_text("2 / 2")


def test_what_is_chosen_stays(page: Page) -> None:
    page.get_by_label("Mine! Mine!").check()
    choose(page, "Cut marks", "corners")
    expect(page.locator(".print-sum")).to_contain_text("4 pages")
    page.get_by_role("link", name="Cards").click()
    page.reload()
    page.get_by_role("link", name="Print").click()
    expect(page.locator(".print-sum")).to_contain_text("4 pages")
    expect(page.get_by_label("Cut marks")).to_have_value("corners")
    page.get_by_role("radio", name="Boxes").check()
    expect(page.locator(".print-sum")).to_contain_text("2 pages")


def test_what_cannot_be_laid_out_is_said_and_the_last_sheets_stay(
    page: Page, studio: Running
) -> None:
    studio.replace("xml/Decks/cats.xml", 'id="CAT4"', 'id="CAT9"')
    note = page.locator(".print-head .broken")
    expect(note).to_contain_text("CAT9")
    expect(note.get_by_role("link").or_(note.get_by_role("button"))).to_contain_text(
        "xml/Decks/cats.xml"
    )
    expect(page.locator(".print-desk.old .print-page")).to_have_count(2)
    expect(page.locator("#print-make")).to_be_disabled()
    studio.replace("xml/Decks/cats.xml", 'id="CAT9"', 'id="CAT4"')
    expect(note).to_have_count(0)
    expect(page.locator("#print-make")).to_be_enabled()
    expect(page.locator(".print-desk:not(.old) .print-page")).to_have_count(2)


def test_choices_say_what_they_are_by_default(page: Page) -> None:
    for label, said in {
        "Backs": "Default: No backs",
        "Flip on": "Default: long edge",
        "Cut marks": "Default: short lines outside",
    }.items():
        expect(page.get_by_label(label, exact=True).locator("option").first).to_have_text(said)


def test_a_sheet_for_other_cards_scales_them(page: Page) -> None:
    choose(page, "Sheet", "a4-mini")
    expect(page.get_by_text("The cards are scaled")).to_be_visible()
    expect(page.locator(".print-sum")).to_contain_text("1 page")


def test_sheets_follow_the_game(page: Page, studio: Running) -> None:
    before = page.locator(".print-ink").first.get_attribute("src")
    studio.replace("xml/Factions/CAT_cards.xml", 'name="Kitten"', 'name="Tomkin"')
    expect(page.get_by_title("Tomkin").first).to_be_visible()
    assert page.locator(".print-ink").first.get_attribute("src") != before


def test_what_has_changed_since_the_last_print_is_marked(page: Page, studio: Running) -> None:
    expect(page.get_by_text("Not printed yet")).to_be_visible()
    page.get_by_role("button", name="Make the PDF").click()
    expect(page.get_by_text("No changes since.")).to_be_visible()
    studio.replace(
        "xml/Factions/CAT_cards.xml",
        'name="Captain Tom" faction_id="CAT" cost="5"',
        'name="Captain Tom" faction_id="CAT" cost="6"',
    )
    expect(page.locator(".print-since")).to_contain_text("1 changed")
    expect(page.locator(".print-slot.changed")).to_have_count(2)
    expect(page.get_by_role("button", name="Captain Tom, changed: open card")).to_have_count(2)
    page.locator(".print-since summary").click()
    expect(page.locator(".print-since li")).to_contain_text("5")
    page.get_by_label("Print only these").check()
    expect(page.locator(".print-sum")).to_contain_text("1 page")
    expect(page.locator(".print-slot")).to_have_count(2)


def test_what_is_unfolded_stays_so_while_one_chooses(page: Page) -> None:
    page.get_by_text("More options").click()
    only = page.get_by_label("Only these cards")
    only.fill("Kitten")
    only.press("Tab")
    expect(page.locator(".print-sum")).to_contain_text("1 page")
    expect(only).to_be_visible()


@pytest.mark.corpus(2)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(page: Page, scheme: str) -> None:
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    choose(page, "Backs", "behind")
    page.get_by_text("More options").click()
    expect(page.locator(".print-page")).to_have_count(4)
    assert faults(page) == ""
    page.get_by_role("button", name="Services and exports").click()
    page.locator(".print-output summary").first.click()
    assert faults(page) == ""


@pytest.mark.corpus(2)
@pytest.mark.parametrize("width", [390, 640])
def test_nothing_hangs_over_the_edge(page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    wide = "document.documentElement.scrollWidth"
    for tab in ("Print it yourself", "Services and exports"):
        page.get_by_role("button", name=tab).click()
        assert page.evaluate(wide) <= width
