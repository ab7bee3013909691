"""Profiles of print services: XML files with the requirements of a service.

Deckwright bundles some; those of a game are in `xml/services` and take precedence.
"""

from pathlib import Path
from typing import NamedTuple

from deckwright.base.files import BundledFiles
from deckwright.base.findings import Report
from deckwright.base.units import Mm
from deckwright.game.kinds import FULL
from deckwright.game.read import load_valid
from deckwright.xmlio.binding import Choice, attr, bound, elements, model_shape, read_model
from deckwright.xmlio.shape import NAME, POSITIVE_LENGTH, Value, one_of

_FILES = BundledFiles(Path(__file__).parent / "profiles", "services")
_COUNT = Value(kind="integer", minimum=1, maximum=9999)
_STEPS = Value(
    pattern=r"[1-9][0-9]{0,3}(?: [1-9][0-9]{0,3}){0,99}", words="numbers with spaces between them"
)
_SHARES = Value(
    pattern=r"(?:[0-9]|[1-9][0-9]|100)(?: (?:[0-9]|[1-9][0-9]|100)){3}",
    words="four numbers from 0 to 100, of cyan, magenta, yellow and black",
)
_SIZE_SHAPE = one_of(
    ("round", "an ellipse of that width and height"),
    ("hex", "a hexagon with corners on the long axis"),
)
_BOXES = one_of(("bleed", "with bleed, as cards"), ("plain", "without bleed, as large as its page"))
_PDFX = one_of(
    ("PDF/X-1a:2003", "ISO 15930-4, without transparency"),
    ("PDF/X-4", "ISO 15930-7, with transparency"),
)
_POINTS = POSITIVE_LENGTH._replace(words="a number above 0, such as 6 or 0.5")
_ID = Value(pattern=r"[A-Za-z0-9_-]{1,40}", words="an id of letters, digits, - and _")


def _split_numbers(text: str) -> tuple[int, ...]:
    return tuple(map(int, text.split()))


class FileKind(Choice):
    """The kind of files that a service takes."""

    PICTURES = "pictures", "a PNG for each face"
    PDF = "pdf", "a PDF, a face on each page"


class ColorMode(Choice):
    """The color mode that a service takes."""

    RGB = "rgb", "only RGB"
    CMYK = "cmyk", "only CMYK"
    ANY = "any", "preferably CMYK"


class PageOrder(Choice):
    """The order of faces and backs in PDFs."""

    FRONT_BACK = "front-back", "faces and backs alternate, faces first"
    BACK_FRONT = "back-front", "backs and faces alternate, backs first"
    SEPARATE = "separate", "faces in one file, and as many backs in another"
    BACK_LAST = "back-last", "faces, then the common back; different backs are in another file"
    FRONT = "front", "no backs"


class SpotHandling(Choice):
    """How spot inks such as foil are handed over."""

    NONE = "none", "it does not take them"
    SEPARATIONS = "separations", "as separations of the PDF, under their names"
    PAGES = "pages", "as masks, on pages or in pictures of their own"


class OrderList(Choice):
    """The file with the quantities of cards."""

    NONE = "none", "none"
    AUTOFILL = "autofill", "cards.xml for MPC Autofill"
    TABLE = "table", "cards.csv"


@bound
class CardSize(NamedTuple):
    """A size of card that the service makes; if none is given, it makes any."""

    id: str = attr("its id for `--size`", _ID, unique=True)
    name: str = attr("its name at the service", NAME)
    width: Mm = attr("width after the cut in mm", POSITIVE_LENGTH)
    height: Mm = attr("height after the cut in mm", POSITIVE_LENGTH)
    shape: str = attr("the shape of the cut (default: a rectangle)", _SIZE_SHAPE, default="")


@bound
class CardStock(NamedTuple):
    """A card stock that an order can name."""

    id: str = attr("its id for `--stock`", _ID, unique=True)
    name: str = attr("its name in the order", NAME)
    foil: bool = attr("whether it is available with `--foil` (default: no)", default=False)


