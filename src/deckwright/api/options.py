"""Options of the library: keyword arguments, checked and resolved against a game.

The functions `resolve_…` raise a ChoiceError if something named does not exist or options
contradict each other, and a GameError if a file that they need has errors.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Literal, TypedDict, TypeVar, cast

from deckwright.base.files import to_nfc
from deckwright.base.findings import (
    ChoiceError,
    Diagnostic,
    Report,
    format_names,
    known_hint,
    require_known,
    sort_findings,
)
from deckwright.base.options import Option, option_names
from deckwright.base.output import OutputError
from deckwright.base.units import CARD_SIZES, parse_size
from deckwright.checks.counting import DeckRules
from deckwright.checks.limits import resolve_deck_rules
from deckwright.checks.loading import LimitOptions
from deckwright.game.decklist import CardSelection
from deckwright.game.folder import GameFolder
from deckwright.game.kinds import FULL, HALF
from deckwright.game.load import check_folders, load_setup
from deckwright.game.model import Deck, Game
from deckwright.xmlio.shape import DAY

if TYPE_CHECKING:
    from deckwright.base.units import Mm
    from deckwright.outputs.services.export import PressSettings as PressOptions
    from deckwright.outputs.services.press import OrderOptions
    from deckwright.outputs.services.profile import Service
    from deckwright.sheet.cutters import Cutter
    from deckwright.sheet.layout import SheetOptions
    from deckwright.sheet.printers import Printer


T = TypeVar("T")


class GameError(Exception):
    """Raised if errors in the game make an operation impossible.

    Attributes:
        findings: the errors with their locations, possibly with warnings among them.
    """

    def __init__(self, findings: Iterable[Diagnostic]) -> None:
        """Store the findings without duplicates, sorted by location."""
        self.findings: tuple[Diagnostic, ...] = tuple(sort_findings(findings))
        super().__init__("\n".join(map(str, self.findings)))


class SheetChoice(TypedDict, total=False):
    """The sheet format, and how faces fit it. Missing keys default to the game's settings."""

    sheet: Annotated[str | None, Option("The sheet format, such as letter-poker or a4.", "NAME")]
    scale: Annotated[
        Literal["none", "fit"],
        Option("`fit` scales faces to the slots of a sheet made for cards of another size."),
    ]
    turn: Annotated[bool | None, Option("Turn some cards if more then fit on a sheet.")]


class BackChoice(TypedDict, total=False):
    """Whether and where backs are printed."""

    backs: Annotated[bool | None, Option("Print backs, after each sheet, or omit them.")]
    backs_apart: Annotated[bool, Option("Print backs to a separate file.")]
    flip: Annotated[
        Literal["long", "short"] | None, Option("The edge on which the printer flips the paper.")
    ]
    back_offset: Annotated[
        tuple[Mm, Mm] | None,
        Option(
            "Move backs right and down, such as 0.7mm,-0.4mm; `calibrate` measures how far.",
            "X,Y", -20, 20,
        ),
    ]  # fmt: skip


class PrinterChoice(TypedDict, total=False):
    """The calibrated printer, which sets flip, offset and margins, and the footers of sheets."""

    printer: Annotated[
        str | Printer | None,
        Option(
            "Apply the measurements that `deckwright calibrate` saved for this printer.", "NAME"
        ),
    ]
    footer: Annotated[bool, Option("Put a ruler and a footer on each sheet.", default=True)]


class MachineChoice(TypedDict, total=False):
    """The cutting machine."""

    cut: Annotated[
        str | None,
        Option(
            "Print registration marks for a cutting machine and write its files: silhouette, "
            "cricut.",
            "MACHINE",
        ),
    ]


class CutChoice(MachineChoice, total=False):
    """The cutting machine, and how deep it cuts."""

    kiss_cut: Annotated[bool, Option("Cut stickers only, not the backing paper.")]


