"""`deckwright hand` and `odds`: sample hands, and the odds of holding certain cards."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Unpack

import click

from deckwright.api.decks import load_game_and_stats
from deckwright.api.hands import HandSample, draw_hand_picture, sample_hands
from deckwright.api.options import resolve_style
from deckwright.base.findings import Report
from deckwright.base.output import report_failure
from deckwright.base.strings import dump_safe_json, sanitize_line
from deckwright.base.units import (
    format_fixed,
    format_measure,
    format_number,
    format_percent,
    round_number,
)
from deckwright.cli import common
from deckwright.cli.options import MAX_COUNT, opening_options
from deckwright.cli.report_text import card_lines, label, language_option, truncate, words_for
from deckwright.cli.terminal import can_show, command, echo, echo_data
from deckwright.decks.odds import Hand
from deckwright.decks.odds_tables import (
    Chances,
    DeckOdds,
    GroupOdds,
    OddsSection,
    OddsTable,
    QueryOdds,
)
from deckwright.decks.stats import Chart, make_charts

if TYPE_CHECKING:
    from collections.abc import Iterable

    from deckwright.decks.odds import OpeningOptions
    from deckwright.decks.odds_tables import DeckOdds
    from deckwright.game.deck_rules import Measure
    from deckwright.game.model import Card

_MAX_SEED = 2**53


@command("hand army_HK_1 --seed 7", "hand army_HK_1 --seed 7 --redraw HK9 --out hand.png")
@click.argument("deck")
@common.game_option
@click.option("--seed", type=click.IntRange(0, _MAX_SEED),
              help="The seed of the shuffle: the same seed gives the same hand.")  # fmt: skip
@click.option("--hands", type=click.IntRange(1, 100), default=1,
              help="Draw this many hands, each with the next seed.")  # fmt: skip
@click.option(
    "--mulligan", count=True, help="Shuffle the hand back and draw another one; repeatable."
)
@click.option("--redraw", multiple=True, metavar="CARD",
              help="Replace this card by another one, by id or name; repeatable.")  # fmt: skip
@click.option("--turns", type=click.IntRange(0, MAX_COUNT), default=0,
              help="Also show the draws of this many turns.")  # fmt: skip
@opening_options
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text",
              help="Show hands as text, JSON or a table.")  # fmt: skip
@click.option("--out", "-o", help="Also draw the hands to this PNG file.")
@click.option("--layout", type=click.Choice(["fan", "rows"]), default="fan", show_default=True,
              help="The layout of cards in the picture.")  # fmt: skip
@common.dpi_option(200)
@common.style_option
@language_option
def hand(
    deck: str,
    game: Path,
    form: Literal["text", "json"],
    out: str | None,
    layout: Literal["fan", "rows"],
    dpi: float,
    style: str | None,
    **options: Any,  # noqa: ANN401 - those of `sample_hands`
) -> None:
    """Draw sample hands from a deck, as text and as a picture.

    DECK is the name of a file in xml/Decks, such as army_HK_1.xml, or any path. It may break its
    limits. Without --seed, a seed is chosen and shown.
    """
    if options["hands"] > 1 and options["redraw"]:
        raise click.UsageError("--redraw is for a single hand: give its --seed, without --hands")
    if out is not None and Path(out).suffix.lower() not in {"", ".png"}:
        raise click.UsageError(f"--out takes a PNG file: end `{out}` with .png")
    folder = common.open_folder(game)
    style = resolve_style(folder, style)
    report: Report = []
    path = folder.deck_file(deck)
    sample = None
    with report_failure(report):
        sample = sample_hands(*load_game_and_stats(folder, path, {}, report), **options)
    if sample is not None:
        if form == "json":
            echo_data(dump_safe_json(_as_json(sample)))
        else:
            for number, each in enumerate(sample.hands):
                echo(*[""] * (number > 0), *_hand_lines(sample, each))
        broken = sum(not state.keeps for state in sample.stats.limits)
        if broken:
            limits = common.counted(broken, "limit")
            echo(f"{folder.deck_label(path)} breaks {limits}: `deckwright stats {deck}`", err=True)
    if sample is not None and out is not None:
        from deckwright.outputs.hands import HandsOptions, Layout  # noqa: PLC0415 - only to draw

        target = common.output_path(f"hand_{path.stem}.png", folder, out)
        look = HandsOptions(Layout(layout), style, dpi)
        drawn = None
        with report_failure(report):
            drawn = draw_hand_picture(
                folder, sample.game, sample.stats, sample.hands, target, look, report
            )
        if drawn is not None and form == "text":
            echo(f"drawn in {drawn.path}, {drawn.size[0]} × {drawn.size[1]} pixels")
    common.show(report)
    common.exit_with_findings(report)


def _hand_lines(sample: HandSample, hand: Hand) -> Iterator[str]:
    """Yield the lines of a hand: its cards, redraws and later turns."""
    stats = sample.stats
    words, language = words_for(stats.language, stats.words), stats.language
    lines = sample.lines(hand.cards)
    charts = [c for c in make_charts(sample.game.setup, lines) if c.is_informative]
    total = sum(line.entry.copies for line in sample.pile)
    head = f"{label(words, 'seed')} {hand.seed}: {label(words, 'hand')}"
    yield f"{stats.deck.name}, {head} {len(hand.cards)} / {total}"
    yield from card_lines(
        lines, charts, language, lambda card: ", ".join(_rule_names(sample, card))
    )
    yield f"  {label(words, 'total')}: {', '.join(_sum_fields(sample, hand.cards, charts))}"
    if hand.aside:
        yield f"  {label(words, 'laid-aside')}: {_join_cards(hand.aside)}"
    for number, cards in enumerate(hand.turns, 1):
        yield f"  {label(words, 'turn')} {number}: {_join_cards(cards) or label(words, 'none')}"
    yield f"  {label(words, 'left-in-pile')}: {hand.pile_size}"


def _join_cards(cards: Iterable[Card]) -> str:
    return ", ".join(f"{card.name} ({card.id})" for card in cards)


def _sum_fields(
    sample: HandSample, cards: Iterable[Card], charts: Iterable[Chart]
) -> Iterator[str]:
    """Yield the sums over a hand: of each numeric field, and of worth and cost unless fields."""
    language, setup = sample.stats.language, sample.game.setup
    for chart in charts:
        if chart.numeric:
            yield f"{chart.name} {format_measure(chart.total, chart.unit, language)}"
    fields = {field.name for kind in setup.card_kinds for field in kind.fields}
    for measure in dict.fromkeys(each for each in (setup.worth, setup.cost) if each):
        if measure.text not in fields:
            yield f"{measure} {format_number(_sum_measure(measure, cards, sample), language)}"


def _sum_measure(measure: Measure, cards: Iterable[Card], sample: HandSample) -> float:
    """Return the sum of a measure over cards."""
    return round_number(
        float(sum(measure.evaluate(card.fields, sample.opening.zone) for card in cards))
    )


def _rule_names(sample: HandSample, card: Card) -> list[str]:
    """Return the names of a card's rules."""
    race = sample.game.factions[card.faction_id].race
    rules = (sample.game.rules.get(name) for name in card.rule_ids())
    return [rule.any_label(race) for rule in rules if rule is not None]


