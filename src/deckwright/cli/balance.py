"""`deckwright balance`: a report on the whole game."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

import click

from deckwright.api.options import BalanceOptions
from deckwright.base.extras import install_command
from deckwright.base.strings import sanitize_line
from deckwright.cli import common
from deckwright.cli.report_text import label, truncate, words_for
from deckwright.cli.terminal import can_show, command, echo
from deckwright.decks.balance.model import Balance, BestDeck, FactionBalance, PricedCard
from deckwright.decks.balance.report import Wording, plot
from deckwright.game.model import Card
from deckwright.game.words import WORDS, fill_in, language_of

if TYPE_CHECKING:
    from deckwright.api import Game
    from deckwright.decks.balance.model import Balance


_MAX_NAME_LENGTH = 34
"""Longer names of cards are truncated, in characters."""
_NOTE_WIDTH = 96
"""The width of notes in characters."""


class BalanceText:
    """Formats a balance report for a terminal."""

    def __init__(self, balance: Balance) -> None:
        """Prepare to format a report."""
        setup = balance.game.setup
        self._balance, self._words = balance, words_for(language_of(setup), setup.words)
        language = setup.language if self._words else "en"
        self._wording = Wording(balance.game, self._words or WORDS, language)
        self._worth = self._wording.measure(balance.worth)
        self._cost = self._wording.measure(balance.cost) if balance.cost else ""

    def lines(self) -> Iterator[str]:
        """Yield the lines."""
        if len(self._balance.factions) > 1:
            yield from self._overview()
        for look in self._balance.factions:
            yield ""
            yield from self._faction(look)
        for word, notes in (
            ("unknown", self._wording.unknown_notes()),
            ("counted", self._wording.method_notes(self._balance)),
        ):
            yield ""
            yield label(self._words, word)
            for note in notes:
                yield from _wrap_note(note)

    def _overview(self) -> Iterator[str]:
        looks = self._balance.factions
        columns = {"": [self._title(look) for look in looks]}
        if any(look.best for look in looks):
            worth = (look.strongest and look.strongest.worth for look in looks)
            columns |= self._column("strongest", [self._number(n, self._worth) for n in worth])
        if any(look.cheapest for look in looks):
            cost = (look.cheapest and look.cheapest.cost for look in looks)
            columns |= self._column("cheapest", [self._number(n, self._cost) for n in cost])
        if self._balance.line:
            columns |= self._column("from-line", [self._wording.above(n.above, 2) for n in looks])
        yield from _format_table(columns)
        yield from self._plot(self._balance.cards)

    def _column(self, word: str, cells: list[str]) -> dict[str, list[str]]:
        return {label(self._words, word): cells}

    def _number(self, number: Decimal | None, name: str) -> str:
        return "" if number is None else f"{name} {self._wording.number(number)}"

    def _title(self, look: FactionBalance) -> str:
        return f"{look.faction.name} ({look.faction.id})"

    def _best(self, look: FactionBalance) -> list[str]:
        return [
            self._deck(look.strongest, cost_first=False),
            self._deck(look.cheapest, cost_first=True),
        ]

    def _deck(self, deck: BestDeck | None, *, cost_first: bool) -> str:
        if deck is None:
            return ""
        numbers = [(deck.worth, self._worth), (deck.cost, self._cost)]
        parts = [*filter(None, (self._number(*each) for each in numbers))]
        cards = f"{deck.cards} {label(self._words, 'cards')}"
        doubt = [] if deck.proven else ["time ran out before it was proven the best"]
        return ", ".join([*(reversed(parts) if cost_first else parts), cards, *doubt])

    def _plot(self, cards: Sequence[PricedCard]) -> Iterator[str]:
        if self._balance.line is None or not cards:
            return
        signs = ("●", "·") if can_show("●·") else ("o", ".")
        yield ""
        yield f"  {self._worth}"
        for line in plot(
            cards, self._balance.line, self._wording.number, signs, self._balance.cards
        ):
            yield f"  {line}"
        share = self._wording.number(100 * self._balance.line.r2, 0)
        explained = f"{label(self._words, 'spread')} {share} %"
        yield f"  {self._cost}; {self._wording.line(self._balance)}; {explained}"

    def _faction(self, look: FactionBalance) -> Iterator[str]:
        form = f", {look.pool.form.name}" if look.pool.form else ""
        yield f"{self._title(look)}{form}"
        for word, deck in zip(("strongest", "cheapest"), self._best(look), strict=True):
            if deck:
                yield f"  {label(self._words, word)}: {deck}"
        if look.failure:
            yield f"  {look.failure}"
        if look.left_out:
            yield f"  limits left out of the search: {', '.join(look.left_out)}"
        yield from self._cards(look)
        for each in look.dominances:
            yield f"  {each.worse.name} ({each.worse.id}) {self._wording.dominance(each)}"
        if look.never_taken:
            names = ", ".join(card.name for card in look.never_taken)
            yield f"  {label(self._words, 'never-taken')}: {names}"
        if len(self._balance.factions) == 1:
            yield from self._plot(look.priced)

    def _cards(self, look: FactionBalance) -> Iterator[str]:
        say, cards = self._wording, look.cards
        priced = [look.find_price(card) for card in cards]
        columns = {
            "": [
                _format_card(card, far=bool(each and each.is_outlier))
                for card, each in zip(cards, priced, strict=True)
            ]
        }
        columns[self._worth] = [
            say.number(self._balance.worth.evaluate(card.fields)) for card in cards
        ]
        if self._balance.cost:
            columns[self._cost] = [say.number(each.cost) if each else "" for each in priced]
        if self._balance.line:
            above = [say.above(each.above) if each else "" for each in priced]
            columns |= self._column("from-line", above)
        if look.best:
            best = fill_in(label(self._words, "best-decks"), len(look.best))
            columns[best] = [say.describe_use(look, card) for card in cards]
        decks = ("in-strongest", look.strongest), ("in-cheapest", look.cheapest)
        for word, deck in decks:
            if deck is not None:
                columns |= self._column(word, [_format_copies(deck.of(card)) for card in cards])
        yield from _format_table(columns)


def _format_card(card: Card, *, far: bool) -> str:
    mark = ("*" if card.rule_ids() else "") + ("!" if far else "")
    return f"{truncate(card.name, _MAX_NAME_LENGTH)} ({card.id}) {mark}".rstrip()


def _format_copies(number: int) -> str:
    return f"{number}x" if number else ""


def _format_table(columns: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """Yield the lines of a table; all columns but the first are right-aligned."""
    widths = [max(map(len, (head, *cells))) for head, cells in columns.items()]
    for row in (columns.keys(), *zip(*columns.values(), strict=True)):
        first, *others = zip(row, widths, strict=True)
        texts = [f"{first[0]:<{first[1]}}", *(f"{cell:>{width}}" for cell, width in others)]
        yield f"  {'  '.join(texts)}".rstrip()


def _wrap_note(text: str) -> Iterator[str]:
    yield from textwrap.wrap(text, _NOTE_WIDTH, initial_indent="  - ", subsequent_indent="    ")


@command(
    "balance", "balance --faction HK --worth 'strength + 2*actions'", "balance --out report.pdf"
)
@common.game_option
@click.option(
    "--faction", "factions", multiple=True, metavar="ID", help="Analyze only this faction."
)
@click.option("--worth", metavar="MEASURE", help="What a card is worth: strength + 2*actions.")
@click.option("--cost", metavar="MEASURE", help="What a card costs, also a sum of fields.")
@click.option(
    "--best",
    type=click.IntRange(1, 100),
    default=10,
    show_default=True,
    help="How many of the best decks to find.",
)
@click.option(
    "--apart",
    type=click.IntRange(1, 100),
    default=3,
    show_default=True,
    help="Each deck differs from all earlier ones in at least this many copies.",
)
@common.time_option("The time limit of the search, for each faction.")
@click.option(
    "--format",
    "form",
    type=click.Choice(("text", "json")),
    default="text",
    help="Answer as text or JSON.",
)
@click.option(
    "--out",
    "-o",
    type=click.Path(dir_okay=False, path_type=Path),
    help="The file to write to; the report with charts if its name ends in .pdf.",
)
@click.option(
    "--paper",
    type=click.Choice(("a4", "letter")),
    default="a4",
    show_default=True,
    help="The paper of the report.",
)
@common.limit_options
def balance(
    game: Path,
    form: str,
    out: Path | None,
    paper: str,
    **options: Unpack[BalanceOptions],
) -> None:
    """Analyze the game: best decks, and cards that others beat.

    For every faction: the strongest and the cheapest legal deck, how often each card is in the best
    ones, cards that others beat, and cost against worth with a fitted line and its outliers.
    """
    opened = common.open_game(game)
    if out is not None and out.suffix == ".pdf":
        _print_report(opened, out, paper, options)
    result, report = common.run_catching(partial(opened.balance, **options))
    if result is not None:
        common.write_answer(_format_answer(result, form), out, report, form)
        _warn_without_solver()
    common.show(report)
    common.exit_with_findings(report)


def _print_report(opened: Game, out: Path, paper: str, options: BalanceOptions) -> None:
    """Print the report as a PDF and exit."""
    path = common.output_path("", opened.folder, str(out))
    printed, report = common.run_catching(
        partial(opened.print_balance, path, paper=paper, **options)
    )
    common.show(report)
    if printed is not None:
        echo(common.describe_pages(printed, path))
        _warn_without_solver()
    common.exit_with_findings(report)


def _warn_without_solver() -> None:
    from deckwright.decks.solver.highs import is_installed  # noqa: PLC0415

    if not is_installed():
        command = install_command("solve")
        echo(f"without the library highspy no best decks are looked for: {command}", err=True)


def _format_answer(balance: Balance, form: str) -> str:
    if form == "json":
        from deckwright.decks.balance.report import as_json  # noqa: PLC0415 - only if asked for

        return as_json(balance)

    return "\n".join(sanitize_line(line) for line in BalanceText(balance).lines())
