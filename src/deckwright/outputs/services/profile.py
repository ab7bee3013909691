"""Profiles of print services: XML files with the requirements of a service.

Deckwright bundles some; those of a game are in `xml/services` and take precedence.
"""

from __future__ import annotations

from enum import Enum
from pathlib import Path
from typing import NamedTuple

from deckwright.base.files import BundledFiles
from deckwright.base.findings import Report
from deckwright.base.units import Mm
from deckwright.game.read import load_valid
from deckwright.xmlio.node import Node
from deckwright.xmlio.shape import (
    LENGTH,
    NAME,
    POSITIVE_LENGTH,
    TEXT,
    YES_NO,
    Occurs,
    Value,
    element,
    key,
    one_of,
    optional,
    required,
)

_FILES = BundledFiles(Path(__file__).parent / "profiles", "services")
_COUNT = Value(kind="integer", minimum=1, maximum=9999)
_STEPS = Value(
    pattern=r"[1-9][0-9]{0,3}(?: [1-9][0-9]{0,3}){0,99}", words="numbers with spaces between them"
)
_SHARES = Value(
    pattern=r"(?:[0-9]|[1-9][0-9]|100)(?: (?:[0-9]|[1-9][0-9]|100)){3}",
    words="four numbers from 0 to 100, of cyan, magenta, yellow and black",
)
_POINTS = POSITIVE_LENGTH._replace(words="a number above 0, such as 6 or 0.5")
_ID = Value(pattern=r"[A-Za-z0-9_-]{1,40}", words="an id of letters, digits, - and _")


class FileKind(Enum):
    """The kind of files that a service takes."""

    PICTURES = "pictures"
    """A PNG picture of each face."""
    PDF = "pdf"
    """A PDF with a face on each page."""


class ColorMode(Enum):
    """The color mode that a service takes."""

    RGB = "rgb"
    CMYK = "cmyk"
    ANY = "any"
    """Preferably CMYK, else RGB."""


class SpotHandling(Enum):
    """How spot inks such as foil are handed over."""

    NONE = "none"
    """The service has none."""
    SEPARATIONS = "separations"
    """As named separations of the PDF."""
    PAGES = "pages"
    """As separate masks, black where the ink is."""


class OrderList(Enum):
    """The file with the quantities of cards."""

    NONE = "none"
    AUTOFILL = "autofill"
    """cards.xml for the program MPC Autofill."""
    TABLE = "table"
    """cards.csv, a table for people."""


class CardSize(NamedTuple):
    """A card size of a service; width and height are those of the trim box.

    Attributes:
        shape: "round" for an ellipse that fills the trim box, "hex" for a hexagon with corners at
            the ends of the longer axis, "" for the whole box.
    """

    id: str
    name: str
    width: Mm
    height: Mm
    shape: str = ""


class CardStock(NamedTuple):
    """A card stock for orders.

    Attributes:
        id: its name for `--stock`.
        foil: whether it is available with full foil.
    """

    id: str
    name: str
    foil: bool


class PageOrder(Enum):
    """The order of faces and backs in PDFs."""

    FRONT_BACK = "front-back"
    BACK_FRONT = "back-front"
    SEPARATE = "separate"
    """Faces in one file, and as many backs in another."""
    BACK_LAST = "back-last"
    """A common back after the faces; `SEPARATE` if cards have different ones."""
    FRONT = "front"
    """No backs."""


