"""The layout of a game folder: its files, its tables, and stray files."""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from deckwright.base.files import (
    UNSAFE_NAME,
    files_below,
    find_existing,
    is_file,
    is_folder,
    is_inside,
    list_folder,
    path_exists,
    resolve_path,
    to_nfc,
)
from deckwright.base.findings import Code, Diagnostic, Location, Severity, find_nearest
from deckwright.game.language import current_language
from deckwright.xmlio.binding import SOURCE, attr, bound, elements, read_model
from deckwright.xmlio.load import MAX_BYTES, FileLimits, file_limits, load_document, read_prefix
from deckwright.xmlio.node import Source
from deckwright.xmlio.shape import ID, NAME, TEXT, Value, one_of

TABLE_SUFFIXES = (".csv", ".tsv", ".xlsx", ".ods", ".json")
"""The suffixes of table files."""
AMOUNT = "amount"
"""The target of a column with the number of copies in a deck."""
CARD_FILE_SUFFIX = "_cards"
"""The end of a card file's stem, after the faction's id."""


_MARKUPS = one_of("html", "own")


@bound
class TableColumn(NamedTuple):
    """A column whose title is not the name of what it contains."""

    name: str | None = attr(
        "its title, or its letter if it has none or repeats another; left out for a value that "
        "all cards have",
        NAME,
    )
    to: str | None = attr(
        "what it contains: a field, `id`, `name`, `faction_id`, `kind`, the tag of children, "
        "or `amount`, how many copies of each card a deck has; left out for notes, which are "
        "ignored",
        ID,
    )
    value: str | None = attr("a value for all cards, instead of a title", TEXT)
    deck: str | None = attr(
        "for amounts, the name of their deck (default: that of the table)", NAME
    )
    separator: str | None = attr("the separator of several values in a cell (default: `;`)", TEXT)
    markup: str | None = attr("the markup of its texts (default: the table's)", _MARKUPS)
    source: Source | None = SOURCE


@bound
class CardTable(NamedTuple):
    """Cards in a spreadsheet, one row a card; it is read each time.

    Attributes:
        source: the element of `game.xml`, None for a file with the name of a card file.
    """

    path: Path = attr(
        "a file in xml/Factions: CSV, XLSX, ODS, or JSON with a list of objects",
        NAME,
        "file",
        convert=Path,
    )
    url: str | None = attr(
        "where the table is published, an address with `https://`; `deckwright pull` fetches "
        "the file from there",
        NAME,
    )
    tab: str | None = attr("the tab of the workbook, or where the list is in JSON", NAME)
    titles: int | None = attr(
        "the number of the row with the titles; `0`: there is none, and columns are named by "
        "their letters (default: the first row that is not empty)",
        Value(kind="integer", maximum=1000),
        convert=lambda text: int(text) if text.isdecimal() else None,
    )
    kind: str | None = attr("the kind of its cards (default: the only one)", ID)
    markup: str | None = attr(
        "`html`: its texts have tags such as `<b>` (default: `own`, such as `*bold*`)", _MARKUPS
    )
    faction: str | None = attr("the faction of cards that name none (default: the only one)", ID)
    deck: str | None = attr(
        "the name of the deck that the amounts form (default: the file's name)", NAME
    )
    columns: tuple[TableColumn, ...] = elements("column", 0, 200, default=())
    source: Source | None = SOURCE

    @property
    def deck_name(self) -> str:
        """The default name of the deck that its amounts define."""
        return self.deck or self.path.stem.removesuffix(CARD_FILE_SUFFIX)

    def deck_names(self) -> list[str]:
        """Return the names of the decks that it defines."""
        amounts = [column for column in self.columns if column.to == AMOUNT]
        names = [column.deck or self.deck_name for column in amounts]
        return names or ([self.deck] if self.deck else [])


def is_table(path: Path) -> bool:
    """Return whether a file has a suffix of a table."""
    return path.suffix.casefold() in TABLE_SUFFIXES


