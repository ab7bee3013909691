"""What all views share: how they are drawn, and what is said of work that is not saved."""

from __future__ import annotations

import re
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from queue import Queue
from threading import Thread
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest

from browser.conftest import TOKEN
from deckwright.studio.server import browser_opener

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page, Request

    from browser.conftest import Opens, Running

expect = pytest.importorskip("playwright.sync_api", reason="needs the extra browser-tests").expect

_DRAW = """
async ([size, chosen, typed]) => {
  const { morph } = await import("/assets/shared/page.js");
  const { make } = await import("/assets/shared/words.js");
  const box = make("div", { className: "box" }, "Box");
  box.style.setProperty("--wide", size);
  box.style.setProperty("width", size);
  const names = ["one", "two", "three"];
  const tried = document.getElementById("tried") ?? make("div", { id: "tried" });
  if (!tried.isConnected) document.querySelector("main").append(tried);
  morph(tried, [
    ...names.slice(0, size.length).map((name) => make("p", {}, name)),
    box,
    make("input", { value: typed, "aria-label": "Typed" }),
    make("select", { "data-value": chosen, "aria-label": "Chosen" },
      ...names.map((value) => make("option", { value }, value))),
  ]);
}
"""


def test_an_opened_card_belongs_to_its_view(page: Page) -> None:
    page.locator(".tile", has_text="Digger").click()
    panel = page.locator("#panel")
    expect(panel).to_contain_text("Digger")
    for view in ("Decks", "Print"):
        page.get_by_role("link", name=view, exact=True).click()
        expect(panel).to_be_hidden()
        expect(page).not_to_have_url(re.compile("open="))
    page.get_by_role("link", name="Cards", exact=True).click()
    expect(panel).to_contain_text("Digger")
    expect(page).to_have_url(re.compile(r"[?&]open=AA"))
    page.go_back()
    expect(panel).to_be_hidden()


def test_what_is_drawn_anew_keeps_focus_and_takes_styles(page: Page) -> None:
    page.evaluate(_DRAW, ["9px", "two", "a"])
    box, typed, chosen = (page.locator(f"#tried {name}") for name in (".box", "input", "select"))
    assert box.evaluate("(node) => node.offsetWidth") == 9
    expect(chosen).to_have_value("two")
    typed.focus()
    typed.evaluate("(node) => (node.kept = true)")
    page.evaluate(_DRAW, ["100px", "three", "ab"])
    assert box.evaluate("(node) => [node.offsetWidth, node.style.getPropertyValue('--wide')]") == [
        100,
        "100px",
    ]
    expect(typed).to_be_focused()
    expect(typed).to_have_value("ab")
    expect(chosen).to_have_value("three")
    assert typed.evaluate("(node) => node.kept")
    chosen.select_option("one")
    page.evaluate(_DRAW, ["100px", "three", "ab"])
    expect(chosen).to_have_value("three")


_NOTE = """async ([id, text]) => {
  const { noteUnsaved } = await import("/assets/shared/page.js");
  return noteUnsaved(id, text);
}"""


def test_work_that_is_not_saved_is_told(page: Page) -> None:
    told = page.locator("#unsaved")
    expect(told).to_be_hidden()
    with page.expect_request("**/api/unsaved") as asked:
        page.evaluate(_NOTE, ["deck:1", "the deck Ants"])
    assert asked.value.post_data_json == {"works": {"deck:1": "the deck Ants"}}
    expect(told).to_have_text("Unsaved: the deck Ants")
    page.evaluate(_NOTE, ["edit:AA:A1", "the card Ant"])
    expect(told).to_have_text("2 unsaved changes")
    page.evaluate(_NOTE, ["deck:1", None])
    expect(told).to_have_text("Unsaved: the card Ant")


def test_a_studio_that_is_started_anew_is_told_again(opens: Opens, studio: Running) -> None:
    page = opens()
    page.evaluate(_NOTE, ["deck:1", "the deck Ants"])
    studio.stop()
    expect(page.locator("#connection")).to_be_visible()
    with page.expect_request("**/api/unsaved") as told:
        studio.start()
    assert told.value.post_data_json == {"works": {"deck:1": "the deck Ants"}}


