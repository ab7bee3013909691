"""`deckwright odds`: how likely an opening hand has what."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

import click

from deckwright.base.findings import Report
from deckwright.base.visible import visible
from deckwright.cli import common
from deckwright.cli.group import command
from deckwright.cli.openings import opening_options
from deckwright.cli.speech import language_option
from deckwright.cli.terminal import echo

if TYPE_CHECKING:
    from deckwright.decks.asked_odds import DeckOdds
    from deckwright.decks.openings import Openings

_LAST_TURN = 99


def _turns(
    _context: click.Context, _option: click.Parameter, given: Iterable[str]
) -> tuple[int, ...]:
    """Return the turns that are asked for, each once, in order; that before the first if none is.

    Raises:
        click.UsageError: if they are not written so.
    """
    turns: set[int] = set()
    for text in given:
        found = re.fullmatch(r"([0-9]{1,2})(?:-([0-9]{1,2}))?", text)
        first, last = (int(found[1]), int(found[2] or found[1])) if found else (1, 0)
        if first > last:
            message = f"`--turn {text}` is not of the form 3 or 1-6, up to {_LAST_TURN}"
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
              help="Ask for so many of each group, in their order. The default is 1.")  # fmt: skip
@click.option("--turn", "turns", multiple=True, metavar="TURN", callback=_turns,
              help="Ask for the hand after the draw of this turn, or of several: 1-6.")  # fmt: skip
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
    **opening: Unpack[Openings],
) -> None:
    """Show how likely an opening hand has which cards.

    That is each row, each level and each card; the figures are exact. Where the game allows to lay
    cards aside or to draw a new hand, players are taken to do so as well as possible for what is
    asked. With --where and --card, show how likely a player has these cards, all of them together.
    Decks need not keep their limits.
    """
    from deckwright.api.decks import counted_deck  # noqa: PLC0415 - not with --help
    from deckwright.api.odds import odds_of  # noqa: PLC0415

    folder = common.open_folder(game)
    report: Report = []
    found: list[DeckOdds] = []
    for name in decks:
        findings: Report = []
        counted = counted_deck(folder, folder.deck_file(name), {}, findings)
        report += common.new_in(findings, report)
        if counted is not None:
            found.append(
                odds_of(
                    *counted, where=where, cards=cards, at_least=at_least, turns=turns, **opening
                )
            )
    if found:
        common.answer(_in_form(found, form), out, report, form)
    for each in found:
        _warn(each)
    common.show(report)
    common.leave(report)


def _in_form(decks: list[DeckOdds], form: str) -> str:
    if form == "text":
        from deckwright.cli.odds_answers import AnswerText  # noqa: PLC0415 - not with --help
        from deckwright.cli.odds_tables import TableText  # noqa: PLC0415

        texts = (AnswerText(each) if each.answers else TableText(each) for each in decks)
        return "\n\n".join("\n".join(map(visible, text.lines())) for text in texts)

    from deckwright.decks.odds_data import as_csv, as_json  # noqa: PLC0415 - only if asked for

    return as_json(decks) if form == "json" else as_csv(decks)


def _warn(found: DeckOdds) -> None:
    """Say where a hand takes the whole deck."""
    if found.zone.cards < found.opening.hand:
        cards = common.counted(found.zone.cards, "card")
        message = f"`{found.stats.deck.stem}` has {cards} in `{found.zone.id}`"
        echo(f"{message}, fewer than a hand of {found.opening.hand}: it has them all", err=True)
