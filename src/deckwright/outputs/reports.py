"""Print reports with charts on a whole game: its balance, and generated decks."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from pathlib import Path
from typing import NamedTuple

from deckwright.base.findings import Report
from deckwright.base.geometry import Box
from deckwright.base.locales import choose_form
from deckwright.base.output import OutputError
from deckwright.base.units import PAPER_SIZES, Mm, format_number, round_number
from deckwright.decks.answers import Axis, make_axis
from deckwright.decks.balance.model import Balance, FactionBalance, PricedCard
from deckwright.decks.balance.report import Wording
from deckwright.decks.generator.boosters import RunStatistics
from deckwright.faces.factory import FaceFactory
from deckwright.game.context import Context
from deckwright.game.folder import GameFolder
from deckwright.game.model import Game
from deckwright.game.words import fill_in
from deckwright.outputs.deck_pages import Text, number_pages
from deckwright.outputs.pages import write_pages
from deckwright.outputs.printed import Print

_MAX_OPTIONAL_DISTANCE: Mm = 14
"""The maximum distance of an optional name from its point."""
_MAX_DISTANCE: Mm = 60
_MIN_LEADER_LENGTH: Mm = 2.2
"""The distance beyond which a line leads from the point to its name."""
_ANGLES = (0, 180, 270, 90, 315, 45, 225, 135)
"""The directions in which names are tried, in degrees clockwise from the right."""
_LABEL_CLEARANCE: Mm = 0.35


class LabelRequest(NamedTuple):
    """A name to place near its point.

    Attributes:
        radius: the radius of the dot.
        width, height: the size of the name.
        needed: whether it must be placed, even far from its point.
    """

    text: str
    x: Mm
    y: Mm
    radius: Mm
    width: Mm
    height: Mm
    needed: bool = False


class Label(NamedTuple):
    """A placed name, with the end of the line to it from its point, unless that is near enough."""

    request: LabelRequest
    box: Box
    leader_end: tuple[Mm, Mm] | None


def place_labels(
    labels: Sequence[LabelRequest], area: Box, occupied: Iterable[Box] = ()
) -> Iterator[Label]:
    """Place names in order, each at the first free place in an area, away from other boxes."""
    boxes = [*occupied]
    for label in labels:
        for box in _candidate_boxes(label):
            inside = area.x <= box.x and area.y <= box.y
            inside = inside and box.right <= area.right and box.bottom <= area.bottom
            clear = box.expand(_LABEL_CLEARANCE)
            if inside and not any(min(clear.intersection(other)[2:]) > 0 for other in boxes):
                boxes.append(box)
                x = min(max(label.x, box.x), box.right)
                y = min(max(label.y, box.y), box.bottom)
                away = math.hypot(x - label.x, y - label.y) - label.radius
                yield Label(label, box, (x, y) if away > _MIN_LEADER_LENGTH else None)
                break


def _candidate_boxes(label: LabelRequest) -> Iterator[Box]:
    """Yield candidate boxes around a point, nearest first."""
    width, height = label.width, label.height
    away = 0.7
    while away <= (_MAX_DISTANCE if label.needed else _MAX_OPTIONAL_DISTANCE):
        for turn in _ANGLES:
            across, down = math.cos(math.radians(turn)), math.sin(math.radians(turn))
            x = label.x + across * (label.radius + away)
            y = label.y + down * (label.radius + away)
            left = x - width * (0 if across > 0.1 else 1 if across < -0.1 else 0.5)
            top = y - height * (0.5 + 0.5 * (-1 if down > 0.1 else 1 if down < -0.1 else 0))
            yield Box(round(left, 3), round(top, 3), width, height)
        away += 1.1


_LEFT: Mm = 8
_TOP: Mm = 9
_BOTTOM: Mm = 11
_DOT: Mm = 1.15
_TYPE_SIZE: Mm = 2.35
_MAX_NAMES = 3
"""The number of cards named at one place; the others are counted."""


def draw_chart(
    cards: Sequence[PricedCard],
    balance: Balance,
    height: Mm,
    factory: FaceFactory,
    language: str,
    *,
    with_names: bool = True,
) -> Context | None:
    """Return the context of a scatter chart of cards by cost and worth; None without a line.

    Args:
        cards: the highlighted cards; all others are drawn pale.
        with_names: whether to name all cards if there is room, or only outliers.
    """
    line, everything = balance.line, balance.cards
    if line is None:
        return None
    area = Box(_LEFT, _TOP, _WIDTH - _LEFT - 2, height - _TOP - _BOTTOM)
    across = make_axis([float(each.cost) for each in everything], area.x, area.right, 14)
    up = make_axis([float(each.worth) for each in everything], area.bottom, area.y, 10)

    def ticks(axis: Axis) -> list[Context]:
        return [{"at": axis.at(tick), "text": format_number(tick, language)} for tick in axis.ticks]

    def dots(cards: Iterable[PricedCard]) -> list[Context]:
        """Return a dot for each place with cards, sized by their number."""
        places: dict[tuple[float, float], list[PricedCard]] = {}
        for each in cards:
            places.setdefault((float(each.cost), float(each.worth)), []).append(each)
        return [
            {
                "x": across.at(cost),
                "y": up.at(worth),
                "r": round(_DOT * math.sqrt(len(there)), 3),
                "rules": any(each.card.rule_ids() for each in there),
                "far": there[0].is_outlier,
                "above": there[0].above,
                "names": [each.card.name for each in there],
            }
            for (cost, worth), there in places.items()
        ]

    # The line within the area.
    base, slope = float(line.base), float(line.slope)
    low, high = across.low, across.high
    if slope:
        cuts = sorted((end - base) / slope for end in (up.low, up.high))
        low, high = max(low, cuts[0]), min(high, cuts[1])
    (x1, y1), (x2, y2) = ((across.at(x), up.at(base + slope * x)) for x in (low, high))

    # Names avoid the dots and the line.
    shown, ids = dots(cards), {id(each.card) for each in cards}
    taken = [Box(d["x"] - d["r"], d["y"] - d["r"], 2 * d["r"], 2 * d["r"]) for d in shown]
    steps = max(1, int(x2 - x1))
    spots = ((x1 + (x2 - x1) * n / steps, y1 + (y2 - y1) * n / steps) for n in range(steps + 1))
    taken += [Box(x - 0.5, y - 0.3, 1, 0.6) for x, y in spots]
    wanted = []
    for dot in sorted(shown, key=lambda dot: (not dot["far"], -abs(dot["above"]))):
        if with_names or dot["far"]:
            more = len(dot["names"]) - _MAX_NAMES
            text = ", ".join(dot["names"][:_MAX_NAMES]) + (f" +{more}" if more > 0 else "")
            font = f"{factory.text_font}-{'bold' if dot['far'] else 'regular'}"
            width = factory.metrics.shape(font, text).width * _TYPE_SIZE + 0.3
            place = dot["x"], dot["y"], dot["r"], width, _TYPE_SIZE * 1.2
            wanted.append(LabelRequest(text, *place, needed=dot["far"]))
    labels = [
        {
            "text": label.text,
            "far": label.needed,
            **box._asdict(),
            "size": _TYPE_SIZE,
            "from": {"x": label.x, "y": label.y} if end else None,
            "to": {"x": end[0], "y": end[1]} if end else None,
        }
        for label, box, end in place_labels(wanted, area, taken)
    ]
    return {
        "height": height,
        "area": {**area._asdict(), "right": area.right, "bottom": area.bottom},
        "across": ticks(across),
        "up": ticks(up),
        "line": {"x1": x1, "y1": y1, "x2": x2, "y2": y2},
        "others": dots(each for each in everything if id(each.card) not in ids),
        "dots": shown,
        "labels": labels,
    }


def faction_bars(balance: Balance, say: Wording) -> list[Context]:
    """Return the bars of each faction: its best decks, and the deviation of its cards."""
    looks = balance.factions
    worth = [look.strongest.worth for look in looks if look.strongest]
    cost = [look.cheapest.cost or Decimal(0) for look in looks if look.cheapest]
    away = max((abs(look.above) for look in looks), default=0) or 1
    return [
        {
            "name": look.faction.name,
            "color": look.faction.color,
            "strongest": look.strongest and _bar(look.strongest.worth, worth, say),
            "cheapest": look.cheapest and _bar(look.cheapest.cost or Decimal(0), cost, say),
            "above": {"share": look.above / away, "text": say.above(look.above, 2)}
            if balance.line
            else None,
        }
        for look in looks
    ]


def _bar(number: Decimal, numbers: list[Decimal], say: Wording) -> Context:
    """Return a number with its share of the largest, 0 for negative ones."""
    most = max(numbers)
    share = float(max(number, Decimal(0)) / most) if most > 0 else 0
    return {"share": share, "text": say.number(number)}


def card_table(look: FactionBalance, balance: Balance, say: Wording) -> Context:
    """Return the table of a faction's cards, the most used in best decks first."""
    away = max((abs(each.above) for each in look.priced), default=0) or 1
    rows = list[Context]()
    for card in look.cards:
        priced = look.find_price(card)
        row: Context = {
            "name": card.name,
            "rules": bool(card.rule_ids()),
            "worth": say.number(balance.worth.evaluate(card.fields)),
            "cost": say.number(priced.cost) if priced else "",
            "above": priced.above if priced else 0,
            "share": priced.above / away if priced else 0,
            "said": say.above(priced.above) if priced and balance.line else "",
            "far": bool(priced and priced.is_outlier),
            "decks": look.decks_with(card),
            "use": say.describe_use(look, card),
            "strongest": look.strongest.of(card) if look.strongest else 0,
            "cheapest": look.cheapest.of(card) if look.cheapest else 0,
        }
        rows.append(row)
    rows.sort(key=lambda row: (-row["decks"], not row["said"], -row["above"]))
    return {
        "rows": rows,
        "best": fill_in(say.words["best-decks"], len(look.best)) if look.best else "",
        "decks": len(look.best),
        "line": bool(balance.line),
    }


