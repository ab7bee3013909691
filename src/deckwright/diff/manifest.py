"""Manifests: the printed cards of a deck, with digests of their faces, as JSON files."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple, NoReturn, TypeVar

from deckwright import __version__
from deckwright.base.cache import truncate_dict
from deckwright.base.findings import Code, Location, Report, Severity
from deckwright.base.geometry import CENTER_CROP
from deckwright.base.output import OutputError, write_file
from deckwright.base.units import Mm
from deckwright.faces.copies import Copy
from deckwright.game.kinds import FieldValue
from deckwright.game.language import current_language
from deckwright.game.model import Card, CardKey, Deck, FaceKey, Faction, Game, Rule
from deckwright.images.store import ImageStore
from deckwright.ops.model import (
    MITER_LIMIT,
    DrawGlyphs,
    DrawImage,
    Face,
    FillPath,
    Gradient,
    Group,
    Op,
    Outline,
    StrokePath,
    walk,
)
from deckwright.text.fonts import Font
from deckwright.xmlio.load import read_prefix

Facts = Mapping[str, FieldValue]
"""Values by name."""

_NO_FACTS: Facts = MappingProxyType({})


class CardFacts(NamedTuple):
    """The plain values of a card of a kind, given by its tag.

    Attributes:
        children: its repeated children by tag, each with values by field.
        rules: the names of its rules by id.
    """

    kind: str
    name: str
    fields: Facts = _NO_FACTS
    children: Mapping[str, tuple[Facts, ...]] = MappingProxyType({})
    rules: Mapping[str, str] = MappingProxyType({})


class ManifestEntry(NamedTuple):
    """A printed face.

    Attributes:
        faction_id: the faction that prints it; "" for tokens outside of decks.
        part: the number of the card's face, from 1.
        face: the digest of its face, "" if it could not be composed.
        back: the digest of its back, None if it is not printed.
    """

    faction_id: str
    card_id: str
    part: int
    copies: int
    face: str
    back: str | None
    card: CardFacts

    @property
    def key(self) -> FaceKey:
        """The key of the face."""
        return self.faction_id, self.card_id, self.part


class Manifest(NamedTuple):
    """The printed content of a deck, or all printable content of a game.

    Attributes:
        deck: the file stem of the deck list.
        sheet, style: the names of the sheet format and of the style, None for the default style.
        language: the code of the translation, None for the game's own language.
        rules, factions: the facts of the cards' rules and factions, by id.
    """

    deckwright: str
    game: str
    deck: str
    title: str
    sheet: str
    style: str | None
    entries: tuple[ManifestEntry, ...]
    rules: Mapping[str, Facts]
    factions: Mapping[str, Facts]
    language: str | None = None


def plain_value(value: FieldValue) -> FieldValue:
    """Return a value as it is printed: a translation is not compared as its source."""
    return str(value) if isinstance(value, str) else value


def _plain_values(values: Facts) -> dict[str, FieldValue]:
    """Return the values of fields as they are printed, with lists as text."""
    return {
        name: ", ".join(map(str, value)) if isinstance(value, tuple) else plain_value(value)
        for name, value in values.items()
    }


def rule_facts(rule: Rule) -> dict[str, FieldValue]:
    """Return the facts of a rule that are the same on all cards."""
    facts: dict[str, FieldValue] = {"type": rule.type, "cost": rule.cost, "effect": rule.effect}
    if rule.brief is not None:
        facts["brief"] = rule.brief
    return facts


def faction_facts(faction: Faction) -> dict[str, FieldValue]:
    """Return the facts of a faction, by their names in the factions file."""
    return {
        "race_name": faction.race,
        "faction_name": faction.name,
        "color": faction.color,
        "description": faction.description,
    }


_STEPS_PER_MM = 10_000
"""Steps per millimetre: lengths that differ by less than 0.1 µm are equal."""
_MAX_OPS = 50_000
_STEPS_PER_FACTOR = 1_000_000
"""Steps per unit of matrix factors, which are multiplied by the size of a face."""
_DIGEST_BYTES = 20
_CONTENT_DIGITS = 40
"""The length of file digests in characters, the same as in the image cache."""


class Digests:
    """Digests of the faces of one game; shared content is digested once."""

    def __init__(self, fonts: Mapping[str, Font], images: ImageStore | None = None) -> None:
        """Take the fonts by id, and the digests of prepared images; others are read."""
        self._fonts = fonts
        self._images = images
        # Objects are kept alive with their digests, so that their ids stay unique.
        self._faces: dict[int, tuple[Face, str]] = {}
        self._ops: dict[int, tuple[Op, str]] = {}
        self._outlines: dict[int, tuple[Outline, str]] = {}
        self._files: dict[Path, str] = {}

    def of(self, face: Face) -> str:
        """Return the digest of a face, 40 hexadecimal digits."""
        known = self._faces.get(id(face))
        if known is None:
            ops = [self.of_op(op) for op in _skip_plain_groups(face.ops)]
            digest = _digest(["face", _to_steps(face.width), _to_steps(face.height), ops])
            known = self._faces[id(face)] = face, digest
        return known[1]

    def set(self, face: Face, digest: str) -> None:
        """Set the digest of a face that is known without its ops."""
        self._faces[id(face)] = face, digest

    def adopt(self, face: Face, other: Face) -> None:
        """Move the digest of another face to a face that looks the same."""
        self._faces[id(face)] = face, self.of(other)
        del self._faces[id(other)]

    def forget(self, faces: Iterable[Face]) -> None:
        """Drop the digests of faces."""
        for face in faces:
            self._faces.pop(id(face), None)

    def forget_ops(self, first: tuple[int, int] = (0, 0)) -> None:
        """Drop the digests of ops and outlines; only those of faces are needed again.

        The `first` ones stay, whose numbers are from `counts`.
        """
        truncate_dict(self._ops, first[0])
        truncate_dict(self._outlines, first[1])

    @property
    def counts(self) -> tuple[int, int]:
        """The numbers of ops and outlines with digests."""
        return len(self._ops), len(self._outlines)

    def invalidate_images(
        self, paths: Iterable[Path], faces: Iterable[Face], images: ImageStore
    ) -> None:
        """Drop the digests of changed images, and of the faces that show them."""
        self._images = images
        for path in paths:
            self._files.pop(path, None)
        for face in faces:
            self._faces.pop(id(face), None)
            for op in walk(face.ops):
                self._ops.pop(id(op), None)

    def keep_only(self, faces: Iterable[Face]) -> None:
        """Keep only the given faces, and drop all ops if there are too many."""
        if len(self._ops) > _MAX_OPS:
            self._ops.clear()
            self._outlines.clear()
        self._faces = {id(face): (face, self.of(face)) for face in faces}

    def of_op(self, op: Op) -> str:
        """Return the digest of a single op."""
        known = self._ops.get(id(op))
        if known is None:
            known = self._ops[id(op)] = op, _digest(self._plain_op(op))
        return known[1]

    def _plain_op(self, op: Op) -> list[object]:
        """Return an op as lists of strings and integers, which serialize the same everywhere."""
        match op:
            case FillPath(outline, color, even_odd):
                paint: object = color
                if isinstance(color, Gradient):
                    stops = [[_to_steps(at), stop] for at, stop in color.stops]
                    points = (color.start, color.end)
                    ends = [_to_steps(number) for point in points for number in point]
                    paint = [color.radial, ends, stops]
                return ["fill", self._outline(outline), paint, even_odd]
            case StrokePath(outline, color, width, cap, join, miter, dashes, offset):
                more: list[object] = [] if miter == MITER_LIMIT else [_to_steps(miter)]
                if dashes:
                    more += [[*map(_to_steps, dashes)], _to_steps(offset)]
                return ["stroke", self._outline(outline), color, _to_steps(width), cap, join, *more]
            case DrawGlyphs(font, size, x, y, text, kerns, color):
                file = self._file(self._fonts[font].path)
                drawn = [text, list(kerns), color, *map(list, op.glyphs)]
                return ["text", file, *map(_to_steps, (size, x, y)), *drawn]
            case DrawImage(_, box, cover, crop, ink):
                part = [] if crop == CENTER_CROP else [f"{share:.4g}" for share in crop]
                part += [f"ink {ink}"] if ink else []
                return ["image", self._image(op), *map(_to_steps, box), cover, *part]
            case Group(ops, matrix, clip, opacity, overprint):
                factors = [round(n * _STEPS_PER_FACTOR) for n in matrix[:4]] if matrix else []
                moved = [_to_steps(distance) for distance in matrix[4:]] if matrix else []
                clipped = self._outline(clip) if clip else None
                inner = [self.of_op(child) for child in _skip_plain_groups(ops)]
                over = ["overprint"] if overprint else []
                over += [f"ink {op.ink}"] if op.ink else []
                return ["group", factors, moved, clipped, _to_steps(opacity), inner, *over]

    def _outline(self, outline: Outline) -> str:
        known = self._outlines.get(id(outline))
        if known is None:
            steps = "".join([segment[0] for segment in outline])
            numbers = [round(n * _STEPS_PER_MM) for segment in outline for n in segment[1:]]
            known = self._outlines[id(outline)] = outline, _digest([steps, numbers])
        return known[1]

    def _image(self, op: DrawImage) -> str:
        """Return the digest of an image, which is in the name of a prepared one."""
        if op.path not in self._files and self._images is not None:
            try:
                prepared = self._images.get(op)
            except KeyError:
                pass
            else:
                self._files[op.path] = prepared.path.name.partition("-")[0]
        return self._file(op.path)

    def _file(self, path: Path) -> str:
        """Return the digest of a file's content; "" if it cannot be read."""
        if path not in self._files:
            try:
                with path.open("rb") as stream:
                    digest = hashlib.file_digest(stream, "blake2b").hexdigest()[:_CONTENT_DIGITS]
            except OSError:
                digest = ""
            self._files[path] = digest
        return self._files[path]


