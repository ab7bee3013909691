"""Export cards and decks for Cockatrice, a program for playing card games online."""

from __future__ import annotations

import colorsys
import re
import uuid
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote
from xml.etree import ElementTree as ET

from deckwright.base.files import make_unique
from deckwright.base.findings import Diagnostic, Report
from deckwright.base.output import OutputError, write_data
from deckwright.base.units import format_measure
from deckwright.checks.counting import assign_zones
from deckwright.checks.loading import LimitOptions, load_checked_game, load_deck
from deckwright.faces.card_text import card_text
from deckwright.faces.copies import face_name, has_own_back
from deckwright.faces.factory import FaceFactory
from deckwright.faces.selection import prepare_images
from deckwright.game.decklist import count_tokens, format_of
from deckwright.game.folder import GameFolder
from deckwright.game.kinds import FULL, Field, parts_of
from deckwright.game.model import Card, Deck, FaceKey, Game
from deckwright.game.setup import Setup
from deckwright.templates.template_set import TemplateSet

_REMOVED_CHARACTERS = re.compile(r' // |[*<>:"\\?\x00-\x08\x10-\x1f]')
_SPACE_CHARACTERS = re.compile(r"[/\t-\x0f]")


class CockatriceCard(NamedTuple):
    """A card in Cockatrice: a card or token, or one part of a card with several faces.

    Attributes:
        name: its unique name, which also gives a unique picture file.
        faction_id: the faction that prints it.
        part: the number of the card's face, from 1.
        back: the unique name of its own back; None if it shares its back.
    """

    name: str
    card: Card
    faction_id: str
    part: int = 1
    back: str | None = None

    @property
    def key(self) -> FaceKey:
        """The unique key: faction ("" for tokens), id and part."""
        return ("" if self.card.kind.token else self.faction_id, self.card.id, self.part)


def picture_name(name: str) -> str:
    """Return the file name of a card's picture in Cockatrice, without the extension."""
    return _SPACE_CHARACTERS.sub(" ", _REMOVED_CHARACTERS.sub("", name))


def list_entries(game: Game) -> list[CockatriceCard]:
    """Return the Cockatrice cards of a game: its cards and the tokens they create."""
    first = next(iter(game.factions), "")
    entries = [
        CockatriceCard(face_name(card, part), card, faction_id or first, part)
        for card, faction_id, _ in game.printable_cards()
        for part in range(1, card.parts + 1)
        if faction_id or first
    ]
    token, names = game.setup.words["token"], [entry.name for entry in entries]
    # Equal names get a suffix.
    ends: tuple[Callable[[CockatriceCard], str], ...] = (
        lambda entry: f" ({token if entry.card.kind.token else entry.faction_id})",
        lambda entry: f" ({entry.card.id})",
        lambda entry: f" ({entry.faction_id} {entry.card.id} {entry.part})",
    )
    for end in ends:
        counts = Counter(map(_picture_key, names))
        for index, entry in enumerate(entries):
            likeness = _picture_key(names[index])
            if counts[likeness] > 1 or not likeness:
                names[index] = entry.name + end(entry)
    return [entry._replace(name=name) for name, entry in zip(names, entries, strict=True)]


def name_backs(
    entries: list[CockatriceCard], word: str, has_back: Callable[[CockatriceCard], bool]
) -> list[CockatriceCard]:
    """Return entries with the names of their own backs, made with the `word` for a back."""
    taken = {_picture_key(entry.name) for entry in entries}
    named = []
    for entry in entries:
        if has_back(entry):
            back, number = f"{entry.name} ({word})", 1
            while _picture_key(back) in taken:
                number += 1
                back = f"{entry.name} ({word} {number})"
            taken.add(_picture_key(back))
            entry = entry._replace(back=back)  # noqa: PLW2901
        named.append(entry)
    return named


def _picture_key(name: str) -> str:
    """Return the key that names share if their pictures would be the same file."""
    return picture_name(name).strip().casefold()


_MAX_ROW = 2
"""Cockatrice's table has the rows 0 (nearest to the player) to 2."""
_GRAY_TOLERANCE, _DARK_TOLERANCE = 0.12, 0.2
"""The chroma below which a color counts as gray, and the lightness below which gray is black."""
_COLORS = ((20, "R"), (75, "W"), (165, "G"), (270, "U"), (335, "B"), (360, "R"))
"""Cockatrice's color letters, with the upper bounds of their hues in degrees."""


