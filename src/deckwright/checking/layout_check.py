"""Lay out every face of a game, to check what only the layout shows."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import partial
from importlib import import_module
from itertools import groupby
from pathlib import Path

from deckwright.base.files import inside
from deckwright.base.findings import (
    Code,
    Diagnostic,
    Location,
    Report,
    Severity,
    capped,
    has_errors,
)
from deckwright.base.limited import LimitedReport
from deckwright.base.numbers import counted
from deckwright.checking.sandbox import Ended, Limits, sandboxed
from deckwright.checking.stamps import LaidOut, Stamp
from deckwright.game.folder import PACKAGE, GameFolder
from deckwright.game.model import Game
from deckwright.images.drawings.rasterizing import is_rasterizing
from deckwright.text.fonts import load_fonts
from deckwright.xmlio.node import Document, Node

L007 = Code("L007", Severity.ERROR, "a game whose layout takes too long or too much memory")

_LIBRARIES = ("PIL.Image", "concurrent.futures")
"""What laying out imports."""


def check_layout(
    game: Game, folder: GameFolder, book: Node | None, limits: Limits | None, report: Report
) -> str | None:
    """Lay out all that can be printed, in every style, and open every image.

    What was laid out before without an error is not laid out again. It is done in a child; where
    that takes more than it may, or crashes, this is reported.

    Args:
        book: the root element of the rulebook, if there is one.
        limits: what the layout of a stranger's game may take; None for one's own game.

    Returns:
        How near to the edges of the paper the game's sheet prints, in words; None if that is not
        known.
    """
    stamp = _stamp(game, folder, book)
    known = stamp.read(LaidOut.decode)
    if known is not None:
        report += known.findings
        return known.margin
    # Here, so that a process that checks many games imports them once.
    for name in _LIBRARIES:
        import_module(name)
    from deckwright.checking.whole_layout import lay_out_all  # noqa: PLC0415 - imports much

    findings = LimitedReport()
    ended = sandboxed(partial(lay_out_all, game, folder, book), findings, limits)
    by_code = groupby(sorted(findings, key=lambda f: f.code.id), lambda f: f.code)
    shown = [finding for _, alike in by_code for finding in capped(alike)]
    report += shown
    if ended is not None:
        report.append(_explained(ended, limits, _documents(game, book), folder))
    from deckwright.sheet.extent import margin_line  # noqa: PLC0415 - as above

    margin = margin_line(game.setup, folder)
    if ended is None and not has_errors(findings):
        stamp.set(LaidOut(margin, shown).encode())
    return margin


def _explained(
    ended: Ended, limits: Limits | None, documents: Mapping[Path, Document], folder: GameFolder
) -> Diagnostic:
    """Return the finding that the layout was ended before its time."""
    place = Location(folder.game_file)
    for work in ended.doing:
        path = Path(work.path)
        if work.path and work.ordinal is not None and path in documents:
            place = documents[path].locate(work.ordinal)
        elif work.path:
            place = Location(path)
    # What stands in game.xml is all of the cards, or the like: of that, one thing was in work.
    inmost = [work for work in ended.doing if work.path != str(folder.game_file)]
    names = ", ".join(work.name for work in inmost or ended.doing[-1:]) or "the game"
    hint = "simplify that, or leave it out to see whether it is the cause"
    if ended.reason == "crash":
        reason = "crashes a library that Deckwright uses"
    elif limits is None:
        reason = "takes more memory than is available"
    elif ended.reason == "time":
        reason = f"takes more than {counted(limits.seconds, 'second')} of CPU time"
        hint += "; --max-seconds allows more"
    else:
        reason = f"takes more than {limits.megabytes} MB of memory"
        hint += "; --max-memory allows more"
    return L007.at(place, f"laying out {names} {reason}", hint)


def _documents(game: Game, book: Node | None) -> dict[Path, Document]:
    """Return the XML files that a game was read from."""
    sources = [game.setup.source, *(card.source for card in game.cards.values())]
    sources += [faction.source for faction in game.factions.values()]
    sources += [rule.source for rule in game.rules.values()]
    sources += [book.source] if book else []
    return {source.path: source.document for source in sources}


def _stamp(game: Game, folder: GameFolder, book: Node | None) -> Stamp:
    """Return the stamp of all that the layout of a game's faces depends on."""
    places = (folder.images, folder.xml / "sheets", *folder.template_folders, PACKAGE)
    files = {
        os.path.join(parent, name)  # noqa: PTH118 - a path for each of hundreds takes its time
        for place in places
        if inside(place, place.parent)
        for parent, folders, names in os.walk(place)
        for name in _without_bytecode(folders, names)
    }
    # A game's own fonts are among its templates; to read them is for the child.
    bundled = {key: font for key, font in game.setup.fonts.items() if font.family is not None}
    fonts = load_fonts(game.setup._replace(fonts=bundled), folder, [])
    files |= {str(font.path) for font in fonts.values()}
    # What was found says where, so files of the same text elsewhere are others.
    texts = [str(folder.path), str(folder.path.absolute())]
    texts += [document.text for document in _documents(game, book).values()]
    return Stamp([*texts, "rasterized"] if is_rasterizing() else texts, files)


def _without_bytecode(folders: list[str], names: list[str]) -> list[str]:
    """Return the names of files; take the folder of Python's bytecode out of those to walk."""
    if "__pycache__" in folders:
        folders.remove("__pycache__")
    return names
