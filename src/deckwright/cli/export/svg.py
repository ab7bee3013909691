"""`deckwright export svg`: faces as SVG files, sharp at any size."""

from __future__ import annotations

from pathlib import Path

from deckwright.base.findings import Report
from deckwright.base.units import Mm
from deckwright.cli import common
from deckwright.cli.export import common as pictures
from deckwright.cli.group import command
from deckwright.outputs.pictures import export_svg


@command("export svg HK3", "export svg HK --backs")
@pictures.which_options
def svg(
    cards: tuple[str, ...],
    game: Path,
    style: str | None,
    backs: bool,
    both: bool,
    bleed: Mm,
    out: Path | None,
    quiet: bool,
) -> None:
    """Draw faces as SVG files that need no fonts and no other files.

    CARDS are ids of cards or factions, names of cards, or ids of rules for the tokens they create.
    Without any, all cards and tokens are drawn.
    """
    folder = common.open_folder(game)
    wanted = pictures.wanted_faces(folder, cards, style, bleed, backs=backs, both=both)
    target = common.target_folder(folder.path / "out" / "svg", out)
    report: Report = []
    number = export_svg(folder, wanted, target, report)
    pictures.tell_pictures(number, target, report, quiet=quiet)
