"""Crops: which part of a picture is seen where it covers its box.

A picture that covers a box is cut off at two sides, usually evenly. A crop says which point of it
stays in the middle of the box, as far as the picture reaches, and how much larger than needed the
picture is shown.
"""

from __future__ import annotations

import re
from typing import NamedTuple

_SHARE = r"(?:0|1|0?\.[0-9]{1,6}|1\.0{1,6})"
FOCUS = rf"{_SHARE}[ \t]+{_SHARE}"
"""What a focus looks like: how far across and down, 0 to 1."""
ZOOM = r"[1-9][0-9]?(?:\.[0-9]{1,6})?"
"""What a zoom looks like: 1 to 99."""
_CROPPED = re.compile(r"(.*?)#(?:focus=([\d.]+),([\d.]+))?&?(?:zoom=([\d.]+))?", re.DOTALL)


class Crop(NamedTuple):
    """Which part of a picture is seen.

    Attributes:
        x, y: the point of the picture that comes nearest to the middle of the box, as shares of its
            width and height.
        zoom: how many times larger than needed the picture is, at least 1.
    """

    x: float = 0.5
    y: float = 0.5
    zoom: float = 1

    def window(
        self, picture: tuple[float, float], shape: tuple[float, float]
    ) -> tuple[float, float, float, float]:
        """Return the part of a picture that is seen: left, top, width and height.

        Args:
            picture: its size.
            shape: the size of the box that it covers, in any unit.
        """
        scale = min(picture[0] / shape[0], picture[1] / shape[1]) / self.zoom
        width, height = shape[0] * scale, shape[1] * scale
        left, top = self.x * picture[0] - width / 2, self.y * picture[1] - height / 2
        return (
            max(0.0, min(left, picture[0] - width)),
            max(0.0, min(top, picture[1] - height)),
            width,
            height,
        )


WHOLE = Crop()
"""A picture that is cut evenly."""


def read_focus(text: str) -> tuple[float, float]:
    """Return the focus that a text says.

    Raises:
        ValueError: if it says none.
    """
    if not re.fullmatch(FOCUS, text.strip()):
        raise ValueError(f"`{text}` is not two numbers from 0 to 1, such as `0.5 0.2`")
    across, down = map(float, text.split())
    return across, down


def read_zoom(text: str) -> float:
    """Return the zoom that a text says.

    Raises:
        ValueError: if it says none.
    """
    if not re.fullmatch(ZOOM, text.strip()):
        raise ValueError(f"`{text}` is not a number from 1 to 99, such as `1.3`")
    return float(text)


def cropped(name: str, focus: str | None, zoom: str | None) -> str:
    """Return the name of a picture with its crop, `ogre.jpg#focus=0.5,0.2&zoom=1.3`.

    Templates pass it on as they pass on the name alone.
    """
    says = [f"focus={','.join(focus.split())}"] if focus else []
    says += [f"zoom={zoom.strip()}"] if zoom else []
    return f"{name}#{'&'.join(says)}" if says else name


def uncropped(href: str, usual: Crop = WHOLE) -> tuple[str, Crop]:
    """Return the name of a picture and its crop; `usual` is what the name does not say."""
    found = _CROPPED.fullmatch(href)
    if found is None or not any(found.groups()[1:]):
        return href, usual
    name, x, y, zoom = found.groups()
    where = (float(x), float(y)) if x else usual[:2]
    return name, Crop(*where, float(zoom) if zoom else usual.zoom)
