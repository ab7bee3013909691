"""`image`: a picture from the game's `img` folder."""

from __future__ import annotations

from collections.abc import Iterator

from deckwright.face import outlines
from deckwright.face.attributes import Values, choice, length, string
from deckwright.face.elements import ElementError, Studio, element
from deckwright.face.ops import DrawImage, Group, Op
from deckwright.files import inside
from deckwright.geometry import Box


@element(
    "image",
    href=string(),
    x=length("0"),
    y=length("0"),
    width=length(),
    height=length(),
    rx=length("0"),
    fit=choice("cover", "contain"),
)
def image(values: Values, studio: Studio) -> Iterator[Op]:
    """A picture that covers its box, or is contained in it; `rx` rounds the box's corners."""
    href, folder = values["href"], studio.images
    path = folder / href
    if not inside(path, folder):
        message = f"the image `{href}` is not in the folder `img`"
        raise ElementError("path", message, "copy it there", "href")
    box = Box(values["x"], values["y"], values["width"], values["height"])
    drawing = DrawImage(path, box, values["fit"] == "cover")
    if values["rx"] > 0:
        clip = outlines.rectangle(box.x, box.y, box.width, box.height, values["rx"])
        yield Group((drawing,), clip=clip)
    else:
        yield drawing
