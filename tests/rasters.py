"""Comparison of pictures of faces."""

from __future__ import annotations

from functools import cache

from PIL import Image, ImageChops, ImageStat

from conftest import ROOT
from deckwright.faces.factory import FaceFactory
from deckwright.game.folder import GameFolder
from deckwright.text.fonts import Font
from support import load_all


@cache
def fonts() -> dict[str, Font]:
    """Return the fonts of the shipped game."""
    return FaceFactory(load_all(ROOT), GameFolder(ROOT), []).fonts


def different_share(one: Image.Image, other: Image.Image, off_by: int) -> float:
    """Return the share of pixels that are off by more than `off_by` of 255; 1 for other sizes."""
    if one.size != other.size:
        return 1.0
    difference = ImageChops.difference(one.convert("RGB"), other.convert("RGB"))
    red, green, blue = difference.split()
    most = ImageChops.lighter(ImageChops.lighter(red, green), blue)
    off = most.point(lambda value: 255 if value > off_by else 0)
    return ImageStat.Stat(off).mean[0] / 255