def _as_json(sample: HandSample) -> dict[str, object]:
    """Return hands as JSON data, cards in the order in which they were drawn."""

    def cards(drawn: Iterable[Card]) -> list[dict[str, object]]:
        return [
            {
                "faction_id": card.faction_id,
                "id": card.id,
                "name": card.name,
                "fields": {
                    field.name: card.fields.get(field.name)
                    for field in card.kind.fields
                    if field.numeric and not field.picture and not field.ignored
                },
                "rules": _rule_names(sample, card),
            }
            for card in drawn
        ]

    stats = sample.stats
    measures = {"worth": sample.game.setup.worth, "cost": sample.game.setup.cost}
    return {
        "deck": stats.deck.stem,
        "name": stats.deck.name,
        "zone": sample.opening.zone,
        "cards": sum(line.entry.copies for line in sample.pile),
        "limits_kept": all(state.keeps for state in stats.limits),
        "hands": [
            {
                "seed": hand.seed,
                "cards": cards(hand.cards),
                "aside": cards(hand.aside),
                "turns": [cards(turn) for turn in hand.turns],
                "left": hand.pile_size,
                **{
                    name: round_number(
                        float(
                            sum(measure.evaluate(c.fields, sample.opening.zone) for c in hand.cards)
                        )
                    )
                    for name, measure in measures.items()
                    if measure
                },
            }
            for hand in sample.hands
        ],
    }


BAR_LENGTHS = (8, 24)
"""The minimum and maximum length of the longest bar in characters."""
GAP = "  "
_MAX_NAME_LENGTH = 26


