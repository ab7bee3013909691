"""Find the pictures of cards that name none, by search patterns.

The patterns are `find` and `default` of an image field: `{{ card.id }}.*` is the file named by the
card's id, with any suffix. Of several patterns, separated by `|`, the first with a file is used.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from deckwright.base.files import list_folder, stays_inside, to_nfc
from deckwright.game.kinds import Field, is_search_pattern
from deckwright.game.model import Card, Faction

PICTURE_SUFFIXES = ("svg", "png", "jpg", "jpeg", "webp", "gif", "tif", "tiff", "bmp")
"""The suffixes that `.*` stands for, in order of preference."""

_PLACEHOLDER = re.compile(r"\{\{\s*card\.([\w.-]{1,100})\s*\}\}")
_ANY_SUFFIX = ".*"
_COMMON_NAMES = ("id", "name", "kind", "faction.id", "faction.race", "faction.name")


def allowed_names(fields: Iterable[Field]) -> set[str]:
    """Return the names that patterns may use after `card.`, given the fields of a kind."""
    names = {f"{f.name}.id" if f.type == "term" else f.name for f in fields if not f.picture}
    return {*_COMMON_NAMES, *names}


def find_invalid_names(text: str, fields: Iterable[Field]) -> list[str]:
    """Return the placeholders in a pattern that are not allowed."""
    known = allowed_names(fields)
    remainder = _PLACEHOLDER.sub("", text)
    invalid = re.findall(r"\{\{.*?\}\}|\{\{|\}\}", remainder)
    return [f"card.{name}" for name in _PLACEHOLDER.findall(text) if name not in known] + invalid


class PictureFinder:
    """Searches a folder for the pictures of cards; each folder is read once."""

    def __init__(self, folder: Path, factions: Mapping[str, Faction]) -> None:
        """Search in `folder`, which is read on first use."""
        self._folder = folder
        self._factions = factions
        self._names: dict[Path, dict[str, str]] = {}

    def add_pictures(self, card: Card) -> Card:
        """Return a card with pictures for the fields that it does not fill itself."""
        fallbacks = dict(self._fallbacks(card))
        fields = dict(card.fields)
        for field in _searched_fields(card):
            if fields[field.name] is None:
                own = self._find_first(field.find, card)
                fields[field.name] = own or fallbacks[field.name]
        return card._replace(fields=fields, fallbacks=fallbacks) if fallbacks else card

    def _fallbacks(self, card: Card) -> Iterator[tuple[str, str | None]]:
        """Yield the fallback of each picture field."""
        for field in _searched_fields(card):
            default = None if field.default is None else str(field.default)
            if not is_search_pattern(default):
                yield field.name, default
                continue
            last = str(default).rpartition("|")[2].strip()
            # A file named in full stays, so that the checks report it if it is missing.
            yield (
                field.name,
                self._find_first(default, card) or (None if is_search_pattern(last) else last),
            )

    def _find_first(self, places: str | None, card: Card) -> str | None:
        """Return the first existing file among patterns, relative to the folder."""
        for place in (places or "").split("|"):
            values = [self._card_value(name, card) for name in _PLACEHOLDER.findall(place)]
            if all(values) and (file := self._find_file(_fill(place.strip(), values))):
                return file
        return None

    def _find_file(self, place: str) -> str | None:
        path = Path(place)
        if not place or path.is_absolute() or ".." in path.parts:
            return None
        known = self._list_names(self._folder / path.parent)
        names = [path.name]
        if place.endswith(_ANY_SUFFIX):
            names = [f"{path.name[: -len(_ANY_SUFFIX)]}.{ending}" for ending in PICTURE_SUFFIXES]
        name = next((known[key] for n in names if (key := to_nfc(n).casefold()) in known), None)
        return None if name is None else (path.parent / name).as_posix()

    def _list_names(self, folder: Path) -> dict[str, str]:
        """Return the names of the files in a folder, by their case-folded form."""
        if folder not in self._names:
            files = list_folder(folder) if self._may_read(folder) else ()
            self._names[folder] = {to_nfc(file.name).casefold(): file.name for file in files}
        return self._names[folder]

    def _may_read(self, folder: Path) -> bool:
        return folder == self._folder or stays_inside(folder, self._folder)

    def _card_value(self, name: str, card: Card) -> str:
        """Return the value of a placeholder for a card."""
        head, _, tail = name.partition(".")
        faction = self._factions.get(card.faction_id)
        if head == "faction":
            known = {} if faction is None else faction._asdict()
            return str(known[tail]) if tail in known else ""
        if name in {"id", "name"}:
            return str(getattr(card, name))
        value = card.kind.tag if name == "kind" else card.fields.get(head)
        return "" if value is None else str(value)


def find_missing_pictures(card: Card) -> list[Field]:
    """Return the fields whose picture was searched for but not found."""
    return [
        field
        for field in _searched_fields(card)
        if field.find and card.fields[field.name] == card.fallbacks.get(field.name)
    ]


def _searched_fields(card: Card) -> list[Field]:
    return [
        f for f in card.kind.fields if f.type == "image" and f.searched and f.name in card.fields
    ]


def _fill(place: str, replacements: list[str]) -> str:
    words = iter(replacements)
    return _PLACEHOLDER.sub(lambda _: next(words), place)
