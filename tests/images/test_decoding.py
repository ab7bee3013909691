"""Images of all sizes are opened with bounded memory, and look the same as with any."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from random import Random

import pytest
from PIL import Image, ImageOps

from deckwright.base.findings import Diagnostic
from deckwright.base.geometry import CENTER_CROP
from deckwright.images.store import decode

BOX = (300, 300)


def save(folder: Path, image: Image.Image, name: str = "a.png", **options: object) -> Path:
    path = folder / name
    image.save(path, **options)  # type: ignore[arg-type]
    return path


def opened(
    path: Path, box: tuple[int, int] = BOX, *, cover: bool = True
) -> tuple[Image.Image | None, list[Diagnostic]]:
    findings: list[Diagnostic] = []
    decoded = decode(path, box, CENTER_CROP if cover else None, findings=findings)
    return (None if decoded is None else decoded[0]), findings


def codes(findings: list[Diagnostic]) -> list[str]:
    return [finding.code.id for finding in findings]


def test_a_file_that_is_large_itself_may_have_more_pixels(tmp_path: Path) -> None:
    size = (6000, 5000)
    noise = Image.frombytes("1", size, Random(1).randbytes(6000 * 5000 // 8))
    image, findings = opened(save(tmp_path, noise))
    assert image is not None
    assert findings == []
    image, findings = opened(save(tmp_path, Image.new("1", size)))
    assert image is None
    assert codes(findings) == ["I003"]
    assert findings[0].hint is not None
    assert "20 million pixels" in findings[0].hint


@pytest.mark.parametrize("box", [BOX, (4000, 4000)])
def test_a_jpeg_is_decoded_as_small_as_it_must_be(tmp_path: Path, box: tuple[int, int]) -> None:
    path = save(tmp_path, Image.new("RGB", (8000, 6000), "#336699"), "a.jpg")
    image, findings = opened(path, box)
    assert image is not None
    assert findings == []
    assert image.size == (BOX if box == BOX else (3000, 3000))


def test_a_progressive_jpeg_is_held_whole(tmp_path: Path) -> None:
    large = Image.new("L", (6000, 5000))
    image, findings = opened(save(tmp_path, large, "a.jpg", progressive=True))
    assert (image, codes(findings)) == (None, ["I003"])
    small = Image.new("L", (600, 500))
    assert opened(save(tmp_path, small, "b.jpg", progressive=True))[0] is not None


def test_sixteen_bits_are_converted_strip_by_strip_without_a_seam(tmp_path: Path) -> None:
    width, height = 2500, 2000
    rows = b"".join(int(y * 65_535 / height).to_bytes(2, "little") * width for y in range(height))
    image, _ = opened(save(tmp_path, Image.frombytes("I;16", (width, height), rows)), (1250, 1000))
    assert image is not None
    column = list(image.crop((625, 0, 626, 1000)).tobytes())
    assert column[0] == 0
    assert column[-1] == 255
    assert all(0 <= below - above <= 1 for above, below in pairwise(column))


@pytest.mark.parametrize("way", range(1, 9))
@pytest.mark.parametrize("cover", [True, False])
def test_an_image_is_turned_after_it_is_shrunk_as_if_before(
    tmp_path: Path, way: int, *, cover: bool
) -> None:
    rng = Random(2)
    image = Image.new("RGB", (800, 500))
    for x in range(0, 800, 100):
        for y in range(0, 500, 100):
            image.paste(f"#{rng.randrange(1 << 24):06x}", (x, y, x + 100, y + 100))
    exif = Image.Exif()
    exif[0x0112] = way
    path = save(tmp_path, image, exif=exif)
    turned, _ = opened(path, (120, 200), cover=cover)
    upright = ImageOps.exif_transpose(Image.open(path))
    expected, _ = opened(save(tmp_path, upright, "b.png"), (120, 200), cover=cover)
    assert turned is not None
    assert expected is not None
    assert turned.size == expected.size
    both = zip(turned.tobytes(), expected.tobytes(), strict=True)
    # Rows and columns are shrunk one after the other, and rounded in between.
    assert max(abs(one - other) for one, other in both) <= 16