_FileState = tuple[int, int, FileLimits]


def _state_of(game_file: Path) -> _FileState | None:
    try:
        status = game_file.stat()
    except OSError:
        return None
    return status.st_size, status.st_mtime_ns, file_limits()


@lru_cache(maxsize=16)
def _suits_default_templates(game_file: Path, _state: _FileState | None) -> bool:
    # Only a `game.xml` begun from the shipped one has the terms that its templates show.
    return b'<vocabulary id="tinctures"' in (read_prefix(game_file, MAX_BYTES, []) or b"")


@lru_cache(maxsize=16)
def _load_tables(game_file: Path, _state: _FileState, cards_folder: Path) -> tuple[CardTable, ...]:
    # Most games have no tables, so their game.xml need not be parsed here.
    if b"<table" not in (read_prefix(game_file, MAX_BYTES, []) or b""):
        return ()
    root = load_document(game_file, [])
    nodes = root.children_named("table") if root else ()
    tables = (read_model(CardTable, node) for node in nodes if node.get("file"))
    return tuple(t._replace(path=find_existing(cards_folder / t.path)) for t in tables)


PACKAGE = Path(__file__).parent.parent
_PLAIN = PACKAGE / "plain"
"""The default templates that differ from those of the shipped game."""


def _defaults() -> Path:
    """Return the folder with the default game.xml and templates.

    A wheel packs them into `defaults/`; in a checkout they are those of the shipped game.
    """
    packed = PACKAGE / "defaults"
    return packed if packed.is_dir() else PACKAGE.parent.parent


def _visible_files(folder: Path, ending: str) -> list[Path]:
    """Return the files with an ending, without hidden ones such as editors' backups."""
    paths = (path for path in list_folder(folder) if path.name.endswith(ending))
    return [path for path in paths if not path.name.startswith((".", "~$"))]


def _find_ignoring_case(folder: Path, name: str) -> Path:
    """Return the folder of a name, or one whose name differs only in case.

    On case-insensitive file systems both are the same, and games made there must work elsewhere.
    """
    exact = folder / name
    if is_folder(exact) or not is_folder(folder):
        return exact
    inner = (path for path in list_folder(folder) if is_folder(path))
    return next((path for path in inner if path.name.casefold() == name.casefold()), exact)


def faction_id_of(path: Path) -> str:
    """Return the id of the faction in the name of a card file."""
    return to_nfc(path.name).removesuffix(f"{CARD_FILE_SUFFIX}.xml")


def is_game(path: Path) -> bool:
    """Return whether a folder is a game folder."""
    return is_folder(path / "xml")


def find_game_folder(path: Path) -> Path | None:
    """Return the game folder that has a path in its `xml` or `templates`, None if there is none."""
    places = (path.absolute(), *path.absolute().parents)
    homes = (place.parent for place in places if place.name in {"xml", "templates"})
    return next((home for home in homes if is_game(home)), None)


def xml_files_below(path: Path) -> Iterator[Path]:
    """Yield the XML files below a folder; for a game folder, those that belong to the game.

    Hidden files and links to folders are skipped.

    Raises:
        OSError: if a folder cannot be listed.
    """
    if is_game(path):
        yield from GameFolder(path).own_files()
        return
    for inner in list_folder(path):
        if inner.name.startswith("."):
            continue
        if is_folder(inner) and not inner.is_symlink():
            yield from xml_files_below(inner)
        elif inner.suffix == ".xml" and is_file(inner):
            yield inner


