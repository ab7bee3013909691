"""Check the zones, limits and formats of decks in `game.xml`."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import chain
from typing import NamedTuple

from deckwright.base.findings import Code, Diagnostic, Severity, known_hint
from deckwright.game.conditions import read_where, references_in
from deckwright.game.formulas import CARDS, DECK, Formula, FormulaError, Reference, read_number
from deckwright.game.measures import MeasureError, read_measure
from deckwright.game.read_field import text
from deckwright.game.setup import RESTRICTION, Kind, Limit
from deckwright.game.setup_findings import EVERY_CARD, G001, G002, mixed_bounds, several, unknown
from deckwright.xmlio.node import Node
from deckwright.xmlio.validate import described

G005 = Code("G005", Severity.ERROR, "a number of decks that cannot be worked out")

MOST_CONDITIONS = 20
"""The most conditions of a zone or a limit; all are tried for each card of a deck."""
_SUM = "write a sum of fields with numbers, such as `strength + 2*actions`"
_NUMBERS = ("min", "max", "exactly")


class _Names(NamedTuple):
    """What zones and limits may name.

    Attributes:
        fields: what a card has one value of.
        lists: what it may have several of: its children, by their plural.
        wholes: the fields with whole numbers, which formulas may refer to.
        sums: the fields with any numbers.
    """

    zones: frozenset[str]
    fields: frozenset[str]
    lists: frozenset[str]
    wholes: frozenset[str]
    sums: frozenset[str]


def check_deck_rules(
    deck: Node, kinds: Mapping[str, Kind], limits: Mapping[str, Limit], lost: Collection[str]
) -> Iterator[Diagnostic]:
    """Report zones and limits that name what there is not, and formats of limits likewise.

    Args:
        lost: the ids of limits that were left out; "" of one without an id.
    """
    fields = [field for kind in kinds.values() for field in kind.fields]
    names = _Names(
        frozenset(text(node, "id") for node in deck.named("zone")),
        frozenset(field.name for field in fields) | set(EVERY_CARD),
        frozenset(spec.plural for kind in kinds.values() for spec in kind.children),
        frozenset(field.name for field in fields if field.type == "integer"),
        numeric_fields(kinds.values()),
    )
    for node in deck.named("zone"):
        yield from _check_conditions(node, "where", names)
        for reference in references_in(read_where(text(node, "where"))):
            message = f"{described(node)} asks for `{reference}`, but cards come to zones first"
            hint = "say it in a limit: `where` of a limit may refer to the deck"
            yield G002.at(node.source.at("where"), message, hint)
    for node in deck.named("limit"):
        yield from _check_limit(node, names)
    for node in deck.named("opening"):
        yield from unknown(node, "zone", "zone", names.zones)
    for name in ("worth", "cost"):
        yield from _check_measure(deck, name, names)
    for node in deck.named("format"):
        for change in node.named("set"):
            if "" not in lost:
                yield from unknown(change, "limit", "limit", {*limits, *lost})
            yield from _check_number(change, "value", names)
            limit = limits.get(text(change, "limit"))
            if limit is not None and limit.bound is None and change.get("value") != "off":
                message = f"the limit `{limit.id}` has no number"
                hint = 'switch it off with `value="off"`'
                yield G002.at(change.source.at("value"), message, hint)
    yield from several(deck.named("format"), "default", "only one format can be the default")
    yield from several(deck.named("zone"), "main", "only one zone can be the main deck")


def numeric_fields(kinds: Iterable[Kind]) -> frozenset[str]:
    """Return the names of the fields of cards that hold numbers."""
    return frozenset(field.name for kind in kinds for field in kind.fields if field.numeric)


def _check_measure(deck: Node, name: str, names: _Names) -> Iterator[Diagnostic]:
    written = deck.get(name)
    if written is None:
        return
    try:
        read_measure(written, names.sums, names.zones)
    except MeasureError as error:
        message = f"{described(deck)}: `{name}` cannot be worked out: {error}"
        hint = known_hint(written, sorted(names.sums)) or _SUM
        yield G005.at(deck.source.at(name), message, hint)


def _check_limit(node: Node, names: _Names) -> Iterator[Diagnostic]:
    yield from _check_conditions(node, "where", names)
    yield from unknown(node, "zone", "zone", names.zones)
    yield from unknown(node, "sum", "field with a number", names.sums)
    yield from unknown(node, "per", "field", names.fields)
    yield from unknown(node, "distinct", "field", names.fields)
    for name in _NUMBERS:
        yield from _check_number(node, name, names)
    if not any("{" in (node.get(name) or "") for name in _NUMBERS):
        yield from mixed_bounds(node)
    if node.get("sum") is not None and node.get("distinct") is not None:
        message = f"{described(node)} has both `sum` and `distinct`"
        yield G002.at(node.source.at("distinct"), message, "make two limits of it")
    if node.get("faction") is None and not any(node.get(name) is not None for name in _NUMBERS):
        yield G002.at(
            node.source.at(),
            f"the limit `{node.get('id')}` limits nothing",
            "add `min`, `max`, `exactly` or `faction`",
        )
    for free in node.named("free"):
        yield from unknown(free, "same", "field", names.fields)
        for name in ("where", "others"):
            yield from _check_conditions(free, name, names)


def _check_conditions(node: Node, name: str, names: _Names) -> Iterator[Diagnostic]:
    """The conditions of a zone or limit are few, and about fields that there are."""
    conditions = list(chain.from_iterable(read_where(text(node, name))))
    fields = names.fields | names.lists
    if len(conditions) > MOST_CONDITIONS:
        message = f"{described(node)} has {len(conditions)} conditions"
        yield G002.at(node.source.at(name), message, f"use at most {MOST_CONDITIONS}")
    for condition in conditions:
        field = condition.field
        if field not in fields and (field != RESTRICTION or node.tag == "zone"):
            message = f"{described(node)} names the field `{field}`, which no kind of card has"
            hint = known_hint(field, sorted(fields))
            yield G001.at(node.source.at(name), message, hint)
        if isinstance(condition.value, Reference):
            yield from _check_reference(node, name, condition.value, names, numeric=False)


def _check_number(node: Node, name: str, names: _Names) -> Iterator[Diagnostic]:
    """A number that comes from the deck can be read, and what it refers to is there."""
    written = node.get(name)
    if written is None or "{" not in written:
        return
    try:
        number = read_number(written)
    except FormulaError as error:
        message = f"{described(node)}: `{name}` cannot be worked out: {error}"
        hint = "write a sum such as `{{ main.cards // 5 * 2 + 2 }}`, of zones and their fields"
        yield G005.at(node.source.at(name), message, hint)
        return
    if isinstance(number, Formula):
        for reference in dict.fromkeys(number.references()):
            yield from _check_reference(node, name, reference, names, numeric=True)


def _check_reference(
    node: Node, name: str, reference: Reference, names: _Names, *, numeric: bool
) -> Iterator[Diagnostic]:
    """What is referred to is there: a zone, and a field that its cards may have."""
    zone, field = reference
    place = node.source.at(name)
    if zone not in names.zones and zone != DECK:
        message = f"`{reference}` refers to the zone `{zone}`, which game.xml does not define"
        yield G001.at(place, message, known_hint(zone, sorted({*names.zones, DECK})))
    known = names.wholes | {CARDS} if numeric else names.fields | names.lists
    whose = f"no kind of card has as a {'whole number' if numeric else 'field'}"
    if zone == DECK and zone not in names.zones:
        known = frozenset({CARDS if numeric else "faction_id"})
        whose = "a whole deck does not have"
    if field not in known:
        message = f"`{reference}` refers to `{field}`, which {whose}"
        yield G001.at(place, message, known_hint(field, sorted(known)))
