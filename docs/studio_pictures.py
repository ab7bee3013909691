"""Make the pictures of docs/studio.md from the studio itself, with the extra `browser-tests`."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, sync_playwright

ROOT = Path(__file__).parent.parent
PICTURES = ROOT / "docs" / "pictures"
GAME = ROOT / "examples" / "orbit"
CARDS = "xml/Factions/CR_cards.xml"


@contextmanager
def studio(game: Path) -> Iterator[str]:
    """Run a studio; give its address."""
    command = [sys.executable, "-m", "deckwright", "studio", "--no-browser", "--game", str(game)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:  # noqa: S603
        assert process.stdout is not None
        said = iter(process.stdout.readline, "")
        yield next(word for line in said for word in line.split() if word.startswith("http"))
        process.terminate()


def shown(page: Page, name: str) -> None:
    """Draw the page when the pictures in sight are there."""
    page.locator(".tile.pending").first.wait_for(state="detached", timeout=60_000)
    page.wait_for_timeout(3000)
    page.screenshot(path=PICTURES / name)
    with Image.open(PICTURES / name) as picture:
        picture.quantize(256).save(PICTURES / name, optimize=True)


def change(game: Path, name: str, old: str, new: str) -> None:
    """Change a file of the game."""
    path = game / name
    text = path.read_text(encoding="utf-8")
    assert old in text, old
    path.write_text(text.replace(old, new), encoding="utf-8")


def pictures() -> None:
    """Draw the wall, and a card that has changed while another one has a mistake."""
    with tempfile.TemporaryDirectory() as temporary, sync_playwright() as playwright:
        game = Path(shutil.copytree(GAME, Path(temporary) / "game"))
        chromium = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        with studio(game) as url:
            page = chromium.new_page(viewport={"width": 1280, "height": 800}, locale="en-GB")
            page.goto(url)
            page.wait_for_selector(".tile:not(.pending)")
            shown(page, "studio.png")
            page.emulate_media(color_scheme="dark")
            change(game, CARDS, 'name="Marine"', 'name="Space Marine"')
            page.get_by_text("1 face has changed").wait_for()
            change(game, CARDS, 'Flight Cadet" faction_id', 'Flight Cadet" faction')
            page.locator("#mistakes .finding").first.wait_for()
            page.locator(".tile").first.click()
            shown(page, "studio-card.png")
        chromium.close()


if __name__ == "__main__":
    pictures()
