"""Statistics of a deck: lines, curves, and the state of its limits."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from deckwright.base.findings import ChoiceError, known_hint
from deckwright.base.units import format_number, round_number
from deckwright.checks.counting import DeckLine, DeckRules, LimitCount, LimitCounter
from deckwright.game.context import Context, ContextBuilder, printed_context
from deckwright.game.deck_rules import Limit, Measure, MeasureError, parse_measure
from deckwright.game.decklist import TokenCount, UsedRule, count_tokens, format_of
from deckwright.game.kinds import Field
from deckwright.game.model import Card, Deck, Game, RestrictionList
from deckwright.game.setup import Setup
from deckwright.game.setup_checks import numeric_fields
from deckwright.game.words import describe_bounds, language_of

_MAX_CURVE_BARS = 40
"""Curves over a wider range leave out values that no card has."""
_MAX_CLASS, _MIN_PER_CLASS = 24, 5
"""The most letters of the name of a class of cards, and the least cards of one on average."""


class ChartBar(NamedTuple):
    """The number of copies with a value: a number, or a term such as a row."""

    name: str
    copies: int


class Chart(NamedTuple):
    """The distribution of a zone's copies over the values of a field.

    Attributes:
        id: the name of the field, or of the children, such as "rows".
        numeric: whether the values are numbers, so that the chart is a curve.
        total: the sum over all copies, of numbers.
        unit: the unit of the numbers, "" if there is none.
        lines: the lines that each bar counts.
    """

    id: str
    name: str
    numeric: bool
    bars: tuple[ChartBar, ...]
    total: float
    unit: str = ""
    lines: tuple[tuple[DeckLine, ...], ...] = ()

    @property
    def max_copies(self) -> int:
        """The number of copies of the most frequent value."""
        return max((bar.copies for bar in self.bars), default=0)

    @property
    def average(self) -> float:
        """The mean value of a copy, for numbers; 0 without copies."""
        return self.total / max(1, sum(bar.copies for bar in self.bars))

    @property
    def is_informative(self) -> bool:
        """False if all values are 0."""
        return not self.numeric or len(self.bars) > 1 or self.total != 0


class ZoneStats(NamedTuple):
    """The statistics of a zone with cards."""

    id: str
    name: str
    cards: int
    lines: tuple[DeckLine, ...]
    charts: tuple[Chart, ...]


class LimitState(NamedTuple):
    """The state of a limit in a deck.

    Attributes:
        number: the counted number; with `per`, that of the value with the most.
        bound: the allowed numbers, in the game's words.
        sums: whether the limit counts the sum of a field.
        limit: the limit itself, with its numbers for this deck.
    """

    id: str
    zone: str
    name: str
    number: float
    bound: str
    keeps: bool
    sums: bool
    limit: Limit


class DeckStats(NamedTuple):
    """The statistics of a deck, with the language and the words of its game."""

    deck: Deck
    cards: int
    zones: tuple[ZoneStats, ...]
    limits: tuple[LimitState, ...]
    tokens: tuple[TokenCount, ...]
    language: str
    words: Mapping[str, str]
    restrictions: RestrictionList | None = None


def deck_stats(game: Game, deck: Deck, deck_rules: DeckRules) -> DeckStats:
    """Return the statistics of a deck with the states of its limits."""
    tally = LimitCounter(game, deck, deck_rules)
    lines, zones, limits = tally.lines, list[ZoneStats](), list[LimitState]()
    for zone in game.setup.zones:
        of_zone = tuple(line for line in lines if line.zone is zone)
        if of_zone:
            cards = sum(line.entry.copies for line in of_zone)
            charts = tuple(c for c in make_charts(game.setup, of_zone) if c.is_informative)
            zones.append(ZoneStats(zone.id, zone.name, cards, of_zone, charts))
    for limit in deck_rules.limits:
        count, settled = LimitCount(limit, tally), tally.resolve_limit(limit)
        keeps = not count.applies or all(map(count.bounds.allow, count.totals.values()))
        number = max(count.totals.values(), default=0)
        if limit.own_faction and limit.bound is None:
            number = count.foreign_copies
        limits.append(
            LimitState(
                limit.id,
                game.setup.zone_name(limit.zone),
                limit.name,
                number,
                describe_bounds(game.setup.words, settled, game.setup),
                keeps and not count.foreign_copies,
                limit.sum is not None,
                settled,
            )
        )
    return DeckStats(
        deck,
        sum(line.entry.copies for line in lines),
        tuple(zones),
        tuple(limits),
        tuple(count_tokens(game, deck)),
        language_of(game.setup),
        game.setup.words,
        deck_rules.restrictions,
    )


def without_cards(stats: DeckStats, cards: Collection[int]) -> DeckStats:
    """Return statistics whose lines leave out the cards with these `id()`s; numbers stay."""
    zones = (
        zone._replace(lines=tuple(line for line in zone.lines if id(line.card) not in cards))
        for zone in stats.zones
    )
    return stats._replace(zones=tuple(zones))


def make_charts(setup: Setup, lines: Sequence[DeckLine]) -> Iterator[Chart]:
    """Yield a chart for every numeric field and every term of the cards, curves first."""
    fields: dict[str, tuple[Field, str]] = {}
    for kind in setup.card_kinds:
        for field in kind.fields:
            fields.setdefault(field.name, (field, field.text or field.name))
        for spec in kind.children:
            field = next((field for field in spec.fields if field.type == "term"), spec.fields[0])
            vocabulary = setup.vocabularies.get(field.item_field.vocabulary or "")
            fields.setdefault(spec.plural, (field, vocabulary.name if vocabulary else ""))
    shown = {
        name: item for name, item in fields.items() if not item[0].ignored and not item[0].picture
    }
    for name, (field, title) in shown.items():
        if field.numeric:
            numbers = defaultdict[float, list[DeckLine]](list)
            for line in lines:
                if isinstance(value := line.card.fields.get(name), (int, float)):
                    numbers[value].append(line)
            if numbers:
                total = round_number(sum(v * _copies(of_v) for v, of_v in numbers.items()))
                low, high = min(numbers), max(numbers)
                values: Iterable[float] = sorted(numbers)
                if all(isinstance(v, int) for v in numbers) and high - low <= _MAX_CURVE_BARS:
                    values = range(int(low), int(high) + 1)  # also the gaps between them
                bars = [(format_number(v, setup.language), numbers.get(v, [])) for v in values]
                yield _make_chart(name, title, bars, total, field.unit)
    for name, (field, title) in shown.items():
        if field.item_field.type == "term":
            terms = setup.vocabularies[field.item_field.vocabulary or ""].terms
            # A card with two rows counts for both.
            counted = defaultdict[str, list[DeckLine]](list)
            for line in lines:
                own = line.card.fields.get(name)
                items: list[object] = [*own] if isinstance(own, tuple) else [own]
                for spec in line.card.kind.children:
                    if spec.plural == name:
                        children = line.card.children[spec.tag]
                        items += [child.values.get(field.name) for child in children]
                for item in items:
                    if item is not None:
                        counted[str(item)].append(line)
            if bars := [(term.name, counted[i]) for i, term in terms.items() if i in counted]:
                yield _make_chart(name, title, bars)


def _make_chart(
    name: str,
    title: str,
    lines_of: Sequence[tuple[str, Sequence[DeckLine]]],
    total: float | None = None,
    unit: str = "",
) -> Chart:
    """Return a chart of the lines that each bar counts, of terms if there is no total."""
    bars = tuple(ChartBar(bar, _copies(lines)) for bar, lines in lines_of)
    lines = tuple(tuple(lines) for _, lines in lines_of)
    return Chart(name, title, total is not None, bars, total or 0, unit, lines)


def _copies(lines: Iterable[DeckLine]) -> int:
    return sum(line.entry.copies for line in lines)


def deck_context(stats: DeckStats, game: Game, contexts: ContextBuilder) -> Context:
    """Return the template context of a deck: `deck`, `zones`, `limits` and `tokens`."""
    deck = stats.deck
    form = format_of(game, deck)
    return {
        "printed": printed_context(deck.printed),
        "deck": {
            "name": deck.name,
            "faction": contexts.faction_context(deck.faction_id),
            "format": form.name if form else "",
            "cards": stats.cards,
            "restrictions": stats.restrictions.name if stats.restrictions else "",
        },
        "zones": [_zone_context(zone, game.setup, contexts) for zone in stats.zones],
        "limits": [
            {name: value for name, value in state._asdict().items() if name != "limit"}
            for state in stats.limits
        ],
        "tokens": [
            {
                "name": count.token.name,
                "copies": count.copies,
                "card": contexts.card_context(count.token, deck.faction_id),
            }
            for count in stats.tokens
        ],
    }


def _zone_context(zone: ZoneStats, setup: Setup, contexts: ContextBuilder) -> Context:
    """Return the context of a zone: its lines, also in groups, and its charts."""
    lines: list[Context] = []
    groups: dict[str, list[tuple[DeckLine, Context]]] = {}
    kinds = {line.card.kind.tag for line in zone.lines}
    field = _find_class_field(zone.lines) if len(kinds) == 1 else None
    for line in zone.lines:
        card = contexts.card_context(line.card, line.card.faction_id)
        terms = [card[f.name] for f in line.card.kind.fields if f.type == "term" and not f.ignored]
        signs = [term for term in terms if term and term.get("icon")]
        lines.append({"copies": line.entry.copies, "card": card, "signs": signs})
        name = str(line.card.fields[field]) if field else line.card.kind.name
        groups.setdefault(name, []).append((line, lines[-1]))
    shown = {id(line): context for line, context in zip(zone.lines, lines, strict=True)}
    charts = []
    for chart in zone.charts:
        bars = zip(chart.bars, chart.lines, strict=True)
        of_bars = [
            {**bar._asdict(), "lines": [shown[id(line)] for line in own if id(line) in shown]}
            for bar, own in bars
        ]
        plain = chart._replace(lines=())._asdict()
        charts.append({**plain, "most": chart.max_copies, "bars": of_bars})
    return {
        **zone._asdict(),
        "lines": lines,
        "groups": [
            {
                "name": name if len(groups) > 1 else zone.name,
                "cards": sum(line.entry.copies for line, _ in pairs),
                "numbers": _main_numbers([line.card for line, _ in pairs], setup),
                "lines": [shown for _, shown in pairs],
            }
            for name, pairs in groups.items()
        ],
        "charts": charts,
    }


def _find_class_field(lines: Sequence[DeckLine]) -> str | None:
    """Return the field whose texts divide cards of a kind into few classes; None if none does.

    Tables have such columns, such as "Type"; games written as XML have terms in place of them.
    """
    for field in lines[0].card.kind.fields:
        if field.type == "text" and not field.ignored and not field.picture:
            texts = {str(line.card.fields.get(field.name) or "") for line in lines}
            words = all(0 < len(text) <= _MAX_CLASS and text[-1] not in ".!?" for text in texts)
            if words and 1 < len(texts) <= len(lines) / _MIN_PER_CLASS:
                return field.name
    return None


def _main_numbers(cards: Sequence[Card], setup: Setup) -> list[Context]:
    """Return the numbers that cards of a kind have, except those of pictures; costs are first."""
    cost = {term.field for term in setup.cost.parts} if setup.cost else set[str]()
    return [
        {"id": field.name, "name": field.text or field.name, "icon": field.icon}
        for field in sorted(cards[0].kind.fields, key=lambda field: field.name not in cost)
        if field.numeric and not field.ignored and not field.picture
        if any(card.fields.get(field.name) is not None for card in cards)
    ]


def most_precious(game: Game, stats: DeckStats) -> list[Card]:
    """Return the designs of a deck's own faction, most valuable first.

    Only single-face cards of the most frequent kind count.
    """
    faction_id = stats.deck.faction_id
    cards: dict[str, Card] = {}
    copies: dict[str, int] = {}
    for entry in stats.deck.entries:
        card = game.card_of(entry)
        if card is not None and card.faction_id == faction_id:
            copies[card.kind.tag] = copies.get(card.kind.tag, 0) + entry.copies
            if card.parts == 1:
                cards[card.id] = card
    usual = max(copies, key=lambda tag: copies[tag], default=None)

    return sorted((c for c in cards.values() if c.kind.tag == usual), key=worth_of, reverse=True)


def worth_of(card: Card) -> float:
    """Return the sum of a card's numbers, except those of pictures."""
    fields = (field for field in card.kind.fields if field.numeric and not field.picture)
    numbers = (card.fields.get(field.name) for field in fields)
    return sum(number for number in numbers if isinstance(number, (int, float)))


def rules_context(used: Iterable[UsedRule]) -> list[Context]:
    """Return the template context of a deck's rules."""
    return [
        {
            "id": item.rule.id,
            "name": " / ".join(item.names),
            "names": list(item.names),
            "active": item.rule.active,
            "cost": item.rule.cost,
            "effect": item.rule.effect,
            "brief": item.rule.brief or item.rule.effect,
        }
        for item in used
    ]


def require_measure(text: str, setup: Setup) -> Measure:
    """Parse a measure; raise a ChoiceError if it is none, or names an unknown field."""
    fields = sorted(numeric_fields(setup.card_kinds))
    try:
        return parse_measure(text, fields, [zone.id for zone in setup.zones])
    except MeasureError as error:
        message = f"`{text}` is not a sum of fields: {error}"
        raise ChoiceError(message, known_hint(text, [*fields, "cards"])) from None
