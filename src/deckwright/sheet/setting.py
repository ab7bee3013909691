"""How the cards of one print are laid out on sheets: the format, and what the user asks for."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from deckwright.base.findings import Report, has_errors
from deckwright.base.units import PAPERS, Mm
from deckwright.checks.loading import Rules
from deckwright.game.decklist import EVERYTHING, Choice
from deckwright.game.setup import Setup
from deckwright.game.words import WatermarkText
from deckwright.ops.model import Face
from deckwright.sheet.cutting import Cutter, Layer, for_machine
from deckwright.sheet.format import check_fit, load_format
from deckwright.sheet.grid import Flip, Marks, SheetFormat
from deckwright.sheet.margins import Margins
from deckwright.sheet.reach import check_reach
from deckwright.sheet.slug import LEAST_EDGE


class SheetOptions(NamedTuple):
    """What a user asks of a print; None for as the game or the format has it.

    Attributes:
        sheet: the name of the format.
        scale: whether faces are scaled to the slots.
        turn: whether cards are turned where more fit then.
        backs: whether backs are printed.
        apart: whether backs are pages of a file of their own.
        offset: by how much backs are moved, right and down, as the printer needs it.
        unreached: the edges that the printer leaves white.
        footer: whether sheets have a ruler and a footer.
        cutter: the machine that cuts the sheets; None if people do.
        kiss_cut: whether it cuts through the stickers that cards are, but not the paper below.
        reference: whether decks are printed with their rule references.
        odds: whether decks are printed with the odds of their opening hands.
        fill: whether slots that stay empty get spare tokens.
        choice: which cards are printed.
        draft: whether to print in spite of errors, with a mark across each faulty face.
        watermark: the text across all faces.
        style: the folder in `templates/` whose templates come first.
        rules: the limits by which decks are checked.
        slips: by how much slips for sleeves, which are printed in the place of cards, are narrower
            and lower than these; None to print cards.
    """

    sheet: str | None = None
    scale: bool = False
    turn: bool | None = None
    backs: bool | None = None
    apart: bool = False
    flip: Flip | None = None
    marks: Marks | None = None
    offset: tuple[Mm, Mm] = (0, 0)
    unreached: Margins = Margins()
    footer: bool = True
    cutter: Cutter | None = None
    kiss_cut: bool = False
    reference: bool | None = None
    odds: bool = False
    fill: bool = False
    choice: Choice = EVERYTHING
    draft: bool = False
    watermark: WatermarkText = None
    style: str | None = None
    rules: Rules = Rules()
    slips: Mm | None = None


AS_THE_GAME_SAYS = SheetOptions()


class Setting(NamedTuple):
    """A format with the options for it.

    Attributes:
        format: the sheet format; what it leaves to the card is filled in for each size of cards.
        backs: whether backs are printed.
        reference: whether decks are printed with their rule references; None if only those are that
            have cards with no room for the texts of their rules.
        odds: whether they are printed with the odds of their opening hands.
        cuts: what a machine does along the edges of cards.
    """

    format: SheetFormat
    backs: bool = False
    apart: bool = False
    offset: tuple[Mm, Mm] = (0, 0)
    footer: bool = True
    reference: bool | None = True
    odds: bool = False
    cuts: Layer = Layer.CUT

    def paper(self, faces: Sequence[Face]) -> tuple[Mm, Mm] | None:
        """Return the size of the sheets, as those of the first face lie.

        None if the format has no paper of its own, as with one card a page.
        """
        sheet = self.format
        if not sheet.page_width:
            return None
        if faces:
            sheet = sheet.fitted(faces[0].width, faces[0].height)
        return sheet.page_width, sheet.page_height


def load_setting(
    setup: Setup, xml_folder: Path, options: SheetOptions, report: Report
) -> Setting | None:
    """Return how a game's cards are laid out, None after reporting why they cannot be."""
    named_at = setup.sheet_source if options.sheet is None else None
    sheet = load_format(options.sheet or setup.sheet, xml_folder, named_at, report)
    if sheet is None:
        return None
    if options.slips is not None:
        sheet = _for_slips(sheet)
    asked = as_asked(sheet, options, report)
    if asked is None:
        return None
    sheet = asked
    kinds = setup.kinds.values()
    check_fit(sheet, kinds, report, scale=options.scale)
    if has_errors(report):
        return None
    backs = setup.backs if options.backs is None else options.backs
    if sheet.folded and options.backs is None:
        backs = True
    backs = backs and options.slips is None
    offset = options.offset if backs and not sheet.folded else (0, 0)
    check_reach(sheet, [(kind.width, kind.height) for kind in kinds], offset, xml_folder, report)
    if has_errors(report):
        return None
    apart = backs and options.apart and not sheet.folded
    styles = setup.reference_styles
    reference = options.reference
    if reference is None and (styles is None or options.style in styles):
        reference = True
    cuts = Layer.KISS_CUT if options.kiss_cut else Layer.CUT
    return Setting(
        sheet, backs, apart, options.offset, options.footer, reference, options.odds, cuts
    )


def _for_slips(sheet: SheetFormat) -> SheetFormat:
    """Return a format of the same paper for slips: edge to edge, so that one cut frees two."""
    width, height = (sheet.page_width, sheet.page_height) if sheet.page_width else PAPERS["a4"]
    margin = max(sheet.margin, LEAST_EDGE)
    return SheetFormat(
        sheet.name, width, height, 0, 0, 0, 0, margin=margin, marks=Marks.LINES, flip=sheet.flip
    )


def as_asked(sheet: SheetFormat, options: SheetOptions, report: Report) -> SheetFormat | None:
    """Return a format with what a user asks to have otherwise, None after reporting why not."""
    if options.turn and not sheet.labels:
        sheet = sheet._replace(columns=0, rows=0, left=None, top=None)
    sheet = sheet._replace(
        flip=options.flip or sheet.flip,
        marks=options.marks or sheet.marks,
        unreached=options.unreached,
        turn=sheet.turn if options.turn is None else options.turn,
        scaled=options.scale,
    )
    return sheet if options.cutter is None else for_machine(sheet, options.cutter, report)
