"""The cards are edited in a table, as in a spreadsheet."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from browser.conftest import Running, Writes, ants
from browser.editing.conftest import hill
from browser.editing.test_tables import CARDS as TABLE
from browser.editing.test_tables import ROWS, tabled
from browser.play.steps import center
from browser.steps import faults, touch
from support import card, token_rule, uses, write_game

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Locator, Page

    from browser.conftest import Contexts

expect = pytest.importorskip("playwright.sync_api", reason="needs the extra browser-tests").expect

ANTS = "xml/Factions/AA_cards.xml"
NAME, FACTION, LEVEL, ACTIONS, COSTS = range(1, 6)
"""The columns; the first is the id."""


@pytest.fixture
def game() -> Writes:
    return ants


@pytest.fixture
def table(context: BrowserContext, studio: Running) -> Page:
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    page = context.new_page()
    page.goto(studio.url.replace("/#", "/?as=table#"))
    expect(page.locator(".grid-body .grid-cell").first).to_be_visible()
    return page


def cell(page: Page, row: int, column: int) -> Locator:
    return page.locator(f"[data-at='{row} {column}']")


def has(page: Page, place: int, *texts: str) -> None:
    """Expect these texts at the top of a column."""
    cells = ", ".join(f"[data-at='{row} {place}']" for row in range(len(texts)))
    expect(page.locator(cells)).to_have_text([*texts])


def text_of(studio: Running) -> str:
    return (studio.folder / ANTS).read_text(encoding="utf-8")


def says(page: Page) -> Locator:
    return page.locator("#grid-says")


def save(page: Page) -> None:
    page.keyboard.press("Control+s")
    expect(page.locator("#grid-save")).to_have_text("Saved")


def paste(page: Page, text: str) -> None:
    page.evaluate("(text) => navigator.clipboard.writeText(text)", text)
    page.keyboard.press("Control+v")


def test_cells_are_edited_and_saved_together(table: Page, studio: Running) -> None:
    before = text_of(studio)
    cell(table, 0, NAME).dblclick()
    table.keyboard.type("Emmet")
    table.keyboard.press("Tab")
    expect(cell(table, 0, FACTION)).to_be_focused()
    cell(table, 2, COSTS).click()
    table.keyboard.type("7")
    table.keyboard.press("Enter")
    expect(cell(table, 3, COSTS)).to_be_focused()
    expect(cell(table, 2, COSTS)).to_have_class("grid-cell integer  changed")
    expect(table.locator("#unsaved")).to_have_text("2 unsaved changes")
    assert text_of(studio) == before
    table.get_by_role("button", name="Save 2 cards").click()
    expect(table.locator("#grid-save")).to_have_text("Saved")
    wanted = before.replace('"Ant"', '"Emmet"').replace('costs="4"', 'costs="7"')
    assert text_of(studio) == wanted
    expect(cell(table, 2, COSTS)).to_have_class("grid-cell integer ")
    table.evaluate("document.activeElement.blur()")
    table.keyboard.press("Control+z")  # the button that had the focus is off
    has(table, COSTS, "3", "9", "4")
    table.keyboard.press("Control+y")
    table.get_by_role("button", name="Wall").click()
    expect(table.locator(".tile", has_text="Emmet")).to_be_visible()


def test_terms_are_chosen_by_their_names(table: Page, studio: Running) -> None:
    expect(cell(table, 0, LEVEL)).to_have_text("Low")
    cell(table, 0, LEVEL).press("F2")
    options = table.locator("#grid-options option")
    expect(options).to_have_count(2)
    table.keyboard.type("high")
    table.keyboard.press("Enter")
    expect(cell(table, 0, LEVEL)).to_have_text("High")
    cell(table, 0, NAME).press("F2")
    table.keyboard.type("Emmet")
    save(table)  # also what is being typed
    assert 'name="Emmet" faction_id="AA" level="2"' in text_of(studio)


def test_what_is_wrong_is_said_in_its_cell_and_nothing_is_saved(
    table: Page, studio: Running
) -> None:
    before = text_of(studio)
    cell(table, 1, COSTS).press("m")
    table.keyboard.type("any")
    table.keyboard.press("Enter")
    expect(cell(table, 1, COSTS)).to_have_attribute("aria-invalid", "true")
    table.keyboard.press("5")
    table.keyboard.press("Enter")
    table.keyboard.press("Control+s")
    expect(cell(table, 1, COSTS)).to_be_focused()
    expect(says(table)).to_contain_text("Queen Ant · Costs: card `A2`: `costs` must be a whole")
    expect(table.get_by_role("button", name="Save anyway")).to_be_visible()
    assert text_of(studio) == before
    table.keyboard.press("8")
    table.keyboard.press("Enter")
    expect(cell(table, 1, COSTS)).to_have_attribute("aria-invalid", "false")
    save(table)
    assert text_of(studio) == before.replace('costs="9"', 'costs="8"').replace("4", "5")


def test_everything_goes_by_keys(table: Page, studio: Running) -> None:
    before = text_of(studio)
    table.keyboard.press("/")
    table.keyboard.press("ArrowDown")
    expect(cell(table, 0, 0)).to_be_focused()
    table.keyboard.press("End")
    table.keyboard.press("Control+ArrowDown")
    table.keyboard.press("ArrowLeft")
    table.keyboard.press("Control+Home")
    expect(cell(table, 0, 0)).to_be_focused()
    for _ in range(COSTS):
        table.keyboard.press("ArrowRight")
    table.keyboard.press("Enter")
    table.keyboard.type("6")
    table.keyboard.press("Escape")
    expect(cell(table, 0, COSTS)).to_have_text("3")
    table.keyboard.press("Shift+ArrowDown")
    table.keyboard.press("Shift+ArrowDown")
    expect(table.locator("[role=gridcell][aria-selected=true]")).to_have_count(3)
    table.keyboard.press("Control+d")
    has(table, COSTS, "3", "3", "3")
    table.keyboard.press("Control+z")
    has(table, COSTS, "3", "9", "4")
    table.keyboard.press("Control+y")
    table.keyboard.press("Control+s")
    expect(table.locator("#grid-save")).to_have_text("Saved")
    assert text_of(studio) == before.replace('costs="9"', 'costs="3"').replace("4", "3")
    table.keyboard.press("Control+z")  # also what is saved
    expect(table.locator("#grid-save")).to_have_text("Save 2 cards")
    save(table)
    assert text_of(studio) == before


def test_a_single_cell_is_filled_with_that_above(table: Page) -> None:
    cell(table, 1, COSTS).click()
    table.get_by_role("button", name="Fill down").click()
    has(table, COSTS, "3", "3")
    cell(table, 1, COSTS).press("Delete")
    expect(cell(table, 1, COSTS)).to_have_text("")
    expect(cell(table, 1, COSTS)).to_have_attribute("aria-invalid", "true")


def test_blocks_are_copied_and_pasted_as_spreadsheets_have_them(table: Page) -> None:
    cell(table, 0, LEVEL).click()
    cell(table, 1, COSTS).click(modifiers=["Shift"])
    expect(table.locator("[role=gridcell][aria-selected=true]")).to_have_count(6)
    table.keyboard.press("Control+c")
    copied = "Low\t0\t3\nHigh\t0\t9"
    wanted = "async (text) => (await navigator.clipboard.readText()) === text"
    table.wait_for_function(wanted, arg=copied)
    cell(table, 2, LEVEL).click()
    paste(table, copied.replace("High", "2"))
    has(table, LEVEL, "Low", "High", "Low", "High")
    has(table, COSTS, "3", "9", "3", "9")
    cell(table, 0, NAME).click()
    paste(table, '"Ant, the ""old"""\r\n"Two\nlines"\tHive\t1\r\n')
    has(table, NAME, 'Ant, the "old"', "Two lines")
    expect(table.locator("#announcer")).to_contain_text("2 cells cannot be changed here.")
    has(table, FACTION, "Hill", "Hill")  # it is locked
    has(table, LEVEL, "", "Low")
    cell(table, 0, ACTIONS).click()
    cell(table, 3, ACTIONS).click(modifiers=["Shift"])
    paste(table, "5")
    has(table, ACTIONS, "5", "5", "5", "5", "0")
    cell(table, 5, NAME).click()
    paste(table, "One\nTwo\nThree")
    expect(table.locator("#announcer")).to_have_text("2 rows did not fit.")


