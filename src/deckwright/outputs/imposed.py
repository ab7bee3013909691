"""Print cards of PDF files and pictures that others made on sheets, with marks, backs, footers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import IO, NamedTuple

from deckwright.base.dates import date_of
from deckwright.base.files import is_folder
from deckwright.base.findings import Code, Location, Report, Severity, has_errors
from deckwright.base.names import as_text
from deckwright.base.output import write_file
from deckwright.base.units import Mm
from deckwright.game.folder import GameFolder
from deckwright.game.load import load_setup
from deckwright.game.words import WORDS
from deckwright.ops.model import DrawImage, walk
from deckwright.outputs.card_sheets import arranged, card_sheets
from deckwright.outputs.cutters.files import write_cuts
from deckwright.outputs.foreign_cards import ForeignCard, PageOptions, read_cards
from deckwright.outputs.pages import footed
from deckwright.outputs.picture_cards import PictureCards, mend_bleed, read_pictures
from deckwright.outputs.printed import Print
from deckwright.paint.pdf.document import write_pdf
from deckwright.paint.pdf.forms import Leaves, write_forms
from deckwright.paint.pdf.info import Info
from deckwright.sheet.cutting import Layer
from deckwright.sheet.format import E003, load_format, misfit
from deckwright.sheet.grid import SheetFormat
from deckwright.sheet.impose import scale_of
from deckwright.sheet.pages import Page
from deckwright.sheet.reach import check_reach
from deckwright.sheet.setting import Setting, SheetOptions, as_asked
from deckwright.text.fonts import Font, usual_fonts
from deckwright.text.shaping import HarfBuzzMetrics

L012 = Code("L012", Severity.WARNING, "cards with less bleed than their sheet shows")

_SHEET = "a4"
"""The sheet where none is named."""
_SLACK: Mm = 0.05
"""Nobody sees that so much bleed is missing."""


class Source(NamedTuple):
    """Where pages come from, for the footers and the metadata of what is made of them.

    Attributes:
        folder: the game whose words are printed, if it is one; its sheets can be named.
        inputs: the files that it was made of, whose date it bears, if these are not itself.
    """

    path: Path
    title: str
    version: str
    folder: GameFolder
    inputs: tuple[Path, ...] = ()


def print_imposed(
    path: Path,
    target: Path,
    options: PageOptions,
    folder: GameFolder,
    report: Report,
) -> Print | None:
    """Print the cards of a PDF file, or of a folder of pictures, on sheets, as a PDF to `target`.

    Returns:
        what was printed; None after reporting what keeps it from being printed.
    """
    pictures = is_folder(path)
    found = (read_pictures if pictures else read_cards)(path, options, report)
    sheet = None if found is None else _sheet(options.sheets, folder, report)
    if found is None or sheet is None:
        return None
    if isinstance(found, PictureCards):
        scale = max(scale_of(card.face, sheet.fitted(*card.size)) for card in found.cards)
        whole = mend_bleed(found, sheet.bleed / scale, options.mend, report)
        setting = _setting(
            found.cards if options.mend == "none" else whole.cards,
            *(path, sheet, options, folder, report),
        )
        found = whole
    else:
        setting = _setting(found.cards, path, sheet, options, folder, report)
    if setting is None:
        return None
    sheets = card_sheets(found.cards, setting)
    fronts = arranged(sheets, apart=setting.apart)
    behind = [sheet.back for sheet in sheets if sheet.back is not None] if setting.apart else []
    files = {target: fronts, target.with_stem(f"{target.stem}_backs"): behind}
    files = {path: pages for path, pages in files.items() if pages}
    for file, pages in files.items():
        if isinstance(found, PictureCards):
            written = _write_pictures(pages, found, folder, file, report)
        else:
            source = Source(path, found.file.title or as_text(path.stem), found.version, folder)
            written = write_foreign(pages, found.leaves, source, file, report)
        if not written:
            return None
    cuts = write_cuts(fronts, options.sheets.cutter, target, report)
    if cuts is None:
        return None
    return Print(
        tuple(files),
        sum(map(len, files.values())),
        len(sheets),
        empty=sum(sheet.empty for sheet in sheets),
        cuts=cuts,
    )


def _sheet(options: SheetOptions, folder: GameFolder, report: Report) -> SheetFormat | None:
    """Return the sheet that is asked for, None after reporting why it cannot be had."""
    sheet = load_format(options.sheet or _SHEET, folder.xml, None, report)
    return None if sheet is None else as_asked(sheet, options, report)


def _setting(
    cards: Sequence[ForeignCard],
    path: Path,
    sheet: SheetFormat,
    options: PageOptions,
    folder: GameFolder,
    report: Report,
) -> Setting | None:
    """Return how cards of a file or a folder are laid out, None after reporting why not."""
    wanted = options.sheets
    sizes = list(dict.fromkeys(card.size for card in cards))
    for width, height in sizes:
        wrong = misfit(sheet, width, height, scale=wanted.scale)
        if wrong is not None:
            message = f"the cards are {width:g} × {height:g} mm, but {wrong[0]}"
            report.append(E003.at(Location(path), message, wrong[1]))
    if has_errors(report):
        return None
    backs = any(card.back for card in cards)
    offset = wanted.offset if backs and not sheet.folded else (0, 0)
    check_reach(sheet, sizes, offset, folder.xml, report)
    if has_errors(report):
        return None
    least = min(
        (face.bleed for card in cards for face in (card.face, card.back) if face), default=0
    )
    if least < sheet.bleed - _SLACK:
        shown = f"the sheet `{sheet.name}` shows {sheet.bleed:g} mm of bleed"
        message = f"{shown}, but pages have {least:.2g} mm"
        hint = "name a sheet without bleed, or smaller cards with `--size`"
        report.append(L012.at(Location(path), message, hint))
    apart = backs and wanted.apart and not sheet.folded
    cuts = Layer.KISS_CUT if wanted.kiss_cut else Layer.CUT
    return Setting(sheet, backs, apart, wanted.offset, wanted.footer, cuts=cuts)


def _write_pictures(
    pages: Sequence[Page], found: PictureCards, folder: GameFolder, target: Path, report: Report
) -> bool:
    """Write pages on which pictures of a folder stand; return whether that went well."""
    words, language = spoken(folder)
    fonts = {font.id: font for font in usual_fonts().values()}
    title = as_text(found.path.resolve().name)
    drawn = {
        op.path for card in found.cards for op in walk(card.face.ops) if isinstance(op, DrawImage)
    }
    date = date_of(sorted(drawn))
    finished = list(footed(pages, title, words, date, HarfBuzzMetrics(fonts), "text"))
    info = Info(title, "", "", language, date)

    def paint(stream: IO[bytes]) -> None:
        write_pdf(stream, finished, info, fonts, found.store)

    return write_file(target, paint, report)


def spoken(folder: GameFolder) -> tuple[Mapping[str, str], str]:
    """Return the words that are printed, and their language: English where there is no game."""
    setup = load_setup(folder, []) if folder.has_own_setup else None
    return (setup.words, setup.language) if setup else (WORDS, "en")


def write_foreign(
    pages: Sequence[Page],
    leaves: Leaves,
    source: Source,
    target: Path,
    report: Report,
    others: Mapping[str, Font] = MappingProxyType({}),
) -> bool:
    """Write pages on which pages of another file stand; return whether that went well.

    Args:
        others: the fonts of what is on the pages besides, by id.
    """
    words, language = spoken(source.folder)
    fonts = {**{font.id: font for font in usual_fonts().values()}, **others}
    date = date_of(source.inputs or (source.path,))
    finished = list(footed(pages, source.title, words, date, HarfBuzzMetrics(fonts), "text"))
    info = Info(source.title, "", "" if source.inputs else source.path.name, language, date)

    def paint(stream: IO[bytes]) -> None:
        write_forms(stream, finished, leaves, info, fonts, source.version)

    return write_file(target, paint, report)
