"""What happens to an open page when files change, break and heal, and when the server goes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Page, Request

    from browser.conftest import Opens, Running

expect = pytest.importorskip("playwright.sync_api", reason="needs the extra browser-tests").expect
ANTS = "xml/Factions/AA_cards.xml"
MANY = 7
MOST_TRIES = 3


def test_a_changed_face_is_shown_beside_its_former_state(page: Page, studio: Running) -> None:
    page.evaluate("document.querySelectorAll('.tile').forEach((tile) => (tile.kept = true))")
    page.locator(".tile", has_text="Digger").click()
    studio.replace(ANTS, 'name="Digger"', 'name="Delver"')
    tile = page.locator(".tile", has_text="Delver")
    expect(tile).to_contain_text("Changed")
    expect(page.locator("#panel h2")).to_have_text("Delver")
    expect(page.locator("#changes-count")).to_have_text("1 face changed.")
    assert page.locator(".tile .mark").count() == 1
    assert page.evaluate("[...document.querySelectorAll('.tile')].every((tile) => tile.kept)")
    pictures = page.locator("#panel figure:not(.missing) img")
    expect(pictures).to_have_count(2)
    for picture in pictures.all():
        expect(picture).not_to_have_js_property("naturalWidth", 0)
    assert len({picture.get_attribute("src") for picture in pictures.all()}) == 2
    page.reload()
    expect(tile).to_contain_text("Changed")
    page.locator("#panel").get_by_role("button", name="Seen").click()
    expect(tile).not_to_contain_text("Changed")
    expect(page.locator("#changes")).to_be_hidden()


_FROM_ANOTHER_RUN = """
for (const [name, text] of Object.entries(localStorage)) {
  if (name.includes(":unseen:")) {
    localStorage.setItem(name, JSON.stringify({ ...JSON.parse(text), run: "before" }));
  }
}
"""


def test_a_studio_that_is_started_anew_has_no_former_faces(page: Page, studio: Running) -> None:
    picture = page.locator(".tile", has_text="Digger").locator("img")
    expect(picture).not_to_have_js_property("naturalWidth", 0)
    studio.replace(ANTS, 'name="Digger"', 'name="Delver"')
    tile = page.locator(".tile", has_text="Delver")
    expect(tile).to_contain_text("Changed")
    page.evaluate(_FROM_ANOTHER_RUN)
    page.reload()
    expect(tile).to_have_count(1)
    expect(tile).not_to_contain_text("Changed")


def test_what_is_as_it_was_again_is_not_changed(page: Page, studio: Running) -> None:
    studio.replace(ANTS, 'name="Digger"', 'name="Delver"')
    expect(page.locator("#changes")).to_be_visible()
    studio.replace(ANTS, 'name="Delver"', 'name="Digger"')
    expect(page.locator("#changes")).to_be_hidden()


def test_a_new_card_appears_and_a_lost_one_goes(page: Page, studio: Running) -> None:
    text = (studio.folder / ANTS).read_text(encoding="utf-8")
    line = next(line for line in text.splitlines() if "Digger" in line)
    studio.write(ANTS, text.replace(line, ""))
    expect(page.locator("#hits")).to_have_text("5 cards")
    studio.write(ANTS, text)
    expect(page.locator("#hits")).to_have_text("6 cards")


def test_a_mistake_is_told_over_a_wall_that_stays(page: Page, studio: Running) -> None:
    studio.replace(ANTS, 'name="Digger"', 'nane="Digger"')
    told = page.locator("#mistakes")
    expect(told).to_be_visible()
    expect(told).to_contain_text("S002")
    expect(told).to_contain_text("did you mean `name`")
    expect(told.locator("a").first).to_have_text(f"{ANTS}:4")
    assert "xml/Factions/AA_cards.xml:4:" in (told.locator("a").first.get_attribute("href") or "")
    expect(page.locator(".tile")).to_have_count(6)
    page.get_by_role("button", name="With findings").click()
    expect(page.locator("#hits")).to_have_text("1 of 6 cards")
    page.get_by_role("button", name="With findings").click()
    expect(page.locator(".tile.stale")).to_have_count(1)
    expect(page.locator(".tile.stale")).to_have_attribute("data-key", "AA:A3:1:face")
    studio.replace(ANTS, 'nane="Digger"', 'name="Digger"')
    expect(told).to_be_hidden()
    expect(page.locator(".tile.stale")).to_have_count(0)


def test_a_half_written_file_leaves_all_cards(page: Page, studio: Running) -> None:
    text = (studio.folder / ANTS).read_text(encoding="utf-8")
    studio.write(ANTS, text[: len(text) // 2])
    expect(page.locator("#mistakes")).to_be_visible()
    expect(page.locator("#mistakes .code").first).to_contain_text("X")
    expect(page.locator(".tile")).to_have_count(6)
    studio.write(ANTS, text)
    expect(page.locator("#mistakes")).to_be_hidden()


def test_a_server_that_is_gone_is_told_and_comes_back_by_itself(
    page: Page, studio: Running
) -> None:
    studio.stop()
    told = page.locator("#connection")
    expect(told).to_be_visible()
    expect(told).to_contain_text("is not responding")
    asked: list[Request] = []

    def note(request: Request) -> None:
        asked.append(request)

    page.on("request", note)
    page.wait_for_timeout(600)
    assert len(asked) <= MOST_TRIES
    expect(page.locator(".tile")).to_have_count(6)
    studio.replace(ANTS, 'name="Digger"', 'name="Delver"')
    studio.start()
    expect(told).to_be_hidden()
    expect(page.locator(".tile", has_text="Delver")).to_have_count(1)


def test_another_token_is_told(page: Page) -> None:
    page.evaluate("sessionStorage.setItem('deckwright-studio', 'not-the-token-of-now')")
    page.reload()
    expect(page.locator("#connection")).to_contain_text("Open the address")


def test_seven_tabs_share_one_stream_and_one_takes_over(opens: Opens, studio: Running) -> None:
    streams: list[Page] = []
    pages: list[Page] = []

    def count(request: Request) -> None:
        if request.url.endswith("/api/events"):
            streams.append(request.frame.page)

    for _ in range(MANY):
        page = opens()
        page.on("request", count)
        pages.append(page)
        page.reload()
        page.wait_for_selector(".tile:not(.pending)")
    studio.replace(ANTS, 'name="Digger"', 'name="Delver"')
    for page in pages:
        expect(page.locator(".tile", has_text="Delver")).to_have_count(1)
    assert set(streams) == {pages[0]}
    leader = pages[0]
    pages.remove(leader)
    leader.close()
    studio.replace(ANTS, 'name="Delver"', 'name="Burrower"')
    for page in pages:
        expect(page.locator(".tile", has_text="Burrower")).to_have_count(1)