def test_a_text_is_found_and_replaced_as_the_preview_shows(table: Page) -> None:
    cell(table, 0, NAME).click()
    table.keyboard.press("Control+f")
    table.keyboard.type("ant")
    expect(table.locator("#grid-find [role=status]")).to_contain_text("2 found")
    table.keyboard.press("Enter")
    expect(cell(table, 1, NAME)).to_have_attribute("aria-selected", "true")
    table.keyboard.press("Control+h")
    table.keyboard.type("Emmet")
    expect(table.locator("#grid-list li")).to_have_text(
        ["Ant · Name Ant → Emmet", "Queen Ant · Name Queen Ant → Queen Emmet"]
    )
    table.get_by_label("Match case").check()
    expect(table.locator("#grid-find [role=status]")).to_contain_text("0 found")
    table.locator("[name=find]").fill("Ant")
    table.get_by_role("button", name="Replace in 2 cells").click()
    has(table, NAME, "Emmet", "Queen Emmet")
    table.keyboard.press("Escape")
    expect(cell(table, 1, NAME)).to_be_focused()
    table.keyboard.press("Control+z")
    has(table, NAME, "Ant", "Queen Ant")
    cell(table, 2, NAME).click()
    cell(table, 3, NAME).click(modifiers=["Shift"])
    table.keyboard.press("Control+f")
    expect(table.locator("#grid-find [role=status]")).to_contain_text("in the 2 selected cells")