class FieldMapping(NamedTuple):
    """The field that Cockatrice shows as cost, and up to two in the corner, as in "3/2"."""

    cost: str | None
    power: tuple[str, ...]


def map_fields(setup: Setup, cost: str | None, power: Sequence[str]) -> FieldMapping:
    """Return the given field mapping, completed by guesses.

    The cost is the first number whose name begins with "cost"; power is the first two others with
    an icon.
    """
    numbers = {
        field.name: field
        for kind in setup.card_kinds
        for field in kind.fields
        if field.numeric and not field.picture and not field.ignored
    }
    if cost is None:
        cost = next((name for name in numbers if name.casefold().startswith("cost")), None)
    shown = [name for name, field in numbers.items() if field.icon and name != cost]
    return FieldMapping(cost, tuple(power or shown[:2]))


class CardWriter:
    """Writes the cards of a game for Cockatrice."""

    def __init__(
        self,
        game: Game,
        entries: Mapping[FaceKey, CockatriceCard],
        fields: FieldMapping,
        pictures: str | None,
    ) -> None:
        """Take a game, its entries by key, and the base URL of pictures; None for local ones."""
        self._game = game
        self._entries = entries
        self._fields = fields
        self._pictures = pictures

    def element(
        self, entry: CockatriceCard, code: str, number: int, *, is_back: bool
    ) -> ET.Element:
        """Return the element of a card or its back in the set `code`, with its number in the set.

        A card and its own back are linked in both directions.
        """
        card, setup = entry.card, self._game.setup
        element, name = ET.Element("card"), (is_back and entry.back) or entry.name
        append_texts(element, name=name, text=None if is_back else self._text(entry))

        # The properties by which cards are sorted and filtered.
        printed = [
            term
            for field in card.kind.fields
            if field.item_field.type == "term" and not field.picture and not field.ignored
            for value in parts_of(card.fields.get(field.name))
            for term in self._term(field.item_field, value)
        ]
        terms = ", ".join(name for name, _ in (*printed, *self._child_terms(card)))
        cost = card.fields.get(self._fields.cost) if self._fields.cost else None
        power = [card.fields.get(name) for name in self._fields.power]
        corner = "/".join("–" if value is None else str(value) for value in power)
        main_type, row = self._group(card)
        color = color_letter(self._game.factions[entry.faction_id].color) or None
        properties = {
            "layout": "normal" if entry.back is None else "transform",
            "side": "back" if is_back else "front",
            "type": f"{card.kind.name} — {terms}" if terms else card.kind.name,
            "maintype": main_type,
            "manacost": None if cost is None else str(cost),
            "cmc": None if cost is None else str(cost),
            "colors": color,
            "coloridentity": color,
            "pt": None if all(value is None for value in power) else corner,
        }
        append_texts(ET.SubElement(element, "prop"), **properties)

        path = "/".join([setup.name, *map(str, entry.key), *["back"] * is_back])
        printing = {"num": str(number), "uuid": str(uuid.uuid5(uuid.NAMESPACE_URL, path))}
        if self._pictures is not None:
            file = quote(f"{picture_name(name)}.png")
            printing["picurl"] = f"{self._pictures.rstrip('/')}/{file}"
        ET.SubElement(element, "set", printing).text = code
        if entry.back is not None:
            other = ET.SubElement(element, "related", attach="transform")
            other.text = entry.name if is_back else entry.back
        for rule_id in () if is_back else card.rule_ids():
            rule = self._game.rules.get(rule_id)
            for token in rule.tokens if rule else ():
                for part in range(1, token.parts + 1):
                    if created := self._entries.get(("", token.id, part)):
                        ET.SubElement(element, "related").text = created.name
        append_texts(element, token="1" if card.kind.token else None, tablerow=str(row))
        return element

    def _text(self, entry: CockatriceCard) -> str:
        """Return the text of a card: its numbers on one line, then its terms, rules and texts."""
        numbers = [
            f"{field.text} {format_measure(value, field.unit, self._game.setup.language)}"
            for field in entry.card.kind.fields
            if field.numeric and field.text and not field.picture
            and isinstance(value := entry.card.fields.get(field.name), (int, float))
        ]  # fmt: skip
        lines = card_text(self._game, entry.card, entry.faction_id)
        return "\n".join(filter(None, [" · ".join(numbers), lines]))

    def _child_terms(self, card: Card) -> Iterator[tuple[str, int]]:
        """Yield the names of the terms of a card's children, and their places in vocabularies."""
        for spec in card.kind.children:
            if spec.single and spec.fields[0].type == "term":
                for child in card.children.get(spec.tag, ()):
                    yield from self._term(spec.fields[0], child.value)

    def _term(self, field: Field, value: object) -> Iterator[tuple[str, int]]:
        terms = self._game.setup.vocabularies[field.vocabulary or ""].terms
        if value in terms:
            yield terms[str(value)].name, list(terms).index(str(value))

    def _group(self, card: Card) -> tuple[str, int]:
        """Return the main type of a card, and the table row in which it is played.

        The type is its kind, or the term of its first child if there is only one kind.
        """
        setup = self._game.setup
        kinds = [kind.tag for kind in setup.card_kinds]
        words = list(self._child_terms(card))
        if words and (len(kinds) == 1 or card.kind.token):
            name, place = words[0]
        else:
            name = card.kind.name
            place = kinds.index(card.kind.tag) if card.kind.tag in kinds else 0
        main = setup.words["token"] if card.kind.token else name
        return main, max(0, _MAX_ROW - place)


