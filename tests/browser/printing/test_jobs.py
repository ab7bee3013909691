"""What is made: jobs that go on, can be cancelled and are found again, and a calibrated printer."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from browser.steps import faults

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from browser.conftest import Running

expect = pytest.importorskip("playwright.sync_api", reason="needs the extra browser-tests").expect

_PLACE = "node => ['--x', '--y'].map((name) => parseFloat(node.style.getPropertyValue(name)))"
"""Where a slot is on its page, in mm."""


def output(page: Page, name: str) -> None:
    """Make what is called so."""
    page.get_by_role("button", name="Services and exports").click()
    page.get_by_role("article", name=name).get_by_role("button", name="Make the files").click()


def test_a_pdf_is_made_saved_and_found_again(page: Page) -> None:
    page.get_by_role("button", name="Make the PDF: 2 pages").click()
    expect(page.locator("#announcer")).to_contain_text("done, 1 file ready")
    page.reload()
    job = page.locator(".print-job")
    expect(job).to_contain_text("done")
    with page.expect_download() as download:
        job.get_by_role("link", name="Save").click()
    assert Path(download.value.path()).read_bytes().startswith(b"%PDF")
    assert download.value.suggested_filename == "deck_cats.pdf"
    opens = job.get_by_role("link", name="Open")
    assert opens.get_attribute("target") == "_blank"
    page.get_by_role("button", name="Make the PDF").click()
    expect(page.locator(".print-job")).to_have_count(2)
    page.get_by_role("button", name="Remove from list").first.click()
    expect(page.locator(".print-job")).to_have_count(1)


def test_a_job_goes_on_while_one_looks_elsewhere(page: Page) -> None:
    output(page, "Tables")
    page.get_by_role("link", name="Cards").click()
    expect(page.locator("#announcer")).to_contain_text("Tables: done")
    page.get_by_role("link", name="Print").click()
    expect(page.locator(".print-job")).to_contain_text("cards.xlsx")


def test_a_job_is_cancelled(page: Page) -> None:
    page.get_by_role("button", name="Services and exports").click()
    tile = page.get_by_role("article", name="Pictures")
    tile.locator("summary").click()
    tile.get_by_label("Resolution (dpi)").fill("1200")
    tile.get_by_label("Resolution (dpi)").press("Tab")
    tile.get_by_role("button", name="Make the files").click()
    page.get_by_role("button", name="Cancel").click()
    expect(page.locator(".print-job")).to_contain_text("cancelled")
    expect(page.locator("#announcer")).to_contain_text("cancelled")


def test_what_goes_wrong_is_said_with_its_place(page: Page) -> None:
    output(page, "MakePlayingCards")
    job = page.locator(".print-job.failed")
    expect(job).to_contain_text("E042")
    expect(job.get_by_role("link", name="xml/game.xml")).to_be_visible()
    expect(page.locator("#announcer")).to_contain_text("MakePlayingCards")


def test_before_the_first_print_with_backs_a_calibration_is_offered(page: Page) -> None:
    page.get_by_label("Backs", exact=True).select_option("behind")
    expect(page.locator(".print-page")).to_have_count(4)
    page.get_by_role("button", name="Make the PDF").click()
    expect(page.get_by_role("dialog")).to_contain_text("Before the first print")
    page.get_by_role("button", name="Not now").click()
    expect(page.locator(".print-job.done")).to_be_visible()


def test_a_printer_is_calibrated_step_by_step(page: Page, studio: Running) -> None:
    page.get_by_label("Backs", exact=True).select_option("behind")
    expect(page.locator(".print-page")).to_have_count(4)
    page.get_by_role("button", name="Make the PDF").click()
    page.get_by_role("button", name="Calibrate now").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("Step 1 of 5")
    dialog.get_by_role("button", name="Make the sheet").click()
    expect(dialog.get_by_role("link", name="Open")).to_be_visible()
    assert faults(page) == ""
    dialog.get_by_role("button", name="I have printed it").click()
    dialog.get_by_label("Length in mm").fill("97")
    expect(dialog).to_contain_text("97 %")
    dialog.get_by_label("Length in mm").fill("100")
    expect(dialog).to_contain_text("true to size")
    dialog.get_by_role("button", name="Next").click()
    for letter, value in zip("ABCD", ("3", "4", "5", "4.2"), strict=True):
        dialog.get_by_label(f"{letter}, ").fill(value)
    expect(dialog).to_contain_text("3 / 4 / 5 / 4.2 mm")
    assert faults(page) == ""
    dialog.get_by_role("button", name="Next").click()
    for place, x in ((1, "0.5"), (3, "0.9"), (5, "2")):
        dialog.get_by_label(f"Place {place}, X").fill(x)
        dialog.get_by_label(f"Place {place}, Y").fill("-0.4")
    expect(dialog).to_contain_text("differ by 1.5 mm")
    dialog.get_by_label("Place 5, X").fill("0.7")
    expect(dialog).to_contain_text("0.7 mm to the right and 0.4 mm up")
    assert faults(page) == ""
    page.reload()  # paper takes its time: what was entered is still there
    expect(page.locator(".print-page")).to_have_count(4)
    place = page.locator(".print-spread:last-child .print-page:last-child .print-slot").first
    x, y = place.evaluate(_PLACE)
    page.get_by_role("button", name="Calibrate printer").click()
    expect(dialog).to_contain_text("Step 4 of 5")
    dialog.get_by_role("button", name="Next").click()
    dialog.get_by_label("Printer name").fill("my printer")
    expect(dialog.get_by_role("button", name="Save")).to_be_disabled()
    dialog.get_by_label("Printer name").fill("attic")
    dialog.get_by_role("button", name="Save").click()
    expect(dialog).to_be_hidden()
    expect(page.get_by_label("Printer", exact=True)).to_have_value("attic")
    saved = tomllib.loads(
        (studio.folder.parent / "config/deckwright/printers.toml").read_text("utf-8")
    )
    assert saved == {
        "attic": {"back-offset": "0.7mm,-0.4mm", "flip": "long", "margins": "3mm,4mm,5mm,4.2mm"}
    }
    expect(page.get_by_text("Backs are shifted 0.7 mm to the right and 0.4 mm up.")).to_be_visible()
    page.wait_for_function(
        f"([node, x]) => ({_PLACE})(node)[0] !== x", arg=[place.element_handle(), x]
    )
    assert place.evaluate(_PLACE) == pytest.approx([x + 0.7, y - 0.4])
