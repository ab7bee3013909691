"""What the page shows while files are half-written, renamed, deleted, or all others at once."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Page, Request

    from browser.conftest import Running

expect = pytest.importorskip("playwright.sync_api", reason="needs the extra browser-tests").expect
ANTS, BEES = "xml/Factions/AA_cards.xml", "xml/Factions/BB_cards.xml"
DECK = "xml/Decks/bees.xml"
_DECK = """<data>
  <meta main_faction_id="BB" name="Bees"/>
  <card faction_id="BB" id="B1" amount="1"/>
</data>"""
_NOTE = """
globalThis.mistakes = 0;
new MutationObserver(() => (mistakes += !document.querySelector("#mistakes").hidden))
  .observe(document.querySelector("#mistakes"), { attributes: true, childList: true });
"""
SLOWLY = 6


def test_a_save_in_pieces_is_no_mistake(page: Page, studio: Running) -> None:
    page.evaluate(_NOTE)
    path = studio.folder / ANTS
    text = path.read_text(encoding="utf-8").replace('name="Digger"', 'name="Delver"')
    with path.open("w", encoding="utf-8") as stream:
        for begin in range(0, len(text), len(text) // SLOWLY + 1):
            stream.write(text[begin : begin + len(text) // SLOWLY + 1])
            stream.flush()
    expect(page.locator(".tile", has_text="Delver")).to_have_count(1)
    assert page.evaluate("mistakes") == 0


def test_a_change_is_told_without_fetching_the_wall(page: Page, studio: Running) -> None:
    asked: list[str] = []

    def note(request: Request) -> None:
        asked.append(request.url.partition("/api/")[2])

    page.on("request", note)
    studio.replace(ANTS, 'name="Digger"', 'name="Delver"')
    tile = page.locator(".tile", has_text="Delver")
    expect(tile).to_contain_text("Changed")
    expect(tile.locator("img").last).not_to_have_js_property("naturalWidth", 0)
    assert "wall" not in asked
    page.locator("#query").fill("Delver")
    expect(page.locator("#hits")).to_have_text("1 of 6 cards")


def test_the_cards_of_a_file_that_is_gone_stay_in_grey(page: Page, studio: Running) -> None:
    (studio.folder / DECK).parent.mkdir(exist_ok=True)
    studio.write(DECK, _DECK)  # which is wrong without them
    bees = page.locator(".tile[data-key^='BB:']")
    (studio.folder / BEES).rename(studio.folder / "xml/Factions/bees.xml~")
    told = page.locator("#mistakes")
    expect(told).to_contain_text(f"`{BEES}` no longer exists")
    expect(bees).to_have_count(2)
    for tile in bees.all():
        expect(tile).to_contain_text("last valid state")
    (studio.folder / "xml/Factions/bees.xml~").rename(studio.folder / BEES)
    expect(told).to_be_hidden()
    expect(page.locator(".tile.stale")).to_have_count(0)
    (studio.folder / BEES).unlink()
    expect(told).to_contain_text(DECK)  # the check has seen it
    expect(bees).to_have_count(2)
    (studio.folder / DECK).unlink()
    expect(told).to_be_hidden()  # the game is whole without them
    expect(bees).to_have_count(0)
    expect(page.locator("#hits")).to_have_text("4 cards")


def test_a_misspelt_name_is_called_as_before(page: Page, studio: Running) -> None:
    studio.replace(ANTS, 'name="Digger"', 'nane="Digger"')
    stale = page.locator(".tile.stale")
    expect(stale).to_have_count(1)
    expect(stale).to_contain_text("Digger")
    page.locator("#query").fill("Digger")
    expect(page.locator("#hits")).to_have_text("1 of 6 cards")


def test_another_branch_is_checked_out_under_the_page(page: Page, studio: Running) -> None:
    def git(*words: str) -> None:
        command = ["git", "-c", "user.name=A", "-c", "user.email=a@b.c", "-C", str(studio.folder)]
        subprocess.run([*command, *words], check=True, capture_output=True)

    git("init", "-b", "main")
    git("add", ".")
    git("commit", "-m", "ants and bees")
    git("checkout", "-b", "queens")
    definitions = "xml/factions_definition.xml"
    text = (studio.folder / definitions).read_text(encoding="utf-8")
    bees = next(line for line in text.splitlines() if 'id="BB"' in line)
    studio.replace(definitions, bees, "")
    (studio.folder / BEES).unlink()
    studio.replace(ANTS, 'name="Digger"', 'name="Delver"')
    expect(page.locator("#hits")).to_have_text("4 cards")
    git("add", "-A")
    git("commit", "-m", "no bees")
    git("checkout", "main")
    expect(page.locator("#hits")).to_have_text("6 cards")
    expect(page.locator(".tile", has_text="Digger")).to_have_count(1)
    git("checkout", "queens")
    expect(page.locator("#hits")).to_have_text("4 cards")
    expect(page.locator(".tile", has_text="Delver")).to_have_count(1)
    expect(page.locator("#mistakes")).to_be_hidden()


def test_two_tabs_see_the_same(page: Page, studio: Running) -> None:
    other = page.context.new_page()
    other.goto(studio.url)
    other.wait_for_selector(".tile:not(.pending)")
    studio.replace(ANTS, 'name="Digger"', 'name="Delver"')
    for tab in (page, other):
        expect(tab.locator(".tile", has_text="Delver")).to_contain_text("Changed")
    other.locator("#changes-seen").click()
    expect(page.locator("#changes")).to_be_hidden()


def test_the_studio_is_killed_and_started_again_while_files_change(
    page: Page, studio: Running
) -> None:
    studio.kill()
    expect(page.locator("#connection")).to_contain_text("is not responding")
    studio.replace(ANTS, 'name="Digger"', 'nane="Digger"')
    studio.start()
    expect(page.locator("#connection")).to_be_hidden()
    expect(page.locator("#mistakes")).to_be_visible()
    studio.replace(ANTS, 'nane="Digger"', 'name="Delver"')
    expect(page.locator("#mistakes")).to_be_hidden()
    expect(page.locator(".tile", has_text="Delver")).to_have_count(1)
