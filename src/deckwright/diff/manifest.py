"""Manifests: what was printed of a deck, card by card, with digests of its faces."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from deckwright import __version__
from deckwright.base.cache import truncate_dict
from deckwright.base.geometry import CENTER_CROP
from deckwright.base.units import Mm
from deckwright.faces.copies import Copy
from deckwright.game.kinds import FieldValue
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

Facts = Mapping[str, FieldValue]
"""Values by name."""

_NO_FACTS: Facts = MappingProxyType({})


class CardFacts(NamedTuple):
    """A card in plain values.

    Attributes:
        kind: the tag of its kind.
        fields: its values by field.
        children: its repeated children by tag, each with its values by field.
        rules: the names by which it has its rules, by the rules' ids.
    """

    kind: str
    name: str
    fields: Facts = _NO_FACTS
    children: Mapping[str, tuple[Facts, ...]] = MappingProxyType({})
    rules: Mapping[str, str] = MappingProxyType({})


class ManifestEntry(NamedTuple):
    """A face that is printed.

    Attributes:
        faction_id: the faction that prints it; "" for tokens that are no deck's.
        part: which of the card's faces it is, from 1.
        copies: how often it is printed.
        face: the digest of the face, "" if it could not be composed.
        back: the digest of its back, None if that is not printed.
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
        """What it is known by."""
        return self.faction_id, self.card_id, self.part


