"""Reports on the balance of a game: wording, plot and JSON."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import NamedTuple

from deckwright.base.strings import dump_safe_json
from deckwright.base.units import MAX_DECIMALS, Mm, format_number, round_number
from deckwright.decks.balance.dominance import Advantage, Dominance
from deckwright.decks.balance.model import Balance, BestDeck, FactionBalance, FittedLine, PricedCard
from deckwright.game.deck_rules import CARDS, Measure
from deckwright.game.model import Card, Game
from deckwright.game.setup import Setup
from deckwright.game.words import fill_in

_TICK_STEPS = (1, 2, 5, 10)


class Axis(NamedTuple):
    """An axis of a chart.

    Attributes:
        low, high: the values at its ends.
        ticks: the round values on it.
        start, end: the positions of its ends; `end` is less than `start` on a vertical axis.
    """

    low: float
    high: float
    ticks: tuple[float, ...]
    start: Mm
    end: Mm

    def at(self, number: float) -> Mm:
        """Return the position of a value."""
        share = (number - self.low) / (self.high - self.low)
        return round(self.start + share * (self.end - self.start), 3)


def make_axis(values: Iterable[float], start: Mm, end: Mm, maximum: int = 10) -> Axis:
    """Return an axis that starts and ends at round numbers, and includes 0 if it is near.

    Whole numbers get whole ticks.

    Args:
        values: the values on it, at least one.
        maximum: the maximum number of steps.
    """
    values = [*values]
    low, high = min(values), max(values)
    if 0 < low <= (high - low) or low == high > 0:
        low = 0
    if (high < 0 and -high <= high - low) or low == high < 0:
        high = 0
    least = (high - low) / maximum if high > low else 1
    whole = all(float(value).is_integer() for value in values)
    step = _round_step(max(least, 1) if whole else least)
    first, last = math.floor(low / step), math.ceil(high / step)
    last += first == last
    ticks = tuple(round_number(step * number) for number in range(first, last + 1))
    return Axis(ticks[0], ticks[-1], ticks, start, end)


def _round_step(least: float) -> float:
    """Return the smallest of 1, 2, 5, 10, 20 and so on that is at least `least`."""
    power = 10.0 ** math.floor(math.log10(least))
    return next(
        (round_number(step * power) for step in _TICK_STEPS if step * power >= least * (1 - 1e-9)),
        10 * power,
    )


_PLOT_WIDTH, _PLOT_HEIGHT = 64, 17
_MAX_DIGIT = 9
"""Larger numbers of cards at one place are shown as `+`."""


def plot(
    cards: Sequence[PricedCard],
    line: FittedLine,
    number: Callable[[float], str],
    signs: tuple[str, str] = ("o", "."),
    everything: Sequence[PricedCard] = (),
) -> Iterator[str]:
    """Yield the lines of a scatter plot with cost on the x axis and worth on the y axis.

    A place with several cards shows their number. Outliers are labeled with their names.

    Args:
        number: formats the numbers of the axes.
        signs: the characters for a single card and for the line.
        everything: the cards that determine the axes; those shown if empty.
    """
    points = [each.point for each in everything or cards]
    across = make_axis([float(x) for x, _ in points], 0, _PLOT_WIDTH - 1, 8)
    up = make_axis([float(y) for _, y in points], _PLOT_HEIGHT - 1, 0, 8)
    rows = [[" "] * _PLOT_WIDTH for _ in range(_PLOT_HEIGHT)]
    for column in range(_PLOT_WIDTH):
        cost = across.low + (across.high - across.low) * column / (_PLOT_WIDTH - 1)
        worth = float(line.base) + float(line.slope) * cost
        if up.low <= worth <= up.high:
            rows[round(up.at(worth))][column] = signs[1]
    places = {
        id(each): (round(up.at(float(each.worth))), round(across.at(float(each.cost))))
        for each in cards
    }
    counts = Counter(places.values())
    for (row, column), count in counts.items():
        rows[row][column] = signs[0] if count == 1 else str(count) if count <= _MAX_DIGIT else "+"
    for each in sorted(cards, key=lambda each: -abs(each.above)):
        row, column = places[id(each)]
        if each.is_outlier and counts[row, column] == 1:
            _write_name(rows[row], column, each.card.name, signs[1])
    ticks = {round(up.at(tick)): number(tick) for tick in up.ticks}
    margin = max(map(len, ticks.values()))
    for row, characters in enumerate(rows):
        yield f"{ticks.get(row, ''):>{margin}} {''.join(characters)}".rstrip()
    foot = [" "] * (_PLOT_WIDTH + margin + 8)
    for tick in across.ticks:
        text = number(tick)
        at = margin + 1 + round(across.at(tick)) - len(text) // 2
        foot[at : at + len(text)] = text
    yield "".join(foot).rstrip()


def _write_name(row: list[str], column: int, name: str, line: str) -> None:
    """Write a name beside a point, on the first side with enough space."""
    for start in (column + 2, column - 1 - len(name)):
        cells = range(max(0, start - 1), start + len(name) + 1)
        free = all(row[at] in {" ", line} for at in cells if at < len(row) and at != column)
        if free and 0 <= start <= len(row) - len(name):
            row[start : start + len(name)] = name
            return


_MINUS = "\N{MINUS SIGN}"


class Wording:
    """Describes a balance report in the words of the game or in English."""

    def __init__(self, game: Game, words: Mapping[str, str], language: str) -> None:
        """Set the words, and the language for formatting numbers."""
        self.words, self.language, self._game = words, language, game
        self._fields = _field_names(game.setup, words)

    def measure(self, measure: Measure) -> str:
        """Return the name of a measure's only field, or the whole sum."""
        zones = {zone.id: zone.name for zone in self._game.setup.zones}

        def named(found: re.Match[str]) -> str:
            zone, _, field = found[0].rpartition(".")
            name = self._fields.get(field, field)
            return f"{name} ({zones[zone]})" if zone in zones else name

        text = re.sub(r"\s*\*\s*", " × ", measure.text).replace(" - ", f" {_MINUS} ")
        return re.sub(r"[^\W\d][\w.]*", named, text)

    def number(self, number: float | Decimal, places: int = 2) -> str:
        """Format a number, with a real minus sign."""
        return format_number(round_number(round(float(number), places)), self.language).replace(
            "-", _MINUS
        )

    def signed_number(self, number: float | Decimal) -> str:
        """Format a number with its sign."""
        text = self.number(number, MAX_DECIMALS)
        return text if text == "0" or text.startswith(_MINUS) else f"+{text}"

    def above(self, number: float, places: int = 1) -> str:
        """Format a distance from the line with a fixed number of places: "+1.0"."""
        text = f"{abs(number):.{places}f}".replace(".", format_number(0.5, self.language)[1])
        sign = "" if not text.strip("0.,") else _MINUS if number < 0 else "+"
        return f"{sign}{text}"

    def line(self, balance: Balance) -> str:
        """Return the equation of the line: "strength = 0.34 × costs − 0.1"."""
        if balance.line is None or balance.cost is None:
            return ""
        slope, base = (self.number(float(n)) for n in (balance.line.slope, balance.line.base))
        behind = f" {_MINUS} {base[1:]}" if base[0] == _MINUS else f" + {base}"
        behind = "" if base == "0" else behind
        return f"{self.measure(balance.worth)} = {slope} × {self.measure(balance.cost)}{behind}"

    def describe_advantages(self, dominance: Dominance) -> str:
        """Describe the advantages of a card: "actions +1, costs −2, rows + ranged"."""
        return ", ".join(
            self._describe_advantage(gain, dominance.better) for gain in dominance.advantages
        )

    def dominance(self, dominance: Dominance) -> str:
        """Describe a dominance: the better card, its advantages, and any doubt."""
        text = fill_in(self.words["beaten-by"], dominance.better.name)
        doubt = f"; {self.words['if-no-harm']}" if dominance.rules else ""
        return f"{text}: {self.describe_advantages(dominance)}{doubt}"

    def describe_use(self, look: FactionBalance, card: Card) -> str:
        """Return the number of best decks with a card, or the loss that it would cause: "(−2)"."""
        forced = look.find_forced(card)
        if forced is None:
            return str(look.decks_with(card) or "")
        return "" if forced.loss is None else f"({self.signed_number(-forced.loss)})"

    def unknown_notes(self) -> Iterator[str]:
        """Yield notes on what the numbers do not cover."""
        yield self.words["unknown-rules"]
        yield self.words["unknown-play"]

    def method_notes(self, balance: Balance) -> Iterator[str]:
        """Yield notes on how the numbers were calculated."""
        words = self.words
        if balance.line is not None:
            yield words["about-line"].replace("{worth}", self.measure(balance.worth))
        if balance.cost is not None:
            yield words["about-dominated"]
        if balance.solved:
            about = words["about-best"].replace("{count}", str(balance.requested))
            yield about.replace("{apart}", str(balance.apart))
            yield words["about-forced"]
            yield words["about-never"]

    def _describe_advantage(self, gain: Advantage, card: Card) -> str:
        name = self._fields.get(gain.field, gain.field)
        if gain.by is not None:
            return f"{name} {self.signed_number(gain.by)}"
        return f"{name} + {', '.join(self._value(gain.field, each, card) for each in gain.more)}"

    def _value(self, field: str, value: str, card: Card) -> str:
        """Return the name of a rule or of a term."""
        for spec in card.kind.children:
            if spec.plural == field:
                if spec.holds_rules and value in self._game.rules:
                    race = self._game.factions[card.faction_id].race
                    return self._game.rules[value].any_label(race)
                vocabulary = self._game.setup.vocabularies.get(spec.fields[0].vocabulary or "")
                if vocabulary and value in vocabulary.terms:
                    return vocabulary.terms[value].name
        return value


