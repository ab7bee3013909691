"""Read the files of a game: parsed, validated, turned into factions, rules, cards and decks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from deckwright.base.colors import resolve_color
from deckwright.base.findings import Diagnostic, Report, has_errors
from deckwright.base.output import report_failure
from deckwright.base.strings import with_forms
from deckwright.game.kinds import Field, FieldValue, Kind, parse_value, shape_of
from deckwright.game.model import Card, Child, Deck, DeckEntry, Faction, Game, Omissions, Rule
from deckwright.game.setup import Setup
from deckwright.game.words import choose_plurals
from deckwright.xmlio.binding import read_model
from deckwright.xmlio.load import load_text, parse_text
from deckwright.xmlio.node import Node
from deckwright.xmlio.shape import Shape, get_text
from deckwright.xmlio.validate import validate_and_prune


class ValidatedFile(NamedTuple):
    """The root element of a valid file, and the faulty elements removed from it."""

    root: Node
    pruned: Sequence[Node]

    @property
    def omissions(self) -> Omissions:
        """The entities omitted from the file."""
        # An omitted element with the id of another one may have been meant to have a different id.
        kept = {(node.tag, node.get("id")) for node in self.root.children}
        ids = [None if (n.tag, n.get("id")) in kept else n.get("id") for n in self.pruned]
        return Omissions(frozenset(filter(None, ids)), not all(ids))


class CardFile(NamedTuple):
    """The cards of a file, and those omitted because of errors, with stubs of these."""

    cards: Sequence[Card]
    omissions: Omissions
    stubs: Sequence[Card] = ()


class ParsedFile(NamedTuple):
    """The result of reading a file, with its findings.

    Attributes:
        file: the valid part of the file, None if there is none; not kept for card files.
        cards: the cards of a card file.
        decks: the decks that tables define, by name.
    """

    file: ValidatedFile | None
    findings: tuple[Diagnostic, ...]
    cards: CardFile = CardFile((), Omissions(unknown=True))
    decks: Mapping[str, ValidatedFile] = MappingProxyType({})


_ParsedFiles = Mapping[Path, ParsedFile]
_file_cache: ContextVar[tuple[dict[Path, ParsedFile], _ParsedFiles] | None] = ContextVar(
    "_kept", default=None
)


@contextmanager
def use_file_cache(
    cache: dict[Path, ParsedFile], previous: _ParsedFiles = MappingProxyType({})
) -> Iterator[None]:
    """Within the block, cache what is read; `previous` has the results of changed files."""
    token = _file_cache.set((cache, previous))
    try:
        yield
    finally:
        _file_cache.reset(token)


def read_cached(
    path: Path, read: Callable[[ParsedFile | None], ParsedFile], report: Report
) -> ParsedFile:
    """Return the cached result for a file, or `read` it, given the result before it changed."""
    readings, former = _file_cache.get() or ({}, {})
    reading = readings.get(path)
    if reading is None:
        reading = readings[path] = read(former.get(path))
    report.extend(reading.findings)
    return reading


def load_validated(
    path: Path, shape: Shape, report: Report, require: Callable[[Node], None] = lambda _: None
) -> ValidatedFile | None:
    """Return the valid part of a file, None after reporting why there is none.

    Args:
        require: raises a FileError if the root element rules out that the file can be valid.
    """

    def read(_: ParsedFile | None) -> ParsedFile:
        findings: Report = []
        file = None
        with report_failure(findings):
            root = parse_text(path, load_text(path))
            require(root)
            file = ValidatedFile(root, validate_and_prune(root, shape, findings))
        return ParsedFile(file, tuple(findings))

    return read_cached(path, read, report).file


def load_valid(path: Path, shape: Shape, report: Report) -> Node | None:
    """Return the root element of a valid file, None after reporting why it is not valid."""
    before = len(report)
    file = load_validated(path, shape, report)
    return file.root if file and not has_errors(report[before:]) else None


_UNKNOWN_COLOR = "#808080"
"""The color of an unknown faction."""
_TABLE_COLORS = (
    "#2f4a6d",
    "#8a3b32",
    "#3f6b46",
    "#6b4a7d",
    "#8a5a1c",
    "#2f6f73",
    "#7a3b5d",
    "#55605a",
)
"""The colors of factions that only tables name, in their order; white is legible on all of them."""
_DEFAULT_FACTION = "ALL"
"""The id of the only faction of a game that names none."""


def read_factions(root: Node, setup: Setup) -> dict[str, Faction]:
    """Return the factions of `factions_definition.xml` by id."""
    factions = (read_model(Faction, node) for node in root.children)
    return {
        faction.id: faction._replace(
            name=choose_plurals(with_forms(faction.name, faction.one, faction.few), setup),
            color=resolve_color(faction.color, setup.colors),
            groups=setup.groups_of(faction.race),
        )
        for faction in factions
    }


def make_table_factions(setup: Setup, names: Iterable[str | None]) -> dict[str, Faction]:
    """Return factions by the ids that tables name; None stands for a table that names none."""
    return {
        name: Faction(
            id=name,
            race=name,
            name=setup.name if name == _DEFAULT_FACTION else name,
            color=_TABLE_COLORS[number % len(_TABLE_COLORS)],
            source=setup.source,
            groups=setup.groups_of(name),
        )
        for number, name in enumerate(dict.fromkeys(name or _DEFAULT_FACTION for name in names))
    }


def read_rules(root: Node, setup: Setup) -> dict[str, Rule]:
    """Return the rules of `rules.xml` by id, with their tokens."""
    rules, kind = {}, setup.token_kind
    for node in root.children:
        rule_id = node.attributes["id"]
        tokens = (
            _read_card(token, kind, f"{rule_id}/{number}")
            for number, token in enumerate(node.children_named(kind.tag), 1)
        ) if kind else ()  # fmt: skip
        rules[rule_id] = read_model(Rule, node, tokens=tuple(tokens))
    return rules


def read_cards(root: Node, setup: Setup) -> list[Card]:
    """Return the cards of a card file in its order."""
    return [
        _read_card(node, setup.kinds[node.tag], node.attributes["id"]) for node in root.children
    ]


def read_stub(node: Node, setup: Setup, faction_id: str) -> Card:
    """Return the stub of a faulty card: what can be read of it, without faulty children."""
    kinds = {kind.tag: kind for kind in setup.card_kinds}
    kind = kinds.get(node.tag) or next(iter(kinds.values()))

    def is_wrong(field: Field, text: str) -> bool:
        return not shape_of(field, setup.terms_of(field)).accepts(text)

    def is_sound(child: Node) -> bool:
        spec = kind.child(child.tag)
        texts = ((field, child.get(field.name)) for field in (spec.fields if spec else ()))
        return not any(
            f.default is None and not f.optional if text is None else is_wrong(f, text)
            for f, text in texts
        )

    faulty = {
        field.name: text
        for field in kind.fields
        if (text := node.get(field.name)) is not None and is_wrong(field, text)
    }
    card_id = node.attributes["id"]
    attributes = {name: text for name, text in node.attributes.items() if name not in faulty}
    attributes["name"] = node.get("name") or card_id
    children = [*filter(is_sound, node.children)]
    sound = Node(node.tag, attributes, node.source, children=children)
    card = _read_card(sound, kind, card_id)
    if node.tag != kind.tag:  # nothing is known of it
        card = card._replace(fields={field.name: None for field in kind.fields})
    return card._replace(faulty_values=faulty, faction_id=faction_id)


def add_stubs(game: Game, deck: Deck) -> Game:
    """Return the game with stubs for the missing cards and factions of a deck."""
    factions, stubs = dict(game.factions), {}
    for faction_id in (deck.faction_id, *(entry.faction_id for entry in deck.entries)):
        stub = Faction(faction_id, "", faction_id, _UNKNOWN_COLOR, deck.source)
        factions.setdefault(faction_id, stub)
    for entry in deck.entries:
        key = entry.faction_id, entry.card_id
        if key not in game.cards:
            node = Node("", {"id": entry.card_id}, entry.source)
            stubs[key] = game.stubs.get(key) or read_stub(node, game.setup, entry.faction_id)
    return game._replace(factions=factions, cards={**game.cards, **stubs}, stubs=stubs)


def read_deck(root: Node, *, is_complete: bool = True) -> Deck:
    """Return the deck of a deck list, which is complete if no lines were omitted."""
    meta = next(root.children_named("meta"))
    entries = tuple(read_model(DeckEntry, node) for node in root.children_named("card"))
    return Deck(
        stem=root.source.path.stem,
        name=meta.attributes["name"],
        faction_id=meta.attributes["main_faction_id"],
        format=meta.get("format"),
        entries=entries,
        source=meta.source,
        is_complete=is_complete,
    )


def _read_card(node: Node, kind: Kind, card_id: str) -> Card:
    children = {
        spec.tag: tuple(
            Child({field.name: _read_value(field, child) for field in spec.fields}, child.source)
            for child in node.children_named(spec.tag)
        )
        for spec in kind.children
    }
    return Card(
        kind=kind,
        id=card_id,
        name=" ".join(node.attributes["name"].split()),
        faction_id=node.get("faction_id") or "",
        fields={field.name: _read_value(field, node) for field in kind.fields if not field.ignored},
        children=children,
        source=node.source,
    )


def _read_value(field: Field, node: Node) -> FieldValue:
    text = get_text(node, field.name) if field.type == "text" else node.get(field.name)
    if text is None:
        return None if field.searched else field.default
    return parse_value(field, text)
