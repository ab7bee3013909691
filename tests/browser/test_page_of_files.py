"""The page of `export html`: opened from a folder, by people with and without a mouse."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pypdfium2
import pytest

import deckwright
from browser.steps import faults
from conftest import edit
from deckwright.checks.counting import make_matcher
from deckwright.studio.live_game import parse_search
from support import card, line, token_rule, uses, write_game

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from browser.conftest import Contexts

expect = pytest.importorskip("playwright.sync_api", reason="needs the extra browser-tests").expect


FOOD = '<field name="costs" type="integer" text="Food"/>'


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Six cards and a token; the token comes last in the game, and first on the page."""
    cards = [
        card("A1", "Ant", "AA", uses("call"), level=1, costs=3, actions=2),
        card("A2", "Queen Ant", level=2, costs=9),
        card("A3", "Digger", level=1, costs=14),
        card("B1", "Bee", "BB", level=2, costs=5),
        card("B2", "Drone", "BB", level=1, costs=1),
        card("G1", "Guest", "GG", level=1, costs=2),
    ]
    decks = {"hill": [line("A1", 3), line("A2"), line("G1", 2)], "hive": [line("B1", 2)]}
    folder = tmp_path_factory.mktemp("page") / "game #1"
    write_game(folder, cards, rules=[token_rule("call", "Wolf")], decks=decks)
    edit(folder / "xml/game.xml", '<field name="costs" type="integer"/>', FOOD)
    edit(folder / "xml/game.xml", 'name="Card"', 'name="Card" back="back.xml"')
    back = '<face><rect width="65" height="90" fill="{{ faction.color }}"/></face>'
    (folder / "templates/back.xml").write_text(back, encoding="utf-8")
    deckwright.open_game(folder).export_html(folder / "site")
    return folder


@pytest.fixture
def address(game: Path) -> str:
    return (game / "site" / "index.html").as_uri()


@pytest.fixture
def site(contexts: Contexts, address: str) -> Iterator[Page]:
    """The page, which asks nobody for anything and complains of nothing."""
    page, said = contexts().new_page(), list[str]()
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("console", lambda message: said.append(message.text))
    page.on("request", lambda request: said.append(request.url))
    page.goto(address)
    yield page
    assert [text for text in said if not text.startswith("file:")] == []


def names(page: Page) -> list[str]:
    texts: list[str] = page.locator(".card:not([hidden]) .name").all_text_contents()
    return texts


def all_pictures_are_there(page: Page) -> bool:
    script = "Promise.all([...document.images].map((one) => one.decode())).then(() => true)"
    return bool(page.evaluate(script))


def test_words_filters_and_order_change_the_wall(site: Page) -> None:
    everything = ["Ant", "Queen Ant", "Digger", "Wolf", "Bee", "Drone", "Guest"]
    expect(site.locator("#hits")).to_have_text("7 cards")
    assert names(site) == everything
    assert all_pictures_are_there(site)
    site.fill("#query", "create wolf")
    assert names(site) == ["Ant"]
    expect(site.locator("#hits")).to_have_text("1 of 7 cards")
    site.fill("#query", "nobody")
    expect(site.get_by_text("No matching cards.")).to_be_visible()
    clear = site.get_by_role("button", name="Clear search and filters")
    clear.click()
    expect(clear).to_be_hidden()
    site.get_by_role("group", name="level").get_by_role("button", name="High").click()
    assert names(site) == ["Queen Ant", "Bee"]
    site.get_by_role("group", name="Decks").get_by_role("button").nth(1).click()
    assert names(site) == ["Bee"]
    expect(site.locator("#filter-count")).to_have_text("2")
    assert site.locator("#factions section:visible h3").all_text_contents() == ["Hive1"]
    clear.click()
    site.select_option("#sort", "costs")
    assert names(site) == ["Ant", "Queen Ant", "Digger", "Wolf", "Drone", "Bee", "Guest"]
    site.select_option("#sort", label="By name")
    assert names(site) == ["Ant", "Digger", "Queen Ant", "Wolf", "Bee", "Drone", "Guest"]
    site.select_option("#sort", "order")
    assert names(site) == everything


def test_backs_are_shown_of_cards_that_have_one(site: Page) -> None:
    site.get_by_role("button", name="Backs").click()
    assert "Wolf" not in names(site)
    sources = {image.get_attribute("src") for image in site.locator(".tile:visible img").all()}
    assert sources == {f"faces/back_{faction}_card.svg" for faction in ("AA", "BB", "GG")}
    assert all_pictures_are_there(site)
    expect(site.get_by_role("link", name="Bee: Back")).to_be_visible()
    site.get_by_role("button", name="Fronts").click()
    assert len(names(site)) == 7
    expect(site.get_by_role("link", name="Bee (Card)")).to_be_visible()
    site.locator(".tile", has_text="Bee").click()
    expect(site.get_by_role("dialog").get_by_role("img", name="Back")).to_be_visible()


