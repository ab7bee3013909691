"""Forms as plain data: the values of an entity, and the values that it may have."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from deckwright.base.files import path_exists
from deckwright.game import load
from deckwright.game.folder import GameFolder
from deckwright.game.kinds import CROP_TYPES, format_value
from deckwright.game.model import Game, PrintableCard
from deckwright.studio.answers import Json, pick
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

MAX_USERS = 24
"""The maximum number of cards listed as using a rule."""


class ValueOption(NamedTuple):
    """A value to choose from, with its color if it is one."""

    value: str
    name: str
    color: str | None = None


class CardSummary(NamedTuple):
    """What identifies a card for people."""

    faction: str
    id: str
    name: str


def build_form(target: EditTarget, game: Game, folder: GameFolder, *, read_only: bool) -> Json:
    """Return the form of an entity."""
    outline = target.outline
    faction = game.factions.get(target.entity.faction)
    groups = faction.groups if faction else None
    place = target.place or outline.node.source.at()
    table = "" if is_writable(target) else place.path.name
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
        "children": [serialize_children(each, game, groups) for each in outline.children],
        "links": _list_related(target.entity, game, folder),
        "begins": [] if target.entity.new else _list_new_entities(target, game),
        "deletable": target.entity.of != "texts" and not target.entity.new,
        "users": [summarize_card(each) for each in rule_users[:MAX_USERS]],
        "used": len(rule_users),
    }


def is_writable(target: EditTarget) -> bool:
    """Return whether the file of an entity can be written; not all tables can."""
    file = target.file
    return not isinstance(file, TableFile) or is_editable(file.row.head.table)


def serialize_children(children: ChildOutline, game: Game, groups: frozenset[str] | None) -> Json:
    """Return an entity's children of one tag as plain data; see `serialize_field`."""
    entries = children.entries
    return {
        **pick(children, "tag", "plural", "label", "single"),
        "min": children.minimum,
        "max": children.maximum,
        "look": all(entry.field is not None and entry.field.picture for entry in entries),
        "fields": [serialize_field(entry, game, groups) for entry in entries],
        "items": [
            {"from": at, "values": {entry.name: entry.value(node) for entry in entries}}
            for at, node in enumerate(children.nodes)
        ],
    }


def summarize_card(printed: PrintableCard) -> CardSummary:
    """Return what identifies a card."""
    return CardSummary(printed.faction_id, printed.card.id, printed.card.name)


def serialize_field(entry: Entry, game: Game, groups: frozenset[str] | None) -> Json:
    """Return a field as plain data.

    Args:
        groups: the groups of the card's faction, None if it has no faction.
    """
    value, field, fixed = entry.attribute.value, entry.field, entry.fixed_value is not None
    numeric = value.kind in {"integer", "decimal"}
    look = field is not None and field.picture
    # A field that only one group may omit is required for the cards of others.
    group = field.optional if field else False
    required = isinstance(group, str) and groups is not None and group not in groups
    default = None
    if field is not None and field.default is not None and field.default != ():
        default = format_value(field, field.default)
    type_ = field.item_field.type if field else ""
    options: list[ValueOption] = []
    if field is not None and field.item_field.vocabulary and type_ == "term":
        options = [
            ValueOption(term.id, term.name or term.id)
            for term in game.setup.vocabularies[field.item_field.vocabulary].terms.values()
            if groups is None or term.audience.admits(groups)
        ]
    elif type_ == "color" or (value.kind == "color" and type_ not in {"rule", "card", "flag"}):
        options = [ValueOption(name, name, color) for name, color in game.setup.colors.items()]
    elif type_ not in {"rule", "card", "flag"}:
        options = [ValueOption(term, meaning or term) for term, meaning in value.terms]
    return {
        "name": entry.name,
        "label": entry.label,
        # Texts that affect the card's picture often name a picture or an icon.
        "type": "drawing" if look and entry.type == "text" and not fixed else entry.type,
        "value": entry.value(),  # as written in the file, None if it is not given
        "needed": entry.attribute.required or required,
        "shown": fixed,
        "lock": entry.lock,
        "default": default,
        "min": value.minimum if numeric else None,
        "max": value.maximum if numeric else None,
        "unit": field.unit if field else "",
        "says": "" if fixed else value.description,
        "options": options,
        "separator": value.separator,
        "item": field.item.type if field and field.item else None,
        # For a focus or zoom, the field of the picture that it crops.
        "picture": entry.name.rpartition("-")[0] if entry.type in CROP_TYPES else None,
        "rich": entry.rich,
        "multiline": entry.rich or entry.in_child,
        "look": look,
    }


def _list_new_entities(target: EditTarget, game: Game) -> list[Json]:
    """Return the entities that can be created from one: a copy of it, and tokens of a rule.

    The title is "" for a copy, else the name of the kind.
    """
    entity, token = target.entity, game.setup.token_kind
    if entity.of == "rule":
        entries = [("", EntityRef("rule", new=True, like=entity.id))]
        if token is not None:
            new_token = EntityRef("card", new=True, kind=token.tag, rule=entity.id)
            entries.append((token.name, new_token))
    elif entity.of == "card":
        kind, rule = target.outline.node.tag, entity.id.rpartition("/")[0]
        rule = rule if token is not None and kind == token.tag else ""
        copy = EntityRef("card", "", entity.faction, new=True, kind=kind, like=entity.id, rule=rule)
        entries = [("", copy)]
    else:
        entries = []
    return [{"title": title, "thing": each.serialize()} for title, each in entries]


def _list_related(entity: EntityRef, game: Game, folder: GameFolder) -> list[Json]:
    """Return the entities related to one: its faction, a rule's tokens, a token's rule."""
    links: list[Json] = []
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


class Uses(NamedTuple):
    """The decks and cards that use an entity."""

    decks: Sequence[Json] = ()
    cards: Sequence[CardSummary] = ()


def find_uses(entity: EntityRef, game: Game, folder: GameFolder) -> Uses:
    """Return the cards that refer to an entity, and the decks that contain it or its cards."""
    if entity.of == "rule":
        return Uses(cards=[*map(summarize_card, find_users(game, entity.id))])
    if entity.of == "faction":
        cards = cards_of_faction(game, entity.id)
        keys = {(each.faction_id, each.card.id) for each in cards}
        decks = [*_find_decks(keys, entity.id, game, folder)]
        return Uses(decks, [*map(summarize_card, cards)])
    owner = game.factions[entity.faction].cards_of if entity.faction in game.factions else None
    owner = owner or entity.faction
    keys = {(each.id, entity.id) for each in game.factions.values() if each.cards_of == owner}
    keys |= {(owner, entity.id), (entity.faction, entity.id)}
    return Uses([*_find_decks(keys, None, game, folder)])


def _find_decks(
    keys: Collection[tuple[str, str]], faction: str | None, game: Game, folder: GameFolder
) -> Iterator[Json]:
    """Yield the decks that contain these cards or belong to a faction."""
    for path in folder.deck_files():
        deck = load.load_deck(path, folder, game.setup, [])
        if deck is None:
            continue
        copies = sum(e.copies for e in deck.entries if (e.faction_id, e.card_id) in keys)
        if copies or deck.faction_id == faction:
            yield {"deck": deck.name, "file": path.name, "copies": copies}