class Sheets(SheetChoice, BackChoice, PrinterChoice, CutChoice, total=False):
    """The layout of cards on sheets. Missing keys default to the game's or the format's settings.

    A watermark is True for the game's word for a draft, False for none, and None for what
    `game.xml` says.
    """

    marks: Annotated[
        Literal["crop", "lines", "corners", "none"] | None, Option("The kind of cutting marks.")
    ]
    fill: Annotated[
        bool,
        Option("Fill the last sheet with spare tokens; several decks share sheets and one PDF."),
    ]
    watermark: str | bool | None


class PdfxChoice(TypedDict, total=False):
    """The ICC profile, a file or a part of the name of a known one, and the version of PDF/X."""

    icc: Annotated[
        Path | str | None,
        Option(
            "The ICC profile for CMYK, or `none` for RGB. The default suits the service best.",
            "FILE",
        ),
    ]
    pdfx: Annotated[
        Literal["x-1a", "x-4"] | None, Option("The PDF/X version to make instead of the service's.")
    ]
    state_pdfx: Annotated[
        bool, Option("Label the PDF as PDF/X. Deckwright cannot check that: have it checked.")
    ]


class PressPrint(PdfxChoice, total=False):
    """The options for a print shop's press: inks, profile and PDF/X.

    The service is one of `Game.services` that takes PDFs; None for a desktop printer.
    """

    service: Annotated[
        str | None,
        Option(
            "Prepare the PDF for this print service, such as `press`: with its inks and bleed.",
            "ID",
        ),
    ]
    anyway: Annotated[bool, Option("Write a file even if the preflight finds errors.")]


class ProofPrint(TypedDict, total=False):
    """The options of proofs on the screen."""

    sides: Annotated[Literal["faces", "backs"], Option("The sides to draw.")]
    style: str | None
    dpi: Annotated[float, Option("Pixels per inch.", None, 20, 1200, 150)]
    watermark: str | bool | None


class PressProofOptions(ProofPrint, total=False):
    """The options of proofs that show faces as a press prints them."""

    icc: Annotated[
        Path | str | None,
        Option(
            "Draw faces as they are and as this ICC profile prints them: a file, or a part of the "
            "name of a known one, such as fogra39.",
            "PROFILE",
        ),
    ]
    service: Annotated[
        str | None,
        Option("The print service whose ink limit and profile count (default: press).", "ID"),
    ]


class Limits(TypedDict, total=False):
    """The limits that decks are checked against. They default to those of the deck's format."""

    ignore_limits: Annotated[bool, Option("Do not check deck limits.")]
    limits: Annotated[str | None, Option("Use the deck limits of this format.", "FORMAT")]
    limit: Annotated[
        Mapping[str, int | None],
        Option(
            "Change a limit, or turn it off: provisions=210, size=off.",
            "ID=VALUE", 0, 999_999_999,
        ),
    ]  # fmt: skip
    date: Annotated[
        str | None,
        Option(
            "Use the list of banned and restricted cards in force on this day: 2026-03-01.", "DAY"
        ),
    ]


class TokenChoice(TypedDict, total=False):
    """The size of tokens. It defaults to the game's, or full size for services of fixed sizes."""

    token_size: Annotated[
        str | None,
        Option("Print tokens at this size: full, half, mini, or a size such as 44x63.", "SIZE"),
    ]


class TokenPrint(Sheets, TokenChoice, total=False):
    """The options for printing tokens alone."""

    style: str | None
    copies: Annotated[int | None, Option("Print this many copies of each token.", None, 1, 999)]


class GamePrint(Sheets, TokenChoice, Limits, total=False):
    """The options for printing all decks: those of `Sheets`, tokens and `Limits`.

    The rule reference is printed as the game sets for the style if `reference` is left out.
    """

    reference: Annotated[bool | None, Option("Print a rule reference after each deck, or omit it.")]
    draft: Annotated[
        bool,
        Option(
            "Print despite errors, with a bar across faulty faces; all footers say it is a draft."
        ),
    ]


