"""Reports on the balance of a game: their wording, and the answer."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal
from functools import partial

from deckwright.base.units import MAX_DECIMALS, format_fixed, format_number, round_number
from deckwright.decks.answers import (
    LABEL,
    Answer,
    CardCell,
    Cell,
    Column,
    Note,
    Plot,
    Point,
    Section,
    Table,
    TextCell,
    hide,
    make_data_table,
    make_record,
    make_table,
)
from deckwright.decks.balance.dominance import Dominance
from deckwright.decks.balance.model import Balance, FactionBalance, PricedCard
from deckwright.game.deck_rules import CARDS, Measure
from deckwright.game.model import Card, Game
from deckwright.game.words import WORDS, fill_in, label

_MINUS = "\N{MINUS SIGN}"


class Wording:
    """Describes a balance report in the words of the game or in English."""

    def __init__(self, game: Game, words: Mapping[str, str], language: str) -> None:
        self.words, self.language, self._game = words, language, game
        self._fields = {CARDS: words["cards"]}
        for kind in game.setup.kinds.values():
            for spec in kind.children:
                vocabulary = game.setup.vocabularies.get(spec.fields[0].vocabulary or "")
                title = words["reference"] if spec.holds_rules else spec.plural
                title = vocabulary.name if vocabulary and vocabulary.name else title
                self._fields[spec.plural] = title
        for kind in game.setup.kinds.values():
            self._fields |= {field.name: field.text or field.name for field in kind.fields}

    def measure(self, measure: Measure) -> str:
        """Return the name of a measure's only field, or the whole sum."""
        zones = {zone.id: zone.name for zone in self._game.setup.zones}

        def replace_field(match: re.Match[str]) -> str:
            zone, _, field = match[0].rpartition(".")
            name = self._fields.get(field, field)
            return f"{name} ({zones[zone]})" if zone in zones else name

        text = re.sub(r"\s*\*\s*", " × ", measure.text).replace(" - ", f" {_MINUS} ")
        return re.sub(r"[^\W\d][\w.]*", replace_field, text)

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
        text = format_fixed(abs(number), places, self.language)
        sign = "" if not text.strip("0.,") else _MINUS if number < 0 else "+"
        return f"{sign}{text}"

    def line(self, balance: Balance) -> str:
        """Return the equation of the line: "strength = 0.34 × costs − 0.1"."""
        if balance.line is None or balance.cost is None:
            return ""
        slope, base = (self.number(float(n)) for n in (balance.line.slope, balance.line.base))
        constant = f" {_MINUS} {base[1:]}" if base[0] == _MINUS else f" + {base}"
        constant = "" if base == "0" else constant
        return f"{self.measure(balance.worth)} = {slope} × {self.measure(balance.cost)}{constant}"

    def dominance(self, dominance: Dominance) -> str:
        """Describe a dominance: the better card, its advantages, and any doubt.

        Advantages are such as "actions +1, costs −2, rows + ranged".
        """
        parts = []
        for gain in dominance.advantages:
            more = (self._value(gain.field, each, dominance.better) for each in gain.more)
            what = f"+ {', '.join(more)}" if gain.by is None else self.signed_number(gain.by)
            parts.append(f"{self._fields.get(gain.field, gain.field)} {what}")
        text = fill_in(self.words["beaten-by"], dominance.better.name)
        doubt = f"; {self.words['if-no-harm']}" if dominance.rules else ""
        return f"{text}: {', '.join(parts)}{doubt}"

    def describe_use(self, look: FactionBalance, card: Card) -> str:
        """Return the number of best decks with a card, or the loss that it would cause: "(−2)"."""
        forced = next((each for each in look.forced if each.card is card), None)
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


_PLACES = 6
"""The decimals of the line in data."""


def describe_balance(balance: Balance, words: Mapping[str, str] | None = None) -> Answer:
    """Return the balance of a game as an answer, in the game's words, or in English."""
    language = balance.game.setup.language if words else "en"
    wording = Wording(balance.game, words or WORDS, language)
    text = _BalanceAnswer(balance, wording, partial(label, words))
    sections = [text.game(), *map(text.faction, balance.factions), *text.notes()]
    return Answer("balance", sections, language)


