"""The options of commands that draw opening hands, as `decks.openings` takes them."""

from __future__ import annotations

from collections.abc import Callable

import click

from deckwright.cli import common
from deckwright.cli.common import F

MOST = 999


def _number(name: str, help_: str, least: int = 0) -> Callable[[F], F]:
    return click.option(name, type=click.IntRange(least, MOST), help=help_)


opening_options = common.together(
    click.option("--zone", metavar="ID", help="Draw from this zone instead of the game's."),
    _number("--hand", "Begin with this many cards instead of the game's number.", 1),
    _number("--redraws", "Let players lay this many cards aside once, for as many others."),
    _number("--mulligans", "Let players shuffle the whole hand back this often."),
    _number("--draws", "Draw this many cards each turn."),
)
"""The options that say how a game is opened, where `opening` in game.xml says otherwise."""