@bound
class Service(NamedTuple):
    """A print service and its requirements.

    Attributes:
        id: its name on the command line.
        black: the inks of black areas; None to use the profile.
        max_ink: the total ink limit in percent, 100 per full ink.
        foil: whether an order is for cards with full foil.
        makes, about, examples: for the help of the command line.
    """

    id: str
    name: str = attr("the name of the service", NAME)
    files: FileKind = attr("the files that it takes")
    bleed: Mm = attr("how far print extends beyond the cut (default: 0 mm)", default=0)
    safe: Mm = attr("the safe zone: distance from the cut (default: 0 mm)", default=0)
    dpi: int = attr(
        "resolution of pictures, and the minimum for images (default: 300)",
        Value("integer", minimum=72, maximum=1200),
        default=300,
    )
    color: ColorMode = attr("the colors that it takes (default: `rgb`)", default=ColorMode.RGB)
    max_ink: int = attr(
        "the highest ink coverage, in percent (default: 400)",
        Value("integer", minimum=100, maximum=400),
        "ink",
        default=400,
    )
    black: tuple[int, ...] | None = attr(
        "the inks of black areas in percent: `30 30 0 100`", _SHARES, convert=_split_numbers
    )
    radius: Mm = attr("radius of the corners of cards (default: 0 mm)", default=0)
    plain_boxes: bool = attr(
        "the pages of tuck boxes (default: `bleed`)",
        _BOXES,
        "boxes",
        convert="plain".__eq__,
        default=False,
    )
    pages: PageOrder = attr(
        "the order of pages (default: `front-back`)", default=PageOrder.FRONT_BACK
    )
    outlines: bool = attr(
        "how letters are stored in a PDF (default: `fonts`)",
        one_of(("fonts", "in fonts, embedded"), ("outlines", "as outlines, without fonts")),
        "text",
        convert="outlines".__eq__,
        default=False,
    )
    pdfx: str | None = attr("the version of PDF/X that it requires", _PDFX)
    spots: SpotHandling = attr(
        "how it takes inks such as foil and varnish (default: `none`)",
        name="inks",
        default=SpotHandling.NONE,
    )
    icc: tuple[str, ...] = attr(
        "words in names of suitable ICC profiles, best first",
        convert=lambda text: tuple(text.split()),
        default=(),
    )
    condition: str | None = attr(
        "the printing condition, where the ICC profile does not say it: `FOGRA39`, `CGATS TR 006`",
        Value(pattern=r"[!-~](?:[ -~]{0,60}[!-~])?", words="a name such as `FOGRA39`"),
    )
    order: OrderList = attr(
        "the file that says how many copies of each card to print (default: `none`)",
        default=OrderList.NONE,
    )
    max_cards: int | None = attr("the highest number of cards in an order", _COUNT, "most")
    steps: tuple[int, ...] = attr(
        "the numbers of cards at which its prices change",
        _STEPS,
        convert=_split_numbers,
        default=(),
    )
    stock: str = attr("the card stock named in an order", default="")
    # Defaults are what printers who publish such figures mostly ask for.
    min_text: float = attr(
        "the smallest text that it prints, in points (default: 6)", _POINTS, default=6
    )
    min_light_text: float = attr(
        "the smallest light text on something dark, in points (default: 7)", _POINTS, default=7
    )
    min_line: float = attr(
        "the thinnest line that it prints, in points (default: 0.25)", _POINTS, default=0.25
    )
    min_light_line: float = attr(
        "the thinnest light line on something dark, in points (default: 0.5)", _POINTS, default=0.5
    )
    black_text: float = attr(
        "the size in points below which dark and nearly gray texts, and shapes as small, are "
        "printed in black alone (default: 9)",
        _POINTS,
        default=9,
    )
    makes: str = attr("what it makes of a deck, for the help of the command line", default="")
    about: str = attr("further sentences of that help", default="")
    examples: str = attr("options for the examples of that help, separated by `|`", default="")
    sizes: tuple[CardSize, ...] = elements("size", maximum=200, default=())
    stocks: tuple[CardStock, ...] = elements("stock", maximum=50, default=())
    foil: bool = False

    def choose_token_size(self, wanted: str | None) -> str | None:
        """Return the size of tokens to order: full size by default, unless it makes any size."""
        return wanted or (FULL if self.sizes else None)

    @property
    def back_first(self) -> bool:
        """Whether the back of a card precedes its face."""
        return self.pages is PageOrder.BACK_FRONT

    @property
    def backs(self) -> bool:
        """Whether cards are printed on both sides."""
        return self.pages is not PageOrder.FRONT


SHAPE = model_shape(Service, "service")


def service_names(xml_folder: Path) -> list[str]:
    """Return the ids of all services: the bundled ones, and a game's own in `xml/services`."""
    return _FILES.list_names(xml_folder)


def load_service(service_id: str, xml_folder: Path, report: Report) -> Service | None:
    """Return a service listed by `service_names`, None after reporting errors."""
    root = load_valid(_FILES.find_file(service_id, xml_folder), SHAPE, report)
    return None if root is None else read_model(Service, root, id=service_id)