class OddsText:
    """Formats the odds of one deck.

    Attributes:
        odds: these odds.
        has_redraws: whether the game has redraws or mulligans.
        width: the width of the terminal in characters.
        at_least_sign: the sign for "at least".
    """

    def __init__(self, odds: DeckOdds) -> None:
        """Set the odds of a deck."""
        stats = odds.stats
        self.odds, self._language = odds, stats.language
        self._words = words_for(stats.language, stats.words)
        self.has_redraws = bool(odds.opening.redraws or odds.opening.mulligans)
        self.width = shutil.get_terminal_size((80, 24)).columns - 1
        self.at_least_sign = "≥ " if can_show("≥") else ">="
        self._blocks = ("█", "░") if can_show("█░") else ("#", "+")

    def label(self, word: str) -> str:
        """Return a word in the language of the output."""
        return label(self._words, word)

    def percent(self, share: Fraction) -> str:
        """Format a probability in percent."""
        return format_percent(share, self._language)

    def average(self, number: Fraction) -> str:
        """Format a mean number of cards."""
        return format_fixed(float(number), 2, self._language)

    def bar(self, at_once: Fraction, played: Fraction, scale: Fraction, length: int) -> str:
        """Return a bar: dark without redraws, and lighter for what redraws add."""
        if not scale:
            return ""
        whole = max(round(played / scale * length), int(played > 0))
        full = min(whole, max(round(at_once / scale * length), int(at_once > 0)))
        return self._blocks[0] * full + self._blocks[1] * (whole - full)

    def head(self) -> Iterator[str]:
        """Yield the heading: the deck and the hand."""
        found, opening = self.odds, self.odds.opening
        parts = [f"{self.label('hand')} {min(opening.hand, found.zone.cards)} / {found.zone.cards}"]
        turns = [each.turn for each in found.answers] or [each.turn for each in found.tables]
        numbers = {
            "redraws": opening.redraws,
            "mulligans": opening.mulligans,
            "draws": opening.draws if any(turns) else 0,
        }
        parts += [f"{self.label(word)} {number}" for word, number in numbers.items() if number]
        if len(turns) == 1 and turns[0]:
            parts.append(f"{self.label('turn')} {turns[0]}")
        yield f"{found.stats.deck.name}, {found.zone.name}: {', '.join(parts)}"


class NumberTable:
    """A table of numbers beside names, each column as wide as its longest cell."""

    def __init__(
        self, names: Iterable[str], heads: Sequence[str], rows: Iterable[Sequence[str]]
    ) -> None:
        """Measure the columns."""
        self._name = min(_MAX_NAME_LENGTH, max(map(len, names), default=0))
        columns = zip(heads, *rows, strict=True)
        self._widths = [max(map(len, column)) for column in columns]

    @property
    def width(self) -> int:
        """The width of a line in characters."""
        return len(GAP) + self._name + sum(len(GAP) + width for width in self._widths)

    def line(self, name: str, cells: Iterable[str]) -> str:
        """Format a line with a name and its numbers."""
        shown = (f"{cell:>{width}}" for cell, width in zip(cells, self._widths, strict=True))
        return GAP.join(["", f"{truncate(name, self._name):<{self._name}}", *shown])


class AnswerText(OddsText):
    """Formats the odds of holding the requested cards."""

    def lines(self) -> Iterator[str]:
        """Yield the lines."""
        yield from self.head()
        yield from self._answers(self.odds.answers)

    def _answers(self, answers: Sequence[QueryOdds]) -> Iterator[str]:
        """Yield the odds of all groups together, of each alone, and of numbers of their cards."""
        queries = self.odds.queries
        titles = [f"{self.at_least_sign}{each.at_least} {each.name}" for each in queries]
        yield ""
        for title, cards in zip(titles, answers[0].played.groups, strict=True):
            yield f"  {title}: {cards} / {self.odds.zone.cards}"
        yield ""
        several = len(queries) > 1
        heads = [self.label("at-once")] if self.has_redraws else []
        heads.append(self.label("redrawn" if self.has_redraws else "chance"))
        rows = [self._answer(answer) for answer in answers]
        title = self.label("together") if several else ""
        names = [self._turn(answer.turn) for answer in answers]
        grid = NumberTable([title, *names], heads, rows)
        yield grid.line(title, heads)
        for name, answer, row in zip(names, answers, rows, strict=True):
            bar = self.bar(answer.at_once.chance, answer.played.chance, Fraction(1), BAR_LENGTHS[1])
            yield f"{grid.line(name, row)}{GAP}{bar}".rstrip()
        if several:
            yield from self._alone(answers, titles)
        if len(answers) == 1:
            for number, title in enumerate(titles):
                yield from self._numbers(answers[0], number, title)

    def _turn(self, turn: int) -> str:
        return f"{self.label('turn')} {turn}" if turn else self.label("hand")

    def _answer(self, answer: QueryOdds) -> list[str]:
        at_once = [self.percent(answer.at_once.chance)] if self.has_redraws else []
        return [*at_once, self.percent(answer.played.chance)]

    def _alone(self, answers: Sequence[QueryOdds], titles: Sequence[str]) -> Iterator[str]:
        """Yield the odds of each group if players aim at nothing else."""
        heads = [str(answer.turn) for answer in answers]
        rows = [
            [self.percent(answer.alone[number].chance) for answer in answers]
            for number in range(len(titles))
        ]
        grid = NumberTable([self.label("alone"), *titles], heads, rows)
        yield ""
        yield grid.line(self.label("alone"), heads if len(heads) > 1 else [""]).rstrip()
        for title, row in zip(titles, rows, strict=True):
            yield grid.line(title, row)

    def _numbers(self, answer: QueryOdds, group: int, title: str) -> Iterator[str]:
        """Yield the odds of 0, 1, 2 … cards of a group."""
        shares = answer.played.numbers[group]
        average = self.average(answer.played.expected[group])
        yield ""
        yield f"  {title}: {self.label('average')} {average}"
        width = len(str(len(shares) - 1))
        for number, share in enumerate(shares):
            bar = self.bar(share, share, max(shares), BAR_LENGTHS[1])
            yield f"  {number:>{width}} {self.percent(share):>8}{GAP}{bar}".rstrip()


