"""Forms as plain data: what a thing says, and what it may say."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import NotRequired, TypedDict

from deckwright.base.files import path_exists
from deckwright.base.findings import Report
from deckwright.game import load
from deckwright.game.folder import GameFolder
from deckwright.game.kinds import CROP_TYPES, Field, format_value
from deckwright.game.model import Deck, Game, PrintableCard
from deckwright.studio.described import display_path
from deckwright.studio.editing.outlines import (
    ChildOutline,
    EntityRef,
    Entry,
    cards_of_faction,
    find_printed,
    find_users,
)
from deckwright.studio.editing.targets import EditTarget
from deckwright.xmlio.shape import Value

MAX_USERS = 24
"""How many of the cards that show a rule are named."""


class ValueOption(TypedDict):
    """A value that one may choose."""

    value: str
    name: str
    color: NotRequired[str]


class FieldData(TypedDict):
    """A field of a form.

    Attributes:
        value: as the file has it, None if it is not given.
        shown: whether it can only be looked at.
        picture: of a focus or zoom, the field of the picture that it crops.
        look: whether it is part of what makes the card's picture.
    """

    name: str
    label: str
    type: str
    value: str | None
    needed: bool
    shown: bool
    default: str | None
    min: float | None
    max: float | None
    unit: str
    says: str
    options: list[ValueOption]
    separator: str
    item: str | None
    picture: str | None
    rich: bool
    multiline: bool
    look: bool


class UserData(TypedDict):
    """A card that shows a thing."""

    faction: str
    id: str
    name: str


def build_form(
    spot: EditTarget, game: Game, folder: GameFolder, *, read_only: bool
) -> dict[str, object]:
    """Return the form of a thing."""
    outline = spot.outline
    faction = game.factions.get(spot.thing.faction)
    groups = faction.groups if faction else None
    place = outline.node.source.at()
    shown = find_users(game, spot.thing.id) if spot.thing.of == "rule" else []
    return {
        "thing": spot.thing.told(),
        "title": outline.title,
        "kind": outline.called,
        "place": {"path": display_path(place.path, folder.path), "line": place.line},
        "editable": not read_only,
        "table": "",
        "state": spot.state,
        "fields": [serialize_field(entry, game, groups) for entry in outline.entries],
        "children": [_serialize_children(each, game, groups) for each in outline.children],
        "links": _list_related(spot.thing, game, folder),
        "begins": [] if spot.thing.new else _list_new_entities(spot, game),
        "deletable": spot.thing.of != "texts" and not spot.thing.new,
        "users": [serialize_user(each) for each in shown[:MAX_USERS]],
        "used": len(shown),
    }


def build_table_form(thing: EntityRef, game: Game, folder: GameFolder) -> dict[str, object]:
    """Return the form of a card that stands in a table: what it says, to be looked at."""
    card = find_printed(game, thing.faction, thing.id).card
    place = card.source.at()
    fields = [_plain_field("id", card.id), _plain_field("name", card.name)]
    fields += [
        {
            **_plain_field(field.name, format_value(field, card.fields.get(field.name))),
            "label": field.text,
            "type": field.type,
        }
        for field in card.kind.fields
        if not field.ignored
    ]
    return {
        "thing": thing.told(),
        "title": card.name,
        "kind": card.kind.name,
        "place": {"path": display_path(place.path, folder.path), "line": place.line},
        "editable": False,
        "table": place.path.name,
        "state": "",
        "fields": fields,
        "children": [],
        "links": _list_related(thing, game, folder),
        "begins": [],
        "deletable": False,
        "users": [],
        "used": 0,
    }


def _plain_field(name: str, value: str) -> FieldData:
    return {
        "name": name,
        "label": "",
        "type": "text",
        "value": value,
        "needed": False,
        "shown": True,
        "default": None,
        "min": None,
        "max": None,
        "unit": "",
        "says": "",
        "options": [],
        "separator": ",",
        "item": None,
        "picture": None,
        "rich": False,
        "multiline": False,
        "look": False,
    }


def serialize_user(each: PrintableCard) -> UserData:
    """Return a card as one that shows something."""
    return {"faction": each.faction_id, "id": each.card.id, "name": each.card.name}


def serialize_field(entry: Entry, game: Game, groups: frozenset[str] | None) -> FieldData:
    """Return a field.

    Args:
        groups: those of the card's faction, None if it has none.
    """
    value, field = entry.attribute.value, entry.field
    numeric = value.kind in {"integer", "decimal"}
    data = _plain_field(entry.name, entry.value() or "")
    data["value"] = entry.value()
    data["label"], data["type"] = entry.label, entry.type
    data["needed"] = entry.attribute.required or _is_required(field, groups)
    data["shown"] = entry.fixed is not None
    data["default"] = _default(field)
    data["min"] = value.minimum if numeric else None
    data["max"] = value.maximum if numeric else None
    data["unit"] = field.unit if field else ""
    data["says"] = "" if data["shown"] else value.says
    data["options"] = _value_options(field, value, game, groups)
    data["separator"] = value.separator
    data["item"] = field.item.type if field and field.item else None
    data["picture"] = entry.name.rpartition("-")[0] if entry.type in CROP_TYPES else None
    data["rich"], data["multiline"] = entry.rich, entry.rich or entry.inside
    data["look"] = field is not None and field.picture
    return data


def _is_required(field: Field | None, groups: frozenset[str] | None) -> bool:
    """Return whether cards of a faction must have a field that those of a group may leave out."""
    group = field.optional if field else False
    return isinstance(group, str) and groups is not None and group not in groups


def _default(field: Field | None) -> str | None:
    if field is None or field.default is None or field.default == ():
        return None
    return format_value(field, field.default)


def _value_options(
    field: Field | None, value: Value, game: Game, groups: frozenset[str] | None
) -> list[ValueOption]:
    """Return the values that one may choose, those that cards of a faction may have."""
    if field is not None and field.one.vocabulary and field.one.type == "term":
        terms = game.setup.vocabularies[field.one.vocabulary].terms.values()
        return [
            {"value": term.id, "name": term.name or term.id}
            for term in terms
            if groups is None or term.audience.admits(groups)
        ]
    if field is not None and field.one.type in {"rule", "card", "flag"}:
        return []
    if field is not None and field.one.type == "color":
        return _color_options(game)
    return _color_options(game) if value.kind == "color" else _term_options(value.terms)


def _color_options(game: Game) -> list[ValueOption]:
    return [
        {"value": name, "name": name, "color": color} for name, color in game.setup.colors.items()
    ]


def _term_options(terms: Iterable[tuple[str, str]]) -> list[ValueOption]:
    return [{"value": term, "name": meaning or term} for term, meaning in terms]


def _serialize_children(
    each: ChildOutline, game: Game, groups: frozenset[str] | None
) -> dict[str, object]:
    return {
        "tag": each.tag,
        "plural": each.plural,
        "label": each.label,
        "min": each.minimum,
        "max": each.maximum,
        "single": each.single,
        "look": all(entry.field is not None and entry.field.picture for entry in each.entries),
        "fields": [serialize_field(entry, game, groups) for entry in each.entries],
        "items": [
            {"from": number, "values": _child_values(each, number)}
            for number in range(len(each.nodes))
        ],
    }


def _child_values(each: ChildOutline, number: int) -> dict[str, str | None]:
    return {entry.name: entry.value(each.nodes[number]) for entry in each.entries}


def _list_new_entities(spot: EditTarget, game: Game) -> list[dict[str, object]]:
    """Return the new things that may be begun from one: its copy, and tokens of a rule.

    Their titles are "" for a copy, else the name of the kind.
    """
    thing, token = spot.thing, game.setup.token_kind
    if thing.of == "rule":
        begun = [("", EntityRef("rule", new=True, like=thing.id))]
        if token is not None:
            begun.append((token.name, EntityRef("card", new=True, kind=token.tag, rule=thing.id)))
    elif thing.of == "card":
        kind, rule = spot.outline.node.tag, thing.id.rpartition("/")[0]
        rule = rule if token is not None and kind == token.tag else ""
        copy = EntityRef("card", "", thing.faction, new=True, kind=kind, like=thing.id, rule=rule)
        begun = [("", copy)]
    else:
        begun = []
    return [{"title": title, "thing": each.told()} for title, each in begun]


def _list_related(thing: EntityRef, game: Game, folder: GameFolder) -> list[dict[str, object]]:
    """Return the things beside a thing: its faction, a rule's tokens, a token's rule."""
    links: list[dict[str, object]] = []
    if thing.of == "rule":
        for each in (each for each in game.printed() if each.rule_id == thing.id):
            link = EntityRef("card", each.card.id, each.faction_id)
            links.append({"title": each.card.name, "thing": link.told()})
    faction = game.factions.get(thing.faction) if thing.of == "card" else None
    if faction is not None and path_exists(folder.factions_file):
        links.append({"title": faction.name, "thing": EntityRef("faction", faction.id).told()})
    owner = thing.rule or thing.id.rpartition("/")[0]
    rule = game.rules.get(owner) if thing.of == "card" else None
    if rule is not None:
        title = rule.any_label(faction.race if faction else "")
        links.append({"title": title, "thing": EntityRef("rule", rule.id).told()})
    return links


class DeckUse(TypedDict):
    """A deck that has copies of a card."""

    deck: str
    file: str
    copies: int


class Uses(TypedDict):
    """Who needs a thing."""

    decks: list[DeckUse]
    cards: list[UserData]


def find_uses(thing: EntityRef, game: Game, folder: GameFolder) -> Uses:
    """Return the cards that name a thing, and the decks that have it or its cards."""
    if thing.of == "rule":
        return {"decks": [], "cards": [serialize_user(each) for each in find_users(game, thing.id)]}
    if thing.of == "faction":
        cards = cards_of_faction(game, thing.id)
        keys = {(each.faction_id, each.card.id) for each in cards}
        decks = [*_find_decks(keys, thing.id, game, folder)]
        return {"decks": decks, "cards": [serialize_user(each) for each in cards]}
    owner = game.factions[thing.faction].cards_of if thing.faction in game.factions else None
    owner = owner or thing.faction
    keys = {(each.id, thing.id) for each in game.factions.values() if each.cards_of == owner}
    keys |= {(owner, thing.id), (thing.faction, thing.id)}
    return {"decks": [*_find_decks(keys, None, game, folder)], "cards": []}


def _find_decks(
    keys: Collection[tuple[str, str]], faction: str | None, game: Game, folder: GameFolder
) -> Iterator[DeckUse]:
    """Yield the decks that have cards of these factions and ids, or are of a faction."""
    for path in folder.deck_files():
        unread: Report = []
        deck: Deck | None = load.load_deck(path, folder, game.setup, unread)
        if deck is None:
            continue
        copies = sum(e.copies for e in deck.entries if (e.faction_id, e.card_id) in keys)
        if copies or deck.faction_id == faction:
            yield {"deck": deck.name, "file": path.name, "copies": copies}