class DeckPrint(GamePrint, total=False):
    """The options for printing decks: those of `Sheets` and `Limits`, and a selection of cards."""

    style: str | None
    odds: Annotated[bool, Option("Also print the odds of opening hands.")]
    only: Annotated[
        Iterable[str],
        Option(
            "Print only the sheets of these cards, by id or name, separated by commas.", "CARDS"
        ),
    ]
    copies: Annotated[int | None, Option("Print this many copies of each card.", None, 1, 999)]
    changed_since: Annotated[
        Path | str | None,
        Option(
            "Print only cards that have changed since an earlier print, given as its manifest or "
            "PDF.",
            "MANIFEST",
        ),
    ]
    slips: Annotated[bool, Option("Print paper slips to sleeve in front of other cards.")]
    slip_trim: Annotated[
        Mm | None, Option("How much smaller than cards slips are; 1mm by default.", "LENGTH", 0, 10)
    ]


class PrepressChoice(PdfxChoice, total=False):
    """The files for a print service: tokens, profile, PDF/X and spot inks."""

    tokens: Annotated[bool, Option("Order the deck's tokens too, or leave them out.", default=True)]
    inks: Annotated[
        Literal["separations", "pages", "none"] | None,
        Option(
            "How to deliver foil, varnish and other extra inks: in the PDF, as masks on pages or "
            "in pictures of their own, or not at all. The default is what the service takes."
        ),
    ]
    anyway: Annotated[bool, Option("Write files even if the preflight finds errors.")]


class StockChoice(TypedDict, total=False):
    """The card stock that an order names, and the size of its cards."""

    size: Annotated[str | None, Option("The service's card size to print on.", "ID")]
    stock: Annotated[str | None, Option("The card stock that the order names.", "ID")]
    foil: Annotated[bool, Option("Order cards with foil all over.")]


class ServiceScale(TypedDict, total=False):
    """How faces fit the sizes of a print service."""

    scale: Annotated[
        Literal["none", "fit"], Option("`fit` scales faces to the nearest size the service offers.")
    ]


class ServicePrint(ServiceScale, PrepressChoice, StockChoice, TokenChoice, Limits, total=False):
    """The options of an order for a print service."""

    style: str | None
    only: Annotated[
        Iterable[str],
        Option("Order only these cards, by id or name, separated by commas.", "CARDS"),
    ]
    copies: Annotated[int | None, Option("Order this many copies of each card.", None, 1, 999)]
    check: Annotated[bool, Option("Only run the preflight; write nothing.")]
    watermark: str | bool | None


class RunPrint(DeckPrint, PrepressChoice, StockChoice, total=False):
    """The options for printing a run: on sheets, as in `DeckPrint`, or for a print service."""

    boxes: Annotated[bool, Option("Also print a tuck box for each deck.")]
    paper: Annotated[
        Literal["a4", "a3", "letter", "12x12"] | None,
        Option("The paper size of boxes; a4 by default."),
    ]
    service: Annotated[
        str | None, Option("Prepare decks for this print service, with a card on each page.", "ID")
    ]


class BoxPrint(MachineChoice, TokenChoice, total=False):
    """The options of a tuck box. By default it has room for all cards that the deck prints.

    For a press, the page has the size of the net, and the die lines are separations.
    """

    style: str | None
    cards: Annotated[
        int | None,
        Option(
            "Make room for this many cards. The default is every card the deck prints.",
            None, 1, 9999,
        ),
    ]  # fmt: skip
    thickness: Annotated[Mm, Option("The thickness of one card.", "MM", 0.05, 20, 0.3)]
    clearance: Annotated[
        Mm, Option("The gap between cards and box in each direction.", "MM", 0, 50, 1.0)
    ]
    sleeved: Annotated[bool, Option("Make room for cards in sleeves.")]
    paper: Annotated[Literal["a4", "a3", "letter", "12x12"], Option("The size of the paper.")]


class MarkerPrint(SheetChoice, PrinterChoice, CutChoice, total=False):
    """The options of markers. A sheet format has slots for them, such as labels."""

    counts: Annotated[
        Mapping[str, int],
        Option(
            "Print this many copies of a marker: action=60, or damage/10=5 for one value.",
            "ID=N", 0, 99_999, flag="--count",
        ),
    ]  # fmt: skip
    paper: Annotated[
        Literal["a5", "a4", "a3", "letter", "12x12"] | None, Option("The size of the paper.")
    ]
    style: str | None


