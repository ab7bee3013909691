"""Check the texts of books: every character, icon and symbol must exist."""

from __future__ import annotations

from itertools import islice

from deckwright.base.findings import MAX_FINDINGS, Code, Report, Severity, known_hint
from deckwright.book.model import Text
from deckwright.book.text import icons_of, rich_of
from deckwright.faces.factory import FaceFactory
from deckwright.game.braces import lone_braces
from deckwright.templates.compose import L002, L013, T012
from deckwright.text.paragraphs import lacking, missing_characters, unset, unset_characters
from deckwright.text.richtext import UnknownSymbolError
from deckwright.text.shaping import icon_outline
from deckwright.xmlio.node import Source

R022 = Code("R022", Severity.ERROR, "an icon that does not exist in the text of a book")


def check_text(
    text: Text,
    source: Source,
    font: str,
    factory: FaceFactory,
    report: Report,
    attribute: str | None = None,
) -> None:
    """Report characters that a font lacks, and icons and symbols that do not exist.

    Args:
        source, attribute: where the text stands.
        font: the family that it is printed in.
    """
    studio = factory.studio
    try:
        rich = rich_of(text, {}, None, studio.symbols, studio.hyphens.language)
    except UnknownSymbolError as error:
        message = f"the game has no symbol `{error.name}`"
        known = known_hint(error.name, studio.symbols)
        report.append(T012.at(source.at(attribute), message, known))
        return
    place = source.at(attribute)
    prose = "".join(span.text for span in text if not span.code)
    if braces := lone_braces(prose, studio.symbols, place, "the text"):
        report.append(braces)
    metrics = studio.metrics
    if characters := unset_characters(rich):
        report.append(L013.at(place, *unset(characters)))
        return
    missing = missing_characters(rich, font, metrics)
    if missing:
        report.append(L002.at(place, *lacking(font, missing, metrics)))
    unknown = (icon for icon in icons_of(rich) if not _is_icon(icon))
    for icon in islice(unknown, MAX_FINDINGS):
        from deckwright.text.icon_search import icon_hint  # noqa: PLC0415 - only if there is none

        report.append(R022.at(place, f"there is no icon `{icon}`", icon_hint(icon)))


def _is_icon(name: str) -> bool:
    try:
        icon_outline(name)
    except KeyError:
        return False
    return True
