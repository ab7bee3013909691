"""A folder of pictures of cards: which is the face or the back of which card, and how many.

Names say it, as other tools have them: `Fox_back.png` is behind `Fox.png`, `back.png` behind all
others, `Fox x3.png` and `3x Fox.png` are three cards. Folders may say it, too: `fronts` and `backs`
as exports have them, and `front`, `back` and `double_sided`, whose pictures are behind those of
the same name, as silhouette-card-maker has them
(https://github.com/Alan-Cha/silhouette-card-maker). Or a CSV file does, with the columns of the
orders that `export tgc` writes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from deckwright.base.files import belongs, is_folder
from deckwright.base.findings import Code, Location, Report, Severity, known_hint
from deckwright.grids.csv import read_csv
from deckwright.grids.table import Cell
from deckwright.xmlio.load import X006

E063 = Code("E063", Severity.ERROR, "a folder of pictures that cannot be laid out as cards")

MOST = 5_000
"""How many pictures a folder may have."""
_MOST_COPIES = 999
_ENDINGS = frozenset({".png", ".jpg", ".jpeg"})
_FRONTS, _BACKS, _DOUBLE = ("fronts", "front"), ("backs", "back"), ("double_sided",)
_COLUMNS = {
    "front": ("front", "face", "file", "picture", "image"),
    "back": ("back",),
    "quantity": ("quantity", "copies", "amount", "count"),
}
"""What columns of the CSV file may be called."""
_AMOUNT = re.compile(
    r"(?P<before>[0-9]{1,3}) ?[x×][ _-]+(?P<one>.+)|(?P<two>.+?)[ _-]+[x×] ?(?P<after>[0-9]{1,3})"
)
_SIDE = re.compile(
    r"(?P<name>(?:card|.*?(?:[ _-]|(?=[\[(])))?)[\[(]?(?P<side>front|face|back)[\])]?",
    re.IGNORECASE,
)
_COMMON = frozenset({"", "card", "cards", "common", "default"})
"""What is before `back` in the name of the back of all."""


class Pictured(NamedTuple):
    """A card of a folder of pictures.

    Attributes:
        back: the picture of its back, None if there is none.
    """

    face: Path
    back: Path | None
    copies: int


class _Name(NamedTuple):
    """What the name of a picture says."""

    name: str
    copies: int
    side: str


def read_folder(folder: Path, back: Path | None, report: Report) -> list[Pictured] | None:
    """Return the cards of a folder of pictures, None after reporting what is wrong with it.

    Args:
        back: the picture of the back of all cards that have none of their own.
    """
    before = len(report)
    try:
        found = _Folder(folder)
        tables = sorted(_files(folder, frozenset({".csv"})))
    except OSError as error:
        message = f"cannot list the folder: {error.strerror}"
        report.append(X006.at(Location(Path(error.filename or folder)), message))
        return None
    for path in found.pictures:
        if not belongs(path, folder):
            message = "the picture is a link that leads out of the folder"
            report.append(E063.at(Location(path), message, "put a copy of it into the folder"))
    if len(found.pictures) > MOST:
        message = f"there are {len(found.pictures):,} pictures, at most {MOST:,} are laid out"
        report.append(E063.at(Location(folder), message, "lay out fewer at a time"))
    if len(report) > before:
        return None
    found.pair(back)
    table = next((path for path in tables if path.name.casefold() == "cards.csv"), None)
    if table is None and len(tables) > 1:
        names = ", ".join(f"`{path.name}`" for path in tables[:3])
        message = f"several CSV files could say how many of each card there are: {names}"
        report.append(E063.at(Location(folder), message, "call the right one `cards.csv`"))
    table = table or next(iter(tables), None)
    if table is None:
        found.report_unpaired(report)
    cards = found.cards() if table is None else [*_read_list(table, found, folder, report)]
    if len(report) == before and not cards:
        message = "there is no picture of a card, PNG or JPEG, in the folder"
        hint = "put faces into it, or into a folder `fronts` in it"
        report.append(E063.at(Location(folder), message, hint))
    return cards if len(report) == before else None


def _files(folder: Path, endings: frozenset[str]) -> Iterator[Path]:
    """Yield the files of a folder with one of these endings, but for hidden ones.

    Raises:
        OSError: if the folder cannot be listed.
    """
    for path in folder.iterdir():
        if path.suffix.casefold() in endings and not path.name.startswith("."):
            yield path


def _natural(path: Path) -> tuple[object, ...]:
    """Return what names are sorted by, so that 10 comes after 9."""
    parts = re.split(r"([0-9]{1,9})", path.name.casefold())
    return (*((int(part), "") if part.isdecimal() else (-1, part) for part in parts), path.name)


def _parse_name(path: Path) -> _Name:
    """Return what the name of a picture says."""
    name, copies, side = path.stem, 1, ""
    for _ in range(2):  # `Fox_back x3` and `Fox x3_back` alike
        if amount := _AMOUNT.fullmatch(name):
            name, copies = amount["one"] or amount["two"], int(amount["before"] or amount["after"])
        elif told := _SIDE.fullmatch(name):
            name, side = told["name"], side or told["side"].casefold()
    return _Name(name.strip(" _-").casefold(), copies, side)


class _Folder:
    """The pictures of a folder.

    Attributes:
        pictures: all of them.
    """

    def __init__(self, folder: Path) -> None:
        """List them.

        Raises:
            OSError: if that is not possible.
        """

        def of(names: Sequence[str]) -> list[Path]:
            inner = [path for path in folder.iterdir() if path.name.casefold() in names]
            return [path for each in inner if is_folder(each) for path in _files(each, _ENDINGS)]

        own = sorted(_files(folder, _ENDINGS), key=_natural)
        self._fronts = sorted(of(_FRONTS), key=_natural)
        self._backs, self._double = of(_BACKS), of(_DOUBLE)
        self._apart = frozenset(self._backs)
        if not self._fronts:
            self._fronts = [path for path in own if _parse_name(path).side != "back"]
        self._backs += (path for path in own if _parse_name(path).side == "back")
        self.pictures = [*self._fronts, *self._backs, *self._double]
        self._behind: dict[str, Path] = {}
        self._common: Path | None = None

    def pair(self, common: Path | None) -> None:
        """Find out which back is whose.

        Args:
            common: the picture of the back of all; None if the folder may have it.
        """
        names = {_parse_name(path).name: path for path in self._fronts}
        left: list[Path] = []
        for path in (*self._backs, *self._double):
            name = _parse_name(path).name
            if name in names:
                self._behind[name] = path
            else:
                left.append(path)
        usual = [path for path in left if _parse_name(path).name in _COMMON]
        apart = [path for path in left if path in self._apart]
        if len(usual) == 1 or (len(apart) == 1 and not usual):
            self._common = (usual or apart)[0]
        self._common = common or self._common
        self._left = [path for path in left if path != self._common and common is None]

    def report_unpaired(self, report: Report) -> None:
        """Report backs that are behind no face."""
        stems = [path.stem for path in self._fronts]
        for path in self._left:
            hint = known_hint(path.stem, stems, at_most=0)
            message = "the picture is the back of no face"
            report.append(
                E063.at(Location(path), message, hint or "call it as its face, with `_back`")
            )

    def back_of(self, face: Path) -> Path | None:
        """Return the picture that is behind a face."""
        return self._behind.get(_parse_name(face).name, self._common)

    def cards(self) -> list[Pictured]:
        """Return the cards, as names say."""
        return [
            Pictured(path, self.back_of(path), _parse_name(path).copies) for path in self._fronts
        ]

    def find(self, folder: Path, name: str) -> Path | None:
        """Return the picture that a CSV file calls by a name or a path in the folder."""
        asked = (folder / name.replace("\\", "/")).as_posix().casefold()
        for path in self.pictures:
            own = path.as_posix().casefold()
            if asked in {own, own.removesuffix(path.suffix.casefold())}:
                return path
        bare = name.casefold()
        named = [
            path for path in self.pictures if bare in {path.name.casefold(), path.stem.casefold()}
        ]
        return named[0] if len(named) == 1 else None


def _read_list(table: Path, found: _Folder, folder: Path, report: Report) -> Iterator[Pictured]:
    """Yield the cards that a CSV file lists; what is wrong in it is reported."""
    known = [title for titles in _COLUMNS.values() for title in titles]
    grid = read_csv(table, "cards", known, report)
    if grid is None:
        return
    rows = [row for row in grid.rows if any(cell.text.strip() for cell in row)]
    titles = [cell.text.strip().casefold() for cell in rows[0]] if rows else []
    columns = {
        column: next((titles.index(name) for name in names if name in titles), None)
        for column, names in _COLUMNS.items()
    }
    if columns["front"] is None:
        message = "the table has no column `front`, which names the pictures of faces"
        report.append(E063.at(Location(table), message, "begin it with a row of titles"))
        return
    for row in rows[1:]:
        card = _card(row, columns, found, folder, report)
        if card is not None:
            yield card


def _card(
    row: Sequence[Cell],
    columns: Mapping[str, int | None],
    found: _Folder,
    folder: Path,
    report: Report,
) -> Pictured | None:
    """Return the card of a row, None if there are no copies of it, or after reporting why not."""

    def cell(column: str) -> Cell | None:
        at = columns[column]
        said = row[at] if at is not None and at < len(row) else None
        return said if said is not None and said.text.strip() else None

    def picture(column: str) -> Path | None:
        said = cell(column)
        path = said and found.find(folder, said.text.strip())
        if said is not None and path is None:
            hint = known_hint(said.text, [each.name for each in found.pictures], at_most=0)
            message = f"there is no picture `{said.text.strip()}` in the folder"
            report.append(E063.at(said.place, message, hint or "name a PNG or JPEG in it"))
        return path

    face, back, said = picture("front"), picture("back"), cell("quantity")
    if face is None:
        return None
    text = said.text.strip() if said else "1"
    if not (text.isascii() and text.isdecimal() and len(text) <= 4 and int(text) <= _MOST_COPIES):  # noqa: PLR2004
        assert said is not None
        message = f"`{text}` is no number of copies"
        report.append(E063.at(said.place, message, f"write a number from 0 to {_MOST_COPIES}"))
        return None
    return Pictured(face, back or found.back_of(face), int(text)) if int(text) else None
