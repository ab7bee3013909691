"""Images of all kinds, printed and looked at."""

from __future__ import annotations

import io
import os
import struct
from collections.abc import Mapping
from pathlib import Path
from threading import Thread

import pypdfium2
import pytest
from one_image import (
    BLACK,
    BLUE,
    GREEN,
    GREY,
    RED,
    WHITE,
    YELLOW,
    Bench,
    Color,
    codes,
    face,
    halves,
    near,
    png,
)
from PIL import Image, ImageOps

from conftest import Run
from deckwright.templates.template import Record, Template


@pytest.fixture
def bench(tmp_path: Path, run: Run) -> Bench:
    return Bench(tmp_path / "game", run)


def written(image: Image.Image, kind: str) -> bytes:
    stream = io.BytesIO()
    image.save(stream, kind)
    return stream.getvalue()


@pytest.mark.parametrize(("name", "kind"), [("a.png", "png"), ("a.jpg", "jpg"), ("a.jpeg", "jpg"),
                                            ("a.jpg", "png"), ("a.png", "jpg")])  # fmt: skip
def test_an_image_is_what_it_is_whatever_its_name_says(bench: Bench, name: str, kind: str) -> None:
    bench.save(halves(RED, BLUE), name, format=kind)
    at = bench.look()
    assert near(at(15, 30), RED)
    assert near(at(45, 30), BLUE)
    assert near(at(5, 30), GREEN)


@pytest.mark.parametrize(
    ("kind", "pixel", "expected"),
    [
        (0, b"\x80\x00", GREY),
        (0, b"\x00\x10", BLACK),
        (0, b"\xff\xff", WHITE),
        (2, b"\xff\xff\x80\x00\x00\x00", (255, 128, 0)),
        (4, b"\x80\x00\xff\xff", GREY),
        (6, b"\x80\x00\x00\x00\xff\xff\xff\xff", (128, 0, 255)),
        (6, b"\x80\x00\x00\x00\xff\xff\x00\x00", GREEN),
    ],
)
def test_sixteen_bits_a_channel_are_printed_as_eight(
    bench: Bench, kind: int, pixel: bytes, expected: Color
) -> None:
    bench.write(png(400, 400, 16, kind, pixel * 400))
    assert near(bench.look()(30, 30), expected)


@pytest.mark.parametrize("depth", [1, 2, 4])
def test_few_bits_a_channel_are_printed(bench: Bench, depth: int) -> None:
    half = 400 * depth // 16
    bench.write(png(400, 400, depth, 0, b"\x00" * half + b"\xff" * half))
    at = bench.look()
    assert near(at(15, 30), BLACK)
    assert near(at(45, 30), WHITE)


@pytest.mark.parametrize("mode", ["RGBA", "LA"])
def test_what_is_transparent_shows_the_ground(bench: Bench, mode: str) -> None:
    image = Image.new("RGBA", (400, 400), (128, 128, 128, 255))
    image.paste((255, 255, 255, 0), (200, 0, 400, 400))
    bench.save(image.convert(mode))
    at = bench.look()
    assert near(at(15, 30), GREY)
    assert near(at(45, 30), GREEN)


@pytest.mark.parametrize("mode", ["P", "RGB", "L", "1"])
def test_a_color_that_stands_for_transparent_shows_the_ground(bench: Bench, mode: str) -> None:
    image = halves(BLACK, WHITE).convert(mode)
    hidden = image.getpixel((399, 0))
    bench.save(image, transparency=hidden)
    at = bench.look()
    assert near(at(15, 30), BLACK)
    assert near(at(45, 30), GREEN)


def test_a_palette_image_keeps_its_colors(bench: Bench) -> None:
    bench.save(halves(RED, BLUE).quantize(2))
    at = bench.look()
    assert near(at(15, 30), RED)
    assert near(at(45, 30), BLUE)


def test_a_cmyk_image_is_printed_with_a_warning_every_time(bench: Bench) -> None:
    bench.save(Image.new("CMYK", (500, 500), (0, 255, 255, 0)), "a.jpg", quality=95)
    for _ in range(2):
        code, said = bench.print()
        assert code == 0
        assert codes(said) == ["I005"]
    red, green, blue = bench.look()(30, 30)
    assert red > 180
    assert max(green, blue) < 90


