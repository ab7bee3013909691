"""`deckwright export playground`: decks for Tabletop Playground."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from deckwright.cli import common
from deckwright.cli.export import tables
from deckwright.cli.group import command
from deckwright.outputs.tabletop.playground import Packed


@command("export playground army_HK_1", "export playground --format jpg")
@tables.decks_options
@common.folder_option("out/playground")
@common.style_option
@tables.format_option
@common.limit_options
@common.quiet_option
def playground(
    decks: tuple[str, ...],
    game: Path,
    out: Path | None,
    quiet: bool,
    **asked: Any,  # noqa: ANN401 - those of `Deck.export_playground`
) -> None:
    """Write decks as packages for Tabletop Playground.

    A package is a folder with a stack of cards for each zone, and one for the tokens. DECK is the
    name of a file in xml/Decks, or any path; without one, all decks of the game are written. Copy
    the folders into `PersistentDownloadDir` or `Packages` of the program.
    """
    opened = common.open_game(game)
    folder = opened.folder
    names = tables.decks_of(folder, decks)
    target = common.target_folder(folder.path / "out" / "playground", out)
    common.make_each(
        {name: target / folder.deck_file(name).stem for name in names},
        lambda name, path: opened.deck(name).export_playground(path, **asked),
        lambda name, _: f"{folder.deck_file(name).name} was not exported",
        lambda _, made: () if quiet else _summary(made),
    )


def _summary(made: Packed) -> list[str]:
    """Return what was exported as a short table."""
    rows = [(stack.name, common.counted(len(stack.cells), "card")) for stack in made.stacks]
    return common.table(made.name, [*rows, ("package", str(made.path))])
