"""Pictures, drawings and fonts of at most two megabytes, with too much in them or none at all."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from random import Random

import pytest
from fontTools.ttLib import TTFont
from fontTools.ttLib.tables.DefaultTable import DefaultTable
from PIL import Image

from deckwright.text.fonts import default_fonts
from hostile import Files, check_files, check_untrusted, drawing, write_all
from support import GAME, card, line, write_game

pytestmark = pytest.mark.child

CARDS, FACE, SETUP, BOOK = (
    "xml/Factions/AA_cards.xml",
    "templates/card.xml",
    "xml/game.xml",
    "xml/rulebook.xml",
)
SHOWN = '<face><image href="{{ card.image }}" width="65" height="90"/></face>'
SIDE = 4400
"""Of a picture that has nearly as many pixels as a small file may."""


@pytest.fixture
def game(tmp_path: Path) -> Path:
    folder = write_game(tmp_path / "game", [card("A1", "Ant")], decks={"d": [line("A1", 3)]})
    (folder / "img").mkdir()
    return folder


def shown(*pictures: str | bytes, name: str = "a.png") -> Files:
    """Return the files of a game whose cards show pictures."""
    all_cards = (card(f"A{n}", f"a{n}", image=f"{n}{name}") for n in range(1, len(pictures) + 1))
    files: Files = [(FACE, SHOWN), (CARDS, f"<data>{''.join(all_cards)}</data>")]
    return files + [(f"img/{n}{name}", picture) for n, picture in enumerate(pictures, 1)]


def saved(kind: str, mode: str, side: int, color: object = 0, **options: object) -> bytes:
    stream = BytesIO()
    Image.new(mode, (side, side), color).save(stream, kind, **options)  # type: ignore[arg-type]
    return stream.getvalue()


def chunk(name: bytes, content: bytes) -> bytes:
    total = struct.pack(">I", zlib.crc32(name + content))
    return struct.pack(">I", len(content)) + name + content + total


def png(width: int, height: int, kind: int, row: bytes, *chunks: bytes, depth: int = 8) -> bytes:
    """Return a PNG of rows that are all the same, with chunks before its pixels."""
    head = struct.pack(">IIBBBBB", width, height, depth, kind, 0, 0, 0)
    packer = zlib.compressobj(9)
    pixels = b"".join(packer.compress(b"\0" + row) for _ in range(height)) + packer.flush()
    parts = (chunk(b"IHDR", head), *chunks, chunk(b"IDAT", pixels), chunk(b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)


def turned(way: int) -> Image.Exif:
    exif = Image.Exif()
    exif[0x0112] = way
    return exif


BOMB = b"a\0\0" + zlib.compress(b"\0" * 60_000_000, 9)
PALETTE = (chunk(b"PLTE", b"\x80" * 768), chunk(b"tRNS", b"\x40" * 256))
PICTURES: dict[str, tuple[str, Callable[[], Files]]] = {
    "RGBA": ("", lambda: shown(png(SIDE, SIDE, 6, b"\x80" * 4 * SIDE))),
    "16 bits": ("", lambda: shown(png(SIDE, SIDE, 0, b"\x80" * 2 * SIDE, depth=16))),
    "palette": ("", lambda: shown(png(SIDE, SIDE, 3, b"\0" * SIDE, *PALETTE))),
    "several": ("", lambda: shown(*(png(SIDE, SIDE - n, 6, b"\0" * 4 * SIDE) for n in range(4)))),
    "too many pixels": ("I003", lambda: shown(png(10_000, 9_000, 0, b"\0" * 1250, depth=1))),
    "a line": ("I007", lambda: shown(png(19_000_000, 1, 0, b"\0" * 19_000_000))),
    "compressed text": ("I001", lambda: shown(
        png(9, 9, 0, b"\0" * 9, *[chunk(b"zTXt", BOMB)] * 9))),
    "compressed profile": ("I001", lambda: shown(png(9, 9, 0, b"\0" * 9, chunk(b"iCCP", BOMB)))),
    "chunks": ("I007", lambda: shown(png(9, 9, 0, b"\0" * 9, chunk(b"abCd", b"") * 150_000))),
    "JPEG": ("", lambda: shown(saved("JPEG", "RGB", 9000, "red"))),
    "JPEG, turned": ("", lambda: shown(saved("JPEG", "RGB", SIDE, exif=turned(6)))),
    "JPEG, progressive": ("", lambda: shown(
        saved("JPEG", "RGB", SIDE, progressive=True, subsampling=0))),
    "JPEG, progressive and large": ("I003", lambda: shown(saved("JPEG", "L", 9000,
                                                                progressive=True))),
    "WEBP": ("", lambda: shown(saved("WEBP", "RGBA", 3100))),
    "WEBP, large": ("I003", lambda: shown(saved("WEBP", "RGB", 3500))),
    "TIFF": ("", lambda: shown(saved("TIFF", "RGBA", SIDE, compression="tiff_adobe_deflate"))),
    "GIF": ("", lambda: shown(saved("GIF", "P", SIDE))),
}  # fmt: skip


@pytest.mark.corpus(5)
@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_is_shown_or_refused(game: Path, name: str) -> None:
    expected, make = PICTURES[name]
    check_files(game, make(), expected)


RECTS = '<rect width="5" height="5"/>'
DRAWINGS: dict[str, tuple[str, str, str]] = {
    "many shapes": ("", RECTS * 16_000, ""),
    "too many shapes": ("I006", RECTS * 60_000, ""),
    "many paths of nothing": ("", '<path d=""/>' * 90_000, ""),
    "many points": ("", ('<path d="M0 0' + "l1 1" * 4980 + '"/>') * 19, ""),
    "too many points": ("I006", ('<path d="M0 0' + "a1 1 0 0 1 2 2" * 1400 + '"/>') * 98, ""),
    "many transforms": ("", ('<rect width="1" height="1" transform="' + "scale(1)" * 2400 + '"/>')
                        * 98, ""),
    "deep groups": ("", "<g>" * 240 + RECTS * 16_000 + "</g>" * 240, ""),
    "digits": ("I006", f'<rect width="{"1" * 19_900}x" height="1"/>', ""),
    "a long value": ("I006", f'<rect width="{"x" * 19_000}"/>', ""),
    "a huge canvas": ("I006", RECTS, 'viewBox="0 0 1e308 1e308"'),
    "a tiny canvas": ("I006", RECTS, 'width="1e-320" height="1e-320"'),
    "a thin canvas": ("", RECTS, 'viewBox="0 0 1e6 1e-6"'),
    "a far canvas": ("I006", RECTS, 'viewBox="1e308 1e308 1 1"'),
    "huge numbers": ("I006", '<rect width="1e300" height="1e300"/>', ""),
    "growing groups": ("I006", '<g transform="scale(10)">' * 200 + RECTS + "</g>" * 200, ""),
    "many styles": ("", "".join(
        f'<rect width="5" height="5" style="fill: rgb({n % 256}, 2, 3); stroke-width: {n}e-4px"/>'
        for n in range(16_000)), ""),
    "many dots": ("I006", ('<path stroke="red" stroke-linecap="round" d="' + "M0 0z" * 3900 + '"/>')
                  * 90, ""),
    "brackets nested too deeply": ("I006", f'<rect style="fill: {"(" * 19_000}"/>', ""),
    "other elements": ("I006", "<x/>" * 190_000, ""),
}  # fmt: skip


@pytest.mark.corpus(5)
@pytest.mark.parametrize("name", DRAWINGS)
def test_a_drawing_is_drawn_or_refused(game: Path, name: str) -> None:
    expected, body, canvas = DRAWINGS[name]
    picture = drawing(body, canvas or 'viewBox="0 0 9 9"')
    assert len(check_files(game, shown(picture, name="a.svg"), expected).said) < 1000


def test_a_drawing_that_many_cards_show_is_read_once(game: Path) -> None:
    """Also if it cannot be drawn."""
    many = "".join(card(f"A{n}", "a", image="a.svg") for n in range(1, 1200))
    for body, expected in ((RECTS * 4_000, "L006"), (RECTS * 6_000 + "<text/>", "I006")):
        files: Files = [(FACE, SHOWN), (CARDS, f"<data>{many}</data>")]
        check_files(game, [*files, ("img/a.svg", drawing(body))], expected)


GOOD = default_fonts()["text", "regular"].path.read_bytes()


def font(tag: str, content: bytes) -> bytes:
    """Return a font that has one table replaced."""
    opened = TTFont(BytesIO(GOOD), lazy=True, recalcBBoxes=False)
    table = DefaultTable(tag)
    table.data = content
    opened[tag] = table
    stream = BytesIO()
    opened.save(stream)
    return stream.getvalue()


def characters(*groups: tuple[int, int]) -> bytes:
    """Return the table that says which characters a font has: from, to."""
    packed = b"".join(struct.pack(">III", *group, 1) for group in groups)
    head = struct.pack(">HHHHI", 0, 1, 3, 10, 12)
    return head + struct.pack(">HHIII", 12, 0, 16 + len(packed), 0, len(groups)) + packed


def table_of(tag: str, start: int, stop: int, content: bytes) -> bytes:
    """Return a table of a good font with some bytes replaced."""
    whole = TTFont(BytesIO(GOOD)).reader[tag]
    return bytes(whole[:start] + content + whole[stop:])


NAMES = struct.pack(">HHH", 0, 5000, 60_006) + b"\0\3\0\1\4\x09\0\4\xff\xff\0\0" * 5000
FONTS: dict[str, tuple[str, Callable[[], bytes]]] = {
    "four thousand million characters": ("T007", lambda: font("cmap", characters((0, 0xFFFFFFFE)))),
    "all characters, often": ("T007", lambda: font("cmap", characters(*[(0, 0x10FFFF)] * 1000))),
    "names one over the other": ("T007", lambda: font("name", NAMES + b"a" * 66_000)),
    "no em": ("T007", lambda: font("head", table_of("head", 18, 20, b"\0\0"))),
    "no height": ("T007", lambda: font("hhea", table_of("hhea", 4, 8, b"\0\0\0\0"))),
    "another version": ("T007", lambda: font("hhea", table_of("hhea", 0, 4, b"\2\0\0\0"))),
}


def with_font(content: bytes) -> Files:
    own = GAME.replace("REFERENCE", "").replace("LIMITS", "")
    book = '<rulebook title="x"><chapter title="a"><p>Text.</p></chapter></rulebook>'
    return [
        (SETUP, own.replace('family="Source Sans Pro"', 'regular="f.ttf"')),
        ("templates/f.ttf", content),
        (BOOK, book),
    ]


@pytest.mark.parametrize("name", FONTS)
def test_a_font_is_used_or_refused(game: Path, name: str) -> None:
    expected, make = FONTS[name]
    assert "f.ttf" in check_files(game, with_font(make()), expected).said


@pytest.mark.parametrize("seed", range(6))
def test_a_damaged_font_is_no_fault(game: Path, seed: int) -> None:
    rng = Random(seed)
    content = bytearray(GOOD)
    for _ in range(20):
        content[rng.randrange(500 if rng.random() < 0.5 else len(content))] = rng.randrange(256)
    outcome = check_untrusted(write_all(game, with_font(bytes(content))))
    assert outcome.bounded, outcome.said
