"""Profiles of print services: XML files that say what files a service wants.

Deckwright brings some; a game's own are in `xml/services`, and come first.
"""

from __future__ import annotations

from enum import Enum
from pathlib import Path
from typing import NamedTuple

from deckwright.base.files import is_file
from deckwright.base.findings import Report
from deckwright.base.units import Mm
from deckwright.game.load import load_valid
from deckwright.xmlio.node import Node
from deckwright.xmlio.shape import NAME, TEXT, Attribute, Occurs, Shape, Value

_BUNDLED = Path(__file__).parent / "profiles"
_LENGTH = Value(pattern=r"[0-9]{1,4}(?:\.[0-9]{1,6})?", words="a length in mm, such as 63.5")
_SIDE = Value(
    pattern=r"0*[1-9][0-9]{0,3}(?:\.[0-9]{1,6})?", words="a length in mm, more than 0, such as 63.5"
)
_COUNT = Value(kind="integer", minimum=1, maximum=9999)
_STEPS = Value(
    pattern=r"[1-9][0-9]{0,3}(?: [1-9][0-9]{0,3}){0,99}", words="numbers with spaces between them"
)
_ID = Value(pattern=r"[A-Za-z0-9_-]{1,40}", words="an id of letters, digits, - and _")


class Files(Enum):
    """What a service wants."""

    PICTURES = "pictures"
    """A PNG picture of each face."""
    PDF = "pdf"
    """A PDF with a face on each page."""


class Color(Enum):
    """The colors that a service takes."""

    RGB = "rgb"
    CMYK = "cmyk"
    ANY = "any"
    """CMYK rather than RGB."""


class Order(Enum):
    """The file that says how many of which card are ordered."""

    NONE = "none"
    AUTOFILL = "autofill"
    """cards.xml, as the program MPC Autofill reads it."""
    TABLE = "table"
    """cards.csv, a table for people."""


class Size(NamedTuple):
    """A card that a service makes. Width and height are those of the trim box."""

    id: str
    name: str
    width: Mm
    height: Mm


class Service(NamedTuple):
    """A print service.

    Attributes:
        id: what the command line calls it.
        sizes: the cards that it makes; those of any size, if there are none.
        bleed: how far beyond the trim box it wants cards printed.
        safe: how far from the trim box everything that matters must stay.
        dpi: of pictures, and the least of images on the pages of a PDF.
        ink: the most ink in one place, in percent of one color in full.
        back_first: whether a card's back is the page before its face, not the one behind it.
        backs: whether cards are printed on both sides.
        outlines: whether letters are drawn as outlines, so that no font is in the file.
        pdfx: the part of PDF/X that it asks for, such as "PDF/X-1a:2003".
        icc: words in the names of the ICC profiles that suit it, the best first.
        most: the most cards of an order.
        steps: how many cards orders are priced for.
        stock: the card stock that an order names.
    """

    id: str
    name: str
    files: Files
    sizes: tuple[Size, ...] = ()
    bleed: Mm = 0
    safe: Mm = 0
    dpi: int = 300
    color: Color = Color.RGB
    ink: int = 400
    back_first: bool = False
    backs: bool = True
    outlines: bool = False
    pdfx: str | None = None
    icc: tuple[str, ...] = ()
    order: Order = Order.NONE
    most: int | None = None
    steps: tuple[int, ...] = ()
    stock: str = ""


