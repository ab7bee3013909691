"""Record how a table becomes a sheet and how the wall follows it: `make recording`."""

from __future__ import annotations

import io
import shutil
import subprocess
import sys
import tempfile
from base64 import b64encode
from collections.abc import Iterator
from pathlib import Path

import pypdfium2
from openpyxl import load_workbook
from pictures import draw_table, load_font
from PIL import Image, ImageChops, ImageDraw, ImageOps
from playwright.sync_api import sync_playwright
from studio_pictures import studio as run_studio
from studio_pictures import wait_for_pictures

ROOT = Path(__file__).parent.parent
_SIZE = (1000, 560)
_GROUND, _TERMINAL, _TEXT = "#d7d4ce", "#1e1f24", "#e8e6e1"
_QUALITY = 80
_TABLE_WIDTH = 520
"""Width in px of the columns beside the wall."""
_TABLE = Path("examples/moths/xml/Factions/moths.xlsx")
_CHANGES: tuple[tuple[str, int | str], ...] = (("D2", 2), ("G2", "#4b6cb7"))
"""The cells that change, all of the first card: its light, then the color of its wings."""

Frame = tuple[Image.Image, float]
"""A picture and for how many seconds it is shown."""


def record(path: Path) -> None:
    """Write the recording."""
    with tempfile.TemporaryDirectory() as temporary:
        home = Path(temporary)
        shutil.copy(ROOT / _TABLE, home / "moths.xlsx")
        table = draw_table(home / "moths.xlsx", _SIZE[1])
        frames: list[Frame] = [(ImageOps.pad(table, _SIZE, color=_GROUND), 2.5)]
        frames += _commands(home)
        frames += _edits(home)
    _animate(frames, path)


def _commands(home: Path) -> Iterator[Frame]:
    """Type the commands that make a game of the table and print it, then show the first sheet."""
    lines: list[str] = []
    for command in ("new night --from moths.xlsx", "build --game night"):
        typed = f"$ deckwright {command}"
        yield from (
            (_terminal([*lines, typed[:end] + "▌"]), 0.12) for end in range(2, len(typed), 3)
        )
        done = subprocess.run(  # noqa: S603 - our own program
            [sys.executable, "-m", "deckwright", *command.split()],
            cwd=home,
            capture_output=True,
            text=True,
            check=True,
        )
        lines += [typed, *done.stdout.splitlines()[-6:], ""]
        yield _terminal(lines), 1.6
    (pdf,) = (home / "night" / "out").glob("deck_*.pdf")
    frame = Image.new("RGB", _SIZE, _GROUND)
    with pypdfium2.PdfDocument(pdf) as document:
        for number in range(2):
            page = document[number]
            sheet = page.render(scale=(_SIZE[1] - 24) / page.get_height()).to_pil()
            frame.paste(sheet, (_SIZE[0] // 2 + (12 if number else -12 - sheet.width), 12))
    yield frame, 3.0


def _terminal(lines: list[str]) -> Image.Image:
    font = load_font("fontpkg_ibm_plex_mono", "IBMPlexMono-Regular.ttf", 17)
    frame = Image.new("RGB", _SIZE, _TERMINAL)
    text = "\n".join(line[:92] for line in lines[-20:])
    ImageDraw.Draw(frame).multiline_text((28, 24), text, _TEXT, font, spacing=8)
    return frame


def _edits(home: Path) -> Iterator[Frame]:
    """Change cells in the table of a game, and show the wall before and after each change."""
    folder = home / "studio"
    table = folder / "xml" / "Factions" / "moths.xlsx"
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    with sync_playwright() as playwright, run_studio(folder, ROOT / "examples/moths") as address:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": _SIZE[0] - _TABLE_WIDTH, "height": 1200})
        page.set_default_timeout(300_000)
        page.goto(address)
        face = page.locator(".tile", has_text="Emperor").locator("img")
        for change in (None, *_CHANGES):
            if change:
                before = face.get_attribute("src")
                book = load_workbook(table)
                book.worksheets[0][change[0]] = change[1]
                book.save(table)
                face.and_(page.locator(f"img:not([src='{before}'])")).wait_for()
            wait_for_pictures(page)
            top = face.bounding_box()["y"] - 24
            frame = draw_table(table, _SIZE[1], change[0] if change else "").crop((0, 0, *_SIZE))
            with Image.open(io.BytesIO(page.screenshot())) as wall:
                frame.paste(wall.convert("RGB"), (_TABLE_WIDTH, -int(top)))
            yield frame, 2.5
        browser.close()


def _animate(frames: list[Frame], path: Path) -> None:
    """Write frames as an SVG of pictures that appear one after another, each only what has changed.

    It repeats without end; whoever prefers no motion sees the last frame.
    """
    whole = sum(seconds for _, seconds in frames)
    before, start, images, rules = Image.new("RGB", _SIZE), 0.0, "", ""
    for number, (frame, seconds) in enumerate(frames):
        box = ImageChops.difference(before, frame).getbbox()
        if box:
            data = io.BytesIO()
            frame.crop(box).save(data, "WEBP", quality=_QUALITY, method=6)
            images += (
                f'<image class="i{number}" x="{box[0]}" y="{box[1]}" width="{box[2] - box[0]}" '
                f'height="{box[3] - box[1]}" '
                f'href="data:image/webp;base64,{b64encode(data.getvalue()).decode()}"/>\n'
            )
            at = start / whole * 100
            rules += (
                f"@keyframes k{number}{{0%,{at:.3f}%{{opacity:0}}{at + 0.001:.3f}%{{opacity:1}}}}\n"
            )
            rules += f".i{number}{{animation-name:k{number}}}\n"
        before, start = frame, start + seconds
    width, height = _SIZE
    path.write_text(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}">\n<style>\n'
        f"image{{animation:{whole:g}s step-end infinite}}\n{rules}"
        f"@media(prefers-reduced-motion:reduce){{image{{animation:none}}}}\n</style>\n"
        f"{images}</svg>\n",
        encoding="utf-8",
    )


if __name__ == "__main__":
    record(ROOT / "docs" / "pictures" / "recording.svg")
