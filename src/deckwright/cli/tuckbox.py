"""`deckwright tuckbox`: print a box for a deck."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from deckwright.cli import common
from deckwright.cli.group import command
from deckwright.cli.press import named, press_lines, press_options, taken
from deckwright.cli.sheets import cut_option
from deckwright.cli.values import length_within
from deckwright.outputs.tuckbox import BOX_PAPERS, MOST_CARDS, Boxed


@command("tuckbox army_HK_1", "tuckbox army_HK_1 --sleeved --paper a3",
         "tuckbox army_HK_1 --service press")  # fmt: skip
@click.argument("decks", nargs=-1, metavar="DECK…")
@common.game_option
@common.out_option("box_NAME.pdf")
@common.style_option
@click.option("--cards", type=click.IntRange(1, MOST_CARDS),
              help="Make room for this many cards. The default is every card the deck prints.",
              )  # fmt: skip
@click.option("--thickness", type=length_within(0.05, 20), metavar="MM", default=0.3,
              show_default=True, help="The thickness of one card.")  # fmt: skip
@click.option("--clearance", type=length_within(0, 50), metavar="MM", default=1.0,
              show_default=True,
              help="How much larger the inside is than the stack of cards, in each direction.",
              )  # fmt: skip
@click.option("--sleeved", is_flag=True, help="Make room for cards in sleeves.")
@click.option("--paper", type=click.Choice(BOX_PAPERS), default="a4", show_default=True,
              help="The size of the paper.")  # fmt: skip
@cut_option
@press_options
@common.quiet_option
def tuckbox(
    decks: tuple[str, ...],
    game: Path,
    out: str | None,
    quiet: bool,
    **asked: Any,  # noqa: ANN401 - those of `Deck.print_box`
) -> None:
    """Print a tuck box for a deck: cut it out, fold it, glue it.

    DECK is the name of a file in xml/Decks, such as army_HK_1.xml, or any path. The box holds all
    cards and tokens of the deck. Print it at 100 % on card stock of about 300 g/m². For a press,
    `--service` makes a page as large as the net, with the lines of the die as separations.
    """
    opened, press = common.open_game(game), taken(asked)
    folder = opened.folder
    common.demand_decks(decks, folder)
    names = {name: named(f"box_{folder.deck_file(name).stem}.pdf", press) for name in decks}
    common.make_each(
        common.targets(names, folder, out),
        lambda name, target: opened.deck(name).print_box(target, press=press, **asked),
        lambda name, _: f"the box of {folder.called(folder.deck_file(name))} was not printed",
        lambda _, boxed: () if quiet else _summary(boxed, asked["paper"]),
    )


def _summary(boxed: Boxed, paper: str) -> list[str]:
    """Return what was printed as a short table."""
    inside = " × ".join(f"{side:.1f}".removesuffix(".0") for side in boxed.room)
    rows = [("for", common.counted(boxed.copies, "card")), ("inside", f"{inside} mm")]
    if boxed.pressed is None:
        rows.append(("paper", f"{paper}, {'landscape' if boxed.lying else 'upright'}"))
    rows += [("file", str(boxed.path)), *common.cut_rows(boxed.cuts)]
    return common.table(boxed.stats.deck.name, rows) + press_lines(boxed.pressed)
