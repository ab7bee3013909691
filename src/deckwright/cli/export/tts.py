"""`deckwright export tts`: decks for Tabletop Simulator."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from deckwright.cli import common
from deckwright.cli.export import tables
from deckwright.cli.group import command
from deckwright.outputs.tabletop.export import Tabled


@command("export tts army_HK_1", "export tts --url https://example.org/cards")
@tables.decks_options
@common.folder_option("out/tts")
@common.style_option
@click.option(
    "--url",
    metavar="BASE",
    help="The web address where the folder `pictures` will be, so that others see the cards.",
)
@tables.format_option
@common.limit_options
@common.quiet_option
def tts(
    decks: tuple[str, ...],
    game: Path,
    out: Path | None,
    quiet: bool,
    **asked: Any,  # noqa: ANN401 - those of `Deck.export_tts`
) -> None:
    """Write decks as saved objects for Tabletop Simulator.

    There is a pile for each zone, and one for the tokens. DECK is the name of a file in xml/Decks,
    or any path; without one, all decks of the game are written. Copy the JSON and PNG files to
    `Saves/Saved Objects` in the program's folder.
    """
    opened = common.open_game(game)
    folder = opened.folder
    names = tables.decks_of(folder, decks)
    place = "" if out else "tts/"
    files = {name: f"{place}{folder.deck_file(name).stem}.json" for name in names}
    common.make_each(
        common.targets(files, folder, f"{out}/" if out else None),
        lambda name, path: opened.deck(name).export_tts(path, **asked),
        lambda name, _: f"{folder.deck_file(name).name} was not exported",
        lambda _, tabled: () if quiet else _summary(tabled),
    )


def _summary(tabled: Tabled) -> list[str]:
    """Return what was exported as a short table."""
    rows = [(pile.name, common.counted(len(pile.cards), "card")) for pile in tabled.piles]
    sheets = ", ".join(
        f"{len(sheet.cards)} in {sheet.grid.columns} × {sheet.grid.rows}" for sheet in tabled.sheets
    )
    rows += [("sheets", f"{len(tabled.sheets)} ({sheets})"), ("file", str(tabled.path))]
    return common.table(tabled.name, rows)