class Manifest(NamedTuple):
    """What was printed of a deck, or what could be printed of a game.

    Attributes:
        deckwright: the version of Deckwright that printed it.
        deck: the name of the deck list's file without its ending.
        title: the name that the deck gives itself.
        sheet, style: the names of the sheet format and of the style, None for the usual one.
        entries: in the order of print.
        rules, factions: facts about the rules and factions of the cards, by id.
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


def card_facts(card: Card, names: Mapping[str, str]) -> CardFacts:
    """Return the facts of a card.

    Args:
        names: the names of its rules by id.
    """
    children = {
        tag: tuple(_plain_values(child.values) for child in children)
        for tag, children in card.children.items()
        if children
    }
    return CardFacts(card.kind.tag, card.name, _plain_values(card.fields), children, names)


def _plain_values(values: Facts) -> dict[str, FieldValue]:
    """Return the values of fields; of a list the text that says it."""
    return {
        name: ", ".join(map(str, value)) if isinstance(value, tuple) else value
        for name, value in values.items()
    }


def rule_facts(rule: Rule) -> dict[str, FieldValue]:
    """Return the facts of a rule that any card shows in the same words."""
    facts: dict[str, FieldValue] = {"type": rule.type, "cost": rule.cost, "effect": rule.effect}
    if rule.brief is not None:
        facts["brief"] = rule.brief
    return facts


def faction_facts(faction: Faction) -> dict[str, FieldValue]:
    """Return the facts of a faction, by the names that the factions file has for them."""
    return {
        "race_name": faction.race,
        "faction_name": faction.name,
        "color": faction.color,
        "description": faction.description,
    }


_STEPS_PER_MM = 10_000
"""Steps to a millimetre: lengths that differ by less than 0.1 µm are the same."""
_MAX_OPS = 50_000
_STEPS_PER_FACTOR = 1_000_000
"""The same for the factors of matrices, which the size of a face multiplies."""
_DIGEST_BYTES = 20
_CONTENT_DIGITS = 40
"""How many characters of the digest of a file count; the cache of images keeps as many."""


class Digests:
    """Digests of the faces of one game. What faces share is computed once."""

    def __init__(self, fonts: Mapping[str, Font], images: ImageStore | None = None) -> None:
        """Take the fonts by id.

        Args:
            images: knows what is in the images that it has prepared; others are read.
        """
        self._fonts = fonts
        self._images = images
        # What is kept with its digest lives as long, so that its id is its own.
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

    def know(self, face: Face, other: Face) -> None:
        """Take the digest of another face for that of a face, which looks like it."""
        self._faces[id(face)] = face, self.of(other)
        del self._faces[id(other)]

    def forget(self, faces: Iterable[Face]) -> None:
        """Forget the digests of faces."""
        for face in faces:
            self._faces.pop(id(face), None)

    def forget_ops(self, first: tuple[int, int] = (0, 0)) -> None:
        """Forget the digests of ops and outlines: those of faces alone are asked for again.

        Args:
            first: how many that came first are kept all the same, as `known` has told.
        """
        truncate_dict(self._ops, first[0])
        truncate_dict(self._outlines, first[1])

    @property
    def known(self) -> tuple[int, int]:
        """How many ops and outlines have digests."""
        return len(self._ops), len(self._outlines)

    def look_again(self, paths: Iterable[Path], faces: Iterable[Face], images: ImageStore) -> None:
        """Forget what was in some images, and in the faces that show them.

        Args:
            images: knows what is in them now.
        """
        self._images = images
        for path in paths:
            self._files.pop(path, None)
        for face in faces:
            self._faces.pop(id(face), None)
            for op in walk(face.ops):
                self._ops.pop(id(op), None)

    def keep(self, faces: Iterable[Face]) -> None:
        """Forget all faces but these, and ops where there are very many, some of former faces."""
        if len(self._ops) > _MAX_OPS:
            self._ops.clear()
            self._outlines.clear()
        self._faces = {id(face): (face, self.of(face)) for face in faces}

    def of_op(self, op: Op) -> str:
        """Return the digest of a single op."""
        known = self._ops.get(id(op))
        if known is None:
            known = self._ops[id(op)] = op, _digest(self._plain(op))
        return known[1]

    def _plain(self, op: Op) -> list[object]:
        """Return an op as lists of strings and whole numbers, which are written alike anywhere."""
        match op:
            case FillPath(outline, color, even_odd):
                return ["fill", self._outline(outline), _plain_paint(color), even_odd]
            case StrokePath(outline, color, width, cap, join, miter, dashes, offset):
                more: list[object] = [] if miter == MITER_LIMIT else [_to_steps(miter)]
                if dashes:
                    more += [[*map(_to_steps, dashes)], _to_steps(offset)]
                return ["stroke", self._outline(outline), color, _to_steps(width), cap, join, *more]
            case DrawGlyphs(font, size, x, y, text, kerns, color):
                file = self._file(self._fonts[font].path)
                return ["text", file, *map(_to_steps, (size, x, y)), text, list(kerns), color]
            case DrawImage(_, box, cover, crop, ink):
                part = [] if crop == CENTER_CROP else [f"{share:.4g}" for share in crop]
                return [
                    "image",
                    self._image(op),
                    *map(_to_steps, box),
                    cover,
                    *part,
                    *_plain_ink(ink),
                ]
            case Group(ops, matrix, clip, opacity, overprint):
                factors = (
                    [round(factor * _STEPS_PER_FACTOR) for factor in matrix[:4]] if matrix else []
                )
                moved = [_to_steps(distance) for distance in matrix[4:]] if matrix else []
                clipped = self._outline(clip) if clip else None
                inner = [self.of_op(child) for child in _skip_plain_groups(ops)]
                over = ["overprint"] if overprint else []
                over += _plain_ink(op.ink)
                return ["group", factors, moved, clipped, _to_steps(opacity), inner, *over]

    def _outline(self, outline: Outline) -> str:
        known = self._outlines.get(id(outline))
        if known is None:
            steps = "".join([segment[0] for segment in outline])
            numbers = [
                round(number * _STEPS_PER_MM) for segment in outline for number in segment[1:]
            ]
            known = self._outlines[id(outline)] = outline, _digest([steps, numbers])
        return known[1]

    def _image(self, op: DrawImage) -> str:
        """Return what is in an image: a prepared one says so in its name."""
        if op.path not in self._files and self._images is not None:
            try:
                prepared = self._images.of(op)
            except KeyError:
                pass
            else:
                self._files[op.path] = prepared.path.name.partition("-")[0]
        return self._file(op.path)

    def _file(self, path: Path) -> str:
        """Return the digest of what is in a file; "" if it cannot be read."""
        if path not in self._files:
            try:
                with path.open("rb") as stream:
                    digest = hashlib.file_digest(stream, "blake2b").hexdigest()[:_CONTENT_DIGITS]
            except OSError:
                digest = ""
            self._files[path] = digest
        return self._files[path]


def _skip_plain_groups(ops: Iterable[Op]) -> Iterator[Op]:
    """Yield ops without groups that only say what they are: those print as what is in them."""
    for op in ops:
        if isinstance(op, Group) and op == Group(op.ops, alt=op.alt, tag=op.tag) != Group(op.ops):
            yield from _skip_plain_groups(op.ops)
        else:
            yield op


def _plain_ink(ink: str) -> list[str]:
    return [f"ink {ink}"] if ink else []


def _to_steps(length: Mm) -> int:
    return round(length * _STEPS_PER_MM)


def _plain_paint(color: str | Gradient) -> object:
    if isinstance(color, str):
        return color
    stops = [[_to_steps(at), stop] for at, stop in color.stops]
    ends = [_to_steps(number) for point in (color.start, color.end) for number in point]
    return [color.radial, ends, stops]


def _digest(plain: list[object]) -> str:
    """Return the digest of lists of strings and whole numbers."""
    # Of all ways to write these down, JSON in ASCII depends least on the version of Python.
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
        copies: all copies to print, in order, with faces as the factory composes them: those
            that are made larger for a bleed differ with the sheet.
        sheet, style: the names of the sheet format and of the style.
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
    """Return the keys of copies; the faces of a card count as its parts in their order."""
    parts: dict[CardKey, dict[tuple[str, str], int]] = {}
    keys: list[FaceKey] = []
    for copy in copies:
        card = (copy.faction_id, copy.card.id)
        faces = parts.setdefault(card, {})
        looks = digests.of(copy.face), digests.of(copy.back) if copy.back else ""
        keys.append((*card, faces.setdefault(looks, len(faces) + 1)))
    return keys


def facts_of(game: Game, card: Card, faction_id: str) -> CardFacts:
    """Return the facts of a card, with its rules as `faction_id` calls them."""
    faction = game.factions.get(faction_id)
    names = {
        rule_id: game.rules[rule_id].any_label(faction.race)
        for rule_id in card.rule_ids()
        if faction and rule_id in game.rules
    }
    return card_facts(card, names)


def make_manifest(
    game: Game,
    deck: str,
    title: str,
    entries: list[ManifestEntry],
    *,
    sheet: str,
    style: str | None,
) -> Manifest:
    """Return the manifest with these entries, and with the facts that they refer to."""
    rule_ids = dict.fromkeys(rule_id for entry in entries for rule_id in entry.card.rules)
    faction_ids = dict.fromkeys(entry.faction_id for entry in entries)
    rules: Mapping[str, Facts] = {i: rule_facts(game.rules[i]) for i in rule_ids}
    factions = {i: faction_facts(game.factions[i]) for i in faction_ids if i in game.factions}
    return Manifest(
        __version__, game.setup.name, deck, title, sheet, style, tuple(entries), rules, factions
    )
