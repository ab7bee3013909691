"""`deckwright export png`: faces as PNG files."""

from __future__ import annotations

from pathlib import Path

from deckwright.base.findings import Report
from deckwright.base.units import Mm
from deckwright.cli import common
from deckwright.cli.export import common as pictures
from deckwright.cli.group import command
from deckwright.outputs.pictures import export_pictures


@command("export png HK3", "export png HK --both --bleed 3mm --dpi 600")
@pictures.which_options
@pictures.size_options
def png(
    cards: tuple[str, ...],
    game: Path,
    style: str | None,
    backs: bool,
    both: bool,
    bleed: Mm,
    out: Path | None,
    quiet: bool,
    dpi: float,
    size: tuple[int, int] | None,
) -> None:
    """Draw faces as PNG files.

    CARDS are ids of cards or factions, names of cards, or ids of rules for the tokens they create.
    Without any, all cards and tokens are drawn.
    """
    from deckwright.paint.raster import Encoding, Raster  # noqa: PLC0415 - opens pdfium

    folder = common.open_folder(game)
    wanted = pictures.wanted_faces(folder, cards, style, bleed, backs=backs, both=both)
    target = common.target_folder(folder.path / "out" / "png", out)
    report: Report = []
    number = export_pictures(folder, wanted, target, Raster(dpi, size), Encoding("png"), report)
    pictures.tell_pictures(number, target, report, quiet=quiet)
