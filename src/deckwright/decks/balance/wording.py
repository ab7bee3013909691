"""What is said of a look at a game, in its words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from decimal import Decimal

from deckwright.base.numbers import PLACES, exact, written
from deckwright.decks.balance.comparing import Gain
from deckwright.decks.balance.dominance import Dominance
from deckwright.decks.balance.model import Balance, FactionLook
from deckwright.game.formulas import CARDS
from deckwright.game.measures import Measure
from deckwright.game.model import Card, Game
from deckwright.game.setup import Setup
from deckwright.game.words import filled

_MINUS = "\N{MINUS SIGN}"


class Wording:
    """Says what was found, in the words and the language of a game or in English."""

    def __init__(self, game: Game, words: Mapping[str, str], language: str) -> None:
        """Take the words that are used, and the language that numbers are written in."""
        self.words, self.language, self._game = words, language, game
        self._fields = _field_names(game.setup, words)

    def measure(self, measure: Measure) -> str:
        """Return what a measure is called: the name of its only field, or the whole sum."""
        zones = {zone.id: zone.name for zone in self._game.setup.zones}

        def named(found: re.Match[str]) -> str:
            zone, _, field = found[0].rpartition(".")
            name = self._fields.get(field, field)
            return f"{name} ({zones[zone]})" if zone in zones else name

        text = re.sub(r"\s*\*\s*", " × ", measure.text).replace(" - ", f" {_MINUS} ")
        return re.sub(r"[^\W\d][\w.]*", named, text)

    def number(self, number: float | Decimal, places: int = 2) -> str:
        """Return a number, with a minus sign and not a hyphen."""
        return written(exact(round(float(number), places)), self.language).replace("-", _MINUS)

    def signed(self, number: float | Decimal) -> str:
        """Return a number with its sign."""
        text = self.number(number, PLACES)
        return text if text == "0" or text.startswith(_MINUS) else f"+{text}"

    def above(self, number: float, places: int = 1) -> str:
        """Return how far something lies above the line, always with as many places: "+1.0"."""
        text = f"{abs(number):.{places}f}".replace(".", written(0.5, self.language)[1])
        sign = "" if not text.strip("0.,") else _MINUS if number < 0 else "+"
        return f"{sign}{text}"

    def line(self, balance: Balance) -> str:
        """Return the line as a sum: "strength = 0.34 × costs − 0.1"."""
        if balance.line is None or balance.cost is None:
            return ""
        slope, base = (self.number(float(n)) for n in (balance.line.slope, balance.line.base))
        behind = f" {_MINUS} {base[1:]}" if base[0] == _MINUS else f" + {base}"
        behind = "" if base == "0" else behind
        return f"{self.measure(balance.worth)} = {slope} × {self.measure(balance.cost)}{behind}"

    def gains(self, dominance: Dominance) -> str:
        """Return in what a card is better: "actions +1, costs −2, rows + ranged"."""
        return ", ".join(self._gain(gain, dominance.better) for gain in dominance.gains)

    def dominance(self, dominance: Dominance) -> str:
        """Return by what a card is beaten, in what, and whether that is sure."""
        text = filled(self.words["beaten-by"], dominance.better.name)
        doubt = f"; {self.words['if-no-harm']}" if dominance.rules else ""
        return f"{text}: {self.gains(dominance)}{doubt}"

    def use(self, look: FactionLook, card: Card) -> str:
        """Return how many of the best decks have a card, or what it would take away: "(−2)"."""
        forced = look.forced_in(card)
        if forced is None:
            return str(look.decks_with(card) or "")
        return "" if forced.loss is None else f"({self.signed(-forced.loss)})"

    def unknown(self) -> Iterator[str]:
        """Yield what the numbers do not know."""
        yield self.words["unknown-rules"]
        yield self.words["unknown-play"]

    def counted(self, balance: Balance) -> Iterator[str]:
        """Yield how the numbers came about."""
        words = self.words
        if balance.line is not None:
            yield words["about-line"].replace("{worth}", self.measure(balance.worth))
        if balance.cost is not None:
            yield words["about-dominated"]
        if balance.solved:
            about = words["about-best"].replace("{count}", str(balance.wanted))
            yield about.replace("{apart}", str(balance.apart))
            yield words["about-forced"]
            yield words["about-never"]

    def _gain(self, gain: Gain, card: Card) -> str:
        name = self._fields.get(gain.field, gain.field)
        if gain.by is not None:
            return f"{name} {self.signed(gain.by)}"
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
    """Return what fields and children are called, by their names."""
    names = {CARDS: words["cards"]}
    for kind in setup.kinds.values():
        for spec in kind.children:
            vocabulary = setup.vocabularies.get(spec.fields[0].vocabulary or "")
            title = words["reference"] if spec.holds_rules else spec.plural
            names[spec.plural] = vocabulary.name if vocabulary and vocabulary.name else title
    for kind in setup.kinds.values():
        names |= {field.name: field.text or field.name for field in kind.fields}
    return names