def test_conditions_find_what_the_studio_finds(site: Page, game: Path) -> None:
    model = deckwright.open_game(game).model
    for query in (
        "food>=5",
        "Food>2 level:low",
        "level=2 and costs<6 or name='Guest'",
        "costs>0 and id in 'A1, B2'",
        "costs>0 and id not in 'A1, B2'",
        "level!=1",
        "level:HIGH",
        "rule:call",
        "rules!=call",
        "kind=token",
        "costs<9 faction_id=AA",
        'name="Queen Ant"',
    ):
        holds = make_matcher(parse_search(query, model.setup))
        site.fill("#query", query)
        found = {each.card.name for each in model.printable_cards() if holds(each.card)}
        assert found
        assert (query, {*names(site)}) == (query, found)
        expect(site.locator("#query-note")).to_be_empty()
    site.fill("#query", "speed>3")
    expect(site.locator("#query-note")).to_have_text("No card has “speed”. Available: Food, levels")
    site.fill("#query", "costs>3 and level")
    expect(site.locator("#query-note")).to_contain_text("Food>=3")
    assert names(site) == ["Queen Ant"]  # the last hits stay
    site.fill("#query", "costs>3 queen")
    assert names(site) == ["Queen Ant"]


def test_keys_alone_lead_everywhere(site: Page) -> None:
    focused = "document.activeElement.innerText || document.activeElement.id"
    site.keyboard.press("Tab")
    assert site.evaluate(focused) == "To the content"
    site.keyboard.press("/")
    assert site.evaluate(focused) == "query"
    site.keyboard.type("ant")
    site.keyboard.press("Escape")
    assert len(names(site)) == 7
    site.keyboard.press("ArrowDown")
    site.keyboard.press("ArrowRight")
    site.keyboard.press("Enter")
    card = site.get_by_role("dialog", name="Queen Ant")
    expect(card).to_contain_text("Food: 9")
    expect(card).to_contain_text("1× Deck")
    site.keyboard.press("ArrowLeft")
    card = site.get_by_role("dialog", name="Ant", exact=True)
    expect(card).to_contain_text("Call (1): Create a Wolf.")
    site.keyboard.press("Escape")
    expect(card).to_be_hidden()
    assert "Queen Ant" in site.evaluate(focused)
    site.keyboard.press("Home")
    assert site.evaluate(focused).startswith("Ant")


def test_cards_and_decks_lead_to_each_other(site: Page, address: str) -> None:
    site.locator(".tile", has_text="Ant").first.click()
    site.get_by_role("dialog").get_by_role("link", name="Deck").click()
    expect(site.get_by_role("dialog")).to_be_hidden()
    assert site.url.endswith("#deck-hill")
    site.locator("#deck-hill").get_by_role("link", name="Wolf").click()
    expect(site.get_by_role("dialog", name="Wolf")).to_be_visible()
    site.goto("about:blank")
    site.goto(f"{address}#card-GG-G1")
    expect(site.get_by_role("dialog", name="Guest")).to_be_visible()


@pytest.mark.corpus(2)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(site: Page, scheme: str) -> None:
    site.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    site.get_by_role("button", name="High").click()
    assert faults(site) == ""
    site.locator(".tile:visible").first.click()
    assert faults(site) == ""


def test_nothing_hangs_over_the_edge_of_a_telephone(site: Page) -> None:
    site.set_viewport_size({"width": 390, "height": 844})
    wide = "document.documentElement.scrollWidth"
    assert site.evaluate(wide) <= 390
    site.locator(".tile").first.click()
    box = site.get_by_role("dialog").bounding_box()
    assert box
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 390


def test_it_prints_what_is_shown(site: Page, tmp_path: Path) -> None:
    site.fill("#query", "food>=5")
    site.pdf(path=tmp_path / "page.pdf", prefer_css_page_size=True)
    with pypdfium2.PdfDocument(tmp_path / "page.pdf") as document:
        texts = [page.get_textpage().get_text_bounded() for page in document]
        assert [round(side) for side in document[0].get_size()] == [595, 842]
    assert "Queen Ant" in texts[0]
    assert "Drone" not in texts[0]
    assert "By file" not in texts[0]
    assert "Create a Wolf." in texts[-1]


def test_it_is_a_page_without_a_script(contexts: Contexts, address: str) -> None:
    page = contexts(java_script_enabled=False).new_page()
    page.goto(address)
    expect(page.get_by_role("img")).to_have_count(7)
    expect(page.get_by_role("img", name="Queen Ant (Card)")).to_be_visible()
    expect(page.get_by_role("searchbox")).to_be_hidden()
    page.get_by_role("link", name="Rules").click()
    expect(page.get_by_text("Create a Wolf.", exact=True)).to_be_in_viewport()
    page.get_by_role("link", name="Queen Ant (Card)").click()
    assert page.url.endswith("/faces/A2.svg")
