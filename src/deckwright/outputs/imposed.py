"""Print the cards of PDF files that others made on sheets, with marks, backs and footers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import IO, NamedTuple

from deckwright.base.dates import date_of
from deckwright.base.findings import Code, Location, Report, Severity, has_errors
from deckwright.base.output import write_file
from deckwright.base.units import Mm
from deckwright.game.folder import GameFolder
from deckwright.game.load import load_setup
from deckwright.game.words import WORDS
from deckwright.outputs.card_sheets import arranged, card_sheets
from deckwright.outputs.cutters.files import write_cuts
from deckwright.outputs.foreign_cards import ForeignCards, PageOptions, read_cards
from deckwright.outputs.pages import footed
from deckwright.outputs.printed import Print
from deckwright.paint.pdf.forms import Leaves, write_forms
from deckwright.paint.pdf.info import Info
from deckwright.sheet.cutting import Layer
from deckwright.sheet.format import E003, load_format, misfit
from deckwright.sheet.pages import Page
from deckwright.sheet.reach import check_reach
from deckwright.sheet.setting import Setting, as_asked
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
    """Print the cards of a PDF file on sheets, as a PDF to `target`.

    Returns:
        what was printed; None after reporting what keeps it from being printed.
    """
    found = read_cards(path, options, report)
    setting = None if found is None else _setting(found, options, folder, report)
    if found is None or setting is None:
        return None
    sheets = card_sheets(found.cards, setting)
    fronts = arranged(sheets, apart=setting.apart)
    behind = [sheet.back for sheet in sheets if sheet.back is not None] if setting.apart else []
    files = {target: fronts, target.with_stem(f"{target.stem}_backs"): behind}
    files = {path: pages for path, pages in files.items() if pages}
    source = Source(path, found.file.title or path.stem, found.version, folder)
    for file, pages in files.items():
        if not write_foreign(pages, found.leaves, source, file, report):
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


def _setting(
    found: ForeignCards, options: PageOptions, folder: GameFolder, report: Report
) -> Setting | None:
    """Return how cards are laid out, None after reporting why they cannot be."""
    wanted = options.sheets
    sheet = load_format(wanted.sheet or _SHEET, folder.xml, None, report)
    if sheet is None:
        return None
    sheet = as_asked(sheet, wanted, report)
    if sheet is None:
        return None
    sizes = list(dict.fromkeys(card.size for card in found.cards))
    for width, height in sizes:
        wrong = misfit(sheet, width, height, scale=wanted.scale)
        if wrong is not None:
            message = f"the cards are {width:g} × {height:g} mm, but {wrong[0]}"
            report.append(E003.at(Location(found.file.path), message, wrong[1]))
    if has_errors(report):
        return None
    backs = any(card.back for card in found.cards)
    offset = wanted.offset if backs and not sheet.folded else (0, 0)
    check_reach(sheet, sizes, offset, folder.xml, report)
    if has_errors(report):
        return None
    least = min(
        (face.bleed for card in found.cards for face in (card.face, card.back) if face), default=0
    )
    if least < sheet.bleed - _SLACK:
        shown = f"the sheet `{sheet.name}` shows {sheet.bleed:g} mm of bleed"
        message = f"{shown}, but pages have {least:.2g} mm"
        hint = "name a sheet without bleed, or smaller cards with `--size`"
        report.append(L012.at(Location(found.file.path), message, hint))
    apart = backs and wanted.apart and not sheet.folded
    cuts = Layer.KISS_CUT if wanted.kiss_cut else Layer.CUT
    return Setting(sheet, backs, apart, wanted.offset, wanted.footer, cuts=cuts)


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