class GameFolder(NamedTuple):
    """A game folder and the files in it."""

    path: Path

    @property
    def xml(self) -> Path:
        """The folder of the XML files."""
        return self.path / "xml"

    @property
    def has_own_setup(self) -> bool:
        """True if it has a `game.xml`; otherwise that of the shipped game is used."""
        return path_exists(self.xml / "game.xml")

    @property
    def has_own_looks(self) -> bool:
        """False if the default templates are used.

        That is so without a `game.xml`, and with one like the shipped one but no templates.
        """
        if not self.has_own_setup:
            return False
        file = self.game_file
        return is_folder(self.path / "templates") or not _suits_default_templates(
            file, _state_of(file)
        )

    @property
    def images(self) -> Path:
        """The folder of the pictures."""
        return self.path / "img"

    @property
    def game_file(self) -> Path:
        """The game's own `game.xml`, or the one for folders in the fixed format."""
        home = self.path if self.has_own_setup else _defaults()
        return home / "xml" / "game.xml"

    @property
    def factions_file(self) -> Path:
        """The file of the factions, under either of its names."""
        other = self.xml / "factions_definitions.xml"
        return other if path_exists(other) else self.xml / "factions_definition.xml"

    @property
    def rules_file(self) -> Path:
        """The file of the special rules."""
        return self.xml / "rules.xml"

    @property
    def rulebook_file(self) -> Path:
        """The file of the rulebook."""
        return self.xml / "rulebook.xml"

    @property
    def cards_folder(self) -> Path:
        """The folder of the card files."""
        return _find_ignoring_case(self.xml, "Factions")

    @property
    def decks_folder(self) -> Path:
        """The folder of the deck lists."""
        return _find_ignoring_case(self.xml, "Decks")

    @property
    def restrictions_folder(self) -> Path:
        """The folder of the restriction lists."""
        return _find_ignoring_case(self.xml, "Restrictions")

    @property
    def words_folder(self) -> Path:
        """The folder of the word lists for generated deck names."""
        return _find_ignoring_case(self.xml, "Words")

    @property
    def languages_folder(self) -> Path:
        """The folder of the translations, a catalog for each language."""
        return self.xml / "lang"

    def catalogs(self) -> dict[str, Path]:
        """Return the catalogs by language."""
        return {path.stem: path for path in _visible_files(self.languages_folder, ".po")}

    def files(self) -> tuple[Path, ...]:
        """Return the game's files that a check reads, except templates and sheets."""
        tables = self.tables()
        may_lack = [self.rules_file, self.rulebook_file]
        needed = [self.game_file]
        (may_lack if tables else needed).append(self.factions_file)
        first = (*needed, *filter(path_exists, may_lack))
        return (*first, *self.card_files(), *tables, *self.restriction_files(), *self.deck_lists())

    def own_files(self) -> list[Path]:
        """Return all XML files that belong to the game, including templates, each once."""
        first = ("game", "factions_definition", "factions_definitions", "rules", "rulebook")
        paths = [self.xml / f"{name}.xml" for name in first]
        paths += [*_visible_files(self.cards_folder, ".xml"), *self.deck_lists()]
        paths += self.restriction_files()
        for name in ("sheets", "services", "cutters"):
            paths += _visible_files(self.xml / name, ".xml")
        templates = self.path / "templates"
        if is_inside(templates, self.path):
            below = (path for path in files_below(templates) if path.suffix == ".xml")
            paths += sorted(path for path in below if not path.name.startswith("."))
        return [path for path in paths if is_file(path)]

    def inputs(self) -> Iterator[Path]:
        """Yield the files that a print may depend on; links are not followed."""
        yield from self.files()
        yield from self.catalogs().values()
        for folder in (*self.template_folders, self.images, self.xml / "sheets"):
            if is_inside(folder, folder.parent):
                yield from files_below(folder)

    def cards_file(self, faction_id: str) -> Path:
        """Return the file of a faction's cards."""
        return find_existing(self.cards_folder / f"{faction_id}_cards.xml")

    def cards_source(self, faction_id: str) -> Path:
        """Return the file that most likely has the cards of a faction."""
        file, tables = self.cards_file(faction_id), self.tables()
        if path_exists(file) or not tables:
            return file
        own = (p for p, those in tables.items() if any(t.faction == faction_id for t in those))
        return next(own, next(iter(tables)))

    def card_files(self) -> list[Path]:
        """Return all card files."""
        return _visible_files(self.cards_folder, f"{CARD_FILE_SUFFIX}.xml")

    def tables(self) -> dict[Path, list[CardTable]]:
        """Return the tables of cards, by file."""
        tables: dict[Path, list[CardTable]] = {}
        file = self.game_file
        state = _state_of(file)  # errors in it are reported elsewhere
        for table in _load_tables(file, state, self.cards_folder) if state else ():
            tables.setdefault(table.path, []).append(table)
        for ending in TABLE_SUFFIXES:
            for path in _visible_files(self.cards_folder, f"{CARD_FILE_SUFFIX}{ending}"):
                # Its name is like that of a card file, `HK_cards.csv`.
                faction = to_nfc(path.stem).removesuffix(CARD_FILE_SUFFIX)
                tables.setdefault(path, [CardTable(path, faction=faction)])
        return tables

    def deck_lists(self) -> list[Path]:
        """Return all deck lists."""
        return _visible_files(self.decks_folder, ".xml")

    def table_decks(self) -> dict[Path, str]:
        """Return the names of decks that tables define, by the path of an equivalent deck list."""
        names = dict.fromkeys(
            name
            for tables in self.tables().values()
            for table in tables
            for name in table.deck_names()
        )
        places = {self.decks_folder / f"{UNSAFE_NAME.sub('-', name)}.xml": name for name in names}
        return {path: name for path, name in places.items() if not path_exists(path)}

    def deck_files(self) -> list[Path]:
        """Return the paths of all decks: deck lists, and equivalent paths for decks of tables."""
        return [*self.deck_lists(), *self.table_decks()]

    def deck_label(self, deck: Path) -> str:
        """Return the name of a deck for messages: its deck list, or its name in a table."""
        name = self.table_decks().get(deck)
        return deck.name if name is None else f"deck `{name}`"

    def deck_sources(self, deck: Path) -> list[Path]:
        """Return the files that define a deck: its deck list, or tables."""
        name = self.table_decks().get(deck)
        tables = self.tables().items() if name is not None else ()
        return [p for p, those in tables if any(name in t.deck_names() for t in those)] or [deck]

    def restriction_files(self) -> list[Path]:
        """Return all restriction lists."""
        return _visible_files(self.restrictions_folder, ".xml")

    def owns(self, path: Path) -> bool:
        """Return whether `path` is one of the game's files, or in a folder of the game."""
        path = resolve_path(path)
        names = ("sheets", "services", "cutters", "schema", "Words")
        folders = (self.path / "templates", *(self.xml / name for name in names))
        return path in {resolve_path(file) for file in self.files()} or any(
            path.is_relative_to(resolve_path(folder)) for folder in folders
        )

    @property
    def template_folders(self) -> tuple[Path, ...]:
        """The template folders: the game's own, and the default ones if it has no own looks.

        The default ones are those of the shipped game, without what is for its world alone.
        """
        own = self.path / "templates"
        return (own,) if self.has_own_looks else (own, _PLAIN, _defaults() / "templates")

    def template(self, name: str, style: str | None = None) -> Path:
        """Return a template: that of the style, else the game's own, else the bundled one.

        Before each comes that of the current language, in a folder of its code.
        """
        folders = self.template_folders
        if style is not None:
            folders = (*(folder / style for folder in folders), *folders)
        if (language := current_language()) is not None:
            code = language.code
            folders = tuple(place for folder in folders for place in (folder / code, folder))
        paths = [find_existing(folder / name) for folder in folders]
        return next((path for path in paths if is_file(path)), paths[-1])

    def styles(self) -> list[str]:
        """Return the names of the styles: the folders in `templates/`."""
        inner = (path for folder in self.template_folders for path in list_folder(folder))
        return sorted({path.name for path in inner if is_folder(path)} - self.catalogs().keys())

    def deck_file(self, name: str) -> Path:
        """Return the deck list for `name`, which is a path or a file in `xml/Decks`.

        The ending `.xml` is optional. The file need not exist.
        """
        names = [name] if name.endswith(".xml") else [name, f"{name}.xml"]
        candidates = [
            find_existing(path) for n in names for path in (Path(n), self.decks_folder / n)
        ]
        return next((path for path in candidates if is_file(path)), self.decks_folder / names[-1])


