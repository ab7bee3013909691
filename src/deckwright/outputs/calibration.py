"""Print the page that shows how far off a printer's second side is."""

from __future__ import annotations

from pathlib import Path
from typing import IO

from deckwright.base.dates import date_of
from deckwright.base.findings import Report
from deckwright.base.output import write_file
from deckwright.base.units import PAPERS
from deckwright.sheet.grid import Flip


def print_calibration(paper: str, flip: Flip, language: str, target: Path, report: Report) -> bool:
    """Write the two sides of the page; return whether that went well.

    Args:
        paper: a name of `units.PAPERS`.
        language: of what the page says, such as "de".
    """
    from deckwright.images.store import ImageStore  # noqa: PLC0415
    from deckwright.paint.pdf.document import write_pdf  # noqa: PLC0415
    from deckwright.paint.pdf.info import Info  # noqa: PLC0415
    from deckwright.sheet.calibration import calibration_pages  # noqa: PLC0415
    from deckwright.sheet.calibration_words import calibration_words  # noqa: PLC0415
    from deckwright.text.fonts import usual_fonts  # noqa: PLC0415
    from deckwright.text.shaping import HarfBuzzMetrics  # noqa: PLC0415 - only to print

    fonts = {font.id: font for font in usual_fonts().values()}
    pages = calibration_pages(*PAPERS[paper], flip, "text", HarfBuzzMetrics(fonts), language)
    title = calibration_words(language).title
    info = Info(title, "", "Deckwright", language, date_of([Path(__file__)]))

    def paint(stream: IO[bytes]) -> None:
        write_pdf(stream, pages, info, fonts, ImageStore())

    return write_file(target, paint, report)