def _skip_plain_groups(ops: Iterable[Op]) -> Iterator[Op]:
    """Yield ops with groups unwrapped that only have a tag or alternative text."""
    for op in ops:
        if isinstance(op, Group) and op == Group(op.ops, alt=op.alt, tag=op.tag) != Group(op.ops):
            yield from _skip_plain_groups(op.ops)
        else:
            yield op


def _to_steps(length: Mm) -> int:
    return round(length * _STEPS_PER_MM)


def _digest(plain: list[object]) -> str:
    """Return the digest of nested lists of strings and integers."""
    # JSON in ASCII is the serialization least dependent on the version of Python.
    text = json.dumps(plain, separators=(",", ":"))
    return hashlib.blake2b(text.encode("ascii"), digest_size=_DIGEST_BYTES).hexdigest()


def deck_manifest(
    game: Game,
    deck: Deck,
    copies: Iterable[Copy],
    digests: Digests,
    *,
    sheet: str,
    style: str | None,
) -> Manifest:
    """Return the manifest of a deck.

    Args:
        copies: all copies in print order, with faces as composed by the factory; faces extended for
            a bleed depend on the sheet.
    """
    entries: dict[FaceKey, ManifestEntry] = {}
    copies = list(copies)
    for copy, key in zip(copies, copy_keys(copies, digests), strict=True):
        if key in entries:
            entries[key] = entries[key]._replace(copies=entries[key].copies + 1)
            continue
        face, back = digests.of(copy.face), digests.of(copy.back) if copy.back else None
        facts = facts_of(game, copy.card, copy.faction_id)
        entries[key] = ManifestEntry(*key, 1, face, back, facts)
    return make_manifest(game, deck.stem, deck.name, [*entries.values()], sheet=sheet, style=style)