SHAPE = Shape(
    "service",
    (
        Attribute("name", NAME, required=True, meaning="what the service is called"),
        Attribute(
            "files",
            Value(
                "term",
                terms=(("pictures", "a PNG for each face"), ("pdf", "a PDF, a face on each page")),
            ),
            required=True,
            meaning="the files that it takes",
        ),
        Attribute("bleed", _LENGTH, meaning="how far print goes beyond the cut (default: 0 mm)"),
        Attribute("safe", _LENGTH, meaning="the safe zone: distance from the cut (default: 0 mm)"),
        Attribute(
            "dpi",
            Value("integer", minimum=72, maximum=1200),
            meaning="resolution of pictures, and the lowest for images (default: 300)",
        ),
        Attribute(
            "color",
            Value(
                "term",
                terms=(
                    ("rgb", "RGB alone"),
                    ("cmyk", "CMYK alone"),
                    ("any", "CMYK rather than RGB"),
                ),
            ),
            meaning="the colors that it takes (default: `rgb`)",
        ),
        Attribute(
            "ink",
            Value("integer", minimum=100, maximum=400),
            meaning="the most ink in one place, in percent (default: 400)",
        ),
        Attribute(
            "pages",
            Value(
                "term",
                terms=(
                    ("front-back", "face and back by turns"),
                    ("back-front", "back and face by turns"),
                    ("front", "no backs"),
                ),
            ),
            meaning="the order of pages (default: `front-back`)",
        ),
        Attribute(
            "text",
            Value(
                "term",
                terms=(("fonts", "in fonts, embedded"), ("outlines", "as outlines, without fonts")),
            ),
            meaning="how letters are stored in a PDF (default: `fonts`)",
        ),
        Attribute(
            "pdfx",
            Value("term", terms=(("PDF/X-1a:2003", "ISO 15930-4"),)),
            meaning="the kind of PDF/X that it asks for",
        ),
        Attribute("icc", TEXT, meaning="words in names of suitable ICC profiles, best first"),
        Attribute(
            "order",
            Value(
                "term",
                terms=(
                    ("none", "none"),
                    ("autofill", "cards.xml for MPC Autofill"),
                    ("table", "cards.csv"),
                ),
            ),
            meaning="the file that says how many copies of each card to print (default: `none`)",
        ),
        Attribute("most", _COUNT, meaning="the most cards in an order"),
        Attribute("steps", _STEPS, meaning="the numbers of cards that orders are priced by"),
        Attribute("stock", TEXT, meaning="the card stock named in an order"),
        Attribute("makes", TEXT, meaning="what a deck becomes, for help on the command line"),
        Attribute("about", TEXT, meaning="more of that help, in sentences"),
        Attribute("examples", TEXT, meaning="options to show in that help, with `|` between"),
    ),
    (
        Occurs(
            Shape(
                "size",
                (
                    Attribute("id", _ID, required=True, meaning="what `--size` calls it"),
                    Attribute("name", NAME, required=True, meaning="what the service calls it"),
                    Attribute("width", _SIDE, required=True, meaning="width after the cut in mm"),
                    Attribute("height", _SIDE, required=True, meaning="height after the cut in mm"),
                ),
                meaning="a size of card that the service makes; if none is given, it makes any",
            ),
            maximum=200,
        ),
    ),
    unique=(("size", "id"),),
    meaning="what a print service wants",
)


def service_names(xml_folder: Path) -> list[str]:
    """Return the ids of all services: the bundled ones, and a game's own in `xml/services`."""
    folders = (xml_folder / "services", _BUNDLED)
    return sorted({file.stem for folder in folders for file in folder.glob("*.xml")})


def load_service(service_id: str, xml_folder: Path, report: Report) -> Service | None:
    """Return a service that `service_names` knows, None after reporting what is wrong with it."""
    path = xml_folder / "services" / f"{service_id}.xml"
    if not is_file(path):
        path = _BUNDLED / f"{service_id}.xml"
    root = load_valid(path, SHAPE, report)
    return None if root is None else _read(service_id, root)


def _read(service_id: str, node: Node) -> Service:
    given = node.attributes
    pages = given.get("pages", "front-back")
    sizes = (child.attributes for child in node.children)
    return Service(
        service_id,
        given["name"],
        Files(given["files"]),
        tuple(Size(s["id"], s["name"], float(s["width"]), float(s["height"])) for s in sizes),
        float(given.get("bleed", "0")),
        float(given.get("safe", "0")),
        int(given.get("dpi", "300")),
        Color(given.get("color", "rgb")),
        int(given.get("ink", "400")),
        back_first=pages == "back-front",
        backs=pages != "front",
        outlines=given.get("text") == "outlines",
        pdfx=given.get("pdfx"),
        icc=tuple(given.get("icc", "").split()),
        order=Order(given.get("order", "none")),
        most=int(given["most"]) if "most" in given else None,
        steps=tuple(map(int, given.get("steps", "").split())),
        stock=given.get("stock", ""),
    )