class TabletopPrint(Limits, total=False):
    """The options of decks for virtual tables."""

    style: str | None
    form: Annotated[
        Literal["auto", "png", "jpg"],
        Option(
            "The format of the pictures; `auto` uses JPEG where PNG would be large.",
            flag="--format",
        ),
    ]


class PicturePrint(TypedDict, total=False):
    """The options of pictures of faces."""

    form: Annotated[Literal["png", "svg", "webp"], Option("The format of the files.")]
    sides: Annotated[Literal["faces", "backs", "both"], Option("The sides to draw.")]
    style: str | None
    bleed: Annotated[
        Mm,
        Option("Include this much bleed outside the trim box, such as 3mm.", "LENGTH", 0, 50, 0.0),
    ]
    dpi: Annotated[float, Option("Pixels per inch.", None, 20, 1200, 300)]
    size: Annotated[
        tuple[int, int] | None,
        Option(
            "Make every picture exactly this many pixels wide and high; overrides --dpi.",
            "WIDTHxHEIGHT", 1, 99_999,
        ),
    ]  # fmt: skip
    quality: Annotated[
        int, Option("Quality of the pictures; lower means smaller files.", None, 1, 100, 85)
    ]
    lossless: Annotated[
        bool,
        Option("Keep every pixel; --quality then says how long to search for the smallest file."),
    ]
    watermark: str | bool | None


class BalanceOptions(Limits, total=False):
    """The options of a balance report: what cards are worth and cost, and which decks are searched.

    `game.xml` says what cards are worth and cost if it is left out.
    """

    factions: Annotated[Iterable[str], Option("Analyze only this faction.", "ID", flag="--faction")]
    worth: Annotated[str | None, Option("What a card is worth: strength + 2*actions.", "MEASURE")]
    cost: Annotated[str | None, Option("What a card costs, also a sum of fields.", "MEASURE")]
    best: Annotated[int, Option("How many of the best decks to find.", None, 1, 100, 10)]
    apart: Annotated[
        int,
        Option(
            "Each deck differs from all earlier ones in at least this many copies.", None, 1, 100, 3
        ),
    ]
    time: Annotated[
        float,
        Option(
            "The time limit of the search in seconds, for each faction.", "SECONDS", 0.1, 3600, 10
        ),
    ]


class PackagePrint(ServiceScale, PrepressChoice, TokenChoice, Limits, total=False):
    """The contents of a package for a print shop, and the service that it is made for."""

    service: Annotated[
        str,
        Option(
            "The print service: a bundled one, or one in xml/services.", "NAME", default="press"
        ),
    ]
    sets: Annotated[
        int | None,
        Option(
            "How many sets to order. The default is a blank line to fill in.",
            None, 1, 10_000_000,
        ),
    ]  # fmt: skip
    boxes: Annotated[
        bool, Option("Include a tuck box for each deck, or leave them out.", default=True)
    ]
    markers: Annotated[bool, Option("Include the markers, or leave them out.", default=True)]
    rulebook: Annotated[bool, Option("Include the rulebook, or leave it out.", default=True)]
    paper: Annotated[Literal["a4", "letter"], Option("The paper of the job ticket.")]
    style: str | None


@contextmanager
def game_errors(report: Iterable[Diagnostic] = ()) -> Iterator[None]:
    """Raise a GameError, with the findings of a report first, for an OutputError in the context."""
    try:
        yield
    except OutputError as error:
        raise GameError([*report, *error.findings]) from error


def require_loaded(load: Callable[[Report], T | None]) -> T:
    """Return what a function loads; raise a GameError with the errors that it reports if None."""
    report: Report = []
    loaded = load(report)
    if loaded is None:
        raise GameError(report)
    return loaded


def require_readable_folders(folder: GameFolder) -> None:
    """Raise a GameError if a folder of a game cannot be read."""
    report: Report = []
    check_folders(folder, report)
    if report:
        raise GameError(report)


