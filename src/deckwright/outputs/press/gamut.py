"""Colors that a press cannot print: what a screen shows and no mix of its inks does."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from PIL import Image

from deckwright.base.colors import rgb
from deckwright.base.findings import Code, Diagnostic, Severity
from deckwright.faces.copies import NamedFace
from deckwright.images.store import ImageStore
from deckwright.ops.model import DrawImage, FillPath, StrokePath, walk
from deckwright.ops.spots import ink_of
from deckwright.outputs.press.inks import Inks

E081 = Code("E081", Severity.WARNING, "colors that a press cannot print")

_SEEN = 12.0
"""How much of a color must be lost to be missed, as a distance in a*b*."""
_SHARE = 0.1
"""The share of an image's pixels that must lose it."""
_THUMBNAIL = 96
_SHOWN = 3
"""How many colors a finding names."""


def check_gamut(
    sides: Sequence[NamedFace], images: ImageStore, inks: Inks, press: str
) -> Iterator[Diagnostic]:
    """Yield the colors and images that look duller in print, those of each side at once.

    Args:
        press: the name of the printing condition.
    """
    known = set[object]()
    for side in sides:
        colors = dict[str, None]()
        for op in walk(side.face.ops):
            if ink_of(op):
                continue
            if isinstance(op, DrawImage):
                path = images.of(op).path
                if path not in known:
                    known.add(path)
                    yield from _of_image(side, op, path, inks, press)
            elif isinstance(op, FillPath):
                colors |= dict.fromkeys(op.colors)
            elif isinstance(op, StrokePath):
                colors[op.color] = None
        new = [color for color in colors if color not in known]
        known.update(new)
        yield from _of_colors(side, new, inks, press)


def _of_colors(
    side: NamedFace, colors: Sequence[str], inks: Inks, press: str
) -> Iterator[Diagnostic]:
    """Yield the finding of colors, if any of them loses too much."""
    if not colors:
        return
    dots = Image.new("RGB", (len(colors), 1))
    dots.putdata([rgb(color) for color in colors])
    lost = sorted(zip(inks.lost(dots), colors, strict=True), reverse=True)
    dull = [color for loss, color in lost if loss > _SEEN]
    if dull:
        named = ", ".join(f"{color} as {_printed(color, inks)}" for color in dull[:_SHOWN])
        more = f" and {len(dull) - _SHOWN} more" if len(dull) > _SHOWN else ""
        yield E081.at(
            side.place,
            f"{side.subject}: {press} prints {named}{more}",
            "use colors that are less bright, or look at them with `proof --icc`",
        )


def _of_image(
    side: NamedFace, op: DrawImage, path: object, inks: Inks, press: str
) -> Iterator[Diagnostic]:
    with Image.open(str(path)) as opened:
        small = opened.convert("RGB")
    small.thumbnail((_THUMBNAIL, _THUMBNAIL))
    lost = inks.lost(small)
    share = sum(loss > _SEEN for loss in lost) / len(lost)
    if share > _SHARE:
        yield E081.at(
            side.place,
            f"{side.subject}: {press} prints {share:.0%} of the image `{op.path.name}` duller",
            "look at it with `proof --icc`",
        )


def _printed(color: str, inks: Inks) -> str:
    """Return how a color looks in print."""
    dot = inks.on_screen(inks.image(Image.new("RGB", (1, 1), rgb(color))))
    return "#" + dot.tobytes().hex()
