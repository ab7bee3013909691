"""A deck must keep the limits of its format. Limits are data of `game.xml`.

How copies are counted: two ids with one name are one card (`per="name"`); tokens never count.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain
from typing import NamedTuple

from deckwright.base.findings import (
    Code,
    Diagnostic,
    Labels,
    Location,
    Report,
    Severity,
    Told,
    capped,
)
from deckwright.game.conditions import Condition, Where
from deckwright.game.decklist import format_of
from deckwright.game.model import Card, Deck, DeckEntry, FieldValue, Game
from deckwright.game.setup import Format, Limit, Setup, Zone
from deckwright.game.words import bound_words, filled, language_of, speaks

D001 = Code("D001", Severity.ERROR, "too few cards in a deck")
D002 = Code("D002", Severity.ERROR, "too many copies of a card in a deck")
D003 = Code("D003", Severity.ERROR, "a sum over the cards of a deck is too high")
D004 = Code("D004", Severity.ERROR, "too many cards in a deck")
D005 = Code("D005", Severity.ERROR, "a card of another faction in a deck")
D006 = Code("D006", Severity.ERROR, "the wrong number of cards in a zone of a deck")
D007 = Code("D007", Severity.ERROR, "a sum over the cards of a deck is too low")
D008 = Code("D008", Severity.ERROR, "a card that no zone of a deck takes")
D009 = Code("D009", Severity.WARNING, "a deck limit that is only a warning is broken")


class Line(NamedTuple):
    """A line of a deck list with its card, in the zone that the card belongs to."""

    entry: DeckEntry
    card: Card
    zone: Zone | None


def zoned(game: Game, deck: Deck) -> list[Line]:
    """Return the lines of a deck list whose cards exist, by zone, each zone in the list's order."""
    lines = []
    zones: dict[int, Zone | None] = {}
    for entry in deck.entries:
        card = game.card_of(entry)
        if card is not None and card.faction_id in game.factions:
            if id(card) not in zones:
                zones[id(card)] = zone_of(game, card)
            lines.append(Line(entry, card, zones[id(card)]))
    order = {zone.id: number for number, zone in enumerate(game.setup.zones)}
    return sorted(lines, key=lambda line: order.get(line.zone.id, 99) if line.zone else 99)


def zone_of(game: Game, card: Card) -> Zone | None:
    """Return the first zone that admits a card."""
    groups = game.factions[card.faction_id].groups
    for zone in game.setup.zones:
        if zone.audience.admits(groups) and holds(zone.where, card):
            return zone
    return None


def limits_of(
    game: Game, deck: Deck, format_id: str | None, changes: Mapping[str, int | None]
) -> tuple[Limit, ...]:
    """Return the limits that hold for a deck.

    Args:
        format_id: the format to use instead of the deck's own.
        changes: limits with another number, or None to switch one off.

    Raises:
        KeyError: if there is no such format or limit.
        ValueError: if a limit without a number is given one.
    """
    chosen = game.setup.formats[format_id] if format_id else format_of(game, deck)
    return limits_in(game.setup, deck.faction_id, chosen, changes)


def limits_in(
    setup: Setup, faction_id: str, form: Format | None, changes: Mapping[str, int | None]
) -> tuple[Limit, ...]:
    """Return the limits that hold for the decks of a faction in a format, with other changes.

    Raises:
        KeyError: if there is no such limit.
        ValueError: if a limit without a number is given one.
    """
    limits = {limit.id: limit for limit in setup.limits}
    for limit_id, value in {**(form.changes if form else {}), **changes}.items():
        if limit_id not in limits and setup.lacks("limit", limit_id):
            continue
        limit = limits[limit_id]
        if value is None:
            del limits[limit_id]
        else:
            limits[limit_id] = limit.with_value(value)
    return tuple(limit for limit in limits.values() if not limit.decks or faction_id in limit.decks)


def check_limits(game: Game, deck: Deck, limits: tuple[Limit, ...], report: Report) -> None:
    """Check a deck against `limits`."""
    lines = zoned(game, deck)
    report.extend(capped(_without_zone(lines), of_one_file=True))
    findings = (_check_limit(game, deck, limit, lines) for limit in limits)
    report.extend(capped(chain.from_iterable(findings), of_one_file=True))


def _without_zone(lines: Iterable[Line]) -> Iterator[Diagnostic]:
    for line in lines:
        if line.zone is None:
            yield D008.at(
                line.entry.source.at(),
                f"no part of the deck takes card `{line.card.id}` "
                f"of faction `{line.card.faction_id}`",
                "remove it, or change `only` and `except` of a `zone` in game.xml",
            )


def _check_limit(game: Game, deck: Deck, limit: Limit, lines: list[Line]) -> Iterator[Diagnostic]:
    for value, group in counted(limit, lines).items():
        for finding in (
            *(_own_faction(game.setup, deck, limit, group) if limit.own_faction else ()),
            *_bounds(game.setup, deck, limit, value, group),
        ):
            yield finding._replace(code=D009) if limit.warning else finding


def counted(limit: Limit, lines: list[Line]) -> dict[FieldValue, list[Line]]:
    """Return the lines that a limit counts, by the value of `per`; all under None without it."""
    groups: dict[FieldValue, list[Line]] = {} if limit.per else {None: []}
    for line in lines:
        in_zone = line.zone is not None and line.zone.id == limit.zone
        if in_zone and holds(limit.where, line.card):
            value = value_of(line.card, limit.per) if limit.per else None
            groups.setdefault(value, []).append(line)
    return groups


