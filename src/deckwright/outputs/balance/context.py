"""What the template of the report sees of a look at a game: one dictionary for each chapter."""

from __future__ import annotations

from collections.abc import Iterator

from deckwright.base.units import Mm
from deckwright.decks.balance.model import Balance, BestDeck, FactionLook, Priced
from deckwright.decks.balance.wording import Wording
from deckwright.faces.factory import FaceFactory
from deckwright.game.context import Context
from deckwright.game.model import Card
from deckwright.game.words import filled
from deckwright.outputs.balance.scatter import Scatter

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
            bars=[self._bar(look) for look in balance.factions],
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

    def _bar(self, look: FactionLook) -> Context:
        """Return a line of the overview: a faction with its best decks."""
        balance, say = self._balance, self._say
        worth = [float(one.strongest.worth or 0) for one in balance.factions if one.strongest]
        cost = [float(one.cheapest.cost or 0) for one in balance.factions if one.cheapest]
        away = [abs(one.above) for one in balance.factions]
        strongest, cheapest = look.strongest, look.cheapest
        return {
            "name": look.faction.name,
            "color": look.faction.color,
            "strongest": strongest and self._share(float(strongest.worth or 0), max(worth)),
            "cheapest": cheapest and self._share(float(cheapest.cost or 0), max(cost)),
            "above": {
                "share": look.above / (max(away) or 1),
                "text": say.above(look.above, 2),
            }
            if balance.line
            else None,
        }

    def _share(self, number: float, most: float) -> Context:
        return {"share": number / most if most else 0, "text": self._say.number(number)}

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
            table=self._table(look),
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

    def _table(self, look: FactionLook) -> Context:
        """Return the cards of a faction and those of its best decks, the usual ones first."""
        away = max((abs(each.above) for each in look.priced), default=0) or 1
        rows = [self._row(card, look, away) for card in look.cards]
        rows.sort(key=lambda row: (-row["decks"], not row["said"], -row["above"]))
        best = filled(self._say.words["best-decks"], len(look.best)) if look.best else ""
        return {
            "rows": rows,
            "best": best,
            "decks": len(look.best),
            "line": bool(self._balance.line),
        }

    def _row(self, card: Card, look: FactionLook, away: float) -> Context:
        say, priced = self._say, look.price(card)
        return {
            "name": card.name,
            "rules": bool(card.rule_ids()),
            "worth": say.number(self._balance.worth.of(card.fields)),
            "cost": say.number(priced.cost) if priced else "",
            "above": priced.above if priced else 0,
            "share": priced.above / away if priced else 0,
            "said": say.above(priced.above) if priced and self._balance.line else "",
            "far": bool(priced and priced.far),
            "decks": look.decks_with(card),
            "use": say.use(look, card),
            "strongest": look.strongest.of(card) if look.strongest else 0,
            "cheapest": look.cheapest.of(card) if look.cheapest else 0,
        }

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