def color_letter(color: str) -> str:
    """Return the letter of the color nearest to `#rrggbb`; "" for gray."""
    red, green, blue = (int(color[at : at + 2], 16) / 255 for at in (1, 3, 5))
    hue, light, _ = colorsys.rgb_to_hls(red, green, blue)
    if max(red, green, blue) - min(red, green, blue) < _GRAY_TOLERANCE:
        return "B" if light < _DARK_TOLERANCE else "W" if light > 1 - _DARK_TOLERANCE else ""
    return next(letter for up_to, letter in _COLORS if hue * 360 <= up_to)


def append_texts(element: ET.Element, **texts: str | None) -> None:
    """Append child elements with texts, except for texts that are None."""
    for name, text in texts.items():
        if text is not None:
            ET.SubElement(element, name).text = text


class CockatriceOptions(NamedTuple):
    """The options of `Game.export_cockatrice`; `address` is its `picture_url`."""

    cost: str | None = None
    power: tuple[str, ...] = ()
    pictures: bool = False
    dpi: float = 300
    address: str | None = None
    style: str | None = None
    rules: LimitOptions = LimitOptions()


class CockatriceExport(NamedTuple):
    """The result of an export.

    Attributes:
        renamed: names in Cockatrice that differ from the names of the cards.
        findings: the warnings, and the errors of decks that were left out.
    """

    cards: int
    tokens: int
    decks: tuple[Path, ...]
    database: Path
    pictures: Path | None
    renamed: tuple[str, ...]
    findings: tuple[Diagnostic, ...] = ()


def export_game(
    folder: GameFolder,
    decks: Sequence[Path],
    target: Path,
    options: CockatriceOptions,
    report: Report,
) -> CockatriceExport:
    """Write a game and deck lists of it to the folder `target`; leave out decks with errors."""
    # The program shows all cards at one size.
    game = load_checked_game(folder, report).with_token_size(FULL)
    templates = TemplateSet(game, folder, options.style)
    entries = name_backs(
        list_entries(game),
        game.setup.words["back"],
        lambda entry: has_own_back(templates, entry.card, entry.faction_id, report),
    )
    name = re.sub(r"[^\w-]+", "-", game.setup.name).strip("-") or "game"
    fields = map_fields(game.setup, options.cost, options.power)
    database = target / "customsets" / f"{name}.xml"
    files = {database: card_database(game, entries, fields, options.address)}
    for path in decks:
        findings: Report = []
        with suppress(OutputError):
            _, deck, _ = load_deck(folder, path, options.rules, findings)
            files[target / "decks" / f"{path.stem}.cod"] = deck_file(game, deck, entries)
        report.extend(findings)
    for path, data in files.items():
        write_data(path, data)
    pictures = target / "pics" / "CUSTOM" / name if options.pictures else None
    if pictures is not None:
        _draw_pictures(game, folder, entries, pictures, options, report)
    tokens = sum(entry.card.kind.token for entry in entries)
    renamed = tuple(entry.name for entry in entries if entry.name != entry.card.name)
    written = tuple(path for path in files if path != database)
    return CockatriceExport(len(entries) - tokens, tokens, written, database, pictures, renamed)


