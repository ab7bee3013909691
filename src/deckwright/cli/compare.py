"""`deckwright compare`: decks side by side."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

import click

from deckwright.api.asked import Limits
from deckwright.base.visible import visible
from deckwright.cli import common
from deckwright.cli.group import command

if TYPE_CHECKING:
    from deckwright.decks.comparison import DeckComparison


@command("compare army_HK_1 army_EW_1", "compare army_HK_1 army_HH_1 army_EH_1 --format csv")
@click.argument("decks", nargs=-1, metavar="DECK DECK…", required=True)
@common.game_option
@common.answer_options
@common.limit_options
def compare(
    decks: tuple[str, ...],
    game: Path,
    form: str,
    out: Path | None,
    **limits: Unpack[Limits],
) -> None:
    """Show decks side by side: cards, sums, curves, odds, limits.

    A star marks cards that not all of the decks have, a tilde those of which they have different
    numbers, and an exclamation mark limits that a deck breaks. Of two decks, the changes that make
    the second of the first are listed as well.
    """
    opened = common.open_game(game)
    made, report = common.attempt(partial(opened.compare, decks, **limits))
    if made is not None:
        common.answer(_in_form(made, form), out, report, form)
    common.show(report)
    common.leave(report)


def _in_form(comparison: DeckComparison, form: str) -> str:
    if form == "text":
        from deckwright.cli.compared_text import compared_text  # noqa: PLC0415 - not with --help

        return "\n".join(map(visible, compared_text(comparison)))

    from deckwright.decks.compared_data import as_csv, as_json  # noqa: PLC0415 - only if asked for

    return as_json(comparison) if form == "json" else as_csv(comparison)