class _BalanceAnswer:
    """Describes the balance of a game."""

    def __init__(self, balance: Balance, wording: Wording, word: Callable[[str], str]) -> None:
        self._balance, self._wording, self._word = balance, wording, word
        self._worth = wording.measure(balance.worth)
        self._cost = wording.measure(balance.cost) if balance.cost else ""

    def game(self) -> Section:
        """Return the overview of all factions."""
        balance, line, looks = self._balance, self._balance.line, self._balance.factions
        about = [make_record(
            "game", worth=balance.worth.text, cost=balance.cost.text if balance.cost else None,
            solved=balance.solved, wanted=balance.requested, apart=balance.apart,
        )]  # fmt: skip
        if line is not None:
            numbers = (line.base, line.slope, line.r2, line.spread)
            fit = [*(round(float(number), _PLACES) for number in numbers), line.points]
            names = ("base", "slope", "r2", "spread", "cards")
            about.append(make_record("line", **dict(zip(names, fit, strict=True))))
        compared = make_data_table("compared", "field sign", balance.compared)
        factions = make_table("factions", {
            Column("of", ""): [TextCell(look.faction.id, self._title(look)) for look in looks],
            Column("name"): [look.faction.name for look in looks],
            Column("format"): [look.pool.form and look.pool.form.id for look in looks],
            self._column("strongest", visible=any(look.best for look in looks)):
                [self._number(best and best.worth, self._worth)
                 for best in (look.strongest for look in looks)],
            self._column("cheapest", visible=any(look.cheapest for look in looks)):
                [self._number(look.cheapest and look.cheapest.cost, self._cost) for look in looks],
            self._column("from-line", visible=line is not None):
                [self._above(look.above, 2) for look in looks],
            Column("failure"): [look.failure for look in looks],
            Column("left_out"): [", ".join(look.left_out) for look in looks],
        })  # fmt: skip
        if len(looks) == 1:
            return Section("", [*about, compared, hide(factions)])
        return Section("", [*about, compared, factions, *self._plot(balance.cards)])

    def _column(self, word: str, *, visible: bool = True) -> Column:
        return Column(word.replace("-", "_"), self._word(word) if visible else None, "number")

    def _above(self, number: float, places: int = 1) -> TextCell:
        return TextCell(round(number, _PLACES), self._wording.above(number, places))

    def _number(self, number: Decimal | None, name: str = "") -> TextCell:
        text = "" if number is None else f"{name} {self._wording.number(number)}".strip()
        return TextCell(number, text)

    def _title(self, look: FactionBalance) -> str:
        return f"{look.faction.name} ({look.faction.id})"

    def _plot(self, cards: Sequence[PricedCard]) -> Iterator[Plot]:
        balance, line = self._balance, self._balance.line
        if line is None or not cards:
            return
        points = [
            Point(float(each.cost), float(each.worth), each.card.name, each.is_outlier)
            for each in sorted(cards, key=lambda each: -abs(each.above))
        ]
        share = self._wording.number(100 * line.r2, 0)
        explained = f"{self._word('spread')} {share} %"
        yield Plot(
            points, float(line.base), float(line.slope),
            [float(each.cost) for each in balance.cards],
            [float(each.worth) for each in balance.cards],
            self._worth, f"{self._cost}; {self._wording.line(balance)}; {explained}",
        )  # fmt: skip

    def faction(self, look: FactionBalance) -> Section:
        """Return the best decks of a faction and its cards."""
        form, balance = f", {look.pool.form.name}" if look.pool.form else "", self._balance
        blocks: list[Table | Plot | Note] = []
        decks = [(str(number), deck) for number, deck in enumerate(look.best, 1)]
        decks += [("cheapest", look.cheapest)] if look.cheapest else []
        for name, deck in decks:
            common = {"of": look.faction.id, "deck": name}
            blocks.append(make_record("decks", **common, worth=deck.worth, cost=deck.cost,
                                      cards=deck.cards, proven=deck.proven))  # fmt: skip
            lines = [(CardCell.of(card), copies) for card, copies in deck.copies]
            blocks.append(make_data_table("lines", "card copies", lines, **common))
        for word, best in (("strongest", look.strongest), ("cheapest", look.cheapest)):
            if best is not None:
                numbers = [(best.worth, self._worth), (best.cost, self._cost)]
                parts = [self._number(*each).text for each in numbers if each[0] is not None]
                cards = f"{best.cards} {self._word('cards')}"
                doubt = [] if best.proven else ["time ran out before it was proven the best"]
                order = parts if word == "strongest" else reversed(parts)
                blocks.append(Note(f"{self._word(word)}: {', '.join([*order, cards, *doubt])}"))
        if look.failure:
            blocks.append(Note(look.failure))
        if look.left_out:
            blocks.append(Note(f"limits left out of the search: {', '.join(look.left_out)}"))
        blocks.append(self._cards(look))
        for each in look.dominances:
            better, worse = each.better, each.worse
            of = {"of": look.faction.id, "by_faction": better.faction_id, "by_id": better.id,
                  "by_name": better.name}  # fmt: skip
            gains = [(CardCell.of(worse), gain.field, gain.by, ", ".join(gain.more))
                     for gain in each.advantages]  # fmt: skip
            gains += [(CardCell.of(worse), "rules", None, rule) for rule in each.rules]
            blocks.append(make_data_table("dominated", "card field gain more", gains, **of))
            blocks.append(Note(f"{worse.name} ({worse.id}) {self._wording.dominance(each)}"))
        if look.never_taken:
            names = ", ".join(card.name for card in look.never_taken)
            blocks.append(Note(f"{self._word('never-taken')}: {names}"))
        if len(balance.factions) == 1:
            blocks += self._plot(look.priced)
        return Section(f"{self._title(look)}{form}", blocks)

    def _cards(self, look: FactionBalance) -> Table:
        """Return the table of a faction's cards."""
        balance, say, cards = self._balance, self._wording, look.cards
        prices = [look.find_price(card) for card in cards]
        far = [price is not None and price.is_outlier for price in prices]
        best = fill_in(self._word("best-decks"), len(look.best)) if look.best else None
        columns: dict[Column, Sequence[Cell]] = {
            Column("card", ""): [CardCell.of(card) for card in cards],
            LABEL: ["*" * bool(card.rule_ids()) + "!" * far
                    for card, far in zip(cards, far, strict=True)],
            Column("worth", self._worth, "number"):
                [self._number(balance.worth.evaluate(card.fields)) for card in cards],
            Column("cost", self._cost if balance.cost else None, "number"):
                [self._number(price and price.cost) for price in prices],
            self._column("from-line", visible=balance.line is not None):
                [self._above(price.above) if price else None for price in prices],
            Column("in_best", best, "number"):
                [TextCell(look.decks_with(card), say.describe_use(look, card)) for card in cards],
        }  # fmt: skip
        for word, deck in (("in-strongest", look.strongest), ("in-cheapest", look.cheapest)):
            numbers = [deck.of(card) if deck else 0 for card in cards]
            visible = [TextCell(number, f"{number}x" if number else "") for number in numbers]
            columns[self._column(word, visible=deck is not None)] = visible
        columns[Column("outlier")] = far
        columns[Column("rules")] = [", ".join(card.rule_ids()) for card in cards]
        return make_table("cards", columns, of=look.faction.id)

    def notes(self) -> Iterator[Section]:
        """Yield the notes on what the numbers mean."""
        notes = {"unknown": self._wording.unknown_notes(),
                 "counted": self._wording.method_notes(self._balance)}  # fmt: skip
        for word, texts in notes.items():
            yield Section(self._word(word), [Note(text, bullet=True) for text in texts])