_WIDTH: Mm = 174
_HEIGHT: Mm = 88
_MAX_OVERVIEW_HEIGHT: Mm = 195
"""The maximum total height of the chart of all factions, the bars and the outliers."""
_INK = "#2b2724"


class Chapters:
    """Builds the chapters of a report: all factions, each faction, and caveats."""

    def __init__(self, balance: Balance, wording: Wording, factory: FaceFactory) -> None:
        """Take the balance, its wording and a factory with fonts."""
        self._balance, self._wording, self._factory = balance, wording, factory
        self._game = factory.game
        self._worth = wording.measure(balance.worth)
        self._cost = wording.measure(balance.cost) if balance.cost else ""

    def all(self) -> Iterator[Context]:
        """Yield the chapters."""
        if len(self._balance.factions) > 1:
            yield self._overview()
        for look in self._balance.factions:
            yield self._faction(look)
        say = self._wording
        texts = [
            {"head": head, "lines": [{"name": "", "text": note} for note in notes]}
            for head, notes in (
                ("", say.unknown_notes()),
                (say.words["counted"], say.method_notes(self._balance)),
            )
        ]
        yield self._chapter(say.words["unknown"], self._game.setup.name, texts=texts)

    def _chapter(self, title: str, lead: str, color: str = _INK, **parts: object) -> Context:
        """Return a chapter with the given parts; the others are empty."""
        empty: Context = {"figures": [], "bars": [], "chart": None, "table": None, "texts": []}
        fonts = {"text": self._factory.text_font, "title": self._factory.title_font}
        about = {"title": title, "lead": lead, "color": color}
        axes = {"across": self._cost, "up": self._worth, "line": self._wording.line(self._balance)}
        return {"chapter": about, "axes": axes, "fonts": fonts, **empty, **parts}

    def _overview(self) -> Context:
        balance, words, say = self._balance, self._wording.words, self._wording
        priced = [each for look in balance.factions for each in look.priced]
        beside = 5.4 * len(balance.factions) + 4.7 * len(balance.outliers) + 12
        height = min(150, max(_HEIGHT, _MAX_OVERVIEW_HEIGHT - beside))
        chart = draw_chart(priced, balance, height, self._factory, say.language, with_names=False)
        figures = [_figure(words["cards"], str(len(self._game.cards)))]
        if balance.line is not None:
            fit = f"{say.number(100 * balance.line.r2, 0)} %"
            figures.append(_figure(words["line"], fit, words["spread"]))
            figures.append(_figure(words["outliers"], str(len(balance.outliers))))
        beaten = {id(each.worse) for look in balance.factions for each in look.dominances}
        if balance.cost is not None:
            figures.append(_figure(words["dominated"], str(len(beaten))))
        outliers = []
        for each in balance.outliers:
            facts = (
                self._game.factions[each.card.faction_id].name,
                f"; {self._worth} {say.number(each.worth)}, {self._cost} {say.number(each.cost)}",
                f": {say.above(each.above)}",
            )
            outliers.append({"name": each.card.name, "text": "".join(facts)})
        return self._chapter(
            words["all-factions"],
            say.line(balance),
            figures=figures,
            bars=faction_bars(balance, say),
            chart=chart,
            texts=[{"head": words["outliers"], "lines": outliers}] if outliers else [],
        )

    def _faction(self, look: FactionBalance) -> Context:
        words, say = self._wording.words, self._wording
        figures = []
        for word, deck in (("strongest", look.strongest), ("cheapest", look.cheapest)):
            if deck is not None:
                measures = [(deck.worth, self._worth), (deck.cost, self._cost)]
                (number, unit), (other, name) = (
                    measures if word == "strongest" else reversed(measures)
                )
                beside = f"{name} {say.number(other)}" if other is not None else ""
                about = filter(
                    None, (unit, beside, f"{deck.cards} {choose_form(words['cards'], deck.cards)}")
                )
                figures.append(_figure(words[word], say.number(number or 0), " · ".join(about)))
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
            chart=draw_chart(look.priced, self._balance, _HEIGHT, self._factory, say.language),
            table=card_table(look, self._balance, say),
            texts=texts,
        )


