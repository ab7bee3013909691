"""Pages as plain data: sizes, slots, pictures, and which is the other side of which."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple, TypedDict

from deckwright import __version__
from deckwright.api import FaceName
from deckwright.base.units import Mm
from deckwright.diff.manifests.digest import Digests
from deckwright.faces.factory import FaceFactory
from deckwright.game.model import CardKey
from deckwright.ops.model import Face
from deckwright.outputs.pages import Document
from deckwright.paint.raster import bound
from deckwright.paint.svg.glyphs import Glyphs
from deckwright.paint.svg.painter import Look, page_svg
from deckwright.sheet.pages import Page, Placed
from deckwright.studio.wall import key_of

_DPI = 120
"""How fine pages of books are drawn."""


class Slot(TypedDict):
    """A face on a page.

    Attributes:
        key: as the wall has it; None if it is no card's.
        x, y, width, height: its trim box on the page.
        turn: by how many quarters it is turned to the right.
        copy: how many of its like are on the document's pages up to it.
        state: "new" or "changed" against the last print.
    """

    key: str | None
    name: str
    x: Mm
    y: Mm
    width: Mm
    height: Mm
    turn: int
    copy: int
    state: str | None


class Sheet(TypedDict):
    """A page.

    Attributes:
        behind: the numbers of document and page, from 0, of the page that it is the other side of.
        picture: where its picture is asked for.
    """

    number: int
    width: Mm
    height: Mm
    title: str | None
    behind: tuple[int, int] | None
    picture: str
    slots: list[Slot]


class Told(TypedDict):
    """A document."""

    file: str
    pages: list[Sheet]


class Picture(NamedTuple):
    """The picture of a page, drawn when it is asked for; the name of its file is its hash."""

    name: str
    draw: Callable[[], str | bytes]


class Tools(NamedTuple):
    """What draws the pages of a factory's faces, and tells them from others."""

    factory: FaceFactory
    digests: Digests
    glyphs: Glyphs


def tools_of(factory: FaceFactory) -> Tools:
    """Return what draws the pages of a factory's faces."""
    digests = Digests(factory.fonts, factory.pictures.store)
    return Tools(factory, digests, Glyphs(factory.fonts))


class Binder:
    """Makes plain data of documents, and has the pictures of their pages.

    Attributes:
        pictures: by their names.
    """

    def __init__(self, names: Mapping[CardKey, str], looks: Mapping[CardKey, str]) -> None:
        """Take what cards are called, and which are new or look different."""
        self._names, self._looks = names, looks
        self.pictures: dict[str, Picture] = {}

    def vectors(self, document: Document, tools: Tools) -> Told:
        """Return a document whose pages are drawn as vectors."""
        copies: Counter[object] = Counter()
        pages = []
        for number, page in enumerate(document.pages):
            name = f"{_hash_of(page, tools.digests)}.svg"
            self.pictures[name] = Picture(name, partial(_svg, page, tools))
            told = _sheet(number, page.width, page.height, page.bookmark, name)
            told["slots"] = [self._slot(placed, copies) for placed in page.faces]
            pages.append(told)
        return {"file": document.target.name, "pages": pages}

    def pixels(self, path: Path) -> Told:
        """Return a PDF file whose pages are drawn as pixels."""
        data = path.read_bytes()
        book, digest = bound(data), blake2b(data, digest_size=16)
        pages = []
        for number, (width, height) in enumerate(book.sizes):
            one = digest.copy()
            one.update(f"{number} {__version__}".encode())
            name = f"{one.hexdigest()}.png"
            self.pictures[name] = Picture(name, partial(book.png, number, _DPI))
            pages.append(_sheet(number, width, height, None, name))
        return {"file": path.name, "pages": pages}

    def _slot(self, placed: Placed, copies: Counter[object]) -> Slot:
        of = placed.of
        same = (of, placed.back) if of else (placed.face.subject, id(placed.face))
        copies[same] += 1
        box = (round(value, 4) for value in placed.box)
        x, y, width, height = box
        key = None
        if of is not None:
            key = key_of(FaceName(of[0], of[1], back=placed.back, part=of[2]))
        return {
            "key": key,
            "name": self._names.get(of[:2], of[1]) if of else placed.face.subject,
            "x": x,
            "y": y,
            "width": width,
            "height": height,
            "turn": placed.turn,
            "copy": copies[same],
            "state": self._looks.get(of[:2]) if of else None,
        }


def pair(told: list[Told], documents: Iterable[Document]) -> None:
    """Say which pages are the other sides of which.

    A back follows its face, or stands in a document of backs alone behind that of the faces.
    """
    faces: list[tuple[int, int]] = []
    for number, document in enumerate(documents):
        pages = document.pages
        apart = bool(pages) and all(page.behind for page in pages) and len(pages) == len(faces)
        for at, page in enumerate(pages):
            if page.behind:
                told[number]["pages"][at]["behind"] = faces[at] if apart else (number, at - 1)
        faces = [(number, at) for at, page in enumerate(pages) if page.faces and not page.behind]


def _sheet(number: int, width: Mm, height: Mm, title: str | None, picture: str) -> Sheet:
    return {
        "number": number + 1,
        "width": round(width, 4),
        "height": round(height, 4),
        "title": title,
        "behind": None,
        "picture": f"/sheets/{picture}",
        "slots": [],
    }


def _svg(page: Page, tools: Tools) -> str:
    look = Look(page.bookmark or "", ground=None)
    return page_svg(page, tools.glyphs, tools.factory.pictures.store, look)


def _hash_of(page: Page, digests: Digests) -> str:
    """Return the hash of a page: equal where two pages look the same."""
    whole = [__version__, page.bookmark, digests.of(Face(page.width, page.height, page.ops))]
    faces = [
        [digests.of(p.face), p.turn, *(f"{n:.4f}" for n in (*p.box, *p.reach))] for p in page.faces
    ]
    return blake2b(json.dumps([whole, faces]).encode(), digest_size=16).hexdigest()