@pytest.mark.parametrize("orientation", range(1, 9))
@pytest.mark.parametrize("kind", ["jpg", "png"])
def test_an_image_is_turned_as_its_camera_was(bench: Bench, orientation: int, kind: str) -> None:
    image = Image.new("RGB", (400, 300), RED)
    image.paste(BLUE, (200, 0, 400, 150))
    image.paste(YELLOW, (0, 150, 200, 300))
    image.paste(BLACK, (200, 150, 400, 300))
    exif = Image.Exif()
    exif[0x0112] = orientation
    bench.save(image, f"a.{kind}", exif=exif)
    upright = ImageOps.exif_transpose(Image.open(bench.folder / "img" / bench.name))
    at = bench.look(face("contain"))
    for x, y in ((0.25, 0.25), (0.75, 0.25), (0.25, 0.75), (0.75, 0.75)):
        place = round(x * upright.width), round(y * upright.height)
        expected = upright.convert("RGB").getpixel(place)
        assert isinstance(expected, tuple)
        red, green, blue = expected
        seen = at(10 + 40 * (0.4 * x + 0.3), 10 + 40 * (0.4 * y + 0.3))
        assert near(seen, (red, green, blue), 30)


def test_an_image_with_damaged_exif_data_is_printed_without_a_word(bench: Bench) -> None:
    data = written(halves(RED, BLUE, 500), "JPEG")
    for exif in (b"Exif\0\0XXgarbage", b"Exif\0\0II*\0\x08\0\0\0\xff\xff\x12\x01\x03"):
        segment = b"\xff\xe1" + struct.pack(">H", len(exif) + 2) + exif
        bench.write(data[:2] + segment + data[2:], f"{len(exif)}.jpg")
        assert bench.print() == (0, "")
    assert near(bench.look()(15, 30), RED)