def resolve_style(folder: GameFolder, style: str | None) -> str | None:
    """Return a style of the game, None for the default one."""
    if style is not None:
        require_known(style, folder.styles(), "style")
    return style


def resolve_limits(folder: GameFolder, limits: Limits) -> LimitOptions:
    """Return the limits that decks are checked against."""
    ignore, format_id = limits.get("ignore_limits", False), limits.get("limits")
    date = limits.get("date")
    if date is not None and not DAY.accepts(date):
        raise ChoiceError(f"`{date}` is not {DAY.description}")
    changes = limits.get("limit", {})
    setup = load_setup(folder, []) if changes or format_id is not None else None
    if setup is None:
        return LimitOptions(ignore, date=date)
    if format_id is not None:
        require_known(format_id, setup.formats, "format", " in game.xml")
    known = {limit.id: limit for limit in setup.limits}
    for name, value in changes.items():
        require_known(name, known, "limit", " in game.xml")
        if value is not None and known[name].bound is None:
            message = f"the limit `{name}` has no number; switch it off with `--limit {name}=off`"
            raise ChoiceError(message)
    return LimitOptions(ignore, format_id, changes, date)


def resolve_rules(game: Game, deck: Deck, rules: LimitOptions) -> DeckRules:
    """Return the rules that apply to a deck; none if limits are ignored."""
    if rules.ignore:
        return DeckRules()
    return resolve_deck_rules(game, deck, rules.format, rules.changes, rules.date)


def resolve_choice(
    only: Iterable[str] = (), copies: int | None = None, since: Path | str | None = None
) -> CardSelection:
    """Return the selection of a deck's cards."""
    names = tuple(to_nfc(name.strip()) for name in only)
    return CardSelection(names, copies, None if since is None else Path(since))


def resolve_sheet(folder: GameFolder, sheets: Sheets) -> SheetOptions:
    """Return the sheet options of keyword arguments."""
    from deckwright.sheet.grid import Flip, Marks  # only to print
    from deckwright.sheet.layout import SheetOptions

    sheet, flip, marks = sheets.get("sheet"), sheets.get("flip"), sheets.get("marks")
    backs, apart = sheets.get("backs"), sheets.get("backs_apart", False)
    if sheet is not None:
        from deckwright.sheet.layout import list_formats, suggest_formats

        if sheet not in list_formats(folder.xml):
            hint = suggest_formats(sheet, folder.xml, load_setup(folder, []))
            raise ChoiceError(f"there is no sheet format `{sheet}`", hint)
    if flip is not None:
        require_known(flip, [each.value for each in Flip], "edge")
    if marks is not None:
        require_known(marks, [each.value for each in Marks], "kind of marks")
    if marks is not None and sheets.get("cut") is not None:
        message = "--marks and --cut cannot be used together"
        raise ChoiceError(message, "leave out `--marks`: the machine has its own")
    if apart and backs is False:
        raise ChoiceError("--no-backs and --backs-apart cannot be used together")
    offset = sheets.get("back_offset")
    options = SheetOptions(
        sheet,
        sheets.get("scale", "none") == "fit",
        sheets.get("turn"),
        True if apart else backs,
        apart,
        Flip(flip) if flip else None,
        Marks(marks) if marks else None,
        offset or (0, 0),
        footer=sheets.get("footer", True),
        fill=sheets.get("fill", False),
        cutter=resolve_cutter(folder, sheets.get("cut"), kiss_cut=sheets.get("kiss_cut", False)),
        kiss_cut=sheets.get("kiss_cut", False),
        watermark=sheets.get("watermark"),
        token_size=resolve_token_size(sheets),
    )
    printer = sheets.get("printer")
    if printer is None:
        return options
    calibrated = resolve_printer(printer)
    return options._replace(
        flip=options.flip or calibrated.flip,
        unprintable=calibrated.margins,
        offset=calibrated.offset if offset is None else offset,
    )


