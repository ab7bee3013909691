"""`deckwright export sheet`: decks as grids of pictures for any virtual table."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import click

from deckwright.cli import common
from deckwright.cli.export import tables
from deckwright.cli.export.common import pixels
from deckwright.cli.group import command
from deckwright.cli.values import Parsed
from deckwright.outputs.tabletop.card_grids import NAME, CardSheets


def _grid(text: str) -> tuple[int, int]:
    """Return columns and rows.

    Raises:
        ValueError: if they are not written so.
    """
    sides = re.fullmatch(r"([1-9][0-9]{0,1})[x×]([1-9][0-9]{0,1})", text, re.ASCII)
    if sides is None:
        raise ValueError(f"`{text}` is not of the form 10x7")
    return int(sides[1]), int(sides[2])


@command(
    "export sheet army_HK_1",
    "export sheet army_HK_1 --grid 10x7 --backs last --size 408x585 --format jpg",
)
@tables.decks_options
@common.folder_option("out/sheet")
@common.style_option
@click.option(
    "--grid",
    type=Parsed(_grid),
    metavar="COLUMNSxROWS",
    help="How many cards a picture has; by default the fewest cells, at most 10x7.",
)
@click.option("--size", "cell", type=Parsed(pixels), metavar="WIDTHxHEIGHT",
              help="The pixels of each card.")  # fmt: skip
@common.dpi_option(150, "Pixels per inch of the cards; not with --size.")
@click.option("--max-pixels", "longest", type=click.IntRange(64, 16_383), default=4096,
              show_default=True, metavar="N", help="The longest side of a picture.")  # fmt: skip
@click.option("--format", "form", type=click.Choice(["png", "jpg", "webp"]), default="png",
              show_default=True, help="The format of the pictures.")  # fmt: skip
@click.option(
    "--backs",
    type=click.Choice(["sheet", "last", "one", "none"]),
    default="sheet",
    show_default=True,
    help="A picture of backs behind each one of faces, the back in the last cell, or one back.",
)
@click.option("--copies", is_flag=True, help="Draw each copy in the deck, not each card once.")
@click.option("--name", default=NAME, show_default=True, metavar="PATTERN",
              help="How pictures are called, with these fields.")  # fmt: skip
@common.limit_options
@common.quiet_option
def sheet(
    decks: tuple[str, ...],
    game: Path,
    out: Path | None,
    quiet: bool,
    **asked: Any,  # noqa: ANN401 - those of `Deck.export_sheets`
) -> None:
    """Write decks as pictures with a grid of cards.

    They are for any virtual table that takes such pictures. A CSV file beside them says which card
    is in which cell. Without DECK, all decks of the game are written.
    """
    opened = common.open_game(game)
    folder = opened.folder
    names = tables.decks_of(folder, decks)
    target = common.target_folder(folder.path / "out" / "sheet", out)
    common.make_each(
        dict.fromkeys(names, target),
        lambda name, path: opened.deck(name).export_sheets(path, **asked),
        lambda name, _: f"{folder.deck_file(name).name} was not exported",
        lambda _, made: () if quiet else _summary(made),
    )


def _summary(made: CardSheets) -> list[str]:
    """Return what was exported as a short table."""
    rows = []
    for sheet in made.sheets:
        grid, cards = sheet.grid, common.counted(len(sheet.cards), "card")
        cells = f"{grid.columns} × {grid.rows} of {grid.cell[0]} × {grid.cell[1]} pixels"
        rows.append((f"sheet {sheet.number}", f"{cards}, {cells}: {sheet.fronts.name}"))
    return common.table(made.name, [*rows, ("list", str(made.list))])
