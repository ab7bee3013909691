"""`deckwright export cockatrice`: cards and decks for Cockatrice."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from deckwright.cli import common
from deckwright.cli.group import command
from deckwright.cli.terminal import echo

if TYPE_CHECKING:
    from deckwright.outputs.cockatrice.files import Exported


@command("export cockatrice", "export cockatrice army_HK_1 --pictures")
@click.argument("decks", nargs=-1, metavar="[DECK…]")
@common.game_option
@common.style_option
@click.option("--pictures", is_flag=True, help="Also draw the cards' faces.")
@common.dpi_option(300, "Pixels per inch of the pictures.")
@click.option(
    "--picture-url",
    metavar="BASE",
    help="The web address where the pictures will be, for Cockatrice to download them.",
)
@click.option("--cost", metavar="FIELD", help="The field to use as a card's cost.")
@click.option("--power", multiple=True, metavar="FIELD",
              help="A field to show in the card's corner; give two for `3/2`.")  # fmt: skip
@common.folder_option("out/cockatrice")
@common.limit_options
@common.quiet_option
def cockatrice(
    decks: tuple[str, ...],
    game: Path,
    out: Path | None,
    quiet: bool,
    **asked: Any,  # noqa: ANN401 - those of `Game.export_cockatrice`
) -> None:
    """Write cards and decks for Cockatrice, to play online.

    DECK is the name of a file in xml/Decks, or any path; without one, all decks of the game are
    written. Copy the contents of the output folder into Cockatrice's own folder, which is laid out
    the same way, and enable the new sets in the program.
    """
    opened = common.open_game(game)
    target = common.target_folder(opened.path / "out" / "cockatrice", out)
    exported, report = common.attempt(lambda: opened.export_cockatrice(target, decks, **asked))
    common.show_and_count(report)
    if exported is not None and not quiet:
        echo(*_summary(exported, target))
    common.leave(report)


def _summary(exported: Exported, target: Path) -> list[str]:
    """Return what was written as a short table."""
    rows = [
        ("cards", str(exported.cards)),
        ("tokens", str(exported.tokens or "")),
        ("decks", ", ".join(path.stem for path in exported.decks)),
        ("renamed", ", ".join(exported.renamed)),
        ("database", str(exported.database)),
        ("pictures", str(exported.pictures or "")),
    ]
    return common.table(str(target), rows)