def _draw_pictures(
    game: Game,
    folder: GameFolder,
    entries: Iterable[CockatriceCard],
    target: Path,
    options: CockatriceOptions,
    report: Report,
) -> None:
    from deckwright.faces.watermark import make_watermark
    from deckwright.outputs.pictures import PictureCache
    from deckwright.paint.raster import Encoding, Raster

    factory = FaceFactory(game, folder, report, options.style)
    images = factory.pictures.store
    faces = {}
    for entry in entries:
        side = entry.card, entry.faction_id, report, entry.part
        if face := factory.card_face(*side):
            faces[picture_name(entry.name)] = face
        if entry.back is not None and (back := factory.card_back(*side)):
            faces[picture_name(entry.back)] = back
    mark = make_watermark(factory, None, report)
    faces = {name: mark.apply(face) for name, face in faces.items()}
    if not prepare_images(faces.values(), images, report):
        raise OutputError
    pictures = PictureCache(factory, images, Raster(options.dpi), Encoding("png"))
    files = zip(faces, pictures.files([*faces.values()]), strict=True)
    for name, data in files:
        write_data(target / f"{name}.png", data)


def card_database(
    game: Game, entries: Sequence[CockatriceCard], fields: FieldMapping, pictures: str | None
) -> bytes:
    """Return the card database of a game; `pictures` is their base URL, None for local ones."""
    initials = "".join(word[0] for word in re.findall(r"\w+", game.setup.name)).upper()[:3]
    taken, sets = set[str](), dict[str, str]()
    for faction_id in (*game.factions, ""):
        letters = re.sub(r"[^0-9A-Za-z]", "", faction_id or "TK").upper()
        sets[faction_id] = make_unique(f"{initials}{letters}", taken, "")
    root = ET.Element("cockatrice_carddatabase", version="4")
    info = ET.SubElement(root, "info")
    append_texts(info, author=game.setup.author or None, sourceVersion="Deckwright")
    holder = ET.SubElement(root, "sets")
    used = {entry.key[0] for entry in entries}
    for faction_id, code in sets.items():
        if faction_id in used:
            name = game.factions[faction_id].name if faction_id else game.setup.words["tokens"]
            longname = f"{game.setup.name}: {name}"
            element = ET.SubElement(holder, "set")
            append_texts(element, name=code, longname=longname, settype="Custom")
    cards = ET.SubElement(root, "cards")
    numbers: Counter[str] = Counter()
    writer = CardWriter(game, {entry.key: entry for entry in entries}, fields, pictures)
    for entry in entries:
        code = sets[entry.key[0]]
        for is_back in (False, True)[: 1 if entry.back is None else 2]:
            numbers[code] += 1
            cards.append(writer.element(entry, code, numbers[code], is_back=is_back))
    return _serialize(root)


def deck_file(game: Game, deck: Deck, entries: Iterable[CockatriceCard]) -> bytes:
    """Return a deck file: the main zone is the main deck, all others are the sideboard."""
    names = {entry.key: entry.name for entry in entries}
    main = game.setup.main_zone
    zones: dict[str, Counter[str]] = {"main": Counter(), "side": Counter(), "tokens": Counter()}
    for line in assign_zones(game, deck):
        zone = zones["main" if line.zone is None or line.zone.id == main.id else "side"]
        for part in range(1, line.card.parts + 1):
            zone[names[line.card.faction_id, line.card.id, part]] += line.entry.copies
    for count in count_tokens(game, deck):
        for part in range(1, count.token.parts + 1):
            zones["tokens"][names["", count.token.id, part]] += count.copies
    root = ET.Element("cockatrice_deck", version="1")
    form = format_of(game, deck)
    parts = [game.setup.name, game.factions[deck.faction_id].name]
    parts += [form.name] if form else []
    append_texts(root, deckname=deck.name, comments=" – ".join(parts))
    for zone_id, counts in zones.items():
        if counts or zone_id == "main":
            element = ET.SubElement(root, "zone", name=zone_id)
            for name, copies in counts.items():
                ET.SubElement(element, "card", number=str(copies), name=name)
    return _serialize(root)


def _serialize(root: ET.Element) -> bytes:
    ET.indent(root)
    text: str = ET.tostring(root, "unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n'.encode()
