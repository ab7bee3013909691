"""The content of a card as text: for screen readers, exports and play-test slips."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from deckwright.base.colors import rgb
from deckwright.base.units import format_measure
from deckwright.faces.copies import face_name
from deckwright.game.context import Context
from deckwright.game.decklist import resolve_card
from deckwright.game.kinds import ChildSpec, Field, FieldValue, parts_of
from deckwright.game.model import Card, Child, Game
from deckwright.game.setup import Symbol
from deckwright.game.words import format_cost
from deckwright.ops.model import DrawGlyphs, Face, FillPath, Gradient, Op, StrokePath, map_ops
from deckwright.text.richtext import strip_markup

_WORD_TYPES = frozenset(("text", "rule", "term", "card"))
"""The types of fields with words."""
_PROSE_TYPES = frozenset(("text", "rule"))
"""The types of fields with sentences."""
_SYMBOL = re.compile(r"\{(icon:)?([A-Za-z0-9_-]+)\}")
_SPACE = re.compile(r"\s+")
_BEFORE_MARK = re.compile(r" (?=[,.;:!?])")


def card_text(game: Game, card: Card, faction_id: str) -> str:
    """Return the rules and texts of a card, one a line.

    Args:
        faction_id: the faction whose names of rules are used: the card's, or for tokens the deck's.
    """
    reader = _CardTextReader(game, game.factions[faction_id].race, card)
    return "\n".join(reader.lines())


def describe_card(game: Game, card: Card, faction_id: str) -> str:
    """Return the whole content of a card, one statement a line, after its name and kind.

    Args:
        faction_id: the faction whose names of rules are used: the card's, or for tokens the deck's.
    """
    reader = _CardTextReader(game, game.factions[faction_id].race, card, numbers=True)
    return "\n".join([f"{card.name} ({card.kind.name})", *reader.lines()])


class _CardTextReader:
    def __init__(
        self, game: Game, race: str, card: Card, *, numbers: bool = False, marked: bool = False
    ) -> None:
        """Read a card with the names that a race gives to rules.

        Args:
            numbers: whether to include numeric fields.
            marked: whether texts keep their markup.
        """
        self._game = game
        self._race = race
        self._card = card
        self._numbers = numbers
        self._marked = marked

    def lines(self) -> Iterator[str]:
        """Yield the statements as lines."""
        for name, text, _ in self.facts():
            yield f"{name}: {text}" if name else text

    def facts(self) -> Iterator[tuple[str, str, bool]]:
        """Yield the statements of the card: named values and texts.

        Each has its name in print, "" if the text needs none; the text; and whether that is prose,
        not numbers or terms.
        """
        card, vocabularies = self._card, self._game.setup.vocabularies
        for field in card.kind.fields:
            value = card.fields.get(field.name)
            has_words = field.item_field.type in _WORD_TYPES or (self._numbers and field.numeric)
            is_prose, name = field.item_field.type in _PROSE_TYPES, field.text
            if self._marked and not is_prose and value != field.default:
                name = name or field.name  # without its place on the card, a value needs a name
            text = self._format_value(field, value) if has_words else ""
            if text and (name or field.type in _PROSE_TYPES):
                yield name, text, is_prose
        for spec in card.kind.children:
            children, first = card.children.get(spec.tag, ()), spec.fields[0]
            vocabulary = vocabularies.get(first.vocabulary or "")
            term_name = vocabulary.name if vocabulary else ""
            if spec.single and first.type == "term":
                terms = [self._format_value(first, child.value) for child in children]
                if terms:
                    yield term_name, ", ".join(terms), False
                continue
            texts = [*filter(None, (self._format_child(spec, child) for child in children))]
            if not self._marked or any(f.item_field.type in _PROSE_TYPES for f in spec.fields):
                yield from (("", text, True) for text in texts)
            elif texts:
                yield first.text or term_name, ", ".join(texts), False

    def _format_child(self, spec: ChildSpec, child: Child) -> str:
        """Return the text of a child, "" if it has only numbers and pictures."""
        values = [
            (field, child.values.get(field.name), field.item_field.type in _WORD_TYPES)
            for field in spec.fields
        ]
        if not any(is_text and value is not None for _, value, is_text in values):
            return ""
        shown = (
            self._format_value(field, value)
            for field, value, is_text in values
            if is_text or field.numeric
        )
        return " ".join(filter(None, shown))

    def _format_value(self, field: Field, value: FieldValue) -> str:
        if value is None or field.ignored or field.picture:
            return ""
        texts = (self._format_part(field.item_field, part) for part in parts_of(value))
        return ", ".join(filter(None, texts))

    def _format_part(self, field: Field, value: FieldValue) -> str:
        if field.type == "term":
            term = self._game.setup.vocabularies[field.vocabulary or ""].terms.get(str(value))
            return "" if term is None else term.name
        if field.type == "card":
            card = resolve_card(self._game, self._card, str(value))
            return "" if card is None else self._plain_text(card.name)
        if isinstance(value, (int, float)):
            return format_measure(value, field.unit, self._game.setup.language)
        if field.type != "rule":
            return self._plain_text(str(value))
        rule = self._game.rules.get(str(value))
        if rule is None:
            return ""
        label, cost = rule.any_label(self._race), ""
        if self._marked:
            label = f"**{label}**"
        if rule.cost is not None:
            words = self._game.setup.words
            cost = format_cost(words, rule.cost) if self._marked else f" ({rule.cost})"
        return f"{label}{cost}: {self._plain_text(rule.effect)}"

    def _plain_text(self, text: str) -> str:
        return text if self._marked else plain_text(text, self._game.setup.symbols)


def plain_text(text: str, symbols: Mapping[str, Symbol]) -> str:
    """Return a text without markup and icons, with names in place of symbols."""

    def name_symbol(sign: re.Match[str]) -> str:
        icon, name = sign.groups()
        if icon:
            return ""
        return f" {symbols[name].name} " if name in symbols else sign.group()

    plain = strip_markup(text, lambda part: _SYMBOL.sub(name_symbol, part))
    spaced = _SPACE.sub(" ", plain).strip()
    return spaced if spaced == text else _BEFORE_MARK.sub("", spaced)


_NBSP = "\N{NO-BREAK SPACE}"
_SIGNS, _ESCAPED = re.compile(r"([*_+~{}\\])"), r"\\\1"
"""The characters of markup, and what escapes them in a name."""
_MAX_JOINED = 24
"""A name and value up to this length together, in characters, are kept on one line."""
_MAX_CHROMA, _MIN_WHITE = 24, 0xD0
"""Colors whose channels differ by no more count as gray; grays from this level on become white."""
_MAX_GRAY = 0x80
"""The lightest gray for other colors: visible on white, and a background for black."""


def slip_context(game: Game, card: Card, faction_id: str, number: int) -> Context:
    """Return the context of the template of a slip: the card's texts with markup."""
    facts, texts = [], []
    race = game.factions[faction_id].race
    reader = _CardTextReader(game, race, card, numbers=True, marked=True)
    for name, text, is_prose in reader.facts():
        if is_prose:
            texts.append(f"**{_SIGNS.sub(_ESCAPED, name)}:** {text}" if name else text)
        else:
            fact = f"{_SIGNS.sub(_ESCAPED, name)} **{text}**".strip()
            facts.append(fact.replace(" ", _NBSP) if len(name + text) < _MAX_JOINED else fact)
    return {
        "name": face_name(card, number),
        "kind": card.kind.name,
        "facts": f"{_NBSP}· ".join(facts),
        "text": "\n".join(texts),
    }


def to_grayscale(face: Face) -> Face:
    """Return a face in grayscale, including its symbols."""

    def convert(op: Op) -> Op:
        if isinstance(op, FillPath) and isinstance(op.color, Gradient):
            stops = tuple((at, _to_gray(stop)) for at, stop in op.color.stops)
            return op._replace(color=op.color._replace(stops=stops))
        if isinstance(op, DrawGlyphs | FillPath | StrokePath) and isinstance(op.color, str):
            return op._replace(color=_to_gray(op.color))
        return op

    return face._replace(ops=map_ops(face.ops, convert))


def _to_gray(color: str) -> str:
    """Return the gray for a color on a slip."""
    red, green, blue = channels = rgb(color)
    level = round(0.299 * red + 0.587 * green + 0.114 * blue)  # luma, ITU-R BT.601
    white = level >= _MIN_WHITE and max(channels) - min(channels) <= _MAX_CHROMA
    return "#" + 3 * f"{level if white else min(level, _MAX_GRAY):02x}"