class Service(NamedTuple):
    """A print service.

    Attributes:
        id: its name on the command line.
        sizes: its card sizes; any size if empty.
        bleed: the required bleed.
        safe: the distance of important content from the trim box.
        dpi: the resolution of pictures, and the minimum of images in PDFs.
        max_ink: the total ink limit in percent, 100 per full ink.
        black: the inks of black areas in percent; None to use the profile.
        radius: the corner radius of cards.
        outlines: whether texts become outlines, without embedded fonts.
        pdfx: the required part of PDF/X: "PDF/X-1a:2003" or "PDF/X-4".
        spots: how it takes spot inks such as foil.
        icc: words in the names of suitable ICC profiles, best first.
        condition: the printing condition of profiles that do not name one, such as "FOGRA39".
        max_cards: the maximum number of cards in an order.
        steps: the numbers of cards at which prices change.
        stock: the card stock of an order.
        foil: whether an order is for cards with full foil.
        stocks: the available card stocks.
        plain_boxes: whether the pages of tuck boxes have no bleed.
        min_text, min_light_text, min_line: the minimum size of text and of light text on dark, and
            the minimum line width, in points; 0 for none.
    """

    id: str
    name: str
    files: FileKind
    sizes: tuple[CardSize, ...] = ()
    bleed: Mm = 0
    safe: Mm = 0
    dpi: int = 300
    color: ColorMode = ColorMode.RGB
    max_ink: int = 400
    black: tuple[int, ...] | None = None
    radius: Mm = 0
    pages: PageOrder = PageOrder.FRONT_BACK
    outlines: bool = False
    pdfx: str | None = None
    spots: SpotHandling = SpotHandling.NONE
    icc: tuple[str, ...] = ()
    condition: str | None = None
    order: OrderList = OrderList.NONE
    max_cards: int | None = None
    steps: tuple[int, ...] = ()
    stock: str = ""
    foil: bool = False
    stocks: tuple[CardStock, ...] = ()
    plain_boxes: bool = False
    min_text: float = 0
    min_light_text: float = 0
    min_line: float = 0

    @property
    def back_first(self) -> bool:
        """Whether the back of a card precedes its face."""
        return self.pages is PageOrder.BACK_FRONT

    @property
    def backs(self) -> bool:
        """Whether cards are printed on both sides."""
        return self.pages is not PageOrder.FRONT


SHAPE = element(
    "service",
    "a print service and its requirements",
    required("name", NAME, "the name of the service"),
    required(
        "files",
        one_of(("pictures", "a PNG for each face"), ("pdf", "a PDF, a face on each page")),
        "the files that it takes",
    ),
    optional("bleed", LENGTH, "how far print extends beyond the cut (default: 0 mm)"),
    optional("safe", LENGTH, "the safe zone: distance from the cut (default: 0 mm)"),
    optional(
        "dpi",
        Value("integer", minimum=72, maximum=1200),
        "resolution of pictures, and the minimum for images (default: 300)",
    ),
    optional(
        "color",
        one_of(("rgb", "only RGB"), ("cmyk", "only CMYK"), ("any", "preferably CMYK")),
        "the colors that it takes (default: `rgb`)",
    ),
    optional(
        "ink",
        Value("integer", minimum=100, maximum=400),
        "the highest ink coverage, in percent (default: 400)",
    ),
    optional("black", _SHARES, "the inks of black areas in percent: `30 30 0 100`"),
    optional("radius", LENGTH, "radius of the corners of cards (default: 0 mm)"),
    optional(
        "boxes",
        one_of(("bleed", "with bleed, as cards"), ("plain", "without bleed, as large as its page")),
        "the pages of tuck boxes (default: `bleed`)",
    ),
    optional(
        "pages",
        one_of(
            ("front-back", "faces and backs alternate, faces first"),
            ("back-front", "backs and faces alternate, backs first"),
            ("separate", "faces in one file, and as many backs in another"),
            ("back-last", "faces, then the common back; different backs are in another file"),
            ("front", "no backs"),
        ),
        "the order of pages (default: `front-back`)",
    ),
    optional(
        "text",
        one_of(("fonts", "in fonts, embedded"), ("outlines", "as outlines, without fonts")),
        "how letters are stored in a PDF (default: `fonts`)",
    ),
    optional(
        "pdfx",
        one_of(
            ("PDF/X-1a:2003", "ISO 15930-4, without transparency"),
            ("PDF/X-4", "ISO 15930-7, with transparency"),
        ),
        "the version of PDF/X that it requires",
    ),
    optional(
        "inks",
        one_of(
            ("none", "it does not take them"),
            ("separations", "as separations of the PDF, under their names"),
            ("pages", "as masks, on pages or in pictures of their own"),
        ),
        "how it takes inks such as foil and varnish (default: `none`)",
    ),
    optional("icc", TEXT, "words in names of suitable ICC profiles, best first"),
    optional(
        "condition",
        Value(pattern=r"[!-~](?:[ -~]{0,60}[!-~])?", words="a name such as `FOGRA39`"),
        "the printing condition, where the ICC profile does not say it: `FOGRA39`, `CGATS TR 006`",
    ),
    optional(
        "order",
        one_of(
            ("none", "none"), ("autofill", "cards.xml for MPC Autofill"), ("table", "cards.csv")
        ),
        "the file that says how many copies of each card to print (default: `none`)",
    ),
    optional("most", _COUNT, "the highest number of cards in an order"),
    optional("steps", _STEPS, "the numbers of cards at which its prices change"),
    optional("stock", TEXT, "the card stock named in an order"),
    optional("min-text", _POINTS, "the smallest text that it prints, in points"),
    optional("min-light-text", _POINTS, "the smallest light text on something dark, in points"),
    optional("min-line", _POINTS, "the thinnest line that it prints, in points"),
    optional("makes", TEXT, "what it makes of a deck, for the help of the command line"),
    optional("about", TEXT, "further sentences of that help"),
    optional("examples", TEXT, "options for the examples of that help, separated by `|`"),
    Occurs(
        element(
            "size",
            "a size of card that the service makes; if none is given, it makes any",
            key("id", _ID, "its id for `--size`"),
            required("name", NAME, "its name at the service"),
            required("width", POSITIVE_LENGTH, "width after the cut in mm"),
            required("height", POSITIVE_LENGTH, "height after the cut in mm"),
            optional(
                "shape",
                one_of(
                    ("round", "an ellipse of that width and height"),
                    ("hex", "a hexagon with corners on the long axis"),
                ),
                "the shape of the cut (default: a rectangle)",
            ),
        ),
        maximum=200,
    ),
    Occurs(
        element(
            "stock",
            "a card stock that an order can name",
            key("id", _ID, "its id for `--stock`"),
            required("name", NAME, "its name in the order"),
            optional("foil", YES_NO, "whether it is available with `--foil` (default: no)"),
        ),
        maximum=50,
    ),
)


