"""The tables of a game: one for each kind of card, with a column for each of its fields."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from typing import NamedTuple

from deckwright.base.names import unused
from deckwright.game.kinds import CROPS, Children, Field, Kind
from deckwright.game.model import Game
from deckwright.game.setup import Setup
from deckwright.game.shapes import Known, kind_shape, known_of
from deckwright.game.values import shape_of
from deckwright.grids.table import Column
from deckwright.xmlio.shape import LARGEST, Occurs, Shape, Terms

_MAX_TITLE = 31
"""The longest title that spreadsheet programs give to a tab."""


class Plan(NamedTuple):
    """The table of a kind of card.

    Attributes:
        title: what the table is called: the kind's tag, as far as it makes a title.
        shape: that of its elements.
    """

    title: str
    kind: Kind
    shape: Shape
    columns: tuple[Column, ...]

    @property
    def order(self) -> tuple[str, ...]:
        """The names of the attributes of its elements, as they are written."""
        return tuple(attribute.name for attribute in self.shape.attributes)


class Titles(NamedTuple):
    """What the tables of a game are called, each differently, also to those who ignore case.

    Attributes:
        kinds: the titles of the tables of cards by the tags of their kinds.
        decks: that of the table of deck lists.
        lists: that of the table of the values that cells may have.
    """

    kinds: dict[str, str]
    decks: str
    lists: str


def titles_of(setup: Setup) -> Titles:
    """Return what the tables of a game are called."""
    taken: set[str] = set()
    free = partial(unused, taken=taken, most=_MAX_TITLE)
    return Titles({tag: free(tag) for tag in setup.kinds}, free("decks"), free("lists"))


def plans_of(game: Game) -> list[Plan]:
    """Return the tables of a game's kinds of cards."""
    setup, known, titles = game.setup, known_of(game), titles_of(game.setup)
    plans = []
    for kind in setup.kinds.values():
        shape = kind_shape(setup, kind, known)
        columns = _columns_of(setup, kind, shape)
        plans.append(Plan(titles.kinds[kind.tag], kind, shape, columns))
    return plans


def columns_of_kind(setup: Setup, kind: Kind) -> tuple[Column, ...]:
    """Return the columns of a kind, whatever factions and rules there are."""
    return _columns_of(setup, kind, kind_shape(setup, kind, Known()))


def _columns_of(setup: Setup, kind: Kind, shape: Shape) -> tuple[Column, ...]:
    return tuple(_columns(setup, kind, shape))


def _columns(setup: Setup, kind: Kind, shape: Shape) -> Iterator[Column]:
    """Yield the columns of a kind: what every card has, its fields, its children."""
    if kind.token:
        note = "The id of the rule that creates the token, and its number there."
        yield Column("id", note=note)
    else:
        yield Column("id", attribute=shape.attribute("id"), note="The card's id in its faction.")
        factions = shape.attribute("faction_id")
        assert factions is not None
        note = "The faction whose card file has it."
        yield Column("faction_id", ("faction",), factions, terms=factions.value.terms, note=note)
    yield Column("name", attribute=shape.attribute("name"), note="The name in print.")
    for field in kind.fields:
        if field.value is not None:
            note = f"{_note(setup, field)} It is worked out, and not read back."
            yield Column(field.name, note=note, worked=shape_of(field))
        elif not field.ignored:
            attribute = shape.attribute(field.name)
            assert attribute is not None
            yield Column(
                field.name,
                attribute=attribute,
                terms=attribute.value.terms,
                note=_note(setup, field),
                rare=field.type in CROPS,
            )
    taken = {"id", "faction_id", "name", *(field.name for field in kind.fields)}
    plurals = [children.plural for children in kind.children]
    for children in kind.children:
        occurs = shape.child(children.tag)
        assert occurs is not None
        unique = plurals.count(children.plural) == 1 and children.plural not in taken
        title = children.plural if unique else f"<{children.tag}>"
        aliases = () if children.tag in {*taken, *plurals} else (children.tag,)
        yield _list_column(setup, children, occurs, title, aliases)


def _list_column(
    setup: Setup, children: Children, occurs: Occurs, title: str, aliases: tuple[str, ...]
) -> Column:
    names = tuple(field.name for field in children.fields)
    terms: Terms = ()
    first = children.fields[0]
    if children.single:
        attribute = occurs.shape.attribute(first.name)
        terms = attribute.value.terms if attribute else ()
        what = _note(setup, first) or f"Each is a `{children.tag}`."
        note = f"{what} Separate several with `; `."
    else:
        pairs = " ".join(f"{name}=…" for name in names)
        note = f"Each is `{pairs}`, separate several with `; `."
    return Column(title, aliases, None, occurs, names, terms, note)


_NOTES = {
    "rule": "The id of a rule.",
    "card": "The id of a card.",
    "image": "A file in the folder img.",
    "focus": "The point of the picture that stays in the middle, such as 0.5 0.2.",
    "zoom": "How many times larger the picture is shown.",
    "flag": "true or false.",
}


def _note(setup: Setup, field: Field) -> str:
    """Return what a field holds, in words."""
    parts = [f"{field.text}." if field.text else ""]
    if field.item is not None:
        each = _note(setup, field.item._replace(text="", default=None))
        parts += [each, f"Separate several with `{field.separator}`."]
    elif field.numeric:
        number = "A whole number" if field.type == "integer" else "A number"
        unit = f", in {field.unit}" if field.unit else ""
        bounds = f" from {field.minimum} to {field.maximum}"
        if field.maximum >= LARGEST:
            bounds = f", at least {field.minimum}"
        parts.append(f"{number}{bounds}{unit}.")
    elif field.type == "term":
        vocabulary = setup.vocabularies[field.vocabulary or ""]
        terms = vocabulary.terms.values()
        parts.append(_listed(f"{t.id}: {t.name}" if t.name else t.id for t in terms))
    elif field.type in _NOTES:
        parts.append(_NOTES[field.type])
    if field.default not in {None, "", ()} and field.type != "flag":
        default = field.default if isinstance(field.default, tuple) else (field.default,)
        parts.append(f"{', '.join(map(str, default))} where it is empty.")
    return " ".join(part for part in parts if part)


def _listed(words: Iterable[str], at_most: int = 12) -> str:
    words = list(words)
    more = f", and {len(words) - at_most} more" if len(words) > at_most else ""
    return ", ".join(words[:at_most]) + more + "."
