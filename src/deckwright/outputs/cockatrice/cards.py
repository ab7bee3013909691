"""The cards of a game as Cockatrice has them.

Cockatrice was made for a game with creatures and mana: what a game has that it knows no field for
stands in the card's text.
"""

from __future__ import annotations

import colorsys
import uuid
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple
from urllib.parse import quote
from xml.etree import ElementTree as ET

from deckwright.base.numbers import measured
from deckwright.faces.card_text import card_text
from deckwright.game.kinds import Field
from deckwright.game.model import Card, FaceKey, Game
from deckwright.game.setup import Setup
from deckwright.game.values import parts_of
from deckwright.outputs.cockatrice.names import Entry, picture_name

_LARGEST_ROW = 2
"""Cockatrice's table has the rows 0, nearest to the player, to 2."""
_GRAY, _DARK = 0.12, 0.2
"""Below which difference of its parts a color is a gray, below which lightness that is black."""
_COLORS = ((20, "R"), (75, "W"), (165, "G"), (270, "U"), (335, "B"), (360, "R"))
"""The letters that Cockatrice has for colors, by the hues, in degrees, up to which they go."""


class Mapped(NamedTuple):
    """Which fields Cockatrice shows as what.

    Attributes:
        cost: the field whose value is the cost, None for none.
        power: at most two fields that stand in the card's corner, as in "3/2".
    """

    cost: str | None
    power: tuple[str, ...]


