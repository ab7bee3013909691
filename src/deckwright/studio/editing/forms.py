"""Forms as plain data: an entity's values, and the values that it may have."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

from deckwright.base.files import path_exists
from deckwright.base.findings import Report
from deckwright.game import load
from deckwright.game.folder import GameFolder
from deckwright.game.kinds import CROP_TYPES, Field, format_value
from deckwright.game.model import Deck, Game, PrintableCard
from deckwright.studio.answers import pick
from deckwright.studio.described import display_path
from deckwright.studio.editing.cells import TableFile, is_editable
from deckwright.studio.editing.outlines import (
    ChildOutline,
    EntityRef,
    Entry,
    cards_of_faction,
    find_users,
)
from deckwright.studio.editing.targets import EditTarget
from deckwright.xmlio.shape import Value

MAX_USERS = 24
"""The maximum number of cards listed as using a rule."""


class ValueOption(NamedTuple):
    """A value to choose from, with its color if it is one."""

    value: str
    name: str
    color: str | None = None


class FieldData(NamedTuple):
    """A field of a form.

    Attributes:
        value: as written in the file, None if it is not given.
        shown: whether it is read-only.
        lock: why it is, in a table: "column", "formula" or "merged".
        picture: for a focus or zoom, the field of the picture that it crops.
        look: whether it affects the card's picture; texts that do are of the type `drawing`, as
            they often name a picture or an icon.
    """

    name: str
    label: str
    type: str
    value: str | None
    needed: bool
    shown: bool
    lock: str
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


class UserData(NamedTuple):
    """A card that uses an entity."""

    faction: str
    id: str
    name: str


def build_form(
    target: EditTarget, game: Game, folder: GameFolder, *, read_only: bool
) -> dict[str, object]:
    """Return the form of an entity."""
    outline = target.outline
    faction = game.factions.get(target.entity.faction)
    groups = faction.groups if faction else None
    place = target.place or outline.node.source.at()
    table = ""
    if isinstance(target.file, TableFile) and not is_editable(target.file.row.head.table):
        table = place.path.name
    rule_users = find_users(game, target.entity.id) if target.entity.of == "rule" else []
    return {
        "thing": target.entity.serialize(),
        "title": outline.title,
        "kind": outline.kind_name,
        "place": {"path": display_path(place.path, folder.path), "line": place.line},
        "editable": not read_only and not table,
        "table": table,
        "state": target.fingerprint,
        "fields": [serialize_field(entry, game, groups) for entry in outline.entries],
        "children": [_serialize_children(each, game, groups) for each in outline.children],
        "links": _list_related(target.entity, game, folder),
        "begins": [] if target.entity.new else _list_new_entities(target, game),
        "deletable": target.entity.of != "texts" and not target.entity.new,
        "users": [serialize_user(each) for each in rule_users[:MAX_USERS]],
        "used": len(rule_users),
    }


def serialize_user(each: PrintableCard) -> UserData:
    """Return a card as plain data."""
    return UserData(each.faction_id, each.card.id, each.card.name)


def serialize_field(entry: Entry, game: Game, groups: frozenset[str] | None) -> FieldData:
    """Return a field as plain data.

    Args:
        groups: the groups of the card's faction, None if it has no faction.
    """
    value, field, fixed = entry.attribute.value, entry.field, entry.fixed_value is not None
    numeric = value.kind in {"integer", "decimal"}
    look = field is not None and field.picture
    return FieldData(
        name=entry.name,
        label=entry.label,
        type="drawing" if look and entry.type == "text" and not fixed else entry.type,
        value=entry.value(),
        needed=entry.attribute.required or _is_required(field, groups),
        shown=fixed,
        lock=entry.lock,
        default=_default(field),
        min=value.minimum if numeric else None,
        max=value.maximum if numeric else None,
        unit=field.unit if field else "",
        says="" if fixed else value.description,
        options=_value_options(field, value, game, groups),
        separator=value.separator,
        item=field.item.type if field and field.item else None,
        picture=entry.name.rpartition("-")[0] if entry.type in CROP_TYPES else None,
        rich=entry.rich,
        multiline=entry.rich or entry.in_child,
        look=look,
    )


def _is_required(field: Field | None, groups: frozenset[str] | None) -> bool:
    """Return whether a field that only one group may omit is required for a faction's cards."""
    group = field.optional if field else False
    return isinstance(group, str) and groups is not None and group not in groups


def _default(field: Field | None) -> str | None:
    if field is None or field.default is None or field.default == ():
        return None
    return format_value(field, field.default)


def _value_options(
    field: Field | None, value: Value, game: Game, groups: frozenset[str] | None
) -> list[ValueOption]:
    """Return the values to choose from that a faction's cards may have."""
    if field is not None and field.item_field.vocabulary and field.item_field.type == "term":
        terms = game.setup.vocabularies[field.item_field.vocabulary].terms.values()
        return [
            ValueOption(term.id, term.name or term.id)
            for term in terms
            if groups is None or term.audience.admits(groups)
        ]
    if field is not None and field.item_field.type in {"rule", "card", "flag"}:
        return []
    if field is not None and field.item_field.type == "color":
        return _color_options(game)
    return _color_options(game) if value.kind == "color" else _term_options(value.terms)


