"""The shapes of the files of factions, rules, cards and decks, as they follow from `game.xml`."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

from deckwright.base.findings import Code, Severity
from deckwright.base.geometry import FOCUS_PATTERN, ZOOM_PATTERN
from deckwright.game.kinds import Field, Kind, shape_of
from deckwright.game.model import DeckEntry, Faction, Game, RestrictionList, Rule
from deckwright.game.setup import Setup
from deckwright.xmlio.binding import model_shape, with_values
from deckwright.xmlio.load import file_limits
from deckwright.xmlio.shape import (
    COLOR,
    ID,
    INTEGER_CAP,
    NAME,
    Attribute,
    Occurs,
    Shape,
    Terms,
    Value,
    element,
    key,
    optional,
    required,
    text_shape,
)

R016 = Code("R016", Severity.ERROR, "a format of decks that the game does not have")


class KnownIds(NamedTuple):
    """The ids and names of a game's factions and rules, for completion in editors.

    Files are validated without them: unknown rules are reported by a check, which knows more than
    a schema.
    """

    factions: Terms = ()
    rules: Terms = ()


def collect_known_ids(game: Game) -> KnownIds:
    """Return the ids and names of a game's factions and rules."""
    return KnownIds(
        tuple((faction.id, faction.name) for faction in game.factions.values()),
        tuple((r.id, " / ".join(dict.fromkeys(r.labels.values()))) for r in game.rules.values()),
    )


MAX_COPIES = 999
"""The largest number of copies in a line of a deck list."""
MAX_FACTIONS = 500
MAX_TOKENS = 50
"""The tokens of a rule."""
MAX_CHILDREN = 200
"""The children of one kind, such as a card's rules, unless `game.xml` gives a number."""


def factions_shape(setup: Setup) -> Shape:
    """Return the shape of `factions_definition.xml`; `game.xml` may name more colors."""
    own = tuple((name, "") for name in setup.colors if not COLOR.accepts(name))
    color = COLOR._replace(terms=own)
    shape = model_shape(Faction, "faction")
    faction = with_values(shape, color=color, format=_format_value(setup))
    return element("data", "", Occurs(faction, 0, MAX_FACTIONS), prunable=("faction",))


def rules_shape(setup: Setup, known: KnownIds = KnownIds()) -> Shape:  # noqa: B008 - it does not change
    """Return the shape of `rules.xml`."""
    rule = model_shape(Rule, "rule")
    if setup.token_kind is not None:
        token = Occurs(kind_shape(setup, setup.token_kind, known), 0, MAX_TOKENS)
        rule = rule._replace(children=(*rule.children, token))
    return element("data", "", Occurs(rule), prunable=("rule",))


def cards_shape(setup: Setup, known: KnownIds = KnownIds()) -> Shape:  # noqa: B008 - as above
    """Return the shape of card files, which follows from the kinds of cards."""
    kinds = [Occurs(kind_shape(setup, kind, known)) for kind in setup.card_kinds]
    return element("data", "", *kinds, prunable=tuple(kind.tag for kind in setup.card_kinds))


def deck_shape(setup: Setup, known: KnownIds = KnownIds()) -> Shape:  # noqa: B008 - as above
    """Return the shape of deck lists."""
    faction = _id_value(known.factions)
    meta = element(
        "meta",
        "the deck's faction, name and format",
        required("main_faction_id", faction, "the deck's faction"),
        required("name", NAME, "the deck's name in print"),
        optional("format", _format_value(setup), "the format whose limits it must keep to"),
    )
    card = with_values(
        model_shape(DeckEntry, "card"),
        faction_id=faction,
        amount=Value(kind="integer", minimum=1, maximum=MAX_COPIES),
        zone=Value(kind="term", terms=tuple((zone.id, zone.name) for zone in setup.zones)),
    )
    lines = Occurs(card, 0, file_limits().deck_lines)
    return element("data", "", Occurs(meta, 1, 1), lines, prunable=("card",))


def restrictions_shape(known: KnownIds = KnownIds()) -> Shape:  # noqa: B008 - as above
    """Return the shape of restriction lists."""
    shape = model_shape(RestrictionList, "data", "")
    meta, lines = shape.children
    card = with_values(lines.shape, faction_id=_id_value(known.factions))
    return shape._replace(children=(meta, Occurs(card, 0, file_limits().deck_lines)))


def _format_value(setup: Setup) -> Value:
    formats = tuple((form.id, form.name) for form in setup.formats.values())
    return Value(kind="term", terms=formats, code=R016)


def kind_shape(setup: Setup, kind: Kind, known: KnownIds) -> Shape:
    """Return the shape of the cards of a kind."""
    remedy = "`deckwright fmt --ids` gives an id to every card without one"
    attributes = [] if kind.token else [key("id", ID, "the card's id")._replace(remedy=remedy)]
    attributes.append(required("name", NAME, "its name in print"))
    if not kind.token:
        faction = _id_value(known.factions)
        attributes.append(required("faction_id", faction, "its faction"))
    children = [
        Occurs(
            element(
                child.tag,
                "",
                *_field_attributes(setup, child.fields, known),
                *(Attribute(name, meaning="ignored") for name in child.ignored),
            ),
            child.minimum,
            MAX_CHILDREN if child.maximum is None else child.maximum,
        )
        for child in kind.children
    ]
    tags = {child.tag for child in kind.children}
    fields = _field_attributes(setup, kind.fields, known, tags)
    return element(kind.tag, kind.name, *attributes, *fields, *children)


def _field_attributes(
    setup: Setup, fields: Iterable[Field], known: KnownIds, tags: Collection[str] = ()
) -> Iterator[Attribute | Occurs]:
    """Yield the attributes of fields, and elements in their place unless `tags` has their names."""
    # Numbers of tokens or faces to print.
    countable = {setup.tokens.budget, *(kind.parts for kind in setup.kinds.values())}
    for field in fields:
        if field.value is not None:
            continue
        if field.type in _CROP_VALUES:
            value, means = _CROP_VALUES[field.type]
            yield Attribute(field.name, value, meaning=means)
            continue
        value = shape_of(field, setup.terms_of(field), known.rules)
        if field.name in countable:
            value = value._replace(maximum=min(value.maximum, INTEGER_CAP))
        attribute = Attribute(
            field.name,
            value,
            required=not (field.optional or field.ignored or field.searched),
            meaning=field.text or ("ignored" if field.ignored else ""),
            declared=field.source if field.numeric else None,
        )
        plain = field.ignored or field.picture or field.name in tags
        if field.type == "text" and not plain:
            yield attribute._replace(element=True)
            yield text_shape(attribute.name, attribute.meaning)
        else:
            yield attribute


_CROP_VALUES = {
    "focus": (
        Value(pattern=FOCUS_PATTERN, words="two numbers from 0 to 1, such as `0.5 0.2`"),
        "the point of the picture that stays in the middle, across and down",
    ),
    "zoom": (
        Value(pattern=ZOOM_PATTERN, words="a number from 1 to 99, such as `1.3`"),
        "how many times larger the picture is shown",
    ),
}
"""The values of the crop of a picture, and their meanings."""


def _id_value(terms: Terms) -> Value:
    """Return the shape of one of these ids, or of any id if none is known."""
    return Value(kind="term", terms=terms) if terms else ID
