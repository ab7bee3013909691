"""Bring a catalog up to date with the texts of a game."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from deckwright.base.files import path_exists, read_file
from deckwright.base.findings import Location, Report
from deckwright.base.output import OutputError, write_data
from deckwright.book.shape import load_rulebook
from deckwright.game import load
from deckwright.game.folder import GameFolder
from deckwright.game.language import use_language
from deckwright.game.translation import (
    is_translatable,
    replace_book,
    replace_deck,
    replace_game,
    replace_setup,
    replace_template,
)
from deckwright.languages.catalog import (
    MAX_BYTES,
    format_catalog,
    iter_entries,
    keep_width,
    parse_catalog,
)
from deckwright.xmlio.load import load_document
from deckwright.xmlio.node import Source

FUZZY = "fuzzy"
"""The flag of a translation that needs a look."""


class PrintedText(NamedTuple):
    """A text of a game.

    Attributes:
        context: its path of ids, such as `card/HK:HK3/name`.
        attribute: that holds it, "" for an element's contents.
    """

    context: str
    text: str
    source: Source
    attribute: str

    @property
    def place(self) -> Location:
        """Its place in the game's files."""
        return self.source.at(self.attribute or None)


def list_texts(folder: GameFolder) -> list[PrintedText]:
    """Return the printed texts of a game, each once, in the order of its files.

    Raises:
        OutputError: if the game cannot be read.
    """
    found: dict[tuple[str, str], PrintedText] = {}

    def note(context: str, text: str, source: Source, attribute: str) -> str:
        if is_translatable(context, text):
            found.setdefault((context, text), PrintedText(context, text, source, attribute))
        return text

    report: Report = []
    with use_language(None):
        setup = load.load_setup(folder, report)
        if setup is None:
            raise OutputError(*report)
        replace_setup(setup, note)
        replace_game(load.load_game(folder, setup, report), note)
        for path in folder.deck_files():
            if deck := load.load_deck(path, folder, setup, report):
                replace_deck(deck, note)
        if path_exists(folder.rulebook_file) and (book := load_rulebook(folder, report)):
            replace_book(book, note)
        home, codes = folder.path / "templates", folder.catalogs().keys()
        for path in folder.own_files():
            if path.is_relative_to(home) and codes.isdisjoint(path.relative_to(home).parts):
                root = load_document(path, report)
                if root is not None:
                    replace_template(root, path.name, note)
    return [*found.values()]


class UpdateCounts(NamedTuple):
    """The entries of a catalog after an update.

    Attributes:
        added, changed, removed: how many texts are new, have another source, or are gone.
        fuzzy, missing: how many translations need a look, or are missing.
    """

    texts: int
    added: int
    changed: int
    removed: int
    fuzzy: int
    missing: int


def update_catalog(folder: GameFolder, path: Path) -> UpdateCounts:
    """Bring a catalog up to date, or begin one.

    Raises:
        OutputError: if the game or the catalog cannot be read, or the latter not written.
    """
    before = read_file(path, MAX_BYTES) if path_exists(path) else b""
    catalog, counts = merge_texts(list_texts(folder), path, before, folder)
    data = format_catalog(catalog)
    if data != before:
        write_data(path, data)
    return counts


def merge_texts(
    texts: Sequence[PrintedText], path: Path, before: bytes, folder: GameFolder
) -> tuple[Any, UpdateCounts]:  # a polib.POFile
    """Return a catalog of all texts of a game with their translations, and what is new in it.

    A text with a new source keeps its translation as fuzzy, with the former source; the same text
    elsewhere proposes its translation; the entries of texts that are gone become obsolete.

    Args:
        before: the content of the catalog's file, empty for a new one.

    Raises:
        OutputError: if the catalog cannot be read.
    """
    import polib  # for translators, not for each print

    if before:
        catalog = parse_catalog(path, before)
        keep_width(catalog, before)
    else:
        catalog = polib.POFile()
        catalog.metadata = {
            "Language": path.stem,
            "MIME-Version": "1.0",
            "Content-Type": "text/plain; charset=UTF-8",
            "Content-Transfer-Encoding": "8bit",
        }
    old = {(entry.msgctxt or "", entry.msgid): entry for entry in catalog}
    wanted = {(text.context, text.text) for text in texts}
    gone: dict[str, list[Any]] = {}
    for (context, _), entry in old.items():
        if (context, entry.msgid) not in wanted and not entry.obsolete:
            gone.setdefault(context, []).append(entry)
    alike: dict[str, str] = {}
    for entry in iter_entries(catalog):
        if entry.msgstr and not entry.fuzzy:
            alike.setdefault(entry.msgid, entry.msgstr)
    added = changed = 0
    entries: list[Any] = []
    for text in texts:
        entry = old.get((text.context, text.text))
        if entry is not None:
            entry.obsolete = False
        else:
            entry = polib.POEntry(msgctxt=text.context, msgid=text.text)
            last = gone[text.context].pop(0) if gone.get(text.context) else None
            added, changed = added + (last is None), changed + (last is not None)
            if last is not None and last.msgstr:
                entry.comment, entry.tcomment = last.comment, last.tcomment
                entry.msgstr, entry.previous_msgid = last.msgstr, last.msgid
                entry.flags = [*last.flags, *[FUZZY] * (FUZZY not in last.flags)]
                last.msgstr = ""  # its translation lives on
            elif text.text in alike:
                entry.msgstr, entry.flags = alike[text.text], [FUZZY]
        entry.occurrences = [(_relative(text.place, folder), str(text.place.line))]
        entries.append(entry)
    kept = {id(entry) for entry in entries}
    removed = 0
    for entry in old.values():
        if id(entry) not in kept:
            removed += not entry.obsolete
            entry.obsolete, entry.occurrences = True, []
            if entry.msgstr:  # what was never translated is not worth keeping
                entries.append(entry)
    catalog[:] = entries
    used = [*iter_entries(catalog)]
    fuzzy = sum(entry.fuzzy for entry in used)
    missing = sum(not entry.msgstr for entry in used)
    return catalog, UpdateCounts(len(texts), added, changed, removed, fuzzy, missing)


def _relative(place: Location, folder: GameFolder) -> str:
    path = place.path
    return (path.relative_to(folder.path) if path.is_relative_to(folder.path) else path).as_posix()
