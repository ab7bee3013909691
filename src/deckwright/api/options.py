"""Options of the library: keyword arguments, checked and resolved against a game."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal, TypedDict

from deckwright.base.files import to_nfc
from deckwright.base.findings import (
    ChoiceError,
    Diagnostic,
    Report,
    known_hint,
    require_known,
    sort_findings,
)
from deckwright.checks.loading import LimitOptions
from deckwright.game.decklist import CardSelection
from deckwright.game.folder import GameFolder
from deckwright.game.load import check_folders
from deckwright.xmlio.shape import DAY

if TYPE_CHECKING:
    from deckwright.base.units import Mm
    from deckwright.outputs.services.export import PressSettings as PressOptions
    from deckwright.outputs.services.profile import Service
    from deckwright.sheet.cutters import Cutter
    from deckwright.sheet.layout import SheetOptions
    from deckwright.sheet.printers import Printer


class GameError(Exception):
    """Raised if errors in the game make an operation impossible.

    Attributes:
        findings: the errors with their locations, possibly with warnings among them.
    """

    def __init__(self, findings: Iterable[Diagnostic]) -> None:
        """Store the findings without duplicates, sorted by location."""
        self.findings: tuple[Diagnostic, ...] = tuple(sort_findings(findings))
        super().__init__("\n".join(map(str, self.findings)))


class Sheets(TypedDict, total=False):
    """The layout of cards on sheets. Missing keys default to the game's or the format's settings.

    Attributes:
        sheet: the name of a sheet format, such as "letter-poker".
        scale: "fit" scales faces to the slots of a sheet made for cards of another size.
        turn: whether cards are turned if more of them fit on a sheet that way.
        backs: whether backs are printed.
        backs_apart: whether they are printed to a file of their own.
        flip: the edge that the printer flips paper on, "long" or "short".
        back_offset: how far backs are moved, right and down, in mm.
        printer: the name of a calibrated printer, which sets flip, offset and margins.
        marks: the kind of cutting marks, such as "crop" or "lines".
        footer: whether sheets have a ruler and a footer; true if left out.
        fill: whether the last sheet is filled with spare tokens.
        cut: the cutting machine to make marks and cut files for, such as "silhouette".
        kiss_cut: whether it cuts only through stickers, not through their backing.
        watermark: a text across all faces; True for the game's word for a draft, False for none,
            None for what `game.xml` says.
    """

    sheet: str | None
    scale: Literal["none", "fit"]
    turn: bool | None
    backs: bool | None
    backs_apart: bool
    flip: str | None
    back_offset: tuple[Mm, Mm] | None
    printer: str | Printer | None
    marks: str | None
    footer: bool
    fill: bool
    cut: str | None
    kiss_cut: bool
    watermark: str | bool | None


class PressPrint(TypedDict, total=False):
    """The options for a print shop's press: inks, profile and PDF/X.

    Attributes:
        service: the id of a print service that takes PDFs, one of `Game.services`; None for a
            desktop printer.
        icc: the file of an ICC profile for CMYK, or a part of the name of a known one; "none" for
            RGB; None for the best match.
        pdfx: the part of PDF/X to conform to; None for the one that the service requires.
        state_pdfx: whether the file says which part of PDF/X it is.
        anyway: whether to write files that will not print well.
    """

    service: str | None
    icc: Path | str | None
    pdfx: Literal["x-1a", "x-4"] | None
    state_pdfx: bool
    anyway: bool


class PressProofOptions(TypedDict, total=False):
    """The options of proofs that show faces as a press prints them.

    Attributes:
        sides: which sides are drawn.
        style: one of `Game.styles`.
        dpi: pixels per inch; 150 if left out.
        service: the print service whose ink limit applies, and whose profile if `icc` names none;
            `press` if left out.
        icc: the file of an ICC profile for CMYK, or a part of the name of a known one.
        watermark: a text across all faces, as in `Sheets`.
    """

    sides: Literal["faces", "backs"]
    style: str | None
    dpi: float
    service: str
    icc: Path | str | None
    watermark: str | bool | None


class Limits(TypedDict, total=False):
    """The limits that decks are checked against. They default to those of the deck's format.

    Attributes:
        ignore_limits: whether limits are ignored.
        limits: the id of a format of the game, whose limits apply.
        limit: replacement numbers for limits, by id; None switches one off.
        date: the day whose list of restrictions applies, such as "2026-03-01"; that of the
            newest list if left out.
    """

    ignore_limits: bool
    limits: str | None
    limit: Mapping[str, int | None]
    date: str | None


class GamePrint(Sheets, Limits, total=False):
    """The options for printing all decks: those of `Sheets` and `Limits`.

    Attributes:
        reference: as in `DeckPrint`.
        draft: whether they are printed despite errors, with a mark across each faulty face and the
            game's word for a draft in the footers.
    """

    reference: bool | None
    draft: bool


class DeckPrint(GamePrint, total=False):
    """The options for printing decks: those of `Sheets` and `Limits`, and a selection of cards.

    Attributes:
        style: one of `Game.styles`.
        reference: whether it is printed with the rule reference; as the game sets for the style
            if left out.
        odds: whether it is printed with the odds of its opening hand.
        only: the ids or names of the only cards to print; all if empty.
        copies: how many of each card, instead of as many as the deck has.
        changed_since: an earlier print's manifest or PDF; only what has changed is printed.
        slips: whether slips for sleeves are printed instead of cards: only their texts, black on
            white, without backs and pages of text.
        slip_trim: how much narrower and shorter than cards slips are, in mm; 1 if left out.
    """

    style: str | None
    odds: bool
    only: Iterable[str]
    copies: int | None
    changed_since: Path | str | None
    slips: bool
    slip_trim: Mm | None


class RunPrint(DeckPrint, total=False):
    """The options for printing a run: on sheets, as in `DeckPrint`, or for a print service.

    Attributes:
        boxes: whether each deck gets a tuck box, printed for it alone.
        paper: that of the boxes: "a4", "a3", "letter" or "12x12".
        service: the id of the print service: one of `Game.services`; None for sheets.
        size, tokens, icc, pdfx, state_pdfx, inks, stock, foil, anyway: as for
            `Deck.export_service`.
    """

    boxes: bool
    paper: str | None
    service: str | None
    size: str | None
    tokens: bool
    icc: Path | str | None
    pdfx: Literal["x-1a", "x-4"] | None
    state_pdfx: bool
    inks: Literal["separations", "pages", "none"] | None
    stock: str | None
    foil: bool
    anyway: bool


class BalanceOptions(Limits, total=False):
    """The options of a balance report: what cards are worth and cost, and which decks are searched.

    Attributes:
        worth: what cards are worth, such as "strength + 2*actions"; as `game.xml` says if left out.
        cost: what they cost, in the same way.
        factions: the ids of the factions to examine; all if empty.
        best: how many of the best decks to find.
        apart: the least number of copies in which each differs from all before it.
        time: how many seconds the search may take for each faction.
    """

    worth: str | None
    cost: str | None
    factions: Iterable[str]
    best: int
    apart: int
    time: float


class PackagePrint(Limits, total=False):
    """The contents of a package for a print shop, and the service that it is made for.

    Attributes:
        service: the id of the print service: one of `Game.services`; "press" if left out.
        sets: how many sets are ordered; a blank line to fill in if left out.
        paper: that of the job ticket, "a4" or "letter".
        style: one of `Game.styles`.
        boxes, markers, rulebook: whether these are included; true if left out.
        scale, tokens, icc, pdfx, state_pdfx, inks, anyway: as for `Deck.export_service`.
    """

    service: str
    sets: int | None
    paper: str
    style: str | None
    boxes: bool
    markers: bool
    rulebook: bool
    scale: Literal["none", "fit"]
    tokens: bool
    icc: Path | str | None
    pdfx: Literal["x-1a", "x-4"] | None
    state_pdfx: bool
    inks: Literal["separations", "pages", "none"] | None
    anyway: bool


def require_readable_folders(folder: GameFolder) -> None:
    """Raise a GameError if a folder of a game cannot be read."""
    report: Report = []
    check_folders(folder, report)
    if report:
        raise GameError(report)


def resolve_style(folder: GameFolder, style: str | None) -> str | None:
    """Return a style of the game, None for the default one.

    Raises:
        ChoiceError: if the style does not exist.
    """
    if style is not None:
        require_known(style, folder.styles(), "style")
    return style


def resolve_limits(folder: GameFolder, limits: Limits) -> LimitOptions:
    """Return the limits that decks are checked against.

    Raises:
        ChoiceError: if a format or limit does not exist, a limit has no number, or the date is
            invalid.
    """
    from deckwright.game.load import load_setup  # noqa: PLC0415 - only with limits

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


def resolve_choice(
    only: Iterable[str] = (), copies: int | None = None, since: Path | str | None = None
) -> CardSelection:
    """Return the selection of a deck's cards."""
    names = tuple(to_nfc(name.strip()) for name in only)
    return CardSelection(names, copies, None if since is None else Path(since))


