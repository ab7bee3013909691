"""Read and write manifests as JSON, one card per line and reproducible."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import IO, NoReturn, TypeVar

from deckwright import __version__
from deckwright.base.findings import Code, Location, Report, Severity
from deckwright.base.output import write_file
from deckwright.diff.manifest import CardFacts, Facts, Manifest, ManifestEntry
from deckwright.game.kinds import FieldValue
from deckwright.xmlio.load import read_prefix

T = TypeVar("T")

_DIGEST = re.compile(r"[0-9a-f]{40}")


class DamagedManifestError(Exception):
    """Raised if a manifest is invalid; the message says what and where."""


def parse_manifest(root: Mapping[str, object]) -> Manifest:
    """Return the manifest in a JSON object.

    Raises:
        DamagedError: if it is invalid.
    """
    listed = _require(root.get("entries"), list, "entries", "a list")
    entries = tuple(_entry(item, f"entries[{number}]") for number, item in enumerate(listed))
    if len({entry.key for entry in entries}) < len(entries):
        _refuse("entries", "free of repetitions")
    style = root.get("style")
    return Manifest(
        deckwright=_require_text(root, "deckwright"),
        game=_require_text(root, "game"),
        deck=_require_text(root, "deck"),
        title=_require_text(root, "title"),
        sheet=_require_text(root, "sheet"),
        style=None if style is None else _require_text(root, "style"),
        entries=entries,
        rules=_tables(root, "rules"),
        factions=_tables(root, "factions"),
    )


def _entry(item: object, place: str) -> ManifestEntry:
    data = _require_object(item, place)
    rules = _require_object(data.get("rules"), f"{place}.rules")
    card = CardFacts(
        kind=_require_text(data, "kind", place),
        name=_require_text(data, "name", place),
        fields=_read_facts(data.get("fields"), f"{place}.fields"),
        children={
            tag: tuple(
                _read_facts(row, f"{place}.children.{tag}")
                for row in _require(rows, list, f"{place}.children.{tag}", "a list")
            )
            for tag, rows in _require_object(data.get("children"), f"{place}.children").items()
        },
        rules={rule_id: _require_text(rules, rule_id, f"{place}.rules") for rule_id in rules},
    )
    return ManifestEntry(
        faction_id=_require_text(data, "faction", place),
        card_id=_require_text(data, "card", place),
        part=_require_count(data, "part", place),
        copies=_require_count(data, "copies", place),
        face=_require_digest(data, "face", place),
        back=None if data.get("back") is None else _require_digest(data, "back", place),
        card=card,
    )


def _tables(root: Mapping[str, object], name: str) -> dict[str, Facts]:
    table = _require_object(root.get(name), name)
    return {key: _read_facts(facts, f"{name}.{key}") for key, facts in table.items()}


def _read_facts(item: object, place: str) -> Facts:
    facts: dict[str, FieldValue] = {}
    for name, value in _require_object(item, place).items():
        if not (value is None or isinstance(value, (str, int, float))):
            _refuse(f"{place}.{name}", "a value")
        facts[name] = value
    return facts


def _require_object(item: object, place: str) -> dict[str, object]:
    return _require(item, dict, place, "an object")


def _require_text(data: Mapping[str, object], name: str, place: str = "") -> str:
    return _require(data.get(name), str, f"{place}.{name}".lstrip("."), "a text")


def _require_count(data: Mapping[str, object], name: str, place: str) -> int:
    what = "a whole number, at least 1"
    count = _require(data.get(name), int, f"{place}.{name}", what)
    if isinstance(count, bool) or count < 1:
        _refuse(f"{place}.{name}", what)
    return count


def _require_digest(data: Mapping[str, object], name: str, place: str) -> str:
    digest = _require_text(data, name, place)
    if not _DIGEST.fullmatch(digest):
        _refuse(f"{place}.{name}", "a digest")
    return digest


def _require(item: object, kind: type[T], place: str, what: str) -> T:
    if not isinstance(item, kind):
        _refuse(place, what)
    return item


def _refuse(place: str, what: str) -> NoReturn:
    raise DamagedManifestError(f"the manifest is damaged: `{place}` is not {what}")


E020 = Code("E020", Severity.ERROR, "a manifest that cannot be read")
E021 = Code("E021", Severity.ERROR, "a manifest in the format of another version of Deckwright")
E022 = Code("E022", Severity.ERROR, "a manifest of another game")

FORMAT = "deckwright-manifest"
VERSION = 1
"""The version of the format and of the digests, increased when either changes."""

_MAX_BYTES = 50_000_000
_SUFFIX = ".manifest.json"
_MAX_NAME_BYTES = 255
"""The limit of most file systems, in bytes."""
_REPRINT_HINT = "print the whole deck again, which writes a new one"


def manifest_path(pdf: Path) -> Path:
    """Return the path of a PDF's manifest: `deck_river.manifest.json` for `deck_river.pdf`.

    Names too long for a file are truncated.
    """
    stem = pdf.stem.encode(errors="surrogateescape")[: _MAX_NAME_BYTES - len(_SUFFIX)]
    return pdf.with_name(stem.decode(errors="surrogateescape") + _SUFFIX)


def write_manifest(manifest: Manifest, path: Path, report: Report) -> bool:
    """Write a manifest; return whether it succeeded."""

    def write(stream: IO[bytes]) -> None:
        # Surrogates from undecodable file names are escaped as in JSON.
        stream.writelines(
            part.encode("utf-8", "backslashreplace") for part in _text_parts(manifest)
        )

    return write_file(path, write, report)


def manifest_as_json(manifest: Manifest) -> str:
    """Return the text of a manifest's file."""
    return "".join(_text_parts(manifest))