def copy_keys(copies: Iterable[Copy], digests: Digests) -> list[FaceKey]:
    """Return the keys of copies; the faces of a card are numbered in their order."""
    parts: dict[CardKey, dict[tuple[str, str], int]] = {}
    keys: list[FaceKey] = []
    for copy in copies:
        card = (copy.faction_id, copy.card.id)
        faces = parts.setdefault(card, {})
        looks = digests.of(copy.face), digests.of(copy.back) if copy.back else ""
        keys.append((*card, faces.setdefault(looks, len(faces) + 1)))
    return keys


def facts_of(game: Game, card: Card, faction_id: str) -> CardFacts:
    """Return the facts of a card, with the rule names of `faction_id`."""
    faction = game.factions.get(faction_id)
    names = {
        rule_id: str(game.rules[rule_id].any_label(faction.race))
        for rule_id in card.rule_ids()
        if faction and rule_id in game.rules
    }
    children = {
        tag: tuple(_plain_values(child.values) for child in children)
        for tag, children in card.children.items()
        if children
    }
    return CardFacts(card.kind.tag, str(card.name), _plain_values(card.fields), children, names)


def make_manifest(
    game: Game,
    deck: str,
    title: str,
    entries: list[ManifestEntry],
    *,
    sheet: str,
    style: str | None,
) -> Manifest:
    """Return a manifest of entries, with the facts of their rules and factions."""
    rule_ids = dict.fromkeys(rule_id for entry in entries for rule_id in entry.card.rules)
    faction_ids = dict.fromkeys(entry.faction_id for entry in entries)
    rules: Mapping[str, Facts] = {i: rule_facts(game.rules[i]) for i in rule_ids}
    factions = {i: faction_facts(game.factions[i]) for i in faction_ids if i in game.factions}
    name = getattr(game.setup.name, "source", game.setup.name)  # the same in all languages
    tables, language = (rules, factions), current_language()
    code = None if language is None else language.code
    return Manifest(__version__, name, deck, title, sheet, style, tuple(entries), *tables, code)


T = TypeVar("T")

_DIGEST = re.compile(r"[0-9a-f]{40}")
_HEAD = ("deckwright", "game", "deck", "title", "sheet")
"""The texts that every manifest has."""


class DamagedManifestError(Exception):
    """Raised if a manifest is invalid; the message says what and where."""