def resolve_token_size(options: Mapping[str, object]) -> str | None:
    """Return the size of tokens that options name, as in `Kind.resize`."""
    size = cast("TokenChoice", options).get("token_size")
    if size is not None and size not in {FULL, HALF}:
        try:
            parse_size(size)
        except ValueError as error:
            names = format_names([FULL, HALF, *CARD_SIZES])
            raise ChoiceError(str(error), f"name a size: {names}") from error
    return size


def resolve_marker_sheet(
    folder: GameFolder, sheets: MarkerPrint, other_options: Mapping[str, object]
) -> SheetOptions | None:
    """Return the sheet whose slots hold markers, None for marker sheets of their own.

    Args:
        other_options: options for marker sheets only, by their names on the command line.
    """
    if sheets.get("sheet") is None:
        for option, given in {
            "--turn": sheets.get("turn"),
            "--scale fit": sheets.get("scale") == "fit",
        }.items():
            if given:
                message = f"{option} is for sheets with slots for markers"
                raise ChoiceError(message, "name one with `--sheet`, such as `a4` or labels")
        return None
    for option in (option for option, given in other_options.items() if given):
        message = f"--sheet and {option} cannot be used together"
        raise ChoiceError(message, "the sheet sets the paper, and people cut it")
    of_sheets = {name: value for name, value in sheets.items() if name in option_names(Sheets)}
    return resolve_sheet(folder, cast("Sheets", of_sheets))


def resolve_cutter(
    folder: GameFolder, name: str | None, *, kiss_cut: bool = False
) -> Cutter | None:
    """Return a cutting machine, which kiss cuts need; None if none is named."""
    if name is None:
        if kiss_cut:
            raise ChoiceError("--kiss-cut is for machines", "name one with `--cut`")
        return None

    from deckwright.outputs.cutters import profile  # only for machines

    require_known(name, profile.cutter_names(folder.xml), "cutting machine")
    return require_loaded(lambda report: profile.load_cutter(name, folder.xml, report))


def resolve_printer(printer: str | Printer) -> Printer:
    """Return a calibrated printer, given as such or by its name."""
    if not isinstance(printer, str):
        return printer

    from deckwright.sheet.printers import find_printer

    return require_loaded(lambda report: find_printer(printer, report))


def split_profile(icc: Path | str | None) -> tuple[Path | None, bool]:
    """Return the ICC profile that an option names, and whether to use none."""
    rgb = icc == "none"
    return None if icc is None or rgb else Path(icc), rgb


def resolve_service(folder: GameFolder, name: str, order: Mapping[str, object]) -> Service:
    """Return a print service.

    Args:
        order: those of the options `size`, `icc`, `state_pdfx`, `pdfx`, `inks`, `stock` and `foil`
            that the order has, as in `ServicePrint`.
    """
    from deckwright.outputs.services import profile  # only for services

    require_known(name, profile.service_names(folder.xml), "print service")
    service = require_loaded(lambda report: profile.load_service(name, folder.xml, report))
    options = cast("ServicePrint", order)
    size, pdfx, inks = options.get("size"), options.get("pdfx"), options.get("inks")
    ids = [one.id for one in service.sizes]
    if size is not None and size not in ids:
        message = f"{service.name} makes no cards of size `{size}`"
        if not ids:
            message = f"{service.name} makes cards of any size, so it takes no `--size`"
        raise ChoiceError(message, known_hint(size, ids))
    if split_profile(options.get("icc"))[0] is not None and service.color.value == "rgb":
        raise ChoiceError(f"{service.name} takes RGB, so `--icc` does not apply")
    if pdfx is not None:
        if service.files is profile.FileKind.PICTURES or service.color.value == "rgb":
            raise ChoiceError(f"{service.name} takes no PDF in CMYK, so `--pdfx` does not apply")
        service = service._replace(pdfx=PDFX_VERSIONS[pdfx])
    if inks is not None:
        if inks == "separations" and service.files is profile.FileKind.PICTURES:
            raise ChoiceError(f"{service.name} takes pictures, which have no separations")
        service = service._replace(spots=profile.SpotHandling(inks))
    if options.get("state_pdfx") and service.pdfx is None:
        raise ChoiceError(f"{service.name} does not ask for PDF/X")
    return _choose_stock(service, options.get("stock"), foil=options.get("foil", False))