def service_names(xml_folder: Path) -> list[str]:
    """Return the ids of all services: the bundled ones, and a game's own in `xml/services`."""
    return _FILES.list_names(xml_folder)


def load_service(service_id: str, xml_folder: Path, report: Report) -> Service | None:
    """Return a service listed by `service_names`, None after reporting errors."""
    root = load_valid(_FILES.find_file(service_id, xml_folder), SHAPE, report)
    return None if root is None else _read_service(service_id, root)


def _read_service(service_id: str, node: Node) -> Service:
    given = node.attributes
    sizes = (child.attributes for child in node.children if child.tag == "size")
    stocks = (child.attributes for child in node.children if child.tag == "stock")
    return Service(
        service_id,
        given["name"],
        FileKind(given["files"]),
        tuple(
            CardSize(s["id"], s["name"], float(s["width"]), float(s["height"]), s.get("shape", ""))
            for s in sizes
        ),
        float(given.get("bleed", "0")),
        float(given.get("safe", "0")),
        int(given.get("dpi", "300")),
        ColorMode(given.get("color", "rgb")),
        int(given.get("ink", "400")),
        black=tuple(map(int, given["black"].split())) if "black" in given else None,
        radius=float(given.get("radius", "0")),
        pages=PageOrder(given.get("pages", "front-back")),
        outlines=given.get("text") == "outlines",
        pdfx=given.get("pdfx"),
        spots=SpotHandling(given.get("inks", "none")),
        icc=tuple(given.get("icc", "").split()),
        condition=given.get("condition"),
        order=OrderList(given.get("order", "none")),
        max_cards=int(given["most"]) if "most" in given else None,
        steps=tuple(map(int, given.get("steps", "").split())),
        stock=given.get("stock", ""),
        stocks=tuple(CardStock(s["id"], s["name"], s.get("foil") == "true") for s in stocks),
        plain_boxes=given.get("boxes") == "plain",
        min_text=float(given.get("min-text", "0")),
        min_light_text=float(given.get("min-light-text", "0")),
        min_line=float(given.get("min-line", "0")),
    )
