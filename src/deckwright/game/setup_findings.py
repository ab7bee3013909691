"""Check the names in conditions, in `game.xml` and on the command line."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator
from itertools import chain
from typing import NamedTuple

from deckwright.base.findings import ChoiceError, Code, Diagnostic, Severity, known_hint
from deckwright.game.deck_rules import (
    CARDS,
    DECK,
    RESTRICTION,
    Condition,
    Reference,
    Where,
    find_unparsed,
    parse_where,
)
from deckwright.game.kinds import Field, Kind
from deckwright.game.read import read_flag, read_number
from deckwright.game.setup import Setup
from deckwright.xmlio.node import Node
from deckwright.xmlio.validate import describe_element

G001 = Code("G001", Severity.ERROR, "game.xml refers to something that it does not define")
G002 = Code("G002", Severity.ERROR, "game.xml contradicts itself")

EVERY_CARD = ("id", "name", "faction_id", "kind")
"""The attributes of every card, which conditions may use like fields."""


def check_reference(
    node: Node, attribute: str, what: str, known: Collection[str]
) -> Iterator[Diagnostic]:
    """Yield a finding if the value of an attribute is unknown."""
    value = node.get(attribute)
    if value is not None and value not in known:
        yield G001.at(
            node.source.at(attribute),
            f"{describe_element(node)} names the {what} `{value}`, which game.xml does not define",
            known_hint(value, sorted(known)),
        )


def check_bounds(node: Node) -> Iterator[Diagnostic]:
    """Report a minimum above the maximum, and fractions as bounds of integers."""
    least, most = read_number(node, "min", 0), read_number(node, "max", math.inf)
    for name in ("min", "max"):
        if node.get("type") == "integer" and not isinstance(read_number(node, name, 0), int):
            message = (
                f"{describe_element(node)} is a whole number, but `{name}` is {node.get(name)}"
            )
            yield G002.at(node.source.at(name), message, "write a whole number, or `decimal`")
    if least > most:
        message = f"`min` is {least}, more than `max`, which is {most}"
        yield G002.at(node.source.at("min"), message, "swap the two")


def check_single(nodes: Iterable[Node], name: str, message: str) -> Iterator[Diagnostic]:
    """Report all but the first element with a flag."""
    for node in [node for node in nodes if read_flag(node, name)][1:]:
        yield G002.at(node.source.at(name), message)


MAX_CONDITIONS = 20
"""Limits the conditions of a zone or limit, which are all evaluated for each card."""
Problem = tuple[str, str | None]
"""A message, and a hint or None."""


class KnownNames(NamedTuple):
    """The names that zones and limits may use.

    Attributes:
        fields: the attributes with a single value.
        lists: the children, by their plural.
        wholes: the integer fields, which formulas may use.
        sums: all numeric fields.
    """

    zones: frozenset[str]
    fields: frozenset[str]
    lists: frozenset[str]
    integers: frozenset[str]
    sums: frozenset[str]


def collect_names(zones: Iterable[str], kinds: Iterable[Kind]) -> KnownNames:
    """Return the names in a game with these zones and kinds."""
    kinds = list(kinds)
    fields = [field for kind in kinds for field in kind.fields]
    return KnownNames(
        frozenset(zones),
        frozenset(field.name for field in fields) | set(EVERY_CARD),
        frozenset(spec.plural for kind in kinds for spec in kind.children),
        frozenset(field.name for field in fields if field.type == "integer"),
        numeric_fields(kinds),
    )


def numeric_fields(kinds: Iterable[Kind]) -> frozenset[str]:
    """Return the names of the numeric fields of cards."""
    return frozenset(field.name for kind in kinds for field in kind.fields if field.numeric)


def check_where(
    where: Where, names: KnownNames, what: str, *, restricts: bool
) -> Iterator[Problem]:
    """Yield problems for unknown names in conditions.

    Args:
        what: the owner of the conditions, for the start of messages.
        restricts: whether they may use the restrictions of cards.
    """
    fields = names.fields | names.lists
    for condition in chain.from_iterable(where):
        field = condition.field
        if field not in fields and (field != RESTRICTION or not restricts):
            message = f"{what} names the field `{field}`, which no kind of card has"
            yield message, known_hint(field, sorted(fields))
        if isinstance(condition.value, Reference):
            yield from check_deck_reference(condition.value, names, numeric=False)


def check_deck_reference(
    reference: Reference, names: KnownNames, *, numeric: bool
) -> Iterator[Problem]:
    """Yield problems for a reference to an unknown zone or field."""
    zone, field = reference
    if zone not in names.zones and zone != DECK:
        message = f"`{reference}` refers to the zone `{zone}`, which game.xml does not define"
        yield message, known_hint(zone, sorted({*names.zones, DECK}))
    known = names.integers | {CARDS} if numeric else names.fields | names.lists
    whose = f"no kind of card has as a {'whole number' if numeric else 'field'}"
    if zone == DECK and zone not in names.zones:
        known = frozenset({CARDS if numeric else "faction_id"})
        whose = "a whole deck does not have"
    if field not in known:
        message = f"`{reference}` refers to `{field}`, which {whose}"
        yield message, known_hint(field, sorted(known))


_TERM_OPERATORS = frozenset(("=", "!=", "in", "not in"))
"""The operators whose values must be terms if the field holds terms."""


def parse_user_where(text: str, setup: Setup) -> Where:
    """Return the conditions of a text written like `where` of a limit.

    Raises:
        ChoiceError: if it cannot be parsed or uses unknown names.
    """
    rest = find_unparsed(text)
    if rest or not text.strip():
        on = f" from `{rest}` on" if rest != text.strip() else ""
        raise ChoiceError(
            f"`{text}` cannot be read as a condition{on}",
            "write it as `where` of a limit, such as `level=2 and costs<5 or name='Old Guard'`",
        )
    where = parse_where(text)
    if sum(map(len, where)) > MAX_CONDITIONS:
        raise ChoiceError(f"`{text}` has more than {MAX_CONDITIONS} conditions")
    names = collect_names((zone.id for zone in setup.zones), setup.card_kinds)
    mistakes = [
        *check_where(where, names, f"`{text}`", restricts=True),
        *_check_terms(where, setup),
    ]
    for message, hint in mistakes:
        raise ChoiceError(message, hint)
    return where


def _check_terms(where: Where, setup: Setup) -> Iterator[Problem]:
    """Yield problems for comparisons with terms that the field cannot have."""
    for condition in (each for group in where for each in group):
        if isinstance(condition.value, str) and condition.operator in _TERM_OPERATORS:
            known = _allowed_terms(condition, setup)
            for value in condition.values:
                if known and value and value not in known:
                    message = f"`{condition.field}` is never `{value}`"
                    yield message, known_hint(value, known)


def _allowed_terms(condition: Condition, setup: Setup) -> list[str]:
    """Return the possible terms of the field of a condition, nothing if unknown."""
    terms: list[str] = []
    for kind in setup.card_kinds:
        children = (spec.fields[0] for spec in kind.children if spec.plural == condition.field)
        for field in (*(f for f in kind.fields if f.name == condition.field), *children):
            if not _is_term(field):
                return []
            terms += setup.vocabularies[field.one.vocabulary or ""].terms
    return terms


def _is_term(field: Field) -> bool:
    return field.one.type == "term"
