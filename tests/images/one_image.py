"""One card with one image, printed and looked at. Nothing here is a test."""

from __future__ import annotations

import re
import struct
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pypdfium2
from PIL import Image
from pypdf import PdfReader

from conftest import Run
from support import card, line, write_game

PX = 4
"""Pixels to a millimetre in rendered pages."""

RED, GREEN, BLUE, YELLOW = (255, 0, 0), (0, 255, 0), (0, 0, 255), (255, 255, 0)
WHITE, BLACK, GREY = (255, 255, 255), (0, 0, 0), (128, 128, 128)
Color = tuple[int, int, int]


def face(fit: str = "cover", width: float = 40, height: float = 40) -> str:
    return f"""<face><rect width="65" height="90" fill="lime"/>
      <image when="card.image" href="{{{{ card.image }}}}" x="10" y="10"
             width="{width}" height="{height}" fit="{fit}"/></face>"""


class Bench:
    """A game of one card with one image, printed and rendered."""

    def __init__(self, folder: Path, run: Run) -> None:
        self.folder = folder
        self.run = run
        (folder / "img").mkdir(parents=True)
        self.name = "picture.png"
        self.fields: dict[str, Any] = {}
        """What the card says besides."""
        self.options: list[str] = []
        """Options of the command."""

    def save(self, image: Image.Image, name: str = "picture.png", **options: object) -> None:
        self.name = name
        kind = str(options.pop("format", Path(name).suffix[1:]))
        image.save(self.folder / "img" / name, kind.replace("jpg", "jpeg"), **options)

    def write(self, data: bytes, name: str = "picture.png") -> None:
        self.name = name
        (self.folder / "img" / name).write_bytes(data)

    def print(self, template: str = "") -> tuple[int, str]:
        """Print the card; return the exit code and what was said."""
        cards = [card("A1", "Ant", image=self.name, **self.fields)]
        write_game(self.folder, cards, decks={"deck": [line("A1")]}, face=template or face())
        result = self.run("deck", "deck", "--game", str(self.folder), "--quiet", *self.options)
        return result.exit_code, result.stderr

    def look(self, template: str = "") -> Callable[[float, float], Color]:
        """Print the card; return what tells the color at a place of its face."""
        code, said = self.print(template)
        assert code == 0, said
        with pypdfium2.PdfDocument(self.pdf) as document:
            page = document[0].render(scale=PX * 25.4 / 72).to_pil().convert("RGB")

        def at(x: float, y: float) -> Color:
            pixel = page.getpixel((round((7.5 + x) * PX), round((13.5 + y) * PX)))
            assert isinstance(pixel, tuple)
            red, green, blue = pixel
            return red, green, blue

        return at

    @property
    def pdf(self) -> Path:
        return self.folder / "out" / "deck_deck.pdf"

    def embedded(self) -> list[Image.Image]:
        return [item.image for item in PdfReader(self.pdf).pages[0].images if item.image]


def near(color: Color, other: Color, off: int = 12) -> bool:
    return all(abs(mine - theirs) <= off for mine, theirs in zip(color, other, strict=True))


def codes(said: str) -> list[str]:
    return re.findall(r"(?:error|warning) (\w\d+):", said)


def halves(left: Color, right: Color, size: int = 400) -> Image.Image:
    image = Image.new("RGB", (size, size), left)
    image.paste(right, (size // 2, 0, size, size))
    return image


def png(width: int, height: int, depth: int, kind: int, row: bytes) -> bytes:
    """Return a PNG file of equal rows, whatever depth and color type it has."""

    def chunk(tag: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + tag + data + struct.pack(">I", zlib.crc32(tag + data))

    head = struct.pack(">IIBBBBB", width, height, depth, kind, 0, 0, 0)
    body = zlib.compress((b"\0" + row) * height)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", body) + chunk(b"IEND", b"")