_MAX_NUMBERS = (3, 4)
"""A table has columns for up to this many cards, in a narrow and in a wide terminal."""
_MIN_WIDE_WIDTH = 96


class TableText(OddsText):
    """Formats a table of all rows, levels and cards of a deck."""

    def lines(self) -> Iterator[str]:
        """Yield the lines."""
        yield from self.head()
        if len(self.odds.tables) > 1:
            yield from self._over_turns(self.odds.tables)
        else:
            yield from self._table(self.odds.tables[0])

    def _table(self, table: OddsTable) -> Iterator[str]:
        """Yield the table of one turn."""
        longest = max((len(group.played.at_least) for group in _all_groups([table])), default=0)
        most = min(longest, _MAX_NUMBERS[self.width >= _MIN_WIDE_WIDTH])
        first = f"{self.at_least_sign}1"
        heads = [self.label("amount")]
        heads += [f"{first} {self.label('at-once')}"] if self.has_redraws else []
        heads += [f"{self.at_least_sign}{number}" for number in range(1, most + 1)]
        heads.append(self.label("average"))
        rows = {
            section.id: [self._row(group, most) for group in section.groups]
            for section in table.sections
        }
        names = [*map(_format_group, _all_groups([table])), *(s.name for s in table.sections)]
        grid = NumberTable(names, heads, [row for part in rows.values() for row in part])
        for section in table.sections:
            yield ""
            yield grid.line(self._title(section), heads)
            scale = max((group.played.average for group in section.groups), default=Fraction(0))
            length = max(BAR_LENGTHS[0], min(BAR_LENGTHS[1], self.width - grid.width - len(GAP)))
            for group, row in zip(section.groups, rows[section.id], strict=True):
                averages = group.at_once.average, group.played.average
                bar = self.bar(*averages, scale, length)
                yield f"{grid.line(_format_group(group), row)}{GAP}{bar}".rstrip()

    def _title(self, section: OddsSection) -> str:
        return self.label("cards") if section.id == "cards" else section.name

    def _row(self, group: GroupOdds, max_width: int) -> list[str]:
        at_once = [self._chance(group.at_once, 1)] if self.has_redraws else []
        chances = [self._chance(group.played, number) for number in range(1, max_width + 1)]
        return [str(group.cards), *at_once, *chances, self.average(group.played.average)]

    def _chance(self, chances: Chances, number: int) -> str:
        """Format the odds of at least `number` cards; empty if there are fewer."""
        if number > len(chances.at_least):
            return ""
        return self.percent(chances.at_least[number - 1])

    def _over_turns(self, tables: Sequence[OddsTable]) -> Iterator[str]:
        """Yield the odds of at least one card, with a column for each turn."""
        heads = [self.label("amount"), *(str(table.turn) for table in tables)]
        yield f"  {self.at_least_sign}1, {self.label('turn')} {', '.join(heads[1:])}"
        rows: dict[str, list[list[str]]] = {}
        for number, section in enumerate(tables[0].sections):
            groups = zip(*(table.sections[number].groups for table in tables), strict=True)
            rows[section.id] = [
                [str(turns[0].cards), *(self._chance(each.played, 1) for each in turns)]
                for turns in groups
            ]
        names = [*map(_format_group, _all_groups(tables)), *(s.name for s in tables[0].sections)]
        grid = NumberTable(names, heads, [row for part in rows.values() for row in part])
        for section in tables[0].sections:
            yield ""
            yield grid.line(self._title(section), heads)
            for group, row in zip(section.groups, rows[section.id], strict=True):
                yield grid.line(_format_group(group), row)