def _own_faction(setup: Setup, deck: Deck, limit: Limit, lines: list[Line]) -> Iterator[Diagnostic]:
    zone = setup.zone_name(limit.zone)
    in_english = zone if language_of(setup) == "en" else limit.zone
    for line in lines:
        if line.card.faction_id != deck.faction_id:
            finding = D005.at(
                line.entry.source.at("faction_id"),
                f"card `{line.card.id}` is of faction `{line.card.faction_id}`, "
                f"but in `{in_english}` of this deck only `{deck.faction_id}` is allowed",
                f"remove it, or allow it with `--limit {limit.id}=off`",
            )
            fact = f"{zone}: {line.card.name}, {limit.name} {line.card.faction_id}"
            yield _told(finding, setup, limit, fact, "off")


def _bounds(
    setup: Setup, deck: Deck, limit: Limit, value: FieldValue, lines: list[Line]
) -> Iterator[Diagnostic]:
    total = total_of(limit, lines)
    zone = setup.zone_name(limit.zone)
    fact = what = f"{zone}: {total} {limit.name}"
    if language_of(setup) != "en":
        # The game's own words have no place in an English sentence.
        what = f"`{limit.zone}`: {total} " + (f"`{limit.sum}`" if limit.sum else "copies")
        what += f" that limit `{limit.id}` counts" if limit.where and not limit.per else ""
    if limit.per:
        fact, what = f"{fact} ({value})", f"{what} of `{value}`"
    for finding in _broken(deck, limit, what, total, lines):
        yield _told(finding, setup, limit, fact, str(total))


def _broken(
    deck: Deck, limit: Limit, what: str, total: int, lines: list[Line]
) -> Iterator[Diagnostic]:
    """Yield the bounds that are broken, in English."""
    if limit.exactly is not None and total != limit.exactly:
        needed = f"exactly {_are(limit.exactly)} needed" if limit.exactly else "none are allowed"
        yield D006.at(
            _place(deck, lines if total > limit.exactly else []),
            f"{what}, {needed}",
            _switch_hint(limit, "remove" if total > limit.exactly else "add", limit.exactly, total),
        )
    if limit.max is not None and total > limit.max:
        code = D003 if limit.sum else D002 if limit.per else D004
        yield code.at(
            _place(deck, [] if limit.sum else lines),
            f"{what}, {f'at most {_are(limit.max)}' if limit.max else 'none are'} allowed",
            _switch_hint(limit, "remove", limit.max, total),
        )
    if limit.min is not None and total < limit.min:
        yield (D007 if limit.sum else D001).at(
            _place(deck, []),
            f"{what}, at least {_are(limit.min)} needed",
            _switch_hint(limit, "add", limit.min, total),
        )


def _are(number: int) -> str:
    return f"{number} {'is' if number == 1 else 'are'}"


def _told(finding: Diagnostic, setup: Setup, limit: Limit, fact: str, value: str) -> Diagnostic:
    """Return a finding that can also be reported in the game's own words, if it has them.

    Args:
        fact: what the deck has, in these words.
        value: of the limit, which would allow that.
    """
    language = language_of(setup)
    if not speaks(language, setup.words):
        return finding
    message = f"{fact}, {bound_words(setup.words, limit)}"
    hint = filled(setup.words["allow"], f"`--limit {limit.id}={value}`")
    labels = Labels(*(setup.words[field] for field in Labels._fields))
    told = Told(language, message, hint, labels)
    return finding._replace(told=told)


def _place(deck: Deck, lines: list[Line]) -> Location:
    """Return the place of the last line counted, or of the deck's meta."""
    if not lines:
        return deck.source.at()
    return max((line.entry.source for line in lines), key=lambda source: source.ordinal).at()


def _switch_hint(limit: Limit, verb: str, bound: int, total: int) -> str:
    difference = abs(total - bound)
    if limit.sum:
        verb = "lower the sum by" if verb == "remove" else "raise the sum by"
    return f"{verb} {difference}, or allow it with `--limit {limit.id}={total}`"


def total_of(limit: Limit, lines: list[Line]) -> int:
    """Return what a limit counts over `lines`: copies, or the sum of its field."""
    if limit.sum is None:
        return sum(line.entry.copies for line in lines)
    return sum(
        value * line.entry.copies
        for line in lines
        if isinstance(value := value_of(line.card, limit.sum), int)
    )


def value_of(card: Card, field: str) -> FieldValue:
    """Return a field of a card, or its name, id, faction or kind."""
    if field == "kind":
        return card.kind.tag
    if field in {"name", "id", "faction_id"}:
        return str(getattr(card, field))
    return card.fields.get(field)


_OPERATORS: dict[str, Callable[[int, int], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def holds(where: Where, card: Card) -> bool:
    """Return whether a condition holds for a card."""
    groups = (all(_meets(card, condition) for condition in group) for group in where)
    return not where or any(groups)


def _meets(card: Card, condition: Condition) -> bool:
    value = value_of(card, condition.field)
    text = "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)
    if condition.operator == "=":
        return text == condition.value
    if condition.operator == "!=":
        return text != condition.value
    try:
        return _OPERATORS[condition.operator](int(text), int(condition.value))
    except ValueError:
        return False
