"""`deckwright export cockatrice`: cards and decks for Cockatrice."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import click

from deckwright.base.findings import Report, known_hint
from deckwright.cli import common
from deckwright.cli.group import command
from deckwright.cli.terminal import echo
from deckwright.game.folder import GameFolder

if TYPE_CHECKING:
    from deckwright.outputs.cockatrice.files import Exported

_CORNER = 2
"""How many numbers Cockatrice shows in a card's corner."""


@command("export cockatrice", "export cockatrice army_HK_1 --pictures")
@click.argument("decks", nargs=-1, metavar="[DECK…]")
@common.game_option
@common.style_option
@click.option("--pictures", is_flag=True, help="Also draw the cards' faces.")
@click.option("--dpi", type=click.FloatRange(20, 1200), default=300, show_default=True,
              help="Pixels per inch of the pictures.")  # fmt: skip
@click.option(
    "--picture-url",
    "address",
    metavar="BASE",
    help="The web address where the pictures will be, for Cockatrice to download them.",
)
@click.option("--cost", metavar="FIELD", help="The field to use as a card's cost.")
@click.option("--power", "powers", multiple=True, metavar="FIELD",
              help="A field to show in the card's corner; give two for `3/2`.")  # fmt: skip
@common.folder_option("out/cockatrice")
@common.limit_options
@common.quiet_option
def cockatrice(
    decks: tuple[str, ...],
    game: Path,
    style: str | None,
    pictures: bool,
    dpi: float,
    address: str | None,
    cost: str | None,
    powers: tuple[str, ...],
    out: Path | None,
    ignore_limits: bool,
    format_id: str | None,
    changes: tuple[str, ...],
    quiet: bool,
) -> None:
    """Write cards and decks for Cockatrice, to play online.

    DECK is the name of a file in xml/Decks, or any path; without one, all decks of the game are
    written. Copy the contents of the output folder into Cockatrice's own folder, which is laid out
    the same way, and enable the new sets in the program.
    """
    folder = common.open_folder(game)
    if address is not None and not re.fullmatch(r"https?://[^/\s]\S*", address):
        message = f"`--picture-url {address}` is not an address such as https://example.org/cards"
        raise click.UsageError(message)
    _check_fields(folder, (*([cost] if cost else []), *powers))
    if len(powers) > _CORNER:
        message = f"--power can be given {_CORNER} times"
        raise click.UsageError(message)
    rules = common.parse_rules(
        folder, ignore_limits=ignore_limits, format_id=format_id, changes=changes
    )
    style = common.parse_style(folder, style)

    from deckwright.outputs.cockatrice.files import CockatriceOptions, export_game  # noqa: PLC0415

    paths = [folder.deck_file(name) for name in decks] or folder.deck_files()
    report: Report = []
    options = CockatriceOptions(cost, powers, pictures, dpi, address, style)
    target = common.target_folder(folder.path / "out" / "cockatrice", out)
    exported = export_game(folder, paths, target, rules, options, report)
    common.show_and_count(report)
    if exported is not None and not quiet:
        echo(*_summary(exported, target))
    common.leave(report)


def _check_fields(folder: GameFolder, names: tuple[str, ...]) -> None:
    """Check the fields that the command line names.

    Raises:
        click.UsageError: if there is no such field, or it does not hold numbers.
    """
    from deckwright.game.load import load_setup  # noqa: PLC0415 - only with options

    setup = load_setup(folder, []) if names else None
    for name in names if setup else ():
        assert setup is not None
        kinds = setup.card_kinds
        known = {f.name: None for k in kinds for f in k.fields if f.type == "integer"}
        if name not in known:
            message = f"no card has a field `{name}` with whole numbers"
            raise click.UsageError(common.with_hint(message, known_hint(name, known)))


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
