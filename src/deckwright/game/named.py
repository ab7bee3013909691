"""What conditions and numbers of decks may name, and what is said where they name other things."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import NamedTuple

from deckwright.base.findings import known_hint
from deckwright.game.conditions import Where
from deckwright.game.deck_rules import RESTRICTION
from deckwright.game.formulas import CARDS, DECK, Reference
from deckwright.game.kinds import Kind
from deckwright.game.setup_findings import EVERY_CARD

MOST_CONDITIONS = 20
"""The most conditions of a zone or a limit; all are tried for each card of a deck."""
Mistake = tuple[str, str | None]
"""What is wrong, and what to do about it if that is known."""


class Names(NamedTuple):
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


def names_in(zones: Iterable[str], kinds: Iterable[Kind]) -> Names:
    """Return what may be named in a game with these zones and these kinds of cards."""
    kinds = list(kinds)
    fields = [field for kind in kinds for field in kind.fields]
    return Names(
        frozenset(zones),
        frozenset(field.name for field in fields) | set(EVERY_CARD),
        frozenset(spec.plural for kind in kinds for spec in kind.children),
        frozenset(field.name for field in fields if field.type == "integer"),
        numeric_fields(kinds),
    )


def numeric_fields(kinds: Iterable[Kind]) -> frozenset[str]:
    """Return the names of the fields of cards that hold numbers."""
    return frozenset(field.name for kind in kinds for field in kind.fields if field.numeric)


def unknown_in(where: Where, names: Names, what: str, *, restricts: bool) -> Iterator[Mistake]:
    """Yield what a condition names that there is not.

    Args:
        what: whose condition it is, as messages begin.
        restricts: whether it may ask how cards are restricted.
    """
    fields = names.fields | names.lists
    for condition in chain.from_iterable(where):
        field = condition.field
        if field not in fields and (field != RESTRICTION or not restricts):
            message = f"{what} names the field `{field}`, which no kind of card has"
            yield message, known_hint(field, sorted(fields))
        if isinstance(condition.value, Reference):
            yield from unknown_reference(condition.value, names, numeric=False)


def unknown_reference(reference: Reference, names: Names, *, numeric: bool) -> Iterator[Mistake]:
    """Yield what is wrong with a reference: it is to a zone, and to a field of its cards."""
    zone, field = reference
    if zone not in names.zones and zone != DECK:
        message = f"`{reference}` refers to the zone `{zone}`, which game.xml does not define"
        yield message, known_hint(zone, sorted({*names.zones, DECK}))
    known = names.wholes | {CARDS} if numeric else names.fields | names.lists
    whose = f"no kind of card has as a {'whole number' if numeric else 'field'}"
    if zone == DECK and zone not in names.zones:
        known = frozenset({CARDS if numeric else "faction_id"})
        whose = "a whole deck does not have"
    if field not in known:
        message = f"`{reference}` refers to `{field}`, which {whose}"
        yield message, known_hint(field, sorted(known))
