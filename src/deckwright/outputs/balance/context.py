"""What the template of the report sees of a look at a game: one dictionary for each chapter."""

from __future__ import annotations

from collections.abc import Iterator

from deckwright.base.units import Mm
from deckwright.decks.balance.model import Balance, BestDeck, FactionLook, Priced
from deckwright.decks.balance.wording import Wording
from deckwright.faces.factory import FaceFactory
from deckwright.game.context import Context
from deckwright.outputs.balance.scatter import Scatter
from deckwright.outputs.balance.tables import bars_of, table_of

_WIDTH: Mm = 174
_HEIGHT: Mm = 88
_TALL: Mm = 195
"""How high the chart of all factions, the bars and the outliers are together."""
_INK = "#2b2724"


class Chapters:
    """Makes the chapters of a report: all factions, each faction, and what is not known."""

    def __init__(self, balance: Balance, wording: Wording, factory: FaceFactory) -> None:
        """Take what was found, and what measures names in charts."""
        self._balance, self._say, self._factory = balance, wording, factory
        self._game = factory.game
        self._worth = wording.measure(balance.worth)
        self._cost = wording.measure(balance.cost) if balance.cost else ""

    def _scatter(self, height: Mm) -> Scatter | None:
        """Return what draws charts of a height, None without a line."""
        balance, metrics, font = self._balance, self._factory.metrics, self._factory.text_font
        if balance.line is None:
            return None
        size, language = (_WIDTH, height), self._say.language
        return Scatter(balance.cards, balance.line, size, metrics, font, language)

    def all(self) -> Iterator[Context]:
        """Yield the chapters."""
        if len(self._balance.factions) > 1:
            yield self._overview()
        for look in self._balance.factions:
            yield self._faction(look)
        yield self._notes()

    def _chapter(self, title: str, lead: str, color: str = _INK, **parts: object) -> Context:
        """Return a chapter with these parts, the others empty."""
        empty: Context = {"figures": [], "bars": [], "chart": None, "table": None, "texts": []}
        fonts = {"text": self._factory.text_font, "title": self._factory.title_font}
        about = {"title": title, "lead": lead, "color": color}
        axes = {"across": self._cost, "up": self._worth, "line": self._say.line(self._balance)}
        return {"chapter": about, "axes": axes, "fonts": fonts, **empty, **parts}

    def _overview(self) -> Context:
        balance, words, say = self._balance, self._say.words, self._say
        priced = [each for look in balance.factions for each in look.priced]
        beside = 5.4 * len(balance.factions) + 4.7 * len(balance.outliers) + 12
        chart = self._scatter(min(150, max(_HEIGHT, _TALL - beside)))
        figures = [_figure(words["cards"], str(len(self._game.cards)))]
        if balance.line is not None:
            figures.append(_figure(words["line"], f"{say.number(100 * balance.line.r2, 0)} %",
                                   words["spread"]))  # fmt: skip
            figures.append(_figure(words["outliers"], str(len(balance.outliers))))
        beaten = {id(each.worse) for look in balance.factions for each in look.dominances}
        if balance.cost is not None:
            figures.append(_figure(words["dominated"], str(len(beaten))))
        texts = [
            {"head": words["outliers"], "lines": [self._outlier(each) for each in balance.outliers]}
        ]
        return self._chapter(
            words["all-factions"],
            say.line(balance),
            figures=figures,
            bars=bars_of(balance, say),
            chart=chart and chart.context(priced, named=False),
            texts=[text for text in texts if text["lines"]],
        )

    def _outlier(self, each: Priced) -> Context:
        name = self._game.factions[each.card.faction_id].name
        say = self._say
        said = (
            f"{name}; {self._worth} {say.number(each.worth)}, {self._cost} {say.number(each.cost)}"
        )
        return {"name": each.card.name, "text": f"{said}: {say.above(each.above)}"}

    def _faction(self, look: FactionLook) -> Context:
        words, say, chart = self._say.words, self._say, self._scatter(_HEIGHT)
        figures = []
        for title, deck, first in (
            (words["strongest"], look.strongest, "worth"),
            (words["cheapest"], look.cheapest, "cost"),
        ):
            if deck is not None:
                figures.append(self._deck_figure(title, deck, first))
        if self._balance.line is not None:
            figures.append(_figure(words["from-line"], say.above(look.above, 2), self._worth))
        own = sum(card.faction_id == look.faction.id for card in look.pool.cards)
        figures.append(_figure(words["cards"], str(own)))
        beaten = [
            {"name": each.worse.name, "text": say.dominance(each)} for each in look.dominances
        ]
        never = [{"name": card.name, "text": ""} for card in look.never_taken]
        texts = [
            {"head": words[word], "lines": lines}
            for word, lines in (("dominated", beaten), ("never-taken", never))
            if lines
        ]
        return self._chapter(
            look.faction.name,
            " · ".join(filter(None, [look.faction.race, look.pool.form and look.pool.form.name])),
            look.faction.color,
            figures=figures,
            chart=chart and chart.context(look.priced),
            table=table_of(look, self._balance, say),
            texts=texts,
        )

    def _deck_figure(self, title: str, deck: BestDeck, first: str) -> Context:
        say = self._say
        numbers = {
            "worth": (deck.worth, self._worth),
            "cost": (deck.cost, self._cost),
        }
        number, unit = numbers.pop(first)
        ((other, name),) = numbers.values()
        parts = [unit, f"{name} {say.number(other)}" if other is not None else ""]
        parts.append(f"{deck.cards} {say.words['cards']}")
        return _figure(title, say.number(number or 0), " · ".join(filter(None, parts)))

    def _notes(self) -> Context:
        words = self._say.words
        texts = [
            {"head": head, "lines": [{"name": "", "text": note} for note in notes]}
            for head, notes in (
                ("", self._say.unknown()),
                (words["counted"], self._say.counted(self._balance)),
            )
        ]
        return self._chapter(words["unknown"], self._game.setup.name, texts=texts)


def _figure(title: str, number: str, about: str = "") -> Context:
    return {"title": title, "number": number, "about": about}