def _choose_stock(service: Service, stock: str | None, *, foil: bool) -> Service:
    """Return a print service with a chosen card stock and foil."""
    matches = [one for one in service.stocks if stock in {one.id, one.name}]
    if stock is not None and not matches:
        ids = [one.id for one in service.stocks]
        message = f"{service.name} has no stock `{stock}`"
        if not ids:
            message = f"orders for {service.name} name no stock, so it takes no `--stock`"
        raise ChoiceError(message, known_hint(stock, ids))
    if matches:
        service = service._replace(stock=matches[0].name)
    if foil and not any(one.foil for one in service.stocks if one.name == service.stock):
        shining = [one.id for one in service.stocks if one.foil]
        message = f"{service.name} makes no foil on {service.stock or 'its cards'}"
        hint = f"name another stock with `--stock`: {', '.join(shining)}" if shining else None
        raise ChoiceError(message, hint)
    return service._replace(foil=foil)


def resolve_order(
    folder: GameFolder, service_id: str, order: ServicePrint | RunPrint | PackagePrint
) -> tuple[Service, OrderOptions]:
    """Return a print service, and the options of an order for it."""
    from deckwright.outputs.services.press import OrderOptions  # only for services

    options = cast("ServicePrint", order)  # none has a key of another type
    service = resolve_service(folder, service_id, options)
    profile, rgb = split_profile(options.get("icc"))
    return service, OrderOptions(
        options.get("size"),
        options.get("scale") == "fit",
        resolve_choice(options.get("only", ()), options.get("copies")),
        options.get("tokens", True),
        profile,
        rgb,
        options.get("anyway", False),
        options.get("check", False),
        options.get("state_pdfx", False),
        resolve_style(folder, options.get("style")),
        resolve_limits(folder, options),
        options.get("watermark"),
        resolve_token_size(options),
    )


def resolve_press(
    folder: GameFolder,
    options: PressPrint | None,
    excluded: Mapping[str, object] = MappingProxyType({}),
) -> PressOptions | None:
    """Return the options for a press, which excludes some others; None for a desktop printer."""
    if options is None:
        return None
    name = options.get("service")
    if name is None:
        given = next((key for key in options if options.get(key)), None)
        if given is not None:
            message = f"--{given.replace('_', '-')} is for a press"
            raise ChoiceError(message, "name a print service with `--service`, such as `press`")
        return None
    for option, value in excluded.items():
        if value:
            raise ChoiceError(f"--{option} and --service cannot be used together")

    from deckwright.outputs.services.export import PressSettings as PressOptions
    from deckwright.outputs.services.press import OrderOptions
    from deckwright.outputs.services.profile import FileKind

    path, rgb = split_profile(options.get("icc"))
    service = resolve_service(folder, name, options)
    if service.files is not FileKind.PDF:
        message = f"{service.name} takes only pictures of cards"
        raise ChoiceError(message, "name a service that takes PDFs, such as `press`")
    anyway, stated = options.get("anyway", False), options.get("state_pdfx", False)
    order = OrderOptions(icc=path, rgb=rgb, anyway=anyway, stated=stated)
    return PressOptions(service, order)


PDFX_VERSIONS = {"x-1a": "PDF/X-1a:2003", "x-4": "PDF/X-4"}
"""The versions of PDF/X by their names on the command line."""


def require_positive_dpi(dpi: float) -> None:
    """Raise a ChoiceError unless a resolution is above 0."""
    if not dpi > 0:
        raise ChoiceError(f"dpi is {dpi:g}, but must be above 0")


def require_web_address(url: str, option: str, pattern: str = r"https?://[^/\s]\S*$") -> str:
    """Return a web address after checking its form.

    Args:
        option: the option that holds it.
        pattern: a regular expression that its start must match.

    Raises:
        ChoiceError: if it does not.
    """
    if not re.match(pattern, url):
        raise ChoiceError(f"`{option} {url}` is not an address such as https://example.org/cards")
    return url