def _text_parts(manifest: Manifest) -> Iterator[str]:
    """Yield the text of a manifest piece by piece, since it is long."""
    head = {
        "format": FORMAT,
        "version": VERSION,
        "deckwright": manifest.deckwright,
        "game": manifest.game,
        "deck": manifest.deck,
        "title": manifest.title,
        "sheet": manifest.sheet,
        "style": manifest.style,
    }
    yield "{\n"
    for name, value in head.items():
        yield f" {_json(name)}: {_json(value)},\n"
    yield from _block("entries", "[]", (_json(_plain(entry)) for entry in manifest.entries))
    for name, table in (("rules", manifest.rules), ("factions", manifest.factions)):
        yield ",\n"
        rows = (f"{_json(key)}: {_json(dict(facts))}" for key, facts in table.items())
        yield from _block(name, "{}", rows)
    yield "\n}\n"


def _block(name: str, brackets: str, rows: Iterable[str]) -> Iterator[str]:
    """Yield a list or an object, one row per line."""
    yield f" {_json(name)}: {brackets[0]}"
    between = "\n  "
    for row in rows:
        yield between + row
        between = ",\n  "
    yield brackets[1] if between == "\n  " else f"\n {brackets[1]}"


def _plain(entry: ManifestEntry) -> dict[str, object]:
    card = entry.card
    return {
        "faction": entry.faction_id,
        "card": entry.card_id,
        "part": entry.part,
        "copies": entry.copies,
        "face": entry.face,
        "back": entry.back,
        "kind": card.kind,
        "name": card.name,
        "fields": dict(card.fields),
        "children": {tag: [dict(child) for child in rows] for tag, rows in card.children.items()},
        "rules": dict(card.rules),
    }


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def read_manifest(path: Path, report: Report, game: str | None = None) -> Manifest | None:
    """Return the manifest in a file; None after reporting errors.

    Args:
        game: the required name of its game; None for any.
    """
    root = _load(path, report)
    if root is None:
        return None
    place = Location(path)
    version = root.get("version")
    if version != VERSION:
        message = (
            f"the manifest is in version {str(version)[:20]} of its format, "
            f"Deckwright {__version__} reads version {VERSION}"
        )
        newer = isinstance(version, int) and version > VERSION
        hint = (
            f"install the Deckwright that wrote it, or {_REPRINT_HINT}" if newer else _REPRINT_HINT
        )
        report.append(E021.at(place, message, hint))
        return None
    try:
        manifest = parse_manifest(root)
    except DamagedManifestError as error:
        report.append(E020.at(place, str(error), _REPRINT_HINT))
        return None
    if game is not None and manifest.game != game:
        message = f"the manifest is of the game `{manifest.game}`, not of `{game}`"
        hint = "name the manifest of a deck of this game, or print the whole deck"
        report.append(E022.at(place, message, hint))
        return None
    return manifest


def _load(path: Path, report: Report) -> dict[str, object] | None:
    """Return the JSON object of a manifest file; None after reporting errors."""
    place, data = Location(path), read_prefix(path, _MAX_BYTES, report)
    if data is None:
        return None
    try:
        root = _decode(data)
    except json.JSONDecodeError as error:
        place = Location(path, error.lineno, error.colno)
        message = "the manifest is damaged: what starts here is not JSON"
    except DamagedManifestError as error:
        message = str(error)
    else:
        return root
    report.append(E020.at(place, message, _REPRINT_HINT))
    return None


def _decode(data: bytes) -> dict[str, object]:
    """Return the JSON object of a manifest.

    Raises:
        DamagedError, JSONDecodeError: if it is not one.
    """
    reason = "the file is not a manifest of Deckwright"
    if len(data) > _MAX_BYTES:
        raise DamagedManifestError(reason)
    try:
        root = json.loads(data.decode("utf-8"), parse_constant=_reject_constant)
    except json.JSONDecodeError:
        raise
    except (ValueError, RecursionError):  # invalid UTF-8, huge numbers, thousands of brackets
        raise DamagedManifestError(reason) from None
    if not isinstance(root, dict) or root.get("format") != FORMAT:
        raise DamagedManifestError(reason)
    return root


def _reject_constant(name: str) -> NoReturn:
    raise ValueError(name)
