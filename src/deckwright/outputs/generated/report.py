"""Print what the decks of a run are like."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from deckwright.base.findings import Report
from deckwright.base.numbers import exact, written
from deckwright.base.units import PAPERS
from deckwright.decks.balance.wording import Wording
from deckwright.decks.generator.statistics import Statistics
from deckwright.faces.factory import FaceFactory
from deckwright.game.context import Context
from deckwright.game.folder import GameFolder
from deckwright.game.model import Game
from deckwright.game.words import filled
from deckwright.outputs.pages import write_pages
from deckwright.outputs.printed import Print
from deckwright.sheet.pages import Page

_TEMPLATE = Path(__file__).with_name("generated.xml")
_PLAIN = "#b08d57"
_PAIRS = 10


def print_statistics(
    statistics: Statistics, game: Game, folder: GameFolder, target: Path, report: Report
) -> Print | None:
    """Print statistics as a PDF to `target`; None after reporting why they were not."""
    factory = FaceFactory(game, folder, report)
    title = filled(game.setup.words["generated"], statistics.seed)
    fonts = {"text": factory.text_font, "title": factory.title_font}
    seen = {"title": title, "fonts": fonts, **_Seen(statistics, game).all()}
    flow = factory.bundled(_TEMPLATE, seen, PAPERS["a4"], report)
    if flow is None:
        return None
    pages: list[Page] = flow.pages(1, len(flow))
    name = f"{game.setup.name}: {title}"
    if not write_pages(pages, name, game.setup.name, factory, target, report):
        return None
    return Print((target,), len(pages))


class _Seen:
    """What the template sees."""

    def __init__(self, statistics: Statistics, game: Game) -> None:
        self._all, self._game = statistics, game
        self._words, self._language = game.setup.words, game.setup.language

    def all(self) -> Context:
        words, steps = self._words, self._all.histogram()
        most = max((decks for _, _, decks in steps), default=1)
        return {
            "figures": [*self._figures()],
            "steps": [{"low": self._number(low), "decks": decks or "", "share": decks / most}
                      for low, _, decks in steps],
            "parts": [*self._parts()],
            "pairs": [
                {"one": pair.one.name, "other": pair.other.name, "said": words[
                    "generated-lift"].format(lift=self._number(pair.lift, 1), decks=pair.decks)}
                for pair in self._all.pairs()[:_PAIRS]
            ],
        }  # fmt: skip

    def _number(self, number: float, places: int = 1) -> str:
        return written(exact(round(number, places)), self._language)

    def _figures(self) -> Iterator[Context]:
        words, worth = self._words, self._all.strengths()
        yield _figure(words["generated-decks"], f"{self._all.decks}")
        measure = self._game.setup.worth
        if worth and measure is not None:
            say = Wording(self._game, words, self._language)
            ends = f"{self._number(worth['least'])} – {self._number(worth['most'])}"
            yield _figure(say.measure(measure), self._number(worth["median"]),
                          f"{words['generated-median']}; {ends}")  # fmt: skip
        for mark, word in (("maverick", "generated-mavericks"), ("legacy", "generated-legacies")):
            if self._all.marks[mark]:
                yield _figure(words[word], f"{self._all.marks[mark]}")

    def _parts(self) -> Iterator[Context]:
        found, factions = self._all, self._game.factions
        title = self._words["generated-shares"]
        rows = [self._row(factions[name].name, number, found.decks, factions[name].color)
                for name, number in found.houses.most_common()]  # fmt: skip
        yield {"title": title, "about": "", "rows": rows}
        rarities = found.rarities()
        if rarities:
            field = self._game.setup.generator
            total, name = sum(rarities.values()), (field.rarity if field else "") or ""
            of = [each for kind in self._game.setup.card_kinds for each in kind.fields
                  if each.name == name]  # fmt: skip
            terms = self._game.setup.vocabularies.get(of[0].vocabulary or "") if of else None
            names = {term.id: term.name for term in terms.terms.values()} if terms else {}
            rows = [self._row(names.get(one, one), number, total, _PLAIN)
                    for one, number in rarities.items()]  # fmt: skip
            yield {"title": of[0].text or name if of else name, "about": "", "rows": rows}
        cards = sorted(found.cards(), key=lambda each: -each.decks)
        for faction in factions.values():
            own = [each for each in cards if each.card.faction_id == faction.id]
            rows = [self._row(each.card.name, each.decks, found.decks, faction.color)
                    for each in own]  # fmt: skip
            if rows:
                yield {"title": faction.name, "about": title, "rows": rows}

    def _row(self, name: str, number: int, total: int, color: str) -> Context:
        share = number / max(1, total)
        percent = self._number(100 * share)
        return {"name": name, "share": share, "percent": percent, "number": number, "color": color}


def _figure(title: str, number: str, about: str = "") -> Context:
    return {"title": title, "number": number, "about": about}