def _color_options(game: Game) -> list[ValueOption]:
    return [ValueOption(name, name, color) for name, color in game.setup.colors.items()]


def _term_options(terms: Iterable[tuple[str, str]]) -> list[ValueOption]:
    return [ValueOption(term, meaning or term) for term, meaning in terms]


def _serialize_children(
    each: ChildOutline, game: Game, groups: frozenset[str] | None
) -> dict[str, object]:
    return {
        **pick(each, "tag", "plural", "label", "single"),
        "min": each.minimum,
        "max": each.maximum,
        "look": all(entry.field is not None and entry.field.picture for entry in each.entries),
        "fields": [serialize_field(entry, game, groups) for entry in each.entries],
        "items": [
            {"from": number, "values": _child_values(each, number)}
            for number in range(len(each.nodes))
        ],
    }


def _child_values(each: ChildOutline, number: int) -> dict[str, str | None]:
    return {entry.name: entry.value(each.nodes[number]) for entry in each.entries}


def _list_new_entities(target: EditTarget, game: Game) -> list[dict[str, object]]:
    """Return the entities that can be created from one: a copy of it, and tokens of a rule.

    The title is "" for a copy, else the name of the kind.
    """
    entity, token = target.entity, game.setup.token_kind
    if entity.of == "rule":
        entries = [("", EntityRef("rule", new=True, like=entity.id))]
        if token is not None:
            entries.append(
                (token.name, EntityRef("card", new=True, kind=token.tag, rule=entity.id))
            )
    elif entity.of == "card":
        kind, rule = target.outline.node.tag, entity.id.rpartition("/")[0]
        rule = rule if token is not None and kind == token.tag else ""
        copy = EntityRef("card", "", entity.faction, new=True, kind=kind, like=entity.id, rule=rule)
        entries = [("", copy)]
    else:
        entries = []
    return [{"title": title, "thing": each.serialize()} for title, each in entries]


def _list_related(entity: EntityRef, game: Game, folder: GameFolder) -> list[dict[str, object]]:
    """Return the entities related to one: its faction, a rule's tokens, a token's rule."""
    links: list[dict[str, object]] = []
    if entity.of == "rule":
        for each in (each for each in game.printable_cards() if each.rule_id == entity.id):
            link = EntityRef("card", each.card.id, each.faction_id)
            links.append({"title": each.card.name, "thing": link.serialize()})
    faction = game.factions.get(entity.faction) if entity.of == "card" else None
    if faction is not None and path_exists(folder.factions_file):
        links.append({"title": faction.name, "thing": EntityRef("faction", faction.id).serialize()})
    owner = entity.rule or entity.id.rpartition("/")[0]
    rule = game.rules.get(owner) if entity.of == "card" else None
    if rule is not None:
        title = rule.any_label(faction.race if faction else "")
        links.append({"title": title, "thing": EntityRef("rule", rule.id).serialize()})
    return links


class DeckUse(NamedTuple):
    """A deck that contains a card."""

    deck: str
    file: str
    copies: int


class Uses(NamedTuple):
    """The decks and cards that use an entity."""

    decks: Sequence[DeckUse] = ()
    cards: Sequence[UserData] = ()


def find_uses(entity: EntityRef, game: Game, folder: GameFolder) -> Uses:
    """Return the cards that refer to an entity, and the decks that contain it or its cards."""
    if entity.of == "rule":
        return Uses(cards=[*map(serialize_user, find_users(game, entity.id))])
    if entity.of == "faction":
        cards = cards_of_faction(game, entity.id)
        keys = {(each.faction_id, each.card.id) for each in cards}
        decks = [*_find_decks(keys, entity.id, game, folder)]
        return Uses(decks, [*map(serialize_user, cards)])
    owner = game.factions[entity.faction].cards_of if entity.faction in game.factions else None
    owner = owner or entity.faction
    keys = {(each.id, entity.id) for each in game.factions.values() if each.cards_of == owner}
    keys |= {(owner, entity.id), (entity.faction, entity.id)}
    return Uses([*_find_decks(keys, None, game, folder)])


def _find_decks(
    keys: Collection[tuple[str, str]], faction: str | None, game: Game, folder: GameFolder
) -> Iterator[DeckUse]:
    """Yield the decks that contain these cards or belong to a faction."""
    for path in folder.deck_files():
        unread: Report = []
        deck: Deck | None = load.load_deck(path, folder, game.setup, unread)
        if deck is None:
            continue
        copies = sum(e.copies for e in deck.entries if (e.faction_id, e.card_id) in keys)
        if copies or deck.faction_id == faction:
            yield DeckUse(deck.name, path.name, copies)
