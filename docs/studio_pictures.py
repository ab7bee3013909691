"""Make the pictures of docs/studio.md from the studio itself: `make studio-pictures`."""

from __future__ import annotations

import io
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import sync_playwright

ROOT = Path(__file__).parent.parent
PICTURES = ROOT / "docs" / "pictures"
_SIZE = {"width": 1280, "height": 800}
_COLORS = 256
_TIMEOUT = 300_000
"""In ms: on a busy machine, all faces of a deck take minutes."""
_SERVE = """
import sys
from pathlib import Path
from deckwright.studio.server import serve
serve(Path(sys.argv[1]), on_ready=lambda address: print(address, flush=True))
"""
_SHOWN = """
() => [...document.querySelectorAll("img, .tile")].every((node) => {
  const { top, bottom, width } = node.getBoundingClientRect();
  if (!width || bottom < 0 || top > innerHeight) return true;
  return node.matches("img") ? node.complete && node.naturalWidth : !node.matches(".pending");
})
"""
"""Whether all pictures that are on the screen have come."""
_CARDS = "xml/Factions/HK_cards.xml"

Page = Any
"""A page of playwright, which has no types here."""


@contextmanager
def studio(folder: Path, game: Path = ROOT) -> Iterator[str]:
    """Run the studio of a copy of a game; gives its address."""
    for name in ("xml", "img", "templates"):
        if (game / name).is_dir():
            shutil.copytree(game / name, folder / name)
    command = [sys.executable, "-c", _SERVE, str(folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:  # noqa: S603
        try:
            assert process.stdout is not None
            yield process.stdout.readline().strip()
        finally:
            process.terminate()


def edit(path: Path, old: str, new: str) -> None:
    """Change a file, as somebody does in an editor."""
    text = path.read_text(encoding="utf-8")
    assert old in text, old
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def as_it_is(_page: Page, _folder: Path) -> None:
    """What is opened."""


def the_card(page: Page, _: Path) -> None:
    """A card with its bleed, trim and safe zone."""
    page.locator(".tile", has_text="Feldmarschall").click()
    page.get_by_role("button", name="Bleed, trim, safe zone").click()


def a_change(page: Page, folder: Path) -> None:
    """A face before and after a change, and a mistake in another file."""
    edit(folder / _CARDS, 'strength="8"', 'strength="9"')
    page.locator("#changes").wait_for()
    page.locator(".tile", has_text="Held").first.click()
    edit(folder / "xml/Factions/ZK_cards.xml", 'strength="', 'strenght="')
    page.locator("#mistakes").wait_for()


def a_deck(page: Page, _: Path) -> None:
    """A deck, all of whose cards have come."""
    cards = "[...document.querySelectorAll('#decks .decks-card')]"
    page.wait_for_function(f"() => {cards}.every((card) => card.querySelector('img'))")


def a_game(page: Page, _: Path) -> None:
    """A game of two decks after some turns, with markers on a card."""
    for number, deck in enumerate(("Eiserne Disziplin", "Hammer und Braukessel")):
        page.locator(f"#play-deck-{number}").select_option(label=deck)
    page.get_by_label("Seed").fill("7")
    page.get_by_role("button", name="Deal", exact=True).click()
    for player, area, cards in (
        (1, "close", 3),
        (1, "support", 1),
        (0, "close", 2),
        (0, "ranged", 3),
    ):
        for _card in range(cards):
            page.locator(f"[data-area='{player}/hand'] .play-card").nth(2).focus()
            page.keyboard.press("m")
            index = page.locator(f"[data-area='{player}/{area}'] h3").inner_text().split(" · ")[0]
            owner = ("Eiserne Disziplin", "Hammer und Braukessel")[player]
            page.get_by_role("menuitem", name=f"{index} ({owner})").click()
    page.locator("[data-area='0/close'] .play-card").first.click()
    for marker in ("Moralbonus", "Moralbonus", "Aktionsmarker"):
        page.locator(".play-tray").get_by_role("button", name=marker).click()
    page.wait_for_selector("#play[aria-busy=false] [data-area='0/close'] .play-circle")
    page.wait_for_function("() => document.querySelectorAll('.play-tray img').length > 9")
    page.locator("[data-area='0/close']").first.evaluate(
        "(node) => node.scrollIntoView({ block: 'center' })"
    )


def a_form(page: Page, _: Path) -> None:
    """A card that is being edited, with its face as it will look."""
    face = page.locator(".edit-face img")
    before = face.get_attribute("src")
    page.get_by_role("textbox", name="Name", exact=True).fill("Feldmarschall a. D.")
    page.locator(f".edit-face img:not([src='{before}'])").wait_for()


def a_change_of_many(page: Page, _: Path) -> None:
    """A line that changes many cells, and the balance before and after."""
    page.locator("#filter-box summary").click()
    page.locator("[data-at='2 4']").dblclick()
    page.keyboard.type("9")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Change many").click()
    page.get_by_label("Field").select_option("Proviant")
    page.get_by_label("Change", exact=True).fill("+1")
    page.get_by_label("Where").fill("Stufe:Bronze")
    page.locator("#grid-balance table").wait_for()


def a_translation(page: Page, folder: Path) -> None:
    """A card in another language, with a text that is fuzzy and one that is missing."""
    catalog = folder / "xml/lang/en.po"
    edit(
        catalog, 'msgid "Feldmarschall"\nmsgstr "Field Marshal"', 'msgid "Feldmarschall"\nmsgstr ""'
    )
    page.get_by_label("Show cards in").select_option("en")
    page.locator(".tile .name", has_text="Soldier").first.wait_for()
    page.locator(".tile[data-key^='HK:HK7:']").first.click()
    page.keyboard.press("e")
    page.locator(".edit-face img").wait_for()
    page.keyboard.press("Alt+n")


def a_template(page: Page, _: Path) -> None:
    """A template with an element of its face that was moved."""
    element = page.get_by_role("button", name="text “Kaiserreich”, line")
    element.focus()
    element.press("Shift+ArrowRight")
    page.locator(".edit-state", has_text="Unsaved").wait_for()
    page.locator(".eye-faces [role=status]:empty").wait_for(state="attached")


def sheets(page: Page, _: Path) -> None:
    """A sheet of cards and its other side."""
    page.locator("#print img").nth(1).wait_for()
    page.get_by_role("button", name="Next").click()


PLACES: dict[str, tuple[str, Callable[[Page, Path], None]]] = {
    "studio": ("", as_it_is),
    "studio-guides": ("?q=row:CLOSE", the_card),
    "studio-card": ("", a_change),
    "studio-decks": ("?view=decks&deck=army_HK_1", a_deck),
    "studio-play": ("?view=play", a_game),
    "studio-edit": ("?view=edit&card=HK:HK7", a_form),
    "studio-table": ("?as=table&f.faction=HK", a_change_of_many),
    "studio-translate": ("", a_translation),
    "studio-template": (
        "?view=edit&template=templates/panel.xml&on=HK:HK3:1:face",
        a_template,
    ),
    "studio-print": ("?view=print&of.decks=army_HK_1&o.print.backs=true", sheets),
}
"""What is shown: the name of the picture, what is opened, and what is done there."""


def wait_for_pictures(page: Page) -> None:
    """Wait until all pictures of what is open have come."""
    shown = ":is(img, #play-deck-0, .grid-cell)"
    page.wait_for_selector(f"main > section:not([hidden]) {shown}")
    page.wait_for_function(_SHOWN)


def pictures() -> None:
    """Take all pictures, each of a studio of its own."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for name, (place, act) in PLACES.items():
            with tempfile.TemporaryDirectory() as temporary, studio(Path(temporary)) as address:
                page = browser.new_page(viewport=_SIZE, locale="en-GB")
                page.set_default_timeout(_TIMEOUT)
                page.goto(address.replace("/#", f"/{place}#"))
                wait_for_pictures(page)
                act(page, Path(temporary))
                page.mouse.move(0, 0)
                page.wait_for_function(_SHOWN)
                _save(page.screenshot(), PICTURES / f"{name}.png")
                page.close()
        browser.close()


def _save(picture: bytes, path: Path) -> None:
    with Image.open(io.BytesIO(picture)) as image:
        image.convert("RGB").quantize(_COLORS).save(path, optimize=True)


if __name__ == "__main__":
    pictures()