def priced(folder: Path) -> Path:
    """Write a game that says what cards are worth."""
    cards = [card(f"A{n}", f"Ant {n}", level=1 + n // 3, actions=n, costs=n) for n in range(1, 6)]
    write_game(folder, cards)
    path = folder / "xml/game.xml"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("<deck>", '<deck worth="actions" cost="costs">', 1), "utf-8")
    return folder


@pytest.mark.parametrize("game", [priced])
def test_one_line_changes_many_cells_as_the_preview_shows(table: Page, studio: Running) -> None:
    before = text_of(studio)
    table.get_by_role("button", name="Change many").click()
    table.get_by_label("Field").select_option("Costs")
    table.get_by_label("Change", exact=True).fill("+1")
    expect(table.get_by_role("button", name="Change 5 cells")).to_be_enabled()
    table.get_by_label("Where").fill("level=High costs<4")
    expect(table.get_by_role("button", name="Change 1 cell")).to_be_enabled()
    expect(table.locator("#grid-list li")).to_have_text(["Ant 3 · Costs 3 → 4"])
    balance = table.locator("#grid-balance")
    expect(balance).to_contain_text("actions = 1 × costs")
    expect(balance).to_contain_text("Now beaten: Ant 3: beaten by Ant 4: actions +1")
    table.get_by_label("Where").fill("wings=2")
    expect(table.locator("#grid-change [role=status]")).to_contain_text("“wings”")
    table.get_by_label("Where").fill("")
    table.get_by_label("Change", exact=True).fill("=costs - 3")
    expect(table.locator("#grid-list li").first).to_contain_text("must be a whole number")
    expect(balance).to_have_text("Cards with errors have no balance.")
    table.get_by_label("Change", exact=True).fill("*2")
    expect(table.locator("#grid-list li").last).to_have_text("Ant 5 · Costs 5 → 10")
    table.get_by_role("button", name="Change 5 cells").click()
    has(table, COSTS, "2", "4", "6", "8", "10")
    assert text_of(studio) == before
    table.keyboard.press("Control+z")
    has(table, COSTS, "1", "2", "3", "4", "5")


def test_it_is_searched_filtered_and_sorted(table: Page) -> None:
    table.fill("#query", "costs>2")
    has(table, 0, "A1", "A2", "A3", "B1")
    table.get_by_role("button", name="Hill").click()
    has(table, 0, "A1", "A2", "A3")
    cell(table, -1, COSTS).click()
    expect(cell(table, -1, COSTS)).to_have_attribute("aria-sort", "ascending")
    has(table, COSTS, "3", "4", "9")
    cell(table, -1, COSTS).press("Enter")
    has(table, COSTS, "9", "4", "3")
    cell(table, 2, COSTS).press("9")
    table.keyboard.press("Enter")
    has(table, 0, "A2", "A3", "A1")  # rows stay where one edits them
    table.reload()
    expect(cell(table, 0, 0)).to_have_text("A1")
    has(table, COSTS, "9", "9", "4")
    assert "as=table" in table.url


def test_what_others_change_is_merged_or_asked_about(table: Page, studio: Running) -> None:
    for row in (0, 1):
        cell(table, row, COSTS).press("7")
        table.keyboard.press("Enter")
    before = text_of(studio)
    studio.write(ANTS, before.replace('"Ant"', '"Emmet"').replace('costs="9"', 'costs="2"'))
    expect(cell(table, 0, NAME)).to_have_text("Emmet")
    expect(cell(table, 1, COSTS)).to_have_class("grid-cell integer  changed clash")
    table.keyboard.press("Control+s")
    expect(cell(table, 1, COSTS)).to_be_focused()
    expect(says(table)).to_contain_text("Now in the file: 2")
    table.get_by_role("button", name="Keep mine").click()
    save(table)
    text = text_of(studio)
    assert text.count('costs="7"') == 2
    assert '"Emmet"' in text


def test_forms_and_the_table_have_one_draft(table: Page) -> None:
    cell(table, 0, COSTS).press("7")
    table.keyboard.press("Enter")
    cell(table, 0, 0).press("Enter")
    expect(table.locator("#panel")).to_contain_text("Ant")
    table.get_by_role("button", name="Edit", exact=True).click()
    expect(table.locator("#edit-f-costs")).to_have_value("7")
    table.locator("#edit-f-name").fill("Emmet")
    table.get_by_role("link", name="Cards", exact=True).click()
    expect(cell(table, 0, NAME)).to_have_text("Emmet")
    cell(table, 0, COSTS).press("8")
    table.keyboard.press("Enter")
    table.get_by_role("link", name="Edit", exact=True).click()
    expect(table.locator("#edit-f-costs")).to_have_value("8")
    table.get_by_role("link", name="Cards", exact=True).click()
    table.get_by_role("button", name="Discard changes").click()
    has(table, NAME, "Ant")
    has(table, COSTS, "3")
    expect(table.locator("#unsaved")).to_be_hidden()
    table.get_by_role("button", name="Undo").click()
    has(table, NAME, "Emmet")
    has(table, COSTS, "8")


def called(folder: Path) -> Path:
    """Write a game with a card that makes a token."""
    return write_game(
        folder, [card("A1", "Ant", "AA", uses("call"))], rules=[token_rule("call", "Larva")]
    )


@pytest.mark.parametrize("game", [called])
def test_each_kind_has_its_own_columns(table: Page, studio: Running) -> None:
    has(table, NAME, "Ant")
    table.locator("#grid-kind").select_option("Token")
    has(table, 0, "call/1")
    assert "Costs" not in table.locator("[role=columnheader]").all_inner_texts()
    cell(table, 0, NAME).press("F2")
    table.keyboard.type("Grub")
    table.keyboard.press("Enter")
    save(table)
    assert 'name="Grub"' in (studio.folder / "xml/rules.xml").read_text(encoding="utf-8")
    table.get_by_role("button", name="Card", exact=True).click()
    has(table, NAME, "Ant")
    expect(table.locator("#grid-kind")).to_be_hidden()


@pytest.mark.parametrize("game", [hill])
def test_lists_flags_and_what_is_computed(table: Page, studio: Running) -> None:
    written = "<rule  id='dig'/> <!-- digs -->"
    studio.replace(ANTS, '<rule id="dig"/>', written)
    titles = table.locator("[role=columnheader]").all_inner_texts()
    at = {title: place for place, title in enumerate(titles)}
    rules, rare, bars = at["Rules"], at["Rare"], at["Rules"] - 1
    expect(cell(table, 0, rules)).to_have_text("Digs")
    expect(cell(table, 0, at["Sum"])).to_have_attribute("aria-readonly", "true")
    cell(table, 0, bars).click()
    expect(says(table)).to_contain_text("edit them in the form")
    cell(table, 0, rare).press(" ")
    expect(cell(table, 0, rare)).to_have_text("yes")
    cell(table, 0, rules).press("F2")
    table.keyboard.press("End")
    table.keyboard.type(", call")
    table.keyboard.press("Enter")
    expect(cell(table, 0, rules)).to_have_text("Digs, Call")
    save(table)
    text = text_of(studio)
    assert f'{written}\n    <rule id="call"/>' in text
    assert 'rare="true"' in text
    assert '<bar at="1" words="low"/> <!-- first -->' in text
    table.keyboard.press("Control+z")
    save(table)
    assert "call" not in text_of(studio)
    assert written in text_of(studio)


@pytest.mark.parametrize("game", [tabled])
def test_rows_of_a_table_are_written_into_its_cells(table: Page, studio: Running) -> None:
    table.get_by_role("button", name="Drawing").click()
    titles = table.locator("[role=columnheader]").all_inner_texts()
    cell(table, 0, titles.index("Image")).click()
    expect(says(table)).to_have_text("The table has no column for it: add one.")
    cell(table, 0, NAME).click()
    paste(table, "Delver; old\nEmpress")
    save(table)
    wanted = "".join(ROWS).replace("Digger", '"Delver; old"').replace("Queen", "Empress")
    assert (studio.folder / TABLE).read_bytes().decode() == wanted


@pytest.mark.corpus(2)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(table: Page, scheme: str) -> None:
    table.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    cell(table, 0, COSTS).press("x")
    table.keyboard.press("Enter")
    expect(cell(table, 0, COSTS)).to_have_attribute("aria-invalid", "true")
    cell(table, 0, LEVEL).click()
    cell(table, 2, COSTS).click(modifiers=["Shift"])
    assert faults(table) == ""
    table.keyboard.press("Control+h")
    table.locator("[name=find]").fill("ant")
    assert faults(table) == ""
    table.get_by_role("button", name="Change many").click()
    table.get_by_label("Change", exact=True).fill("2")
    expect(table.locator("#grid-list li").first).to_be_visible()
    cell(table, 1, NAME).dblclick()
    assert faults(table) == ""


def test_it_fits_a_telephone(table: Page) -> None:
    table.set_viewport_size({"width": 390, "height": 800})
    table.get_by_role("button", name="Find and replace").click()
    assert table.evaluate("document.documentElement.scrollWidth") <= 390
    table.get_by_role("button", name="Change many").click()
    assert table.evaluate("document.documentElement.scrollWidth") <= 390
    table.locator("#grid-change [data-do=close]").click()
    cell(table, 2, COSTS).click()
    box, first = table.locator("#grid").bounding_box(), cell(table, 2, 0).bounding_box()
    seen = cell(table, 2, COSTS).bounding_box()
    assert box
    assert first
    assert seen
    assert seen["x"] >= first["x"] + first["width"] - 1
    assert seen["x"] + seen["width"] <= box["x"] + box["width"]


def test_a_finger_selects_a_block_from_the_active_cell(contexts: Contexts, studio: Running) -> None:
    page = contexts(viewport={"width": 800, "height": 800}, has_touch=True).new_page()
    page.goto(studio.url.replace("/#", "/?as=table#"))
    cell(page, 0, LEVEL).tap()
    expect(cell(page, 0, LEVEL)).to_be_focused()
    (x, y), (to_x, to_y) = (center(cell(page, *at)) for at in ((0, LEVEL), (2, ACTIONS)))
    session = page.context.new_cdp_session(page)
    touch(session, "touchStart", (x, y))
    for part in range(1, 5):
        touch(session, "touchMove", (x + (to_x - x) * part / 4, y + (to_y - y) * part / 4))
    touch(session, "touchEnd")
    expect(page.locator("[role=gridcell][aria-selected=true]")).to_have_count(6)


def many(folder: Path) -> Path:
    """Write a game of many cards."""
    return write_game(folder, [card(f"A{n}", f"Ant {n}") for n in range(400)])


@pytest.mark.parametrize("game", [many])
def test_only_the_rows_on_the_screen_are_drawn(table: Page) -> None:
    rows = table.locator(".grid-body [role=row]")
    grid = table.get_by_role("grid")
    expect(grid).to_have_attribute("aria-rowcount", "401")
    assert rows.count() < 60
    cell(table, 0, NAME).press("Control+End")
    expect(cell(table, 399, 6)).to_be_focused()
    assert rows.count() < 60
    indexes = rows.evaluate_all("(all) => all.map((row) => Number(row.ariaRowIndex))")
    assert indexes == sorted(indexes)
    assert indexes[-1] == 401
    grid.evaluate("(grid) => grid.scrollTo(0, 0)")
    expect(cell(table, 3, NAME)).to_be_visible()
    expect(cell(table, 399, 6)).to_be_focused()
    cell(table, 0, COSTS).click()
    table.keyboard.press("Control+Shift+ArrowDown")
    paste(table, "4")
    expect(table.get_by_role("button", name="Save 400 cards")).to_be_visible()


def test_one_only_looks_at_it_where_nothing_may_be_written(
    context: BrowserContext, studio: Running
) -> None:
    studio.stop()
    studio.read_only = True
    studio.start()
    page = context.new_page()
    page.goto(studio.url.replace("/#", "/?as=table#"))
    cell(page, 0, NAME).dblclick()
    expect(says(page)).to_have_text("Read-only")
    expect(page.locator(".grid-edit")).to_have_count(0)
    expect(page.locator("#grid-save")).to_be_hidden()
    page.keyboard.press("Control+f")
    page.keyboard.type("bee")
    expect(page.locator("#grid-find [role=status]")).to_contain_text("1 found")
