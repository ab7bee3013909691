"""Export decks for virtual tables: load and check, compose, draw sheets of pictures, write objects.

Everything that is wrong goes into the report. The object is written last, so that it never shows
pictures that are not there.
"""

from __future__ import annotations

from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

from deckwright.base.findings import Diagnostic, Report
from deckwright.base.output import write_data
from deckwright.checks.loading import Rules
from deckwright.faces.factory import FaceFactory
from deckwright.game.folder import GameFolder
from deckwright.outputs.tabletop.pictures import (
    Format,
    encoded,
    pictures_of,
    thumbnail,
)
from deckwright.outputs.tabletop.piles import Pile, Sheet, sheets_of
from deckwright.outputs.tabletop.ready import ready_piles
from deckwright.outputs.tabletop.saved_object import Urls, saved_object

PICTURES = "pictures"
"""The folder of the sheets, beside the saved objects."""


class TabletopOptions(NamedTuple):
    """How a deck is exported, as `Deck.export_tts` says.

    Without `url`, the pictures are where they are written to, which is good for one player alone.
    """

    url: str | None = None
    form: Format = "auto"
    style: str | None = None
    rules: Rules = Rules()


class Tabled(NamedTuple):
    """A deck that was exported.

    Attributes:
        path: the saved object.
        pictures: the pictures that it shows.
        findings: the warnings.
    """

    name: str
    path: Path
    piles: tuple[Pile, ...]
    sheets: tuple[Sheet, ...]
    pictures: tuple[Path, ...]
    findings: tuple[Diagnostic, ...] = ()


def export_deck(
    folder: GameFolder, deck_path: Path, target: Path, options: TabletopOptions, report: Report
) -> Tabled | None:
    """Write a deck as a saved object of Tabletop Simulator, with its pictures.

    Args:
        target: the saved object. Beside it come its thumbnail and the folder of sheets.

    Returns:
        what was written; None after reporting why it was not.
    """
    ready = ready_piles(folder, deck_path, options.style, options.rules, report)
    if ready is None:
        return None
    game, deck, piles, factory = ready
    sheets = sheets_of(piles)
    written = _write_sheets(sheets, target, factory, options, report)
    if written is None:
        return None
    urls, paths = written
    text = saved_object(game, deck, piles, sheets, urls)
    picture = encoded(thumbnail(piles[0].cards[0], factory.fonts, factory.pictures.store), "png")[1]
    for path, data in ((target.with_suffix(".png"), picture), (target, text.encode())):
        if not write_data(path, data, report):
            return None
    return Tabled(deck.name, target, piles, tuple(sheets), tuple(paths))


def _write_sheets(
    sheets: list[Sheet],
    target: Path,
    factory: FaceFactory,
    options: TabletopOptions,
    report: Report,
) -> tuple[dict[int, Urls], list[Path]] | None:
    """Draw and write the pictures of sheets one after another, so that only one is in memory.

    Returns:
        where they are found, by the numbers of their sheets, and their files; None after reporting
        what could not be written.
    """
    urls: dict[int, Urls] = {}
    paths: list[Path] = []
    for sheet in sheets:
        found = []
        for picture in pictures_of(sheet, target.stem):
            drawn = picture.draw(factory.fonts, factory.pictures.store)
            ending, data = encoded(drawn, options.form)
            path = target.parent / PICTURES / f"{picture.name}.{ending}"
            if not write_data(path, data, report):
                return None
            paths.append(path)
            found.append(url_of(path, data, options.url))
        urls[sheet.number] = Urls(*found)
    return urls, paths


def url_of(path: Path, data: bytes, base: str | None) -> str:
    """Return where a picture is found.

    Tabletop Simulator keeps what it has once downloaded under its URL, so that the URL of a picture
    must change when the picture does. It writes paths of files as they are, without escapes.

    Args:
        base: where it will be hosted; None for the file itself.
    """
    if base is None:
        return f"file:///{path.resolve().as_posix().lstrip('/')}"
    version = blake2b(data, digest_size=4).hexdigest()
    return f"{base.rstrip('/')}/{quote(path.name)}?v={version}"