def resolve_sheet(folder: GameFolder, sheets: Sheets) -> SheetOptions:
    """Return the sheet options of keyword arguments.

    Raises:
        ChoiceError: if a sheet, edge, mark or machine does not exist, or two options contradict
            each other.
        GameError: if the printer does not exist, or the profile of the machine has errors.
    """
    from deckwright.sheet.grid import Flip, Marks  # noqa: PLC0415 - only to print
    from deckwright.sheet.layout import SheetOptions  # noqa: PLC0415

    sheet, flip, marks = sheets.get("sheet"), sheets.get("flip"), sheets.get("marks")
    backs, apart = sheets.get("backs"), sheets.get("backs_apart", False)
    if sheet is not None:
        from deckwright.game.load import load_setup  # noqa: PLC0415 - only if it is named
        from deckwright.sheet.layout import list_formats, suggest_formats  # noqa: PLC0415

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


def resolve_marker_sheet(
    folder: GameFolder, sheets: Sheets, other_options: Mapping[str, object]
) -> SheetOptions | None:
    """Return the sheet whose slots hold markers, None for marker sheets of their own.

    Args:
        other_options: options for marker sheets only, by their names on the command line.

    Raises:
        ChoiceError: as `resolve_sheet` does, or if an option contradicts the sheet.
        GameError: as `resolve_sheet` does.
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
    return resolve_sheet(folder, sheets)


def resolve_cutter(
    folder: GameFolder, name: str | None, *, kiss_cut: bool = False
) -> Cutter | None:
    """Return a cutting machine, None if none is named.

    Args:
        kiss_cut: whether stickers are kiss-cut, which needs a machine.

    Raises:
        ChoiceError: if the machine does not exist, or is needed but not named.
        GameError: if its profile has errors.
    """
    if name is None:
        if kiss_cut:
            raise ChoiceError("--kiss-cut is for machines", "name one with `--cut`")
        return None

    from deckwright.outputs.cutters.profile import (  # noqa: PLC0415 - only for machines
        cutter_names,
        load_cutter,
    )

    require_known(name, cutter_names(folder.xml), "cutting machine")
    report: Report = []
    cutter = load_cutter(name, folder.xml, report)
    if cutter is None:
        raise GameError(report)
    return cutter


def resolve_printer(printer: str | Printer) -> Printer:
    """Return a calibrated printer, given as such or by its name.

    Raises:
        GameError: if there is no printer of that name.
    """
    if not isinstance(printer, str):
        return printer

    from deckwright.sheet.printers import find_printer  # noqa: PLC0415

    report: Report = []
    calibrated = find_printer(printer, report)
    if calibrated is None:
        raise GameError(report)
    return calibrated


def resolve_service(  # noqa: PLR0913 - as many as the command has options
    folder: GameFolder,
    name: str,
    *,
    size: str | None,
    icc: Path | None,
    state_pdfx: bool,
    pdfx: str | None = None,
    inks: str | None = None,
    stock: str | None = None,
    foil: bool = False,
) -> Service:
    """Return a print service.

    Args:
        size, icc, stated, pdfx, inks, stock, foil: the options of the order, as in
            `Deck.export_service`.

    Raises:
        ChoiceError: if the service does not exist, or does not support an option.
        GameError: if its profile has errors.
    """
    from deckwright.outputs.services.profile import (  # noqa: PLC0415 - only for services
        FileKind,
        SpotHandling,
        load_service,
        service_names,
    )

    require_known(name, service_names(folder.xml), "print service")
    report: Report = []
    service = load_service(name, folder.xml, report)
    if service is None:
        raise GameError(report)
    ids = [one.id for one in service.sizes]
    if size is not None and size not in ids:
        message = f"{service.name} makes no cards of size `{size}`"
        if not ids:
            message = f"{service.name} makes cards of any size, so it takes no `--size`"
        raise ChoiceError(message, known_hint(size, ids))
    if icc is not None and service.color.value == "rgb":
        raise ChoiceError(f"{service.name} takes RGB, so `--icc` does not apply")
    if pdfx is not None:
        if service.files is FileKind.PICTURES or service.color.value == "rgb":
            raise ChoiceError(f"{service.name} takes no PDF in CMYK, so `--pdfx` does not apply")
        service = service._replace(pdfx=PDFX_VERSIONS[pdfx])
    if inks is not None:
        if inks == "separations" and service.files is FileKind.PICTURES:
            raise ChoiceError(f"{service.name} takes pictures, which have no separations")
        service = service._replace(spots=SpotHandling(inks))
    if state_pdfx and service.pdfx is None:
        raise ChoiceError(f"{service.name} does not ask for PDF/X")
    return _choose_stock(service, stock, foil=foil)


def _choose_stock(service: Service, stock: str | None, *, foil: bool) -> Service:
    """Return a print service with a chosen card stock and foil.

    Raises:
        ChoiceError: if the stock does not exist, or not with foil.
    """
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


def resolve_press(
    folder: GameFolder,
    options: PressPrint | None,
    excluded: Mapping[str, object] = MappingProxyType({}),
) -> PressOptions | None:
    """Return the options for a press, None to print on a desktop printer.

    Args:
        excluded: options that exclude a press, by name.

    Raises:
        ChoiceError: if the service does not exist, or does not take PDF files.
        GameError: if its profile has errors.
    """
    if options is None:
        return None
    name, icc, stated = options.get("service"), options.get("icc"), options.get("state_pdfx", False)
    if name is None:
        given = next((key for key in options if options.get(key)), None)
        if given is not None:
            message = f"--{given.replace('_', '-')} is for a press"
            raise ChoiceError(message, "name a print service with `--service`, such as `press`")
        return None
    for option, value in excluded.items():
        if value:
            raise ChoiceError(f"--{option} and --service cannot be used together")

    from deckwright.outputs.services.export import PressSettings as PressOptions  # noqa: PLC0415
    from deckwright.outputs.services.profile import FileKind  # noqa: PLC0415

    rgb = icc == "none"
    path = None if icc is None or rgb else Path(icc)
    service = resolve_service(
        folder, name, size=None, icc=path, state_pdfx=stated, pdfx=options.get("pdfx")
    )
    if service.files is not FileKind.PDF:
        message = f"{service.name} takes only pictures of cards"
        raise ChoiceError(message, "name a service that takes PDFs, such as `press`")
    return PressOptions(service, path, rgb, options.get("anyway", False), stated)


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
