"""`deckwright stats`, `compare` and `balance`: statistics of decks and of the whole game."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Unpack

import click

from deckwright.api.decks import load_decks
from deckwright.api.options import BalanceOptions, Limits
from deckwright.base.extras import install_command
from deckwright.base.locales import choose_form
from deckwright.base.options import option_names
from deckwright.base.units import format_measure, pluralize
from deckwright.checks.counting import DeckLine
from deckwright.cli import common
from deckwright.cli.options import OUTPUT_FILE, options_of
from deckwright.cli.terminal import echo
from deckwright.decks.answers import (
    CARD_COLUMNS,
    LABEL,
    NOTE,
    Answer,
    CardCell,
    Column,
    Kind,
    Row,
    Section,
    Table,
    TextCell,
    hide,
    make_data_table,
    make_record,
    make_unique,
)
from deckwright.decks.deck_answers import describe_comparison, make_limits_table
from deckwright.decks.stats import Chart, DeckStats
from deckwright.game.model import Card
from deckwright.game.words import WORDS, label, language_of


@common.command("stats army_HK_1", "stats army_HK_1 --limits casual")
@click.argument("decks", nargs=-1, metavar="DECK…", required=True)
@common.game_option
@common.answer_options
@common.limit_options
@common.language_option
def stats(
    decks: tuple[str, ...], game: Path, form: str, out: Path | None, **limits: Unpack[Limits]
) -> None:
    """Show decks in numbers: cards, curves and limits.

    An exclamation mark marks limits that a deck breaks.
    """
    folder = common.open_folder(game)
    with common.report_findings() as report:
        loaded = load_decks(folder, map(folder.deck_file, decks), limits, report)
        if loaded:
            each_stats = [each for _, each in loaded]
            names = make_unique((each.deck.stem for each in each_stats), ())
            answer = describe_stats(dict(zip(names, each_stats, strict=True)))
            common.write_answer(answer, out, report, form)


def describe_stats(decks: Mapping[str, DeckStats]) -> Answer:
    """Return the statistics of decks, by their names in data, as an answer."""
    sections, language = list[Section](), "en"
    for name, stats in decks.items():
        words, language = common.words_for(stats.language, stats.words), stats.language
        deck = {"deck": name}
        facts = [row for row in common.stats_rows(stats) if row[1]]
        tokens: list[Row] = [(CardCell.of(each.token), each.copies) for each in stats.tokens]
        about = make_record("decks", **deck, name=stats.deck.name, faction=stats.deck.faction_id,
                       cards=stats.cards)  # fmt: skip
        blocks = [about, Table("", [LABEL, NOTE], facts)]
        blocks.append(make_data_table("tokens", "card copies", tokens, **deck))
        sections.append(Section(stats.deck.name, blocks))
        for zone in stats.zones:
            cards = pluralize(zone.cards, "card")
            cards = f"{zone.cards} {choose_form(words['cards'], zone.cards)}" if words else cards
            place = {**deck, "zone": zone.id}
            blocks = [make_cards_table("cards", zone.lines, zone.charts, place)]
            for chart in zone.charts:  # curves have bars, all others are only data
                number = format_measure(chart.total, chart.unit, language)
                total = f"{words['total']} {number}" if words else f"{number} in total"
                kind: Kind = "number" if chart.numeric else "text"
                columns = [Column("value", "", kind), Column("copies", "", "bar")]
                shared = {**place, "field": chart.id}
                table = Table("copies", columns, chart.bars, f"{chart.name}, {total}", shared)
                blocks.append(table if chart.numeric and chart.total else hide(table))
            sections.append(Section(f"{zone.name}: {cards}", blocks))
        if stats.limits:
            listed = stats.restrictions
            in_force = f" ({listed.name}, {listed.since})" if listed else ""
            title = f"{label(words, 'limits')}{in_force}"
            sections.append(Section(title, [make_limits_table(stats, name, words or WORDS)]))
    return Answer("stats", sections, language)


def make_cards_table(
    name: str,
    lines: Sequence[DeckLine],
    charts: Iterable[Chart],
    common: Mapping[str, str | int] | None = None,
    rules: Callable[[Card], str] | None = None,
) -> Table:
    """Return the lines of a deck list, with the fields of charts, as a table."""
    numeric = [chart for chart in charts if chart.numeric]
    reserved = ("table", *(common or ()), "copies", *CARD_COLUMNS, "rules")
    ids = make_unique((chart.id for chart in numeric), reserved)
    columns = [Column("copies", "", "number"), LABEL]
    columns += [Column(id_, chart.name, "number", chart.unit)
                for id_, chart in zip(ids, numeric, strict=True)]  # fmt: skip
    rows: list[Row] = []
    for line in lines:
        values = (line.card.fields.get(chart.id) for chart in numeric)
        numbers = (value if isinstance(value, (int, float)) else None for value in values)
        copies = TextCell(line.entry.copies, f"{line.entry.copies}x")
        named = [rules(line.card)] if rules else []
        rows.append([copies, CardCell.of(line.card), *numbers, *named])
    columns += [Column("rules", "", "note")] * bool(rules)
    return Table(name, columns, rows, common=common or {})


@common.command("compare army_HK_1 army_EW_1", "compare army_HK_1 army_HH_1 army_EH_1 --format csv")
@click.argument("decks", nargs=-1, metavar="DECK DECK…", required=True)
@common.game_option
@common.answer_options
@common.limit_options
@common.language_option
def compare(
    decks: tuple[str, ...], game: Path, form: str, out: Path | None, **limits: Unpack[Limits]
) -> None:
    """Show decks side by side: cards, sums, curves, odds, limits.

    A star marks cards that some decks lack, a tilde cards in different numbers, and an exclamation
    mark limits that a deck breaks. For two decks, the cards that leave the first and those that
    come to the second are counted, too.
    """
    comparison = common.open_game(game).compare(decks, **limits)
    first, report = comparison.decks[0], [*comparison.findings]
    answer = describe_comparison(comparison, common.words_for(first.language, first.words))
    common.write_answer(answer, out, report, form)
    common.show(report)
    common.exit_with_findings(report)


@common.command(
    "balance", "balance --faction HK --worth 'strength + 2*actions'", "balance --out report.pdf"
)
@common.game_option
@options_of(BalanceOptions, without=option_names(Limits))
@common.format_option
@click.option("--out", "-o", type=OUTPUT_FILE,
              help="The file to write to; the report with charts if its name ends in .pdf.",
              )  # fmt: skip
@click.option("--paper", type=click.Choice(("a4", "letter")), default="a4", show_default=True,
              help="The paper of the report.")  # fmt: skip
@common.limit_options
@common.language_option
def balance(
    game: Path, form: str, out: Path | None, paper: str, **options: Unpack[BalanceOptions]
) -> None:
    """Analyze the game: best decks, and cards that others beat.

    For every faction: the strongest and the cheapest legal deck, how often each card is in the best
    ones, cards that others beat, and cost against worth with a fitted line and its outliers.
    """
    from deckwright.decks.balance.report import describe_balance  # not to show help
    from deckwright.decks.solver.highs import is_installed

    opened = common.open_game(game)
    is_pdf = out is not None and out.suffix == ".pdf"
    if is_pdf:
        path = common.output_path("", opened.folder, str(out))
        printed = opened.print_balance(path, paper=paper, **options)
        report = [*printed.findings]
        common.show(report)
        echo(common.describe_pages(printed, path))
    else:
        result = opened.balance(**options)
        setup, report = result.game.setup, [*result.findings]
        answer = describe_balance(result, common.words_for(language_of(setup), setup.words))
        common.write_answer(answer, out, report, form)
    if not is_installed():
        hint = install_command("solve")
        echo(f"without the library highspy no best decks are looked for: {hint}", err=True)
    if not is_pdf:
        common.show(report)
    common.exit_with_findings(report)