def _field_names(setup: Setup, words: Mapping[str, str]) -> dict[str, str]:
    """Return the titles of fields and children by their names."""
    names = {CARDS: words["cards"]}
    for kind in setup.kinds.values():
        for spec in kind.children:
            vocabulary = setup.vocabularies.get(spec.fields[0].vocabulary or "")
            title = words["reference"] if spec.holds_rules else spec.plural
            names[spec.plural] = vocabulary.name if vocabulary and vocabulary.name else title
    for kind in setup.kinds.values():
        names |= {field.name: field.text or field.name for field in kind.fields}
    return names


VERSION = 1
"""The version of the JSON, incremented by incompatible changes."""
_JSON_PLACES = 6
JsonObject = dict[str, object]


def as_json(balance: Balance) -> str:
    """Return a balance report as JSON."""
    line = balance.line
    data = {
        "version": VERSION,
        "worth": balance.worth.text,
        "cost": balance.cost.text if balance.cost else None,
        "compared": dict(balance.compared),
        "solved": balance.solved,
        "decks": {"wanted": balance.requested, "apart": balance.apart},
        "line": line
        and {
            "base": round(float(line.base), _JSON_PLACES),
            "slope": round(float(line.slope), _JSON_PLACES),
            "r2": round(line.r2, _JSON_PLACES),
            "spread": round(line.spread, _JSON_PLACES),
            "cards": line.points,
        },
        "factions": [_faction_json(look, balance.worth) for look in balance.factions],
    }
    return dump_safe_json(data)


