"""Turn what the file of a manifest holds into a manifest; trust nothing of it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NoReturn, TypeVar

from deckwright.diff.manifests.model import CardFacts, Entry, Facts, Manifest
from deckwright.game.kinds import FieldValue

T = TypeVar("T")

_DIGEST = re.compile(r"[0-9a-f]{40}")


class DamagedError(Exception):
    """Something in a manifest is not what it should be; the message says what and where."""


def parse_manifest(root: Mapping[str, object]) -> Manifest:
    """Return the manifest that a JSON object holds.

    Raises:
        DamagedError: if anything is not what it should be.
    """
    listed = _is(root.get("entries"), list, "entries", "a list")
    entries = tuple(_entry(item, f"entries[{number}]") for number, item in enumerate(listed))
    if len({entry.key for entry in entries}) < len(entries):
        _refuse("entries", "free of repetitions")
    style = root.get("style")
    return Manifest(
        deckwright=_text(root, "deckwright"),
        game=_text(root, "game"),
        deck=_text(root, "deck"),
        title=_text(root, "title"),
        sheet=_text(root, "sheet"),
        style=None if style is None else _text(root, "style"),
        entries=entries,
        rules=_tables(root, "rules"),
        factions=_tables(root, "factions"),
    )


def _entry(item: object, place: str) -> Entry:
    data = _object(item, place)
    rules = _object(data.get("rules"), f"{place}.rules")
    card = CardFacts(
        kind=_text(data, "kind", place),
        name=_text(data, "name", place),
        fields=_facts(data.get("fields"), f"{place}.fields"),
        children={
            tag: tuple(
                _facts(row, f"{place}.children.{tag}")
                for row in _is(rows, list, f"{place}.children.{tag}", "a list")
            )
            for tag, rows in _object(data.get("children"), f"{place}.children").items()
        },
        rules={rule_id: _text(rules, rule_id, f"{place}.rules") for rule_id in rules},
    )
    return Entry(
        faction_id=_text(data, "faction", place),
        card_id=_text(data, "card", place),
        part=_count(data, "part", place),
        copies=_count(data, "copies", place),
        face=_digest(data, "face", place),
        back=None if data.get("back") is None else _digest(data, "back", place),
        card=card,
    )


def _tables(root: Mapping[str, object], name: str) -> dict[str, Facts]:
    table = _object(root.get(name), name)
    return {key: _facts(facts, f"{name}.{key}") for key, facts in table.items()}


def _facts(item: object, place: str) -> Facts:
    facts: dict[str, FieldValue] = {}
    for name, value in _object(item, place).items():
        if not (value is None or isinstance(value, (str, int, float))):
            _refuse(f"{place}.{name}", "a value")
        facts[name] = value
    return facts


def _object(item: object, place: str) -> dict[str, object]:
    return _is(item, dict, place, "an object")


def _text(data: Mapping[str, object], name: str, place: str = "") -> str:
    return _is(data.get(name), str, f"{place}.{name}".lstrip("."), "a text")


def _count(data: Mapping[str, object], name: str, place: str) -> int:
    what = "a whole number, at least 1"
    count = _is(data.get(name), int, f"{place}.{name}", what)
    if isinstance(count, bool) or count < 1:
        _refuse(f"{place}.{name}", what)
    return count


def _digest(data: Mapping[str, object], name: str, place: str) -> str:
    digest = _text(data, name, place)
    if not _DIGEST.fullmatch(digest):
        _refuse(f"{place}.{name}", "a digest")
    return digest


def _is(item: object, kind: type[T], place: str, what: str) -> T:
    if not isinstance(item, kind):
        _refuse(place, what)
    return item


def _refuse(place: str, what: str) -> NoReturn:
    raise DamagedError(f"the manifest is damaged: `{place}` is not {what}")