def _figure(title: str, number: str, about: str = "") -> Context:
    return {"title": title, "number": number, "about": about}


BALANCE_PAPERS = ("a4", "letter")
_BALANCE_TEMPLATE = Path(__file__).with_name("balance.xml")


def print_balance(
    balance: Balance, folder: GameFolder, target: Path, paper: str, report: Report
) -> Print:
    """Print the balance of a game as a PDF to `target`."""
    game = balance.game
    factory = FaceFactory(game, folder, report)
    wording = Wording(game, game.setup.words, game.setup.language)
    texts: list[Text] = []
    for chapter in Chapters(balance, wording, factory).all():
        flow = factory.compose_bundled(_BALANCE_TEMPLATE, chapter, PAPER_SIZES[paper], report)
        if flow is None:
            raise OutputError
        texts.append(Text(flow, chapter["chapter"]["title"]))
    count = sum(len(text.flow) for text in texts)
    pages = number_pages(texts, 1, count)
    title = f"{game.setup.name}: {game.setup.words['balance']}"
    write_pages(pages, title, game.setup.name, factory, target, report)
    return Print((target,), count)


_GENERATED_TEMPLATE = Path(__file__).with_name("generated.xml")
_PLAIN = "#b08d57"
_MAX_PAIRS = 10


def print_statistics(
    statistics: RunStatistics, game: Game, folder: GameFolder, target: Path, report: Report
) -> Print:
    """Print statistics as a PDF to `target`."""
    factory = FaceFactory(game, folder, report)
    title = fill_in(game.setup.words["generated"], statistics.seed)
    fonts = {"text": factory.text_font, "title": factory.title_font}
    seen = {"title": title, "fonts": fonts, **_statistics_context(statistics, game)}
    flow = factory.compose_bundled(_GENERATED_TEMPLATE, seen, PAPER_SIZES["a4"], report)
    if flow is None:
        raise OutputError
    pages = flow.pages(1, len(flow))
    name = f"{game.setup.name}: {title}"
    write_pages(pages, name, game.setup.name, factory, target, report)
    return Print((target,), len(pages))


