"""Colors that a press cannot print: what a screen shows and no mix of its inks does."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from PIL import Image

from deckwright.base.colors import rgb
from deckwright.base.findings import Code, Diagnostic, Severity
from deckwright.faces.copies import Side
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


class _Lost(NamedTuple):
    """A color that looks duller in print."""

    loss: float
    color: str
    side: Side


def check_gamut(
    sides: Sequence[Side], images: ImageStore, inks: Inks, press: str
) -> Iterator[Diagnostic]:
    """Yield the colors and images that look duller in print, those of each side at once.

    Args:
        press: the name of the printing condition.
    """
    known = set[object]()
    for side in sides:
        yield from _images(side, known, images, inks, press)
        if lost := _colors(side, known, inks):
            yield _finding(lost, inks, f"{side.subject}: {press}")


def check_gamut_at_once(
    sides: Sequence[Side], images: ImageStore, inks: Inks, press: str
) -> Iterator[Diagnostic]:
    """Yield the images that look duller in print, and one finding of all colors that do.

    Args:
        press: the name of the printing condition.
    """
    known, lost = set[object](), list[_Lost]()
    for side in sides:
        yield from _images(side, known, images, inks, press)
        lost += _colors(side, known, inks)
    if lost:
        lost.sort(key=lambda one: -one.loss)
        others = len({one.side.subject for one in lost}) - 1
        more = f" and {others} more" if others else ""
        yield _finding(lost, inks, f"{lost[0].side.subject}{more}: {press}")


def _images(
    side: Side, known: set[object], images: ImageStore, inks: Inks, press: str
) -> Iterator[Diagnostic]:
    """Yield the images of a side that look duller, but for those that are known by now."""
    for op in walk(side.face.ops):
        if isinstance(op, DrawImage) and not op.ink:
            path = images.of(op).path
            if path not in known:
                known.add(path)
                yield from _of_image(side, op, path, inks, press)


def _colors(side: Side, known: set[object], inks: Inks) -> list[_Lost]:
    """Return the colors of a side that lose too much, the worst first, but for known ones."""
    colors = dict[str, None]()
    for op in walk(side.face.ops):
        if isinstance(op, FillPath) and not ink_of(op):
            colors |= dict.fromkeys(op.colors)
        elif isinstance(op, StrokePath) and not ink_of(op):
            colors[op.color] = None
    new = [color for color in colors if color not in known]
    known.update(new)
    if not new:
        return []
    dots = Image.new("RGB", (len(new), 1))
    dots.putdata([rgb(color) for color in new])
    losses = sorted(zip(inks.lost(dots), new, strict=True), reverse=True)
    return [_Lost(loss, color, side) for loss, color in losses if loss > _SEEN]


def _finding(lost: Sequence[_Lost], inks: Inks, who: str) -> Diagnostic:
    """Return that colors are lost, where the first of them is."""
    named = ", ".join(f"{one.color} as {_printed(one.color, inks)}" for one in lost[:_SHOWN])
    more = f" and {len(lost) - _SHOWN} more" if len(lost) > _SHOWN else ""
    return E081.at(
        lost[0].side.place,
        f"{who} prints {named}{more}",
        "use colors that are less bright, or look at them with `proof --icc`",
    )


def _of_image(
    side: Side, op: DrawImage, path: object, inks: Inks, press: str
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
