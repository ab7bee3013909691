"""Try fonts as print does: open them, measure with them, embed what is set in them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from pathlib import Path

from deckwright.base.findings import Code, Severity, shortened
from deckwright.base.limited import LimitedReport
from deckwright.base.output import CannotMakeError
from deckwright.base.work import doing
from deckwright.game.folder import GameFolder
from deckwright.game.model import Game
from deckwright.game.setup import FontFamily
from deckwright.text.fonts import STYLES, T007, Font, load_fonts
from deckwright.text.paragraphs import MOST_MISSING, listed
from deckwright.text.shaping import HarfBuzzMetrics

T023 = Code("T023", Severity.WARNING, "a bold or italic text in a font that has none")

L014 = Code("L014", Severity.WARNING, "color glyphs printed in one color")


def try_fonts(game: Game, folder: GameFolder, report: LimitedReport) -> list[Font] | None:
    """Open the fonts that are the game's own; return them, None if not all can be used."""
    own = {family.id: family for family in game.setup.fonts.values() if family.family is None}
    if not own:
        return []
    before = len(report)
    with doing("the fonts", folder.game_file):
        fonts = load_fonts(game.setup._replace(fonts=own), folder, report)
    if len(report) > before:
        return None
    from deckwright.paint.pdf.fonts import open_font  # noqa: PLC0415 - imports ReportLab

    metrics = HarfBuzzMetrics({font.id: font for font in fonts.values()})
    for (family, style), font in fonts.items():
        try:
            with doing(f"the font `{family}`", font.path):
                metrics.vertical(font.id)
                metrics.shape(font.id, "x")
                open_font(font)
        except MemoryError:
            raise
        except Exception as error:  # noqa: BLE001 - the libraries raise what they meet
            said = style if style in own[family].files else "regular"
            message = f"the font `{own[family].files[said]}` is damaged: {error.__cause__ or error}"
            place = own[family].source.at(said)
            report.append(T007.at(place, message, "save or copy it again, or use another one"))
    return [*fonts.values()] if len(report) == before else None


def check_styles(
    families: Iterable[FontFamily],
    fonts: Mapping[str, Font],
    metrics: HarfBuzzMetrics,
    report: LimitedReport,
) -> None:
    """Report styles that families lack, although texts are set in them.

    Args:
        fonts: all of the game, by id.
        metrics: by what all texts of the game were measured.
    """
    for family in families:
        for style in STYLES:
            font = fonts.get(f"{family.id}-{style}")
            said = max(metrics.texts(font.id), key=len, default="") if font else ""
            if font is None or not font.stands_for or not said:
                continue
            report.append(
                T023.at(
                    family.source.at(),
                    f"the font `{family.id}` has no {style}, in which `{shortened(said)}` is set",
                    f'add a file as `{style}="…"`, the regular one if that is to be printed'
                    if family.family is None
                    else "set it in another font",
                )
            )


def check_colors(
    families: Iterable[FontFamily], metrics: HarfBuzzMetrics, report: LimitedReport
) -> None:
    """Report letters that fonts have in colors, for print has their outlines alone.

    Args:
        metrics: by what all texts of the game were measured.
    """
    for family in families:
        if family.family is None:
            colored = {one for style in STYLES for one in metrics.colored(f"{family.id}-{style}")}
            if colored:
                shown = listed(sorted(colored)[:MOST_MISSING])
                message = f"the font `{family.id}` has {shown} in colors, but prints one color"
                hint = "use pictures or symbols for what is to have colors"
                report.append(L014.at(family.source.at(), message, hint))


def try_embedding(fonts: Collection[Font], metrics: HarfBuzzMetrics, report: LimitedReport) -> None:
    """Embed what is set in fonts; a file that cannot be embedded is told once.

    Args:
        metrics: by what all texts of the game were measured.
    """
    if not fonts:
        return
    files = {font.path: font for font in fonts}
    used: dict[Path, set[str]] = {path: set() for path in files}
    for font in fonts:
        used[font.path].update(metrics.used(font.id))
    from deckwright.paint.pdf.fonts import embed  # noqa: PLC0415 - imports ReportLab

    for path, font in files.items():
        try:
            with doing(f"the font `{path.name}`", path):
                embed(font, "".join(sorted(used[path])))
        except CannotMakeError as error:
            report.append(error.finding)
