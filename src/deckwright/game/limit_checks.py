"""Check the zones, limits and formats of decks in `game.xml`."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from deckwright.base.findings import Code, Diagnostic, Severity, known_hint
from deckwright.game.conditions import read_where, references_in
from deckwright.game.deck_rules import Limit
from deckwright.game.formulas import Formula, FormulaError, read_number
from deckwright.game.kinds import Kind
from deckwright.game.measures import MeasureError, read_measure
from deckwright.game.named import (
    MOST_CONDITIONS,
    Names,
    names_in,
    unknown_in,
    unknown_reference,
)
from deckwright.game.read_field import number, text
from deckwright.game.setup_findings import G001, G002, mixed_bounds, several, unknown
from deckwright.xmlio.node import Node
from deckwright.xmlio.validate import described

G005 = Code("G005", Severity.ERROR, "a number of decks that cannot be worked out")

_SUM = "write a sum of fields with numbers, such as `strength + 2*actions`"
_NUMBERS = ("min", "max", "exactly")


def check_deck_rules(
    deck: Node, kinds: Mapping[str, Kind], limits: Mapping[str, Limit], lost: Collection[str]
) -> Iterator[Diagnostic]:
    """Report zones and limits that name what there is not, and formats of limits likewise.

    Args:
        lost: the ids of limits that were left out; "" of one without an id.
    """
    names = names_in((text(node, "id") for node in deck.named("zone")), kinds.values())
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
        yield from _check_opening(node)
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


def _check_opening(node: Node) -> Iterator[Diagnostic]:
    """Nobody lays aside more cards than the hand has."""
    hand, redraws = number(node, "hand", 0) or 0, number(node, "redraws", 0) or 0
    if redraws > hand > 0:
        message = f"`redraws` is {redraws}, more than `hand`, which is {hand}"
        yield G002.at(node.source.at("redraws"), message, f"write at most {hand}")


def _check_measure(deck: Node, name: str, names: Names) -> Iterator[Diagnostic]:
    written = deck.get(name)
    if written is None:
        return
    try:
        read_measure(written, names.sums, names.zones)
    except MeasureError as error:
        message = f"{described(deck)}: `{name}` cannot be worked out: {error}"
        hint = known_hint(written, sorted(names.sums)) or _SUM
        yield G005.at(deck.source.at(name), message, hint)


def _check_limit(node: Node, names: Names) -> Iterator[Diagnostic]:
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


def _check_conditions(node: Node, name: str, names: Names) -> Iterator[Diagnostic]:
    """The conditions of a zone or limit are few, and about fields that there are."""
    where, place = read_where(text(node, name)), node.source.at(name)
    number = sum(map(len, where))
    if number > MOST_CONDITIONS:
        message = f"{described(node)} has {number} conditions"
        yield G002.at(place, message, f"use at most {MOST_CONDITIONS}")
    restricts = node.tag != "zone"
    for message, hint in unknown_in(where, names, described(node), restricts=restricts):
        yield G001.at(place, message, hint)


def _check_number(node: Node, name: str, names: Names) -> Iterator[Diagnostic]:
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
            for message, known in unknown_reference(reference, names, numeric=True):
                yield G001.at(node.source.at(name), message, known)
