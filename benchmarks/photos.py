"""Make JPEGs that weigh what photos weigh, and shrink them as a careful user would.

The pictures are random but the same in every run: clouds with detail on every scale, as natural
images have, sharp in some places and out of focus in others; shapes for the edges that photos
have; and a little grain, which a camera adds and shrinking takes away.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

from PIL import Image, ImageDraw, ImageFilter, ImageOps

SIZE_PX = (2000, 1500)
SHRUNK_PX = (437, 390)
"""37 x 33 mm, the picture's box on the face, at 300 dpi."""

_QUALITY = 90
_SHRUNK_QUALITY = 85
_TEXTURES = 5
_OCTAVES = 8
_BLURRED_OCTAVES = 4
_PERSISTENCE = 0.82
"""Contrast of an octave as a share of the coarser one's."""
_GRAIN = 0.1
_SHAPES = 14


def make_photos(folder: Path, number: int) -> list[Path]:
    """Write `number` JPEGs to `folder` and return them; if all are there, they are kept."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / f"photo{index:03d}.jpg" for index in range(number)]
    if all(path.exists() for path in paths):
        return paths
    chance = random.Random(75)
    textures = [_texture(chance) for _ in range(_TEXTURES)]
    for path, image in zip(paths, _photos(textures, chance), strict=False):
        image.save(path, "JPEG", quality=_QUALITY)
    return paths


def shrink(paths: list[Path], folder: Path) -> None:
    """Write each JPEG to `folder`, cut to the shape of its box and shrunk to 300 dpi."""
    folder.mkdir(parents=True, exist_ok=True)
    for path in paths:
        with Image.open(path) as image:
            fitted = ImageOps.fit(image, SHRUNK_PX, Image.Resampling.LANCZOS)
            fitted.save(folder / path.name, "JPEG", quality=_SHRUNK_QUALITY)


def _photos(textures: list[Image.Image], chance: random.Random) -> Iterator[Image.Image]:
    """Yield photos without end: a texture turned and tinted, with shapes of its own."""
    turns = (
        Image.Transpose.FLIP_LEFT_RIGHT,
        Image.Transpose.FLIP_TOP_BOTTOM,
        Image.Transpose.ROTATE_180,
    )
    while True:
        texture = chance.choice(textures).transpose(chance.choice(turns))
        light = Image.blend(texture, _shapes(chance), 0.35)
        dark, middle, bright = (_tint(chance, *span) for span in ((0, 60), (60, 190), (190, 255)))
        image = ImageOps.colorize(light, dark, bright, middle)
        yield Image.blend(image, _noise(chance, (6, 4), "RGB"), 0.15)


def _texture(chance: random.Random) -> Image.Image:
    """Return gray clouds, in part out of focus, with grain."""
    sharp = blurred = _noise(chance, (4, 3))
    weight = total = 1.0
    for octave in range(1, _OCTAVES + 1):
        weight *= _PERSISTENCE
        total += weight
        layer = _noise(chance, (4 << octave, 3 << octave))
        sharp = Image.blend(sharp, layer, weight / total)
        if octave <= _BLURRED_OCTAVES:
            blurred = sharp
    focus = _noise(chance, (5, 4)).point(lambda value: min(255, max(0, value * 3 - 256)))
    mixed = Image.composite(sharp, blurred, focus)
    return Image.blend(ImageOps.autocontrast(mixed, 0.5), _noise(chance, SIZE_PX), _GRAIN)


def _noise(chance: random.Random, size: tuple[int, int], mode: str = "L") -> Image.Image:
    """Return random pixels, `size` of them, spread over a whole picture."""
    data = chance.randbytes(size[0] * size[1] * len(mode))
    return Image.frombytes(mode, size, data).resize(SIZE_PX, Image.Resampling.BICUBIC)


def _shapes(chance: random.Random) -> Image.Image:
    """Return shapes on a gradient, in gray, their edges as soft as a lens draws them."""
    image = Image.linear_gradient("L").resize(SIZE_PX)
    pen = ImageDraw.Draw(image)
    for _ in range(_SHAPES):
        x, y = chance.randrange(SIZE_PX[0]), chance.randrange(SIZE_PX[1])
        box = (x, y, x + chance.randrange(60, 600), y + chance.randrange(60, 600))
        draw = chance.choice((pen.ellipse, pen.rectangle))
        draw(box, fill=chance.randrange(256))
    return image.filter(ImageFilter.BoxBlur(2))


def _tint(chance: random.Random, low: int, high: int) -> tuple[int, int, int]:
    return chance.randint(low, high), chance.randint(low, high), chance.randint(low, high)