def mapped(setup: Setup, cost: str | None, power: Sequence[str]) -> Mapped:
    """Return which fields Cockatrice shows as what: the given ones, or what looks like them.

    The cost is the number whose name begins with "cost", the others are the first two that have an
    icon.
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
    return Mapped(cost, tuple(power or shown[:2]))


class Cards:
    """Writes the cards of a game for Cockatrice."""

    def __init__(
        self, game: Game, entries: Mapping[FaceKey, Entry], fields: Mapped, pictures: str | None
    ) -> None:
        """Take a game and its entries by their keys.

        Args:
            pictures: the address below which the pictures can be found, None for the user's own.
        """
        self._game = game
        self._entries = entries
        self._fields = fields
        self._pictures = pictures

    def card(self, entry: Entry, code: str, number: int) -> ET.Element:
        """Return the element of a card.

        Args:
            code, number: its set and its number there.
        """
        element = self._side(entry, entry.name, code, number)
        for token in self._tokens(entry.card):
            ET.SubElement(element, "related").text = token.name
        return self._ended(element, entry)

    def back(self, entry: Entry, code: str, number: int) -> ET.Element:
        """Return the element of the back of a card, into which it can be turned, and back again."""
        assert entry.back is not None
        return self._ended(self._side(entry, entry.back, code, number), entry)

    def _side(self, entry: Entry, name: str, code: str, number: int) -> ET.Element:
        """Return the beginning of the element of a card, or of its back if that is its name."""
        element, is_back = ET.Element("card"), name == entry.back
        put(element, name=name, text=None if is_back else self._text(entry))
        properties = self._properties(entry, self._group(entry.card)[0])
        if entry.back is not None:
            properties |= {"layout": "transform", "side": "back" if is_back else "front"}
        put(ET.SubElement(element, "prop"), **properties)
        printing = self._printing(entry, name, number)
        ET.SubElement(element, "set", printing).text = code
        if entry.back is not None:
            other = ET.SubElement(element, "related", attach="transform")
            other.text = entry.name if is_back else entry.back
        return element

    def _ended(self, element: ET.Element, entry: Entry) -> ET.Element:
        """Return the element of a card with what comes last in it."""
        card = entry.card
        put(element, token="1" if card.kind.token else None, tablerow=str(self._group(card)[1]))
        return element

    def _properties(self, entry: Entry, main: str) -> dict[str, str | None]:
        """Return what Cockatrice sorts and filters a card by; `main` is its main type."""
        card = entry.card
        terms = ", ".join(name for name, _ in self._terms(card))
        cost = card.fields.get(self._fields.cost) if self._fields.cost else None
        power = [card.fields.get(name) for name in self._fields.power]
        corner = "/".join("–" if value is None else str(value) for value in power)
        color = color_letter(self._game.factions[entry.faction_id].color) or None
        return {
            "layout": "normal",
            "side": "front",
            "type": f"{card.kind.name} — {terms}" if terms else card.kind.name,
            "maintype": main,
            "manacost": None if cost is None else str(cost),
            "cmc": None if cost is None else str(cost),
            "colors": color,
            "coloridentity": color,
            "pt": None if all(value is None for value in power) else corner,
        }

    def _printing(self, entry: Entry, name: str, number: int) -> dict[str, str]:
        """Return the attributes of a side of this name in its set."""
        side = ["back"] if name == entry.back else []
        path = "/".join([self._game.setup.name, *map(str, entry.key), *side])
        printing = {"num": str(number), "uuid": str(uuid.uuid5(uuid.NAMESPACE_URL, path))}
        if self._pictures is not None:
            file = quote(f"{picture_name(name)}.png")
            printing["picurl"] = f"{self._pictures.rstrip('/')}/{file}"
        return printing

    def _text(self, entry: Entry) -> str:
        """Return what a card says: its numbers in a line, then its terms, rules and texts."""
        numbers = [
            f"{field.text} {measured(value, field.unit, self._game.setup.language)}"
            for field in entry.card.kind.fields
            if field.numeric and field.text and not field.picture
            and isinstance(value := entry.card.fields.get(field.name), (int, float))
        ]  # fmt: skip
        lines = card_text(self._game, entry.card, entry.faction_id)
        return "\n".join(filter(None, [" · ".join(numbers), lines]))

    def _terms(self, card: Card) -> Iterator[tuple[str, int]]:
        """Yield the names of a card's terms, and their places in their vocabularies."""
        for field in card.kind.fields:
            if field.one.type == "term" and not field.picture and not field.ignored:
                value = card.fields.get(field.name)
                for each in parts_of(value):
                    yield from self._named(field.one, each)
        yield from self._child_terms(card)

    def _child_terms(self, card: Card) -> Iterator[tuple[str, int]]:
        for spec in card.kind.children:
            if spec.single and spec.fields[0].type == "term":
                for child in card.children.get(spec.tag, ()):
                    yield from self._named(spec.fields[0], child.value)

    def _named(self, field: Field, value: object) -> Iterator[tuple[str, int]]:
        terms = self._game.setup.vocabularies[field.vocabulary or ""].terms
        if value in terms:
            yield terms[str(value)].name, list(terms).index(str(value))

    def _group(self, card: Card) -> tuple[str, int]:
        """Return under which word a card is listed, and in which row of the table it is played.

        That is its kind, or where there is but one, what its first child says, such as its row.
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
        return main, max(0, _LARGEST_ROW - place)

    def _tokens(self, card: Card) -> Iterator[Entry]:
        """Yield the tokens that a card can create."""
        for rule_id in card.rule_ids():
            for token in self._game.rules[rule_id].tokens if rule_id in self._game.rules else ():
                for part in range(1, token.parts + 1):
                    if entry := self._entries.get(("", token.id, part)):
                        yield entry


def color_letter(color: str) -> str:
    """Return the letter of the color that is nearest to `#rrggbb`; "" for gray."""
    red, green, blue = (int(color[at : at + 2], 16) / 255 for at in (1, 3, 5))
    hue, light, _ = colorsys.rgb_to_hls(red, green, blue)
    if max(red, green, blue) - min(red, green, blue) < _GRAY:
        return "B" if light < _DARK else "W" if light > 1 - _DARK else ""
    return next(letter for up_to, letter in _COLORS if hue * 360 <= up_to)


def put(element: ET.Element, **texts: str | None) -> None:
    """Put elements with texts inside another, but for those that are None."""
    for name, text in texts.items():
        if text is not None:
            ET.SubElement(element, name).text = text