def _all_groups(tables: Iterable[OddsTable]) -> Iterator[GroupOdds]:
    return (group for table in tables for section in table.sections for group in section.groups)


def _format_group(group: GroupOdds) -> str:
    return f"{group.name} ({group.id})" if group.id else group.name


_MAX_TURN = 99


def _parse_turns(
    _context: click.Context, _option: click.Parameter, texts: Iterable[str]
) -> tuple[int, ...]:
    """Parse turns such as "3" or "1-6"; return them sorted, 0 if none is given.

    Raises:
        click.UsageError: if a value has another form.
    """
    turns: set[int] = set()
    for text in texts:
        match = re.fullmatch(r"([0-9]{1,2})(?:-([0-9]{1,2}))?", text)
        first, last = (int(match[1]), int(match[2] or match[1])) if match else (1, 0)
        if first > last:
            message = f"`--turn {text}` is not of the form 3 or 1-6, up to {_MAX_TURN}"
            raise click.UsageError(message)
        turns.update(range(first, last + 1))
    return tuple(sorted(turns or {0}))


@command("odds army_HK_1", 'odds army_HK_1 --where "rows=RANGED" --at-least 3',
         "odds army_HK_1 --card HK3 --draws 1 --turn 0-5")  # fmt: skip
@click.argument("decks", nargs=-1, metavar="DECK…", required=True)
@common.game_option
@click.option("--where", multiple=True, metavar="CONDITION",
              help="Ask for cards like these, as in limits: level=2; repeatable.")  # fmt: skip
@click.option("--card", "cards", multiple=True, metavar="CARD",
              help="Ask for this card, by id or name; repeatable.")  # fmt: skip
@click.option("--at-least", type=click.IntRange(0, 99), multiple=True, metavar="NUMBER",
              help="Ask for this many of each group, in order. The default is 1.")  # fmt: skip
@click.option("--turn", "turns", multiple=True, metavar="TURN", callback=_parse_turns,
              help="Ask for the hand after this turn's draw, or several turns': 1-6.")  # fmt: skip
@opening_options
@common.answer_options
@language_option
def odds(
    decks: tuple[str, ...],
    game: Path,
    where: tuple[str, ...],
    cards: tuple[str, ...],
    at_least: tuple[int, ...],
    turns: tuple[int, ...],
    form: str,
    out: Path | None,
    **opening: Unpack[OpeningOptions],
) -> None:
    """Show how likely an opening hand has which cards.

    Odds are exact, for each row, each level and each card. If the game lets players set cards aside
    or draw a new hand, they are assumed to do so as well as possible for the cards asked for. With
    --where and --card, show how likely a player has all of these cards together. Decks may break
    their limits.
    """
    from deckwright.api.decks import load_game_and_stats  # noqa: PLC0415 - not with --help
    from deckwright.api.hands import compute_deck_odds  # noqa: PLC0415

    folder = common.open_folder(game)
    report: Report = []
    results: list[DeckOdds] = []
    for name in decks:
        findings: Report = []
        with report_failure(findings):
            counted = load_game_and_stats(folder, folder.deck_file(name), {}, findings)
            results.append(
                compute_deck_odds(
                    *counted, where=where, cards=cards, at_least=at_least, turns=turns, **opening
                )
            )
        report += common.new_findings(findings, report)
    if results:
        common.write_answer(_format_answer(results, form), out, report, form)
    for each in results:
        _warn_small_deck(each)
    common.show(report)
    common.exit_with_findings(report)


def _format_answer(decks: list[DeckOdds], form: str) -> str:
    if form == "text":
        texts = (AnswerText(each) if each.answers else TableText(each) for each in decks)
        return "\n\n".join("\n".join(map(sanitize_line, text.lines())) for text in texts)

    from deckwright.decks.odds_tables import as_csv, as_json  # noqa: PLC0415 - only if asked for

    return as_json(decks) if form == "json" else as_csv(decks)


def _warn_small_deck(odds: DeckOdds) -> None:
    """Warn if the hand takes the whole deck."""
    if odds.zone.cards < odds.opening.hand:
        cards = common.counted(odds.zone.cards, "card")
        message = f"`{odds.stats.deck.stem}` has {cards} in `{odds.zone.id}`"
        echo(f"{message}, fewer than a hand of {odds.opening.hand}: it has them all", err=True)