def test_the_browser_is_opened_by_a_file_that_leads_to_the_page(
    context: BrowserContext, studio: Running
) -> None:
    """The token is not in what the browser is started with."""
    given: Queue[str] = Queue()
    with pytest.MonkeyPatch.context() as patch, browser_opener() as browse:
        patch.setattr("webbrowser.open", given.put)
        browse(studio.url)
        file = given.get(timeout=10)
        assert TOKEN not in file
        page = context.new_page()
        page.goto(file)
        page.wait_for_selector(".tile:not(.pending)")
        assert page.url == studio.url.partition("#")[0]


def test_the_token_is_sent_to_nobody(context: BrowserContext, studio: Running) -> None:
    """Nor is it left in the address, in a cookie, or where other pages could read it."""
    asked: list[Request] = []
    context.on("request", lambda one: asked.append(one))  # noqa: PLW0108 - it marks its handler
    page = context.new_page()
    page.goto(studio.url)
    page.wait_for_selector(".tile:not(.pending)")
    picture = page.locator(".tile img").first
    expect(picture).not_to_have_js_property("naturalWidth", 0)
    sent = [f"{one.url.partition('#')[0]} {one.all_headers()} {one.post_data}" for one in asked]
    assert any("/faces/" in one for one in sent)
    assert not [one for one in sent if TOKEN in one]
    assert context.cookies() == []
    assert TOKEN not in page.url
    assert page.evaluate("Object.values(localStorage).join()").find(TOKEN) == -1
    keys = {one.header_value("x-deckwright-token") for one in asked} - {None}
    studio.stop()
    studio.start()
    expect(page.locator("#connection")).to_be_hidden()
    page.reload()
    page.wait_for_selector(".tile:not(.pending)")
    assert keys < {one.header_value("x-deckwright-token") for one in asked} - {None}


def test_a_page_of_yesterday_tells_another_server_nothing(opens: Opens, studio: Running) -> None:
    page = opens()
    page.evaluate(_NOTE, ["deck:1", "the deck Ants"])
    asked: list[tuple[str, str, object]] = []

    class Other(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append((self.command, self.path, self.headers["x-deckwright-token"]))
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b'{"run": "x", "proof": "x"}')

        do_POST = do_GET  # noqa: N815 - as http.server has it

        def log_message(self, *_: object) -> None: ...

    studio.stop()
    with ThreadingHTTPServer(("127.0.0.1", urlsplit(studio.url).port or 0), Other) as other:
        Thread(target=other.serve_forever, daemon=True).start()
        expect(page.locator("#connection")).to_contain_text("Open the address")
        page.evaluate(_NOTE, ["deck:1", None])
        page.wait_for_timeout(300)
        other.shutdown()
    assert asked
    assert {path.partition("?")[0] for _, path, _ in asked} == {"/api/session"}
    assert {(method, key) for method, _, key in asked} == {("GET", None)}
    studio.start()
    expect(page.locator("#connection")).to_be_hidden()


_WORKER = "addEventListener('fetch', (event) => event.respondWith(fetch(event.request)))"
_REGISTER = "<script>navigator.serviceWorker.register('/sw.js')</script>"