def parse_manifest(root: Mapping[str, object]) -> Manifest:
    """Return the manifest in a JSON object; raise a DamagedManifestError if it is invalid."""
    entries = []
    for number, item in enumerate(_require(root.get("entries"), list, "entries", "a list")):
        place = f"entries[{number}]"
        data = _require_object(item, place)
        rules = _require_object(data.get("rules"), f"{place}.rules")
        children = _require_object(data.get("children"), f"{place}.children")
        card = CardFacts(
            kind=_require_text(data, "kind", place),
            name=_require_text(data, "name", place),
            fields=_read_facts(data.get("fields"), f"{place}.fields"),
            children={
                tag: tuple(
                    _read_facts(row, f"{place}.children.{tag}")
                    for row in _require(rows, list, f"{place}.children.{tag}", "a list")
                )
                for tag, rows in children.items()
            },
            rules={rule_id: _require_text(rules, rule_id, f"{place}.rules") for rule_id in rules},
        )
        entry = ManifestEntry(
            faction_id=_require_text(data, "faction", place),
            card_id=_require_text(data, "card", place),
            part=_require_count(data, "part", place),
            copies=_require_count(data, "copies", place),
            face=_require_digest(data, "face", place),
            back=None if data.get("back") is None else _require_digest(data, "back", place),
            card=card,
        )
        entries.append(entry)
    if len({entry.key for entry in entries}) < len(entries):
        _refuse("entries", "free of repetitions")
    style, language = root.get("style"), root.get("language")
    return Manifest(
        **{name: _require_text(root, name) for name in _HEAD},
        style=None if style is None else _require_text(root, "style"),
        entries=tuple(entries),
        rules=_tables(root, "rules"),
        factions=_tables(root, "factions"),
        language=None if language is None else _require_text(root, "language"),
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


def write_manifest(manifest: Manifest, path: Path) -> None:
    """Write a manifest, or raise an OutputError."""
    # Surrogates from undecodable file names are escaped as in JSON.
    parts = (part.encode("utf-8", "backslashreplace") for part in iter_text(manifest))
    write_file(path, lambda stream: stream.writelines(parts))


def iter_text(manifest: Manifest) -> Iterator[str]:
    """Yield the text of a manifest piece by piece, since it is long."""
    head = {
        "format": FORMAT,
        "version": VERSION,
        **{name: getattr(manifest, name) for name in (*_HEAD, "style")},
        **({} if manifest.language is None else {"language": manifest.language}),
    }
    yield "{\n"
    for name, value in head.items():
        yield f" {_json(name)}: {_json(value)},\n"
    entries = (
        {"faction": faction, "card": card, "part": part, "copies": copies, "face": face,
         "back": back, **facts._asdict()}
        for faction, card, part, copies, face, back, facts in manifest.entries
    )  # fmt: skip
    yield from _block("entries", "[]", map(_json, entries))
    for name, table in (("rules", manifest.rules), ("factions", manifest.factions)):
        yield ",\n"
        rows = (f"{_json(key)}: {_json(facts)}" for key, facts in table.items())
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


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, default=dict)  # of mappings


def read_manifest(path: Path, game: str | None = None) -> Manifest:
    """Return the manifest in a file, or that of a PDF.

    Raises:
        OutputError: if it cannot be read, or is of another game than the given one.
    """
    report: Report = []
    path = manifest_path(path) if path.suffix == ".pdf" else path
    data, place = read_prefix(path, _MAX_BYTES, report), Location(path)
    if data is None:
        raise OutputError(*report)
    root = None
    try:
        if len(data) <= _MAX_BYTES:
            root = json.loads(data.decode("utf-8"), parse_constant=_reject_constant)
    except json.JSONDecodeError as error:
        place = Location(path, error.lineno, error.colno)
        message = "the manifest is damaged: what starts here is not JSON"
        raise OutputError(E020.at(place, message, _REPRINT_HINT)) from error
    except (ValueError, RecursionError):  # invalid UTF-8, huge numbers, thousands of brackets
        pass
    if not isinstance(root, dict) or root.get("format") != FORMAT:
        message = "the file is not a manifest of Deckwright"
        raise OutputError(E020.at(place, message, _REPRINT_HINT))
    version = root.get("version")
    if version != VERSION:
        message = (
            f"the manifest has format version {str(version)[:20]}, "
            f"but Deckwright {__version__} reads version {VERSION}"
        )
        newer = isinstance(version, int) and version > VERSION
        more = "install the Deckwright that wrote it, or " if newer else ""
        raise OutputError(E021.at(place, message, f"{more}{_REPRINT_HINT}"))
    try:
        manifest = parse_manifest(root)
    except DamagedManifestError as error:
        raise OutputError(E020.at(place, str(error), _REPRINT_HINT)) from error
    if game is not None and manifest.game != game:
        message = f"the manifest is of the game `{manifest.game}`, not of `{game}`"
        hint = "use the manifest of a deck of this game, or print the whole deck"
        raise OutputError(E022.at(place, message, hint))
    return manifest


def _reject_constant(name: str) -> NoReturn:
    raise ValueError(name)