def _faction_json(look: FactionBalance, worth: Measure) -> JsonObject:
    form = look.pool.form
    return {
        "id": look.faction.id,
        "name": look.faction.name,
        "format": form.id if form else None,
        "from_line": round(look.above, _JSON_PLACES),
        "cheapest": look.cheapest and _deck_json(look.cheapest),
        "best": [_deck_json(deck) for deck in look.best],
        "left_out": [*look.left_out],
        "cards": [_card_json(card, look, worth) for card in look.cards],
        "dominated": [_dominance_json(each) for each in look.dominances],
    }


def _deck_json(deck: BestDeck) -> JsonObject:
    return {
        "worth": None if deck.worth is None else float(deck.worth),
        "cost": None if deck.cost is None else float(deck.cost),
        "cards": deck.cards,
        "proven": deck.proven,
        "lines": [{**_card_id_json(card), "copies": copies} for card, copies in deck.copies],
    }


def _card_json(card: Card, look: FactionBalance, worth: Measure) -> JsonObject:
    price = look.find_price(card)
    return {
        **_card_id_json(card),
        "worth": float(worth.evaluate(card.fields)),
        "cost": price and float(price.cost),
        "from_line": price and round(price.above, _JSON_PLACES),
        "outlier": bool(price and price.is_outlier),
        "rules": [*card.rule_ids()],
        "in_best": look.decks_with(card),
    }


def _dominance_json(each: Dominance) -> JsonObject:
    return {
        "card": _card_id_json(each.worse),
        "by": _card_id_json(each.better),
        "gains": [
            {"field": gain.field, "by": gain.by, "more": [*gain.more]} for gain in each.advantages
        ],
        "more_rules": [*each.rules],
    }


def _card_id_json(card: Card) -> JsonObject:
    return {"faction": card.faction_id, "id": card.id, "name": card.name}