def damaged(kind: str) -> bytes:
    data = written(Image.effect_noise((300, 300), 90), kind)
    return data[: len(data) // 2]


ICO = written(Image.new("RGB", (16, 16)), "ICO")


@pytest.mark.corpus(2)
@pytest.mark.parametrize(
    ("data", "code"),
    [
        (damaged("PNG"), "I001"),
        (damaged("JPEG"), "I001"),
        (b"\x89PNG\r\n\x1a\n", "I002"),
        (b"this is no image", "I002"),
        (b"", "I002"),
        (ICO, "I002"),
        (b"%PDF-1.4", "I002"),
        (png(60_000, 60_000, 8, 0, b"")[:80], "I003"),
        (png(10_001, 10_000, 1, 0, b"\0" * 1251), "I003"),
    ],
    ids=lambda value: value if isinstance(value, str) else f"{len(value)}-{value[:4]!r}",
)
@pytest.mark.parametrize("command", ["deck", "check"])
def test_what_cannot_be_printed_is_reported(
    bench: Bench, command: str, data: bytes, code: str
) -> None:
    bench.write(data)
    always = '<face><image href="picture.png" width="40" height="40"/></face>'
    exit_code, said = bench.print(always)
    if command == "check":
        result = bench.run("check", "--game", str(bench.folder))
        exit_code, said = result.exit_code, result.stderr
    assert exit_code == 1
    assert codes(said) == [code]
    assert "img/picture.png" in said
    assert not bench.pdf.exists()


DEFAULT = face().replace(
    "</face>",
    '<rect when="not card.image" x="10" y="10" width="40" height="40" fill="blue"/></face>',
)


@pytest.mark.parametrize(
    ("data", "code"), [(damaged("PNG"), "I009"), (b"this is no image", "I009"), (None, "R005")]
)
def test_the_default_picture_takes_the_place_of_one_that_cannot_be_used(
    bench: Bench, data: bytes | None, code: str
) -> None:
    if data is not None:
        bench.write(data)
    exit_code, said = bench.print(DEFAULT)
    assert (exit_code, codes(said)) == (0, [code])
    assert f": warning {code}: card `A1` " in said
    assert near(bench.look(DEFAULT)(30, 30), BLUE)
    strict = bench.run("check", "--strict", "--game", str(bench.folder))
    assert (strict.exit_code, codes(strict.stderr)) == (1, [code])
    assert f": error {code}: card `A1` " in strict.stderr


def test_the_default_picture_takes_the_place_of_a_drawing_that_cannot_be_drawn(
    bench: Bench,
) -> None:
    bench.name = "picture.svg"
    bench.write(b"<svg xmlns='http://www.w3.org/2000/svg'><blink/></svg>", bench.name)
    exit_code, said = bench.print(DEFAULT)
    assert (exit_code, codes(said)) == (0, ["I009"])
    assert near(bench.look(DEFAULT)(30, 30), BLUE)


@pytest.mark.parametrize(
    ("data", "palette", "expected"),
    [
        (b"this is no image", "", (1, ["I010"])),
        (None, "", (0, ["R005"])),
        (None, 'palette="a: red"', (0, ["R005"])),
    ],
)
def test_a_template_without_a_default_picture_draws_none_that_is_not_there_and_refuses_others(
    bench: Bench, data: bytes | None, palette: str, expected: tuple[int, list[str]]
) -> None:
    image = f'<image href="{{{{ card.image }}}}" width="40" height="40" {palette}/>'
    if data is not None:
        bench.write(data)
    exit_code, said = bench.print(f"<face>{image}</face>")
    assert (exit_code, codes(said)) == expected


@pytest.mark.parametrize("name", ["a.png", "a.svg"])
def test_a_draft_of_a_card_without_its_picture_shows_the_rest_and_says_so(
    bench: Bench, name: str
) -> None:
    bench.name = name
    bench.write(b"<svg xmlns='http://www.w3.org/2000/svg'><blink/></svg>", name)
    bench.options = ["--draft"]
    ground = '<rect y="30" width="65" height="60" fill="#0000ff"/>'
    image = '<image when="card.image" href="{{ card.image }}" width="40" height="40"/>'
    exit_code, said = bench.print(f"<face>{ground}{image}</face>")
    assert (exit_code, codes(said)) == (1, ["I010"])
    with pypdfium2.PdfDocument(bench.folder / "out" / "deck_deck_draft.pdf") as document:
        assert (
            "I010: a card whose picture cannot be used"
            in document[0].get_textpage().get_text_bounded()
        )
        pixel = document[0].render().to_pil().convert("RGB").getpixel((200, 250))
    assert isinstance(pixel, tuple)
    assert near(pixel, BLUE)


@pytest.mark.parametrize("way", ["up", "absolute", "link", "folder link"])
def test_an_image_outside_of_the_folder_img_is_refused(bench: Bench, way: str) -> None:
    outside = bench.folder / "secret" / "a.png"
    outside.parent.mkdir()
    halves(RED, BLUE).save(outside)
    (bench.folder / "img" / "link.png").symlink_to(outside)
    (bench.folder / "img" / "sub").symlink_to(outside.parent)
    names = {
        "up": "../secret/a.png",
        "absolute": str(outside),
        "link": "link.png",
        "folder link": "sub/a.png",
    }
    bench.name = names[way]
    code, said = bench.print()
    assert code == 1
    assert codes(said) == ["R017"]


def test_an_image_in_a_folder_of_img_or_linked_to_inside_of_it_is_printed(bench: Bench) -> None:
    (bench.folder / "img" / "deep" / "er").mkdir(parents=True)
    bench.save(halves(RED, BLUE), "deep/er/a.png")
    (bench.folder / "img" / "link.png").symlink_to("deep/er/a.png")
    bench.name = "deep/../link.png"
    assert near(bench.look()(15, 30), RED)


def test_a_picture_that_is_kept_does_not_wait_for_the_disk(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[int] = []
    bench.save(halves(RED, BLUE))
    monkeypatch.setattr(os, "fsync", synced.append)
    assert bench.print()[0] == 0
    made = [path for path in (bench.folder / "out").iterdir() if path.is_file()]
    assert len(synced) == len(made) > 0


@pytest.mark.parametrize("name", ["nothing.png", "deep", "a\N{NO-BREAK SPACE}b.png", "x" * 300])
def test_an_image_that_is_not_there_is_reported(bench: Bench, name: str) -> None:
    (bench.folder / "img" / "deep").mkdir()
    bench.name = name
    code, said = bench.print()
    assert code == 0
    assert codes(said) == ["R005"]


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP", "GIF", "TIFF", "BMP"])
def test_every_usual_kind_of_image_is_printed(bench: Bench, kind: str) -> None:
    bench.write(written(Image.new("RGB", (600, 600), "#2060a0"), kind))
    color = bench.look()(25, 30)
    assert max(abs(a - b) for a, b in zip(color, (0x20, 0x60, 0xA0), strict=True)) < 12


def test_a_card_with_a_picture_is_drawn_once_and_a_known_picture_needs_no_thread(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench.save(halves(RED, BLUE))
    run, drawn = Template.records, []

    def counted(template: Template, context: Mapping[str, object]) -> tuple[Record, ...]:
        drawn.append(context)
        return run(template, context)

    def refused(_: Thread) -> None:
        pytest.fail("a thread was begun")

    monkeypatch.setattr(Template, "records", counted)
    monkeypatch.setattr(Thread, "start", refused)
    assert near(bench.look()(15, 30), RED)
    assert len(drawn) == 1