def _statistics_context(statistics: RunStatistics, game: Game) -> Context:
    setup, words, language = game.setup, game.setup.words, game.setup.language

    def format_rounded(number: float) -> str:
        return format_number(round_number(round(number, 1)), language)

    def row(name: str, number: int, total: int, color: str) -> Context:
        share = number / max(1, total)
        percent = format_rounded(100 * share)
        return {"name": name, "share": share, "percent": percent, "number": number, "color": color}

    figures = [_figure(words["generated-decks"], f"{statistics.decks}")]
    worth = statistics.strengths()
    if worth and setup.worth is not None:
        measure = Wording(game, words, language).measure(setup.worth)
        ends = f"{format_rounded(worth['least'])} – {format_rounded(worth['most'])}"
        about = f"{words['generated-median']}; {ends}"
        figures.append(_figure(measure, format_rounded(worth["median"]), about))
    for mark, word in (("maverick", "generated-mavericks"), ("legacy", "generated-legacies")):
        if statistics.marks[mark]:
            figures.append(_figure(words[word], f"{statistics.marks[mark]}"))

    title, factions = words["generated-shares"], game.factions
    rows = [
        row(factions[name].name, number, statistics.decks, factions[name].color)
        for name, number in statistics.houses.most_common()
    ]
    parts = [{"title": title, "about": "", "rows": rows}]
    if rarities := statistics.rarities():
        name = (setup.generator.rarity if setup.generator else "") or ""
        of = [field for kind in setup.card_kinds for field in kind.fields if field.name == name]
        terms = setup.vocabularies.get(of[0].vocabulary or "") if of else None
        names = {term.id: term.name for term in terms.terms.values()} if terms else {}
        total = sum(rarities.values())
        rows = [row(names.get(one, one), number, total, _PLAIN) for one, number in rarities.items()]
        parts.append({"title": of[0].text or name if of else name, "about": "", "rows": rows})
    cards = sorted(statistics.cards(), key=lambda each: -each.decks)
    for faction in factions.values():
        rows = [
            row(each.card.name, each.decks, statistics.decks, faction.color)
            for each in cards
            if each.card.faction_id == faction.id
        ]
        if rows:
            parts.append({"title": faction.name, "about": title, "rows": rows})

    steps = statistics.histogram()
    most = max((decks for _, _, decks in steps), default=1)
    pairs = [
        {
            "one": pair.one.name,
            "other": pair.other.name,
            "said": words["generated-lift"].format(
                lift=format_rounded(pair.lift), decks=pair.decks
            ),
        }
        for pair in statistics.pairs()[:_MAX_PAIRS]
    ]
    return {
        "figures": figures,
        "steps": [
            {"low": format_rounded(low), "decks": decks or "", "share": decks / most}
            for low, _, decks in steps
        ],
        "parts": parts,
        "pairs": pairs,
    }