S011 = Code("S011", Severity.WARNING, "a file that is not used")

_KNOWN_FILES = ("game.xml", "rules.xml", "rulebook.xml")
_FACTION_FILES = ("factions_definition.xml", "factions_definitions.xml")
_FOLDERS = ("Factions", "Decks", "Restrictions", "sheets", "services", "schema", "Words", "lang")
_CARD_FILE_ENDING = "_cards.xml"
_MAX_TYPO = 2
"""The largest difference in length between a name and its misspelling."""


def find_stray_files(folder: GameFolder, factions: Iterable[str]) -> Iterator[Diagnostic]:
    """Yield findings about what is in `xml` and looks like the game's but is not read."""
    read = {folder.cards_folder, folder.decks_folder, folder.restrictions_folder}
    read |= {folder.words_folder, *(folder.xml / name for name in _FOLDERS)}
    known = {*_KNOWN_FILES, folder.factions_file.name}
    tables = folder.tables()
    for path in _visible_paths(folder.xml):
        similar: list[str] = []
        if is_folder(path):
            similar = [] if path in read else find_nearest(path.name, _FOLDERS)
        elif path.name in known:
            continue
        elif path.name in _FACTION_FILES:
            message = f"the file is not used because there is also `{folder.factions_file.name}`"
            yield S011.at(Location(path), message, "remove one of the two")
        elif place := _right_folder(path):
            what = "its contents" if path_exists(folder.xml / place) else "it"
            yield S011.at(Location(path), "the file is not used", f"move {what} to `xml/{place}`")
        else:
            similar = find_nearest(path.name, known)
        for name in similar:
            # A longer name next to the similar one is that of a copy.
            copied = abs(len(path.name) - len(name)) > _MAX_TYPO
            if not (copied and path_exists(path.with_name(name))):
                yield _stray_finding(path, name)
    for path in _visible_paths(folder.cards_folder):
        if path.suffix.casefold() == ".xml" and not path.name.endswith(_CARD_FILE_ENDING):
            stem = re.sub("_?cards?$", "", path.stem, flags=re.IGNORECASE)
            yield _stray_finding(
                path, (find_nearest(stem, factions) or [stem])[0] + _CARD_FILE_ENDING
            )
        elif is_table(path) and path not in tables and not path.name.startswith("~$"):
            hint = f'name it in game.xml with `<table file="{path.name}"/>`'
            yield S011.at(Location(path), "the file is not used", hint)


def _right_folder(path: Path) -> str | None:
    """Return where the deck list or card file at a path belongs; None if it is neither."""
    root = load_document(path, []) if path.suffix == ".xml" else None
    if root is None or root.tag != "data":
        return None
    if next(root.children_named("meta"), None):
        return f"Decks/{path.name}"
    factions = [card.get("faction_id") for card in root.children if card.get("name")]
    return f"Factions/{factions[0]}{_CARD_FILE_ENDING}" if any(factions[:1]) else None


def _visible_paths(folder: Path) -> list[Path]:
    """Return the entries of a folder without hidden files and editors' backups."""
    return [
        path
        for path in list_folder(folder)
        if not path.name.startswith((".", "#")) and not path.name.endswith("~")
    ]


def _stray_finding(path: Path, name: str) -> Diagnostic:
    """Return the finding that a path is not used because of its name."""
    what = "folder" if is_folder(path) else "file"
    taken = path_exists(path.with_name(name))
    hint = f"move its contents to `{name}`" if taken else f"rename it to `{name}`"
    return S011.at(Location(path), f"the {what} is not used", hint)
