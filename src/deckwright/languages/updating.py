"""Bring a catalog up to date with the texts of a game."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from deckwright.base.files import path_exists
from deckwright.base.findings import Location, Report
from deckwright.base.locales import find_locale
from deckwright.base.output import OutputError, write_data
from deckwright.base.strings import Translated
from deckwright.book.shape import load_rulebook
from deckwright.game import load
from deckwright.game.folder import GameFolder
from deckwright.game.language import use_language
from deckwright.game.model import Game
from deckwright.game.translation import (
    is_translatable,
    replace_book,
    replace_deck,
    replace_game,
    replace_setup,
    replace_template,
)
from deckwright.languages.catalog import (
    FUZZY,
    count_forms,
    format_catalog,
    key_of,
    map_entries,
    parse_for_writing,
    read_catalog,
    set_translation,
    translation_of,
)
from deckwright.xmlio.load import load_document
from deckwright.xmlio.node import Source

_LENGTH, _PLACEHOLDERS = "max-length:", "placeholders:"
"""The beginnings of flags that editors such as Weblate read."""
_SIGNS = re.compile(r"\{[^{}]*\}|<[^<>]*>|[\s*]")
"""The parts of a text that are not printed as letters."""
_PLACEHOLDER = re.compile(r"\{\{.*?\}\}|\{[^{}]*\}")


class PrintedText(NamedTuple):
    """A text of a game.

    Attributes:
        context: its path of ids, such as `card/HK:HK3/name`.
        text: for a word that is printed with numbers, the form for one.
        attribute: that holds it, "" for an element's contents.
        plural: the form of such a word for many, "" for other texts.
        note: on what it is printed, "" if its place tells enough.
    """

    context: str
    text: str
    source: Source
    attribute: str
    plural: str = ""
    note: str = ""

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
    notes: dict[str, str] = {}

    def note(context: str, text: str, source: Source, attribute: str) -> str:
        if is_translatable(context, text):
            forms = text.forms if isinstance(text, Translated) else (text, "")
            parts = context.split("/")
            remark = "".join(notes.get("/".join(parts[:end]), "") for end in (2, 3))
            known = PrintedText(context, forms[0], source, attribute, forms[-1], remark)
            found.setdefault((context, forms[0]), known)
        return text

    report: Report = []
    with use_language(None):
        setup = load.load_setup(folder, report)
        if setup is None:
            raise OutputError(*report)
        replace_setup(setup, note)
        game = load.load_game(folder, setup, report)
        notes |= _describe_entities(game)
        replace_game(game, note)
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


_MAX_NAMED = 4


def _describe_entities(game: Game) -> Iterator[tuple[str, str]]:
    """Yield the contexts of cards, tokens and rules, and on what their texts are printed."""
    users: dict[str, list[str]] = {}
    for card, faction_id, rule_id in game.printable_cards():
        name = f"{card.kind.name} {card.name}"
        for used in card.rule_ids():
            users.setdefault(used, []).append(card.name)
        if rule_id:
            yield f"token/{card.id}", name
        elif faction_id in game.factions:
            yield f"card/{card.faction_id}:{card.id}", f"{name}, {game.factions[faction_id].name}"
    for rule_id, names in users.items():
        different = [*dict.fromkeys(names)]
        more = f" and {len(different) - _MAX_NAMED} more" if different[_MAX_NAMED:] else ""
        yield f"rule/{rule_id}", f"on {', '.join(different[:_MAX_NAMED])}{more}"


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


def measure_lengths(folder: GameFolder) -> Mapping[str, int]:
    """Return how many characters fit where the texts of faces are printed, by their letters.

    Raises:
        OutputError: if the game cannot be read.
    """
    from deckwright.faces.factory import FaceFactory  # updates lay out nothing else

    report: Report = []
    rooms: dict[str, int] = {}
    with use_language(None):
        setup = load.load_setup(folder, report)
        if setup is None:
            raise OutputError(*report)
        game = load.load_game(folder, setup, report)
        factory = FaceFactory(game, folder, report)
        factory.drawing_context = factory.drawing_context._replace(rooms=rooms)
        for card, faction_id, _ in game.printable_cards():
            for part in range(1, card.parts + 1):
                factory.card_face(card, faction_id, report, part)
                factory.card_back(card, faction_id, report, part)
    return {_SIGNS.sub("", text): room for text, room in rooms.items()}


def update_catalog(
    folder: GameFolder, path: Path, lengths: Mapping[str, int] | None = None
) -> UpdateCounts:
    """Bring a catalog up to date, or begin one.

    Args:
        lengths: the new lengths of texts, as `measure_lengths` has them; None to keep the known.

    Raises:
        OutputError: if the game or the catalog cannot be read, or the latter not written.
    """
    before = read_catalog(path) if path_exists(path) else b""
    catalog, counts = merge_texts(list_texts(folder), path, before, folder, lengths)
    data = format_catalog(catalog)
    if data != before:
        write_data(path, data)
    return counts


def merge_texts(
    texts: Sequence[PrintedText],
    path: Path,
    before: bytes,
    folder: GameFolder,
    lengths: Mapping[str, int] | None = None,
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
        catalog = parse_for_writing(path, before)
    else:
        catalog = polib.POFile()
        catalog.metadata = {
            "Language": path.stem,
            "MIME-Version": "1.0",
            "Content-Type": "text/plain; charset=UTF-8",
            "Content-Transfer-Encoding": "8bit",
        }
    catalog.metadata.setdefault("Plural-Forms", find_locale(path.stem).plurals)
    number = count_forms(catalog)
    old = {key_of(entry): entry for entry in catalog}
    wanted = {(text.context, text.text) for text in texts}
    gone: dict[str, list[Any]] = {}
    for key, entry in old.items():
        if key not in wanted and not entry.obsolete:
            gone.setdefault(key[0], []).append(entry)
    alike: dict[str, str] = {}
    for entry in map_entries(catalog).values():
        if entry.msgstr and not entry.fuzzy:
            alike.setdefault(entry.msgid, entry.msgstr)  # plurals are rarely the same
    added = changed = 0
    entries: list[Any] = []
    for text in texts:
        entry = old.get((text.context, text.text))
        if entry is not None:
            entry.obsolete = False
        else:
            entry = polib.POEntry(msgctxt=text.context, msgid=text.text)
            entry.msgid_plural = text.plural
            last = gone[text.context].pop(0) if gone.get(text.context) else None
            added += last is None
            changed += last is not None
            if last is not None and translation_of(last):
                entry.tcomment, entry.previous_msgid = last.tcomment, last.msgid
                set_translation(entry, translation_of(last))
                entry.flags = [*dict.fromkeys((*last.flags, FUZZY))]
                set_translation(last, "")  # its translation lives on
            elif text.text in alike:
                set_translation(entry, alike[text.text])
                entry.flags = [FUZZY]
        _update_entry(entry, text, number)
        if lengths is not None:
            length = lengths.get(_SIGNS.sub("", text.text), 0)
            _set_flag(entry, _LENGTH, str(max(length, len(text.text))) if length else "")
        entry.occurrences = [(_relative(text.place, folder), str(text.place.line))]
        entries.append(entry)
    kept = {id(entry) for entry in entries}
    removed = 0
    for entry in old.values():
        if id(entry) not in kept:
            removed += not entry.obsolete
            entry.obsolete, entry.occurrences = True, []
            if translation_of(entry):  # what was never translated is not worth keeping
                entries.append(entry)
    catalog[:] = entries
    current = map_entries(catalog).values()
    missing = sum(not translation_of(entry) for entry in current)
    fuzzy = sum(entry.fuzzy and translation_of(entry) != "" for entry in current)
    return catalog, UpdateCounts(len(texts), added, changed, removed, fuzzy, missing)


def _update_entry(entry: Any, text: PrintedText, number: int) -> None:
    """Give an entry the plural forms, the note and the placeholders of its text.

    Args:
        number: how many forms plurals have.
    """
    if entry.msgid_plural != text.plural:
        former = translation_of(entry)
        entry.msgid_plural, entry.msgstr, entry.msgstr_plural = text.plural, "", {}
        set_translation(entry, former if text.plural else former.split("\n")[-1])
        if former and not entry.fuzzy:
            entry.flags.append(FUZZY)
    if text.plural:
        for form in range(number):
            proposed = entry.msgstr_plural.get(0, "") if entry.fuzzy else ""
            entry.msgstr_plural.setdefault(form, proposed)
    entry.comment = text.note
    found = dict.fromkeys(_PLACEHOLDER.findall(text.text))
    # A comma would separate flags, and a quotation mark end the placeholder.
    named = [f'"{each}"' for each in found if not {",", '"', "\\"} & {*each}]
    _set_flag(entry, _PLACEHOLDERS, ":".join(named))


def _set_flag(entry: Any, name: str, value: str) -> None:
    """Replace the flag of an entry that starts with `name`; remove it if the value is ""."""
    kept = [flag for flag in entry.flags if not flag.startswith(name)]
    entry.flags = [*kept, *[name + value] * bool(value)]


def _relative(place: Location, folder: GameFolder) -> str:
    path = place.path
    return (path.relative_to(folder.path) if path.is_relative_to(folder.path) else path).as_posix()
