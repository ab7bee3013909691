"""Find the pictures of cards that name none, by search patterns.

The patterns are `find` and `default` of an image field: `{{ card.id }}.*` is the file named by the
card's id, with any suffix. Of several patterns, separated by `|`, the first with a file is used.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from deckwright.base.files import list_folder, stays_inside, to_nfc
from deckwright.game.kinds import Field, is_search_pattern
from deckwright.game.language import picture_folders
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
        """Search in `folder`, which is read on first use, after that of the current language."""
        self._folders = picture_folders(folder)
        self._factions = factions
        self._names: dict[Path, dict[str, str]] = {}

    def add_pictures(self, card: Card) -> Card:
        """Return a card with pictures for the fields that it does not fill itself."""
        fallbacks: dict[str, str | None] = {}
        fields = dict(card.fields)
        for field in _searched_fields(card):
            fallbacks[field.name] = default = None if field.default is None else str(field.default)
            if default is not None and is_search_pattern(default):
                # A file named in full stays, so that the checks report it if it is missing.
                last = default.rpartition("|")[2].strip()
                other = None if is_search_pattern(last) else last
                fallbacks[field.name] = self._find_first(default, card) or other
            if fields[field.name] is None:
                own = self._find_first(field.find, card)
                fields[field.name] = own or fallbacks[field.name]
        return card._replace(fields=fields, fallbacks=fallbacks) if fallbacks else card

    def _find_first(self, places: str | None, card: Card) -> str | None:
        """Return the first existing file among patterns, relative to the folder."""
        for place in (places or "").split("|"):
            parts = _PLACEHOLDER.split(place.strip())
            parts[1::2] = values = [self._card_value(name, card) for name in parts[1::2]]
            if all(values) and (file := self._find_file("".join(parts))):
                return file
        return None

    def _find_file(self, place: str) -> str | None:
        path = Path(place)
        if not place or path.is_absolute() or ".." in path.parts:
            return None
        names = [path.name]
        if place.endswith(_ANY_SUFFIX):
            names = [f"{path.name[: -len(_ANY_SUFFIX)]}.{ending}" for ending in PICTURE_SUFFIXES]
        for home in self._folders:
            folder = home / path.parent
            if folder not in self._names:
                own = folder == home or stays_inside(folder, home)
                files = list_folder(folder) if own else ()
                self._names[folder] = {to_nfc(file.name).casefold(): file.name for file in files}
            known = self._names[folder]  # by their case-folded form
            for name in names:
                if file := known.get(to_nfc(name).casefold()):
                    return (path.parent / file).as_posix()
        return None

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