def test_a_service_worker_of_another_program_goes(context: BrowserContext, studio: Running) -> None:
    class Other(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            script = self.path == "/sw.js"
            self.send_response(200)
            self.send_header("Content-Type", "text/javascript" if script else "text/html")
            self.end_headers()
            self.wfile.write((_WORKER if script else _REGISTER).encode())

        def log_message(self, *_: object) -> None: ...

    studio.stop()
    page = context.new_page()
    workers = "navigator.serviceWorker.getRegistrations().then((all) => all.length)"
    with ThreadingHTTPServer(("127.0.0.1", urlsplit(studio.url).port or 0), Other) as other:
        Thread(target=other.serve_forever, daemon=True).start()
        page.goto(studio.url.partition("#")[0])
        page.evaluate("navigator.serviceWorker.ready.then(() => null)")
        assert page.evaluate(workers) == 1
        other.shutdown()
    studio.start()
    page.goto("about:blank")
    page.goto(studio.url)
    page.wait_for_selector(".tile:not(.pending)")
    assert page.evaluate(workers) == 0
    assert page.evaluate("navigator.serviceWorker.controller") is None


_PLACE = """
async (folder) => {
  const { place } = await import("/assets/shared/page.js");
  const { set } = await import("/assets/shared/page.js");
  return ["idea", "vscode", "sublime"].map((editor) => {
    set({ editor });
    const node = place({ path: "a&b=c+d #1?.xml", line: 3, column: 2 }, { folder });
    return node.getAttribute("href");
  });
}
"""


def test_links_to_editors_say_every_name(page: Page) -> None:
    name = "a%26b%3Dc%2Bd%20%231%3F.xml"
    assert page.evaluate(_PLACE, "/home/50% x") == [
        f"idea://open?file=/home/50%25%20x/{name}&line=3",
        f"vscode://file/home/50%25%20x/{name}:3:2",
        f"subl://open?url=file:///home/50%25%20x/{name}&line=3&column=2",
    ]
    windows = page.evaluate(_PLACE, "C:\\games")
    assert windows[1] == f"vscode://file/C:/games/{name}:3:2"
    assert page.evaluate(_PLACE, "/home/\ud800") == [None] * 3


def test_views_have_addresses_and_are_as_they_were_left(page: Page) -> None:
    views = page.get_by_role("navigation", name="Views")
    expect(views.get_by_role("link", name="Cards")).to_have_attribute("aria-current", "page")
    page.fill("#query", "digger")
    page.locator(".tile").click()
    views.get_by_role("link", name="Decks").click()
    expect(page.locator("#decks")).to_be_visible()
    expect(page.locator("#cards")).to_be_hidden()
    expect(page.locator("#query")).to_be_hidden()
    expect(views.get_by_role("link", name="Decks")).to_have_attribute("aria-current", "page")
    assert "view=decks" in page.url
    page.go_back()
    expect(page.locator("#cards")).to_be_visible()
    expect(page.locator("#query")).to_have_value("digger")
    views.get_by_role("link", name="Decks").click()
    page.reload()
    expect(page.locator("#decks")).to_be_visible()
    views.get_by_role("link", name="Cards").click()
    expect(page.locator("#hits")).to_have_text("1 of 6 cards")
    assert "view=" not in page.url


def test_a_mistake_is_told_in_every_view(page: Page, studio: Running) -> None:
    page.get_by_role("link", name="Decks").click()
    studio.replace("xml/Factions/AA_cards.xml", 'name="Digger"', 'name="Digger" nane=""')
    expect(page.locator("#mistakes")).to_contain_text("nane")


def test_the_address_alone_opens_what_was_open(page: Page, studio: Running) -> None:
    page.get_by_role("link", name="Decks").click()
    expect(page.locator("#decks")).to_be_visible()
    page.goto("about:blank")
    page.goto(studio.url)
    expect(page.locator("#decks")).to_be_visible()


_SAVE = """
async (draft) => {
  const { post } = await import("/assets/shared/session.js");
  const told = ({ status, message }) => `${status} ${message}`;
  return post("/api/decks/save", draft).then(() => "saved", told);
}
"""


def test_a_studio_that_only_looks_saves_nothing(opens: Opens, studio: Running) -> None:
    studio.stop()
    studio.read_only = True
    studio.start()
    page = opens()
    expect(page.get_by_text("Read-only")).to_be_visible()
    before = {path: path.read_bytes() for path in studio.folder.rglob("*.xml")}
    page.get_by_role("link", name="Decks", exact=True).click()
    page.get_by_role("button", name="New deck").click()
    page.locator("#decks-new-name").fill("Bee line")
    page.get_by_role("button", name="Create").click()
    expect(page.locator("[data-act=save]")).to_be_disabled()
    page.keyboard.press("Control+s")
    ant = {"card": "AA:A1", "zone": None, "copies": 1, "note": ""}
    draft = {"id": None, "name": "Ants", "faction": "AA", "format": None, "before": None}
    said = page.evaluate(_SAVE, {"draft": {**draft, "entries": [ant]}})
    assert said.startswith("400 The studio is read-only")
    assert {path: path.read_bytes() for path in studio.folder.rglob("*.xml")} == before
